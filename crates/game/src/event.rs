//! The events of a table, and what each viewer sees of them.
//!
//! An [`Event`] holds everything. Most events are visible to every viewer
//! ([`OpenEvent`]); only dealt and drawn cards are not. What leaves the table is a
//! [`SeatEvent`], made by [`Event::seen_by`], the one place to audit: it builds
//! what a viewer may know instead of removing what they may not.

use arrayvec::ArrayVec;
use cards::{BySeat, BySide, Card, CardSet, Seat};

use crate::action::Illegal;
use crate::cruce::Contract;
use crate::deal::Deal;

/// The events of an action: at most a card, its trick and two draws.
pub type Events = ArrayVec<Event, 4>;

/// A viewer of a table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Viewer {
    /// The player on a seat, who sees their own cards.
    Seat(Seat),
    /// A spectator, who sees only the open cards.
    Spectator,
}

impl Viewer {
    /// Whether the viewer sees the cards of that seat.
    fn is(self, seat: Seat) -> bool {
        self == Viewer::Seat(seat)
    }
}

/// An event, with the cards that only some viewers may see, or none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// The cards were dealt; where bids are made on three, only those are in hand.
    Dealt(Box<Deal>),
    /// The rest was dealt after the bidding (C6, bids on three cards).
    Completed {
        /// What each seat got in addition.
        rest: BySeat<CardSet>,
    },
    /// A seat drew a card from the stock (C13).
    Drew {
        /// The seat.
        seat: Seat,
        /// The card.
        card: Card,
    },
    /// An event that every viewer sees.
    Open(OpenEvent),
}

/// An event that every viewer sees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpenEvent {
    /// A seat bid.
    Bid {
        /// The seat.
        seat: Seat,
        /// How much.
        bid: u8,
    },
    /// The bidding of Cruce is over (C6).
    Declared(Contract),
    /// A seat played a card.
    Played {
        /// The seat.
        seat: Seat,
        /// The card.
        card: Card,
        /// The points of the call, if its pair was called (C10).
        call: Option<u8>,
    },
    /// A trick was won (C9, W5).
    Took {
        /// The seat.
        seat: Seat,
        /// The points in it; none in whist.
        points: u8,
    },
    /// A seat challenged a card of a finished trick (C15).
    Challenged {
        /// The seat.
        by: Seat,
        /// Which trick, counted from 0.
        trick: u8,
        /// The seat whose card is challenged.
        accused: Seat,
        /// The duty that was broken, if any.
        broken: Option<Illegal>,
    },
    /// A seat agreed that the deal was played fairly (C15).
    Accepted {
        /// The seat.
        seat: Seat,
    },
    /// The deal was thrown in.
    ThrownIn {
        /// Why.
        why: ThrownIn,
        /// What it changed.
        change: BySide<i16>,
    },
    /// The deal was played to the end and scored.
    Scored(DealScore),
    /// The match is over.
    Won {
        /// Who won; several only in whist (W8).
        sides: BySide<bool>,
    },
}

/// Why a deal was thrown in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ThrownIn {
    /// Every player passed (C6, `all_pass: redeal`).
    AllPassed,
    /// A challenge was right (C15).
    Revoke {
        /// Whose card broke a duty.
        seat: Seat,
    },
}

/// How a deal was scored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DealScore {
    /// The points of each side in Cruce, the tricks of each player in whist.
    pub points: BySide<u8>,
    /// What they changed (C11, W6).
    pub change: BySide<i16>,
    /// Prizes, on top of the change (W7).
    pub prize: BySide<i16>,
}

/// What a viewer sees of an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SeatEvent {
    /// The cards were dealt.
    Dealt {
        /// The viewer's own cards; `None` for a spectator.
        hand: Option<CardSet>,
        /// The card turned up for trump.
        turned: Option<Card>,
    },
    /// The rest was dealt after the bidding.
    Completed {
        /// The cards that the viewer got in addition; `None` for a spectator.
        rest: Option<CardSet>,
    },
    /// A seat drew a card from the stock.
    Drew {
        /// The seat.
        seat: Seat,
        /// The card, if the viewer drew it.
        card: Option<Card>,
    },
    /// An event that every viewer sees.
    Open(OpenEvent),
}

impl Event {
    /// What a viewer sees of it.
    pub fn seen_by(&self, viewer: Viewer) -> SeatEvent {
        let own = |hands: &BySeat<CardSet>| match viewer {
            Viewer::Seat(seat) => hands.as_slice().get(seat.index()).copied(),
            Viewer::Spectator => None,
        };
        match self {
            Event::Dealt(deal) => {
                SeatEvent::Dealt { hand: own(&deal.opening), turned: deal.turned }
            }
            Event::Completed { rest } => SeatEvent::Completed { rest: own(rest) },
            Event::Drew { seat, card } => {
                SeatEvent::Drew { seat: *seat, card: viewer.is(*seat).then_some(*card) }
            }
            Event::Open(happened) => SeatEvent::Open(*happened),
        }
    }
}
