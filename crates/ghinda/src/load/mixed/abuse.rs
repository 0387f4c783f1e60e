//! Bad clients of the mixed load: they send nonsense, too much or half of something, have wrong keys,
//! or do not read. They must not disturb the good ones, and the server must get rid of them.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use reqwest::Body;
use serde_json::json;
use socket2::SockRef;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{WebSocketStream, client_async};
use wire::ledger::{LedgerClientMessage, LedgerCommand, VERSION};
use wire::table::ClientMessage;

use super::super::around;
use super::{MixedLoad, Task, UnexpectedAnswer, lock, pick, slow_readers};

/// The mean time between the abuses of one task.
const ABUSE_INTERVAL: Duration = Duration::from_millis(700);
/// How long an abuse may take.
const ABUSE_LIMIT: Duration = Duration::from_secs(40);
/// How long a client that does not read keeps its connection.
const DEAF: Duration = Duration::from_secs(25);
/// How long slow readers read hardly anything: longer than the server waits for them.
const SLOW: Duration = Duration::from_secs(15);
/// How many abuses of a task may take place at the same time.
const MAX_AT_ONCE: usize = 24;

/// The kinds of abuse.
#[derive(Clone, Copy)]
enum Abuse {
    HalfRequest,
    NoRequest,
    Garbage,
    NoHello,
    Flood,
    LongFrame,
    HugeBody,
    WrongKeys,
    NotReading,
    SlowReaders,
}

const ABUSES: [(Abuse, &str); 10] = [
    (Abuse::HalfRequest, "half requests"),
    (Abuse::NoRequest, "requests of noise"),
    (Abuse::Garbage, "garbled messages"),
    (Abuse::NoHello, "sockets without a hello"),
    (Abuse::Flood, "floods"),
    (Abuse::LongFrame, "frames that are too long"),
    (Abuse::HugeBody, "bodies that are too long"),
    (Abuse::WrongKeys, "wrong keys"),
    (Abuse::NotReading, "clients that do not read"),
    (Abuse::SlowReaders, "rounds of slow readers"),
];

/// Abuses the server again and again.
pub(super) async fn keep_abusing(load: Arc<MixedLoad>, number: usize) {
    let mut lots = load.lots(Task::Abuse, number);
    let mut running = JoinSet::new();
    while !load.is_over() {
        sleep(around(ABUSE_INTERVAL, &mut lots)).await;
        while running.try_join_next().is_some() {}
        if running.len() >= MAX_AT_ONCE {
            continue;
        }
        let (abuse, name) = ABUSES[lots.below(ABUSES.len())];
        let Some(table) = pick(lock(&load.created).tables.iter(), &mut lots) else { continue };
        let ledger = pick(lock(&load.created).ledgers.iter(), &mut lots);
        load.count(name);
        let load = load.clone();
        let pause = Duration::from_millis(lots.below(12_000) as u64);
        running.spawn(async move {
            // What it returns does not matter: the server may end it at any point.
            let _ = timeout(ABUSE_LIMIT, commit(&load, abuse, &table, ledger, pause)).await;
        });
    }
    running.abort_all();
}

async fn commit(
    load: &MixedLoad,
    abuse: Abuse,
    table: &str,
    ledger: Option<String>,
    pause: Duration,
) -> Option<()> {
    match abuse {
        Abuse::HalfRequest => {
            let mut stream = connect(load, Buffers::Local).await?;
            let halves: [&[u8]; 3] =
                [b"", b"GET / HTTP/1.1\r\nhost: x\r\n", b"POST /api/session HT"];
            stream.write_all(halves[pause.as_millis() as usize % halves.len()]).await.ok()?;
            sleep(pause).await;
        }
        Abuse::NoRequest => {
            let mut stream = connect(load, Buffers::Local).await?;
            stream
                .write_all(&[0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3, b'\r', b'\n', 0])
                .await
                .ok()?;
            stream.read_to_end(&mut Vec::new()).await.ok()?;
        }
        Abuse::Garbage => send_garbage(load, table).await?,
        Abuse::NoHello => {
            let mut socket = open_socket(load, table, Buffers::Local).await?;
            while let Some(Ok(_)) = socket.next().await {}
        }
        Abuse::Flood => flood(load, table).await?,
        Abuse::LongFrame => {
            let mut socket = open_socket(load, table, Buffers::Local).await?;
            socket.send(Message::text("x".repeat(64 << 10))).await.ok()?;
            while let Some(Ok(_)) = socket.next().await {}
        }
        Abuse::HugeBody => send_huge_bodies(load).await?,
        Abuse::SlowReaders => {
            let ledger = lock(&load.created).large_ledger.clone()?;
            slow_readers::read_slowly(load, &ledger, SLOW).await;
        }
        Abuse::WrongKeys => use_wrong_keys(load, table, ledger).await?,
        Abuse::NotReading => {
            let mut socket = open_socket(load, table, Buffers::Small).await?;
            let hello = ClientMessage::Hello { ghinda: VERSION, since: None };
            socket.send(Message::text(hello.text())).await.ok()?;
            let until = Instant::now() + DEAF;
            while Instant::now() < until {
                sleep(Duration::from_secs(2)).await;
                socket.send(Message::text(ClientMessage::Beat.text())).await.ok()?;
            }
        }
    }
    Some(())
}

