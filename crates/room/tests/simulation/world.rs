//! One table with a store behind it, a clock, and everything that happens in order.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use bots::Limit;
use cards::Seat;
use game::Action;
use game::deal::{Lots, Seed};
use game::fair::Secret;
use ids::TableId;
use room::driver::{ConnectionId, DriverContext, Effect, Input, PendingClaim, TableDriver};
use room::{BotQuestion, Entry, Key, LoggedEntry, MatchResult, Room, Timings, log, prove};
use wire::table::{ClientMessage, CloseReason, ServerMessage};

use crate::clients::{Client, Part};
use crate::ideas::move_of;
use crate::opening::{self, clients, nobody};
use crate::witness::{Tally, Witness};

/// What goes wrong in a world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trouble {
    pub(crate) disconnects: bool,
    pub(crate) duplicates: bool,
    pub(crate) store_fails: bool,
    pub(crate) answers_lost: bool,
    pub(crate) crashes: bool,
}

impl Trouble {
    pub(crate) const NONE: Trouble = Trouble {
        disconnects: false,
        duplicates: false,
        store_fails: false,
        answers_lost: false,
        crashes: false,
    };
    pub(crate) const ALL: Trouble = Trouble {
        disconnects: true,
        duplicates: true,
        store_fails: true,
        answers_lost: true,
        crashes: true,
    };
}

/// Everything goes well after this, so that every world comes to rest.
const TROUBLE_ENDS: u64 = 90_000;
/// With somebody at the table the longest match is over long before this.
const THE_END: u64 = 4_000_000;
/// Nothing may stand still for so long while somebody waits for it.
const STANDSTILL: u64 = 90_000;

/// How much of a claim is looked into: a little, as there are many.
const CLAIM_NODES: u64 = 2_000;

/// Everything takes less time than on a real table, so that more of it happens.
const TEMPO: Timings = Timings {
    bot_takes: 200,
    score_stands: Some(4_000),
    gone_for: 6_000,
    after_return: 2_000,
    relaxed: 9_000,
    fast: 3_000,
};

/// Something that happens at a moment of the world.
#[derive(Debug)]
pub(crate) enum Happens {
    /// A message of a client arrives, if the server still knows its connection.
    ToServer { connection: u64, message: ClientMessage },
    /// A message of the server arrives, if the connection still stands.
    ToClient { client: usize, connection: u64, message: Rc<ServerMessage> },
    /// The server has ended a connection.
    Dismissed { client: usize, connection: u64, why: CloseReason },
    /// The server notices that a connection is gone.
    Noticed { connection: u64 },
    /// The store has done, or has failed to do, what it was asked.
    StoreAnswers { life: u64, stored: bool },
    /// A bot has decided.
    BotAnswers { life: u64, seat: Seat, version: u64, action: Action },
    /// A claim was looked into.
    Proved { life: u64, claim: PendingClaim, line: Option<Vec<(Seat, Action)>> },
    /// The server's timer.
    Wakes { life: u64, at: u64 },
    /// A client looks at the table and perhaps does something.
    Thinks { client: usize, connection: u64 },
    /// A client sends more than a table takes at once.
    Bursts { client: usize },
    /// A client without a connection tries to get one.
    Connects { client: usize },
    /// A connection is lost.
    Loses { client: usize },
    /// Somebody goes and does not come back.
    GoesHome { client: usize },
    /// Nobody has a connection any more.
    Outage,
    /// Somebody closes the table.
    Closes,
    /// The server is killed.
    Crashes,
    /// And started again.
    Starts,
}

pub(crate) struct World {
    pub(crate) trouble: Trouble,
    pub(crate) lots: Lots,
    pub(crate) now: u64,
    events: BTreeMap<(u64, u64), Happens>,
    pub(crate) made: u64,
    pub(crate) table: TableId,
    /// What the store keeps, as text and as it was meant: it survives everything.
    pub(crate) stored: Vec<(u64, String)>,
    pub(crate) entries: Vec<LoggedEntry>,
    /// What the store was asked to keep and has not answered yet.
    in_flight: Option<Vec<LoggedEntry>>,
    /// The match that it will have ended.
    foretold: Option<MatchResult>,
    pub(crate) driver: Option<TableDriver>,
    /// Whether the server that runs has read the log from a match on, and so does not
    /// know what was said before.
    pub(crate) forgetful: bool,
    /// How often the server was started; letters of earlier lives are lost.
    pub(crate) life: u64,
    /// When the server's timer rings.
    wakes_at: Option<u64>,
    pub(crate) clients: Vec<Client>,
    /// The connections that the server knows, with their clients.
    pub(crate) connections: BTreeMap<u64, usize>,
    /// Those who knock, and with what.
    pub(crate) knocks: BTreeMap<u64, (usize, Key)>,
    pub(crate) matches_wanted: u32,
    /// How often somebody may still do something that nobody needs to.
    pub(crate) mischief: usize,
    /// The text that was read last: one text goes to many.
    read: Option<(Arc<str>, Rc<ServerMessage>)>,
    pub(crate) witness: Witness,
    pub(crate) tally: Tally,
    /// Whether everything that is stored is printed.
    tells: bool,
    /// When something was stored last.
    progress: u64,
    /// What a bot was asked first about which version, by which server and when.
    pub(crate) asked: (u64, u64, u64),
    /// Until when the store is slow.
    pub(crate) slow_until: u64,
    /// Whether the table was closed, which ends the world.
    pub(crate) closing: bool,
}

