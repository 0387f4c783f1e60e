//! A ledger on its server: the lines that any client may read, and the secrets: the organiser's key,
//! and the secret of the next draw. Pure.

use std::collections::{BTreeMap, VecDeque};
use std::str::FromStr;

use contest::{Contest, ContestChange, ContestRefusal, Role, urn};
use game::fair::{Commitment, Secret, Word};
use game::record::{InvalidName, Name};
use room::{CommandFingerprint, Key, Millis};
use thiserror::Error;
use wire::contest::RefusalText;
use wire::ledger::{
    EntryMisfit, Ledger, LedgerCommand, LedgerEntry, LedgerRefusal, MAX_ID, role_key,
};
use wire::sheet::SheetChangeText;

use super::line_blocks::LineBlocks;
use crate::quotas::MAX_LEDGER_BYTES;

/// The characters of a key, a secret and a fingerprint in a stored event.
const KEY_BYTES: usize = 32;
const SECRET_BYTES: usize = 64;
const FINGERPRINT_BYTES: usize = 16;

/// An event that is stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum LedgerEvent {
    /// The ledger was opened, with this key and this first line.
    Opened { key: Key, line: String },
    /// The secret of the next draw.
    Secret(Secret),
    /// A line was added: the command that led to it, and the line.
    LineAdded { command: Option<CommandId>, line: String },
}

/// The id that a client has chosen for a command, and what tells the command from others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct CommandId {
    id: String,
    /// None in events of version 0.1.
    fingerprint: Option<CommandFingerprint>,
}

impl CommandId {
    pub(super) fn new(id: &str, command: &LedgerCommand) -> CommandId {
        // Strings, numbers and lists always have a JSON form.
        let json = serde_json::to_string(command).unwrap_or_default();
        CommandId { id: id.into(), fingerprint: Some(CommandFingerprint::of(&json)) }
    }
}

/// Whether a client may choose a text as the id of a command.
pub(super) fn is_valid_id(id: &str) -> bool {
    (1..=MAX_ID).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_graphic())
}

/// Whether the id of a command was used before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum IdUse {
    /// It is new.
    New,
    /// It is the same command, sent again.
    Repeated,
    /// Another command has that id.
    Taken,
}

/// What a command leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum LedgerDecision {
    /// The server stores a secret, to which it commits with the next entry.
    StoreSecret(Secret),
    /// The ledger gets an entry.
    Add {
        /// The command that led to it.
        command: Option<CommandId>,
        /// The entry.
        entry: LedgerEntry,
    },
}

/// A stored event that cannot be read.
#[derive(Debug, Error)]
#[error("an event of a ledger cannot be read: {0}")]
pub(crate) struct UnreadableLedger(String);

impl UnreadableLedger {
    pub(super) fn new(fault: String) -> UnreadableLedger {
        UnreadableLedger(fault)
    }
}

impl LedgerEvent {
    /// The text that is stored: a word, what belongs to it, and the line.
    pub(super) fn text(&self) -> String {
        match self {
            LedgerEvent::Opened { key, line } => format!("opened {key} {line}"),
            LedgerEvent::Secret(secret) => format!("secret {}", secret.reveal()),
            LedgerEvent::LineAdded { command: None, line } => format!("did - {line}"),
            LedgerEvent::LineAdded { command: Some(CommandId { id, fingerprint }), line } => {
                match fingerprint {
                    Some(fingerprint) => format!("done {id} {:016x} {line}", fingerprint.get()),
                    None => format!("did {id} {line}"),
                }
            }
        }
    }
}

impl LedgerEvent {
    /// The bytes of its text.
    fn stored_bytes(&self) -> usize {
        match self {
            LedgerEvent::Opened { line, .. } => "opened  ".len() + KEY_BYTES + line.len(),
            LedgerEvent::Secret(_) => "secret ".len() + SECRET_BYTES,
            LedgerEvent::LineAdded { command: None, line } => "did - ".len() + line.len(),
            LedgerEvent::LineAdded { command: Some(CommandId { id, fingerprint }), line } => {
                let word = match fingerprint {
                    None => "did  ".len(),
                    Some(_) => "done   ".len() + FINGERPRINT_BYTES,
                };
                word + id.len() + line.len()
            }
        }
    }
}

impl FromStr for LedgerEvent {
    type Err = UnreadableLedger;

