//! The invariants of every simulated world.

use std::collections::BTreeMap;

use cards::{CardSet, Seat};
use game::notation::{parse_card, parse_set};
use game::{View, Viewer};
use ids::PlayerId;
use replica::table::TableReplica;
use room::driver::TableDriver;
use room::{BotQuestion, Entry, LoggedCommand, LoggedEntry, Room, archive, erasure, log};
use wire::table::{ServerMessage, Snapshot, StandInReason, TableEvent, TableStage};

use crate::clients::{Client, ClientRole};
use crate::witness::Known;
use crate::world::World;

/// A replica is compared with the server at one of this many messages, and at the end.
const SAMPLE_INTERVAL: u64 = 24;

impl World {
    /// A replica never runs ahead of the disk, and shows what the server would show.
    pub(crate) fn check_replica(&self, at: usize) {
        let client = &self.clients[at];
        let (Some(state), Some(driver)) = (client.replica.state(), &self.driver) else { return };
        assert!(state.version <= self.stored.len() as u64, "shown before it is stored");
        if state.version == driver.room().version() && self.counter.is_multiple_of(SAMPLE_INTERVAL)
        {
            let shown = driver.room().snapshot(client.player, driver.presence());
            assert_same_state(&client.replica, &shown, self.lacks_old_chat);
        }
    }

    /// Checks that a message holds nothing that the client's seat may not know at that moment: no card, no
    /// secret, no key, and for strangers nothing at all.
    pub(crate) fn check_text(&mut self, at: usize, text: &str, message: &ServerMessage) {
        let client = &self.clients[at];
        let player = client.player;
        let Some(room) = self.driver.as_ref().map(TableDriver::room) else { return };
        self.witness.check_secrets(text);
        let (seat, now) = (self.witness.seat_of(player), self.stored.len() as u64);
        // This very message may report that the player was kicked.
        let last = match message {
            ServerMessage::Update(update) => update.version == now,
            ServerMessage::Snapshot(shown) => shown.version == now,
            ServerMessage::Done { version, .. } => *version == now,
            _ => false,
        };
        let strange = client.role == ClientRole::Stranger && !self.witness.listed;
        let unwanted = strange || self.witness.is_kicked(player);
        assert!(last || !unwanted, "sent to a client that may not be here: {text}");
        assert_eq!(room.seat_of(player), seat);
        match message {
            ServerMessage::Update(update) => {
                for event in &update.events {
                    self.check_event(player, seat, update.version, event);
                }
            }
            ServerMessage::Snapshot(shown) => self.check_snapshot(player, seat, shown),
            ServerMessage::Refused { refusal, .. } => {
                let own = self.witness.known(room.version()).to(seat);
                let have = refusal.illegal.as_ref().and_then(|illegal| illegal.have.as_deref());
                assert!(own.contains_all(self.set(have)), "{text}");
            }
            ServerMessage::Hello { .. }
            | ServerMessage::Done { .. }
            | ServerMessage::Present { .. }
            | ServerMessage::Beat { .. }
            | ServerMessage::Error { .. }
            | ServerMessage::Bye { .. } => {}
        }
    }

    fn set(&self, text: Option<&str>) -> CardSet {
        let pack = self.witness.rules().pack();
        text.map_or(CardSet::EMPTY, |text| parse_set(pack, text).expect("a set of cards"))
    }

    fn check_event(
        &mut self,
        player: PlayerId,
        seat: Option<Seat>,
        version: u64,
        event: &TableEvent,
    ) {
        let known = *self.witness.known(version);
        self.check_revealed(event, known);
        let Some((hidden, open)) = self.cards_in(event, seat) else { return };
        assert!(known.open.contains_all(open), "{event:?} at {version}");
        assert!(known.own_of(seat).contains_all(hidden), "{event:?} to {seat:?} at {version}");
        if let Some(seat) = seat.filter(|_| !hidden.is_empty()) {
            self.witness.record_shown(player, known.number, seat);
        }
    }

    /// Checks that an event reveals no hands and no secret too early.
    fn check_revealed(&mut self, event: &TableEvent, known: Known) {
        match event {
            TableEvent::Hands { .. } => {
                assert!(known.all && !self.witness.duplicate, "hands are revealed too early");
            }
            // A correct challenge reveals its proof (C15) and ends the deal.
            TableEvent::Challenged { broken, .. } => {
                assert!(broken.is_none() || known.all || self.witness.duplicate);
            }
            TableEvent::ThrownIn { .. } => self.tally.count("a deal thrown in"),
            TableEvent::Secret { .. } => {
                assert!(!self.witness.duplicate, "another table plays the same deals");
            }
            TableEvent::Committed(commitment) => assert!(commitment.secret.is_none()),
            _ => {}
        }
    }

