//! A world: servers on one store, their clients, a virtual clock, and the queue of what happens next.
//!
//! The clients and the world outlive the runtime. A crash drops the runtime with all tasks of the
//! servers in it; a new one begins at the same time of the world.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use room::{Key, Millis, Timings};
use store::{Database, LedgerId, LogId, MemoryDatabase, TableId};
use tokio::sync::mpsc;
use tokio::task::AbortHandle;
use tokio::time::{Instant, sleep_until};
use wire::table::CloseReason;

use super::bots::SimulatedBots;
use super::ledger_clients::SimulatedLedgerClient;
use super::lots::{Lots, seed_of};
use super::network::OpenSocket;
use super::plan::{WorldKind, WorldPlan};
use super::probes;
use super::requests::store_unreadable_table;
use super::sessions::SessionModel;
use super::store_faults::{StoreFaults, StoreMode};
use super::table_clients::SimulatedTableClient;
use super::tally::{Trace, WorldTally};
use super::witness::Witness;
use crate::accounts::Accounts;
use crate::bot_pool::BotPool;
use crate::byte_pool::BytePool;
use crate::clock::Clocks;
use crate::ledger::LedgerRegistry;
use crate::quotas::MemoryQuotas;
use crate::random;
use crate::tables::TableRegistry;
use crate::web::Limits;
use crate::web::ServerParts;
use crate::web::simulated::SimulatedWeb;

/// Shorter timings than at a real table, so that more happens.
pub(super) const TEMPO: Timings = Timings {
    bot_delay: 150,
    score_time: Some(3_000),
    absence_limit: 5_000,
    return_grace: 2_000,
    relaxed: 8_000,
    fast: 3_000,
};

/// The time at which every world begins, in milliseconds since 1970.
pub(super) const EPOCH: Millis = 1_800_000_000_000;

/// What the servers of a world report.
pub(super) enum Report {
    /// A connection carries a message to its client.
    Text { connection: u64, text: Arc<str> },
    /// A connection has ended at the server.
    Ended { connection: u64, why: Option<CloseReason> },
    /// A request was answered; what follows from it.
    Answered { request: u64, then: NextStart },
}

pub(super) type Reports = mpsc::UnboundedSender<Report>;
pub(super) type NextStart = Box<dyn FnOnce(&mut ShellWorld) + Send>;

/// A client of a world.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Who {
    /// At a table.
    Table(usize),
    /// Of a ledger.
    Ledger(usize),
}

/// What happens at a time.
#[derive(Debug)]
pub(super) enum WorldEvent {
    /// A server starts.
    Start { server: usize },
    /// A server is asked to stop.
    Stop { server: usize },
    /// The process of a server that has stopped ends.
    Exit { server: usize, process: u64 },
    /// All servers die.
    Crash,
    /// The store works in another way from now on.
    StoreChanges,
    /// A client tries to connect.
    Connect { who: Who },
    /// A client looks at what it has, and perhaps sends something.
    Think { who: Who, connection: u64 },
    /// A message of a client arrives.
    ToServer { connection: u64, text: String },
    /// A client loses its connection, or stops reading for a while.
    Disturb { who: Who, connection: u64 },
    /// A server notices that a client is gone.
    Noticed { connection: u64 },
    /// A client reads again.
    ReadsAgain { who: Who, connection: u64 },
    /// Something is asked of a server beside the tables.
    Ask,
    /// Troubles end.
    TroubleEnds,
    /// The state of the world is checked.
    Look,
}

