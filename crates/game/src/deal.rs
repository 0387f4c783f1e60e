//! Dealing: a seed becomes a shuffled pack, and a pack becomes hands (C4, C5, W2, W3).
//!
//! The shuffle is fixed, so that a deal can be verified in any language
//! (`docs/notation.md` describes it, `corpus/deals.golden` has examples):
//! ChaCha20 keyed with the seed, stream 0 for the draw of the first seat and
//! stream k for the k-th deal; Fisher–Yates from the last card down; each
//! index drawn by multiplication with rejection, so that all orders are equally
//! likely.

use arrayvec::ArrayVec;
use cards::{BySeat, Card, CardSet, Rank, Seat, Suit};
use chacha20::ChaCha20Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use thiserror::Error;

use crate::rules::Rules;

/// The source of all randomness of a match.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Seed(pub [u8; 32]);

impl core::fmt::Debug for Seed {
    /// Hides the value, because a seed reveals every card of its match.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Seed(…)")
    }
}

/// A random stream, one of many of a seed.
#[derive(Debug)]
pub struct RandomStream(ChaCha20Rng);

impl RandomStream {
    /// The stream with this number.
    pub fn new(seed: Seed, stream: u64) -> RandomStream {
        let mut cipher = ChaCha20Rng::from_seed(seed.0);
        cipher.set_stream(stream);
        RandomStream(cipher)
    }

    /// A uniform number below `bound`, which must not be 0.
    ///
    /// It is the high half of a 32-bit draw times the bound. It is drawn again
    /// if the low half shows that it falls into the part that does not divide
    /// evenly.
    #[inline]
    pub fn below(&mut self, bound: usize) -> usize {
        let bound = bound as u32;
        loop {
            let product = u64::from(self.0.next_u32()) * u64::from(bound);
            let low = product as u32;
            if low >= bound || low >= bound.wrapping_neg() % bound {
                return (product >> 32) as usize;
            }
        }
    }

    /// A uniform number below `bound`, which must not be 0 and may have more
    /// than 32 bits.
    ///
    /// Above 32 bits it draws as many bits as the largest result has, high ones
    /// first, and draws again if the number is too large, which happens less
    /// than half of the time.
    pub fn below_wide(&mut self, bound: u128) -> u128 {
        if let Ok(narrow) = u32::try_from(bound) {
            return self.below(narrow as usize) as u128;
        }
        let bits = u128::BITS - (bound - 1).leading_zeros();
        let words = bits.div_ceil(32);
        loop {
            let wide =
                (0..words).fold(0, |high: u128, _| high << 32 | u128::from(self.0.next_u32()));
            let drawn = wide >> (32 * words - bits);
            if drawn < bound {
                return drawn;
            }
        }
    }

    /// Fisher–Yates, from the last element down.
    #[inline]
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for at in (1..things.len()).rev() {
            things.swap(at, self.below(at + 1));
        }
    }
}

/// The cards of one deal: the hands, the stock and the turned card.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deal {
    /// All cards that each seat is dealt.
    pub hands: BySeat<CardSet>,
    /// The part of each hand on which the bids are made (C6): all of it, or
    /// three cards if the rules say so.
    pub opening: BySeat<CardSet>,
    /// The face-down cards of Cruce with two players, the next to be drawn first (C5).
    pub stock: ArrayVec<Card, 8>,
    /// The card turned up for trump in whist (W3).
    pub turned: Option<Card>,
}

/// Why some cards are not a deal of these rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum DealFault {
    /// Too many or too few hands.
    #[error("{expected} hands are needed, not {found}")]
    WrongHands {
        /// How many seats there are.
        expected: usize,
        /// How many hands were given.
        found: usize,
    },
    /// A hand of the wrong size.
    #[error("{seat:?} must get {expected} cards, not {found}")]
    WrongCount {
        /// The seat that holds it.
        seat: Seat,
        /// How many cards each seat gets.
        expected: usize,
        /// How many it got.
        found: usize,
    },
    /// A card that the pack does not have.
    #[error("{card:?} is not in the pack")]
    NotInPack {
        /// The card.
        card: Card,
    },
    /// A card in two places.
    #[error("{card:?} appears twice")]
    Twice {
        /// The card.
        card: Card,
    },
    /// Bids are made on a wrong number of cards.
    #[error("{seat:?} must bid on {expected} of its own cards")]
    WrongOpening {
        /// The seat that holds it.
        seat: Seat,
        /// How many.
        expected: usize,
    },
    /// A stock of the wrong size.
    #[error("the stock must have {expected} cards, not {found}")]
    WrongStock {
        /// How many it should have.
        expected: usize,
        /// How many it has.
        found: usize,
    },
    /// No card was turned up in a deal with trump.
    #[error("a card must be turned up for trump")]
    NoneTurned,
    /// A card was turned up in a deal without trump.
    #[error("no card is turned up in this deal")]
    NoTrumpHere,
    /// There is no such deal in the match.
    #[error("there is no such deal")]
    NoSuchDeal,
}

