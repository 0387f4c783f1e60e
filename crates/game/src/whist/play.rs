//! A position of whist in play, small and `Copy`, for searches and playouts.

use cards::{BySeat, Card, CardSet, MAX_SEATS, Seat, Suit};

use crate::duty::Ladder;
use crate::trick::Trick;

/// All hands and the trick on the table: everything that decides how the
/// cards can still fall.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Play {
    hands: [CardSet; MAX_SEATS],
    /// Four bits a seat.
    taken: u32,
    players: u8,
    trump: Option<Suit>,
    trick: Trick,
}

const _: () = assert!(size_of::<Play>() <= 64, "a search position fits one cache line");

impl Play {
    /// The position when the bids are said and `first` is to lead (W2).
    pub fn new(hands: &BySeat<CardSet>, trump: Option<Suit>, first: Seat) -> Play {
        let mut play = Play {
            hands: [CardSet::EMPTY; MAX_SEATS],
            taken: 0,
            players: hands.len() as u8,
            trump,
            trick: Trick::led_by(first),
        };
        play.hands[..hands.len()].copy_from_slice(hands.as_slice());
        play
    }

    /// The same position in the middle of a deal.
    pub(crate) fn resume(&mut self, taken: &BySeat<u8>, trick: Trick) {
        self.taken =
            taken.entries().map(|(seat, took)| u32::from(*took) << (4 * seat.index())).sum();
        self.trick = trick;
    }

    /// How many play.
    #[inline]
    pub const fn players(&self) -> usize {
        self.players as usize
    }

    /// Whose turn it is; nobody's when all cards are played.
    #[inline]
    pub fn turn(&self) -> Option<Seat> {
        let seat = self.to_play();
        (!self.hands[seat.index()].is_empty()).then_some(seat)
    }

    #[inline]
    fn to_play(&self) -> Seat {
        self.trick.turn(self.players as usize)
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

    /// The trick on the table.
    #[inline]
    pub const fn trick(&self) -> &Trick {
        &self.trick
    }

    /// How many tricks a seat has taken.
    #[inline]
    pub const fn taken(&self, seat: Seat) -> u8 {
        (self.taken >> (4 * seat.index()) & 15) as u8
    }

    /// The duties of the seat in turn (W5).
    #[inline]
    pub fn ladder(&self) -> Ladder {
        Ladder::climb(self.hands[self.to_play().index()], &self.trick, self.trump, false)
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
        let players = self.players as usize;
        self.hands[self.to_play().index()].remove(card);
        self.trick.lay(card, false, self.trump);
        if self.trick.len() == players {
            let winner = self.trick.winner(players);
            self.taken += 1 << (4 * winner.index());
            self.trick = Trick::led_by(winner);
        }
    }
}
