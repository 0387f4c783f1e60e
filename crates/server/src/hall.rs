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
use room::desk::Letter;
use room::log::Unreadable;
use room::{Entry, Glance, Key, Logged, Millis, Opening, Room, Tempo, archive, log};
use store::{
    Append, Appended, Database, Epoch, Kind, NewEvent, Note, PlayerId, Queue, Store, StoreError,
};
use store::{Session, SessionKind, StoredEvent, TableId, TokenHash, Writer, WriterLimits};
use thiserror::Error;
use tokio::sync::{OnceCell, broadcast, oneshot};
use wire::http::Comparison;
use wire::table::{Pace, Refusal};

use crate::clock::Clock;
use crate::keeper::{self, Handle, Post, Question, Shared};
use crate::random;
use crate::thinkers::Thinkers;

/// How many events are read at once.
const PAGE: u32 = 1_000;
/// How many ends of matches may wait for a contest that is busy; one that misses some looks
/// at all its tables.
const ENDED: usize = 1_024;
/// How many tables can play the same deals.
pub const MOST_SIBLINGS: usize = 16;

/// Why a table cannot be had.
#[derive(Debug, Error)]
pub enum NoTable {
    /// There is no such table, or it is closed.
    #[error("there is no such table")]
    NotFound,
    /// The store does not answer.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// What is stored cannot be read.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// The server is being stopped.
    #[error("the server is being stopped")]
    Stopping,
}

/// How a table is to be.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The rules of its matches.
    pub rules: Rules,
    /// The clock.
    pub pace: Pace,
    /// Whether the lobby shows it.
    pub listed: bool,
    /// The ledger of the contest to which it belongs.
    pub contest: Option<TableId>,
}

/// All tables of a server.
pub struct Hall {
    store: Arc<Database>,
    writer: Mutex<Option<Writer>>,
    shared: Shared,
    tempo: Tempo,
    tables: Mutex<BTreeMap<TableId, Arc<OnceCell<Handle>>>>,
    stopping: std::sync::atomic::AtomicBool,
}

/// What everybody may know of the tables without asking them.
#[derive(Debug, Default)]
pub struct Listing {
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    listed: BTreeMap<TableId, Glance>,
    seated: BTreeMap<PlayerId, BTreeSet<TableId>>,
    seats: BTreeMap<TableId, Vec<PlayerId>>,
}

