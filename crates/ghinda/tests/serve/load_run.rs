//! Many tables under load: clients that play and chat as fast as they can, reconnect when the
//! server is gone, and send unanswered commands again.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use game::deal::{RandomStream, Seed};
use replica::Replica;
use store::{Database, Store};
use test_support::process::run_with_input;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};
use wire::table::{CloseReason, Phrase, TableCommand, TableStage};

use crate::checker::Log;
use crate::test_client::TestClient;
use crate::test_server::TestServer;

/// How long a client waits after a refusal or a failed connection.
const PAUSE: Duration = Duration::from_millis(50);
/// How long a client waits for messages before its next action.
const POLL_INTERVAL: Duration = Duration::from_millis(25);
/// How many commands of one client may be unanswered.
const MAX_UNANSWERED: usize = 3;
/// How long all clients may take to settle.
const SETTLE_LIMIT: Duration = Duration::from_secs(60);

/// The tables: their rules, and how many people sit there. Bots take the other seats.
const TABLES: [(&str, usize); 8] = [
    ("cruce4t-2", 4),
    ("whist4", 4),
    ("cruce2-2", 2),
    ("cruce3-2-honour", 3),
    ("cruce4s-2-m1", 2),
    ("whist3", 1),
    ("contest-2", 4),
    ("whist5-818", 5),
];

/// The state that all clients share.
#[derive(Default)]
pub(crate) struct SharedState {
    /// No client sends new commands any more.
    late: AtomicBool,
    /// The server is being stopped for good.
    last: AtomicBool,
    /// How many clients are settled since `late`.
    settled: AtomicUsize,
    /// How many commands have been done.
    pub(crate) done: AtomicUsize,
}

/// Random numbers from a printed seed, so that a failure can be repeated.
pub(crate) fn lots(seed: u64, stream: u64) -> RandomStream {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_be_bytes());
    RandomStream::new(Seed(bytes), stream)
}

/// The seed of this run: SEED, or a new one. A failing test shows it.
pub(crate) fn seed() -> u64 {
    let given = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok());
    let seed = given.unwrap_or_else(|| getrandom::u64().expect("random bits") >> 16);
    println!("SEED={seed}");
    seed
}

pub(crate) struct LoadRun {
    pub(crate) shared: Arc<SharedState>,
    clients: JoinSet<TestClient>,
    hosts: Vec<TestClient>,
}

impl LoadRun {
    /// Opens tables, seats the clients and starts the matches.
    pub(crate) async fn begin(server: &TestServer, tables: usize, seed: u64) -> LoadRun {
        let shared = Arc::new(SharedState::default());
        let (mut clients, mut hosts) = (JoinSet::new(), Vec::new());
        for number in 0..tables {
            let (rules, persons) = TABLES[number % TABLES.len()];
            let mut seated = server.seated(rules, persons).await;
            seated[0].start_with_bots(persons).await;
            hosts.push(seated[0].second_client());
            for (seat, client) in seated.into_iter().enumerate() {
                let lots = lots(seed, (number * 8 + seat) as u64);
                clients.spawn(play(client, lots, shared.clone()));
            }
        }
        LoadRun { shared, clients, hosts }
    }

    /// Lets all clients settle, stops the server, and compares everything with the stored log.
    pub(crate) async fn end(mut self, server: &mut TestServer) -> Report {
        self.shared.late.store(true, Ordering::Relaxed);
        // New clients join every table, on a seat and as spectators.
        let hosts = std::mem::take(&mut self.hosts);
        for host in &hosts {
            let mut spectator = server.new_client().await;
            spectator.table.clone_from(&host.table);
            for client in [host.second_client(), spectator] {
                self.clients.spawn(play(client, lots(0, 0), self.shared.clone()));
            }
        }
        let until = Instant::now() + SETTLE_LIMIT;
        while self.shared.settled.load(Ordering::Relaxed) < self.clients.len() {
            self.check_clients();
            assert!(Instant::now() < until, "not all clients settle");
            sleep(POLL_INTERVAL).await;
        }
        self.shared.last.store(true, Ordering::Relaxed);
        server.stop().await;
        let mut clients = Vec::new();
        while let Some(client) = self.clients.join_next().await {
            clients.push(client.expect("no client panics"));
        }
        check(server, &hosts, &clients).await
    }

    /// Panics if a client has ended early.
    pub(crate) fn check_clients(&mut self) {
        if let Some(ended) = self.clients.try_join_next() {
            let client =
                ended.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()));
            panic!("{} ended early: {:?} {:?}", client.player, client.bye, client.code);
        }
    }
}

/// The totals of a run.
pub(crate) struct Report {
    pub(crate) acknowledged: usize,
    pub(crate) entries: u64,
    pub(crate) finished: usize,
    /// How many commands were sent more than once.
    pub(crate) again: usize,
}

