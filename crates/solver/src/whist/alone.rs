//! Everybody for himself (max^n): each seat plays for what its tricks are worth
//! to it, knows that all others do, and is indifferent between cards that are
//! worth the same to it: then the outcome is their average.
//!
//! The average is over cards, not over kinds of cards: of neighbours in a hand
//! only one is tried, and it counts as many times as there are neighbours.
//!
//! What a seat has taken matters only for what the tricks to come are worth to
//! it. Whoever is above his bid, or cannot reach it any more, loses or gains the
//! same with every trick however far he is off: such positions are one.

use super::lanes::{Shapes, lane, lowest, suit_of};
use crate::limit::Meter;
use crate::memory::Memory;

/// Values that differ by less are the same: what differs at all differs by much
/// more, and sums of floats by much less.
pub(super) const SAME: f64 = 1e-9;

/// What every seat gets.
pub(super) type SeatWorths<const N: usize> = [f64; N];

/// What is known of a position between two tricks.
#[derive(Clone, Copy)]
pub(super) struct WhistLoneEntry<const N: usize> {
    /// What the tricks to come are worth to everybody, as [`Worths::kinds`] names it.
    kinds: u32,
    /// What everybody gets beyond what he would with no trick more.
    outcome: SeatWorths<N>,
}

impl<const N: usize> Default for WhistLoneEntry<N> {
    fn default() -> Self {
        WhistLoneEntry { kinds: 0, outcome: [0.0; N] }
    }
}

/// What tricks are worth to each seat.
pub(super) struct TrickWorths<const N: usize> {
    worth: [[f64; 9]; N],
    /// For each seat, at tricks taken and tricks to come: the fewest tricks taken
    /// with which those to come are worth the same.
    kinds: [[[u8; 9]; 9]; N],
}

impl<const N: usize> TrickWorths<N> {
    pub(super) fn new(worth: [[f64; 9]; N]) -> TrickWorths<N> {
        let kind = |seat: usize, taken: usize, to_come: usize| {
            let gains = |taken: usize| {
                let worth = &worth[seat];
                (0..=to_come).map(move |more| worth[(taken + more).min(8)] - worth[taken])
            };
            let same = |other: &usize| {
                gains(*other).zip(gains(taken)).all(|(one, two)| (one - two).abs() < SAME)
            };
            (0..taken).find(same).unwrap_or(taken) as u8
        };
        let kinds = core::array::from_fn(|seat| {
            core::array::from_fn(|taken| core::array::from_fn(|to_come| kind(seat, taken, to_come)))
        });
        TrickWorths { worth, kinds }
    }

    /// What a seat's tricks are worth to it.
    #[inline]
    pub(super) fn to(&self, seat: usize, taken: u32) -> f64 {
        self.worth[seat][(taken >> (4 * seat) & 15).min(8) as usize]
    }

    /// What the tricks taken are worth to everybody.
    #[inline]
    fn of(&self, taken: u32) -> SeatWorths<N> {
        core::array::from_fn(|seat| self.to(seat, taken))
    }

    /// What so many tricks to come are worth to everybody who has taken so many.
    #[inline]
    pub(super) fn kinds(&self, taken: u32, to_come: usize) -> u32 {
        let kind = |seat: usize| {
            let taken = (taken >> (4 * seat) & 15) as usize;
            u32::from(self.kinds[seat][taken.min(8)][to_come.min(8)]) << (4 * seat)
        };
        (0..N).map(kind).sum()
    }
}

/// A trick on the table.
#[derive(Clone, Copy)]
pub(super) struct WhistLoneTrick {
    pub(super) left: u64,
    /// Four bits a seat: the tricks taken before this one.
    pub(super) taken: u32,
    /// All places of the suit led.
    pub(super) led: u64,
    /// The cards that would take the trick now.
    pub(super) beating: u64,
    pub(super) winner: usize,
    pub(super) seat: usize,
    pub(super) to_come: usize,
}

/// The cards of a deal and how they may be laid.
pub(super) struct WhistLoneDeal<'a, const N: usize> {
    pub(super) hands: [u64; N],
    pub(super) trumps: u64,
    pub(super) shapes: &'a Shapes,
}

