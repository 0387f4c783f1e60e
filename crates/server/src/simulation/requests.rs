//! Requests beside the connections: the lobby, links, records, comparisons, lines, sweeps.

use std::sync::Arc;
use std::time::Duration;

use game::fair::Secret;
use room::{Entry, Key, LoggedEntry, Opening, log};
use store::{
    Append, AppendStore, LogKind, MemoryDatabase, NewEvent, NoFaults, PlayerId, Store, StoreError,
    TableId,
};
use wire::table::Pace;

use super::plan::WorldKind;
use super::world::{EPOCH, ShellWorld, SimulatedServer};
use super::{CLIENTS, READER};
use crate::retention::{self, RetentionAges};
use crate::tables::TableError;

const DAY: u64 = 24 * 60 * 60 * 1000;

/// Stores a table whose second event cannot be read, as if another program had written it.
pub(super) async fn store_unreadable_table(memory: &MemoryDatabase) -> TableId {
    let table = TableId::new(77).expect("small");
    let opening = Opening {
        rules: game::Rules::from_code("cruce2-2").expect("a code"),
        pace: Pace::Off,
        listed: true,
        host: PlayerId::new(7).expect("small"),
        key: Key::new([7; 16]),
        secret: Secret([7; 32]),
        siblings: Vec::new(),
        contest: None,
    };
    let opened = LoggedEntry { at: EPOCH, command: None, entry: Entry::Opened(Box::new(opening)) };
    let store = memory.open_again(Arc::new(NoFaults));
    let epoch =
        store.create(LogKind::Table, table.into(), None, EPOCH as i64).await.expect("a table");
    let bodies = [log::encode(&opened), "Dear Ana,".to_owned()];
    let event = |body| NewEvent { at_ms: EPOCH as i64, body };
    let append = Append {
        log: table.into(),
        epoch,
        first: 1,
        events: bodies.map(event).to_vec(),
        linked_writes: Vec::new(),
    };
    store.append(&[append]).await.expect("stored");
    table
}

impl ShellWorld {
    /// Asks one of the servers something, if one serves.
    pub(super) fn ask_something(&mut self) {
        if self.stage > super::world::WorldStage::Healthy {
            return;
        }
        self.schedule_ask();
        let at = self.any_server();
        if self.servers[at].as_ref().is_none_or(|server| !server.is_serving()) {
            return;
        }
        if self.is_troubled() && self.lots.chance(6) {
            self.abandon_something();
        }
        let sheets = self.plan.kind == WorldKind::Sheets;
        match self.lots.below(if sheets { 28 } else { 18 }) {
            0 => self.ask_for_the_lobby(at),
            1 | 2 => self.ask_to_read(at),
            3 | 4 => self.ask_for_a_record(at),
            5 => self.ask_for_a_comparison(at),
            6 => self.ask_for_lines(at),
            7 => self.ask_for_a_sweep(at),
            8 => self.ask_whether_the_store_works(at),
            9 => self.ask_for_what_is_not_there(at),
            10 => self.ask_for_the_unreadable(at),
            11..=14 => self.ask_over_http(at),
            _ => self.ask_about_sessions(at),
        }
    }

    pub(super) fn server(&self, at: usize) -> &SimulatedServer {
        self.servers[at].as_ref().expect("a server that serves")
    }

    /// The client of some request stops waiting.
    fn abandon_something(&mut self) {
        let may = |name: &&str| !["start", "stop"].contains(name);
        let pending = self.requests.iter().filter(|(_, pending)| may(&pending.name));
        let pending: Vec<u64> = pending.map(|(request, _)| *request).collect();
        if !pending.is_empty() {
            self.tally.count("a request abandoned");
            let request = *self.lots.pick(&pending);
            self.abandon(request);
        }
    }

    fn some_table(&mut self) -> Option<TableId> {
        let known: Vec<TableId> = self.tables.iter().filter_map(|table| table.id).collect();
        (!known.is_empty()).then(|| *self.lots.pick(&known))
    }

    fn ask_for_the_lobby(&mut self, at: usize) {
        let listed = self.server(at).tables.index().lobby(200);
        self.tally.count(if listed.is_empty() { "an empty lobby" } else { "a table in the lobby" });
        let mut players = self.table_clients.iter().filter_map(|client| client.player());
        let Some(player) = players.next_back() else { return };
        let tables = self.server(at).tables.clone();
        self.ask(at, "the tables of a player", None, async move {
            let seated = tables.tables_of(player).await;
            move |world: &mut ShellWorld| {
                world
                    .tally
                    .count_many("a table of a player", seated.map_or(0, |all| all.len()) as u64);
            }
        });
    }

    fn ask_to_read(&mut self, at: usize) {
        let Some(table) = self.some_table() else { return };
        let tables = self.server(at).tables.clone();
        self.ask(at, "a look at a table", None, async move {
            let version = tables.read(table, READER, |room| room.version()).await;
            move |world: &mut ShellWorld| {
                let stored = world.witness.table(table);
                match version {
                    Ok(version) => assert!(version <= stored.last, "it is not stored"),
                    Err(TableError::NotFound) => {
                        assert!(stored.is_closed(), "an open table is not found");
                    }
                    Err(TableError::Unreadable(_)) => panic!("{table} can be read"),
                    Err(TableError::Store(StoreError::Corrupt(why))) => panic!("{table}: {why}"),
                    Err(TableError::TooMany) => panic!("a look opens no table"),
                    Err(TableError::Busy) => assert!(world.plan.scarce, "there is room"),
                    Err(TableError::Store(_) | TableError::Stopping) => {}
                }
            }
        });
    }

