//! Real faults: killed processes, a full disk, a crashing database server. Acknowledged events are
//! stored exactly once, and an error never denies a write that may have happened.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use store::{
    AcquiredLog, AppendOutcome, AppendQueue, AppendStore, Database, Epoch, LogId, LogKind, Store,
    StoreError, Writer, WriterLimits,
};
use test_support::postgres::{Server, Stop};
use test_support::small_disk;

use crate::support::{Place, acquire_open, append, check_sequences, table};

/// The variable with the address of the database, for a test started by another one.
const CHILD: &str = "GHINDA_STORE_CHILD";
const TABLES: u64 = 4;

/// Appends to several tables until it is killed, and prints every acknowledgement. It does nothing
/// when it is run as a test itself.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn child_that_appends_until_it_is_killed() {
    let Ok(address) = std::env::var(CHILD) else { return };
    let store = Arc::new(Database::open(&address).await.unwrap());
    let writer = Writer::start(Arc::clone(&store), WriterLimits::default());
    let mut tasks = Vec::new();
    for acquired in acquire_open(&*store, 0..TABLES).await {
        tasks.push(tokio::spawn(append_and_print(writer.queue(), acquired)));
    }
    for task in tasks {
        task.await.unwrap();
    }
}

async fn append_and_print(queue: AppendQueue, acquired: AcquiredLog) {
    for sequence in acquired.last + 1.. {
        let body = format!("{:016x}", getrandom::u64().unwrap());
        let next = append(acquired.log, acquired.epoch, sequence, &[&body]);
        assert_eq!(queue.append(next).await, Ok(AppendOutcome::Done));
        let line = format!("acknowledged {} {sequence} {body}\n", acquired.log);
        std::io::stdout().lock().write_all(line.as_bytes()).unwrap();
    }
}

#[tokio::test]
async fn what_was_acknowledged_survives_the_death_of_the_process() {
    let place = Place::sqlite();
    let store = place.open().await;
    for number in 0..TABLES {
        store.create(LogKind::Table, table(number), None, 0).await.unwrap();
    }
    store.close().await;
    let mut acknowledged = BTreeMap::new();
    for _ in 0..6 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "faults::child_that_appends_until_it_is_killed", "--nocapture"])
            .env(CHILD, &place.address)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        while !line.starts_with("acknowledged") {
            line.clear();
            assert!(lines.read_line(&mut line).unwrap() > 0, "the child ended too early");
        }
        let moment = getrandom::u64().unwrap() % 200;
        std::thread::sleep(Duration::from_millis(moment));
        child.kill().unwrap();
        child.wait().unwrap();
        // The last line may be incomplete.
        while line.ends_with('\n') {
            if let ["acknowledged", at, sequence, body] =
                line.split_whitespace().collect::<Vec<_>>()[..]
            {
                let key: (LogId, u64) = (at.parse().unwrap(), sequence.parse().unwrap());
                assert_eq!(acknowledged.insert(key, body.to_owned()), None, "{key:?} twice");
            }
            line.clear();
            lines.read_line(&mut line).unwrap();
        }
        let store = place.open().await;
        let stored = stored(&store).await;
        for (key, body) in &acknowledged {
            assert_eq!(stored.get(key), Some(body), "{key:?} was acknowledged");
        }
        store.close().await;
    }
    assert!(acknowledged.len() > 20, "only {} acknowledged", acknowledged.len());
}

async fn stored(store: &Database) -> BTreeMap<(LogId, u64), String> {
    let mut stored = BTreeMap::new();
    for number in 0..TABLES {
        for event in check_sequences(store, table(number)).await {
            stored.insert((table(number), event.sequence), event.body);
        }
    }
    stored
}

/// Runs on a disk of 4 MB, with a file that can be deleted. It does nothing when it is run as a test
/// itself.
#[tokio::test]
async fn child_on_a_small_disk() {
    let Some(disk) = small_disk::here() else { return };
    let reserve = disk.join("reserve");
    std::fs::write(&reserve, vec![1; 1 << 20]).unwrap();
    let address = format!("sqlite:{}", disk.join("ghinda.db").display());
    let store = Database::open(&address).await.unwrap();
    let epoch = store.create(LogKind::Table, table(0), None, 0).await.unwrap();
    let mut stored = Vec::new();
    // Small events fail when they are committed.
    let error = fill_up(&store, epoch, 1, 20_000, &mut stored).await;
    assert!(matches!(error, StoreError::Full(_)), "{error:?}");
    let before = stored.len();
    assert!(before > 10, "{before}");
    assert_eq!(check_sequences(&store, table(0)).await.len(), before);
    // A large batch fails earlier, since it does not fit into the memory of the connection.
    let error = fill_up(&store, epoch, 80, 60_000, &mut stored).await;
    assert!(matches!(error, StoreError::Full(_)), "{error:?}");
    assert_eq!(stored.len(), before);
    assert_eq!(store.ping().await, Ok(()), "reading still works");

    std::fs::remove_file(&reserve).unwrap();
    let next = append(table(0), epoch, before as u64 + 1, &["room again"]);
    assert_eq!(store.append(&[next]).await, Ok(vec![AppendOutcome::Done]));
    stored.push("room again".to_owned());
    store.close().await;
    let store = Database::open(&address).await.unwrap();
    let events = check_sequences(&store, table(0)).await;
    assert_eq!(events.into_iter().map(|event| event.body).collect::<Vec<_>>(), stored);
}

