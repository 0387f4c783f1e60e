//! A database in the memory of a test: the guarantees of [`Store`] without a file or a server, and with
//! faults that the test plans.
//!
//! It exists only with the cargo feature `memory`, which only tests enable. The contents outlive every
//! access to them: a test drops the server that used one access, as if its process had died, and opens
//! another. What was committed is still there.
//!
//! A new operation needs a function in `contents` and a line here, which says whether it writes.

mod contents;
mod faults;

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::time::{sleep, timeout};

use crate::accounts::{Account, Cursor, Session};
use crate::backup::Progress;
use crate::error::{Risk, StoreError, TIMEOUT, no_answer, unknown_outcome};
use crate::event::{
    AcquiredLog, Append, AppendOutcome, DatabaseUsage, ListedLog, LogInfo, LogOpener, PastMatch,
    PlayerTraces, Retention, StoredEvent,
};
use crate::id::{Epoch, LogId, LogKind, PlayerId, TableId, TokenHash};
use crate::store::{AppendStore, Store};
use contents::Contents;

pub use faults::{FaultPlan, NoFaults, Operation, OperationFate, OperationFault};

/// One server's access to a database in memory.
pub struct MemoryDatabase {
    contents: Arc<Mutex<Contents>>,
    faults: Arc<dyn FaultPlan>,
    /// Writes run one after the other, as over the one connection of the other databases.
    writing: tokio::sync::Mutex<()>,
    closed: AtomicBool,
}

impl Default for MemoryDatabase {
    /// An empty database without faults.
    fn default() -> Self {
        Self::over(Arc::default(), Arc::new(NoFaults))
    }
}

impl MemoryDatabase {
    fn over(contents: Arc<Mutex<Contents>>, faults: Arc<dyn FaultPlan>) -> Self {
        let (writing, closed) = (tokio::sync::Mutex::default(), AtomicBool::new(false));
        Self { contents, faults, writing, closed }
    }

    /// Another server's access to the same contents, with faults of its own.
    pub fn open_again(&self, faults: Arc<dyn FaultPlan>) -> Self {
        Self::over(Arc::clone(&self.contents), faults)
    }

    /// Makes every table one of an earlier version, for which it is not stored who sits there.
    pub fn forget_seats(&self) {
        self.contents.lock().unwrap_or_else(PoisonError::into_inner).forget_seats();
    }

    /// An operation that reads.
    async fn read<T>(
        &self,
        name: &'static str,
        logs: &[LogId],
        work: impl FnOnce(&Contents) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let fate = self.faults.fate(&Operation { name, writes: false, logs });
        self.run(Risk::None, fate, |contents| work(contents)).await
    }

    /// An operation that writes.
    async fn write<T>(
        &self,
        name: &'static str,
        logs: &[LogId],
        work: impl FnOnce(&mut Contents) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let _writing = self.writing.lock().await;
        let fate = self.faults.fate(&Operation { name, writes: true, logs });
        self.run(Risk::Commits, fate, work).await
    }

    /// Runs an operation with its planned delays and faults, up to the time limit of every statement.
    async fn run<T>(
        &self,
        risk: Risk,
        fate: OperationFate,
        work: impl FnOnce(&mut Contents) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        if self.closed.load(Ordering::Acquire) {
            return Err(StoreError::Unavailable("the database is closed".to_owned()));
        }
        let OperationFate { before, fault, after } = fate;
        let takes_time = !(before.is_zero() && after.is_zero());
        let operation = async {
            if !before.is_zero() {
                sleep(before).await;
            }
            let outcome = match fault {
                None => work(&mut self.contents.lock().unwrap_or_else(PoisonError::into_inner)),
                Some(OperationFault::Fails(error)) => return Err(error),
                Some(OperationFault::AnswerLost { done }) => {
                    if done {
                        let mut contents =
                            self.contents.lock().unwrap_or_else(PoisonError::into_inner);
                        // No client learns the outcome.
                        let _ = work(&mut contents);
                    }
                    return Err(unknown_outcome(risk, "the connection was lost".to_owned()));
                }
            };
            if !after.is_zero() {
                sleep(after).await;
            }
            outcome
        };
        if !takes_time {
            return operation.await;
        }
        timeout(TIMEOUT, operation).await.unwrap_or_else(|_| Err(no_answer(risk)))
    }
}

