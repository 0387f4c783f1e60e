//! Drives a room: its connections, what waits to be stored, and what is sent to which client. Pure:
//! an [`Input`] goes in, [`Effect`]s come out.
//!
//! The main rule: **a room changes only by entries that are stored.** A command becomes entries, and
//! the caller stores them. Only then does the room change, the command get its answer and every
//! client receive the events. Other inputs wait meanwhile, so a room has one writer.

mod budget;
mod io;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use cards::Seat;
use game::fair::Secret;
use game::{Action, Viewer};
use ids::PlayerId;
use wire::table::{
    CloseReason, CommandRefusal, RefusalReason, ServerMessage, Snapshot, TableCommand, Update,
};

use crate::room::{
    DecisionContext, Entry, LoggedCommand, LoggedEntry, Millis, PlayerCommand, Presence, Room,
    ShortFingerprint, Transition,
};

pub use io::{Effect, Input, PendingClaim, RoomInput};

use budget::CommandBudget;

/// How many transitions are kept for clients that resume. To send more of them would take longer than
/// a snapshot.
const TAIL: usize = 16;
/// How many inputs may wait while entries are being stored.
const MAX_WAITING: usize = 128;
/// How long nothing is done without a command after entries could not be stored.
const RETRY_AFTER: Millis = 1_000;
/// How long to wait for an overdue answer about a bot or a claim. Then the bot is asked again, and the
/// claim is refused.
const ANSWER_TIMEOUT: Millis = 15_000;
/// How long to wait after clients were told who is connected before they are told again: one message to each
/// says what many connections that come and go would otherwise say one by one.
const PRESENCE_INTERVAL: Millis = 500;
/// The maximum number of connections to a table besides the reserved ones.
pub const MAX_CONNECTIONS: usize = 200;
/// How many connections are reserved for the host, and for each player on a seat: their devices.
/// Spectators cannot take these places.
pub const RESERVED_CONNECTIONS: usize = 10;

/// One connection to a table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ConnectionId(pub u64);

/// A connection and its player.
#[derive(Clone, Debug)]
struct ConnectedPlayer {
    id: ConnectionId,
    player: PlayerId,
}

/// Entries that are being stored, and who waits for the answer.
#[derive(Clone, Debug)]
struct PendingAppend {
    entries: Vec<LoggedEntry>,
    /// The command that led to them.
    command: Option<(ConnectionId, String)>,
    /// The request that led to them.
    request_id: Option<u64>,
    /// Why the command is refused, if that is what they count.
    refusal: Option<CommandRefusal>,
}

/// The last question to a bot.
#[derive(Clone, Copy, Debug)]
struct PendingQuestion {
    version: u64,
    /// When the bot is asked again, because answers may get lost.
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
    waiting: VecDeque<RoomInput>,
    /// The last question to a bot.
    question: Option<PendingQuestion>,
    /// The claim that is being checked, and until when. Only the seat in turn can claim.
    claim: Option<(PendingClaim, Millis)>,
    budget: CommandBudget,
    /// The presence of each seat and the number of spectators, as last sent to the clients.
    presence_sent: (Vec<bool>, usize),
    /// When presence is sent next, if it has changed; clients are not told before.
    presence_due: Option<Millis>,
    /// When presence may be sent again to all clients.
    presence_free_at: Millis,
    /// Whether the room is to be closed as soon as that can be stored.
    closing: bool,
    /// Nothing is done without a command before this time, after entries could not be stored.
    retry_at: Millis,
    /// Whether a stored entry did not apply. Then every input is ignored.
    failed: bool,
}

/// What a driver needs from outside with every input.
pub struct DriverContext<'a> {
    /// The time.
    pub now: Millis,
    /// Draws 32 random bytes: the secret of a match, or the source of a key.
    pub new_secret: &'a dyn Fn() -> Secret,
}

