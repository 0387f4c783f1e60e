//! One table, its clients, a network between them and a store behind it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use bots::{Level, Limit};
use cards::Seat;
use client::mirror::{Heard, Mirror};
use game::deal::{Lots, Seed};
use game::fair::Secret;
use game::{Action, Rules};
use server::desk::{Claim, Desk, Errand, GuestId, Letter, Outside};
use server::room::{Ask, Entry, Key, Logged, Opening, Room, Tempo};
use server::{archive, log};
use store::{PlayerId, TableId};
use wire::bot::action_text;
use wire::table::{
    ClientMessage, Command, Pace, Phrase, Reason, ServerMessage, Snapshot, Stage, Told, Who,
};

/// What goes wrong in a world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trouble {
    pub(crate) disconnects: bool,
    pub(crate) duplicates: bool,
    pub(crate) store_fails: bool,
    pub(crate) crashes: bool,
}

impl Trouble {
    pub(crate) const NONE: Trouble =
        Trouble { disconnects: false, duplicates: false, store_fails: false, crashes: false };
    pub(crate) const ALL: Trouble =
        Trouble { disconnects: true, duplicates: true, store_fails: true, crashes: true };
}

/// Everything goes well after this, so that every world comes to rest.
const TROUBLE_ENDS: u64 = 400_000;
const THE_END: u64 = 40_000_000;

/// Something that happens at a moment of the world.
#[derive(Debug)]
enum Happens {
    /// A message of a client arrives, if its connection still stands.
    ToServer { client: usize, connection: u64, message: ClientMessage },
    /// A message of the server arrives, if the connection still stands.
    ToClient { client: usize, connection: u64, text: String },
    /// The server ends a connection.
    Dismissed { client: usize, connection: u64 },
    /// The store has done, or has failed to do, what it was asked.
    StoreAnswers { life: u64, stored: bool },
    /// A bot has decided.
    BotAnswers { life: u64, seat: Seat, version: u64, action: Action },
    /// A claim was looked into.
    Proved { life: u64, claim: Claim, line: Option<Vec<(Seat, Action)>> },
    /// The server's timer.
    Wakes { life: u64, at: u64 },
    /// A client looks at the table and perhaps does something.
    Thinks { client: usize },
    /// A client without a connection tries again.
    Connects { client: usize },
    /// A connection is lost.
    Loses { client: usize },
    /// The server is killed.
    Crashes,
    /// And started again.
    Starts,
}

struct Client {
    player: PlayerId,
    mirror: Mirror,
    connection: Option<u64>,
    /// Whether it has said hello on the connection, so that the server knows it.
    known: bool,
    wants_seat: bool,
    /// What it has been promised is done: ids with the version.
    done: BTreeMap<String, u64>,
}

pub(crate) struct World {
    trouble: Trouble,
    lots: Lots,
    now: u64,
    queue: BinaryHeap<Reverse<(u64, u64)>>,
    events: BTreeMap<u64, Happens>,
    made: u64,
    table: TableId,
    /// The rules of what will be stored next.
    rules: Rules,
    /// What the store keeps: it survives everything.
    stored: Vec<(u64, String)>,
    /// What the store was asked to keep and has not answered yet.
    in_flight: Option<Vec<Logged>>,
    desk: Option<Desk>,
    /// How often the server was started; letters of earlier lives are lost.
    life: u64,
    /// When the server's timer rings.
    wakes_at: Option<u64>,
    clients: Vec<Client>,
    connections: BTreeMap<u64, usize>,
    matches_wanted: u32,
    tempo: Tempo,
}