/// A server process.
pub(super) struct SimulatedServer {
    pub(super) tables: Arc<TableRegistry>,
    pub(super) ledgers: Arc<LedgerRegistry>,
    pub(super) accounts: Arc<Accounts>,
    pub(super) store: Arc<Database>,
    pub(super) faults: Arc<StoreFaults>,
    pub(super) bots: Arc<SimulatedBots>,
    pub(super) web: SimulatedWeb,
    pub(super) clocks: Clocks,
    pub(super) stage: ServerStage,
    /// The number of the start.
    process: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ServerStage {
    Serving,
    Stopping,
}

impl SimulatedServer {
    pub(super) fn is_serving(&self) -> bool {
        self.stage == ServerStage::Serving
    }
}

/// A request that is not answered yet.
pub(super) struct PendingRequest {
    pub(super) name: &'static str,
    pub(super) server: usize,
    /// The client that waits for it.
    pub(super) who: Option<Who>,
    pub(super) since: u64,
    task: AbortHandle,
}

/// A table as the clients know it.
#[derive(Default)]
pub(super) struct KnownTable {
    pub(super) id: Option<TableId>,
    /// Whether it belongs to a contest.
    pub(super) contest: bool,
    /// How many events it had, and since when.
    pub(super) last: u64,
    pub(super) progress: u64,
}

/// A ledger as the clients know it.
#[derive(Default)]
pub(super) struct KnownLedger {
    pub(super) id: Option<LedgerId>,
    pub(super) key: Option<Key>,
    pub(super) last: u64,
    pub(super) progress: u64,
}

/// How far a world is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum WorldStage {
    /// Everything goes wrong.
    Trouble,
    /// Everything works, but one log cannot be written.
    Healing,
    /// Everything works.
    Healthy,
    /// All clients have left since that time.
    Left,
    /// All tables are closed.
    Closing,
    Over,
}

pub(super) struct ShellWorld {
    pub(super) seed: u64,
    pub(super) plan: WorldPlan,
    pub(super) lots: Lots,
    pub(super) stage: WorldStage,
    /// Since when.
    pub(super) stage_since: u64,
    /// The time of the world, in milliseconds.
    pub(super) now: u64,
    events: BTreeMap<(u64, u64), WorldEvent>,
    counter: u64,
    /// The runtime's life: the world's time and the runtime's when it began, and whether it ends.
    life: (u64, Option<Instant>),
    pub(super) life_ends: bool,
    pub(super) reports: Option<Reports>,
    pub(super) memory: MemoryDatabase,
    pub(super) witness: Witness,
    pub(super) servers: [Option<SimulatedServer>; 2],
    /// Whether a server is being started.
    starting: [bool; 2],
    starts: u64,
    pub(super) mode: StoreMode,
    pub(super) victim: Option<LogId>,
    pub(super) unreadable: BTreeSet<TableId>,
    pub(super) tables: Vec<KnownTable>,
    pub(super) ledgers: Vec<KnownLedger>,
    pub(super) table_clients: Vec<SimulatedTableClient>,
    pub(super) ledger_clients: Vec<SimulatedLedgerClient>,
    pub(super) sockets: BTreeMap<u64, OpenSocket>,
    pub(super) requests: BTreeMap<u64, PendingRequest>,
    pub(super) sessions: SessionModel,
    pub(super) tally: WorldTally,
    pub(super) trace: Trace,
}

impl ShellWorld {
    pub(super) fn new(seed: u64, kind: WorldKind) -> ShellWorld {
        random::seeded::begin(Some(seed_of(seed)));
        probes::begin();
        let mut lots = Lots::new(seed, 0);
        let plan = WorldPlan::draw(kind, &mut lots);
        let memory = MemoryDatabase::default();
        let witness = Witness::new(memory.open_again(Arc::new(store::NoFaults)));
        let mut world = ShellWorld {
            seed,
            lots,
            stage: WorldStage::Trouble,
            stage_since: 0,
            now: 0,
            events: BTreeMap::new(),
            counter: 0,
            life: (0, None),
            life_ends: false,
            reports: None,
            memory,
            witness,
            servers: [None, None],
            starting: [false; 2],
            starts: 0,
            mode: StoreMode::Healthy,
            victim: None,
            unreadable: BTreeSet::new(),
            tables: plan.tables.iter().map(|_| KnownTable::default()).collect(),
            ledgers: plan.ledgers.iter().map(|_| KnownLedger::default()).collect(),
            table_clients: plan.table_clients(),
            ledger_clients: plan.ledger_clients(),
            sockets: BTreeMap::new(),
            requests: BTreeMap::new(),
            sessions: SessionModel::default(),
            tally: WorldTally::default(),
            trace: Trace::new(),
            plan,
        };
        world.add_entrants();
        if world.plan.unreadable {
            let table = store_unreadable_table(&world.memory).now_or_never();
            world.unreadable.insert(table.expect("a store without faults answers at once"));
        }
        world.schedule_beginning();
        world
    }

