//! How an entry changes a room. What [`Room::decide`] and [`Room::due`] gave fits;
//! anything else is a misfit and changes nothing.

use std::collections::VecDeque;

use cards::{BySeat, Seat};
use game::deal::{Deal, Dealer};
use game::event::Event;
use game::notation::ActionText;
use game::public::Misfit;
use game::{PlayedDeal, Rules, Table};
use ids::{PlayerId, TableId};

use super::transition::Applied;
use super::{
    ADMITTED, ANSWERED, ChatLine, DoneCommand, Entry, LoggedEntry, MatchSecret, Opening,
    REMEMBERED, Room, RoomMatch, RoomStage, Roster, RosterSeat, SAYINGS, STAND_IN, SeatHolder,
    SeatSlot, Timings, Transition,
};

impl Room {
    /// The room that an entry opens: the first of its table, or one that begins a match.
    pub fn open(
        id: TableId,
        version: u64,
        logged: &LoggedEntry,
        tempo: Timings,
    ) -> Result<(Room, Transition), Misfit> {
        let opening = match &logged.entry {
            Entry::Opened(opening) => opening,
            Entry::Started(roster) => &roster.opening,
            _ => return Err(Misfit),
        };
        let mut room = Room {
            id,
            tempo,
            version: version.checked_sub(1).ok_or(Misfit)?,
            at: logged.at,
            rules: opening.rules,
            pace: opening.pace,
            listed: opening.listed,
            host: opening.host,
            siblings: opening.siblings.clone(),
            contest: opening.contest,
            slots: vec![SeatSlot::free(); opening.rules.players()],
            promise: MatchSecret::new(1, opening.secret, &opening.rules),
            stage: RoomStage::Waiting,
            paused: false,
            said: VecDeque::new(),
            key: opening.key,
            admitted: VecDeque::new(),
            kicked: VecDeque::new(),
            muted: VecDeque::new(),
            done: VecDeque::new(),
            closed: false,
        };
        let transition = match &logged.entry {
            Entry::Opened(_) => room.note(logged, Applied { resets: true, ..Applied::default() }),
            _ => room.apply(logged)?,
        };
        Ok((room, transition))
    }