impl World {
    pub(crate) fn new(seed: u64, trouble: Trouble) -> World {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_be_bytes());
        let mut lots = Lots::new(Seed(bytes), 0);
        // Whist is long, and few of its worlds are enough.
        let codes = [
            "cruce2-5",
            "cruce3-4",
            "cruce4t-4",
            "cruce4t-4-on3-auto",
            "cruce4s-3-redeal",
            "cruce4t-3-honour",
        ];
        let long = ["whist3", "whist4", "whist5-818", "whist6"];
        let code = match lots.below(25) {
            0 => long[lots.below(long.len())],
            _ => codes[lots.below(codes.len())],
        };
        let rules = Rules::from_code(code).expect("a code");
        let people = 1 + lots.below(rules.players() + 1);
        let clients = (0..people).map(|at| Client {
            player: PlayerId::new(at as u64 + 1).expect("small"),
            mirror: Mirror::new(&format!("c{at}-")),
            connection: None,
            known: false,
            wants_seat: at < rules.players(),
            done: BTreeMap::new(),
        });
        let pace = [Pace::Off, Pace::Relaxed, Pace::Fast][lots.below(3)];
        let opening = Opening {
            rules,
            pace,
            listed: true,
            host: PlayerId::new(1).expect("small"),
            key: Key::new([7; 16]),
            secret: Secret::from_phrase(&format!("world {seed}")),
            siblings: Vec::new(),
        };
        let table = TableId::new(seed & 0xFFFF).expect("small");
        let first = Logged { at: 0, command: None, entry: Entry::Opened(Box::new(opening)) };
        let mut world = World {
            trouble,
            now: 0,
            queue: BinaryHeap::new(),
            events: BTreeMap::new(),
            made: 0,
            table,
            rules,
            stored: vec![(0, log::encode(&first, &rules))],
            in_flight: None,
            desk: None,
            life: 0,
            wakes_at: None,
            clients: clients.collect(),
            connections: BTreeMap::new(),
            matches_wanted: 1 + lots.below(2) as u32,
            tempo: Tempo::default(),
            lots,
        };
        world.start();
        for client in 0..world.clients.len() {
            world.later(10, 500, Happens::Connects { client });
        }
        if trouble.crashes {
            world.later(1_000, 60_000, Happens::Crashes);
        }
        world
    }

    /// Runs until everything has come to rest, and checks that all is well.
    pub(crate) fn run(mut self) {
        while let Some(Reverse((at, number))) = self.queue.pop() {
            assert!(at < THE_END, "the world does not come to rest");
            self.now = at;
            if let Some(event) = self.events.remove(&number) {
                self.happens(event);
            }
        }
        self.check_the_end();
    }

    fn chance(&mut self, one_in: usize) -> bool {
        self.lots.below(one_in) == 0
    }

    fn at(&mut self, at: u64, event: Happens) {
        self.made += 1;
        self.queue.push(Reverse((at, self.made)));
        self.events.insert(self.made, event);
    }

    fn later(&mut self, from: u64, to: u64, event: Happens) {
        let at = self.now + from + self.lots.below((to - from) as usize) as u64;
        self.at(at, event);
    }

    fn troubled(&self) -> bool {
        self.now < TROUBLE_ENDS
    }

    fn happens(&mut self, event: Happens) {
        match event {
            Happens::ToServer { client, connection, message } => {
                self.server_hears(client, connection, message);
            }
            Happens::ToClient { client, connection, text } => {
                self.client_hears(client, connection, &text);
            }
            Happens::Dismissed { client, connection } => {
                if self.clients[client].connection == Some(connection) {
                    self.lose(client);
                }
            }
            Happens::StoreAnswers { life, stored } => self.store_answers(life, stored),
            Happens::BotAnswers { life, seat, version, action } if life == self.life => {
                self.letter(Letter::BotSaid { seat, version, action });
            }
            Happens::Proved { life, claim, line } if life == self.life => {
                self.letter(Letter::Proved { claim, line });
            }
            Happens::Wakes { life, at } if life == self.life && self.wakes_at == Some(at) => {
                self.wakes_at = None;
                self.letter(Letter::Woke);
            }
            Happens::BotAnswers { .. } | Happens::Proved { .. } | Happens::Wakes { .. } => {}
            Happens::Thinks { client } => self.client_thinks(client),
            Happens::Connects { client } => self.connect(client),
            Happens::Loses { client } => self.lose(client),
            Happens::Crashes => self.crash(),
            Happens::Starts => self.start(),
        }
    }

    // The server.

    /// Starts the server: it reads what was stored and goes on from there.
    fn start(&mut self) {
        self.life += 1;
        self.wakes_at = None;
        let room = self.replay(1);
        // A log can be read from any checkpoint on, with the same result.
        let checkpoints: Vec<usize> = (0..self.stored.len())
            .filter(|at| self.stored[*at].1.contains("\"did\":\"started\""))
            .collect();
        if let Some(at) = checkpoints.last() {
            let from_there = self.replay(*at as u64 + 1);
            let nobody = PlayerId::new(999).expect("small");
            let presence = Desk::new(room.clone()).presence().clone();
            let (mut one, mut two) =
                (room.snapshot(nobody, &presence), from_there.snapshot(nobody, &presence));
            // What was said before the match is not carried over.
            (one.said, two.said) = (Vec::new(), Vec::new());
            assert_eq!(one, two, "a checkpoint carries everything");
        }
        self.desk = Some(Desk::new(room));
        self.letter(Letter::Woke);
    }

    /// The room that the stored entries lead to, read from this one on.
    fn replay(&self, from: u64) -> Room {
        let mut room: Option<Room> = None;
        for (number, (at, body)) in (1..).zip(&self.stored) {
            if number < from {
                continue;
            }
            let rules = room.as_ref().map(|room| *room.rules());
            let logged = log::decode(*at, body, rules.as_ref()).expect("what was stored is read");
            match &mut room {
                None => {
                    let (opened, _) =
                        Room::open(self.table, number, &logged, self.tempo).expect("a beginning");
                    room = Some(opened);
                }
                Some(room) => {
                    room.apply(&logged).expect("what was stored fits");
                }
            }
        }
        room.expect("a table was opened")
    }

    fn crash(&mut self) {
        self.desk = None;
        self.life += 1;
        // What was on its way to the disk may be there or not, but whole.
        if let Some(entries) = self.in_flight.take()
            && self.chance(2)
        {
            self.write(&entries);
        }
        for client in 0..self.clients.len() {
            self.lose(client);
        }
        self.later(100, 30_000, Happens::Starts);
        if self.troubled() {
            self.later(40_000, 200_000, Happens::Crashes);
        }
    }

    fn write(&mut self, entries: &[Logged]) {
        for logged in entries {
            let text = log::encode(logged, &self.rules);
            let again = log::decode(logged.at, &text, Some(&self.rules)).expect("it can be read");
            assert_eq!(again, *logged, "what is stored is what was meant");
            if let Entry::Settings { rules: new, .. } = &logged.entry {
                self.rules = *new;
            }
            self.stored.push((logged.at, text));
        }
    }

    fn store_answers(&mut self, life: u64, stored: bool) {
        if life != self.life {
            return;
        }
        let Some(entries) = self.in_flight.take() else { return };
        if stored {
            self.write(&entries);
            self.letter(Letter::Stored);
        } else {
            self.letter(Letter::NotStored);
        }
    }

    fn server_hears(&mut self, client: usize, connection: u64, message: ClientMessage) {
        if self.clients[client].connection != Some(connection) || self.desk.is_none() {
            return;
        }
        let (guest, player) = (GuestId(connection), self.clients[client].player);
        match message {
            ClientMessage::Hello { since, .. } => {
                self.clients[client].known = true;
                self.letter(Letter::Came { guest, player, since });
            }
            ClientMessage::Do { id, what } => self.letter(Letter::Wishes { guest, id, what }),
            ClientMessage::Beat => {}
        }
    }

    fn letter(&mut self, letter: Letter) {
        let Some(mut desk) = self.desk.take() else { return };
        let mut errands = Vec::new();
        let (now, table) = (self.now, self.table);
        let drawn = self.made;
        let fresh = move || Secret::from_phrase(&format!("{table} {now} {drawn}"));
        let outside = Outside { now, fresh: &fresh };
        desk.take(letter, &outside, &mut errands);
        let wakes_at = desk.wakes_at(&outside).map(|at| at.max(now + 1));
        if let Some(at) = wakes_at
            && self.wakes_at != wakes_at
        {
            let life = self.life;
            self.at(at, Happens::Wakes { life, at });
        }
        self.wakes_at = wakes_at;
        assert!(desk.room().version() <= self.stored.len() as u64, "only what is stored happens");
        self.desk = Some(desk);
        for errand in errands {
            self.errand(errand);
        }
    }

    fn errand(&mut self, errand: Errand) {
        let life = self.life;
        match errand {
            Errand::Send { guest, text } => {
                let Some(client) = self.connections.get(&guest.0).copied() else { return };
                self.check_secrets(client, &text);
                self.send(client, guest.0, |client, connection| Happens::ToClient {
                    client,
                    connection,
                    text: text.to_string(),
                });
            }
            Errand::Dismiss { guest, .. } => {
                let Some(client) = self.connections.get(&guest.0).copied() else { return };
                self.later(1, 50, Happens::Dismissed { client, connection: guest.0 });
            }
            Errand::Store { first, entries } => {
                assert_eq!(first, self.stored.len() as u64 + 1, "one writer, in order");
                assert!(self.in_flight.is_none(), "one thing at a time");
                self.in_flight = Some(entries);
                let fails = self.trouble.store_fails && self.troubled() && self.chance(10);
                self.later(1, 40, Happens::StoreAnswers { life, stored: !fails });
            }
            Errand::Ask(ask) => {
                let action = decide(&ask, &mut self.lots);
                let Ask { seat, version, due, .. } = *ask;
                let at = due.max(self.now + 1);
                self.at(at, Happens::BotAnswers { life, seat, version, action });
            }
            Errand::Prove { claim, .. } => {
                // Whether it is true is proved elsewhere; here it is enough that an
                // answer comes.
                self.later(1, 50, Happens::Proved { life, claim, line: None });
            }
            Errand::Answer { .. } | Errand::Finished(_) => {}
        }
    }

    // The network. Messages of one connection stay in order; connections do not.

    fn send(&mut self, client: usize, connection: u64, message: impl Fn(usize, u64) -> Happens) {
        // The same delay for all messages of a connection keeps them in order.
        let delay = 5 + connection * 7 % 90;
        self.at(self.now + delay, message(client, connection));
    }

    fn connect(&mut self, client: usize) {
        if self.clients[client].connection.is_some() {
            return;
        }
        if self.desk.is_none() {
            self.later(500, 3_000, Happens::Connects { client });
            return;
        }
        self.made += 1;
        let connection = self.made;
        self.connections.insert(connection, client);
        let known = &mut self.clients[client];
        (known.connection, known.known) = (Some(connection), false);
        let hello = known.mirror.hello();
        let mut messages = vec![hello];
        messages.extend(known.mirror.unanswered());
        for message in messages {
            self.send(client, connection, |client, connection| Happens::ToServer {
                client,
                connection,
                message: message.clone(),
            });
        }
        self.later(200, 2_000, Happens::Thinks { client });
        if self.trouble.disconnects && self.troubled() {
            self.later(5_000, 150_000, Happens::Loses { client });
        }
    }

    fn lose(&mut self, client: usize) {
        let Some(connection) = self.clients[client].connection.take() else { return };
        if self.clients[client].known {
            self.letter(Letter::Went { guest: GuestId(connection) });
        }
        self.connections.remove(&connection);
        let long = self.chance(4);
        let (from, to) = if long { (20_000, 90_000) } else { (200, 8_000) };
        self.later(from, to, Happens::Connects { client });
    }

    // The clients.

    fn client_hears(&mut self, at: usize, connection: u64, text: &str) {
        if self.clients[at].connection != Some(connection) {
            return;
        }
        let message = ServerMessage::read(text).expect("the server speaks the protocol");
        let client = &mut self.clients[at];
        match &message {
            ServerMessage::Done { id, version } => {
                client.done.insert(id.clone(), *version);
            }
            ServerMessage::Update(update) => {
                if let Some(id) = &update.done {
                    client.done.insert(id.clone(), update.version);
                }
            }
            _ => {}
        }
        match client.mirror.hear(message) {
            Heard::Lost => {
                let hello = ClientMessage::Hello { ghinda: wire::table::VERSION, since: None };
                client.mirror.forget();
                panic!("an update did not fit the mirror; it would say {hello:?}");
            }
            Heard::Refused { wish, refusal } => {
                let expected = matches!(
                    refusal.reason,
                    Reason::Unavailable
                        | Reason::Illegal
                        | Reason::NotProven
                        | Reason::NoClaims
                        | Reason::SeatTaken
                        | Reason::MatchRuns
                        | Reason::NoMatch
                        | Reason::NotSeated
                        | Reason::NotStoodIn
                        | Reason::NothingToRead
                        | Reason::Paused
                        | Reason::NotPaused
                        | Reason::SawCards
                        | Reason::TooFast
                );
                assert!(expected, "{wish:?} was refused: {refusal:?}");
            }
            Heard::Nothing | Heard::Snapshot | Heard::Told(_) | Heard::Presence => {}
        }
        self.check_mirror(at);
    }

    /// Does what a person might do now.
    fn client_thinks(&mut self, at: usize) {
        if self.clients[at].connection.is_none() {
            return;
        }
        if self.settled() {
            return;
        }
        let command = match self.clients[at].mirror.is_settled() {
            true => {
                let mirror = std::mem::take(&mut self.clients[at].mirror);
                let idea = self.idea(at, &mirror);
                self.clients[at].mirror = mirror;
                idea
            }
            false => None,
        };
        if let Some(command) = command {
            let message = self.clients[at].mirror.wish(command);
            let connection = self.clients[at].connection.unwrap_or(0);
            let twice = self.trouble.duplicates && self.chance(5);
            for _ in 0..1 + usize::from(twice) {
                self.send(at, connection, |client, connection| Happens::ToServer {
                    client,
                    connection,
                    message: message.clone(),
                });
            }
        }
        self.later(100, 4_000, Happens::Thinks { client: at });
    }

    fn idea(&mut self, at: usize, mirror: &Mirror) -> Option<Command> {
        let state = mirror.state()?;
        let seat = state.you.seat;
        let free = state.seats.iter().position(|chair| !matches!(chair.who, Some(Who::Person(_))));
        if seat.is_none() && self.clients[at].wants_seat && self.lots.below(3) > 0 {
            let name = format!("Player {at}");
            return free.map(|free| Command::Sit { seat: free + 1, name });
        }
        let seat = seat?;
        if self.chance(40) {
            return Some(match self.lots.below(8) {
                0 => Command::Say(String::from("bună!")),
                1 => Command::Phrase(Phrase::GoodLuck),
                2 => Command::Rename { name: format!("Other {}", self.now % 97) },
                3 => Command::Claim,
                4 => Command::Pause,
                5 if self.trouble.disconnects => Command::Leave,
                6 => Command::TakeBack,
                _ => Command::Phrase(Phrase::Thanks),
            });
        }
        if state.paused {
            return self.chance(6).then_some(Command::Resume);
        }
        match state.stage {
            Stage::Waiting if self.chance(3) => Some(Command::Word(format!("w{}", self.now))),
            Stage::Waiting if state.you.host => Some(match self.lots.below(12) {
                0 => Command::Swap([1, 2]),
                1 => Command::Listed(true),
                2 => Command::Pace(Pace::Fast),
                3 => Command::Bot { seat: state.seats.len(), level: "easy".into() },
                _ => Command::Start,
            })
            .filter(|command| match command {
                Command::Bot { seat, .. } => {
                    !matches!(state.seats[seat - 1].who, Some(Who::Person(_)))
                }
                _ => true,
            }),
            Stage::Waiting => None,
            Stage::Over if state.promise.number < self.matches_wanted => {
                (!state.seats[seat - 1].ready).then_some(Command::Rematch)
            }
            Stage::Over => None,
            Stage::Playing => {
                let view = mirror.view()?;
                let actions = view.actions();
                if actions.is_empty() {
                    let reads = matches!(view.public().phase(), game::public::Phase::Dealing);
                    return (reads && !state.seats[seat - 1].ready).then_some(Command::Ready);
                }
                let sensible: Vec<&Action> = actions
                    .iter()
                    .filter(|action| !matches!(action, Action::Challenge { .. }))
                    .collect();
                let pick = sensible.get(self.lots.below(sensible.len().max(1)))?;
                let number = Seat::new(seat - 1)?;
                Some(Command::Act(action_text(view.public().rules(), number, **pick)))
            }
        }
    }

    // What must hold.

    /// Whether all matches have been played that somebody wants.
    fn settled(&self) -> bool {
        if self.troubled() || self.desk.is_none() {
            return false;
        }
        let shows_the_end = |client: &Client| {
            client.mirror.is_settled()
                && client.mirror.state().is_some_and(|state| {
                    state.stage == Stage::Over && state.promise.number >= self.matches_wanted
                })
        };
        let deserted = self.now > TROUBLE_ENDS * 20;
        self.clients
            .iter()
            .all(|client| shows_the_end(client) || (deserted && client.mirror.is_settled()))
    }

    /// A mirror never runs ahead of the disk, and shows what the server would show.
    fn check_mirror(&self, at: usize) {
        let client = &self.clients[at];
        let (Some(state), Some(desk)) = (client.mirror.state(), &self.desk) else { return };
        assert!(state.version <= self.stored.len() as u64, "shown before it was stored");
        // Every message would be too much.
        if state.version == desk.room().version() && (self.made.is_multiple_of(5)) {
            let shown = desk.room().snapshot(client.player, desk.presence());
            same(&client.mirror, &shown);
        }
    }

    /// Nothing is sent to a client that its seat may not know.
    fn check_secrets(&self, client: usize, text: &str) {
        let Some(desk) = &self.desk else { return };
        let player = self.clients[client].player;
        let seat = desk.room().seat_of(player);
        match ServerMessage::read(text).expect("the protocol") {
            ServerMessage::Update(update) => {
                for told in &update.told {
                    match told {
                        Told::Dealt { hand, .. } => assert_eq!(hand.is_some(), seat.is_some()),
                        Told::Completed { rest } => assert_eq!(rest.is_some(), seat.is_some()),
                        Told::Drew { seat: by, card } => {
                            let own = seat.is_some_and(|seat| seat.number() == *by);
                            assert_eq!(card.is_some(), own);
                        }
                        Told::Secret { secret } => {
                            // Somebody who resumes may hear it when the next match runs.
                            let shown = desk.room().snapshot(player, desk.presence());
                            let secret: Secret = secret.parse().expect("a secret");
                            let table = shown.promise.table.parse().expect("a word");
                            let promised = secret.commit(&table, desk.room().rules()).to_string();
                            let open = shown.stage == Stage::Over;
                            assert!(open || promised != shown.promise.commitment, "too early");
                        }
                        _ => {}
                    }
                }
            }
            ServerMessage::Snapshot(shown) => {
                assert_eq!(shown.you.seat, seat.map(Seat::number));
                assert!(shown.promise.secret.is_none() || shown.stage == Stage::Over);
            }
            _ => {}
        }
    }

    fn check_the_end(&self) {
        let desk = self.desk.as_ref().expect("the server runs in the end");
        let room = desk.room();
        assert_eq!(room.version(), self.stored.len() as u64);
        // What the disk holds is what the server shows.
        let again = self.replay(1);
        let nobody = PlayerId::new(999).expect("small");
        assert_eq!(
            bare(&again.snapshot(nobody, desk.presence())),
            bare(&room.snapshot(nobody, desk.presence()))
        );
        // Everything that was promised is in the log, exactly once, where it was said to be.
        let mut seen = BTreeSet::new();
        let mut commands = BTreeMap::new();
        let mut rules = *room.rules();
        for (number, (at, body)) in (1..).zip(&self.stored) {
            let logged = log::decode(*at, body, Some(&rules)).expect("it is read");
            match &logged.entry {
                Entry::Settings { rules: new, .. } => rules = *new,
                Entry::Opened(opening) => rules = opening.rules,
                _ => {}
            }
            if let Some((player, id)) = logged.command {
                assert!(seen.insert((player, id.clone())), "{id} of {player:?} was done twice");
                commands.insert((player, id), number);
            }
        }
        for client in &self.clients {
            for (id, version) in &client.done {
                let logged = commands.get(&(client.player, id.clone()));
                assert_eq!(logged, Some(version), "{id} was promised to be done");
            }
            assert!(client.mirror.is_settled(), "every wish was answered");
            assert!(client.mirror.state().is_some(), "everybody sees the table in the end");
            if client.connection.is_some() {
                let shown = room.snapshot(client.player, desk.presence());
                same(&client.mirror, &shown);
            }
        }
        self.check_records();
    }

    /// Every match makes a record that anybody can recheck.
    fn check_records(&self) {
        let mut rules = None;
        let mut entries: Vec<Logged> = Vec::new();
        for (at, body) in &self.stored {
            let logged = log::decode(*at, body, rules.as_ref()).expect("it is read");
            match &logged.entry {
                Entry::Opened(opening) => rules = Some(opening.rules),
                Entry::Settings { rules: new, .. } => rules = Some(*new),
                _ => {}
            }
            entries.push(logged);
        }
        let starts =
            (0..entries.len()).filter(|at| matches!(entries[*at].entry, Entry::Started(_)));
        for at in starts {
            let record = archive::record(self.table, at as u64 + 1, &entries[at..])
                .expect("a log makes a record");
            record.verify().expect("the record is true");
        }
    }
}

