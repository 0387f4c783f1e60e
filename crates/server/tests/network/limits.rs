//! The limits of requests and connections that `SECURITY.md` promises.

use std::time::Duration;

use contest::Role;
use room::Timings;
use serde_json::json;
use server::quotas::Quota;
use server::web::Limits;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use wire::ledger::{LedgerServerMessage, MAX_BYTES as MAX_LEDGER_MESSAGE};
use wire::table::{CloseReason, RefusalReason, ServerMessage, TableCommand};

use super::ledgers::{self, LedgerClient};
use super::test_server::{TestServer, loose_limits};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_of_other_sites_get_no_connection() {
    let server = TestServer::open().await;
    let mut connection = server.new_player().await;
    let table = connection.open("cruce2", true).await;
    let own = format!("http://{}", server.address);
    for (origin, expected) in [
        (None, None),
        (Some(own.as_str()), None),
        (Some("https://evil.example"), Some(403)),
        (Some("null"), Some(403)),
    ] {
        let refused = connection.socket_from(&table, origin).await.err();
        assert_eq!(refused, expected, "{origin:?}");
    }
    server.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
pub(crate) async fn one_address_gets_so_many_connections_and_no_more() {
    let limits = Limits { sockets_from_one: 2, ..loose_limits() };
    let server = TestServer::with(Timings::default(), limits).await;
    let mut connection = server.new_player().await;
    let table = connection.open("cruce2", true).await;
    let first = connection.socket(&table).await.expect("one");
    let _second = connection.socket(&table).await.expect("two");
    let counted = server.refusals(Quota::Connections).await;
    assert_eq!(connection.socket(&table).await.err(), Some(429));
    assert!(server.refusals(Quota::Connections).await > counted);
    drop(first);
    for _ in 0..200 {
        if connection.socket(&table).await.is_ok() {
            return server.close().await;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("a dropped connection still counts");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn so_many_connections_are_open_and_no_more() {
    let limits = Limits { sockets: 3, ..loose_limits() };
    let server = TestServer::with(Timings::default(), limits).await;
    let mut connection = server.new_player().await;
    let table = connection.open("cruce2", true).await;
    let mut sockets = Vec::new();
    for _ in 0..3 {
        sockets.push(connection.socket(&table).await.expect("a place"));
    }
    assert_eq!(connection.socket(&table).await.err(), Some(429));
    // Connections that send no request take the places of other connections, as soon as those that have
    // had an answer are gone.
    let mut silent = Vec::new();
    let address = format!("http://{}/health", server.address);
    let refused = async {
        loop {
            for _ in 0..20 {
                silent.push(TcpStream::connect(&server.address).await.expect("connected"));
            }
            if reqwest::get(&address).await.is_err() {
                return;
            }
        }
    };
    timeout(Duration::from_secs(20), refused).await.expect("no answer");
    drop((sockets, silent));
    server.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_message_to_a_ledger_has_a_limit_of_its_own() {
    let server = TestServer::open().await;
    let sheet =
        r#"{"ghinda_sheet":1,"rules":"cruce4t-21","names":["Ana","Ion","Eva","Dan"],"dealer":1}"#;
    let (ledger, key) = ledgers::open(&server, sheet).await;
    let asks = Some((Role::Organiser, key));
    let mut organiser = LedgerClient::connect(&server, &ledger, "o", asks).await;
    let beat = r#"{"type":"beat"}"#;
    let long = format!("{beat}{}", " ".repeat(MAX_LEDGER_MESSAGE - beat.len()));
    organiser.send_text(&long).await;
    assert!(matches!(organiser.receive().await, LedgerServerMessage::Beat { .. }));
    organiser.send_text(&format!("{long} ")).await;
    assert_eq!(organiser.close_code().await, Some(CloseReason::TooMuch.code()));
    server.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
pub(crate) async fn what_is_costly_is_rationed() {
    let limits = Limits { costly_a_minute: 3, ..loose_limits() };
    let server = TestServer::with(Timings::default(), limits).await;
    let connection = server.new_player().await;
    let body = json!({ "name": "Ana", "passphrase": "a wrong passphrase" });
    let (mut answers, counted) = (Vec::new(), server.refusals(Quota::CostlyRequests).await);
    for _ in 0..3 {
        answers.push(server.post(&connection, "/api/login", body.clone()).await.status().as_u16());
    }
    assert_eq!(answers, [403, 403, 429]);
    assert!(server.refusals(Quota::CostlyRequests).await > counted);
    server.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tables_that_are_opened_together_cost_as_much_as_one_by_one() {
    let limits = Limits { costly_a_minute: 10, ..loose_limits() };
    let server = TestServer::with(Timings::default(), limits).await;
    let host = server.new_player().await;
    let open = async |tables: usize| {
        let table = json!({ "rules": "cruce2", "listed": true });
        let body = json!({ "table": table, "tables": tables });
        server.post(&host, "/api/duplicates", body).await.status().as_u16()
    };
    assert_eq!(open(6).await, 201);
    assert_eq!(open(4).await, 429, "there are three left");
    assert_eq!(open(17).await, 400, "what is never done costs nothing");
    assert_eq!(open(3).await, 201);
    server.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_sends_too_much_is_refused_and_then_disconnected() {
    let limits = Limits { messages_a_second: 5, ..loose_limits() };
    let server = TestServer::with(Timings::default(), limits).await;
    let mut connection = server.new_player().await;
    let table = connection.open("cruce2", true).await;
    connection.join(&table).await;
    let mut refused = Vec::new();
    for _ in 0..20 {
        refused.push(connection.try_command(TableCommand::Resume).await);
    }
    assert!(refused.contains(&Err(Some(RefusalReason::TooFast))), "{refused:?}");
    for _ in 0..20 {
        connection.send_text(r#"{"type":"beat"}"#).await;
    }
    assert_eq!(connection.close_reason().await, Some(CloseReason::TooMuch));
    server.close().await;
}

/// An invalid request gets a problem in JSON, whatever was wrong with it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nonsense_over_http_is_answered_in_json() {
    let server = TestServer::open().await;
    let connection = server.new_player().await;
    let answer = server.post(&connection, "/api/tables", json!({ "rule": "cruce2" })).await;
    assert_eq!(answer.status().as_u16(), 422);
    let problem: serde_json::Value = answer.json().await.expect("JSON");
    assert_eq!(problem["error"], "bad_request");
    for (path, limit) in [("/api/tables", 16 << 10), ("/api/ledgers", 2 << 20)] {
        let frame = json!({ "lines": "" }).to_string().len();
        for (bytes, too_long) in [(limit, false), (limit + 1, true)] {
            let long = json!({ "lines": "x".repeat(bytes - frame) });
            let status = server.post(&connection, path, long).await.status().as_u16();
            assert_eq!(status == 413, too_long, "{path}: {status} for {bytes} bytes");
        }
    }
    server.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_that_takes_too_long_is_given_up() {
    let server = TestServer::open().await;
    let mut slow = TcpStream::connect(&server.address).await.expect("connected");
    let head = "POST /api/session HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n\
        content-length: 2\r\n\r\n";
    slow.write_all(head.as_bytes()).await.expect("sent");
    let mut answer = [0; 12];
    let answered = timeout(Duration::from_secs(90), slow.read_exact(&mut answer)).await;
    answered.expect("in time").expect("an answer");
    assert_eq!(&answer, b"HTTP/1.1 408");
    server.close().await;
}

/// An error message reveals nothing about the inside of the server.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_error_message_quotes_little() {
    let server = TestServer::open().await;
    let mut connection = server.new_player().await;
    let table = connection.open("cruce2", true).await;
    connection.join(&table).await;
    connection.send_text(&format!(r#"{{"type":"{}"}}"#, "x".repeat(3_000))).await;
    let Some(ServerMessage::Error { message }) = connection.next_answer().await else {
        panic!("no error message")
    };
    assert!(message.len() < 300, "{message}");
    server.close().await;
}
