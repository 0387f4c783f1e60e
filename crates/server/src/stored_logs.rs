//! What is read from stored logs and done to them, whether or not a server runs on the database: what a log
//! is called, the record of a match, to close a table, and to erase a player from a log.

use std::ops::ControlFlow;

use game::public::InvalidEvent;
use game::record::Record;
use room::archive::RecordBuilder;
use room::erasure;
use room::log::UnreadableLog;
use room::{Entry, LoggedEntry, Millis, log};
use store::{
    Append, AppendOutcome, AppendStore, Database, EventPages, LinkedWrite, LogId, LogInfo, LogKind,
    NewEvent, PlayerId, Store, StoreError, StoredEvent, TableId,
};
use thiserror::Error;

use crate::ledger;
use crate::random;
use crate::tables::TableError;

/// How often a log is read again that changes while it is rewritten.
const ATTEMPTS: usize = 50;

/// Why a player is not erased from a log, which stays as it was.
#[derive(Debug, Error)]
pub enum ErasureError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// An event cannot be read.
    #[error(transparent)]
    Unreadable(#[from] UnreadableLog),
    /// The events do not fit together.
    #[error("its events do not fit together")]
    Misfit(InvalidEvent),
    /// The log has changed every time.
    #[error("it changes too fast")]
    Busy,
}

/// What a log is called: the rules of a table or a score sheet, the title of a contest. Returns None if it
/// has no events, or cannot be read.
pub async fn label(store: &Database, info: &LogInfo) -> Result<Option<String>, StoreError> {
    let from = match info.kind {
        LogKind::Table => info.checkpoint.unwrap_or(1),
        LogKind::Ledger => 1,
    };
    let events = match store.events(info.log, from, 1).await {
        Err(StoreError::Corrupt(_)) => return Ok(None),
        events => events?,
    };
    let Some(event) = events.first() else { return Ok(None) };
    Ok(match info.kind {
        LogKind::Ledger => ledger::label(&event.body),
        LogKind::Table => match log::decode(event.at_ms as u64, &event.body).map(|it| it.entry) {
            Ok(Entry::Opened(opening)) => Some(opening.rules.code()),
            Ok(Entry::Started(checkpoint)) => Some(checkpoint.opening.rules.code()),
            Ok(_) | Err(_) => None,
        },
    })
}

/// The record of a match so far, with its secret if it is over. Returns None if there is no such match.
pub async fn record(
    store: &Database,
    table: TableId,
    number: u32,
) -> Result<Option<Record>, TableError> {
    let mut builder = None;
    let mut pages = EventPages::new(store, table.into(), 1);
    loop {
        let events = pages.next().await?;
        for event in &events {
            if add_to_record(&mut builder, table, number, event)?.is_break() {
                return Ok(builder.map(RecordBuilder::finish));
            }
        }
        if events.is_empty() {
            return Ok(builder.map(RecordBuilder::finish));
        }
    }
}

/// Adds an event to the record of a match, if the match has begun. Breaks if the record is complete.
fn add_to_record(
    builder: &mut Option<RecordBuilder>,
    table: TableId,
    number: u32,
    event: &StoredEvent,
) -> Result<ControlFlow<()>, TableError> {
    let logged = log::decode(event.at_ms as u64, &event.body)?;
    let misfit = |_| StoreError::Corrupt(format!("the log of {table}"));
    match (builder, &logged.entry) {
        (Some(builder), _) => return Ok(builder.push(&logged).map_err(misfit)?),
        (builder, Entry::Started(checkpoint)) if checkpoint.number == number => {
            let started = RecordBuilder::start(table, event.sequence, &logged);
            *builder = Some(started.map_err(misfit)?);
        }
        (None, _) => {}
    }
    Ok(ControlFlow::Continue(()))
}

