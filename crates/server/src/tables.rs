//! All tables of a server.
//!
//! A table is in memory while a client is connected. Otherwise it is only in the store: nothing happens
//! at it, as its clocks stop when all players are gone, so a start loads none. It is loaded when a client
//! connects or asks for something: it is acquired, so that no other server can write it any more, and
//! replayed from its last checkpoint. A mere look reads the log and acquires nothing.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use game::Rules;
use game::record::Record;
use room::driver::Input;
use room::log::UnreadableLog;
use room::{Entry, Key, LoggedEntry, Millis, Opening, Room, TableSummary, Timings, log};
use store::{
    AcquireQueue, Append, AppendOutcome, AppendQueue, Database, Epoch, EventPages, LedgerId,
    LinkedWrite, LogKind, LogOpener, NewEvent, PlayerId, Session, SessionKind, Store, StoreError,
    StoredEvent, TableId, TokenHash, Writer, WriterLimits,
};
use thiserror::Error;
use tokio::sync::{Semaphore, broadcast, oneshot};
use tokio::time::sleep;
use wire::http::Comparison;
use wire::table::{CommandRefusal, Pace};

use crate::bot_pool::BotPool;
use crate::clock::{Clock, Clocks, TrustedClock};
use crate::look_queue::{LookQueue, NoPlace, TableReader};
use crate::outbox::Outboxes;
use crate::quotas::{MAX_TABLES_OF_PLAYER, MemoryQuotas, Quota};
use crate::random;
use crate::stored_logs;
use crate::sweep_failures::{PAUSE, SweepFailures};
use crate::table_task::{self, TableHandle, TableMessage, TableRequest, TableServices};
use crate::task_registry::{NotStarted, Occupancy, TaskRegistry};

#[cfg(test)]
mod probe;

/// How many events are read at once.
const PAGE: u32 = 1_000;
/// How many ended matches may wait for a busy contest. A contest that misses some checks all its
/// tables.
const MAX_ENDED: usize = 1_024;
/// The maximum number of tables that play the same deals.
pub const MAX_SIBLINGS: usize = 16;
/// How many tables are loaded at once; further ones wait.
const MAX_LOADS: usize = 64;
/// How many tables are opened at once; the others of a draw wait.
const MAX_OPENINGS: usize = 16;
/// How many of the tables at which a player sits are returned: the most recent ones.
const MAX_SEATED: u32 = 200;

/// Why a table cannot be reached.
#[derive(Debug, Error)]
pub enum TableError {
    /// There is no such table, or it is closed.
    #[error("there is no such table")]
    NotFound,
    /// The player has opened as many tables as they may have.
    #[error("this player has too many open tables")]
    TooMany,
    /// There are as many tables in memory, or as many looks of this client, as there may be.
    #[error("too many tables are in use at the moment")]
    Busy,
    /// The store failed.
    #[error(transparent)]
    Store(StoreError),
    /// The stored log cannot be read.
    #[error(transparent)]
    Unreadable(#[from] UnreadableLog),
    /// The server is being stopped.
    #[error("the server is being stopped")]
    Stopping,
}

impl From<StoreError> for TableError {
    fn from(error: StoreError) -> TableError {
        match error {
            StoreError::TooMany => {
                Quota::Tables.count_refusal();
                TableError::TooMany
            }
            other => TableError::Store(other),
        }
    }
}

impl From<NotStarted> for TableError {
    fn from(why: NotStarted) -> TableError {
        match why {
            NotStarted::Stopping => TableError::Stopping,
            NotStarted::Full => TableError::Busy,
        }
    }
}

impl From<NoPlace> for TableError {
    fn from(why: NoPlace) -> TableError {
        match why {
            NoPlace::Stopping => TableError::Stopping,
            NoPlace::Full => TableError::Busy,
        }
    }
}

/// The settings of a new table.
#[derive(Clone, Debug)]
pub struct TableSettings {
    /// The rules of its matches.
    pub rules: Rules,
    /// The pace: how long a player may think.
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
    trusted: TrustedClock,
    timings: Timings,
    tables: TaskRegistry<TableId, TableMessage>,
    acquires: AcquireQueue<Database>,
    looks: LookQueue,
    loads: Semaphore,
    openings: Semaphore,
    memory_quotas: MemoryQuotas,
    outboxes: Outboxes,
}

/// The tables that the lobby shows. A table without connections is not shown, so a start need not read
/// any.
#[derive(Debug, Default)]
pub struct TableIndex {
    listed: Mutex<BTreeMap<TableId, TableSummary>>,
}

impl TableIndex {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<TableId, TableSummary>> {
        self.listed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The tables that the lobby shows, newest first.
    pub fn lobby(&self, max: usize) -> Vec<TableSummary> {
        let listed = self.lock();
        let mut summaries: Vec<&TableSummary> = listed.values().collect();
        summaries.sort_unstable_by_key(|summary| std::cmp::Reverse(summary.at));
        summaries.into_iter().take(max).cloned().collect()
    }
}

/// The entry of a table in the index, as long as the table's task runs.
pub(crate) struct LobbyEntry {
    index: Arc<TableIndex>,
    table: TableId,
}

impl LobbyEntry {
    pub(crate) fn new(index: Arc<TableIndex>, table: TableId) -> LobbyEntry {
        LobbyEntry { index, table }
    }