    fn from_str(text: &str) -> Result<LedgerEvent, UnreadableLedger> {
        // Only its first word: what follows may be a key or a secret, and the error is logged.
        let quoted = text.split(' ').next().unwrap_or_default();
        let unreadable = || UnreadableLedger(quoted.chars().take(20).collect());
        let (word, rest) = text.split_once(' ').ok_or_else(unreadable)?;
        let parts = || rest.split_once(' ').ok_or_else(unreadable);
        Ok(match word {
            "opened" => {
                let (key, line) = parts()?;
                LedgerEvent::Opened {
                    key: key.parse().map_err(|_| unreadable())?,
                    line: line.into(),
                }
            }
            "secret" => LedgerEvent::Secret(rest.parse().map_err(|_| unreadable())?),
            "did" => {
                let (id, line) = parts()?;
                let command = CommandId { id: id.into(), fingerprint: None };
                LedgerEvent::LineAdded {
                    command: (id != "-").then_some(command),
                    line: line.into(),
                }
            }
            "done" => {
                let (id, rest) = parts()?;
                let (fingerprint, line) = rest.split_once(' ').ok_or_else(unreadable)?;
                let fingerprint = u64::from_str_radix(fingerprint, 16).map_err(|_| unreadable())?;
                let fingerprint = Some(CommandFingerprint::new(fingerprint));
                let command = CommandId { id: id.into(), fingerprint };
                LedgerEvent::LineAdded { command: Some(command), line: line.into() }
            }
            _ => return Err(unreadable()),
        })
    }
}

/// A ledger with its secrets.
pub(super) struct LedgerState {
    /// The ledger with all decisions; the last may not be stored yet.
    ledger: Ledger,
    /// The lines that are stored.
    lines: LineBlocks,
    /// The lines that are not stored yet.
    unstored: VecDeque<String>,
    /// The bytes of all events, as they are stored.
    bytes: usize,
    key: Key,
    /// The secret of the last commitment.
    secret: Option<Secret>,
    /// The commands that were done, so that none is done twice: their ids and fingerprints.
    done: BTreeMap<Box<str>, Option<CommandFingerprint>>,
}

impl LedgerState {
    /// The ledger of a first event.
    pub(super) fn open(opened: &LedgerEvent) -> Result<LedgerState, UnreadableLedger> {
        let LedgerEvent::Opened { key, line } = opened else {
            return Err(UnreadableLedger("it does not begin with its opening".into()));
        };
        let ledger =
            Ledger::from_header(line).map_err(|fault| UnreadableLedger(fault.to_string()))?;
        let mut lines = LineBlocks::default();
        lines.push(line);
        Ok(LedgerState {
            ledger,
            lines,
            unstored: VecDeque::new(),
            bytes: opened.stored_bytes(),
            key: *key,
            secret: None,
            done: BTreeMap::new(),
        })
    }

    /// Applies an event that was read from the store.
    pub(super) fn apply(&mut self, event: &LedgerEvent) -> Result<(), UnreadableLedger> {
        self.bytes += event.stored_bytes();
        match event {
            LedgerEvent::Opened { .. } => {
                return Err(UnreadableLedger("it was opened twice".into()));
            }
            LedgerEvent::Secret(secret) => self.secret = Some(*secret),
            LedgerEvent::LineAdded { command, line } => {
                let at = self.lines.len() + 1;
                self.ledger.add(at, line).map_err(|fault| UnreadableLedger(fault.to_string()))?;
                self.lines.push(line);
                self.note_done(command.as_ref());
            }
        }
        Ok(())
    }

    /// Applies a decision, and returns the event that stores it.
    pub(super) fn write(&mut self, decision: LedgerDecision) -> Result<LedgerEvent, EntryMisfit> {
        let event = match decision {
            LedgerDecision::StoreSecret(secret) => {
                self.secret = Some(secret);
                LedgerEvent::Secret(secret)
            }
            LedgerDecision::Add { command, entry } => {
                let line = entry.line();
                self.ledger.apply(entry)?;
                self.unstored.push_back(line.clone());
                self.note_done(command.as_ref());
                LedgerEvent::LineAdded { command, line }
            }
        };
        self.bytes += event.stored_bytes();
        Ok(event)
    }

    /// Notes the command that has led to a new line.
    fn note_done(&mut self, command: Option<&CommandId>) {
        let done = command.map(|command| (command.id.as_str().into(), command.fingerprint));
        self.done.extend(done);
        assert_eq!(self.len(), self.ledger.len(), "a line for each entry");
    }

