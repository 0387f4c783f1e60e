//! One table with its store, a virtual clock, and the queue of events.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use bots::Limit;
use cards::Seat;
use game::Action;
use game::deal::{RandomStream, Seed};
use game::fair::Secret;
use ids::TableId;
use replica::Replica;
use room::driver::{
    ConnectionId, DriverContext, Effect, Input, PendingClaim, RoomInput, TableDriver,
};
use room::{BotQuestion, Entry, Key, LoggedEntry, MatchResult, Room, Timings, log, prove_claim};
use wire::table::{ClientMessage, CloseReason, ServerMessage};

use crate::clients::{Client, ClientRole};
use crate::commands::random_move;
use crate::opening::{self, clients, missing_player};
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

/// After this time nothing goes wrong any more, so that every world comes to rest.
const TROUBLE_ENDS: u64 = 90_000;
/// With a player at the table the longest match is over long before this time.
const MAX_TIME: u64 = 4_000_000;
/// The maximum time without progress while a client waits.
const MAX_STANDSTILL: u64 = 90_000;

/// The node limit for checking a claim: small, as there are many.
const CLAIM_NODES: u64 = 2_000;

/// Shorter timings than at a real table, so that more happens.
const TEMPO: Timings = Timings {
    bot_delay: 200,
    score_time: Some(4_000),
    absence_limit: 6_000,
    return_grace: 2_000,
    relaxed: 9_000,
    fast: 3_000,
};

/// An event in the world.
#[derive(Debug)]
pub(crate) enum WorldEvent {
    /// A message of a client arrives, if the server still knows its connection.
    ToServer { connection: u64, message: ClientMessage },
    /// A message of the server arrives, if the connection still exists.
    ToClient { client: usize, connection: u64, message: Rc<ServerMessage> },
    /// The server has closed a connection.
    ConnectionClosed { client: usize, connection: u64, why: CloseReason },
    /// The server notices that a connection is lost.
    Noticed { connection: u64 },
    /// The store has stored the entries, or has failed.
    StoreAnswers { server_run: u64, stored: bool },
    /// A bot has decided.
    BotAnswers { server_run: u64, seat: Seat, version: u64, action: Action },
    /// A claim was checked.
    Proved { server_run: u64, claim: PendingClaim, line: Option<Vec<(Seat, Action)>> },
    /// The server's timer fires.
    Wakes { server_run: u64, at: u64 },
    /// A client looks at the table and perhaps sends a command.
    Thinks { client: usize, connection: u64 },
    /// A client sends more commands than a table takes at once.
    Bursts { client: usize },
    /// A client without a connection tries to connect.
    Connects { client: usize },
    /// A connection is lost.
    Loses { client: usize },
    /// A client disconnects for good.
    LeavesForGood { client: usize },
    /// All connections are lost.
    Outage,
    /// The table is closed.
    Closes,
    /// The server is killed.
    Crashes,
    /// The server is started again.
    Starts,
}

