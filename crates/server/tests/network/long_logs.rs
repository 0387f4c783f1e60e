//! Tables with long, broken or closed logs: each costs no more than itself.

use std::time::Duration;

use room::{ChatContent, Entry, LoggedEntry, log};
use tokio::time::timeout;
use wire::table::{TableCommand, TableStage};

use super::own_process::{is_alone, most_resident_mib, resident_mib};
use super::play_to_the_end;
use super::test_server::TestServer;

#[tokio::test]
async fn the_record_of_an_early_match_is_found_in_a_long_log() {
    let server = TestServer::open().await;
    let mut host = server.new_player().await;
    let table = host.open("cruce2-1", true).await;
    host.join(&table).await;
    host.command(TableCommand::Sit { seat: 1, name: "Ana".into() }).await;
    host.command(TableCommand::Start).await;
    let mut players = [host];
    play_to_the_end(&mut players).await;
    assert_eq!(players[0].stage(), Some(TableStage::Over));
    let [first, second] = [1, 2].map(|number| format!("/api/tables/{table}/matches/{number}"));
    let before = server.text(&first).await;
    assert!(before.contains("won"), "{before}");
    // Another match begins, and then come more events than are read at once, twice.
    players[0].command(TableCommand::AskForRematch).await;
    while players[0].stage() != Some(TableStage::Playing) {
        players[0].next().await.expect("connected");
    }
    let content = ChatContent::Text("salut".into());
    let said = Entry::Said { seat: cards::Seat::new(0).expect("a seat"), content };
    let body = log::encode(&LoggedEntry { at: 1, command: None, entry: said });
    server.append(&table, vec![body; 2_500]).await;
    let found = server.text(&first);
    let found = timeout(Duration::from_secs(20), found).await.expect("the search ends");
    assert_eq!(found, before);
    let missing = server.status(&second);
    assert_eq!(timeout(Duration::from_secs(20), missing).await.expect("the search ends"), 404);
    server.close().await;
}

/// A log of an earlier version may have as much chat as this.
#[tokio::test]
async fn a_match_with_much_chat_is_read_with_little_memory() {
    if !is_alone("long_logs::a_match_with_much_chat_is_read_with_little_memory") {
        return;
    }
    let server = TestServer::open().await;
    let mut host = server.new_player().await;
    let table = host.open("cruce2-1", true).await;
    host.join(&table).await;
    host.command(TableCommand::Sit { seat: 1, name: "Ana".into() }).await;
    host.command(TableCommand::Start).await;
    host.disconnect();
    let content = ChatContent::Text("😀".repeat(200));
    let said = Entry::Said { seat: cards::Seat::new(0).expect("a seat"), content };
    let body = log::encode(&LoggedEntry { at: 1, command: None, entry: said });
    // They are 50 MiB together.
    for _ in 0..60 {
        server.append(&table, vec![body.clone(); 1_000]).await;
    }
    let server = server.restart().await;
    let (before, most) = (resident_mib(), most_resident_mib());
    assert_eq!(
        server.status(&format!("/api/tables/{table}/matches/1")).await,
        404,
        "it is not over"
    );
    let host = server.new_player().await;
    assert_eq!(server.status_as(&host, &format!("/api/tables/{table}")).await, 200);
    let more = most_resident_mib().saturating_sub(before.max(most));
    assert!(more < 16, "{more} MiB more than {before} and {most}");
    server.close().await;
}

#[tokio::test]
async fn a_table_that_cannot_be_read_does_not_stop_the_sweep() {
    let server = TestServer::open().await;
    let mut host = server.new_player().await;
    let mut tables = Vec::new();
    for _ in 0..6 {
        tables.push(host.open("cruce2", true).await);
    }
    for broken in &tables[..3] {
        server.append(broken, vec!["this is not an entry".into()]).await;
    }
    let server = server.restart().await;
    let later = server.tables.clock().now() + 60 * 60 * 1_000;
    let asked = server.tables.close_quiet_tables(later).await.expect("the sweep ends");
    assert_eq!(asked, 3);
    let host = server.new_player().await;
    for (at, table) in tables.iter().enumerate() {
        let mut status = 0;
        for _ in 0..100 {
            status = server.status_as(&host, &format!("/api/tables/{table}")).await;
            if at < 3 || status == 404 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        assert_eq!(status, if at < 3 { 503 } else { 404 }, "table {at}");
    }
    server.close().await;
}

#[tokio::test]
async fn nobody_sits_at_a_closed_table() {
    let server = TestServer::open().await;
    let mut host = server.new_player().await;
    let table = host.open("cruce2", true).await;
    host.join(&table).await;
    host.command(TableCommand::Sit { seat: 1, name: "Ana".into() }).await;
    let again = host.same_player();
    let tables = async || server.get_json(&again, "/api/me").await["tables"].clone();
    assert_eq!(tables().await, serde_json::json!([table]));
    host.disconnect();
    let later = server.tables.clock().now() + 60 * 60 * 1_000;
    for _ in 0..100 {
        server.tables.close_quiet_tables(later).await.expect("swept");
        if tables().await == serde_json::json!([]) {
            return server.close().await;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the closed table still has a player");
}
