//! A large ledger that many clients ask for and do not read: they cost little memory, and not for long.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use room::Timings;
use server::quotas::{CONNECTION_BUFFER, SOCKET_BUFFER, SYSTEM_FACTOR};
use server::web::Limits;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::{Instant, sleep, timeout};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{WebSocketStream, client_async_with_config};
use wire::ledger::{Ledger, LedgerClientMessage, LedgerServerMessage, VERSION};

use super::own_process::{is_alone, resident_mib};
use super::test_server::{TestServer, loose_limits};

/// How many clients do not read.
const READERS: usize = 40;
/// How many connections the server allows them: one more, as that of a client that has read everything
/// may still be ending.
const SOCKETS: usize = READERS + 1;
/// How long the server waits for them.
const WRITE_TIMEOUT: Duration = Duration::from_secs(2);
/// How long a test waits for the server, on however busy a machine.
const TIME_LIMIT: Duration = Duration::from_secs(60);
/// The megabytes that all of them may need together: the lines once, and a few blocks of them for each.
const MOST: usize = 24;

/// A score sheet of eight megabytes.
fn large_sheet() -> Vec<String> {
    padded_sheet(10_000, 800)
}

/// A score sheet on which the same deal is written and undone, with much white space in each line.
pub(crate) fn padded_sheet(spaces: usize, lines: usize) -> Vec<String> {
    let header =
        r#"{"ghinda_sheet":1,"rules":"cruce4t-21","names":["Ana","Ion","Eva","Dan"],"dealer":1}"#;
    let changes = [
        r#""did":"write","line":{"cruce":{"declarer":2,"bid":2,"cards":[50,70],"calls":[0,20]}}}"#,
        r#""did":"undo"}"#,
    ];
    let space = " ".repeat(spaces);
    let at = r#"{"at":"2026-11-16T09:30:00.250Z","#;
    let changes = changes.iter().map(|change| format!("{at}{space}{change}")).cycle().take(lines);
    std::iter::once(header.to_owned()).chain(changes).collect()
}

/// A server with the large sheet, which was read once, and the path of the sheet.
async fn server() -> (TestServer, String) {
    server_with(Limits {
        write_timeout: WRITE_TIMEOUT,
        sockets_from_one: SOCKETS,
        ..loose_limits()
    })
    .await
}

async fn server_with(limits: Limits) -> (TestServer, String) {
    let server = TestServer::with(Timings::default(), limits).await;
    let lines = large_sheet();
    let path = format!("/api/ledgers/{}", server.store_ledger(&lines).await);
    let headers = server.headers(&path).await;
    assert_eq!(headers["content-type"], "application/jsonl; charset=utf-8");
    let text = server.text(&path).await;
    assert!(text == lines.iter().flat_map(|line| [line, "\n"]).collect::<String>());
    assert_eq!(headers["content-length"], text.len().to_string());
    assert!(text.len() > 8_000_000);
    Ledger::from_lines(&text).expect("a ledger");
    (server, path)
}

/// A connection with a small receive buffer, so that the system does not read for the client.
async fn connect(server: &TestServer) -> TcpStream {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_recv_buffer_size(4 << 10).expect("a small buffer");
    socket.connect(server.address.parse().expect("an address")).await.expect("connected")
}

/// A connection to the sheet that has said hello and does not read.
async fn connect_to_sheet(
    server: &TestServer,
    path: &str,
) -> Result<WebSocketStream<TcpStream>, String> {
    let url = format!("ws://{}{path}/socket", server.address);
    let request = url.into_client_request().expect("a request");
    let config = WebSocketConfig::default().read_buffer_size(4 << 10);
    let connected = client_async_with_config(request, connect(server).await, Some(config)).await;
    let (mut socket, _) = connected.map_err(|error| error.to_string())?;
    let hello = LedgerClientMessage::Hello { ghinda: VERSION, since: 0, role: None, key: None };
    socket.send(hello.text().into()).await.map_err(|error| error.to_string())?;
    Ok(socket)
}

/// How many lines a client gets that reads.
async fn count_lines(server: &TestServer, path: &str) -> usize {
    let mut socket = connect_to_sheet(server, path).await.expect("connected");
    let mut count = 0;
    while count <= 800 {
        let message = timeout(TIME_LIMIT, socket.next()).await.expect("in time").expect("a frame");
        let message = message.expect("a message");
        match LedgerServerMessage::read(message.to_text().expect("text")).expect("a message") {
            LedgerServerMessage::Lines { from, lines } => {
                assert_eq!(from, count);
                count += lines.len();
            }
            LedgerServerMessage::Hello { .. } => {}
            other => panic!("{other:?}"),
        }
    }
    count
}

