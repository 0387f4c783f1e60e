//! All ledgers of a server: contests and score sheets.
//!
//! Like a table, a ledger is in memory while a client is connected; otherwise it is only in the store,
//! and is acquired and replayed when a message is sent to it. To read its lines acquires nothing. `state`
//! has its lines and its secrets, `line_blocks` and `shared_lines` share the lines among readers, `task` is
//! the only task that writes it, and `contest_host` is the host of online contests.

mod contest_host;
mod line_blocks;
mod replay_pool;
mod shared_lines;
mod state;
mod task;

use std::net::IpAddr;
use std::sync::Arc;

use contest::Role;
use room::{Key, Millis};
use store::{
    AcquireQueue, Append, AppendOutcome, Database, LedgerId, LogInfo, LogKind, LogOpener, NewEvent,
    PlayerId, Store, StoreError, StoredEvent, TableId,
};
use thiserror::Error;
use tokio::sync::{Semaphore, oneshot};
use wire::ledger::Ledger;

use crate::byte_pool::BytePool;
use crate::quotas::{MAX_LEDGER_BYTES, MAX_LEDGERS_OF_PLAYER, Quota};
use crate::random;
use crate::tables::{TableError, TableRegistry};
use crate::task_registry::{NotStarted, Occupancy, TaskRegistry};
use line_blocks::BLOCK_BYTES;
use replay_pool::ReplayPool;
use shared_lines::LinesVersion;
use shared_lines::SharedLines;
use state::{LedgerEvent, LedgerState, UnreadableLedger};

pub(crate) use line_blocks::LineBlock;
pub(crate) use shared_lines::AnswerLines;
pub(crate) use task::{LedgerHandle, LedgerMessage, NewSubscriber};

/// How many events are read at once.
const PAGE: u32 = 1_000;
/// How many ledgers are loaded at once; further ones wait.
const MAX_LOADS: usize = 64;

/// How many messages hold all lines of the largest ledger: twice as many as its bytes fill, for line
/// ends and for what a last command adds.
pub(crate) const MAX_MESSAGES: usize = 2 * MAX_LEDGER_BYTES / BLOCK_BYTES;

/// Why a ledger cannot be reached.
#[derive(Debug, Error)]
pub(crate) enum LedgerError {
    /// There is no such ledger.
    #[error("there is no such ledger")]
    NotFound,
    /// The player has as many ledgers as they may have.
    #[error("this player has too many contests and score sheets")]
    TooMany,
    /// There are as many ledgers in memory as there may be.
    #[error("too many contests and score sheets are in use at the moment")]
    Busy,
    /// The store failed.
    #[error(transparent)]
    Store(StoreError),
    /// The stored lines cannot be read.
    #[error(transparent)]
    Unreadable(#[from] UnreadableLedger),
    /// The server is being stopped.
    #[error("the server is being stopped")]
    Stopping,
}

impl From<StoreError> for LedgerError {
    fn from(error: StoreError) -> LedgerError {
        match error {
            StoreError::TooMany => {
                Quota::Ledgers.count_refusal();
                LedgerError::TooMany
            }
            other => LedgerError::Store(other),
        }
    }
}

impl From<NotStarted> for LedgerError {
    fn from(why: NotStarted) -> LedgerError {
        match why {
            NotStarted::Stopping => LedgerError::Stopping,
            NotStarted::Full => LedgerError::Busy,
        }
    }
}

/// What a ledger is called, from its first event: the title of a contest, the rules of a sheet. Returns
/// None if it cannot be read.
pub(crate) fn label(first: &str) -> Option<String> {
    let LedgerEvent::Opened { line, .. } = first.parse().ok()? else { return None };
    Some(match Ledger::from_header(line.as_str()).ok()? {
        Ledger::Contest(log) => log.contest.settings().title().to_string(),
        Ledger::Sheet(sheet) => sheet.rules().code(),
    })
}

/// The first events of a ledger with the lines of a file.
fn first_events(
    mut ledger: Ledger,
    key: Key,
    at_ms: i64,
) -> Result<Vec<NewEvent>, UnreadableLedger> {
    state::mark_import(&mut ledger, at_ms.unsigned_abs())?;
    let lines = ledger.to_lines();
    let events = lines.lines().enumerate().map(|(at, line)| match at {
        0 => LedgerEvent::Opened { key, line: line.into() },
        _ => LedgerEvent::LineAdded { command: None, line: line.into() },
    });
    Ok(events.map(|event| NewEvent { at_ms, body: event.text() }).collect())
}

/// All ledgers.
pub(crate) struct LedgerRegistry {
    store: Arc<Database>,
    tables: Arc<TableRegistry>,
    acquires: AcquireQueue<Database>,
    ledgers: TaskRegistry<LedgerId, LedgerMessage>,
    shared_lines: SharedLines,
    loads: Semaphore,
    replay_pool: ReplayPool,
}

/// A ledger that is replayed from its stored events.
struct LedgerReplay {
    id: LedgerId,
    /// The events up to this one are replayed.
    last: u64,
    next: u64,
    /// The time of the last event so far.
    last_at: Millis,
    state: Option<LedgerState>,
}

impl LedgerReplay {
    /// Applies the next events. Those after the last one that is sought are not applied.
    fn apply(mut self, events: &[StoredEvent]) -> Result<LedgerReplay, LedgerError> {
        let before = self.next;
        for stored in events.iter().take_while(|stored| stored.sequence <= self.last) {
            if stored.sequence != self.next {
                return Err(self.gap());
            }
            let event: LedgerEvent = stored.body.parse()?;
            match &mut self.state {
                None => self.state = Some(LedgerState::open(&event)?),
                Some(state) => state.apply(&event)?,
            }
            (self.next, self.last_at) = (stored.sequence + 1, stored.at_ms.unsigned_abs());
        }
        if self.next == before { Err(self.gap()) } else { Ok(self) }
    }

