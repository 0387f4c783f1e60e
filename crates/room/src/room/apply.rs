//! How an entry changes a room. The entries that [`Room::decide`] and [`Room::due_entries`] return fit;
//! any other entry is refused, and the caller drops the room: a part of the entry may have been applied.

use std::collections::VecDeque;

use cards::{BySeat, Seat};
use game::deal::{Deal, Dealer};
use game::event::Event;
use game::notation::ActionText;
use game::public::InvalidEvent;
use game::record::Name;
use game::{PlayedDeal, Rules, Table};
use ids::{PlayerId, TableId};

use crate::log;

use super::decide::MAX_FALSE_CLAIMS;
use super::transition::Applied;
use super::{
    ChatContent, ChatLine, Checkpoint, CheckpointSeat, DoneCommand, Entry, LoggedEntry,
    MAX_ADMITTED, MAX_CHAT_LINES, MAX_DONE, MAX_REMEMBERED, MatchSecret, Millis, Opening, Room,
    RoomMatch, RoomStage, STAND_IN, SeatHolder, SeatSlot, Timings, Transition,
};

/// The events of the game, and the cards of a deal that ended.
type GameEvents = (Vec<Event>, Option<Deal>);

impl Room {
    /// The room that an entry opens: the first of its table, or one that begins a match.
    pub fn open(
        id: TableId,
        version: u64,
        logged: &LoggedEntry,
        timings: Timings,
    ) -> Result<(Room, Transition), InvalidEvent> {
        let opening = match &logged.entry {
            Entry::Opened(opening) => opening,
            Entry::Started(checkpoint) => &checkpoint.opening,
            _ => return Err(InvalidEvent),
        };
        let mut room = Room {
            id,
            timings,
            version: version.checked_sub(1).ok_or(InvalidEvent)?,
            at: logged.at,
            rules: opening.rules,
            pace: opening.pace,
            listed: opening.listed,
            host: opening.host,
            siblings: opening.siblings.clone(),
            contest: opening.contest,
            contest_command: None,
            slots: vec![SeatSlot::free(); opening.rules.players()],
            next_secret: MatchSecret::new(1, opening.secret, &opening.rules),
            stage: RoomStage::Waiting,
            paused: false,
            chat: VecDeque::new(),
            key: opening.key,
            admitted: VecDeque::new(),
            kicked: VecDeque::new(),
            muted: VecDeque::new(),
            done: VecDeque::new(),
            log_bytes: 0,
            closed: false,
        };
        let transition = match &logged.entry {
            Entry::Opened(_) => {
                room.finish_entry(logged, Applied { resets: true, ..Applied::default() })
            }
            _ => room.apply(logged)?,
        };
        Ok((room, transition))
    }

    /// Applies an entry.
    pub fn apply(&mut self, logged: &LoggedEntry) -> Result<Transition, InvalidEvent> {
        // Other rules have other seats, so every client needs a snapshot.
        let resets = matches!(&logged.entry, Entry::Settings { rules, .. } if *rules != self.rules);
        let moves = self.players_moved_by(&logged.entry);
        let (events, cards) = self.apply_entry(&logged.entry, logged.at)?;
        if self.playing().is_some_and(|played| played.table.is_over()) {
            self.end_match();
        }
        if affects_play(&logged.entry)
            && let RoomStage::Playing(played) = &mut self.stage
        {
            played.play_version = self.version + 1;
        }
        Ok(self.finish_entry(logged, Applied { events, cards, resets, moves }))
    }