impl AppendStore for MemoryDatabase {
    async fn append(&self, batch: &[Append]) -> Result<Vec<AppendOutcome>, StoreError> {
        let logs: Vec<LogId> = batch.iter().map(|append| append.log).collect();
        self.write("append", &logs, |contents| contents.append(batch)).await
    }
}

impl Store for MemoryDatabase {
    async fn ping(&self) -> Result<(), StoreError> {
        self.read("ping", &[], |_| Ok(())).await
    }

    async fn close(&self) {
        self.closed.store(true, Ordering::Release);
    }

    async fn create(
        &self,
        kind: LogKind,
        log: LogId,
        opener: Option<LogOpener>,
        at_ms: i64,
    ) -> Result<Epoch, StoreError> {
        self.write("create", &[log], |contents| contents.create(kind, log, opener, at_ms)).await
    }

    async fn find_log(&self, log: LogId) -> Result<Option<LogInfo>, StoreError> {
        self.read("find_log", &[log], |contents| Ok(contents.find_log(log))).await
    }

    async fn acquire_all(
        &self,
        kind: LogKind,
        logs: &[LogId],
    ) -> Result<Vec<AcquiredLog>, StoreError> {
        let acquire = |contents: &mut Contents| {
            Ok(logs.iter().filter_map(|log| contents.acquire(kind, *log)).collect())
        };
        self.write("acquire", logs, acquire).await
    }

    async fn events(
        &self,
        log: LogId,
        from: u64,
        limit: u32,
    ) -> Result<Vec<StoredEvent>, StoreError> {
        self.read("events", &[log], |contents| Ok(contents.events(log, from, limit))).await
    }

    async fn seated_tables(
        &self,
        player: PlayerId,
        limit: u32,
    ) -> Result<Vec<TableId>, StoreError> {
        self.read("seated_tables", &[], |contents| Ok(contents.seated_tables(player, limit))).await
    }

    async fn tables_without_seats(&self, limit: u32) -> Result<Vec<TableId>, StoreError> {
        let unknown = |contents: &Contents| Ok(contents.tables_without_seats(limit));
        self.read("tables_without_seats", &[], unknown).await
    }

    async fn fill_seats(&self, table: TableId, players: &[PlayerId]) -> Result<(), StoreError> {
        let fill = |contents: &mut Contents| {
            contents.fill_seats(table, players);
            Ok(())
        };
        self.write("fill_seats", &[table.into()], fill).await
    }

    async fn trusted_time(&self) -> Result<Option<i64>, StoreError> {
        self.read("trusted_time", &[], |contents| Ok(contents.trusted_ms)).await
    }

    async fn newest_ms(&self) -> Result<Option<i64>, StoreError> {
        self.read("newest_ms", &[], |contents| Ok(contents.newest_ms())).await
    }

    async fn advance_trusted_time(&self, at_ms: i64) -> Result<(), StoreError> {
        let advance = |contents: &mut Contents| {
            contents.trusted_ms = contents.trusted_ms.max(Some(at_ms));
            Ok(())
        };
        self.write("advance_trusted_time", &[], advance).await
    }

    async fn quiet_tables(
        &self,
        before_ms: i64,
        after: Option<TableId>,
        limit: u32,
    ) -> Result<Vec<TableId>, StoreError> {
        let quiet = |contents: &Contents| Ok(contents.quiet_tables(before_ms, after, limit));
        self.read("quiet_tables", &[], quiet).await
    }

    async fn quiet_logs(
        &self,
        retention: Retention,
        before_ms: i64,
        after: Option<LogId>,
        limit: u32,
    ) -> Result<Vec<LogId>, StoreError> {
        let quiet =
            |contents: &Contents| Ok(contents.quiet_logs(retention, before_ms, after, limit));
        self.read("quiet_logs", &[], quiet).await
    }

    async fn logs(&self, after: Option<LogId>, limit: u32) -> Result<Vec<ListedLog>, StoreError> {
        self.read("logs", &[], |contents| Ok(contents.logs(after, limit))).await
    }