    fn gap(&self) -> LedgerError {
        StoreError::Corrupt(format!("ledger {} has a gap", self.id)).into()
    }
}

impl LedgerRegistry {
    /// The ledgers of a store. What is sent over HTTP takes its bytes from a pool.
    pub(crate) fn new(
        store: Arc<Database>,
        tables: Arc<TableRegistry>,
        answers: Arc<BytePool>,
    ) -> LedgerRegistry {
        let quotas = tables.memory_quotas();
        let occupancy =
            Occupancy::new("ghinda_ledgers_in_memory", quotas.ledgers, quotas.ledger_bytes);
        let acquires = AcquireQueue::new(store.clone(), LogKind::Ledger);
        LedgerRegistry {
            store,
            tables,
            acquires,
            ledgers: TaskRegistry::new(occupancy, Quota::LedgersInMemory),
            shared_lines: SharedLines::new(answers),
            loads: Semaphore::new(MAX_LOADS),
            replay_pool: ReplayPool::new(),
        }
    }

    /// The same without threads of its own, for tests in virtual time.
    #[cfg(test)]
    pub(crate) fn in_place(
        store: Arc<Database>,
        tables: Arc<TableRegistry>,
        answers: Arc<BytePool>,
    ) -> LedgerRegistry {
        let replay_pool = ReplayPool::in_place();
        LedgerRegistry { replay_pool, ..LedgerRegistry::new(store, tables, answers) }
    }

    /// Does what takes as long as a ledger has lines, for a client at an address: in its turn, and not in
    /// the threads that serve connections.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        address: IpAddr,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, LedgerError> {
        self.replay_pool.run(address, work).await
    }

    /// Opens a ledger of a player at an address with the lines of a file, and returns its id and the
    /// organiser's key.
    pub(crate) async fn open(
        &self,
        ledger: Ledger,
        player: PlayerId,
        address: IpAddr,
    ) -> Result<(LedgerId, Key), LedgerError> {
        // A new ledger is an occasion to remove the tasks that have ended.
        self.ledgers.remove_ended();
        let (id, key) = (LedgerId::from_random(random::bits()), Key::new(random::bytes()));
        let at_ms = self.tables.clock().now_ms();
        let events = self.run(address, move || first_events(ledger, key, at_ms)).await??;
        let opener = Some(LogOpener { player, max: MAX_LEDGERS_OF_PLAYER });
        let epoch = self.store.create(LogKind::Ledger, id.into(), opener, at_ms).await?;
        let append = Append { log: id.into(), epoch, first: 1, events, linked_writes: Vec::new() };
        match self.tables.queue().append(append).await? {
            AppendOutcome::Done => Ok((id, key)),
            AppendOutcome::Fenced | AppendOutcome::OutOfOrder | AppendOutcome::Gone => {
                Err(LedgerError::NotFound)
            }
        }
    }

    /// Sends a message of a client at an address to a ledger, which is loaded if necessary, and returns its
    /// handle.
    pub(crate) async fn send(
        &self,
        id: LedgerId,
        message: LedgerMessage,
        address: IpAddr,
    ) -> Result<LedgerHandle, LedgerError> {
        self.ledgers.send(id, message, || self.load(id, address)).await
    }

