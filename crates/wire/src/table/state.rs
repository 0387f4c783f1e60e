//! The full state of a table as one viewer knows it, sent first and after a gap.

use cards::Seat;
use game::event::{DealScore, ThrownIn};
use game::{PlayedDeal, PlayedDealEnd};
use serde::{Deserialize, Serialize};

use super::{Pace, Phrase, RunningClock, StandInReason};

/// A table as one viewer knows it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Snapshot {
    /// The last version.
    pub version: u64,
    /// The table's id.
    pub table: String,
    /// The viewer's place.
    pub you: ViewerPlace,
    /// The rules code.
    pub rules: String,
    /// The pace: how long a player may think.
    pub pace: Pace,
    /// Whether the lobby shows it.
    pub listed: bool,
    /// The host's seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<usize>,
    /// The seats.
    pub seats: Vec<SeatState>,
    /// The stage.
    pub stage: TableStage,
    /// The commitment to the deals of the match that is played, was played last, or
    /// comes first.
    #[serde(rename = "promise")]
    pub commitment: MatchCommitment,
    /// The commitment to the next match, once this one is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<MatchCommitment>,
    /// What the viewer knows of the match, in the notation of views.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view: Option<String>,
    /// The finished deals of the match.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deals: Vec<PlayedDealText>,
    /// The clock that runs now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<RunningClock>,
    /// Whether the clocks are stopped.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub paused: bool,
    /// The last chat messages, oldest first.
    #[serde(rename = "said", default, skip_serializing_if = "Vec::is_empty")]
    pub chat: Vec<ChatMessage>,
    /// The first of the tables that play the same deals, if there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duplicate: Option<String>,
    /// The ledger of the contest to which the table belongs; the contest assigns the seats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contest: Option<String>,
    /// Whether the table is closed.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub closed: bool,
}

/// What the server promises about the deals of a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MatchCommitment {
    /// The number of the match at this table.
    pub number: u32,
    /// The name of the match, which is part of the commitment.
    pub table: String,
    /// The commitment, published before any player adds a word.
    pub commitment: String,
    /// The secret behind it, once the match is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
}

/// The place of a viewer at a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ViewerPlace {
    /// The viewer's seat; None for a spectator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<usize>,
    /// Whether the viewer is the host.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub host: bool,
}

/// The stage of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum TableStage {
    /// No match has begun; players sit down.
    Waiting,
    /// A match is played.
    Playing,
    /// A match is over, and another may begin.
    Over,
}

/// The state of a seat.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SeatState {
    /// The occupant; None if the seat is free.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub who: Option<Occupant>,
    /// Whether its player is connected.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub present: bool,
    /// Why a bot stands in for its player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stand_in: Option<StandInReason>,
    /// The word that its player added to the seed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub word: Option<String>,
    /// Whether its player has read the score, or asks for another match.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub ready: bool,
    /// Whether its player asks for a pause.
    #[serde(rename = "wants_pause", default, skip_serializing_if = "core::ops::Not::not")]
    pub asked_for_pause: bool,
    /// Whether its player is muted.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub muted: bool,
}

/// The occupant of a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Occupant {
    /// A person or a person's program, by name.
    Person(String),
    /// A bot of the server, by its level.
    Bot(String),
}

/// A finished deal of the match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PlayedDealText {
    /// The seat that bid first.
    pub first: usize,
    /// The bids, in the order of the seats; None for a seat that did not bid.
    pub bids: Vec<Option<u8>>,
    /// The declarer's seat, in Cruce.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub declarer: Option<usize>,
    /// Each side's points in Cruce, each player's tricks in whist; empty if the deal
    /// was thrown in.
    pub points: Vec<u8>,
    /// How much the deal changed the score of each side.
    pub change: Vec<i16>,
    /// The prizes of whist, in addition to `change`.
    pub prize: Vec<i16>,
    /// The seat whose card broke a duty (C15).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revoke: Option<usize>,
}

impl From<&PlayedDeal> for PlayedDealText {
    fn from(deal: &PlayedDeal) -> PlayedDealText {
        let played = PlayedDealText {
            first: deal.first.number(),
            bids: deal.bids.as_slice().to_vec(),
            declarer: deal.declarer.map(Seat::number),
            points: Vec::new(),
            change: Vec::new(),
            prize: Vec::new(),
            revoke: None,
        };
        match deal.end {
            PlayedDealEnd::Scored(DealScore { points, change, prize }) => PlayedDealText {
                points: points.as_slice().to_vec(),
                change: change.as_slice().to_vec(),
                prize: prize.as_slice().to_vec(),
                ..played
            },
            PlayedDealEnd::ThrownIn { why, change } => PlayedDealText {
                change: change.as_slice().to_vec(),
                revoke: match why {
                    ThrownIn::AllPassed => None,
                    ThrownIn::Revoke { seat } => Some(seat.number()),
                },
                ..played
            },
        }
    }
}

/// A chat message.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ChatMessage {
    /// The sender's seat.
    pub seat: usize,
    /// The sender's name at that time.
    pub name: String,
    /// The text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The quick phrase, instead of a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phrase: Option<Phrase>,
    /// The time.
    pub at: u64,
}
