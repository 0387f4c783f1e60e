//! The guarantees of a database.

use std::path::Path;

use crate::accounts::{Account, Cursor, Session};
use crate::backup::Progress;
use crate::error::StoreError;
use crate::event::{Append, AppendOutcome, ClaimedLog, PastMatch, StoredEvent};
use crate::id::{Epoch, LogId, LogKind, PlayerId, TableId, TokenHash};

/// The part of a store that the [`Writer`](crate::Writer) needs.
pub trait EventLog: Send + Sync + 'static {
    /// Stores a batch in one transaction with one sync, and returns the outcome of each append. One
    /// that is fenced or out of order is left out, and the others are stored; an error means that none
    /// is stored, or that it is [uncertain](StoreError::Uncertain) whether all are.
    fn append(
        &self,
        batch: &[Append],
    ) -> impl Future<Output = Result<Vec<AppendOutcome>, StoreError>> + Send;
}

/// All persistent data. Times are milliseconds since 1970 and come from the caller.
pub trait Store: EventLog {
    /// Checks that the database answers.
    fn ping(&self) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Closes all connections properly. Afterwards a SQLite file alone holds everything, unless another
    /// process uses it.
    fn close(&self) -> impl Future<Output = ()> + Send;

    /// Creates an empty table or ledger that belongs to the caller; an error if it
    /// [exists](StoreError::TableExists).
    fn create(
        &self,
        kind: LogKind,
        log: LogId,
        at_ms: i64,
    ) -> impl Future<Output = Result<Epoch, StoreError>> + Send;

    /// Takes over a table or a ledger from its owner. Returns `None` if there is none of that kind, or if
    /// it is closed.
    fn claim(
        &self,
        kind: LogKind,
        log: LogId,
    ) -> impl Future<Output = Result<Option<ClaimedLog>, StoreError>> + Send;

    /// Takes over every table that is not closed, but no ledger, in the order of their ids.
    fn claim_all_open(&self) -> impl Future<Output = Result<Vec<ClaimedLog>, StoreError>> + Send;

    /// The events of a table from a sequence on, at most `limit`.
    fn events(
        &self,
        log: LogId,
        from: u64,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<StoredEvent>, StoreError>> + Send;

    /// The sequence at which a replay of the table may start, if there is one.
    fn checkpoint(
        &self,
        log: LogId,
    ) -> impl Future<Output = Result<Option<u64>, StoreError>> + Send;

    /// The sequence of the table's last event, 0 if it has none; `None` if there is no such table.
    fn last_sequence(
        &self,
        log: LogId,
    ) -> impl Future<Output = Result<Option<u64>, StoreError>> + Send;

    /// Open tables whose last event is older than a time, at most `limit`.
    fn quiet_tables(
        &self,
        before_ms: i64,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<TableId>, StoreError>> + Send;

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

    /// Gives a session to another player, as at a login. Returns whether there was such a session.
    fn move_session(
        &self,
        token: TokenHash,
        to: PlayerId,
    ) -> impl Future<Output = Result<bool, StoreError>> + Send;

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

    /// Replaces the passphrase of an account. Returns whether there is such an account.
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
