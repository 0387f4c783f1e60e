//! The protocol between the server and whoever sits at a table or watches it:
//! JSON messages over one WebSocket a table. `docs/protocol.md` explains it with
//! a transcript.
//!
//! Everything that happens at a table has a number, its version. A client says
//! which version it knows and gets what came after it, or a [`Snapshot`]. Every
//! [`Update`] and every snapshot is made for one viewer, from views and seat
//! events alone. A command carries an id of the client's choosing; sent again after
//! a lost answer, it is answered again and not done again.
//!
//! Seats, sides, deals and matches are counted from 1; cards and sets are written
//! as in `docs/notation.md`; times are milliseconds of the server's clock.

mod event;
mod illegal;
mod refusal;
mod state;

use serde::{Deserialize, Serialize};

use crate::message::{self, Protocol};

pub use crate::message::Unread;
pub use event::{TableEvent, UnreadableEvent};
pub use ids::terms::{Pace, Phrase, StandInReason};
pub use illegal::{IllegalText, InvalidRefusal};
pub use refusal::{CommandRefusal, RefusalReason};
pub use state::{
    ChatMessage, DealPlayed, Occupant, Promise, SeatState, Snapshot, TableStage, ViewerPlace,
};

/// The version of the protocol.
pub const VERSION: u32 = 1;

/// The most bytes of a message of a client.
pub const MAX_BYTES: usize = 4 << 10;

/// The most characters of something said.
pub const MAX_SAID: usize = 200;

/// The most characters of a command's id.
pub const MAX_ID: usize = 36;

/// What a client says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum ClientMessage {
    /// The first message; answered by a hello, and a snapshot or updates.
    Hello {
        /// The version of the protocol: [`VERSION`].
        ghinda: u32,
        /// The last version that the client knows, if it wants to go on from there.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        since: Option<u64>,
    },
    /// Something to be done; answered by an update that names the id, by a done or
    /// by a refusal.
    Do {
        /// Any text of 1 to [`MAX_ID`] visible ASCII characters that this player has
        /// not used at this table before.
        id: String,
        /// What.
        what: TableCommand,
    },
    /// Asks for a beat, to know that the other side is there.
    Beat,
}

/// Something that a client wants done.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum TableCommand {
    /// Bids, plays, calls, challenges or accepts: `2`, `4b`, `4b!`, `?2:1:3`, `ok`.
    Act(String),
    /// Says that the rest of the tricks is his, whatever the others do.
    Claim,
    /// Has seen the score; the next deal may come.
    Ready,
    /// Sits down, or moves to another seat.
    Sit {
        /// Where.
        seat: usize,
        /// What to be called.
        name: String,
    },
    /// Takes another name.
    Rename {
        /// What to be called.
        name: String,
    },
    /// Gives the seat up.
    Leave,
    /// Adds a word to the seed of the next match.
    Word(String),
    /// Exchanges two seats; the host, before the start.
    Swap([usize; 2]),
    /// Puts a bot on a seat that nobody holds; the host.
    Bot {
        /// Where.
        seat: usize,
        /// How well it plays: the name of a level.
        level: String,
    },
    /// Takes a bot from its seat; the host, before the start.
    Empty {
        /// Where.
        seat: usize,
    },
    /// Sends the player of a seat away; the host.
    Kick {
        /// Where.
        seat: usize,
    },
    /// Makes the table's link void and another one good; the host.
    Relink,
    /// Plays by other rules; the host, before the start.
    Rules(String),
    /// Sets the clock: `off`, `relaxed` or `fast`; the host, before the start.
    Pace(Pace),
    /// Shows the table in the lobby or not; the host.
    Listed(bool),
    /// Begins the match; the host. Bots take the empty seats.
    Start,
    /// Wants another match after this one.
    Rematch,
    /// Wants the clocks to stop; they do when everybody wants it.
    Pause,
    /// Goes on after a pause.
    Resume,
    /// Takes the seat back from the bot that stands in.
    TakeBack,
    /// Says something.
    Say(String),
    /// Says one of the quick phrases, which every client tells in its own language.
    Phrase(Phrase),
    /// Keeps the player of a seat from speaking, or lets him speak again; the host.
    Mute {
        /// Who.
        seat: usize,
        /// Whether he may not speak.
        muted: bool,
    },
}

