//! The 24 cards of Cruce in 24 bits: a row of four suits for each rank, the
//! weakest rank lowest.
//!
//! So the order of bits is the order of worth in all suits at once, and a property
//! of each suit ("above every card of the others") is computed for all four
//! together.

use cards::{Card, CardSet, Rank, Suit};

/// Bits from one rank to the next.
pub(super) const ROW: u32 = 4;
/// All cards of the first suit; the others are one, two and three bits higher.
const FIRST_SUIT: u32 = 0x11_1111;
/// III of every suit; IV is the next row (C10).
pub(super) const THREES: u32 = 0xF00;

const TWOS: u32 = 0xF0;
const FOURS: u32 = 0xF000;
const TENS: u32 = 0xF_0000;
const ACES: u32 = 0xF0_0000;

/// The worth of each card, by its bit (C1).
const WORTH: [u8; 32] = {
    let mut worth = [0; 32];
    let mut at = 0;
    while at < 24 {
        worth[at] = [0, 2, 3, 4, 10, 11][at / 4];
        at += 1;
    }
    worth
};

/// The ranks of the rows.
const RANKS: [Rank; 6] = [Rank::Nine, Rank::Jack, Rank::Queen, Rank::King, Rank::Zaca, Rank::Ace];

/// A set of Hungarian cards in rows.
pub(super) fn rows(set: CardSet) -> u32 {
    // The lanes of a set are 16 bits apart; one multiplication moves the four bits
    // of a rank together.
    let row = |(at, rank): (usize, &Rank)| {
        let rank = set.bits() >> *rank as u32 & 0x0001_0001_0001_0001;
        let suits = rank.wrapping_mul(0x0001_0002_0004_0008) >> 48;
        (suits as u32 & 0xF) << (4 * at)
    };
    RANKS.iter().enumerate().map(row).sum()
}

/// The card of this bit.
pub(super) fn card_at(place: u32) -> Option<Card> {
    let rank = RANKS.get((place / ROW) as usize)?;
    Suit::ALL.get((place % ROW) as usize).map(|suit| Card::new(*rank, *suit))
}

/// All cards of the suit with this index.
#[inline]
pub(super) const fn suit(at: u32) -> u32 {
    FIRST_SUIT << at
}

/// The index of a card's suit.
#[inline]
pub(super) const fn suit_of(card: u32) -> u32 {
    card.trailing_zeros() & 3
}

/// The worth of a card.
#[inline]
pub(super) const fn worth(card: u32) -> u8 {
    WORTH[(card.trailing_zeros() & 31) as usize]
}

/// The worth of a set, computed by the binary digits of 11, 10, 4, 3 and 2.
#[inline]
pub(super) const fn points(set: u32) -> i32 {
    let eights = (set & (ACES | TENS)).count_ones();
    let fours = (set & FOURS).count_ones();
    let twos = (set & (ACES | TENS | THREES | TWOS)).count_ones();
    let ones = (set & (ACES | THREES)).count_ones();
    (8 * eights + 4 * fours + 2 * twos + ones) as i32
}

/// In every suit, all cards up to the highest one of the set.
#[inline]
pub(super) const fn up_to(set: u32) -> u32 {
    let set = set | set >> ROW;
    let set = set | set >> (2 * ROW);
    set | set >> (4 * ROW)
}

/// III of every pair in a hand (C10).
#[inline]
pub(super) const fn pairs(hand: u32) -> u32 {
    hand & hand >> ROW & THREES
}

/// A suit's cards as a number below 64, unique for every set, in no particular
/// order. The six bits are four apart; one multiplication moves them together.
#[inline]
pub(super) const fn lane(set: u32, suit: u32) -> usize {
    ((set >> suit & FIRST_SUIT).wrapping_mul(0x3412_0800) >> 26) as usize
}

/// For two [lanes](lane) with the same number of cards, compared card by card from
/// the strongest down: the sum of the differences where the second is worth more,
/// and the sum where it is worth less.
pub(super) static APART: [(u8, u8); 4096] = {
    let mut apart = [(0, 0); 4096];
    let mut a = 0;
    while a < 64 {
        let mut b = 0;
        while b < 64 {
            let (mut more, mut less) = (0, 0);
            let (mut left_a, mut left_b): (u32, u32) = (a, b);
            while left_a != 0 && left_b != 0 {
                let (at_a, at_b) = (31 - left_a.leading_zeros(), 31 - left_b.leading_zeros());
                let (worth_a, worth_b) = (WORTH[4 * at_a as usize], WORTH[4 * at_b as usize]);
                if worth_b > worth_a {
                    more += worth_b - worth_a;
                } else {
                    less += worth_a - worth_b;
                }
                left_a ^= 1 << at_a;
                left_b ^= 1 << at_b;
            }
            apart[lane(spread(a), 0) << 6 | lane(spread(b), 0)] = (more, less);
            b += 1;
        }
        a += 1;
    }
    apart
};

/// Moves six bits to a distance of four.
const fn spread(bits: u32) -> u32 {
    let (mut spread, mut at) = (0, 0);
    while at < 6 {
        spread |= (bits >> at & 1) << (ROW * at);
        at += 1;
    }
    spread
}
