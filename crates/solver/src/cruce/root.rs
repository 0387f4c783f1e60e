//! Solves one position: the value of each legal card.
//!
//! An exact value is found by moving the bar of a [`CruceCampSearch`]: first near a
//! guess, then by bisection. The bounds of a card found with one bar are kept for
//! the next.

use arrayvec::ArrayVec;
use cards::{Card, CardSet, Seat, Side};
use game::cruce::Play;

use super::CallWorth;
use super::camps::{
    CruceCampEntry, CruceCampSearch, CruceCampTrick, SearchWindow, TrickFrame, lowest,
};
use super::rows::{card_at, points, rows, suit, suit_of};
use crate::limit::{Limit, Stopped};
use crate::transposition::TranspositionTable;

/// With at most this many cards each, one search for the exact value is less work than
/// several tests of a bar.
const SMALL: usize = 4;
/// How far the bar moves at first while only one side of the value is known.
const STRIDE: i32 = 8;

/// A legal card and the bounds of its value.
#[derive(Clone, Copy)]
struct Candidate {
    card: u32,
    guess: i32,
    low: i32,
    high: i32,
}

/// A position opened for search.
pub(super) struct CruceRoot<'a, const N: usize> {
    search: CruceCampSearch<'a, N>,
    candidates: ArrayVec<Candidate, 8>,
    /// Whether the seat in turn plays for the first camp.
    first: bool,
    fixes_trump: bool,
    /// The trick on the table; before the lead, only the cards left and the seat in
    /// turn are used.
    laid: CruceCampTrick,
    led: u32,
    to_come: usize,
    at_stake: i32,
}

impl<'a, const N: usize> CruceRoot<'a, N> {
    pub(super) fn new(
        play: &Play,
        side: Side,
        worth: CallWorth,
        memory: &'a mut TranspositionTable<CruceCampEntry>,
        limit: Limit<'a>,
    ) -> Self {
        let seats: [Seat; N] = core::array::from_fn(|at| Seat::new(at).unwrap_or_default());
        let hands = seats.map(|seat| rows(play.hand(seat)));
        let first = seats.map(|seat| play.side_of(seat) == side);
        let mut search = CruceCampSearch::new(hands, first, play.overtake(), worth, memory, limit);
        if let Some(trump) = play.trump() {
            search.fix_trump(trump as u32);
        }
        let left = hands.into_iter().fold(0, |all, hand| all | hand);
        let seat = play.turn().unwrap_or_default();
        let (led, beating, winner) = match play.lead() {
            Some(lead) => {
                let led = suit(lead.suit as u32);
                (led, search.beating(led, rows(CardSet::of(lead.best))), lead.winner)
            }
            None => (0, 0, seat),
        };
        let laid = CruceCampTrick {
            left,
            beating,
            winner: winner.index() as u8,
            seat: seat.index() as u8,
            on_table: play.on_table(),
        };
        let mut root = CruceRoot {
            search,
            candidates: ArrayVec::new(),
            first: first[seat.index()],
            fixes_trump: play.trump().is_none(),
            laid,
            led,
            to_come: N - play.laid(),
            at_stake: points(left) + i32::from(play.on_table()),
        };
        root.find_candidates(rows(play.legal()));
        root
    }

    fn find_candidates(&mut self, mut legal: u32) {
        // No value exceeds all points and all calls.
        let widest = self.at_stake + 5 * 20;
        while legal != 0 {
            let card = lowest(legal);
            legal &= !card;
            self.candidates.push(Candidate { card, guess: 0, low: -widest, high: widest });
        }
    }

    /// Guesses the values of the candidates and sorts the candidates by them.
    fn order(&mut self) {
        for at in 0..self.candidates.len() {
            self.candidates[at].guess = self.guess(self.candidates[at].card);
        }
        let sign = if self.first { -1 } else { 1 };
        self.candidates.sort_unstable_by_key(|candidate| (sign * candidate.guess, candidate.card));
    }

    /// The worth of the cards in the hands and on the table.
    pub(super) fn at_stake(&self) -> i32 {
        self.at_stake
    }

    fn is_lead(&self) -> bool {
        self.to_come == N
    }

    fn guess(&mut self, card: u32) -> i32 {
        if self.fixes_trump {
            self.search.fix_trump(suit_of(card));
        }
        if self.is_lead() {
            self.search.guess_led(self.laid, card)
        } else {
            self.search.guess_laid(self.led, self.laid, card, self.to_come)
        }
    }

