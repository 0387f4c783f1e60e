//! Crowds: thousands who say nothing, those who say half a word, those who do not listen,
//! and those who come too often. Whoever plays notices none of them.

use std::net::SocketAddr;
use std::process::Command as Program;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::client::Request;
use tokio_tungstenite::{WebSocketStream, client_async};
use wire::table::{CloseReason, TableCommand};

use crate::crash::until_done;
use crate::evening::{Evening, seed};
use crate::test_client::{NotIn, PATIENCE};
use crate::test_server::TestServer;

/// How many come and say nothing.
const SILENT: usize = 10_000;
/// Files that everything else in this process may need.
const OTHER_FILES: usize = 2_000;
/// How many knock at the same time.
const AT_THE_DOOR: usize = 128;
/// What a server grants those who say nothing, and what a busy machine adds.
const PATIENT: Duration = Duration::from_secs(10);
const BUSY: Duration = Duration::from_secs(40);

/// Lets this process open as many files as the machine allows, and says how many that is.
fn open_files() -> usize {
    let id = std::process::id().to_string();
    let hard = Program::new("sh").args(["-c", "ulimit -Hn"]).output().expect("a shell");
    let hard = String::from_utf8_lossy(&hard.stdout).trim().to_owned();
    let limits = format!("--nofile={hard}:{hard}");
    let raised = Program::new("prlimit").args(["--pid", &id, &limits]).status();
    assert!(raised.expect("the program `prlimit` of util-linux").success());
    hard.parse().unwrap_or(usize::MAX)
}

