//! How many connections this machine has files and memory for.

use std::fs;

use server::quotas::MemoryQuotas;
use server::web::Limits;

/// Open files besides connections: the database, the log, the program.
const OTHER_FILES: u64 = 64;
/// The memory of a connection, with its share of a table, and as much again for what comes in bursts.
const CONNECTION_BYTES: u64 = 16 << 10;
/// The memory of the server itself, with that for passphrases.
const SERVER_BYTES: u64 = 128 << 20;

/// The least number of connections that memory allows: as many fit beside the server in any case, as
/// most of what it needs is for passphrases and for bursts.
const LEAST_BY_MEMORY: u64 = 256;

/// What the machine, or its part for this process, gives to the server. None where it is not known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Capacity {
    /// Files that may be open.
    pub(crate) files: Option<u64>,
    /// Bytes of memory.
    pub(crate) memory: Option<u64>,
}

impl Capacity {
    /// The capacity of this machine.
    pub(crate) fn of_machine() -> Capacity {
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let group = group_memory(&read("/proc/self/cgroup"), |path| read(path));
        let machine = machine_memory(&read("/proc/meminfo"));
        Capacity {
            files: soft_limit_of_files(&read("/proc/self/limits")),
            memory: [group, machine].into_iter().flatten().min(),
        }
    }

    /// How much memory clients may use: half of it is for connections, the rest for what they ask for.
    pub(crate) fn memory_quotas(&self) -> MemoryQuotas {
        let half = |bytes: u64| MemoryQuotas::within(bytes.saturating_sub(SERVER_BYTES) / 2);
        self.memory.map_or_else(MemoryQuotas::default, half)
    }

    /// How many WebSockets there is room for, beside as many other connections.
    pub(crate) fn sockets(&self) -> usize {
        let by_files = self.files.map(|files| files.saturating_sub(OTHER_FILES) / 2);
        let fits = |bytes: u64| bytes.saturating_sub(SERVER_BYTES) / 2 / CONNECTION_BYTES / 2;
        let by_memory = self.memory.map(|bytes| fits(bytes).max(LEAST_BY_MEMORY));
        let sockets = [by_files, by_memory].into_iter().flatten().min().unwrap_or(u64::MAX);
        usize::try_from(sockets).unwrap_or(usize::MAX).max(1)
    }

    /// What an operator should know of the connections that are allowed: as many as they have asked for, or
    /// as many as there is room for.
    pub(crate) fn warning(&self, asked: Option<usize>) -> Option<&'static str> {
        match asked {
            Some(asked) => (asked > self.sockets())
                .then_some("more connections are allowed than there is room for"),
            None => (self.limits().sockets < Limits::default().sockets).then_some(
                "fewer connections are allowed than by default: raise the limits of open files and \
                 memory, or set --sockets",
            ),
        }
    }

    /// The usual limits, lowered to what there is room for.
    pub(crate) fn limits(&self) -> Limits {
        let usual = Limits::default();
        Limits { sockets: usual.sockets.min(self.sockets()), ..usual }
    }
}

fn soft_limit_of_files(limits: &str) -> Option<u64> {
    let line = limits.lines().find(|line| line.starts_with("Max open files"))?;
    line.split_whitespace().nth(3)?.parse().ok()
}

fn machine_memory(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kib: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kib << 10)
}

/// The smallest limit of the control groups of this process: a unit or a container may have one.
fn group_memory(groups: &str, read: impl Fn(&str) -> String) -> Option<u64> {
    let group = groups.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let parts: Vec<&str> = group.split('/').filter(|part| !part.is_empty()).collect();
    let limit = |depth: usize| {
        let path = [&["/sys/fs/cgroup"], &parts[..depth], &["memory.max"]].concat().join("/");
        read(&path).trim().parse().ok()
    };
    (0..=parts.len()).filter_map(limit).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limits_of_the_system_are_read() {
        let limits = "Limit                     Soft Limit           Hard Limit           Units\n\
             Max open files            1024                 524288               files\n";
        assert_eq!(soft_limit_of_files(limits), Some(1024));
        assert_eq!(soft_limit_of_files(""), None);
        assert_eq!(machine_memory("MemTotal:       2048 kB\nMemFree: 1 kB\n"), Some(2 << 20));
        let read = |path: &str| match path {
            "/sys/fs/cgroup/system.slice/memory.max" => "max\n".to_owned(),
            "/sys/fs/cgroup/system.slice/ghinda.service/memory.max" => "2147483648\n".to_owned(),
            _ => String::new(),
        };
        assert_eq!(group_memory("0::/system.slice/ghinda.service\n", read), Some(2 << 30));
        assert_eq!(group_memory("0::/system.slice\n", read), None);
        assert_eq!(group_memory("", read), None);
    }

    #[test]
    fn the_scarcest_resource_decides() {
        let sockets = |files, memory| Capacity { files, memory }.sockets();
        assert_eq!(sockets(Some(1024), None), 480);
        assert_eq!(sockets(Some(65_536), Some(640 << 20)), 8_192);
        assert_eq!(sockets(Some(10), Some(1)), 1, "a server for one is better than none");
        for mib in [1, 64, 128, 144] {
            assert_eq!(sockets(Some(65_536), Some(mib << 20)), 256, "{mib} MiB");
        }
        assert_eq!(sockets(Some(200), Some(1)), 68, "there are too few files for 256");
        assert_eq!(sockets(None, None), usize::MAX);
        let large = Capacity { files: Some(1 << 20), memory: Some(64 << 30) };
        assert_eq!(large.limits().sockets, Limits::default().sockets);
    }

    #[test]
    fn everything_fits_into_the_memory_that_there_is() {
        for mib in [512, 1_024, 2_048, 4_096, 64 << 10] {
            let memory = mib << 20;
            let capacity = Capacity { files: None, memory: Some(memory) };
            let connections = 2 * capacity.limits().sockets as u64 * CONNECTION_BYTES;
            let all = SERVER_BYTES + connections + capacity.memory_quotas().bytes();
            assert!(all <= memory, "{} of {mib} MiB", all >> 20);
        }
        let large = Capacity { files: None, memory: Some(64 << 30) };
        assert_eq!(large.memory_quotas(), MemoryQuotas::default());
    }

    #[test]
    fn a_limit_that_was_lowered_is_warned_of() {
        let warning = |mib: u64, asked| {
            let capacity = Capacity { files: Some(1 << 20), memory: Some(mib << 20) };
            capacity.warning(asked).unwrap_or_default()
        };
        assert!(warning(128, None).contains("fewer connections are allowed than by default"));
        assert!(warning(1_024, None).contains("fewer connections are allowed than by default"));
        assert_eq!(warning(64 << 10, None), "");
        assert_eq!(warning(1_024, Some(1_000)), "");
        assert!(warning(128, Some(1_000)).contains("more connections are allowed than"));
    }

    #[test]
    fn this_machine_has_a_capacity() {
        assert!(Capacity::of_machine().sockets() > 1);
    }
}