async fn check(server: &TestServer, hosts: &[TestClient], clients: &[TestClient]) -> Report {
    let database = Database::open(server.database()).await.expect("the database");
    let mut report = Report { acknowledged: 0, entries: 0, finished: 0, again: 0 };
    let mut exported = Vec::new();
    for host in hosts {
        let log = Log::read(&database, &host.table).await;
        for client in clients.iter().filter(|client| client.table == host.table) {
            assert_eq!(client.bye, Some(CloseReason::Stopping), "every client receives the reason");
            log.check(client);
            log.check_end(client);
            report.acknowledged += client.notes.done.len();
            report.again += client.notes.sent.values().filter(|times| **times > 1).count();
        }
        report.entries += log.last();
        let finished = log.check_records();
        report.finished += finished.len();
        exported.extend(finished.last().map(|number| (host.table.clone(), *number)));
    }
    database.close().await;
    for (table, number) in exported.iter().take(6) {
        export_and_verify(server.database(), table, *number);
    }
    report
}

/// Checks that an exported record is valid.
pub(crate) fn export_and_verify(database: &str, table: &str, number: u32) {
    use std::process::Command;
    let ghinda = env!("CARGO_BIN_EXE_ghinda");
    let number = number.to_string();
    let export = ["export", table, "--match", &number, "--database", database];
    let exported = Command::new(ghinda).args(export).output().expect("ghinda runs");
    let error = String::from_utf8_lossy(&exported.stderr);
    assert!(exported.status.success(), "{table}: {error}");
    let verified = run_with_input(Command::new(ghinda).args(["verify", "-"]), exported.stdout);
    let output = String::from_utf8_lossy(&verified.stdout);
    assert!(verified.status.success(), "{table}: {output}");
}

/// Runs one client until the end.
async fn play(
    mut client: TestClient,
    mut lots: RandomStream,
    shared: Arc<SharedState>,
) -> TestClient {
    let (mut settled, mut acknowledged) = (false, client.notes.done.len());
    let (mut refused, mut rests_until) = (client.notes.refused.len(), Instant::now());
    loop {
        if !client.is_connected() {
            if shared.last.load(Ordering::Relaxed) {
                return client;
            }
            // The server or its database may be down.
            if client.connect_with_hello().await.is_err() {
                sleep(PAUSE).await;
                continue;
            }
        }
        if client.notes.refused.len() > refused {
            (refused, rests_until) = (client.notes.refused.len(), Instant::now() + PAUSE);
        }
        shared.done.fetch_add(client.notes.done.len() - acknowledged, Ordering::Relaxed);
        acknowledged = client.notes.done.len();
        if client.is_synced() && shared.late.load(Ordering::Relaxed) {
            if client.replica.is_settled() && !settled {
                settled = true;
                shared.settled.fetch_add(1, Ordering::Relaxed);
            }
        } else if client.is_synced() && Instant::now() >= rests_until {
            send_something(&mut client, &mut lots).await;
        }
        client.listen(POLL_INTERVAL).await;
        if client.bye == Some(CloseReason::Unavailable) && !client.is_connected() {
            sleep(PAUSE).await;
        }
    }
}

/// Acts if it is the client's turn; otherwise chats now and then, or repeats a command.
async fn send_something(client: &mut TestClient, lots: &mut RandomStream) {
    let under_way = client.replica.unanswered().len();
    let talks = under_way < MAX_UNANSWERED && lots.below(12) == 0;
    let what = match client.next_command(lots) {
        Some(what) if under_way == 0 => what,
        _ if talks => match small_talk(client, lots) {
            Some(what) => what,
            None => return,
        },
        _ => return,
    };
    let (_, text) = client.send_command(what).await;
    if lots.below(16) == 0 {
        // As if the network had doubled the message.
        let id = client.replica.unanswered().pop();
        if let Some(wire::table::ClientMessage::Do { id, .. }) = id {
            *client.notes.sent.entry(id).or_default() += 1;
        }
        client.send_text(&text).await;
    }
}

fn small_talk(client: &TestClient, lots: &mut RandomStream) -> Option<TableCommand> {
    let seat = client.replica.seat()?.number();
    let playing = client.stage() == Some(TableStage::Playing);
    let number = lots.below(1_000_000);
    Some(match lots.below(8) {
        0..=3 => TableCommand::Say(format!("{number} is what {seat} says")),
        4 => TableCommand::Phrase(Phrase::WellPlayed),
        5 => TableCommand::Rename { name: format!("Guest {seat} the {number}th") },
        6 if playing => TableCommand::Claim,
        6 => TableCommand::Word(format!("word-{number}")),
        _ => TableCommand::Listed(true),
    })
}