impl Deal {
    /// Deals a pack, one card at a time, beginning with `first` (C5, W2).
    ///
    /// The pack must have all its cards, and `cards_each` be a number that the
    /// rules deal.
    pub fn from_pack(rules: &Rules, cards_each: usize, first: Seat, pack: &[Card]) -> Deal {
        let players = rules.players();
        let dealt = cards_each * players;
        let dealt_to = |seat: Seat, rounds: usize| {
            let mut hand = CardSet::EMPTY;
            let mut at = seat.steps_from(first, players);
            while at < rounds * players {
                hand.insert(pack[at]);
                at += players;
            }
            hand
        };
        let hands = BySeat::from_fn(players, |seat| dealt_to(seat, cards_each));
        let opening = match rules.opening(cards_each) {
            all if all == cards_each => hands,
            some => BySeat::from_fn(players, |seat| dealt_to(seat, some)),
        };
        let (stock, turned) = match rules {
            Rules::Cruce(rules) => {
                (pack[dealt..].iter().take(rules.stock()).copied().collect(), None)
            }
            Rules::Whist(rules) => {
                let turned = rules.turns_trump(cards_each).then(|| pack[dealt]);
                (ArrayVec::new(), turned)
            }
        };
        Deal { hands, opening, stock, turned }
    }

    /// Checks that these cards can be the `number`-th deal of the rules, counted from 0.
    pub fn check(&self, rules: &Rules, number: usize) -> Result<(), DealFault> {
        let cards_each = rules.cards_each(number).ok_or(DealFault::NoSuchDeal)?;
        let players = rules.players();
        if self.hands.len() != players || self.opening.len() != players {
            return Err(DealFault::WrongHands { expected: players, found: self.hands.len() });
        }
        let mut seen = CardSet::EMPTY;
        let mut check_once = |cards: &mut dyn Iterator<Item = Card>| {
            for card in cards {
                if !rules.pack().cards().contains(card) {
                    return Err(DealFault::NotInPack { card });
                }
                if seen.contains(card) {
                    return Err(DealFault::Twice { card });
                }
                seen.insert(card);
            }
            Ok(())
        };
        for hand in self.hands.iter() {
            check_once(&mut hand.iter())?;
        }
        check_once(&mut self.stock.iter().copied())?;
        check_once(&mut self.turned.into_iter())?;
        let expected_opening = rules.opening(cards_each);
        for (seat, hand) in self.hands.entries() {
            let (expected, found) = (cards_each, hand.len());
            if found != expected {
                return Err(DealFault::WrongCount { seat, expected, found });
            }
            let opening = self.opening[seat];
            if opening.len() != expected_opening || !hand.contains_all(opening) {
                return Err(DealFault::WrongOpening { seat, expected: expected_opening });
            }
        }
        let (stock, turns) = match rules {
            Rules::Cruce(rules) => (rules.stock(), false),
            Rules::Whist(rules) => (0, rules.turns_trump(cards_each)),
        };
        match (turns, self.turned) {
            _ if self.stock.len() != stock => {
                Err(DealFault::WrongStock { expected: stock, found: self.stock.len() })
            }
            (true, None) => Err(DealFault::NoneTurned),
            (false, Some(_)) => Err(DealFault::NoTrumpHere),
            _ => Ok(()),
        }
    }

    /// The trump that the deal itself fixes (W3).
    pub fn trump(&self) -> Option<Suit> {
        self.turned.map(Card::suit)
    }
}

/// Deals every deal of a match from its seed.
#[derive(Clone, Debug)]
pub struct Dealer {
    rules: Rules,
    seed: Seed,
    /// The pack before every shuffle: suit by suit, weakest first.
    sorted: [Card; 48],
    /// The size of the pack; what follows in `sorted` is padding.
    cards: usize,
}

impl Dealer {
    /// The dealer of a match.
    pub fn new(rules: Rules, seed: Seed) -> Dealer {
        let pack = rules.pack().cards();
        let mut sorted = [Card::new(Rank::Ace, Suit::Heart); 48];
        for (place, card) in sorted.iter_mut().zip(pack) {
            *place = card;
        }
        Dealer { rules, seed, sorted, cards: pack.len() }
    }

    /// The seat that bids first in the first deal: in Cruce the seat after the
    /// dealer drawn (C4), in whist the seat drawn (W2).
    pub fn first_seat(&self) -> Seat {
        let players = self.rules.players();
        let drawn = RandomStream::new(self.seed, 0).below(players);
        let seat = Seat::new(drawn).unwrap_or_default();
        match self.rules {
            Rules::Cruce(_) => seat.next(players),
            Rules::Whist(_) => seat,
        }
    }

    /// The shuffled pack of the `number`-th deal, counted from 0.
    pub fn pack(&self, number: usize) -> ArrayVec<Card, 48> {
        let mut pack = ArrayVec::from(self.sorted);
        pack.truncate(self.cards);
        RandomStream::new(self.seed, number as u64 + 1).shuffle(&mut pack);
        pack
    }

    /// The `number`-th deal, counted from 0, beginning with `first`;
    /// `None` if the match has no such deal.
    pub fn deal(&self, number: usize, first: Seat) -> Option<Deal> {
        let cards_each = self.rules.cards_each(number)?;
        Some(Deal::from_pack(&self.rules, cards_each, first, &self.pack(number)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_draws_are_uniform() {
        let lots = || RandomStream::new(Seed([7; 32]), 0);
        let (mut wide, mut narrow) = (lots(), lots());
        assert!(
            (1..999).all(|bound| wide.below_wide(bound) == narrow.below(bound as usize) as u128)
        );
        // Ten equal parts of a bound that is no power of two, each hit about 1,000 times.
        for bound in [10 << 40, 10 << 64, 10 << 120] {
            let mut hits = [0; 10];
            (0..10_000).for_each(|_| hits[(wide.below_wide(bound) / (bound / 10)) as usize] += 1);
            assert!(hits.iter().all(|hits| (850..1150).contains(hits)), "{hits:?}");
        }
        assert!(wide.below_wide(u128::MAX) > u128::from(u64::MAX));
    }
}
