//! The connection to a table: received messages are folded into the replica and become sentences,
//! commands are sent. The transport, a thread with bots or one with a socket, only carries texts; the
//! [`Conversation`] decides what is said and when to connect.

use std::path::PathBuf;
use std::time::Duration;

use game::Rules;
use phrases::Phrases;
use replica::Replica;
use replica::conversation::{Conversation, ConversationState, Tick};
use replica::table::{TableChange, TableReplica};
use table_view::narrator::sentence;
use table_view::{TableScene, refusals};
use wire::table::{ClientMessage, CloseReason, ServerMessage, TableCommand};

use crate::appearance::Appearance;
use crate::clock;

/// The failed attempts after which a first connection is given up: the address may be mistyped.
const MAX_FAILED_OPENINGS: u32 = 6;

/// Passes a request to the transport.
pub(crate) type TransportSender = Box<dyn Fn(TransportRequest)>;

/// A request for the transport.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum TransportRequest {
    /// Connects. The transport answers with [`TransportEvent::Up`] or [`TransportEvent::Lost`].
    Connect,
    /// Sends a text.
    Send(String),
    /// Drops the connection. The transport answers with [`TransportEvent::Lost`].
    Disconnect,
}

/// An event of the transport.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum TransportEvent {
    /// The connection is open.
    Up,
    /// The stored match cannot be resumed; its journal has this name now.
    SetAside(PathBuf),
    /// A message of the table.
    Text(String),
    /// The connection is lost or could not be opened. Comes once for each request to connect.
    Lost,
    /// Connecting again does not help.
    Ended(ConnectionEnd),
}

/// Why a connection has ended for good.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ConnectionEnd {
    /// The server closed it.
    ClosedByServer(CloseReason),
    /// The link does not open the table.
    Private,
    /// There is no such table.
    Gone,
    /// The server has never answered.
    Unreachable,
    /// The server has failed, or its answer cannot be read.
    ServerFault,
}

impl ConnectionEnd {
    /// The sentence for the player.
    pub(crate) fn sentence(self, phrases: &Phrases) -> String {
        let (title, more) = match self {
            ConnectionEnd::ClosedByServer(CloseReason::Revoked) => {
                (phrases.ended_revoked(), phrases.ended_revoked_more())
            }
            ConnectionEnd::ClosedByServer(CloseReason::Closed) => {
                (phrases.ended_closed(), phrases.ended_closed_more())
            }
            ConnectionEnd::ClosedByServer(CloseReason::OtherVersion) => {
                return phrases.term_other_version();
            }
            ConnectionEnd::Private => (phrases.ended_private(), phrases.ended_private_more()),
            ConnectionEnd::Gone => (phrases.ended_gone(), phrases.ended_gone_more()),
            ConnectionEnd::Unreachable => return phrases.trouble_unreachable(),
            ConnectionEnd::ClosedByServer(_) | ConnectionEnd::ServerFault => {
                return phrases.trouble_unwell();
            }
        };
        format!("{title}. {more}")
    }
}

impl From<CloseReason> for ConnectionEnd {
    fn from(reason: CloseReason) -> ConnectionEnd {
        ConnectionEnd::ClosedByServer(reason)
    }
}

/// The state of a connection.
pub(crate) type TerminalConnectionState = ConversationState<ConnectionEnd>;

/// A notice for the player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ConnectionNotice {
    /// The sentence for an event.
    Happened(String),
    /// A command was refused; the reason.
    Refused(String),
    /// Something that the player should know, whatever they do.
    Warning(String),
    /// The whole table was received.
    Shown,
}

/// A connection to a table.
pub(crate) struct TerminalConnection {
    pub(crate) replica: TableReplica,
    conversation: Conversation<ConnectionEnd>,
    /// When to connect again.
    retry_at: Option<u64>,
    transport: TransportSender,
}

impl TerminalConnection {
    /// Begins to connect.
    pub(crate) fn new(transport: TransportSender) -> TerminalConnection {
        let mut id_prefix = [0; 8];
        // Without random bytes the prefix is zero, which is unlikely to be another client's.
        let _ = getrandom::fill(&mut id_prefix);
        let id_prefix = id_prefix.map(|byte| format!("{byte:02x}")).concat();
        transport(TransportRequest::Connect);
        TerminalConnection {
            replica: TableReplica::new(&id_prefix),
            conversation: Conversation::default(),
            retry_at: None,
            transport,
        }
    }