impl TableDriver {
    /// The driver of a room without connections.
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
            budget: CommandBudget::default(),
            presence_sent: (Vec::new(), 0),
            presence_due: None,
            presence_free_at: 0,
            closing: false,
            retry_at: 0,
            failed: false,
        }
    }

    /// The room as it is stored.
    pub fn room(&self) -> &Room {
        &self.room
    }

    /// Which players are connected.
    pub fn presence(&self) -> &Presence {
        &self.presence
    }

    /// Whether no client is connected and nothing is being stored.
    pub fn is_idle(&self) -> bool {
        self.connections.is_empty() && self.pending.is_none()
    }

    /// When the driver needs [`Input::TimerFired`] if no other input comes before.
    pub fn due_at(&self, context: &DriverContext<'_>) -> Option<Millis> {
        if self.pending.is_some() || self.failed {
            return None;
        }
        let bot = self.room.question_version(&self.presence).map(|version| match self.question {
            Some(asked) if asked.version == version => asked.again_at,
            _ => context.now,
        });
        let closes = self.must_close().then_some(context.now);
        let due = self.room.due_at(&self.decision_context(context));
        let claim = self.claim.as_ref().map(|(_, until)| *until);
        let wakes = [due, bot, closes, claim].into_iter().flatten().min();
        // Presence is not stored, and does not wait for a store that fails.
        let wakes = wakes.map(|at| at.max(self.retry_at));
        [wakes, self.presence_due].into_iter().flatten().min()
    }

    /// Handles an input, and adds what the caller must do to `effects`.
    pub fn handle(&mut self, input: Input, context: &DriverContext<'_>, effects: &mut Vec<Effect>) {
        if self.failed {
            return;
        }
        match input {
            Input::Connected { connection, player, since } => {
                self.on_connected(connection, player, since, context, effects);
            }
            Input::Disconnected { connection } => {
                self.connections.retain(|known| known.id != connection);
                self.refresh_presence(context.now);
                self.broadcast_presence(None, context.now, effects);
            }
            Input::Close => self.closing = true,
            Input::CloseIfQuiet { since } => {
                self.closing |= self.is_idle() && self.room.at() < since;
            }
            Input::Stored => self.on_stored(context, effects),
            Input::StoreFailed => self.on_store_failed(context.now, effects),
            // `proceed` does what is due after every input.
            Input::TimerFired => {}
            Input::Room(input) if self.pending.is_some() => self.queue(input, effects),
            Input::Room(input) => self.handle_room_input(input, context, effects),
        }
        while self.pending.is_none() && !self.failed {
            let Some(input) = self.waiting.pop_front() else { break };
            self.handle_room_input(input, context, effects);
        }
        if !self.failed {
            if self.presence_due.is_some_and(|due| due <= context.now) {
                self.broadcast_presence(None, context.now, effects);
            }
            self.proceed(context, effects);
        }
    }

    /// Whether the table is to be closed: it was asked for, or no more fits into its log.
    fn must_close(&self) -> bool {
        (self.closing || self.room.is_exhausted()) && !self.room.is_closed()
    }

    fn decision_context<'a>(&'a self, context: &'a DriverContext<'_>) -> DecisionContext<'a> {
        DecisionContext {
            now: context.now,
            presence: &self.presence,
            new_secret: context.new_secret,
        }
    }

    /// Lets an input wait. If too many wait, it is refused.
    fn queue(&mut self, input: RoomInput, effects: &mut Vec<Effect>) {
        if self.waiting.len() < MAX_WAITING {
            self.waiting.push_back(input);
            return;
        }
        match input {
            RoomInput::Command { connection, id, .. } => {
                effects.push(refused(connection, id, RefusalReason::TooFast.into()));
            }
            RoomInput::Admit { request_id, .. }
            | RoomInput::Seat { request_id, .. }
            | RoomInput::Start { request_id, .. } => {
                effects
                    .push(Effect::Reply { request_id, answer: Err(RefusalReason::TooFast.into()) });
            }
            // The bot is asked again.
            RoomInput::BotAnswered { .. } => self.question = None,
            RoomInput::ClaimChecked { .. } => self.abandon_claim(RefusalReason::TooFast, effects),
            RoomInput::ClaimNotChecked { claim } => self.on_claim_not_checked(&claim, effects),
        }
    }

    /// Handles an input when nothing is being stored.
    fn handle_room_input(
        &mut self,
        input: RoomInput,
        context: &DriverContext<'_>,
        effects: &mut Vec<Effect>,
    ) {
        match input {
            RoomInput::Command { connection, id, what } => {
                self.on_command(connection, id, what, context, effects)
            }
            RoomInput::Admit { player, key, request_id } => {
                self.on_request(request_id, self.room.admit(player, key), context, effects);
            }
            RoomInput::Seat { contest, player, seats, request_id } => {
                let decided = self.room.seat_from_contest(contest, player, &seats);
                self.on_request(request_id, decided, context, effects);
            }
            RoomInput::Start { contest, command, request_id } => {
                let decided = self.room.start_contest_match(contest, &command);
                self.on_request(request_id, decided, context, effects);
            }
            RoomInput::BotAnswered { seat, version, action } => {
                if let Some(entries) = self.room.decide_bot(seat, version, action) {
                    self.append(pending_append(entries, context.now), effects);
                }
            }
            RoomInput::ClaimChecked { claim, line } => {
                self.on_claim_checked(claim, line, context, effects)
            }
            RoomInput::ClaimNotChecked { claim } => self.on_claim_not_checked(&claim, effects),
        }
    }

    /// Answers a request that does not come from a connection, or stores its entries first.
    fn on_request(
        &mut self,
        request_id: u64,
        decided: Result<Vec<Entry>, CommandRefusal>,
        context: &DriverContext<'_>,
        effects: &mut Vec<Effect>,
    ) {
        match decided {
            Ok(entries) if entries.is_empty() => {
                effects.push(Effect::Reply { request_id, answer: Ok(()) });
            }
            Ok(entries) => {
                let pending = PendingAppend {
                    request_id: Some(request_id),
                    ..pending_append(entries, context.now)
                };
                self.append(pending, effects);
            }
            Err(refusal) => effects.push(Effect::Reply { request_id, answer: Err(refusal) }),
        }
    }

    fn on_command(
        &mut self,
        connection: ConnectionId,
        id: String,
        what: TableCommand,
        context: &DriverContext<'_>,
        effects: &mut Vec<Effect>,
    ) {
        let Some(player) = self.player(connection) else { return };
        if let Some(done) = self.room.done_command(player, &id) {
            let version = done.version;
            effects.push(match done.command.is(&what) {
                true => send(connection, &ServerMessage::Done { id, version }),
                false => refused(connection, id, id_taken()),
            });
            return;
        }
        if what != TableCommand::Claim && self.is_claim(player, &id) {
            effects.push(refused(connection, id, id_taken()));
            return;
        }
        if !self.budget.take(player, &what, context.now) {
            effects.push(refused(connection, id, RefusalReason::TooFast.into()));
            return;
        }
        if what == TableCommand::Claim {
            self.on_claim(connection, id, player, context.now, effects);
            return;
        }
        let command = PlayerCommand { player, id, what };
        let decided = self.room.decide(&command, &self.decision_context(context));
        self.answer_command(command, connection, decided, context, effects);
    }

    /// Has a claim checked. That takes long, so there is at most one at a time.
    fn on_claim(
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
        if !self.room.may_claim(player, seat) {
            return effects.push(refused(connection, id, RefusalReason::NotProven.into()));
        }
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
                let claim = PendingClaim { connection, id, player, seat, version };
                self.claim = Some((claim.clone(), now + ANSWER_TIMEOUT));
                effects.push(Effect::CheckClaim { claim, position: Box::new(position) });
            }
        }
    }

    /// Whether a claim of a player with this id is being checked.
    fn is_claim(&self, player: PlayerId, id: &str) -> bool {
        self.claim.as_ref().is_some_and(|(claim, _)| claim.player == player && claim.id == id)
    }

    /// Refuses a claim that is still being checked.
    fn abandon_claim(&mut self, reason: RefusalReason, effects: &mut Vec<Effect>) {
        if let Some((claim, _)) = self.claim.take() {
            effects.push(refused(claim.connection, claim.id, reason.into()));
        }
    }

    fn on_claim_checked(
        &mut self,
        checked: PendingClaim,
        line: Option<Vec<(Seat, Action)>>,
        context: &DriverContext<'_>,
        effects: &mut Vec<Effect>,
    ) {
        // An abandoned claim has been answered already.
        let Some((claim, _)) = self.claim.take_if(|(claim, _)| claim.is_same(&checked)) else {
            return;
        };
        let player = claim.player;
        let decided = match line {
            Some(line) => self.room.decide_claim(claim.seat, claim.version, line),
            None => return self.refuse_claim(claim, context.now, effects),
        };
        let command = PlayerCommand { player, id: claim.id, what: TableCommand::Claim };
        self.answer_command(command, claim.connection, decided, context, effects);
    }

    /// Refuses a wrong claim, once it is stored that it was wrong.
    fn refuse_claim(&mut self, claim: PendingClaim, now: Millis, effects: &mut Vec<Effect>) {
        let entries = self.room.refuse_claim(claim.player, claim.seat);
        let refusal = CommandRefusal::from(RefusalReason::NotProven);
        if entries.is_empty() {
            return effects.push(refused(claim.connection, claim.id, refusal));
        }
        let (command, refusal) = (Some((claim.connection, claim.id)), Some(refusal));
        self.append(PendingAppend { command, refusal, ..pending_append(entries, now) }, effects);
    }

    /// Refuses a claim that could not be checked. It does not count as wrong.
    fn on_claim_not_checked(&mut self, unchecked: &PendingClaim, effects: &mut Vec<Effect>) {
        if self.claim.as_ref().is_some_and(|(claim, _)| claim.is_same(unchecked)) {
            self.abandon_claim(RefusalReason::Unavailable, effects);
        }
    }

    /// Stores the entries of a command, or refuses it.
    fn answer_command(
        &mut self,
        command: PlayerCommand,
        connection: ConnectionId,
        decided: Result<Vec<Entry>, CommandRefusal>,
        context: &DriverContext<'_>,
        effects: &mut Vec<Effect>,
    ) {
        match decided {
            Ok(entries) => {
                let mut pending = pending_append(entries, context.now);
                // When the last entry is stored, the command is done.
                if let Some(last) = pending.entries.last_mut() {
                    last.command = Some(LoggedCommand {
                        player: command.player,
                        id: command.id.clone(),
                        fingerprint: Some(ShortFingerprint::of(&command.what)),
                    });
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

    /// Applies the entries that are stored now, and sends their events.
    fn on_stored(&mut self, context: &DriverContext<'_>, effects: &mut Vec<Effect>) {
        let Some(pending) = self.pending.take() else { return };
        let (mut changes_a_seat, mut changes_summary) = (false, false);
        for logged in &pending.entries {
            let before: Vec<Viewer> = self
                .connections
                .iter()
                .map(|connection| self.room.viewer(connection.player))
                .collect();
            let Ok(transition) = self.room.apply(logged) else {
                // The store and the memory differ: nothing more may be sent.
                self.failed = true;
                effects.push(Effect::GiveUp { version: self.room.version() });
                return;
            };
            self.refresh_presence(context.now);
            let answers = logged.command.is_some();
            let command = pending.command.as_ref().filter(|_| answers);
            self.broadcast(&transition, &before, command, effects);
            changes_a_seat |= transition.changes_a_seat();
            changes_summary |= transition.changes_summary;
            if let Some(finished) = &transition.finished {
                effects.push(Effect::MatchFinished(finished.clone()));
            }
            if self.tail.len() == TAIL {
                self.tail.pop_front();
            }
            self.tail.push_back(transition);
        }
        if let Some(request_id) = pending.request_id {
            effects.push(Effect::Reply { request_id, answer: Ok(()) });
        }
        if let (Some(refusal), Some((connection, id))) = (pending.refusal, pending.command) {
            effects.push(refused(connection, id, refusal));
        }
        self.disconnect_not_admitted(effects);
        self.refresh_presence(context.now);
        if changes_a_seat {
            // A snapshot does not hold the number of spectators, so it is sent again, and at once.
            (self.presence_sent, self.presence_free_at) = ((Vec::new(), 0), 0);
        }
        if changes_summary {
            effects.push(Effect::UpdateLobby);
        }
        self.broadcast_presence(None, context.now, effects);
    }

    fn on_store_failed(&mut self, now: Millis, effects: &mut Vec<Effect>) {
        let Some(pending) = self.pending.take() else { return };
        self.retry_at = now + RETRY_AFTER;
        // The entries may have been a bot's action, which is asked for again.
        self.question = None;
        let refusal = || CommandRefusal::from(RefusalReason::Unavailable);
        if let Some((connection, id)) = pending.command {
            effects.push(refused(connection, id, refusal()));
        }
        if let Some(request_id) = pending.request_id {
            effects.push(Effect::Reply { request_id, answer: Err(refusal()) });
        }
    }

    /// Sends a transition to every client, as its player may see it.
    fn broadcast(
        &self,
        transition: &Transition,
        before: &[Viewer],
        command: Option<&(ConnectionId, String)>,
        effects: &mut Vec<Effect>,
    ) {
        let mut shared_text: Option<Arc<str>> = None;
        // The connections of one player get the same text.
        let mut snapshots: BTreeMap<PlayerId, Arc<str>> = BTreeMap::new();
        for (connection, before) in self.connections.iter().zip(before) {
            let viewer = self.room.viewer(connection.player);
            let id = command.filter(|(asked, _)| *asked == connection.id).map(|(_, id)| id.clone());
            if transition.resets || viewer != *before {
                let player = connection.player;
                let snapshot =
                    snapshots.entry(player).or_insert_with(|| self.snapshot_text(player));
                effects.push(send_text(connection.id, snapshot.clone()));
                if let Some(id) = id {
                    let version = transition.version;
                    effects.push(send(connection.id, &ServerMessage::Done { id, version }));
                }
                continue;
            }
            let is_shared = transition.is_public() && id.is_none();
            let text = match (&shared_text, is_shared) {
                (Some(text), true) => text.clone(),
                _ => self.update_text(transition, viewer, id),
            };
            if is_shared {
                shared_text.get_or_insert_with(|| text.clone());
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
        // Only the newest transition carries the clock that runs now.
        let newest = transition.version == self.room.version();
        let update = Update {
            version: transition.version,
            at: transition.at,
            events: transition.events_for(viewer),
            clock: self.room.clock(&self.presence).filter(|_| newest),
            done,
        };
        ServerMessage::Update(update).text().into()
    }

    fn snapshot_text(&self, player: PlayerId) -> Arc<str> {
        let snapshot: Snapshot = self.room.snapshot(player, &self.presence);
        ServerMessage::Snapshot(Box::new(snapshot)).text().into()
    }

    fn on_connected(
        &mut self,
        connection: ConnectionId,
        player: PlayerId,
        since: Option<u64>,
        context: &DriverContext<'_>,
        effects: &mut Vec<Effect>,
    ) {
        let full = self.is_full_for(player).then_some(CloseReason::TooMuch);
        if let Some(why) = self.room.close_reason(player).or(full) {
            effects.push(Effect::Disconnect { connection, why });
            return;
        }
        self.connections.push(ConnectedPlayer { id: connection, player });
        self.refresh_presence(context.now);
        self.catch_up(connection, player, since, effects);
        self.broadcast_presence(Some(connection), context.now, effects);
    }

    /// Whether a player may not connect, because there are too many connections and none is reserved
    /// for them.
    fn is_full_for(&self, player: PlayerId) -> bool {
        let count = |who: PlayerId| {
            self.connections.iter().filter(|connection| connection.player == who).count()
        };
        let seated = self.room.players().into_iter();
        let mut with_place: Vec<PlayerId> = seated.chain([self.room.host()]).collect();
        with_place.sort_unstable();
        with_place.dedup();
        if with_place.contains(&player) && count(player) < RESERVED_CONNECTIONS {
            return false;
        }
        let reserved = with_place.iter().map(|who| count(*who).min(RESERVED_CONNECTIONS));
        self.connections.len() - reserved.sum::<usize>() >= MAX_CONNECTIONS
    }

    /// Sends the transitions that a client has missed, or a snapshot.
    fn catch_up(
        &self,
        connection: ConnectionId,
        player: PlayerId,
        since: Option<u64>,
        effects: &mut Vec<Effect>,
    ) {
        let version = self.room.version();
        let missed = since.and_then(|since| {
            // A client cannot have a version that does not exist yet.
            let oldest = version - self.tail.len() as u64;
            let from = since.checked_sub(oldest).filter(|_| since <= version)?;
            let missed = self.tail.range(from as usize..);
            let same_view = !missed.clone().any(|transition| transition.changes_view_of(player));
            same_view.then_some(missed)
        });
        let Some(missed) = missed else {
            effects.push(send_text(connection, self.snapshot_text(player)));
            return;
        };
        let viewer = self.room.viewer(player);
        for transition in missed {
            // If the answer to a command was lost, the client gets it here.
            let own = transition.command.as_ref().filter(|(by, _)| *by == player);
            let done = own.map(|(_, id)| id.to_string());
            effects.push(send_text(connection, self.update_text(transition, viewer, done)));
        }
    }

    /// Sends who is connected: to a new connection, and to every client if it has changed and they were not told
    /// just before.
    fn broadcast_presence(
        &mut self,
        new_connection: Option<ConnectionId>,
        now: Millis,
        effects: &mut Vec<Effect>,
    ) {
        let is_spectator =
            |connection: &&ConnectedPlayer| self.room.seat_of(connection.player).is_none();
        let watching = self.connections.iter().filter(is_spectator).count();
        let (seats, watching_sent) = &self.presence_sent;
        let changed =
            *watching_sent != watching || !self.presence.seats().eq(seats.iter().copied());
        let to_all = changed && self.presence_free_at <= now;
        self.presence_due = (changed && !to_all).then_some(self.presence_free_at);
        if !to_all && new_connection.is_none() {
            return;
        }
        let seats: Vec<bool> = self.presence.seats().collect();
        if to_all {
            self.presence_sent = (seats.clone(), watching);
            self.presence_free_at = now + PRESENCE_INTERVAL;
            effects.push(Effect::UpdateLobby);
        }
        let clock = self.room.clock(&self.presence);
        let text: Arc<str> = ServerMessage::Present { seats, watching, clock }.text().into();
        let all = self.connections.iter().map(|connection| connection.id);
        let receivers = all.filter(|connection| to_all || new_connection == Some(*connection));
        effects.extend(receivers.map(|connection| send_text(connection, text.clone())));
    }

    /// Whether the host or a player on a seat is connected.
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

    /// Ends the connections of players who may not be connected any more.
    fn disconnect_not_admitted(&mut self, effects: &mut Vec<Effect>) {
        let room = &self.room;
        self.connections.retain(|connection| {
            let Some(why) = room.close_reason(connection.player) else { return true };
            effects.push(Effect::Disconnect { connection: connection.id, why });
            false
        });
    }

    /// Does what is due without a command, and asks the bot that is to act.
    fn proceed(&mut self, context: &DriverContext<'_>, effects: &mut Vec<Effect>) {
        if self.claim.as_ref().is_some_and(|(_, until)| *until <= context.now) {
            self.abandon_claim(RefusalReason::Unavailable, effects);
        }
        if self.pending.is_some() || context.now < self.retry_at {
            return;
        }
        let due = match self.must_close() {
            true => vec![Entry::Closed],
            false => self.room.due_entries(&self.decision_context(context)),
        };
        if !due.is_empty() {
            self.append(pending_append(due, context.now), effects);
            return;
        }
        let Some(version) = self.room.question_version(&self.presence) else { return };
        let is_open =
            |asked: PendingQuestion| asked.version == version && context.now < asked.again_at;
        if self.question.is_some_and(is_open) {
            return;
        }
        if let Some(question) = self.room.bot_question(&self.presence) {
            let again_at = question.due.max(context.now) + ANSWER_TIMEOUT;
            self.question = Some(PendingQuestion { version, again_at });
            effects.push(Effect::AskBot(Box::new(question)));
        }
    }

    fn player(&self, connection: ConnectionId) -> Option<PlayerId> {
        self.connections.iter().find(|known| known.id == connection).map(|known| known.player)
    }
}

/// Entries whose storing no client waits for.
fn pending_append(entries: Vec<Entry>, at: Millis) -> PendingAppend {
    let entries = entries.into_iter().map(|entry| LoggedEntry { at, command: None, entry });
    PendingAppend { entries: entries.collect(), command: None, request_id: None, refusal: None }
}

/// Why a command is refused whose id belongs to another one.
fn id_taken() -> CommandRefusal {
    CommandRefusal::because(RefusalReason::BadId, "another command has this id")
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

#[cfg(test)]
mod tests;
