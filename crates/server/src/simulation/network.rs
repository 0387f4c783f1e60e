//! The network between clients and servers. Messages of one connection stay in order; a connection may
//! be lost, and a server may notice that late.

use std::collections::VecDeque;
use std::sync::Arc;

use wire::table::CloseReason;

use super::lots::Lots;
use super::sockets::SocketHandle;
use super::world::{ShellWorld, Who, WorldEvent};

/// A client's side of its connection.
#[derive(Default)]
pub(super) struct Link {
    pub(super) connection: Option<u64>,
    /// Whether the client waits for a request.
    pub(super) busy: bool,
    /// Whether it does not connect any more.
    pub(super) left: bool,
    /// Whether it may not connect any more.
    pub(super) ended: bool,
    /// Messages that it has not read, if it reads slowly at present.
    unread: Option<VecDeque<Arc<str>>>,
}

/// A connection.
pub(super) struct OpenSocket {
    pub(super) server: usize,
    who: Who,
    handle: SocketHandle,
    /// How long a message to the server is under way, in milliseconds.
    delay: u64,
}

/// The delay of a new connection.
pub(super) fn delay_of(lots: &mut Lots) -> u64 {
    lots.within(2..80)
}

impl ShellWorld {
    pub(super) fn link(&mut self, who: Who) -> &mut Link {
        match who {
            Who::Table(at) => &mut self.table_clients[at].link,
            Who::Ledger(at) => &mut self.ledger_clients[at].link,
        }
    }

    /// All clients.
    pub(super) fn everyone(&self) -> Vec<Who> {
        let tables = (0..self.table_clients.len()).map(Who::Table);
        tables.chain((0..self.ledger_clients.len()).map(Who::Ledger)).collect()
    }

    pub(super) fn connect(&mut self, who: Who) {
        let link = self.link(who);
        if link.connection.is_some() || link.busy || link.left || link.ended {
            return;
        }
        let Some(server) = self.choose_server(who) else { return self.retry(who) };
        match who {
            Who::Table(at) => self.connect_to_table(at, server),
            Who::Ledger(at) => self.connect_to_ledger(at, server),
        }
    }

    /// Connects later, when the conversation wants it.
    pub(super) fn retry(&mut self, who: Who) {
        let now = self.now;
        let again = match who {
            Who::Table(at) => self.table_clients[at].conversation.disconnected(now),
            Who::Ledger(at) => self.ledger_clients[at].conversation.disconnected(now),
        };
        match again {
            Some(again) => self.schedule_at(again, WorldEvent::Connect { who }),
            None => self.link(who).ended = true,
        }
    }

    /// There are too many connections for another one.
    pub(super) fn find_no_place(&mut self, who: Who) {
        assert!(self.plan.scarce, "there is room");
        self.tally.count("a connection that found no place");
        self.retry(who);
    }

    /// A connection of a client is open.
    pub(super) fn opened(
        &mut self,
        who: Who,
        connection: u64,
        server: usize,
        delay: u64,
        handle: SocketHandle,
    ) {
        self.sockets.insert(connection, OpenSocket { server, who, handle, delay });
        let link = self.link(who);
        (link.connection, link.unread) = (Some(connection), None);
        self.schedule_within(100..900, WorldEvent::Think { who, connection });
        if self.plan.network && self.is_troubled() {
            self.schedule_within(1_000..30_000, WorldEvent::Disturb { who, connection });
        }
    }

    /// Sends a message of a client.
    pub(super) fn send_text(&mut self, connection: u64, text: String) {
        if let Some(socket) = self.sockets.get(&connection) {
            let at = self.now + socket.delay;
            self.schedule_at(at, WorldEvent::ToServer { connection, text });
        }
    }

    pub(super) fn pass_to_server(&mut self, connection: u64, text: String) {
        if let Some(socket) = self.sockets.get(&connection) {
            // A server that has closed the connection does not read it.
            let _ = socket.handle.inbox.send(text);
        }
    }

