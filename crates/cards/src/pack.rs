//! The packs of cards, with their notation.

use crate::card::{Rank, Suit};
use crate::set::CardSet;

/// A pack of cards.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Pack {
    /// The Hungarian pack without sevens and eights: A, X, IV, III, II, IX of
    /// bell, leaf, acorn and heart, 24 cards.
    Hungarian,
    /// The French pack from the aces down to this rank.
    FrenchFrom(Rank),
}

impl Pack {
    /// Its cards.
    pub const fn cards(self) -> CardSet {
        match self {
            Pack::Hungarian => CardSet::ranks(&[
                Rank::Nine,
                Rank::Jack,
                Rank::Queen,
                Rank::King,
                Rank::Zaca,
                Rank::Ace,
            ]),
            Pack::FrenchFrom(lowest) => {
                let mut cards = CardSet::EMPTY.bits();
                let mut at = lowest as usize;
                while at < Rank::ALL.len() {
                    if !matches!(Rank::ALL[at], Rank::Zaca) {
                        cards |= CardSet::ranks(&[Rank::ALL[at]]).bits();
                    }
                    at += 1;
                }
                match CardSet::from_bits(cards) {
                    Some(cards) => cards,
                    None => CardSet::EMPTY,
                }
            }
        }
    }

    /// Whether its faces are Hungarian: bell, leaf, acorn, heart and II, III, IV.
    pub const fn is_hungarian(self) -> bool {
        matches!(self, Pack::Hungarian)
    }

    /// The letter of a suit in this pack's notation.
    pub const fn suit_letter(self, suit: Suit) -> char {
        match (self, suit) {
            (Pack::Hungarian, Suit::Bell) => 'b',
            (Pack::Hungarian, Suit::Leaf) => 'l',
            (Pack::Hungarian, Suit::Acorn) => 'a',
            (Pack::FrenchFrom(_), Suit::Bell) => 'c',
            (Pack::FrenchFrom(_), Suit::Leaf) => 's',
            (Pack::FrenchFrom(_), Suit::Acorn) => 'd',
            (_, Suit::Heart) => 'h',
        }
    }

    /// The letter or digit of a rank in this pack's notation.
    pub const fn rank_letter(self, rank: Rank) -> char {
        match (self, rank) {
            (_, Rank::Ace) => 'A',
            (_, Rank::Zaca) => 'X',
            (Pack::Hungarian, Rank::King) => '4',
            (Pack::Hungarian, Rank::Queen) => '3',
            (Pack::Hungarian, Rank::Jack) => '2',
            (_, Rank::King) => 'K',
            (_, Rank::Queen) => 'Q',
            (_, Rank::Jack) => 'J',
            (_, Rank::Ten) => 'T',
            (_, Rank::Nine) => '9',
            (_, Rank::Eight) => '8',
            (_, Rank::Seven) => '7',
            (_, Rank::Six) => '6',
            (_, Rank::Five) => '5',
            (_, Rank::Four) => '4',
            (_, Rank::Three) => '3',
        }
    }

    /// The suit with that letter.
    pub fn suit_of(self, letter: char) -> Option<Suit> {
        Suit::ALL.into_iter().find(|suit| self.suit_letter(*suit) == letter)
    }

    /// The rank with that letter, if this pack has cards of it.
    pub fn rank_of(self, letter: char) -> Option<Rank> {
        let held = self.cards().in_suit(Suit::Bell);
        held.iter().map(|card| card.rank()).find(|rank| self.rank_letter(*rank) == letter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pack_has_the_right_size() {
        assert_eq!(Pack::Hungarian.cards().len(), 24);
        for (lowest, size) in
            [(Rank::Nine, 24), (Rank::Seven, 32), (Rank::Five, 40), (Rank::Three, 48)]
        {
            assert_eq!(Pack::FrenchFrom(lowest).cards().len(), size);
        }
    }

    #[test]
    fn letters_identify_suits_and_ranks() {
        for pack in [Pack::Hungarian, Pack::FrenchFrom(Rank::Three)] {
            for card in pack.cards() {
                assert_eq!(pack.suit_of(pack.suit_letter(card.suit())), Some(card.suit()));
                assert_eq!(pack.rank_of(pack.rank_letter(card.rank())), Some(card.rank()));
            }
        }
        assert_eq!(Pack::Hungarian.rank_of('K'), None);
        assert_eq!(Pack::FrenchFrom(Rank::Nine).rank_of('8'), None);
    }
}
