//! The protocol between the server and the clients of a contest or a score sheet: JSON messages
//! over one WebSocket per ledger. `docs/protocol.md` explains it with a transcript.
//!
//! A **ledger** is a public list of lines: the header of a [`contest`](crate::contest) or of a
//! score [`sheet`], then the entries, one a line. A client receives the lines that it does not have
//! yet, folds them itself, and receives every further line once it is stored. A ledger has no
//! secrets, so every client receives the same. The [`Key`] in a link determines what its holder may
//! add. A command has an id that the client chooses. If the client sends it again after a lost
//! answer, the server answers again but does not execute it again.

use contest::sheet::{Sheet, SheetEntry};
use contest::{Contest, ContestEntry, Role};
use game::record::Name;
use ids::Key;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use crate::contest::{ContestChangeText, ContestLog, RefusalText, role_text};
use crate::lines;
use crate::message::{self, Protocol, Versioned};
use crate::record::LineFault;
use crate::sheet::{self, SheetChangeText};

pub use crate::lines::JsonLine;
pub use crate::message::MessageError;
pub use crate::table::CloseReason;

/// The version of the protocol.
pub const VERSION: u32 = 1;

/// The maximum number of bytes in a client's message: a list of all entrants fits.
pub const MAX_BYTES: usize = 256 << 10;

/// The maximum number of characters in a command's id.
pub const MAX_ID: usize = 36;

/// A message from a client.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum LedgerClientMessage {
    /// The first message; answered by a hello and the lines.
    Hello {
        /// The version of the protocol: [`VERSION`].
        ghinda: u32,
        /// The number of lines that the client has.
        #[serde(default)]
        since: usize,
        /// The role that the client wants: `organiser`, `referee 2B`, `player 7`. A sheet has
        /// only an organiser. Without a role the client can only read.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        role: Option<String>,
        /// The key of that role.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<String>,
    },
    /// A command; answered by a done or by a refusal.
    Do {
        /// Any text of 1 to [`MAX_ID`] visible ASCII characters that was not used here before.
        id: String,
        /// The command.
        what: LedgerCommand,
    },
    /// Asks for a beat, to check that the connection works.
    Beat,
}

/// A command of a client.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum LedgerCommand {
    /// Changes a sheet.
    Sheet(SheetChangeText),
    /// Changes a contest. Only the server makes commitments and draws, opens tables, and says what
    /// comes from a file.
    Contest(ContestChangeText),
    /// Makes the server commit to the next draw; for the organiser.
    Prepare,
    /// Draws the lots; for the organiser.
    Draw {
        /// The words from the hall after the commitment.
        words: Vec<String>,
    },
    /// Starts the match of an online table, with bots for absent players; for the referee.
    Start {
        /// The table: `2B`.
        table: String,
    },
}

/// A message from the server.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum LedgerServerMessage {
    /// The answer to a client's hello.
    Hello {
        /// The version of the protocol: [`VERSION`].
        ghinda: u32,
        /// The name and version of the server's program.
        server: String,
        /// The server's time.
        time: u64,
        /// The granted role: the requested one, or `public` if the key is wrong.
        role: String,
    },
    /// Lines, in order.
    Lines {
        /// The number of lines before them.
        from: usize,
        /// The lines, each an object.
        lines: Vec<Value>,
    },
    /// A command is done; the lines that it added were sent before.
    Done {
        /// Its id.
        id: String,
    },
    /// A command was refused and changed nothing.
    Refused {
        /// Its id.
        id: String,
        /// The reason.
        refusal: LedgerRefusal,
    },
    /// The answer to a beat.
    Beat {
        /// The server's time.
        time: u64,
    },
    /// The client's message could not be read.
    Error {
        /// What is wrong with it, in English, for developers of clients.
        message: String,
    },
    /// The end of the connection.
    Bye {
        /// The reason.
        why: CloseReason,
    },
}

/// Why a command is refused.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LedgerRefusal {
    /// The contest or the sheet refuses it.
    Because(RefusalText),
    /// The command cannot be read; the text is in English, for developers of clients.
    Unreadable(String),
    /// The command does not apply to this kind of ledger.
    OtherLedger,
    /// The ledger is full.
    Full,
    /// The id is empty, too long, has invalid characters, or belongs to another command.
    BadId,
    /// Too many commands in a short time.
    TooFast,
    /// The server cannot store it now; nothing is lost, try again.
    Unavailable,
    /// The table is not opened on the server yet, or its match has begun.
    NoTable,
}

impl LedgerRefusal {
    /// Whether nothing would change: the ledger is as the command would have it.
    pub fn is_unchanged(&self) -> bool {
        match self {
            LedgerRefusal::Because(text) => {
                text.refusal().is_some_and(|refusal| refusal.is_unchanged())
            }
            _ => false,
        }
    }
}

const FROM_CLIENT: Protocol =
    Protocol { version: VERSION, max_bytes: MAX_BYTES, types: &["hello", "do", "beat"] };
const FROM_SERVER: Protocol = Protocol {
    version: VERSION,
    // More than the largest contest with all its sheets needs.
    max_bytes: 64 << 20,
    types: &["hello", "lines", "done", "refused", "beat", "error", "bye"],
};

impl Versioned for LedgerClientMessage {
    fn version(&self) -> Option<u32> {
        match self {
            LedgerClientMessage::Hello { ghinda, .. } => Some(*ghinda),
            _ => None,
        }
    }
}

impl LedgerClientMessage {
    /// Reads a message.
    pub fn read(text: &str) -> Result<LedgerClientMessage, MessageError> {
        FROM_CLIENT.read(text)
    }

    /// The message as JSON.
    pub fn text(&self) -> String {
        message::text(self)
    }
}

