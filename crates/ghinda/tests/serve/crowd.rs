//! Many bad clients: thousands that send nothing, some that send half a request, some that do not
//! read, and some that connect too often. Players notice none of them.

use std::net::SocketAddr;
use std::process::Command as Program;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use replica::Replica;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::client::Request;
use tokio_tungstenite::{WebSocketStream, client_async};
use wire::table::{CloseReason, TableCommand};

use crate::crash::wait_until_done;
use crate::load_run::{LoadRun, seed};
use crate::test_client::{ConnectError, TIME_LIMIT};
use crate::test_server::TestServer;

/// How many clients connect and send nothing.
const SILENT: usize = 10_000;
/// Files that everything else in this process may need.
const OTHER_FILES: usize = 2_000;
/// How many clients connect at the same time.
const MAX_CONNECTING: usize = 128;
/// The server's time limit for a hello, and the extra time for a busy machine.
const HELLO_LIMIT: Duration = Duration::from_secs(10);
const BUSY: Duration = Duration::from_secs(90);

/// Raises the limit of open files of this process to the maximum, and returns it.
fn raise_open_files() -> usize {
    let id = std::process::id().to_string();
    let hard = Program::new("sh").args(["-c", "ulimit -Hn"]).output().expect("a shell");
    let hard = String::from_utf8_lossy(&hard.stdout).trim().to_owned();
    let limits = format!("--nofile={hard}:{hard}");
    let raised = Program::new("prlimit").args(["--pid", &id, &limits]).status();
    assert!(raised.expect("the program `prlimit` of util-linux").success());
    hard.parse().unwrap_or(usize::MAX)
}

/// Counts a task when it ends, also with a panic.
struct CountedAtEnd(Arc<AtomicUsize>);

