//! The server is killed at random moments under load, again and again. Every acknowledged command
//! is in the log exactly once and in order, and all clients end with the same state.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use test_support::postgres::{Server, Stop};
use tokio::time::{Instant, sleep};

use crate::load_run::{LoadRun, Report, lots, seed};
use crate::test_server::TestServer;

/// How many tables play at the same time.
const TABLES: usize = 24;
/// Enough commands after the last fault for some matches to end.
const FINAL_COMMANDS: usize = 800;
/// How long the clients may take to play again after a restart.
const RECOVERY_TIME: Duration = Duration::from_secs(60);

/// How often a server is killed: KILLS of the environment, or a default.
fn kills(default: usize) -> usize {
    std::env::var("KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(default)
}

/// Waits until `commands` more commands are done than `since`.
pub(crate) async fn wait_until_done(load: &mut LoadRun, since: usize, commands: usize) {
    let until = Instant::now() + RECOVERY_TIME;
    while load.shared.done.load(Ordering::Relaxed) < since + commands {
        load.check_clients();
        assert!(Instant::now() < until, "play does not continue");
        sleep(Duration::from_millis(5)).await;
    }
}

async fn kill_repeatedly(mut server: TestServer, kills: usize) {
    let seed = seed();
    let mut moments = lots(seed, u64::MAX);
    let mut load = LoadRun::begin(&server, TABLES, seed).await;
    for _ in 0..kills {
        let since = load.shared.done.load(Ordering::Relaxed);
        wait_until_done(&mut load, since, TABLES).await;
        sleep(Duration::from_micros(moments.below(600_000) as u64)).await;
        server.kill();
        server.start_again().await;
    }
    let since = load.shared.done.load(Ordering::Relaxed);
    wait_until_done(&mut load, since, FINAL_COMMANDS).await;
    let report = load.end(&mut server).await;
    print_report(&report, kills);
}

fn print_report(report: &Report, faults: usize) {
    let Report { acknowledged, entries, finished, again, .. } = report;
    println!(
        "{faults} faults: {acknowledged} acknowledgements, {entries} entries, {finished} matches \
         over, {again} commands sent again"
    );
    assert!(*acknowledged > FINAL_COMMANDS && *finished > 0, "too few commands and matches");
    assert!(*again > 0, "no command was sent again");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_on_sqlite_that_is_killed_repeatedly_loses_and_doubles_nothing() {
    kill_repeatedly(TestServer::open().await, kills(12)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_on_postgres_that_is_killed_repeatedly_loses_and_doubles_nothing() {
    let database = tokio::task::spawn_blocking(|| Server::shared().database()).await;
    kill_repeatedly(TestServer::on(database.expect("a database")).await, kills(12)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_crashes_under_load_loses_and_doubles_nothing() {
    let seed = seed();
    let mut moments = lots(seed, u64::MAX);
    let postgres = Arc::new(tokio::task::spawn_blocking(Server::start).await.expect("PostgreSQL"));
    let mut server = TestServer::on(postgres.database()).await;
    let mut load = LoadRun::begin(&server, TABLES / 2, seed).await;
    let crashes = kills(4);
    for _ in 0..crashes {
        let since = load.shared.done.load(Ordering::Relaxed);
        wait_until_done(&mut load, since, TABLES).await;
        sleep(Duration::from_micros(moments.below(400_000) as u64)).await;
        let postgres = postgres.clone();
        let crashed = tokio::task::spawn_blocking(move || {
            postgres.stop(Stop::Immediate);
            postgres.start_again();
        });
        crashed.await.expect("PostgreSQL restarts");
    }
    let since = load.shared.done.load(Ordering::Relaxed);
    wait_until_done(&mut load, since, FINAL_COMMANDS).await;
    let report = load.end(&mut server).await;
    print_report(&report, crashes);
}