    pub(super) fn on_text(&mut self, connection: u64, text: Arc<str>) {
        let Some(socket) = self.sockets.get(&connection) else { return };
        let who = socket.who;
        let link = self.link(who);
        if link.connection != Some(connection) {
            return;
        }
        match &mut link.unread {
            Some(unread) => unread.push_back(text),
            None => self.read_text(who, connection, &text),
        }
    }

    /// A client reads a message, so that the network can carry another.
    fn read_text(&mut self, who: Who, connection: u64, text: &str) {
        if let Some(socket) = self.sockets.get(&connection) {
            socket.handle.window.add_permits(1);
        }
        match who {
            Who::Table(at) => self.table_client_receives(at, connection, text),
            Who::Ledger(at) => self.ledger_client_receives(at, connection, text),
        }
    }

    /// Reads what a client has not read yet.
    fn read_all(&mut self, who: Who, connection: u64) {
        let unread = self.link(who).unread.take().unwrap_or_default();
        for text in unread {
            if self.link(who).connection == Some(connection) {
                self.read_text(who, connection, &text);
            }
        }
    }

    pub(super) fn reads_again(&mut self, who: Who, connection: u64) {
        if self.link(who).connection == Some(connection) {
            self.read_all(who, connection);
        }
    }

    /// Whether a client reads nothing at present.
    pub(super) fn is_slow(&mut self, who: Who) -> bool {
        self.link(who).unread.is_some()
    }

    /// The server has ended a connection.
    pub(super) fn on_ended(&mut self, connection: u64, why: Option<CloseReason>) {
        let Some(who) = self.sockets.get(&connection).map(|socket| socket.who) else { return };
        if let Some(why) = why {
            self.tally.count(&format!("closed: {why:?}"));
        }
        if self.link(who).connection == Some(connection) {
            // What was sent before arrives before.
            self.read_all(who, connection);
        }
        self.sockets.remove(&connection);
        if self.link(who).connection == Some(connection) {
            self.link(who).connection = None;
            if let Some(why) = why {
                self.client_hears_bye(who, why);
            }
            self.retry(who);
        }
    }

    fn client_hears_bye(&mut self, who: Who, why: CloseReason) {
        match who {
            Who::Table(at) => self.table_client_hears_bye(at, why),
            Who::Ledger(at) => self.ledger_client_hears_bye(at, why),
        }
    }

    /// A client gives its connection up, or loses it. The server may notice that late.
    pub(super) fn disconnect(&mut self, who: Who) {
        let Some(connection) = self.link(who).connection.take() else { return };
        self.link(who).unread = None;
        let late = self.is_troubled() && self.lots.chance(4);
        let notices = if late { 1_000..15_000 } else { 1..60 };
        self.schedule_within(notices, WorldEvent::Noticed { connection });
        self.retry(who);
    }

    pub(super) fn notice(&mut self, connection: u64) {
        self.sockets.remove(&connection);
    }

    /// A connection ends with its server.
    pub(super) fn lose_socket(&mut self, connection: u64) {
        let Some(socket) = self.sockets.remove(&connection) else { return };
        if self.link(socket.who).connection == Some(connection) {
            self.link(socket.who).connection = None;
            self.link(socket.who).unread = None;
            self.retry(socket.who);
        }
    }

    /// Something happens to the connection of a client, or the client does something unusual.
    pub(super) fn disturb(&mut self, who: Who, connection: u64) {
        if !self.is_troubled() || self.link(who).connection != Some(connection) {
            return;
        }
        match self.lots.below(10) {
            0..5 => {
                self.tally.count("a connection lost");
                self.disconnect(who);
                return;
            }
            5..8 => {
                self.tally.count("a client that reads slowly");
                self.link(who).unread.get_or_insert_default();
                self.schedule_within(2_000..25_000, WorldEvent::ReadsAgain { who, connection });
            }
            _ => match who {
                Who::Table(at) => self.table_client_floods(at, connection),
                Who::Ledger(at) => self.ledger_client_floods(at, connection),
            },
        }
        self.schedule_within(2_000..30_000, WorldEvent::Disturb { who, connection });
    }

    /// A client leaves for good.
    pub(super) fn leave(&mut self, who: Who) {
        self.disconnect(who);
        self.link(who).left = true;
    }
}
