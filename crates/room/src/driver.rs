//! The desk of a room: who is connected, what waits to be stored, and what is
//! sent to whom. Pure: letters go in, errands come out.
//!
//! One rule carries everything: **a room changes only by what is stored.** A wish
//! becomes entries, the entries are handed out to be stored, and only when they
//! are does the room change, the wish get its answer and everybody else hear of it.
//! While something is being stored other letters wait, so that a room has one
//! writer and one thing on its mind.

use std::collections::VecDeque;
use std::sync::Arc;

use cards::Seat;
use game::fair::Secret;
use game::record::Name;
use game::{Action, Position, Viewer};
use ids::{LedgerId, PlayerId};
use wire::table::{
    CloseReason, CommandRefusal, RefusalReason, ServerMessage, Snapshot, TableCommand, Update,
};

use crate::room::{
    BotQuestion, DecisionContext, Entry, Key, LoggedEntry, MatchResult, Millis, PlayerCommand,
    Presence, Room, Transition,
};

/// How many happenings are kept for those who resume. More would take longer to send
/// than a snapshot.
const TAIL: usize = 16;
/// How many letters may wait while something is being stored.
const WAITING: usize = 128;
/// How long nothing is tried by itself after something could not be stored.
const RETRY_AFTER: Millis = 1_000;
/// How long after its time an answer of those who think is waited for. Then a bot is
/// asked again, and a claim is not proved.
const ANSWER_TIMEOUT: Millis = 15_000;
/// How many connections a table has at most.
pub const MAX_CONNECTIONS: usize = 200;

/// One connection to a table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ConnectionId(pub u64);

/// What a desk is told.
#[derive(Clone, Debug)]
pub enum Input {
    /// Somebody has connected.
    Connected {
        /// The connection.
        connection: ConnectionId,
        /// Who.
        player: PlayerId,
        /// The last version that he knows.
        since: Option<u64>,
    },
    /// A connection is gone.
    Disconnected {
        /// Which.
        connection: ConnectionId,
    },
    /// Somebody wishes something.
    Command {
        /// On which connection.
        connection: ConnectionId,
        /// The name of the wish.
        id: String,
        /// What.
        what: TableCommand,
    },
    /// Somebody asks to be let in by the table's key.
    Admit {
        /// Who.
        player: PlayerId,
        /// With what.
        key: Key,
        /// Comes back with the answer.
        ticket: u64,
    },
    /// A contest gives one of some seats to a player.
    Seat {
        /// The contest's ledger.
        contest: LedgerId,
        /// Who.
        player: PlayerId,
        /// Which seats, and what he is called on each.
        seats: Vec<(Seat, Name)>,
        /// Comes back with the answer.
        ticket: u64,
    },
    /// A contest wants its match to begin with whoever has come.
    Begin {
        /// The contest's ledger.
        contest: LedgerId,
        /// Comes back with the answer.
        ticket: u64,
    },
    /// A bot has decided.
    BotAnswered {
        /// For which seat.
        seat: Seat,
        /// About which version.
        version: u64,
        /// What.
        action: Action,
    },
    /// A claim was looked into.
    ClaimChecked {
        /// Whose.
        claim: PendingClaim,
        /// How the rest goes, if it is certain.
        line: Option<Vec<(Seat, Action)>>,
    },
    /// What was handed out is stored.
    Stored,
    /// It is not, and surely not.
    StoreFailed,
    /// The time has come that was asked for.
    TimerFired,
    /// Nothing more is to happen here.
    Close,
    /// The same, if nobody is here and nothing has happened since a time.
    CloseIfQuiet {
        /// Since when.
        since: Millis,
    },
}

/// A claim that is to be proved.
#[derive(Clone, PartialEq, Debug)]
pub struct PendingClaim {
    /// Who made it, on which connection.
    pub connection: ConnectionId,
    /// The name of the wish.
    pub id: String,
    /// For which seat.
    pub seat: Seat,
    /// About which version.
    pub version: u64,
}

