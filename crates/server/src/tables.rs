//! All tables of a server.
//!
//! A table is in memory while a client is connected. Otherwise it is only in the store, and is loaded
//! when a message is sent to it: it is claimed, so that no other server can write it any more, and
//! replayed from its last checkpoint.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use game::Rules;
use game::record::Record;
use room::driver::Input;
use room::log::UnreadableLog;
use room::{Entry, Key, LoggedEntry, Millis, Opening, Room, TableSummary, Timings, archive, log};
use store::{
    Append, AppendOutcome, AppendQueue, Database, Epoch, LinkedWrite, LogKind, NewEvent, PlayerId,
    Store, StoreError,
};
use store::{
    LedgerId, Session, SessionKind, StoredEvent, TableId, TokenHash, Writer, WriterLimits,
};
use thiserror::Error;
use tokio::sync::{broadcast, oneshot};
use wire::http::Comparison;
use wire::table::{CommandRefusal, Pace};

use crate::bot_pool::BotPool;
use crate::clock::Clock;
use crate::random;
use crate::table_task::{self, TableHandle, TableMessage, TableRequest, TableServices};
use crate::task_registry::{Stopping, TaskRegistry};

/// How many events are read at once.
const PAGE: u32 = 1_000;
/// How many ended matches may wait for a busy contest. A contest that misses some checks all its
/// tables.
const MAX_ENDED: usize = 1_024;
/// The maximum number of tables that play the same deals.
pub const MAX_SIBLINGS: usize = 16;

/// Why a table cannot be reached.
#[derive(Debug, Error)]
pub enum TableError {
    /// There is no such table, or it is closed.
    #[error("there is no such table")]
    NotFound,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The stored log cannot be read.
    #[error(transparent)]
    Unreadable(#[from] UnreadableLog),
    /// The server is being stopped.
    #[error("the server is being stopped")]
    Stopping,
}

impl From<Stopping> for TableError {
    fn from(_: Stopping) -> TableError {
        TableError::Stopping
    }
}

/// The settings of a new table.
#[derive(Clone, Debug)]
pub struct TableSettings {
    /// The rules of its matches.
    pub rules: Rules,
    /// The clock.
    pub pace: Pace,
    /// Whether the lobby shows it.
    pub listed: bool,
    /// The ledger of the contest to which it belongs.
    pub contest: Option<LedgerId>,
}

/// All tables of a server.
pub struct TableRegistry {
    store: Arc<Database>,
    writer: Mutex<Option<Writer>>,
    shared: TableServices,
    timings: Timings,
    tables: TaskRegistry<TableId, TableMessage>,
}

/// The lobby, and who sits where: what can be read without asking the tables.
#[derive(Debug, Default)]
pub struct TableIndex {
    state: Mutex<IndexState>,
}

#[derive(Debug, Default)]
struct IndexState {
    listed: BTreeMap<TableId, TableSummary>,
    seated: BTreeMap<PlayerId, BTreeSet<TableId>>,
    seats: BTreeMap<TableId, Vec<PlayerId>>,
}

impl TableIndex {
    fn lock(&self) -> MutexGuard<'_, IndexState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Updates the entry of a table. `attended` says whether its host or a player is connected: the
    /// lobby shows no table at which no player would answer.
    pub(crate) fn update(&self, room: &Room, attended: bool) {
        // No player sits at a closed table any more.
        let players = if room.is_closed() { Vec::new() } else { room.players() };
        let table = room.id();
        let mut state = self.lock();
        let before = state.seats.get(&table).cloned().unwrap_or_default();
        if before != players {
            for player in &before {
                if let Some(tables) = state.seated.get_mut(player) {
                    tables.remove(&table);
                    if tables.is_empty() {
                        state.seated.remove(player);
                    }
                }
            }
            for player in &players {
                state.seated.entry(*player).or_default().insert(table);
            }
            if players.is_empty() {
                state.seats.remove(&table);
            } else {
                state.seats.insert(table, players);
            }
        }
        if room.is_listed() && attended {
            state.listed.insert(table, room.summary());
        } else {
            state.listed.remove(&table);
        }
    }

    /// The tables that the lobby shows, newest first.
    pub fn lobby(&self, max: usize) -> Vec<TableSummary> {
        let state = self.lock();
        let mut summaries: Vec<&TableSummary> = state.listed.values().collect();
        summaries.sort_unstable_by_key(|summary| std::cmp::Reverse(summary.at));
        summaries.into_iter().take(max).cloned().collect()
    }

