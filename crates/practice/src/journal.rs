//! The journal of a table: what happened since its match began, in lines that the caller stores.
//!
//! The first line names the table and its random bytes:
//!
//! ```text
//! ghinda practice 1 0r3kq8m2tz 9f86d081884c7d65…
//! ```
//!
//! Each other line is an entry: its number, its time, and its body as in the log of a server
//! ([`room::log`]):
//!
//! ```text
//! 17 1789500000000 {"did":"acted","seat":2,"action":"4b","bot":true}
//! ```
//!
//! The first entry of a match carries all state that still counts, so the journal begins anew there. It
//! is never longer than one match and the chat around it. It holds the secrets of the table: a reader can
//! compute all cards.

use game::fair;
use game::record::Record;
use ids::TableId;
use room::{Entry, LoggedEntry, Millis, Room, Timings, archive, log};
use thiserror::Error;

use crate::random_source::RandomSource;

/// The beginning of a journal.
const HEADING: &str = "ghinda practice 1";
/// The maximum number of entries. The longest match is far shorter. When chat fills the journal, the
/// table refuses all further commands.
pub const MAX_ENTRIES: usize = 1 << 16;
/// The maximum number of bytes in a line.
pub const MAX_LINE_BYTES: usize = 16 << 10;
/// Larger numbers of entries, times and matches are refused: no table writes them, and counting on from
/// them could overflow.
const MAX_COUNTED: u64 = 1 << 53;
const MAX_MATCHES: u32 = 1 << 24;

/// The new lines of a journal.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct JournalUpdate {
    /// Whether these lines are the whole journal and replace the stored ones. Otherwise they are appended.
    pub replaces: bool,
    /// The lines.
    pub lines: Vec<String>,
}

/// A journal that cannot be resumed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line} of the journal cannot be used: {why}")]
pub struct UnusableJournal {
    /// The first line that cannot be used, counted from 1. The lines before it, if any, form a journal.
    pub line: usize,
    /// What is wrong with it.
    pub why: String,
}

/// What happened at a table since its match began, or since the table was opened.
#[derive(Clone, Debug)]
pub(crate) struct MatchJournal {
    table: TableId,
    source: RandomSource,
    /// The number of the first entry.
    first: u64,
    entries: Vec<LoggedEntry>,
    /// The lines that the caller has not taken yet.
    update: JournalUpdate,
}

impl MatchJournal {
    /// The empty journal of a table.
    pub(crate) fn new(table: TableId, source: RandomSource) -> MatchJournal {
        MatchJournal {
            table,
            source,
            first: 1,
            entries: Vec::new(),
            update: JournalUpdate::default(),
        }
    }

    pub(crate) fn source(&self) -> RandomSource {
        self.source
    }

    /// The number of the last entry.
    pub(crate) fn last(&self) -> u64 {
        self.first - 1 + self.entries.len() as u64
    }

    /// Whether these entries do not fit any more. The first entry of a match always fits, as the journal
    /// begins anew with it.
    pub(crate) fn is_full(&self, more: &[LoggedEntry]) -> bool {
        let anew = more.iter().any(|logged| logged.entry.is_checkpoint());
        !anew && self.entries.len() + more.len() > MAX_ENTRIES
    }

    /// Writes the next entry.
    pub(crate) fn write(&mut self, logged: &LoggedEntry) {
        let number = self.last() + 1;
        if logged.entry.is_checkpoint() {
            self.first = number;
            self.entries.clear();
            self.update = JournalUpdate { replaces: true, lines: vec![self.heading()] };
        }
        let body = log::encode(logged);
        self.update.lines.push(format!("{number} {} {body}", logged.at));
        self.entries.push(logged.clone());
    }

    fn heading(&self) -> String {
        format!("{HEADING} {} {}", self.table, self.source.reveal())
    }

    /// Takes the lines that are new since the last call.
    pub(crate) fn take_update(&mut self) -> JournalUpdate {
        core::mem::take(&mut self.update)
    }

    /// The record of the match, if the journal begins with a match.
    pub(crate) fn record(&self) -> Option<Record> {
        archive::record(self.table, self.first, &self.entries).ok()
    }

