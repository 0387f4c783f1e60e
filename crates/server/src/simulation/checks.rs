//! What must hold in every world, and how a world comes to its end.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use store::{LogId, PlayerId, Store, TableId};

use super::plan::WorldKind;
use super::probes;
use super::store_faults::StoreMode;
use super::table_clients::MATCHES;
use super::world::{ServerStage, ShellWorld, WorldEvent, WorldStage};
use crate::retention::{self, RetentionAges};

/// The longest time in which a healthy world makes no progress, in milliseconds.
const MAX_STANDSTILL: u64 = 120_000;
/// The longest time that a request takes once the store answers.
const MAX_REQUEST: u64 = 90_000;
/// The longest time that the store needs for what was asked of it before it worked again: some
/// operations wait for each other, up to 20 s each.
const MAX_BACKLOG: u64 = 120_000;
/// After this time nothing is in memory that no client uses. A late answer of a bot may be the last
/// message of a table.
const IDLE: u64 = 105_000;
/// The interval between two looks.
const LOOK: u64 = 500;

impl ShellWorld {
    /// Nothing has panicked, spun or grown beyond its limit.
    pub(super) fn check_alarms(&mut self) {
        let alarms = probes::alarms();
        assert!(alarms.is_empty(), "{}", alarms.join("\n"));
    }

    /// The log whose appends are refused, if this world has one: of one of several tables or sheets.
    pub(super) fn choose_victims(&mut self, table: usize) {
        let several = self.plan.tables.len() > 1 && !self.plan.tables[0].duplicate;
        if self.plan.victim && several && table == 0 && self.stage <= WorldStage::Healing {
            self.set_victim(self.tables[0].id.map(LogId::from));
        }
    }

    pub(super) fn choose_victim_ledger(&mut self, ledger: usize) {
        let several = self.plan.ledgers.len() > 1;
        if self.plan.victim && several && ledger == 0 && self.stage <= WorldStage::Healing {
            self.set_victim(self.ledgers[0].id.map(LogId::from));
        }
    }

    /// Everything works from now on, but for the victim.
    pub(super) fn end_trouble(&mut self) {
        self.set_stage(WorldStage::Healing);
        self.mode = StoreMode::Healthy;
        for server in self.servers.iter().flatten() {
            server.faults.set_mode(StoreMode::Healthy);
            server.bots.set_trouble(false);
        }
        // The clocks are set right and there is room, which takes a start.
        self.life_ends |= self.plan.clocks || self.plan.scarce;
        if self.plan.kind == WorldKind::TwoServers {
            // From now on each table is served by one of them.
            self.everyone().into_iter().for_each(|who| self.disconnect(who));
        }
    }

    pub(super) fn look(&mut self) {
        self.schedule_at(self.now + LOOK, WorldEvent::Look);
        self.note_progress();
        self.check_requests();
        self.check_steps();
        match self.stage {
            WorldStage::Trouble | WorldStage::Over => {}
            WorldStage::Healing => {
                if self.are_settled(true) {
                    if self.victim.is_some() {
                        self.tally.count("a log that could not be written cost only itself");
                    }
                    self.set_victim(None);
                    self.set_stage(WorldStage::Healthy);
                } else {
                    self.check_standstill(true);
                }
            }
            WorldStage::Healthy if self.are_settled(false) => {
                self.set_stage(WorldStage::Left);
                self.everyone().into_iter().for_each(|who| self.leave(who));
            }
            WorldStage::Healthy => self.check_standstill(false),
            WorldStage::Left if self.now >= self.stage_since + IDLE => self.check_memory(),
            WorldStage::Closing if self.now >= self.stage_since + IDLE => self.check_closed(),
            WorldStage::Left | WorldStage::Closing => {}
        }
    }

    fn note_progress(&mut self) {
        for at in 0..self.tables.len() {
            let Some(id) = self.tables[at].id else { continue };
            let last = self.witness.table(id).last;
            if last != self.tables[at].last {
                (self.tables[at].last, self.tables[at].progress) = (last, self.now);
            }
        }
        for at in 0..self.ledgers.len() {
            let Some(id) = self.ledgers[at].id else { continue };
            let last = self.witness.ledger(id.into()).last;
            if last != self.ledgers[at].last {
                (self.ledgers[at].last, self.ledgers[at].progress) = (last, self.now);
            }
        }
    }

