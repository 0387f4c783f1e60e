//! What a client knows of a ledger: its lines, folded, and what was wished and not answered yet. Pure;
//! whoever has a socket feeds it.
//!
//! A connection begins with [`Follower::hello`]. When the follower has [arrived](Heard::Arrived), what is
//! [unanswered](Follower::unanswered) is sent again: the server answers a wish twice and does it once.

use contest::Role;
use wire::contest::parse_role;
use wire::ledger::{
    Ledger, LedgerClientMessage, LedgerCommand, LedgerRefusal, LedgerServerMessage, VERSION,
};

use crate::role_key::RoleKey;

/// A ledger as it is known here.
#[derive(Clone, Debug)]
pub struct LedgerReplica {
    pass: Option<RoleKey>,
    ledger: Option<Ledger>,
    /// What the server lets us do; nothing before it has said so.
    granted: Option<Role>,
    /// The wishes that were not answered yet, oldest first.
    commands: Vec<(String, LedgerCommand)>,
    made: u64,
    /// What makes the ids of this client its own.
    name: String,
}

/// What became of a wish: done, or refused.
pub type CommandResult = Result<(), LedgerRefusal>;

/// What a message meant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LedgerChange {
    /// Nothing that changes what is known.
    Nothing,
    /// The server knows us, and what is unanswered may be sent again.
    Arrived,
    /// The ledger has more lines, of which so many were known before.
    Lines {
        /// How many.
        before: usize,
    },
    /// A wish was answered.
    Answered {
        /// Its id.
        id: String,
        /// How.
        answer: CommandResult,
    },
    /// Something is missing: [forget](Follower::forget) and say hello again.
    Lost,
    /// The lines cannot be understood, from the first one on: this program is too old.
    Unread,
}

impl LedgerReplica {
    /// A follower that knows nothing. Any few random letters will do for the name.
    pub fn new(name: &str, pass: Option<RoleKey>) -> LedgerReplica {
        LedgerReplica {
            pass,
            ledger: None,
            granted: None,
            commands: Vec::new(),
            made: 0,
            name: name.into(),
        }
    }

    /// The first message of a connection.
    pub fn hello(&self) -> LedgerClientMessage {
        LedgerClientMessage::Hello {
            ghinda: VERSION,
            since: self.ledger.as_ref().map_or(0, Ledger::len),
            role: self.pass.map(|pass| pass.role_text()),
            key: self.pass.map(|pass| pass.key.to_string()),
        }
    }

    /// The ledger; nothing before its first line.
    pub fn ledger(&self) -> Option<&Ledger> {
        self.ledger.as_ref()
    }

    /// What the server lets us do; nothing before it has said so.
    pub fn granted(&self) -> Option<Role> {
        self.granted
    }

    /// Whether we asked for more than we were given: the key is not right.
    pub fn is_refused(&self) -> bool {
        let wanted = self.pass.map_or(Role::Public, |pass| pass.role);
        self.granted.is_some_and(|granted| granted != wanted)
    }

    /// Takes the whole ledger as it lies on the server. Whether it is one.
    pub fn read(&mut self, lines: &str) -> bool {
        self.ledger = Ledger::from_lines(lines).ok();
        self.ledger.is_some()
    }

    /// Forgets the ledger, but not what was wished.
    pub fn forget(&mut self) {
        self.ledger = None;
    }

    /// A wish, with its id and as a message. It is kept until it is answered.
    pub fn command(&mut self, what: LedgerCommand) -> (String, LedgerClientMessage) {
        self.made += 1;
        let id = format!("{}{}", self.name, self.made);
        self.commands.push((id.clone(), what.clone()));
        (id.clone(), LedgerClientMessage::Do { id, what })
    }

