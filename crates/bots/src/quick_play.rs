//! Quick play from a look at the own hand and the trick.
//!
//! It considers no other hand. It continues positions until they are small enough to be solved, and
//! the weaker levels use it.

use cards::{BySeat, Card, CardSet, Rank, Seat};
use game::{cruce, whist};

/// A trick with this many points is worth a trump.
const PAYS: u8 = 10;

/// The card of quick play in Cruce: calls and aces first; to the own side's trick an expensive card,
/// to the others' a cheap one.
pub(crate) fn cruce(play: &cruce::Play) -> Option<Card> {
    let seat = play.turn()?;
    let (hand, legal) = (play.hand(seat), play.legal());
    let Some(lead) = play.lead() else {
        let called = cruce::callable(hand);
        let aces = legal & CardSet::ranks(&[Rank::Ace]);
        return dearest(called).or(dearest(aces)).or(cheapest(legal));
    };
    let trump = play.trump();
    let winning: CardSet = legal.iter().filter(|card| card.beats(lead.best, trump)).collect();
    if !play.stock().is_empty() {
        // Without duties a trump is played only to a valuable trick (C13).
        let plain = trump.map_or(winning, |trump| winning - CardSet::suit(trump));
        let ruff = if play.on_table() >= PAYS { cheapest(winning) } else { None };
        return dearest(plain).or(ruff).or(cheapest(legal));
    }
    let spare = if play.side_of(lead.winner) == play.side_of(seat) {
        dearest(legal)
    } else {
        cheapest(legal)
    };
    dearest(winning).or(spare)
}

/// The card of quick play in whist for a player who still needs `need` tricks.
pub(crate) fn whist(play: &whist::Play, need: i8) -> Option<Card> {
    let seat = play.turn()?;
    let legal = play.legal();
    let trump = play.trump();
    let Some(lead) = play.lead() else {
        return if need > 0 { strongest(legal, trump) } else { weakest(legal, trump) };
    };
    let winning: CardSet = legal.iter().filter(|card| card.beats(lead.best, trump)).collect();
    let losing = legal - winning;
    let last = play.laid() + 1 == play.players();
    debug_assert!(play.hand(seat).contains_all(legal));
    if need > 0 {
        let taking = if last { weakest(winning, trump) } else { strongest(winning, trump) };
        taking.or(weakest(legal, trump))
    } else if last && losing.is_empty() {
        strongest(winning, trump)
    } else {
        strongest(losing, trump).or(weakest(winning, trump))
    }
}

/// The number of tricks that a seat of whist still needs.
pub(crate) fn need(play: &whist::Play, bids: &BySeat<u8>, seat: Seat) -> i8 {
    bids[seat] as i8 - play.taken(seat) as i8
}

fn dearest(cards: CardSet) -> Option<Card> {
    cards.iter().max_by_key(|card| (card.rank(), *card))
}

fn cheapest(cards: CardSet) -> Option<Card> {
    cards.iter().min_by_key(|card| (card.rank(), *card))
}

/// Orders trumps above all other cards, then by rank.
fn strength(card: Card, trump: Option<cards::Suit>) -> (bool, Rank, Card) {
    (Some(card.suit()) == trump, card.rank(), card)
}

fn strongest(cards: CardSet, trump: Option<cards::Suit>) -> Option<Card> {
    cards.iter().max_by_key(|card| strength(*card, trump))
}

fn weakest(cards: CardSet, trump: Option<cards::Suit>) -> Option<Card> {
    cards.iter().min_by_key(|card| strength(*card, trump))
}