    /// The bound of a card within this window.
    fn test(&mut self, card: u32, window: SearchWindow) -> i32 {
        if self.fixes_trump {
            self.search.fix_trump(suit_of(card));
        }
        if self.is_lead() {
            self.search.led(self.laid.left, self.laid.seat.into(), self.at_stake, card, window)
        } else {
            let trick = TrickFrame { led: self.led, at_stake: self.at_stake, window };
            self.search.lay_in(&trick, self.laid, card, self.to_come)
        }
    }

    /// Tests a candidate, unless its known bounds are sufficient.
    fn probe(&mut self, at: usize, bar: i32) -> Result<i32, Stopped> {
        let Candidate { card, low, high, .. } = self.candidates[at];
        if low >= bar {
            return Ok(low);
        }
        if high < bar {
            return Ok(high);
        }
        let value = self.test(card, SearchWindow::at(bar));
        if self.search.meter.stopped {
            return Err(Stopped);
        }
        let candidate = &mut self.candidates[at];
        *if value >= bar { &mut candidate.low } else { &mut candidate.high } = value;
        Ok(value)
    }

    /// The value of a candidate by one search within the bounds from its neighbours.
    fn exact_value(&mut self, at: usize) -> Result<i32, Stopped> {
        let Candidate { card, mut low, mut high, .. } = self.candidates[at];
        for other in &self.candidates[..at] {
            if let Some(distance) = self.search.neighbour_distance(&self.laid, card, other.card) {
                (low, high) = (low.max(other.low - distance), high.min(other.low + distance));
            }
        }
        let value = self.test(card, SearchWindow { low: low - 1, high: high + 1 });
        if self.search.meter.stopped {
            return Err(Stopped);
        }
        (self.candidates[at].low, self.candidates[at].high) = (value, value);
        Ok(value)
    }

    /// A bound of the position's value on the correct side of the bar. The card
    /// that decided it is tried first the next time.
    fn bound(&mut self, bar: i32) -> Result<i32, Stopped> {
        let mut best = None;
        for at in 0..self.candidates.len() {
            let value = self.probe(at, bar)?;
            if (value >= bar) == self.first {
                self.candidates[..=at].rotate_right(1);
                return Ok(value);
            }
            best = Some(match best {
                None => value,
                Some(best) if self.first => value.max(best),
                Some(best) => value.min(best),
            });
        }
        Ok(best.unwrap_or(0))
    }

    /// Whether the position reaches the bar.
    pub(super) fn reaches(&mut self, bar: i32) -> Result<bool, Stopped> {
        self.order();
        self.bound(bar).map(|value| value >= bar)
    }

    /// The value of the position.
    pub(super) fn value(&mut self) -> Result<i32, Stopped> {
        self.order();
        let guess = self.candidates.first().map_or(0, |candidate| candidate.guess);
        let widest = self.candidates.first().map_or(0, |candidate| candidate.high);
        close_in(guess, widest, |bar| self.bound(bar))
    }

    /// The value of every legal card.
    pub(super) fn values(&mut self) -> Result<ArrayVec<(Card, i32), 8>, Stopped> {
        let mut values = ArrayVec::new();
        let small = self.laid.left.count_ones() as usize <= SMALL * N;
        // A single search needs neither a guess nor an order.
        if !small {
            self.order();
        }
        for at in 0..self.candidates.len() {
            let value = if small {
                self.exact_value(at)?
            } else {
                let Candidate { guess, high, .. } = self.candidates[at];
                close_in(guess, high, |bar| self.probe(at, bar))?
            };
            let card = self.candidates[at].card;
            values.extend(card_at(card.trailing_zeros()).map(|card| (card, value)));
        }
        values.sort_unstable_by_key(|(card, _)| *card);
        Ok(values)
    }

    /// How many positions between tricks it has searched.
    pub(super) fn nodes(&self) -> u64 {
        self.search.meter.nodes
    }
}

/// Moves a bar until both bounds of the value meet: in growing strides from the
/// guess until there are bounds on both sides, then by bisection.
pub(super) fn close_in(
    guess: i32,
    widest: i32,
    mut bound: impl FnMut(i32) -> Result<i32, Stopped>,
) -> Result<i32, Stopped> {
    let (mut low, mut high) = (-widest, widest);
    let (mut bar, mut stride) = (guess.clamp(1 - widest, widest), STRIDE);
    while low < high {
        let value = bound(bar)?;
        if value >= bar {
            low = value;
        } else {
            high = value;
        }
        bar = if high == widest {
            (low + stride).min(high)
        } else if low == -widest {
            (high - stride).max(low + 1)
        } else {
            low + (high - low + 1) / 2
        };
        stride *= 2;
    }
    Ok(low)
}