/// What the server says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ServerMessage {
    /// The answer to a client's hello.
    Hello {
        /// The version of the protocol: [`VERSION`].
        ghinda: u32,
        /// The program that serves.
        server: String,
        /// The server's time.
        time: u64,
    },
    /// Everything that the viewer knows of the table.
    Snapshot(Box<Snapshot>),
    /// Something happened.
    Update(Update),
    /// A command is done; the update with that version has been sent before.
    Done {
        /// Which.
        id: String,
        /// The version in which it was done.
        version: u64,
    },
    /// A command was refused, and nothing has changed.
    Refused {
        /// Which.
        id: String,
        /// Why.
        #[serde(flatten)]
        refusal: CommandRefusal,
    },
    /// Who is there: each seat's player, and how many watch. It has no version.
    Present {
        /// Whether the player of each seat is connected.
        seats: Vec<bool>,
        /// How many watch.
        watching: usize,
        /// The clock that runs now: it stands still while nobody is there, and whoever
        /// comes back is given a moment.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clock: Option<RunningClock>,
    },
    /// The server is there.
    Beat {
        /// The server's time.
        time: u64,
    },
    /// A message was of no use.
    Error {
        /// Why.
        message: String,
    },
    /// The connection ends; the close code says the same.
    Bye {
        /// Why.
        why: CloseReason,
    },
}

/// One step of a table, as one viewer sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Update {
    /// Its number; the next one has the next.
    pub version: u64,
    /// When it happened.
    pub at: u64,
    /// What happened, in order. It may be nothing that this viewer sees.
    pub told: Vec<TableEvent>,
    /// The clock that runs now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<RunningClock>,
    /// The id of the viewer's command that led to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub done: Option<String>,
}

/// A clock that runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RunningClock {
    /// For whom; nobody in particular while all read the score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<usize>,
    /// When it runs out.
    pub until: u64,
}

/// Why a connection ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CloseReason {
    /// The server is being stopped; come back in a moment.
    Stopping,
    /// The client reads too slowly; it may come back and resume.
    TooSlow,
    /// The client sends too much.
    TooMuch,
    /// The client did not say hello in time, or has been silent for too long.
    Silent,
    /// What it sends is not this protocol.
    Garbled,
    /// Another version of the protocol.
    OtherVersion,
    /// The session was revoked, or the player was sent away.
    Revoked,
    /// There is no such table any more.
    Closed,
    /// The server cannot keep what would happen; nothing is lost, come back later.
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

    /// Whether it is of use to come back with the same credentials.
    pub const fn may_return(self) -> bool {
        match self {
            CloseReason::Stopping | CloseReason::Unavailable | CloseReason::TooSlow => true,
            CloseReason::TooMuch | CloseReason::Silent | CloseReason::Garbled => true,
            CloseReason::OtherVersion | CloseReason::Revoked | CloseReason::Closed => false,
        }
    }
}

const FROM_CLIENT: Protocol =
    Protocol { version: VERSION, most_bytes: MAX_BYTES, types: &["hello", "do", "beat"] };
const FROM_SERVER: Protocol = Protocol {
    version: VERSION,
    // A snapshot of a long match, with room to spare.
    most_bytes: 256 << 10,
    types: &["hello", "snapshot", "update", "done", "refused", "present", "beat", "error", "bye"],
};

impl ClientMessage {
    /// The message of a text.
    pub fn read(text: &str) -> Result<ClientMessage, Unread> {
        FROM_CLIENT.read(text)
    }

    /// The message as JSON.
    pub fn text(&self) -> String {
        message::text(self)
    }
}

impl ServerMessage {
    /// The message of a text.
    pub fn read(text: &str) -> Result<ServerMessage, Unread> {
        FROM_SERVER.read(text)
    }

    /// The message as JSON.
    pub fn text(&self) -> String {
        message::text(self)
    }
}