    /// Reads a journal and the room that results. An incomplete last line is left out; the journal is
    /// then stored anew.
    pub(crate) fn read<'a>(
        lines: impl IntoIterator<Item = &'a str>,
        timings: Timings,
    ) -> Result<(MatchJournal, Room), UnusableJournal> {
        let lines = (1..).zip(lines).filter(|(_, line)| !line.trim().is_empty());
        let mut lines = lines.peekable();
        let (top, heading) = lines.next().ok_or_else(|| unusable(1, "the journal is empty"))?;
        let (table, source) = read_heading(heading).map_err(|why| unusable(top, why))?;
        let mut journal = MatchJournal::new(table, source);
        let mut room: Option<Room> = None;
        let mut read_lines = Vec::new();
        while let Some((number, line)) = lines.next() {
            // A line that does not fit may have changed a part of the room.
            let before_last = if lines.peek().is_none() { room.clone() } else { None };
            match (journal.read_line(line, &mut room, timings), before_last) {
                (Ok(()), _) => read_lines.push(line),
                (Err(_), Some(before)) => {
                    room = Some(before);
                    let heading = [journal.heading()].into_iter();
                    let lines = heading.chain(read_lines.iter().map(ToString::to_string)).collect();
                    journal.update = JournalUpdate { replaces: true, lines };
                }
                (Err(why), None) => return Err(unusable(number, why)),
            }
        }
        let room = room.ok_or_else(|| unusable(top + 1, "the journal has no entries"))?;
        Ok((journal, room))
    }

    /// Reads an entry and applies it to the room.
    fn read_line(
        &mut self,
        line: &str,
        room: &mut Option<Room>,
        timings: Timings,
    ) -> Result<(), String> {
        if line.len() > MAX_LINE_BYTES || self.entries.len() == MAX_ENTRIES {
            return Err(format!(
                "a journal has at most {MAX_ENTRIES} entries of {MAX_LINE_BYTES} bytes"
            ));
        }
        let (number, at, body) =
            split_entry(line).ok_or("expected a number, a time and an entry")?;
        let logged = log::decode(at, body).map_err(|error| error.to_string())?;
        if match_number(&logged.entry).is_some_and(|number| number >= MAX_MATCHES) {
            return Err("the number of the match is too large".into());
        }
        let fits = match room {
            None => Room::open(self.table, number, &logged, timings).map(|(opened, _)| {
                self.first = number;
                *room = Some(opened);
            }),
            Some(_) if number != self.last() + 1 => return Err("an entry is missing".into()),
            Some(room) => room.apply(&logged).map(|_| ()),
        };
        fits.map_err(|_| String::from("it does not fit what comes before it"))?;
        self.entries.push(logged);
        Ok(())
    }
}

fn unusable(line: usize, why: impl Into<String>) -> UnusableJournal {
    UnusableJournal { line, why: why.into() }
}

fn read_heading(line: &str) -> Result<(TableId, RandomSource), String> {
    let rest = line.strip_prefix(HEADING).ok_or("it is not a journal of this version")?;
    let (table, source) =
        rest.trim().split_once(' ').ok_or("expected a table and its random bytes")?;
    let table = table.parse().map_err(|error: ids::InvalidId| error.to_string())?;
    let source = source.parse().map_err(|error: fair::InvalidHex| error.to_string())?;
    Ok((table, source))
}

/// The number, the time and the body of an entry.
fn split_entry(line: &str) -> Option<(u64, Millis, &str)> {
    let counted = |text: &str| text.parse().ok().filter(|number| *number < MAX_COUNTED);
    let (number, rest) = line.split_once(' ')?;
    let (at, body) = rest.split_once(' ')?;
    Some((counted(number)?, counted(at)?, body))
}

/// The number of the match that an entry commits to or begins.
fn match_number(entry: &Entry) -> Option<u32> {
    match entry {
        Entry::Committed { number, .. } => Some(*number),
        Entry::Started(checkpoint) => Some(checkpoint.number),
        _ => None,
    }
}
