//! A room: one table with its seats, players, matches and clocks, as a pure state machine.
//!
//! A [`Room`] reads no clock, does not wait and does no I/O. [`Room::decide`] takes a command and
//! [`Room::due_entries`] checks what happens without one; both return [`Entry`]s, and `decide` may refuse.
//! The room changes only in [`Room::apply`], which returns a [`Transition`] with the events for each
//! viewer. The entries are the log: applied in order they rebuild the room, from the first one or
//! from any [`Entry::Started`], which carries the whole state.

mod apply;
mod clock;
mod command;
mod decide;
mod entry;
mod stored;
mod summary;
mod transition;

use std::collections::VecDeque;

use bots::Level;
use cards::{BySeat, Seat};
use game::deal::{Dealer, Seed};
use game::fair::{Secret, Word};
use game::record::Name;
use game::{PlayedDeal, Rules, Table, Viewer};
use ids::terms::{Pace, Phrase, StandInReason};
use ids::{LedgerId, PlayerId, TableId};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use wire::table::CloseReason;

pub use clock::{BotQuestion, Presence, Timings};
pub use command::{DoneCommand, LoggedCommand, ShortFingerprint};
pub use decide::{DecisionContext, PlayerCommand};
pub use entry::{ActedBy, Checkpoint, CheckpointSeat, Entry, LoggedEntry, Opening};
pub use ids::{CommandFingerprint, InvalidKey, Key};
pub use summary::TableSummary;
pub use transition::{MatchResult, Transition};

/// Milliseconds since 1970.
pub type Millis = u64;

/// The level of the bots that play for absent players and on empty seats.
pub const STAND_IN: Level = Level::Medium;

/// How many chat messages are kept.
const MAX_CHAT_LINES: usize = 40;
/// How many kicked players, and how many muted players, a table remembers.
const MAX_REMEMBERED: usize = 32;
/// How many players who were admitted by the key a table remembers.
const MAX_ADMITTED: usize = 64;
/// How many done commands a table remembers. An entry has at most one command, so this covers at least
/// as many versions; a client never repeats an older command.
const MAX_DONE: usize = 64;

/// One table and everything around it.
#[derive(Clone, Debug)]
pub struct Room {
    id: TableId,
    version: u64,
    /// When the last entry was made.
    at: Millis,
    timings: Timings,
    rules: Rules,
    pace: Pace,
    listed: bool,
    host: PlayerId,
    /// The tables that play the same deals, this one among them.
    siblings: Vec<TableId>,
    /// The ledger of the contest to which the table belongs.
    contest: Option<LedgerId>,
    /// The command of the contest that began the match.
    contest_command: Option<String>,
    slots: Vec<SeatSlot>,
    /// The secret of the match that comes next or is being played.
    next_secret: MatchSecret,
    stage: RoomStage,
    paused: bool,
    chat: VecDeque<ChatLine>,
    key: Key,
    admitted: VecDeque<PlayerId>,
    kicked: VecDeque<PlayerId>,
    muted: VecDeque<PlayerId>,
    done: VecDeque<DoneCommand>,
    /// The bytes of the stored log: those that the last checkpoint names, and those of all entries since.
    log_bytes: u64,
    closed: bool,
}

/// The stage of a room.
#[derive(Clone, Debug)]
enum RoomStage {
    Waiting,
    Playing(Box<RoomMatch>),
    Over(Box<RoomMatch>),
}

/// A seat and its state.
#[derive(Clone, Debug)]
struct SeatSlot {
    holder: SeatHolder,
    /// Why a bot acts for the player, if one does.
    stand_in: Option<StandInReason>,
    /// The player has read the score, or wants another match.
    ready: bool,
    asked_for_pause: bool,
}

/// Who holds a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
enum SeatHolder {
    Empty,
    Person { player: PlayerId, name: Name },
    Bot(Level),
}

/// The secret behind the deals of a match, and the words of the seats.
#[derive(Clone, Debug)]
struct MatchSecret {
    number: u32,
    secret: Secret,
    words: BySeat<Option<Word>>,
}

/// A match that is being played or is over.
#[derive(Clone, Debug)]
struct RoomMatch {
    secret: MatchSecret,
    dealer: Dealer,
    table: Table,
    deals: Vec<PlayedDeal>,
    /// The wrong claims in the present deal: the seats, and their players.
    false_claims: Vec<(Seat, PlayerId)>,
    /// Who has held which seat: these players have seen its cards and may not take another.
    seen: Vec<(PlayerId, Seat)>,
    /// When the turn of the present seat began, or when the score was shown.
    since: Millis,
    /// The version of the last entry that affects play. A question to a bot, or about a claim, is
    /// valid while it stays the same; chat does not change it.
    play_version: u64,
}

/// A chat message.
#[derive(Clone, Debug)]
struct ChatLine {
    seat: Seat,
    name: Name,
    what: ChatContent,
    at: Millis,
}

/// The content of a chat message.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChatContent {
    /// Free text.
    Text(String),
    /// One of the quick phrases.
    Phrase(Phrase),
}

impl ChatContent {
    /// The text or the phrase, as messages carry them.
    pub(crate) fn parts(&self) -> (Option<String>, Option<Phrase>) {
        match self {
            ChatContent::Text(text) => (Some(text.clone()), None),
            ChatContent::Phrase(phrase) => (None, Some(*phrase)),
        }
    }
}

impl SeatSlot {
    fn free() -> SeatSlot {
        SeatSlot { holder: SeatHolder::Empty, stand_in: None, ready: false, asked_for_pause: false }
    }

