//! The session with a table: received messages are folded into the replica and become sentences,
//! commands are sent. The transport, a thread with bots or one with a socket, only carries texts.

use game::Rules;
use phrases::Phrases;
use replica::table::{TableChange, TableReplica};
use table_view::narrator::sentence;
use table_view::{TableScene, participants};
use wire::table::{
    ClientMessage, CloseReason, CommandRefusal, RefusalReason, ServerMessage, TableCommand,
};

use crate::clock;
use crate::look::Look;

/// Gives a text to the transport.
pub(crate) type SendText = Box<dyn Fn(String)>;

/// An event of the transport.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum TransportEvent {
    /// The connection is open: the session must send hello.
    Up,
    /// A message of the table.
    Text(String),
    /// The connection is lost and is being reopened.
    Lost,
    /// The connection has ended for good.
    Ended(SessionEnd),
}

/// Why a session has ended for good.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SessionEnd {
    /// The server closed it.
    ClosedByServer(CloseReason),
    /// The link does not open the table.
    Private,
    /// There is no such table.
    Gone,
    /// The server has never answered.
    Unreachable,
    /// The server has failed, or its answer cannot be read.
    Unwell,
}

impl SessionEnd {
    /// The sentence for the player.
    pub(crate) fn sentence(self, phrases: &Phrases) -> String {
        let (title, more) = match self {
            SessionEnd::ClosedByServer(CloseReason::Revoked) => {
                (phrases.ended_revoked(), phrases.ended_revoked_more())
            }
            SessionEnd::ClosedByServer(CloseReason::Closed) => {
                (phrases.ended_closed(), phrases.ended_closed_more())
            }
            SessionEnd::ClosedByServer(CloseReason::OtherVersion) => {
                return phrases.term_other_version();
            }
            SessionEnd::Private => (phrases.ended_private(), phrases.ended_private_more()),
            SessionEnd::Gone => (phrases.ended_gone(), phrases.ended_gone_more()),
            SessionEnd::Unreachable => return phrases.trouble_unreachable(),
            SessionEnd::ClosedByServer(_) | SessionEnd::Unwell => return phrases.trouble_unwell(),
        };
        format!("{title}. {more}")
    }
}

/// The state of a session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SessionState {
    /// The table is not known yet.
    Opening,
    /// The connection works and the state is up to date.
    Live,
    /// The connection was lost and is being reopened.
    Lost,
    /// The session has ended for good.
    Ended(SessionEnd),
}

/// A notice for the player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum SessionNotice {
    /// The sentence for an event.
    Happened(String),
    /// A command was refused; the reason.
    Refused(String),
    /// The whole table was received.
    Shown,
}

/// A session with a table.
pub(crate) struct TableSession {
    pub(crate) replica: TableReplica,
    pub(crate) state: SessionState,
    /// The table's clock minus the clock of this machine, in milliseconds.
    clock_offset: i64,
    send_text: SendText,
    /// The reason in the server's bye, if one came on this connection.
    close_reason: Option<CloseReason>,
}

impl TableSession {
    pub(crate) fn new(send_text: SendText) -> TableSession {
        let mut name = [0; 3];
        // Without random bytes the name is zero, which is unlikely to be another client's.
        let _ = getrandom::fill(&mut name);
        let name = name.map(|byte| format!("{byte:02x}")).concat();
        TableSession {
            replica: TableReplica::new(&name),
            state: SessionState::Opening,
            clock_offset: 0,
            send_text,
            close_reason: None,
        }
    }

    fn send_message(&self, message: &ClientMessage) {
        (self.send_text)(message.text());
    }

    /// Sends a command, at once or when the connection works again.
    pub(crate) fn send(&mut self, what: TableCommand) {
        let message = self.replica.command(what);
        if self.state == SessionState::Live {
            self.send_message(&message);
        }
    }

