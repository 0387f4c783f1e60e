//! One card: a suit and a rank in one byte, ordered by strength.

use core::fmt;

/// The four suits, named after the Hungarian pack that Cruce is played with.
///
/// French packs map onto them one to one: bell is clubs, leaf is spades,
/// acorn is diamonds and heart is hearts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Suit {
    /// Bell (dubă), clubs.
    Bell,
    /// Leaf (verde, frunză), spades.
    Leaf,
    /// Acorn (ghindă), diamonds.
    Acorn,
    /// Heart (roșu), hearts.
    Heart,
}

impl Suit {
    /// All suits in their fixed order.
    pub const ALL: [Suit; 4] = [Suit::Bell, Suit::Leaf, Suit::Acorn, Suit::Heart];

    #[inline]
    pub(crate) const fn from_bits(bits: u8) -> Suit {
        match bits & 3 {
            0 => Suit::Bell,
            1 => Suit::Leaf,
            2 => Suit::Acorn,
            _ => Suit::Heart,
        }
    }
}

/// The ranks of all packs in one order, weakest first.
///
/// The two packs disagree about the ten: in a French pack it stands below the
/// jack, in the Hungarian one above the king. They are two ranks here,
/// [`Rank::Ten`] and [`Rank::Zaca`], so that a rank's order is its strength
/// whatever the pack; no pack holds both.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Rank {
    /// 3
    Three,
    /// 4
    Four,
    /// 5
    Five,
    /// 6
    Six,
    /// 7
    Seven,
    /// 8
    Eight,
    /// 9, the Hungarian IX
    Nine,
    /// The ten of a French pack
    Ten,
    /// Jack, the Hungarian II
    Jack,
    /// Queen, the Hungarian III
    Queen,
    /// King, the Hungarian IV
    King,
    /// The ten of a Hungarian pack, X: only the ace beats it
    Zaca,
    /// Ace
    Ace,
}

impl Rank {
    /// All ranks, weakest first.
    pub const ALL: [Rank; 13] = [
        Rank::Three,
        Rank::Four,
        Rank::Five,
        Rank::Six,
        Rank::Seven,
        Rank::Eight,
        Rank::Nine,
        Rank::Ten,
        Rank::Jack,
        Rank::Queen,
        Rank::King,
        Rank::Zaca,
        Rank::Ace,
    ];
}

/// A card: its suit in the high bits, its rank in the low four.
///
/// The order of cards is suit by suit, and by strength within a suit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// The card of this rank and suit.
    #[inline]
    pub const fn new(rank: Rank, suit: Suit) -> Card {
        Card((suit as u8) << 4 | rank as u8)
    }

    /// Its suit.
    #[inline]
    pub const fn suit(self) -> Suit {
        Suit::from_bits(self.0 >> 4)
    }

    /// Its rank.
    #[inline]
    pub const fn rank(self) -> Rank {
        Rank::ALL[(self.0 & 15) as usize]
    }

    /// A number below 64, unique to the card, for tables indexed by card.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// The card with that [`index`](Card::index), if there is one.
    #[inline]
    pub const fn from_index(index: usize) -> Option<Card> {
        if index < 64 && index & 15 < Rank::ALL.len() { Some(Card(index as u8)) } else { None }
    }

    #[inline]
    pub(crate) const fn from_bit(bit: u32) -> Card {
        Card(bit as u8)
    }

    /// Whether this card takes the trick from `best`, the winning card so far:
    /// a higher card of the same suit, or a trump on any other suit.
    #[inline]
    pub fn beats(self, best: Card, trump: Option<Suit>) -> bool {
        // The result is hard to predict, so there is no branch to mispredict.
        let same_suit = (self.0 ^ best.0) & 0x30 == 0;
        (same_suit & (self.0 > best.0)) | (!same_suit & (Some(self.suit()) == trump))
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} of {:?}", self.rank(), self.suit())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_keeps_its_suit_and_rank() {
        for suit in Suit::ALL {
            for rank in Rank::ALL {
                let card = Card::new(rank, suit);
                assert_eq!((card.suit(), card.rank()), (suit, rank));
                assert_eq!(Card::from_index(card.index()), Some(card));
            }
        }
        assert_eq!((0..100).filter_map(Card::from_index).count(), 52);
    }

    #[test]
    fn a_card_beats_by_strength_or_by_trump() {
        let card = |rank, suit| Card::new(rank, suit);
        let king = card(Rank::King, Suit::Bell);
        assert!(card(Rank::Zaca, Suit::Bell).beats(king, None));
        assert!(!card(Rank::Nine, Suit::Bell).beats(king, Some(Suit::Bell)));
        assert!(card(Rank::Nine, Suit::Leaf).beats(king, Some(Suit::Leaf)));
        assert!(!card(Rank::Ace, Suit::Leaf).beats(king, Some(Suit::Heart)));
        assert!(!card(Rank::Ace, Suit::Leaf).beats(king, None));
    }
}