impl<const N: usize> WhistLoneDeal<'_, N> {
    /// A trick that is about to be led.
    pub(super) fn before(left: u64, leader: usize, taken: u32) -> WhistLoneTrick {
        let (winner, seat) = (leader, leader);
        WhistLoneTrick { left, taken, led: 0, beating: u64::MAX, winner, seat, to_come: N }
    }

    /// The cards that the seat in turn may play (W5).
    #[inline]
    pub(super) fn legal(&self, laid: &WhistLoneTrick) -> u64 {
        let hand = laid.left & self.hands[laid.seat];
        let following = hand & laid.led;
        let owed = if following != 0 { following } else { hand & self.trumps };
        if laid.led == 0 || owed == 0 { hand } else { owed }
    }

    /// The lowest of some legal cards with those that come to the same.
    #[inline]
    pub(super) fn neighbours(&self, laid: &WhistLoneTrick, cards: u64) -> u64 {
        let card = lowest(cards);
        let strangers = laid.left & !self.hands[laid.seat] & lane(suit_of(card)) & !(card - 1);
        // Cards on the table part those that beat them from those that do not.
        let wins = laid.beating & card != 0;
        let alike = if wins { laid.beating } else { !laid.beating };
        let below = if strangers == 0 { u64::MAX } else { lowest(strangers) - 1 };
        cards & lane(suit_of(card)) & below & alike
    }

    /// The trick after this card.
    #[inline]
    pub(super) fn after(&self, mut laid: WhistLoneTrick, card: u64) -> WhistLoneTrick {
        laid.left &= !card;
        if laid.led == 0 {
            laid.led = lane(suit_of(card));
        }
        if card & laid.beating != 0 {
            laid.winner = laid.seat;
            laid.beating = beating(card, laid.led, self.trumps);
        }
        laid.to_come -= 1;
        laid.seat = if laid.seat + 1 == N { 0 } else { laid.seat + 1 };
        laid
    }
}

pub(super) struct WhistLoneSearch<'a, const N: usize> {
    pub(super) cards: WhistLoneDeal<'a, N>,
    pub(super) worths: TrickWorths<N>,
    pub(super) memory: &'a mut Memory<WhistLoneEntry<N>>,
    pub(super) meter: Meter<'a>,
}

impl<const N: usize> WhistLoneSearch<'_, N> {
    /// What everybody gets when `leader` leads.
    pub(super) fn lead(&mut self, left: u64, leader: usize, taken: u32) -> SeatWorths<N> {
        if left == 0 {
            return self.worths.of(taken);
        }
        if self.meter.tick() {
            return [0.0; N];
        }
        let left = self.cards.shapes.strongest(left);
        let laid = WhistLoneDeal::<N>::before(left, leader, taken);
        if left.count_ones() as usize == N {
            return self.play(laid);
        }
        let key = self.cards.shapes.packed(left) | (leader as u64) << 48;
        let kinds = self.worths.kinds(taken, left.count_ones() as usize / N);
        let now = self.worths.of(taken);
        let (place, known) = self.memory.recall_salted(key, kinds);
        if let Some(known) = known.filter(|known| known.kinds == kinds) {
            return core::array::from_fn(|seat| now[seat] + known.outcome[seat]);
        }
        let outcome = self.play(laid);
        if !self.meter.stopped {
            let gained = core::array::from_fn(|seat| outcome[seat] - now[seat]);
            self.memory.keep(place, WhistLoneEntry { kinds, outcome: gained });
        }
        outcome
    }

    /// What everybody gets when the seat in turn plays what is best for it.
    fn play(&mut self, laid: WhistLoneTrick) -> SeatWorths<N> {
        let seat = laid.seat;
        let (mut sum, mut count, mut best) = ([0.0; N], 0.0, f64::NEG_INFINITY);
        let mut cards = self.cards.legal(&laid);
        while cards != 0 {
            let same = self.cards.neighbours(&laid, cards);
            cards &= !same;
            let outcome = self.after(laid, lowest(same));
            if outcome[seat] > best + SAME {
                (sum, count, best) = ([0.0; N], 0.0, outcome[seat]);
            }
            if outcome[seat] >= best - SAME {
                let weight = f64::from(same.count_ones());
                count += weight;
                for (sum, value) in sum.iter_mut().zip(outcome) {
                    *sum += weight * value;
                }
            }
        }
        sum.map(|sum| sum / count)
    }

    /// What everybody gets after this card.
    pub(super) fn after(&mut self, laid: WhistLoneTrick, card: u64) -> SeatWorths<N> {
        let laid = self.cards.after(laid, card);
        if laid.to_come > 0 {
            return self.play(laid);
        }
        self.lead(laid.left, laid.winner, laid.taken + (1 << (4 * laid.winner)))
    }
}

/// What takes a trick from this card, if it is winning.
#[inline]
pub(super) fn beating(card: u64, led: u64, trumps: u64) -> u64 {
    let above = !(card | (card - 1));
    if card & trumps != 0 { trumps & above } else { led & above | trumps }
}
