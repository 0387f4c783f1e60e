//! The guarantees of a database.

use std::path::Path;

use crate::accounts::{Account, Cursor, Session};
use crate::backup::Progress;
use crate::error::StoreError;
use crate::event::{
    AcquiredLog, Append, AppendOutcome, DatabaseUsage, ListedLog, LogInfo, LogOpener, PastMatch,
    PlayerTraces, Retention, StoredEvent,
};
use crate::id::{Epoch, LogId, LogKind, PlayerId, TableId, TokenHash};

/// The part of a store that the [`Writer`](crate::Writer) needs.
pub trait AppendStore: Send + Sync + 'static {
    /// Stores a batch in one transaction with one sync, and returns the outcome of each append. One
    /// that is fenced or out of order is left out, and the others are stored; an error means that none
    /// is stored, or that it is [uncertain](StoreError::Uncertain) whether all are.
    fn append(
        &self,
        batch: &[Append],
    ) -> impl Future<Output = Result<Vec<AppendOutcome>, StoreError>> + Send;
}

/// All persistent data. Times are milliseconds since 1970 and come from the caller.
pub trait Store: AppendStore {
    /// Checks that the database answers.
    fn ping(&self) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Closes all connections properly. Afterwards a SQLite file alone holds everything, unless another
    /// process uses it.
    fn close(&self) -> impl Future<Output = ()> + Send;

    /// Creates an empty table or ledger that belongs to the caller; an error if it
    /// [exists](StoreError::LogExists) or if its opener has [too many](StoreError::TooMany).
    fn create(
        &self,
        kind: LogKind,
        log: LogId,
        opener: Option<LogOpener>,
        at_ms: i64,
    ) -> impl Future<Output = Result<Epoch, StoreError>> + Send;

    /// What is known of a log without its events; `None` if there is no such log.
    fn find_log(
        &self,
        log: LogId,
    ) -> impl Future<Output = Result<Option<LogInfo>, StoreError>> + Send;

    /// Takes over a table or a ledger from its owner. Returns `None` if there is none of that kind, or if
    /// it is closed.
    fn acquire(
        &self,
        kind: LogKind,
        log: LogId,
    ) -> impl Future<Output = Result<Option<AcquiredLog>, StoreError>> + Send {
        async move { Ok(self.acquire_all(kind, &[log]).await?.pop()) }
    }

    /// Takes over tables or ledgers from their owners in one transaction with one sync. Returns those that are
    /// of that kind and open, in any order.
    fn acquire_all(
        &self,
        kind: LogKind,
        logs: &[LogId],
    ) -> impl Future<Output = Result<Vec<AcquiredLog>, StoreError>> + Send;

