//! What a viewer gets: the events of one entry, or a snapshot.
//!
//! Messages are made here, and only from `Event::seen_by`, from views, and from what every viewer may
//! know.

use std::sync::Arc;

use cards::Seat;
use game::deal::Deal;
use game::event::{Event, OpenEvent};
use game::public::InvalidEvent;
use game::record::Record;
use game::{Rules, Table, Viewer};
use ids::PlayerId;
use wire::table::{ChatMessage, Occupant, Snapshot, TableEvent, ViewerPlace};

use super::{
    Entry, LoggedEntry, MatchSecret, Millis, Presence, Room, RoomMatch, RoomStage, SeatHolder,
    SeatSlot,
};

/// What an entry has changed. Every table keeps the latest ones for clients that resume, so they are
/// small.
#[derive(Clone, Debug)]
pub struct Transition {
    /// The number of the entry.
    pub version: u64,
    /// When it was made.
    pub at: Millis,
    /// The player whose command it was, and the id of the command.
    pub command: Option<(PlayerId, Box<str>)>,
    rules: Rules,
    events: Box<[Event]>,
    /// The cards of a deal that is over.
    cards: Option<Box<Deal>>,
    /// What every viewer gets before and after the events.
    before: Box<[TableEvent]>,
    after: Box<[TableEvent]>,
    /// Whether every client needs a snapshot, because the seats are different.
    pub resets: bool,
    /// Whether the lobby shows the table differently.
    pub changes_summary: bool,
    /// The players whose seat has changed.
    moves: Box<[PlayerId]>,
    /// The match that has ended.
    pub finished: Option<Arc<MatchResult>>,
}

/// What applying an entry returns.
#[derive(Default)]
pub(super) struct Applied {
    pub(super) events: Vec<Event>,
    /// The cards of a deal that is over.
    pub(super) cards: Option<Deal>,
    pub(super) resets: bool,
    pub(super) moves: Vec<PlayerId>,
}

/// A match that has just ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchResult {
    /// Its number at the table.
    pub number: u32,
    /// The players of its seats, and the names on them.
    pub seats: Vec<(Option<PlayerId>, String)>,
    /// The last score.
    pub score: Vec<i32>,
    /// The numbers of the sides that won.
    pub winners: Vec<usize>,
}

impl Transition {
    /// The transition of an entry; `room` is the room after it.
    pub(super) fn new(room: &Room, logged: &LoggedEntry, applied: Applied) -> Transition {
        let Applied { events, cards, resets, moves } = applied;
        let (before, mut after) = public_events(room, &logged.entry);
        let sides = events.iter().find_map(winners);
        let finished = sides.zip(room.last_match()).map(|(sides, played)| {
            if room.siblings.is_empty() {
                after.push(TableEvent::Secret { secret: played.secret.secret.reveal() });
            }
            Arc::new(room.finished(played, &played.table, sides))
        });
        let command = logged.command.as_ref();
        Transition {
            version: room.version,
            at: logged.at,
            command: command.map(|command| (command.player, command.id.as_str().into())),
            rules: room.rules,
            events: events.into(),
            cards: cards.filter(|_| room.siblings.is_empty()).map(Box::new),
            before: before.into(),
            after: after.into(),
            resets,
            changes_summary: finished.is_some() || logged.entry.changes_summary(),
            moves: moves.into(),
            finished,
        }
    }

    /// The events that a viewer gets.
    pub fn events_for(&self, viewer: Viewer) -> Vec<TableEvent> {
        let mut events = self.before.to_vec();
        events.extend(
            self.events.iter().map(|event| TableEvent::of(&event.seen_by(viewer), &self.rules)),
        );
        if let Some(deal) = &self.cards {
            events.push(TableEvent::hands(&self.rules, &deal.hands, &deal.stock));
        }
        events.extend(self.after.iter().cloned());
        events
    }

    /// Adds it to the record of the match; `room` is the room after it.
    pub(crate) fn note_in(&self, record: &mut Record, room: &Room) -> Result<(), InvalidEvent> {
        let Some(played) = room.last_match() else { return Ok(()) };
        // No entry goes beyond the end of a deal. So for a record the public state after the entry is
        // the same as after each of its events.
        self.events.iter().try_for_each(|event| record.record_event(event, played.table.public()))
    }

    /// Whether a player needs a snapshot: their seat has changed, or all seats have.
    pub fn changes_view_of(&self, player: PlayerId) -> bool {
        self.resets || self.moves.contains(&player)
    }

    /// Whether the seat of any player has changed.
    pub fn changes_a_seat(&self) -> bool {
        self.resets || !self.moves.is_empty()
    }

    /// Whether every viewer gets the same events.
    pub fn is_public(&self) -> bool {
        self.events.iter().all(|event| matches!(event, Event::Open(_)))
    }
}

