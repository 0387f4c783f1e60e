//! From the log of a table to the record of a match.

use std::ops::ControlFlow;

use game::fair::Secret;
use game::public::InvalidEvent;
use game::record::{Name, Record};
use ids::TableId;

use crate::room::{CheckpointSeat, Entry, LoggedEntry, Room, Timings};

/// Makes the record of a match from its entries, one after the other: of a long log it keeps no more than the
/// record needs.
///
/// The record shows the cards. Where several tables play the same deals, the caller must make sure
/// that all of them are over before it shows the record.
#[derive(Debug)]
pub struct RecordBuilder {
    room: Room,
    record: Record,
    secret: Secret,
}

impl RecordBuilder {
    /// Begins with the entry that began the match, and its version.
    pub fn start(
        table: TableId,
        version: u64,
        started: &LoggedEntry,
    ) -> Result<RecordBuilder, InvalidEvent> {
        let Entry::Started(checkpoint) = &started.entry else { return Err(InvalidEvent) };
        let (room, _) = Room::open(table, version, started, Timings::default())?;
        let (rules, words) = (checkpoint.opening.rules, checkpoint.words);
        let name = room.match_name(checkpoint.number);
        let secret = checkpoint.opening.secret;
        let mut record = Record::new(rules, name, secret.commit(&name, &rules), words);
        for (name_in_record, seat) in record.names.iter_mut().zip(&checkpoint.seats) {
            *name_in_record = match seat {
                CheckpointSeat::Person { name, .. } => Some(name.clone()),
                CheckpointSeat::Bot(level) => level.name().parse::<Name>().ok(),
            };
        }
        Ok(RecordBuilder { room, record, secret })
    }

    /// Adds the next entry. Breaks if the match is over, or if another one begins: then further entries change
    /// nothing.
    pub fn push(&mut self, logged: &LoggedEntry) -> Result<ControlFlow<()>, InvalidEvent> {
        if self.record.won.is_some() || matches!(logged.entry, Entry::Started(_)) {
            return Ok(ControlFlow::Break(()));
        }
        let transition = self.room.apply(logged)?;
        transition.note_in(&mut self.record, &self.room)?;
        if self.record.won.is_none() {
            return Ok(ControlFlow::Continue(()));
        }
        self.record.secret = Some(self.secret);
        Ok(ControlFlow::Break(()))
    }

    /// The record up to the last entry. It holds the secret only if the match is over.
    pub fn finish(self) -> Record {
        self.record
    }
}

/// The record of a match, from the entry that began it up to its end or to the last entry.
pub fn record<'a>(
    table: TableId,
    version: u64,
    entries: impl IntoIterator<Item = &'a LoggedEntry>,
) -> Result<Record, InvalidEvent> {
    let mut entries = entries.into_iter();
    let started = entries.next().ok_or(InvalidEvent)?;
    let mut builder = RecordBuilder::start(table, version, started)?;
    for logged in entries {
        if builder.push(logged)?.is_break() {
            break;
        }
    }
    Ok(builder.finish())
}