/// Connects to a table by hand, says nothing, and hears how it ends: the close code.
async fn says_nothing(server: &str, table: &str, token: &str, door: &Semaphore) -> Option<u16> {
    let place = door.acquire().await.expect("a door");
    let request = format!(
        "GET /api/tables/{table}/socket HTTP/1.1\r\nhost: {server}\r\nauthorization: Bearer {token}\r\n\
         connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\
         sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    let mut stream = TcpStream::connect(server).await.ok()?;
    stream.write_all(request.as_bytes()).await.ok()?;
    let mut heard = Vec::with_capacity(1024);
    while !heard.windows(4).any(|end| end == b"\r\n\r\n") {
        if stream.read_buf(&mut heard).await.ok()? == 0 {
            return None;
        }
    }
    assert!(heard.starts_with(b"HTTP/1.1 101"), "{}", String::from_utf8_lossy(&heard));
    drop(place);
    stream.read_to_end(&mut heard).await.ok()?;
    // The last frame is a close: its code stands behind the kind and the length.
    let close = heard.len().checked_sub(4)?;
    let [0x88, 2, high, low] = heard[close..] else { return None };
    Some(u16::from_be_bytes([high, low]))
}

/// Connects, sends this much of a request and waits; whether the server hung up, and when.
async fn says_half(address: String, half: &'static [u8]) -> Duration {
    let began = Instant::now();
    let mut stream = TcpStream::connect(address).await.expect("connected");
    stream.write_all(half).await.expect("sent");
    let mut answer = Vec::new();
    let ended = timeout(PATIENT + BUSY, stream.read_to_end(&mut answer)).await;
    // It may end with a farewell or without.
    let _ = ended.expect("the server hangs up");
    began.elapsed()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn thousands_who_say_nothing_are_let_go_and_disturb_nobody() {
    let files = open_files();
    let count = SILENT.min(files.saturating_sub(OTHER_FILES));
    let mut server = TestServer::open().await;
    let mut evening = Evening::begin(&server, 2, seed()).await;
    let mut host = server.person().await;
    let table = server.table(&mut host, "cruce2").await;
    let (door, ended) = (Arc::new(Semaphore::new(AT_THE_DOOR)), Arc::new(AtomicUsize::new(0)));
    let mut silent = JoinSet::new();
    for _ in 0..count {
        let (address, table) = (server.address.clone(), table.clone());
        let (token, door, ended) = (host.token.clone(), door.clone(), ended.clone());
        silent.spawn(async move {
            let code = says_nothing(&address, &table, &token, &door).await;
            ended.fetch_add(1, Ordering::Relaxed);
            code
        });
    }
    let mut slow = JoinSet::new();
    let halves: [&[u8]; 4] = [b"", b"G", b"GET / HTTP/1.1\r\nhost: x\r\n", b"POST /api/session HT"];
    for half in halves.into_iter().cycle().take(80) {
        slow.spawn(says_half(server.address.clone(), half));
    }
    let mut most: f64 = 0.0;
    while ended.load(Ordering::Relaxed) < count {
        let since = evening.mood.done.load(Ordering::Relaxed);
        until_done(&mut evening, since, 10).await;
        most = most.max(server.metric("ghinda_sockets", "").await);
    }
    println!("{count} say nothing, {most} of them at the same time; {files} files may be open");
    while let Some(code) = silent.join_next().await {
        assert_eq!(code.expect("no panic"), Some(CloseReason::Silent.code()));
    }
    while let Some(took) = slow.join_next().await {
        let took = took.expect("no panic");
        assert!(took + Duration::from_millis(500) > PATIENT, "{took:?} is too hasty");
    }
    let silent = server.metric("ghinda_farewells_total", "Silent").await;
    assert_eq!(silent, count as f64, "each is counted");
    let slow = server.metric("ghinda_bad_connections_total", "slow").await;
    assert_eq!(slow, 80.0, "each is counted");
    let end = Instant::now() + BUSY;
    while server.metric("ghinda_connections", "").await > 1.0 {
        assert!(Instant::now() < end, "connections are left over");
        sleep(Duration::from_millis(50)).await;
    }
    evening.end(&mut server).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_takes_all_places_from_one_address() {
    let flags = ["--sockets-from-one", "4", "--costly-a-minute", "30", "--bot-ms", "1"];
    let server = TestServer::on_file(&flags).await;
    let mut host = server.person().await;
    let table = server.table(&mut host, "cruce2").await;
    let mut inside = Vec::new();
    for _ in 0..4 {
        let mut guest = host.again();
        guest.come(&table).await;
        inside.push(guest);
    }
    let mut late = host.again();
    late.table.clone_from(&table);
    assert_eq!(late.connect().await, Err(NotIn::Refused(429)));
    assert!(server.metric("ghinda_turned_away_total", "").await > 0.0);
    // Somebody else's address is another matter.
    let other = TcpSocket::new_v4().expect("a socket");
    other.bind("127.0.0.2:0".parse().expect("an address")).expect("another address");
    let address: SocketAddr = server.address.parse().expect("an address");
    let stream = other.connect(address).await.expect("connected");
    let request = host.request(&table);
    let (mut elsewhere, _) = client_async(request, stream).await.expect("let in");
    elsewhere.close(None).await.expect("closed");
    // A place that is given up is free again.
    inside.pop();
    let end = Instant::now() + PATIENCE;
    while late.connect().await.is_err() {
        assert!(Instant::now() < end, "the place is not free");
        sleep(Duration::from_millis(20)).await;
    }

    // Connections that ask for nothing take places too, but not all.
    let mut idle = Vec::new();
    for _ in 0..4 {
        idle.push(TcpStream::connect(address).await.expect("connected"));
    }
    let mut over = TcpStream::connect(address).await.expect("connected");
    let mut answer = Vec::new();
    let ended = timeout(PATIENCE, over.read_to_end(&mut answer)).await.expect("hung up on");
    assert!(ended.is_err() || answer.is_empty());
    drop(idle);

    // And nobody makes tables without end.
    let plan = serde_json::json!({ "rules": "cruce2" });
    let mut refused = 0;
    for _ in 0..40 {
        let post =
            server.http().post(server.url("/api/tables")).bearer_auth(&host.token).json(&plan);
        // Places may still be taken for a moment.
        refused += post.send().await.map_or(0, |got| usize::from(got.status().as_u16() == 429));
    }
    assert!(refused > 0, "tables without end");
}

/// A client whose network takes next to nothing.
async fn hears_badly(address: &str, request: Request) -> WebSocketStream<TcpStream> {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_recv_buffer_size(1 << 10).expect("a small buffer");
    let stream = socket.connect(address.parse().expect("an address")).await.expect("connected");
    client_async(request, stream).await.expect("let in").0
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_does_not_listen_is_let_go_and_may_come_back() {
    let mut server = TestServer::open().await;
    let mut clients = server.seated("whist6", 6).await;
    let table = clients[0].table.clone();
    let mut deaf = server.person().await;
    deaf.come(&table).await;
    let known = deaf.version();
    deaf.hang_up();
    let mut socket = hears_badly(&server.address, deaf.request(&table)).await;
    let hello = deaf.replica.hello().text();
    socket.send(Message::text(hello)).await.expect("sent");
    // Everybody talks, with the longest words there are, and everything that was said is
    // told again with every change of the rules.
    let long: String = "🂡".repeat(200);
    for guest in &mut clients {
        for _ in 0..5 {
            guest.wish_patiently(TableCommand::Say(long.clone())).await;
        }
    }
    let end = Instant::now() + BUSY;
    for rules in ["whist6-p5", "whist6"].into_iter().cycle() {
        clients[0].wish_patiently(TableCommand::Rules(rules.into())).await;
        for guest in &mut clients {
            guest.listen(Duration::from_millis(1)).await;
        }
        if server.metric("ghinda_slow_guests_total", "").await > 0.0 {
            break;
        }
        assert!(Instant::now() < end, "he is never let go");
    }
    for guest in &mut clients {
        guest.wish_patiently(TableCommand::Say("we still hear each other".into())).await;
    }
    // He finds that he was let go.
    let mut texts = Vec::new();
    let ended = async {
        while let Some(Ok(frame)) = socket.next().await {
            texts.extend(frame.to_text().ok().map(ToOwned::to_owned));
        }
    };
    timeout(BUSY, ended).await.expect("the connection ends");
    let updates = texts.iter().filter(|text| text.contains(r#""type":"update""#)).count();
    assert!(updates > 0, "he heard the first of it");
    // And goes on from what he knew.
    assert_eq!(deaf.version(), known);
    deaf.knock().await.expect("let in");
    deaf.arrive().await;
    let said = deaf.replica.state().expect("a table").said.last().cloned().expect("talk");
    assert_eq!(said.text.as_deref(), Some("we still hear each other"));
    server.stop().await;
}