pub(crate) struct World {
    pub(crate) trouble: Trouble,
    pub(crate) lots: RandomStream,
    pub(crate) now: u64,
    events: BTreeMap<(u64, u64), WorldEvent>,
    pub(crate) counter: u64,
    pub(crate) table: TableId,
    /// The stored entries, as text and decoded: they survive every crash.
    pub(crate) stored: Vec<(u64, String)>,
    pub(crate) entries: Vec<LoggedEntry>,
    /// The entries that are being stored.
    in_flight: Option<Vec<LoggedEntry>>,
    /// The result of the match that they end.
    expected_result: Option<MatchResult>,
    pub(crate) driver: Option<TableDriver>,
    /// Whether the server has read the log from a checkpoint on, and so does not know the older chat.
    pub(crate) lacks_old_chat: bool,
    /// How often the server was started; inputs of earlier runs are lost.
    pub(crate) server_run: u64,
    /// When the server's timer fires.
    due_at: Option<u64>,
    pub(crate) clients: Vec<Client>,
    /// The connections that the server knows, with their clients.
    pub(crate) connections: BTreeMap<u64, usize>,
    /// The clients that wait for admission, and their keys.
    pub(crate) admissions: BTreeMap<u64, (usize, Key)>,
    pub(crate) matches_wanted: u32,
    /// How many unnecessary commands may still be sent.
    pub(crate) extra_commands: usize,
    /// The last decoded text, as one text goes to many clients.
    read: Option<(Arc<str>, Rc<ServerMessage>)>,
    pub(crate) witness: Witness,
    pub(crate) tally: Tally,
    /// Whether everything that is stored is printed.
    prints: bool,
    /// When something was stored last.
    progress: u64,
    /// The first question about a version to a bot: the run of the server, the version and the time.
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
        let mut lots = RandomStream::new(Seed(bytes), 0);
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
            counter: 0,
            table,
            stored: vec![(0, log::encode(&first))],
            witness: Witness::new(table, &first),
            entries: vec![first],
            in_flight: None,
            expected_result: None,
            driver: None,
            lacks_old_chat: false,
            server_run: 0,
            due_at: None,
            clients,
            connections: BTreeMap::new(),
            admissions: BTreeMap::new(),
            matches_wanted: if once { 1 } else { 1 + lots.below(2) as u32 },
            extra_commands: 6 + lots.below(20),
            read: None,
            tally: Tally::default(),
            prints: std::env::var_os("SIMULATION_TELL").is_some(),
            progress: 0,
            asked: (0, 0, 0),
            slow_until: 0,
            closing: false,
            lots,
        };
        world.start();
        for client in 0..world.clients.len() {
            world.schedule_within(10, 500, WorldEvent::Connects { client });
        }
        if world.chance(6) {
            let client = world.lots.below(world.clients.len());
            world.schedule_within(2_000, 40_000, WorldEvent::Bursts { client });
        }
        if trouble.crashes {
            world.schedule_within(500, 30_000, WorldEvent::Crashes);
        }
        if trouble.disconnects {
            world.schedule_within(5_000, 80_000, WorldEvent::Outage);
        }
        // Some hosts disconnect for good, whatever the others wait for.
        let others = world.clients.iter().skip(1).any(|client| client.role == ClientRole::Plays);
        if others && world.chance(8) {
            world.schedule_within(500, 40_000, WorldEvent::LeavesForGood { client: 0 });
        }
        // Some tables are closed during a match.
        if world.chance(15) {
            world.schedule_within(1_000, 60_000, WorldEvent::Closes);
        }
        world
    }

    /// Runs until everything has come to rest, and checks the result.
    pub(crate) fn run(mut self) -> Tally {
        self.run_events();
        self.check_end();
        if !self.closing && self.chance(3) {
            self.close();
        }
        let (rules, seats) = self.witness.changes;
        (0..rules).for_each(|_| self.tally.count("a change of rules"));
        (0..seats).for_each(|_| self.tally.count("a change of seats"));
        self.tally
    }

    fn run_events(&mut self) {
        while let Some(((at, _), event)) = self.events.pop_first() {
            self.now = at;
            let stands = at > self.progress.max(TROUBLE_ENDS) + MAX_STANDSTILL;
            if at > MAX_TIME || (stands && !self.is_settled()) {
                self.report_standstill();
            }
            self.handle_event(event);
        }
    }

    /// Closes the table at the end, perhaps while it is busy.
    fn close(&mut self) {
        let client = self.lots.below(self.clients.len());
        if self.chance(2) {
            self.schedule_within(1, 20, WorldEvent::Bursts { client });
        }
        self.schedule_within(1, 150, WorldEvent::Closes);
        self.run_events();
        self.check_end();
    }

    pub(crate) fn chance(&mut self, one_in: usize) -> bool {
        self.lots.below(one_in) == 0
    }

    pub(crate) fn schedule_at(&mut self, at: u64, event: WorldEvent) {
        self.counter += 1;
        self.events.insert((at, self.counter), event);
    }

    pub(crate) fn schedule_within(&mut self, from: u64, to: u64, event: WorldEvent) {
        let at = self.now + from + self.lots.below((to - from) as usize) as u64;
        self.schedule_at(at, event);
    }

    pub(crate) fn is_troubled(&self) -> bool {
        let Trouble { disconnects, duplicates, store_fails, answers_lost, crashes } = self.trouble;
        let some = disconnects || duplicates || store_fails || answers_lost || crashes;
        some && self.now < TROUBLE_ENDS
    }

    fn handle_event(&mut self, event: WorldEvent) {
        match event {
            WorldEvent::ToServer { connection, message } => {
                self.server_receives(connection, message)
            }
            WorldEvent::ToClient { client, connection, message } => {
                self.client_receives(client, connection, &message);
            }
            WorldEvent::ConnectionClosed { client, connection, why } => {
                self.connection_closed(client, connection, why);
            }
            WorldEvent::Noticed { connection } => {
                if self.connections.remove(&connection).is_some() {
                    self.input(Input::Disconnected { connection: ConnectionId(connection) });
                }
            }
            WorldEvent::StoreAnswers { server_run, stored } => {
                self.store_answers(server_run, stored)
            }
            WorldEvent::BotAnswers { server_run, seat, version, action }
                if server_run == self.server_run =>
            {
                self.input(RoomInput::BotAnswered { seat, version, action }.into());
            }
            WorldEvent::Proved { server_run, claim, line } if server_run == self.server_run => {
                self.input(RoomInput::ClaimChecked { claim, line }.into());
            }
            WorldEvent::Wakes { server_run, at }
                if server_run == self.server_run && self.due_at == Some(at) =>
            {
                self.due_at = None;
                self.input(Input::TimerFired);
            }
            WorldEvent::BotAnswers { .. }
            | WorldEvent::Proved { .. }
            | WorldEvent::Wakes { .. } => {}
            WorldEvent::Thinks { client, connection } => self.client_acts(client, connection),
            WorldEvent::Bursts { client } => self.client_bursts(client),
            WorldEvent::Connects { client } => self.connect(client),
            WorldEvent::Loses { client } => self.lose_connection(client),
            WorldEvent::LeavesForGood { client } => {
                self.clients[client].left_for_good = true;
                self.lose_connection(client);
            }
            WorldEvent::Outage => {
                (0..self.clients.len()).for_each(|client| self.lose_connection(client))
            }
            WorldEvent::Closes => {
                self.closing = true;
                self.input(Input::Close);
                // A second close does nothing more.
                self.input(Input::Close);
            }
            WorldEvent::Crashes => self.crash(),
            WorldEvent::Starts => self.start(),
        }
    }

    // The server.

    /// Starts the server, which resumes from the stored entries.
    fn start(&mut self) {
        self.server_run += 1;
        self.due_at = None;
        let begun = self.entries.iter().rposition(|logged| logged.entry.is_checkpoint());
        let begun = begun.unwrap_or(0);
        self.lacks_old_chat = begun > 0;
        let room = self.replay(begun);
        if begun > 0 && self.chance(4) {
            crate::checks::assert_same_room(&self.replay(0), &room);
        }
        self.driver = Some(TableDriver::new(room));
        self.input(Input::TimerFired);
        if self.closing {
            self.input(Input::Close);
        }
    }

    /// The room that results from the stored entries, read from this one on.
    pub(crate) fn replay(&self, from: usize) -> Room {
        let first = from as u64 + 1;
        let opened = Room::open(self.table, first, &self.entries[from], TEMPO);
        let (mut room, _) = opened.expect("a beginning");
        for logged in &self.entries[from + 1..] {
            room.apply(logged).expect("a stored entry fits");
        }
        room
    }

    fn crash(&mut self) {
        self.driver = None;
        self.server_run += 1;
        // Entries in flight are stored completely or not at all.
        if let Some(entries) = self.in_flight.take() {
            self.tally.count("a crash while something was stored");
            if self.chance(2) {
                self.write(&entries);
            }
        }
        self.connections.clear();
        self.admissions.clear();
        for client in 0..self.clients.len() {
            self.lose_connection(client);
        }
        self.schedule_within(100, 10_000, WorldEvent::Starts);
        if self.is_troubled() {
            self.schedule_within(10_000, 50_000, WorldEvent::Crashes);
        }
    }

    fn write(&mut self, entries: &[LoggedEntry]) {
        for logged in entries {
            let text = log::encode(logged);
            let again = log::decode(logged.at, &text).expect("it can be read");
            assert_eq!(again, *logged, "a stored entry is read back");
            let did = text.split("\"did\":\"").nth(1).and_then(|rest| rest.split('"').next());
            self.tally.count(did.expect("a line names its kind"));
            self.witness.note(logged);
            if self.prints {
                println!("{} {} {text}", self.now, self.stored.len() + 1);
            }
            self.stored.push((logged.at, text));
            self.entries.push(logged.clone());
        }
        self.progress = self.now;
    }

    fn store_answers(&mut self, server_run: u64, stored: bool) {
        if server_run != self.server_run {
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
        let drawn = self.counter;
        let new_secret = move || Secret::from_phrase(&format!("{table} {now} {drawn}"));
        let context = DriverContext { now, new_secret: &new_secret };
        driver.handle(input, &context, &mut effects);
        let due_at = driver.due_at(&context).map(|at| at.max(now + 1));
        if let Some(at) = due_at
            && self.due_at != due_at
        {
            let server_run = self.server_run;
            self.schedule_at(at, WorldEvent::Wakes { server_run, at });
        }
        self.due_at = due_at;
        assert!(
            driver.room().version() <= self.stored.len() as u64,
            "only stored entries are applied"
        );
        self.driver = Some(driver);
        for effect in effects {
            self.effect(effect);
        }
    }

    fn effect(&mut self, effect: Effect) {
        let server_run = self.server_run;
        match effect {
            Effect::Send { connection, text } | Effect::SendRefusal { connection, text } => {
                let Some(client) = self.connections.get(&connection.0).copied() else { return };
                let message = self.read(&text);
                self.check_text(client, &text, &message);
                self.send(
                    connection.0,
                    WorldEvent::ToClient { client, connection: connection.0, message },
                );
            }
            Effect::Disconnect { connection, why } => {
                let client = self.connections.remove(&connection.0).expect("a known connection");
                // It arrives after everything that was sent before.
                self.send(
                    connection.0,
                    WorldEvent::ConnectionClosed { client, connection: connection.0, why },
                );
            }
            Effect::Store { first, entries } => {
                assert_eq!(first, self.stored.len() as u64 + 1, "one writer, in order");
                assert!(self.in_flight.is_none(), "one batch at a time");
                self.check_not_unattended(&entries);
                self.expected_result = self.driver.as_ref().and_then(|driver| {
                    entries.iter().find_map(|logged| driver.room().finished_by(&logged.entry))
                });
                self.in_flight = Some(entries);
                let fails = self.trouble.store_fails && self.is_troubled() && self.chance(10);
                let slow = self.now < self.slow_until || self.chance(40);
                let (from, to) = if slow { (100, 1_500) } else { (1, 40) };
                self.schedule_within(
                    from,
                    to,
                    WorldEvent::StoreAnswers { server_run, stored: !fails },
                );
            }
            Effect::AskBot(ask) => {
                self.check_asked(&ask);
                self.check_patience(ask.version);
                if self.trouble.answers_lost && self.is_troubled() && self.chance(25) {
                    self.tally.count("a bot's answer lost");
                    return;
                }
                let action =
                    random_move(&ask.view, &mut self.lots).expect("a bot that is asked has a move");
                let BotQuestion { seat, version, due, .. } = *ask;
                let at = due.max(self.now + 1 + self.lots.below(60) as u64);
                self.schedule_at(at, WorldEvent::BotAnswers { server_run, seat, version, action });
            }
            Effect::CheckClaim { claim, position } => {
                if self.trouble.answers_lost && self.is_troubled() && self.chance(8) {
                    self.tally.count("a proof lost");
                    return;
                }
                let line = prove_claim(&position, Limit::nodes(CLAIM_NODES));
                self.schedule_within(1, 80, WorldEvent::Proved { server_run, claim, line });
            }
            Effect::Reply { request_id, answer } => self.admission_answered(request_id, answer),
            Effect::MatchFinished(finished) => {
                assert_eq!(self.expected_result.take(), Some((*finished).clone()));
                assert_eq!(finished.number, self.witness.known(self.stored.len() as u64).number);
                if self.witness.duplicate {
                    self.tally.count("a match of a duplicate");
                }
            }
            Effect::UpdateLobby => {}
            Effect::GiveUp { version } => panic!("an entry after {version} does not apply"),
        }
    }

    /// Decodes a text; one that goes to many clients is decoded once.
    fn read(&mut self, text: &Arc<str>) -> Rc<ServerMessage> {
        match &self.read {
            Some((known, message)) if Arc::ptr_eq(known, text) => message.clone(),
            _ => {
                let message = ServerMessage::read(text).expect("a message of the protocol");
                let message = Rc::new(message);
                self.read = Some((text.clone(), message.clone()));
                message
            }
        }
    }

    /// Prints the state of a world that makes no progress, and panics.
    fn report_standstill(&self) -> ! {
        let Some(driver) = &self.driver else { panic!("the server does not restart") };
        eprintln!("{:#?}", driver.room().snapshot(missing_player(), driver.presence()));
        for client in &self.clients {
            let state = client.replica.state();
            eprintln!(
                "{:?} {:?} connected {:?}, kicked {:?}, unanswered {:?}, version {:?}, {:?}",
                client.player,
                client.role,
                client.connection,
                client.knows_kick,
                client.replica.unanswered(),
                client.replica.version(),
                state.map(|state| state.you),
            );
        }
        for (_, text) in self.stored.iter().rev().take(8) {
            eprintln!("{text}");
        }
        panic!("at {} the world makes no progress since {}", self.now, self.progress);
    }
}
