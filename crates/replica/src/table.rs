//! The client's copy of a table: the server's snapshot, and every update folded into
//! it. Pure; the page and the terminal share it.
//!
//! A [`TableReplica`] contains only what the server has stored, and keeps unanswered commands,
//! which the [`Conversation`](crate::Conversation) sends again after a lost connection.
//! [`TableReplica::prompt`] returns what the table expects from the viewer.

mod prompt;

use core::str::FromStr;

use game::public::Phase;
use game::{PlayedDeal, Rules, SeatEvent, View};
use wire::table::{
    ChatMessage, ClientMessage, CommandRefusal, MatchCommitment, Occupant, Phrase, PlayedDealText,
    SeatState, ServerMessage, Snapshot, TableCommand, TableEvent, TableStage, Update, VERSION,
};

pub use prompt::Prompt;

use crate::conversation::{ControlSignal, Replica, ReplicaProgress};

/// The number of chat messages that are kept.
const MAX_CHAT: usize = 40;
/// The number of versions within which a command may be sent again. The server remembers
/// the commands of twice as many, so that none is executed twice.
const RESEND_VERSIONS: u64 = 32;

/// A table as far as the client knows it.
#[derive(Clone, Debug, Default)]
pub struct TableReplica {
    known: Option<ReplicaState>,
    /// The unanswered commands, oldest first.
    commands: Vec<PendingCommand>,
    /// The number of commands made, for the next id.
    made: u64,
    /// Whether the server has sent a hello and not yet the full state.
    awaits_state: bool,
    /// The prefix of this client's command ids; other clients of the player have others.
    id_prefix: String,
}

/// An unanswered command.
#[derive(Clone, Debug)]
struct PendingCommand {
    id: String,
    what: TableCommand,
    /// The version that was known when the command was made.
    at: u64,
}

/// The state since the last snapshot.
#[derive(Clone, Debug)]
struct ReplicaState {
    state: Snapshot,
    rules: Rules,
    view: Option<View>,
    /// The view with a card that the viewer has laid and the server has not confirmed yet.
    laid: Option<View>,
    /// The cards of the finished deal, as they were dealt.
    hands: Option<Vec<String>>,
    /// The number of spectators.
    watching: usize,
    /// The last challenge, until another trick is taken or the next deal begins (C15).
    challenged: Option<TableEvent>,
}

/// The effect of a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TableChange {
    /// Nothing has changed.
    Nothing,
    /// A snapshot has replaced everything.
    Snapshot,
    /// These events happened, in order.
    Events(Vec<TableEvent>),
    /// The connected players or spectators have changed.
    Presence,
    /// After a hello the state is complete.
    Synced {
        /// Commands that are too old to be sent again; it is unknown whether they were done.
        given_up: Vec<TableCommand>,
    },
    /// A command was refused.
    Refused {
        /// The command.
        command: TableCommand,
        /// The reason.
        refusal: CommandRefusal,
    },
    /// A version is missing or does not fit: send hello again, without a version.
    Gap,
}

impl TableReplica {
    /// An empty replica. `id_prefix` is a few random letters.
    pub fn new(id_prefix: &str) -> TableReplica {
        TableReplica { id_prefix: id_prefix.into(), ..TableReplica::default() }
    }

    /// The last version that is known.
    pub fn version(&self) -> Option<u64> {
        self.known.as_ref().map(|known| known.state.version)
    }

    /// The current snapshot of the table, without the match, which is in
    /// [`TableReplica::view`].
    pub fn state(&self) -> Option<&Snapshot> {
        self.known.as_ref().map(|known| &known.state)
    }

    /// The viewer's view of the match, as the server has confirmed it.
    pub fn view(&self) -> Option<&View> {
        self.known.as_ref()?.view.as_ref()
    }

    /// The view of the match to be drawn: the confirmed view, and the card that was just
    /// [shown early](TableReplica::show_early).
    pub fn shown_view(&self) -> Option<&View> {
        let known = self.known.as_ref()?;
        known.laid.as_ref().or(known.view.as_ref())
    }

