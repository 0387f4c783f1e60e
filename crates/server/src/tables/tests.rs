//! Tables that two servers load, and sweeps on a store that fails.

use std::future::poll_fn;
use std::net::Ipv4Addr;
use std::pin::pin;
use std::sync::Mutex;
use std::time::Duration;

use cards::Seat;
use futures_util::FutureExt;
use futures_util::future::join_all;
use room::{ChatContent, DecisionContext, PlayerCommand, Presence};
use store::{
    AppendStore, FaultPlan, MemoryDatabase, NoFaults, Operation, OperationFate, OperationFault,
};
use tokio::time::Instant;
use wire::table::TableCommand;

use super::*;
use crate::quotas::MAX_LOOKS;
use crate::sweep_failures::MAX_IN_A_ROW;

/// Another server, which takes a table over and writes an entry before the next read of its log.
struct TakesOver {
    other: MemoryDatabase,
    entry: Mutex<Option<LoggedEntry>>,
}

impl FaultPlan for TakesOver {
    fn fate(&self, operation: &Operation<'_>) -> OperationFate {
        let entry = self.entry.lock().expect("a lock").take_if(|_| operation.name == "events");
        if let Some(logged) = entry {
            let work = self.write(operation.logs[0].as_table(), &logged);
            work.now_or_never().expect("a store without faults answers at once");
        }
        OperationFate::default()
    }
}

impl TakesOver {
    async fn write(&self, table: TableId, logged: &LoggedEntry) {
        write(&self.other, table, std::slice::from_ref(logged)).await;
    }
}

/// Writes entries to a table, which another server may own.
async fn write(memory: &MemoryDatabase, table: TableId, entries: &[LoggedEntry]) {
    let acquired = memory.acquire(LogKind::Table, table.into()).await.expect("a store");
    let acquired = acquired.expect("a table");
    let event =
        |logged: &LoggedEntry| NewEvent { at_ms: logged.at as i64, body: log::encode(logged) };
    let append = Append {
        log: table.into(),
        epoch: acquired.epoch,
        first: acquired.last + 1,
        events: entries.iter().map(event).collect(),
        linked_writes: Vec::new(),
    };
    assert_eq!(memory.append(&[append]).await, Ok(vec![AppendOutcome::Done]));
}

fn registry(memory: MemoryDatabase) -> TableRegistry {
    let (jobs, _) = std::sync::mpsc::sync_channel(1);
    let pool = BotPool::over(Arc::new(jobs));
    let clocks = Clocks::at(1_000, None);
    TableRegistry::with(
        Arc::new(Database::Memory(memory)),
        clocks,
        pool,
        Timings::default(),
        MemoryQuotas::default(),
    )
}

async fn open(registry: &TableRegistry, host: PlayerId) -> TableId {
    let rules = Rules::from_code("cruce2-3").expect("rules");
    let settings = TableSettings { rules, pace: Pace::Off, listed: true, contest: None };
    registry.open(&settings, host).await.expect("a table")
}

#[tokio::test(start_paused = true)]
async fn a_table_that_another_server_takes_over_during_a_load_is_not_damaged() {
    let memory = MemoryDatabase::default();
    let first = registry(memory.open_again(Arc::new(NoFaults)));
    let host = PlayerId::from_random(1);
    let table = open(&first, host).await;
    let admitted = Entry::Admitted { player: PlayerId::from_random(2) };
    let logged = LoggedEntry { at: 2_000, command: None, entry: admitted };
    let other = memory.open_again(Arc::new(NoFaults));
    let plan = TakesOver { other, entry: Mutex::new(Some(logged)) };
    let second = registry(memory.open_again(Arc::new(plan)));
    let host = TableRequest::Admit { player: host, key: Key::new([1; 16]) };
    let loaded = second.request(table, host).await;
    assert!(
        matches!(loaded, Err(TableError::Store(StoreError::Unavailable(_)))),
        "the log is whole, but belongs to another server: {loaded:?}"
    );
    assert_eq!(second.read(table, TableReader::Server, Room::version).await.ok(), Some(2));
}