    /// Handles an event of the transport. Returns the notices for the player.
    pub(crate) fn receive(
        &mut self,
        event: TransportEvent,
        phrases: &Phrases,
    ) -> Vec<SessionNotice> {
        match event {
            TransportEvent::Up => {
                self.close_reason = None;
                self.send_message(&self.replica.hello());
                Vec::new()
            }
            TransportEvent::Text(text) => self.receive_text(&text, phrases),
            TransportEvent::Lost => {
                self.state = match (self.close_reason, self.state) {
                    (Some(reason), _) if !reason.may_return() => {
                        SessionState::Ended(SessionEnd::ClosedByServer(reason))
                    }
                    (_, SessionState::Opening) => SessionState::Opening,
                    _ => SessionState::Lost,
                };
                Vec::new()
            }
            TransportEvent::Ended(end) => {
                let reason = self.close_reason.filter(|reason| !reason.may_return());
                let end = reason.map_or(end, SessionEnd::ClosedByServer);
                self.state = SessionState::Ended(end);
                Vec::new()
            }
        }
    }

    fn receive_text(&mut self, text: &str, phrases: &Phrases) -> Vec<SessionNotice> {
        // An unreadable message is from a newer server. If it was an update, the next one reveals
        // the gap.
        let Ok(message) = ServerMessage::read(text) else { return Vec::new() };
        match &message {
            ServerMessage::Hello { time, .. } | ServerMessage::Beat { time } => {
                self.clock_offset = *time as i64 - clock::millis() as i64;
            }
            ServerMessage::Bye { why } => self.close_reason = Some(*why),
            _ => {}
        }
        match self.replica.receive(message) {
            TableChange::Lost => {
                self.replica.forget();
                self.send_message(&self.replica.hello());
                Vec::new()
            }
            TableChange::Arrived { .. } => {
                self.state = SessionState::Live;
                self.replica.unanswered().for_each(|command| self.send_message(&command));
                vec![SessionNotice::Shown]
            }
            TableChange::Refused { refusal, .. } => {
                vec![SessionNotice::Refused(self.refusal_sentence(&refusal, phrases))]
            }
            TableChange::Events(events) => {
                let events = events.iter();
                let sentences = events.filter_map(|event| sentence(event, &self.replica, phrases));
                sentences.map(SessionNotice::Happened).collect()
            }
            TableChange::Snapshot => vec![SessionNotice::Shown],
            TableChange::Nothing | TableChange::Presence => Vec::new(),
        }
    }

    /// The sentence for a refusal: that of the rules, if the rules forbid the command.
    fn refusal_sentence(&self, refusal: &CommandRefusal, phrases: &Phrases) -> String {
        let rules = self.rules();
        let illegal = refusal.illegal.as_ref().filter(|_| refusal.reason == RefusalReason::Illegal);
        let illegal = illegal.zip(rules).and_then(|(text, rules)| text.illegal(&rules).ok());
        match (illegal, rules) {
            (Some(illegal), Some(rules)) => phrases.refusal(&illegal, &rules),
            _ => phrases.refused_by_table(refusal.reason),
        }
    }

    /// The rules of the table.
    pub(crate) fn rules(&self) -> Option<Rules> {
        Rules::from_code(&self.replica.state()?.rules).ok()
    }

    /// The scene to be drawn. Returns None before a match.
    pub(crate) fn scene(&self, look: Look, phrases: &Phrases) -> Option<TableScene> {
        let (state, view) = self.replica.state().zip(self.replica.shown_view())?;
        let names = participants::names(state, phrases);
        let scene = TableScene::new(view, &names, look.direction, phrases);
        Some(if state.paused { scene.paused(phrases) } else { scene })
    }

    /// The seat of the running clock, and the seconds left on it.
    pub(crate) fn seconds_left(&self) -> Option<(Option<usize>, u64)> {
        let clock = self.replica.state()?.clock?;
        let now = clock::millis() as i64 + self.clock_offset;
        let left = (clock.until as i64 - now).max(0) as u64;
        Some((clock.seat, left.div_ceil(1000)))
    }
}
