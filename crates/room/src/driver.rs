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
use names::{PlayerId, TableId};
use wire::table::{TableCommand, CloseReason, RefusalReason, CommandRefusal, ServerMessage, Snapshot, Update};

use crate::room::{
    BotQuestion, Entry, MatchResult, Transition, Key, LoggedEntry, Millis, DecisionContext, Presence, Room, PlayerCommand,
};

/// How many happenings are kept for those who resume. More would take longer to send
/// than a snapshot.
const TAIL: usize = 16;
/// How many letters may wait while something is being stored.
const WAITING: usize = 128;
/// How long nothing is tried by itself after something could not be stored.
const REST: Millis = 1_000;
/// How long after its time an answer of those who think is waited for. Then a bot is
/// asked again, and a claim is not proved.
const THOUGHT_FOR: Millis = 15_000;
/// How many connections a table has at most.
pub const MOST_GUESTS: usize = 200;

/// One connection to a table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ConnectionId(pub u64);

/// What a desk is told.
#[derive(Clone, Debug)]
pub enum Input {
    /// Somebody has connected.
    Came {
        /// The connection.
        guest: ConnectionId,
        /// Who.
        player: PlayerId,
        /// The last version that he knows.
        since: Option<u64>,
    },
    /// A connection is gone.
    Went {
        /// Which.
        guest: ConnectionId,
    },
    /// Somebody wishes something.
    Wishes {
        /// On which connection.
        guest: ConnectionId,
        /// The name of the wish.
        id: String,
        /// What.
        what: TableCommand,
    },
    /// Somebody asks to be let in by the table's key.
    Knocks {
        /// Who.
        player: PlayerId,
        /// With what.
        key: Key,
        /// Comes back with the answer.
        ticket: u64,
    },
    /// A contest gives one of some seats to a player.
    Seats {
        /// The contest's ledger.
        contest: TableId,
        /// Who.
        player: PlayerId,
        /// Which seats, and what he is called on each.
        seats: Vec<(Seat, Name)>,
        /// Comes back with the answer.
        ticket: u64,
    },
    /// A contest wants its match to begin with whoever has come.
    Begins {
        /// The contest's ledger.
        contest: TableId,
        /// Comes back with the answer.
        ticket: u64,
    },
    /// A bot has decided.
    BotSaid {
        /// For which seat.
        seat: Seat,
        /// About which version.
        version: u64,
        /// What.
        action: Action,
    },
    /// A claim was looked into.
    Proved {
        /// Whose.
        claim: PendingClaim,
        /// How the rest goes, if it is certain.
        line: Option<Vec<(Seat, Action)>>,
    },
    /// What was handed out is stored.
    Stored,
    /// It is not, and surely not.
    NotStored,
    /// The time has come that was asked for.
    Woke,
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
    pub guest: ConnectionId,
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
        guest: ConnectionId,
        /// The message as JSON.
        text: Arc<str>,
    },
    /// The same, but it is a refusal.
    Refuse {
        /// Of whom.
        guest: ConnectionId,
        /// The message as JSON.
        text: Arc<str>,
    },
    /// A connection to be ended.
    Dismiss {
        /// Which.
        guest: ConnectionId,
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
    Ask(Box<BotQuestion>),
    /// A claim to be looked into.
    Prove {
        /// Which.
        claim: PendingClaim,
        /// Where.
        position: Box<Position>,
    },
    /// A knock, or a question of a contest, to be answered.
    Answer {
        /// Which.
        ticket: u64,
        /// Whether the player is in.
        answer: Result<(), CommandRefusal>,
    },
    /// A match has ended.
    Finished(Arc<MatchResult>),
    /// The lobby shows the table otherwise now.
    List,
}

/// A connection.
#[derive(Clone, Debug)]
struct Connected {
    id: ConnectionId,
    player: PlayerId,
}