/// Closes an open table for good. Its log is not replayed, so that a damaged one can be closed too. The server
/// that owns the table notices at the next event and lets its clients go. Returns false if there is no
/// such open table.
pub async fn close_table(
    store: &Database,
    table: TableId,
    now: Millis,
) -> Result<bool, StoreError> {
    for _ in 0..ATTEMPTS {
        let info = store.find_log(table.into()).await?;
        let Some(info) = info.filter(|info| info.last > 0) else { return Ok(false) };
        let Some(acquired) = store.acquire(LogKind::Table, table.into()).await? else {
            return Ok(false);
        };
        let at = now.max(info.last_ms.unsigned_abs());
        let body = log::encode(&LoggedEntry { at, command: None, entry: Entry::Closed });
        let append = Append {
            log: table.into(),
            epoch: acquired.epoch,
            first: acquired.last + 1,
            events: vec![NewEvent { at_ms: at as i64, body }],
            linked_writes: vec![LinkedWrite::Seats(Vec::new()), LinkedWrite::Closed],
        };
        match store.append(&[append]).await?.first() {
            Some(AppendOutcome::Done) => return Ok(true),
            // A server has acquired it again meanwhile.
            Some(AppendOutcome::Fenced | AppendOutcome::OutOfOrder) => {}
            Some(AppendOutcome::Gone) | None => return Ok(false),
        }
    }
    Err(StoreError::Unavailable("another server takes the table over every time".into()))
}

/// Whether a log names a player. Ledgers name none: they know only roles. A log whose archive is damaged is
/// an [error](StoreError::Corrupt).
pub async fn names_player(
    store: &Database,
    info: &LogInfo,
    player: PlayerId,
) -> Result<bool, StoreError> {
    if info.kind == LogKind::Ledger {
        return Ok(false);
    }
    let events = store.events(info.log, 1, u32::MAX).await?;
    // One that cannot be read may name them: erasing them then says why it fails.
    let changed = erased_events(info.log.as_table(), &events, player);
    Ok(changed.map_or(true, |changed| !changed.is_empty()))
}

/// Whether the digits of a player's number are in any event. They may be there by chance, but a log
/// without them does not name the player and need not be replayed.
fn has_digits(events: &[StoredEvent], player: PlayerId) -> bool {
    let digits = player.get().to_string();
    events.iter().any(|event| event.body.contains(&digits))
}

/// Erases a player from the log of a table: their id is replaced by a fresh one, their names and their
/// chat by a dash. The table is taken over from the server that owns it, which then loads it anew. Returns
/// whether anything has changed.
pub async fn erase_player(
    store: &Database,
    table: TableId,
    player: PlayerId,
) -> Result<bool, ErasureError> {
    for _ in 0..ATTEMPTS {
        let Some(info) = store.find_log(table.into()).await? else { return Ok(false) };
        let events = store.events(LogId::from(table), 1, u32::MAX).await?;
        let changed = erased_events(table, &events, player)?;
        if changed.is_empty() {
            return Ok(false);
        }
        if store.rewrite(&info, changed).await? {
            return Ok(true);
        }
    }
    Err(ErasureError::Busy)
}

/// The events of a table that change when a player is erased. Their new id is drawn here, another one for
/// each table.
fn erased_events(
    table: TableId,
    events: &[StoredEvent],
    player: PlayerId,
) -> Result<Vec<StoredEvent>, ErasureError> {
    if !has_digits(events, player) {
        return Ok(Vec::new());
    }
    let entries = events.iter().map(|event| log::decode(event.at_ms as u64, &event.body));
    let entries = entries.collect::<Result<Vec<_>, _>>()?;
    let replacement = PlayerId::from_random(random::bits());
    let changed = erasure::erase(table, &entries, player, replacement);
    let changed = changed.map_err(ErasureError::Misfit)?;
    let stored = |(at, logged): (usize, LoggedEntry)| StoredEvent {
        body: log::encode(&logged),
        ..events[at].clone()
    };
    Ok(changed.into_iter().map(stored).collect())
}