/// Measures the memory of this process until a condition holds. Returns the most.
async fn most_memory_until(mut holds: impl AsyncFnMut() -> bool) -> usize {
    let end = Instant::now() + TIME_LIMIT;
    let mut most = resident_mib();
    while !holds().await {
        assert!(Instant::now() < end, "clients that do not read are not ended");
        most = most.max(resident_mib());
        sleep(Duration::from_millis(10)).await;
    }
    most
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answers_that_are_not_read_share_their_lines_and_end() {
    if !is_alone("unread::answers_that_are_not_read_share_their_lines_and_end") {
        return;
    }
    let (server, path) = server().await;
    let size = server.text(&path).await.len();
    let before = resident_mib();
    let mut readers = Vec::new();
    for _ in 0..READERS {
        let mut reader = connect(&server).await;
        let request = format!("GET {path} HTTP/1.1\r\nhost: {}\r\n\r\n", server.address);
        reader.write_all(request.as_bytes()).await.expect("asked");
        readers.push(reader);
    }
    let mut open: Vec<&TcpStream> = readers.iter().collect();
    let most = most_memory_until(async || {
        // A connection that the server gives up is reset. Its error can be taken once.
        open.retain(|reader| reader.take_error().expect("a socket").is_none());
        open.is_empty()
    })
    .await;
    println!("{} MiB more for {READERS} readers", most - before);
    assert!(most - before < MOST, "{} MiB more", most - before);
    for mut reader in readers {
        let mut read = Vec::new();
        let _ = reader.read_to_end(&mut read).await;
        assert!(read.len() < size, "the system has taken all of it");
    }
    server.close().await;
}

/// The most bytes that the system keeps for a connection of the server.
fn most_unsent(server: &TestServer) -> u64 {
    let port = server.address.rsplit(':').next().and_then(|port| port.parse::<u16>().ok());
    let of_server = format!(":{:04X}", port.expect("a port"));
    let table = std::fs::read_to_string("/proc/net/tcp").expect("Linux");
    let unsent = table.lines().skip(1).filter_map(|line| {
        let mut fields = line.split_whitespace().skip(1);
        let (local, queues) = (fields.next()?, fields.nth(2)?);
        local.ends_with(&of_server).then(|| u64::from_str_radix(&queues[..8], 16).expect("hex"))
    });
    unsent.max().expect("a connection")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_system_keeps_little_for_a_client_that_does_not_read() {
    let (server, path) = server_with(loose_limits()).await;
    let mut reader = connect(&server).await;
    let request = format!("GET {path} HTTP/1.1\r\nhost: {}\r\n\r\n", server.address);
    reader.write_all(request.as_bytes()).await.expect("asked");
    reader.read_u8().await.expect("the answer begins");
    sleep(Duration::from_millis(500)).await;
    let unsent = most_unsent(&server);
    let most = |buffer: u32| 1_000..=u64::from(buffer) * SYSTEM_FACTOR;
    assert!(most(CONNECTION_BUFFER).contains(&unsent), "{unsent} bytes of an answer");
    drop(reader);
    let mut socket = connect_to_sheet(&server, &path).await.expect("connected");
    socket.next().await.expect("a frame").expect("hello");
    sleep(Duration::from_millis(500)).await;
    let unsent = most_unsent(&server);
    assert!(most(SOCKET_BUFFER).contains(&unsent), "{unsent} bytes of messages");
    server.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_is_under_way_until_its_answer_is_sent() {
    let limits = Limits { requests: 1, ..loose_limits() };
    let server = TestServer::with(Timings::default(), limits).await;
    let path = format!("/api/ledgers/{}", server.store_ledger(&large_sheet()).await);
    let mut reader = connect(&server).await;
    let request = format!("GET {path} HTTP/1.1\r\nhost: {}\r\n\r\n", server.address);
    reader.write_all(request.as_bytes()).await.expect("asked");
    let mut begun = [0; 12];
    reader.read_exact(&mut begun).await.expect("the answer begins");
    assert_eq!(&begun, b"HTTP/1.1 200");
    assert_eq!(server.status("/api/tables").await, 503, "the answer is not sent yet");
    drop(reader);
    let end = Instant::now() + TIME_LIMIT;
    while server.status("/api/tables").await != 200 {
        assert!(Instant::now() < end, "a client that has gone keeps its place");
        sleep(Duration::from_millis(10)).await;
    }
    server.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn messages_that_are_not_read_are_shared_and_their_connections_end() {
    if !is_alone("unread::messages_that_are_not_read_are_shared_and_their_connections_end") {
        return;
    }
    let (server, path) = server().await;
    assert_eq!(count_lines(&server, &path).await, 801, "a client that reads gets all of it");
    let before = resident_mib();
    let mut readers = Vec::new();
    while readers.len() < READERS {
        readers.push(connect_to_sheet(&server, &path).await.expect("connected"));
    }
    // The places of the first are free for as many others when they have ended.
    let mut others = Vec::new();
    let most = most_memory_until(async || {
        others.extend(connect_to_sheet(&server, &path).await.ok());
        others.len() == SOCKETS
    })
    .await;
    println!("{} MiB more for {READERS} readers", most - before);
    assert!(most - before < MOST, "{} MiB more", most - before);
    drop((readers, others));
    server.close().await;
}