    /// Updates the entry. `attended` says whether the table's host or a player is connected: the lobby shows no
    /// table at which no player would answer.
    pub(crate) fn update(&self, room: &Room, attended: bool) {
        let mut listed = self.index.lock();
        if room.is_listed() && attended {
            listed.insert(self.table, room.summary());
        } else {
            listed.remove(&self.table);
        }
    }
}

impl Drop for LobbyEntry {
    fn drop(&mut self) {
        self.index.lock().remove(&self.table);
    }
}

impl TableRegistry {
    /// The tables of a store.
    pub fn new(
        store: Arc<Database>,
        clocks: Clocks,
        bot_threads: NonZeroUsize,
        timings: Timings,
        memory_quotas: MemoryQuotas,
    ) -> std::io::Result<TableRegistry> {
        let bot_pool = BotPool::start(bot_threads)?;
        Ok(TableRegistry::with(store, clocks, bot_pool, timings, memory_quotas))
    }

    /// The tables of a store, with bots that think in this pool.
    pub(crate) fn with(
        store: Arc<Database>,
        clocks: Clocks,
        bot_pool: BotPool,
        timings: Timings,
        memory_quotas: MemoryQuotas,
    ) -> TableRegistry {
        let writer = Writer::start(store.clone(), WriterLimits::default());
        let occupancy = Occupancy::new("ghinda_tables_in_memory", memory_quotas.tables, usize::MAX);
        let shared = TableServices {
            occupancy: occupancy.clone(),
            queue: writer.queue(),
            bot_pool,
            clock: clocks.play,
            index: Arc::new(TableIndex::default()),
            ended_matches: broadcast::channel(MAX_ENDED).0,
            new_secret: random::secret,
        };
        TableRegistry {
            acquires: AcquireQueue::new(store.clone(), LogKind::Table),
            store,
            writer: Mutex::new(Some(writer)),
            shared,
            trusted: clocks.trusted,
            timings,
            tables: TaskRegistry::new(occupancy, Quota::TablesInMemory),
            looks: LookQueue::new(),
            loads: Semaphore::new(MAX_LOADS),
            memory_quotas,
            outboxes: Outboxes::new(memory_quotas.waiting_bytes),
            openings: Semaphore::new(MAX_OPENINGS),
        }
    }

    /// The queue of the store's writer.
    pub(crate) fn queue(&self) -> AppendQueue {
        self.shared.queue.clone()
    }

    /// How much memory clients may use.
    pub(crate) fn memory_quotas(&self) -> MemoryQuotas {
        self.memory_quotas
    }

    /// The outboxes of connections to tables and ledgers.
    pub(crate) fn outboxes(&self) -> &Outboxes {
        &self.outboxes
    }

    /// The clock of the server.
    pub fn clock(&self) -> Clock {
        self.shared.clock
    }

