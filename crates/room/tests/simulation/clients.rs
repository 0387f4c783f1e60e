//! Somebody at the other end of a connection: what he hears and sends.

use std::collections::{BTreeMap, BTreeSet};

use ids::PlayerId;
use replica::table::{TableChange, TableReplica};
use wire::table::{CommandRefusal, Phrase, RefusalReason, ServerMessage, TableCommand, TableStage};

use crate::world::{Happens, World};

/// What somebody wants here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// A seat.
    Plays,
    /// To watch; comes and goes.
    Watches,
    /// To see what he may not: he has no key.
    Stranger,
}

pub(crate) struct Client {
    pub(crate) player: PlayerId,
    pub(crate) part: Part,
    pub(crate) replica: TableReplica,
    pub(crate) connection: Option<u64>,
    /// Whether he was sent away, and knows it.
    pub(crate) sent_away: bool,
    /// Whether he looks at the table now and then on this connection.
    pub(crate) thinks: bool,
    /// How often he has found a bot on his seat that takes him for gone.
    pub(crate) replaced: u32,
    /// Whether he does not come back.
    pub(crate) gone_home: bool,
    /// Whether he was shown everything on this connection.
    pub(crate) anew: bool,
    /// How often he has tried to get in where he may not.
    pub(crate) tries: u32,
    /// How often each wish was sent.
    pub(crate) sent: BTreeMap<String, u32>,
    /// What he has been promised is done: ids with the version.
    pub(crate) done: BTreeMap<String, u64>,
    /// What he was told is not done.
    pub(crate) refused: BTreeSet<String>,
}

impl Client {
    pub(crate) fn new(player: PlayerId, part: Part, replica: TableReplica) -> Client {
        Client {
            player,
            part,
            replica,
            connection: None,
            sent_away: false,
            thinks: false,
            replaced: 0,
            gone_home: false,
            anew: false,
            tries: 0,
            sent: BTreeMap::new(),
            done: BTreeMap::new(),
            refused: BTreeSet::new(),
        }
    }

    /// Whether he is to see the end of the world.
    pub(crate) fn stays(&self) -> bool {
        !self.sent_away && !self.gone_home && self.part != Part::Stranger
    }

    /// Notes what he is promised.
    fn note(&mut self, message: &ServerMessage) {
        let mut done = |id: &String, version| {
            let before = self.done.insert(id.clone(), version);
            assert!(before.is_none_or(|before| before == version), "{id} was done twice");
        };
        match message {
            ServerMessage::Done { id, version } => done(id, *version),
            ServerMessage::Update(update) => {
                update.done.iter().for_each(|id| done(id, update.version));
            }
            ServerMessage::Refused { id, .. } => {
                self.refused.insert(id.clone());
            }
            _ => {}
        }
    }
}

impl World {
    pub(crate) fn client_hears(&mut self, at: usize, connection: u64, message: &ServerMessage) {
        let client = &mut self.clients[at];
        if client.connection != Some(connection) {
            return;
        }
        client.note(message);
        let new = client.replica.state().is_none();
        client.anew |= matches!(message, ServerMessage::Snapshot(_));
        match (message, new) {
            (ServerMessage::Snapshot(_), true) => self.tally.count("a snapshot for a newcomer"),
            (ServerMessage::Done { .. }, _) => self.tally.count("a wish answered again"),
            _ => {}
        }
        let client = &mut self.clients[at];
        match client.replica.receive(message.clone()) {
            TableChange::Lost => panic!("{message:?} did not fit the mirror of client {at}"),
            TableChange::Refused { command, refusal } => self.check_refusal(at, &command, &refusal),
            TableChange::Arrived { given_up } => {
                if !std::mem::take(&mut client.anew) {
                    self.tally.count("a connection resumed");
                }
                if !given_up.is_empty() {
                    self.tally.count("a wish given up");
                }
                let again: Vec<_> = client.replica.unanswered().collect();
                for command in again {
                    self.send_wish(at, connection, command);
                }
            }
            TableChange::Nothing
            | TableChange::Snapshot
            | TableChange::Told(_)
            | TableChange::Presence => {}
        }
        self.check_mirror(at);
        // Somebody may have begun anew when all was over.
        if !self.clients[at].thinks && !self.settled() {
            self.clients[at].thinks = true;
            self.later(50, 900, Happens::Thinks { client: at, connection });
        }
    }

