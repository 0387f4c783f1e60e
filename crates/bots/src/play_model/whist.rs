//! How likely a player of whist is to play a card, given their hand, the trick, and the number of
//! tricks they still need.
//!
//! A small model like that of Cruce: every legal card gets a score from a few counts, and scores
//! become chances. The weights were fitted to games of a yardstick;
//! `cargo run --release -p bots --example fit_play_model_of_whist` prints the table again.

mod table;

use cards::{Card, CardSet, Suit};
use game::trick::Lead;

use super::chance_among;

/// The number of counts of a card.
pub const COUNTS: usize = 14;

/// The number of kinds of situations.
pub const KINDS: usize = 6;

/// What a player sees in turn.
#[derive(Clone, Copy, Debug)]
pub struct WhistTurn {
    /// The player's cards.
    pub hand: CardSet,
    /// The cards that the player may play.
    pub legal: CardSet,
    /// All cards that the player has not seen.
    pub unseen: CardSet,
    /// The lead, if there is one.
    pub lead: Option<Lead>,
    /// The trump, in deals that have one.
    pub trump: Option<Suit>,
    /// The number of tricks that the player still needs; negative if they have too many.
    pub need: i8,
    /// The number of tricks to come less the number that all others together need.
    pub spare: i8,
    /// The number of cards that all others hold.
    pub others: usize,
    /// The number of players after this one.
    pub after: usize,
}

/// The kind of a situation, which selects the weights: leads, cards of the suit led, and other cards,
/// each for players who need tricks and for those who need none.
pub fn kind(turn: &WhistTurn) -> usize {
    let at = match turn.lead {
        None => 0,
        Some(lead) if !turn.hand.in_suit(lead.suit).is_empty() => 1,
        Some(_) => 2,
    };
    2 * at + usize::from(turn.need > 0)
}

/// The counts of a card.
pub fn counts(turn: &WhistTurn, card: Card) -> [f64; COUNTS] {
    let yes = |is: bool| f64::from(u8::from(is));
    let own = turn.legal.in_suit(card.suit());
    let dealt = turn.others as f64 / turn.unseen.len().max(1) as f64;
    let above = CardSet::above(card) & turn.unseen;
    let higher = (above.len() as f64 * dealt).min(4.0);
    let out = turn.unseen.in_suit(card.suit());
    let lower = ((out.len() - above.len()) as f64 * dealt).min(4.0);
    let top = above.is_empty();
    let trump = turn.trump == Some(card.suit());
    let wins = turn.lead.is_none_or(|lead| card.beats(lead.best, turn.trump));
    let takes = wins && (turn.after == 0 || (top && (trump || turn.trump.is_none())));
    let (wins, takes) = (yes(wins && turn.lead.is_some()), yes(takes));
    // Whether the player must take all tricks to come, and whether there are too few for all players.
    let all = yes(turn.need >= turn.hand.len() as i8);
    let few = yes(turn.spare < turn.need);
    [
        higher,
        lower,
        yes(top),
        yes(trump),
        yes(trump) * higher,
        turn.hand.in_suit(card.suit()).len() as f64,
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
pub fn chance(turn: &WhistTurn, card: Card) -> f64 {
    let weights = &table::TABLE[kind(turn)];
    chance_among(turn.legal, card, weights, |card| counts(turn, card))
}
