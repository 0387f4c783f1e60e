//! What a server gives to one player, to one address and to all of them together.
//!
//! Whatever a client can make grow has a bound here or beside the code that it bounds, and a client that reaches it gets
//! a typed refusal. SECURITY.md lists them; tests compare the numbers.

use crate::byte_pool::SHARES;

/// The maximum number of open tables that a player has opened.
pub const MAX_TABLES_OF_PLAYER: u32 = 200;
/// The maximum number of contests and score sheets that a player has given to the server and that were
/// written to within a month.
pub const MAX_LEDGERS_OF_PLAYER: u32 = 100;
/// The maximum bytes of all lines of a contest or a score sheet, with the ids of the commands that led to
/// them. The largest contest with a sheet for every table stays below it.
pub const MAX_LEDGER_BYTES: usize = 8 << 20;
/// The maximum number of contests and score sheets that are being given to the server: it reads the whole
/// request before it can judge it.
pub const MAX_UPLOADS: usize = 64;
/// The same from one address.
pub const MAX_UPLOADS_FROM_ONE: usize = 4;
/// The memory of a connection, with its share of a table, and as much again for what comes in bursts. A test
/// measures what it holds after large messages.
pub const CONNECTION_BYTES: u64 = 24 << 10;
/// The bytes that the system keeps for a WebSocket that the client has not read. It takes
/// [twice](SYSTEM_FACTOR) as much.
pub const SOCKET_BUFFER: u32 = 16 << 10;
/// The same for another connection: enough that a page is loaded fast over a long way.
pub const CONNECTION_BUFFER: u32 = 32 << 10;
/// How many times such a buffer the system takes from the memory of the server.
pub const SYSTEM_FACTOR: u64 = 2;
/// How many tables that are not in memory are looked at, or records read, at once.
pub const MAX_LOOKS: usize = 8;
/// The same for one address.
pub const MAX_LOOKS_FROM_ONE: usize = 2;
/// How many further looks of an address wait.
pub const MAX_LOOKS_WAITING: usize = 32;
/// The maximum number of contests and score sheets that wait to be read from their lines. One address has a
/// quarter of them.
pub const MAX_LEDGER_READS: usize = 256;
/// The maximum bytes of messages that wait for one client: a few of the largest.
pub const MAX_WAITING_BYTES: usize = 1 << 20;

/// How much of the server's memory clients may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemoryQuotas {
    /// The maximum number of tables in memory.
    pub tables: usize,
    /// The maximum number of contests and score sheets in memory.
    pub ledgers: usize,
    /// The maximum bytes of their lines together. What the lines lead to takes several times as much.
    pub ledger_bytes: usize,
    /// The maximum bytes of records, contests and score sheets that are being sent over HTTP.
    pub answer_bytes: usize,
    /// The maximum bytes of messages that wait for all clients. Above that a connection may have one.
    pub waiting_bytes: usize,
}

impl Default for MemoryQuotas {
    fn default() -> MemoryQuotas {
        MemoryQuotas {
            tables: 20_000,
            ledgers: 5_000,
            ledger_bytes: 128 << 20,
            answer_bytes: 64 << 20,
            waiting_bytes: 256 << 20,
        }
    }
}

impl MemoryQuotas {
    /// How many times the bytes of its lines a ledger in memory takes.
    const LEDGER_FACTOR: u64 = 4;
    /// The largest ledger must fit into the share of one address.
    const LEAST_POOL: usize = SHARES * MAX_LEDGER_BYTES;
    const LEAST_WAITING: usize = 16 << 20;

    /// The usual quotas, lowered so that they fit into this many bytes: half for ledgers, an eighth for answers,
    /// the rest for messages that wait. Below 176 MiB they stay what the largest ledger needs.
    pub fn within(memory: u64) -> MemoryQuotas {
        let usual = MemoryQuotas::default();
        let lowered = |usual: usize, room: u64, least: usize| {
            usual.min(usize::try_from(room).unwrap_or(usize::MAX)).max(least)
        };
        let ledger_room = memory / 2 / MemoryQuotas::LEDGER_FACTOR;
        let quotas = MemoryQuotas {
            ledger_bytes: lowered(usual.ledger_bytes, ledger_room, MemoryQuotas::LEAST_POOL),
            answer_bytes: lowered(usual.answer_bytes, memory / 8, MemoryQuotas::LEAST_POOL),
            waiting_bytes: 0,
            ..usual
        };
        let rest = memory.saturating_sub(quotas.bytes());
        let waiting_bytes = lowered(usual.waiting_bytes, rest, MemoryQuotas::LEAST_WAITING);
        MemoryQuotas { waiting_bytes, ..quotas }
    }

    /// The bytes that all of it may take, but for the tables: they come with their connections.
    pub fn bytes(&self) -> u64 {
        let ledgers = self.ledger_bytes as u64 * MemoryQuotas::LEDGER_FACTOR;
        ledgers + self.answer_bytes as u64 + self.waiting_bytes as u64
    }
}

