//! A full disk and a lost database: moves are refused with a reason, nothing is lost, the server
//! reports that it is not ready, and it recovers by itself.

use std::sync::Arc;
use std::time::Duration;

use game::deal::RandomStream;
use store::{Database, Store};
use test_support::postgres::{Server, Stop};
use test_support::small_disk;
use tokio::time::{Instant, sleep};
use wire::table::{CloseReason, RefusalReason, TableCommand, TableStage};

use crate::checker::Log;
use crate::load_run::lots;
use crate::test_client::TestClient;
use crate::test_server::TestServer;

/// How long the server may take to notice a change.
const NOTICE_LIMIT: Duration = Duration::from_secs(60);

/// Plays round by round until a move is refused, and returns the reason; or until `moves` are done.
async fn play(
    clients: &mut [TestClient],
    lots: &mut RandomStream,
    moves: usize,
) -> Option<RefusalReason> {
    let mut done = 0;
    while done < moves {
        for client in clients.iter_mut() {
            client.listen(Duration::from_millis(1)).await;
            let over = client.stage() == Some(TableStage::Over);
            let Some(what) = client.next_command(lots).filter(|_| client.is_synced() && !over)
            else {
                if over {
                    let _ = client.try_command(TableCommand::AskForRematch).await;
                }
                continue;
            };
            match client.try_command(what.clone()).await {
                Ok(_) => done += 1,
                Err(Some(RefusalReason::TooFast)) => sleep(Duration::from_millis(50)).await,
                Err(Some(RefusalReason::Unavailable)) => return Some(RefusalReason::Unavailable),
                // The table may be restarted, since it is unknown what was stored.
                Err(None) => return None,
                other => panic!("{what:?}: {other:?}"),
            }
        }
    }
    None
}

/// Waits until a path answers with a status.
async fn wait_for_status(server: &TestServer, path: &str, status: u16) {
    let end = Instant::now() + NOTICE_LIMIT;
    while server.status(path).await != status {
        assert!(Instant::now() < end, "{path} never answers {status}");
        sleep(Duration::from_millis(20)).await;
    }
}

/// Checks that no message reveals internals of the server.
fn check_no_internals(clients: &[TestClient]) {
    let texts = clients.iter().flat_map(|client| &client.notes.texts);
    for (_, text) in texts {
        let lower = text.to_lowercase();
        for word in ["sqlite", "postgres", "disk", "database", "errno", "os error"] {
            assert!(!lower.contains(word), "{text}");
        }
    }
}

/// Checks that the state of all clients matches the log.
async fn check_log(address: &str, clients: &[TestClient]) {
    let database = Database::open(address).await.expect("the database");
    let log = Log::read(&database, &clients[0].table).await;
    for client in clients {
        log.check(client);
        log.check_end(client);
    }
    database.close().await;
}

/// Runs on a disk of 3 MB, part of which can be freed. Without that disk it does nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn child_on_a_small_disk() {
    let Some(disk) = small_disk::here() else { return };
    let ballast = disk.join("ballast");
    std::fs::write(&ballast, vec![1; 1 << 20]).expect("room for ballast");
    let database = disk.join("ghinda.db").display().to_string();
    let mut server = TestServer::on(database.clone()).await;
    let mut lots = lots(1, 0);
    let mut clients = server.seated("cruce2-21", 2).await;
    clients[0].command(TableCommand::Start).await;
    assert_eq!(server.status("/ready").await, 200);
    let refused = play(&mut clients, &mut lots, 100_000).await;
    assert_eq!(refused, Some(RefusalReason::Unavailable), "the disk is full");

    // The server reports it, and keeps running.
    wait_for_status(&server, "/ready", 503).await;
    assert_eq!(server.status("/health").await, 200);
    let body = server.text("/ready").await;
    assert!(body.contains("unavailable") && !body.contains("disk"), "{body}");
    assert!(
        server.log().contains("the disk of the database is full"),
        "the log informs the operator"
    );
    assert!(server.metric("ghinda_store_failures_total", "").await > 0.0);
    // Nothing is done, however often a client tries, and all clients have the same state.
    for _ in 0..5 {
        assert_eq!(play(&mut clients, &mut lots, 1).await, Some(RefusalReason::Unavailable));
    }
    let answer = clients[1].try_with_retry(TableCommand::Say("is anybody there?".into())).await;
    assert_eq!(answer, Err(Some(RefusalReason::Unavailable)));
    let mut late = clients[1].second_client();
    late.join(&clients[1].table).await;
    assert_eq!(late.version(), clients[1].version());
    late.disconnect();
    // A new table is refused for now.
    let plan = serde_json::json!({ "rules": "cruce2", "listed": true });
    let opened = server.post(&clients[0], "/api/tables", plan.clone()).await;
    assert_eq!(opened.status().as_u16(), 503);

    std::fs::remove_file(&ballast).expect("removed");
    wait_for_status(&server, "/ready", 200).await;
    assert_eq!(play(&mut clients, &mut lots, 20).await, None, "play continues");
    assert_eq!(server.post(&clients[0], "/api/tables", plan).await.status().as_u16(), 201);
    check_no_internals(&clients);
    server.terminate();
    for client in &mut clients {
        assert_eq!(client.wait_for_close().await, Some(CloseReason::Stopping));
    }
    assert!(server.wait_for_end().await.success());
    check_log(&database, &clients).await;
}

#[test]
fn a_full_disk_refuses_moves_and_loses_nothing() {
    small_disk::run("disk::child_on_a_small_disk", 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_database_refuses_moves_and_loses_nothing() {
    let postgres = Arc::new(tokio::task::spawn_blocking(Server::start).await.expect("PostgreSQL"));
    let address = postgres.database();
    let mut server = TestServer::on(address.clone()).await;
    let mut lots = lots(2, 0);
    let mut clients = server.seated("cruce2-21", 2).await;
    clients[0].command(TableCommand::Start).await;
    assert_eq!(play(&mut clients, &mut lots, 30).await, None);
    assert_eq!(server.status("/ready").await, 200);
    let before = clients[0].version();

    postgres.stop(Stop::Fast);
    wait_for_status(&server, "/ready", 503).await;
    assert_eq!(server.status("/health").await, 200, "the server runs");
    let refused = play(&mut clients, &mut lots, 1).await;
    assert_eq!(refused, Some(RefusalReason::Unavailable), "nothing can be stored");
    assert!(server.log().contains("the database is not available"), "the log informs the operator");
    let body = server.text("/ready").await;
    assert!(body.contains("unavailable") && !body.contains("database"), "{body}");
    assert!(clients.iter().all(|client| client.is_connected()), "no client is disconnected");

    postgres.start_again();
    wait_for_status(&server, "/ready", 200).await;
    assert_eq!(play(&mut clients, &mut lots, 30).await, None, "play continues");
    assert!(clients[0].version() > before);
    check_no_internals(&clients);
    server.terminate();
    for client in &mut clients {
        assert_eq!(client.wait_for_close().await, Some(CloseReason::Stopping));
    }
    assert!(server.wait_for_end().await.success());
    check_log(&address, &clients).await;
}
