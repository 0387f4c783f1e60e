//! The talk with a table: what comes is folded into the mirror and told in sentences, what is
//! wished is sent. Whoever carries the texts, a thread with bots or one with a socket, knows
//! nothing of them.

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

/// Hands a text to whoever carries it.
pub(crate) type SendText = Box<dyn Fn(String)>;

/// What the carrier of texts tells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum TransportEvent {
    /// There is a connection: somebody should say hello.
    Up,
    /// The table has said something.
    Text(String),
    /// The connection is lost and is being made again.
    Lost,
    /// It is over for good.
    Ended(SessionEnd),
}

/// Why a talk is over for good.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SessionEnd {
    /// The table said so.
    Farewell(CloseReason),
    /// The link does not open the table.
    Private,
    /// There is no such table.
    Gone,
    /// Nobody has ever answered.
    Unreachable,
    /// The server cannot, or says what we do not understand.
    Unwell,
}

impl SessionEnd {
    /// In a sentence.
    pub(crate) fn sentence(self, phrases: &Phrases) -> String {
        let (title, more) = match self {
            SessionEnd::Farewell(CloseReason::Revoked) => {
                (phrases.ended_revoked(), phrases.ended_revoked_more())
            }
            SessionEnd::Farewell(CloseReason::Closed) => {
                (phrases.ended_closed(), phrases.ended_closed_more())
            }
            SessionEnd::Farewell(CloseReason::OtherVersion) => return phrases.term_other_version(),
            SessionEnd::Private => (phrases.ended_private(), phrases.ended_private_more()),
            SessionEnd::Gone => (phrases.ended_gone(), phrases.ended_gone_more()),
            SessionEnd::Unreachable => return phrases.trouble_unreachable(),
            SessionEnd::Farewell(_) | SessionEnd::Unwell => return phrases.trouble_unwell(),
        };
        format!("{title}. {more}")
    }
}

/// How the talk goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SessionState {
    /// The table is not known yet.
    Opening,
    /// It is known and answers.
    Live,
    /// It was lost and is being sought again.
    Lost,
    /// It is over for good.
    Ended(SessionEnd),
}

/// Something to be told to the player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum SessionNotice {
    /// Something has happened.
    Happened(String),
    /// A wish was refused.
    Refused(String),
    /// Everything is known anew.
    Shown,
}

/// A talk with a table.
pub(crate) struct TableSession {
    pub(crate) replica: TableReplica,
    pub(crate) state: SessionState,
    /// The table's clock minus ours, in milliseconds.
    ahead: i64,
    post: SendText,
    bye: Option<CloseReason>,
}

impl TableSession {
    pub(crate) fn new(post: SendText) -> TableSession {
        let mut name = [0; 3];
        // Without lots the name is the same as another client's only by a strange accident.
        let _ = getrandom::fill(&mut name);
        let name = name.map(|byte| format!("{byte:02x}")).concat();
        let replica = TableReplica::new(&name);
        TableSession { replica, state: SessionState::Opening, ahead: 0, post, bye: None }
    }

    fn send_message(&self, message: &ClientMessage) {
        (self.post)(message.text());
    }

    /// Wishes something.
    pub(crate) fn send(&mut self, what: TableCommand) {
        let message = self.replica.command(what);
        if self.state == SessionState::Live {
            self.send_message(&message);
        }
    }

    /// Takes what the carrier tells; what the player is told because of it.
    pub(crate) fn receive(
        &mut self,
        news: TransportEvent,
        phrases: &Phrases,
    ) -> Vec<SessionNotice> {
        match news {
            TransportEvent::Up => {
                self.bye = None;
                self.send_message(&self.replica.hello());
                Vec::new()
            }
            TransportEvent::Text(text) => self.text(&text, phrases),
            TransportEvent::Lost => {
                self.state = match (self.bye, self.state) {
                    (Some(bye), _) if !bye.may_return() => {
                        SessionState::Ended(SessionEnd::Farewell(bye))
                    }
                    (_, SessionState::Opening) => SessionState::Opening,
                    _ => SessionState::Lost,
                };
                Vec::new()
            }
            TransportEvent::Ended(ended) => {
                let ended =
                    self.bye.filter(|bye| !bye.may_return()).map_or(ended, SessionEnd::Farewell);
                self.state = SessionState::Ended(ended);
                Vec::new()
            }
        }
    }

    fn text(&mut self, text: &str, phrases: &Phrases) -> Vec<SessionNotice> {
        // A message that we cannot read is of a newer server, and an update will be missed.
        let Ok(message) = ServerMessage::read(text) else { return Vec::new() };
        match &message {
            ServerMessage::Hello { time, .. } | ServerMessage::Beat { time } => {
                self.ahead = *time as i64 - clock::millis() as i64;
            }
            ServerMessage::Bye { why } => self.bye = Some(*why),
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
                vec![SessionNotice::Refused(self.refused(&refusal, phrases))]
            }
            TableChange::Events(told) => {
                let said = told.iter().filter_map(|told| sentence(told, &self.replica, phrases));
                said.map(SessionNotice::Happened).collect()
            }
            TableChange::Snapshot => vec![SessionNotice::Shown],
            TableChange::Nothing | TableChange::Presence => Vec::new(),
        }
    }

    /// Why something was refused: what the rules say, where they say it.
    fn refused(&self, refusal: &CommandRefusal, phrases: &Phrases) -> String {
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

    /// The felt as it is to be drawn; nothing before a match.
    pub(crate) fn scene(&self, look: Look, phrases: &Phrases) -> Option<TableScene> {
        let (state, view) = self.replica.state().zip(self.replica.shown_view())?;
        let names = participants::names(state, phrases);
        let scene = TableScene::new(view, &names, look.direction, phrases);
        Some(if state.paused { scene.paused(phrases) } else { scene })
    }

    /// How many seconds are left on a clock that runs, and whose it is.
    pub(crate) fn seconds_left(&self) -> Option<(Option<usize>, u64)> {
        let clock = self.replica.state()?.clock?;
        let now = clock::millis() as i64 + self.ahead;
        let left = (clock.until as i64 - now).max(0) as u64;
        Some((clock.seat, left.div_ceil(1000)))
    }
}