    fn schedule_beginning(&mut self) {
        self.schedule_at(0, WorldEvent::Start { server: 0 });
        if self.plan.kind == WorldKind::TwoServers {
            self.schedule_within(0..15_000, WorldEvent::Start { server: 1 });
        }
        let tables = (0..self.table_clients.len()).map(Who::Table);
        let clients: Vec<Who> =
            tables.chain((0..self.ledger_clients.len()).map(Who::Ledger)).collect();
        for who in clients {
            self.schedule_within(5..800, WorldEvent::Connect { who });
        }
        self.schedule_at(self.plan.trouble_ends, WorldEvent::TroubleEnds);
        self.schedule_at(500, WorldEvent::Look);
        self.schedule_within(300..3_000, WorldEvent::Ask);
        if self.plan.store {
            self.schedule_within(1_000..12_000, WorldEvent::StoreChanges);
        }
        let last = self.plan.trouble_ends;
        for _ in 0..self.plan.crashes {
            self.schedule_within(1_000..last, WorldEvent::Crash);
        }
        for _ in 0..self.plan.stops {
            let server = self.any_server();
            self.schedule_within(1_000..last, WorldEvent::Stop { server });
        }
    }

    /// The number of one of the servers.
    pub(super) fn any_server(&mut self) -> usize {
        match self.plan.kind {
            WorldKind::TwoServers => self.lots.below(2),
            _ => 0,
        }
    }

    /// Runs until everything has come to rest. Returns what has happened, and the hash of its trace.
    pub(super) fn run(mut self) -> (WorldTally, u64) {
        while self.stage != WorldStage::Over {
            let builder = &mut tokio::runtime::Builder::new_current_thread();
            let runtime = builder.enable_time().start_paused(true).build().expect("a runtime");
            runtime.block_on(self.live());
            self.before_death(runtime.metrics().num_alive_tasks());
            drop(runtime);
            self.after_death();
        }
        self.check_store_at_end();
        let probes = probes::end();
        random::seeded::begin(None);
        for (what, largest) in probes.sizes {
            self.tally.note_size(what, largest);
        }
        (self.tally, self.trace.hash())
    }

    /// The life of one runtime.
    async fn live(&mut self) {
        let (reports, mut reported) = mpsc::unbounded_channel();
        (self.reports, self.life_ends) = (Some(reports), false);
        let began = Instant::now();
        self.life = (self.now, Some(began));
        while !self.life_ends {
            let next = self.events.first_key_value().map(|((at, _), _)| *at);
            let next = next.expect("a world has a next event");
            let due = began + Duration::from_millis(next.saturating_sub(self.life.0));
            tokio::select! {
                biased;
                Some(report) = reported.recv() => {
                    self.tell_time();
                    self.on_report(report);
                }
                () = sleep_until(due) => {
                    self.tell_time();
                    if let Some((_, event)) = self.events.pop_first() {
                        self.on_event(event);
                    }
                }
            }
            self.check_alarms();
        }
    }

    fn tell_time(&mut self) {
        let (base, began) = self.life;
        let elapsed = began.map_or(0, |began| began.elapsed().as_millis() as u64);
        self.now = base + elapsed;
    }

    pub(super) fn schedule_at(&mut self, at: u64, event: WorldEvent) {
        self.counter += 1;
        self.events.insert((at.max(self.now), self.counter), event);
    }

    pub(super) fn schedule_within(&mut self, range: std::ops::Range<u64>, event: WorldEvent) {
        let at = self.now + self.lots.within(range);
        self.schedule_at(at, event);
    }

    pub(super) fn next_number(&mut self) -> u64 {
        self.counter += 1;
        self.counter
    }

    /// Whether things go wrong on purpose.
    pub(super) fn is_troubled(&self) -> bool {
        self.stage == WorldStage::Trouble
    }

    pub(super) fn set_stage(&mut self, stage: WorldStage) {
        self.trace.note(self.now, format_args!("{stage:?}"));
        (self.stage, self.stage_since) = (stage, self.now);
    }

    fn on_report(&mut self, report: Report) {
        match report {
            Report::Text { connection, text } => {
                self.trace.note(self.now, format_args!("to {connection}: {text}"));
                self.on_text(connection, text);
            }
            Report::Ended { connection, why } => {
                self.trace.note(self.now, format_args!("{connection} ended: {why:?}"));
                self.on_ended(connection, why);
            }
            Report::Answered { request, then } => {
                let Some(pending) = self.requests.remove(&request) else { return };
                self.trace.note(self.now, format_args!("{} answered", pending.name));
                if let Some(who) = pending.who {
                    self.link(who).busy = false;
                }
                then(self);
            }
        }
    }

