//! Which tables are listed and which are closed: the lobby, and tables without visitors.

use std::time::Duration;

use tokio::time::timeout;
use wire::table::{CloseReason, RefusalReason, TableCommand};

use super::test_server::TestServer;

/// Waits until the lobby lists this many tables.
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
async fn the_lobby_lists_tables_with_connected_clients() {
    let mut server = TestServer::open().await;
    let mut host = server.new_player().await;
    let table = host.open("cruce4t", true).await;
    let hidden = host.open("cruce4t", false).await;
    lobby_shows(&server, 0).await;
    let mut elsewhere = host.same_player();
    elsewhere.join(&hidden).await;
    host.join(&table).await;
    lobby_shows(&server, 1).await;
    server = server.restart().await;
    lobby_shows(&server, 0).await;
    host.rejoin(&server).await;
    lobby_shows(&server, 1).await;
    host.disconnect();
    lobby_shows(&server, 0).await;
    server.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_abandoned_table_is_closed() {
    let server = TestServer::open().await;
    let mut connection = server.new_player().await;
    let (quiet, visited) =
        (connection.open("cruce2", true).await, connection.open("cruce2", true).await);
    let mut visitor = connection.same_player();
    visitor.join(&visited).await;
    let (now, hour) = (server.tables.clock().now(), 3_600_000);
    server.tables.close_quiet_tables(now - hour).await.expect("swept");
    connection.join(&quiet).await;
    connection.disconnect();
    lobby_shows(&server, 1).await;
    server.tables.close_quiet_tables(now + hour).await.expect("swept");
    // The client may connect just before the close is stored, and then receives it.
    let closed = match connection.try_join(&quiet).await {
        Ok(()) => connection.close_reason().await,
        Err(why) => why,
    };
    assert_eq!(closed, Some(CloseReason::Closed));
    assert_eq!(connection.try_join(&quiet).await, Err(Some(CloseReason::Closed)));
    visitor.command(TableCommand::Sit { seat: 1, name: "Ana".into() }).await;
    server.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_player_who_chats_too_fast_is_refused() {
    let server = TestServer::open().await;
    let mut connection = server.new_player().await;
    let table = connection.open("cruce2", true).await;
    connection.join(&table).await;
    connection.command(TableCommand::Sit { seat: 1, name: "Ana".into() }).await;
    for _ in 0..5 {
        connection.command(TableCommand::Say("bla".into())).await;
    }
    let more = connection.try_command(TableCommand::Say("bla".into())).await;
    assert_eq!(more, Err(Some(RefusalReason::TooFast)));
    connection.command(TableCommand::Rename { name: "Anca".into() }).await;
    server.close().await;
}
