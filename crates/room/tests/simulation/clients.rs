//! The client at the other end of a connection: what it receives and sends.

use std::collections::{BTreeMap, BTreeSet};

use ids::PlayerId;
use replica::table::{TableChange, TableReplica};
use replica::{Conversation, Replica};
use wire::table::{
    CloseReason, CommandRefusal, Phrase, RefusalReason, ServerMessage, TableCommand, TableStage,
};

use crate::world::{World, WorldEvent};

/// What a client wants at the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ClientRole {
    /// A seat.
    Plays,
    /// To watch; connects and disconnects.
    Watches,
    /// To see what it may not: it has no key.
    Stranger,
}

pub(crate) struct Client {
    pub(crate) player: PlayerId,
    pub(crate) role: ClientRole,
    pub(crate) replica: TableReplica,
    pub(crate) conversation: Conversation<CloseReason>,
    pub(crate) connection: Option<u64>,
    /// Whether the player was kicked, and knows it.
    pub(crate) knows_kick: bool,
    /// Whether it looks at the table now and then on this connection.
    pub(crate) thinks: bool,
    /// How often it found a stand-in on its seat, although it was connected.
    pub(crate) stand_in_seen: u32,
    /// Whether it does not reconnect.
    pub(crate) left_for_good: bool,
    /// Whether it received a snapshot on this connection.
    pub(crate) has_snapshot: bool,
    /// How often it tried to enter without permission.
    pub(crate) tries: u32,
    /// How often each command was sent.
    pub(crate) sent: BTreeMap<String, u32>,
    /// The commands that were acknowledged, by id, with the version.
    pub(crate) done: BTreeMap<String, u64>,
    /// The commands that were refused.
    pub(crate) refused: BTreeSet<String>,
}

impl Client {
    pub(crate) fn new(player: PlayerId, role: ClientRole, replica: TableReplica) -> Client {
        Client {
            player,
            role,
            replica,
            conversation: Conversation::default(),
            connection: None,
            knows_kick: false,
            thinks: false,
            stand_in_seen: 0,
            left_for_good: false,
            has_snapshot: false,
            tries: 0,
            sent: BTreeMap::new(),
            done: BTreeMap::new(),
            refused: BTreeSet::new(),
        }
    }

    /// Whether it is still connected at the end of the world.
    pub(crate) fn is_at_end(&self) -> bool {
        !self.knows_kick && !self.left_for_good && self.role != ClientRole::Stranger
    }

    /// Records acknowledged and refused commands.
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
    pub(crate) fn client_receives(&mut self, at: usize, connection: u64, message: &ServerMessage) {
        let client = &mut self.clients[at];
        if client.connection != Some(connection) {
            return;
        }
        client.note(message);
        let new = client.replica.state().is_none();
        client.has_snapshot |= matches!(message, ServerMessage::Snapshot(_));
        match (message, new) {
            (ServerMessage::Snapshot(_), true) => self.tally.count("a snapshot for a newcomer"),
            (ServerMessage::Done { .. }, _) => self.tally.count("a command answered again"),
            _ => {}
        }
        let client = &mut self.clients[at];
        let step = client.conversation.receive(&mut client.replica, message.clone(), self.now);
        match step.change {
            TableChange::Gap => panic!("{message:?} does not fit the replica of client {at}"),
            TableChange::Refused { command, refusal } => self.check_refusal(at, &command, &refusal),
            TableChange::Synced { given_up } => {
                if !std::mem::take(&mut client.has_snapshot) {
                    self.tally.count("a connection resumed");
                }
                if !given_up.is_empty() {
                    self.tally.count("a command given up");
                }
                for command in step.send {
                    self.send_to_server(at, connection, command);
                }
            }
            TableChange::Nothing
            | TableChange::Snapshot
            | TableChange::Events(_)
            | TableChange::Presence => {}
        }
        self.check_replica(at);
        // A new match may have begun when all was over.
        if !self.clients[at].thinks && !self.is_settled() {
            self.clients[at].thinks = true;
            self.schedule_within(50, 900, WorldEvent::Thinks { client: at, connection });
        }
    }