/// What a desk wants done.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Something to be sent.
    Send {
        /// To whom.
        connection: ConnectionId,
        /// The message as JSON.
        text: Arc<str>,
    },
    /// The same, but it is a refusal.
    SendRefusal {
        /// Of whom.
        connection: ConnectionId,
        /// The message as JSON.
        text: Arc<str>,
    },
    /// A connection to be ended.
    Disconnect {
        /// Which.
        connection: ConnectionId,
        /// Why.
        why: CloseReason,
    },
    /// Entries to be stored, in order and all or none.
    Store {
        /// The number of the first.
        first: u64,
        /// The entries.
        entries: Vec<LoggedEntry>,
    },
    /// A bot to be asked.
    AskBot(Box<BotQuestion>),
    /// A claim to be looked into.
    CheckClaim {
        /// Which.
        claim: PendingClaim,
        /// Where.
        position: Box<Position>,
    },
    /// A knock, or a question of a contest, to be answered.
    Reply {
        /// Which.
        ticket: u64,
        /// Whether the player is in.
        answer: Result<(), CommandRefusal>,
    },
    /// A match has ended.
    MatchFinished(Arc<MatchResult>),
    /// What the lobby shows of the table has changed.
    UpdateLobby,
    /// A stored entry does not apply to the room in memory. The driver must be dropped, and the
    /// room loaded anew from what is stored.
    GiveUp {
        /// The version after which the entry did not apply.
        version: u64,
    },
}

/// A connection.
#[derive(Clone, Debug)]
struct ConnectedPlayer {
    id: ConnectionId,
    player: PlayerId,
}

/// What is being stored, and who waits for it.
#[derive(Clone, Debug)]
struct PendingAppend {
    entries: Vec<LoggedEntry>,
    /// The wish that led to it.
    command: Option<(ConnectionId, String)>,
    /// The knock that led to it.
    ticket: Option<u64>,
}

/// A question to a bot that is not answered yet, or whose answer was of no use.
#[derive(Clone, Copy, Debug)]
struct PendingQuestion {
    version: u64,
    /// Answers may get lost; then it is asked again.
    again_at: Millis,
}

/// A room with its connections.
#[derive(Clone, Debug)]
pub struct TableDriver {
    room: Room,
    presence: Presence,
    connections: Vec<ConnectedPlayer>,
    tail: VecDeque<Transition>,
    pending: Option<PendingAppend>,
    waiting: VecDeque<Input>,
    /// What a bot was asked last.
    question: Option<PendingQuestion>,
    /// The claim that is looked into; only the seat in turn has one.
    claim: Option<(PendingClaim, Millis)>,
    /// Who is here, as everybody was told last.
    presence_sent: (Vec<bool>, usize),
    /// Whether the room is to be closed as soon as that can be stored.
    closing: bool,
    /// Nothing happens by itself before this, after something could not be stored.
    retry_at: Millis,
    /// Whether a stored entry did not apply. Then every input is ignored.
    failed: bool,
}

/// What a desk gets from outside with every letter.
pub struct DriverContext<'a> {
    /// The time.
    pub now: Millis,
    /// Draws a secret for a next match.
    pub fresh: &'a dyn Fn() -> Secret,
}

impl TableDriver {
    /// The desk of a room to which nobody is connected.
    pub fn new(room: Room) -> TableDriver {
        TableDriver {
            room,
            presence: Presence::default(),
            connections: Vec::new(),
            tail: VecDeque::new(),
            pending: None,
            waiting: VecDeque::new(),
            question: None,
            claim: None,
            presence_sent: (Vec::new(), 0),
            closing: false,
            retry_at: 0,
            failed: false,
        }
    }

    /// The room as it is stored.
    pub fn room(&self) -> &Room {
        &self.room
    }

    /// Who is here.
    pub fn presence(&self) -> &Presence {
        &self.presence
    }

    /// Whether nobody is connected and nothing is under way.
    pub fn is_idle(&self) -> bool {
        self.connections.is_empty() && self.pending.is_none()
    }

    /// When the desk wants to be woken, if nothing comes before.
    pub fn wakes_at(&self, context: &DriverContext<'_>) -> Option<Millis> {
        if self.pending.is_some() || self.failed {
            return None;
        }
        let bot = self.room.question_version(&self.presence).map(|version| match self.question {
            Some(asked) if asked.version == version => asked.again_at,
            _ => context.now,
        });
        let closes = (self.closing && !self.room.is_closed()).then_some(context.now);
        let due = self.room.wakes_at(&self.moment(context));
        let claim = self.claim.as_ref().map(|(_, until)| *until);
        let wakes = [due, bot, closes, claim].into_iter().flatten().min()?;
        Some(wakes.max(self.retry_at))
    }

