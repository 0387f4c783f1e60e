//! The cards of a deal of whist as relative ranks, with sets of the same shape merged.
//!
//! Only the holders of the highest card of a suit, the next, and so on, matter.
//! When a search begins, the cards in the hands become lanes of 16 bits, one per
//! suit, with no gaps. Between two tricks the cards left are replaced by the
//! strongest set of the same shape, so that equivalent positions become equal
//! numbers.

use arrayvec::ArrayVec;
use cards::{Card, CardSet, Suit};

/// Bits from one suit to the next.
pub(super) const LANE: u32 = 16;
/// All places of the first suit.
const FIRST_LANE: u64 = 0xFFFF;

/// All places of a suit.
#[inline]
pub(super) const fn lane(suit: u32) -> u64 {
    FIRST_LANE << (LANE * suit)
}

/// The suit of a place.
#[inline]
pub(super) const fn suit_of(card: u64) -> u32 {
    card.trailing_zeros() / LANE
}

/// The lowest card of a set.
#[inline]
pub(super) const fn lowest(cards: u64) -> u64 {
    cards & cards.wrapping_neg()
}

/// In every suit, all places up to the highest card of the set.
#[inline]
pub(super) const fn up_to(set: u64) -> u64 {
    // A lane's lowest bits must not run into the lane below.
    const KEEP_1: u64 = 0x7FFF_7FFF_7FFF_7FFF;
    const KEEP_2: u64 = 0x3FFF_3FFF_3FFF_3FFF;
    const KEEP_4: u64 = 0x0FFF_0FFF_0FFF_0FFF;
    const KEEP_8: u64 = 0x00FF_00FF_00FF_00FF;
    let set = set | set >> 1 & KEEP_1;
    let set = set | set >> 2 & KEEP_2;
    let set = set | set >> 4 & KEEP_4;
    set | set >> 8 & KEEP_8
}

/// The cards of a deal by their places.
#[derive(Clone)]
pub(super) struct Lanes {
    /// For each suit, the card of each place.
    cards: [ArrayVec<Card, 13>; 4],
}

impl Lanes {
    pub(super) fn new(all: CardSet) -> Lanes {
        Lanes { cards: Suit::ALL.map(|suit| all.in_suit(suit).iter().collect()) }
    }

    /// The places of some of the cards.
    pub(super) fn places(&self, set: CardSet) -> u64 {
        let place = |card: Card| {
            let at = self.cards[card.suit() as usize].iter().position(|other| *other == card);
            at.map_or(0, |at| 1 << (at as u32 + LANE * card.suit() as u32))
        };
        set.iter().map(place).sum()
    }

    /// How many cards are in the lane of a suit.
    pub(super) fn len(&self, suit: u32) -> u32 {
        self.cards[suit as usize].len() as u32
    }

    /// The card of a place.
    pub(super) fn card(&self, place: u64) -> Option<Card> {
        let lane = self.cards.get(suit_of(place) as usize)?;
        lane.get((place.trailing_zeros() % LANE) as usize).copied()
    }
}

/// The strongest set of the same shape, for every set that may be left.
#[derive(Clone, Default)]
pub(super) struct Shapes {
    strongest: [Vec<u16>; 4],
    /// The first bit of each lane when the lanes are packed without gaps, for keys.
    shifts: [u32; 4],
}

impl Shapes {
    /// Sets the hands of a deal.
    pub(super) fn set_hands<const N: usize>(&mut self, lanes: &Lanes, hands: &[u64; N]) {
        let mut shift = 0;
        for suit in 0..4 {
            let own: [u16; N] = hands.map(|hand| (hand >> (LANE * suit)) as u16);
            fill(&mut self.strongest[suit as usize], lanes.len(suit), &own);
            self.shifts[suit as usize] = shift;
            shift += lanes.len(suit);
        }
    }

    /// The strongest set of the same shape as this one.
    #[inline]
    pub(super) fn strongest(&self, left: u64) -> u64 {
        let of = |suit: u32| {
            let lane = (left >> (LANE * suit)) as u16;
            u64::from(self.strongest[suit as usize][usize::from(lane)]) << (LANE * suit)
        };
        of(0) | of(1) | of(2) | of(3)
    }

    /// The set in as few bits as there are cards.
    #[inline]
    pub(super) fn packed(&self, left: u64) -> u64 {
        let of = |suit: u32| (left >> (LANE * suit) & FIRST_LANE) << self.shifts[suit as usize];
        of(0) | of(1) | of(2) | of(3)
    }
}

/// Fills the table of one suit of `len` cards: the entry of a set without its lowest
/// card is known already, and the lowest card moves up as far as its owner has cards.
fn fill<const N: usize>(strongest: &mut Vec<u16>, len: u32, hands: &[u16; N]) {
    strongest.clear();
    strongest.push(0);
    for set in 1..1u32 << len {
        let set = set as u16;
        let lowest = set & set.wrapping_neg();
        let above = strongest[usize::from(set ^ lowest)];
        let owner = hands.iter().find(|hand| **hand & lowest != 0).copied().unwrap_or(lowest);
        let below = match above & above.wrapping_neg() {
            0 => owner,
            next => owner & (next - 1),
        };
        strongest.push(above | 1 << (15 - below.leading_zeros()));
    }
}