    fn ask_for_a_record(&mut self, at: usize) {
        let Some(table) = self.some_table() else { return };
        let tables = self.server(at).tables.clone();
        self.ask(at, "a record", None, async move {
            let record = tables.finished_record(table, 1, READER).await;
            move |world: &mut ShellWorld| {
                if let Ok(Some(record)) = record {
                    world.check_record(table, record.won.is_some());
                }
            }
        });
    }

    /// A record is given when the deals are played everywhere, and not before.
    fn check_record(&mut self, table: TableId, won: bool) {
        self.tally.count("a record");
        assert!(won && self.witness.table(table).finished > 0, "a record of a match that runs");
        let room = self.witness.table(table).room.as_ref().expect("it can be read");
        for sibling in room.siblings().to_vec() {
            let stored = self.witness.table(sibling);
            // A closed table does not play any more.
            let is_over = stored.finished > 0 || stored.is_closed();
            assert!(is_over, "{sibling} still plays the same deals");
            if sibling != table {
                self.tally.count("a record of a duplicate");
            }
        }
    }

    fn ask_for_a_comparison(&mut self, at: usize) {
        let Some(table) = self.some_table() else { return };
        let tables = self.server(at).tables.clone();
        self.ask(at, "a comparison", None, async move {
            let compared = tables.compare(table, READER).await;
            move |world: &mut ShellWorld| {
                if let Ok(Some(comparison)) = compared {
                    assert_eq!(comparison.tables.len(), 2);
                    world.tally.count("a comparison");
                }
            }
        });
    }

    fn ask_for_lines(&mut self, at: usize) {
        let Some(id) = self.ledgers.iter().find_map(|ledger| ledger.id) else { return };
        let ledgers = self.server(at).ledgers.clone();
        self.ask(at, "lines", None, async move {
            let lines = ledgers.lines(id, CLIENTS).await;
            move |world: &mut ShellWorld| {
                if let Ok(lines) = lines {
                    let stored = world.witness.ledger(id.into()).lines();
                    let read = lines.blocks().iter().map(|block| block.text().lines().count());
                    assert!(read.sum::<usize>() <= stored, "lines that are not stored");
                    world.tally.count("lines read");
                }
            }
        });
    }

    fn ask_for_a_sweep(&mut self, at: usize) {
        let server = self.server(at);
        let (tables, store) = (server.tables.clone(), server.store.clone());
        let trusted = server.clocks.trusted;
        let quiet = if self.plan.sweeps { 4_000 } else { 30 * DAY };
        let since = trusted.now().saturating_sub(quiet);
        let ages = RetentionAges { archive: Some(Duration::from_millis(quiet)), remove: None };
        self.ask(at, "a sweep", None, async move {
            let asked = tables.close_quiet_tables(since).await;
            let swept = retention::sweep(&*store, trusted.now(), ages).await;
            let _ = store.advance_trusted_time(trusted.now_ms()).await;
            move |world: &mut ShellWorld| {
                world.tally.count(match asked {
                    Ok(0) => "a sweep that found nothing",
                    Ok(_) => "a sweep that closed tables",
                    Err(_) => "a sweep that failed",
                });
                match swept {
                    Ok(counts) => {
                        assert_eq!(counts.removed, 0, "a log is removed before its time");
                        world.tally.count_many("a log that was archived", counts.archived);
                    }
                    Err(_) => world.tally.count("an archiving that failed"),
                }
            }
        });
    }

    fn ask_whether_the_store_works(&mut self, at: usize) {
        let tables = self.server(at).tables.clone();
        self.ask(at, "whether the store works", None, async move {
            let works = tables.check_store().await.is_ok();
            move |world: &mut ShellWorld| {
                world.tally.count(if works { "the store works" } else { "the store fails" });
            }
        });
    }

    fn ask_for_what_is_not_there(&mut self, at: usize) {
        let (tables, ledgers) = (self.server(at).tables.clone(), self.server(at).ledgers.clone());
        let nothing = TableId::new(9).expect("small");
        self.ask(at, "what is not there", None, async move {
            let table = tables.read(nothing, READER, |room| room.version()).await;
            let ledger = ledgers.lines(store::LedgerId::new(9).expect("small"), CLIENTS).await;
            move |world: &mut ShellWorld| {
                assert!(table.is_err() && ledger.is_err(), "there is no such table");
                if matches!(table, Err(TableError::NotFound)) {
                    world.tally.count("a table that is not there");
                }
            }
        });
    }

    fn ask_for_the_unreadable(&mut self, at: usize) {
        let Some(table) = self.unreadable.first().copied() else { return };
        let tables = self.server(at).tables.clone();
        self.ask(at, "an unreadable table", None, async move {
            let version = tables.read(table, READER, |room| room.version()).await;
            move |world: &mut ShellWorld| {
                assert!(version.is_err(), "it cannot be read");
                if matches!(version, Err(TableError::Unreadable(_))) {
                    world.tally.count("an unreadable table");
                }
            }
        });
    }
}