    /// Notes how many lines are stored. Readers get them from then on.
    pub(super) fn set_stored(&mut self, stored: usize) {
        while self.lines.len() < stored
            && let Some(line) = self.unstored.pop_front()
        {
            self.lines.push(&line);
        }
    }

    /// The number of lines, with those that are not stored yet.
    pub(super) fn len(&self) -> usize {
        self.lines.len() + self.unstored.len()
    }

    /// The bytes of all events, as they are stored: those of the lines, and those of the commands.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// The ledger that the lines lead to.
    pub(super) fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// The lines that are stored.
    pub(super) fn lines(&self) -> &LineBlocks {
        &self.lines
    }

    /// Whether the id of a command was used before, also if it is not stored yet.
    pub(super) fn use_of(&self, command: &CommandId) -> IdUse {
        match self.done.get(command.id.as_str()) {
            None => IdUse::New,
            Some(known) if known.is_none() || *known == command.fingerprint => IdUse::Repeated,
            Some(_) => IdUse::Taken,
        }
    }

    /// The role of a client that asks for a role with a key.
    pub(super) fn granted_role(&self, asked: Option<(Role, Key)>) -> Role {
        match asked {
            Some((Role::Server | Role::Public, _)) | None => Role::Public,
            Some((role, key)) if role_key(self.key, role) == key => role,
            Some(_) => Role::Public,
        }
    }

    /// What a command leads to, or why it is refused. Nothing changes here.
    pub(super) fn decide(
        &self,
        at: Millis,
        by: Role,
        id: &str,
        command: &LedgerCommand,
        new_secret: impl Fn() -> Secret,
    ) -> Result<Vec<LedgerDecision>, LedgerRefusal> {
        if self.bytes >= MAX_LEDGER_BYTES {
            return Err(LedgerRefusal::Full);
        }
        let id = Some(CommandId::new(id, command));
        match (&self.ledger, command) {
            (Ledger::Sheet(_), LedgerCommand::Sheet(change)) => {
                self.decide_sheet(at, by, id, change)
            }
            (Ledger::Contest(log), LedgerCommand::Contest(change)) => {
                let change = change.change().map_err(LedgerRefusal::Unreadable)?;
                require_legible(&change.names())?;
                // Only the server makes these changes.
                let server_only = matches!(
                    change,
                    ContestChange::Commit(_)
                        | ContestChange::Draw { .. }
                        | ContestChange::Open { .. }
                        | ContestChange::Import
                );
                let by = if server_only { Role::Public } else { by };
                decide_contest(&log.contest, at, by, id, change)
            }
            (Ledger::Contest(log), LedgerCommand::Prepare) => {
                let secret = new_secret();
                let contest = &log.contest;
                let phase = contest.phases().len();
                let commitment: Commitment = urn::commitment(contest.settings(), phase, &secret);
                let mut decisions =
                    decide_contest(contest, at, by, id, ContestChange::Commit(commitment))?;
                // First the secret: a commitment without one would be useless.
                decisions.insert(0, LedgerDecision::StoreSecret(secret));
                Ok(decisions)
            }
            (Ledger::Contest(log), LedgerCommand::Draw { words }) => {
                let words: Result<Vec<Word>, _> = words.iter().map(|word| word.parse()).collect();
                let words = words.map_err(|fault| LedgerRefusal::Unreadable(fault.to_string()))?;
                match self.secret.filter(|_| log.contest.commitment().is_some()) {
                    Some(secret) => decide_contest(
                        &log.contest,
                        at,
                        by,
                        id,
                        ContestChange::Draw { secret, words },
                    ),
                    None => Err(contest_refusal(&log.contest, ContestRefusal::NoCommitment)),
                }
            }
            _ => Err(LedgerRefusal::OtherLedger),
        }
    }

    /// What the server itself adds to a contest. Returns None if it does not fit.
    pub(super) fn decide_as_server(
        &self,
        at: Millis,
        change: ContestChange,
    ) -> Option<Vec<LedgerDecision>> {
        decide_contest(self.ledger.contest()?, at, Role::Server, None, change).ok()
    }

