//! What is appended to a log, and what is read back.

use crate::accounts::Cursor;
use crate::id::{Epoch, LogId, LogKind, PlayerId, TableId};

/// Events of one log that are stored together or not at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Append {
    /// The log.
    pub log: LogId,
    /// The epoch of the owner.
    pub epoch: Epoch,
    /// The sequence of the first event; the events of a log are numbered from 1.
    pub first: u64,
    /// The events, in their order.
    pub events: Vec<NewEvent>,
    /// Further writes of the same transaction.
    pub linked_writes: Vec<LinkedWrite>,
}

/// An event to store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEvent {
    /// When it happened, in milliseconds since 1970.
    pub at_ms: i64,
    /// The event, in the server's format.
    pub body: String,
}

/// A write in the same transaction as the events that cause it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkedWrite {
    /// A replay may start at the event of this sequence, which contains everything before it.
    Checkpoint(u64),
    /// A match has ended, for the histories of its players.
    Finished(FinishedMatch),
    /// The players who sit at the table from now on.
    Seats(Vec<PlayerId>),
    /// The table is closed: no more events follow.
    Closed,
}

/// A match that has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinishedMatch {
    /// The number of the match at its table.
    pub number: u32,
    /// The rules, by their code.
    pub rules: String,
    /// When it ended, in milliseconds since 1970.
    pub ended_ms: i64,
    /// The seats.
    pub seats: Vec<FinishedSeat>,
    /// JSON for lists of matches, in the server's format.
    pub summary: String,
}

/// One seat of a match that has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinishedSeat {
    /// The player; `None` for bots and for players without a session.
    pub player: Option<PlayerId>,
    /// The name shown during the match.
    pub name: String,
}

/// A finished match in a history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastMatch {
    /// Its table.
    pub table: TableId,
    /// The match.
    pub finished: FinishedMatch,
}

/// The outcome of an [`Append`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AppendOutcome {
    /// It is stored, and on the disk.
    Done,
    /// Not stored: the log has another owner, with a newer epoch.
    Fenced,
    /// Not stored: the first event is not the next one of the log, or a checkpoint names an event
    /// that does not exist.
    OutOfOrder,
    /// Not stored: there is no such log, or it is closed.
    Gone,
}

/// An event as it was stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredEvent {
    /// Its number in the log, counted from 1.
    pub sequence: u64,
    /// When it happened, in milliseconds since 1970.
    pub at_ms: i64,
    /// The event, in the server's format.
    pub body: String,
}

/// The player who opens a log, and how many of that kind they may have. A closed table does not count, and
/// neither does a ledger that nothing was written to for [30 days](LogOpener::LEDGER_COUNTS_MS).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogOpener {
    /// The player.
    pub player: PlayerId,
    /// The maximum number of their logs, with this one.
    pub max: u32,
}

/// What is known of a log without its events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogInfo {
    /// The log.
    pub log: LogId,
    /// What it belongs to.
    pub kind: LogKind,
    /// The sequence of the last event, 0 if there is none.
    pub last: u64,
    /// The sequence at which a replay may start.
    pub checkpoint: Option<u64>,
    /// Whether it is closed: no more events follow.
    pub closed: bool,
    /// The time of its last event, in milliseconds since 1970; without events when it was created.
    pub last_ms: i64,
    /// The bytes of all its events.
    pub bytes: u64,
    /// The last event that is archived, 0 if none is.
    pub archived: u64,
    /// The epoch of its owner.
    pub epoch: Epoch,
}

/// A log in a list of all logs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListedLog {
    /// What is known of it.
    pub info: LogInfo,
    /// The bytes of its events as they are stored: compressed, where they are archived.
    pub stored_bytes: u64,
}

/// The size of a database, and how much it holds besides logs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DatabaseUsage {
    /// The bytes that the database takes.
    pub bytes: u64,
    /// The finished matches in histories.
    pub finished: u64,
    /// The sessions, expired ones among them.
    pub sessions: u64,
    /// The accounts.
    pub accounts: u64,
}

/// What is stored about a player outside the logs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayerTraces {
    /// The name of their account.
    pub account: Option<String>,
    /// Their sessions.
    pub sessions: u64,
    /// The open tables at which they sit.
    pub seated: u64,
    /// The seats that they had in finished matches.
    pub finished: u64,
    /// The logs that they have opened.
    pub opened: u64,
}

/// What happens to logs that nothing is written to for long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retention {
    /// The events of closed tables and of ledgers are compressed.
    Archive,
    /// Closed tables, ledgers, and logs that were never begun are deleted.
    Remove,
    /// Logs that were created and never begun are deleted: they have no event.
    NeverBegun,
}

/// A log that now belongs to the owner who acquired it: no earlier owner can append to it any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AcquiredLog {
    /// The log.
    pub log: LogId,
    /// The epoch to append with.
    pub epoch: Epoch,
    /// The sequence of the last event, 0 if there is none.
    pub last: u64,
    /// The sequence at which a replay may start.
    pub checkpoint: Option<u64>,
}

impl LogOpener {
    /// How long a ledger counts after its last event, in milliseconds.
    pub const LEDGER_COUNTS_MS: i64 = 30 * 24 * 60 * 60 * 1_000;
}

impl Append {
    /// The approximate size in bytes, for the limit of a batch.
    pub(crate) fn size(&self) -> usize {
        const ROW: usize = 64;
        let events: usize = self.events.iter().map(|event| ROW + event.body.len()).sum();
        let writes = self.linked_writes.iter().map(|write| match write {
            LinkedWrite::Finished(finished) => {
                let names: usize = finished.seats.iter().map(|seat| ROW + seat.name.len()).sum();
                ROW + finished.rules.len() + finished.summary.len() + names
            }
            LinkedWrite::Seats(players) => ROW + ROW * players.len(),
            LinkedWrite::Checkpoint(_) | LinkedWrite::Closed => 0,
        });
        ROW + events + writes.sum::<usize>()
    }
}

impl PastMatch {
    /// The position after which the next page of a history starts.
    pub fn cursor(&self) -> Cursor {
        let FinishedMatch { number, ended_ms, .. } = self.finished;
        Cursor { ended_ms, table: self.table, number }
    }
}
