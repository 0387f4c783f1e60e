//! The bidding of a deal (C6, W4): the bids so far, and the legal ones.

use arrayvec::ArrayVec;
use cards::{Card, Seat};

use crate::action::Illegal;
use crate::cruce::{AllPass, Contract};
use crate::rules::Rules;

/// Some of the bids from 0 to 8.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct BidSet(u16);

impl BidSet {
    /// The bids from `least` to `most`.
    #[inline]
    const fn range(least: u8, most: u8) -> BidSet {
        BidSet(((2 << most) - 1) & (u16::MAX << least))
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many there are.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the bid is among them.
    #[inline]
    pub const fn contains(self, bid: u8) -> bool {
        bid < 16 && self.0 >> bid & 1 == 1
    }

    /// The `n`-th bid from the lowest, counted from 0.
    #[inline]
    pub fn nth(self, n: usize) -> Option<u8> {
        let mut left = self.0;
        for _ in 0..n {
            left &= left.wrapping_sub(1);
        }
        (left != 0).then_some(left.trailing_zeros() as u8)
    }

    /// The bids, lowest first.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = u8> + Clone {
        let mut left = self.0;
        core::iter::from_fn(move || {
            let bid = (left != 0).then_some(left.trailing_zeros() as u8)?;
            left &= left - 1;
            Some(bid)
        })
    }
}

/// The bids of a deal so far, and the legal next ones.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Auction {
    game: AuctionKind,
    players: u8,
    cards_each: u8,
    turned: Option<Card>,
    /// In the order in which they were made.
    pub(crate) bids: ArrayVec<u8, 6>,
    /// The legal bids of the seat in turn.
    legal: BidSet,
}

/// The state of the bidding that depends on the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum AuctionKind {
    /// The highest bidder declares (C6).
    Cruce {
        most: u8,
        redeal: bool,
        highest: u8,
        /// How many bids came before the highest.
        before: u8,
    },
    /// Every player bids the number of tricks they will take (W4).
    Whist { sum: u8 },
}

impl Auction {
    /// The bidding before its first bid.
    #[inline]
    pub fn new(rules: &Rules, cards_each: usize, turned: Option<Card>) -> Auction {
        let cards_each = cards_each as u8;
        let (game, most) = match rules {
            Rules::Cruce(rules) => {
                let (most, redeal) = (rules.max_bid(), rules.spec().all_pass == AllPass::Redeal);
                (AuctionKind::Cruce { most, redeal, highest: 0, before: 0 }, most)
            }
            Rules::Whist(_) => (AuctionKind::Whist { sum: 0 }, cards_each),
        };
        let (players, bids) = (rules.players() as u8, ArrayVec::new_const());
        Auction { game, players, cards_each, turned, bids, legal: BidSet::range(0, most) }
    }

    /// How many cards each player holds at the start.
    pub const fn cards_each(&self) -> usize {
        self.cards_each as usize
    }

    /// The card turned up for trump (W3).
    pub const fn turned(&self) -> Option<Card> {
        self.turned
    }

    /// The bids so far, in the order in which they were made.
    #[inline]
    pub fn bids(&self) -> &[u8] {
        &self.bids
    }

    /// The bid of a seat, if `first` bid first.
    pub fn bid_of(&self, seat: Seat, first: Seat) -> Option<u8> {
        self.bids.get(seat.steps_from(first, self.players.into())).copied()
    }

    /// The highest bid of Cruce above a pass, and whose it is, if `first` bid first (C6).
    pub fn highest(&self, first: Seat) -> Option<(u8, Seat)> {
        match self.game {
            AuctionKind::Cruce { highest: bid, before, .. } if bid > 0 => {
                Some((bid, first.after(before.into(), self.players.into())))
            }
            _ => None,
        }
    }

    /// Whether every player has bid.
    #[inline]
    pub const fn is_over(&self) -> bool {
        self.bids.len() == self.players as usize
    }

    /// The legal bids of the seat in turn (C6, W4); empty when all have bid.
    #[inline]
    pub const fn legal(&self) -> BidSet {
        self.legal
    }

    /// Checks whether the seat in turn may make this bid.
    #[inline]
    pub fn check(&self, bid: u8) -> Result<(), Illegal> {
        if self.legal.contains(bid) { Ok(()) } else { Err(self.refusal(bid)) }
    }

    #[cold]
    fn refusal(&self, bid: u8) -> Illegal {
        match self.game {
            _ if self.is_over() => Illegal::NotBidding,
            AuctionKind::Cruce { most, .. } if bid > most => Illegal::BidTooHigh { most },
            AuctionKind::Cruce { highest, .. } => Illegal::BidTooLow { highest },
            AuctionKind::Whist { .. } if bid > self.cards_each => {
                Illegal::BidTooHigh { most: self.cards_each }
            }
            AuctionKind::Whist { .. } => Illegal::SumForbidden { bid },
        }
    }

    /// Makes a bid for the seat in turn, or returns why it is illegal.
    #[inline]
    pub fn bid(&mut self, bid: u8) -> Result<(), Illegal> {
        self.check(bid)?;
        let bids_before = self.bids.len() as u8;
        self.bids.push(bid);
        let legal = match &mut self.game {
            AuctionKind::Cruce { most, highest, before, .. } => {
                if bid > *highest {
                    (*highest, *before) = (bid, bids_before);
                }
                // Pass, or bid more (C6).
                BidSet(BidSet::range(*highest + 1, *most).0 | 1)
            }
            AuctionKind::Whist { sum } => {
                *sum += bid;
                // The last may not make the sum equal to the tricks (W4).
                let last = bids_before + 2 == self.players;
                let forbidden =
                    if last && *sum <= self.cards_each { 1 << (self.cards_each - *sum) } else { 0 };
                BidSet(BidSet::range(0, self.cards_each).0 & !forbidden)
            }
        };
        self.legal = if self.is_over() { BidSet::default() } else { legal };
        Ok(())
    }

    /// The contract that a finished bidding of Cruce leads to (C6); `None`
    /// while it goes on and if it leads to none.
    pub fn contract(&self, first: Seat) -> Option<Contract> {
        match self.game {
            AuctionKind::Cruce { redeal, highest: bid, before, .. } if self.is_over() => {
                let declarer = first.after(before.into(), self.players.into());
                (bid > 0 || !redeal).then_some(Contract { declarer, bid })
            }
            _ => None,
        }
    }
}
