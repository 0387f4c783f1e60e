//! What must hold in every world.

use std::collections::BTreeMap;

use cards::{CardSet, Seat};
use game::notation::{parse_card, parse_set};
use game::{View, Viewer};
use ids::PlayerId;
use replica::table::TableReplica;
use room::driver::TableDriver;
use room::{BotQuestion, Entry, LoggedEntry, Room, archive, log};
use wire::table::{ServerMessage, Snapshot, StandInReason, TableEvent, TableStage};

use crate::clients::{Client, Part};
use crate::world::World;

/// A mirror is compared with the server at one of so many messages, and in the end.
const SAMPLED: u64 = 24;

impl World {
    /// A mirror never runs ahead of the disk, and shows what the server would show.
    pub(crate) fn check_mirror(&self, at: usize) {
        let client = &self.clients[at];
        let (Some(state), Some(driver)) = (client.replica.state(), &self.driver) else { return };
        assert!(state.version <= self.stored.len() as u64, "shown before it was stored");
        if state.version == driver.room().version() && self.made.is_multiple_of(SAMPLED) {
            let shown = driver.room().snapshot(client.player, driver.presence());
            same(&client.replica, &shown, self.forgetful);
        }
    }

    /// Nothing is sent to a client that its seat may not know at that moment: no
    /// card, no secret, no key, and to strangers nothing at all.
    pub(crate) fn check_text(&mut self, at: usize, text: &str, message: &ServerMessage) {
        let client = &self.clients[at];
        let player = client.player;
        let Some(room) = self.driver.as_ref().map(TableDriver::room) else { return };
        self.witness.check_words(text);
        let (seat, now) = (self.witness.seat_of(player), self.stored.len() as u64);
        // The very message may be that somebody has to go.
        let last = match message {
            ServerMessage::Update(update) => update.version == now,
            ServerMessage::Snapshot(shown) => shown.version == now,
            ServerMessage::Done { version, .. } => *version == now,
            _ => false,
        };
        let strange = client.part == Part::Stranger && !self.witness.listed;
        let unwanted = strange || self.witness.is_sent_away(player);
        assert!(last || !unwanted, "told to somebody who may not be here: {text}");
        assert_eq!(room.seat_of(player), seat);
        match message {
            ServerMessage::Update(update) => {
                for told in &update.told {
                    self.check_told(player, seat, update.version, told);
                }
            }
            ServerMessage::Snapshot(shown) => self.check_shown(player, seat, shown),
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

    fn check_told(
        &mut self,
        player: PlayerId,
        seat: Option<Seat>,
        version: u64,
        told: &TableEvent,
    ) {
        let pack = self.witness.rules().pack();
        let known = *self.witness.known(version);
        let card = |text: &Option<String>| -> CardSet {
            text.iter().map(|text| parse_card(pack, text).expect("a card")).collect()
        };
        // What only the viewer may see, and what everybody may.
        let (hidden, open) = match told {
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
            TableEvent::Hands { .. } => {
                assert!(known.all && !self.witness.duplicate, "hands are told too early");
                (CardSet::EMPTY, CardSet::EMPTY)
            }
            // What a right challenge shows is the proof of it (C15), and ends the deal.
            TableEvent::Challenged { broken, .. } => {
                assert!(broken.is_none() || known.all || self.witness.duplicate);
                (CardSet::EMPTY, CardSet::EMPTY)
            }
            TableEvent::ThrownIn { .. } => {
                self.tally.count("a deal thrown in");
                (CardSet::EMPTY, CardSet::EMPTY)
            }
            TableEvent::Secret { .. } => {
                assert!(!self.witness.duplicate, "the same deals are played elsewhere");
                (CardSet::EMPTY, CardSet::EMPTY)
            }
            TableEvent::Promised(promise) => {
                assert!(promise.secret.is_none());
                (CardSet::EMPTY, CardSet::EMPTY)
            }
            // No cards stand in these.
            TableEvent::Bid { .. }
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
            | TableEvent::StandIn { .. }
            | TableEvent::Back { .. }
            | TableEvent::Claimed { .. }
            | TableEvent::Ready { .. }
            | TableEvent::WantsPause { .. }
            | TableEvent::Paused
            | TableEvent::Resumed
            | TableEvent::WantsRematch { .. }
            | TableEvent::Said { .. }
            | TableEvent::Muted { .. }
            | TableEvent::Closed
            | TableEvent::Unknown => return,
        };
        assert!(known.open.contains_all(open), "{told:?} at {version}");
        assert!(known.own_of(seat).contains_all(hidden), "{told:?} to {seat:?} at {version}");
        if let Some(seat) = seat.filter(|_| !hidden.is_empty()) {
            self.witness.shows(player, known.number, seat);
        }
    }

    fn check_shown(&mut self, player: PlayerId, seat: Option<Seat>, shown: &Snapshot) {
        assert_eq!(shown.you.seat, seat.map(Seat::number));
        let over = shown.stage == TableStage::Over && !self.witness.duplicate;
        assert_eq!(shown.promise.secret.is_some(), over);
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
            self.witness.shows(player, known.number, seat);
        }
    }

    pub(crate) fn check_the_end(&self) {
        let driver = self.driver.as_ref().expect("the server runs in the end");
        let room = driver.room();
        assert_eq!(room.version(), self.stored.len() as u64);
        // What the disk holds is what the server has.
        let again: Vec<LoggedEntry> = self.read_log();
        assert_eq!(again, self.entries);
        // It can be read from every match on.
        for at in 0..self.entries.len() {
            if self.entries[at].entry.is_checkpoint() {
                same_room(room, &self.replay(at));
            }
        }
        self.check_promises();
        self.check_records();
        if self.closing {
            assert!(room.is_closed(), "what is closed stays closed");
            assert!(self.connections.is_empty(), "nobody is left at a closed table");
            return;
        }
        let stays = |client: &&Client| client.stays();
        for client in self.clients.iter().filter(stays) {
            assert!(client.replica.is_settled(), "every wish was answered");
            assert!(client.connection.is_some(), "everybody is there in the end");
            let shown = room.snapshot(client.player, driver.presence());
            same(&client.replica, &shown, self.forgetful);
            self.check_presence(&client.replica, room);
        }
    }

    /// Whoever is there again gets his seat back by himself.
    pub(crate) fn check_replaced(&mut self, at: usize) {
        let client = &mut self.clients[at];
        let state = client.replica.state();
        let chair = state.and_then(|state| state.seats.get(state.you.seat? - 1));
        let replaced = chair.is_some_and(|chair| chair.stand_in == Some(StandInReason::Gone));
        client.replaced = if replaced { client.replaced + 1 } else { 0 };
        assert!(client.replaced < 30, "{:?} is here and a bot plays for him", client.player);
    }

    /// Nothing happens by itself where no player is.
    pub(crate) fn check_awake(&self, entries: &[LoggedEntry]) {
        let by_itself = |logged: &LoggedEntry| {
            let entry = &logged.entry;
            matches!(entry, Entry::Dealt | Entry::StoodIn { .. } | Entry::Hosted { .. })
                || matches!(entry, Entry::Paused | Entry::Started(_)) && logged.command.is_none()
        };
        let awake = self.is_awake() || !entries.iter().any(by_itself);
        assert!(awake, "{entries:?} with nobody there");
    }

    /// Whether somebody on a seat is connected.
    fn is_awake(&self) -> bool {
        let plays = |client: &usize| self.witness.seat_of(self.clients[*client].player).is_some();
        self.connections.values().any(plays)
    }

    /// Where no answers get lost nobody has to wait for a bot to be asked again.
    pub(crate) fn check_patience(&mut self, version: u64) {
        let (life, about, since) = self.asked;
        if (life, about) != (self.life, version) {
            self.asked = (self.life, version, self.now);
        } else if !self.trouble.answers_lost {
            assert!(self.now < since + 10_000, "a bot was forgotten since {since}");
        }
    }

    /// A bot is asked with what its seat knows and nothing else.
    pub(crate) fn check_asked(&self, ask: &BotQuestion) {
        assert!(self.is_awake(), "a bot plays for nobody");
        assert_eq!(ask.view.viewer(), Viewer::Seat(ask.seat));
        let known = self.witness.known(self.stored.len() as u64);
        let hidden = ask.view.hand() | ask.view.drawn().iter().copied().collect();
        assert!(known.own_of(Some(ask.seat)).contains_all(hidden), "{}", ask.view);
    }

    /// Everybody knows who is there.
    fn check_presence(&self, replica: &TableReplica, room: &Room) {
        let here: Vec<PlayerId> =
            self.connections.values().map(|client| self.clients[*client].player).collect();
        let state = replica.state().expect("everybody sees the table in the end");
        for (seat, chair) in Seat::first(state.seats.len()).zip(&state.seats) {
            let player = room.player_on(seat);
            assert_eq!(chair.present, player.is_some_and(|player| here.contains(&player)));
        }
        let watch = here.iter().filter(|player| room.seat_of(**player).is_none());
        assert_eq!(replica.watching(), watch.count());
    }

    /// Everything that was promised is in the log, exactly once, where it was said to
    /// be; what was refused is not.
    fn check_promises(&self) {
        let mut commands = BTreeMap::new();
        for (number, logged) in (1..).zip(&self.entries) {
            if let Some((player, id)) = &logged.command {
                let before = commands.insert((*player, id.as_str()), number);
                assert_eq!(before, None, "{id} of {player:?} was done twice");
            }
        }
        for client in &self.clients {
            for (id, version) in &client.done {
                let logged = commands.get(&(client.player, id.as_str()));
                assert_eq!(logged, Some(version), "{id} was promised to be done");
            }
            // One that was sent twice may be refused once and done once.
            for id in client.refused.iter().filter(|id| client.sent.get(*id) == Some(&1)) {
                let logged = commands.get(&(client.player, id.as_str()));
                assert_eq!(logged, None, "{id} was refused");
            }
        }
    }

    /// What is stored, read from its text.
    fn read_log(&self) -> Vec<LoggedEntry> {
        let read = |(at, body): &(u64, String)| log::decode(*at, body).expect("it is read");
        self.stored.iter().map(read).collect()
    }

    /// Every match makes a record that anybody can recheck.
    fn check_records(&self) {
        let starts = (0..self.entries.len())
            .filter(|at| matches!(self.entries[*at].entry, Entry::Started(_)));
        for at in starts {
            let record = archive::record(self.table, at as u64 + 1, &self.entries[at..])
                .expect("a log makes a record");
            record.verify().expect("the record is true");
        }
    }
}

/// Two rooms are the same in everything but what was said before a match.
pub(crate) fn same_room(one: &Room, two: &Room) {
    assert!(one.key() == two.key(), "the key is another");
    let text = |room: &Room| {
        let text = format!("{room:?}");
        let (before, rest) = text.split_once(" said: [").expect("what was said");
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

/// A snapshot without what has no version: who is here, and clocks that depend on it.
fn bare(snapshot: &Snapshot) -> Snapshot {
    let mut bare = snapshot.clone();
    bare.clock = None;
    bare.seats.iter_mut().for_each(|chair| chair.present = false);
    bare
}

/// The mirror shows what the server shows; the lines that differ are named. A server
/// that has forgotten what was said long ago is not asked about it.
fn same(replica: &TableReplica, server: &Snapshot, forgetful: bool) {
    let Some(state) = replica.state() else { return };
    let mut mirrored = bare(state);
    mirrored.view = replica.view().map(ToString::to_string);
    let server = bare(server);
    if forgetful && mirrored.said.ends_with(&server.said) {
        mirrored.said.clone_from(&server.said);
    }
    if mirrored == server {
        return;
    }
    let (one, two) = (format!("{mirrored:#?}"), format!("{server:#?}"));
    let differ = one.lines().zip(two.lines()).filter(|(one, two)| one != two);
    let differ: Vec<String> =
        differ.take(12).map(|(one, two)| format!("{one}  /  {two}")).collect();
    panic!("the mirror shows / the server shows:\n{}", differ.join("\n"));
}
