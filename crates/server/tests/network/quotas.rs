//! Every quota is reached by a client and refused with its reason, and SECURITY.md lists it.

use room::Timings;
use serde_json::{Value, json};
use server::quotas::{
    MAX_LEDGERS_IN_MEMORY, MAX_LEDGERS_OF_PLAYER, MAX_TABLES_IN_MEMORY, MAX_TABLES_OF_PLAYER, Quota,
};
use server::web::Limits;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::test_client::TestClient;
use super::test_server::{TestServer, loose_limits};

const SHEET: &str =
    r#"{"ghinda_sheet":1,"rules":"cruce4t-21","names":["Ana","Ion","Eva","Dan"],"dealer":1}"#;

/// Gives a sheet to the server, and returns the status and the reason of a refusal.
async fn open_sheet(server: &TestServer, player: &TestClient) -> (u16, Value) {
    let answer = server.post(player, "/api/ledgers", json!({ "lines": SHEET })).await;
    let status = answer.status().as_u16();
    let answer: Value = answer.json().await.expect("JSON");
    (status, answer["error"].clone())
}

#[tokio::test]
async fn a_player_has_so_many_ledgers_and_no_more() {
    let server = TestServer::open().await;
    let player = server.new_player().await;
    for _ in 0..MAX_LEDGERS_OF_PLAYER {
        assert_eq!(open_sheet(&server, &player).await, (201, Value::Null));
    }
    assert_eq!(open_sheet(&server, &player).await, (409, json!("too_many_ledgers")));
    assert_eq!(open_sheet(&server, &server.new_player().await).await.0, 201);
    server.close().await;
}

#[tokio::test]
async fn a_ledger_needs_a_session() {
    let server = TestServer::open().await;
    let player = server.new_player().await;
    assert_eq!(server.end_session(&player).await, 204);
    assert_eq!(open_sheet(&server, &player).await, (401, json!("no_session")));
    server.close().await;
}

#[tokio::test]
async fn an_address_writes_so_much_to_ledgers_and_no_more() {
    let limits = Limits { ledger_bytes_an_hour: 1_024, ..loose_limits() };
    let server = TestServer::with(Timings::default(), limits).await;
    let mut statuses = Vec::new();
    for _ in 0..12 {
        statuses.push(open_sheet(&server, &server.new_player().await).await.0);
    }
    let taken = statuses.iter().filter(|status| **status == 201).count();
    assert!((5..12).contains(&taken), "{statuses:?}");
    assert!(statuses[taken..].iter().all(|status| *status == 429), "{statuses:?}");
    server.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn so_many_requests_are_under_way_and_no_more() {
    let limits = Limits { requests: 1, ..loose_limits() };
    let server = TestServer::with(Timings::default(), limits).await;
    assert_eq!(server.status("/api/tables").await, 200);
    // A request whose body does not come stays under way.
    let mut slow = TcpStream::connect(&server.address).await.expect("connected");
    let head = "POST /api/session HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n\
        content-length: 2\r\n\r\n";
    slow.write_all(head.as_bytes()).await.expect("sent");
    while server.status("/api/tables").await != 503 {
        tokio::task::yield_now().await;
    }
    slow.write_all(b"{}").await.expect("sent");
    let mut answer = [0; 12];
    slow.read_exact(&mut answer).await.expect("an answer");
    assert_eq!(&answer, b"HTTP/1.1 200");
    while server.status("/api/tables").await != 200 {
        tokio::task::yield_now().await;
    }
    server.close().await;
}

#[test]
fn the_document_lists_every_quota() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../SECURITY.md");
    let text = std::fs::read_to_string(path).expect("SECURITY.md");
    let (_, limits) = text.split_once("### Limits").expect("a section");
    let limits = limits.split("\n## ").next().expect("its text");
    for quota in Quota::ALL {
        let rows = limits.lines().filter(|row| row.contains(&format!("| `{}` |", quota.name())));
        assert_eq!(rows.count(), 1, "SECURITY.md needs one row for {}", quota.name());
    }
    for number in [
        u64::from(MAX_TABLES_OF_PLAYER),
        u64::from(MAX_LEDGERS_OF_PLAYER),
        MAX_TABLES_IN_MEMORY as u64,
        MAX_LEDGERS_IN_MEMORY as u64,
        Limits::default().requests as u64,
    ] {
        assert!(limits.contains(&format!("| {number}")), "SECURITY.md lacks {number}");
    }
}
