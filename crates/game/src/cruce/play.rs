//! A position of Cruce in play, small and `Copy`, for searches and playouts.

use arrayvec::ArrayVec;
use cards::{BySeat, BySide, Card, CardSet, Seat, Side, Suit};

use super::{Rules, partner_in_pair, worth_of, worth_of_call};
use crate::duty::Ladder;
use crate::trick::Trick;

/// All hands, the stock and the trick on the table: everything that decides
/// how the cards can still fall.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Play {
    hands: [CardSet; 4],
    stock: [Card; 8],
    left: u8,
    players: u8,
    teams: bool,
    overtake: bool,
    trump: Option<Suit>,
    points: [u8; 4],
    trick: Trick,
}

const _: () = assert!(size_of::<Play>() <= 64, "a search position fits one cache line");

impl Play {
    /// The position when the bidding is over and `declarer` is to lead (C7).
    pub fn new(rules: &Rules, hands: &BySeat<CardSet>, stock: &[Card], declarer: Seat) -> Play {
        let mut play = Play {
            hands: [CardSet::EMPTY; 4],
            stock: [Card::new(cards::Rank::Nine, Suit::Bell); 8],
            left: stock.len() as u8,
            players: rules.players() as u8,
            teams: rules.teams(),
            overtake: rules.spec().overtake,
            trump: None,
            points: [0; 4],
            trick: Trick::led_by(declarer),
        };
        play.hands[..hands.len()].copy_from_slice(hands.as_slice());
        // Kept in reverse, so that drawing is shortening.
        for (slot, card) in play.stock.iter_mut().zip(stock.iter().rev()) {
            *slot = *card;
        }
        play
    }

    /// The same position in the middle of a deal.
    pub(crate) fn resume(&mut self, trump: Option<Suit>, points: &BySide<u8>, trick: Trick) {
        self.trump = trump;
        self.points[..points.len()].copy_from_slice(points.as_slice());
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

    /// The stock, the next card to be drawn first.
    pub fn stock(&self) -> ArrayVec<Card, 8> {
        self.stock[..self.left as usize].iter().rev().copied().collect()
    }

    /// The trump, once it is fixed (C7).
    #[inline]
    pub const fn trump(&self) -> Option<Suit> {
        self.trump
    }

    /// The trick on the table.
    #[inline]
    pub const fn trick(&self) -> &Trick {
        &self.trick
    }

    /// A side's points so far, calls included.
    #[inline]
    pub fn points(&self, side: Side) -> u8 {
        self.points[side.index()]
    }

    /// The side of a seat (C2).
    #[inline]
    pub fn side_of(&self, seat: Seat) -> usize {
        if self.teams { seat.index() & 1 } else { seat.index() }
    }

    /// The duties of the seat in turn (C8, C13).
    #[inline]
    pub fn ladder(&self) -> Ladder {
        let hand = self.hands[self.to_play().index()];
        if self.left > 0 {
            Ladder::free(hand)
        } else {
            Ladder::climb(hand, &self.trick, self.trump, self.overtake)
        }
    }

    /// The cards that the seat in turn may play.
    #[inline]
    pub fn legal(&self) -> CardSet {
        self.ladder().legal()
    }

    /// Whether the seat in turn may call with this card (C10).
    #[inline]
    pub fn may_call(&self, card: Card) -> bool {
        let hand = self.hands[self.to_play().index()];
        self.trick.is_empty()
            && hand.contains(card)
            && partner_in_pair(card).is_some_and(|other| hand.contains(other))
    }

    /// Plays a card of the seat in turn, with or without a call, and finishes
    /// the trick when it is full. The card must be legal and the call possible.
    #[inline]
    pub fn play(&mut self, card: Card, call: bool) {
        let players = self.players as usize;
        let seat = self.to_play();
        debug_assert!(self.legal().contains(card) && (!call || self.may_call(card)));
        let trump = *self.trump.get_or_insert(card.suit());
        self.hands[seat.index()].remove(card);
        if call {
            self.points[self.side_of(seat)] += worth_of_call(card.suit(), Some(trump));
        }
        self.trick.lay(card, call, Some(trump));
        if self.trick.len() == players {
            self.take();
        }
    }

    /// The winner takes the trick and leads next; in two, both draw (C9, C13).
    #[inline]
    fn take(&mut self) {
        let players = self.players as usize;
        let winner = self.trick.winner(players);
        self.points[self.side_of(winner)] += worth_of(self.trick.cards());
        self.trick = Trick::led_by(winner);
        if self.left > 0 {
            for seat in [winner, winner.next(players)] {
                self.left -= 1;
                self.hands[seat.index()].insert(self.stock[self.left as usize]);
            }
        }
    }
}