/// A snapshot without what has no version: who is here, and clocks that depend on it.
fn bare(snapshot: &Snapshot) -> Snapshot {
    let mut bare = snapshot.clone();
    bare.clock = None;
    bare.seats.iter_mut().for_each(|chair| chair.present = false);
    bare
}

/// The mirror shows what the server shows; the lines that differ are named.
fn same(mirror: &Mirror, server: &Snapshot) {
    let Some(state) = mirror.state() else { return };
    let mut mirrored = bare(state);
    mirrored.view = mirror.view().map(ToString::to_string);
    let (mirror, server) = (mirrored, bare(server));
    if mirror == server {
        return;
    }
    let (one, two) = (format!("{mirror:#?}"), format!("{server:#?}"));
    let differ = one.lines().zip(two.lines()).filter(|(one, two)| one != two);
    let differ: Vec<String> =
        differ.take(12).map(|(one, two)| format!("{one}  /  {two}")).collect();
    panic!("the mirror shows / the server shows:\n{}", differ.join("\n"));
}

/// What a bot does, quickly.
fn decide(ask: &Ask, lots: &mut Lots) -> Action {
    let mut seed = ask.seed;
    seed.0[0] ^= lots.below(256) as u8;
    let mut bot = Level::Random.bot();
    bot.act(&ask.view, seed, Limit::NONE).expect("the seat was asked because it is to act")
}