    /// The clock by which sessions expire and tables are closed.
    pub fn trusted_clock(&self) -> TrustedClock {
        self.trusted
    }

    /// Checks that the store works: it answers and, if it failed before, it stores something again.
    /// While no player can play, nothing else would notice that it has recovered.
    pub async fn check_store(&self) -> Result<(), StoreError> {
        self.store.ping().await?;
        if self.shared.queue.is_failing() {
            let (token, now) = (TokenHash(random::bytes()), self.trusted.now_ms());
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

    /// The tables at which a player sits, the most recent first.
    pub(crate) async fn tables_of(&self, player: PlayerId) -> Result<Vec<TableId>, StoreError> {
        self.store.seated_tables(player, MAX_SEATED).await
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
        // The tables of a contest belong to the contest, which has a limit of its own.
        let mut opener = settings.contest.is_none().then_some(LogOpener {
            player: host,
            // The first needs a place for all of them, so that nothing is opened if there is none.
            max: MAX_TABLES_OF_PLAYER.saturating_sub(count as u32 - 1),
        });
        for (opened, table) in tables.iter().enumerate() {
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
            let created = self.create_table(*table, opening, opener).await;
            if let Some(opener) = &mut opener {
                opener.max += 1;
            }
            if let Err(error) = created {
                // Without the others they are of no use.
                for table in &tables[..opened] {
                    let _ = self.send(*table, TableMessage::Input(Box::new(Input::Close))).await;
                }
                return Err(error);
            }
        }
        metrics::counter!("ghinda_tables_opened_total").increment(tables.len() as u64);
        Ok(tables)
    }

    async fn create_table(
        &self,
        table: TableId,
        opening: Opening,
        opener: Option<LogOpener>,
    ) -> Result<(), TableError> {
        let _place = self.openings.acquire().await.map_err(|_| TableError::Stopping)?;
        if !self.tables.has_place(table) {
            return Err(TableError::Busy);
        }
        let at = self.shared.clock.now();
        let epoch = self.store.create(LogKind::Table, table.into(), opener, at as i64).await?;
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
        let _place = self.loads.acquire().await.map_err(|_| TableError::Stopping)?;
        let acquired = self.acquires.acquire(table.into()).await?.ok_or(TableError::NotFound)?;
        let room = self.replay(table, acquired.checkpoint.unwrap_or(1)).await?;
        if room.version() > acquired.last {
            let taken = format!("table {table} belongs to another server now");
            return Err(StoreError::Unavailable(taken).into());
        }
        if room.version() < acquired.last {
            return Err(StoreError::Corrupt(format!("table {table} has a gap")).into());
        }
        Ok(self.start(room, acquired.epoch))
    }

    fn start(&self, room: Room, epoch: Epoch) -> TableHandle {
        table_task::start(room, epoch, self.shared.clone())
    }

    /// Replays the stored entries from a checkpoint on.
    async fn replay(&self, table: TableId, from: u64) -> Result<Room, TableError> {
        let mut room: Option<Room> = None;
        let mut pages = EventPages::new(&*self.store, table.into(), from);
        loop {
            let events = pages.next().await?;
            for event in &events {
                self.replay_event(&mut room, table, event)?;
            }
            if events.is_empty() {
                return room.ok_or(TableError::NotFound);
            }
        }
    }

    /// Opens a room with an event, or applies it.
    fn replay_event(
        &self,
        room: &mut Option<Room>,
        table: TableId,
        event: &StoredEvent,
    ) -> Result<(), TableError> {
        let logged = log::decode(event.at_ms as u64, &event.body)?;
        let fits = match room {
            None => Room::open(table, event.sequence, &logged, self.timings)
                .map(|(opened, _)| *room = Some(opened)),
            Some(room) => room.apply(&logged).map(drop),
        };
        let misfit = |_| format!("event {} of table {table} does not fit", event.sequence);
        Ok(fits.map_err(misfit).map_err(StoreError::Corrupt)?)
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

    /// Reads something from the room of a table that is not closed. A table that is not in memory is read
    /// from the store.
    pub async fn read<T: Send + 'static>(
        &self,
        table: TableId,
        reader: TableReader,
        read: impl FnOnce(&Room) -> T + Send + 'static,
    ) -> Result<T, TableError> {
        let read = |room: &Room| (!room.is_closed()).then(|| read(room));
        self.read_any(table, reader, read).await?.ok_or(TableError::NotFound)
    }

    /// Reads something from a room, also from that of a closed table.
    async fn read_any<T: Send + 'static>(
        &self,
        table: TableId,
        reader: TableReader,
        read: impl FnOnce(&Room) -> T + Send + 'static,
    ) -> Result<T, TableError> {
        if let Some(running) = self.tables.running(table) {
            let (answer, answered) = oneshot::channel();
            let message = TableMessage::Read(Box::new(move |room: &Room| {
                // The caller may have stopped waiting.
                let _ = answer.send(read(room));
            }));
            return match running.send(message).await {
                Ok(()) => answered.await.map_err(|_| TableError::Stopping),
                // The task has just ended, and the store has everything that it did.
                Err(TableMessage::Read(read)) => {
                    read(&self.look(table, reader).await?);
                    answered.await.map_err(|_| TableError::Stopping)
                }
                Err(_) => Err(TableError::Stopping),
            };
        }
        Ok(read(&self.look(table, reader).await?))
    }

    /// The room of a table as it is stored. It is not acquired.
    async fn look(&self, table: TableId, reader: TableReader) -> Result<Room, TableError> {
        let _place = self.looks.enter(reader).await?;
        let info = self.store.find_log(table.into()).await?;
        let info = info.filter(|info| info.kind == LogKind::Table && info.last > 0);
        let from = info.ok_or(TableError::NotFound)?.checkpoint.unwrap_or(1);
        self.replay(table, from).await
    }

    /// The record of a match that is over. Returns None if there is none, or if its deals are still
    /// being played at another table.
    pub async fn finished_record(
        &self,
        table: TableId,
        number: u32,
        reader: TableReader,
    ) -> Result<Option<Record>, TableError> {
        let record =
            self.record(table, number, reader).await?.filter(|record| record.won.is_some());
        if record.is_some() {
            let siblings = self.siblings(table, reader).await?;
            if !self.are_over(&siblings, reader).await? {
                return Ok(None);
            }
        }
        Ok(record)
    }

    /// The tables that play the same deals as this one; usually none.
    async fn siblings(
        &self,
        table: TableId,
        reader: TableReader,
    ) -> Result<Vec<TableId>, TableError> {
        self.read_any(table, reader, |room| room.siblings().to_vec()).await
    }

    async fn are_over(&self, tables: &[TableId], reader: TableReader) -> Result<bool, TableError> {
        for table in tables {
            match self.read_any(*table, reader, is_finished).await {
                // It was removed long after its end.
                Ok(true) | Err(TableError::NotFound) => {}
                Ok(false) => return Ok(false),
                Err(error) => return Err(error),
            }
        }
        Ok(true)
    }

    /// The scores of the same deals at the tables that play them, closed ones among them. Returns None
    /// if the table has its own deals.
    pub async fn compare(
        &self,
        table: TableId,
        reader: TableReader,
    ) -> Result<Option<Comparison>, TableError> {
        let siblings = self.siblings(table, reader).await?;
        if siblings.is_empty() {
            return Ok(None);
        }
        let mut compared = Comparison { tables: Vec::new(), over: true, deals: Vec::new() };
        let mut changes: Vec<Vec<Vec<i16>>> = Vec::new();
        for sibling in &siblings {
            let played = |room: &Room| {
                let deals = room.deals().iter();
                let played = deals.map(|deal| deal.change().as_slice().to_vec()).collect();
                (played, is_finished(room))
            };
            match self.read_any(*sibling, reader, played).await {
                Ok((played, over)) => {
                    changes.push(played);
                    compared.tables.push(sibling.to_string());
                    compared.over &= over;
                }
                // It was removed long after its end.
                Err(TableError::NotFound) => {}
                Err(error) => return Err(error),
            }
        }
        let common = changes.iter().map(Vec::len).min().unwrap_or(0);
        let deal = |number: usize| changes.iter().map(|deals| deals[number].clone()).collect();
        compared.deals = (0..common).map(deal).collect();
        Ok(Some(compared))
    }

    /// Whether a player may connect to a table, or could before it was closed.
    pub async fn admits(
        &self,
        table: TableId,
        player: PlayerId,
        reader: TableReader,
    ) -> Result<bool, TableError> {
        self.read_any(table, reader, move |room| room.admits(player)).await
    }

    /// The record of a match so far, with its secret if it is over. Returns None if there is no such
    /// match.
    pub async fn record(
        &self,
        table: TableId,
        number: u32,
        reader: TableReader,
    ) -> Result<Option<Record>, TableError> {
        let _place = self.looks.enter(reader).await?;
        stored_logs::record(&self.store, table, number).await
    }

    /// Closes the tables without connections at which nothing has happened since a time, and removes
    /// the tasks that have ended. The log of a closed table stays in the store. A table that fails costs only
    /// itself, unless several fail in a row.
    pub async fn close_quiet_tables(&self, quiet_since: Millis) -> Result<usize, TableError> {
        self.tables.remove_ended();
        let (mut asked, mut after, mut failures) = (0, None, SweepFailures::default());
        loop {
            let quiet = self.store.quiet_tables(quiet_since as i64, after, PAGE).await?;
            for table in &quiet {
                let close = Input::CloseIfQuiet { since: quiet_since };
                match self.send(*table, TableMessage::Input(Box::new(close))).await {
                    Ok(_) => {
                        asked += 1;
                        failures.end_row();
                    }
                    // It is closed already, or has to wait for the next sweep.
                    Err(TableError::NotFound | TableError::Busy) => {}
                    Err(TableError::Unreadable(error)) => {
                        tracing::error!(%table, %error, "a quiet table cannot be read");
                    }
                    Err(TableError::Store(error)) => failures.note((*table).into(), error)?,
                    Err(error) => return Err(error),
                }
                sleep(PAUSE).await;
            }
            after = quiet.last().copied();
            if quiet.len() < PAGE as usize {
                return Ok(asked);
            }
        }
    }

    /// Stores who sits at the open tables of a database of version 0.1, where only the logs say it. If some
    /// tables fail, the others are done, and the last error is returned: it is to be called again.
    pub async fn fill_seats(&self) -> Result<usize, TableError> {
        let (mut filled, mut failures) = (0, SweepFailures::default());
        let mut failed: BTreeMap<TableId, StoreError> = BTreeMap::new();
        loop {
            let tables = self.store.tables_without_seats(PAGE).await?;
            let before = filled;
            for table in &tables {
                if failed.contains_key(table) {
                    continue;
                }
                match self.fill_seats_of(*table).await {
                    Ok(()) => {
                        filled += 1;
                        failures.end_row();
                    }
                    Err(TableError::Store(error)) => {
                        failures.note((*table).into(), error.clone())?;
                        failed.insert(*table, error);
                    }
                    Err(error) => return Err(error),
                }
                sleep(PAUSE).await;
            }
            if tables.len() < PAGE as usize || filled == before {
                let error = failed.pop_last();
                return error.map_or(Ok(filled), |(_, error)| Err(error.into()));
            }
        }
    }

    /// Stores who sits at a table: no player, if its log cannot be read.
    async fn fill_seats_of(&self, table: TableId) -> Result<(), TableError> {
        let players = match self.look(table, TableReader::Server).await {
            Ok(room) => room.players(),
            Err(TableError::NotFound) => Vec::new(),
            Err(TableError::Unreadable(_) | TableError::Store(StoreError::Corrupt(_))) => {
                tracing::error!(%table, "a table cannot be read");
                Vec::new()
            }
            Err(error) => return Err(error),
        };
        Ok(self.store.fill_seats(table, &players).await?)
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

/// Whether a table does not play its deals any more.
fn is_finished(room: &Room) -> bool {
    room.is_over() || room.is_closed()
}

#[cfg(test)]
mod tests;
