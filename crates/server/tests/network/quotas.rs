//! Quotas that clients reach are refused with their reasons, and SECURITY.md lists all limits.

use std::collections::BTreeMap;
use std::time::Duration;

use contest::Role;
use room::Timings;
use serde_json::{Value, json};
use server::accounts::{MAX_LOG_INS_WAITING, WRONG_AT_ONCE};
use server::byte_pool::SHARES;
use server::quotas::{
    CONNECTION_BUFFER, CONNECTION_BYTES, MAX_LEDGER_READS, MAX_LEDGERS_OF_PLAYER, MAX_LOOKS,
    MAX_LOOKS_FROM_ONE, MAX_LOOKS_WAITING, MAX_TABLES_OF_PLAYER, MAX_UPLOADS, MAX_UPLOADS_FROM_ONE,
    MAX_WAITING_BYTES, MemoryQuotas, Quota, SOCKET_BUFFER, SYSTEM_FACTOR,
};
use server::web::Limits;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep};
use wire::ledger::{LedgerCommand, LedgerRefusal};
use wire::sheet::SheetChangeText;
use wire::table::{RefusalReason, TableCommand};

use super::ledgers::{self, LedgerClient};
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
pub(crate) async fn a_player_has_so_many_ledgers_and_no_more() {
    let server = TestServer::open().await;
    let player = server.new_player().await;
    for _ in 0..MAX_LEDGERS_OF_PLAYER {
        assert_eq!(open_sheet(&server, &player).await, (201, Value::Null));
    }
    let counted = server.refusals(Quota::Ledgers).await;
    assert_eq!(open_sheet(&server, &player).await, (409, json!("too_many_ledgers")));
    assert!(server.refusals(Quota::Ledgers).await > counted);
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
pub(crate) async fn an_address_writes_so_much_to_ledgers_and_no_more() {
    let limits = Limits { ledger_bytes_an_hour: 1_024, ..loose_limits() };
    let server = TestServer::with(Timings::default(), limits).await;
    let (mut statuses, counted) = (Vec::new(), server.refusals(Quota::LedgerBytes).await);
    for _ in 0..12 {
        statuses.push(open_sheet(&server, &server.new_player().await).await.0);
    }
    let taken = statuses.iter().filter(|status| **status == 201).count();
    assert!((5..12).contains(&taken), "{statuses:?}");
    assert!(statuses[taken..].iter().all(|status| *status == 429), "{statuses:?}");
    assert!(server.refusals(Quota::LedgerBytes).await > counted);
    server.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
pub(crate) async fn so_many_requests_are_under_way_and_no_more() {
    let limits = Limits { requests: 1, ..loose_limits() };
    let server = TestServer::with(Timings::default(), limits).await;
    assert_eq!(server.status("/api/tables").await, 200);
    let mut slow = slow_request(&server, "POST /api/session HTTP/1.1", "").await;
    while server.status("/api/tables").await != 503 {
        sleep(Duration::from_millis(10)).await;
    }
    slow.write_all(b"{}").await.expect("sent");
    let mut answer = [0; 12];
    slow.read_exact(&mut answer).await.expect("an answer");
    assert_eq!(&answer, b"HTTP/1.1 200");
    while server.status("/api/tables").await != 200 {
        sleep(Duration::from_millis(10)).await;
    }
    server.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn so_many_requests_of_an_address_are_under_way_and_no_more() {
    let limits = Limits { sockets_from_one: 1, ..loose_limits() };
    let server = TestServer::with(Timings::default(), limits).await;
    let counted = server.refusals(Quota::Requests).await;
    let _slow = slow_request(&server, "POST /api/session HTTP/1.1", "").await;
    while server.status("/api/tables").await != 503 {
        sleep(Duration::from_millis(10)).await;
    }
    assert!(server.refusals(Quota::Requests).await > counted);
    server.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
pub(crate) async fn so_many_uploads_are_under_way_and_no_more() {
    let server = TestServer::open().await;
    let player = server.new_player().await;
    let token = format!("authorization: Bearer {}\r\n", player.token());
    let mut slow = Vec::new();
    for _ in 0..MAX_UPLOADS_FROM_ONE {
        slow.push(slow_request(&server, "POST /api/ledgers HTTP/1.1", &token).await);
    }
    // What is not a ledger uses up nothing of the player, however often it is tried.
    let nonsense = async || {
        sleep(Duration::from_millis(10)).await;
        let body = json!({ "lines": "" });
        server.post(&player, "/api/ledgers", body).await.status().as_u16()
    };
    while nonsense().await != 503 {}
    drop(slow);
    while nonsense().await != 400 {}
    server.close().await;
}

/// Sends the head of a request whose body does not come.
async fn slow_request(server: &TestServer, line: &str, header: &str) -> TcpStream {
    let mut slow = TcpStream::connect(&server.address).await.expect("connected");
    let head = format!(
        "{line}\r\nhost: x\r\ncontent-type: application/json\r\n{header}content-length: 2\r\n\r\n"
    );
    slow.write_all(head.as_bytes()).await.expect("sent");
    slow
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
pub(crate) async fn a_player_plays_so_much_and_no_more() {
    let limits = Limits { play_bytes_an_hour: 8_192, ..loose_limits() };
    let timings = Timings { bot_delay: 1, score_time: Some(50), ..Timings::default() };
    let server = TestServer::with(timings, limits).await;
    let mut host = server.new_player().await;
    let table = host.open("cruce2", true).await;
    host.join(&table).await;
    host.command(TableCommand::Sit { seat: 1, name: "Ana".into() }).await;
    let counted = server.refusals(Quota::PlayBytes).await;
    host.command(TableCommand::Start).await;
    let too_fast = Err(Some(RefusalReason::TooFast));
    let nonsense = TableCommand::Act("no card".into());
    for _ in 0..200 {
        let refused = host.try_command(nonsense.clone()).await;
        assert!(refused.is_err() && refused != too_fast, "what is refused uses up nothing");
    }
    let end = Instant::now() + Duration::from_secs(60);
    while host.try_command(nonsense.clone()).await != too_fast {
        host.act().await;
        sleep(Duration::from_millis(5)).await;
        assert!(Instant::now() < end, "there is no limit");
    }
    assert!(server.refusals(Quota::PlayBytes).await > counted);
    // What is said has a ration of its own, and other players have theirs.
    assert_eq!(host.try_command(TableCommand::Say("Salut".into())).await.map(drop), Ok(()));
    let mut other = server.new_player().await;
    let table = other.open("cruce2", true).await;
    other.join(&table).await;
    assert_ne!(other.try_command(nonsense).await, too_fast);
    server.close().await;
}

#[tokio::test]
pub(crate) async fn a_player_says_so_much_at_tables_and_no_more() {
    let limits = Limits { table_bytes_an_hour: 4_096, ..loose_limits() };
    let server = TestServer::with(Timings::default(), limits).await;
    let mut host = server.new_player().await;
    let table = host.open("cruce2", true).await;
    host.join(&table).await;
    host.command(TableCommand::Sit { seat: 1, name: "Ana".into() }).await;
    let counted = server.refusals(Quota::TableBytes).await;
    for _ in 0..100 {
        let refused = host.try_command(TableCommand::Say("x".repeat(201))).await;
        assert_eq!(refused, Err(Some(RefusalReason::BadChat)), "what is refused uses up nothing");
    }
    let mut renamed = 0;
    let refused = loop {
        let name = format!("Ana {renamed}");
        match host.try_command(TableCommand::Rename { name }).await {
            Ok(_) => renamed += 1,
            Err(reason) => break reason,
        }
    };
    assert_eq!(refused, Some(RefusalReason::TooFast));
    assert!((3..15).contains(&renamed), "{renamed}");
    assert!(server.refusals(Quota::TableBytes).await > counted);
    // The play goes on.
    let ready = host.try_command(TableCommand::Ready).await;
    assert_ne!(ready, Err(Some(RefusalReason::TooFast)));
    server.close().await;
}

#[tokio::test]
async fn a_client_without_rights_uses_up_nothing_of_its_address() {
    let limits = Limits { ledger_bytes_an_hour: 16_384, ..loose_limits() };
    let server = TestServer::with(Timings::default(), limits).await;
    let (ledger, key) = ledgers::open(&server, SHEET).await;
    let rename = |name: String| LedgerCommand::Sheet(SheetChangeText::Rename { seat: 1, name });
    let mut reader = LedgerClient::connect(&server, &ledger, "reader", None).await;
    for number in 0..100 {
        let refused = reader.command(rename(format!("Ana {number}"))).await;
        assert!(matches!(refused, Err(LedgerRefusal::Because(_))), "{refused:?}");
    }
    let asks = Some((Role::Organiser, key));
    let mut organiser = LedgerClient::connect(&server, &ledger, "organiser", asks).await;
    assert_eq!(organiser.command(rename("Zoe".into())).await, Ok(()));
    let mut written = 1;
    while organiser.command(rename(format!("Ana {written}"))).await.is_ok() {
        written += 1;
    }
    assert!((10..100).contains(&written), "{written}");
    let refused = organiser.command(rename("Eva".into())).await;
    assert_eq!(refused, Err(LedgerRefusal::TooFast));
    // Another sheet has a share of its own.
    let (ledger, key) = ledgers::open(&server, SHEET).await;
    let asks = Some((Role::Organiser, key));
    let mut organiser = LedgerClient::connect(&server, &ledger, "organiser", asks).await;
    assert_eq!(organiser.command(rename("Zoe".into())).await, Ok(()));
    server.close().await;
}

/// The rows of the limits in SECURITY.md: what, and at most how much.
fn limits_in_the_document() -> BTreeMap<String, String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../SECURITY.md");
    let text = std::fs::read_to_string(path).expect("SECURITY.md");
    let (_, limits) = text.split_once("### Limits").expect("a section");
    let limits = limits.split("\n## ").next().expect("its text");
    let rows = limits.lines().filter_map(|row| {
        let mut cells = row.strip_prefix("| ")?.split(" | ");
        Some((cells.next()?.to_owned(), cells.next()?.to_owned()))
    });
    rows.collect()
}

#[test]
fn the_document_lists_every_quota() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../SECURITY.md");
    let text = std::fs::read_to_string(path).expect("SECURITY.md");
    for quota in Quota::ALL {
        let rows = text.lines().filter(|row| row.ends_with(&format!("| `{}` |", quota.name())));
        assert!(rows.count() >= 1, "SECURITY.md needs a row for {}", quota.name());
    }
}

fn mib(bytes: u64) -> String {
    format!("{} MiB", bytes >> 20)
}

/// The limits that other crates see: the row of the document, and the number in it. First what may be stored,
/// and what is in memory.
fn limits_of_bytes() -> Vec<(&'static str, String)> {
    let (limits, memory) = (Limits::default(), MemoryQuotas::default());
    vec![
        ("open tables that a player has opened", MAX_TABLES_OF_PLAYER.to_string()),
        (
            "contests and sheets of a player that were written to within 30 days",
            MAX_LEDGERS_OF_PLAYER.to_string(),
        ),
        (
            "what an address has stored in contests and sheets",
            format!(
                "{} at once, and as much an hour, of which a quarter for a player and for a contest or sheet",
                mib(limits.ledger_bytes_an_hour.into())
            ),
        ),
        (
            "what an address has stored that it says and changes at tables, besides the play",
            format!(
                "{} at once, and as much an hour, of which a quarter for a player",
                mib(limits.table_bytes_an_hour.into())
            ),
        ),
        (
            "what an address has stored that it, and the bots at its tables, bid, play and claim",
            format!(
                "{} at once, and as much an hour, of which a quarter for a player",
                mib(limits.play_bytes_an_hour.into())
            ),
        ),
        (
            "messages that wait for a client, and for all",
            format!("{} and {}", mib(MAX_WAITING_BYTES as u64), mib(memory.waiting_bytes as u64)),
        ),
        (
            "contests and sheets that are being given to the server, in all and from an address",
            format!("{MAX_UPLOADS} and {MAX_UPLOADS_FROM_ONE}"),
        ),
        ("tables in memory", memory.tables.to_string()),
        (
            "contests and sheets that wait to be read from their lines",
            format!("{MAX_LEDGER_READS}, of which a quarter for one address"),
        ),
        (
            "contests and sheets in memory",
            format!(
                "{}, and {}, of which a quarter for one address",
                memory.ledgers,
                mib(memory.ledger_bytes as u64)
            ),
        ),
        (
            "records, contests, sheets and other large answers that are being sent over HTTP",
            format!("{}, of which a quarter for one address", mib(memory.answer_bytes as u64)),
        ),
        ("what a connection holds after large messages", format!("{} KiB", CONNECTION_BYTES >> 10)),
        (
            "what the system keeps for a client that does not read, on a WebSocket and on another connection",
            format!(
                "{} KiB and {} KiB",
                (u64::from(SOCKET_BUFFER) * SYSTEM_FACTOR) >> 10,
                (u64::from(CONNECTION_BUFFER) * SYSTEM_FACTOR) >> 10
            ),
        ),
    ]
}

/// The same, of what is counted.
fn limits_of_numbers() -> Vec<(&'static str, String)> {
    let limits = Limits::default();
    vec![
        (
            "requests under way, in all and from an address",
            format!("{} and {}", limits.requests, limits.sockets_from_one),
        ),
        (
            "tables and records that are read at once while they are not in memory, in all and for an address",
            format!(
                "{MAX_LOOKS} and {MAX_LOOKS_FROM_ONE}; {MAX_LOOKS_WAITING} further ones of an address wait"
            ),
        ),
        ("costly requests from an address", format!("{} a minute", limits.costly_a_minute)),
        (
            "WebSockets, in all and from an address",
            format!("{} and {}", limits.sockets, limits.sockets_from_one),
        ),
        ("passphrases that wait to be checked", MAX_LOG_INS_WAITING.to_string()),
        ("wrong passphrases for one name", format!("{WRONG_AT_ONCE}, then one a minute")),
        (
            "messages of a connection",
            format!(
                "{0} a second, and {1} at once",
                limits.messages_a_second,
                2 * limits.messages_a_second
            ),
        ),
        (
            "the time to take a message, or 16 KiB of an answer",
            format!("{} seconds", limits.write_timeout.as_secs()),
        ),
    ]
}

#[test]
fn the_document_has_the_limits_of_the_code() {
    let documented = limits_in_the_document();
    assert_eq!(SHARES, 4, "a quarter");
    for (what, at_most) in limits_of_bytes().into_iter().chain(limits_of_numbers()) {
        assert_eq!(documented.get(what), Some(&at_most), "{what}");
    }
    for (file, line, what, at_most) in PRIVATE_LIMITS {
        let path = format!("{}/../{file}", env!("CARGO_MANIFEST_DIR"));
        let source = std::fs::read_to_string(&path).expect("a source");
        assert!(source.contains(line), "{file} has no `{line}` any more");
        assert_eq!(documented.get(what).map(String::as_str), Some(at_most), "{what}");
    }
}

/// The limits that other crates do not see: the file, the line in it, and the row of the document.
const PRIVATE_LIMITS: [(&str, &str, &str, &str); 30] = [
    (
        "room/src/room/decide.rs",
        "const ENTRIES_WHEN_FULL: u64 = 100_000;",
        "entries of a table, after which nothing new begins",
        "100000",
    ),
    (
        "room/src/room/decide.rs",
        "const ENTRIES_WHEN_CLOSED: u64 = 110_000;",
        "entries of a table, after which it closes",
        "110000",
    ),
    (
        "room/src/room/decide.rs",
        "const LOG_BYTES_WHEN_FULL: u64 = 12 << 20;",
        "bytes of the log of a table, after which nothing new begins",
        "12 MiB",
    ),
    (
        "room/src/room/decide.rs",
        "const LOG_BYTES_WHEN_CLOSED: u64 = 13 << 20;",
        "bytes of the log of a table, after which it closes",
        "13 MiB",
    ),
    (
        "room/src/room/decide.rs",
        "const DEALS_WHEN_CLOSED: usize = 2_000;",
        "deals of a match",
        "2000",
    ),
    (
        "room/src/room.rs",
        "const MAX_ADMITTED: usize = 64;",
        "players who may come back to a private table without its link",
        "64",
    ),
    (
        "room/src/room.rs",
        "const MAX_REMEMBERED: usize = 32;",
        "players that a table knows as removed, or as muted",
        "32",
    ),
    ("room/src/driver.rs", "const MAX_WAITING: usize = 128;", "inputs that wait at a table", "128"),
    (
        "room/src/driver.rs",
        "const MAX_CONNECTIONS: usize = 200;",
        "connections to a table",
        "200, of which a quarter for one address, and 10 for each player and the host",
    ),
    (
        "room/src/driver/budget.rs",
        "const BURST: u64 = 20;",
        "commands of a player besides the play",
        "20 at once, 4 a second",
    ),
    (
        "room/src/driver/budget.rs",
        "const REFILL: Millis = 250;",
        "commands of a player besides the play",
        "20 at once, 4 a second",
    ),
    (
        "room/src/room/decide.rs",
        "const MAX_FALSE_CLAIMS: usize = 3;",
        "wrong claims of a player, and from a seat, in a deal",
        "3",
    ),
    (
        "room/src/driver.rs",
        "const PRESENCE_INTERVAL: Millis = 500;",
        "messages at a table about who is connected",
        "one in half a second to each client, and one more to a new one",
    ),
    (
        "server/src/web.rs",
        "const STORE_CHECK_LIMIT: Duration = Duration::from_secs(4);",
        "the answer whether the server is ready",
        "8 seconds",
    ),
    (
        "server/src/quotas.rs",
        "const MAX_LEDGER_BYTES: usize = 8 << 20;",
        "what is stored of a contest or a sheet",
        "8 MiB",
    ),
    (
        "server/src/ledger/task.rs",
        "const MAX_SUBSCRIBERS: usize = 5_000;",
        "connections to a contest or a sheet",
        "5000",
    ),
    (
        "server/src/table_task.rs",
        "const MAX_QUEUED: usize = 256;",
        "messages that wait at a table",
        "256",
    ),
    (
        "server/src/ledger/task.rs",
        "const MAX_QUEUED: usize = 1_024;",
        "messages that wait at a contest or a sheet",
        "1024",
    ),
    (
        "wire/src/table.rs",
        "pub const MAX_BYTES: usize = 4 << 10;",
        "a message of a client to a table",
        "4 KiB",
    ),
    (
        "wire/src/ledger.rs",
        "pub const MAX_BYTES: usize = 256 << 10;",
        "a message of a client to a contest or a sheet",
        "256 KiB",
    ),
    (
        "server/src/web/api.rs",
        "const MAX_BYTES: usize = 16 << 10;",
        "the body of a request",
        "16 KiB",
    ),
    (
        "server/src/web/ledgers.rs",
        "const MAX_UPLOAD: usize = 2 << 20;",
        "a contest or a sheet that is given to the server",
        "2 MiB",
    ),
    (
        "server/src/web/listen.rs",
        "const MAX_HEAD: usize = 16 << 10;",
        "the head of a request",
        "16 KiB",
    ),
    (
        "server/src/web/listen.rs",
        "const HEAD_TIMEOUT: Duration = Duration::from_secs(10);",
        "the time for the head of a request",
        "10 seconds",
    ),
    (
        "server/src/web/headers.rs",
        "const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);",
        "the time for a request",
        "30 seconds",
    ),
    (
        "server/src/web/socket.rs",
        "const HELLO_TIMEOUT: Duration = Duration::from_secs(10);",
        "the time for the first message",
        "10 seconds",
    ),
    (
        "server/src/web/socket.rs",
        "const OUTBOX_CAPACITY: usize = 64;",
        "messages that wait for a client",
        "64",
    ),
    (
        "store/src/archive.rs",
        "static UNPACKING: Semaphore = Semaphore::const_new(1);",
        "archives that are unpacked at once",
        "1",
    ),
    (
        "server/src/bot_pool.rs",
        "const MAX_WAITING: usize = 64;",
        "questions to bots that wait for each thread",
        "64",
    ),
    (
        "server/src/bot_pool.rs",
        "const MAX_THINKING: Duration = Duration::from_secs(3);",
        "the thinking of a bot",
        "3 seconds",
    ),
];