    /// The tables at which a player sits.
    pub fn tables_of(&self, player: PlayerId) -> Vec<TableId> {
        self.lock()
            .seated
            .get(&player)
            .map(|tables| tables.iter().copied().collect())
            .unwrap_or_default()
    }
}

impl TableRegistry {
    /// The tables of a store.
    pub fn new(
        store: Arc<Database>,
        bot_threads: NonZeroUsize,
        timings: Timings,
    ) -> std::io::Result<TableRegistry> {
        let writer = Writer::start(store.clone(), WriterLimits::default());
        let shared = TableServices {
            queue: writer.queue(),
            bot_pool: BotPool::start(bot_threads)?,
            clock: Clock::start(),
            index: Arc::new(TableIndex::default()),
            ended_matches: broadcast::channel(MAX_ENDED).0,
            fresh: random::secret,
        };
        Ok(TableRegistry {
            store,
            writer: Mutex::new(Some(writer)),
            shared,
            timings,
            tables: TaskRegistry::default(),
        })
    }

    /// The queue of the store's writer.
    pub(crate) fn queue(&self) -> AppendQueue {
        self.shared.queue.clone()
    }

    /// The clock of the server.
    pub fn clock(&self) -> Clock {
        self.shared.clock
    }

    /// Checks that the store works: it answers and, if it failed before, it stores something again.
    /// While no player can play, nothing else would notice that it has recovered.
    pub async fn check_store(&self) -> Result<(), StoreError> {
        self.store.ping().await?;
        if self.shared.queue.is_failing() {
            let (token, now) = (TokenHash(random::bytes()), self.shared.clock.now_ms());
            let session = Session {
                player: PlayerId::from_random(random::bits()),
                kind: SessionKind::Bot,
                label: "check of the store".into(),
                created_ms: now,
                expires_ms: now,
            };
            self.store.create_session(token, &session).await?;
            self.store.revoke_session(token).await?;
            self.shared.queue.works_again();
        }
        Ok(())
    }

    /// What can be read without asking the tables.
    pub fn index(&self) -> &TableIndex {
        &self.shared.index
    }

    /// Opens a table.
    pub async fn open(
        &self,
        settings: &TableSettings,
        host: PlayerId,
    ) -> Result<TableId, TableError> {
        let tables = self.open_all(settings, host, 1).await?;
        tables.first().copied().ok_or(TableError::NotFound)
    }

    /// Opens tables that play the same deals.
    pub async fn open_all(
        &self,
        settings: &TableSettings,
        host: PlayerId,
        count: usize,
    ) -> Result<Vec<TableId>, TableError> {
        let tables: Vec<TableId> =
            (0..count).map(|_| TableId::from_random(random::bits())).collect();
        let siblings = if count > 1 { tables.clone() } else { Vec::new() };
        let secret = random::secret();
        for table in &tables {
            let opening = Opening {
                rules: settings.rules,
                pace: settings.pace,
                listed: settings.listed,
                host,
                key: Key::new(random::bytes()),
                secret,
                siblings: siblings.clone(),
                contest: settings.contest,
            };
            self.create_table(*table, opening).await?;
        }
        metrics::counter!("ghinda_tables_opened_total").increment(tables.len() as u64);
        Ok(tables)
    }

    async fn create_table(&self, table: TableId, opening: Opening) -> Result<(), TableError> {
        let at = self.shared.clock.now();
        let epoch = self.store.create(LogKind::Table, table.into(), at as i64).await?;
        let logged = LoggedEntry { at, command: None, entry: Entry::Opened(Box::new(opening)) };
        let body = log::encode(&logged);
        let append = Append {
            log: table.into(),
            epoch,
            first: 1,
            events: vec![NewEvent { at_ms: at as i64, body }],
            linked_writes: vec![LinkedWrite::Checkpoint(1)],
        };
        match self.shared.queue.append(append).await? {
            AppendOutcome::Done => {}
            AppendOutcome::Fenced | AppendOutcome::OutOfOrder | AppendOutcome::Gone => {
                return Err(TableError::NotFound);
            }
        }
        let (room, _) =
            Room::open(table, 1, &logged, self.timings).map_err(|_| TableError::NotFound)?;
        self.tables.adopt(table, || self.start(room, epoch)).await;
        Ok(())
    }

