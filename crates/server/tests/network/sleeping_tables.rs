//! Tables that are not in memory: what is read of them, what a start does with them, and their clocks.

use std::time::Duration;

use room::{ChatContent, Entry, LoggedEntry, log};
use serde_json::json;
use server::quotas::{MAX_TABLES_OF_PLAYER, Quota};
use store::{LogKind, Store, TableId};
use wire::table::{TableCommand, TableStage};

use super::play_to_the_end;
use super::test_client::TestClient;
use super::test_server::TestServer;

const DAY: u64 = 24 * 60 * 60 * 1_000;

/// The number of times that a table was acquired, after one more time.
async fn acquire(server: &TestServer, table: &str) -> u64 {
    let table: TableId = table.parse().expect("a name");
    let acquired =
        server.database().acquire(LogKind::Table, table.into()).await.expect("a database");
    acquired.expect("an open table").epoch.get()
}

#[tokio::test]
async fn a_start_and_a_look_acquire_no_table() {
    let mut server = TestServer::open().await;
    let mut host = server.new_player().await;
    let table = host.open("cruce2", true).await;
    host.join(&table).await;
    host.command(TableCommand::Sit { seat: 1, name: "Ana".into() }).await;
    server = server.restart().await;
    host.moves_to(&server);
    let path = format!("/api/tables/{table}");
    assert_eq!(server.get_json(&host, &path).await["seats"][0], json!({ "person": "Ana" }));
    assert_eq!(server.get_json(&host, "/api/me").await["tables"], json!([table]));
    assert_eq!(acquire(&server, &table).await, 2, "only this test has acquired it");
    host.join(&table).await;
    assert_eq!(acquire(&server, &table).await, 4, "the connection needs it");
    server.close().await;
}

/// Appends a chat message of a time to the log of a table.
async fn append_at(server: &TestServer, table: &str, at: u64) {
    let content = ChatContent::Text("salut".into());
    let said = Entry::Said { seat: cards::Seat::new(0).expect("a seat"), content };
    let body = log::encode(&LoggedEntry { at, command: None, entry: said });
    server.append_at(table, at, vec![body]).await;
}

#[tokio::test]
async fn a_table_from_the_future_goes_on() {
    let mut server = TestServer::open().await;
    let mut host = server.new_player().await;
    let table = host.open("cruce2-1", true).await;
    host.join(&table).await;
    host.command(TableCommand::Sit { seat: 1, name: "Ana".into() }).await;
    host.command(TableCommand::Start).await;
    // The clock was a year ahead, and was set right while the server was stopped.
    let future = server.tables.clock().now() + 365 * DAY;
    append_at(&server, &table, future).await;
    server = server.restart().await;
    host.rejoin(&server).await;
    let mut players = [host];
    let played = tokio::time::timeout(Duration::from_secs(60), play_to_the_end(&mut players));
    played.await.expect("the bot does not wait for a year");
    let [host] = players;
    let history = server.get_json(&host, "/api/me/matches").await;
    let ended = history["matches"][0]["ended"].as_u64();
    assert!(ended.expect("a time") >= future, "its time has not gone back");
    server.close().await;
}

#[tokio::test]
pub(crate) async fn a_player_opens_so_many_tables_and_no_more() {
    let server = TestServer::open().await;
    let host = server.new_player().await;
    let duplicates = json!({ "table": { "rules": "cruce2" }, "tables": 16 });
    let (mut opened, counted) = (0, server.refusals(Quota::Tables).await);
    loop {
        let answer = server.post(&host, "/api/duplicates", duplicates.clone()).await;
        if answer.status() != 201 {
            let problem: serde_json::Value = answer.json().await.expect("JSON");
            assert_eq!(problem["error"], "too_many_tables");
            break;
        }
        opened += 16;
    }
    assert_eq!(opened, MAX_TABLES_OF_PLAYER / 16 * 16);
    assert!(server.refusals(Quota::Tables).await > counted);
    let other = server.new_player().await;
    assert_eq!(server.post(&other, "/api/duplicates", duplicates).await.status(), 201);
    // Those that were opened before the refusal are closed again.
    let one = json!({ "rules": "cruce2" });
    for _ in 0..100 {
        if server.post(&host, "/api/tables", one.clone()).await.status() == 201 {
            return server.close().await;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("tables without their siblings still count");
}

/// Waits until a table without connections is closed.
pub(crate) async fn close(server: &TestServer, player: &TestClient, table: &str) {
    let later = server.tables.clock().now() + DAY;
    for _ in 0..100 {
        server.tables.close_quiet_tables(later).await.expect("swept");
        if server.status_as(player, &format!("/api/tables/{table}")).await == 404 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{table} is never closed");
}

#[tokio::test]
async fn a_closed_duplicate_keeps_its_record_while_the_others_play() {
    let server = TestServer::open().await;
    let (mut host, mut guest) = (server.new_player().await, server.new_player().await);
    let duplicates = json!({ "table": { "rules": "cruce2-1", "listed": true }, "tables": 2 });
    let opened = server.post(&host, "/api/duplicates", duplicates).await;
    let opened: serde_json::Value = opened.json().await.expect("JSON");
    let [first, second] = [0, 1].map(|at| opened[at]["table"].as_str().expect("a name").to_owned());
    let mut elsewhere = host.same_player();
    elsewhere.join(&second).await;
    for (player, table) in [(&mut host, &first), (&mut guest, &second)] {
        player.join(table).await;
        player.command(TableCommand::Sit { seat: 1, name: "Ana".into() }).await;
    }
    host.command(TableCommand::Start).await;
    elsewhere.command(TableCommand::Start).await;
    elsewhere.disconnect();
    let mut players = [host];
    play_to_the_end(&mut players).await;
    let [mut host] = players;
    host.disconnect();
    let record = format!("/api/tables/{first}/matches/1");
    let comparison = format!("/api/duplicates/{second}");
    assert_eq!(server.status(&record).await, 404, "the other table still plays these deals");
    close(&server, &host, &first).await;
    assert_eq!(server.status(&record).await, 404, "also when this one is closed");
    let compared = server.get_json(&host, &comparison).await;
    assert_eq!(compared["tables"], json!([first, second]));
    assert_eq!(compared["over"], json!(false));
    assert_eq!(server.status(&comparison).await, 401, "one of them still plays");
    while guest.stage() != Some(TableStage::Playing) {
        guest.next().await.expect("connected");
    }
    guest.disconnect();
    close(&server, &guest, &second).await;
    assert_eq!(server.status(&record).await, 200, "no table plays these deals any more");
    assert_eq!(server.get_json(&host, &comparison).await["over"], json!(true));
    assert_eq!(server.status(&comparison).await, 200, "like the records");
    server.close().await;
}

#[tokio::test]
async fn a_comparison_during_play_is_for_players_who_may_watch() {
    let server = TestServer::open().await;
    let (host, stranger) = (server.new_player().await, server.new_player().await);
    let duplicates = json!({ "table": { "rules": "cruce2-1", "listed": false }, "tables": 2 });
    let opened = server.post(&host, "/api/duplicates", duplicates).await;
    let opened: serde_json::Value = opened.json().await.expect("JSON");
    for at in 0..2 {
        let comparison =
            format!("/api/duplicates/{}", opened[at]["table"].as_str().expect("a name"));
        assert_eq!(server.status(&comparison).await, 401);
        assert_eq!(server.status_as(&stranger, &comparison).await, 403);
        assert_eq!(server.status_as(&host, &comparison).await, 200);
    }
    assert_eq!(server.status_as(&host, "/api/duplicates/zzzzzzzzzz").await, 404);
    server.close().await;
}