    /// Loads a ledger from the store for a client.
    async fn load(&self, id: LedgerId, address: IpAddr) -> Result<LedgerHandle, LedgerError> {
        // Its place is taken before it is acquired and read: what is refused costs little and changes nothing.
        let bytes = usize::try_from(self.find(id).await?.bytes).unwrap_or(usize::MAX);
        let Some(occupancy_guard) = self.ledgers.occupancy().enter_with(address, bytes) else {
            Quota::LedgersInMemory.count_refusal();
            return Err(LedgerError::Busy);
        };
        let _place = self.loads.acquire().await.map_err(|_| LedgerError::Stopping)?;
        let acquired = self.acquires.acquire(id.into()).await?.ok_or(LedgerError::NotFound)?;
        let (state, last_at) = self.replay(id, acquired.last, address).await?;
        let clock = self.tables.clock().not_before(last_at);
        Ok(task::start(id, &acquired, clock, state, &self.tables, (occupancy_guard, address)))
    }

    /// What the store knows of a ledger. One that was not opened completely has no events.
    async fn find(&self, id: LedgerId) -> Result<LogInfo, LedgerError> {
        let info = self.store.find_log(id.into()).await?;
        let info = info.filter(|info| info.kind == LogKind::Ledger && info.last > 0);
        info.ok_or(LedgerError::NotFound)
    }

    /// Replays the stored events up to the last one for a client at an address, and returns the ledger and the
    /// time of that event.
    async fn replay(
        &self,
        id: LedgerId,
        last: u64,
        address: IpAddr,
    ) -> Result<(LedgerState, Millis), LedgerError> {
        let mut replay = LedgerReplay { id, last, next: 1, last_at: 0, state: None };
        while replay.next <= last {
            let page = self.store.events(id.into(), replay.next, PAGE).await?;
            // All events of an archived log come at once.
            let mut events = page.into_iter();
            loop {
                let part: Vec<StoredEvent> = events.by_ref().take(PAGE as usize).collect();
                replay = self.run(address, move || replay.apply(&part)).await??;
                if replay.next > last || events.len() == 0 {
                    break;
                }
            }
        }
        // A ledger that was not opened completely has no events.
        Ok((replay.state.ok_or(LedgerError::NotFound)?, replay.last_at))
    }

    /// Gives a player the seat that an online contest has for them, and returns its table. Returns None
    /// if the contest has no seat for them.
    pub(crate) async fn sit(
        &self,
        id: LedgerId,
        asks: (Role, Key),
        player: PlayerId,
        address: IpAddr,
    ) -> Result<Option<TableId>, LedgerError> {
        let (answer, answered) = oneshot::channel();
        self.send(id, LedgerMessage::Seat { asks, player, answer }, address).await?;
        let Some(seat) = answered.await.map_err(|_| LedgerError::Stopping)? else {
            return Ok(None);
        };
        match self.tables.request(seat.table, seat.request).await {
            Ok(Ok(())) => Ok(Some(seat.table)),
            Ok(Err(_)) | Err(TableError::NotFound) => Ok(None),
            Err(TableError::Store(error)) => Err(error.into()),
            Err(TableError::Busy) => Err(LedgerError::Busy),
            Err(TableError::Unreadable(_) | TableError::TooMany | TableError::Stopping) => {
                Err(LedgerError::Stopping)
            }
        }
    }

    /// All lines of a ledger, for a client. One that is not in memory is read from the store and not acquired.
    pub(crate) async fn lines(
        &self,
        id: LedgerId,
        address: IpAddr,
    ) -> Result<Arc<AnswerLines>, LedgerError> {
        if let Some(running) = self.ledgers.running(id) {
            let (answer, answered) = oneshot::channel();
            if running.send(LedgerMessage::Read { answer }).await.is_ok() {
                let lines = answered.await.map_err(|_| LedgerError::Stopping)?;
                let key = (id, LinesVersion::Lines(lines.len()));
                let bytes = lines.bytes();
                return self.shared_lines.get(key, (address, bytes), async || Ok(lines)).await;
            }
        }
        // Also if the task has just ended: the store has everything that it did.
        let LogInfo { last, bytes, .. } = self.find(id).await?;
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        let read = async || Ok(self.replay(id, last, address).await?.0.lines().clone());
        self.shared_lines.get((id, LinesVersion::Events(last)), (address, bytes), read).await
    }

    /// The ledgers whose tasks run, or are being loaded, and whether they run.
    #[cfg(test)]
    pub(crate) fn in_memory(&self) -> Vec<(LedgerId, bool)> {
        self.ledgers.known()
    }