    /// The cards of the finished deal, as they were dealt.
    pub fn hands(&self) -> Option<&[String]> {
        self.known.as_ref()?.hands.as_deref()
    }

    /// The last challenge and its result, until another trick is taken or the next deal
    /// begins (C15).
    pub fn challenged(&self) -> Option<&TableEvent> {
        self.known.as_ref()?.challenged.as_ref()
    }

    /// The number of spectators.
    pub fn watching(&self) -> usize {
        self.known.as_ref().map_or(0, |known| known.watching)
    }

    /// Whether all commands have been answered.
    pub fn is_settled(&self) -> bool {
        self.commands.is_empty()
    }

    /// Whether a deal was just scored, and the next one waits for the players.
    pub fn is_between_deals(&self) -> bool {
        let Some((state, view)) = self.state().zip(self.view()) else { return false };
        let dealing = matches!(view.public().phase(), Phase::Dealing);
        state.stage == TableStage::Playing && dealing && !state.deals.is_empty()
    }

    /// Drops the commands that are too old to be sent again.
    fn finish_sync(&mut self) -> TableChange {
        let oldest = self.version().unwrap_or_default().saturating_sub(RESEND_VERSIONS);
        let old = self.commands.extract_if(.., |command| command.at < oldest);
        let given_up: Vec<TableCommand> = old.map(|command| command.what).collect();
        given_up.iter().for_each(|command| self.remove_laid_card(command));
        TableChange::Synced { given_up }
    }

    fn remove_answered(&mut self, id: &str) -> Option<TableCommand> {
        let at = self.commands.iter().position(|command| command.id == id)?;
        let command = self.commands.remove(at).what;
        self.remove_laid_card(&command);
        Some(command)
    }

    /// Removes the card that was laid for a command: it was confirmed, refused or given up.
    fn remove_laid_card(&mut self, command: &TableCommand) {
        if let (Some(known), TableCommand::Act(_)) = (&mut self.known, command) {
            known.laid = None;
        }
    }

    fn update(&mut self, update: Update) -> TableChange {
        let Some(known) = &mut self.known else { return TableChange::Gap };
        if let Some(id) = &update.done
            && let Some(at) = self.commands.iter().position(|command| command.id == *id)
        {
            self.commands.remove(at);
        }
        let version = known.state.version;
        if update.version <= version {
            // A duplicate.
            return TableChange::Nothing;
        }
        if update.version != version + 1 || known.fold(&update).is_none() {
            self.known = None;
            return TableChange::Gap;
        }
        TableChange::Events(update.events)
    }
}

impl Replica for TableReplica {
    type Command = TableCommand;
    type Outgoing = ClientMessage;
    type Incoming = ServerMessage;
    type Change = TableChange;

    fn hello(&self) -> ClientMessage {
        ClientMessage::Hello { ghinda: VERSION, since: self.version() }
    }

    fn beat() -> ClientMessage {
        ClientMessage::Beat
    }

    fn command(&mut self, what: TableCommand) -> (String, ClientMessage) {
        self.made += 1;
        let id = format!("{}{}", self.id_prefix, self.made);
        let at = self.version().unwrap_or_default();
        self.commands.push(PendingCommand { id: id.clone(), what: what.clone(), at });
        (id.clone(), ClientMessage::Do { id, what })
    }

    fn unanswered(&self) -> Vec<ClientMessage> {
        let message = |command: &PendingCommand| ClientMessage::Do {
            id: command.id.clone(),
            what: command.what.clone(),
        };
        self.commands.iter().map(message).collect()
    }

    fn forget(&mut self) {
        self.known = None;
    }

    fn signal(message: &ServerMessage) -> ControlSignal {
        match message {
            ServerMessage::Hello { time, .. } | ServerMessage::Beat { time } => {
                ControlSignal::Time(*time)
            }
            ServerMessage::Bye { why } => ControlSignal::Bye(*why),
            _ => ControlSignal::None,
        }
    }

