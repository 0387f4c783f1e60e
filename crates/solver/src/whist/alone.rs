//! Every seat for itself (max^n): each seat plays for the worth of its tricks, knows
//! that all others do, and is indifferent between cards of the same value: then the
//! outcome is their average.
//!
//! The average is over cards, not over groups of equivalent cards: of neighbours in a
//! hand only one is tried, and it counts as many times as there are neighbours.
//!
//! The tricks taken matter only for the worth of the tricks to come. A seat that is
//! above its bid, or can no longer reach it, loses or gains the same with every
//! trick, however far it is off: such positions are merged.

use super::lanes::{Shapes, lane, lowest, suit_of};
use crate::limit::Meter;
use crate::transposition::TranspositionTable;

/// Values that differ by less are equal: different values differ by much more,
/// and rounding errors are much smaller.
pub(super) const SAME: f64 = 1e-9;

/// The result of every seat.
pub(super) type SeatWorths<const N: usize> = [f64; N];

/// The stored result of a position between two tricks.
#[derive(Clone, Copy)]
pub(super) struct WhistLoneEntry<const N: usize> {
    /// Identifies the worth of the tricks to come to every seat, see [`TrickWorths::kinds`].
    kinds: u32,
    /// The result of every seat, less its result without another trick.
    outcome: SeatWorths<N>,
}

impl<const N: usize> Default for WhistLoneEntry<N> {
    fn default() -> Self {
        WhistLoneEntry { kinds: 0, outcome: [0.0; N] }
    }
}

/// The worth of tricks to each seat.
pub(super) struct TrickWorths<const N: usize> {
    worth: [[f64; 9]; N],
    /// For each seat, by tricks taken and tricks to come: the fewest tricks taken
    /// with which those to come have the same worth.
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

    /// The worth of a seat's tricks to it.
    #[inline]
    pub(super) fn to(&self, seat: usize, taken: u32) -> f64 {
        self.worth[seat][(taken >> (4 * seat) & 15).min(8) as usize]
    }

    /// The worth of the tricks taken to every seat.
    #[inline]
    fn of(&self, taken: u32) -> SeatWorths<N> {
        core::array::from_fn(|seat| self.to(seat, taken))
    }

    /// A number that identifies the worth of the tricks to come to every seat.
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
    /// The tricks taken before this one, four bits per seat.
    pub(super) taken: u32,
    /// All places of the suit led.
    pub(super) led: u64,
    /// The cards that would take the trick now.
    pub(super) beating: u64,
    pub(super) winner: usize,
    pub(super) seat: usize,
    pub(super) to_come: usize,
}

/// The cards of a deal and how they may be played.
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
        let allowed = if following != 0 { following } else { hand & self.trumps };
        if laid.led == 0 || allowed == 0 { hand } else { allowed }
    }

    /// The lowest of some legal cards and the cards equivalent to it.
    #[inline]
    pub(super) fn neighbours(&self, laid: &WhistLoneTrick, cards: u64) -> u64 {
        let card = lowest(cards);
        let others = laid.left & !self.hands[laid.seat] & lane(suit_of(card)) & !(card - 1);
        // Cards on the table separate those that beat them from those that do not.
        let wins = laid.beating & card != 0;
        let alike = if wins { laid.beating } else { !laid.beating };
        let below = if others == 0 { u64::MAX } else { lowest(others) - 1 };
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
    pub(super) memory: &'a mut TranspositionTable<WhistLoneEntry<N>>,
    pub(super) meter: Meter<'a>,
}

impl<const N: usize> WhistLoneSearch<'_, N> {
    /// The result of every seat when `leader` leads.
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
        let (place, known) = self.memory.probe_salted(key, kinds);
        if let Some(known) = known.filter(|known| known.kinds == kinds) {
            return core::array::from_fn(|seat| now[seat] + known.outcome[seat]);
        }
        let outcome = self.play(laid);
        if !self.meter.stopped {
            let gained = core::array::from_fn(|seat| outcome[seat] - now[seat]);
            self.memory.store(place, WhistLoneEntry { kinds, outcome: gained });
        }
        outcome
    }

    /// The result of every seat when the seat in turn plays its best card.
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

    /// The result of every seat after this card.
    pub(super) fn after(&mut self, laid: WhistLoneTrick, card: u64) -> SeatWorths<N> {
        let laid = self.cards.after(laid, card);
        if laid.to_come > 0 {
            return self.play(laid);
        }
        self.lead(laid.left, laid.winner, laid.taken + (1 << (4 * laid.winner)))
    }
}

/// The cards that take the trick from this card, if it is winning.
#[inline]
pub(super) fn beating(card: u64, led: u64, trumps: u64) -> u64 {
    let above = !(card | (card - 1));
    if card & trumps != 0 { trumps & above } else { led & above | trumps }
}
