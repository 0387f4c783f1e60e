//! Tables that two servers load.

use std::sync::Mutex;

use futures_util::FutureExt;
use store::{EventLog, FaultPlan, MemoryDatabase, NoFaults, Operation, OperationFate};

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
        let acquired = self.other.acquire(LogKind::Table, table.into()).await.expect("a store");
        let acquired = acquired.expect("a table");
        let event = NewEvent { at_ms: logged.at as i64, body: log::encode(logged) };
        let append = Append {
            log: table.into(),
            epoch: acquired.epoch,
            first: acquired.last + 1,
            events: vec![event],
            linked_writes: Vec::new(),
        };
        assert_eq!(self.other.append(&[append]).await, Ok(vec![AppendOutcome::Done]));
    }
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

#[tokio::test(start_paused = true)]
async fn a_table_that_another_server_takes_over_during_a_load_is_not_damaged() {
    let memory = MemoryDatabase::default();
    let first = registry(memory.open_again(Arc::new(NoFaults)));
    let rules = Rules::from_code("cruce2-3").expect("rules");
    let settings = TableSettings { rules, pace: Pace::Off, listed: true, contest: None };
    let host = PlayerId::from_random(1);
    let table = first.open(&settings, host).await.expect("a table");
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