    /// The wishes that were not answered, to be sent again.
    pub fn unanswered(&self) -> impl Iterator<Item = LedgerClientMessage> + '_ {
        let again = |(id, what): &(String, LedgerCommand)| LedgerClientMessage::Do {
            id: id.clone(),
            what: what.clone(),
        };
        self.commands.iter().map(again)
    }

    /// Takes a message of the server.
    pub fn receive(&mut self, message: LedgerServerMessage) -> LedgerChange {
        match message {
            LedgerServerMessage::Hello { role, .. } => {
                self.granted = parse_role(&role).ok();
                LedgerChange::Arrived
            }
            LedgerServerMessage::Lines { from, lines } => {
                self.add(from, lines.iter().map(ToString::to_string))
            }
            LedgerServerMessage::Done { id } => self.answered(id, Ok(())),
            LedgerServerMessage::Refused { id, refusal } => self.answered(id, Err(refusal)),
            LedgerServerMessage::Beat { .. }
            | LedgerServerMessage::Error { .. }
            | LedgerServerMessage::Bye { .. } => LedgerChange::Nothing,
        }
    }

    fn answered(&mut self, id: String, answer: CommandResult) -> LedgerChange {
        let known = self.commands.len();
        self.commands.retain(|(other, _)| *other != id);
        if self.commands.len() < known {
            LedgerChange::Answered { id, answer }
        } else {
            LedgerChange::Nothing
        }
    }

    fn add(&mut self, from: usize, lines: impl Iterator<Item = String>) -> LedgerChange {
        let before = self.ledger.as_ref().map_or(0, Ledger::len);
        if from > before {
            return LedgerChange::Lost;
        }
        for (at, line) in (from + 1..).zip(lines).skip(before - from) {
            let fits = match &mut self.ledger {
                Some(ledger) => ledger.add(at, &line),
                none => Ledger::from_header(&line).map(|ledger| *none = Some(ledger)),
            };
            if fits.is_err() {
                // What does not fit to what we had may fit to what the server has.
                return if before == 0 { LedgerChange::Unread } else { LedgerChange::Lost };
            }
        }
        LedgerChange::Lines { before }
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
        assert_eq!(replica.receive(hello("public")), LedgerChange::Arrived);
        assert!(!replica.is_refused());
        assert_eq!(replica.receive(lines(0, &[HEADER, ANA])), LedgerChange::Lines { before: 0 });
        assert_eq!(replica.receive(lines(1, &[ANA, ANA])), LedgerChange::Lines { before: 2 });
        assert_eq!(entered(&replica), 2);
        assert_eq!(replica.receive(lines(4, &[ANA])), LedgerChange::Lost, "a line is missing");
        let LedgerClientMessage::Hello { since, role: None, .. } = replica.hello() else {
            panic!()
        };
        assert_eq!(since, 3);
        replica.forget();
        assert!(replica.read(&[HEADER, ANA].join("\n")));
        assert_eq!(entered(&replica), 1);
        let strange = r#"{"ghinda_contest":2}"#;
        assert_eq!(
            LedgerReplica::new("x", None).receive(lines(0, &[strange])),
            LedgerChange::Unread
        );
    }

    #[test]
    fn a_wish_is_sent_until_it_is_answered() {
        let mut replica = LedgerReplica::new("x", Some(RoleKey::organiser(Key::new([1; 16]))));
        let admit = ContestChangeText::Admit { entrants: vec![PartyText::Alone("Ana".into())] };
        let (first, _) = replica.command(LedgerCommand::Contest(admit));
        let (second, _) = replica.command(LedgerCommand::Prepare);
        assert_eq!(replica.unanswered().count(), 2);
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
        assert_eq!(replica.unanswered().count(), 0);
    }

    #[test]
    fn a_wrong_key_is_noticed() {
        let mut replica = LedgerReplica::new("x", Some(RoleKey::organiser(Key::new([1; 16]))));
        assert!(!replica.is_refused(), "nobody knows yet");
        replica.receive(hello("public"));
        assert!(replica.is_refused());
        replica.receive(hello("organiser"));
        assert!(!replica.is_refused());
    }
}
