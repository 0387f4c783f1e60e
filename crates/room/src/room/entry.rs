//! The entries of a room's log: what happened at a table, in their stored form.

use bots::Level;
use cards::{BySeat, Seat};
use game::Rules;
use game::fair::{Secret, Word};
use game::notation::ActionText;
use game::record::Name;
use ids::{Key, LedgerId, PlayerId, TableId};
use serde::{Deserialize, Serialize};

use super::stored;
use super::{ChatContent, DoneCommand, LoggedCommand, Millis, Pace, StandInReason};

/// An entry of the log, with its time and the command that led to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoggedEntry {
    /// When it was made.
    pub at: Millis,
    /// The command that led to it.
    pub command: Option<LoggedCommand>,
    /// What happened.
    pub entry: Entry,
}

/// Something that happened in a room.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "did", rename_all = "snake_case")]
pub enum Entry {
    /// The table was opened.
    Opened(Box<Opening>),
    /// A player was admitted by the table's key, and needs it no more.
    Admitted {
        /// The player.
        player: PlayerId,
    },
    /// The table has a new key; the old link is void.
    Relinked {
        /// The new key.
        key: Key,
    },
    /// A player sat down, perhaps coming from another seat.
    Sat {
        /// The seat.
        #[serde(with = "stored::seat")]
        seat: Seat,
        /// The player.
        player: PlayerId,
        /// Their name.
        #[serde(with = "stored::text")]
        name: Name,
    },
    /// A player has changed their name.
    Renamed {
        /// Their seat.
        #[serde(with = "stored::seat")]
        seat: Seat,
        /// The new name.
        #[serde(with = "stored::text")]
        name: Name,
    },
    /// A player left their seat or was kicked.
    #[serde(rename = "left")]
    SeatFreed {
        /// The seat.
        #[serde(with = "stored::seat")]
        seat: Seat,
        /// Whether the host kicked them.
        #[serde(default, skip_serializing_if = "core::ops::Not::not")]
        kicked: bool,
    },
    /// Two seats were exchanged.
    Swapped {
        /// The seats.
        #[serde(with = "stored::seats")]
        seats: [Seat; 2],
    },
    /// A bot was put on a seat.
    #[serde(rename = "bot_sat")]
    BotAdded {
        /// The seat.
        #[serde(with = "stored::seat")]
        seat: Seat,
        /// How well it plays.
        #[serde(with = "stored::level")]
        level: Level,
    },
    /// A bot was taken from its seat.
    #[serde(rename = "emptied")]
    BotRemoved {
        /// The seat.
        #[serde(with = "stored::seat")]
        seat: Seat,
    },
    /// The table has another host.
    Hosted {
        /// The new host.
        player: PlayerId,
    },
    /// The settings of the table have changed.
    Settings {
        /// The rules.
        #[serde(with = "stored::rules")]
        rules: Rules,
        /// The pace: how long a player may think.
        pace: Pace,
        /// Whether the lobby shows the table.
        listed: bool,
        /// The new key, if the table has turned private; the old link is void.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<Key>,
    },
    /// The server committed to the deals of the next match. Words given before are void.
    #[serde(rename = "promised")]
    Committed {
        /// The number of the match.
        number: u32,
        /// The secret behind the commitment.
        #[serde(with = "stored::secret")]
        secret: Secret,
    },
    /// A seat added a word to the seed.
    Word {
        /// The seat.
        #[serde(with = "stored::seat")]
        seat: Seat,
        /// The word.
        #[serde(with = "stored::text")]
        word: Word,
    },
    /// A match begins. It carries the whole state, so that a log can be read from here.
    Started(Box<Checkpoint>),
    /// The next cards were dealt.
    Dealt,
    /// A seat acted.
    Acted {
        /// The seat.
        #[serde(with = "stored::seat")]
        seat: Seat,
        /// The action.
        #[serde(with = "stored::text")]
        action: ActionText,
        /// Who acted for the seat.
        #[serde(rename = "bot", default, skip_serializing_if = "ActedBy::is_person")]
        by: ActedBy,
    },
    /// A seat claimed the rest of the tricks, and the claim was proved.
    Claimed {
        /// The seat.
        #[serde(with = "stored::seat")]
        seat: Seat,
        /// The cards that are played for all seats, in order.
        #[serde(with = "stored::line")]
        line: Vec<(Seat, ActionText)>,
    },
    /// A claim of a seat was checked and is wrong. Only a few of a seat are checked in a deal.
    ClaimRefused {
        /// The seat.
        #[serde(with = "stored::seat")]
        seat: Seat,
    },
    /// A bot stands in for a player.
    StoodIn {
        /// The player's seat.
        #[serde(with = "stored::seat")]
        seat: Seat,
        /// Why.
        why: StandInReason,
    },
    /// A player has taken their seat back from a bot.
    #[serde(rename = "back")]
    TookBack {
        /// The seat.
        #[serde(with = "stored::seat")]
        seat: Seat,
    },
    /// A player has read the score.
    Ready {
        /// Their seat.
        #[serde(with = "stored::seat")]
        seat: Seat,
    },
    /// A player asks for a pause.
    #[serde(rename = "wants_pause")]
    AskedForPause {
        /// Their seat.
        #[serde(with = "stored::seat")]
        seat: Seat,
    },
    /// The clocks stop.
    Paused,
    /// The clocks go on.
    Resumed,
    /// A player asks for another match.
    #[serde(rename = "wants_rematch")]
    AskedForRematch {
        /// Their seat.
        #[serde(with = "stored::seat")]
        seat: Seat,
    },
    /// A player said something.
    Said {
        /// Their seat.
        #[serde(with = "stored::seat")]
        seat: Seat,
        /// What they said.
        #[serde(flatten)]
        content: ChatContent,
    },
    /// The host muted a player, or lets them speak again.
    Muted {
        /// The player's seat.
        #[serde(with = "stored::seat")]
        seat: Seat,
        /// Whether they are muted now.
        muted: bool,
    },
    /// The table is closed for good.
    Closed,
}