    /// Sends a message to a table, which is loaded if necessary, and returns its handle.
    pub(crate) async fn send(
        &self,
        table: TableId,
        message: TableMessage,
    ) -> Result<TableHandle, TableError> {
        self.tables.send(table, message, || self.load(table)).await
    }

    /// Loads a table from the store.
    async fn load(&self, table: TableId) -> Result<TableHandle, TableError> {
        let claim =
            self.store.claim(LogKind::Table, table.into()).await?.ok_or(TableError::NotFound)?;
        let (room, _) = self.replay(table, claim.checkpoint.unwrap_or(1)).await?;
        if room.version() != claim.last {
            return Err(StoreError::Corrupt(format!("table {table} has a gap")).into());
        }
        Ok(self.start(room, claim.epoch))
    }

    fn start(&self, room: Room, epoch: Epoch) -> TableHandle {
        table_task::start(room, epoch, self.shared.clone())
    }

    /// Replays the stored entries from a checkpoint on, and returns the room and the entries.
    async fn replay(
        &self,
        table: TableId,
        from: u64,
    ) -> Result<(Room, Vec<LoggedEntry>), TableError> {
        let mut room: Option<Room> = None;
        let mut entries = Vec::new();
        let mut next = from;
        loop {
            let page: Vec<StoredEvent> = self.store.events(table.into(), next, PAGE).await?;
            for event in &page {
                let logged = log::decode(event.at_ms as u64, &event.body)?;
                let fits = match &mut room {
                    None => Room::open(table, event.sequence, &logged, self.timings).map(
                        |(opened, _)| {
                            room = Some(opened);
                        },
                    ),
                    Some(room) => room.apply(&logged).map(|_| ()),
                };
                let misfit = format!("event {} of table {table} does not fit", event.sequence);
                fits.map_err(|_| StoreError::Corrupt(misfit))?;
                entries.push(logged);
                next = event.sequence + 1;
            }
            if page.len() < PAGE as usize {
                break;
            }
        }
        Ok((room.ok_or(TableError::NotFound)?, entries))
    }

    /// Admits a player who has the table's key.
    pub async fn admit(
        &self,
        table: TableId,
        player: PlayerId,
        key: Key,
    ) -> Result<Result<(), CommandRefusal>, TableError> {
        self.request(table, TableRequest::Admit { player, key }).await
    }

    /// Sends a request to a table, and waits for its answer.
    pub(crate) async fn request(
        &self,
        table: TableId,
        what: TableRequest,
    ) -> Result<Result<(), CommandRefusal>, TableError> {
        let (answer, answered) = oneshot::channel();
        self.send(table, TableMessage::Request { what: Box::new(what), answer }).await?;
        answered.await.map_err(|_| TableError::Stopping)
    }

    /// Receives the matches of contests that end from now on: the ledger and the table.
    pub(crate) fn ended_matches(&self) -> broadcast::Receiver<(LedgerId, TableId)> {
        self.shared.ended_matches.subscribe()
    }

    /// Reads something from a room.
    pub async fn read<T: Send + 'static>(
        &self,
        table: TableId,
        read: impl FnOnce(&Room) -> T + Send + 'static,
    ) -> Result<T, TableError> {
        let (answer, answered) = oneshot::channel();
        let read = Box::new(move |room: &Room| {
            // The caller may have stopped waiting.
            let _ = answer.send(read(room));
        });
        self.send(table, TableMessage::Read(read)).await?;
        answered.await.map_err(|_| TableError::Stopping)
    }

    /// The record of a match that is over. Returns None if there is none, or if its deals are still
    /// being played at another table.
    pub async fn finished_record(
        &self,
        table: TableId,
        number: u32,
    ) -> Result<Option<Record>, TableError> {
        let record = self.record(table, number).await?.filter(|record| record.won.is_some());
        if record.is_some() {
            let siblings = self.siblings(table).await?;
            if !self.are_over(&siblings).await? {
                return Ok(None);
            }
        }
        Ok(record)
    }

    /// The tables that play the same deals as this one; usually none.
    async fn siblings(&self, table: TableId) -> Result<Vec<TableId>, TableError> {
        match self.read(table, |room| room.siblings().to_vec()).await {
            // A closed table does not play any more.
            Err(TableError::NotFound) => Ok(Vec::new()),
            siblings => siblings,
        }
    }