    /// Lets an entry happen.
    pub fn apply(&mut self, logged: &LoggedEntry) -> Result<Transition, Misfit> {
        let mut events = Vec::new();
        let mut cards = None;
        // Other rules have other seats, and everybody must look anew.
        let resets = matches!(&logged.entry, Entry::Settings { rules, .. } if *rules != self.rules);
        let moves = self.moved_by(&logged.entry);
        match &logged.entry {
            Entry::Opened(_) => return Err(Misfit),
            Entry::Admitted { player } => self.admitted(*player),
            Entry::Relinked { key } => self.key = *key,
            Entry::Sat { seat, player, name } => {
                if let Some(old) = self.seat_of(*player) {
                    *self.slot_mut(old)? = SeatSlot::free();
                    self.promise.words[old] = None;
                }
                let holder = SeatHolder::Person { player: *player, name: name.clone() };
                self.seat(*seat, holder)?;
                if let RoomStage::Playing(played) = &mut self.stage
                    && !played.seen.contains(&(*player, *seat))
                {
                    played.seen.push((*player, *seat));
                }
            }
            Entry::Renamed { seat, name: new } => match &mut self.slot_mut(*seat)?.holder {
                SeatHolder::Person { name, .. } => *name = new.clone(),
                SeatHolder::Nobody | SeatHolder::Bot(_) => return Err(Misfit),
            },
            Entry::Left { seat, kicked } => self.left(*seat, *kicked)?,
            Entry::Swapped { seats: [one, two] } => {
                if one.max(two).index() >= self.slots.len() {
                    return Err(Misfit);
                }
                self.slots.swap(one.index(), two.index());
                for seat in [one, two] {
                    self.promise.words[*seat] = None;
                }
            }
            Entry::BotSat { seat, level } => self.seat(*seat, SeatHolder::Bot(*level))?,
            Entry::Emptied { seat } => self.seat(*seat, SeatHolder::Nobody)?,
            Entry::Hosted { player } => {
                let before = std::mem::replace(&mut self.host, *player);
                self.stays_welcome(before);
            }
            Entry::Settings { rules, pace, listed } => {
                (self.pace, self.listed) = (*pace, *listed);
                if *rules != self.rules {
                    self.change_rules(*rules)?;
                }
            }
            Entry::Promised { number, secret } => {
                self.promise = MatchSecret::new(*number, *secret, &self.rules);
            }
            Entry::Word { seat, word } => {
                self.slot_mut(*seat)?;
                self.promise.words[*seat] = Some(*word);
            }
            Entry::Started(roster) => self.started(roster, logged.at)?,
            Entry::Dealt => {
                let played = self.playing_mut()?;
                let public = played.table.public();
                let deal = played.dealer.deal(public.number(), public.first()).ok_or(Misfit)?;
                let dealt = played.table.deal(deal).map_err(|_| Misfit)?;
                for event in dealt {
                    played.table.apply(&event)?;
                    events.push(event);
                }
                played.since = logged.at;
                self.unready();
            }
            Entry::Acted { seat, action, .. } => {
                cards = self.acted(&[(*seat, *action)], &mut events)?;
                self.playing_mut()?.since = logged.at;
            }
            Entry::Claimed { line, .. } => {
                cards = self.acted(line, &mut events)?;
                self.playing_mut()?.since = logged.at;
            }
            Entry::StoodIn { seat, why } => self.slot_mut(*seat)?.stand_in = Some(*why),
            Entry::Back { seat } => {
                self.slot_mut(*seat)?.stand_in = None;
                // If it is his turn his clock begins again: the bot's time was not his.
                let awaited =
                    self.playing().is_some_and(|played| self.awaited(played).any(|at| at == *seat));
                if awaited {
                    self.playing_mut()?.since = logged.at;
                }
            }
            Entry::Ready { seat } | Entry::WantsRematch { seat } => {
                self.slot_mut(*seat)?.ready = true;
            }
            Entry::WantsPause { seat } => self.slot_mut(*seat)?.wants_pause = true,
            Entry::Paused => {
                self.playing_mut()?;
                self.paused = true;
            }
            Entry::Resumed => {
                self.playing_mut()?.since = logged.at;
                self.paused = false;
                self.slots.iter_mut().for_each(|chair| chair.wants_pause = false);
            }
            Entry::Said { seat, saying } => {
                let SeatHolder::Person { name, .. } = &self.slot_mut(*seat)?.holder else {
                    return Err(Misfit);
                };
                let name = name.clone();
                let said = ChatLine { seat: *seat, name, what: saying.clone(), at: logged.at };
                keep(&mut self.said, said, SAYINGS);
            }
            Entry::Muted { seat, muted } => {
                let player = self.player_on(*seat).ok_or(Misfit)?;
                self.muted.retain(|silenced| *silenced != player);
                if *muted {
                    keep(&mut self.muted, player, REMEMBERED);
                }
            }
            Entry::Closed => self.closed = true,
        }
        if self.playing().is_some_and(|played| played.table.is_over()) {
            self.match_over();
        }
        if !is_talk(&logged.entry)
            && let RoomStage::Playing(played) = &mut self.stage
        {
            played.asked_since = self.version + 1;
        }
        Ok(self.note(logged, Applied { events, cards, resets, moves }))
    }

