//! A finished deal in numbers: what a score sheet needs of it.

use cards::{BySeat, BySide, Seat};

use crate::event::{DealScore, OpenEvent, ThrownIn};
use crate::public::Public;

/// A deal of a match that is over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedDeal {
    /// The seat that bid first.
    pub first: Seat,
    /// The bid of each seat; `None` where a seat did not come to bid.
    pub bids: BySeat<Option<u8>>,
    /// The declarer in Cruce.
    pub declarer: Option<Seat>,
    /// How it ended.
    pub end: PlayedDealEnd,
}

/// How a deal ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlayedDealEnd {
    /// It was played and scored.
    Scored(DealScore),
    /// It was thrown in.
    ThrownIn {
        /// Why.
        why: ThrownIn,
        /// What each side's score changed by.
        change: BySide<i16>,
    },
}

impl PlayedDeal {
    /// The deal that this event ends, if it ends one. `before` is the public state until then.
    pub fn ended_by(before: &Public, happened: &OpenEvent) -> Option<PlayedDeal> {
        let end = match *happened {
            OpenEvent::Scored(score) => PlayedDealEnd::Scored(score),
            OpenEvent::ThrownIn { why, change } => PlayedDealEnd::ThrownIn { why, change },
            _ => return None,
        };
        let mut bids = BySeat::filled(None, before.rules().players());
        for seat in Seat::first(before.rules().players()) {
            bids[seat] = before.bid_of(seat);
        }
        let contract = before.round().and_then(|round| round.contract());
        let declarer = contract.map(|contract| contract.declarer);
        Some(PlayedDeal { first: before.first(), bids, declarer, end })
    }

    /// What each side's score changed by, without the prizes of whist.
    pub fn change(&self) -> BySide<i16> {
        match self.end {
            PlayedDealEnd::Scored(score) => score.change,
            PlayedDealEnd::ThrownIn { change, .. } => change,
        }
    }
}
