//! How likely a player of Cruce is to play a card, given their hand and the trick.
//!
//! A small model of how sensible players play: every legal card gets a score from a few counts, and
//! scores become chances. It weights worlds: a hand from which a card would hardly have been played
//! is unlikely. The weights were fitted to games of the yardsticks;
//! `cargo run --release -p bots --example fit_play_model` prints the table again.

mod table;
pub mod whist;

use cards::{Card, CardSet, Rank, Suit};
use game::cruce;
use game::trick::Lead;

/// The number of counts of a card.
pub const COUNTS: usize = 14;

/// What a player sees in turn.
#[derive(Clone, Copy, Debug)]
pub struct CruceTurn {
    /// The player's cards.
    pub hand: CardSet,
    /// The cards that the player may play.
    pub legal: CardSet,
    /// All cards that the player has not seen.
    pub unseen: CardSet,
    /// The lead, if there is one.
    pub lead: Option<Lead>,
    /// The trump, once there is one.
    pub trump: Option<Suit>,
    /// Whether the player's side is winning the trick.
    pub ours: bool,
    /// The number of players after this one.
    pub after: usize,
}

/// The kind of a situation, which selects the weights: the first lead, later leads, tricks that every
/// legal card would win, tricks of the own side, and tricks of the others.
pub fn kind(turn: &CruceTurn) -> usize {
    match turn.lead {
        None if turn.trump.is_none() => 0,
        None => 1,
        Some(lead) if turn.legal.iter().all(|card| card.beats(lead.best, turn.trump)) => 2,
        Some(_) if turn.ours => 3,
        Some(_) => 4,
    }
}

/// The number of kinds of situations.
pub const KINDS: usize = 5;

/// The counts of a card.
pub fn counts(turn: &CruceTurn, card: Card) -> [f64; COUNTS] {
    let yes = |is: bool| f64::from(u8::from(is));
    let (suit, hand) = (card.suit(), turn.hand);
    let worth = f64::from(cruce::worth(card));
    let above = CardSet::above(card);
    let top = (above & turn.unseen).is_empty();
    let length = hand.in_suit(suit).len() as f64;
    let out = turn.unseen.in_suit(suit).len() as f64;
    let of_pair = cruce::callable(hand).contains(card);
    let trump = turn.trump == Some(suit);
    let has = |rank| hand.contains(Card::new(rank, suit));
    let last = turn.after == 0;
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
        yes(turn.lead.is_some_and(|lead| card.beats(lead.best, turn.trump))),
    ]
}

/// The chance that this card is played.
pub fn chance(turn: &CruceTurn, card: Card, alone: bool) -> f64 {
    let weights = &table::TABLE[usize::from(alone)][kind(turn)];
    chance_among(turn.legal, card, weights, |card| counts(turn, card))
}

/// The chance of a card among the legal ones, with these counts and weights.
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
