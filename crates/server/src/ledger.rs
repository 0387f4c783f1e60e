//! All ledgers of a server: contests and score sheets, and the way to each of them.
//!
//! Like a table, a ledger is in memory while somebody is there; otherwise it is in the store, and
//! is claimed and replayed when somebody asks for it. `book` has its lines and its secrets,
//! `scribe` is the one task that writes it, `house` plays the host of online contests.

mod contest_host;
mod state;
mod task;

use std::sync::Arc;

use contest::Role;
use room::Key;
use store::{
    Append, Appended, Database, LedgerId, LogKind, NewEvent, PlayerId, Store, StoreError, TableId,
};
use thiserror::Error;
use tokio::sync::oneshot;
use wire::ledger::Ledger;

use crate::random;
use crate::tables::{TableError, TableRegistry};
use crate::task_registry::{Stopping, TaskRegistry};
use state::{LedgerEvent, LedgerState, UnreadableLedger};

pub(crate) use task::{LedgerHandle, LedgerMessage, NewSubscriber};

/// How many events are read at once.
const PAGE: u32 = 1_000;

/// Why a ledger cannot be had.
#[derive(Debug, Error)]
pub(crate) enum LedgerError {
    /// There is no such ledger.
    #[error("there is no such ledger")]
    NotFound,
    /// The store does not answer.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// What is stored cannot be read.
    #[error(transparent)]
    Unreadable(#[from] UnreadableLedger),
    /// The server is being stopped.
    #[error("the server is being stopped")]
    Stopping,
}

impl From<Stopping> for LedgerError {
    fn from(_: Stopping) -> LedgerError {
        LedgerError::Stopping
    }
}

/// All ledgers.
pub(crate) struct LedgerRegistry {
    store: Arc<Database>,
    hall: Arc<TableRegistry>,
    ledgers: TaskRegistry<LedgerId, LedgerMessage>,
}

impl LedgerRegistry {
    /// An empty shelf over a store.
    pub(crate) fn new(store: Arc<Database>, hall: Arc<TableRegistry>) -> LedgerRegistry {
        LedgerRegistry { store, hall, ledgers: TaskRegistry::default() }
    }

    /// Keeps a ledger from now on, and tells its name and the organiser's key.
    pub(crate) async fn open(&self, ledger: &Ledger) -> Result<(LedgerId, Key), LedgerError> {
        // Those that nobody has looked at for a while are forgotten now and then.
        self.ledgers.forget_gone();
        let (id, key) = (LedgerId::from_random(random::bits()), Key::new(random::bytes()));
        let at_ms = self.hall.clock().now_ms();
        let epoch = self.store.create(LogKind::Ledger, id.into(), at_ms).await?;
        let lines = ledger.to_lines();
        let kept = lines.lines().enumerate().map(|(at, line)| match at {
            0 => LedgerEvent::Opened { key, line: line.into() },
            _ => LedgerEvent::Did { id: None, line: line.into() },
        });
        let events = kept.map(|kept| NewEvent { at_ms, body: kept.text() }).collect();
        let append = Append { log: id.into(), epoch, first: 1, events, notes: Vec::new() };
        match self.hall.queue().append(append).await? {
            Appended::Done => Ok((id, key)),
            Appended::Fenced | Appended::OutOfOrder | Appended::Gone => Err(LedgerError::NotFound),
        }
    }

    /// Sends a post to a ledger, wherever it is, and returns the way to it.
    pub(crate) async fn send(
        &self,
        id: LedgerId,
        message: LedgerMessage,
    ) -> Result<LedgerHandle, LedgerError> {
        self.ledgers.send(id, message, || self.load(id)).await
    }

    /// Takes a ledger from the store.
    async fn load(&self, id: LedgerId) -> Result<LedgerHandle, LedgerError> {
        let claim =
            self.store.claim(LogKind::Ledger, id.into()).await?.ok_or(LedgerError::NotFound)?;
        let mut book: Option<LedgerState> = None;
        let mut next = 1;
        while next <= claim.last {
            let page = self.store.events(id.into(), next, PAGE).await?;
            for event in &page {
                let kept: LedgerEvent = event.body.parse()?;
                match &mut book {
                    None => book = Some(LedgerState::open(&kept)?),
                    Some(book) => book.apply(&kept)?,
                }
                next = event.sequence + 1;
            }
            if page.is_empty() {
                return Err(StoreError::Corrupt(format!("ledger {id} has a gap")).into());
            }
        }
        // One that was not opened completely has no events.
        let book = book.ok_or(LedgerError::NotFound)?;
        Ok(task::start(id, &claim, book, &self.hall))
    }

    /// Gives a player the seat that an online contest has for him, and tells at which table; nothing where
    /// it has none for him.
    pub(crate) async fn sit(
        &self,
        id: LedgerId,
        asks: (Role, Key),
        player: PlayerId,
    ) -> Result<Option<TableId>, LedgerError> {
        let (answer, answered) = oneshot::channel();
        self.send(id, LedgerMessage::Seat { asks, player, answer }).await?;
        let Some(seat) = answered.await.map_err(|_| LedgerError::Stopping)? else {
            return Ok(None);
        };
        match self.hall.ask(seat.table, seat.question).await {
            Ok(Ok(())) => Ok(Some(seat.table)),
            Ok(Err(_)) | Err(TableError::NotFound) => Ok(None),
            Err(TableError::Store(error)) => Err(error.into()),
            Err(TableError::Unreadable(_) | TableError::Stopping) => Err(LedgerError::Stopping),
        }
    }

    /// All lines of a ledger.
    pub(crate) async fn lines(&self, id: LedgerId) -> Result<String, LedgerError> {
        let (answer, answered) = oneshot::channel();
        self.send(id, LedgerMessage::Read { answer }).await?;
        answered.await.map_err(|_| LedgerError::Stopping)
    }

    /// Finishes what is under way and tells everybody.
    pub(crate) async fn stop(&self) {
        self.ledgers.stop(|done| LedgerMessage::Stop { done }).await;
    }
}
