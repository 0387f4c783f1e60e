//! The server is killed at random moments under load, again and again. What was
//! acknowledged is in the log exactly once and in order, and everybody ends up knowing
//! the same.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use test_support::postgres::{Server, Stop};
use tokio::time::{Instant, sleep};

use crate::evening::{Evening, Report, lots, seed};
use crate::test_server::TestServer;

/// How many tables play at the same time.
const TABLES: usize = 24;
/// Enough wishes after the last fault for some matches to end.
const TO_THE_END: usize = 800;
/// How long the guests may take to do something again after a restart.
const RECOVERS: Duration = Duration::from_secs(60);

/// How often a server is killed: KILLS, or as often as there is time for.
fn kills(usually: usize) -> usize {
    std::env::var("KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(usually)
}

/// Waits until the guests have had so many wishes done since then.
pub(crate) async fn until_done(evening: &mut Evening, since: usize, commands: usize) {
    let until = Instant::now() + RECOVERS;
    while evening.mood.done.load(Ordering::Relaxed) < since + commands {
        evening.look_after_guests();
        assert!(Instant::now() < until, "play does not go on");
        sleep(Duration::from_millis(5)).await;
    }
}

async fn killed_again_and_again(mut server: TestServer, kills: usize) {
    let seed = seed();
    let mut moments = lots(seed, u64::MAX);
    let mut evening = Evening::begin(&server, TABLES, seed).await;
    for _ in 0..kills {
        let since = evening.mood.done.load(Ordering::Relaxed);
        until_done(&mut evening, since, TABLES).await;
        sleep(Duration::from_micros(moments.below(600_000) as u64)).await;
        server.kill();
        server.start_again().await;
    }
    let since = evening.mood.done.load(Ordering::Relaxed);
    until_done(&mut evening, since, TO_THE_END).await;
    let report = evening.end(&mut server).await;
    tell(&report, kills);
}

fn tell(report: &Report, faults: usize) {
    let Report { acknowledged, entries, finished, again, .. } = report;
    println!(
        "{faults} faults: {acknowledged} acknowledgements, {entries} entries, {finished} matches \
         over, {again} wishes sent again"
    );
    assert!(*acknowledged > TO_THE_END && *finished > 0, "too little happened");
    assert!(*again > 0, "nothing had to be sent again");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_on_sqlite_that_is_killed_again_and_again_loses_and_doubles_nothing() {
    killed_again_and_again(TestServer::open().await, kills(12)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_on_postgres_that_is_killed_again_and_again_loses_and_doubles_nothing() {
    let database = tokio::task::spawn_blocking(|| Server::shared().database()).await;
    killed_again_and_again(TestServer::on(database.expect("a database")).await, kills(12)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_crashes_under_load_loses_and_doubles_nothing() {
    let seed = seed();
    let mut moments = lots(seed, u64::MAX);
    let postgres = Arc::new(tokio::task::spawn_blocking(Server::start).await.expect("PostgreSQL"));
    let mut server = TestServer::on(postgres.database()).await;
    let mut evening = Evening::begin(&server, TABLES / 2, seed).await;
    let crashes = kills(4);
    for _ in 0..crashes {
        let since = evening.mood.done.load(Ordering::Relaxed);
        until_done(&mut evening, since, TABLES).await;
        sleep(Duration::from_micros(moments.below(400_000) as u64)).await;
        let postgres = postgres.clone();
        let crashed = tokio::task::spawn_blocking(move || {
            postgres.stop(Stop::Immediate);
            postgres.start_again();
        });
        crashed.await.expect("it crashes and recovers");
    }
    let since = evening.mood.done.load(Ordering::Relaxed);
    until_done(&mut evening, since, TO_THE_END).await;
    let report = evening.end(&mut server).await;
    tell(&report, crashes);
}
