//! The bidding of a deal (C6, W4): who said what, and what may be said.

use arrayvec::ArrayVec;
use cards::{Card, Seat};

use crate::action::Illegal;
use crate::cruce::{self, AllPass, Contract};
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

    /// The `n`-th bid from the lowest, counted from nought.
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

/// The bids of a deal so far, and what they depend on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Auction {
    pub(crate) cards_each: u8,
    pub(crate) turned: Option<Card>,
    /// In the order in which they were said.
    pub(crate) bids: ArrayVec<u8, 6>,
    /// Their sum (W4).
    sum: u8,
    /// The highest of them, and how many came before it (C6).
    highest: (u8, u8),
}

impl Auction {
    /// A bidding before its first bid.
    #[inline]
    pub const fn new(cards_each: usize, turned: Option<Card>) -> Auction {
        Auction {
            cards_each: cards_each as u8,
            turned,
            bids: ArrayVec::new_const(),
            sum: 0,
            highest: (0, 0),
        }
    }

    /// How many cards each player holds at the start.
    pub const fn cards_each(&self) -> usize {
        self.cards_each as usize
    }

    /// The card turned up for trump (W3).
    pub const fn turned(&self) -> Option<Card> {
        self.turned
    }

    /// The bids so far, in the order in which they were said.
    #[inline]
    pub fn bids(&self) -> &[u8] {
        &self.bids
    }

    /// Whether everybody has bid.
    #[inline]
    pub fn is_over(&self, rules: &Rules) -> bool {
        self.bids.len() == rules.players()
    }

    /// The one bid that would make the sum equal to the tricks (W4): the last
    /// player may not say it.
    #[inline]
    fn forbidden_sum(&self, players: usize) -> Option<u8> {
        let last = self.bids.len() + 1 == players;
        (last && self.sum <= self.cards_each).then(|| self.cards_each - self.sum)
    }

    /// The bids that the seat in turn may say (C6, W4); none when all have bid.
    #[inline]
    pub fn legal(&self, rules: &Rules) -> BidSet {
        if self.is_over(rules) {
            return BidSet::default();
        }
        match rules {
            Rules::Cruce(rules) => {
                let raises = BidSet::range(self.highest.0 + 1, rules.max_bid());
                BidSet(raises.0 | 1)
            }
            Rules::Whist(rules) => {
                let all = (2u16 << self.cards_each) - 1;
                let sum = self.forbidden_sum(rules.players());
                BidSet(all & !sum.map_or(0, |bid| 1 << bid))
            }
        }
    }

    /// Whether the seat in turn may say this, or why not.
    #[inline]
    pub fn check(&self, rules: &Rules, bid: u8) -> Result<(), Illegal> {
        if self.legal(rules).contains(bid) { Ok(()) } else { Err(self.refusal(rules, bid)) }
    }

    #[cold]
    fn refusal(&self, rules: &Rules, bid: u8) -> Illegal {
        let most = match rules {
            Rules::Cruce(rules) => rules.max_bid(),
            Rules::Whist(_) => self.cards_each,
        };
        if self.is_over(rules) {
            Illegal::NotBidding
        } else if bid > most {
            Illegal::BidTooHigh { most }
        } else {
            match rules {
                Rules::Cruce(_) => Illegal::BidTooLow { highest: self.highest.0 },
                Rules::Whist(_) => Illegal::SumForbidden { bid },
            }
        }
    }

    /// Says a bid for the seat in turn, or why it may not be said.
    #[inline]
    pub fn say(&mut self, rules: &Rules, bid: u8) -> Result<(), Illegal> {
        self.check(rules, bid)?;
        if bid > self.highest.0 {
            self.highest = (bid, self.bids.len() as u8);
        }
        self.sum += bid;
        self.bids.push(bid);
        Ok(())
    }

    /// The contract that a finished bidding of Cruce leads to (C6); nothing
    /// while it goes on or where it leads to none.
    pub fn contract(&self, rules: &cruce::Rules, first: Seat) -> Option<Contract> {
        if self.bids.len() < rules.players() {
            return None;
        }
        let (bid, steps) = self.highest;
        let nobody = bid == 0 && rules.spec().all_pass == AllPass::Redeal;
        let declarer = first.after(usize::from(steps), rules.players());
        (!nobody).then_some(Contract { declarer, bid })
    }
}
