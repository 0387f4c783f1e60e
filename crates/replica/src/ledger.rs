//! The client's copy of a ledger: its folded lines, and the commands that are not yet answered. Pure;
//! the caller transports the messages.
//!
//! The [`Conversation`](crate::Conversation) sends unanswered commands again after a lost connection.
//! The server answers a repeated command again, but executes it once.

use contest::Role;
use wire::contest::parse_role;
use wire::ledger::{
    JsonLine, Ledger, LedgerClientMessage, LedgerCommand, LedgerRefusal, LedgerServerMessage,
    VERSION,
};

use crate::conversation::{ControlSignal, Replica, ReplicaProgress};
use crate::role_key::RoleKey;

/// A ledger as far as the client knows it.
#[derive(Clone, Debug)]
pub struct LedgerReplica {
    role_key: Option<RoleKey>,
    ledger: Option<Ledger>,
    /// The role that the server granted; None before its hello.
    granted: Option<Role>,
    /// The unanswered commands with their ids, oldest first.
    commands: Vec<(String, LedgerCommand)>,
    /// The number of commands made, for the next id.
    made: u64,
    /// The prefix of this client's command ids.
    id_prefix: String,
}

/// The answer to a command: done, or refused.
pub type CommandResult = Result<(), LedgerRefusal>;

/// The effect of a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LedgerChange {
    /// Nothing has changed.
    Nothing,
    /// The server has granted a role, and accepts commands.
    Synced,
    /// The ledger has more lines.
    Lines {
        /// The number of lines before the message.
        before: usize,
    },
    /// A command was answered.
    Answered {
        /// Its id.
        id: String,
        /// The answer.
        answer: CommandResult,
    },
    /// Lines are missing, or differ from those of the server.
    Gap,
    /// The lines of the whole ledger cannot be read: this program is too old.
    Unreadable,
}

impl LedgerReplica {
    /// An empty replica. `id_prefix` is a few random letters.
    pub fn new(id_prefix: &str, role_key: Option<RoleKey>) -> LedgerReplica {
        LedgerReplica {
            role_key,
            ledger: None,
            granted: None,
            commands: Vec::new(),
            made: 0,
            id_prefix: id_prefix.into(),
        }
    }

    /// The ledger. Returns None before its first line.
    pub fn ledger(&self) -> Option<&Ledger> {
        self.ledger.as_ref()
    }

    /// The role that the server granted. Returns None before its hello.
    pub fn granted(&self) -> Option<Role> {
        self.granted
    }

    /// Whether the server granted another role than requested: the key is wrong.
    pub fn is_refused(&self) -> bool {
        let wanted = self.role_key.map_or(Role::Public, |role_key| role_key.role);
        self.granted.is_some_and(|granted| granted != wanted)
    }

    /// Replaces the ledger by the lines of a whole ledger. Returns whether they are valid.
    pub fn read(&mut self, lines: &str) -> bool {
        self.ledger = Ledger::from_lines(lines).ok();
        self.ledger.is_some()
    }

    fn receive_answer(&mut self, id: String, answer: CommandResult) -> LedgerChange {
        let before = self.commands.len();
        self.commands.retain(|(other, _)| *other != id);
        if self.commands.len() < before {
            LedgerChange::Answered { id, answer }
        } else {
            LedgerChange::Nothing
        }
    }

    fn add_lines<'a>(
        &mut self,
        from: usize,
        lines: impl Iterator<Item = JsonLine<'a>>,
    ) -> LedgerChange {
        let before = self.ledger.as_ref().map_or(0, Ledger::len);
        // The known lines may differ from those of the server; then a new start helps.
        let misfit = if before == 0 { LedgerChange::Unreadable } else { LedgerChange::Gap };
        if from > before {
            return misfit;
        }
        for (at, line) in (from + 1..).zip(lines).skip(before - from) {
            let added = match &mut self.ledger {
                Some(ledger) => ledger.add(at, line),
                none => Ledger::from_header(line).map(|ledger| *none = Some(ledger)),
            };
            if added.is_err() {
                return misfit;
            }
        }
        LedgerChange::Lines { before }
    }
}

impl Replica for LedgerReplica {
    type Command = LedgerCommand;
    type Outgoing = LedgerClientMessage;
    type Incoming = LedgerServerMessage;
    type Change = LedgerChange;

    fn hello(&self) -> LedgerClientMessage {
        LedgerClientMessage::Hello {
            ghinda: VERSION,
            since: self.ledger.as_ref().map_or(0, Ledger::len),
            role: self.role_key.map(|role_key| role_key.role_text()),
            key: self.role_key.map(|role_key| role_key.key.to_string()),
        }
    }

    fn beat() -> LedgerClientMessage {
        LedgerClientMessage::Beat
    }

    fn command(&mut self, what: LedgerCommand) -> (String, LedgerClientMessage) {
        self.made += 1;
        let id = format!("{}{}", self.id_prefix, self.made);
        self.commands.push((id.clone(), what.clone()));
        (id.clone(), LedgerClientMessage::Do { id, what })
    }

    fn unanswered(&self) -> Vec<LedgerClientMessage> {
        let message = |(id, what): &(String, LedgerCommand)| LedgerClientMessage::Do {
            id: id.clone(),
            what: what.clone(),
        };
        self.commands.iter().map(message).collect()
    }