/// Runs some work, and counts how often it holds its thread.
async fn turns<T>(work: impl Future<Output = T>) -> (T, usize) {
    let (mut work, mut turns) = (pin!(work), 0);
    let done = poll_fn(|context| {
        turns += 1;
        work.as_mut().poll(context)
    });
    (done.await, turns)
}

/// The entries of a match that has begun, with this many lines of chat.
fn chatty_match(room: &Room, lines: usize) -> Vec<LoggedEntry> {
    let (mut room, host) = (room.clone(), room.host());
    let sit = TableCommand::Sit { seat: 1, name: "Ana".into() };
    let mut entries = Vec::new();
    for what in [sit, TableCommand::Start] {
        let command = PlayerCommand { player: host, id: "x".into(), what };
        let (now, presence) = (2_000, Presence::default());
        let context = DecisionContext { now, presence: &presence, new_secret: &random::secret };
        for entry in room.decide(&command, &context).expect("allowed") {
            let logged = LoggedEntry { at: now, command: None, entry };
            room.apply(&logged).expect("it fits");
            entries.push(logged);
        }
    }
    let seat = Seat::new(0).expect("a seat");
    let said = Entry::Said { seat, content: ChatContent::Text("salut".into()) };
    entries
        .extend(std::iter::repeat_n(LoggedEntry { at: 2_000, command: None, entry: said }, lines));
    entries
}

#[tokio::test]
async fn a_long_log_is_read_in_many_turns() {
    let memory = MemoryDatabase::default();
    let first = registry(memory.open_again(Arc::new(NoFaults)));
    let table = open(&first, PlayerId::from_random(1)).await;
    let room = first.read(table, TableReader::Server, Room::clone).await.expect("a room");
    write(&memory, table, &chatty_match(&room, 10 * PAGE as usize)).await;
    let second = registry(memory.open_again(Arc::new(NoFaults)));
    // A store that answers at once never lets others run.
    let (record, of_record) = turns(second.record(table, 1, TableReader::Server)).await;
    let record = record.expect("it is read").expect("a match");
    assert_eq!((record.deals.len(), record.won), (0, None));
    let (version, of_look) = turns(second.read(table, TableReader::Server, Room::version)).await;
    assert_eq!(version.expect("it is read"), 10 * u64::from(PAGE) + 3);
    assert!(of_record > 10 && of_look > 10, "{of_record} turns and {of_look} turns");
}

/// How an operation on a table fails.
#[derive(Clone, Copy)]
enum Failure {
    /// The statement takes too long.
    TooSlow,
    Unavailable,
    Refused,
}

/// An operation fails every time for some tables.
struct FailsFor {
    operation: &'static str,
    tables: Vec<TableId>,
    failure: Failure,
    /// How often it has failed.
    failures: Mutex<usize>,
}

impl FaultPlan for FailsFor {
    fn fate(&self, operation: &Operation<'_>) -> OperationFate {
        let concerned = |log: &store::LogId| self.tables.contains(&log.as_table());
        if operation.name != self.operation || !operation.logs.iter().any(concerned) {
            return OperationFate::default();
        }
        *self.failures.lock().expect("a lock") += 1;
        let error = match self.failure {
            Failure::TooSlow => {
                let before = Duration::from_secs(60 * 60);
                return OperationFate { before, ..OperationFate::default() };
            }
            Failure::Unavailable => StoreError::Unavailable("not now".into()),
            Failure::Refused => StoreError::Refused("never".into()),
        };
        OperationFate { fault: Some(OperationFault::Fails(error)), ..OperationFate::default() }
    }
}

/// How many tables the tests of sweeps have.
const QUIET_TABLES: usize = 12;

/// A store with tables, in the order of their ids.
async fn quiet_tables() -> (MemoryDatabase, Vec<TableId>) {
    let memory = MemoryDatabase::default();
    let first = registry(memory.open_again(Arc::new(NoFaults)));
    let mut tables = Vec::new();
    for _ in 0..QUIET_TABLES {
        tables.push(open(&first, PlayerId::from_random(1)).await);
    }
    first.stop().await;
    tables.sort();
    (memory, tables)
}

