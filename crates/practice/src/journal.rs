//! The book of a table: what happened since its match began, and the journal that a host
//! keeps of it.
//!
//! A journal is lines of text. The first names the table and its random bytes:
//!
//! ```text
//! ghinda practice 1 0r3kq8m2tz 9f86d081884c7d65…
//! ```
//!
//! Each of the others is an entry: its number, when it was made, and what the log of a
//! server would hold ([`room::log`]):
//!
//! ```text
//! 17 1789500000000 {"did":"acted","seat":2,"action":"4b","bot":true}
//! ```
//!
//! A match that begins carries everything that counts of what came before, so a journal
//! begins anew there, and is never longer than one match and the talk around it. It holds
//! the secrets of the table: whoever reads it can know all cards.

use game::fair;
use game::record::Record;
use ids::TableId;
use room::{Entry, LoggedEntry, Millis, Room, Timings, archive, log};
use thiserror::Error;

use crate::random_source::RandomSource;

/// How a journal begins.
const HEADING: &str = "ghinda practice 1";
/// How many entries a journal has at most. The longest match is far shorter; whoever
/// talks until it is full may say and do nothing more.
pub const MAX_ENTRIES: usize = 1 << 16;
/// How many bytes a line of a journal has at most.
pub const MAX_LETTERS: usize = 16 << 10;
/// Numbers of entries, times and matches beyond these were not written here, and could
/// not be counted on from.
const MAX_COUNTED: u64 = 1 << 53;
const MAX_MATCHES: u32 = 1 << 24;

/// What is new in a journal.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct JournalUpdate {
    /// Whether these lines are the whole journal, and those kept before are to be thrown
    /// away. Otherwise they come after those.
    pub anew: bool,
    /// The lines.
    pub lines: Vec<String>,
}

/// A journal from which nothing can go on.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line} of the journal cannot be used: {why}")]
pub struct UnusableJournal {
    /// The first line that is of no use, counted from 1. What stands before it, if
    /// anything, is a journal.
    pub line: usize,
    /// What is wrong with it.
    pub why: String,
}

/// What happened at a table since its match began, or since it was opened.
#[derive(Clone, Debug)]
pub(crate) struct MatchJournal {
    table: TableId,
    source: RandomSource,
    /// The number of the first entry.
    first: u64,
    entries: Vec<LoggedEntry>,
    /// What the host has not taken yet.
    pages: JournalUpdate,
}

impl MatchJournal {
    /// The empty book of a table.
    pub(crate) fn new(table: TableId, source: RandomSource) -> MatchJournal {
        MatchJournal {
            table,
            source,
            first: 1,
            entries: Vec::new(),
            pages: JournalUpdate::default(),
        }
    }

    pub(crate) fn source(&self) -> RandomSource {
        self.source
    }

    /// The number of the last entry.
    pub(crate) fn last(&self) -> u64 {
        self.first - 1 + self.entries.len() as u64
    }

    /// Whether these find no room any more. A match that begins finds some, as the book
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
            self.pages = JournalUpdate { anew: true, lines: vec![self.heading()] };
        }
        let body = log::encode(logged);
        self.pages.lines.push(format!("{number} {} {body}", logged.at));
        self.entries.push(logged.clone());
    }

    fn heading(&self) -> String {
        format!("{HEADING} {} {}", self.table, self.source.reveal())
    }

    /// What is new since the last time.
    pub(crate) fn take_pages(&mut self) -> JournalUpdate {
        core::mem::take(&mut self.pages)
    }

    /// The record of the match, if the book begins with one.
    pub(crate) fn record(&self) -> Option<Record> {
        archive::record(self.table, self.first, &self.entries).ok()
    }

    /// Reads a journal, and what it leads to. A last line that was not written to its end
    /// is left out, and the journal is then to be kept anew.
    pub(crate) fn read<'a>(
        lines: impl IntoIterator<Item = &'a str>,
        tempo: Timings,
    ) -> Result<(MatchJournal, Room), UnusableJournal> {
        let lines = (1..).zip(lines).filter(|(_, line)| !line.trim().is_empty());
        let mut lines = lines.peekable();
        let (top, heading) = lines.next().ok_or_else(|| spoilt(1, "it is empty"))?;
        let (table, source) = read_heading(heading).map_err(|why| spoilt(top, why))?;
        let mut book = MatchJournal::new(table, source);
        let mut room: Option<Room> = None;
        let mut kept = Vec::new();
        while let Some((number, line)) = lines.next() {
            match book.read_line(line, &mut room, tempo) {
                Ok(()) => kept.push(line),
                Err(_) if lines.peek().is_none() && room.is_some() => {
                    let heading = [book.heading()].into_iter();
                    let lines = heading.chain(kept.iter().map(ToString::to_string)).collect();
                    book.pages = JournalUpdate { anew: true, lines };
                }
                Err(why) => return Err(spoilt(number, why)),
            }
        }
        let room = room.ok_or_else(|| spoilt(top + 1, "nothing has happened"))?;
        Ok((book, room))
    }

    /// Reads an entry, and lets it happen.
    fn read_line(
        &mut self,
        line: &str,
        room: &mut Option<Room>,
        tempo: Timings,
    ) -> Result<(), String> {
        if line.len() > MAX_LETTERS || self.entries.len() == MAX_ENTRIES {
            return Err(format!("at most {MAX_ENTRIES} entries of {MAX_LETTERS} bytes"));
        }
        let (number, at, body) = split(line).ok_or("a number, a time and an entry")?;
        let logged = log::decode(at, body).map_err(|error| error.to_string())?;
        if match_number(&logged.entry).is_some_and(|number| number >= MAX_MATCHES) {
            return Err("no table has seen so many matches".into());
        }
        let fits = match room {
            None => Room::open(self.table, number, &logged, tempo).map(|(opened, _)| {
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

fn spoilt(line: usize, why: impl Into<String>) -> UnusableJournal {
    UnusableJournal { line, why: why.into() }
}

fn read_heading(line: &str) -> Result<(TableId, RandomSource), String> {
    let rest = line.strip_prefix(HEADING).ok_or("it is no journal of this version")?;
    let (table, source) = rest.trim().split_once(' ').ok_or("a table and its random bytes")?;
    let table = table.parse().map_err(|error: ids::InvalidId| error.to_string())?;
    let source = source.parse().map_err(|error: fair::InvalidHex| error.to_string())?;
    Ok((table, source))
}

/// The number, the time and the body of an entry.
fn split(line: &str) -> Option<(u64, Millis, &str)> {
    let counted = |text: &str| text.parse().ok().filter(|number| *number < MAX_COUNTED);
    let (number, rest) = line.split_once(' ')?;
    let (at, body) = rest.split_once(' ')?;
    Some((counted(number)?, counted(at)?, body))
}

/// The number of the match that an entry promises or begins.
fn match_number(entry: &Entry) -> Option<u32> {
    match entry {
        Entry::Promised { number, .. } => Some(*number),
        Entry::Started(roster) => Some(roster.number),
        _ => None,
    }
}