    async fn are_over(&self, tables: &[TableId]) -> Result<bool, TableError> {
        for table in tables {
            match self.read(*table, Room::is_over).await {
                Ok(true) | Err(TableError::NotFound) => {}
                Ok(false) => return Ok(false),
                Err(error) => return Err(error),
            }
        }
        Ok(true)
    }

    /// The scores of the same deals at the tables that play them. Returns None if the table has its
    /// own deals.
    pub async fn compare(&self, table: TableId) -> Result<Option<Comparison>, TableError> {
        let siblings = self.read(table, |room| room.siblings().to_vec()).await?;
        if siblings.is_empty() {
            return Ok(None);
        }
        let mut changes: Vec<Vec<Vec<i16>>> = Vec::new();
        for sibling in &siblings {
            let played = |room: &Room| {
                room.deals().iter().map(|deal| deal.change().as_slice().to_vec()).collect()
            };
            changes.push(self.read(*sibling, played).await?);
        }
        let common = changes.iter().map(Vec::len).min().unwrap_or(0);
        let deal = |number: usize| changes.iter().map(|deals| deals[number].clone()).collect();
        Ok(Some(Comparison {
            tables: siblings.iter().map(ToString::to_string).collect(),
            over: self.are_over(&siblings).await?,
            deals: (0..common).map(deal).collect(),
        }))
    }

    /// The record of a match so far, with its secret if it is over. Returns None if there is no such
    /// match.
    pub async fn record(&self, table: TableId, number: u32) -> Result<Option<Record>, TableError> {
        let (mut from, mut found): (u64, Option<u64>) = (1, None);
        let mut entries: Vec<LoggedEntry> = Vec::new();
        'log: loop {
            let page = self.store.events(table.into(), from, PAGE).await?;
            for event in &page {
                let logged = log::decode(event.at_ms as u64, &event.body)?;
                if let Entry::Started(roster) = &logged.entry {
                    if found.is_some() {
                        break 'log;
                    }
                    if roster.number == number {
                        found = Some(event.sequence);
                    }
                }
                if found.is_some() {
                    entries.push(logged);
                }
                from = event.sequence + 1;
            }
            if page.len() < PAGE as usize {
                break;
            }
        }
        let Some(version) = found else { return Ok(None) };
        let record = archive::record(table, version, &entries);
        let record = record.map_err(|_| StoreError::Corrupt(format!("the log of {table}")))?;
        Ok(Some(record))
    }

    /// Closes the tables without connections at which nothing has happened since a time, and removes
    /// the tasks that have ended. The log of a closed table stays in the store.
    pub async fn close_quiet_tables(&self, quiet_since: Millis) -> Result<usize, TableError> {
        self.tables.remove_ended();
        let quiet = self.store.quiet_tables(quiet_since as i64, PAGE).await?;
        let mut asked = 0;
        for table in &quiet {
            let close = Input::CloseIfQuiet { since: quiet_since };
            match self.send(*table, TableMessage::Input(Box::new(close))).await {
                Ok(_) => asked += 1,
                // It is closed already.
                Err(TableError::NotFound) => {}
                // It costs only itself: the others are closed.
                Err(TableError::Unreadable(error)) => {
                    tracing::error!(%table, %error, "a quiet table cannot be read");
                }
                Err(TableError::Store(StoreError::Corrupt(error))) => {
                    tracing::error!(%table, error, "a quiet table cannot be read");
                }
                Err(error) => return Err(error),
            }
        }
        Ok(asked)
    }

    /// Loads all open tables after a start.
    pub async fn load_open_tables(&self) -> Result<usize, TableError> {
        let claims = self.store.claim_all_open().await?;
        let count = claims.len();
        // A table that was not opened completely has no events.
        for claim in claims.into_iter().filter(|claim| claim.last > 0) {
            let (table, from) = (claim.log.as_table(), claim.checkpoint.unwrap_or(1));
            match self.replay(table, from).await {
                Ok((room, _)) => {
                    // If the table was loaded meanwhile, that task has the newer claim, and stays.
                    self.tables.adopt(table, || self.start(room, claim.epoch)).await;
                }
                Err(error) => {
                    tracing::error!(%table, %error, "a table cannot be read")
                }
            }
        }
        Ok(count)
    }

    /// Lets all tables finish and notify their clients, and stores the rest.
    pub async fn stop(&self) {
        self.tables.stop(|done| TableMessage::Stop { done }).await;
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(writer) = writer {
            writer.close().await;
        }
    }
}
