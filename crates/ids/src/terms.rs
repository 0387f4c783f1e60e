//! Values of a table that its log and its messages share.

use serde::{Deserialize, Serialize};

/// How long a player may think.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Pace {
    /// No limit.
    #[default]
    Off,
    /// 60 seconds for a decision.
    Relaxed,
    /// 15 seconds for a decision.
    Fast,
}

/// A quick phrase of the chat, sent with one tap.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phrase {
    /// Hello.
    Hello,
    /// Good luck.
    GoodLuck,
    /// Well played.
    WellPlayed,
    /// Thank you.
    Thanks,
    /// Sorry.
    Sorry,
    /// One moment.
    OneMoment,
    /// Your turn.
    YourTurn,
    /// That was close.
    Close,
    /// Another match?
    Again,
    /// Good night.
    GoodNight,
}

/// Why a bot stands in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StandInReason {
    /// The player's time ran out.
    Time,
    /// The player is not connected.
    Gone,
}
