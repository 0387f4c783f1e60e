//! A room: one table with its seats, its people, its matches and its clocks, as
//! a pure state machine.
//!
//! A [`Room`] reads no clock, waits for nothing and talks to nobody. It is asked
//! what a wish leads to ([`Room::decide`]) or what is due by itself
//! ([`Room::due`]), and answers with [`Entry`]s or with a refusal; it changes only
//! by [`Room::apply`], and what it gives back there ([`Happening`]) says what each
//! viewer is told. The entries are the log: applied in order they rebuild the
//! room, beginning with the first or with any [`Entry::Started`], which carries
//! everything that came before it.

mod apply;
mod clock;
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
pub use decide::{DecisionContext, PlayerCommand};
pub use entry::{ActedBy, Entry, LoggedEntry, Opening, Roster, RosterSeat};
pub use ids::{InvalidKey, Key};
pub use summary::TableSummary;
pub use transition::{MatchResult, Transition};

/// Milliseconds since 1970, from whoever has a clock.
pub type Millis = u64;

/// Who plays for somebody who is away, and on seats that nobody took.
pub const STAND_IN: Level = Level::Medium;

/// How many things that were said are kept.
const SAYINGS: usize = 40;
/// How many players sent away, or silenced, a table remembers.
const REMEMBERED: usize = 32;
/// How many players who came with the link it remembers.
const ADMITTED: usize = 64;
/// How many commands can be answered again. An entry has one command at most, so
/// those of the last so many versions can, whoever else does how much; a client sends
/// nothing again that may be older.
const ANSWERED: usize = 64;

/// One table and everything around it.
#[derive(Clone, Debug)]
pub struct Room {
    id: TableId,
    version: u64,
    /// When the last entry was made.
    at: Millis,
    tempo: Timings,
    rules: Rules,
    pace: Pace,
    listed: bool,
    host: PlayerId,
    /// The tables that play the same deals, this one among them.
    siblings: Vec<TableId>,
    /// The ledger of the contest to which the table belongs.
    contest: Option<LedgerId>,
    slots: Vec<SeatSlot>,
    /// What is promised about the match that comes next, or is played.
    promise: MatchSecret,
    stage: RoomStage,
    paused: bool,
    said: VecDeque<ChatLine>,
    key: Key,
    admitted: VecDeque<PlayerId>,
    kicked: VecDeque<PlayerId>,
    muted: VecDeque<PlayerId>,
    done: VecDeque<DoneCommand>,
    closed: bool,
}

/// Where the table stands.
#[derive(Clone, Debug)]
enum RoomStage {
    Waiting,
    Playing(Box<RoomMatch>),
    Over(Box<RoomMatch>),
}

/// A seat.
#[derive(Clone, Debug)]
struct SeatSlot {
    holder: SeatHolder,
    /// A bot acts for the person, and why.
    stand_in: Option<StandInReason>,
    /// The person has read the score, or wants another match.
    ready: bool,
    wants_pause: bool,
}

/// Who holds a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
enum SeatHolder {
    Nobody,
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

/// A match that is played or over.
#[derive(Clone, Debug)]
struct RoomMatch {
    promise: MatchSecret,
    dealer: Dealer,
    table: Table,
    deals: Vec<PlayedDeal>,
    /// Who has held which seat: he has seen its cards and may take no other.
    seen: Vec<(PlayerId, Seat)>,
    /// When the seat in turn began to be so, or the score could be read.
    since: Millis,
    /// The version since which a question to a bot, or about a claim, stands. Talk
    /// does not touch it: whoever thinks is not asked anew for every word.
    asked_since: u64,
}

/// Something that was said.
#[derive(Clone, Debug)]
struct ChatLine {
    seat: Seat,
    name: Name,
    what: Saying,
    at: Millis,
}

/// What can be said.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Saying {
    /// Words.
    Text(String),
    /// One of the quick phrases.
    Phrase(Phrase),
}

impl Saying {
    /// The words, or the phrase, as messages and logs carry them.
    pub(crate) fn parts(&self) -> (Option<String>, Option<Phrase>) {
        match self {
            Saying::Text(text) => (Some(text.clone()), None),
            Saying::Phrase(phrase) => (None, Some(*phrase)),
        }
    }
}

/// A command that was done, so that it is not done again.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(from = "(PlayerId, String, u64)", into = "(PlayerId, String, u64)")]
pub struct DoneCommand {
    /// Whose.
    pub player: PlayerId,
    /// Its id.
    pub id: String,
    /// The version in which it was done.
    pub version: u64,
}

impl From<(PlayerId, String, u64)> for DoneCommand {
    fn from((player, id, version): (PlayerId, String, u64)) -> DoneCommand {
        DoneCommand { player, id, version }
    }
}

