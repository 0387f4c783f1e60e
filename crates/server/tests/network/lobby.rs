//! Which tables are shown and kept: the lobby, and what becomes of tables that nobody
//! comes back to.

use std::time::Duration;

use tokio::time::timeout;
use wire::table::{CloseReason, RefusalReason, TableCommand};

use super::test_server::TestServer;

/// Waits until the lobby shows so many tables.
async fn lobby_shows(server: &TestServer, count: usize) {
    let shown = async {
        loop {
            let lobby: serde_json::Value =
                serde_json::from_str(&server.text("/api/tables").await).expect("JSON");
            if lobby["tables"].as_array().expect("a list").len() == count {
                return;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(Duration::from_secs(10), shown).await.expect("a lobby with so many tables");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_lobby_shows_tables_at_which_somebody_is() {
    let mut server = TestServer::open().await;
    let mut host = server.person().await;
    let table = host.open("cruce4t", true).await;
    let hidden = host.open("cruce4t", false).await;
    lobby_shows(&server, 0).await;
    let mut elsewhere = host.again();
    elsewhere.come(&hidden).await;
    host.come(&table).await;
    lobby_shows(&server, 1).await;
    server = server.restart().await;
    lobby_shows(&server, 0).await;
    host.come_back(&server).await;
    lobby_shows(&server, 1).await;
    host.hang_up();
    lobby_shows(&server, 0).await;
    server.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_that_nobody_comes_back_to_is_closed() {
    let server = TestServer::open().await;
    let mut connection = server.person().await;
    let (quiet, kept) =
        (connection.open("cruce2", true).await, connection.open("cruce2", true).await);
    let mut there = connection.again();
    there.come(&kept).await;
    let (now, hour) = (server.hall.clock().now(), 3_600_000);
    server.hall.sweep(now - hour).await.expect("swept");
    connection.come(&quiet).await;
    connection.hang_up();
    lobby_shows(&server, 1).await;
    server.hall.sweep(now + hour).await.expect("swept");
    // He may come just before it is written down, and is told then.
    let closed = match connection.try_to_come(&quiet).await {
        Ok(()) => connection.farewell().await,
        Err(why) => why,
    };
    assert_eq!(closed, Some(CloseReason::Closed));
    assert_eq!(connection.try_to_come(&quiet).await, Err(Some(CloseReason::Closed)));
    there.command(TableCommand::Sit { seat: 1, name: "Ana".into() }).await;
    server.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_talks_without_a_breath_is_asked_to_take_one() {
    let server = TestServer::open().await;
    let mut connection = server.person().await;
    let table = connection.open("cruce2", true).await;
    connection.come(&table).await;
    connection.command(TableCommand::Sit { seat: 1, name: "Ana".into() }).await;
    for _ in 0..5 {
        connection.command(TableCommand::Say("bla".into())).await;
    }
    let more = connection.try_wish(TableCommand::Say("bla".into())).await;
    assert_eq!(more, Err(Some(RefusalReason::TooFast)));
    connection.command(TableCommand::Rename { name: "Anca".into() }).await;
    server.close().await;
}
