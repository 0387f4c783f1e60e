//! What a client knows of a table: the server's snapshot, and every update
//! folded into it. Pure; the page and the terminal share it.
//!
//! A [`Mirror`] asks for what it lacks, sends unanswered wishes again after a lost
//! connection, and knows nothing that the server has not stored. A connection
//! begins with [`Mirror::hello`]; when the mirror says that it has [arrived](Heard::Arrived),
//! everything is known again, and [`Mirror::unanswered`] is what to send next.
//! [`Mirror::asked`] says what the table waits for.

mod prompt;

use core::str::FromStr;

use game::public::Phase;
use game::{PlayedDeal, Rules, SeatEvent, View};
use wire::table::{
    ChatMessage, ClientMessage, CommandRefusal, DealPlayed, Promise, SeatState, ServerMessage,
    Snapshot, TableCommand, TableEvent, TableStage, Update, VERSION,
};

pub use prompt::Prompt;

/// How many things that were said are kept.
const SAYINGS: usize = 40;
/// For how many versions a wish may be sent again. The server remembers the commands
/// of twice as many, so that none is done twice.
const AGAIN: u64 = 32;

/// A table as it is known here.
#[derive(Clone, Debug, Default)]
pub struct TableReplica {
    known: Option<ReplicaState>,
    /// The wishes that were not answered yet, oldest first.
    commands: Vec<PendingCommand>,
    made: u64,
    /// Whether the server has said hello and not yet told everything.
    greets: bool,
    /// What makes the ids of this client differ from those of the player's others.
    name: String,
}

/// Something wished for.
#[derive(Clone, Debug)]
struct PendingCommand {
    id: String,
    what: TableCommand,
    /// The version that was known then.
    at: u64,
}

/// What is known since the first snapshot.
#[derive(Clone, Debug)]
struct ReplicaState {
    state: Snapshot,
    rules: Rules,
    view: Option<View>,
    /// The same with a card that the viewer has laid and the server has not confirmed yet.
    laid: Option<View>,
    /// The cards of the deal that is over, as they were dealt.
    hands: Option<Vec<String>>,
    /// How many watch.
    watching: usize,
    /// The last challenge, until another trick is taken or the next deal comes (C15).
    challenged: Option<TableEvent>,
}

/// What a message meant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TableChange {
    /// Nothing that changes what is known.
    Nothing,
    /// Everything is known anew.
    Snapshot,
    /// These things happened, in order.
    Told(Vec<TableEvent>),
    /// Who is here has changed.
    Presence,
    /// After a hello everything is known again, and what is [unanswered](Mirror::unanswered)
    /// may be sent again.
    Arrived {
        /// Wishes that are too old for that: nobody knows whether they were done.
        given_up: Vec<TableCommand>,
    },
    /// A wish was refused.
    Refused {
        /// Which.
        command: TableCommand,
        /// Why.
        refusal: CommandRefusal,
    },
    /// Something is missing or does not fit: say hello again, without a version.
    Lost,
}

impl TableReplica {
    /// A mirror that knows nothing. The name makes the ids of its wishes its own; any
    /// few random letters will do.
    pub fn new(name: &str) -> TableReplica {
        TableReplica { name: name.into(), ..TableReplica::default() }
    }

    /// The first message of a connection.
    pub fn hello(&self) -> ClientMessage {
        ClientMessage::Hello { ghinda: VERSION, since: self.version() }
    }

    /// The last version that is known.
    pub fn version(&self) -> Option<u64> {
        self.known.as_ref().map(|known| known.state.version)
    }

    /// The table, as the server would show it now, but for the match: that is in
    /// [`Mirror::view`].
    pub fn state(&self) -> Option<&Snapshot> {
        self.known.as_ref().map(|known| &known.state)
    }

    /// What is known of the match.
    pub fn view(&self) -> Option<&View> {
        self.known.as_ref()?.view.as_ref()
    }

    /// The match as it is to be drawn: what is known of it, and the card that was just
    /// [laid](Mirror::lay).
    pub fn sight(&self) -> Option<&View> {
        let known = self.known.as_ref()?;
        known.laid.as_ref().or(known.view.as_ref())
    }

    /// The cards of the deal that is over, as they were dealt.
    pub fn hands(&self) -> Option<&[String]> {
        self.known.as_ref()?.hands.as_deref()
    }

    /// The last challenge and how it was judged, until another trick is taken or the next deal
    /// comes (C15).
    pub fn challenged(&self) -> Option<&TableEvent> {
        self.known.as_ref()?.challenged.as_ref()
    }

    /// How many watch.
    pub fn watching(&self) -> usize {
        self.known.as_ref().map_or(0, |known| known.watching)
    }

    /// Forgets the table, but not what was wished.
    pub fn forget(&mut self) {
        self.known = None;
    }

    /// A wish, as a message. It is kept until it is answered.
    pub fn command(&mut self, what: TableCommand) -> ClientMessage {
        self.made += 1;
        let id = format!("{}{}", self.name, self.made);
        let at = self.version().unwrap_or_default();
        self.commands.push(PendingCommand { id: id.clone(), what: what.clone(), at });
        ClientMessage::Do { id, what }
    }