    /// Whether all clients have what they came for, perhaps but those of the victim.
    fn are_settled(&self, but_the_victim: bool) -> bool {
        let is_spared = |log: Option<LogId>| but_the_victim && log.is_some() && log == self.victim;
        let tables = self.table_clients.iter().enumerate().all(|(at, client)| {
            let log = client.table.and_then(|table| self.tables[table].id).map(LogId::from);
            match client.entrant {
                Some(_) => self.is_contest_over(at),
                None => is_spared(log) || client.is_content(MATCHES),
            }
        });
        let ledgers = self.ledger_clients.iter().all(|client| {
            is_spared(self.ledgers[client.ledger].id.map(LogId::from)) || client.is_content()
        });
        let serves = self.servers[0].as_ref().is_some_and(|server| server.is_serving());
        tables && ledgers && serves
    }

    /// Every request ends soon once the store answers.
    fn check_requests(&self) {
        if self.is_troubled() {
            return;
        }
        let healed = self.healed_at() + MAX_BACKLOG;
        for pending in self.requests.values() {
            let late = self.now > pending.since.max(healed) + MAX_REQUEST;
            assert!(!late, "{} has no answer since {}", pending.name, pending.since);
        }
    }

    /// When the store has begun to work for good.
    fn healed_at(&self) -> u64 {
        self.plan.trouble_ends
    }

    /// Tasks step only for a reason: an input, an answer, or a time that has come.
    fn check_steps(&mut self) {
        let (steps, inputs) = probes::steps_and_inputs();
        let logs = (self.tables.len() + self.ledgers.len() + 4) as u64;
        let allowed = 500 + 4 * inputs + logs * self.now / 100;
        assert!(steps <= allowed, "{steps} steps of tasks, for {inputs} inputs");
    }

    /// A healthy world goes on until all clients have what they came for.
    fn check_standstill(&self, but_the_victim: bool) {
        let tables = self.tables.iter().map(|table| table.progress);
        let ledgers = self.ledgers.iter().map(|ledger| ledger.progress);
        let latest = tables.chain(ledgers).max().unwrap_or(0);
        let since = latest.max(self.stage_since);
        let victim_alone = but_the_victim && self.victim.is_some();
        if self.now <= since + MAX_STANDSTILL && !self.is_one_stuck(victim_alone) {
            return;
        }
        eprintln!("the world of seed {} stands still since {since}, {}", self.seed, self.now);
        for client in &self.table_clients {
            eprintln!("{}", client.describe());
        }
        for client in &self.ledger_clients {
            eprintln!("{}", client.describe());
        }
        for pending in self.requests.values() {
            let (name, server, who) = (pending.name, pending.server, pending.who);
            eprintln!("{name} of {who:?} waits at server {server} since {}", pending.since);
        }
        for (at, server) in self.servers.iter().enumerate() {
            eprintln!("server {at}: {:?}", server.as_ref().map(|server| server.stage));
        }
        panic!("at {} the world stands still", self.now);
    }

    /// Whether one table or ledger does not go on, though another may.
    fn is_one_stuck(&self, victim_alone: bool) -> bool {
        let is_late = |progress: u64| self.now > progress.max(self.stage_since) + MAX_STANDSTILL;
        self.table_clients.iter().any(|client| {
            let Some(table) = client.table.filter(|_| client.entrant.is_none()) else {
                return false;
            };
            let known = &self.tables[table];
            let spared = victim_alone && known.id.map(LogId::from) == self.victim;
            !spared && !client.is_content(MATCHES) && is_late(known.progress)
        })
    }

    /// A stopped server has no tasks.
    pub(super) fn check_stopped(&mut self, at: usize) {
        let Some(server) = self.servers[at].as_ref() else { return };
        assert_eq!(server.stage, ServerStage::Stopping);
        let mut tables = server.tables.in_memory().into_iter();
        let mut ledgers = server.ledgers.in_memory().into_iter();
        // A load that is under way starts nothing any more.
        let table = tables.find(|(_, runs)| *runs);
        let ledger = ledgers.find(|(_, runs)| *runs);
        assert_eq!((table, ledger), (None, None), "a task outlives the stop of a server");
        if self.stage == WorldStage::Closing {
            self.set_stage(WorldStage::Over);
            self.life_ends = true;
        }
    }

    /// All clients have left some time ago: nothing of them is in memory.
    fn check_memory(&mut self) {
        if !self.requests.is_empty() {
            return;
        }
        assert!(self.sockets.is_empty(), "connections outlive their clients");
        for server in self.servers.iter().flatten() {
            assert_eq!(server.tables.in_memory(), [], "tables outlive their clients");
            assert_eq!(server.ledgers.in_memory(), [], "ledgers outlive their clients");
            assert!(server.tables.index().lobby(9).is_empty(), "the lobby shows an empty table");
            let in_use = (server.tables.in_use(), server.ledgers.in_use(), server.web.in_use());
            assert_eq!(in_use, (0, 0, 0), "tables, ledgers and connections hold memory");
        }
        self.check_acknowledged();
        self.check_acknowledged_lines();
        self.check_seats();
        self.count_ends();
        self.set_stage(WorldStage::Closing);
        let Some(server) = &self.servers[0] else { return };
        let tables = server.tables.clone();
        let since = server.clocks.play.now().max(self.witness.newest()) + 1_000_000;
        self.ask(0, "the last sweep", None, async move {
            let asked = tables.close_quiet_tables(since).await;
            move |_: &mut ShellWorld| {
                asked.expect("a sweep");
            }
        });
    }

