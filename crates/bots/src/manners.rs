//! How likely a player of Cruce is to lay a card, as far as one sees from his own
//! hand and the table.
//!
//! A small model of how sensible players play: every legal card gets a score from a
//! few counts, and scores become chances. It judges worlds: a hand from which a
//! card would hardly have been played is hardly the hand. The weights were fitted
//! to games of the yardsticks: `cargo run --release -p bots --example fit_manners`
//! prints the table anew.

mod table;
pub mod whist;

use cards::{Card, CardSet, Rank, Suit};
use game::cruce;
use game::trick::Lead;

/// What is counted of a card.
pub const COUNTS: usize = 14;

/// What a player sees when it is his turn.
#[derive(Clone, Copy, Debug)]
pub struct CruceTurn {
    /// His cards.
    pub hand: CardSet,
    /// What he may play.
    pub legal: CardSet,
    /// All cards that he has not seen.
    pub unseen: CardSet,
    /// What was led.
    pub lead: Option<Lead>,
    /// The trump, once there is one.
    pub trump: Option<Suit>,
    /// Whether whoever is winning the trick is on his side.
    pub ours: bool,
    /// How many play after him.
    pub after: usize,
}

/// Which table of weights belongs to a situation: the first lead, later leads,
/// cards to one's own side's trick, to the others', and cards that take the trick.
pub fn kind(sight: &CruceTurn) -> usize {
    match sight.lead {
        None if sight.trump.is_none() => 0,
        None => 1,
        Some(lead) if sight.legal.iter().all(|card| card.beats(lead.best, sight.trump)) => 2,
        Some(_) if sight.ours => 3,
        Some(_) => 4,
    }
}

/// How many kinds of situations there are.
pub const KINDS: usize = 5;

/// The counts of a card.
pub fn counts(sight: &CruceTurn, card: Card) -> [f64; COUNTS] {
    let yes = |is: bool| f64::from(u8::from(is));
    let (suit, hand) = (card.suit(), sight.hand);
    let worth = f64::from(cruce::worth(card));
    let above = CardSet::above(card);
    let top = (above & sight.unseen).is_empty();
    let length = hand.in_suit(suit).len() as f64;
    let out = sight.unseen.in_suit(suit).len() as f64;
    let of_pair = cruce::callable(hand).contains(card);
    let trump = sight.trump == Some(suit);
    let has = |rank| hand.contains(Card::new(rank, suit));
    let last = sight.after == 0;
    [
        worth / 10.0,
        yes(top),
        yes(of_pair),
        yes(trump),
        length,
        out,
        yes(top && trump),
        yes(card.rank() == Rank::Ace),
        yes(card.rank() == Rank::Zaca),
        yes(card.rank() == Rank::Nine),
        yes(has(Rank::Ace) && card.rank() != Rank::Ace),
        yes(last) * worth / 10.0,
        yes((CardSet::suit(suit) & hand).highest() == Some(card)),
        yes(sight.lead.is_some_and(|lead| card.beats(lead.best, sight.trump))),
    ]
}

/// The chance that this card is played.
pub fn chance(sight: &CruceTurn, card: Card, alone: bool) -> f64 {
    let weights = &table::TABLE[usize::from(alone)][kind(sight)];
    chance_among(sight.legal, card, weights, |card| counts(sight, card))
}

/// The chance of a card among the legal ones, whose counts are weighed like this.
fn chance_among<const N: usize>(
    legal: CardSet,
    card: Card,
    weights: &[f64; N],
    counts: impl Fn(Card) -> [f64; N],
) -> f64 {
    let score = |card: Card| -> f64 {
        counts(card).iter().zip(weights).map(|(count, weight)| count * weight).sum()
    };
    let own = score(card);
    let all: f64 = legal.iter().map(|other| (score(other) - own).exp()).sum();
    1.0 / all
}