    fn decide_sheet(
        &self,
        at: Millis,
        by: Role,
        id: Option<CommandId>,
        change: &SheetChangeText,
    ) -> Result<Vec<LedgerDecision>, LedgerRefusal> {
        let Some(sheet) = self.ledger.sheet() else { return Err(LedgerRefusal::OtherLedger) };
        let refused = |refusal: ContestRefusal| {
            LedgerRefusal::Because(RefusalText::of(&refusal, sheet.rules()))
        };
        if by != Role::Organiser {
            return Err(refused(ContestRefusal::NotYours));
        }
        let change = change.change().map_err(LedgerRefusal::Unreadable)?;
        require_legible(change.name().as_slice())?;
        let entry = sheet
            .decide(at, None, change)
            .map_err(|refusal| refused(ContestRefusal::Sheet(refusal)))?;
        Ok(vec![add(id, LedgerEntry::Sheet(entry))])
    }
}

/// Says at the end of a contest from a file that it comes from a file: the server has seen none of it
/// happen, and has drawn none of its lots. The file itself may say anything.
pub(super) fn mark_import(ledger: &mut Ledger, at: Millis) -> Result<(), UnreadableLedger> {
    let Ledger::Contest(log) = ledger else { return Ok(()) };
    if log.entries.is_empty() {
        return Ok(());
    }
    let entry = log.contest.decide(at, Role::Server, ContestChange::Import);
    entry.and_then(|entry| log.add(entry)).map_err(|refusal| UnreadableLedger(refusal.to_string()))
}

/// Refuses new names that readers cannot see. Lines of an earlier version may hold them, so that this
/// is checked of commands and not of entries.
fn require_legible(names: &[&Name]) -> Result<(), LedgerRefusal> {
    match names.iter().all(|name| name.is_legible()) {
        true => Ok(()),
        false => Err(LedgerRefusal::Unreadable(InvalidName.to_string())),
    }
}

fn add(command: Option<CommandId>, entry: LedgerEntry) -> LedgerDecision {
    LedgerDecision::Add { command, entry }
}

fn contest_refusal(contest: &Contest, refusal: ContestRefusal) -> LedgerRefusal {
    LedgerRefusal::Because(RefusalText::of(&refusal, contest.settings().rules()))
}

fn decide_contest(
    contest: &Contest,
    at: Millis,
    by: Role,
    id: Option<CommandId>,
    change: ContestChange,
) -> Result<Vec<LedgerDecision>, LedgerRefusal> {
    let entry =
        contest.decide(at, by, change).map_err(|refusal| contest_refusal(contest, refusal))?;
    Ok(vec![add(id, LedgerEntry::Contest(entry))])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ledger_is_full_at_its_size() {
        let header = r#"{"ghinda_sheet":1,"rules":"cruce2","names":["Ana","Ion"],"dealer":1}"#;
        let opened = LedgerEvent::Opened { key: Key::new([7; 16]), line: header.into() };
        let mut state = LedgerState::open(&opened).unwrap();
        let rename = LedgerCommand::Sheet(SheetChangeText::Rename { seat: 1, name: "Zoe".into() });
        let decide = |state: &LedgerState| {
            let secret = || Secret([7; 32]);
            state.decide(0, Role::Organiser, "an-id", &rename, secret).map(|made| made.len())
        };
        assert_eq!(decide(&state), Ok(1));
        // A line may have any white space.
        let spaces = " ".repeat(MAX_LEDGER_BYTES);
        let line = format!(
            r#"{{{spaces}"at":"2026-01-01T00:00:00.000Z","did":"rename","seat":2,"name":"Dan"}}"#
        );
        state.apply(&LedgerEvent::LineAdded { command: None, line }).unwrap();
        assert_eq!(decide(&state), Err(LedgerRefusal::Full));
    }

    #[test]
    fn events_are_stored_as_they_were_in_earlier_versions() {
        let key = "07".repeat(16);
        let secret = "0123456789abcdef".repeat(4);
        for text in [
            format!(r#"opened {key} {{"ghinda_sheet":1}}"#),
            format!("secret {secret}"),
            r#"did - {"at":1}"#.to_owned(),
            r#"did l0c1-7 {"at":1}"#.to_owned(),
            r#"done l0c1-7 00000000000000ff {"at":1}"#.to_owned(),
        ] {
            let event: LedgerEvent = text.parse().expect("an event");
            assert_eq!((event.text(), event.stored_bytes()), (text.clone(), text.len()));
        }
    }

    #[test]
    fn a_fault_quotes_no_key_and_no_secret() {
        for text in ["opened 1234567890 {}", "secret 12345678901234567890", "12345"] {
            let fault = text.parse::<LedgerEvent>().expect_err("a fault").to_string();
            assert!(!fault.contains("123456"), "{fault}");
        }
    }
}
