//! The protocol between the server and the players and spectators of a table: JSON
//! messages over one WebSocket per table. `docs/protocol.md` explains it with a
//! transcript.
//!
//! Everything that happens at a table has a number, its version. A client sends
//! the version it knows and receives the later ones, or a [`Snapshot`]. Every
//! [`Update`] and every snapshot is made for one viewer, from views and seat
//! events only. A command has an id that the client chooses. If the client sends it
//! again after a lost answer, the server answers again but does not execute it again.
//!
//! Seats, sides, deals and matches are counted from 1; cards and sets are written
//! as in `docs/notation.md`; times are milliseconds of the server's clock.

mod event;
mod illegal;
mod refusal;
mod state;

use serde::{Deserialize, Serialize};

use crate::message::{self, Protocol, Versioned};

pub use crate::message::MessageError;
pub use event::{TableEvent, UnreadableEvent};
pub use ids::terms::{Pace, Phrase, StandInReason};
pub use illegal::{IllegalText, InvalidRefusal};
pub use refusal::{CommandRefusal, RefusalReason};
pub use state::{
    ChatMessage, MatchCommitment, Occupant, PlayedDealText, SeatState, Snapshot, TableStage,
    ViewerPlace,
};

/// The version of the protocol.
pub const VERSION: u32 = 1;

/// The maximum number of bytes in a client's message.
pub const MAX_BYTES: usize = 4 << 10;

/// The maximum number of characters in a chat message.
pub const MAX_CHAT_TEXT: usize = 200;

/// The maximum number of characters in a command's id.
pub const MAX_ID: usize = 36;

/// A message from a client.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum ClientMessage {
    /// The first message; answered by a hello, and a snapshot or updates.
    Hello {
        /// The version of the protocol: [`VERSION`].
        ghinda: u32,
        /// The last version that the client knows, if it wants to resume from there.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        since: Option<u64>,
    },
    /// A command; answered by an update that names the id, by a done or by a refusal.
    Do {
        /// Any text of 1 to [`MAX_ID`] visible ASCII characters that this player has
        /// not used at this table before.
        id: String,
        /// The command.
        what: TableCommand,
    },
    /// Asks for a beat, to check that the connection works.
    Beat,
}

/// A command of a client. Some are for the host only, some are refused during a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum TableCommand {
    /// Bids, plays, calls, challenges or accepts: `2`, `4b`, `4b!`, `?2:1:3`, `ok`.
    Act(String),
    /// Claims all remaining tricks, whatever the others do.
    Claim,
    /// Confirms the score, so that the next deal may begin.
    Ready,
    /// Sits down, or moves to another seat.
    Sit {
        /// The seat.
        seat: usize,
        /// The player's name.
        name: String,
    },
    /// Changes the player's name.
    Rename {
        /// The new name.
        name: String,
    },
    /// Gives the seat up.
    Leave,
    /// Adds a word to the seed of the next match.
    Word(String),
    /// Exchanges two seats; for the host, before the start.
    Swap([usize; 2]),
    /// Puts a bot on a seat without a person; for the host.
    #[serde(rename = "bot")]
    AddBot {
        /// The seat.
        seat: usize,
        /// The name of the bot's level.
        level: String,
    },
    /// Removes a bot from its seat; for the host, before the start.
    #[serde(rename = "empty")]
    RemoveBot {
        /// The seat.
        seat: usize,
    },
    /// Removes the player of a seat from the table; for the host.
    Kick {
        /// The seat.
        seat: usize,
    },
    /// Revokes the table's link and makes a new one; for the host.
    Relink,
    /// Changes the rules; for the host, before the start.
    Rules(String),
    /// Sets the clock: `off`, `relaxed` or `fast`; for the host, before the start.
    Pace(Pace),
    /// Shows the table in the lobby or hides it; for the host.
    Listed(bool),
    /// Begins the match; for the host. Bots take the empty seats.
    Start,
    /// Asks for another match after this one.
    #[serde(rename = "rematch")]
    AskForRematch,
    /// Asks to stop the clocks; they stop when all players ask for it.
    #[serde(rename = "pause")]
    AskForPause,
    /// Continues after a pause.
    Resume,
    /// Takes the seat back from the bot that stands in.
    TakeBack,
    /// Sends a chat message.
    Say(String),
    /// Sends a quick phrase, which every client shows in its own language.
    Phrase(Phrase),
    /// Mutes the player of a seat in the chat, or unmutes them; for the host.
    Mute {
        /// The player's seat.
        seat: usize,
        /// Whether the player is muted.
        muted: bool,
    },
}

