//! Why a command is refused. A refusal changes nothing.

use game::{Illegal, Rules};
use serde::{Deserialize, Serialize};

use super::IllegalText;

/// Why a command is refused.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CommandRefusal {
    /// The reason.
    pub reason: RefusalReason,
    /// What the rules say, where they refuse it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub illegal: Option<Box<IllegalText>>,
    /// What is wrong with what was sent, in English, for those who write clients.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// The reasons of the table; those of the rules are [`Reason::Illegal`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefusalReason {
    /// The rules forbid it; `illegal` says which and why.
    Illegal,
    /// Only somebody on a seat may.
    NotSeated,
    /// Only the host may.
    NotHost,
    /// There is no such seat.
    NoSuchSeat,
    /// Somebody else sits there.
    SeatTaken,
    /// Nobody sits there.
    SeatEmpty,
    /// It is a bot's seat.
    BotsSeat,
    /// Not while a match is played.
    MatchRuns,
    /// No match is played.
    NoMatch,
    /// No deal has just ended.
    NothingToRead,
    /// He has seen other cards of this match.
    SawCards,
    /// The table is private, and the link is not its.
    NotAdmitted,
    /// He was sent away from this table.
    #[serde(rename = "sent_away")]
    Kicked,
    /// There is nobody but bots.
    NobodyPlays,
    /// The table is full of names: none is left to be given away.
    Full,
    /// The clocks stand still.
    Paused,
    /// They do not.
    NotPaused,
    /// No bot stands in for him.
    NotStoodIn,
    /// It is not certain that the rest is his.
    NotProven,
    /// The rest can be claimed only in turn, in the play, and where duties are enforced.
    NoClaims,
    /// He may not speak.
    Muted,
    /// Too many messages in a short time.
    TooFast,
    /// The name will not do.
    BadName,
    /// The word will not do.
    BadWord,
    /// It is no action.
    BadAction,
    /// There is no bot of that name.
    BadLevel,
    /// It is no rules code.
    BadRules,
    /// Nothing, or too much, was said.
    BadSaying,
    /// The id of the command will not do.
    BadId,
    /// These deals are the same at several tables and cannot be changed at one.
    Duplicate,
    /// At a table of a contest, the contest gives the seats away.
    Contest,
    /// The table was closed.
    Closed,
    /// It cannot be kept at the moment, so it is not done.
    Unavailable,
}

impl From<RefusalReason> for CommandRefusal {
    fn from(reason: RefusalReason) -> CommandRefusal {
        CommandRefusal { reason, illegal: None, detail: None }
    }
}

impl CommandRefusal {
    /// The rules forbid it.
    pub fn illegal(illegal: &Illegal, rules: &Rules) -> CommandRefusal {
        let illegal = Some(Box::new(IllegalText::of(illegal, rules)));
        CommandRefusal { illegal, ..RefusalReason::Illegal.into() }
    }

    /// With what is wrong in words.
    #[must_use]
    pub fn because(reason: RefusalReason, detail: impl ToString) -> CommandRefusal {
        CommandRefusal { detail: Some(detail.to_string()), ..reason.into() }
    }
}
