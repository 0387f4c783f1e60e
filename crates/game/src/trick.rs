//! A trick: the cards laid so far and who is winning it (C9, W5).

use core::fmt;

use cards::{Card, CardSet, MAX_SEATS, Rank, Seat, Suit};

/// What stands in the places where no card has been laid yet; never read.
const NO_CARD_YET: Card = Card::new(Rank::Three, Suit::Bell);

/// A trick, from its leader on; ten bytes, so that search positions stay small.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Trick {
    cards: [Card; MAX_SEATS],
    laid: u8,
    best: u8,
    leader: Seat,
    called: bool,
}

impl Trick {
    /// A trick that `leader` is about to lead to.
    #[inline]
    pub const fn led_by(leader: Seat) -> Trick {
        Trick { cards: [NO_CARD_YET; MAX_SEATS], laid: 0, best: 0, leader, called: false }
    }

    /// Who leads or led.
    #[inline]
    pub const fn leader(&self) -> Seat {
        self.leader
    }

    /// The cards in the order they were laid.
    #[inline]
    pub fn cards(&self) -> &[Card] {
        &self.cards[..self.laid as usize]
    }

    /// How many cards have been laid.
    #[inline]
    pub const fn len(&self) -> usize {
        self.laid as usize
    }

    /// Whether no card has been laid yet.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.laid == 0
    }

    /// The cards as a set.
    pub fn set(&self) -> CardSet {
        self.cards().iter().copied().collect()
    }

    /// Whether the lead was a call (C10).
    pub const fn called(&self) -> bool {
        self.called
    }

    /// The suit led.
    #[inline]
    pub fn suit_led(&self) -> Option<Suit> {
        (!self.is_empty()).then(|| self.cards[0].suit())
    }

    /// The card that is winning.
    #[inline]
    pub fn best(&self) -> Option<Card> {
        (!self.is_empty()).then(|| self.cards[self.best as usize])
    }

    /// Whose turn it is at a table of `players`.
    #[inline]
    pub const fn turn(&self, players: usize) -> Seat {
        self.leader.after(self.laid as usize, players)
    }

    /// Who is winning, or has won (C9, W5); the leader before any card.
    #[inline]
    pub const fn winner(&self, players: usize) -> Seat {
        self.leader.after(self.best as usize, players)
    }

    /// The card that a seat has laid.
    pub fn card_of(&self, seat: Seat, players: usize) -> Option<Card> {
        self.cards().get(seat.steps_from(self.leader, players)).copied()
    }

    /// The cards with the seats that laid them.
    pub fn plays(&self, players: usize) -> impl Iterator<Item = (Seat, Card)> + '_ {
        self.cards()
            .iter()
            .enumerate()
            .map(move |(at, card)| (self.leader.after(at, players), *card))
    }

    /// Lays a card; a lead may be a call. More cards than seats is a fault of
    /// the caller.
    #[inline]
    pub fn lay(&mut self, card: Card, called: bool, trump: Option<Suit>) {
        let at = self.laid as usize;
        debug_assert!(at < MAX_SEATS && !(called && at > 0));
        if at == 0 {
            self.called = called;
        } else if card.beats(self.cards[self.best as usize], trump) {
            self.best = self.laid;
        }
        self.cards[at] = card;
        self.laid += 1;
    }

    /// The trick as it was before its `laid`-th card.
    pub fn before(&self, laid: usize, trump: Option<Suit>) -> Trick {
        let mut earlier = Trick::led_by(self.leader);
        for (at, card) in self.cards().iter().take(laid).enumerate() {
            earlier.lay(*card, at == 0 && self.called, trump);
        }
        earlier
    }
}

impl fmt::Debug for Trick {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} leads {:?}", self.leader, self.cards())?;
        if self.called { f.write_str(" with a call") } else { Ok(()) }
    }
}