/// The sides that an event makes the winners.
fn winners(event: &Event) -> Option<Vec<usize>> {
    match event {
        Event::Open(OpenEvent::Won { sides }) => {
            let won = sides.entries().filter(|(_, won)| **won);
            Some(won.map(|(side, _): (cards::Side, _)| side.number()).collect())
        }
        _ => None,
    }
}

/// The events of an entry that every viewer gets, before and after the events of the game. `room` is
/// the room after the entry.
fn public_events(room: &Room, entry: &Entry) -> (Vec<TableEvent>, Vec<TableEvent>) {
    let before = match entry {
        Entry::Opened(_)
        | Entry::Admitted { .. }
        | Entry::Relinked { .. }
        | Entry::Dealt
        | Entry::Acted { .. }
        | Entry::ClaimRefused { .. } => Vec::new(),
        Entry::Sat { seat, .. } => room.sat_events(*seat),
        Entry::Renamed { seat, name } => {
            vec![TableEvent::Renamed { seat: seat.number(), name: name.to_string() }]
        }
        Entry::BotAdded { seat, .. } => room.seated_event(*seat).into_iter().collect(),
        Entry::SeatFreed { seat, kicked } => room.seat_freed_events(*seat, *kicked),
        Entry::BotRemoved { seat } => {
            vec![TableEvent::SeatFreed { seat: seat.number(), kicked: false }]
        }
        Entry::Swapped { seats } => {
            vec![TableEvent::Swapped { seats: seats.map(|seat| seat.number()) }, room.host_event()]
        }
        Entry::Hosted { .. } => vec![room.host_event()],
        Entry::Settings { rules, pace, listed, .. } => {
            vec![TableEvent::Settings { rules: rules.code(), pace: *pace, listed: *listed }]
        }
        Entry::Committed { .. } => {
            vec![TableEvent::Committed(room.commitment(&room.next_secret, None))]
        }
        Entry::Word { seat, word } => {
            vec![TableEvent::Word { seat: seat.number(), word: word.to_string() }]
        }
        Entry::Started(_) => room.started_events(),
        Entry::Claimed { seat, .. } => vec![TableEvent::Claimed { seat: seat.number() }],
        Entry::StoodIn { seat, why } => {
            vec![TableEvent::StoodIn { seat: seat.number(), why: *why }]
        }
        Entry::TookBack { seat } => vec![TableEvent::TookBack { seat: seat.number() }],
        Entry::Ready { seat } => vec![TableEvent::Ready { seat: seat.number() }],
        Entry::AskedForPause { seat } => vec![TableEvent::AskedForPause { seat: seat.number() }],
        Entry::Paused => vec![TableEvent::Paused],
        Entry::Resumed => vec![TableEvent::Resumed],
        Entry::AskedForRematch { seat } => {
            vec![TableEvent::AskedForRematch { seat: seat.number() }]
        }
        Entry::Said { seat, content } => {
            let (text, phrase) = content.parts();
            vec![TableEvent::Said { seat: seat.number(), text, phrase }]
        }
        Entry::Muted { seat, muted } => {
            vec![TableEvent::Muted { seat: seat.number(), muted: *muted }]
        }
        Entry::Closed => return (Vec::new(), vec![TableEvent::Closed]),
    };
    (before, Vec::new())
}

impl Room {
    /// Everything that a player may know of the room.
    pub fn snapshot(&self, player: PlayerId, presence: &Presence) -> Snapshot {
        let viewer = self.viewer(player);
        let over = matches!(self.stage, RoomStage::Over(_));
        let shown = self.last_match().map_or(&self.next_secret, |played| &played.secret);
        let revealed = over && self.siblings.is_empty();
        let next = over && self.next_secret.number != shown.number;
        Snapshot {
            version: self.version,
            table: self.id.to_string(),
            you: ViewerPlace {
                seat: self.seat_of(player).map(|seat| seat.number()),
                host: self.is_host(player),
            },
            rules: self.rules.code(),
            pace: self.pace,
            listed: self.listed,
            host: self.seat_of(self.host).map(|seat| seat.number()),
            seats: self.seats().map(|seat| self.seat_state(seat, presence)).collect(),
            stage: match self.stage {
                RoomStage::Waiting => wire::table::TableStage::Waiting,
                RoomStage::Playing(_) => wire::table::TableStage::Playing,
                RoomStage::Over(_) => wire::table::TableStage::Over,
            },
            commitment: self.commitment(shown, revealed.then(|| shown.secret.reveal())),
            next: next.then(|| self.commitment(&self.next_secret, None)),
            view: self.last_match().map(|played| played.view(viewer).to_string()),
            deals: self.deals().iter().map(Into::into).collect(),
            clock: self.clock(presence),
            paused: self.paused,
            chat: self.chat.iter().map(|line| line.message()).collect(),
            duplicate: self.siblings.first().map(|first| first.to_string()),
            contest: self.contest.map(|ledger| ledger.to_string()),
            closed: self.closed,
        }
    }