    fn receive(&mut self, message: ServerMessage) -> TableChange {
        match message {
            ServerMessage::Snapshot(snapshot) => match ReplicaState::new(*snapshot) {
                Some(known) => {
                    self.known = Some(known);
                    TableChange::Snapshot
                }
                None => TableChange::Gap,
            },
            ServerMessage::Update(update) => self.update(update),
            ServerMessage::Done { id, .. } => {
                self.remove_answered(&id);
                TableChange::Nothing
            }
            ServerMessage::Refused { id, refusal } => match self.remove_answered(&id) {
                Some(command) => TableChange::Refused { command, refusal },
                None => TableChange::Nothing,
            },
            ServerMessage::Present { seats, watching, clock } => {
                let Some(known) = &mut self.known else { return TableChange::Nothing };
                for (seat, present) in known.state.seats.iter_mut().zip(seats) {
                    seat.present = present;
                }
                known.watching = watching;
                known.state.clock = clock;
                // After a hello, the server sends this message last.
                if std::mem::take(&mut self.awaits_state) {
                    self.finish_sync()
                } else {
                    TableChange::Presence
                }
            }
            ServerMessage::Hello { .. } => {
                self.awaits_state = true;
                TableChange::Nothing
            }
            ServerMessage::Beat { .. }
            | ServerMessage::Error { .. }
            | ServerMessage::Bye { .. } => TableChange::Nothing,
        }
    }

