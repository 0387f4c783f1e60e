//! What connections hold after large messages: the buffers that these needed are given back.

use server::quotas::{CONNECTION_BYTES, MAX_LEDGER_BYTES};
use server::web::Limits;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use wire::ledger::{LedgerClientMessage, LedgerServerMessage, MAX_BYTES, VERSION};

use super::own_process::{is_alone, resident_mib};
use super::test_server::{TestServer, loose_limits};
use super::unread::padded_sheet;

const CLIENTS: usize = 200;
/// The bytes of the longest line of the sheet.
const LONG_LINE: usize = 200_000;

/// A client that keeps nothing of what it reads and writes.
struct BareClient {
    stream: TcpStream,
}

impl BareClient {
    async fn connect(server: &TestServer, path: &str) -> BareClient {
        let mut stream = TcpStream::connect(&server.address).await.expect("connected");
        stream.set_nodelay(true).expect("a socket");
        let head = format!(
            "GET {path}/socket HTTP/1.1\r\nhost: {}\r\nconnection: keep-alive, Upgrade\r\n\
             upgrade: WebSocket\r\nsec-websocket-version: 13\r\n\
             sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
            server.address
        );
        stream.write_all(head.as_bytes()).await.expect("sent");
        let mut answer = Vec::new();
        while !answer.ends_with(b"\r\n\r\n") {
            answer.push(stream.read_u8().await.expect("an answer"));
        }
        let answer = String::from_utf8(answer).expect("text");
        assert!(answer.starts_with("HTTP/1.1 101 "), "{answer}");
        assert!(answer.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="), "{answer}");
        BareClient { stream }
    }

    /// Sends a text as frames with this many bytes each.
    async fn send(&mut self, text: &str, frame_bytes: usize) {
        let parts: Vec<&[u8]> = text.as_bytes().chunks(frame_bytes).collect();
        for (at, part) in parts.iter().enumerate() {
            let kind = if at == 0 { 1 } else { 0 };
            let is_last = if at + 1 == parts.len() { 0x80 } else { 0 };
            let mut frame = vec![is_last | kind];
            match part.len() {
                0..126 => frame.push(0x80 | part.len() as u8),
                126..0x1_0000 => {
                    frame.push(0x80 | 126);
                    frame.extend((part.len() as u16).to_be_bytes());
                }
                _ => {
                    frame.push(0x80 | 127);
                    frame.extend((part.len() as u64).to_be_bytes());
                }
            }
            // A mask of zeros changes nothing.
            frame.extend([0; 4]);
            frame.extend(*part);
            self.stream.write_all(&frame).await.expect("sent");
        }
    }

    /// The next message.
    async fn receive(&mut self) -> LedgerServerMessage {
        let mut text = Vec::new();
        loop {
            let [first, second] = [self.stream.read_u8().await, self.stream.read_u8().await]
                .map(|byte| byte.expect("a frame"));
            let length = match second {
                126 => self.stream.read_u16().await.expect("a length").into(),
                127 => self.stream.read_u64().await.expect("a length"),
                short => short.into(),
            };
            let end = text.len() + usize::try_from(length).expect("small");
            text.resize(end, 0);
            let at = end - length as usize;
            self.stream.read_exact(&mut text[at..]).await.expect("a frame");
            // A ping may come between messages.
            if first & 0x8 != 0 {
                text.truncate(at);
                continue;
            }
            if first & 0x80 != 0 {
                let text = String::from_utf8(text).expect("text");
                return LedgerServerMessage::read(&text).expect("a message");
            }
        }
    }

    /// Reads all lines, and sends messages as large as they may be, some of them in several frames.
    async fn exchange_large_messages(&mut self) {
        let hello = LedgerClientMessage::Hello { ghinda: VERSION, since: 0, role: None, key: None };
        self.send(&hello.text(), usize::MAX).await;
        assert!(matches!(self.receive().await, LedgerServerMessage::Hello { .. }));
        let mut count = 0;
        while count < 3 {
            match self.receive().await {
                LedgerServerMessage::Lines { lines, .. } => count += lines.len(),
                other => panic!("{other:?}"),
            }
        }
        let beat = r#"{"type":"beat"}"#;
        let long = format!("{beat}{}", " ".repeat(MAX_BYTES - beat.len()));
        for (text, frame_bytes) in [
            (long.as_str(), usize::MAX),
            (beat, usize::MAX),
            (&long, 100_000),
            (beat, 4),
            (beat, 99),
        ] {
            self.send(text, frame_bytes).await;
            let answer = self.receive().await;
            assert!(matches!(answer, LedgerServerMessage::Beat { .. }), "{answer:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_give_back_what_large_messages_needed() {
    if !is_alone("large_messages::connections_give_back_what_large_messages_needed") {
        return;
    }
    const { assert!(2 * LONG_LINE < MAX_LEDGER_BYTES) };
    let limits = Limits { sockets_from_one: 2 * CLIENTS, ..loose_limits() };
    let server = TestServer::with(room::Timings::default(), limits).await;
    let path = format!("/api/ledgers/{}", server.store_ledger(&padded_sheet(LONG_LINE, 2)).await);
    let mut clients = Vec::new();
    // The first need what all share.
    for _ in 0..20 {
        clients.push(BareClient::connect(&server, &path).await);
        clients.last_mut().expect("one").exchange_large_messages().await;
    }
    let before = resident_mib();
    for _ in 0..CLIENTS {
        clients.push(BareClient::connect(&server, &path).await);
        clients.last_mut().expect("one").exchange_large_messages().await;
    }
    let more = (resident_mib().saturating_sub(before) << 20) / CLIENTS;
    println!("{more} bytes for each connection");
    assert!(more as u64 <= CONNECTION_BYTES, "{more} bytes for each connection");
    // They are still served.
    for client in &mut clients {
        client.send(r#"{"type":"beat"}"#, usize::MAX).await;
        assert!(matches!(client.receive().await, LedgerServerMessage::Beat { .. }));
    }
    server.close().await;
}