    /// Changes the state, and returns the events of the game with the cards of a deal that ended.
    fn apply_entry(&mut self, entry: &Entry, at: Millis) -> Result<GameEvents, InvalidEvent> {
        match entry {
            Entry::Opened(_) => return Err(InvalidEvent),
            Entry::Admitted { player } => self.apply_admitted(*player),
            Entry::Relinked { key } => self.key = *key,
            Entry::Sat { seat, player, name } => self.apply_sat(*seat, *player, name)?,
            Entry::Renamed { seat, name } => self.apply_renamed(*seat, name)?,
            Entry::SeatFreed { seat, kicked } => self.apply_seat_freed(*seat, *kicked)?,
            Entry::Swapped { seats } => self.apply_swapped(*seats)?,
            Entry::BotAdded { seat, level } => self.fill_seat(*seat, SeatHolder::Bot(*level))?,
            Entry::BotRemoved { seat } => self.fill_seat(*seat, SeatHolder::Empty)?,
            Entry::Hosted { player } => {
                let before = std::mem::replace(&mut self.host, *player);
                self.keep_admitted(before);
            }
            Entry::Settings { rules, pace, listed, key } => {
                if *rules != self.rules {
                    self.change_rules(*rules)?;
                }
                self.key = key.unwrap_or(self.key);
                (self.pace, self.listed) = (*pace, *listed);
            }
            Entry::Committed { number, secret } => {
                self.next_secret = MatchSecret::new(*number, *secret, &self.rules);
            }
            Entry::Word { seat, word } => {
                self.slot_mut(*seat)?;
                self.next_secret.words[*seat] = Some(*word);
            }
            Entry::Started(checkpoint) => self.apply_started(checkpoint, at)?,
            Entry::Dealt => return Ok((self.apply_dealt(at)?, None)),
            Entry::Acted { seat, action, .. } => {
                return self.apply_actions(&[(*seat, *action)], at);
            }
            Entry::Claimed { line, .. } => return self.apply_actions(line, at),
            Entry::ClaimRefused { seat } => self.apply_claim_refused(*seat)?,
            Entry::StoodIn { seat, why } => self.slot_mut(*seat)?.stand_in = Some(*why),
            Entry::TookBack { seat } => self.apply_took_back(*seat, at)?,
            Entry::Ready { seat } | Entry::AskedForRematch { seat } => {
                self.slot_mut(*seat)?.ready = true;
            }
            Entry::AskedForPause { seat } => self.slot_mut(*seat)?.asked_for_pause = true,
            Entry::Paused => {
                self.playing_mut()?;
                self.paused = true;
            }
            Entry::Resumed => {
                self.playing_mut()?.since = at;
                self.paused = false;
                self.slots.iter_mut().for_each(|slot| slot.asked_for_pause = false);
            }
            Entry::Said { seat, content } => self.apply_said(*seat, content, at)?,
            Entry::Muted { seat, muted } => self.apply_muted(*seat, *muted)?,
            Entry::Closed => self.closed = true,
        }
        Ok((Vec::new(), None))
    }

