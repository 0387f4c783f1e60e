//! Cards as text: `Ab`, `Th`; sets `AX4b9l`; lists `4b.Ab`.

use arrayvec::ArrayVec;
use cards::{BySeat, Card, CardSet, Pack, Suit};

use super::{NotationFault, Text};
use crate::rules::Rules;

/// A card: its rank, then its suit.
pub fn card_text(pack: Pack, card: Card) -> String {
    [pack.rank_letter(card.rank()), pack.suit_letter(card.suit())].into_iter().collect()
}

/// A set: the ranks of each suit, highest first, then the suit; `-` if empty.
pub fn set_text(pack: Pack, set: CardSet) -> String {
    if set.is_empty() {
        return "-".into();
    }
    let mut text = String::new();
    for suit in Suit::ALL {
        let of_suit = set.in_suit(suit);
        text.extend(of_suit.iter().rev().map(|card| pack.rank_letter(card.rank())));
        text.extend((!of_suit.is_empty()).then(|| pack.suit_letter(suit)));
    }
    text
}

/// Cards in order, between dots; `-` if there are none.
pub fn list_text(pack: Pack, cards: &[Card]) -> String {
    if cards.is_empty() {
        return "-".into();
    }
    cards.iter().map(|card| card_text(pack, *card)).collect::<Vec<_>>().join(".")
}

/// The card that a text names.
pub fn parse_card(pack: Pack, text: &str) -> Result<Card, NotationFault> {
    card(pack, Text::new(text, 1))
}

/// The set that a text names.
pub fn parse_set(pack: Pack, text: &str) -> Result<CardSet, NotationFault> {
    set(pack, Text::new(text, 1))
}

/// All hands in a text, and the part of each on which the bids are made.
pub fn parse_all_hands(
    rules: &Rules,
    text: &str,
) -> Result<(BySeat<CardSet>, BySeat<CardSet>), NotationFault> {
    parse_hands(rules, Text::new(text, 1))
}

/// The possible ranks and suits of a card, for error messages.
fn letters(pack: Pack) -> (String, String) {
    let ranks = pack.cards().in_suit(Suit::Bell).iter().rev();
    let ranks: Vec<String> = ranks.map(|card| pack.rank_letter(card.rank()).into()).collect();
    let suits = Suit::ALL.map(|suit| String::from(pack.suit_letter(suit)));
    (format!("a rank ({})", ranks.join(" ")), format!("a suit ({})", suits.join(" ")))
}

pub(crate) fn card(pack: Pack, mut text: Text<'_>) -> Result<Card, NotationFault> {
    let no_rank = || text.expected(letters(pack).0);
    let rank = text.peek().and_then(|c| pack.rank_of(c)).ok_or_else(no_rank)?;
    text.next();
    let no_suit = || text.expected(letters(pack).1);
    let suit = text.peek().and_then(|c| pack.suit_of(c)).ok_or_else(no_suit)?;
    text.next();
    text.end("nothing after the card")?;
    Ok(Card::new(rank, suit))
}

pub(crate) fn set(pack: Pack, mut text: Text<'_>) -> Result<CardSet, NotationFault> {
    if text.rest == "-" {
        return Ok(CardSet::EMPTY);
    }
    let ranks = || letters(pack).0;
    let suits = || letters(pack).1;
    let mut found = CardSet::EMPTY;
    let mut ranks_read: ArrayVec<_, 13> = ArrayVec::new();
    loop {
        let here = text;
        let Some(letter) = text.next() else { break };
        if let Some(rank) = pack.rank_of(letter) {
            ranks_read.try_push(rank).map_err(|_| here.expected(suits()))?;
        } else if let (Some(suit), false) = (pack.suit_of(letter), ranks_read.is_empty()) {
            for rank in ranks_read.drain(..) {
                let card = Card::new(rank, suit);
                if found.contains(card) {
                    return Err(here.expected(format!("{} only once", card_text(pack, card))));
                }
                found.insert(card);
            }
        } else if ranks_read.is_empty() {
            return Err(here.expected(ranks()));
        } else {
            return Err(here.expected(format!("{} or {}", ranks(), suits())));
        }
    }
    if !ranks_read.is_empty() {
        return Err(text.expected(suits()));
    }
    if found.is_empty() {
        Err(text.expected(format!("{}, or - for no cards", ranks())))
    } else {
        Ok(found)
    }
}

/// Cards between dots, each with its place, and whether it is marked with `!`.
pub(crate) fn list<'a>(
    pack: Pack,
    text: Text<'a>,
    most: usize,
) -> Result<Vec<(Card, bool, Text<'a>)>, NotationFault> {
    if text.rest == "-" {
        return Ok(Vec::new());
    }
    let mut cards = Vec::new();
    for piece in text.pieces('.') {
        if cards.len() == most {
            return Err(piece.expected(format!("no more than {most} cards")));
        }
        let mut name = piece;
        let called = piece.rest.ends_with('!');
        name.rest = piece.rest.strip_suffix('!').unwrap_or(piece.rest);
        cards.push((card(pack, name)?, called, piece));
    }
    Ok(cards)
}

/// The cards of a stock between dots, the next to be drawn first.
pub(crate) fn stock(pack: Pack, text: Text<'_>) -> Result<ArrayVec<Card, 8>, NotationFault> {
    let mut cards = ArrayVec::new();
    for (card, called, place) in list(pack, text, 8)? {
        if called {
            return Err(place.expected("a card without !"));
        }
        cards.push(card);
    }
    Ok(cards)
}

/// All hands as they were dealt; with `+` between the cards on which the bids are
/// made and the rest.
pub fn hands_text(pack: Pack, hands: &BySeat<CardSet>, opening: &BySeat<CardSet>) -> String {
    let mut texts = Vec::new();
    for (seat, hand) in hands.entries() {
        texts.push(if opening[seat] == *hand {
            set_text(pack, *hand)
        } else {
            format!("{}+{}", set_text(pack, opening[seat]), set_text(pack, *hand - opening[seat]))
        });
    }
    texts.join("/")
}

/// All hands, and the part of each on which the bids are made.
pub(crate) fn parse_hands(
    rules: &Rules,
    text: Text<'_>,
) -> Result<(BySeat<CardSet>, BySeat<CardSet>), NotationFault> {
    let pack = rules.pack();
    let both = text.each(rules.players(), "hands", |mut hand| {
        let parts = hand.rest.contains('+');
        let opening = set(pack, hand.split('+'))?;
        let here = hand;
        let rest = if parts { set(pack, hand)? } else { CardSet::EMPTY };
        if let Some(card) = (opening & rest).lowest() {
            return Err(here.expected(format!("{} only once", card_text(pack, card))));
        }
        Ok((opening, opening | rest))
    })?;
    Ok((both.map(|(_, hand)| hand), both.map(|(opening, _)| opening)))
}
