//! A position of Cruce in play, small and `Copy`, for searches and playouts.

use arrayvec::ArrayVec;
use cards::{BySeat, BySide, Card, CardSet, Rank, Seat, Side, Suit};

use super::{Rules, partner_in_pair, worth, worth_of, worth_of_call};
use crate::duty::Ladder;
use crate::trick::{Lead, Trick};

/// A placeholder where no card is left in the stock; never read.
const NO_CARD: Card = Card::new(Rank::Nine, Suit::Bell);

/// All hands, the stock and what matters of the trick on the table: everything
/// that decides which plays are still possible.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Play {
    hands: [CardSet; 4],
    /// The next card to be drawn is the last one, so that drawing only shortens it.
    stock: [Card; 8],
    left: u8,
    players: u8,
    teams: bool,
    overtake: bool,
    trump: Option<Suit>,
    turn: Seat,
    laid: u8,
    /// The lead of the trick on the table; a fixed value while no card lies there,
    /// so that equal positions compare equal.
    lead: Lead,
    /// The points that lie on the table.
    table: u8,
    points: [u8; 4],
}

const _: () = assert!(size_of::<Play>() <= 64, "a search position fits one cache line");

impl Play {
    /// The position when the bidding is over and `declarer` is to lead (C7).
    #[inline]
    pub fn new(rules: &Rules, hands: &BySeat<CardSet>, stock: &[Card], declarer: Seat) -> Play {
        let all = hands.padded();
        let mut play = Play {
            hands: [all[0], all[1], all[2], all[3]],
            stock: [NO_CARD; 8],
            left: stock.len() as u8,
            players: rules.players() as u8,
            teams: rules.teams(),
            overtake: rules.spec().overtake,
            trump: None,
            turn: declarer,
            laid: 0,
            lead: Lead::none_yet(),
            table: 0,
            points: [0; 4],
        };
        for (slot, card) in play.stock.iter_mut().zip(stock.iter().rev()) {
            *slot = *card;
        }
        play
    }

    /// Sets the state in the middle of a deal.
    pub(crate) fn resume(&mut self, trump: Option<Suit>, points: &BySide<u8>, trick: &Trick) {
        self.trump = trump;
        self.points[..points.len()].copy_from_slice(points.as_slice());
        self.turn = trick.turn(self.players());
        self.laid = trick.cards().len() as u8;
        self.lead = trick.lead().unwrap_or(Lead::none_yet());
        self.table = worth_of(trick.cards());
    }

    /// The same position with other hands and another stock, its next card first,
    /// of the same sizes.
    #[inline]
    #[must_use]
    pub fn holding(mut self, hands: &BySeat<CardSet>, stock: &[Card]) -> Play {
        debug_assert!(stock.len() == usize::from(self.left));
        let all = hands.padded();
        self.hands = [all[0], all[1], all[2], all[3]];
        for (slot, card) in self.stock.iter_mut().zip(stock.iter().rev()) {
            *slot = *card;
        }
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

    /// The stock, the next card to be drawn first.
    pub fn stock(&self) -> ArrayVec<Card, 8> {
        self.stock[..self.left as usize].iter().rev().copied().collect()
    }

    /// The trump, once it is fixed (C7).
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

    /// The points that lie on the table.
    #[inline]
    pub const fn on_table(&self) -> u8 {
        self.table
    }

    /// Whether partners sit opposite each other (C2).
    #[inline]
    pub const fn teams(&self) -> bool {
        self.teams
    }

    /// Whether the duty to overtake holds (C8).
    #[inline]
    pub const fn overtake(&self) -> bool {
        self.overtake
    }

    /// A side's points so far, calls included.
    #[inline]
    pub fn points(&self, side: Side) -> u8 {
        self.points[side.index()]
    }

    /// The side that a seat plays for (C2).
    #[inline]
    pub fn side_of(&self, seat: Seat) -> Side {
        if self.teams { Side::with_opposite(seat) } else { Side::alone(seat) }
    }

    /// How many sides there are (C2).
    #[inline]
    pub const fn sides(&self) -> usize {
        if self.teams { 2 } else { self.players() }
    }

    /// The duties of the seat in turn (C8, C13).
    #[inline]
    pub fn ladder(&self) -> Ladder {
        let hand = self.hand(self.turn);
        if self.left > 0 {
            Ladder::free(hand)
        } else {
            Ladder::climb(hand, self.lead(), self.trump, self.overtake)
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
        let hand = self.hand(self.turn);
        self.laid == 0
            && hand.contains(card)
            && partner_in_pair(card).is_some_and(|other| hand.contains(other))
    }

    /// Plays a card of the seat in turn, with or without a call, and finishes
    /// the trick when it is full. The card must be legal and the call possible.
    #[inline]
    pub fn play(&mut self, card: Card, call: bool) {
        debug_assert!(self.legal().contains(card) && (!call || self.may_call(card)));
        let seat = self.turn;
        let trump = *self.trump.get_or_insert(card.suit());
        self.hands[seat.index()].remove(card);
        if call {
            self.points[self.side_of(seat).index()] += worth_of_call(card.suit(), Some(trump));
        }
        self.lead.lay(card, seat, Some(trump), self.laid == 0);
        self.table += worth(card);
        self.laid += 1;
        self.turn = seat.next(self.players as usize);
        if self.laid == self.players {
            self.take();
        }
    }

    /// The winner takes the trick and leads next; of two players, both draw (C9, C13).
    #[inline]
    fn take(&mut self) {
        let winner = self.lead.winner;
        self.points[self.side_of(winner).index()] += self.table;
        (self.turn, self.laid, self.table) = (winner, 0, 0);
        self.lead = Lead::none_yet();
        if self.left > 0 {
            for seat in [winner, winner.next(2)] {
                self.left -= 1;
                let drawn = core::mem::replace(&mut self.stock[self.left as usize], NO_CARD);
                self.hands[seat.index()].insert(drawn);
            }
        }
    }

    /// Plays the deal to its end with cards that `choose` takes from the legal
    /// ones, calling every pair that is led: the fast path for playouts, which
    /// keeps a whole trick in registers.
    #[inline]
    pub fn play_out(&mut self, mut choose: impl FnMut(CardSet) -> Card) {
        while self.laid > 0 || self.left > 0 {
            let card = choose(self.legal());
            self.play(card, self.may_call(card));
        }
        match self.players {
            2 => self.play_tricks::<2>(choose),
            3 => self.play_tricks::<3>(choose),
            _ => self.play_tricks::<4>(choose),
        }
    }

    #[inline]
    fn play_tricks<const PLAYERS: usize>(&mut self, mut choose: impl FnMut(CardSet) -> Card) {
        let overtake = self.overtake;
        while let Some(mut seat) = self.turn() {
            let card = choose(self.hand(seat));
            let call = self.may_call(card);
            let trump = Some(*self.trump.get_or_insert(card.suit()));
            if call {
                self.points[self.side_of(seat).index()] += worth_of_call(card.suit(), trump);
            }
            self.hands[seat.index()].remove(card);
            let mut lead = Lead::of(card, seat);
            let mut points = worth(card);
            for _ in 1..PLAYERS {
                seat = seat.next(PLAYERS);
                let hand = &mut self.hands[seat.index()];
                let card = choose(Ladder::climb(*hand, Some(lead), trump, overtake).legal());
                hand.remove(card);
                lead.lay(card, seat, trump, false);
                points += worth(card);
            }
            self.turn = lead.winner;
            self.points[self.side_of(self.turn).index()] += points;
        }
    }
}