/// A registry on a store where an operation fails for these tables, and its faults.
fn failing(
    memory: &MemoryDatabase,
    operation: &'static str,
    tables: &[TableId],
    failure: Failure,
) -> (TableRegistry, Arc<FailsFor>) {
    let tables = tables.to_vec();
    let faults = Arc::new(FailsFor { operation, tables, failure, failures: Mutex::default() });
    (registry(memory.open_again(faults.clone())), faults)
}

#[tokio::test(start_paused = true)]
async fn a_quiet_table_that_fails_every_time_costs_only_itself() {
    for failure in [Failure::TooSlow, Failure::Unavailable, Failure::Refused] {
        let (memory, tables) = quiet_tables().await;
        let bad = &tables[1..MAX_IN_A_ROW];
        let (swept, faults) = failing(&memory, "acquire", bad, failure);
        let asked = swept.close_quiet_tables(1_000_000).await;
        assert_eq!(asked.ok(), Some(QUIET_TABLES - bad.len()));
        assert_eq!(*faults.failures.lock().expect("a lock"), bad.len());
        swept.stop().await;
        let open = memory.quiet_tables(i64::MAX, None, 100).await.expect("tables");
        assert_eq!(open, bad, "the others are closed");
    }
}

#[tokio::test(start_paused = true)]
async fn a_sweep_of_quiet_tables_ends_when_the_database_is_gone() {
    for failure in [Failure::TooSlow, Failure::Unavailable] {
        let (memory, tables) = quiet_tables().await;
        let (swept, faults) = failing(&memory, "acquire", &tables, failure);
        let asked = swept.close_quiet_tables(1_000_000).await;
        assert!(matches!(asked, Err(TableError::Store(_))), "{asked:?}");
        assert_eq!(*faults.failures.lock().expect("a lock"), MAX_IN_A_ROW);
    }
}

#[tokio::test(start_paused = true)]
async fn the_seats_of_older_tables_are_stored_but_for_those_that_fail() {
    for operation in ["events", "fill_seats"] {
        let (memory, tables) = quiet_tables().await;
        memory.forget_seats();
        let bad = &tables[..2];
        let (filled, _) = failing(&memory, operation, bad, Failure::Unavailable);
        let failed = filled.fill_seats().await;
        assert!(matches!(failed, Err(TableError::Store(_))), "it is to be called again");
        assert_eq!(memory.tables_without_seats(100).await.expect("tables"), bad);
        let (later, _) = failing(&memory, operation, &[], Failure::Unavailable);
        assert_eq!(later.fill_seats().await.ok(), Some(bad.len()));
        let (gone, faults) = failing(&memory, operation, &tables, Failure::TooSlow);
        memory.forget_seats();
        assert!(matches!(gone.fill_seats().await, Err(TableError::Store(_))));
        assert_eq!(*faults.failures.lock().expect("a lock"), MAX_IN_A_ROW);
    }
}

/// A store in which each read of a log takes a second.
struct ReadsSlowly;

impl FaultPlan for ReadsSlowly {
    fn fate(&self, operation: &Operation<'_>) -> OperationFate {
        let before = Duration::from_secs(u64::from(operation.name == "events"));
        OperationFate { before, ..OperationFate::default() }
    }
}

#[tokio::test(start_paused = true)]
async fn so_many_tables_are_read_at_once_while_the_others_wait() {
    let memory = MemoryDatabase::default();
    let first = registry(memory.open_again(Arc::new(NoFaults)));
    let mut tables = Vec::new();
    for _ in 0..3 * MAX_LOOKS {
        tables.push(open(&first, PlayerId::from_random(1)).await);
    }
    let slow = registry(memory.open_again(Arc::new(ReadsSlowly)));
    let began = Instant::now();
    slow.read(tables[0], TableReader::Server, Room::version).await.expect("a table");
    let one = began.elapsed();
    assert!(one >= Duration::from_secs(1));
    let began = Instant::now();
    // Each for a client at another address.
    let readers = (0..).map(|number| TableReader::Address(Ipv4Addr::from(number).into()));
    let looks = tables.iter().zip(readers);
    let looks = looks.map(|(table, reader)| slow.read(*table, reader, Room::version));
    for look in join_all(looks).await {
        look.expect("a table");
    }
    assert_eq!(began.elapsed(), 3 * one);
}
