//! A refusal of the rules as JSON: its name, its clause, and the values with which a
//! client builds a sentence in any language.

use cards::{Pack, Seat, Suit};
use game::notation::{card_text, parse_card, parse_set, set_text};
use game::{Illegal, Rules};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A refusal of the rules.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct IllegalText {
    /// The name, as in the rule documents: `MustFollow`.
    pub name: String,
    /// The clause of the rules that forbids it: `C8`.
    pub clause: String,
    /// The suit that was led.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub led: Option<String>,
    /// The card in question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub card: Option<String>,
    /// The cards that the duty allows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub have: Option<String>,
    /// The bid in question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bid: Option<u8>,
    /// The seat whose turn it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<usize>,
}

/// The JSON is not a refusal of these rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("not a refusal of these rules")]
pub struct InvalidRefusal;

impl IllegalText {
    /// The JSON form of a refusal.
    pub fn of(illegal: &Illegal, rules: &Rules) -> IllegalText {
        let pack = rules.pack();
        let bare = IllegalText {
            name: illegal.name().into(),
            clause: illegal.clause(rules).into(),
            ..IllegalText::default()
        };
        match *illegal {
            Illegal::NotYourTurn { turn } => IllegalText { turn: Some(turn.number()), ..bare },
            Illegal::BidTooLow { highest: bid }
            | Illegal::BidTooHigh { most: bid }
            | Illegal::SumForbidden { bid } => IllegalText { bid: Some(bid), ..bare },
            Illegal::NotInHand { card }
            | Illegal::CannotCall { card }
            | Illegal::MustCall { card } => {
                IllegalText { card: Some(card_text(pack, card)), ..bare }
            }
            Illegal::MustFollow { led, have } => IllegalText {
                led: Some(pack.suit_letter(led).into()),
                have: Some(set_text(pack, have)),
                ..bare
            },
            Illegal::MustTrump { have } => IllegalText { have: Some(set_text(pack, have)), ..bare },
            Illegal::MustBeat { best, have } => IllegalText {
                card: Some(card_text(pack, best)),
                have: Some(set_text(pack, have)),
                ..bare
            },
            Illegal::NoSuchSeat
            | Illegal::NotBidding
            | Illegal::NotPlaying
            | Illegal::MatchOver
            | Illegal::NotAnHonourTable
            | Illegal::TrickNotFinished
            | Illegal::OwnSide
            | Illegal::AlreadyJudged
            | Illegal::NoChallengesLeft
            | Illegal::NothingToAccept
            | Illegal::AlreadyAccepted => bare,
        }
    }

    /// Parses the refusal.
    pub fn illegal(&self, rules: &Rules) -> Result<Illegal, InvalidRefusal> {
        let pack = rules.pack();
        let card = || self.card.as_deref().and_then(|text| parse_card(pack, text).ok());
        let have = || self.have.as_deref().and_then(|text| parse_set(pack, text).ok());
        let turn = || self.turn.and_then(Seat::from_number);
        let led = || self.led.as_deref().and_then(|letter| suit(pack, letter));
        let read = || {
            Some(match self.name.as_str() {
                "NoSuchSeat" => Illegal::NoSuchSeat,
                "NotYourTurn" => Illegal::NotYourTurn { turn: turn()? },
                "NotBidding" => Illegal::NotBidding,
                "NotPlaying" => Illegal::NotPlaying,
                "MatchOver" => Illegal::MatchOver,
                "BidTooLow" => Illegal::BidTooLow { highest: self.bid? },
                "BidTooHigh" => Illegal::BidTooHigh { most: self.bid? },
                "SumForbidden" => Illegal::SumForbidden { bid: self.bid? },
                "NotInHand" => Illegal::NotInHand { card: card()? },
                "MustFollow" => Illegal::MustFollow { led: led()?, have: have()? },
                "MustTrump" => Illegal::MustTrump { have: have()? },
                "MustBeat" => Illegal::MustBeat { best: card()?, have: have()? },
                "CannotCall" => Illegal::CannotCall { card: card()? },
                "MustCall" => Illegal::MustCall { card: card()? },
                "NotAnHonourTable" => Illegal::NotAnHonourTable,
                "TrickNotFinished" => Illegal::TrickNotFinished,
                "OwnSide" => Illegal::OwnSide,
                "AlreadyJudged" => Illegal::AlreadyJudged,
                "NoChallengesLeft" => Illegal::NoChallengesLeft,
                "NothingToAccept" => Illegal::NothingToAccept,
                "AlreadyAccepted" => Illegal::AlreadyAccepted,
                _ => return None,
            })
        };
        read().ok_or(InvalidRefusal)
    }
}

/// The suit with this letter in the pack.
fn suit(pack: Pack, letter: &str) -> Option<Suit> {
    Suit::ALL.into_iter().find(|suit| letter == pack.suit_letter(*suit).to_string())
}
