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
use wire::table::{Command, Farewell, Reason, Refusal, ServerMessage, Snapshot, Update};

use crate::room::{
    Ask, Entry, Finished, Happening, Key, Logged, Millis, Moment, Presence, Room, Wish,
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
pub struct GuestId(pub u64);

/// What a desk is told.
#[derive(Clone, Debug)]
pub enum Letter {
    /// Somebody has connected.
    Came {
        /// The connection.
        guest: GuestId,
        /// Who.
        player: PlayerId,
        /// The last version that he knows.
        since: Option<u64>,
    },
    /// A connection is gone.
    Went {
        /// Which.
        guest: GuestId,
    },
    /// Somebody wishes something.
    Wishes {
        /// On which connection.
        guest: GuestId,
        /// The name of the wish.
        id: String,
        /// What.
        what: Command,
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
        claim: Claim,
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
pub struct Claim {
    /// Who made it, on which connection.
    pub guest: GuestId,
    /// The name of the wish.
    pub id: String,
    /// For which seat.
    pub seat: Seat,
    /// About which version.
    pub version: u64,
}

/// What a desk wants done.
#[derive(Clone, Debug)]
pub enum Errand {
    /// Something to be sent.
    Send {
        /// To whom.
        guest: GuestId,
        /// The message as JSON.
        text: Arc<str>,
    },
    /// The same, but it is a refusal.
    Refuse {
        /// Of whom.
        guest: GuestId,
        /// The message as JSON.
        text: Arc<str>,
    },
    /// A connection to be ended.
    Dismiss {
        /// Which.
        guest: GuestId,
        /// Why.
        why: Farewell,
    },
    /// Entries to be stored, in order and all or none.
    Store {
        /// The number of the first.
        first: u64,
        /// The entries.
        entries: Vec<Logged>,
    },
    /// A bot to be asked.
    Ask(Box<Ask>),
    /// A claim to be looked into.
    Prove {
        /// Which.
        claim: Claim,
        /// Where.
        position: Box<Position>,
    },
    /// A knock, or a question of a contest, to be answered.
    Answer {
        /// Which.
        ticket: u64,
        /// Whether the player is in.
        answer: Result<(), Refusal>,
    },
    /// A match has ended.
    Finished(Arc<Finished>),
    /// The lobby shows the table otherwise now.
    List,
}

/// A connection.
#[derive(Clone, Debug)]
struct Guest {
    id: GuestId,
    player: PlayerId,
}

/// What is being stored, and who waits for it.
#[derive(Clone, Debug)]
struct Pending {
    entries: Vec<Logged>,
    /// The wish that led to it.
    wish: Option<(GuestId, String)>,
    /// The knock that led to it.
    ticket: Option<u64>,
}

/// A question to a bot that is not answered yet, or whose answer was of no use.
#[derive(Clone, Copy, Debug)]
struct Asked {
    version: u64,
    /// Answers may get lost; then it is asked again.
    again_at: Millis,
}

/// A room with its connections.
#[derive(Clone, Debug)]
pub struct Desk {
    room: Room,
    presence: Presence,
    guests: Vec<Guest>,
    tail: VecDeque<Happening>,
    pending: Option<Pending>,
    waiting: VecDeque<Letter>,
    /// What a bot was asked last.
    asked: Option<Asked>,
    /// The claim that is looked into; only the seat in turn has one.
    claim: Option<(Claim, Millis)>,
    /// Who is here, as everybody was told last.
    shown: (Vec<bool>, usize),
    /// Whether the room is to be closed as soon as that can be stored.
    closes: bool,
    /// Nothing happens by itself before this, after something could not be stored.
    rests_until: Millis,
}

/// What a desk gets from outside with every letter.
pub struct Outside<'a> {
    /// The time.
    pub now: Millis,
    /// Draws a secret for a next match.
    pub fresh: &'a dyn Fn() -> Secret,
}

impl Desk {
    /// The desk of a room to which nobody is connected.
    pub fn new(room: Room) -> Desk {
        Desk {
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
    pub fn wakes_at(&self, outside: &Outside<'_>) -> Option<Millis> {
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
    pub fn take(&mut self, letter: Letter, outside: &Outside<'_>, errands: &mut Vec<Errand>) {
        match letter {
            Letter::Came { guest, player, since } => {
                self.came(guest, player, since, outside, errands);
            }
            Letter::Went { guest } => {
                self.guests.retain(|known| known.id != guest);
                self.refresh_presence(outside.now);
                self.tell_presence(None, errands);
            }
            Letter::Close => self.closes = true,
            Letter::CloseIfQuiet { since } => {
                self.closes |= self.is_idle() && self.room.at() < since;
            }
            Letter::Stored => self.stored(outside, errands),
            Letter::NotStored => self.not_stored(outside.now, errands),
            letter if self.pending.is_some() => self.wait(letter, errands),
            letter => self.consider(letter, outside, errands),
        }
        while self.pending.is_none() {
            let Some(letter) = self.waiting.pop_front() else { break };
            self.consider(letter, outside, errands);
        }
        self.go_on(outside, errands);
    }

    fn moment<'a>(&'a self, outside: &'a Outside<'_>) -> Moment<'a> {
        Moment { now: outside.now, presence: &self.presence, fresh: outside.fresh }
    }

    /// Puts a letter off; too many of them are refused.
    fn wait(&mut self, letter: Letter, errands: &mut Vec<Errand>) {
        if self.waiting.len() < WAITING {
            self.waiting.push_back(letter);
            return;
        }
        match letter {
            Letter::Wishes { guest, id, .. } => {
                errands.push(refused(guest, id, Reason::TooFast.into()));
            }
            Letter::Knocks { ticket, .. }
            | Letter::Seats { ticket, .. }
            | Letter::Begins { ticket, .. } => {
                errands.push(Errand::Answer { ticket, answer: Err(Reason::TooFast.into()) });
            }
            // It is asked again.
            Letter::BotSaid { .. } => self.asked = None,
            Letter::Proved { .. } => self.give_claim_up(Reason::TooFast, errands),
            // What is due is looked at in any case.
            Letter::Woke => {}
            // Those never wait.
            Letter::Came { .. } | Letter::Went { .. } => {}
            Letter::Close | Letter::CloseIfQuiet { .. } => {}
            Letter::Stored | Letter::NotStored => {}
        }
    }

    /// What a letter leads to when nothing is under way.
    fn consider(&mut self, letter: Letter, outside: &Outside<'_>, errands: &mut Vec<Errand>) {
        match letter {
            Letter::Wishes { guest, id, what } => self.wishes(guest, id, what, outside, errands),
            Letter::Knocks { player, key, ticket } => {
                self.asked_from_outside(ticket, self.room.admit(player, key), outside, errands);
            }
            Letter::Seats { contest, player, seats, ticket } => {
                let decided = self.room.place(contest, player, &seats);
                self.asked_from_outside(ticket, decided, outside, errands);
            }
            Letter::Begins { contest, ticket } => {
                self.asked_from_outside(ticket, self.room.begin(contest), outside, errands);
            }
            Letter::BotSaid { seat, version, action } => {
                if let Some(entries) = self.room.decide_bot(seat, version, action) {
                    self.hand_out(plain(entries, outside.now), errands);
                }
            }
            Letter::Proved { claim, line } => self.proved(claim, line, outside, errands),
            // What is due is looked at in any case.
            Letter::Woke => {}
            // Those never wait.
            Letter::Came { .. } | Letter::Went { .. } => {}
            Letter::Close | Letter::CloseIfQuiet { .. } => {}
            Letter::Stored | Letter::NotStored => {}
        }
    }

    /// What somebody asked who is not connected, and waits for the answer.
    fn asked_from_outside(
        &mut self,
        ticket: u64,
        decided: Result<Vec<Entry>, Refusal>,
        outside: &Outside<'_>,
        errands: &mut Vec<Errand>,
    ) {
        match decided {
            Ok(entries) if entries.is_empty() => {
                errands.push(Errand::Answer { ticket, answer: Ok(()) });
            }
            Ok(entries) => {
                let pending = Pending { ticket: Some(ticket), ..plain(entries, outside.now) };
                self.hand_out(pending, errands);
            }
            Err(refusal) => errands.push(Errand::Answer { ticket, answer: Err(refusal) }),
        }
    }

    fn wishes(
        &mut self,
        guest: GuestId,
        id: String,
        what: Command,
        outside: &Outside<'_>,
        errands: &mut Vec<Errand>,
    ) {
        let Some(player) = self.player(guest) else { return };
        if let Some(version) = self.room.answered(player, &id) {
            errands.push(send(guest, &ServerMessage::Done { id, version }));
            return;
        }
        if what == Command::Claim {
            self.claims(guest, id, player, outside.now, errands);
            return;
        }
        let wish = Wish { player, id, what };
        let decided = self.room.decide(&wish, &self.moment(outside));
        self.decided(wish, guest, decided, outside, errands);
    }

    /// Has a claim looked into. That is much work, so there is one at a time.
    fn claims(
        &mut self,
        guest: GuestId,
        id: String,
        player: PlayerId,
        now: Millis,
        errands: &mut Vec<Errand>,
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
                    false => errands.push(refused(guest, id, Reason::TooFast.into())),
                }
            }
            _ => {
                self.give_claim_up(Reason::NotProven, errands);
                let claim = Claim { guest, id, seat, version };
                self.claim = Some((claim.clone(), now + THOUGHT_FOR));
                errands.push(Errand::Prove { claim, position: Box::new(position) });
            }
        }
    }

    /// Answers a claim whose proof is not waited for any more.
    fn give_claim_up(&mut self, reason: Reason, errands: &mut Vec<Errand>) {
        if let Some((claim, _)) = self.claim.take() {
            errands.push(refused(claim.guest, claim.id, reason.into()));
        }
    }

    fn proved(
        &mut self,
        proved: Claim,
        line: Option<Vec<(Seat, Action)>>,
        outside: &Outside<'_>,
        errands: &mut Vec<Errand>,
    ) {
        let same = |(claim, _): &mut (Claim, Millis)| {
            (&claim.id, claim.seat, claim.version) == (&proved.id, proved.seat, proved.version)
        };
        // One that was given up has been answered.
        let Some((claim, _)) = self.claim.take_if(same) else { return };
        let Some(player) = self.player(claim.guest) else { return };
        let decided = match line {
            Some(line) => self.room.claimed(claim.seat, claim.version, line),
            None => Err(Reason::NotProven.into()),
        };
        let wish = Wish { player, id: claim.id, what: Command::Claim };
        self.decided(wish, claim.guest, decided, outside, errands);
    }

    fn decided(
        &mut self,
        wish: Wish,
        guest: GuestId,
        decided: Result<Vec<Entry>, Refusal>,
        outside: &Outside<'_>,
        errands: &mut Vec<Errand>,
    ) {
        match decided {
            Ok(entries) => {
                let mut pending = plain(entries, outside.now);
                // The last entry is the answer: when it is there, the wish is fulfilled.
                if let Some(last) = pending.entries.last_mut() {
                    last.command = Some((wish.player, wish.id.clone()));
                }
                self.hand_out(Pending { wish: Some((guest, wish.id)), ..pending }, errands);
            }
            Err(refusal) => errands.push(refused(guest, wish.id, refusal)),
        }
    }

    fn hand_out(&mut self, pending: Pending, errands: &mut Vec<Errand>) {
        let entries = pending.entries.clone();
        errands.push(Errand::Store { first: self.room.version() + 1, entries });
        self.pending = Some(pending);
    }

    /// What was handed out is stored: now it happens.
    fn stored(&mut self, outside: &Outside<'_>, errands: &mut Vec<Errand>) {
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
                errands.push(Errand::Finished(finished.clone()));
            }
            if self.tail.len() == TAIL {
                self.tail.pop_front();
            }
            self.tail.push_back(happening);
        }
        if let Some(ticket) = pending.ticket {
            errands.push(Errand::Answer { ticket, answer: Ok(()) });
        }
        self.dismiss_unwanted(errands);
        self.refresh_presence(outside.now);
        if moves {
            // Whoever got a snapshot does not know yet how many watch.
            self.shown = (Vec::new(), 0);
        }
        if listed {
            errands.push(Errand::List);
        }
        self.tell_presence(None, errands);
    }

    fn not_stored(&mut self, now: Millis, errands: &mut Vec<Errand>) {
        let Some(pending) = self.pending.take() else { return };
        self.rests_until = now + REST;
        // It may have been a bot's answer.
        self.asked = None;
        let refusal = || Refusal::from(Reason::Unavailable);
        if let Some((guest, id)) = pending.wish {
            errands.push(refused(guest, id, refusal()));
        }
        if let Some(ticket) = pending.ticket {
            errands.push(Errand::Answer { ticket, answer: Err(refusal()) });
        }
    }

    /// Tells everybody what has happened, each his part.
    fn tell(
        &self,
        happening: &Happening,
        before: &[Viewer],
        wish: Option<&(GuestId, String)>,
        errands: &mut Vec<Errand>,
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

    fn update_text(&self, happening: &Happening, viewer: Viewer, done: Option<String>) -> Arc<str> {
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
        guest: GuestId,
        player: PlayerId,
        since: Option<u64>,
        outside: &Outside<'_>,
        errands: &mut Vec<Errand>,
    ) {
        let full = self.guests.len() >= MOST_GUESTS;
        if let Some(why) = self.room.turns_away(player).or(full.then_some(Farewell::TooMuch)) {
            errands.push(Errand::Dismiss { guest, why });
            return;
        }
        self.guests.push(Guest { id: guest, player });
        self.refresh_presence(outside.now);
        self.catch_up(guest, player, since, errands);
        self.tell_presence(Some(guest), errands);
    }

    /// Sends what somebody has missed, or everything.
    fn catch_up(
        &self,
        guest: GuestId,
        player: PlayerId,
        since: Option<u64>,
        errands: &mut Vec<Errand>,
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
    fn tell_presence(&mut self, newcomer: Option<GuestId>, errands: &mut Vec<Errand>) {
        let watches = |guest: &&Guest| self.room.seat_of(guest.player).is_none();
        let watching = self.guests.iter().filter(watches).count();
        let (seats, told) = &self.shown;
        let changed = *told != watching || !self.presence.seats().eq(seats.iter().copied());
        if !changed && newcomer.is_none() {
            return;
        }
        let seats: Vec<bool> = self.presence.seats().collect();
        self.shown = (seats.clone(), watching);
        if changed {
            errands.push(Errand::List);
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
    fn dismiss_unwanted(&mut self, errands: &mut Vec<Errand>) {
        let room = &self.room;
        self.guests.retain(|guest| {
            let Some(why) = room.turns_away(guest.player) else { return true };
            errands.push(Errand::Dismiss { guest: guest.id, why });
            false
        });
    }

    /// Does what is due by itself, and asks the bot that is to act.
    fn go_on(&mut self, outside: &Outside<'_>, errands: &mut Vec<Errand>) {
        if self.claim.as_ref().is_some_and(|(_, until)| *until <= outside.now) {
            self.give_claim_up(Reason::Unavailable, errands);
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
        let waits = |asked: Asked| asked.version == version && outside.now < asked.again_at;
        if self.asked.is_some_and(waits) {
            return;
        }
        if let Some(ask) = self.room.ask(&self.presence) {
            let again_at = ask.due.max(outside.now) + THOUGHT_FOR;
            self.asked = Some(Asked { version, again_at });
            errands.push(Errand::Ask(Box::new(ask)));
        }
    }

    fn player(&self, guest: GuestId) -> Option<PlayerId> {
        self.guests.iter().find(|known| known.id == guest).map(|known| known.player)
    }
}

/// Entries that nobody waits for.
fn plain(entries: Vec<Entry>, at: Millis) -> Pending {
    let entries = entries.into_iter().map(|entry| Logged { at, command: None, entry });
    Pending { entries: entries.collect(), wish: None, ticket: None }
}

fn send(guest: GuestId, message: &ServerMessage) -> Errand {
    send_text(guest, message.text().into())
}

fn send_text(guest: GuestId, text: Arc<str>) -> Errand {
    Errand::Send { guest, text }
}

fn refused(guest: GuestId, id: String, refusal: Refusal) -> Errand {
    Errand::Refuse { guest, text: ServerMessage::Refused { id, refusal }.text().into() }
}
