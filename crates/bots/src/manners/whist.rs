//! How likely a player of whist is to lay a card, as far as one sees from his own
//! hand, the table, and how many tricks he still wants.
//!
//! A small model like that of Cruce: every legal card gets a score from a few counts,
//! and scores become chances. The weights were fitted to games of a yardstick:
//! `cargo run --release -p bots --example fit_manners_of_whist` prints the table anew.

mod table;

use cards::{Card, CardSet, Suit};
use game::trick::Lead;

use super::chance_among;

/// What is counted of a card.
pub const COUNTS: usize = 14;

/// How many kinds of situations there are.
pub const KINDS: usize = 6;

/// What a player sees when it is his turn.
#[derive(Clone, Copy, Debug)]
pub struct WhistTurn {
    /// His cards.
    pub hand: CardSet,
    /// What he may play.
    pub legal: CardSet,
    /// All cards that he has not seen.
    pub unseen: CardSet,
    /// What was led.
    pub lead: Option<Lead>,
    /// The trump, in deals that have one.
    pub trump: Option<Suit>,
    /// The tricks that he still needs; below nought if he has too many.
    pub need: i8,
    /// How many tricks more are to come than all others together need.
    pub spare: i8,
    /// How many cards all others hold.
    pub others: usize,
    /// How many play after him.
    pub after: usize,
}

/// Which weights belong to a situation: leads, cards to the suit led, and other
/// cards, of those who want tricks and of those who want none.
pub fn kind(sight: &WhistTurn) -> usize {
    let at = match sight.lead {
        None => 0,
        Some(lead) if !sight.hand.in_suit(lead.suit).is_empty() => 1,
        Some(_) => 2,
    };
    2 * at + usize::from(sight.need > 0)
}

/// The counts of a card.
pub fn counts(sight: &WhistTurn, card: Card) -> [f64; COUNTS] {
    let yes = |is: bool| f64::from(u8::from(is));
    let own = sight.legal.in_suit(card.suit());
    let dealt = sight.others as f64 / sight.unseen.len().max(1) as f64;
    let above = CardSet::above(card) & sight.unseen;
    let higher = (above.len() as f64 * dealt).min(4.0);
    let out = sight.unseen.in_suit(card.suit());
    let lower = ((out.len() - above.len()) as f64 * dealt).min(4.0);
    let top = above.is_empty();
    let trump = sight.trump == Some(card.suit());
    let wins = sight.lead.is_none_or(|lead| card.beats(lead.best, sight.trump));
    let takes = wins && (sight.after == 0 || (top && (trump || sight.trump.is_none())));
    let (wins, takes) = (yes(wins && sight.lead.is_some()), yes(takes));
    // Whether he must take all tricks to come, and whether there are too few for all.
    let all = yes(sight.need >= sight.hand.len() as i8);
    let few = yes(sight.spare < sight.need);
    [
        higher,
        lower,
        yes(top),
        yes(trump),
        yes(trump) * higher,
        sight.hand.in_suit(card.suit()).len() as f64,
        wins,
        takes,
        wins * higher,
        wins * yes(own.highest() == Some(card)),
        yes(own.highest() == Some(card)),
        yes(own.lowest() == Some(card)),
        all * (4.0 - higher),
        few * (4.0 - higher),
    ]
}

/// The chance that this card is played.
pub fn chance(sight: &WhistTurn, card: Card) -> f64 {
    let weights = &table::TABLE[kind(sight)];
    chance_among(sight.legal, card, weights, |card| counts(sight, card))
}
