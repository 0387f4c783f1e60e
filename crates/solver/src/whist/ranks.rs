//! The memory of a search for partners: answers that hold for many positions.
//!
//! An answer includes the lowest card of each suit whose rank mattered. It holds
//! wherever every hand has as many cards of each suit, and the cards from the
//! highest of a suit down to that one are in the same hands: the cards below do not
//! matter (partition search, as in bridge solvers).

use super::lanes::{LANE, Lanes, lane, lowest};

/// The maximum number of a suit's highest cards on which a stored answer depends.
const OWNERS: u32 = 8;

/// The highest card of a set that is not empty.
#[inline]
pub(super) const fn highest(cards: u64) -> u64 {
    1 << (63 - cards.leading_zeros())
}

/// For each set of cards that may be left in a suit: in the upper half the holders of
/// the highest card, the next and so on, two bits each from above; in the lower half
/// the number of cards of every hand, four bits each.
#[derive(Clone, Default)]
pub(super) struct Ranks {
    suits: [Vec<u32>; 4],
}

/// The key of a position between two tricks.
#[derive(Clone, Copy)]
pub(super) struct RankKey {
    lengths: u64,
    owners: u64,
    leader: u8,
    head: usize,
}

impl Ranks {
    /// Sets the hands of a deal.
    pub(super) fn set_hands(&mut self, lanes: &Lanes, hands: &[u64; 4]) {
        for suit in 0..4 {
            let table = &mut self.suits[suit as usize];
            table.resize(1 << lanes.len(suit), 0);
            // Every card doubles the sets: it is above all cards before it and moves
            // their owners down.
            for at in 0..lanes.len(suit) {
                let card = 1 << (LANE * suit + at);
                let owner = hands.iter().position(|hand| hand & card != 0).unwrap_or(0) as u32;
                let more = (owner << 30) + (1 << (4 * owner));
                let (without, with) = table.split_at_mut(1 << at);
                for (with, without) in with.iter_mut().zip(without) {
                    *with = (*without >> 2 & 0x3FFF_0000 | *without & 0xFFFF) + more;
                }
            }
        }
    }

    #[inline]
    pub(super) fn key(&self, left: u64, leader: u8) -> RankKey {
        let (mut lengths, mut owners) = (0, 0);
        for suit in 0..4 {
            let set = (left >> (LANE * suit)) as u16;
            let found = self.suits[suit as usize][usize::from(set)];
            lengths |= u64::from(found & 0xFFFF) << (LANE * suit);
            owners |= u64::from(found >> 16) << (LANE * suit);
        }
        let spread = (lengths ^ u64::from(leader) << 62).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        RankKey { lengths, owners, leader, head: (spread >> (64 - HEADS)) as usize }
    }
}

#[derive(Clone, Copy)]
struct RankEntry {
    lengths: u64,
    owners: u64,
    /// Which owners the answer depends on.
    depends: u64,
    /// The answer before this one with the same head.
    next: u32,
    leader: u8,
    low: i8,
    high: i8,
    best: u8,
}

/// The number of chains, as a power of two, and the number of answers after which all
/// are forgotten.
const HEADS: u32 = 12;
const ANSWERS: usize = 1 << 14;

/// Answers in the order they were found, each pointing to the one before it. Allocates
/// nothing before the first call of `forget`, with which every search begins.
#[derive(Clone, Default)]
pub(super) struct Answers {
    heads: Box<[u32]>,
    known: Vec<RankEntry>,
    /// The number of the first answer; lower ones are forgotten, and 0 is none.
    from: u32,
}

/// The result of a lookup.
pub(super) enum RankLookup {
    /// Whether the bar is reached, and the ranks that decide it.
    Answer(bool, u64),
    /// A lead that was good in another position, if any.
    Hint(u64),
}

impl Answers {
    /// Forgets everything, mostly without touching the chains.
    pub(super) fn clear(&mut self) {
        self.from += self.known.len() as u32;
        self.known.clear();
        if self.from == 0 || self.from > u32::MAX / 2 {
            self.heads = vec![0; 1 << HEADS].into();
            self.from = 1;
        }
    }

    /// Looks up whether the position reaches a bar.
    #[inline]
    pub(super) fn probe(&self, key: &RankKey, left: u64, bar: i8) -> RankLookup {
        let mut hint = 0;
        let mut at = self.heads[key.head];
        while at >= self.from {
            let known = &self.known[(at - self.from) as usize];
            at = known.next;
            if known.lengths == key.lengths
                && known.leader == key.leader
                && (known.owners ^ key.owners) & known.depends == 0
            {
                if known.low >= bar {
                    return RankLookup::Answer(true, decisive(known.depends, left));
                }
                if known.high < bar {
                    return RankLookup::Answer(false, decisive(known.depends, left));
                }
                if hint == 0 && known.best != 0 {
                    hint = 1 << (known.best - 1);
                }
            }
        }
        RankLookup::Hint(hint)
    }

    pub(super) fn keep(
        &mut self,
        key: &RankKey,
        left: u64,
        (low, high): (i8, i8),
        because: u64,
        best: u64,
    ) {
        let mut depends = 0;
        for suit in 0..4 {
            let cards = because & lane(suit);
            if cards != 0 {
                let ranks = (left & lane(suit) & !(lowest(cards) - 1)).count_ones();
                if ranks > OWNERS {
                    return;
                }
                depends |= (0xFFFF_u64 << (LANE - 2 * ranks) & 0xFFFF) << (LANE * suit);
            }
        }
        if self.known.len() == ANSWERS {
            self.clear();
        }
        let next = self.heads[key.head];
        self.heads[key.head] = self.from + self.known.len() as u32;
        let best = if best == 0 { 0 } else { best.trailing_zeros() as u8 + 1 };
        let RankKey { lengths, owners, leader, .. } = *key;
        self.known.push(RankEntry { lengths, owners, depends, next, leader, low, high, best });
    }
}

/// The lowest card of each suit on which an answer depends.
#[inline]
fn decisive(depends: u64, left: u64) -> u64 {
    let mut cards = 0;
    for suit in 0..4 {
        let ranks = (depends & lane(suit)).count_ones() / 2;
        if ranks > 0 {
            let mut rest = left & lane(suit);
            for _ in 1..ranks {
                rest ^= highest(rest);
            }
            cards |= highest(rest);
        }
    }
    cards
}