    /// The players whose seat an entry changes.
    fn players_moved_by(&self, entry: &Entry) -> Vec<PlayerId> {
        match entry {
            Entry::Sat { player, .. } => vec![*player],
            Entry::SeatFreed { seat, .. } => self.player_on(*seat).into_iter().collect(),
            Entry::Swapped { seats } => {
                seats.iter().filter_map(|seat| self.player_on(*seat)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The logs of earlier versions admit players also to listed tables, whose key every player could read.
    fn apply_admitted(&mut self, player: PlayerId) {
        if !self.listed {
            self.remember_admitted(player);
        }
    }

    fn remember_admitted(&mut self, player: PlayerId) {
        self.admitted.retain(|known| *known != player);
        push_bounded(&mut self.admitted, player, MAX_ADMITTED);
    }

    /// Lets a player of a private table who was its host or had a seat go on watching.
    fn keep_admitted(&mut self, player: PlayerId) {
        if !self.listed && !self.admitted.contains(&player) {
            self.remember_admitted(player);
        }
    }

    /// Counts an entry, and returns its transition.
    fn finish_entry(&mut self, logged: &LoggedEntry, applied: Applied) -> Transition {
        self.version += 1;
        self.at = logged.at;
        self.log_bytes = self.log_bytes.saturating_add(log::stored_bytes(logged));
        if let Some(command) = &logged.command {
            let done = DoneCommand { command: command.clone(), version: self.version };
            push_bounded(&mut self.done, done, MAX_DONE);
        }
        Transition::new(self, logged, applied)
    }

    fn slot_mut(&mut self, seat: Seat) -> Result<&mut SeatSlot, InvalidEvent> {
        self.slots.get_mut(seat.index()).ok_or(InvalidEvent)
    }

    fn playing_mut(&mut self) -> Result<&mut RoomMatch, InvalidEvent> {
        match &mut self.stage {
            RoomStage::Playing(played) => Ok(played),
            RoomStage::Waiting | RoomStage::Over(_) => Err(InvalidEvent),
        }
    }

    fn apply_sat(&mut self, seat: Seat, player: PlayerId, name: &Name) -> Result<(), InvalidEvent> {
        if let Some(old) = self.seat_of(player) {
            *self.slot_mut(old)? = SeatSlot::free();
            self.next_secret.words[old] = None;
        }
        self.fill_seat(seat, SeatHolder::Person { player, name: name.clone() })?;
        if let RoomStage::Playing(played) = &mut self.stage
            && !played.seen.contains(&(player, seat))
        {
            played.seen.push((player, seat));
        }
        Ok(())
    }

    fn apply_renamed(&mut self, seat: Seat, new: &Name) -> Result<(), InvalidEvent> {
        match &mut self.slot_mut(seat)?.holder {
            SeatHolder::Person { name, .. } => *name = new.clone(),
            SeatHolder::Empty | SeatHolder::Bot(_) => return Err(InvalidEvent),
        }
        Ok(())
    }

    fn apply_swapped(&mut self, [one, two]: [Seat; 2]) -> Result<(), InvalidEvent> {
        if one.max(two).index() >= self.slots.len() {
            return Err(InvalidEvent);
        }
        self.slots.swap(one.index(), two.index());
        for seat in [one, two] {
            self.next_secret.words[seat] = None;
        }
        Ok(())
    }

    fn apply_claim_refused(&mut self, seat: Seat) -> Result<(), InvalidEvent> {
        let player = self.player_on(seat).ok_or(InvalidEvent)?;
        let claims = &mut self.playing_mut()?.false_claims;
        if claims.len() >= MAX_FALSE_CLAIMS * cards::MAX_SEATS {
            return Err(InvalidEvent);
        }
        claims.push((seat, player));
        Ok(())
    }

    fn apply_took_back(&mut self, seat: Seat, at: Millis) -> Result<(), InvalidEvent> {
        self.slot_mut(seat)?.stand_in = None;
        // In turn, the player gets the full time: the bot's time does not count.
        let is_awaited = |played| self.awaited_seats(played).any(|awaited| awaited == seat);
        if self.playing().is_some_and(is_awaited) {
            self.playing_mut()?.since = at;
        }
        Ok(())
    }

    fn apply_said(
        &mut self,
        seat: Seat,
        content: &ChatContent,
        at: Millis,
    ) -> Result<(), InvalidEvent> {
        let SeatHolder::Person { name, .. } = &self.slot_mut(seat)?.holder else {
            return Err(InvalidEvent);
        };
        let line = ChatLine { seat, name: name.clone(), what: content.clone(), at };
        push_bounded(&mut self.chat, line, MAX_CHAT_LINES);
        Ok(())
    }

    fn apply_muted(&mut self, seat: Seat, muted: bool) -> Result<(), InvalidEvent> {
        let player = self.player_on(seat).ok_or(InvalidEvent)?;
        self.muted.retain(|known| *known != player);
        if muted {
            push_bounded(&mut self.muted, player, MAX_REMEMBERED);
        }
        Ok(())
    }

    /// Puts a player, a bot or nothing on a seat that no player holds.
    fn fill_seat(&mut self, seat: Seat, holder: SeatHolder) -> Result<(), InvalidEvent> {
        let slot = self.slot_mut(seat)?;
        if slot.player().is_some() {
            return Err(InvalidEvent);
        }
        *slot = SeatSlot { holder, ..SeatSlot::free() };
        self.next_secret.words[seat] = None;
        Ok(())
    }

    fn apply_seat_freed(&mut self, seat: Seat, kicked: bool) -> Result<(), InvalidEvent> {
        let playing = self.is_playing();
        let slot = self.slot_mut(seat)?;
        let player = slot.player().ok_or(InvalidEvent)?;
        let holder = if playing { SeatHolder::Bot(STAND_IN) } else { SeatHolder::Empty };
        *slot = SeatSlot { holder, ..SeatSlot::free() };
        self.next_secret.words[seat] = None;
        if kicked {
            self.admitted.retain(|known| *known != player);
            push_bounded(&mut self.kicked, player, MAX_REMEMBERED);
        } else {
            self.keep_admitted(player);
        }
        // A host who leaves hands the table over to another player, if there is one.
        if self.host == player {
            let successor = self.player_seats().find_map(|seat| self.player_on(seat));
            self.host = successor.unwrap_or(player);
        }
        Ok(())
    }

    /// Sets other rules, which may have fewer seats: players move to the remaining ones.
    fn change_rules(&mut self, rules: Rules) -> Result<(), InvalidEvent> {
        if self.is_playing() || self.player_seats().count() > rules.players() {
            return Err(InvalidEvent);
        }
        let count = rules.players();
        let moved = self.slots.split_off(count.min(self.slots.len()));
        self.slots.resize(count, SeatSlot::free());
        for slot in moved.into_iter().filter(|slot| slot.player().is_some()) {
            let free = self.slots.iter_mut().find(|slot| slot.player().is_none());
            *free.ok_or(InvalidEvent)? = slot;
        }
        self.rules = rules;
        self.stage = RoomStage::Waiting;
        self.next_secret.words = BySeat::filled(None, count);
        Ok(())
    }

    fn apply_started(&mut self, checkpoint: &Checkpoint, at: Millis) -> Result<(), InvalidEvent> {
        let Checkpoint { opening, seats, number, words, admitted, kicked, muted, done, .. } =
            checkpoint;
        let Opening { rules, pace, listed, host, key, secret, siblings, contest } = opening;
        let is_complete = seats.len() == rules.players() && words.len() == rules.players();
        if self.is_playing() || !is_complete {
            return Err(InvalidEvent);
        }
        (self.rules, self.pace, self.listed) = (*rules, *pace, *listed);
        (self.host, self.siblings, self.contest) = (*host, siblings.clone(), *contest);
        self.key = *key;
        self.admitted = admitted.iter().copied().collect();
        self.kicked = kicked.iter().copied().collect();
        self.muted = muted.iter().copied().collect();
        self.done = done.iter().cloned().collect();
        self.log_bytes = checkpoint.log_bytes;
        self.contest_command = checkpoint.contest_command.clone();
        self.slots = seats.iter().map(SeatSlot::from_checkpoint).collect();
        self.next_secret = MatchSecret { number: *number, secret: *secret, words: *words };
        let seed = secret.seed(&self.match_name(*number), rules, words);
        let dealer = Dealer::new(*rules, seed);
        let table = Table::new(*rules, dealer.first_seat());
        let seen = self.player_seats().filter_map(|seat| Some((self.player_on(seat)?, seat)));
        self.stage = RoomStage::Playing(Box::new(RoomMatch {
            secret: self.next_secret.clone(),
            dealer,
            table,
            deals: Vec::new(),
            false_claims: Vec::new(),
            seen: seen.collect::<Vec<(PlayerId, Seat)>>(),
            since: at,
            play_version: self.version + 1,
        }));
        self.paused = false;
        Ok(())
    }

    fn apply_dealt(&mut self, at: Millis) -> Result<Vec<Event>, InvalidEvent> {
        let played = self.playing_mut()?;
        played.false_claims.clear();
        let public = played.table.public();
        let deal = played.dealer.deal(public.number(), public.first()).ok_or(InvalidEvent)?;
        let mut events = Vec::new();
        for event in played.table.deal(deal).map_err(|_| InvalidEvent)? {
            played.table.apply(&event)?;
            events.push(event);
        }
        played.since = at;
        self.reset_ready();
        Ok(events)
    }

    /// Applies actions in order, and returns their events with the cards of a deal that they end.
    fn apply_actions(
        &mut self,
        line: &[(Seat, ActionText)],
        at: Millis,
    ) -> Result<GameEvents, InvalidEvent> {
        let rules = self.rules;
        let played = self.playing_mut()?;
        // A line that does not fit must not be applied in part.
        let mut table = if line.len() > 1 { Some(played.table.clone()) } else { None };
        let (mut events, mut cards) = (Vec::new(), None);
        for (seat, action) in line {
            let table = table.as_mut().unwrap_or(&mut played.table);
            let action = action.read(&rules, *seat).map_err(|_| InvalidEvent)?;
            for event in table.decide(*seat, action).map_err(|_| InvalidEvent)? {
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
        played.since = at;
        Ok((events, cards))
    }

    fn end_match(&mut self) {
        if let RoomStage::Playing(played) = std::mem::replace(&mut self.stage, RoomStage::Waiting) {
            self.stage = RoomStage::Over(played);
        }
        self.paused = false;
        self.reset_ready();
        self.slots.iter_mut().for_each(|slot| slot.stand_in = None);
    }

    fn reset_ready(&mut self) {
        for slot in &mut self.slots {
            (slot.ready, slot.asked_for_pause) = (false, false);
        }
    }
}

impl SeatSlot {
    fn from_checkpoint(seat: &CheckpointSeat) -> SeatSlot {
        let holder = match seat {
            CheckpointSeat::Person { player, name } => {
                SeatHolder::Person { player: *player, name: name.clone() }
            }
            CheckpointSeat::Bot(level) => SeatHolder::Bot(*level),
        };
        SeatSlot { holder, ..SeatSlot::free() }
    }
}

/// Whether an entry may change the match or who acts in it.
fn affects_play(entry: &Entry) -> bool {
    match entry {
        Entry::Admitted { .. }
        | Entry::Relinked { .. }
        | Entry::Renamed { .. }
        | Entry::Hosted { .. }
        | Entry::Settings { .. }
        | Entry::ClaimRefused { .. }
        | Entry::Ready { .. }
        | Entry::AskedForPause { .. }
        | Entry::Said { .. }
        | Entry::Muted { .. } => false,
        Entry::Opened(_)
        | Entry::Sat { .. }
        | Entry::SeatFreed { .. }
        | Entry::Swapped { .. }
        | Entry::BotAdded { .. }
        | Entry::BotRemoved { .. }
        | Entry::Committed { .. }
        | Entry::Word { .. }
        | Entry::Started(_)
        | Entry::Dealt
        | Entry::Acted { .. }
        | Entry::Claimed { .. }
        | Entry::StoodIn { .. }
        | Entry::TookBack { .. }
        | Entry::Paused
        | Entry::Resumed
        | Entry::AskedForRematch { .. }
        | Entry::Closed => true,
    }
}

/// Adds an item, and drops the oldest items beyond the maximum.
fn push_bounded<T>(items: &mut VecDeque<T>, new: T, max: usize) {
    while items.len() >= max {
        items.pop_front();
    }
    items.push_back(new);
}
