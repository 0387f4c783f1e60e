//! A trick: the cards laid so far and who is winning it (C9, W5).

use core::hint::select_unpredictable;

use arrayvec::ArrayVec;
use cards::{Card, CardSet, MAX_SEATS, Rank, Seat, Suit};

/// What matters of a trick to the seats that still have to play: the suit led, the
/// winning card, and its seat.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Lead {
    /// The suit led.
    pub suit: Suit,
    /// The card that is winning.
    pub best: Card,
    /// The seat that laid it.
    pub winner: Seat,
}

impl Lead {
    /// The lead of a card.
    #[inline]
    pub(crate) fn of(card: Card, seat: Seat) -> Lead {
        Lead { suit: card.suit(), best: card, winner: seat }
    }

    /// A placeholder while no card has been led; overwritten by the first one.
    #[inline]
    pub(crate) fn none_yet() -> Lead {
        Lead::of(Card::new(Rank::Three, Suit::Bell), Seat::default())
    }

    /// Adds a card (C9, W5); the first one is the lead.
    #[inline]
    pub(crate) fn lay(&mut self, card: Card, seat: Seat, trump: Option<Suit>, first: bool) {
        let wins = first | card.beats(self.best, trump);
        self.suit = if first { card.suit() } else { self.suit };
        self.best = select_unpredictable(wins, card, self.best);
        self.winner = select_unpredictable(wins, seat, self.winner);
    }
}

/// A trick, from its leader on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trick {
    cards: ArrayVec<Card, MAX_SEATS>,
    leader: Seat,
    lead: Option<Lead>,
    called: bool,
}

impl Trick {
    /// A trick that `leader` is about to lead to.
    pub const fn led_by(leader: Seat) -> Trick {
        Trick { cards: ArrayVec::new_const(), leader, lead: None, called: false }
    }

    /// The seat that leads or led.
    pub const fn leader(&self) -> Seat {
        self.leader
    }

    /// The cards in the order they were laid.
    pub fn cards(&self) -> &[Card] {
        &self.cards
    }

    /// Whether no card has been laid yet.
    pub const fn is_empty(&self) -> bool {
        self.cards.is_empty()
    }

    /// Whether every seat has laid a card.
    pub const fn is_full(&self, players: usize) -> bool {
        self.cards.len() == players
    }

    /// The cards as a set.
    pub fn set(&self) -> CardSet {
        self.cards.iter().copied().collect()
    }

    /// Whether the lead was a call (C10).
    pub const fn called(&self) -> bool {
        self.called
    }

    /// What matters to the seats that still have to play, once a card was led.
    pub const fn lead(&self) -> Option<Lead> {
        self.lead
    }

    /// The seat in turn at a table of `players`.
    pub const fn turn(&self, players: usize) -> Seat {
        self.leader.after(self.cards.len(), players)
    }

    /// The seat that is winning or has won (C9, W5); the leader before any card.
    pub fn winner(&self) -> Seat {
        self.lead.map_or(self.leader, |lead| lead.winner)
    }

    /// The card that a seat has laid.
    pub fn card_of(&self, seat: Seat, players: usize) -> Option<Card> {
        self.cards.get(seat.steps_from(self.leader, players)).copied()
    }

    /// The cards with the seats that laid them.
    pub fn plays(&self, players: usize) -> impl Iterator<Item = (Seat, Card)> + '_ {
        let seat = move |at| self.leader.after(at, players);
        self.cards.iter().enumerate().map(move |(at, card)| (seat(at), *card))
    }

    /// Lays a card for the seat in turn; a lead may be a call. The trick must not
    /// be full.
    pub fn lay(&mut self, card: Card, called: bool, trump: Option<Suit>, players: usize) {
        debug_assert!(self.cards.len() < players && (!called || self.is_empty()));
        let seat = self.turn(players);
        self.called |= called;
        let first = self.is_empty();
        self.lead.get_or_insert(Lead::of(card, seat)).lay(card, seat, trump, first);
        self.cards.push(card);
    }

    /// The trick as it was before its `laid`-th card.
    pub fn before(&self, laid: usize, trump: Option<Suit>, players: usize) -> Trick {
        let mut earlier = Trick::led_by(self.leader);
        for (at, card) in self.cards.iter().take(laid).enumerate() {
            earlier.lay(*card, at == 0 && self.called, trump, players);
        }
        earlier
    }
}