    fn check_refusal(&mut self, at: usize, command: &TableCommand, refusal: &CommandRefusal) {
        match (refusal.reason, command) {
            (RefusalReason::NotProven, _) => self.tally.count("a claim refused"),
            (RefusalReason::Muted, _) => self.tally.count("a command of a muted player"),
            (RefusalReason::TooFast, _) => self.tally.count("a command over the limit"),
            (RefusalReason::Unavailable, _) => {
                assert!(self.trouble.store_fails || self.trouble.answers_lost);
                self.tally.count("a command that could not be stored");
            }
            (
                RefusalReason::Duplicate,
                TableCommand::Word(_)
                | TableCommand::AskForRematch
                | TableCommand::Rules(_)
                | TableCommand::Start,
            ) => {
                assert!(self.witness.duplicate);
                self.tally.count("a command that duplicates refuse");
            }
            (
                RefusalReason::BadId
                | RefusalReason::BadName
                | RefusalReason::BadWord
                | RefusalReason::BadLevel
                | RefusalReason::BadRules
                | RefusalReason::BadChat
                | RefusalReason::NotAdmitted
                | RefusalReason::Duplicate,
                _,
            ) => panic!("client {at}: {command:?} was refused: {refusal:?}"),
            (RefusalReason::Closed, _) => assert!(self.closing),
            // Another command came first, or something happened on the way.
            _ => {}
        }
    }

    /// Does what a player might do now.
    pub(crate) fn client_acts(&mut self, at: usize, connection: u64) {
        if self.clients[at].connection != Some(connection) {
            return;
        }
        self.clients[at].thinks = !self.is_settled();
        if !self.clients[at].thinks {
            return;
        }
        self.check_replaced(at);
        if self.clients[at].replica.is_settled() {
            let replica = std::mem::take(&mut self.clients[at].replica);
            let next_command = self.next_command(at, &replica);
            self.clients[at].replica = replica;
            if let Some(command) = next_command {
                self.send_command(at, connection, command);
            }
        }
        let dreams = self.chance(40);
        let (from, to) = if dreams { (3_000, 14_000) } else { (50, 900) };
        self.schedule_within(from, to, WorldEvent::Thinks { client: at, connection });
    }

    fn send_command(&mut self, at: usize, connection: u64, command: TableCommand) {
        let client = &mut self.clients[at];
        let (_, message) = client.conversation.command(&mut client.replica, command);
        let Some(message) = message else { return };
        self.send_to_server(at, connection, message.clone());
        if self.trouble.duplicates && self.is_troubled() && self.chance(5) {
            self.send_to_server(at, connection, message);
        }
    }

    /// Sends more commands at once than a table queues.
    pub(crate) fn client_bursts(&mut self, at: usize) {
        let Some(connection) = self.clients[at].connection else { return };
        let seated = self.clients[at].replica.state().is_some_and(|state| state.you.seat.is_some());
        if !seated {
            if self.now < 60_000 {
                self.schedule_within(1_000, 3_000, WorldEvent::Bursts { client: at });
            }
            return;
        }
        // Meanwhile bots answer, a client asks for admission, and claims are checked.
        self.slow_until = self.now + 300;
        for number in 0..150 {
            let command = if number == 0 {
                TableCommand::Phrase(Phrase::Hello)
            } else {
                TableCommand::Resume
            };
            let (_, message) = self.clients[at].replica.command(command);
            self.send_to_server(at, connection, message);
        }
    }

    /// Whether all wanted matches have been played.
    pub(crate) fn is_settled(&self) -> bool {
        let Some(driver) = &self.driver else { return false };
        if driver.room().is_closed() {
            return true;
        }
        if self.is_troubled() {
            return false;
        }
        let shows_the_end = |client: &Client| {
            let state = client.replica.state();
            let over = state.is_some_and(|state| {
                state.stage == TableStage::Over && state.commitment.number >= self.matches_wanted
            });
            over && client.replica.is_settled() && client.connection.is_some()
        };
        self.clients.iter().filter(|client| client.is_at_end()).all(shows_the_end)
    }
}
