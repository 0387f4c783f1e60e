//! The protocol between the server and whoever keeps a contest or a score sheet, or looks at one:
//! JSON messages over one WebSocket a ledger. `docs/protocol.md` explains it with a transcript.
//!
//! A **ledger** is a list of lines that everybody may read: the header of a [`contest`](crate::contest) or of a
//! score [`sheet`], then what was done, one entry a line. A client gets the lines that it does not
//! have yet, folds them itself, and gets every further line once it is stored. There is nothing
//! else to be told, as there is no secret in a ledger. Who may add what is a matter of the [`Key`] in
//! his link. A wish carries an id of the client's choosing; sent again after a lost answer, it is
//! answered again and not done again.

use contest::sheet::{Sheet, SheetEntry};
use contest::{Contest, ContestEntry, Role};
use ids::Key;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::contest::{ContestChangeText, ContestLog, RefusalText, role_text};
use crate::lines;
use crate::message::{self, Protocol};
use crate::record::RecordFault;
use crate::sheet::{self, SheetChangeText};

pub use crate::message::Unread;
pub use crate::table::CloseReason;

/// The version of the protocol.
pub const VERSION: u32 = 1;

/// The most bytes of a message of a client: a list of all entrants fits.
pub const MAX_BYTES: usize = 256 << 10;

/// The most characters of a wish's id.
pub const MAX_ID: usize = 36;

/// What a client says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum LedgerClientMessage {
    /// The first message; answered by a hello and the lines.
    Hello {
        /// The version of the protocol: [`VERSION`].
        ghinda: u32,
        /// How many lines the client has.
        #[serde(default)]
        since: usize,
        /// What it wants to do here: `organiser`, `referee 2B`, `player 7`; who keeps a
        /// sheet is its organiser. Without it, only to look.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        role: Option<String>,
        /// The key of that role.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<String>,
    },
    /// Something to be done; answered by a done or by a refusal.
    Do {
        /// Any text of 1 to [`MAX_ID`] visible ASCII characters that was not used here before.
        id: String,
        /// What.
        what: LedgerCommand,
    },
    /// Asks for a beat, to know that the other side is there.
    Beat,
}

/// Something that a client wants done.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum LedgerCommand {
    /// A change of a sheet.
    Sheet(SheetChangeText),
    /// A change of a contest; commitments, draws and openings are the server's.
    Contest(ContestChangeText),
    /// The server commits itself to the next draw; the organiser.
    Prepare,
    /// The lots are drawn; the organiser.
    Draw {
        /// What the hall said after the commitment.
        words: Vec<String>,
    },
    /// The match of an online table begins, with bots for those who have not come; the referee.
    Start {
        /// Which table: `2B`.
        table: String,
    },
}

/// What the server says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum LedgerServerMessage {
    /// The answer to a client's hello.
    Hello {
        /// The version of the protocol: [`VERSION`].
        ghinda: u32,
        /// The program that serves.
        server: String,
        /// The server's time.
        time: u64,
        /// What the client may do here: what it asked for, or `public` where the key is not right.
        role: String,
    },
    /// Lines, in order.
    Lines {
        /// How many come before them.
        from: usize,
        /// The lines, each an object.
        lines: Vec<Value>,
    },
    /// A wish is done; the lines that it led to were sent before.
    Done {
        /// Its id.
        id: String,
    },
    /// A wish was refused, and changed nothing.
    Refused {
        /// Its id.
        id: String,
        /// Why.
        refusal: LedgerRefusal,
    },
    /// The answer to a beat.
    Beat {
        /// The server's time.
        time: u64,
    },
    /// What the client sent is no message; in English, for those who write clients.
    Error {
        /// What is wrong with it.
        message: String,
    },
    /// The end of the connection.
    Bye {
        /// Why.
        why: CloseReason,
    },
}

/// Why a wish is refused.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LedgerRefusal {
    /// The contest or the sheet refuses it.
    Because(RefusalText),
    /// What was sent cannot be understood; in English, for those who write clients.
    Unreadable(String),
    /// It is no wish for such a ledger.
    OtherLedger,
    /// There is no room for more on such a ledger.
    Full,
    /// The id is empty, too long or strange.
    BadId,
    /// Too many wishes in a short time.
    TooFast,
    /// The server cannot keep it now; nothing is lost, try again.
    Unavailable,
    /// The table is not opened on the server yet, or its match has begun.
    NoTable,
}

