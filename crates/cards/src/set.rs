//! A set of cards: one bit per card, one 16-bit lane per suit.

use core::fmt;
use core::iter::FusedIterator;
use core::ops::{BitAnd, BitOr, BitOrAssign, Not, Sub, SubAssign};

use crate::card::{Card, Rank, Suit};

/// The bits of a lane that represent a rank.
const LANE: u64 = (1 << Rank::ALL.len()) - 1;
/// Every card of every pack.
const EVERY: u64 = LANE | LANE << 16 | LANE << 32 | LANE << 48;

/// A set of cards.
///
/// Within a suit's lane the bits are in order of strength, so "the cards
/// that beat this one" is a mask and "the best of a suit" a leading-zero count.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct CardSet(u64);

impl CardSet {
    /// No cards.
    pub const EMPTY: CardSet = CardSet(0);

    /// The set with only this card.
    #[inline]
    pub const fn of(card: Card) -> CardSet {
        CardSet(1 << card.index())
    }

    /// Every card of a suit, of all packs.
    #[inline]
    pub const fn suit(suit: Suit) -> CardSet {
        CardSet(LANE << (16 * suit as u8))
    }

    /// The cards of these ranks in all suits.
    pub const fn ranks(ranks: &[Rank]) -> CardSet {
        let mut bits = 0;
        let mut at = 0;
        while at < ranks.len() {
            bits |= 0x0001_0001_0001_0001 << ranks[at] as u8;
            at += 1;
        }
        CardSet(bits)
    }

    /// The cards of `card`'s suit that are stronger than it.
    #[inline]
    pub const fn above(card: Card) -> CardSet {
        CardSet((u64::MAX << card.index() << 1) & CardSet::suit(card.suit()).0)
    }

    /// Whether there is no card in it.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many cards there are.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the card is in it.
    #[inline]
    pub const fn contains(self, card: Card) -> bool {
        self.0 >> card.index() & 1 == 1
    }

    /// Whether all cards of `other` are in it.
    #[inline]
    pub const fn contains_all(self, other: CardSet) -> bool {
        other.0 & !self.0 == 0
    }

    /// Adds a card.
    #[inline]
    pub fn insert(&mut self, card: Card) {
        self.0 |= 1 << card.index();
    }

    /// Removes a card; returns whether it was in the set.
    #[inline]
    pub fn remove(&mut self, card: Card) -> bool {
        let held = self.contains(card);
        self.0 &= !(1 << card.index());
        held
    }

    /// The same set with the card.
    #[inline]
    #[must_use]
    pub const fn with(self, card: Card) -> CardSet {
        CardSet(self.0 | 1 << card.index())
    }

    /// The same set without the card.
    #[inline]
    #[must_use]
    pub const fn without(self, card: Card) -> CardSet {
        CardSet(self.0 & !(1 << card.index()))
    }

    /// Its cards of one suit.
    #[inline]
    #[must_use]
    pub const fn in_suit(self, suit: Suit) -> CardSet {
        CardSet(self.0 & CardSet::suit(suit).0)
    }

    /// This set, or the other if this one is empty.
    #[inline]
    #[must_use]
    pub const fn or(self, other: CardSet) -> CardSet {
        if self.0 == 0 { other } else { self }
    }

    /// The card with the lowest index: the weakest of the first suit held.
    #[inline]
    pub const fn lowest(self) -> Option<Card> {
        if self.0 == 0 { None } else { Some(Card::from_bit(self.0.trailing_zeros())) }
    }

    /// The card with the highest index: the strongest of the last suit held.
    #[inline]
    pub const fn highest(self) -> Option<Card> {
        if self.0 == 0 { None } else { Some(Card::from_bit(63 - self.0.leading_zeros())) }
    }

    /// The `n`-th card from the lowest, counted from 0.
    #[inline]
    pub fn nth(self, mut n: usize) -> Option<Card> {
        // Testing both conditions keeps the compiler from unrolling a loop
        // that mostly runs once or twice.
        let mut bits = self.0;
        while n > 0 && bits != 0 {
            bits &= bits - 1;
            n -= 1;
        }
        CardSet(bits).lowest()
    }

