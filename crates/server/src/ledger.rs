//! All ledgers of a server: contests and score sheets, and the way to each of them.
//!
//! Like a table, a ledger is in memory while somebody is there; otherwise it is in the store, and
//! is claimed and replayed when somebody asks for it. `book` has its lines and its secrets,
//! `scribe` is the one task that writes it, `house` plays the host of online contests.

mod book;
mod house;
mod scribe;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use contest::Role;
use room::Key;
use store::{Append, Appended, Database, Kind, NewEvent, PlayerId, Store, StoreError, TableId};
use thiserror::Error;
use tokio::sync::{OnceCell, oneshot};
use wire::ledger::Ledger;

use crate::hall::{Hall, NoTable};
use crate::random;
use book::{Book, Kept, Unreadable};

pub(crate) use scribe::{Handle, Newcomer, Post};

/// How many events are read at once.
const PAGE: u32 = 1_000;

/// Why a ledger cannot be had.
#[derive(Debug, Error)]
pub(crate) enum NoLedger {
    /// There is no such ledger.
    #[error("there is no such ledger")]
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

/// All ledgers.
pub(crate) struct Shelf {
    store: Arc<Database>,
    hall: Arc<Hall>,
    ledgers: Mutex<BTreeMap<TableId, Arc<OnceCell<Handle>>>>,
    stopping: std::sync::atomic::AtomicBool,
}

impl Shelf {
    /// An empty shelf over a store.
    pub(crate) fn new(store: Arc<Database>, hall: Arc<Hall>) -> Shelf {
        Shelf { store, hall, ledgers: Mutex::default(), stopping: false.into() }
    }

    fn ledgers(&self) -> MutexGuard<'_, BTreeMap<TableId, Arc<OnceCell<Handle>>>> {
        self.ledgers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a ledger from now on, and tells its name and the organiser's key.
    pub(crate) async fn open(&self, ledger: &Ledger) -> Result<(TableId, Key), NoLedger> {
        let (name, key) = (TableId::from_random(random::bits()), Key::new(random::bytes()));
        let at_ms = self.hall.clock().now_ms();
        let epoch = self.store.create(Kind::Ledger, name, at_ms).await?;
        let lines = ledger.to_lines();
        let kept = lines.lines().enumerate().map(|(at, line)| match at {
            0 => Kept::Opened { key, line: line.into() },
            _ => Kept::Did { id: None, line: line.into() },
        });
        let events = kept.map(|kept| NewEvent { at_ms, body: kept.text() }).collect();
        let append = Append { table: name, epoch, first: 1, events, notes: Vec::new() };
        match self.hall.queue().append(append).await? {
            Appended::Done => Ok((name, key)),
            Appended::Fenced | Appended::OutOfOrder | Appended::Gone => Err(NoLedger::NotFound),
        }
    }

    /// Sends a post to a ledger, wherever it is, and returns the way to it.
    pub(crate) async fn send(&self, name: TableId, mut post: Post) -> Result<Handle, NoLedger> {
        // A scribe may give up just before it gets the post; then the ledger is loaded
        // anew, and once is enough.
        for _ in 0..3 {
            let handle = self.handle(name).await?;
            match handle.send(post).await {
                Ok(()) => return Ok(handle),
                Err(unsent) => post = unsent,
            }
        }
        Err(NoLedger::Stopping)
    }

    async fn handle(&self, name: TableId) -> Result<Handle, NoLedger> {
        if self.stopping.load(std::sync::atomic::Ordering::Acquire) {
            return Err(NoLedger::Stopping);
        }
        let cell = {
            let mut ledgers = self.ledgers();
            // Those that nobody has looked at for a while are forgotten.
            ledgers.retain(|_, ledger| !ledger.get().is_some_and(Handle::is_gone));
            ledgers.entry(name).or_default().clone()
        };
        let loaded = cell.get_or_try_init(|| Box::pin(self.load(name))).await.cloned();
        if loaded.is_err() {
            let mut ledgers = self.ledgers();
            if ledgers.get(&name).is_some_and(|known| known.get().is_none()) {
                ledgers.remove(&name);
            }
        }
        loaded
    }

    /// Takes a ledger from the store.
    async fn load(&self, name: TableId) -> Result<Handle, NoLedger> {
        let claim = self.store.claim(Kind::Ledger, name).await?.ok_or(NoLedger::NotFound)?;
        let mut book: Option<Book> = None;
        let mut next = 1;
        while next <= claim.last {
            let page = self.store.events(name, next, PAGE).await?;
            for event in &page {
                let kept: Kept = event.body.parse()?;
                match &mut book {
                    None => book = Some(Book::open(&kept)?),
                    Some(book) => book.apply(&kept)?,
                }
                next = event.sequence + 1;
            }
            if page.is_empty() {
                return Err(StoreError::Corrupt(format!("ledger {name} has a gap")).into());
            }
        }
        // One that was not opened completely has no events.
        let book = book.ok_or(NoLedger::NotFound)?;
        Ok(scribe::start(&claim, book, &self.hall))
    }

    /// Gives a player the seat that an online contest has for him, and tells at which table; nothing where
    /// it has none for him.
    pub(crate) async fn sit(
        &self,
        name: TableId,
        asks: (Role, Key),
        player: PlayerId,
    ) -> Result<Option<TableId>, NoLedger> {
        let (answer, answered) = oneshot::channel();
        self.send(name, Post::Sits { asks, player, answer }).await?;
        let Some(seat) = answered.await.map_err(|_| NoLedger::Stopping)? else { return Ok(None) };
        match self.hall.ask(seat.table, seat.question).await {
            Ok(Ok(())) => Ok(Some(seat.table)),
            Ok(Err(_)) | Err(NoTable::NotFound) => Ok(None),
            Err(NoTable::Store(error)) => Err(error.into()),
            Err(NoTable::Unreadable(_) | NoTable::Stopping) => Err(NoLedger::Stopping),
        }
    }

    /// All lines of a ledger.
    pub(crate) async fn lines(&self, name: TableId) -> Result<String, NoLedger> {
        let (answer, answered) = oneshot::channel();
        self.send(name, Post::Reads { answer }).await?;
        answered.await.map_err(|_| NoLedger::Stopping)
    }

    /// Finishes what is under way and tells everybody.
    pub(crate) async fn stop(&self) {
        self.stopping.store(true, std::sync::atomic::Ordering::Release);
        let handles: Vec<Handle> =
            self.ledgers().values().filter_map(|cell| cell.get().cloned()).collect();
        for handle in handles {
            let (done, finished) = oneshot::channel();
            if handle.send(Post::Stop { done }).await.is_ok() {
                let _ = finished.await;
            }
        }
    }
}
