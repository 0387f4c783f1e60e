//! What a database promises the server.

use std::path::Path;

use crate::accounts::{Account, Cursor, Session};
use crate::backup::Progress;
use crate::error::StoreError;
use crate::event::{Append, Appended, ClaimedLog, PastMatch, StoredEvent};
use crate::id::{Epoch, LogId, LogKind, PlayerId, TableId, TokenHash};

/// The part of a store that the [`Writer`](crate::Writer) needs.
pub trait EventLog: Send + Sync + 'static {
    /// Stores a batch in one transaction with one sync, and tells what became of each append. One
    /// that is fenced or out of order is left out without harm to the others; an error means that
    /// none is stored, or that it is [uncertain](StoreError::Uncertain) whether all are.
    fn append(
        &self,
        batch: &[Append],
    ) -> impl Future<Output = Result<Vec<Appended>, StoreError>> + Send;
}

/// All that is kept. Times are milliseconds since 1970 and come from the caller.
pub trait Store: EventLog {
    /// Whether the database answers now.
    fn ping(&self) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Ends all connections, so that whatever is to be tidied at the end is.
    fn close(&self) -> impl Future<Output = ()> + Send;

    /// Makes an empty table or ledger that belongs to the caller, or says that it
    /// [exists](StoreError::TableExists).
    fn create(
        &self,
        kind: LogKind,
        log: LogId,
        at_ms: i64,
    ) -> impl Future<Output = Result<Epoch, StoreError>> + Send;

    /// Takes a table or a ledger over from whoever owns it. None when there is none of that kind, or
    /// it is closed.
    fn claim(
        &self,
        kind: LogKind,
        log: LogId,
    ) -> impl Future<Output = Result<Option<ClaimedLog>, StoreError>> + Send;

    /// Takes over every table, but no ledger, that is not closed, in the order of their ids.
    fn claim_all_open(&self) -> impl Future<Output = Result<Vec<ClaimedLog>, StoreError>> + Send;

    /// The events of a table from a sequence on, at most so many.
    fn events(
        &self,
        log: LogId,
        from: u64,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<StoredEvent>, StoreError>> + Send;

    /// Where a replay of the table may begin, if anybody noted it.
    fn checkpoint(
        &self,
        log: LogId,
    ) -> impl Future<Output = Result<Option<u64>, StoreError>> + Send;

    /// The sequence of the table's last event, 0 when it has none. None when there is no such table.
    fn last_sequence(
        &self,
        log: LogId,
    ) -> impl Future<Output = Result<Option<u64>, StoreError>> + Send;

    /// Open tables whose last event is older than a time, at most so many.
    fn quiet_tables(
        &self,
        before_ms: i64,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<TableId>, StoreError>> + Send;

    /// One match that has ended.
    fn finished_match(
        &self,
        table: TableId,
        number: u32,
    ) -> impl Future<Output = Result<Option<PastMatch>, StoreError>> + Send;

    /// Matches of a player, newest first: those after a place, or from the newest on.
    fn history(
        &self,
        player: PlayerId,
        after: Option<Cursor>,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<PastMatch>, StoreError>> + Send;

    /// Begins a session.
    fn create_session(
        &self,
        token: TokenHash,
        session: &Session,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// The session of a token, unless it has expired by now.
    fn find_session(
        &self,
        token: TokenHash,
        now_ms: i64,
    ) -> impl Future<Output = Result<Option<Session>, StoreError>> + Send;

    /// Makes a session another player's, as when somebody logs in. Whether there was such a session.
    fn move_session(
        &self,
        token: TokenHash,
        to: PlayerId,
    ) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Ends a session. Whether there was one.
    fn revoke_session(
        &self,
        token: TokenHash,
    ) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Ends all sessions of a player, and tells how many there were.
    fn revoke_sessions_of(
        &self,
        player: PlayerId,
    ) -> impl Future<Output = Result<u64, StoreError>> + Send;

    /// Forgets the sessions that have expired by now, and tells how many there were.
    fn prune_sessions(&self, now_ms: i64) -> impl Future<Output = Result<u64, StoreError>> + Send;

    /// Makes an account, unless the [name is taken](StoreError::NameTaken) or the player
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

    /// Replaces the passphrase of an account. Whether there is such an account.
    fn change_passphrase(
        &self,
        folded: &str,
        passphrase: &str,
    ) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Writes a copy of everything, as it is at one moment, to a SQLite file that must not exist yet.
    /// The server may go on meanwhile.
    fn backup(
        &self,
        to: &Path,
        progress: impl FnMut(Progress) + Send,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Fills this empty database from a backup, all or nothing.
    fn restore(
        &self,
        from: &Path,
        progress: impl FnMut(Progress) + Send,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;
}