impl From<DoneCommand> for (PlayerId, String, u64) {
    fn from(done: DoneCommand) -> (PlayerId, String, u64) {
        (done.player, done.id, done.version)
    }
}

impl SeatSlot {
    fn free() -> SeatSlot {
        SeatSlot { holder: SeatHolder::Nobody, stand_in: None, ready: false, wants_pause: false }
    }

    fn player(&self) -> Option<PlayerId> {
        match self.holder {
            SeatHolder::Person { player, .. } => Some(player),
            SeatHolder::Nobody | SeatHolder::Bot(_) => None,
        }
    }

    /// The level of the bot that acts here now.
    fn acting_bot(&self) -> Option<Level> {
        match (&self.holder, self.stand_in) {
            (SeatHolder::Bot(level), _) => Some(*level),
            (SeatHolder::Person { .. }, Some(_)) => Some(STAND_IN),
            (SeatHolder::Nobody, _) => Some(STAND_IN),
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

    /// The lots of a bot's decision: nobody can foresee them, and the same log
    /// draws the same.
    fn lots(&self, version: u64) -> Seed {
        let mut hash = Sha256::new();
        hash.update(b"ghinda-bot-1\n");
        hash.update(self.promise.secret.0);
        hash.update(version.to_be_bytes());
        Seed(hash.finalize().into())
    }
}

impl Room {
    /// The name of the table in links.
    pub fn id(&self) -> TableId {
        self.id
    }

    /// How many entries have been applied, counted from the first of the table.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// When the last entry was made.
    pub fn at(&self) -> Millis {
        self.at
    }

    /// The rules of the match that is played or comes next.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Whether the lobby shows it.
    pub fn is_listed(&self) -> bool {
        self.listed && !self.closed
    }

    /// Whether nothing more will happen.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Whether a match is played.
    pub fn is_playing(&self) -> bool {
        matches!(self.stage, RoomStage::Playing(_))
    }

    /// The seat of a player.
    pub fn seat_of(&self, player: PlayerId) -> Option<Seat> {
        let at = self.slots.iter().position(|chair| chair.player() == Some(player))?;
        Seat::new(at)
    }

    /// The player of a seat.
    pub fn player_on(&self, seat: Seat) -> Option<PlayerId> {
        self.slots.get(seat.index())?.player()
    }

    /// As what a player sees the table.
    pub fn viewer(&self, player: PlayerId) -> Viewer {
        self.seat_of(player).map_or(Viewer::Spectator, Viewer::Seat)
    }

    /// Whether a player is the host.
    pub fn is_host(&self, player: PlayerId) -> bool {
        self.host == player
    }

    /// Whether a player was sent away.
    pub fn is_kicked(&self, player: PlayerId) -> bool {
        self.kicked.contains(&player)
    }

    /// Whether a player may come in: the table is open to all, or he has been let in
    /// before.
    pub fn admits(&self, player: PlayerId) -> bool {
        let known = || self.is_host(player) || self.seat_of(player).is_some();
        !self.is_kicked(player) && (self.listed || known() || self.admitted.contains(&player))
    }

    /// Why a player may not be connected, if so.
    pub fn close_reason(&self, player: PlayerId) -> Option<CloseReason> {
        match () {
            () if self.closed => Some(CloseReason::Closed),
            () if !self.admits(player) => Some(CloseReason::Revoked),
            () => None,
        }
    }

    /// What the table's link holds.
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

    /// The version in which a command was done before.
    pub fn done_version(&self, player: PlayerId, id: &str) -> Option<u64> {
        let same = |done: &&DoneCommand| done.player == player && done.id == id;
        self.done.iter().find(same).map(|done| done.version)
    }

    fn seats(&self) -> impl DoubleEndedIterator<Item = Seat> + Clone {
        Seat::first(self.slots.len())
    }

    fn slot(&self, seat: Seat) -> &SeatSlot {
        &self.slots[seat.index()]
    }

    /// The match that is played or was played last.
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

    /// The seats of persons, whether they are there or not.
    fn persons(&self) -> impl Iterator<Item = Seat> + '_ {
        self.seats().filter(|seat| self.slot(*seat).player().is_some())
    }

    /// The name of a match of this table under its commitment. Tables that play the
    /// same deals share the name of the first of them.
    pub(crate) fn match_name(&self, number: u32) -> Word {
        let table = self.siblings.first().copied().unwrap_or(self.id);
        // Ten letters and digits, a dash and a number always make a word.
        format!("{table}-{number}").parse().unwrap_or_else(|_| unreachable!("a plain word"))
    }
}
