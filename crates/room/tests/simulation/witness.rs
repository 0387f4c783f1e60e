//! A witness that reads everything that is stored and plays it with the rules alone. So it knows what
//! each seat may know, and what may be sent to clients.

use std::collections::BTreeMap;
use std::fmt;

use cards::{BySeat, CardSet, Seat};
use game::deal::Dealer;
use game::event::{Event, OpenEvent};
use game::notation::ActionText;
use game::{Rules, Table};
use ids::{PlayerId, TableId};
use room::{Checkpoint, CheckpointSeat, Entry, Key, LoggedEntry};

/// How often each event has happened.
#[derive(Clone, Default)]
pub(crate) struct Tally(BTreeMap<String, u64>);

impl Tally {
    pub(crate) fn count(&mut self, what: &str) {
        match self.0.get_mut(what) {
            Some(times) => *times += 1,
            None => {
                self.0.insert(what.into(), 1);
            }
        }
    }

    pub(crate) fn add(&mut self, other: &Tally) {
        for (what, times) in &other.0 {
            *self.0.entry(what.clone()).or_default() += times;
        }
    }

    pub(crate) fn of(&self, what: &str) -> u64 {
        self.0.get(what).copied().unwrap_or_default()
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|(what, times)| write!(f, "\n  {times} {what}"))
    }
}

/// Which cards could be known after an entry.
#[derive(Clone, Copy)]
pub(crate) struct Known {
    /// To every viewer: the cards that were played or turned up in this deal.
    pub(crate) open: CardSet,
    /// To each seat: the cards that it was dealt and has drawn in this deal.
    own: BySeat<CardSet>,
    /// Whether the deal is over and its cards may be revealed.
    pub(crate) all: bool,
    /// The number of the match.
    pub(crate) number: u32,
}

impl Known {
    /// What a seat, or a spectator, may know.
    pub(crate) fn to(&self, seat: Option<Seat>) -> CardSet {
        self.open | self.own_of(seat)
    }

    /// What only the seat may know.
    pub(crate) fn own_of(&self, seat: Option<Seat>) -> CardSet {
        let own = |seat: Seat| self.own.as_slice().get(seat.index()).copied();
        seat.and_then(own).unwrap_or(CardSet::EMPTY)
    }
}

pub(crate) struct Witness {
    table: TableId,
    rules: Rules,
    pub(crate) listed: bool,
    pub(crate) duplicate: bool,
    /// Texts that no client may receive.
    secrets: Vec<String>,
    keys: Vec<String>,
    /// The key that admits to the table now.
    pub(crate) key: Key,
    /// The players on the seats, and the players who were kicked.
    seats: Vec<Option<PlayerId>>,
    kicked: Vec<PlayerId>,
    muted: Vec<PlayerId>,
    /// How often the rules and the number of seats were changed.
    pub(crate) changes: (u64, u64),
    played: Option<(String, Dealer, Table)>,
    now: Known,
    /// What could be known after each entry.
    known: Vec<Known>,
    /// Whose cards a player was shown in a match: those of one seat at most.
    seen_hands: BTreeMap<(PlayerId, u32), Seat>,
}

impl Witness {
    pub(crate) fn new(table: TableId, first: &LoggedEntry) -> Witness {
        let Entry::Opened(opening) = &first.entry else { panic!("a table is opened first") };
        let nothing = Known {
            open: CardSet::EMPTY,
            own: BySeat::filled(CardSet::EMPTY, 0),
            all: false,
            number: 0,
        };
        Witness {
            table,
            rules: opening.rules,
            listed: opening.listed,
            duplicate: !opening.siblings.is_empty(),
            secrets: vec![opening.secret.reveal()],
            keys: vec![opening.key.to_string()],
            key: opening.key,
            seats: vec![None; opening.rules.players()],
            kicked: Vec::new(),
            muted: Vec::new(),
            changes: (0, 0),
            played: None,
            now: nothing,
            known: vec![nothing],
            seen_hands: BTreeMap::new(),
        }
    }

    pub(crate) fn rules(&self) -> &Rules {
        &self.rules
    }

    /// What could be known after the entry of this number.
    pub(crate) fn known(&self, version: u64) -> &Known {
        &self.known[version as usize - 1]
    }

    pub(crate) fn seat_of(&self, player: PlayerId) -> Option<Seat> {
        Seat::new(self.seats.iter().position(|seat| *seat == Some(player))?)
    }

    pub(crate) fn is_kicked(&self, player: PlayerId) -> bool {
        self.kicked.contains(&player)
    }

