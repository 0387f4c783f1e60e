//! The order in which a search for partners tries suits.
//!
//! Hands are in the order of the seats: the seat in turn, next, partner, last. The
//! weights were tuned for the fewest searched positions on deals that no benchmark
//! uses. No answer depends on them.

use super::lanes::lane;
use super::ranks::highest;

/// How much each hand adds to a suit's score for a lead if it holds the highest
/// card, and if it holds the second.
const LED_TOP: [i32; 4] = [7, 0, 6, 1];
const LED_SECOND: [i32; 4] = [7, -3, 3, -6];

/// The suits in the order in which leads are tried.
#[inline]
pub(super) fn leads(hands: &[u64; 4]) -> [u64; 4] {
    let all = hands[0] | hands[1] | hands[2] | hands[3];
    by_score(hands[0], |suit| {
        let (top, second) = honours(all & suit);
        let mut score = 3 * (all & suit).count_ones() as i32;
        for (at, hand) in hands.iter().enumerate() {
            score += if hand & top != 0 { LED_TOP[at] } else { 0 };
            score += if hand & second != 0 { LED_SECOND[at] } else { 0 };
        }
        score
    })
}

/// The suits in the order in which discards are tried: first long ones that the
/// partner lacks, last a winner or the guard of a second card.
#[inline]
pub(super) fn discards(hands: &[u64; 4]) -> [u64; 4] {
    let all = hands[0] | hands[1] | hands[2] | hands[3];
    by_score(hands[0], |suit| {
        let (top, second) = honours(all & suit);
        let length = (hands[0] & suit).count_ones() as i32;
        let mut score = length - 3 * (hands[2] & suit).count_ones() as i32;
        if top & hands[0] != 0 {
            score -= if length == 1 { 8 } else { 3 };
        }
        score -= if length == 2 && second & hands[0] != 0 { 8 } else { 0 };
        score + if top & hands[2] != 0 { 2 } else { 0 }
    })
}

/// The highest and the second card of a suit, which is not empty.
#[inline]
fn honours(cards: u64) -> (u64, u64) {
    let top = highest(cards);
    let rest = cards ^ top;
    (top, if rest == 0 { 0 } else { highest(rest) })
}

/// The suits of a hand, those with a high score first.
#[inline]
fn by_score(hand: u64, score: impl Fn(u64) -> i32) -> [u64; 4] {
    /// Below the score of every suit that the hand holds.
    const NONE: i32 = -1000;
    let mut keys = [0, 1, 2, 3].map(|at| {
        let score = if hand & lane(at) == 0 { NONE } else { score(lane(at)) };
        // The index of the suit in the low bits, its score above.
        -score << 2 | at as i32
    });
    let mut order = |one: usize, two: usize| {
        (keys[one], keys[two]) = (keys[one].min(keys[two]), keys[one].max(keys[two]));
    };
    order(0, 1);
    order(2, 3);
    order(0, 2);
    order(1, 3);
    order(1, 2);
    keys.map(|key| lane((key & 3) as u32))
}