    pub(crate) fn state(&self) -> TerminalConnectionState {
        self.conversation.state()
    }

    fn send_message(&self, message: &ClientMessage) {
        (self.transport)(TransportRequest::Send(message.text()));
    }

    /// Sends a command, at once or when the connection works again.
    pub(crate) fn send(&mut self, what: TableCommand) {
        let (_, message) = self.conversation.command(&mut self.replica, what);
        message.iter().for_each(|message| self.send_message(message));
    }

    /// How long to wait until [`TerminalConnection::tick`].
    pub(crate) fn tick_after(&self) -> Option<Duration> {
        let at = self.retry_at.into_iter().chain(self.conversation.due_at()).min()?;
        Some(Duration::from_millis(at.saturating_sub(clock::millis())))
    }

    /// Time has passed: connects again, sends a beat, or drops a connection that is dead.
    pub(crate) fn tick(&mut self) {
        let now = clock::millis();
        if self.retry_at.take_if(|at| *at <= now).is_some() {
            (self.transport)(TransportRequest::Connect);
        }
        match self.conversation.tick(now) {
            Tick::Wait => {}
            Tick::Beat => self.send_message(&TableReplica::beat()),
            Tick::Disconnect => (self.transport)(TransportRequest::Disconnect),
        }
    }

    /// Handles an event of the transport. Returns the notices for the player.
    pub(crate) fn receive(
        &mut self,
        event: TransportEvent,
        phrases: &Phrases,
    ) -> Vec<ConnectionNotice> {
        match event {
            TransportEvent::Up => {
                let hello = self.conversation.connected(&self.replica, clock::millis());
                self.send_message(&hello);
            }
            TransportEvent::SetAside(path) => {
                let sentence = phrases.term_journal_set_aside(path.display().to_string());
                return vec![ConnectionNotice::Warning(sentence)];
            }
            TransportEvent::Text(text) => return self.receive_text(&text, phrases),
            TransportEvent::Lost => {
                self.retry_at = self.conversation.disconnected(clock::millis());
                if self.conversation.failed_openings() >= Some(MAX_FAILED_OPENINGS) {
                    self.end(ConnectionEnd::Unreachable);
                }
            }
            TransportEvent::Ended(end) => self.end(end),
        }
        Vec::new()
    }

    fn end(&mut self, end: ConnectionEnd) {
        self.conversation.end(end);
        self.retry_at = None;
    }

    fn receive_text(&mut self, text: &str, phrases: &Phrases) -> Vec<ConnectionNotice> {
        let now = clock::millis();
        let Ok(message) = ServerMessage::read(text) else {
            self.conversation.received_anything(now);
            return Vec::new();
        };
        let step = self.conversation.receive(&mut self.replica, message, now);
        step.send.iter().for_each(|message| self.send_message(message));
        if step.disconnect {
            (self.transport)(TransportRequest::Disconnect);
        }
        match step.change {
            TableChange::Refused { refusal, .. } => {
                let sentence = refusals::sentence(&refusal, self.rules().as_ref(), phrases);
                vec![ConnectionNotice::Refused(sentence)]
            }
            TableChange::Events(events) => {
                let events = events.iter();
                let sentences = events.filter_map(|event| sentence(event, &self.replica, phrases));
                sentences.map(ConnectionNotice::Happened).collect()
            }
            TableChange::Snapshot | TableChange::Synced { .. } => vec![ConnectionNotice::Shown],
            TableChange::Nothing | TableChange::Presence | TableChange::Gap => Vec::new(),
        }
    }

    /// The rules of the table.
    pub(crate) fn rules(&self) -> Option<Rules> {
        Rules::from_code(&self.replica.state()?.rules).ok()
    }

    /// The scene to be drawn. Returns None before a match.
    pub(crate) fn scene(&self, appearance: Appearance, phrases: &Phrases) -> Option<TableScene> {
        TableScene::of_replica(&self.replica, appearance.direction, phrases)
    }

    /// The seat of the running clock, and the seconds left on it.
    pub(crate) fn seconds_left(&self) -> Option<(Option<usize>, u64)> {
        let clock = self.replica.state()?.clock?;
        let now = clock::millis() as i64 + self.conversation.clock_offset();
        let left = (clock.until as i64 - now).max(0) as u64;
        Some((clock.seat, left.div_ceil(1000)))
    }
}