    /// Reads the next entry.
    pub(crate) fn note(&mut self, logged: &LoggedEntry) {
        match &logged.entry {
            Entry::Settings { rules, listed, key, .. } => {
                if let Some(key) = key {
                    self.keys.push(key.to_string());
                    self.key = *key;
                }
                self.changes.0 += u64::from(*rules != self.rules);
                self.changes.1 += u64::from(rules.players() != self.rules.players());
                (self.rules, self.listed) = (*rules, *listed);
                // A player whose seat is removed gets the first free one.
                let places = rules.players();
                let moved = self.seats.split_off(places.min(self.seats.len()));
                self.seats.resize(places, None);
                for player in moved.into_iter().flatten() {
                    let free = self.seats.iter_mut().find(|seat| seat.is_none());
                    *free.expect("no player loses a seat") = Some(player);
                }
            }
            Entry::Committed { secret, .. } => self.secrets.push(secret.reveal()),
            Entry::Relinked { key } => {
                self.keys.push(key.to_string());
                self.key = *key;
            }
            Entry::Sat { seat, player, .. } => {
                let before = self.seat_of(*player);
                before.into_iter().for_each(|seat| self.seats[seat.index()] = None);
                assert_eq!(self.seats[seat.index()].replace(*player), None, "a seat is taken");
            }
            Entry::SeatFreed { seat, kicked } => {
                let player = self.seats[seat.index()].take().expect("a player sat there");
                self.kicked.extend(kicked.then_some(player));
            }
            Entry::Muted { seat, muted } => {
                let player = self.seats[seat.index()].expect("a player sits there");
                self.muted.retain(|silenced| *silenced != player);
                self.muted.extend(muted.then_some(player));
            }
            Entry::Said { seat, .. } => {
                let player = self.seats[seat.index()].expect("a player sits there");
                assert!(!self.muted.contains(&player), "{player:?} chats although muted");
            }
            Entry::Swapped { seats: [one, two] } => self.seats.swap(one.index(), two.index()),
            Entry::Started(checkpoint) => self.started(checkpoint),
            Entry::Dealt => {
                let (_, dealer, table) = self.played.as_mut().expect("a match is played");
                let public = table.public();
                let deal = dealer.deal(public.number(), public.first()).expect("there is a deal");
                self.now.open = deal.turned.into_iter().collect();
                self.now.own = deal.opening;
                self.now.all = false;
                for event in table.deal(deal).expect("it is time to deal") {
                    table.apply(&event).expect("a deal fits");
                }
            }
            Entry::Acted { seat, action, .. } => self.acted(*seat, action),
            Entry::Claimed { line, .. } => {
                line.iter().for_each(|(seat, action)| self.acted(*seat, action));
            }
            _ => {}
        }
        self.known.push(self.now);
    }

    fn started(&mut self, checkpoint: &Checkpoint) {
        let opening = &checkpoint.opening;
        assert_eq!(opening.rules, self.rules);
        let sitters = checkpoint.seats.iter().map(|sitter| match sitter {
            CheckpointSeat::Person { player, .. } => Some(*player),
            CheckpointSeat::Bot(_) => None,
        });
        assert!(sitters.eq(self.seats.iter().copied()), "a match begins with the seated players");
        let table = opening.siblings.first().copied().unwrap_or(self.table);
        let name = format!("{table}-{}", checkpoint.number).parse().expect("a word");
        let seed = opening.secret.seed(&name, &self.rules, &checkpoint.words);
        let dealer = Dealer::new(self.rules, seed);
        let table = Table::new(self.rules, dealer.first_seat());
        self.played = Some((opening.secret.reveal(), dealer, table));
        self.now = Known {
            open: CardSet::EMPTY,
            own: BySeat::filled(CardSet::EMPTY, self.rules.players()),
            all: false,
            number: checkpoint.number,
        };
    }

    fn acted(&mut self, seat: Seat, action: &ActionText) {
        let (secret, _, table) = self.played.as_mut().expect("a match is played");
        let rules = *table.public().rules();
        let action = action.read(&rules, seat).expect("an action is stored");
        for event in table.decide(seat, action).expect("only what is legal is stored") {
            table.apply(&event).expect("it fits");
            match event {
                Event::Completed { rest } => {
                    let own = self.now.own;
                    self.now.own = BySeat::from_fn(own.len(), |seat| own[seat] | rest[seat]);
                }
                Event::Drew { seat, card } => self.now.own[seat].insert(card),
                Event::Open(OpenEvent::Played { card, .. }) => self.now.open.insert(card),
                Event::Open(OpenEvent::Scored(_) | OpenEvent::ThrownIn { .. }) => {
                    self.now.all = !self.duplicate;
                }
                Event::Open(OpenEvent::Won { .. }) if !self.duplicate => {
                    self.secrets.retain(|hidden| hidden != secret);
                }
                _ => {}
            }
        }
    }

    /// Checks that a text holds no secret and no key.
    pub(crate) fn check_secrets(&self, text: &str) {
        for hidden in self.secrets.iter().chain(&self.keys) {
            assert!(!text.contains(hidden.as_str()), "a secret is sent: {text}");
        }
    }

    /// Records that a player was shown the cards of a seat.
    pub(crate) fn record_shown(&mut self, player: PlayerId, number: u32, seat: Seat) {
        let before = self.seen_hands.insert((player, number), seat).unwrap_or(seat);
        assert_eq!(before, seat, "{player:?} has seen two hands of match {number}");
    }
}