/// What is being stored, and who waits for it.
#[derive(Clone, Debug)]
struct PendingAppend {
    entries: Vec<LoggedEntry>,
    /// The wish that led to it.
    wish: Option<(ConnectionId, String)>,
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
    guests: Vec<Connected>,
    tail: VecDeque<Transition>,
    pending: Option<PendingAppend>,
    waiting: VecDeque<Input>,
    /// What a bot was asked last.
    asked: Option<PendingQuestion>,
    /// The claim that is looked into; only the seat in turn has one.
    claim: Option<(PendingClaim, Millis)>,
    /// Who is here, as everybody was told last.
    shown: (Vec<bool>, usize),
    /// Whether the room is to be closed as soon as that can be stored.
    closes: bool,
    /// Nothing happens by itself before this, after something could not be stored.
    rests_until: Millis,
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
            guests: Vec::new(),
            tail: VecDeque::new(),
            pending: None,
            waiting: VecDeque::new(),
            asked: None,
            claim: None,
            shown: (Vec::new(), 0),
            closes: false,
            rests_until: 0,
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
        self.guests.is_empty() && self.pending.is_none()
    }

    /// When the desk wants to be woken, if nothing comes before.
    pub fn wakes_at(&self, outside: &DriverContext<'_>) -> Option<Millis> {
        if self.pending.is_some() {
            return None;
        }
        let bot = self.room.asks(&self.presence).map(|version| match self.asked {
            Some(asked) if asked.version == version => asked.again_at,
            _ => outside.now,
        });
        let closes = (self.closes && !self.room.is_closed()).then_some(outside.now);
        let due = self.room.wakes_at(&self.moment(outside));
        let claim = self.claim.as_ref().map(|(_, until)| *until);
        let wakes = [due, bot, closes, claim].into_iter().flatten().min()?;
        Some(wakes.max(self.rests_until))
    }

    /// Takes a letter, and says what is to be done.
    pub fn take(&mut self, letter: Input, outside: &DriverContext<'_>, errands: &mut Vec<Effect>) {
        match letter {
            Input::Came { guest, player, since } => {
                self.came(guest, player, since, outside, errands);
            }
            Input::Went { guest } => {
                self.guests.retain(|known| known.id != guest);
                self.refresh_presence(outside.now);
                self.tell_presence(None, errands);
            }
            Input::Close => self.closes = true,
            Input::CloseIfQuiet { since } => {
                self.closes |= self.is_idle() && self.room.at() < since;
            }
            Input::Stored => self.stored(outside, errands),
            Input::NotStored => self.not_stored(outside.now, errands),
            letter if self.pending.is_some() => self.wait(letter, errands),
            letter => self.consider(letter, outside, errands),
        }
        while self.pending.is_none() {
            let Some(letter) = self.waiting.pop_front() else { break };
            self.consider(letter, outside, errands);
        }
        self.go_on(outside, errands);
    }

    fn moment<'a>(&'a self, outside: &'a DriverContext<'_>) -> DecisionContext<'a> {
        DecisionContext { now: outside.now, presence: &self.presence, fresh: outside.fresh }
    }

    /// Puts a letter off; too many of them are refused.
    fn wait(&mut self, letter: Input, errands: &mut Vec<Effect>) {
        if self.waiting.len() < WAITING {
            self.waiting.push_back(letter);
            return;
        }
        match letter {
            Input::Wishes { guest, id, .. } => {
                errands.push(refused(guest, id, RefusalReason::TooFast.into()));
            }
            Input::Knocks { ticket, .. }
            | Input::Seats { ticket, .. }
            | Input::Begins { ticket, .. } => {
                errands.push(Effect::Answer { ticket, answer: Err(RefusalReason::TooFast.into()) });
            }
            // It is asked again.
            Input::BotSaid { .. } => self.asked = None,
            Input::Proved { .. } => self.give_claim_up(RefusalReason::TooFast, errands),
            // What is due is looked at in any case.
            Input::Woke => {}
            // Those never wait.
            Input::Came { .. } | Input::Went { .. } => {}
            Input::Close | Input::CloseIfQuiet { .. } => {}
            Input::Stored | Input::NotStored => {}
        }
    }

    /// What a letter leads to when nothing is under way.
    fn consider(&mut self, letter: Input, outside: &DriverContext<'_>, errands: &mut Vec<Effect>) {
        match letter {
            Input::Wishes { guest, id, what } => self.wishes(guest, id, what, outside, errands),
            Input::Knocks { player, key, ticket } => {
                self.asked_from_outside(ticket, self.room.admit(player, key), outside, errands);
            }
            Input::Seats { contest, player, seats, ticket } => {
                let decided = self.room.place(contest, player, &seats);
                self.asked_from_outside(ticket, decided, outside, errands);
            }
            Input::Begins { contest, ticket } => {
                self.asked_from_outside(ticket, self.room.begin(contest), outside, errands);
            }
            Input::BotSaid { seat, version, action } => {
                if let Some(entries) = self.room.decide_bot(seat, version, action) {
                    self.hand_out(plain(entries, outside.now), errands);
                }
            }
            Input::Proved { claim, line } => self.proved(claim, line, outside, errands),
            // What is due is looked at in any case.
            Input::Woke => {}
            // Those never wait.
            Input::Came { .. } | Input::Went { .. } => {}
            Input::Close | Input::CloseIfQuiet { .. } => {}
            Input::Stored | Input::NotStored => {}
        }
    }

    /// What somebody asked who is not connected, and waits for the answer.
    fn asked_from_outside(
        &mut self,
        ticket: u64,
        decided: Result<Vec<Entry>, CommandRefusal>,
        outside: &DriverContext<'_>,
        errands: &mut Vec<Effect>,
    ) {
        match decided {
            Ok(entries) if entries.is_empty() => {
                errands.push(Effect::Answer { ticket, answer: Ok(()) });
            }
            Ok(entries) => {
                let pending = PendingAppend { ticket: Some(ticket), ..plain(entries, outside.now) };
                self.hand_out(pending, errands);
            }
            Err(refusal) => errands.push(Effect::Answer { ticket, answer: Err(refusal) }),
        }
    }

    fn wishes(
        &mut self,
        guest: ConnectionId,
        id: String,
        what: TableCommand,
        outside: &DriverContext<'_>,
        errands: &mut Vec<Effect>,
    ) {
        let Some(player) = self.player(guest) else { return };
        if let Some(version) = self.room.answered(player, &id) {
            errands.push(send(guest, &ServerMessage::Done { id, version }));
            return;
        }
        if what == TableCommand::Claim {
            self.claims(guest, id, player, outside.now, errands);
            return;
        }
        let wish = PlayerCommand { player, id, what };
        let decided = self.room.decide(&wish, &self.moment(outside));
        self.decided(wish, guest, decided, outside, errands);
    }

    /// Has a claim looked into. That is much work, so there is one at a time.
    fn claims(
        &mut self,
        guest: ConnectionId,
        id: String,
        player: PlayerId,
        now: Millis,
        errands: &mut Vec<Effect>,
    ) {
        let (seat, version, position) = match self.room.claimant(player) {
            Ok(claimant) => claimant,
            Err(refusal) => return errands.push(refused(guest, id, refusal)),
        };
        match &mut self.claim {
            Some((claim, _)) if (claim.seat, claim.version) == (seat, version) => {
                match claim.id == id {
                    // Sent again, perhaps on another connection, which gets the answer.
                    true => claim.guest = guest,
                    false => errands.push(refused(guest, id, RefusalReason::TooFast.into())),
                }
            }
            _ => {
                self.give_claim_up(RefusalReason::NotProven, errands);
                let claim = PendingClaim { guest, id, seat, version };
                self.claim = Some((claim.clone(), now + THOUGHT_FOR));
                errands.push(Effect::Prove { claim, position: Box::new(position) });
            }
        }
    }

    /// Answers a claim whose proof is not waited for any more.
    fn give_claim_up(&mut self, reason: RefusalReason, errands: &mut Vec<Effect>) {
        if let Some((claim, _)) = self.claim.take() {
            errands.push(refused(claim.guest, claim.id, reason.into()));
        }
    }

    fn proved(
        &mut self,
        proved: PendingClaim,
        line: Option<Vec<(Seat, Action)>>,
        outside: &DriverContext<'_>,
        errands: &mut Vec<Effect>,
    ) {
        let same = |(claim, _): &mut (PendingClaim, Millis)| {
            (&claim.id, claim.seat, claim.version) == (&proved.id, proved.seat, proved.version)
        };
        // One that was given up has been answered.
        let Some((claim, _)) = self.claim.take_if(same) else { return };
        let Some(player) = self.player(claim.guest) else { return };
        let decided = match line {
            Some(line) => self.room.claimed(claim.seat, claim.version, line),
            None => Err(RefusalReason::NotProven.into()),
        };
        let wish = PlayerCommand { player, id: claim.id, what: TableCommand::Claim };
        self.decided(wish, claim.guest, decided, outside, errands);
    }

    fn decided(
        &mut self,
        wish: PlayerCommand,
        guest: ConnectionId,
        decided: Result<Vec<Entry>, CommandRefusal>,
        outside: &DriverContext<'_>,
        errands: &mut Vec<Effect>,
    ) {
        match decided {
            Ok(entries) => {
                let mut pending = plain(entries, outside.now);
                // The last entry is the answer: when it is there, the wish is fulfilled.
                if let Some(last) = pending.entries.last_mut() {
                    last.command = Some((wish.player, wish.id.clone()));
                }
                self.hand_out(PendingAppend { wish: Some((guest, wish.id)), ..pending }, errands);
            }
            Err(refusal) => errands.push(refused(guest, wish.id, refusal)),
        }
    }

    fn hand_out(&mut self, pending: PendingAppend, errands: &mut Vec<Effect>) {
        let entries = pending.entries.clone();
        errands.push(Effect::Store { first: self.room.version() + 1, entries });
        self.pending = Some(pending);
    }

    /// What was handed out is stored: now it happens.
    fn stored(&mut self, outside: &DriverContext<'_>, errands: &mut Vec<Effect>) {
        let Some(pending) = self.pending.take() else { return };
        let (mut moves, mut listed) = (false, false);
        for logged in &pending.entries {
            let before: Vec<Viewer> =
                self.guests.iter().map(|guest| self.room.viewer(guest.player)).collect();
            // What the room decided on fits the room.
            let Ok(happening) = self.room.apply(logged) else {
                debug_assert!(false, "{logged:?}");
                continue;
            };
            self.refresh_presence(outside.now);
            let answers = logged.command.is_some();
            let wish = pending.wish.as_ref().filter(|_| answers);
            self.tell(&happening, &before, wish, errands);
            moves |= happening.moves_somebody();
            listed |= happening.shows_outside;
            if let Some(finished) = &happening.finished {
                errands.push(Effect::Finished(finished.clone()));
            }
            if self.tail.len() == TAIL {
                self.tail.pop_front();
            }
            self.tail.push_back(happening);
        }
        if let Some(ticket) = pending.ticket {
            errands.push(Effect::Answer { ticket, answer: Ok(()) });
        }
        self.dismiss_unwanted(errands);
        self.refresh_presence(outside.now);
        if moves {
            // Whoever got a snapshot does not know yet how many watch.
            self.shown = (Vec::new(), 0);
        }
        if listed {
            errands.push(Effect::List);
        }
        self.tell_presence(None, errands);
    }

    fn not_stored(&mut self, now: Millis, errands: &mut Vec<Effect>) {
        let Some(pending) = self.pending.take() else { return };
        self.rests_until = now + REST;
        // It may have been a bot's answer.
        self.asked = None;
        let refusal = || CommandRefusal::from(RefusalReason::Unavailable);
        if let Some((guest, id)) = pending.wish {
            errands.push(refused(guest, id, refusal()));
        }
        if let Some(ticket) = pending.ticket {
            errands.push(Effect::Answer { ticket, answer: Err(refusal()) });
        }
    }

    /// Tells everybody what has happened, each his part.
    fn tell(
        &self,
        happening: &Transition,
        before: &[Viewer],
        wish: Option<&(ConnectionId, String)>,
        errands: &mut Vec<Effect>,
    ) {
        let mut open: Option<Arc<str>> = None;
        for (guest, before) in self.guests.iter().zip(before) {
            let viewer = self.room.viewer(guest.player);
            let id = wish.filter(|(asked, _)| *asked == guest.id).map(|(_, id)| id.clone());
            if happening.resets || viewer != *before {
                errands.push(send_text(guest.id, self.snapshot_text(guest.player)));
                if let Some(id) = id {
                    let version = happening.version;
                    errands.push(send(guest.id, &ServerMessage::Done { id, version }));
                }
                continue;
            }
            let shared = happening.is_open() && id.is_none();
            let text = match (&open, shared) {
                (Some(text), true) => text.clone(),
                _ => self.update_text(happening, viewer, id),
            };
            if shared {
                open.get_or_insert_with(|| text.clone());
            }
            errands.push(send_text(guest.id, text));
        }
    }

    fn update_text(&self, happening: &Transition, viewer: Viewer, done: Option<String>) -> Arc<str> {
        // The clock that runs now belongs to the newest happening alone.
        let newest = happening.version == self.room.version();
        let update = Update {
            version: happening.version,
            at: happening.at,
            told: happening.told(viewer),
            clock: self.room.clock(&self.presence).filter(|_| newest),
            done,
        };
        ServerMessage::Update(update).text().into()
    }

    fn snapshot_text(&self, player: PlayerId) -> Arc<str> {
        let snapshot: Snapshot = self.room.snapshot(player, &self.presence);
        ServerMessage::Snapshot(Box::new(snapshot)).text().into()
    }

    fn came(
        &mut self,
        guest: ConnectionId,
        player: PlayerId,
        since: Option<u64>,
        outside: &DriverContext<'_>,
        errands: &mut Vec<Effect>,
    ) {
        let full = self.guests.len() >= MOST_GUESTS;
        if let Some(why) = self.room.turns_away(player).or(full.then_some(CloseReason::TooMuch)) {
            errands.push(Effect::Dismiss { guest, why });
            return;
        }
        self.guests.push(Connected { id: guest, player });
        self.refresh_presence(outside.now);
        self.catch_up(guest, player, since, errands);
        self.tell_presence(Some(guest), errands);
    }

    /// Sends what somebody has missed, or everything.
    fn catch_up(
        &self,
        guest: ConnectionId,
        player: PlayerId,
        since: Option<u64>,
        errands: &mut Vec<Effect>,
    ) {
        let version = self.room.version();
        let missed = since.and_then(|since| {
            // Nobody can have seen what has not happened.
            let oldest = version - self.tail.len() as u64;
            let from = since.checked_sub(oldest).filter(|_| since <= version)?;
            let missed = self.tail.range(from as usize..);
            let seen_as_now = !missed.clone().any(|happening| happening.turns_head_of(player));
            seen_as_now.then_some(missed)
        });
        let Some(missed) = missed else {
            errands.push(send_text(guest, self.snapshot_text(player)));
            return;
        };
        let viewer = self.room.viewer(player);
        for happening in missed {
            // Even after a lost answer he learns which of his wishes was fulfilled.
            let own = happening.command.as_ref().filter(|(by, _)| *by == player);
            let done = own.map(|(_, id)| id.to_string());
            errands.push(send_text(guest, self.update_text(happening, viewer, done)));
        }
    }

    /// Tells who is here: everybody if it has changed, and whoever has just come.
    fn tell_presence(&mut self, newcomer: Option<ConnectionId>, errands: &mut Vec<Effect>) {
        let watches = |guest: &&Connected| self.room.seat_of(guest.player).is_none();
        let watching = self.guests.iter().filter(watches).count();
        let (seats, told) = &self.shown;
        let changed = *told != watching || !self.presence.seats().eq(seats.iter().copied());
        if !changed && newcomer.is_none() {
            return;
        }
        let seats: Vec<bool> = self.presence.seats().collect();
        self.shown = (seats.clone(), watching);
        if changed {
            errands.push(Effect::List);
        }
        let clock = self.room.clock(&self.presence);
        let text: Arc<str> = ServerMessage::Present { seats, watching, clock }.text().into();
        let told = self.guests.iter().map(|guest| guest.id);
        let told = told.filter(|guest| changed || newcomer == Some(*guest));
        errands.extend(told.map(|guest| send_text(guest, text.clone())));
    }

    /// Whether a person of the table is here.
    pub fn is_attended(&self) -> bool {
        self.presence.seats().any(|here| here) || self.host_is_here()
    }

    fn host_is_here(&self) -> bool {
        self.guests.iter().any(|guest| self.room.is_host(guest.player))
    }

    fn refresh_presence(&mut self, now: Millis) {
        let here = |seat: Seat| {
            let player = self.room.player_on(seat);
            player.is_some() && self.guests.iter().any(|guest| Some(guest.player) == player)
        };
        let seats: Vec<bool> = Seat::first(self.room.rules().players()).map(here).collect();
        self.presence.update(&seats, self.host_is_here(), now);
    }

    /// Ends the connections of those who may not be here any more.
    fn dismiss_unwanted(&mut self, errands: &mut Vec<Effect>) {
        let room = &self.room;
        self.guests.retain(|guest| {
            let Some(why) = room.turns_away(guest.player) else { return true };
            errands.push(Effect::Dismiss { guest: guest.id, why });
            false
        });
    }

    /// Does what is due by itself, and asks the bot that is to act.
    fn go_on(&mut self, outside: &DriverContext<'_>, errands: &mut Vec<Effect>) {
        if self.claim.as_ref().is_some_and(|(_, until)| *until <= outside.now) {
            self.give_claim_up(RefusalReason::Unavailable, errands);
        }
        if self.pending.is_some() || outside.now < self.rests_until {
            return;
        }
        let due = match self.closes && !self.room.is_closed() {
            true => vec![Entry::Closed],
            false => self.room.due(&self.moment(outside)),
        };
        if !due.is_empty() {
            self.hand_out(plain(due, outside.now), errands);
            return;
        }
        let Some(version) = self.room.asks(&self.presence) else { return };
        let waits = |asked: PendingQuestion| asked.version == version && outside.now < asked.again_at;
        if self.asked.is_some_and(waits) {
            return;
        }
        if let Some(ask) = self.room.ask(&self.presence) {
            let again_at = ask.due.max(outside.now) + THOUGHT_FOR;
            self.asked = Some(PendingQuestion { version, again_at });
            errands.push(Effect::Ask(Box::new(ask)));
        }
    }

    fn player(&self, guest: ConnectionId) -> Option<PlayerId> {
        self.guests.iter().find(|known| known.id == guest).map(|known| known.player)
    }
}

/// Entries that nobody waits for.
fn plain(entries: Vec<Entry>, at: Millis) -> PendingAppend {
    let entries = entries.into_iter().map(|entry| LoggedEntry { at, command: None, entry });
    PendingAppend { entries: entries.collect(), wish: None, ticket: None }
}

fn send(guest: ConnectionId, message: &ServerMessage) -> Effect {
    send_text(guest, message.text().into())
}

fn send_text(guest: ConnectionId, text: Arc<str>) -> Effect {
    Effect::Send { guest, text }
}

fn refused(guest: ConnectionId, id: String, refusal: CommandRefusal) -> Effect {
    Effect::Refuse { guest, text: ServerMessage::Refused { id, refusal }.text().into() }
}