    /// The cards in an event that only the viewer may see, and those that every viewer may see. Returns
    /// `None` for an event without cards to check.
    fn cards_in(&self, event: &TableEvent, seat: Option<Seat>) -> Option<(CardSet, CardSet)> {
        let pack = self.witness.rules().pack();
        let card = |text: &Option<String>| -> CardSet {
            text.iter().map(|text| parse_card(pack, text).expect("a card")).collect()
        };
        Some(match event {
            TableEvent::Dealt { hand, turned } => {
                assert_eq!(hand.is_some(), seat.is_some());
                (self.set(hand.as_deref()), card(turned))
            }
            TableEvent::Completed { rest } => {
                assert_eq!(rest.is_some(), seat.is_some());
                (self.set(rest.as_deref()), CardSet::EMPTY)
            }
            TableEvent::Drew { seat: by, card: drawn } => {
                assert_eq!(drawn.is_some(), seat.is_some_and(|seat| seat.number() == *by));
                (card(drawn), CardSet::EMPTY)
            }
            TableEvent::Played { card: played, .. } => {
                (CardSet::EMPTY, card(&Some(played.clone())))
            }
            TableEvent::Hands { .. }
            | TableEvent::Challenged { .. }
            | TableEvent::ThrownIn { .. }
            | TableEvent::Secret { .. }
            | TableEvent::Committed(_)
            | TableEvent::Bid { .. }
            | TableEvent::Declared { .. }
            | TableEvent::Took { .. }
            | TableEvent::Accepted { .. }
            | TableEvent::Scored { .. }
            | TableEvent::Won { .. }
            | TableEvent::Renamed { .. }
            | TableEvent::Seated { .. }
            | TableEvent::SeatFreed { .. }
            | TableEvent::Swapped { .. }
            | TableEvent::Host { .. }
            | TableEvent::Settings { .. }
            | TableEvent::Word { .. }
            | TableEvent::Started { .. }
            | TableEvent::StoodIn { .. }
            | TableEvent::TookBack { .. }
            | TableEvent::Claimed { .. }
            | TableEvent::Ready { .. }
            | TableEvent::AskedForPause { .. }
            | TableEvent::Paused
            | TableEvent::Resumed
            | TableEvent::AskedForRematch { .. }
            | TableEvent::Said { .. }
            | TableEvent::Muted { .. }
            | TableEvent::Closed
            | TableEvent::Unknown => return None,
        })
    }

    fn check_snapshot(&mut self, player: PlayerId, seat: Option<Seat>, shown: &Snapshot) {
        assert_eq!(shown.you.seat, seat.map(Seat::number));
        let over = shown.stage == TableStage::Over && !self.witness.duplicate;
        assert_eq!(shown.commitment.secret.is_some(), over);
        assert!(shown.next.as_ref().is_none_or(|next| next.secret.is_none()));
        let known = *self.witness.known(shown.version);
        let Some(text) = &shown.view else { return };
        let view: View = text.parse().expect("a view");
        let hidden = view.hand() | view.drawn().iter().copied().collect();
        assert!(known.own_of(seat).contains_all(hidden), "{text} to {seat:?}");
        let mut open: CardSet = CardSet::EMPTY;
        if let Some(round) = view.public().round() {
            round.tricks().iter().chain([round.trick()]).for_each(|trick| open |= trick.set());
        }
        assert!(known.open.contains_all(open), "{text}");
        if let Some(seat) = seat.filter(|_| !hidden.is_empty()) {
            self.witness.record_shown(player, known.number, seat);
        }
    }

