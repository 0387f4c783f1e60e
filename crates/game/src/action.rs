//! The actions of a seat, and the reasons why an action is illegal.

use cards::{Card, CardSet, Seat, Suit};
use thiserror::Error;

use crate::rules::Rules;

/// An action of a seat.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// Bids a number; 0 is a pass in Cruce (C6, W4).
    Bid(u8),
    /// Plays a card (C8, W5).
    Play {
        /// The card.
        card: Card,
        /// Whether its pair is called (C10).
        call: bool,
    },
    /// States that a card in a finished trick broke a duty; honour tables only (C15).
    Challenge {
        /// The trick, counted from 0.
        trick: u8,
        /// The seat that laid the card.
        accused: Seat,
    },
    /// Agrees that the deal was played fairly; honour tables only (C15).
    Accept,
}

/// Why an action is refused. The state has not changed.
///
/// It carries the data for an explanation in any language; [`Illegal::clause`]
/// returns the clause of `docs/rules`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Illegal {
    /// There is no such seat at this table.
    #[error("there is no such seat")]
    NoSuchSeat,
    /// Another seat is to act.
    #[error("it is the turn of {turn:?}")]
    NotYourTurn {
        /// Whose turn it is.
        turn: Seat,
    },
    /// No bid can be made now.
    #[error("this is not the time to bid")]
    NotBidding,
    /// No card can be played now.
    #[error("this is not the time to play a card")]
    NotPlaying,
    /// The match is over.
    #[error("the match is over")]
    MatchOver,
    /// Not more than the highest bid so far (C6).
    #[error("a bid must be above {highest}")]
    BidTooLow {
        /// The highest bid so far.
        highest: u8,
    },
    /// More than the highest possible bid (C6, W4).
    #[error("a bid can be at most {most}")]
    BidTooHigh {
        /// The highest possible bid.
        most: u8,
    },
    /// The last bid would make the sum equal to the number of cards (W4).
    #[error("the last bid may not be {bid}: the bids would add up to the tricks")]
    SumForbidden {
        /// The bid that is forbidden.
        bid: u8,
    },
    /// The card is not in this hand.
    #[error("{card:?} is not in the hand")]
    NotInHand {
        /// The card.
        card: Card,
    },
    /// The suit led is in hand (C8, W5).
    #[error("{led:?} was led and must be followed with one of {have:?}")]
    MustFollow {
        /// The suit led.
        led: Suit,
        /// The legal cards.
        have: CardSet,
    },
    /// Void in the suit led, and a trump is in hand (C8, W5).
    #[error("a trump must be played: one of {have:?}")]
    MustTrump {
        /// The legal cards.
        have: CardSet,
    },
    /// A card that takes the trick so far is in hand (C8).
    #[error("{best:?} must be overtaken with one of {have:?}")]
    MustBeat {
        /// The card that is winning.
        best: Card,
        /// The legal cards.
        have: CardSet,
    },
    /// A call needs III and IV of a suit in hand, and one of them led (C10).
    #[error("{card:?} cannot be called")]
    CannotCall {
        /// The card.
        card: Card,
    },
    /// Every pair that is led is called at this table (C10).
    #[error("{card:?} is called automatically at this table")]
    MustCall {
        /// The card.
        card: Card,
    },
    /// Challenges and acceptance belong to honour tables (C15).
    #[error("this is not an honour table")]
    NotAnHonourTable,
    /// Only a trick that is finished can be challenged, until the deal is scored (C15).
    #[error("that trick is not finished")]
    TrickNotFinished,
    /// Only an opponent's card can be challenged (C15).
    #[error("a challenge is made against an opponent")]
    OwnSide,
    /// That card has been challenged before (C15).
    #[error("that card has been judged already")]
    AlreadyJudged,
    /// A seat may make two wrong challenges per deal (C15).
    #[error("two wrong challenges were made in this deal")]
    NoChallengesLeft,
    /// There is no deal waiting to be accepted (C15).
    #[error("there is no deal to accept now")]
    NothingToAccept,
    /// The seat has accepted the deal already (C15).
    #[error("the deal has been accepted already")]
    AlreadyAccepted,
}

impl Illegal {
    /// The name of the refusal, as the rule documents and protocols write it.
    pub const fn name(&self) -> &'static str {
        match self {
            Illegal::NoSuchSeat => "NoSuchSeat",
            Illegal::NotYourTurn { .. } => "NotYourTurn",
            Illegal::NotBidding => "NotBidding",
            Illegal::NotPlaying => "NotPlaying",
            Illegal::MatchOver => "MatchOver",
            Illegal::BidTooLow { .. } => "BidTooLow",
            Illegal::BidTooHigh { .. } => "BidTooHigh",
            Illegal::SumForbidden { .. } => "SumForbidden",
            Illegal::NotInHand { .. } => "NotInHand",
            Illegal::MustFollow { .. } => "MustFollow",
            Illegal::MustTrump { .. } => "MustTrump",
            Illegal::MustBeat { .. } => "MustBeat",
            Illegal::CannotCall { .. } => "CannotCall",
            Illegal::MustCall { .. } => "MustCall",
            Illegal::NotAnHonourTable => "NotAnHonourTable",
            Illegal::TrickNotFinished => "TrickNotFinished",
            Illegal::OwnSide => "OwnSide",
            Illegal::AlreadyJudged => "AlreadyJudged",
            Illegal::NoChallengesLeft => "NoChallengesLeft",
            Illegal::NothingToAccept => "NothingToAccept",
            Illegal::AlreadyAccepted => "AlreadyAccepted",
        }
    }

    /// The clause of `docs/rules` that forbids it in this game.
    pub const fn clause(&self, rules: &Rules) -> &'static str {
        let (in_cruce, in_whist) = match self {
            Illegal::NoSuchSeat => ("C2", "W1"),
            Illegal::NotYourTurn { .. } => ("C3", "W2"),
            Illegal::NotPlaying => ("C9", "W5"),
            Illegal::NotBidding | Illegal::BidTooLow { .. } | Illegal::BidTooHigh { .. } => {
                ("C6", "W4")
            }
            Illegal::SumForbidden { .. } => ("C6", "W4"),
            Illegal::MatchOver => ("C12", "W8"),
            Illegal::NotInHand { .. } => ("C5", "W2"),
            Illegal::MustFollow { .. } | Illegal::MustTrump { .. } | Illegal::MustBeat { .. } => {
                ("C8", "W5")
            }
            Illegal::CannotCall { .. } | Illegal::MustCall { .. } => ("C10", "W5"),
            Illegal::NotAnHonourTable
            | Illegal::TrickNotFinished
            | Illegal::OwnSide
            | Illegal::AlreadyJudged
            | Illegal::NoChallengesLeft
            | Illegal::NothingToAccept
            | Illegal::AlreadyAccepted => ("C15", "W5"),
        };
        match rules {
            Rules::Cruce(_) => in_cruce,
            Rules::Whist(_) => in_whist,
        }
    }
}