    /// The tables at which a player sits, as they are stored beside the logs.
    fn seated_tables(&self, player: PlayerId) -> Vec<TableId> {
        let seated = self.memory.seated_tables(player, u32::MAX).now_or_never();
        seated.expect("an answer").expect("tables")
    }

    /// What is stored about who sits where agrees with the logs.
    fn check_seats(&mut self) {
        for client in &self.table_clients {
            let Some(player) = client.player() else { continue };
            for known in &self.tables {
                let Some(id) = known.id else { continue };
                let room = self.witness.table(id).room.as_ref().expect("it can be read");
                let sits = !room.is_closed() && room.seat_of(player).is_some();
                let seated = self.seated_tables(player).contains(&id);
                assert_eq!(seated, sits, "where {player:?} sits");
                self.tally.count_many("a seat that is stored", u64::from(sits));
            }
        }
    }

    /// All tables are closed: no player sits anywhere.
    fn check_closed(&mut self) {
        let Some(server) = &self.servers[0] else { return };
        if server.stage == ServerStage::Stopping {
            return;
        }
        assert_eq!(server.tables.in_memory(), [], "closed tables are in memory");
        for client in &self.table_clients {
            let seated = client.player().map(|player| self.seated_tables(player));
            assert_eq!(seated.unwrap_or_default(), [], "a player sits at a closed table");
        }
        for at in 0..self.servers.len() {
            self.schedule_at(self.now, WorldEvent::Stop { server: at });
        }
    }

    /// What is left of the runtime when it ends.
    pub(super) fn before_death(&mut self, tasks: usize) {
        if self.stage == WorldStage::Over {
            assert_eq!(tasks, 0, "tasks are left that belong to no table, ledger or connection");
        }
    }

    /// What is stored when all is over.
    pub(super) fn check_store_at_end(&mut self) {
        self.check_acknowledged();
        self.check_acknowledged_lines();
        let open = self.memory.quiet_tables(i64::MAX, None, u32::MAX).now_or_never();
        let open: BTreeSet<_> = open.expect("an answer").expect("tables").into_iter().collect();
        assert_eq!(open, self.unreadable, "tables that are still open");
        self.check_removal();
    }

    /// The age at which all that is over is deleted: nothing of it stays.
    fn check_removal(&mut self) {
        let store = self.memory.open_again(Arc::new(store::NoFaults));
        let ages = RetentionAges { archive: None, remove: Some(Duration::ZERO) };
        // It pauses between two logs, for which no time passes here.
        let builder = &mut tokio::runtime::Builder::new_current_thread();
        let runtime = builder.enable_time().start_paused(true).build().expect("a runtime");
        let swept = runtime.block_on(retention::sweep(&store, u64::MAX >> 1, ages));
        let counts = swept.expect("a sweep");
        self.tally.count_many("a log that was removed", counts.removed);
        let tables = self.tables.iter().filter_map(|known| known.id).map(LogId::from);
        let ledgers = self.ledgers.iter().filter_map(|known| known.id).map(LogId::from);
        for log in tables.chain(ledgers) {
            let found = store.find_log(log).now_or_never().expect("an answer").expect("a store");
            assert!(found.is_none(), "{log} outlives its age");
        }
    }

    /// Counts what was played.
    fn count_ends(&mut self) {
        for at in 0..self.tables.len() {
            let Some(id) = self.tables[at].id else { continue };
            let stored = self.witness.table(id);
            let (finished, closed) = (stored.finished, stored.is_closed());
            self.tally.count_many("a match that ended", u64::from(finished));
            let what = match (finished > 0, closed) {
                (true, _) => "a table whose match was played on to its end",
                (false, true) => "a table that was closed before",
                (false, false) => "a table without an end",
            };
            assert!(finished > 0 || closed || self.tables[at].contest, "a match has no end");
            self.tally.count(what);
        }
        for at in 0..self.ledger_clients.len() {
            if let Some(what) = self.ledger_clients[at].end() {
                self.tally.count(what);
            }
        }
    }
}