impl Versioned for LedgerServerMessage {
    fn version(&self) -> Option<u32> {
        match self {
            LedgerServerMessage::Hello { ghinda, .. } => Some(*ghinda),
            _ => None,
        }
    }
}

impl LedgerServerMessage {
    /// Reads a message.
    pub fn read(text: &str) -> Result<LedgerServerMessage, MessageError> {
        FROM_SERVER.read(text)
    }

    /// The message as JSON.
    pub fn text(&self) -> String {
        message::text(self)
    }

    /// The message [`LedgerServerMessage::Lines`] with lines that are JSON already.
    pub fn lines_text<'a>(from: usize, lines: impl Iterator<Item = &'a str>) -> String {
        let lines: Vec<&str> = lines.map(str::trim_end).collect();
        format!(r#"{{"type":"lines","from":{from},"lines":[{}]}}"#, lines.join(","))
    }
}

/// A ledger, with the state that follows from its lines.
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
    /// An entry of a contest.
    Contest(ContestEntry),
    /// An entry of a score sheet.
    Sheet(SheetEntry),
}

/// The entry does not fit the ledger. Nothing has changed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("an entry does not fit its ledger: {0}")]
pub struct EntryMisfit(String);

impl LedgerEntry {
    /// The line of the entry, without the line end.
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
    /// Reads a header; the ledger has no entries yet.
    pub fn from_header<'a>(line: impl Into<JsonLine<'a>>) -> Result<Ledger, LineFault> {
        let header: Value = lines::read(1, line)?;
        if header.get("ghinda_sheet").is_some() {
            return sheet::from_header(1, &header).map(|sheet| Ledger::Sheet(Box::new(sheet)));
        }
        ContestLog::from_header(1, &header).map(|log| Ledger::Contest(Box::new(log)))
    }

    /// Reads a ledger from lines. Everything is checked again.
    pub fn from_lines(text: &str) -> Result<Ledger, LineFault> {
        let mut lines = lines::numbered(text);
        let (_, first) = lines.next().ok_or_else(|| lines::line_fault(1, "expected a header"))?;
        let mut ledger = Ledger::from_header(first)?;
        lines.try_for_each(|(at, line)| ledger.add(at, line))?;
        Ok(ledger)
    }

    /// Adds the entry of a line, if it is valid. The line number `at` appears in the error.
    pub fn add<'a>(&mut self, at: usize, line: impl Into<JsonLine<'a>>) -> Result<(), LineFault> {
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

    /// The number of lines, including the header.
    pub fn len(&self) -> usize {
        1 + match self {
            Ledger::Contest(log) => log.entries.len(),
            Ledger::Sheet(sheet) => sheet.log().len(),
        }
    }

    /// Whether it has only a header.
    pub fn is_empty(&self) -> bool {
        self.len() == 1
    }

    /// The ledger as JSON lines.
    pub fn to_lines(&self) -> String {
        match self {
            Ledger::Contest(log) => log.to_lines(),
            Ledger::Sheet(sheet) => sheet::to_lines(sheet),
        }
    }

    /// All names that its lines bring.
    pub fn names(&self) -> Vec<&Name> {
        match self {
            Ledger::Contest(log) => {
                let changes = log.entries.iter().flat_map(|entry| entry.change.names());
                std::iter::once(log.initial_settings.title()).chain(changes).collect()
            }
            Ledger::Sheet(sheet) => {
                let log = sheet.log().iter();
                let changes = log.flat_map(|entry| [entry.by.as_ref(), entry.change.name()]);
                let changes = changes.flatten();
                sheet.setup().names.iter().chain(changes).collect()
            }
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

/// The key of a role, derived from the organiser's key by the text of the role. So the organiser can
/// make every link.
pub fn role_key(organiser: Key, role: Role) -> Key {
    if role == Role::Organiser { organiser } else { organiser.derive(&role_text(role)) }
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
    fn the_header_determines_the_kind_of_ledger() {
        assert!(Ledger::from_header(SHEET).unwrap().sheet().is_some());
        assert!(Ledger::from_header(CONTEST).unwrap().contest().is_some());
        for wrong in ["", "{}", "[]", BID, r#"{"ghinda_record":1}"#] {
            assert!(Ledger::from_lines(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn an_invalid_line_changes_nothing() {
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
    fn faults_quote_little() {
        let long = "x".repeat(5_000);
        let lines = [
            format!(r#"{{"{long}":1}}"#),
            CONTEST.replace("\"venue\"", &format!(r#""{long}""#)),
            CONTEST.replace("\"contest\"", &format!(r#""cruce4s{}""#, "-1".repeat(40))),
        ];
        for line in lines {
            let fault = Ledger::from_lines(&line).unwrap_err().to_string();
            assert!(fault.chars().count() < 400, "{fault}");
        }
        let mut ledger = Ledger::from_header(SHEET).unwrap();
        let unknown = BID.replace("\"bid\":1", &format!(r#""{long}":1"#));
        assert!(ledger.add(2, &unknown).unwrap_err().to_string().len() < 400);
    }

    #[test]
    fn lines_are_sent_unchanged() {
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
        let player = |at| Role::Player(contest::EntrantId::new(at).unwrap());
        let roles = [Role::Organiser, table(0), table(1), player(0), player(1), Role::Server];
        let keys: Vec<String> =
            roles.iter().map(|role| role_key(organiser, *role).to_string()).collect();
        let different: std::collections::BTreeSet<&String> = keys.iter().collect();
        assert_eq!(different.len(), roles.len());
        assert_eq!(keys[0], organiser.to_string());
        // Fixed, as links are printed on paper: SHA-256 of sixteen sevens and "referee 1A".
        assert_eq!(keys[1], "b337ae0470179a21302e165b227633f6");
    }
}
