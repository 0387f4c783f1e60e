//! How many connections this machine has files and memory for.

use std::fs;

use server::quotas::{
    CONNECTION_BUFFER, CONNECTION_BYTES, MemoryQuotas, SOCKET_BUFFER, SYSTEM_FACTOR,
};
use server::web::Limits;

/// Open files besides connections: the database, the log, the program.
const OTHER_FILES: u64 = 64;
/// The memory of a WebSocket and of another connection, as there may be as many of these: what they hold, and
/// what the system keeps for them while their clients do not read.
const PAIR_BYTES: u64 =
    2 * CONNECTION_BYTES + SYSTEM_FACTOR * (SOCKET_BUFFER as u64 + CONNECTION_BUFFER as u64);
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
        let fits = |bytes: u64| bytes.saturating_sub(SERVER_BYTES) / 2 / PAIR_BYTES;
        let by_memory = self.memory.map(|bytes| fits(bytes).max(LEAST_BY_MEMORY));
        let sockets = [by_files, by_memory].into_iter().flatten().min().unwrap_or(u64::MAX);
        usize::try_from(sockets).unwrap_or(usize::MAX).max(1)
    }

    /// What an operator should know of the connections that are allowed: as many as they have asked for, or
    /// as many as there is room for.
    pub(crate) fn warning(&self, asked: Option<usize>) -> Option<&'static str> {
        let scarce_files = Capacity { memory: None, ..*self }.sockets() == self.sockets();
        match (asked, scarce_files) {
            (Some(asked), _) if asked <= self.sockets() => None,
            (None, _) if self.limits().sockets == Limits::default().sockets => None,
            (Some(_), true) => {
                Some("more connections are allowed than open files: raise that limit (ulimit -n)")
            }
            (Some(_), false) => Some("more connections are allowed than there is memory for"),
            (None, true) => Some(
                "fewer connections are allowed than by default: raise the limit of open files \
                 (ulimit -n), or set --sockets",
            ),
            (None, false) => {
                Some("fewer connections are allowed than by default: there is no memory for more")
            }
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

/// The smallest limit of the control groups of this process: a unit or a container may have one. Above
/// `memory.high` the system slows the process down, so the server stays below that too.
fn group_memory(groups: &str, read: impl Fn(&str) -> String) -> Option<u64> {
    let group = groups.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let parts: Vec<&str> = group.split('/').filter(|part| !part.is_empty()).collect();
    let limit = |(depth, file): (usize, &str)| {
        let path = [&["/sys/fs/cgroup"], &parts[..depth], &[file]].concat().join("/");
        read(&path).trim().parse().ok()
    };
    let files = |depth| ["memory.max", "memory.high"].map(|file| (depth, file));
    (0..=parts.len()).flat_map(files).filter_map(limit).min()
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
        let high = |path: &str| match path {
            "/sys/fs/cgroup/a/memory.max" => "2147483648\n".to_owned(),
            "/sys/fs/cgroup/a/memory.high" => "1073741824\n".to_owned(),
            _ => "max\n".to_owned(),
        };
        assert_eq!(group_memory("0::/a/b\n", high), Some(1 << 30), "also that of a group above");
        assert_eq!(group_memory("", read), None);
    }

    #[test]
    fn the_scarcest_resource_decides() {
        let sockets = |files, memory| Capacity { files, memory }.sockets();
        assert_eq!(sockets(Some(1024), None), 480);
        assert_eq!(sockets(Some(65_536), Some(640 << 20)), 1_820);
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
            let connections = capacity.limits().sockets as u64 * PAIR_BYTES;
            let all = SERVER_BYTES + connections + capacity.memory_quotas().bytes();
            assert!(all <= memory, "{} of {mib} MiB", all >> 20);
        }
        let large = Capacity { files: None, memory: Some(64 << 30) };
        assert_eq!(large.memory_quotas(), MemoryQuotas::default());
    }

    /// The bytes that a setting of the unit in `deploy/` gives.
    fn of_unit(setting: &str) -> u64 {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/ghinda.service");
        let unit = fs::read_to_string(path).expect("the unit");
        let mut values =
            unit.lines().filter_map(|line| line.strip_prefix(setting)?.strip_prefix('='));
        let value = values.next().unwrap_or_else(|| panic!("the unit has no {setting}"));
        assert_eq!(values.next(), None, "{setting}");
        let mib =
            value.strip_suffix('M').unwrap_or_else(|| panic!("{setting} is in M, not {value}"));
        mib.parse::<u64>().expect("a number") << 20
    }

    #[test]
    fn the_unit_has_room_for_what_the_server_allows_by_default() {
        let (high, max) = (of_unit("MemoryHigh"), of_unit("MemoryMax"));
        let capacity = Capacity { files: None, memory: Some(high) };
        assert_eq!(capacity.limits().sockets, Limits::default().sockets);
        let connections = Limits::default().sockets as u64 * PAIR_BYTES;
        let all = SERVER_BYTES + connections + MemoryQuotas::default().bytes();
        assert!(all <= high, "{} of {} MiB", all >> 20, high >> 20);
        // Only a fault gets there: the system slows down what is above the first limit.
        assert!(max > high);
    }

    #[test]
    fn the_document_names_the_memory_below_which_quotas_are_lower() {
        let quotas = |mib: u64| Capacity { files: None, memory: Some(mib << 20) }.memory_quotas();
        assert_eq!(quotas(2_176), MemoryQuotas::default());
        assert_ne!(quotas(2_175), MemoryQuotas::default());
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../SECURITY.md");
        let document = fs::read_to_string(path).expect("SECURITY.md");
        assert!(document.contains("less memory than 2176 MiB"));
    }

    #[test]
    fn a_limit_that_was_lowered_is_warned_of() {
        let warning = |mib: u64, asked| {
            let capacity = Capacity { files: Some(1 << 20), memory: Some(mib << 20) };
            capacity.warning(asked).unwrap_or_default()
        };
        assert!(warning(128, None).contains("no memory for more"));
        assert!(warning(1_024, None).contains("no memory for more"));
        assert_eq!(warning(64 << 10, None), "");
        assert_eq!(warning(1_024, Some(1_000)), "");
        assert!(warning(128, Some(1_000)).contains("than there is memory for"));
        let few_files = Capacity { files: Some(1_024), memory: Some(64 << 30) };
        assert!(few_files.warning(None).is_some_and(|text| text.contains("open files")));
        assert!(few_files.warning(Some(481)).is_some_and(|text| text.contains("open files")));
        assert_eq!(few_files.warning(Some(480)), None);
    }

    #[test]
    fn this_machine_has_a_capacity() {
        assert!(Capacity::of_machine().sockets() > 1);
    }
}
