//! What a server gives to one player, to one address and to all of them together.
//!
//! Whatever a client can make grow has a bound here or beside the code that it bounds, and a client that reaches it gets
//! a typed refusal. SECURITY.md lists them; tests compare the numbers.

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
pub const MAX_STORED_LINES_BYTES: usize = 64 << 20;

/// The maximum number of contests and score sheets that are being given to the server: it reads the whole
/// request before it can judge it.
pub const MAX_UPLOADS: usize = 16;
/// The same from one address.
pub const MAX_UPLOADS_FROM_ONE: usize = 4;
/// The maximum bytes of messages that wait for one client: a few of the largest.
pub const MAX_WAITING_BYTES: usize = 1 << 20;
/// The maximum bytes of messages that wait for all clients. Above that a connection may have one.
pub const MAX_WAITING_BYTES_IN_ALL: usize = 256 << 20;

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
    /// The tables in memory.
    TablesInMemory,
    /// The contests and score sheets in memory, and their bytes.
    LedgersInMemory,
    /// The contests and score sheets that are read while they are not in memory.
    StoredLedgers,
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
    pub const ALL: [Quota; 13] = [
        Quota::Tables,
        Quota::Ledgers,
        Quota::LedgerBytes,
        Quota::TableBytes,
        Quota::TablesInMemory,
        Quota::LedgersInMemory,
        Quota::StoredLedgers,
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
            Quota::TablesInMemory => "tables_in_memory",
            Quota::LedgersInMemory => "ledgers_in_memory",
            Quota::StoredLedgers => "stored_ledgers",
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
