//! One possible course of the play if every seat plays for itself: as in
//! [`alone`](super::alone), but a seat that is indifferent chooses one card instead
//! of averaging over all.
//!
//! A salt determines the card, so that many salts together sample the average. It is
//! much faster: a seat that has found a card with the maximum possible result does
//! not try the others.

use super::alone::{SAME, TrickWorths, WhistLoneDeal, WhistLoneTrick};
use super::lanes::lowest;
use crate::limit::Meter;
use crate::transposition::TranspositionTable;

/// The stored result of a position between two tricks.
#[derive(Clone, Copy, Default)]
pub(super) struct SettledEntry {
    kinds: u32,
    /// The tricks that every seat takes from here on, four bits per seat.
    gained: u32,
}

pub(super) struct SettledSearch<'a, const N: usize> {
    pub(super) cards: WhistLoneDeal<'a, N>,
    pub(super) worths: TrickWorths<N>,
    /// The maximum result of each seat, by tricks taken and tricks to come.
    pub(super) most: [[[f64; 9]; 9]; N],
    pub(super) memory: &'a mut TranspositionTable<SettledEntry>,
    pub(super) meter: Meter<'a>,
    pub(super) salt: u64,
}

impl<const N: usize> SettledSearch<'_, N> {
    /// The final tricks of every seat when `leader` leads.
    fn lead(&mut self, left: u64, leader: usize, taken: u32) -> u32 {
        if left == 0 || self.meter.tick() {
            return taken;
        }
        let left = self.cards.shapes.strongest(left);
        let laid = WhistLoneDeal::<N>::before(left, leader, taken);
        if left.count_ones() as usize == N {
            return self.play(laid);
        }
        let key = self.cards.shapes.packed(left) | (leader as u64) << 48;
        let kinds = self.worths.kinds(taken, left.count_ones() as usize / N);
        let (place, known) = self.memory.probe_salted(key, kinds);
        if let Some(known) = known.filter(|known| known.kinds == kinds) {
            return taken + known.gained;
        }
        let taken_in_all = self.play(laid);
        if !self.meter.stopped {
            self.memory.store(place, SettledEntry { kinds, gained: taken_in_all - taken });
        }
        taken_in_all
    }

    fn play(&mut self, laid: WhistLoneTrick) -> u32 {
        let seat = laid.seat;
        let all = self.cards.legal(&laid);
        let to_come = (laid.left & self.cards.hands[seat]).count_ones() as usize;
        let most = self.most[seat][(laid.taken >> (4 * seat) & 15).min(8) as usize][to_come.min(8)];
        let (mut best, mut settled) = (f64::NEG_INFINITY, laid.taken);
        // Two passes from a start that the salt determines: the order is arbitrary but fixed.
        let mixed = (laid.left ^ self.salt).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let start = u64::MAX << ((mixed >> 58) as u32);
        for mut cards in [all & start, all & !start] {
            while cards != 0 {
                let same = self.cards.neighbours(&laid, cards);
                cards &= !same;
                let taken = self.after(laid, lowest(same));
                let value = self.worths.to(seat, taken);
                if value > best + SAME {
                    (best, settled) = (value, taken);
                }
                if best >= most - SAME {
                    return settled;
                }
            }
        }
        settled
    }

    /// The final tricks of every seat after this card.
    pub(super) fn after(&mut self, laid: WhistLoneTrick, card: u64) -> u32 {
        let laid = self.cards.after(laid, card);
        if laid.to_come > 0 {
            return self.play(laid);
        }
        self.lead(laid.left, laid.winner, laid.taken + (1 << (4 * laid.winner)))
    }
}

/// The maximum result of each seat, by tricks taken and tricks to come.
pub(super) fn most<const N: usize>(worth: &[[f64; 9]; N]) -> [[[f64; 9]; 9]; N] {
    core::array::from_fn(|seat| {
        core::array::from_fn(|taken| {
            core::array::from_fn(|to_come| {
                let last = (taken + to_come).min(8);
                worth[seat][taken..=last].iter().copied().fold(f64::NEG_INFINITY, f64::max)
            })
        })
    })
}