impl Listing {
    fn lock(&self) -> MutexGuard<'_, Known> {
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
            known.listed.insert(table, room.glance());
        } else {
            known.listed.remove(&table);
        }
        if room.is_closed() {
            known.seats.remove(&table);
        }
    }

    /// The tables that the lobby shows, newest first, at most so many.
    pub fn lobby(&self, most: usize) -> Vec<Glance> {
        let known = self.lock();
        let mut glances: Vec<&Glance> = known.listed.values().collect();
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

impl Hall {
    /// The hall of a store.
    pub fn new(
        store: Arc<Database>,
        thinkers: NonZeroUsize,
        tempo: Tempo,
    ) -> std::io::Result<Hall> {
        let writer = Writer::start(store.clone(), WriterLimits::default());
        let shared = Shared {
            queue: writer.queue(),
            thinkers: Thinkers::start(thinkers)?,
            clock: Clock::start(),
            listing: Arc::new(Listing::default()),
            ended: broadcast::channel(ENDED).0,
            fresh: random::secret,
        };
        Ok(Hall {
            store,
            writer: Mutex::new(Some(writer)),
            shared,
            tempo,
            tables: Mutex::default(),
            stopping: false.into(),
        })
    }

    /// The way to the writer of the store.
    pub(crate) fn queue(&self) -> Queue {
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
    pub fn listing(&self) -> &Listing {
        &self.shared.listing
    }

    /// Opens a table.
    pub async fn open(&self, plan: &Plan, host: PlayerId) -> Result<TableId, NoTable> {
        let tables = self.open_all(plan, host, 1).await?;
        tables.first().copied().ok_or(NoTable::NotFound)
    }

    /// Opens some tables that play the same deals.
    pub async fn open_all(
        &self,
        plan: &Plan,
        host: PlayerId,
        count: usize,
    ) -> Result<Vec<TableId>, NoTable> {
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

    async fn create(&self, table: TableId, opening: Opening) -> Result<(), NoTable> {
        let at = self.shared.clock.now();
        let epoch = self.store.create(Kind::Table, table, at as i64).await?;
        let rules = opening.rules;
        let logged = Logged { at, command: None, entry: Entry::Opened(Box::new(opening)) };
        let body = log::encode(&logged, &rules);
        let append = Append {
            table,
            epoch,
            first: 1,
            events: vec![NewEvent { at_ms: at as i64, body }],
            notes: vec![Note::Checkpoint(1)],
        };
        match self.shared.queue.append(append).await? {
            Appended::Done => {}
            Appended::Fenced | Appended::OutOfOrder | Appended::Gone => {
                return Err(NoTable::NotFound);
            }
        }
        let (room, _) = Room::open(table, 1, &logged, self.tempo).map_err(|_| NoTable::NotFound)?;
        let handle = keeper::start(room, epoch, self.shared.clone());
        self.tables().insert(table, Arc::new(OnceCell::new_with(Some(handle))));
        Ok(())
    }

    fn tables(&self) -> MutexGuard<'_, BTreeMap<TableId, Arc<OnceCell<Handle>>>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a post to a table, wherever it is, and returns the way to it.
    pub(crate) async fn send(&self, table: TableId, mut post: Post) -> Result<Handle, NoTable> {
        // A keeper may give up just before it gets the post; then the table is loaded
        // anew, and once is enough.
        for _ in 0..3 {
            let handle = self.handle(table).await?;
            match handle.send(post).await {
                Ok(()) => return Ok(handle),
                Err(unsent) => post = unsent,
            }
        }
        Err(NoTable::Stopping)
    }

    async fn handle(&self, table: TableId) -> Result<Handle, NoTable> {
        if self.stopping.load(std::sync::atomic::Ordering::Acquire) {
            return Err(NoTable::Stopping);
        }
        let cell = {
            let mut tables = self.tables();
            let cell = tables.entry(table).or_default();
            if cell.get().is_some_and(Handle::is_gone) {
                *cell = Arc::default();
            }
            cell.clone()
        };
        // To load takes much room for a while, and every connection would keep it.
        let loaded = cell.get_or_try_init(|| Box::pin(self.load(table))).await.cloned();
        if loaded.is_err() {
            let mut tables = self.tables();
            if tables.get(&table).is_some_and(|known| known.get().is_none()) {
                tables.remove(&table);
            }
        }
        loaded
    }

    /// Takes a table from the store.
    async fn load(&self, table: TableId) -> Result<Handle, NoTable> {
        let claim = self.store.claim(Kind::Table, table).await?.ok_or(NoTable::NotFound)?;
        let (room, _) = self.replay(table, claim.checkpoint.unwrap_or(1)).await?;
        if room.version() != claim.last {
            return Err(StoreError::Corrupt(format!("table {table} has a gap")).into());
        }
        Ok(self.keep(room, claim.epoch))
    }

    fn keep(&self, room: Room, epoch: Epoch) -> Handle {
        keeper::start(room, epoch, self.shared.clone())
    }

    /// The room that the stored entries lead to, and the entries, from one on.
    async fn replay(&self, table: TableId, from: u64) -> Result<(Room, Vec<Logged>), NoTable> {
        let mut room: Option<Room> = None;
        let mut entries = Vec::new();
        let mut next = from;
        loop {
            let page: Vec<StoredEvent> = self.store.events(table, next, PAGE).await?;
            for event in &page {
                let rules = room.as_ref().map(|room| *room.rules());
                let logged = log::decode(event.at_ms as u64, &event.body, rules.as_ref())?;
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
        Ok((room.ok_or(NoTable::NotFound)?, entries))
    }

    /// Lets a player in who has the table's key.
    pub async fn knock(
        &self,
        table: TableId,
        player: PlayerId,
        key: Key,
    ) -> Result<Result<(), Refusal>, NoTable> {
        self.ask(table, Question::Enter { player, key }).await
    }

    /// Asks a table for something, without being connected to it.
    pub(crate) async fn ask(
        &self,
        table: TableId,
        what: Question,
    ) -> Result<Result<(), Refusal>, NoTable> {
        let (answer, answered) = oneshot::channel();
        self.send(table, Post::Asks { what: Box::new(what), answer }).await?;
        answered.await.map_err(|_| NoTable::Stopping)
    }

    /// Tells which matches of contests end from now on: the ledger and the table.
    pub(crate) fn ended(&self) -> broadcast::Receiver<(TableId, TableId)> {
        self.shared.ended.subscribe()
    }

    /// Looks at a room.
    pub async fn look<T: Send + 'static>(
        &self,
        table: TableId,
        look: impl FnOnce(&Room) -> T + Send + 'static,
    ) -> Result<T, NoTable> {
        let (answer, answered) = oneshot::channel();
        let look = Box::new(move |room: &Room| {
            // Whoever asked may have gone away.
            let _ = answer.send(look(room));
        });
        self.send(table, Post::Look(look)).await?;
        answered.await.map_err(|_| NoTable::Stopping)
    }

    /// The record of a match that is over; nothing if there is none, or if its deals are
    /// still being played at another table.
    pub async fn finished_record(
        &self,
        table: TableId,
        number: u32,
    ) -> Result<Option<Record>, NoTable> {
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
    async fn siblings(&self, table: TableId) -> Result<Vec<TableId>, NoTable> {
        match self.look(table, |room| room.siblings().to_vec()).await {
            // A table that is closed plays no more.
            Err(NoTable::NotFound) => Ok(Vec::new()),
            siblings => siblings,
        }
    }

    async fn are_over(&self, tables: &[TableId]) -> Result<bool, NoTable> {
        for table in tables {
            match self.look(*table, Room::is_over).await {
                Ok(true) | Err(NoTable::NotFound) => {}
                Ok(false) => return Ok(false),
                Err(error) => return Err(error),
            }
        }
        Ok(true)
    }

    /// How the same deals went at the tables that play them; nothing if the table plays
    /// its own.
    pub async fn compare(&self, table: TableId) -> Result<Option<Comparison>, NoTable> {
        let siblings = self.look(table, |room| room.siblings().to_vec()).await?;
        if siblings.is_empty() {
            return Ok(None);
        }
        let mut changes: Vec<Vec<Vec<i16>>> = Vec::new();
        for sibling in &siblings {
            let played =
                |room: &Room| room.deals().iter().map(|deal| deal.change.clone()).collect();
            changes.push(self.look(*sibling, played).await?);
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
    pub async fn record(&self, table: TableId, number: u32) -> Result<Option<Record>, NoTable> {
        let mut rules = None;
        let (mut from, mut found): (u64, Option<u64>) = (1, None);
        let mut entries: Vec<Logged> = Vec::new();
        loop {
            let page = self.store.events(table, from, PAGE).await?;
            for event in &page {
                let logged = log::decode(event.at_ms as u64, &event.body, rules.as_ref())?;
                match &logged.entry {
                    Entry::Opened(opening) => rules = Some(opening.rules),
                    Entry::Settings { rules: new, .. } => rules = Some(*new),
                    Entry::Started(roster) => {
                        rules = Some(roster.opening.rules);
                        if found.is_some() {
                            break;
                        }
                        if roster.number == number {
                            found = Some(event.sequence);
                        }
                    }
                    _ => {}
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
    pub async fn sweep(&self, quiet_since: Millis) -> Result<usize, NoTable> {
        self.tables().retain(|_, table| !table.get().is_some_and(Handle::is_gone));
        let quiet = self.store.quiet_tables(quiet_since as i64, PAGE).await?;
        for table in &quiet {
            let close = Letter::CloseIfQuiet { since: quiet_since };
            match self.send(*table, Post::Letter(Box::new(close))).await {
                // Somebody else was faster.
                Ok(_) | Err(NoTable::NotFound) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(quiet.len())
    }

    /// Loads all tables that are open, after a start.
    pub async fn wake_all(&self) -> Result<usize, NoTable> {
        let claims = self.store.claim_all_open().await?;
        let count = claims.len();
        // One that was not opened completely has no events.
        for claim in claims.into_iter().filter(|claim| claim.last > 0) {
            let from = claim.checkpoint.unwrap_or(1);
            match self.replay(claim.table, from).await {
                Ok((room, _)) => {
                    let cell = self.tables().entry(claim.table).or_default().clone();
                    // Whoever was faster has claimed it once more, and is right.
                    let _ = cell.get_or_init(|| async { self.keep(room, claim.epoch) }).await;
                }
                Err(error) => {
                    tracing::error!(table = %claim.table, %error, "a table cannot be read")
                }
            }
        }
        Ok(count)
    }

    /// Finishes what is under way, tells everybody, and stores the rest.
    pub async fn stop(&self) {
        self.stopping.store(true, std::sync::atomic::Ordering::Release);
        let handles: Vec<Handle> = {
            let tables = self.tables();
            tables.values().filter_map(|cell| cell.get().cloned()).collect()
        };
        let mut waiting = Vec::new();
        for handle in handles {
            let (done, finished) = oneshot::channel();
            if handle.send(Post::Stop { done }).await.is_ok() {
                waiting.push(finished);
            }
        }
        for finished in waiting {
            let _ = finished.await;
        }
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(writer) = writer {
            writer.close().await;
        }
    }
}