const FROM_CLIENT: Protocol =
    Protocol { version: VERSION, most_bytes: MAX_BYTES, types: &["hello", "do", "beat"] };
const FROM_SERVER: Protocol = Protocol {
    version: VERSION,
    // The largest contest with all its sheets, with room to spare.
    most_bytes: 64 << 20,
    types: &["hello", "lines", "done", "refused", "beat", "error", "bye"],
};

impl LedgerClientMessage {
    /// The message of a text.
    pub fn read(text: &str) -> Result<LedgerClientMessage, Unread> {
        FROM_CLIENT.read(text)
    }

    /// The message as JSON.
    pub fn text(&self) -> String {
        message::text(self)
    }
}

impl LedgerServerMessage {
    /// The message of a text.
    pub fn read(text: &str) -> Result<LedgerServerMessage, Unread> {
        FROM_SERVER.read(text)
    }

    /// The message as JSON.
    pub fn text(&self) -> String {
        message::text(self)
    }

    /// The message [`ServerMessage::Lines`] of lines that are JSON already.
    pub fn lines_text<'a>(from: usize, lines: impl Iterator<Item = &'a str>) -> String {
        let lines: Vec<&str> = lines.map(str::trim_end).collect();
        format!(r#"{{"type":"lines","from":{from},"lines":[{}]}}"#, lines.join(","))
    }
}

/// A ledger with what its lines lead to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ledger {
    /// A contest.
    Contest(Box<ContestLog>),
    /// A score sheet.
    Sheet(Box<Sheet>),
}

/// An entry of a ledger of either kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LedgerEntry {
    /// Of a contest.
    Contest(ContestEntry),
    /// Of a score sheet.
    Sheet(SheetEntry),
}

/// An entry does not fit the ledger. Nothing has changed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("an entry does not fit its ledger: {0}")]
pub struct EntryMisfit(String);

impl LedgerEntry {
    /// Its line, without the end of the line.
    pub fn line(&self) -> String {
        let mut line = match self {
            LedgerEntry::Contest(entry) => crate::contest::entry_line(entry),
            LedgerEntry::Sheet(entry) => sheet::entry_line(entry),
        };
        line.truncate(line.trim_end().len());
        line
    }
}

impl Ledger {
    /// The ledger of a first line.
    pub fn from_header(line: &str) -> Result<Ledger, RecordFault> {
        let value: Value = lines::read(1, line)?;
        if value.get("ghinda_sheet").is_some() {
            return sheet::from_header(1, line).map(|sheet| Ledger::Sheet(Box::new(sheet)));
        }
        ContestLog::from_header(1, line).map(|log| Ledger::Contest(Box::new(log)))
    }

    /// The ledger of some lines. Everything is checked again.
    pub fn from_lines(text: &str) -> Result<Ledger, RecordFault> {
        let mut told = lines::told(text);
        let (_, first) = told.next().ok_or_else(|| lines::wrong(1, "expected a header"))?;
        let mut ledger = Ledger::from_header(first)?;
        told.try_for_each(|(at, line)| ledger.add(at, line))?;
        Ok(ledger)
    }

    /// Adds what a line tells, if it fits. The line's number is for what is said if it does not.
    pub fn add(&mut self, at: usize, line: &str) -> Result<(), RecordFault> {
        match self {
            Ledger::Contest(log) => log.add_line(at, line),
            Ledger::Sheet(sheet) => sheet::add_line(sheet, at, line),
        }
    }

    /// Adds an entry that was decided on this ledger.
    pub fn apply(&mut self, entry: LedgerEntry) -> Result<(), EntryMisfit> {
        match (self, entry) {
            (Ledger::Contest(log), LedgerEntry::Contest(entry)) => {
                log.add(entry).map_err(|refusal| EntryMisfit(refusal.to_string()))
            }
            (Ledger::Sheet(sheet), LedgerEntry::Sheet(entry)) => {
                sheet.apply(entry).map_err(|refusal| EntryMisfit(refusal.to_string()))
            }
            _ => Err(EntryMisfit("it belongs to a ledger of another kind".into())),
        }
    }