impl World {
    pub(crate) fn new(seed: u64, trouble: Trouble) -> World {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_be_bytes());
        let mut lots = Lots::new(Seed(bytes), 0);
        let table = TableId::new(seed & 0xFFFF).expect("small");
        let opening = opening::opening(seed, table, &mut lots);
        let rules = opening.rules;
        let once = !opening.siblings.is_empty() || rules.code().starts_with("whist");
        let clients = clients(&rules, &mut lots);
        let first = LoggedEntry { at: 0, command: None, entry: Entry::Opened(Box::new(opening)) };
        let mut world = World {
            trouble,
            now: 0,
            events: BTreeMap::new(),
            made: 0,
            table,
            stored: vec![(0, log::encode(&first))],
            witness: Witness::new(table, &first),
            entries: vec![first],
            in_flight: None,
            foretold: None,
            driver: None,
            forgetful: false,
            life: 0,
            wakes_at: None,
            clients,
            connections: BTreeMap::new(),
            knocks: BTreeMap::new(),
            matches_wanted: if once { 1 } else { 1 + lots.below(2) as u32 },
            mischief: 6 + lots.below(20),
            read: None,
            tally: Tally::default(),
            tells: std::env::var_os("SIMULATION_TELL").is_some(),
            progress: 0,
            asked: (0, 0, 0),
            slow_until: 0,
            closing: false,
            lots,
        };
        world.start();
        for client in 0..world.clients.len() {
            world.later(10, 500, Happens::Connects { client });
        }
        if world.chance(6) {
            let client = world.lots.below(world.clients.len());
            world.later(2_000, 40_000, Happens::Bursts { client });
        }
        if trouble.crashes {
            world.later(500, 30_000, Happens::Crashes);
        }
        if trouble.disconnects {
            world.later(5_000, 80_000, Happens::Outage);
        }
        // Some hosts are not seen again, whatever the others wait for.
        let others = world.clients.iter().skip(1).any(|client| client.part == Part::Plays);
        if others && world.chance(8) {
            world.later(500, 40_000, Happens::GoesHome { client: 0 });
        }
        // Some tables are closed while everybody plays.
        if world.chance(15) {
            world.later(1_000, 60_000, Happens::Closes);
        }
        world
    }

    /// Runs until everything has come to rest, and checks that all is well.
    pub(crate) fn run(mut self) -> Tally {
        self.go_on();
        self.check_the_end();
        if !self.closing && self.chance(3) {
            self.close();
        }
        let (rules, seats) = self.witness.changes;
        (0..rules).for_each(|_| self.tally.count("a change of rules"));
        (0..seats).for_each(|_| self.tally.count("a change of seats"));
        self.tally
    }

    fn go_on(&mut self) {
        while let Some(((at, _), event)) = self.events.pop_first() {
            self.now = at;
            let stands = at > self.progress.max(TROUBLE_ENDS) + STANDSTILL;
            if at > THE_END || (stands && !self.settled()) {
                self.tell_standstill();
            }
            self.happens(event);
        }
    }

    /// Somebody closes the table in the end, perhaps when it has no ear for him.
    fn close(&mut self) {
        let client = self.lots.below(self.clients.len());
        if self.chance(2) {
            self.later(1, 20, Happens::Bursts { client });
        }
        self.later(1, 150, Happens::Closes);
        self.go_on();
        self.check_the_end();
    }

    pub(crate) fn chance(&mut self, one_in: usize) -> bool {
        self.lots.below(one_in) == 0
    }

    pub(crate) fn at(&mut self, at: u64, event: Happens) {
        self.made += 1;
        self.events.insert((at, self.made), event);
    }

    pub(crate) fn later(&mut self, from: u64, to: u64, event: Happens) {
        let at = self.now + from + self.lots.below((to - from) as usize) as u64;
        self.at(at, event);
    }

    pub(crate) fn troubled(&self) -> bool {
        let Trouble { disconnects, duplicates, store_fails, answers_lost, crashes } = self.trouble;
        let some = disconnects || duplicates || store_fails || answers_lost || crashes;
        some && self.now < TROUBLE_ENDS
    }

    fn happens(&mut self, event: Happens) {
        match event {
            Happens::ToServer { connection, message } => self.server_hears(connection, message),
            Happens::ToClient { client, connection, message } => {
                self.client_hears(client, connection, &message);
            }
            Happens::Dismissed { client, connection, why } => {
                self.dismissed(client, connection, why);
            }
            Happens::Noticed { connection } => {
                if self.connections.remove(&connection).is_some() {
                    self.input(Input::Disconnected { connection: ConnectionId(connection) });
                }
            }
            Happens::StoreAnswers { life, stored } => self.store_answers(life, stored),
            Happens::BotAnswers { life, seat, version, action } if life == self.life => {
                self.input(Input::BotAnswered { seat, version, action });
            }
            Happens::Proved { life, claim, line } if life == self.life => {
                self.input(Input::ClaimChecked { claim, line });
            }
            Happens::Wakes { life, at } if life == self.life && self.wakes_at == Some(at) => {
                self.wakes_at = None;
                self.input(Input::TimerFired);
            }
            Happens::BotAnswers { .. } | Happens::Proved { .. } | Happens::Wakes { .. } => {}
            Happens::Thinks { client, connection } => self.client_thinks(client, connection),
            Happens::Bursts { client } => self.client_bursts(client),
            Happens::Connects { client } => self.connect(client),
            Happens::Loses { client } => self.lose(client),
            Happens::GoesHome { client } => {
                self.clients[client].gone_home = true;
                self.lose(client);
            }
            Happens::Outage => (0..self.clients.len()).for_each(|client| self.lose(client)),
            Happens::Closes => {
                self.closing = true;
                self.input(Input::Close);
                // Closing it twice does nothing more.
                self.input(Input::Close);
            }
            Happens::Crashes => self.crash(),
            Happens::Starts => self.start(),
        }
    }

    // The server.

    /// Starts the server: it reads what was stored and goes on from there.
    fn start(&mut self) {
        self.life += 1;
        self.wakes_at = None;
        let begun = self.entries.iter().rposition(|logged| logged.entry.is_checkpoint());
        let begun = begun.unwrap_or(0);
        self.forgetful = begun > 0;
        let room = self.replay(begun);
        if begun > 0 && self.chance(4) {
            crate::checks::same_room(&self.replay(0), &room);
        }
        self.driver = Some(TableDriver::new(room));
        self.input(Input::TimerFired);
        if self.closing {
            self.input(Input::Close);
        }
    }

    /// The room that the stored entries lead to, read from this one on.
    pub(crate) fn replay(&self, from: usize) -> Room {
        let first = from as u64 + 1;
        let opened = Room::open(self.table, first, &self.entries[from], TEMPO);
        let (mut room, _) = opened.expect("a beginning");
        for logged in &self.entries[from + 1..] {
            room.apply(logged).expect("what was stored fits");
        }
        room
    }

    fn crash(&mut self) {
        self.driver = None;
        self.life += 1;
        // What was on its way to the disk may be there or not, but whole.
        if let Some(entries) = self.in_flight.take() {
            self.tally.count("a crash while something was stored");
            if self.chance(2) {
                self.write(&entries);
            }
        }
        self.connections.clear();
        self.knocks.clear();
        for client in 0..self.clients.len() {
            self.lose(client);
        }
        self.later(100, 10_000, Happens::Starts);
        if self.troubled() {
            self.later(10_000, 50_000, Happens::Crashes);
        }
    }

    fn write(&mut self, entries: &[LoggedEntry]) {
        for logged in entries {
            let text = log::encode(logged);
            let again = log::decode(logged.at, &text).expect("it can be read");
            assert_eq!(again, *logged, "what is stored is what was meant");
            let did = text.split("\"did\":\"").nth(1).and_then(|rest| rest.split('"').next());
            self.tally.count(did.expect("a line says what was done"));
            self.witness.note(logged);
            if self.tells {
                println!("{} {} {text}", self.now, self.stored.len() + 1);
            }
            self.stored.push((logged.at, text));
            self.entries.push(logged.clone());
        }
        self.progress = self.now;
    }

    fn store_answers(&mut self, life: u64, stored: bool) {
        if life != self.life {
            return;
        }
        let Some(entries) = self.in_flight.take() else { return };
        if stored {
            self.write(&entries);
            self.input(Input::Stored);
        } else {
            self.input(Input::StoreFailed);
        }
    }

    pub(crate) fn input(&mut self, input: Input) {
        let Some(mut driver) = self.driver.take() else { return };
        let mut effects = Vec::new();
        let (now, table) = (self.now, self.table);
        let drawn = self.made;
        let fresh = move || Secret::from_phrase(&format!("{table} {now} {drawn}"));
        let context = DriverContext { now, fresh: &fresh };
        driver.handle(input, &context, &mut effects);
        let wakes_at = driver.wakes_at(&context).map(|at| at.max(now + 1));
        if let Some(at) = wakes_at
            && self.wakes_at != wakes_at
        {
            let life = self.life;
            self.at(at, Happens::Wakes { life, at });
        }
        self.wakes_at = wakes_at;
        assert!(driver.room().version() <= self.stored.len() as u64, "only what is stored happens");
        self.driver = Some(driver);
        for effect in effects {
            self.effect(effect);
        }
    }

    fn effect(&mut self, effect: Effect) {
        let life = self.life;
        match effect {
            Effect::Send { connection, text } | Effect::SendRefusal { connection, text } => {
                let Some(client) = self.connections.get(&connection.0).copied() else { return };
                let message = self.read(&text);
                self.check_text(client, &text, &message);
                self.send(
                    connection.0,
                    Happens::ToClient { client, connection: connection.0, message },
                );
            }
            Effect::Disconnect { connection, why } => {
                let client = self.connections.remove(&connection.0).expect("a known connection");
                // It comes after everything that was sent before.
                self.send(
                    connection.0,
                    Happens::Dismissed { client, connection: connection.0, why },
                );
            }
            Effect::Store { first, entries } => {
                assert_eq!(first, self.stored.len() as u64 + 1, "one writer, in order");
                assert!(self.in_flight.is_none(), "one thing at a time");
                self.check_awake(&entries);
                self.foretold = self.driver.as_ref().and_then(|driver| {
                    entries.iter().find_map(|logged| driver.room().finished_by(&logged.entry))
                });
                self.in_flight = Some(entries);
                let fails = self.trouble.store_fails && self.troubled() && self.chance(10);
                let slow = self.now < self.slow_until || self.chance(40);
                let (from, to) = if slow { (100, 1_500) } else { (1, 40) };
                self.later(from, to, Happens::StoreAnswers { life, stored: !fails });
            }
            Effect::AskBot(ask) => {
                self.check_asked(&ask);
                self.check_patience(ask.version);
                if self.trouble.answers_lost && self.troubled() && self.chance(25) {
                    self.tally.count("a bot's answer lost");
                    return;
                }
                let action =
                    move_of(&ask.view, &mut self.lots).expect("whoever is asked is to act");
                let BotQuestion { seat, version, due, .. } = *ask;
                let at = due.max(self.now + 1 + self.lots.below(60) as u64);
                self.at(at, Happens::BotAnswers { life, seat, version, action });
            }
            Effect::CheckClaim { claim, position } => {
                if self.trouble.answers_lost && self.troubled() && self.chance(8) {
                    self.tally.count("a proof lost");
                    return;
                }
                let line = prove(&position, Limit::nodes(CLAIM_NODES));
                self.later(1, 80, Happens::Proved { life, claim, line });
            }
            Effect::Reply { ticket, answer } => self.knock_answered(ticket, answer),
            Effect::MatchFinished(finished) => {
                assert_eq!(self.foretold.take(), Some((*finished).clone()));
                assert_eq!(finished.number, self.witness.known(self.stored.len() as u64).number);
                if self.witness.duplicate {
                    self.tally.count("a match of a duplicate");
                }
            }
            Effect::UpdateLobby => {}
            Effect::GiveUp { version } => panic!("an entry after {version} does not apply"),
        }
    }

    /// The message of a text; one that goes to many is read once.
    fn read(&mut self, text: &Arc<str>) -> Rc<ServerMessage> {
        match &self.read {
            Some((known, message)) if Arc::ptr_eq(known, text) => message.clone(),
            _ => {
                let message = ServerMessage::read(text).expect("the server speaks the protocol");
                let message = Rc::new(message);
                self.read = Some((text.clone(), message.clone()));
                message
            }
        }
    }

    /// Prints where a world has got stuck.
    fn tell_standstill(&self) -> ! {
        let Some(driver) = &self.driver else { panic!("the server does not come back") };
        eprintln!("{:#?}", driver.room().snapshot(nobody(), driver.presence()));
        for client in &self.clients {
            let state = client.replica.state();
            eprintln!(
                "{:?} {:?} connected {:?}, away {:?}, unanswered {:?}, version {:?}, {:?}",
                client.player,
                client.part,
                client.connection,
                client.sent_away,
                client.replica.unanswered().collect::<Vec<_>>(),
                client.replica.version(),
                state.map(|state| state.you),
            );
        }
        for (_, text) in self.stored.iter().rev().take(8) {
            eprintln!("{text}");
        }
        panic!("at {} the world stands still since {}", self.now, self.progress);
    }
}
