//! What a search for partners remembers: answers that hold for many positions.
//!
//! An answer comes with the lowest card of each suit whose rank mattered. It
//! then holds wherever every hand has as many cards of each suit, and the
//! cards from the highest of a suit down to that one lie in the same hands:
//! which small cards lie below is all the same (partition search, as bridge
//! solvers do it).

use super::lanes::{LANE, Lanes, lane, lowest};

/// How many of a suit's highest cards an answer may depend on and be kept.
const OWNERS: u32 = 8;

/// The highest card of a set that is not empty.
#[inline]
pub(super) const fn highest(cards: u64) -> u64 {
    1 << (63 - cards.leading_zeros())
}

/// At each set of cards that may be left in a suit: in the upper half who holds
/// the highest, the next and so on, two bits each from above; in the lower half
/// how many every hand has, four bits each.
#[derive(Clone, Default)]
pub(super) struct Ranks {
    suits: [Vec<u32>; 4],
}

/// A position between two tricks, as its memory knows it.
#[derive(Clone, Copy)]
pub(super) struct RankKey {
    lengths: u64,
    owners: u64,
    leader: u8,
    head: usize,
}

impl Ranks {
    /// Takes up the hands of a deal.
    pub(super) fn hold(&mut self, lanes: &Lanes, hands: &[u64; 4]) {
        for suit in 0..4 {
            let table = &mut self.suits[suit as usize];
            table.resize(1 << lanes.len(suit), 0);
            // With every card the sets double: it lies above all cards before it
            // and moves their owners down.
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
    pub(super) fn place(&self, left: u64, leader: u8) -> RankKey {
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

/// Chains of answers, as a power of two, and how many answers are kept before all
/// are forgotten.
const HEADS: u32 = 12;
const ANSWERS: usize = 1 << 14;

/// Answers in the order they were found, each pointing to the one before it. Takes
/// no memory before it is first told to forget, as every search does.
#[derive(Clone, Default)]
pub(super) struct Answers {
    heads: Box<[u32]>,
    known: Vec<RankEntry>,
    /// The number of the first answer; lower ones are forgotten, and nought is none.
    from: u32,
}

/// What is known of a position.
pub(super) enum RankLookup {
    /// Whether the bar is reached, and the ranks that decide it.
    Answer(bool, u64),
    /// A lead that was good in another position, if any.
    Hint(u64),
}

impl Answers {
    /// Forgets everything, mostly without touching it.
    pub(super) fn forget(&mut self) {
        self.from += self.known.len() as u32;
        self.known.clear();
        if self.from == 0 || self.from > u32::MAX / 2 {
            self.heads = vec![0; 1 << HEADS].into();
            self.from = 1;
        }
    }

    /// What is known about reaching a bar.
    #[inline]
    pub(super) fn recall(&self, place: &RankKey, left: u64, bar: i8) -> RankLookup {
        let mut hint = 0;
        let mut at = self.heads[place.head];
        while at >= self.from {
            let known = &self.known[(at - self.from) as usize];
            at = known.next;
            if known.lengths == place.lengths
                && known.leader == place.leader
                && (known.owners ^ place.owners) & known.depends == 0
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
        place: &RankKey,
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
            self.forget();
        }
        let next = self.heads[place.head];
        self.heads[place.head] = self.from + self.known.len() as u32;
        let best = if best == 0 { 0 } else { best.trailing_zeros() as u8 + 1 };
        let RankKey { lengths, owners, leader, .. } = *place;
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
