//! Everything that a viewer knows of a table, to begin with or after a gap.

use cards::Seat;
use game::event::{DealScore, ThrownIn};
use game::{PlayedDeal, PlayedDealEnd};
use serde::{Deserialize, Serialize};

use super::{Pace, Phrase, RunningClock, StandInReason};

/// A table as one viewer knows it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Snapshot {
    /// The last thing that happened.
    pub version: u64,
    /// The name of the table in links.
    pub table: String,
    /// Who the viewer is here.
    pub you: ViewerPlace,
    /// The rules code.
    pub rules: String,
    /// The clock.
    pub pace: Pace,
    /// Whether the lobby shows it.
    pub listed: bool,
    /// The host's seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<usize>,
    /// The seats.
    pub seats: Vec<SeatState>,
    /// Whether a match is played.
    pub stage: TableStage,
    /// What the server promised about the deals of the match that is played, was
    /// played last, or comes first.
    pub promise: Promise,
    /// What it promises about the next match, once this one is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<Promise>,
    /// What the viewer knows of the match, in the notation of views.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view: Option<String>,
    /// The deals that are over.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deals: Vec<DealPlayed>,
    /// The clock that runs now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<RunningClock>,
    /// Whether the clocks stand still.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub paused: bool,
    /// What was said last, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub said: Vec<ChatMessage>,
    /// Whether the same deals are played at other tables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duplicate: Option<String>,
    /// The ledger of the contest to which the table belongs: it gives the seats away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contest: Option<String>,
    /// Whether the table is closed.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub closed: bool,
}

/// What the server promises about the deals of a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Promise {
    /// The number of the match at this table.
    pub number: u32,
    /// The name of the match, which is part of the commitment.
    pub table: String,
    /// The commitment, published before anybody has said a word.
    pub commitment: String,
    /// The secret behind it, once the match is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
}

/// Where a viewer is at a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ViewerPlace {
    /// His seat; nothing if he watches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<usize>,
    /// Whether he is the host.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub host: bool,
}

/// Where a table stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum TableStage {
    /// People sit down.
    Waiting,
    /// A match is played.
    Playing,
    /// A match is over, and another may begin.
    Over,
}

/// A seat and who sits on it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SeatState {
    /// Who; nothing if it is free.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub who: Option<Occupant>,
    /// Whether its player is connected.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub present: bool,
    /// Why a bot stands in for its player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stand_in: Option<StandInReason>,
    /// The word it added to the seed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub word: Option<String>,
    /// Whether its player has read the score, or wants another match.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub ready: bool,
    /// Whether its player wants a pause.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub wants_pause: bool,
    /// Whether its player may not speak.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub muted: bool,
}

/// Somebody on a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Occupant {
    /// A person, or somebody else's program, by name.
    Person(String),
    /// One of our bots, by its level.
    Bot(String),
}

/// A deal of this match that is over.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DealPlayed {
    /// Who bid first.
    pub first: usize,
    /// The bids, in the order of the seats; nothing where a seat did not come to bid.
    pub bids: Vec<Option<u8>>,
    /// Who led in Cruce.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub declarer: Option<usize>,
    /// Each side's points in Cruce, each player's tricks in whist; nothing where the
    /// deal was thrown in.
    pub points: Vec<u8>,
    /// What it changed.
    pub change: Vec<i16>,
    /// Prizes of whist, on top of it.
    pub prize: Vec<i16>,
    /// Whose card broke a duty (C15).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revoke: Option<usize>,
}

impl From<&PlayedDeal> for DealPlayed {
    fn from(deal: &PlayedDeal) -> DealPlayed {
        let played = DealPlayed {
            first: deal.first.number(),
            bids: deal.bids.as_slice().to_vec(),
            declarer: deal.declarer.map(Seat::number),
            points: Vec::new(),
            change: Vec::new(),
            prize: Vec::new(),
            revoke: None,
        };
        match deal.end {
            PlayedDealEnd::Scored(DealScore { points, change, prize }) => DealPlayed {
                points: points.as_slice().to_vec(),
                change: change.as_slice().to_vec(),
                prize: prize.as_slice().to_vec(),
                ..played
            },
            PlayedDealEnd::ThrownIn { why, change } => DealPlayed {
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

/// Something that was said.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ChatMessage {
    /// From which seat.
    pub seat: usize,
    /// By whom, as he was called then.
    pub name: String,
    /// What.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Or which quick phrase.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phrase: Option<Phrase>,
    /// When.
    pub at: u64,
}
