//! A database for one test, and helpers that write to it and read from it.

use std::sync::Arc;

use store::{
    AcquiredLog, Append, Database, Epoch, FinishedMatch, FinishedSeat, LinkedWrite, LogId, LogInfo,
    LogKind, MemoryDatabase, NewEvent, NoFaults, PlayerId, Store, StoredEvent,
};
use test_support::folder::TempFolder;
use test_support::postgres::Server;

/// The address of a database and a folder for its files.
pub(crate) struct Place {
    pub(crate) address: String,
    pub(crate) folder: TempFolder,
    /// A database without an address.
    memory: Option<Arc<MemoryDatabase>>,
}

impl Place {
    pub(crate) fn sqlite() -> Self {
        let folder = TempFolder::create();
        let address = format!("sqlite:{}", folder.file("ghinda.db").display());
        Self { address, folder, memory: None }
    }

    pub(crate) fn postgres() -> Self {
        let (address, folder) = (Server::shared().database(), TempFolder::create());
        Self { address, folder, memory: None }
    }

    pub(crate) fn memory() -> Self {
        let (address, folder) = (String::new(), TempFolder::create());
        Self { address, folder, memory: Some(Arc::default()) }
    }

    pub(crate) async fn open(&self) -> Database {
        self.opening().await
    }

    /// Opens it, in any task.
    pub(crate) fn opening(&self) -> impl Future<Output = Database> + Send + use<> {
        let (address, memory) = (self.address.clone(), self.memory.clone());
        async move {
            match memory {
                Some(memory) => Database::Memory(memory.open_again(Arc::new(NoFaults))),
                None => Database::open(&address).await.unwrap(),
            }
        }
    }
}

/// Makes a test of each function that takes a [`Place`], on one kind of database.
macro_rules! on_database {
    ($database:ident: $($test:ident),* $(,)?) => {
        mod $database {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $test() {
                    super::$test(&crate::support::Place::$database()).await;
                }
            )*
        }
    };
}

/// The same for SQLite and PostgreSQL, which keep what they are given.
macro_rules! on_both_databases {
    ($($test:ident),* $(,)?) => {
        crate::support::on_database!(sqlite: $($test),*);
        crate::support::on_database!(postgres: $($test),*);
    };
}

/// The same for these and for the database in memory.
macro_rules! on_all_databases {
    ($($test:ident),* $(,)?) => {
        crate::support::on_database!(sqlite: $($test),*);
        crate::support::on_database!(postgres: $($test),*);
        crate::support::on_database!(memory: $($test),*);
    };
}

pub(crate) use {on_all_databases, on_both_databases, on_database};

pub(crate) fn table(number: u64) -> LogId {
    LogId::new(number).unwrap()
}

pub(crate) fn player(number: u64) -> PlayerId {
    PlayerId::new(number).unwrap()
}

/// Events of a table from a sequence on, with these bodies.
pub(crate) fn append(table: LogId, epoch: Epoch, first: u64, bodies: &[&str]) -> Append {
    let event = |&body: &&str| NewEvent { at_ms: 1_000, body: body.to_owned() };
    Append {
        log: table,
        epoch,
        first,
        events: bodies.iter().map(event).collect(),
        linked_writes: Vec::new(),
    }
}

pub(crate) fn with_write(mut append: Append, note: LinkedWrite) -> Append {
    append.linked_writes.push(note);
    append
}

pub(crate) fn finished(number: u32, ended_ms: i64, players: &[Option<u64>]) -> FinishedMatch {
    let seat = |(seat, number): (usize, &Option<u64>)| FinishedSeat {
        player: number.map(player),
        name: format!("Ană {seat}"),
    };
    FinishedMatch {
        number,
        rules: "cruce4".to_owned(),
        ended_ms,
        seats: players.iter().enumerate().map(seat).collect(),
        summary: format!("{{\"won\":{number}}}"),
    }
}

/// What is known of a log that exists.
pub(crate) async fn info(store: &impl Store, log: LogId) -> LogInfo {
    store.find_log(log).await.unwrap().unwrap()
}

/// Acquires those of some tables that exist and are open.
pub(crate) async fn acquire_open(
    store: &impl Store,
    numbers: impl IntoIterator<Item = u64>,
) -> Vec<AcquiredLog> {
    let logs: Vec<LogId> = numbers.into_iter().map(table).collect();
    store.acquire_all(LogKind::Table, &logs).await.unwrap()
}

pub(crate) async fn all_events(store: &impl Store, table: LogId) -> Vec<StoredEvent> {
    store.events(table, 1, u32::MAX).await.unwrap()
}

pub(crate) async fn bodies(store: &impl Store, table: LogId) -> Vec<String> {
    all_events(store, table).await.into_iter().map(|event| event.body).collect()
}

/// Checks that a table's events are numbered 1, 2, 3, … up to its last sequence.
pub(crate) async fn check_sequences(store: &impl Store, table: LogId) -> Vec<StoredEvent> {
    let events = all_events(store, table).await;
    let last = info(store, table).await.last;
    let sequences: Vec<u64> = events.iter().map(|event| event.sequence).collect();
    assert_eq!(sequences, (1..=last).collect::<Vec<u64>>(), "{table}");
    events
}