    fn player(&self) -> Option<PlayerId> {
        match self.holder {
            SeatHolder::Person { player, .. } => Some(player),
            SeatHolder::Empty | SeatHolder::Bot(_) => None,
        }
    }

    /// The level of the bot that acts here now.
    fn acting_bot(&self) -> Option<Level> {
        match (&self.holder, self.stand_in) {
            (SeatHolder::Bot(level), _) => Some(*level),
            (SeatHolder::Person { .. }, Some(_)) => Some(STAND_IN),
            (SeatHolder::Empty, _) => Some(STAND_IN),
            (SeatHolder::Person { .. }, None) => None,
        }
    }
}

impl MatchSecret {
    fn new(number: u32, secret: Secret, rules: &Rules) -> MatchSecret {
        MatchSecret { number, secret, words: BySeat::filled(None, rules.players()) }
    }
}

impl RoomMatch {
    fn view(&self, viewer: Viewer) -> game::View {
        self.table.view(viewer)
    }

    /// The random seed of a bot's decision. It depends on the secret, so no player can foresee it,
    /// and the same log leads to the same seed.
    fn bot_seed(&self, version: u64) -> Seed {
        let mut hash = Sha256::new();
        hash.update(b"ghinda-bot-1\n");
        hash.update(self.secret.secret.0);
        hash.update(version.to_be_bytes());
        Seed(hash.finalize().into())
    }
}

impl Room {
    /// The id of the table.
    pub fn id(&self) -> TableId {
        self.id
    }

    /// How many entries have been applied since the table was opened.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// The bytes of the stored log. Those before the first checkpoint that names them, in the log of an earlier
    /// version, are not known.
    pub fn log_bytes(&self) -> u64 {
        self.log_bytes
    }

    /// When the last entry was made.
    pub fn at(&self) -> Millis {
        self.at
    }

    /// The rules of the match that comes next or is being played.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Whether the lobby shows the table.
    pub fn is_listed(&self) -> bool {
        self.listed && !self.closed
    }

    /// Whether the table is closed for good.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Whether a match is being played.
    pub fn is_playing(&self) -> bool {
        matches!(self.stage, RoomStage::Playing(_))
    }

    /// The seat of a player.
    pub fn seat_of(&self, player: PlayerId) -> Option<Seat> {
        let at = self.slots.iter().position(|slot| slot.player() == Some(player))?;
        Seat::new(at)
    }

    /// The player of a seat.
    pub fn player_on(&self, seat: Seat) -> Option<PlayerId> {
        self.slots.get(seat.index())?.player()
    }

    /// The viewer that a player is.
    pub fn viewer(&self, player: PlayerId) -> Viewer {
        self.seat_of(player).map_or(Viewer::Spectator, Viewer::Seat)
    }

    /// The host.
    pub fn host(&self) -> PlayerId {
        self.host
    }

    /// Whether a player is the host.
    pub fn is_host(&self, player: PlayerId) -> bool {
        self.host == player
    }

    /// Whether a player was kicked.
    pub fn is_kicked(&self, player: PlayerId) -> bool {
        self.kicked.contains(&player)
    }

    /// Whether a player may connect: the table is listed, or they were admitted before.
    pub fn admits(&self, player: PlayerId) -> bool {
        let known = || self.is_host(player) || self.seat_of(player).is_some();
        !self.is_kicked(player) && (self.listed || known() || self.admitted.contains(&player))
    }

    /// Why a player may not be connected. Returns None if they may.
    pub fn close_reason(&self, player: PlayerId) -> Option<CloseReason> {
        if self.closed {
            Some(CloseReason::Closed)
        } else if !self.admits(player) {
            Some(CloseReason::Revoked)
        } else {
            None
        }
    }

    /// The key in the table's link.
    pub fn key(&self) -> Key {
        self.key
    }

    /// The tables that play the same deals, this one among them.
    pub fn siblings(&self) -> &[TableId] {
        &self.siblings
    }

    /// The ledger of the contest to which the table belongs, if it belongs to one.
    pub fn contest(&self) -> Option<LedgerId> {
        self.contest
    }

    /// The command of a player that was done under an id. Returns None if there is none, or it was done too
    /// long ago.
    pub fn done_command(&self, player: PlayerId, id: &str) -> Option<&DoneCommand> {
        self.done.iter().find(|done| done.command.player == player && done.command.id == id)
    }

    fn seats(&self) -> impl DoubleEndedIterator<Item = Seat> + Clone {
        Seat::first(self.slots.len())
    }

    fn slot(&self, seat: Seat) -> &SeatSlot {
        &self.slots[seat.index()]
    }

    /// The match that is being played or was played last.
    fn last_match(&self) -> Option<&RoomMatch> {
        match &self.stage {
            RoomStage::Waiting => None,
            RoomStage::Playing(played) | RoomStage::Over(played) => Some(played),
        }
    }

    fn playing(&self) -> Option<&RoomMatch> {
        match &self.stage {
            RoomStage::Playing(played) => Some(played),
            RoomStage::Waiting | RoomStage::Over(_) => None,
        }
    }

    /// The seats that players hold, present or not.
    fn player_seats(&self) -> impl Iterator<Item = Seat> + '_ {
        self.seats().filter(|seat| self.slot(*seat).player().is_some())
    }

    /// The name of a match in its commitment. Tables that play the same deals use the id of the first of
    /// them.
    pub(crate) fn match_name(&self, number: u32) -> Word {
        let table = self.siblings.first().copied().unwrap_or(self.id);
        // Ten letters and digits, a dash and a number always make a word.
        format!("{table}-{number}").parse().unwrap_or_else(|_| unreachable!("a plain word"))
    }
}