    /// How much of memory the ledgers take: tasks, bytes and places.
    #[cfg(test)]
    pub(crate) fn in_use(&self) -> usize {
        self.ledgers.occupancy().in_use() + self.replay_pool.in_use()
    }

    /// Lets all ledgers finish storing and notify their clients.
    pub(crate) async fn stop(&self) {
        self.ledgers.stop(|done| LedgerMessage::Stop { done }).await;
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;
    use std::num::NonZeroUsize;

    use metrics_exporter_prometheus::PrometheusBuilder;
    use room::Timings;
    use store::{AppendStore, MemoryDatabase};

    use super::*;
    use crate::byte_pool::SHARES;
    use crate::clock::Clocks;
    use crate::quotas::MemoryQuotas;

    const SHEET: &str =
        r#"{"ghinda_sheet":1,"rules":"cruce4t-21","names":["Ana","Ion","Eva","Dan"],"dealer":1}"#;

    /// A ledger may be longer than its limit by its last lines, or come from an earlier version.
    #[tokio::test]
    async fn a_ledger_that_is_too_long_is_loaded_on_the_smallest_machine() {
        let store = Arc::new(Database::Memory(MemoryDatabase::default()));
        let (clocks, quotas) = (Clocks::at(0, None), MemoryQuotas::within(0));
        let timings = Timings::default();
        let tables = TableRegistry::new(store.clone(), clocks, NonZeroUsize::MIN, timings, quotas);
        let answers = BytePool::new(quotas.answer_bytes);
        let registry =
            LedgerRegistry::new(store.clone(), Arc::new(tables.expect("threads")), answers);
        let address = Ipv4Addr::LOCALHOST.into();
        let (player, sheet) = (PlayerId::new(7).expect("small"), Ledger::from_lines(SHEET));
        let opened = registry.open(sheet.expect("a sheet"), player, address).await;
        let (id, _) = opened.expect("opened");
        let spaces = " ".repeat(2 * MAX_LEDGER_BYTES);
        let rename = format!(
            r#"did - {{{spaces}"at":"2026-01-01T00:00:00.000Z","did":"rename","seat":2,"name":"Zoe"}}"#
        );
        let epoch = store.find_log(id.into()).await.expect("a store").expect("a ledger").epoch;
        let events = vec![NewEvent { at_ms: 1, body: rename }];
        let append = Append { log: id.into(), epoch, first: 2, events, linked_writes: Vec::new() };
        assert_eq!(store.append(&[append]).await, Ok(vec![AppendOutcome::Done]));
        assert_eq!(registry.lines(id, address).await.expect("lines").len(), 2);
        let (answer, answered) = oneshot::channel();
        let sent = registry.send(id, LedgerMessage::Read { answer }, address).await;
        assert!(sent.is_ok(), "it is loaded");
        assert_eq!(answered.await.expect("lines").len(), 2);
    }

    #[tokio::test]
    async fn a_ledger_for_which_there_is_no_room_is_not_acquired() {
        let recorder = PrometheusBuilder::new().build_recorder();
        let _counts = metrics::set_default_local_recorder(&recorder);
        let store = Arc::new(Database::Memory(MemoryDatabase::default()));
        let clocks = Clocks::at(0, None);
        let tables = TableRegistry::new(
            store.clone(),
            clocks,
            NonZeroUsize::MIN,
            Timings::default(),
            MemoryQuotas::default(),
        );
        let registry = LedgerRegistry::new(
            store.clone(),
            Arc::new(tables.expect("threads")),
            BytePool::new(9),
        );
        let sheet = Ledger::from_lines(SHEET).expect("a sheet");
        let player = PlayerId::new(7).expect("small");
        let address = Ipv4Addr::LOCALHOST.into();
        let (id, _) = registry.open(sheet, player, address).await.expect("opened");
        let share = MemoryQuotas::default().ledger_bytes / SHARES;
        let all = registry.ledgers.occupancy().enter_with(address, share);
        let send = async || {
            let (answer, _answered) = oneshot::channel();
            registry.send(id, LedgerMessage::Read { answer }, address).await.map(|_| ())
        };
        assert!(matches!(send().await, Err(LedgerError::Busy)));
        assert_eq!(Quota::LedgersInMemory.refusals(&recorder), 1);
        assert!(all.is_some(), "a share");
        drop(all);
        assert!(send().await.is_ok());
        let acquired = store.acquire(LogKind::Ledger, id.into()).await.expect("a store");
        let epoch = acquired.expect("a ledger").epoch;
        assert_eq!(
            epoch.get(),
            3,
            "of the task and of this test: the refused one acquired nothing"
        );
    }
}
