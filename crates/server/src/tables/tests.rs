//! Tables that two servers load.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::Mutex;

use cards::Seat;
use futures_util::FutureExt;
use room::{ChatContent, DecisionContext, PlayerCommand, Presence};
use store::{EventLog, FaultPlan, MemoryDatabase, NoFaults, Operation, OperationFate};
use wire::table::TableCommand;

use super::*;

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

fn settings() -> TableSettings {
    let rules = Rules::from_code("cruce2-3").expect("rules");
    TableSettings { rules, pace: Pace::Off, listed: true, contest: None }
}

#[tokio::test(start_paused = true)]
async fn a_table_that_another_server_takes_over_during_a_load_is_not_damaged() {
    let memory = MemoryDatabase::default();
    let first = registry(memory.open_again(Arc::new(NoFaults)));
    let host = PlayerId::from_random(1);
    let table = first.open(&settings(), host).await.expect("a table");
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
    assert_eq!(second.read(table, Room::version).await.ok(), Some(2));
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

/// The entries of a match that has begun, with so many lines of chat.
fn chatty_match(room: &Room, lines: usize) -> Vec<LoggedEntry> {
    let (mut room, host) = (room.clone(), room.host());
    let sit = TableCommand::Sit { seat: 1, name: "Ana".into() };
    let mut entries = Vec::new();
    for what in [sit, TableCommand::Start] {
        let command = PlayerCommand { player: host, id: "x".into(), what };
        let (now, presence) = (2_000, Presence::default());
        let context = DecisionContext { now, presence: &presence, fresh: &random::secret };
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
    let table = first.open(&settings(), PlayerId::from_random(1)).await.expect("a table");
    let room = first.read(table, Room::clone).await.expect("a room");
    write(&memory, table, &chatty_match(&room, 10 * PAGE as usize)).await;
    let second = registry(memory.open_again(Arc::new(NoFaults)));
    // A store that answers at once never lets others run.
    let (record, of_record) = turns(second.record(table, 1)).await;
    let record = record.expect("it is read").expect("a match");
    assert_eq!((record.deals.len(), record.won), (0, None));
    let (version, of_look) = turns(second.read(table, Room::version)).await;
    assert_eq!(version.expect("it is read"), 10 * u64::from(PAGE) + 3);
    assert!(of_record > 10 && of_look > 10, "{of_record} turns and {of_look} turns");
}