    pub(crate) fn check_end(&self) {
        let driver = self.driver.as_ref().expect("the server runs in the end");
        let room = driver.room();
        assert_eq!(room.version(), self.stored.len() as u64);
        // The disk holds what the server has.
        let again: Vec<LoggedEntry> = self.read_log();
        assert_eq!(again, self.entries);
        let bytes: usize = self.stored.iter().map(|(_, body)| body.len()).sum();
        assert_eq!(room.log_bytes(), bytes as u64);
        // The log can be read from every checkpoint on.
        for at in 0..self.entries.len() {
            if self.entries[at].entry.is_checkpoint() {
                assert_same_room(room, &self.replay(at));
            }
        }
        self.check_promises();
        self.check_records();
        self.check_erasure();
        if self.closing {
            assert!(room.is_closed(), "a closed table stays closed");
            assert!(self.connections.is_empty(), "a closed table has no connections");
            return;
        }
        let is_at_end = |client: &&Client| client.is_at_end();
        for client in self.clients.iter().filter(is_at_end) {
            assert!(client.replica.is_settled(), "every command is answered");
            assert!(client.connection.is_some(), "every client is connected in the end");
            let shown = room.snapshot(client.player, driver.presence());
            assert_same_state(&client.replica, &shown, self.lacks_old_chat);
            self.check_presence(&client.replica, room);
        }
    }

    /// A connected player gets their seat back without a command.
    pub(crate) fn check_replaced(&mut self, at: usize) {
        let client = &mut self.clients[at];
        let state = client.replica.state();
        let seat_state = state.and_then(|state| state.seats.get(state.you.seat? - 1));
        let stand_in_seen =
            seat_state.is_some_and(|seat_state| seat_state.stand_in == Some(StandInReason::Gone));
        client.stand_in_seen = if stand_in_seen { client.stand_in_seen + 1 } else { 0 };
        assert!(
            client.stand_in_seen < 30,
            "{:?} is connected and a bot plays for them",
            client.player
        );
    }

    /// Nothing happens without a command while no player is connected.
    pub(crate) fn check_not_unattended(&self, entries: &[LoggedEntry]) {
        let by_itself = |logged: &LoggedEntry| {
            let entry = &logged.entry;
            matches!(entry, Entry::Dealt | Entry::StoodIn { .. } | Entry::Hosted { .. })
                || matches!(entry, Entry::Paused | Entry::Started(_)) && logged.command.is_none()
        };
        let awake = self.is_attended() || !entries.iter().any(by_itself);
        assert!(awake, "{entries:?} without a connected player");
    }

    /// Whether a seated player is connected.
    fn is_attended(&self) -> bool {
        let plays = |client: &usize| self.witness.seat_of(self.clients[*client].player).is_some();
        self.connections.values().any(plays)
    }

    /// If no answers are lost, no bot needs to be asked again.
    pub(crate) fn check_patience(&mut self, version: u64) {
        let (server_run, about, since) = self.asked;
        if (server_run, about) != (self.server_run, version) {
            self.asked = (self.server_run, version, self.now);
        } else if !self.trouble.answers_lost {
            assert!(self.now < since + 10_000, "a bot was not asked since {since}");
        }
    }

    /// A bot receives what its seat knows and nothing else.
    pub(crate) fn check_asked(&self, ask: &BotQuestion) {
        assert!(self.is_attended(), "a bot plays without a connected player");
        assert_eq!(ask.view.viewer(), Viewer::Seat(ask.seat));
        let known = self.witness.known(self.stored.len() as u64);
        let hidden = ask.view.hand() | ask.view.drawn().iter().copied().collect();
        assert!(known.own_of(Some(ask.seat)).contains_all(hidden), "{}", ask.view);
    }

    /// Every client knows who is connected.
    fn check_presence(&self, replica: &TableReplica, room: &Room) {
        let here: Vec<PlayerId> =
            self.connections.values().map(|client| self.clients[*client].player).collect();
        let state = replica.state().expect("every client knows the table in the end");
        for (seat, seat_state) in Seat::first(state.seats.len()).zip(&state.seats) {
            let player = room.player_on(seat);
            assert_eq!(seat_state.present, player.is_some_and(|player| here.contains(&player)));
        }
        let watch = here.iter().filter(|player| room.seat_of(**player).is_none());
        assert_eq!(replica.watching(), watch.count());
    }

    /// Every command that was acknowledged is in the log, exactly once, at the acknowledged version; refused
    /// commands are not.
    fn check_promises(&self) {
        let mut commands = BTreeMap::new();
        for (number, logged) in (1..).zip(&self.entries) {
            if let Some(LoggedCommand { player, id, .. }) = &logged.command {
                let before = commands.insert((*player, id.as_str()), number);
                assert_eq!(before, None, "{id} of {player:?} is done twice");
            }
        }
        for client in &self.clients {
            for (id, version) in &client.done {
                let logged = commands.get(&(client.player, id.as_str()));
                assert_eq!(logged, Some(version), "{id} was acknowledged");
            }
            // A command that was sent twice may be refused once and done once.
            for id in client.refused.iter().filter(|id| client.sent.get(*id) == Some(&1)) {
                let logged = commands.get(&(client.player, id.as_str()));
                assert_eq!(logged, None, "{id} was refused");
            }
        }
    }

