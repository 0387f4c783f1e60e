//! A position of whist in play, small and `Copy`, for searches and playouts.

use cards::{BySeat, Card, CardSet, MAX_SEATS, Seat, Suit};

use crate::duty::Ladder;
use crate::trick::{Lead, Trick};

/// All hands and what matters of the trick on the table: everything that
/// decides which plays are still possible.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Play {
    hands: [CardSet; MAX_SEATS],
    /// The tricks taken, four bits per seat.
    taken: u32,
    players: u8,
    turn: Seat,
    laid: u8,
    /// The lead of the trick on the table; a fixed value while no card lies there,
    /// so that equal positions compare equal.
    lead: Lead,
    trump: Option<Suit>,
}

const _: () = assert!(size_of::<Play>() <= 64, "a search position fits one cache line");

impl Play {
    /// The position when the bidding is over and `first` is to lead (W2).
    #[inline]
    pub fn new(hands: &BySeat<CardSet>, trump: Option<Suit>, first: Seat) -> Play {
        let players = hands.len() as u8;
        let hands = hands.padded();
        Play { hands, taken: 0, players, turn: first, laid: 0, lead: Lead::none_yet(), trump }
    }

    /// Sets the state in the middle of a deal.
    pub(crate) fn resume(&mut self, taken: &BySeat<u8>, trick: &Trick) {
        self.taken =
            taken.entries().map(|(seat, took)| u32::from(*took) << (4 * seat.index())).sum();
        self.turn = trick.turn(self.players());
        self.laid = trick.cards().len() as u8;
        self.lead = trick.lead().unwrap_or(Lead::none_yet());
    }

    /// The same position with other hands of the same sizes.
    #[inline]
    #[must_use]
    pub fn holding(mut self, hands: &BySeat<CardSet>) -> Play {
        self.hands = hands.padded();
        self
    }

    /// The number of players.
    #[inline]
    pub const fn players(&self) -> usize {
        self.players as usize
    }

    /// The seat in turn; `None` when all cards are played.
    #[inline]
    pub fn turn(&self) -> Option<Seat> {
        (!self.hand(self.turn).is_empty()).then_some(self.turn)
    }

    /// A seat's cards.
    #[inline]
    pub fn hand(&self, seat: Seat) -> CardSet {
        self.hands[seat.index()]
    }

    /// The trump, in deals that have one (W3).
    #[inline]
    pub const fn trump(&self) -> Option<Suit> {
        self.trump
    }

    /// The suit led and the winner so far; `None` when a trick begins.
    #[inline]
    pub const fn lead(&self) -> Option<Lead> {
        if self.laid == 0 { None } else { Some(self.lead) }
    }

    /// How many cards lie on the table.
    #[inline]
    pub const fn laid(&self) -> usize {
        self.laid as usize
    }

    /// How many tricks a seat has taken.
    #[inline]
    pub const fn taken(&self, seat: Seat) -> u8 {
        (self.taken >> (4 * seat.index()) & 15) as u8
    }

    /// The duties of the seat in turn (W5).
    #[inline]
    pub fn ladder(&self) -> Ladder {
        Ladder::climb(self.hand(self.turn), self.lead(), self.trump, false)
    }

    /// The cards that the seat in turn may play.
    #[inline]
    pub fn legal(&self) -> CardSet {
        self.ladder().legal()
    }

    /// Plays a card of the seat in turn, which must be legal, and finishes the
    /// trick when it is full.
    #[inline]
    pub fn play(&mut self, card: Card) {
        debug_assert!(self.legal().contains(card));
        let seat = self.turn;
        self.hands[seat.index()].remove(card);
        self.lead.lay(card, seat, self.trump, self.laid == 0);
        self.laid += 1;
        self.turn = seat.next(self.players as usize);
        if self.laid == self.players {
            self.turn = self.lead.winner;
            self.taken += 1 << (4 * self.turn.index());
            (self.laid, self.lead) = (0, Lead::none_yet());
        }
    }

    /// Plays the deal to its end with cards that `choose` takes from the legal
    /// ones: the fast path for playouts, which keeps a whole trick in registers.
    #[inline]
    pub fn play_out(&mut self, mut choose: impl FnMut(CardSet) -> Card) {
        while self.laid > 0 {
            self.play(choose(self.legal()));
        }
        match self.players {
            3 => self.play_tricks::<3>(choose),
            4 => self.play_tricks::<4>(choose),
            5 => self.play_tricks::<5>(choose),
            _ => self.play_tricks::<6>(choose),
        }
    }

    #[inline]
    fn play_tricks<const PLAYERS: usize>(&mut self, mut choose: impl FnMut(CardSet) -> Card) {
        let trump = self.trump;
        while let Some(mut seat) = self.turn() {
            let card = choose(self.hand(seat));
            self.hands[seat.index()].remove(card);
            let mut lead = Lead::of(card, seat);
            for _ in 1..PLAYERS {
                seat = seat.next(PLAYERS);
                let hand = &mut self.hands[seat.index()];
                let card = choose(Ladder::climb(*hand, Some(lead), trump, false).legal());
                hand.remove(card);
                lead.lay(card, seat, trump, false);
            }
            self.turn = lead.winner;
            self.taken += 1 << (4 * self.turn.index());
        }
    }
}