    fn commitment(
        &self,
        of_match: &MatchSecret,
        secret: Option<String>,
    ) -> wire::table::MatchCommitment {
        let table = self.match_name(of_match.number);
        wire::table::MatchCommitment {
            number: of_match.number,
            table: table.to_string(),
            commitment: of_match.secret.commit(&table, &self.rules).to_string(),
            secret,
        }
    }

    fn sat_events(&self, seat: Seat) -> Vec<TableEvent> {
        // The player may have left another seat, which is free now. To send it for every free seat
        // does no harm.
        let is_free = |other: &Seat| self.slot(*other).holder == SeatHolder::Empty;
        let freed = |other: Seat| TableEvent::SeatFreed { seat: other.number(), kicked: false };
        let mut events: Vec<TableEvent> = self.seats().filter(is_free).map(freed).collect();
        events.extend(self.seated_event(seat));
        if self.slot(seat).player().is_some_and(|player| self.muted.contains(&player)) {
            events.push(TableEvent::Muted { seat: seat.number(), muted: true });
        }
        events.push(self.host_event());
        events
    }

    fn seat_freed_events(&self, seat: Seat, kicked: bool) -> Vec<TableEvent> {
        let mut events = vec![TableEvent::SeatFreed { seat: seat.number(), kicked }];
        events.extend(self.seated_event(seat));
        events.push(self.host_event());
        events
    }

    fn started_events(&self) -> Vec<TableEvent> {
        let mut events: Vec<TableEvent> =
            self.seats().filter_map(|seat| self.seated_event(seat)).collect();
        if let Some(played) = self.playing() {
            let first = played.table.public().first().number();
            events.push(TableEvent::Started { number: played.secret.number, first });
        }
        events
    }

    fn seated_event(&self, seat: Seat) -> Option<TableEvent> {
        let who = self.slot(seat).who()?;
        Some(TableEvent::Seated { seat: seat.number(), who })
    }

    fn host_event(&self) -> TableEvent {
        TableEvent::Host { seat: self.seat_of(self.host).map(|seat| seat.number()) }
    }

    fn seat_state(&self, seat: Seat, presence: &Presence) -> wire::table::SeatState {
        let slot = self.slot(seat);
        let words = &self.next_secret.words;
        wire::table::SeatState {
            who: slot.who(),
            present: presence.is_here(seat),
            stand_in: slot.stand_in,
            word: words.as_slice().get(seat.index()).copied().flatten().map(|w| w.to_string()),
            ready: slot.ready,
            asked_for_pause: slot.asked_for_pause,
            muted: slot.player().is_some_and(|player| self.muted.contains(&player)),
        }
    }

    /// The result of the match that an entry ends. It is computed before the entry is applied, because
    /// both are stored together.
    pub fn finished_by(&self, entry: &Entry) -> Option<MatchResult> {
        let played = self.playing()?;
        let line = match entry {
            Entry::Acted { seat, action, .. } => &[(*seat, *action)][..],
            Entry::Claimed { line, .. } => line,
            _ => return None,
        };
        let (mut table, mut won) = (played.table.clone(), None);
        for (seat, action) in line {
            let action = action.read(&self.rules, *seat).ok()?;
            for event in table.decide(*seat, action).ok()? {
                table.apply(&event).ok()?;
                won = won.or_else(|| winners(&event));
            }
        }
        won.map(|sides| self.finished(played, &table, sides))
    }

    fn finished(&self, played: &RoomMatch, table: &Table, winners: Vec<usize>) -> MatchResult {
        MatchResult {
            number: played.secret.number,
            seats: self.slots.iter().map(|slot| (slot.player(), slot.name())).collect(),
            score: table.public().score().as_slice().to_vec(),
            winners,
        }
    }
}

impl SeatSlot {
    pub(super) fn who(&self) -> Option<Occupant> {
        match &self.holder {
            SeatHolder::Empty => None,
            SeatHolder::Person { name, .. } => Some(Occupant::Person(name.to_string())),
            SeatHolder::Bot(level) => Some(Occupant::Bot(level.name().into())),
        }
    }

    fn name(&self) -> String {
        match &self.holder {
            SeatHolder::Empty => String::new(),
            SeatHolder::Person { name, .. } => name.to_string(),
            SeatHolder::Bot(level) => level.name().into(),
        }
    }
}

impl super::ChatLine {
    fn message(&self) -> ChatMessage {
        let (text, phrase) = self.what.parts();
        let (seat, name, at): (_, _, Millis) = (self.seat.number(), self.name.to_string(), self.at);
        ChatMessage { seat, name, text, phrase, at }
    }
}