    async fn usage(&self) -> Result<DatabaseUsage, StoreError> {
        self.read("usage", &[], |contents| Ok(contents.usage())).await
    }

    async fn rewrite(&self, info: &LogInfo, changed: Vec<StoredEvent>) -> Result<bool, StoreError> {
        self.write("rewrite", &[info.log], |contents| Ok(contents.rewrite(info, &changed))).await
    }

    async fn player_traces(&self, player: PlayerId) -> Result<PlayerTraces, StoreError> {
        self.read("player_traces", &[], |contents| Ok(contents.player_traces(player))).await
    }

    async fn erase_player(&self, player: PlayerId, name: &str) -> Result<(), StoreError> {
        let erase = |contents: &mut Contents| {
            contents.erase_player(player, name);
            Ok(())
        };
        self.write("erase_player", &[], erase).await
    }

    async fn archive(&self, log: LogId) -> Result<bool, StoreError> {
        self.write("archive", &[log], |contents| Ok(contents.archive(log))).await
    }

    async fn remove(
        &self,
        log: LogId,
        only_if: Option<(Retention, i64)>,
    ) -> Result<bool, StoreError> {
        self.write("remove", &[log], |contents| Ok(contents.remove(log, only_if))).await
    }

    async fn finished_match(
        &self,
        table: TableId,
        number: u32,
    ) -> Result<Option<PastMatch>, StoreError> {
        let log = [table.into()];
        self.read("finished_match", &log, |contents| Ok(contents.finished_match(table, number)))
            .await
    }

    async fn history(
        &self,
        player: PlayerId,
        after: Option<Cursor>,
        limit: u32,
    ) -> Result<Vec<PastMatch>, StoreError> {
        self.read("history", &[], |contents| Ok(contents.history(player, after, limit))).await
    }

    async fn create_session(&self, token: TokenHash, session: &Session) -> Result<(), StoreError> {
        self.write("create_session", &[], |contents| contents.create_session(token, session)).await
    }

    async fn find_session(
        &self,
        token: TokenHash,
        now_ms: i64,
    ) -> Result<Option<Session>, StoreError> {
        self.read("find_session", &[], |contents| Ok(contents.find_session(token, now_ms))).await
    }

    async fn revoke_session(&self, token: TokenHash) -> Result<bool, StoreError> {
        self.write("revoke_session", &[], |contents| Ok(contents.revoke_session(token))).await
    }

    async fn revoke_sessions_of(&self, player: PlayerId) -> Result<u64, StoreError> {
        let revoke = |contents: &mut Contents| Ok(contents.revoke_sessions_of(player));
        self.write("revoke_sessions_of", &[], revoke).await
    }

    async fn prune_sessions(&self, now_ms: i64) -> Result<u64, StoreError> {
        self.write("prune_sessions", &[], |contents| Ok(contents.prune_sessions(now_ms))).await
    }

    async fn create_account(&self, account: &Account) -> Result<(), StoreError> {
        self.write("create_account", &[], |contents| contents.create_account(account)).await
    }

    async fn find_account(&self, folded: &str) -> Result<Option<Account>, StoreError> {
        self.read("find_account", &[], |contents| Ok(contents.find_account(folded))).await
    }

    async fn account_of(&self, player: PlayerId) -> Result<Option<Account>, StoreError> {
        self.read("account_of", &[], |contents| Ok(contents.account_of(player))).await
    }

    async fn change_passphrase(&self, folded: &str, passphrase: &str) -> Result<bool, StoreError> {
        let change = |contents: &mut Contents| Ok(contents.change_passphrase(folded, passphrase));
        self.write("change_passphrase", &[], change).await
    }

    async fn backup(
        &self,
        _to: &Path,
        _progress: impl FnMut(Progress) + Send,
    ) -> Result<(), StoreError> {
        Err(no_backups())
    }

    async fn restore(
        &self,
        _from: &Path,
        _progress: impl FnMut(Progress) + Send,
    ) -> Result<(), StoreError> {
        Err(no_backups())
    }
}

fn no_backups() -> StoreError {
    StoreError::Refused("a database in memory has no backups".to_owned())
}