    fn on_event(&mut self, event: WorldEvent) {
        if !matches!(event, WorldEvent::Look | WorldEvent::Think { .. }) {
            self.trace.note(self.now, format_args!("{event:?}"));
        }
        match event {
            WorldEvent::Start { server } => self.start_server(server),
            WorldEvent::Stop { server } => self.stop_server(server),
            WorldEvent::Exit { server, process } => self.exit_server(server, process),
            WorldEvent::Crash => {
                self.tally.count("a crash");
                self.life_ends = true;
            }
            WorldEvent::StoreChanges => self.change_store(),
            WorldEvent::Connect { who } => self.connect(who),
            WorldEvent::Think { who: Who::Table(at), connection } => {
                self.table_client_thinks(at, connection);
            }
            WorldEvent::Think { who: Who::Ledger(at), connection } => {
                self.ledger_client_thinks(at, connection);
            }
            WorldEvent::ToServer { connection, text } => self.pass_to_server(connection, text),
            WorldEvent::Disturb { who, connection } => self.disturb(who, connection),
            WorldEvent::Noticed { connection } => self.notice(connection),
            WorldEvent::ReadsAgain { who, connection } => self.reads_again(who, connection),
            WorldEvent::Ask => self.ask_something(),
            WorldEvent::TroubleEnds => self.end_trouble(),
            WorldEvent::Look => self.look(),
        }
    }

    /// Asks a server. What the answer leads to is done when it comes; `who` waits for it.
    pub(super) fn ask<T>(
        &mut self,
        server: usize,
        name: &'static str,
        who: Option<Who>,
        work: impl Future<Output = T> + Send + 'static,
    ) where
        T: FnOnce(&mut ShellWorld) + Send + 'static,
    {
        let request = self.next_number();
        let reports = self.reports.clone().expect("a runtime");
        let task = tokio::spawn(async move {
            let then: NextStart = Box::new(work.await);
            let _ = reports.send(Report::Answered { request, then });
        });
        if let Some(who) = who {
            self.link(who).busy = true;
        }
        let (since, task) = (self.now, task.abort_handle());
        self.trace.note(self.now, format_args!("{name} asked by {who:?}"));
        self.requests.insert(request, PendingRequest { name, server, who, since, task });
    }

    /// The client of a request stops waiting, which ends the request on the server too.
    pub(super) fn abandon(&mut self, request: u64) {
        let Some(pending) = self.requests.remove(&request) else { return };
        pending.task.abort();
        self.sessions.request_is_lost(pending.name);
        if let Some(who) = pending.who {
            self.link(who).busy = false;
            self.retry(who);
        }
    }
}

/// The servers.
impl ShellWorld {
    /// The time of a server's clock that is right.
    pub(super) fn right_time(&self) -> Millis {
        EPOCH + self.now
    }

    /// The time that the system's clock shows at a start.
    fn system_time(&mut self) -> Millis {
        const HOUR: Millis = 60 * 60 * 1000;
        const YEAR: Millis = 365 * 24 * HOUR;
        let right = self.right_time();
        if !self.plan.clocks {
            return right;
        }
        // In the end it is right, which for what was stored before may be a step back.
        if !self.is_troubled() {
            return right;
        }
        match self.lots.below(6) {
            0 => right - HOUR,
            1 => right - 5 * YEAR,
            2 => right + 2 * YEAR,
            3 => right + 24 * HOUR,
            4 => 0,
            _ => right,
        }
    }