    /// Takes a letter, and says what is to be done.
    pub fn handle(&mut self, input: Input, context: &DriverContext<'_>, effects: &mut Vec<Effect>) {
        if self.failed {
            return;
        }
        match input {
            Input::Connected { connection, player, since } => {
                self.connected(connection, player, since, context, effects);
            }
            Input::Disconnected { connection } => {
                self.connections.retain(|known| known.id != connection);
                self.refresh_presence(context.now);
                self.broadcast_presence(None, effects);
            }
            Input::Close => self.closing = true,
            Input::CloseIfQuiet { since } => {
                self.closing |= self.is_idle() && self.room.at() < since;
            }
            Input::Stored => self.stored(context, effects),
            Input::StoreFailed => self.not_stored(context.now, effects),
            input if self.pending.is_some() => self.defer(input, effects),
            input => self.dispatch(input, context, effects),
        }
        while self.pending.is_none() && !self.failed {
            let Some(input) = self.waiting.pop_front() else { break };
            self.dispatch(input, context, effects);
        }
        if !self.failed {
            self.proceed(context, effects);
        }
    }

    fn moment<'a>(&'a self, context: &'a DriverContext<'_>) -> DecisionContext<'a> {
        DecisionContext { now: context.now, presence: &self.presence, fresh: context.fresh }
    }

    /// Puts a letter off; too many of them are refused.
    fn defer(&mut self, input: Input, effects: &mut Vec<Effect>) {
        if self.waiting.len() < WAITING {
            self.waiting.push_back(input);
            return;
        }
        match input {
            Input::Command { connection, id, .. } => {
                effects.push(refused(connection, id, RefusalReason::TooFast.into()));
            }
            Input::Admit { ticket, .. }
            | Input::Seat { ticket, .. }
            | Input::Begin { ticket, .. } => {
                effects.push(Effect::Reply { ticket, answer: Err(RefusalReason::TooFast.into()) });
            }
            // It is asked again.
            Input::BotAnswered { .. } => self.question = None,
            Input::ClaimChecked { .. } => self.abandon_claim(RefusalReason::TooFast, effects),
            // What is due is looked at in any case.
            Input::TimerFired => {}
            // Those never wait.
            Input::Connected { .. } | Input::Disconnected { .. } => {}
            Input::Close | Input::CloseIfQuiet { .. } => {}
            Input::Stored | Input::StoreFailed => {}
        }
    }

    /// What a letter leads to when nothing is under way.
    fn dispatch(&mut self, input: Input, context: &DriverContext<'_>, effects: &mut Vec<Effect>) {
        match input {
            Input::Command { connection, id, what } => {
                self.command(connection, id, what, context, effects)
            }
            Input::Admit { player, key, ticket } => {
                self.request(ticket, self.room.admit(player, key), context, effects);
            }
            Input::Seat { contest, player, seats, ticket } => {
                let decided = self.room.seat_from_contest(contest, player, &seats);
                self.request(ticket, decided, context, effects);
            }
            Input::Begin { contest, ticket } => {
                self.request(ticket, self.room.begin_contest_match(contest), context, effects);
            }
            Input::BotAnswered { seat, version, action } => {
                if let Some(entries) = self.room.decide_bot(seat, version, action) {
                    self.append(plain(entries, context.now), effects);
                }
            }
            Input::ClaimChecked { claim, line } => {
                self.claim_checked(claim, line, context, effects)
            }
            // What is due is looked at in any case.
            Input::TimerFired => {}
            // Those never wait.
            Input::Connected { .. } | Input::Disconnected { .. } => {}
            Input::Close | Input::CloseIfQuiet { .. } => {}
            Input::Stored | Input::StoreFailed => {}
        }
    }

    /// What somebody asked who is not connected, and waits for the answer.
    fn request(
        &mut self,
        ticket: u64,
        decided: Result<Vec<Entry>, CommandRefusal>,
        context: &DriverContext<'_>,
        effects: &mut Vec<Effect>,
    ) {
        match decided {
            Ok(entries) if entries.is_empty() => {
                effects.push(Effect::Reply { ticket, answer: Ok(()) });
            }
            Ok(entries) => {
                let pending = PendingAppend { ticket: Some(ticket), ..plain(entries, context.now) };
                self.append(pending, effects);
            }
            Err(refusal) => effects.push(Effect::Reply { ticket, answer: Err(refusal) }),
        }
    }

    fn command(
        &mut self,
        connection: ConnectionId,
        id: String,
        what: TableCommand,
        context: &DriverContext<'_>,
        effects: &mut Vec<Effect>,
    ) {
        let Some(player) = self.player(connection) else { return };
        if let Some(version) = self.room.done_version(player, &id) {
            effects.push(send(connection, &ServerMessage::Done { id, version }));
            return;
        }
        if what == TableCommand::Claim {
            self.claim(connection, id, player, context.now, effects);
            return;
        }
        let command = PlayerCommand { player, id, what };
        let decided = self.room.decide(&command, &self.moment(context));
        self.decided(command, connection, decided, context, effects);
    }

    /// Has a claim looked into. That is much work, so there is one at a time.
    fn claim(
        &mut self,
        connection: ConnectionId,
        id: String,
        player: PlayerId,
        now: Millis,
        effects: &mut Vec<Effect>,
    ) {
        let (seat, version, position) = match self.room.claimant(player) {
            Ok(claimant) => claimant,
            Err(refusal) => return effects.push(refused(connection, id, refusal)),
        };
        match &mut self.claim {
            Some((claim, _)) if (claim.seat, claim.version) == (seat, version) => {
                match claim.id == id {
                    // Sent again, perhaps on another connection, which gets the answer.
                    true => claim.connection = connection,
                    false => effects.push(refused(connection, id, RefusalReason::TooFast.into())),
                }
            }
            _ => {
                self.abandon_claim(RefusalReason::NotProven, effects);
                let claim = PendingClaim { connection, id, seat, version };
                self.claim = Some((claim.clone(), now + ANSWER_TIMEOUT));
                effects.push(Effect::CheckClaim { claim, position: Box::new(position) });
            }
        }
    }

    /// Answers a claim whose proof is not waited for any more.
    fn abandon_claim(&mut self, reason: RefusalReason, effects: &mut Vec<Effect>) {
        if let Some((claim, _)) = self.claim.take() {
            effects.push(refused(claim.connection, claim.id, reason.into()));
        }
    }

    fn claim_checked(
        &mut self,
        proved: PendingClaim,
        line: Option<Vec<(Seat, Action)>>,
        context: &DriverContext<'_>,
        effects: &mut Vec<Effect>,
    ) {
        let same = |(claim, _): &mut (PendingClaim, Millis)| {
            (&claim.id, claim.seat, claim.version) == (&proved.id, proved.seat, proved.version)
        };
        // One that was given up has been answered.
        let Some((claim, _)) = self.claim.take_if(same) else { return };
        let Some(player) = self.player(claim.connection) else { return };
        let decided = match line {
            Some(line) => self.room.claimed(claim.seat, claim.version, line),
            None => Err(RefusalReason::NotProven.into()),
        };
        let command = PlayerCommand { player, id: claim.id, what: TableCommand::Claim };
        self.decided(command, claim.connection, decided, context, effects);
    }

    fn decided(
        &mut self,
        command: PlayerCommand,
        connection: ConnectionId,
        decided: Result<Vec<Entry>, CommandRefusal>,
        context: &DriverContext<'_>,
        effects: &mut Vec<Effect>,
    ) {
        match decided {
            Ok(entries) => {
                let mut pending = plain(entries, context.now);
                // The last entry is the answer: when it is there, the wish is fulfilled.
                if let Some(last) = pending.entries.last_mut() {
                    last.command = Some((command.player, command.id.clone()));
                }
                self.append(
                    PendingAppend { command: Some((connection, command.id)), ..pending },
                    effects,
                );
            }
            Err(refusal) => effects.push(refused(connection, command.id, refusal)),
        }
    }

    fn append(&mut self, pending: PendingAppend, effects: &mut Vec<Effect>) {
        let entries = pending.entries.clone();
        effects.push(Effect::Store { first: self.room.version() + 1, entries });
        self.pending = Some(pending);
    }

    /// What was handed out is stored: now it happens.
    fn stored(&mut self, context: &DriverContext<'_>, effects: &mut Vec<Effect>) {
        let Some(pending) = self.pending.take() else { return };
        let (mut moves, mut listed) = (false, false);
        for logged in &pending.entries {
            let before: Vec<Viewer> = self
                .connections
                .iter()
                .map(|connection| self.room.viewer(connection.player))
                .collect();
            let Ok(transition) = self.room.apply(logged) else {
                // What is stored and what is in memory differ: nothing may be sent any more.
                self.failed = true;
                effects.push(Effect::GiveUp { version: self.room.version() });
                return;
            };
            self.refresh_presence(context.now);
            let answers = logged.command.is_some();
            let command = pending.command.as_ref().filter(|_| answers);
            self.broadcast(&transition, &before, command, effects);
            moves |= transition.changes_a_seat();
            listed |= transition.changes_summary;
            if let Some(finished) = &transition.finished {
                effects.push(Effect::MatchFinished(finished.clone()));
            }
            if self.tail.len() == TAIL {
                self.tail.pop_front();
            }
            self.tail.push_back(transition);
        }
        if let Some(ticket) = pending.ticket {
            effects.push(Effect::Reply { ticket, answer: Ok(()) });
        }
        self.disconnect_unwelcome(effects);
        self.refresh_presence(context.now);
        if moves {
            // Whoever got a snapshot does not know yet how many watch.
            self.presence_sent = (Vec::new(), 0);
        }
        if listed {
            effects.push(Effect::UpdateLobby);
        }
        self.broadcast_presence(None, effects);
    }

    fn not_stored(&mut self, now: Millis, effects: &mut Vec<Effect>) {
        let Some(pending) = self.pending.take() else { return };
        self.retry_at = now + RETRY_AFTER;
        // It may have been a bot's answer.
        self.question = None;
        let refusal = || CommandRefusal::from(RefusalReason::Unavailable);
        if let Some((connection, id)) = pending.command {
            effects.push(refused(connection, id, refusal()));
        }
        if let Some(ticket) = pending.ticket {
            effects.push(Effect::Reply { ticket, answer: Err(refusal()) });
        }
    }

    /// Tells everybody what has happened, each his part.
    fn broadcast(
        &self,
        transition: &Transition,
        before: &[Viewer],
        command: Option<&(ConnectionId, String)>,
        effects: &mut Vec<Effect>,
    ) {
        let mut open: Option<Arc<str>> = None;
        for (connection, before) in self.connections.iter().zip(before) {
            let viewer = self.room.viewer(connection.player);
            let id = command.filter(|(asked, _)| *asked == connection.id).map(|(_, id)| id.clone());
            if transition.resets || viewer != *before {
                effects.push(send_text(connection.id, self.snapshot_text(connection.player)));
                if let Some(id) = id {
                    let version = transition.version;
                    effects.push(send(connection.id, &ServerMessage::Done { id, version }));
                }
                continue;
            }
            let shared = transition.is_open() && id.is_none();
            let text = match (&open, shared) {
                (Some(text), true) => text.clone(),
                _ => self.update_text(transition, viewer, id),
            };
            if shared {
                open.get_or_insert_with(|| text.clone());
            }
            effects.push(send_text(connection.id, text));
        }
    }

    fn update_text(
        &self,
        transition: &Transition,
        viewer: Viewer,
        done: Option<String>,
    ) -> Arc<str> {
        // The clock that runs now belongs to the newest happening alone.
        let newest = transition.version == self.room.version();
        let update = Update {
            version: transition.version,
            at: transition.at,
            told: transition.told(viewer),
            clock: self.room.clock(&self.presence).filter(|_| newest),
            done,
        };
        ServerMessage::Update(update).text().into()
    }

    fn snapshot_text(&self, player: PlayerId) -> Arc<str> {
        let snapshot: Snapshot = self.room.snapshot(player, &self.presence);
        ServerMessage::Snapshot(Box::new(snapshot)).text().into()
    }

    fn connected(
        &mut self,
        connection: ConnectionId,
        player: PlayerId,
        since: Option<u64>,
        context: &DriverContext<'_>,
        effects: &mut Vec<Effect>,
    ) {
        let full = self.connections.len() >= MAX_CONNECTIONS;
        if let Some(why) = self.room.close_reason(player).or(full.then_some(CloseReason::TooMuch)) {
            effects.push(Effect::Disconnect { connection, why });
            return;
        }
        self.connections.push(ConnectedPlayer { id: connection, player });
        self.refresh_presence(context.now);
        self.catch_up(connection, player, since, effects);
        self.broadcast_presence(Some(connection), effects);
    }

    /// Sends what somebody has missed, or everything.
    fn catch_up(
        &self,
        connection: ConnectionId,
        player: PlayerId,
        since: Option<u64>,
        effects: &mut Vec<Effect>,
    ) {
        let version = self.room.version();
        let missed = since.and_then(|since| {
            // Nobody can have seen what has not happened.
            let oldest = version - self.tail.len() as u64;
            let from = since.checked_sub(oldest).filter(|_| since <= version)?;
            let missed = self.tail.range(from as usize..);
            let seen_as_now = !missed.clone().any(|transition| transition.changes_view_of(player));
            seen_as_now.then_some(missed)
        });
        let Some(missed) = missed else {
            effects.push(send_text(connection, self.snapshot_text(player)));
            return;
        };
        let viewer = self.room.viewer(player);
        for transition in missed {
            // Even after a lost answer he learns which of his wishes was fulfilled.
            let own = transition.command.as_ref().filter(|(by, _)| *by == player);
            let done = own.map(|(_, id)| id.to_string());
            effects.push(send_text(connection, self.update_text(transition, viewer, done)));
        }
    }

    /// Tells who is here: everybody if it has changed, and whoever has just come.
    fn broadcast_presence(
        &mut self,
        new_connection: Option<ConnectionId>,
        effects: &mut Vec<Effect>,
    ) {
        let watches =
            |connection: &&ConnectedPlayer| self.room.seat_of(connection.player).is_none();
        let watching = self.connections.iter().filter(watches).count();
        let (seats, told) = &self.presence_sent;
        let changed = *told != watching || !self.presence.seats().eq(seats.iter().copied());
        if !changed && new_connection.is_none() {
            return;
        }
        let seats: Vec<bool> = self.presence.seats().collect();
        self.presence_sent = (seats.clone(), watching);
        if changed {
            effects.push(Effect::UpdateLobby);
        }
        let clock = self.room.clock(&self.presence);
        let text: Arc<str> = ServerMessage::Present { seats, watching, clock }.text().into();
        let told = self.connections.iter().map(|connection| connection.id);
        let told = told.filter(|connection| changed || new_connection == Some(*connection));
        effects.extend(told.map(|connection| send_text(connection, text.clone())));
    }

    /// Whether a person of the table is here.
    pub fn is_attended(&self) -> bool {
        self.presence.seats().any(|here| here) || self.host_is_here()
    }

    fn host_is_here(&self) -> bool {
        self.connections.iter().any(|connection| self.room.is_host(connection.player))
    }

    fn refresh_presence(&mut self, now: Millis) {
        let here = |seat: Seat| {
            let player = self.room.player_on(seat);
            player.is_some()
                && self.connections.iter().any(|connection| Some(connection.player) == player)
        };
        let seats: Vec<bool> = Seat::first(self.room.rules().players()).map(here).collect();
        self.presence.update(&seats, self.host_is_here(), now);
    }

    /// Ends the connections of those who may not be here any more.
    fn disconnect_unwelcome(&mut self, effects: &mut Vec<Effect>) {
        let room = &self.room;
        self.connections.retain(|connection| {
            let Some(why) = room.close_reason(connection.player) else { return true };
            effects.push(Effect::Disconnect { connection: connection.id, why });
            false
        });
    }

    /// Does what is due by itself, and asks the bot that is to act.
    fn proceed(&mut self, context: &DriverContext<'_>, effects: &mut Vec<Effect>) {
        if self.claim.as_ref().is_some_and(|(_, until)| *until <= context.now) {
            self.abandon_claim(RefusalReason::Unavailable, effects);
        }
        if self.pending.is_some() || context.now < self.retry_at {
            return;
        }
        let due = match self.closing && !self.room.is_closed() {
            true => vec![Entry::Closed],
            false => self.room.due(&self.moment(context)),
        };
        if !due.is_empty() {
            self.append(plain(due, context.now), effects);
            return;
        }
        let Some(version) = self.room.question_version(&self.presence) else { return };
        let waits =
            |asked: PendingQuestion| asked.version == version && context.now < asked.again_at;
        if self.question.is_some_and(waits) {
            return;
        }
        if let Some(ask) = self.room.bot_question(&self.presence) {
            let again_at = ask.due.max(context.now) + ANSWER_TIMEOUT;
            self.question = Some(PendingQuestion { version, again_at });
            effects.push(Effect::AskBot(Box::new(ask)));
        }
    }

    fn player(&self, connection: ConnectionId) -> Option<PlayerId> {
        self.connections.iter().find(|known| known.id == connection).map(|known| known.player)
    }
}

/// Entries that nobody waits for.
fn plain(entries: Vec<Entry>, at: Millis) -> PendingAppend {
    let entries = entries.into_iter().map(|entry| LoggedEntry { at, command: None, entry });
    PendingAppend { entries: entries.collect(), command: None, ticket: None }
}

fn send(connection: ConnectionId, message: &ServerMessage) -> Effect {
    send_text(connection, message.text().into())
}

fn send_text(connection: ConnectionId, text: Arc<str>) -> Effect {
    Effect::Send { connection, text }
}

fn refused(connection: ConnectionId, id: String, refusal: CommandRefusal) -> Effect {
    Effect::SendRefusal { connection, text: ServerMessage::Refused { id, refusal }.text().into() }
}
