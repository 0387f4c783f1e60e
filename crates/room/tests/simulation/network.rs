//! The network between the clients and the server, and the door of the table.
//! Messages of one connection stay in order; connections do not.

use std::rc::Rc;

use room::Key;
use room::driver::{ConnectionId, Input};
use wire::table::{ClientMessage, CloseReason, CommandRefusal, RefusalReason, ServerMessage};

use crate::clients::Part;
use crate::world::{Happens, World};

impl World {
    /// Sends something over a connection.
    pub(crate) fn send(&mut self, connection: u64, what: Happens) {
        // The same delay for all messages of a connection keeps them in order.
        let delay = 5 + connection * 7 % 90;
        self.at(self.now + delay, what);
    }

    pub(crate) fn server_hears(&mut self, connection: u64, message: ClientMessage) {
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
                self.send(connection, Happens::ToClient { client, connection, message });
                self.input(Input::Connected { connection: id, player, since });
            }
            ClientMessage::Do { id: command, what } => {
                self.input(Input::Command { connection: id, id: command, what })
            }
            ClientMessage::Beat => {}
        }
    }

    /// Gets a connection, or knocks at the door first.
    pub(crate) fn connect(&mut self, at: usize) {
        let client = &self.clients[at];
        if client.connection.is_some() || client.gone_home {
            return;
        }
        let Some(driver) = &self.driver else {
            self.later(300, 2_000, Happens::Connects { client: at });
            return;
        };
        if driver.room().is_closed() {
            self.clients[at].tries += 1;
            if self.clients[at].tries < 6 {
                self.open_connection(at);
            }
            return;
        }
        let (player, part) = (client.player, client.part);
        let sent_away = client.sent_away;
        if driver.room().admits(player) {
            self.open_connection(at);
            return;
        }
        // Whoever is not let in tries a few times, with a key or without.
        let hopeless = sent_away || part == Part::Stranger;
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
        let right = part != Part::Stranger && !self.chance(5);
        // The first key is the wrong one once the link is void.
        let keys = [Key::new([7; 16]), Key::new([9; 16])];
        let wrong = keys.into_iter().find(|key| *key != self.witness.key);
        let key = if right { self.witness.key } else { wrong.expect("one of them") };
        self.made += 1;
        let ticket = self.made;
        self.knocks.insert(ticket, (at, key));
        self.input(Input::Admit { player, key, ticket });
        // If no answer comes, the server is gone.
        self.later(3_000, 6_000, Happens::Connects { client: at });
    }

    pub(crate) fn knock_answered(&mut self, ticket: u64, answer: Result<(), CommandRefusal>) {
        let (at, key) = self.knocks.remove(&ticket).expect("a knock is answered once");
        let right = key == self.witness.key;
        let client = &mut self.clients[at];
        match answer.map_err(|refusal| refusal.reason) {
            Ok(()) => {
                assert!(right, "let in with a wrong key");
                assert!(!self.witness.is_sent_away(client.player));
                self.later(10, 200, Happens::Connects { client: at });
            }
            Err(RefusalReason::NotAdmitted) => {
                assert!(!right, "the right key was refused");
                self.tally.count("a key refused");
            }
            Err(RefusalReason::Kicked) => {
                // He may have been away when it happened.
                client.sent_away = true;
                assert!(self.witness.is_sent_away(client.player));
                self.tally.count("somebody sent away turned away");
            }
            Err(RefusalReason::TooFast | RefusalReason::Unavailable) => {}
            Err(RefusalReason::Closed) => assert!(self.closing),
            Err(other) => panic!("a knock was refused: {other:?}"),
        }
    }

    fn open_connection(&mut self, at: usize) {
        self.made += 1;
        let connection = self.made;
        self.connections.insert(connection, at);
        let odd = self.lots.below(30);
        let client = &mut self.clients[at];
        client.connection = Some(connection);
        (client.anew, client.thinks) = (false, true);
        let ClientMessage::Hello { mut since, .. } = client.replica.hello() else {
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
        self.send_wish(at, connection, hello);
        self.later(100, 900, Happens::Thinks { client: at, connection });
        let restless = self.clients[at].part == Part::Watches && self.now < 60_000;
        if restless || (self.trouble.disconnects && self.troubled()) {
            self.later(3_000, 40_000, Happens::Loses { client: at });
        }
    }

    /// Sends a message of a client.
    pub(crate) fn send_wish(&mut self, at: usize, connection: u64, message: ClientMessage) {
        if let ClientMessage::Do { id, .. } = &message {
            *self.clients[at].sent.entry(id.clone()).or_default() += 1;
        }
        self.send(connection, Happens::ToServer { connection, message });
    }

    pub(crate) fn lose(&mut self, at: usize) {
        let Some(connection) = self.clients[at].connection.take() else { return };
        // A server that knows nothing of it may take its time to notice.
        let late = self.trouble.disconnects && self.chance(3);
        let (from, to) = if late { (1_000, 15_000) } else { (1, 100) };
        self.later(from, to, Happens::Noticed { connection });
        let long = self.chance(4);
        let (from, to) = if long { (7_000, 25_000) } else { (100, 4_000) };
        self.later(from, to, Happens::Connects { client: at });
    }

    pub(crate) fn dismissed(&mut self, at: usize, connection: u64, why: CloseReason) {
        self.input(Input::Disconnected { connection: ConnectionId(connection) });
        let client = &mut self.clients[at];
        if client.connection == Some(connection) {
            client.connection = None;
        }
        match why {
            CloseReason::Closed => {
                assert!(self.closing);
                // He does not believe it and tries once more.
                self.later(500, 5_000, Happens::Connects { client: at });
            }
            CloseReason::Revoked => {
                let away = self.witness.is_sent_away(client.player);
                if away && !client.sent_away {
                    client.sent_away = true;
                    self.tally.count("somebody sent away");
                } else if away {
                    self.tally.count("somebody sent away turned away");
                }
                if client.part == Part::Stranger {
                    self.tally.count("a stranger turned away");
                }
                self.later(500, 5_000, Happens::Connects { client: at });
            }
            other => panic!("dismissed because of {other:?}"),
        }
    }
}
