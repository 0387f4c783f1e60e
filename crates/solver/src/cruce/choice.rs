//! The cards of a hand tried at one place of the tree, and those that need no
//! trial.
//!
//! Of two cards of one suit with no stranger's card between them, playing one
//! instead of the other moves the result by no more than the difference of their
//! worth. So the bound of a card that was tried bounds its neighbours, and mostly
//! they need not be tried at all.

use super::camps::SearchWindow;
use super::rows::{ROW, pairs, suit, suit_of, worth};

/// Beyond every value.
const BEYOND: i32 = 1000;

/// By how much the values of two cards of one suit in a hand can differ: by the
/// difference of their worth if no stranger's card lies between them. Nothing where
/// one of them is of a pair that could be called and the other is not: playing
/// III or IV gives up their call (C10).
#[inline(always)]
pub(super) fn apart(one: u32, two: u32, strangers: u32, pairs: u32) -> Option<i32> {
    let (low, high) = (one.min(two), one.max(two));
    let between = (high - 1) & !(low | (low - 1)) & strangers;
    let of_pair = (low | high) & (pairs | pairs << ROW);
    if between != 0 || (of_pair != 0 && of_pair != (low | high)) {
        return None;
    }
    Some(i32::from(worth(high) - worth(low)))
}

/// The cards tried so far at one place of the tree.
pub(super) struct TriedCards {
    first: bool,
    pub(super) window: SearchWindow,
    pub(super) best: i32,
    pub(super) best_card: u32,
    /// The cards of others, which part neighbours.
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

    /// Notes the bound of a card; whether it settles the question.
    #[inline]
    pub(super) fn tried(&mut self, card: u32, value: i32) -> bool {
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

    /// Whether a neighbour has shown that this card cannot settle the question.
    #[inline]
    pub(super) fn needless(&mut self, card: u32) -> bool {
        let at = suit_of(card);
        let (tried, value) = self.last[at as usize];
        if tried == 0 {
            return false;
        }
        let strangers = self.others & suit(at);
        let Some(apart) = apart(tried, card, strangers, self.pairs) else { return false };
        if self.first {
            let bound = value + apart;
            if bound > self.window.low {
                return false;
            }
            self.best = self.best.max(bound);
        } else {
            let bound = value - apart;
            if bound < self.window.high {
                return false;
            }
            self.best = self.best.min(bound);
        }
        true
    }
}

/// The cards tried so far, all of one suit and in order.
pub(super) struct Straight {
    first: bool,
    pub(super) window: SearchWindow,
    pub(super) best: i32,
    /// The cards of others in the suit, which part neighbours.
    others: u32,
    /// III of the pair in the hand.
    pair: u32,
    last: u32,
    value: i32,
}

impl Straight {
    #[inline(always)]
    pub(super) fn new(first: bool, window: SearchWindow, hand: u32, others: u32) -> Straight {
        let best = if first { -BEYOND } else { BEYOND };
        Straight { first, window, best, others, pair: pairs(hand), last: 0, value: 0 }
    }

    #[inline(always)]
    pub(super) fn fresh(&mut self) {
        self.last = 0;
    }

    #[inline(always)]
    pub(super) fn tried(&mut self, card: u32, value: i32) -> bool {
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
    pub(super) fn needless(&mut self, card: u32) -> bool {
        if self.last == 0 {
            return false;
        }
        let Some(apart) = apart(self.last, card, self.others, self.pair) else { return false };
        if self.first {
            let bound = self.value + apart;
            if bound > self.window.low {
                return false;
            }
            self.best = self.best.max(bound);
        } else {
            let bound = self.value - apart;
            if bound < self.window.high {
                return false;
            }
            self.best = self.best.min(bound);
        }
        true
    }
}
