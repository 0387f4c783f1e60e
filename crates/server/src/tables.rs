//! The hall: all tables of a server, and the way to each of them.
//!
//! A table is in memory while somebody is there. Otherwise it is in the store, and is
//! loaded when somebody asks for it: claimed, so that no other server can write it any
//! more, and replayed from its last checkpoint.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use game::Rules;
use game::record::Record;
use room::driver::Input;
use room::log::UnreadableLog;
use room::{Entry, Key, LoggedEntry, Millis, Opening, Room, TableSummary, Timings, archive, log};
use store::{
    Append, AppendQueue, Appended, Database, Epoch, LinkedWrite, LogKind, NewEvent, PlayerId,
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
/// How many ends of matches may wait for a contest that is busy; one that misses some looks
/// at all its tables.
const ENDED: usize = 1_024;
/// How many tables can play the same deals.
pub const MAX_SIBLINGS: usize = 16;

/// Why a table cannot be had.
#[derive(Debug, Error)]
pub enum TableError {
    /// There is no such table, or it is closed.
    #[error("there is no such table")]
    NotFound,
    /// The store does not answer.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// What is stored cannot be read.
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

/// How a table is to be.
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
    tempo: Timings,
    tables: TaskRegistry<TableId, TableMessage>,
}

/// What everybody may know of the tables without asking them.
#[derive(Debug, Default)]
pub struct TableIndex {
    known: Mutex<IndexState>,
}

#[derive(Debug, Default)]
struct IndexState {
    listed: BTreeMap<TableId, TableSummary>,
    seated: BTreeMap<PlayerId, BTreeSet<TableId>>,
    seats: BTreeMap<TableId, Vec<PlayerId>>,
}

impl TableIndex {
    fn lock(&self) -> MutexGuard<'_, IndexState> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes note of how a table is now, and whether any of its people is there: the
    /// lobby shows no table at which nobody would answer.
    pub(crate) fn update(&self, room: &Room, attended: bool) {
        let (table, players) = (room.id(), room.players());
        let mut known = self.lock();
        let before = known.seats.get(&table).cloned().unwrap_or_default();
        if before != players {
            for player in &before {
                if let Some(tables) = known.seated.get_mut(player) {
                    tables.remove(&table);
                    if tables.is_empty() {
                        known.seated.remove(player);
                    }
                }
            }
            for player in &players {
                known.seated.entry(*player).or_default().insert(table);
            }
            known.seats.insert(table, players);
        }
        if room.is_listed() && attended {
            known.listed.insert(table, room.summary());
        } else {
            known.listed.remove(&table);
        }
        if room.is_closed() {
            known.seats.remove(&table);
        }
    }

    /// The tables that the lobby shows, newest first, at most so many.
    pub fn lobby(&self, most: usize) -> Vec<TableSummary> {
        let known = self.lock();
        let mut glances: Vec<&TableSummary> = known.listed.values().collect();
        glances.sort_unstable_by_key(|glance| std::cmp::Reverse(glance.at));
        glances.into_iter().take(most).cloned().collect()
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
    /// The hall of a store.
    pub fn new(
        store: Arc<Database>,
        thinkers: NonZeroUsize,
        tempo: Timings,
    ) -> std::io::Result<TableRegistry> {
        let writer = Writer::start(store.clone(), WriterLimits::default());
        let shared = TableServices {
            queue: writer.queue(),
            thinkers: BotPool::start(thinkers)?,
            clock: Clock::start(),
            listing: Arc::new(TableIndex::default()),
            ended: broadcast::channel(ENDED).0,
            fresh: random::secret,
        };
        Ok(TableRegistry {
            store,
            writer: Mutex::new(Some(writer)),
            shared,
            tempo,
            tables: TaskRegistry::default(),
        })
    }

    /// The way to the writer of the store.
    pub(crate) fn queue(&self) -> AppendQueue {
        self.shared.queue.clone()
    }

    /// What time it is here.
    pub fn clock(&self) -> Clock {
        self.shared.clock
    }

    /// Whether what happens can be kept: the store answers and, if it has failed lately,
    /// takes something again. While nobody can play, nothing else would find that out.
    pub async fn ready(&self) -> Result<(), StoreError> {
        self.store.ping().await?;
        if self.shared.queue.fails() {
            let (token, now) = (TokenHash(random::bytes()), self.shared.clock.now_ms());
            let session = Session {
                player: PlayerId::from_random(random::bits()),
                kind: SessionKind::Bot,
                label: "to see whether it can be stored".into(),
                created_ms: now,
                expires_ms: now,
            };
            self.store.create_session(token, &session).await?;
            self.store.revoke_session(token).await?;
            self.shared.queue.works_again();
        }
        Ok(())
    }

    /// What everybody may know of the tables.
    pub fn index(&self) -> &TableIndex {
        &self.shared.listing
    }

    /// Opens a table.
    pub async fn open(&self, plan: &TableSettings, host: PlayerId) -> Result<TableId, TableError> {
        let tables = self.open_all(plan, host, 1).await?;
        tables.first().copied().ok_or(TableError::NotFound)
    }

    /// Opens some tables that play the same deals.
    pub async fn open_all(
        &self,
        plan: &TableSettings,
        host: PlayerId,
        count: usize,
    ) -> Result<Vec<TableId>, TableError> {
        let tables: Vec<TableId> =
            (0..count).map(|_| TableId::from_random(random::bits())).collect();
        let siblings = if count > 1 { tables.clone() } else { Vec::new() };
        let secret = random::secret();
        for table in &tables {
            let opening = Opening {
                rules: plan.rules,
                pace: plan.pace,
                listed: plan.listed,
                host,
                key: Key::new(random::bytes()),
                secret,
                siblings: siblings.clone(),
                contest: plan.contest,
            };
            self.create(*table, opening).await?;
        }
        metrics::counter!("ghinda_tables_opened_total").increment(tables.len() as u64);
        Ok(tables)
    }

    async fn create(&self, table: TableId, opening: Opening) -> Result<(), TableError> {
        let at = self.shared.clock.now();
        let epoch = self.store.create(LogKind::Table, table.into(), at as i64).await?;
        let logged = LoggedEntry { at, command: None, entry: Entry::Opened(Box::new(opening)) };
        let body = log::encode(&logged);
        let append = Append {
            log: table.into(),
            epoch,
            first: 1,
            events: vec![NewEvent { at_ms: at as i64, body }],
            notes: vec![LinkedWrite::Checkpoint(1)],
        };
        match self.shared.queue.append(append).await? {
            Appended::Done => {}
            Appended::Fenced | Appended::OutOfOrder | Appended::Gone => {
                return Err(TableError::NotFound);
            }
        }
        let (room, _) =
            Room::open(table, 1, &logged, self.tempo).map_err(|_| TableError::NotFound)?;
        self.tables.adopt(table, || self.start(room, epoch)).await;
        Ok(())
    }

    /// Sends a post to a table, wherever it is, and returns the way to it.
    pub(crate) async fn send(
        &self,
        table: TableId,
        post: TableMessage,
    ) -> Result<TableHandle, TableError> {
        self.tables.send(table, post, || self.load(table)).await
    }

    /// Takes a table from the store.
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

    /// The room that the stored entries lead to, and the entries, from one on.
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
                    None => {
                        Room::open(table, event.sequence, &logged, self.tempo).map(|(opened, _)| {
                            room = Some(opened);
                        })
                    }
                    Some(room) => room.apply(&logged).map(|_| ()),
                };
                let place = format!("event {} of table {table} does not fit", event.sequence);
                fits.map_err(|_| StoreError::Corrupt(place))?;
                entries.push(logged);
                next = event.sequence + 1;
            }
            if page.len() < PAGE as usize {
                break;
            }
        }
        Ok((room.ok_or(TableError::NotFound)?, entries))
    }

    /// Lets a player in who has the table's key.
    pub async fn admit(
        &self,
        table: TableId,
        player: PlayerId,
        key: Key,
    ) -> Result<Result<(), CommandRefusal>, TableError> {
        self.ask(table, TableRequest::Admit { player, key }).await
    }

    /// Asks a table for something, without being connected to it.
    pub(crate) async fn ask(
        &self,
        table: TableId,
        what: TableRequest,
    ) -> Result<Result<(), CommandRefusal>, TableError> {
        let (answer, answered) = oneshot::channel();
        self.send(table, TableMessage::Request { what: Box::new(what), answer }).await?;
        answered.await.map_err(|_| TableError::Stopping)
    }

    /// Tells which matches of contests end from now on: the ledger and the table.
    pub(crate) fn ended(&self) -> broadcast::Receiver<(LedgerId, TableId)> {
        self.shared.ended.subscribe()
    }

    /// Looks at a room.
    pub async fn read<T: Send + 'static>(
        &self,
        table: TableId,
        look: impl FnOnce(&Room) -> T + Send + 'static,
    ) -> Result<T, TableError> {
        let (answer, answered) = oneshot::channel();
        let look = Box::new(move |room: &Room| {
            // Whoever asked may have gone away.
            let _ = answer.send(look(room));
        });
        self.send(table, TableMessage::Read(look)).await?;
        answered.await.map_err(|_| TableError::Stopping)
    }

    /// The record of a match that is over; nothing if there is none, or if its deals are
    /// still being played at another table.
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

    /// The tables that play the same deals as this one; none for most.
    async fn siblings(&self, table: TableId) -> Result<Vec<TableId>, TableError> {
        match self.read(table, |room| room.siblings().to_vec()).await {
            // A table that is closed plays no more.
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

    /// How the same deals went at the tables that play them; nothing if the table plays
    /// its own.
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

    /// The record of a match so far, secrets and all if it is over; nothing if there is
    /// no such match.
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

    /// Closes the tables at which nothing has happened since a time and nobody is, and
    /// forgets those that are not in memory any more. What they played stays.
    pub async fn sweep(&self, quiet_since: Millis) -> Result<usize, TableError> {
        self.tables.forget_gone();
        let quiet = self.store.quiet_tables(quiet_since as i64, PAGE).await?;
        for table in &quiet {
            let close = Input::CloseIfQuiet { since: quiet_since };
            match self.send(*table, TableMessage::Input(Box::new(close))).await {
                // Somebody else was faster.
                Ok(_) | Err(TableError::NotFound) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(quiet.len())
    }

    /// Loads all tables that are open, after a start.
    pub async fn wake_all(&self) -> Result<usize, TableError> {
        let claims = self.store.claim_all_open().await?;
        let count = claims.len();
        // One that was not opened completely has no events.
        for claim in claims.into_iter().filter(|claim| claim.last > 0) {
            let (table, from) = (claim.log.as_table(), claim.checkpoint.unwrap_or(1));
            match self.replay(table, from).await {
                Ok((room, _)) => {
                    // Whoever was faster has claimed it once more, and is right.
                    self.tables.adopt(table, || self.start(room, claim.epoch)).await;
                }
                Err(error) => {
                    tracing::error!(%table, %error, "a table cannot be read")
                }
            }
        }
        Ok(count)
    }

    /// Finishes what is under way, tells everybody, and stores the rest.
    pub async fn stop(&self) {
        self.tables.stop(|done| TableMessage::Stop { done }).await;
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(writer) = writer {
            writer.close().await;
        }
    }
}
