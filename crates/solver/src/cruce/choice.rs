//! The cards of a hand tried at one node of the tree, and those that can be
//! skipped.
//!
//! If no card of another seat lies between two cards of one suit, playing one
//! instead of the other changes the result by at most the difference of their
//! worth. So the bound of a card that was tried also bounds its neighbours, and
//! most of them need not be tried.

use super::camps::SearchWindow;
use super::rows::{ROW, pairs, suit, suit_of, worth};

/// Larger than every value.
const BEYOND: i32 = 1000;

/// The maximum difference between the values of two cards of one suit in a hand:
/// the difference of their worth if no card of another seat lies between them.
/// `None` if one lies there, or if only one of the two is part of a pair that could
/// be called: playing III or IV gives up the call (C10).
#[inline(always)]
pub(super) fn max_distance(one: u32, two: u32, others: u32, pairs: u32) -> Option<i32> {
    let (low, high) = (one.min(two), one.max(two));
    let between = (high - 1) & !(low | (low - 1)) & others;
    let of_pair = (low | high) & (pairs | pairs << ROW);
    if between != 0 || (of_pair != 0 && of_pair != (low | high)) {
        return None;
    }
    Some(i32::from(worth(high) - worth(low)))
}

/// The cards tried so far at one node of the tree.
pub(super) struct TriedCards {
    first: bool,
    pub(super) window: SearchWindow,
    pub(super) best: i32,
    pub(super) best_card: u32,
    /// The cards of the other seats, which separate neighbours.
    others: u32,
    /// III of each pair in the hand.
    pairs: u32,
    /// The last card tried in each suit, and its bound.
    last: [(u32, i32); 4],
}

impl TriedCards {
    #[inline]
    pub(super) fn new(first: bool, window: SearchWindow, hand: u32, others: u32) -> TriedCards {
        let best = if first { -BEYOND } else { BEYOND };
        TriedCards {
            first,
            window,
            best,
            best_card: 0,
            others,
            pairs: pairs(hand),
            last: [(0, 0); 4],
        }
    }

    /// Records the bound of a card; returns whether it decides the node.
    #[inline]
    pub(super) fn record(&mut self, card: u32, value: i32) -> bool {
        self.last[suit_of(card) as usize] = (card, value);
        if self.first {
            if value > self.best {
                (self.best, self.best_card) = (value, card);
                self.window.low = self.window.low.max(value);
            }
        } else if value < self.best {
            (self.best, self.best_card) = (value, card);
            self.window.high = self.window.high.min(value);
        }
        self.window.low >= self.window.high
    }

    /// Returns whether the card can be skipped, because the bound of a neighbour
    /// shows that it cannot decide the node. Then it updates the best bound.
    #[inline]
    pub(super) fn skip(&mut self, card: u32) -> bool {
        let at = suit_of(card);
        let (tried, value) = self.last[at as usize];
        if tried == 0 {
            return false;
        }
        let others = self.others & suit(at);
        let Some(distance) = max_distance(tried, card, others, self.pairs) else { return false };
        if self.first {
            let bound = value + distance;
            if bound > self.window.low {
                return false;
            }
            self.best = self.best.max(bound);
        } else {
            let bound = value - distance;
            if bound < self.window.high {
                return false;
            }
            self.best = self.best.min(bound);
        }
        true
    }
}

/// The cards tried so far at one node, all of one suit and in order.
pub(super) struct TriedInSuit {
    first: bool,
    pub(super) window: SearchWindow,
    pub(super) best: i32,
    /// The cards of the other seats in the suit, which separate neighbours.
    others: u32,
    /// III of the pair in the hand.
    pair: u32,
    last: u32,
    value: i32,
}

impl TriedInSuit {
    #[inline(always)]
    pub(super) fn new(first: bool, window: SearchWindow, hand: u32, others: u32) -> TriedInSuit {
        let best = if first { -BEYOND } else { BEYOND };
        TriedInSuit { first, window, best, others, pair: pairs(hand), last: 0, value: 0 }
    }

    #[inline(always)]
    pub(super) fn forget_last(&mut self) {
        self.last = 0;
    }

    #[inline(always)]
    pub(super) fn record(&mut self, card: u32, value: i32) -> bool {
        (self.last, self.value) = (card, value);
        if self.first {
            self.best = self.best.max(value);
            self.window.low = self.window.low.max(value);
        } else {
            self.best = self.best.min(value);
            self.window.high = self.window.high.min(value);
        }
        self.window.low >= self.window.high
    }

    #[inline(always)]
    pub(super) fn skip(&mut self, card: u32) -> bool {
        if self.last == 0 {
            return false;
        }
        let Some(distance) = max_distance(self.last, card, self.others, self.pair) else {
            return false;
        };
        if self.first {
            let bound = self.value + distance;
            if bound > self.window.low {
                return false;
            }
            self.best = self.best.max(bound);
        } else {
            let bound = self.value - distance;
            if bound < self.window.high {
                return false;
            }
            self.best = self.best.min(bound);
        }
        true
    }
}
