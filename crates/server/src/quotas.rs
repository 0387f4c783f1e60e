//! What a server gives to one player, to one address and to all of them together.
//!
//! Whatever a client can make grow has a bound here or beside the code that it bounds, and a client that reaches it gets
//! a typed refusal that changes nothing. SECURITY.md lists them all; a test compares the lists.

/// The maximum number of open tables that a player has opened.
pub const MAX_TABLES_OF_PLAYER: u32 = 200;
/// The maximum number of contests and score sheets that a player has given to the server and that were
/// written to within a month.
pub const MAX_LEDGERS_OF_PLAYER: u32 = 100;
/// The maximum number of tables in memory.
pub const MAX_TABLES_IN_MEMORY: usize = 20_000;
/// The maximum number of contests and score sheets in memory.
pub const MAX_LEDGERS_IN_MEMORY: usize = 1_000;
/// The maximum bytes of their lines together. What the lines lead to takes several times as much.
pub const MAX_LEDGER_BYTES_IN_MEMORY: usize = 128 << 20;
/// The maximum bytes of contests and score sheets that are read while they are not in memory.
pub const MAX_QUIET_BYTES: u64 = 64 << 20;

/// Something of which there is only so much. Refusals are counted by these names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quota {
    /// The tables of a player.
    Tables,
    /// The contests and score sheets of a player.
    Ledgers,
    /// What is written to contests and score sheets from one address.
    LedgerBytes,
    /// The tables in memory.
    TablesInMemory,
    /// The contests and score sheets in memory, and their bytes.
    LedgersInMemory,
    /// The contests and score sheets that are read while they are not in memory.
    QuietLedgers,
    /// The requests over HTTP that are under way.
    Requests,
    /// The costly requests of one address.
    CostlyRequests,
    /// The connections, in all and of one address.
    Connections,
    /// The passphrases that wait to be checked.
    LogIns,
    /// The wrong passphrases for one name.
    WrongPassphrases,
}

impl Quota {
    /// All quotas.
    pub const ALL: [Quota; 11] = [
        Quota::Tables,
        Quota::Ledgers,
        Quota::LedgerBytes,
        Quota::TablesInMemory,
        Quota::LedgersInMemory,
        Quota::QuietLedgers,
        Quota::Requests,
        Quota::CostlyRequests,
        Quota::Connections,
        Quota::LogIns,
        Quota::WrongPassphrases,
    ];

    /// Its name in the metrics.
    pub const fn name(self) -> &'static str {
        match self {
            Quota::Tables => "tables",
            Quota::Ledgers => "ledgers",
            Quota::LedgerBytes => "ledger_bytes",
            Quota::TablesInMemory => "tables_in_memory",
            Quota::LedgersInMemory => "ledgers_in_memory",
            Quota::QuietLedgers => "quiet_ledgers",
            Quota::Requests => "requests",
            Quota::CostlyRequests => "costly_requests",
            Quota::Connections => "connections",
            Quota::LogIns => "log_ins",
            Quota::WrongPassphrases => "wrong_passphrases",
        }
    }

    /// Counts a refusal.
    pub(crate) fn count_refusal(self) {
        metrics::counter!("ghinda_quota_refusals_total", "quota" => self.name()).increment(1);
    }
}