/// Messages that are none, and then bytes.
async fn send_garbage(load: &MixedLoad, table: &str) -> Option<()> {
    let mut socket = open_socket(load, table, Buffers::Local).await?;
    let hello = ClientMessage::Hello { ghinda: VERSION, since: Some(u64::MAX) };
    socket.send(Message::text(hello.text())).await.ok()?;
    for text in ["", "{", "[]", "{\"type\":\"do\"}", "\u{202e}", "{\"type\":\"do\",\"id\":7}"] {
        socket.send(Message::text(text)).await.ok()?;
    }
    socket.send(Message::binary(vec![0xff; 100])).await.ok()?;
    while let Some(Ok(_)) = socket.next().await {}
    Some(())
}

/// More messages than a connection may send.
async fn flood(load: &MixedLoad, table: &str) -> Option<()> {
    let mut socket = open_socket(load, table, Buffers::Local).await?;
    let hello = ClientMessage::Hello { ghinda: VERSION, since: None };
    socket.feed(Message::text(hello.text())).await.ok()?;
    for _ in 0..300 {
        socket.feed(Message::text(ClientMessage::Beat.text())).await.ok()?;
    }
    socket.flush().await.ok()?;
    while let Some(Ok(_)) = socket.next().await {}
    Some(())
}

async fn send_huge_bodies(load: &MixedLoad) -> Option<()> {
    for (path, bytes) in [("/api/session", 1 << 20), ("/api/ledgers", 4 << 20)] {
        let request = load.http.post(load.url(path)).header("content-type", "application/json");
        // The server may end the connection before it has read everything.
        let Ok(answer) = request.body(Body::from(vec![b' '; bytes])).send().await else { continue };
        if answer.status().is_client_error() {
            continue;
        }
        // It may also be refused before it is read.
        let answer = UnexpectedAnswer::read(answer).await;
        match answer.quota_refusal() {
            Some(refused) => load.count(refused),
            None => {
                load.fault("a huge body was not refused", &format!("{path}: {}", answer.status))
            }
        }
    }
    Some(())
}

/// Keys and tokens that were made up open nothing.
async fn use_wrong_keys(load: &MixedLoad, table: &str, ledger: Option<String>) -> Option<()> {
    let guest = load.guest().await?;
    let enter = load.http.post(load.url(&format!("/api/tables/{table}/enter")));
    let enter = enter.bearer_auth(&guest.token).json(&json!({ "key": "0".repeat(32) }));
    load.request(enter, &[403, 429]).await?;
    let me = load.http.get(load.url("/api/me")).bearer_auth("f".repeat(64));
    load.request(me, &[401]).await?;
    let path = format!("/api/ledgers/{}/socket", ledger?);
    let mut socket = web_socket(load, &path, None, Buffers::Local).await?;
    let hello = LedgerClientMessage::Hello {
        ghinda: VERSION,
        since: 0,
        role: Some("organiser".into()),
        key: Some("0".repeat(32)),
    };
    socket.send(Message::text(hello.text())).await.ok()?;
    let prepare = LedgerClientMessage::Do { id: "x".into(), what: LedgerCommand::Prepare };
    socket.send(Message::text(prepare.text())).await.ok()?;
    while let Some(Ok(frame)) = socket.next().await {
        let text = frame.to_text().unwrap_or_default();
        if text.contains("\"done\"") {
            load.fault("a wrong key was accepted", &path);
        }
        if text.contains("\"refused\"") {
            break;
        }
    }
    Some(())
}

/// How large the buffers of a connection are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Buffers {
    /// As the system of a machine has them for its own connections.
    Local,
    /// As small as on a slow network: what the client does not read waits at the server.
    Small,
}

/// The segments of most networks, in bytes.
const SEGMENT: u32 = 1_400;
/// What the system receives before the client reads it, in bytes.
const RECEIVED: u32 = 4 << 10;

/// A connection.
pub(super) async fn connect(load: &MixedLoad, buffers: Buffers) -> Option<TcpStream> {
    let address: SocketAddr = tokio::net::lookup_host(&load.host).await.ok()?.next()?;
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() };
    let socket = socket.ok()?;
    if buffers == Buffers::Small {
        socket.set_recv_buffer_size(RECEIVED).ok()?;
        SockRef::from(&socket).set_tcp_mss(SEGMENT).ok()?;
    }
    socket.connect(address).await.ok()
}

/// A WebSocket to a table, as a new guest.
async fn open_socket(
    load: &MixedLoad,
    table: &str,
    buffers: Buffers,
) -> Option<WebSocketStream<TcpStream>> {
    let guest = load.guest().await?;
    let path = format!("/api/tables/{table}/socket");
    web_socket(load, &path, Some(guest.token), buffers).await
}

pub(super) async fn web_socket(
    load: &MixedLoad,
    path: &str,
    token: Option<String>,
    buffers: Buffers,
) -> Option<WebSocketStream<TcpStream>> {
    let mut request = load.socket_url(path).into_client_request().ok()?;
    if let Some(token) = token {
        let bearer = format!("Bearer {token}").parse().ok()?;
        request.headers_mut().insert("authorization", bearer);
    }
    let stream = connect(load, buffers).await?;
    client_async(request, stream).await.ok().map(|(socket, _)| socket)
}