/// Appends batches of this number of events until it fails.
async fn fill_up(
    store: &Database,
    epoch: Epoch,
    events: usize,
    bytes: usize,
    stored: &mut Vec<String>,
) -> StoreError {
    loop {
        let body = |number: usize| format!("{:0>bytes$}", stored.len() + number);
        let bodies: Vec<String> = (0..events).map(body).collect();
        let texts: Vec<&str> = bodies.iter().map(String::as_str).collect();
        let next = append(table(0), epoch, stored.len() as u64 + 1, &texts);
        match store.append(&[next]).await {
            Ok(outcomes) => assert_eq!(outcomes, [AppendOutcome::Done]),
            Err(error) => return error,
        }
        stored.extend(bodies);
    }
}

#[test]
fn a_full_disk_loses_nothing_and_is_recovered_from() {
    small_disk::run("faults::child_on_a_small_disk", 4);
}

/// Runs on a disk that becomes read-only while the database is closed. It does nothing when it is run
/// as a test itself.
#[tokio::test]
async fn child_on_a_read_only_disk() {
    let Some(disk) = small_disk::here() else { return };
    let address = format!("sqlite:{}", disk.join("ghinda.db").display());
    Database::open(&address).await.unwrap().close().await;
    let remounted = Command::new("mount").args(["-o", "remount,ro"]).arg(&disk).status();
    assert!(remounted.unwrap().success());
    for name in ["ghinda.db", "new.db"] {
        let error = Database::open(disk.join(name).to_str().unwrap()).await.err().unwrap();
        assert!(error.to_string().starts_with("the database is read-only"), "{name}: {error}");
    }
}

#[test]
fn a_read_only_disk_is_named_at_the_start() {
    small_disk::run("faults::child_on_a_read_only_disk", 4);
}

/// The owner of one table during crashes of the database.
struct Owner {
    store: Arc<Database>,
    queue: AppendQueue,
    table: LogId,
    epoch: Epoch,
    stored: Vec<String>,
    unavailable: Arc<AtomicU32>,
    uncertain: Arc<AtomicU32>,
}

impl Owner {
    async fn append_until(mut self, end: Arc<AtomicBool>) -> (LogId, Vec<String>) {
        while !end.load(Ordering::Relaxed) {
            let body = format!("{:016x}", getrandom::u64().unwrap());
            self.append(body).await;
        }
        (self.table, self.stored)
    }

    /// Retries until the event is stored, as the server does.
    async fn append(&mut self, body: String) {
        loop {
            let sequence = self.stored.len() as u64 + 1;
            let next = append(self.table, self.epoch, sequence, &[&body]);
            match self.queue.append(next).await {
                Ok(AppendOutcome::Done) => break,
                Ok(other) => panic!("{other:?}, though the table has no other owner"),
                Err(StoreError::Unavailable(_)) => {
                    self.unavailable.fetch_add(1, Ordering::Relaxed);
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
                Err(StoreError::Uncertain(_)) => {
                    self.uncertain.fetch_add(1, Ordering::Relaxed);
                    let acquired = self.acquire().await;
                    self.epoch = acquired.epoch;
                    if acquired.last == sequence {
                        break;
                    }
                    assert_eq!(acquired.last, sequence - 1);
                }
                Err(other) => panic!("{other}"),
            }
        }
        self.stored.push(body);
    }

    async fn acquire(&self) -> AcquiredLog {
        loop {
            match self.store.acquire(LogKind::Table, self.table).await {
                Ok(acquired) => return acquired.unwrap(),
                Err(StoreError::Unavailable(_) | StoreError::Uncertain(_)) => {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
                Err(other) => panic!("{other}"),
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn crashes_of_postgres_double_and_lose_nothing() {
    let server = Arc::new(tokio::task::spawn_blocking(Server::start).await.unwrap());
    let store = Arc::new(Database::open(&server.database()).await.unwrap());
    let writer = Writer::start(Arc::clone(&store), WriterLimits::default());
    let end = Arc::new(AtomicBool::new(false));
    let (unavailable, uncertain) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicU32::new(0)));
    let mut owners = Vec::new();
    for number in 0..TABLES {
        let owner = Owner {
            store: Arc::clone(&store),
            queue: writer.queue(),
            table: table(number),
            epoch: store.create(LogKind::Table, table(number), None, 0).await.unwrap(),
            stored: Vec::new(),
            unavailable: Arc::clone(&unavailable),
            uncertain: Arc::clone(&uncertain),
        };
        owners.push(tokio::spawn(owner.append_until(Arc::clone(&end))));
    }
    for how in [Stop::Immediate, Stop::Fast, Stop::Immediate, Stop::Immediate, Stop::Fast] {
        let moment = 100 + getrandom::u64().unwrap() % 300;
        tokio::time::sleep(Duration::from_millis(moment)).await;
        let server = Arc::clone(&server);
        tokio::task::spawn_blocking(move || {
            server.stop(how);
            std::thread::sleep(Duration::from_millis(100));
            server.start_again();
        })
        .await
        .unwrap();
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    end.store(true, Ordering::Relaxed);
    let mut total = 0;
    for owner in owners {
        let (table, acknowledged) = owner.await.unwrap();
        let events = check_sequences(&*store, table).await;
        let bodies: Vec<String> = events.into_iter().map(|event| event.body).collect();
        assert_eq!(bodies, acknowledged);
        total += bodies.len();
    }
    writer.close().await;
    let (unavailable, uncertain) =
        (unavailable.load(Ordering::Relaxed), uncertain.load(Ordering::Relaxed));
    println!("{total} events; {unavailable} times unavailable, {uncertain} times uncertain");
    assert!(unavailable > 0, "the crashes went unnoticed");
    assert!(total > 50, "{total}");
}