    /// The stored log, decoded from its text.
    fn read_log(&self) -> Vec<LoggedEntry> {
        let read = |(at, body): &(u64, String)| log::decode(*at, body).expect("it is read");
        self.stored.iter().map(read).collect()
    }

    /// A player can be erased: no entry names them any more, and the records still verify.
    fn check_erasure(&self) {
        let replacement = PlayerId::from_random(u64::MAX);
        // Another one in each world.
        let player = self.clients[self.counter as usize % self.clients.len()].player;
        let mut entries = self.entries.clone();
        let changed = erasure::erase(self.table, &entries, player, replacement);
        for (at, logged) in changed.expect("the log is replayed") {
            assert_ne!(entries[at], logged, "only what changes is returned");
            entries[at] = logged;
        }
        let debug = format!("{player:?}");
        for logged in &entries {
            assert!(
                !format!("{logged:?}").contains(&debug),
                "{player:?} is still there: {logged:?}"
            );
            // Neither are their commands recognised, as a client begins all their ids alike.
            let mut done: Vec<&LoggedCommand> = logged.command.iter().collect();
            if let Entry::Started(checkpoint) = &logged.entry {
                done.extend(checkpoint.done.iter().map(|done| &done.command));
            }
            let is_erased = |done: &&LoggedCommand| {
                done.player != replacement || (done.id == "-" && done.fingerprint.is_none())
            };
            assert!(done.iter().all(is_erased), "{done:?}");
        }
        let is_start = |at: &usize| matches!(entries[*at].entry, Entry::Started(_));
        for at in (0..entries.len()).filter(is_start) {
            let record = archive::record(self.table, at as u64 + 1, &entries[at..]);
            record.expect("a record").verify().expect("the record is true");
        }
    }

    /// Every match makes a record that verifies.
    fn check_records(&self) {
        let starts = (0..self.entries.len())
            .filter(|at| matches!(self.entries[*at].entry, Entry::Started(_)));
        for at in starts {
            let record = archive::record(self.table, at as u64 + 1, &self.entries[at..])
                .expect("a log yields a record");
            record.verify().expect("the record is true");
        }
    }
}

/// Two rooms are equal except for the chat before a match.
pub(crate) fn assert_same_room(one: &Room, two: &Room) {
    assert!(one.key() == two.key(), "the keys differ");
    let text = |room: &Room| {
        let text = format!("{room:?}");
        let (before, rest) = text.split_once(" chat: [").expect("the chat");
        let (_, after) = rest.split_once("], key: ").expect("the key comes next");
        format!("{before} {after}")
    };
    let (one, two) = (text(one), text(two));
    if one != two {
        let differ = one.bytes().zip(two.bytes()).position(|(one, two)| one != two).unwrap_or(0);
        let near = |text: &str| text.chars().skip(differ.saturating_sub(200)).take(400).collect();
        let (one, two): (String, String) = (near(&one), near(&two));
        panic!("the same log leads to\n{one}\nand to\n{two}");
    }
}

/// A snapshot without what has no version: who is connected, and clocks that depend on it.
fn without_presence(snapshot: &Snapshot) -> Snapshot {
    let mut without_presence = snapshot.clone();
    without_presence.clock = None;
    without_presence.seats.iter_mut().for_each(|seat_state| seat_state.present = false);
    without_presence
}

/// Checks that the replica shows what the server shows, and prints the lines that differ. A server that
/// restarted from a checkpoint does not know the older chat.
fn assert_same_state(replica: &TableReplica, server: &Snapshot, lacks_old_chat: bool) {
    let Some(state) = replica.state() else { return };
    let mut shown = without_presence(state);
    shown.view = replica.view().map(ToString::to_string);
    let server = without_presence(server);
    if lacks_old_chat && shown.chat.ends_with(&server.chat) {
        shown.chat.clone_from(&server.chat);
    }
    if shown == server {
        return;
    }
    let (one, two) = (format!("{shown:#?}"), format!("{server:#?}"));
    let differ = one.lines().zip(two.lines()).filter(|(one, two)| one != two);
    let differ: Vec<String> =
        differ.take(12).map(|(one, two)| format!("{one}  /  {two}")).collect();
    panic!("the replica shows / the server shows:\n{}", differ.join("\n"));
}