/// Who acted for a seat. Logs hold whether it was a bot.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(from = "bool", into = "bool")]
pub enum ActedBy {
    /// The player on it.
    #[default]
    Person,
    /// A bot, on its own seat or standing in.
    Bot,
}

impl ActedBy {
    fn is_person(&self) -> bool {
        *self == ActedBy::Person
    }
}

impl From<bool> for ActedBy {
    fn from(bot: bool) -> ActedBy {
        if bot { ActedBy::Bot } else { ActedBy::Person }
    }
}

impl From<ActedBy> for bool {
    fn from(by: ActedBy) -> bool {
        by == ActedBy::Bot
    }
}

/// How a table is opened.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Opening {
    /// The rules of its matches.
    #[serde(with = "stored::rules")]
    pub rules: Rules,
    /// The pace: how long a player may think.
    pub pace: Pace,
    /// Whether the lobby shows it.
    pub listed: bool,
    /// The host.
    pub host: PlayerId,
    /// The key in its link.
    pub key: Key,
    /// The secret behind the commitment to the first match.
    #[serde(with = "stored::secret")]
    pub secret: Secret,
    /// The tables that play the same deals, this one among them; usually none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub siblings: Vec<TableId>,
    /// The contest to which the table belongs. The contest assigns the seats, players cannot
    /// change them, and there is one match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contest: Option<LedgerId>,
}

/// The whole state of a room when a match begins.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Checkpoint {
    /// Rules, clock, host and the match's secret.
    #[serde(flatten)]
    pub opening: Opening,
    /// Who sits on each seat.
    pub seats: Vec<CheckpointSeat>,
    /// The number of the match at this table.
    pub number: u32,
    /// What each seat added to the seed.
    #[serde(with = "stored::words")]
    pub words: BySeat<Option<Word>>,
    /// The players who were admitted by the key.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub admitted: Vec<PlayerId>,
    /// The players who were kicked.
    #[serde(rename = "sent_away", default, skip_serializing_if = "Vec::is_empty")]
    pub kicked: Vec<PlayerId>,
    /// The players who are muted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub muted: Vec<PlayerId>,
    /// The latest commands that were done, so that none is done twice.
    #[serde(rename = "answered", default, skip_serializing_if = "Vec::is_empty")]
    pub done: Vec<DoneCommand>,
    /// The bytes of the log before this entry. Logs of earlier versions do not say it, and count from here.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub log_bytes: u64,
    /// The id of the contest's command that began the match, so that it is answered again when it is sent again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contest_command: Option<String>,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// Who sits on a seat when a match begins.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckpointSeat {
    /// A player.
    Person {
        /// The player.
        player: PlayerId,
        /// Their name.
        #[serde(with = "stored::text")]
        name: Name,
    },
    /// A bot.
    Bot(#[serde(with = "stored::level")] Level),
}

impl Entry {
    /// Whether the log can be read from here.
    pub fn is_checkpoint(&self) -> bool {
        matches!(self, Entry::Opened(_) | Entry::Started(_))
    }

    /// Whether it may change what the lobby shows of the table. What happens within a match does
    /// not.
    pub(super) fn changes_summary(&self) -> bool {
        !self.is_play() && !matches!(self, Entry::Said { .. })
    }

    /// Whether it is part of the play of a match.
    pub fn is_play(&self) -> bool {
        use Entry::{Acted, ClaimRefused, Claimed, Dealt, Ready};
        matches!(self, Dealt | Acted { .. } | Claimed { .. } | ClaimRefused { .. } | Ready { .. })
    }

    /// Whether other players may sit at the table after it.
    pub(super) fn may_change_players(&self) -> bool {
        use Entry::{BotAdded, BotRemoved, Closed, Sat, SeatFreed, Settings, Started};
        matches!(
            self,
            Sat { .. }
                | SeatFreed { .. }
                | BotAdded { .. }
                | BotRemoved { .. }
                | Settings { .. }
                | Started(_)
                | Closed
        )
    }
}