    /// Starts a server as `ghinda serve` does.
    fn start_server(&mut self, at: usize) {
        if self.servers[at].is_some() || self.starting[at] {
            return;
        }
        self.starting[at] = true;
        self.starts += 1;
        let faults = StoreFaults::new(Lots::new(self.seed, 100 * self.starts));
        faults.set_mode(self.mode);
        faults.refuse(self.victim.into_iter().collect());
        let faults = Arc::new(faults);
        let store = Arc::new(Database::Memory(self.memory.open_again(faults.clone())));
        let time = self.system_time();
        if time != self.right_time() {
            self.tally.count("a start with a wrong clock");
        }
        self.ask(at, "start", None, async move {
            let clocks = Clocks::start_at(time, &store).await;
            move |world: &mut ShellWorld| {
                world.starting[at] = false;
                match clocks {
                    Ok(clocks) => world.serve(at, store, faults, clocks),
                    Err(_) => {
                        // The process ends with an error, and is started again.
                        world.tally.count("a start that failed");
                        world.tally.add(&faults.take_tally());
                        world.schedule_within(500..4_000, WorldEvent::Start { server: at });
                    }
                }
            }
        });
    }

    /// How much room a server has for its clients. Where there is little, that is one of the troubles.
    fn room(&mut self) -> (MemoryQuotas, Limits) {
        let loose = Limits { costly_a_minute: u32::MAX, ..Limits::default() };
        if !(self.plan.scarce && self.is_troubled()) {
            let quotas = MemoryQuotas { answer_bytes: 1 << 20, ..MemoryQuotas::default() };
            return (quotas, loose);
        }
        let (tables, ledgers) = (1 + self.lots.below(2), 1 + self.lots.below(2));
        let bytes = |lots: &mut Lots| lots.within(2_000..40_000) as usize;
        let quotas = MemoryQuotas {
            tables,
            ledgers,
            ledger_bytes: bytes(&mut self.lots),
            answer_bytes: bytes(&mut self.lots),
            waiting_bytes: self.lots.within(200..6_000) as usize,
        };
        let sockets = 1 + self.lots.below(4);
        let requests = 1 + self.lots.below(3);
        (quotas, Limits { sockets, sockets_from_one: sockets, requests, ..loose })
    }

    fn serve(&mut self, at: usize, store: Arc<Database>, faults: Arc<StoreFaults>, clocks: Clocks) {
        self.tally.count("a start");
        // They may have changed since the start began.
        faults.set_mode(self.mode);
        faults.refuse(self.victim.into_iter().collect());
        let lots = Lots::new(self.seed, 100 * self.starts + 1);
        let bots = SimulatedBots::new(lots, self.plan.silent_bots);
        bots.set_trouble(self.plan.bots && self.is_troubled());
        let pool = BotPool::over(bots.clone());
        let (quotas, limits) = self.room();
        let tables = Arc::new(TableRegistry::with(store.clone(), clocks, pool, TEMPO, quotas));
        let answers = BytePool::new(quotas.answer_bytes);
        let ledgers = LedgerRegistry::in_place(store.clone(), tables.clone(), answers.clone());
        let ledgers = Arc::new(ledgers);
        let accounts = Arc::new(Accounts::new(store.clone(), clocks.trusted).expect("threads"));
        let (stage, process, filling) = (ServerStage::Serving, self.starts, tables.clone());
        let parts = ServerParts {
            tables: tables.clone(),
            ledgers: ledgers.clone(),
            accounts: accounts.clone(),
            store: store.clone(),
            answers,
        };
        let server = SimulatedServer {
            web: SimulatedWeb::new(parts, limits),
            tables,
            ledgers,
            accounts,
            store,
            faults,
            bots,
            clocks,
            stage,
            process,
        };
        self.servers[at] = Some(server);
        self.ask(at, "seats of an older version", None, async move {
            let filled = filling.fill_seats().await;
            move |_: &mut ShellWorld| {
                assert!(filled.is_err() || filled.is_ok_and(|count| count == 0))
            }
        });
    }

    fn stop_server(&mut self, at: usize) {
        let Some(server) = &mut self.servers[at] else { return };
        if server.stage != ServerStage::Serving {
            return;
        }
        server.stage = ServerStage::Stopping;
        let (ledgers, tables) = (server.ledgers.clone(), server.tables.clone());
        let process = server.process;
        self.ask(at, "stop", None, async move {
            // In the order of `web::serve`.
            ledgers.stop().await;
            tables.stop().await;
            move |world: &mut ShellWorld| {
                world.tally.count("a stop");
                // Connections have a moment to end, as with `CLOSE_TIMEOUT`.
                let exit = WorldEvent::Exit { server: at, process };
                world.schedule_at(world.now + 1_000, exit);
            }
        });
    }