    fn check_refusal(&mut self, at: usize, command: &TableCommand, refusal: &CommandRefusal) {
        match (refusal.reason, command) {
            (RefusalReason::NotProven, _) => self.tally.count("a claim refused"),
            (RefusalReason::Muted, _) => self.tally.count("a wish of somebody silenced"),
            (RefusalReason::TooFast, _) => self.tally.count("a wish too many"),
            (RefusalReason::Unavailable, _) => {
                assert!(self.trouble.store_fails || self.trouble.answers_lost);
                self.tally.count("a wish that could not be stored");
            }
            (
                RefusalReason::Duplicate,
                TableCommand::Word(_)
                | TableCommand::Rematch
                | TableCommand::Rules(_)
                | TableCommand::Start,
            ) => {
                assert!(self.witness.duplicate);
                self.tally.count("a wish that duplicates refuse");
            }
            (
                RefusalReason::BadId
                | RefusalReason::BadName
                | RefusalReason::BadWord
                | RefusalReason::BadLevel
                | RefusalReason::BadRules
                | RefusalReason::BadSaying
                | RefusalReason::NotAdmitted
                | RefusalReason::Duplicate,
                _,
            ) => panic!("client {at}: {command:?} was refused: {refusal:?}"),
            (RefusalReason::Closed, _) => assert!(self.closing),
            // Others were faster, or something happened on the way.
            _ => {}
        }
    }

    /// Does what a person might do now.
    pub(crate) fn client_thinks(&mut self, at: usize, connection: u64) {
        if self.clients[at].connection != Some(connection) {
            return;
        }
        self.clients[at].thinks = !self.settled();
        if !self.clients[at].thinks {
            return;
        }
        self.check_replaced(at);
        if self.clients[at].replica.is_settled() {
            let replica = std::mem::take(&mut self.clients[at].replica);
            let idea = self.idea(at, &replica);
            self.clients[at].replica = replica;
            if let Some(command) = idea {
                self.client_wishes(at, connection, command);
            }
        }
        let dreams = self.chance(40);
        let (from, to) = if dreams { (3_000, 14_000) } else { (50, 900) };
        self.later(from, to, Happens::Thinks { client: at, connection });
    }

    fn client_wishes(&mut self, at: usize, connection: u64, command: TableCommand) {
        let message = self.clients[at].replica.command(command);
        self.send_wish(at, connection, message.clone());
        if self.trouble.duplicates && self.troubled() && self.chance(5) {
            self.send_wish(at, connection, message);
        }
    }

    /// Sends more at once than a table lets wait.
    pub(crate) fn client_bursts(&mut self, at: usize) {
        let Some(connection) = self.clients[at].connection else { return };
        let seated = self.clients[at].replica.state().is_some_and(|state| state.you.seat.is_some());
        if !seated {
            if self.now < 60_000 {
                self.later(1_000, 3_000, Happens::Bursts { client: at });
            }
            return;
        }
        // Meanwhile bots answer, somebody knocks, and claims are proved.
        self.slow_until = self.now + 300;
        for number in 0..150 {
            let command = if number == 0 {
                TableCommand::Phrase(Phrase::Hello)
            } else {
                TableCommand::Resume
            };
            let message = self.clients[at].replica.command(command);
            self.send_wish(at, connection, message);
        }
    }

    /// Whether all matches have been played that somebody wants.
    pub(crate) fn settled(&self) -> bool {
        let Some(driver) = &self.driver else { return false };
        if driver.room().is_closed() {
            return true;
        }
        if self.troubled() {
            return false;
        }
        let shows_the_end = |client: &Client| {
            let state = client.replica.state();
            let over = state.is_some_and(|state| {
                state.stage == TableStage::Over && state.promise.number >= self.matches_wanted
            });
            over && client.replica.is_settled() && client.connection.is_some()
        };
        self.clients.iter().filter(|client| client.stays()).all(shows_the_end)
    }
}