    /// The wishes that were not answered, to be sent again on a new connection once
    /// the mirror has [arrived](Heard::Arrived).
    pub fn unanswered(&self) -> impl Iterator<Item = ClientMessage> + '_ {
        let again = |command: &PendingCommand| ClientMessage::Do {
            id: command.id.clone(),
            what: command.what.clone(),
        };
        self.commands.iter().map(again)
    }

    /// Whether everything that was wished has been answered.
    pub fn is_settled(&self) -> bool {
        self.commands.is_empty()
    }

    /// Whether a deal was just scored, and the next waits for the players.
    pub fn is_between_deals(&self) -> bool {
        let Some((state, view)) = self.state().zip(self.view()) else { return false };
        let dealing = matches!(view.public().phase(), Phase::Dealing);
        state.stage == TableStage::Playing && dealing && !state.deals.is_empty()
    }

    /// Takes a message of the server.
    pub fn receive(&mut self, message: ServerMessage) -> TableChange {
        match message {
            ServerMessage::Snapshot(snapshot) => match ReplicaState::new(*snapshot) {
                Some(known) => {
                    self.known = Some(known);
                    TableChange::Snapshot
                }
                None => TableChange::Lost,
            },
            ServerMessage::Update(update) => self.update(update),
            ServerMessage::Done { id, .. } => {
                self.answered(&id);
                TableChange::Nothing
            }
            ServerMessage::Refused { id, refusal } => match self.answered(&id) {
                Some(command) => TableChange::Refused { command, refusal },
                None => TableChange::Nothing,
            },
            ServerMessage::Present { seats, watching, clock } => {
                let Some(known) = &mut self.known else { return TableChange::Nothing };
                for (chair, here) in known.state.seats.iter_mut().zip(seats) {
                    chair.present = here;
                }
                known.watching = watching;
                known.state.clock = clock;
                // The server tells a newcomer last who is here.
                if std::mem::take(&mut self.greets) {
                    self.arrived()
                } else {
                    TableChange::Presence
                }
            }
            ServerMessage::Hello { .. } => {
                self.greets = true;
                TableChange::Nothing
            }
            ServerMessage::Beat { .. }
            | ServerMessage::Error { .. }
            | ServerMessage::Bye { .. } => TableChange::Nothing,
        }
    }

    fn arrived(&mut self) -> TableChange {
        let oldest = self.version().unwrap_or_default().saturating_sub(AGAIN);
        let old = self.commands.extract_if(.., |command| command.at < oldest);
        let given_up: Vec<TableCommand> = old.map(|command| command.what).collect();
        given_up.iter().for_each(|command| self.take_back(command));
        TableChange::Arrived { given_up }
    }

    fn answered(&mut self, id: &str) -> Option<TableCommand> {
        let at = self.commands.iter().position(|command| command.id == id)?;
        let command = self.commands.remove(at).what;
        self.take_back(&command);
        Some(command)
    }

    /// The card that was laid for a wish is known by now, or was refused.
    fn take_back(&mut self, command: &TableCommand) {
        if let (Some(known), TableCommand::Act(_)) = (&mut self.known, command) {
            known.laid = None;
        }
    }

    fn update(&mut self, update: Update) -> TableChange {
        let Some(known) = &mut self.known else { return TableChange::Lost };
        if let Some(id) = &update.done
            && let Some(at) = self.commands.iter().position(|command| command.id == *id)
        {
            self.commands.remove(at);
        }
        let version = known.state.version;
        if update.version <= version {
            // It came twice.
            return TableChange::Nothing;
        }
        if update.version != version + 1 || known.fold(&update).is_none() {
            self.known = None;
            return TableChange::Lost;
        }
        TableChange::Told(update.told)
    }
}

impl ReplicaState {
    fn new(mut state: Snapshot) -> Option<ReplicaState> {
        let rules = Rules::from_code(&state.rules).ok()?;
        let view = match state.view.take() {
            Some(text) => Some(View::from_str(&text).ok()?),
            None => None,
        };
        Some(ReplicaState {
            state,
            rules,
            view,
            laid: None,
            hands: None,
            watching: 0,
            challenged: None,
        })
    }

    /// Folds an update in; nothing if it does not fit.
    fn fold(&mut self, update: &Update) -> Option<()> {
        for told in &update.told {
            if let Some(event) = told.seat_event(&self.rules).ok()? {
                let view = self.view.as_mut()?;
                // Written down before the view forgets the bids.
                if let SeatEvent::Open(happened) = &event {
                    let ended = PlayedDeal::ended_by(view.public(), happened);
                    self.state.deals.extend(ended.as_ref().map(DealPlayed::from));
                }
                view.apply(&event).ok()?;
                self.laid = None;
            }
            self.fold_told(told, update.at)?;
        }
        self.state.version = update.version;
        self.state.clock = update.clock;
        Some(())
    }

    fn chair(&mut self, seat: usize) -> Option<&mut SeatState> {
        self.state.seats.get_mut(seat.checked_sub(1)?)
    }