/// Something of which there is only so much. Refusals are counted by these names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quota {
    /// The tables of a player.
    Tables,
    /// The contests and score sheets of a player.
    Ledgers,
    /// What is written to contests and score sheets from one address.
    LedgerBytes,
    /// What clients say and change at tables from one address, besides the play.
    TableBytes,
    /// What clients bid, play and claim at tables from one address.
    PlayBytes,
    /// The tables in memory.
    TablesInMemory,
    /// The contests and score sheets in memory, and their bytes.
    LedgersInMemory,
    /// The contests and score sheets that wait to be read from their lines.
    LedgerReads,
    /// The bytes of large answers over HTTP that are being sent.
    Answers,
    /// The looks of an address at tables that are not in memory.
    Looks,
    /// The requests over HTTP that are under way.
    Requests,
    /// The costly requests of one address.
    CostlyRequests,
    /// The connections, in all and of one address.
    Connections,
    /// The messages that wait for a client, and for all of them.
    WaitingBytes,
    /// The passphrases that wait to be checked.
    LogIns,
    /// The wrong passphrases for one name.
    WrongPassphrases,
}

impl Quota {
    /// All quotas.
    pub const ALL: [Quota; 16] = [
        Quota::Tables,
        Quota::Ledgers,
        Quota::LedgerBytes,
        Quota::TableBytes,
        Quota::PlayBytes,
        Quota::TablesInMemory,
        Quota::LedgersInMemory,
        Quota::LedgerReads,
        Quota::Answers,
        Quota::Looks,
        Quota::Requests,
        Quota::CostlyRequests,
        Quota::Connections,
        Quota::WaitingBytes,
        Quota::LogIns,
        Quota::WrongPassphrases,
    ];

    /// Its name in the metrics.
    pub const fn name(self) -> &'static str {
        match self {
            Quota::Tables => "tables",
            Quota::Ledgers => "ledgers",
            Quota::LedgerBytes => "ledger_bytes",
            Quota::TableBytes => "table_bytes",
            Quota::PlayBytes => "play_bytes",
            Quota::TablesInMemory => "tables_in_memory",
            Quota::LedgersInMemory => "ledgers_in_memory",
            Quota::LedgerReads => "ledger_reads",
            Quota::Answers => "answers",
            Quota::Looks => "looks",
            Quota::Requests => "requests",
            Quota::CostlyRequests => "costly_requests",
            Quota::Connections => "connections",
            Quota::WaitingBytes => "waiting_bytes",
            Quota::LogIns => "log_ins",
            Quota::WrongPassphrases => "wrong_passphrases",
        }
    }

    /// Counts a refusal.
    pub(crate) fn count_refusal(self) {
        metrics::counter!("ghinda_quota_refusals_total", "quota" => self.name()).increment(1);
    }
}

#[cfg(test)]
impl Quota {
    /// How many refusals a recorder has counted.
    pub(crate) fn refusals(
        self,
        recorder: &metrics_exporter_prometheus::PrometheusRecorder,
    ) -> u64 {
        let label = format!("{{quota=\"{}\"}} ", self.name());
        let rendered = recorder.handle().render();
        let of_quota =
            rendered.lines().filter(|line| line.starts_with("ghinda_quota_refusals_total"));
        let counts = of_quota.filter_map(|line| line.split_once(&label)?.1.parse::<u64>().ok());
        counts.sum()
    }
}

/// The refusals that the code of a test counts in its thread.
#[cfg(test)]
pub(crate) struct CountedRefusals {
    metrics: metrics_exporter_prometheus::PrometheusHandle,
    _recorder: metrics::LocalRecorderGuard<'static>,
}

#[cfg(test)]
impl CountedRefusals {
    pub(crate) fn begin() -> CountedRefusals {
        let recorder = metrics_exporter_prometheus::PrometheusBuilder::new().build_recorder();
        let metrics = recorder.handle();
        // The recorder of a test may stay.
        let _recorder = metrics::set_default_local_recorder(Box::leak(Box::new(recorder)));
        CountedRefusals { metrics, _recorder }
    }

    /// How often each quota has refused something so far.
    pub(crate) fn counts(&self) -> std::collections::BTreeMap<String, u64> {
        let text = self.metrics.render();
        let lines = text.lines().filter_map(|line| {
            let counted = line.strip_prefix("ghinda_quota_refusals_total{")?;
            let (label, count) = counted.split_once("} ")?;
            Some((label.split('"').nth(1)?.to_owned(), count.parse().ok()?))
        });
        lines.collect()
    }

    /// Checks that refusals of one quota were counted so far, and of no other.
    #[track_caller]
    pub(crate) fn check_only(&self, quota: Quota) {
        assert_eq!(self.counts().into_keys().collect::<Vec<_>>(), [quota.name()]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_quota_is_counted_under_its_own_name() {
        for (at, quota) in Quota::ALL.into_iter().enumerate() {
            assert_eq!(quota as usize, at, "all of them, in order");
            let refusals = CountedRefusals::begin();
            quota.count_refusal();
            refusals.check_only(quota);
        }
        let names = Quota::ALL.map(Quota::name);
        assert_eq!(names.iter().collect::<std::collections::BTreeSet<_>>().len(), names.len());
    }

    #[test]
    fn the_smallest_machine_has_room_for_the_largest_ledger() {
        for memory in [0, 64 << 20, 1 << 30, u64::MAX] {
            let quotas = MemoryQuotas::within(memory);
            for pool in [quotas.ledger_bytes, quotas.answer_bytes] {
                assert!(pool / SHARES >= MAX_LEDGER_BYTES, "{memory}: {pool}");
            }
        }
    }
}