    /// The events of a log from a sequence on, at most `limit`; of an archived log all events from there
    /// on. Fewer than `limit` are the last ones.
    fn events(
        &self,
        log: LogId,
        from: u64,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<StoredEvent>, StoreError>> + Send;

    /// The open tables at which a player sits, the most recent first, at most `limit`.
    fn seated_tables(
        &self,
        player: PlayerId,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<TableId>, StoreError>> + Send;

    /// Open tables of an earlier version for which it is not stored who sits there, at most `limit`.
    fn tables_without_seats(
        &self,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<TableId>, StoreError>> + Send;

    /// Stores who sits at a table of an earlier version, unless that is stored already.
    fn fill_seats(
        &self,
        table: TableId,
        players: &[PlayerId],
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// The last [trusted time](Store::advance_trusted_time).
    fn trusted_time(&self) -> impl Future<Output = Result<Option<i64>, StoreError>> + Send;

    /// The time of what is newest: the last event of a log, the start of a session or an account. `None` in
    /// an empty database.
    fn newest_ms(&self) -> impl Future<Output = Result<Option<i64>, StoreError>> + Send;

    /// Stores the time that the server trusts, unless a later one is stored.
    fn advance_trusted_time(
        &self,
        at_ms: i64,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Open tables whose last event is older than a time, in the order of their ids after one of them, at
    /// most `limit`.
    fn quiet_tables(
        &self,
        before_ms: i64,
        after: Option<TableId>,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<TableId>, StoreError>> + Send;

    /// Logs that a retention applies to, whose last event is older than a time, in the order of their ids
    /// after one of them, at most `limit`.
    fn quiet_logs(
        &self,
        retention: Retention,
        before_ms: i64,
        after: Option<LogId>,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<LogId>, StoreError>> + Send;

    /// Compresses the events of a closed table or a ledger; they are read as before. A ledger may still
    /// grow. Returns whether there was anything to compress. Changes of many rows, this and those below, are
    /// made in portions, between which others can write.
    fn archive(&self, log: LogId) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Deletes a log for good, with all that belongs to it; with a retention and a time only if the log is
    /// still [quiet](Store::quiet_logs). Returns whether it is deleted. What is appended meanwhile is
    /// deleted too, or keeps the log. If it is interrupted, a closed log is left, perhaps a shorter one, and
    /// the next call deletes the rest.
    fn remove(
        &self,
        log: LogId,
        only_if: Option<(Retention, i64)>,
    ) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// All logs in the order of their ids, after one of them, at most `limit`.
    fn logs(
        &self,
        after: Option<LogId>,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<ListedLog>, StoreError>> + Send;

    /// How much the database holds besides the events of its logs.
    fn usage(&self) -> impl Future<Output = Result<DatabaseUsage, StoreError>> + Send;

    /// Replaces the bodies of some events of a log, archived ones too. Nothing is stored if the log is no
    /// longer as `info` says: then this returns false. Takes the log over from its owner, who knows the
    /// old events.
    fn rewrite(
        &self,
        info: &LogInfo,
        changed: Vec<StoredEvent>,
    ) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// What is stored about a player outside the logs.
    fn player_traces(
        &self,
        player: PlayerId,
    ) -> impl Future<Output = Result<PlayerTraces, StoreError>> + Send;

    /// Deletes what is stored about a player outside the logs: their account and sessions, and where they sit.
    /// In histories their seats belong to no player and have another name.
    fn erase_player(
        &self,
        player: PlayerId,
        name: &str,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// A finished match.
    fn finished_match(
        &self,
        table: TableId,
        number: u32,
    ) -> impl Future<Output = Result<Option<PastMatch>, StoreError>> + Send;

    /// Matches of a player, the newest first, from the start or after a position.
    fn history(
        &self,
        player: PlayerId,
        after: Option<Cursor>,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<PastMatch>, StoreError>> + Send;

    /// Creates a session.
    fn create_session(
        &self,
        token: TokenHash,
        session: &Session,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// The session of a token, unless it has expired.
    fn find_session(
        &self,
        token: TokenHash,
        now_ms: i64,
    ) -> impl Future<Output = Result<Option<Session>, StoreError>> + Send;

    /// Deletes a session. Returns whether there was one.
    fn revoke_session(
        &self,
        token: TokenHash,
    ) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Deletes all sessions of a player, and returns their number.
    fn revoke_sessions_of(
        &self,
        player: PlayerId,
    ) -> impl Future<Output = Result<u64, StoreError>> + Send;

    /// Deletes the expired sessions, and returns their number.
    fn prune_sessions(&self, now_ms: i64) -> impl Future<Output = Result<u64, StoreError>> + Send;

    /// Creates an account, unless the [name is taken](StoreError::NameTaken) or the player
    /// [has one](StoreError::HasAccount).
    fn create_account(
        &self,
        account: &Account,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// The account with this folded name.
    fn find_account(
        &self,
        folded: &str,
    ) -> impl Future<Output = Result<Option<Account>, StoreError>> + Send;

    /// The account of a player.
    fn account_of(
        &self,
        player: PlayerId,
    ) -> impl Future<Output = Result<Option<Account>, StoreError>> + Send;

    /// Replaces the passphrase of an account and deletes all sessions of its player, both or neither. Returns
    /// whether there is such an account.
    fn change_passphrase(
        &self,
        folded: &str,
        passphrase: &str,
    ) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Writes a consistent copy of everything to a SQLite file that must not exist yet. The server may
    /// continue to write meanwhile.
    fn backup(
        &self,
        to: &Path,
        progress: impl FnMut(Progress) + Send,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Fills this empty database from a backup, completely or not at all.
    fn restore(
        &self,
        from: &Path,
        progress: impl FnMut(Progress) + Send,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;
}
