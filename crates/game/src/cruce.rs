//! The parts of Cruce that differ from whist: options, points, score and positions to search.

mod play;
mod rules;
mod score;

use cards::{Card, CardSet, Rank, Suit};

pub use play::Play;
pub use rules::{AllPass, BidOn, Calls, Enforcement, Rules, Spec};
pub use score::{Contract, Penalty, leader, score};

/// The points that make one point of score; a bid of n promises n times as many (C6).
pub const POINTS_PER_SCORE: u8 = 33;

/// The points that a bid promises (C6).
pub const fn promised_points(bid: u8) -> u16 {
    bid as u16 * POINTS_PER_SCORE as u16
}

/// The points of all cards together (C1).
pub const POINTS_IN_PACK: u8 = 120;

/// The worth of each card, at its index (C1).
const WORTH: [u8; 64] = {
    let mut worth = [0; 64];
    let mut suit = 0;
    while suit < 4 {
        worth[16 * suit + Rank::Ace as usize] = 11;
        worth[16 * suit + Rank::Zaca as usize] = 10;
        worth[16 * suit + Rank::King as usize] = 4;
        worth[16 * suit + Rank::Queen as usize] = 3;
        worth[16 * suit + Rank::Jack as usize] = 2;
        suit += 1;
    }
    worth
};

/// The worth of a card (C1).
#[inline]
pub const fn worth(card: Card) -> u8 {
    WORTH[card.index()]
}

/// The total worth of some cards (C1).
#[inline]
pub fn worth_of(cards: &[Card]) -> u8 {
    cards.iter().map(|card| worth(*card)).sum()
}

/// The worth of a call in a suit (C10).
#[inline]
pub fn worth_of_call(suit: Suit, trump: Option<Suit>) -> u8 {
    if Some(suit) == trump { 40 } else { 20 }
}

/// The other card of a pair that can be called (C10).
#[inline]
pub const fn partner_in_pair(card: Card) -> Option<Card> {
    match card.rank() {
        Rank::Queen => Some(Card::new(Rank::King, card.suit())),
        Rank::King => Some(Card::new(Rank::Queen, card.suit())),
        _ => None,
    }
}

/// The cards of a hand that can be led with a call (C10).
pub fn callable(hand: CardSet) -> CardSet {
    let of_pair = |card: &Card| partner_in_pair(*card).is_some_and(|other| hand.contains(other));
    hand.iter().filter(of_pair).collect()
}