    /// Its cards, lowest first.
    #[inline]
    pub const fn iter(self) -> Cards {
        Cards(self)
    }

    /// One bit per card, at [`Card::index`]; for hashing and tables.
    #[inline]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The set with these [`bits`](CardSet::bits), if all of them are cards.
    #[inline]
    pub const fn from_bits(bits: u64) -> Option<CardSet> {
        if bits & !EVERY == 0 { Some(CardSet(bits)) } else { None }
    }
}

impl BitAnd for CardSet {
    type Output = CardSet;
    #[inline]
    fn bitand(self, other: CardSet) -> CardSet {
        CardSet(self.0 & other.0)
    }
}

impl BitOr for CardSet {
    type Output = CardSet;
    #[inline]
    fn bitor(self, other: CardSet) -> CardSet {
        CardSet(self.0 | other.0)
    }
}

impl BitOrAssign for CardSet {
    #[inline]
    fn bitor_assign(&mut self, other: CardSet) {
        self.0 |= other.0;
    }
}

impl Sub for CardSet {
    type Output = CardSet;
    #[inline]
    fn sub(self, other: CardSet) -> CardSet {
        CardSet(self.0 & !other.0)
    }
}

impl SubAssign for CardSet {
    #[inline]
    fn sub_assign(&mut self, other: CardSet) {
        self.0 &= !other.0;
    }
}

impl Not for CardSet {
    type Output = CardSet;
    #[inline]
    fn not(self) -> CardSet {
        CardSet(!self.0 & EVERY)
    }
}

impl FromIterator<Card> for CardSet {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> CardSet {
        cards.into_iter().fold(CardSet::EMPTY, CardSet::with)
    }
}

impl IntoIterator for CardSet {
    type Item = Card;
    type IntoIter = Cards;
    #[inline]
    fn into_iter(self) -> Cards {
        self.iter()
    }
}

impl fmt::Debug for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// The cards of a set, lowest first.
#[derive(Clone, Debug)]
pub struct Cards(CardSet);

impl Iterator for Cards {
    type Item = Card;

    #[inline]
    fn next(&mut self) -> Option<Card> {
        let card = self.0.lowest()?;
        self.0.0 &= self.0.0 - 1;
        Some(card)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len(), Some(self.0.len()))
    }
}

impl DoubleEndedIterator for Cards {
    fn next_back(&mut self) -> Option<Card> {
        let card = self.0.highest()?;
        self.0.remove(card);
        Some(card)
    }
}

impl ExactSizeIterator for Cards {}
impl FusedIterator for Cards {}

#[cfg(test)]
mod tests {
    use super::*;

    fn every() -> CardSet {
        CardSet(EVERY)
    }

    #[test]
    fn above_means_same_suit_and_stronger() {
        for card in every() {
            let stronger: CardSet =
                every().iter().filter(|c| c.suit() == card.suit() && *c > card).collect();
            assert_eq!(CardSet::above(card), stronger, "{card:?}");
        }
    }

    #[test]
    fn a_set_lists_its_cards_in_order() {
        assert_eq!(every().len(), 52);
        assert_eq!(every().iter().collect::<CardSet>(), every());
        assert_eq!(every().iter().rev().count(), 52);
        assert!(every().iter().zip(every().iter().skip(1)).all(|(a, b)| a < b));
        for (at, card) in every().iter().enumerate() {
            assert_eq!(every().nth(at), Some(card));
            let later = every().iter().skip(at).step_by(3).collect::<CardSet>();
            assert!((0..later.len()).all(|n| later.nth(n) == later.iter().nth(n)));
        }
        assert_eq!(every().nth(52), None);
        assert_eq!(CardSet::EMPTY.highest(), None);
    }

    #[test]
    fn the_suits_partition_the_cards() {
        let parts = Suit::ALL.map(|suit| every().in_suit(suit).len());
        assert_eq!(parts, [13; 4]);
        assert_eq!(!CardSet::suit(Suit::Bell) | CardSet::suit(Suit::Bell), every());
        assert_eq!(CardSet::from_bits(1 << 13), None);
    }
}