impl Drop for CountedAtEnd {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// Connects to a table, sends nothing after the handshake, and returns the close code.
async fn connect_silently(
    server: &str,
    table: &str,
    token: &str,
    connecting: &Semaphore,
) -> Option<u16> {
    let permit = connecting.acquire().await.expect("a permit");
    let request = format!(
        "GET /api/tables/{table}/socket HTTP/1.1\r\nhost: {server}\r\nauthorization: Bearer {token}\r\n\
         connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\
         sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    let mut stream = TcpStream::connect(server).await.ok()?;
    stream.write_all(request.as_bytes()).await.ok()?;
    let mut received = Vec::with_capacity(1024);
    while !received.windows(4).any(|end| end == b"\r\n\r\n") {
        if stream.read_buf(&mut received).await.ok()? == 0 {
            return None;
        }
    }
    assert!(received.starts_with(b"HTTP/1.1 101"), "{}", String::from_utf8_lossy(&received));
    drop(permit);
    stream.read_to_end(&mut received).await.ok()?;
    // The last frame is a close frame: its code follows the kind and the length.
    let close = received.len().checked_sub(4)?;
    let [0x88, 2, high, low] = received[close..] else { return None };
    Some(u16::from_be_bytes([high, low]))
}

/// Connects, sends part of a request, and returns the time until the server closes the connection.
async fn send_half(address: String, half: &'static [u8]) -> Duration {
    let began = Instant::now();
    let mut stream = TcpStream::connect(address).await.expect("connected");
    stream.write_all(half).await.expect("sent");
    let mut answer = Vec::new();
    let ended = timeout(HELLO_LIMIT + BUSY, stream.read_to_end(&mut answer)).await;
    // The server may reset the connection.
    let _ = ended.expect("the server closes the connection");
    began.elapsed()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn thousands_of_silent_clients_are_disconnected_and_disturb_no_player() {
    let files = raise_open_files();
    let count = SILENT.min(files.saturating_sub(OTHER_FILES));
    // Twice as many files may be open as there are clients here.
    let mut server = TestServer::open_with(&["--sockets", "30000"]).await;
    let mut load = LoadRun::begin(&server, 2, seed()).await;
    let mut host = server.new_client().await;
    let table = server.table(&mut host, "cruce2").await;
    let (connecting, ended) =
        (Arc::new(Semaphore::new(MAX_CONNECTING)), Arc::new(AtomicUsize::new(0)));
    let mut silent = JoinSet::new();
    for _ in 0..count {
        let (address, table) = (server.address.clone(), table.clone());
        let (token, connecting, ended) = (host.token.clone(), connecting.clone(), ended.clone());
        silent.spawn(async move {
            let _counted = CountedAtEnd(ended);
            connect_silently(&address, &table, &token, &connecting).await
        });
    }
    let mut slow = JoinSet::new();
    let halves: [&[u8]; 4] = [b"", b"G", b"GET / HTTP/1.1\r\nhost: x\r\n", b"POST /api/session HT"];
    for half in halves.into_iter().cycle().take(80) {
        slow.spawn(send_half(server.address.clone(), half));
    }
    let mut peak: f64 = 0.0;
    while ended.load(Ordering::Relaxed) < count {
        let since = load.shared.done.load(Ordering::Relaxed);
        wait_until_done(&mut load, since, 10).await;
        peak = peak.max(server.metric("ghinda_sockets", "").await);
    }
    println!("{count} silent clients, at most {peak} at the same time; {files} files may be open");
    while let Some(code) = silent.join_next().await {
        assert_eq!(code.expect("no panic"), Some(CloseReason::Silent.code()));
    }
    while let Some(took) = slow.join_next().await {
        let took = took.expect("no panic");
        assert!(took + Duration::from_millis(500) > HELLO_LIMIT, "{took:?} is too short");
    }
    let silent = server.metric("ghinda_closed_connections_total", "Silent").await;
    assert_eq!(silent, count as f64, "each is counted");
    let slow = server.metric("ghinda_bad_connections_total", "slow").await;
    assert_eq!(slow, 80.0, "each is counted");
    let end = Instant::now() + BUSY;
    while server.metric("ghinda_connections", "").await > 1.0 {
        assert!(Instant::now() < end, "some connections are still open");
        sleep(Duration::from_millis(50)).await;
    }
    load.end(&mut server).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_address_cannot_take_all_connections() {
    let flags = ["--sockets-from-one", "4", "--costly-a-minute", "30", "--bot-ms", "1"];
    let server = TestServer::on_file(&flags).await;
    let mut host = server.new_client().await;
    let table = server.table(&mut host, "cruce2").await;
    let mut inside = Vec::new();
    for _ in 0..4 {
        let mut client = host.second_client();
        client.join(&table).await;
        inside.push(client);
    }
    let mut late = host.second_client();
    late.table.clone_from(&table);
    assert_eq!(late.connect().await, Err(ConnectError::Refused(429)));
    assert!(server.metric("ghinda_turned_away_total", "").await > 0.0);
    // Another address is not affected.
    let other = TcpSocket::new_v4().expect("a socket");
    other.bind("127.0.0.2:0".parse().expect("an address")).expect("another address");
    let address: SocketAddr = server.address.parse().expect("an address");
    let stream = other.connect(address).await.expect("connected");
    let request = host.request(&table);
    let (mut other, _) = client_async(request, stream).await.expect("accepted");
    other.close(None).await.expect("closed");
    // A closed connection frees its place.
    inside.pop();
    let end = Instant::now() + TIME_LIMIT;
    while late.connect().await.is_err() {
        assert!(Instant::now() < end, "the place is not freed");
        sleep(Duration::from_millis(20)).await;
    }

    // Idle TCP connections take places too, but not all.
    let mut idle = Vec::new();
    for _ in 0..4 {
        idle.push(TcpStream::connect(address).await.expect("connected"));
    }
    let mut over = TcpStream::connect(address).await.expect("connected");
    let mut answer = Vec::new();
    let ended =
        timeout(TIME_LIMIT, over.read_to_end(&mut answer)).await.expect("the connection is closed");
    assert!(ended.is_err() || answer.is_empty());
    drop(idle);

    // One address cannot create tables without a limit.
    let plan = serde_json::json!({ "rules": "cruce2" });
    let mut refused = 0;
    for _ in 0..40 {
        let post =
            server.http().post(server.url("/api/tables")).bearer_auth(&host.token).json(&plan);
        // Connections may still be counted for a moment.
        refused += post.send().await.map_or(0, |got| usize::from(got.status().as_u16() == 429));
    }
    assert!(refused > 0, "no limit on tables");
}

/// A connection with a tiny receive buffer.
async fn connect_slowly(address: &str, request: Request) -> WebSocketStream<TcpStream> {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_recv_buffer_size(1 << 10).expect("a small buffer");
    let stream = socket.connect(address.parse().expect("an address")).await.expect("connected");
    client_async(request, stream).await.expect("accepted").0
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_client_is_disconnected_and_may_reconnect() {
    let mut server = TestServer::open().await;
    let mut clients = server.seated("whist6", 6).await;
    let table = clients[0].table.clone();
    let mut slow = server.new_client().await;
    slow.join(&table).await;
    let known = slow.version();
    slow.disconnect();
    let mut socket = connect_slowly(&server.address, slow.request(&table)).await;
    let hello = slow.replica.hello().text();
    socket.send(Message::text(hello)).await.expect("sent");
    // All clients send the longest chat messages, and every change of the rules sends the whole
    // chat again.
    let long: String = "🂡".repeat(200);
    for client in &mut clients {
        for _ in 0..5 {
            client.command_with_retry(TableCommand::Say(long.clone())).await;
        }
    }
    let end = Instant::now() + BUSY;
    for rules in ["whist6-p5", "whist6"].into_iter().cycle() {
        clients[0].command_with_retry(TableCommand::Rules(rules.into())).await;
        // The others read everything.
        let version = clients[0].version();
        for client in &mut clients {
            while client.version() < version {
                client.next().await.expect("an update");
            }
        }
        if server.metric("ghinda_slow_clients_total", "").await > 0.0 {
            break;
        }
        assert!(Instant::now() < end, "the slow client is never disconnected");
    }
    for client in &mut clients {
        client.command_with_retry(TableCommand::Say("we still hear each other".into())).await;
    }
    // The slow client finds its connection closed.
    let mut texts = Vec::new();
    let ended = async {
        while let Some(Ok(frame)) = socket.next().await {
            texts.extend(frame.to_text().ok().map(ToOwned::to_owned));
        }
    };
    timeout(BUSY, ended).await.expect("the connection ends");
    let updates = texts.iter().filter(|text| text.contains(r#""type":"update""#)).count();
    assert!(updates > 0, "the first updates synced");
    // It continues from its last version.
    assert_eq!(slow.version(), known);
    slow.connect_with_hello().await.expect("accepted");
    slow.wait_until_synced().await;
    let last = slow.replica.state().expect("a table").chat.last().cloned().expect("talk");
    assert_eq!(last.text.as_deref(), Some("we still hear each other"));
    server.stop().await;
}