    fn forget(&mut self) {
        self.ledger = None;
    }

    fn signal(message: &LedgerServerMessage) -> ControlSignal {
        match message {
            LedgerServerMessage::Hello { time, .. } | LedgerServerMessage::Beat { time } => {
                ControlSignal::Time(*time)
            }
            LedgerServerMessage::Bye { why } => ControlSignal::Bye(*why),
            _ => ControlSignal::None,
        }
    }

    fn receive(&mut self, message: LedgerServerMessage) -> LedgerChange {
        match message {
            LedgerServerMessage::Hello { role, .. } => {
                self.granted = parse_role(&role).ok();
                LedgerChange::Synced
            }
            LedgerServerMessage::Lines { from, lines } => {
                self.add_lines(from, lines.iter().map(JsonLine::from))
            }
            LedgerServerMessage::Done { id } => self.receive_answer(id, Ok(())),
            LedgerServerMessage::Refused { id, refusal } => self.receive_answer(id, Err(refusal)),
            LedgerServerMessage::Beat { .. }
            | LedgerServerMessage::Error { .. }
            | LedgerServerMessage::Bye { .. } => LedgerChange::Nothing,
        }
    }

    fn progress(change: &LedgerChange) -> ReplicaProgress {
        match change {
            LedgerChange::Synced => ReplicaProgress::Synced,
            LedgerChange::Gap => ReplicaProgress::Gap,
            LedgerChange::Unreadable => ReplicaProgress::Unreadable,
            LedgerChange::Nothing | LedgerChange::Lines { .. } | LedgerChange::Answered { .. } => {
                ReplicaProgress::None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ids::Key;
    use wire::contest::{ContestChangeText, PartyText};

    const HEADER: &str =
        r#"{"ghinda_contest":1,"title":"Cupa","word":"cupa","rules":"contest","venue":"hall"}"#;
    const ANA: &str =
        r#"{"at":"2026-11-16T09:30:00.000Z","by":"organiser","did":"admit","entrants":["Ana"]}"#;

    fn lines(from: usize, lines: &[&str]) -> LedgerServerMessage {
        let text = LedgerServerMessage::lines_text(from, lines.iter().copied());
        LedgerServerMessage::read(&text).unwrap()
    }

    fn hello(role: &str) -> LedgerServerMessage {
        let role = role.into();
        LedgerServerMessage::Hello { ghinda: VERSION, server: "ghinda".into(), time: 0, role }
    }

    fn entered(replica: &LedgerReplica) -> usize {
        replica.ledger().unwrap().contest().unwrap().entrants().count()
    }

    #[test]
    fn lines_are_folded_once() {
        let mut replica = LedgerReplica::new("x", None);
        assert_eq!(replica.receive(hello("public")), LedgerChange::Synced);
        assert!(!replica.is_refused());
        assert_eq!(replica.receive(lines(0, &[HEADER, ANA])), LedgerChange::Lines { before: 0 });
        assert_eq!(replica.receive(lines(1, &[ANA, ANA])), LedgerChange::Lines { before: 2 });
        assert_eq!(entered(&replica), 2);
        assert_eq!(replica.receive(lines(4, &[ANA])), LedgerChange::Gap, "a line is missing");
        let LedgerClientMessage::Hello { since, role: None, .. } = replica.hello() else {
            panic!()
        };
        assert_eq!(since, 3);
        replica.forget();
        assert!(replica.read(&[HEADER, ANA].join("\n")));
        assert_eq!(entered(&replica), 1);
        let newer = r#"{"ghinda_contest":2}"#;
        assert_eq!(
            LedgerReplica::new("x", None).receive(lines(0, &[newer])),
            LedgerChange::Unreadable
        );
    }

    #[test]
    fn a_command_is_kept_until_it_is_answered() {
        let mut replica = LedgerReplica::new("x", Some(RoleKey::organiser(Key::new([1; 16]))));
        let admit = ContestChangeText::Enter { entrants: vec![PartyText::Alone("Ana".into())] };
        let (first, _) = replica.command(LedgerCommand::Contest(admit));
        let (second, _) = replica.command(LedgerCommand::Prepare);
        assert_eq!(replica.unanswered().len(), 2);
        let done = LedgerServerMessage::Done { id: first.clone() };
        assert_eq!(
            replica.receive(done.clone()),
            LedgerChange::Answered { id: first, answer: Ok(()) }
        );
        assert_eq!(replica.receive(done), LedgerChange::Nothing, "it was answered before");
        let refused =
            LedgerServerMessage::Refused { id: second.clone(), refusal: LedgerRefusal::TooFast };
        let answer = Err(LedgerRefusal::TooFast);
        assert_eq!(replica.receive(refused), LedgerChange::Answered { id: second, answer });
        assert_eq!(replica.unanswered().len(), 0);
    }

    #[test]
    fn a_wrong_key_is_noticed() {
        let mut replica = LedgerReplica::new("x", Some(RoleKey::organiser(Key::new([1; 16]))));
        assert!(!replica.is_refused(), "the server has not answered yet");
        replica.receive(hello("public"));
        assert!(replica.is_refused());
        replica.receive(hello("organiser"));
        assert!(!replica.is_refused());
    }
}