    fn progress(change: &TableChange) -> ReplicaProgress {
        match change {
            TableChange::Synced { .. } => ReplicaProgress::Synced,
            TableChange::Gap => ReplicaProgress::Gap,
            TableChange::Nothing
            | TableChange::Snapshot
            | TableChange::Events(_)
            | TableChange::Presence
            | TableChange::Refused { .. } => ReplicaProgress::None,
        }
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

    /// Folds an update. Returns None if it does not fit.
    fn fold(&mut self, update: &Update) -> Option<()> {
        for event in &update.events {
            if let Some(seat_event) = event.seat_event(&self.rules).ok()? {
                self.fold_game_event(&seat_event)?;
            }
            self.fold_table_event(event, update.at)?;
        }
        self.state.version = update.version;
        self.state.clock = update.clock;
        Some(())
    }

    fn fold_game_event(&mut self, event: &SeatEvent) -> Option<()> {
        let view = self.view.as_mut()?;
        // A finished deal is noted before the view forgets its bids.
        if let SeatEvent::Open(happened) = event {
            let ended = PlayedDeal::ended_by(view.public(), happened);
            self.state.deals.extend(ended.as_ref().map(PlayedDealText::from));
        }
        view.apply(event).ok()?;
        self.laid = None;
        Some(())
    }

    fn seat_mut(&mut self, seat: usize) -> Option<&mut SeatState> {
        self.state.seats.get_mut(seat.checked_sub(1)?)
    }

    /// Folds what an event changes outside the view of the match.
    fn fold_table_event(&mut self, event: &TableEvent, at: u64) -> Option<()> {
        match event {
            TableEvent::Seated { seat, who } => self.occupy(*seat, who.clone())?,
            TableEvent::Renamed { seat, name } => {
                self.seat_mut(*seat)?.who = Some(Occupant::Person(name.clone()));
            }
            TableEvent::SeatFreed { seat, .. } => *self.seat_mut(*seat)? = SeatState::default(),
            TableEvent::Swapped { seats } => self.swap_seats(*seats)?,
            TableEvent::Host { seat } => self.set_host(*seat),
            TableEvent::Settings { rules, pace, listed } => {
                // Other rules come with a snapshot.
                if *rules != self.state.rules {
                    return None;
                }
                (self.state.pace, self.state.listed) = (*pace, *listed);
            }
            TableEvent::Committed(commitment) => self.set_commitment(commitment.clone()),
            TableEvent::Word { seat, word } => self.seat_mut(*seat)?.word = Some(word.clone()),
            TableEvent::Started { number, first } => self.start_match(*number, *first)?,
            TableEvent::Secret { secret } => self.state.commitment.secret = Some(secret.clone()),
            TableEvent::StoodIn { seat, why } => self.seat_mut(*seat)?.stand_in = Some(*why),
            TableEvent::TookBack { seat } => self.seat_mut(*seat)?.stand_in = None,
            TableEvent::Ready { seat } | TableEvent::AskedForRematch { seat } => {
                self.seat_mut(*seat)?.ready = true
            }
            TableEvent::AskedForPause { seat } => self.seat_mut(*seat)?.asked_for_pause = true,
            TableEvent::Paused => self.state.paused = true,
            TableEvent::Resumed => {
                self.state.paused = false;
                self.state.seats.iter_mut().for_each(|seat| seat.asked_for_pause = false);
            }
            TableEvent::Said { seat, text, phrase } => {
                self.add_chat_message(*seat, text.clone(), *phrase, at)?;
            }
            TableEvent::Muted { seat, muted } => self.seat_mut(*seat)?.muted = *muted,
            TableEvent::Closed => self.state.closed = true,
            TableEvent::Hands { hands, .. } => self.hands = Some(hands.clone()),
            TableEvent::Challenged { .. } => self.challenged = Some(event.clone()),
            TableEvent::Took { .. } => self.challenged = None,
            TableEvent::Dealt { .. } => {
                (self.hands, self.challenged) = (None, None);
                self.reset_ready();
            }
            TableEvent::Won { .. } => self.end_match(),
            // These change only the view, or nothing.
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

    fn occupy(&mut self, seat: usize, occupant: Occupant) -> Option<()> {
        let seat = self.seat_mut(seat)?;
        let (present, muted) = (seat.present, seat.muted);
        let word = seat.word.take();
        *seat = SeatState { who: Some(occupant), present, muted, word, ..SeatState::default() };
        Some(())
    }

    /// Exchanges two seats; their words become void.
    fn swap_seats(&mut self, [one, two]: [usize; 2]) -> Option<()> {
        let (one, two) = (one.checked_sub(1)?, two.checked_sub(1)?);
        if one.max(two) >= self.state.seats.len() {
            return None;
        }
        self.state.seats.swap(one, two);
        self.state.seats[one].word = None;
        self.state.seats[two].word = None;
        Some(())
    }

    fn set_host(&mut self, seat: Option<usize>) {
        self.state.host = seat;
        // A host without a seat may be the viewer, as before.
        if seat.is_some() {
            self.state.you.host = seat == self.state.you.seat;
        }
    }

    fn add_chat_message(
        &mut self,
        seat: usize,
        text: Option<String>,
        phrase: Option<Phrase>,
        at: u64,
    ) -> Option<()> {
        let name = match &self.seat_mut(seat)?.who {
            Some(Occupant::Person(name)) => name.clone(),
            _ => String::new(),
        };
        if self.state.chat.len() == MAX_CHAT {
            self.state.chat.remove(0);
        }
        self.state.chat.push(ChatMessage { seat, name, text, phrase, at });
        Some(())
    }

    /// Sets the commitment of the next match; earlier words become void.
    fn set_commitment(&mut self, commitment: MatchCommitment) {
        self.state.seats.iter_mut().for_each(|seat| seat.word = None);
        match self.state.stage {
            TableStage::Over => self.state.next = Some(commitment),
            TableStage::Waiting | TableStage::Playing => self.state.commitment = commitment,
        }
    }

    fn start_match(&mut self, number: u32, first: usize) -> Option<()> {
        if let Some(next) = self.state.next.take() {
            self.state.commitment = next;
        }
        if self.state.commitment.number != number {
            return None;
        }
        let viewer = match self.state.you.seat {
            Some(seat) => game::Viewer::Seat(cards::Seat::from_number(seat)?),
            None => game::Viewer::Spectator,
        };
        let first = cards::Seat::from_number(first)?;
        (self.view, self.laid) = (Some(View::new(self.rules, first, viewer)), None);
        self.state.stage = TableStage::Playing;
        self.state.deals.clear();
        self.state.paused = false;
        self.hands = None;
        self.reset_ready();
        Some(())
    }

    fn end_match(&mut self) {
        self.state.stage = TableStage::Over;
        self.reset_ready();
        self.state.seats.iter_mut().for_each(|seat| seat.stand_in = None);
    }

    fn reset_ready(&mut self) {
        for seat in &mut self.state.seats {
            (seat.ready, seat.asked_for_pause) = (false, false);
        }
    }
}