/// A message from the server.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ServerMessage {
    /// The answer to a client's hello.
    Hello {
        /// The version of the protocol: [`VERSION`].
        ghinda: u32,
        /// The name and version of the server's program.
        server: String,
        /// The server's time.
        time: u64,
    },
    /// Everything that the viewer knows of the table.
    Snapshot(Box<Snapshot>),
    /// The events of the next version.
    Update(Update),
    /// A command is done; the update with that version has been sent before.
    Done {
        /// The id of the command.
        id: String,
        /// The version in which it was done.
        version: u64,
    },
    /// A command was refused, and nothing has changed.
    Refused {
        /// The id of the command.
        id: String,
        /// The reason.
        #[serde(flatten)]
        refusal: CommandRefusal,
    },
    /// The connected players and the number of spectators. It has no version.
    Present {
        /// Whether the player of each seat is connected.
        seats: Vec<bool>,
        /// The number of spectators.
        watching: usize,
        /// The clock that runs now. It stops while no player is connected, and a player who
        /// reconnects gets some extra time.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clock: Option<RunningClock>,
    },
    /// The answer to a beat.
    Beat {
        /// The server's time.
        time: u64,
    },
    /// The client's message could not be used.
    Error {
        /// What is wrong with it.
        message: String,
    },
    /// The connection ends; the close code has the same meaning.
    Bye {
        /// The reason.
        why: CloseReason,
    },
}

/// One version of a table, as one viewer sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Update {
    /// The number of the version; versions have no gaps.
    pub version: u64,
    /// The time of the events.
    pub at: u64,
    /// The events that this viewer sees, in order; may be empty.
    #[serde(rename = "told")]
    pub events: Vec<TableEvent>,
    /// The clock that runs now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<RunningClock>,
    /// The id of the viewer's command that caused the update.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub done: Option<String>,
}

/// A clock that runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RunningClock {
    /// The seat that must act; None while all players read the score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<usize>,
    /// The time at which it runs out.
    pub until: u64,
}

/// Why a connection ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CloseReason {
    /// The server is being stopped; reconnect in a moment.
    Stopping,
    /// The client reads too slowly; it may reconnect and resume.
    TooSlow,
    /// The client sends too much.
    TooMuch,
    /// The client sent no hello in time, or has been silent for too long.
    Silent,
    /// The client violates the protocol.
    Garbled,
    /// The client uses another version of the protocol.
    OtherVersion,
    /// The session was revoked, or the player was removed from the table.
    Revoked,
    /// The table no longer exists.
    Closed,
    /// The server cannot store new events; nothing is lost, reconnect later.
    Unavailable,
}

impl CloseReason {
    /// The close code of the WebSocket.
    pub const fn code(self) -> u16 {
        match self {
            CloseReason::Stopping => 1012,
            CloseReason::Unavailable => 1013,
            CloseReason::TooSlow => 4001,
            CloseReason::TooMuch => 4002,
            CloseReason::Silent => 4003,
            CloseReason::Garbled => 4004,
            CloseReason::OtherVersion => 4005,
            CloseReason::Revoked => 4006,
            CloseReason::Closed => 4007,
        }
    }

    /// Whether the client may reconnect with the same credentials.
    pub const fn may_return(self) -> bool {
        match self {
            CloseReason::Stopping | CloseReason::Unavailable | CloseReason::TooSlow => true,
            CloseReason::TooMuch | CloseReason::Silent | CloseReason::Garbled => true,
            CloseReason::OtherVersion | CloseReason::Revoked | CloseReason::Closed => false,
        }
    }
}

const FROM_CLIENT: Protocol =
    Protocol { version: VERSION, max_bytes: MAX_BYTES, types: &["hello", "do", "beat"] };
const FROM_SERVER: Protocol = Protocol {
    version: VERSION,
    // More than the snapshot of a long match needs.
    max_bytes: 256 << 10,
    types: &["hello", "snapshot", "update", "done", "refused", "present", "beat", "error", "bye"],
};

impl Versioned for ClientMessage {
    fn version(&self) -> Option<u32> {
        match self {
            ClientMessage::Hello { ghinda, .. } => Some(*ghinda),
            _ => None,
        }
    }
}

impl ClientMessage {
    /// Reads a message.
    pub fn read(text: &str) -> Result<ClientMessage, MessageError> {
        FROM_CLIENT.read(text)
    }

    /// The message as JSON.
    pub fn text(&self) -> String {
        message::text(self)
    }
}

impl Versioned for ServerMessage {
    fn version(&self) -> Option<u32> {
        match self {
            ServerMessage::Hello { ghinda, .. } => Some(*ghinda),
            _ => None,
        }
    }
}

impl ServerMessage {
    /// Reads a message.
    pub fn read(text: &str) -> Result<ServerMessage, MessageError> {
        FROM_SERVER.read(text)
    }

    /// The message as JSON.
    pub fn text(&self) -> String {
        message::text(self)
    }
}