    /// How many lines it has, its header counted.
    pub fn len(&self) -> usize {
        1 + match self {
            Ledger::Contest(log) => log.entries.len(),
            Ledger::Sheet(sheet) => sheet.log().len(),
        }
    }

    /// Whether nothing was added to its header.
    pub fn is_empty(&self) -> bool {
        self.len() == 1
    }

    /// Its lines.
    pub fn to_lines(&self) -> String {
        match self {
            Ledger::Contest(log) => log.to_lines(),
            Ledger::Sheet(sheet) => sheet::to_lines(sheet),
        }
    }

    /// The contest, if it is one.
    pub fn contest(&self) -> Option<&Contest> {
        match self {
            Ledger::Contest(log) => Some(&log.contest),
            Ledger::Sheet(_) => None,
        }
    }

    /// The sheet, if it is one.
    pub fn sheet(&self) -> Option<&Sheet> {
        match self {
            Ledger::Contest(_) => None,
            Ledger::Sheet(sheet) => Some(sheet),
        }
    }
}

/// The key of a role, which follows from the organiser's, so that he can write every link himself: the
/// first half of the SHA-256 of his key and the role.
pub fn role_key(organiser: Key, role: Role) -> Key {
    if role == Role::Organiser {
        return organiser;
    }
    let told = Sha256::new().chain_update(organiser.bytes()).chain_update(role_text(role));
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&told.finalize()[..16]);
    Key::new(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use contest::ContestTableId;

    const SHEET: &str =
        r#"{"ghinda_sheet":1,"rules":"whist3","names":["Ana","Ion","Eva"],"dealer":1}"#;
    const CONTEST: &str =
        r#"{"ghinda_contest":1,"title":"Cupa","word":"cupa","rules":"contest","venue":"hall"}"#;
    const BID: &str = r#"{"at":"2026-11-16T09:30:00.250Z","did":"bid","bid":1}"#;

    #[test]
    fn a_header_says_what_a_ledger_is() {
        assert!(Ledger::from_header(SHEET).unwrap().sheet().is_some());
        assert!(Ledger::from_header(CONTEST).unwrap().contest().is_some());
        for wrong in ["", "{}", "[]", BID, r#"{"ghinda_record":1}"#] {
            assert!(Ledger::from_lines(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_line_that_does_not_fit_changes_nothing() {
        let mut ledger = Ledger::from_header(SHEET).unwrap();
        assert!(ledger.is_empty());
        ledger.add(2, BID).unwrap();
        let before = ledger.clone();
        let fault = ledger.add(3, &BID.replace("\"bid\":1", "\"bid\":9")).unwrap_err();
        assert_eq!(fault.line, 3);
        assert_eq!((&ledger, ledger.len()), (&before, 2));
        assert_eq!(Ledger::from_lines(&ledger.to_lines()).unwrap(), ledger);
    }

    #[test]
    fn lines_travel_as_they_are() {
        let text = LedgerServerMessage::lines_text(7, [BID, "{}\n"].into_iter());
        let lines = [BID, "{}"].map(|line| serde_json::from_str(line).unwrap()).to_vec();
        assert_eq!(
            LedgerServerMessage::read(&text),
            Ok(LedgerServerMessage::Lines { from: 7, lines })
        );
    }

    #[test]
    fn every_role_has_a_key_of_its_own() {
        let organiser = Key::new([7; 16]);
        let table = |table| Role::Referee(ContestTableId { phase: 0, table });
        let player = |at| Role::Player(contest::Entrant::new(at).unwrap());
        let roles = [Role::Organiser, table(0), table(1), player(0), player(1), Role::House];
        let keys: Vec<String> =
            roles.iter().map(|role| role_key(organiser, *role).to_string()).collect();
        let different: std::collections::BTreeSet<&String> = keys.iter().collect();
        assert_eq!(different.len(), roles.len());
        assert_eq!(keys[0], organiser.to_string());
        // Pinned, as they stand on paper: SHA-256 of sixteen sevens and "referee 1A".
        assert_eq!(keys[1], "b337ae0470179a21302e165b227633f6");
    }
}
