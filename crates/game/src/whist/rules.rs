//! The house rules of Romanian whist as data: unchecked ([`Spec`]) and checked
//! ([`Rules`]).

use cards::{Pack, Rank};

use crate::rules::RulesFault;

/// Whether the deals grow first or shrink first (W2).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum DealOrder {
    /// From 1 card up to 8 and down again.
    #[default]
    OneEightOne,
    /// From 8 cards down to 1 and up again.
    EightOneEight,
}

/// House rules before they are checked; they may hold any values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "each field is the option of that name in docs/rules")]
pub struct Spec {
    pub players: u32,
    pub order: DealOrder,
    pub trump_in_ones: bool,
    pub prize: u32,
}

impl Default for Spec {
    fn default() -> Spec {
        Spec::classic(4)
    }
}

impl Spec {
    /// The game as most tables play it.
    pub const fn classic(players: u32) -> Spec {
        Spec { players, order: DealOrder::OneEightOne, trump_in_ones: true, prize: 10 }
    }

    /// The checked rules, or all faults.
    pub fn check(self) -> Result<Rules, Vec<RulesFault>> {
        let mut faults = Vec::new();
        if !(3..=6).contains(&self.players) {
            faults.push(RulesFault::OutOfRange {
                option: "players",
                given: self.players,
                least: 3,
                most: 6,
            });
        }
        if ![0, 5, 10].contains(&self.prize) {
            faults.push(RulesFault::NoSuchPrize { given: self.prize });
        }
        if faults.is_empty() { Ok(Rules(self)) } else { Err(faults) }
    }
}

/// Checked rules of whist.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules(Spec);

impl Rules {
    /// The options these rules were made from.
    pub const fn spec(&self) -> &Spec {
        &self.0
    }

    /// Three to six (W1).
    #[inline]
    pub const fn players(&self) -> usize {
        self.0.players as usize
    }

    /// A French pack with the eight highest cards per player (W1).
    pub const fn pack(&self) -> Pack {
        Pack::FrenchFrom(match self.0.players {
            3 => Rank::Nine,
            4 => Rank::Seven,
            5 => Rank::Five,
            _ => Rank::Three,
        })
    }

    /// How many deals the match has (W2).
    pub const fn deals(&self) -> usize {
        3 * self.players() + 12
    }

    /// How many cards each player gets in the `deal`-th deal, counted from 0;
    /// `None` after the last (W2).
    pub fn cards_each(&self, deal: usize) -> Option<usize> {
        let players = self.players();
        // Three times one deal per player of the same size, with six deals between that
        // change the size by one.
        let size = match deal {
            _ if deal < players => 1,
            _ if deal < players + 6 => deal - players + 2,
            _ if deal < 2 * players + 6 => 8,
            _ if deal < 2 * players + 12 => 7 - (deal - 2 * players - 6),
            _ if deal < self.deals() => 1,
            _ => return None,
        };
        Some(match self.0.order {
            DealOrder::OneEightOne => size,
            DealOrder::EightOneEight => 9 - size,
        })
    }

    /// Whether a card is turned up for trump in deals of this many cards (W3).
    pub const fn turns_trump(&self, cards_each: usize) -> bool {
        cards_each < 8 && (cards_each > 1 || self.0.trump_in_ones)
    }

    /// What five right deals in a row are worth, and five wrong ones cost (W7).
    pub const fn prize(&self) -> i16 {
        self.0.prize as i16
    }
}
