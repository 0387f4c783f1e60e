//! Why a command is refused. A refusal changes nothing.

use game::{Illegal, Rules};
use serde::{Deserialize, Serialize};

use super::IllegalText;

/// Why a command is refused.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CommandRefusal {
    /// The reason.
    pub reason: RefusalReason,
    /// The refusal of the rules, if the rules forbid the command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub illegal: Option<Box<IllegalText>>,
    /// What is wrong with the command, in English, for developers of clients.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// The reason of a refusal; all refusals of the rules are [`RefusalReason::Illegal`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefusalReason {
    /// The rules forbid it; `illegal` has the details.
    Illegal,
    /// Only seated players may do it.
    NotSeated,
    /// Only the host may do it.
    NotHost,
    /// There is no such seat.
    NoSuchSeat,
    /// Another person sits there.
    SeatTaken,
    /// The seat is empty.
    SeatEmpty,
    /// A bot sits there.
    BotsSeat,
    /// It is not possible while a match is played.
    MatchRuns,
    /// No match is played.
    NoMatch,
    /// No deal has just ended.
    NothingToRead,
    /// The player has seen other cards of this match.
    SawCards,
    /// The table is private, and the player did not come with its link.
    NotAdmitted,
    /// The host has removed the player from this table.
    #[serde(rename = "sent_away")]
    Kicked,
    /// There are only bots.
    NobodyPlays,
    /// More persons sit here than those rules have seats.
    Full,
    /// The clocks are stopped.
    Paused,
    /// The clocks are not stopped.
    NotPaused,
    /// No bot stands in for the player.
    NotStoodIn,
    /// It is not certain that the player takes all remaining tricks.
    NotProven,
    /// The rest can be claimed only in turn, in the play, and where duties are enforced.
    NoClaims,
    /// The player is muted.
    Muted,
    /// Too many messages in a short time.
    TooFast,
    /// Nothing would change.
    Unchanged,
    /// The log of the table is full: it plays on, but nothing new begins. Open another table.
    LogFull,
    /// The name is not valid.
    BadName,
    /// The word is not valid.
    BadWord,
    /// The action cannot be read.
    BadAction,
    /// There is no level with that name.
    BadLevel,
    /// The rules code is not valid.
    BadRules,
    /// The chat message is empty or too long.
    #[serde(rename = "bad_saying")]
    BadChat,
    /// The id of the command is not valid.
    BadId,
    /// The same deals are played at several tables and cannot be changed at one.
    Duplicate,
    /// The contest of the table assigns the seats.
    Contest,
    /// The table is closed.
    Closed,
    /// It cannot be stored at the moment, so it is not done.
    Unavailable,
}

impl From<RefusalReason> for CommandRefusal {
    fn from(reason: RefusalReason) -> CommandRefusal {
        CommandRefusal { reason, illegal: None, detail: None }
    }
}

impl CommandRefusal {
    /// A refusal of the rules.
    pub fn illegal(illegal: &Illegal, rules: &Rules) -> CommandRefusal {
        let illegal = Some(Box::new(IllegalText::of(illegal, rules)));
        CommandRefusal { illegal, ..RefusalReason::Illegal.into() }
    }

    /// A refusal with a detail.
    #[must_use]
    pub fn because(reason: RefusalReason, detail: impl ToString) -> CommandRefusal {
        CommandRefusal { detail: Some(detail.to_string()), ..reason.into() }
    }
}
