//! The network between the clients and the server, and the admission to the table. Messages of one
//! connection stay in order; those of different connections do not.

use std::rc::Rc;

use room::Key;
use room::driver::{ConnectionId, Input, RoomInput};
use wire::table::{ClientMessage, CloseReason, CommandRefusal, RefusalReason, ServerMessage};

use crate::clients::ClientRole;
use crate::world::{World, WorldEvent};

impl World {
    /// Sends a message over a connection.
    pub(crate) fn send(&mut self, connection: u64, what: WorldEvent) {
        // The same delay for all messages of a connection keeps them in order.
        let delay = 5 + connection * 7 % 90;
        self.schedule_at(self.now + delay, what);
    }

    pub(crate) fn server_receives(&mut self, connection: u64, message: ClientMessage) {
        let Some(client) = self.connections.get(&connection) else { return };
        let (id, player) = (ConnectionId(connection), self.clients[*client].player);
        match message {
            ClientMessage::Hello { since, .. } => {
                let others = self.connections.iter().filter(|(other, client)| {
                    **other != connection && self.clients[**client].player == player
                });
                if others.count() > 0 {
                    self.tally.count("two connections of one player");
                }
                let (client, time) = (*client, self.now);
                let (ghinda, server) = (wire::table::VERSION, String::from("world"));
                let message = Rc::new(ServerMessage::Hello { ghinda, server, time });
                self.send(connection, WorldEvent::ToClient { client, connection, message });
                self.input(Input::Connected { connection: id, player, since });
            }
            ClientMessage::Do { id: command, what } => {
                self.input(RoomInput::Command { connection: id, id: command, what }.into())
            }
            ClientMessage::Beat => {}
        }
    }

    /// Connects, or asks for admission first.
    pub(crate) fn connect(&mut self, at: usize) {
        let client = &self.clients[at];
        if client.connection.is_some() || client.left_for_good {
            return;
        }
        let Some(driver) = &self.driver else {
            self.schedule_within(300, 2_000, WorldEvent::Connects { client: at });
            return;
        };
        if driver.room().is_closed() {
            self.clients[at].tries += 1;
            if self.clients[at].tries < 6 {
                self.open_connection(at);
            }
            return;
        }
        let (player, role) = (client.player, client.role);
        let knows_kick = client.knows_kick;
        if driver.room().admits(player) {
            self.open_connection(at);
            return;
        }
        // A client without permission tries a few times, with a key or without.
        let hopeless = knows_kick || role == ClientRole::Stranger;
        if hopeless {
            self.clients[at].tries += 1;
            if self.clients[at].tries > 4 {
                return;
            }
        }
        if hopeless && self.chance(2) {
            self.open_connection(at);
            return;
        }
        let right = role != ClientRole::Stranger && !self.chance(5);
        // After a new link, the first key is the wrong one.
        let keys = [Key::new([7; 16]), Key::new([9; 16])];
        let wrong = keys.into_iter().find(|key| *key != self.witness.key);
        let key = if right { self.witness.key } else { wrong.expect("one of them") };
        self.counter += 1;
        let request_id = self.counter;
        self.admissions.insert(request_id, (at, key));
        self.input(RoomInput::Admit { player, key, request_id }.into());
        // Without an answer the server is down.
        self.schedule_within(3_000, 6_000, WorldEvent::Connects { client: at });
    }

    pub(crate) fn admission_answered(
        &mut self,
        request_id: u64,
        answer: Result<(), CommandRefusal>,
    ) {
        let (at, key) = self.admissions.remove(&request_id).expect("an admission is answered once");
        let right = key == self.witness.key;
        let client = &mut self.clients[at];
        match answer.map_err(|refusal| refusal.reason) {
            Ok(()) => {
                assert!(right, "admitted with a wrong key");
                assert!(!self.witness.is_kicked(client.player));
                self.schedule_within(10, 200, WorldEvent::Connects { client: at });
            }
            Err(RefusalReason::NotAdmitted) => {
                assert!(!right, "the right key was refused");
                self.tally.count("a key refused");
            }
            Err(RefusalReason::Kicked) => {
                // The client may have been disconnected when it happened.
                client.knows_kick = true;
                assert!(self.witness.is_kicked(client.player));
                self.tally.count("a kicked player refused");
            }
            Err(RefusalReason::TooFast | RefusalReason::Unavailable) => {}
            Err(RefusalReason::Closed) => assert!(self.closing),
            Err(other) => panic!("an admission was refused: {other:?}"),
        }
    }

    fn open_connection(&mut self, at: usize) {
        self.counter += 1;
        let connection = self.counter;
        self.connections.insert(connection, at);
        let odd = self.lots.below(30);
        let client = &mut self.clients[at];
        client.connection = Some(connection);
        (client.has_snapshot, client.thinks) = (false, true);
        let hello = client.conversation.connected(&client.replica, self.now);
        let ClientMessage::Hello { mut since, .. } = hello else {
            panic!("a connection begins with a hello")
        };
        match (odd, &mut since) {
            (0, Some(version)) => {
                *version += 1_000;
                self.tally.count("a version of the future");
            }
            (1, since) => *since = None,
            _ => {}
        }
        let hello = ClientMessage::Hello { ghinda: wire::table::VERSION, since };
        self.send_to_server(at, connection, hello);
        self.schedule_within(100, 900, WorldEvent::Thinks { client: at, connection });
        let restless = self.clients[at].role == ClientRole::Watches && self.now < 60_000;
        if restless || (self.trouble.disconnects && self.is_troubled()) {
            self.schedule_within(3_000, 40_000, WorldEvent::Loses { client: at });
        }
    }

    /// Sends a message of a client.
    pub(crate) fn send_to_server(&mut self, at: usize, connection: u64, message: ClientMessage) {
        if let ClientMessage::Do { id, .. } = &message {
            *self.clients[at].sent.entry(id.clone()).or_default() += 1;
        }
        self.send(connection, WorldEvent::ToServer { connection, message });
    }

    pub(crate) fn lose_connection(&mut self, at: usize) {
        let Some(connection) = self.clients[at].connection.take() else { return };
        self.clients[at].conversation.disconnected(self.now);
        // The server may notice the loss late.
        let late = self.trouble.disconnects && self.chance(3);
        let (from, to) = if late { (1_000, 15_000) } else { (1, 100) };
        self.schedule_within(from, to, WorldEvent::Noticed { connection });
        let long = self.chance(4);
        let (from, to) = if long { (7_000, 25_000) } else { (100, 4_000) };
        self.schedule_within(from, to, WorldEvent::Connects { client: at });
    }

    pub(crate) fn connection_closed(&mut self, at: usize, connection: u64, why: CloseReason) {
        self.input(Input::Disconnected { connection: ConnectionId(connection) });
        let client = &mut self.clients[at];
        if client.connection == Some(connection) {
            client.connection = None;
            client.conversation.disconnected(self.now);
        }
        match why {
            CloseReason::Closed => {
                assert!(self.closing);
                // The client tries once more.
                self.schedule_within(500, 5_000, WorldEvent::Connects { client: at });
            }
            CloseReason::Revoked => {
                let away = self.witness.is_kicked(client.player);
                if away && !client.knows_kick {
                    client.knows_kick = true;
                    self.tally.count("a player kicked");
                } else if away {
                    self.tally.count("a kicked player refused");
                }
                if client.role == ClientRole::Stranger {
                    self.tally.count("a stranger refused");
                }
                self.schedule_within(500, 5_000, WorldEvent::Connects { client: at });
            }
            other => panic!("closed because of {other:?}"),
        }
    }
}