    /// What is told besides the events of the game.
    fn fold_told(&mut self, told: &TableEvent, at: u64) -> Option<()> {
        match told {
            TableEvent::Seated { seat, who } => {
                let chair = self.chair(*seat)?;
                let (present, muted) = (chair.present, chair.muted);
                let word = chair.word.take();
                *chair = SeatState {
                    who: Some(who.clone()),
                    present,
                    muted,
                    word,
                    ..SeatState::default()
                };
            }
            TableEvent::Renamed { seat, name } => {
                self.chair(*seat)?.who = Some(wire::table::Occupant::Person(name.clone()));
            }
            TableEvent::SeatFreed { seat, .. } => *self.chair(*seat)? = SeatState::default(),
            TableEvent::Swapped { seats: [one, two] } => {
                let (one, two) = (one.checked_sub(1)?, two.checked_sub(1)?);
                if one.max(two) >= self.state.seats.len() {
                    return None;
                }
                self.state.seats.swap(one, two);
                self.state.seats[one].word = None;
                self.state.seats[two].word = None;
            }
            TableEvent::Host { seat } => {
                self.state.host = *seat;
                self.state.you.host =
                    if seat.is_some() { *seat == self.state.you.seat } else { self.state.you.host };
            }
            TableEvent::Settings { rules, pace, listed } => {
                // Other rules come with a snapshot.
                if *rules != self.state.rules {
                    return None;
                }
                (self.state.pace, self.state.listed) = (*pace, *listed);
            }
            TableEvent::Promised(promise) => self.promised(promise.clone()),
            TableEvent::Word { seat, word } => self.chair(*seat)?.word = Some(word.clone()),
            TableEvent::Started { number, first } => self.started(*number, *first)?,
            TableEvent::Secret { secret } => self.state.promise.secret = Some(secret.clone()),
            TableEvent::StandIn { seat, why } => self.chair(*seat)?.stand_in = Some(*why),
            TableEvent::Back { seat } => self.chair(*seat)?.stand_in = None,
            TableEvent::Ready { seat } | TableEvent::WantsRematch { seat } => {
                self.chair(*seat)?.ready = true
            }
            TableEvent::WantsPause { seat } => self.chair(*seat)?.wants_pause = true,
            TableEvent::Paused => self.state.paused = true,
            TableEvent::Resumed => {
                self.state.paused = false;
                self.state.seats.iter_mut().for_each(|chair| chair.wants_pause = false);
            }
            TableEvent::Said { seat, text, phrase } => {
                let name = match &self.chair(*seat)?.who {
                    Some(wire::table::Occupant::Person(name)) => name.clone(),
                    _ => String::new(),
                };
                if self.state.said.len() == SAYINGS {
                    self.state.said.remove(0);
                }
                let (text, phrase) = (text.clone(), *phrase);
                self.state.said.push(ChatMessage { seat: *seat, name, text, phrase, at });
            }
            TableEvent::Muted { seat, muted } => self.chair(*seat)?.muted = *muted,
            TableEvent::Closed => self.state.closed = true,
            TableEvent::Hands { hands, .. } => self.hands = Some(hands.clone()),
            TableEvent::Challenged { .. } => self.challenged = Some(told.clone()),
            TableEvent::Took { .. } => self.challenged = None,
            TableEvent::Dealt { .. } => {
                (self.hands, self.challenged) = (None, None);
                self.unready();
            }
            TableEvent::Won { .. } => {
                self.state.stage = TableStage::Over;
                self.unready();
                self.state.seats.iter_mut().for_each(|chair| chair.stand_in = None);
            }
            // The view has them.
            TableEvent::Completed { .. }
            | TableEvent::Drew { .. }
            | TableEvent::Bid { .. }
            | TableEvent::Declared { .. }
            | TableEvent::Played { .. }
            | TableEvent::Accepted { .. }
            | TableEvent::ThrownIn { .. }
            | TableEvent::Scored { .. }
            | TableEvent::Claimed { .. }
            | TableEvent::Unknown => {}
        }
        Some(())
    }

    fn promised(&mut self, promise: Promise) {
        self.state.seats.iter_mut().for_each(|chair| chair.word = None);
        match self.state.stage {
            TableStage::Over => self.state.next = Some(promise),
            TableStage::Waiting | TableStage::Playing => self.state.promise = promise,
        }
    }

    fn started(&mut self, number: u32, first: usize) -> Option<()> {
        if let Some(next) = self.state.next.take() {
            self.state.promise = next;
        }
        if self.state.promise.number != number {
            return None;
        }
        let viewer = match self.state.you.seat {
            Some(seat) => game::Viewer::Seat(cards::Seat::new(seat.checked_sub(1)?)?),
            None => game::Viewer::Spectator,
        };
        let first = cards::Seat::new(first.checked_sub(1)?)?;
        (self.view, self.laid) = (Some(View::new(self.rules, first, viewer)), None);
        self.state.stage = TableStage::Playing;
        self.state.deals.clear();
        self.state.paused = false;
        self.hands = None;
        self.unready();
        Some(())
    }

    fn unready(&mut self) {
        for chair in &mut self.state.seats {
            (chair.ready, chair.wants_pause) = (false, false);
        }
    }
}
