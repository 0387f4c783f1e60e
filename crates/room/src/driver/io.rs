//! What goes into a driver and what comes out of it.

use std::sync::Arc;

use cards::Seat;
use game::record::Name;
use game::{Action, Position};
use ids::{LedgerId, PlayerId};
use wire::table::{CloseReason, CommandRefusal, TableCommand};

use super::ConnectionId;
use crate::room::{BotQuestion, Key, LoggedEntry, MatchResult, Millis};

/// What a driver handles.
#[derive(Clone, Debug)]
pub enum Input {
    /// A client has connected.
    Connected {
        /// The connection.
        connection: ConnectionId,
        /// The player.
        player: PlayerId,
        /// The last version that the client has.
        since: Option<u64>,
    },
    /// A connection has ended.
    Disconnected {
        /// The connection.
        connection: ConnectionId,
    },
    /// The room decides on it.
    Room(RoomInput),
    /// The entries of the last [`Effect::Store`] are stored.
    Stored,
    /// None of these entries are stored, and they never will be.
    StoreFailed,
    /// The time of [`TableDriver::due_at`](super::TableDriver::due_at) has come.
    TimerFired,
    /// The table is to be closed for good.
    Close,
    /// The table is to be closed if no client is connected and nothing has happened since a time.
    CloseIfQuiet {
        /// The time.
        since: Millis,
    },
}

/// An input on which the room decides. While entries are being stored it waits.
#[derive(Clone, Debug)]
pub enum RoomInput {
    /// A client has sent a command.
    Command {
        /// The connection.
        connection: ConnectionId,
        /// The id of the command.
        id: String,
        /// The command.
        what: TableCommand,
    },
    /// A player asks to be admitted by the table's key.
    Admit {
        /// The player.
        player: PlayerId,
        /// The key that they have.
        key: Key,
        /// Identifies the reply.
        request_id: u64,
    },
    /// A contest gives one of some seats to a player.
    Seat {
        /// The contest's ledger.
        contest: LedgerId,
        /// The player.
        player: PlayerId,
        /// The seats, and the player's name on each.
        seats: Vec<(Seat, Name)>,
        /// Identifies the reply.
        request_id: u64,
    },
    /// A contest begins its match with the players who have come.
    Start {
        /// The contest's ledger.
        contest: LedgerId,
        /// The id of its command.
        command: String,
        /// Identifies the reply.
        request_id: u64,
    },
    /// A bot has decided.
    BotAnswered {
        /// The seat.
        seat: Seat,
        /// The version of the question.
        version: u64,
        /// The action.
        action: Action,
    },
    /// A claim was checked.
    ClaimChecked {
        /// The claim.
        claim: PendingClaim,
        /// The rest of the play if the claim is proved.
        line: Option<Vec<(Seat, Action)>>,
    },
    /// A claim cannot be checked at the moment.
    ClaimNotChecked {
        /// The claim.
        claim: PendingClaim,
    },
}

impl From<RoomInput> for Input {
    fn from(input: RoomInput) -> Input {
        Input::Room(input)
    }
}

/// A claim that is being checked.
#[derive(Clone, PartialEq, Debug)]
pub struct PendingClaim {
    /// The connection that made it.
    pub connection: ConnectionId,
    /// The id of the command.
    pub id: String,
    /// The player who claims.
    pub player: PlayerId,
    /// Their seat.
    pub seat: Seat,
    /// The version of the position.
    pub version: u64,
}

impl PendingClaim {
    /// Whether this is the same claim, perhaps sent again on another connection.
    pub(super) fn is_same(&self, other: &PendingClaim) -> bool {
        (&self.id, self.seat, self.version) == (&other.id, other.seat, other.version)
    }
}

/// What the caller of a driver must do.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Send a message.
    Send {
        /// The receiver.
        connection: ConnectionId,
        /// The message as JSON.
        text: Arc<str>,
    },
    /// Send a message that refuses a command.
    SendRefusal {
        /// The receiver.
        connection: ConnectionId,
        /// The message as JSON.
        text: Arc<str>,
    },
    /// End a connection.
    Disconnect {
        /// The connection.
        connection: ConnectionId,
        /// Why.
        why: CloseReason,
    },
    /// Store entries, in order and all or none.
    Store {
        /// The version of the first.
        first: u64,
        /// The entries.
        entries: Vec<LoggedEntry>,
    },
    /// Ask a bot.
    AskBot(Box<BotQuestion>),
    /// Check a claim.
    CheckClaim {
        /// The claim.
        claim: PendingClaim,
        /// The position.
        position: Box<Position>,
    },
    /// Answer an [`RoomInput::Admit`], [`RoomInput::Seat`] or [`RoomInput::Start`].
    Reply {
        /// The request_id of the input.
        request_id: u64,
        /// Whether it was done, or why not.
        answer: Result<(), CommandRefusal>,
    },
    /// A match has ended.
    MatchFinished(Arc<MatchResult>),
    /// What the lobby shows of the table has changed.
    UpdateLobby,
    /// A stored entry does not apply to the room in memory. The driver must be dropped, and the
    /// room loaded again from the store.
    GiveUp {
        /// The version after which the entry did not apply.
        version: u64,
    },
}
