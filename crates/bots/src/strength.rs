//! The points that a hand of Cruce promises its declarer.
//!
//! A quick estimate, for judging what a player who bid or passed may hold and for guessing later bids.
//! The weights were fitted to solved deals; `cargo run --release -p bots --example fit_strength`
//! prints the table again.

mod table;

use cards::{Card, CardSet, Rank, Suit};
use game::cruce;

/// The number of counts of a hand, for one choice of trump.
pub const FEATURES: usize = 13;

/// The counts of a hand if this suit is trump.
pub fn features(hand: CardSet, trump: Suit) -> [f64; FEATURES] {
    let has = |rank, suit| f64::from(u8::from(hand.contains(Card::new(rank, suit))));
    let pair = |suit| has(Rank::Queen, suit) * has(Rank::King, suit);
    let length = hand.in_suit(trump).len() as f64;
    let (ace, ten) = (has(Rank::Ace, trump), has(Rank::Zaca, trump));
    let side = |count: &dyn Fn(Suit) -> f64| -> f64 {
        Suit::ALL.into_iter().filter(|suit| *suit != trump).map(count).sum()
    };
    [
        1.0,
        length,
        (length - 3.0).max(0.0),
        ace,
        ten,
        ace * ten,
        pair(trump),
        has(Rank::Queen, trump) + has(Rank::King, trump),
        side(&|suit| has(Rank::Ace, suit)),
        side(&|suit| has(Rank::Ace, suit) * has(Rank::Zaca, suit)),
        side(&|suit| has(Rank::Zaca, suit)),
        side(&pair),
        side(&|suit| f64::from(u8::from(hand.in_suit(suit).is_empty()))),
    ]
}

/// The points that a hand promises with its best suit as trump.
pub fn estimate(rules: &cruce::Rules, hand: CardSet) -> f64 {
    let weights = table::weights(rules.players(), rules.teams(), hand.len() < rules.cards_each());
    let with = |suit: Suit| -> f64 {
        features(hand, suit).iter().zip(weights).map(|(count, weight)| count * weight).sum()
    };
    let held = Suit::ALL.into_iter().filter(|suit| !hand.in_suit(*suit).is_empty());
    held.map(with).fold(f64::NEG_INFINITY, f64::max)
}
