//! What is appended to a table's list of events, and what comes back.

use crate::accounts::Cursor;
use crate::id::{Epoch, LogId, PlayerId, TableId};

/// Some events of one table that are stored together or not at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Append {
    /// The table.
    pub log: LogId,
    /// The epoch in which its owner claimed it.
    pub epoch: Epoch,
    /// The sequence of the first event; those of a table count from 1.
    pub first: u64,
    /// The events, in their order.
    pub events: Vec<NewEvent>,
    /// What else follows from them.
    pub notes: Vec<LinkedWrite>,
}

/// One event to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEvent {
    /// When it happened, in milliseconds since 1970.
    pub at_ms: i64,
    /// What happened, in the server's words.
    pub body: String,
}

/// Something that is stored in the same transaction as the events it follows from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkedWrite {
    /// A replay may begin at the event of this sequence: it carries everything before it.
    Checkpoint(u64),
    /// A match has ended, for the histories of its players.
    Finished(FinishedMatch),
    /// Nothing more will happen at this table.
    Closed,
}

/// A match that has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinishedMatch {
    /// The how-manyeth match of its table.
    pub number: u32,
    /// The rules, by their code.
    pub rules: String,
    /// When it ended, in milliseconds since 1970.
    pub ended_ms: i64,
    /// Who sat where.
    pub seats: Vec<FinishedSeat>,
    /// A little JSON for lists of matches, in the server's words.
    pub summary: String,
}

/// One seat of a match that has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinishedSeat {
    /// None for bots, and for those who were nobody to the server.
    pub player: Option<PlayerId>,
    /// The name shown during the match.
    pub name: String,
}

/// A match that has ended, as a history tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastMatch {
    /// Its table.
    pub table: TableId,
    /// The match.
    pub finished: FinishedMatch,
}

/// What became of an [`Append`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Appended {
    /// It is stored, and on the disk.
    Done,
    /// Not stored: the table has another owner, with a newer epoch.
    Fenced,
    /// Not stored: the first event is not the next one of the table, or a note speaks of an event
    /// that is not there.
    OutOfOrder,
    /// Not stored: there is no such table, or it is closed.
    Gone,
}

/// An event as it was stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredEvent {
    /// Its place in the table's list, from 1.
    pub sequence: u64,
    /// When it happened, in milliseconds since 1970.
    pub at_ms: i64,
    /// What happened, in the server's words.
    pub body: String,
}

/// A table that now belongs to whoever claimed it: nobody else can append to it any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClaimedLog {
    /// The table.
    pub log: LogId,
    /// The epoch to append with.
    pub epoch: Epoch,
    /// The sequence of the last event, 0 when there is none.
    pub last: u64,
    /// The sequence at which a replay may begin.
    pub checkpoint: Option<u64>,
}

impl Append {
    /// About what it costs to store, for the bounds of a batch.
    pub(crate) fn size(&self) -> usize {
        const ROW: usize = 64;
        let events: usize = self.events.iter().map(|event| ROW + event.body.len()).sum();
        let notes = self.notes.iter().map(|note| match note {
            LinkedWrite::Finished(finished) => {
                let names: usize = finished.seats.iter().map(|seat| ROW + seat.name.len()).sum();
                ROW + finished.rules.len() + finished.summary.len() + names
            }
            LinkedWrite::Checkpoint(_) | LinkedWrite::Closed => 0,
        });
        ROW + events + notes.sum::<usize>()
    }
}

impl PastMatch {
    /// Where the next page of a history goes on after this match.
    pub fn cursor(&self) -> Cursor {
        let FinishedMatch { number, ended_ms, .. } = self.finished;
        Cursor { ended_ms, table: self.table, number }
    }
}