    fn exit_server(&mut self, at: usize, process: u64) {
        // It may have died before.
        if self.servers[at].as_ref().is_none_or(|server| server.process != process) {
            return;
        }
        self.check_stopped(at);
        self.end_process(at);
        self.schedule_within(100..5_000, WorldEvent::Start { server: at });
        if self.servers.iter().all(Option::is_none) && self.lots.chance(2) {
            self.life_ends = true;
        }
    }

    /// A server is no more. Its requests and connections are lost.
    fn end_process(&mut self, at: usize) {
        self.collect_tally(at);
        (self.servers[at], self.starting[at]) = (None, false);
        let lost: Vec<u64> = self.requests_of(at);
        lost.into_iter().for_each(|request| self.abandon(request));
        let open = self.sockets.iter().filter(|(_, socket)| socket.server == at);
        let open: Vec<u64> = open.map(|(connection, _)| *connection).collect();
        open.into_iter().for_each(|connection| self.lose_socket(connection));
    }

    pub(super) fn requests_of(&self, server: usize) -> Vec<u64> {
        let of_server = self.requests.iter().filter(|(_, pending)| pending.server == server);
        of_server.map(|(request, _)| *request).collect()
    }

    fn collect_tally(&mut self, at: usize) {
        if let Some(server) = &self.servers[at] {
            self.tally.add(&server.faults.take_tally());
            self.tally.add(&server.bots.take_tally());
        }
    }

    /// After the runtime is dropped nothing of the servers is left but the store.
    fn after_death(&mut self) {
        self.reports = None;
        for at in 0..self.servers.len() {
            let was_there = self.servers[at].is_some() || self.starting[at];
            self.end_process(at);
            if was_there && self.stage < WorldStage::Over {
                self.schedule_within(100..6_000, WorldEvent::Start { server: at });
            }
        }
        self.trace.note(self.now, format_args!("the runtime is dropped"));
    }

    fn change_store(&mut self) {
        if !self.is_troubled() {
            return;
        }
        let mode = match self.mode {
            StoreMode::Healthy => *self.lots.pick(&StoreMode::TROUBLES),
            _ => StoreMode::Healthy,
        };
        self.set_store_mode(mode);
        let lasts = if mode == StoreMode::Healthy { 2_000..15_000 } else { 500..12_000 };
        self.schedule_within(lasts, WorldEvent::StoreChanges);
    }

    pub(super) fn set_store_mode(&mut self, mode: StoreMode) {
        self.mode = mode;
        self.trace.note(self.now, format_args!("the store is {mode:?}"));
        // Sometimes only one of two servers is cut off.
        let one = self.lots.chance(3).then(|| self.any_server());
        for (at, server) in self.servers.iter().enumerate() {
            let spared = one.is_some_and(|one| one != at) && mode != StoreMode::Healthy;
            if let Some(server) = server.as_ref().filter(|_| !spared) {
                server.faults.set_mode(mode);
            }
        }
    }

    pub(super) fn set_victim(&mut self, victim: Option<LogId>) {
        self.victim = victim;
        for server in self.servers.iter().flatten() {
            server.faults.refuse(victim.into_iter().collect());
        }
    }

    /// The server that serves a client now, if there is one.
    pub(super) fn choose_server(&mut self, who: Who) -> Option<usize> {
        // A server that is being stopped accepts connections until its tasks have ended.
        let late = self.is_troubled() && self.lots.chance(2);
        let serves = |at: &usize| {
            let server = self.servers[*at].as_ref();
            server.is_some_and(|server| {
                server.is_serving() || (late && server.stage == ServerStage::Stopping)
            })
        };
        let serving: Vec<usize> = (0..self.servers.len()).filter(serves).collect();
        if serving.is_empty() {
            return None;
        }
        if !self.is_troubled() {
            // Every table is served by one of them, also while only the other serves.
            let servers = if self.plan.kind == WorldKind::TwoServers { 2 } else { 1 };
            let home = self.home_of(who) % servers;
            return serving.contains(&home).then_some(home);
        }
        Some(*self.lots.pick(&serving))
    }

    fn home_of(&self, who: Who) -> usize {
        match who {
            Who::Table(at) => self.table_clients[at].table.unwrap_or(0),
            Who::Ledger(at) => self.ledger_clients[at].ledger,
        }
    }
}