    /// Whoever sits elsewhere after an entry, or nowhere, or did not sit before.
    fn moved_by(&self, entry: &Entry) -> Vec<PlayerId> {
        match entry {
            Entry::Sat { player, .. } => vec![*player],
            Entry::Left { seat, .. } => self.player_on(*seat).into_iter().collect(),
            Entry::Swapped { seats } => {
                seats.iter().filter_map(|seat| self.player_on(*seat)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Remembers somebody who may come in.
    fn admitted(&mut self, player: PlayerId) {
        self.admitted.retain(|known| *known != player);
        keep(&mut self.admitted, player, ADMITTED);
    }

    /// Whoever was in as the host or on a seat of a private table may still watch.
    fn stays_welcome(&mut self, player: PlayerId) {
        if !self.listed && !self.admitted.contains(&player) {
            self.admitted(player);
        }
    }

    /// Counts an entry, and says what happened by it.
    fn note(&mut self, logged: &LoggedEntry, applied: Applied) -> Transition {
        self.version += 1;
        self.at = logged.at;
        if let Some((player, id)) = &logged.command {
            let answered = DoneCommand { player: *player, id: id.clone(), version: self.version };
            keep(&mut self.done, answered, ANSWERED);
        }
        Transition::new(self, logged, applied)
    }

    fn slot_mut(&mut self, seat: Seat) -> Result<&mut SeatSlot, Misfit> {
        self.slots.get_mut(seat.index()).ok_or(Misfit)
    }

    fn playing_mut(&mut self) -> Result<&mut RoomMatch, Misfit> {
        match &mut self.stage {
            RoomStage::Playing(played) => Ok(played),
            RoomStage::Waiting | RoomStage::Over(_) => Err(Misfit),
        }
    }

    /// Gives a seat that no person holds to somebody.
    fn seat(&mut self, seat: Seat, holder: SeatHolder) -> Result<(), Misfit> {
        let chair = self.slot_mut(seat)?;
        if chair.player().is_some() {
            return Err(Misfit);
        }
        *chair = SeatSlot { holder, ..SeatSlot::free() };
        self.promise.words[seat] = None;
        Ok(())
    }

    fn left(&mut self, seat: Seat, kicked: bool) -> Result<(), Misfit> {
        let playing = self.is_playing();
        let chair = self.slot_mut(seat)?;
        let player = chair.player().ok_or(Misfit)?;
        let holder = if playing { SeatHolder::Bot(STAND_IN) } else { SeatHolder::Nobody };
        *chair = SeatSlot { holder, ..SeatSlot::free() };
        self.promise.words[seat] = None;
        if kicked {
            self.admitted.retain(|known| *known != player);
            keep(&mut self.kicked, player, REMEMBERED);
        } else {
            self.stays_welcome(player);
        }
        // Whoever leaves hands the table on, if there is somebody to take it.
        if self.host == player {
            let heir = self.persons().find_map(|seat| self.player_on(seat));
            self.host = heir.unwrap_or(player);
        }
        Ok(())
    }

    /// Other rules may have other seats; persons move together.
    fn change_rules(&mut self, rules: Rules) -> Result<(), Misfit> {
        if self.is_playing() || self.persons().count() > rules.players() {
            return Err(Misfit);
        }
        let places = rules.players();
        let moved = self.slots.split_off(places.min(self.slots.len()));
        self.slots.resize(places, SeatSlot::free());
        for chair in moved.into_iter().filter(|chair| chair.player().is_some()) {
            let free = self.slots.iter_mut().find(|chair| chair.player().is_none());
            *free.ok_or(Misfit)? = chair;
        }
        self.rules = rules;
        self.stage = RoomStage::Waiting;
        self.promise.words = BySeat::filled(None, places);
        Ok(())
    }

    fn started(&mut self, roster: &Roster, at: u64) -> Result<(), Misfit> {
        let Roster {
            opening,
            seats: sitters,
            number,
            words,
            admitted,
            kicked: sent_away,
            muted,
            done: answered,
        } = roster;
        let Opening { rules, pace, listed, host, key, secret, siblings, contest } = opening;
        let whole = sitters.len() == rules.players() && words.len() == rules.players();
        if self.is_playing() || !whole {
            return Err(Misfit);
        }
        (self.rules, self.pace, self.listed) = (*rules, *pace, *listed);
        (self.host, self.siblings, self.contest) = (*host, siblings.clone(), *contest);
        self.key = *key;
        self.admitted = admitted.iter().copied().collect();
        self.kicked = sent_away.iter().copied().collect();
        self.muted = muted.iter().copied().collect();
        self.done = answered.iter().cloned().collect();
        let mut chairs = Vec::with_capacity(sitters.len());
        for sitter in sitters {
            let holder = match sitter {
                RosterSeat::Person { player, name } => {
                    SeatHolder::Person { player: *player, name: name.clone() }
                }
                RosterSeat::Bot(level) => SeatHolder::Bot(*level),
            };
            chairs.push(SeatSlot { holder, ..SeatSlot::free() });
        }
        self.slots = chairs;
        self.promise = MatchSecret { number: *number, secret: *secret, words: *words };
        let seed = secret.seed(&self.match_name(*number), rules, words);
        let dealer = Dealer::new(*rules, seed);
        let table = Table::new(*rules, dealer.first_seat());
        let seen = self.persons().filter_map(|seat| Some((self.player_on(seat)?, seat)));
        self.stage = RoomStage::Playing(Box::new(RoomMatch {
            promise: self.promise.clone(),
            dealer,
            table,
            deals: Vec::new(),
            seen: seen.collect::<Vec<(PlayerId, Seat)>>(),
            since: at,
            asked_since: self.version + 1,
        }));
        self.paused = false;
        Ok(())
    }

    /// Lets some seats act, and notes the end of a deal with its cards.
    fn acted(
        &mut self,
        line: &[(Seat, ActionText)],
        events: &mut Vec<Event>,
    ) -> Result<Option<Deal>, Misfit> {
        let rules = self.rules;
        let played = self.playing_mut()?;
        // A line that fits nowhere must not leave half of itself behind.
        let mut table = if line.len() > 1 { Some(played.table.clone()) } else { None };
        let mut cards = None;
        for (seat, action) in line {
            let table = table.as_mut().unwrap_or(&mut played.table);
            let action = action.read(&rules, *seat).map_err(|_| Misfit)?;
            for event in table.decide(*seat, action).map_err(|_| Misfit)? {
                let public = table.public();
                if let Event::Open(happened) = &event
                    && let Some(ended) = PlayedDeal::ended_by(public, happened)
                {
                    cards = played.dealer.deal(public.number(), public.first());
                    played.deals.push(ended);
                }
                table.apply(&event)?;
                events.push(event);
            }
        }
        if let Some(table) = table {
            played.table = table;
        }
        Ok(cards)
    }

    fn match_over(&mut self) {
        if let RoomStage::Playing(played) = std::mem::replace(&mut self.stage, RoomStage::Waiting) {
            self.stage = RoomStage::Over(played);
        }
        self.paused = false;
        self.unready();
        self.slots.iter_mut().for_each(|chair| chair.stand_in = None);
    }

    fn unready(&mut self) {
        for chair in &mut self.slots {
            (chair.ready, chair.wants_pause) = (false, false);
        }
    }
}

/// Whether an entry leaves the match, and who acts in it, as they were.
fn is_talk(entry: &Entry) -> bool {
    match entry {
        Entry::Admitted { .. }
        | Entry::Relinked { .. }
        | Entry::Renamed { .. }
        | Entry::Hosted { .. }
        | Entry::Settings { .. }
        | Entry::Ready { .. }
        | Entry::WantsPause { .. }
        | Entry::Said { .. }
        | Entry::Muted { .. } => true,
        Entry::Opened(_)
        | Entry::Sat { .. }
        | Entry::Left { .. }
        | Entry::Swapped { .. }
        | Entry::BotSat { .. }
        | Entry::Emptied { .. }
        | Entry::Promised { .. }
        | Entry::Word { .. }
        | Entry::Started(_)
        | Entry::Dealt
        | Entry::Acted { .. }
        | Entry::Claimed { .. }
        | Entry::StoodIn { .. }
        | Entry::Back { .. }
        | Entry::Paused
        | Entry::Resumed
        | Entry::WantsRematch { .. }
        | Entry::Closed => false,
    }
}

/// Keeps the newest of a bounded number.
fn keep<T>(kept: &mut VecDeque<T>, new: T, most: usize) {
    while kept.len() >= most {
        kept.pop_front();
    }
    kept.push_back(new);
}
