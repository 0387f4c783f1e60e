//! A database for one test, and helpers that write to it and read from it.

use store::{
    Append, Database, Epoch, FinishedMatch, FinishedSeat, LinkedWrite, LogId, NewEvent, PlayerId,
    Store, StoredEvent,
};
use test_support::folder::TempFolder;
use test_support::postgres::Server;

/// The address of a database and a folder for its files.
pub(crate) struct Place {
    pub(crate) address: String,
    pub(crate) folder: TempFolder,
}

impl Place {
    pub(crate) fn sqlite() -> Self {
        let folder = TempFolder::create();
        Self { address: format!("sqlite:{}", folder.file("ghinda.db").display()), folder }
    }

    pub(crate) fn postgres() -> Self {
        Self { address: Server::shared().database(), folder: TempFolder::create() }
    }

    pub(crate) async fn open(&self) -> Database {
        Database::open(&self.address).await.unwrap()
    }
}

/// Makes a test for each database of each function that takes a [`Place`].
macro_rules! on_both_databases {
    ($($test:ident),* $(,)?) => {
        mod sqlite {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $test() {
                    super::$test(&crate::support::Place::sqlite()).await;
                }
            )*
        }
        mod postgres {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $test() {
                    super::$test(&crate::support::Place::postgres()).await;
                }
            )*
        }
    };
}

pub(crate) use on_both_databases;

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

pub(crate) fn with_note(mut append: Append, note: LinkedWrite) -> Append {
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

pub(crate) async fn all_events(store: &impl Store, table: LogId) -> Vec<StoredEvent> {
    store.events(table, 1, u32::MAX).await.unwrap()
}

pub(crate) async fn bodies(store: &impl Store, table: LogId) -> Vec<String> {
    all_events(store, table).await.into_iter().map(|event| event.body).collect()
}

/// Checks that a table's events are numbered 1, 2, 3, … up to its last sequence.
pub(crate) async fn check_sequences(store: &impl Store, table: LogId) -> Vec<StoredEvent> {
    let events = all_events(store, table).await;
    let last = store.last_sequence(table).await.unwrap().unwrap();
    let sequences: Vec<u64> = events.iter().map(|event| event.sequence).collect();
    assert_eq!(sequences, (1..=last).collect::<Vec<u64>>(), "{table}");
    events
}
