//! The messages that `docs/protocol.md` shows, sent over real sockets.
//!
//! Its table is stored with a fixed secret, so that the same cards are dealt every time. What still differs
//! from run to run (tokens, keys, players, times) gets a placeholder. `UPDATE_DOCS=1` writes the document
//! again; otherwise it is compared.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use replica::Replica;
use replica::table::TableReplica;
use room::Timings;
use serde_json::Value;
use test_support::document::Document;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use wire::table::{ServerMessage, TableCommand, TableEvent, TableStage};

use super::play_to_the_end;
use super::test_client::{Socket, TestClient};
use super::test_server::{TestServer, loose_limits};

const ANSWER_TIMEOUT: Duration = Duration::from_secs(20);
/// The table that the document shows.
const TABLE: &str = "7rk2m0q9xw";
/// The time that it shows, and when the clock of the score ends.
const NOW: &str = "1800000000000";
const LATER: &str = "1800000020000";

/// A client whose messages are recorded.
struct RecordedClient {
    socket: Socket,
    replica: TableReplica,
    lines: Vec<String>,
}

impl RecordedClient {
    async fn connect(connection: &TestClient, replica: TableReplica) -> RecordedClient {
        let socket = connection.socket(TABLE).await.expect("connected");
        RecordedClient { socket, replica, lines: Vec::new() }
    }

    async fn send(&mut self, text: &str) {
        self.lines.push(format!("client: {text}"));
        self.socket.send(Message::text(text)).await.expect("sent");
    }

    /// The next message. The end of the connection is recorded too.
    async fn receive(&mut self) -> Option<ServerMessage> {
        let frame = timeout(ANSWER_TIMEOUT, self.socket.next()).await.expect("an answer in time");
        match frame.expect("a frame").expect("no error") {
            Message::Text(text) => {
                self.lines.push(format!("server: {}", without_times(text.as_str())));
                let message =
                    ServerMessage::read(text.as_str()).expect("a message of the protocol");
                self.replica.receive(message.clone());
                Some(message)
            }
            Message::Close(frame) => {
                let code = u16::from(frame.expect("a code").code);
                self.lines.push(format!("        (closed with {code})"));
                None
            }
            other => panic!("{other}"),
        }
    }

    /// Receives everything up to a message.
    async fn receive_until(&mut self, last: impl Fn(&ServerMessage) -> bool) {
        while !last(&self.receive().await.expect("a message")) {}
    }

    /// Receives messages until it is this seat's turn or the deal is over.
    async fn wait_for_turn(&mut self) {
        while self.action().is_none() && !self.is_scored() {
            self.receive().await;
        }
    }

    /// The first legal action.
    fn action(&self) -> Option<String> {
        match self.replica.act(*self.replica.view()?.lawful_actions().first()?)? {
            TableCommand::Act(text) => Some(text),
            _ => None,
        }
    }

    fn is_scored(&self) -> bool {
        self.replica.state().is_some_and(|state| !state.deals.is_empty())
    }

    fn version(&self) -> u64 {
        self.replica.version().expect("a version")
    }
}

fn is_present(message: &ServerMessage) -> bool {
    matches!(message, ServerMessage::Present { .. })
}

/// Whether a message answers the command with this id.
fn answers(message: &ServerMessage, wanted: &str) -> bool {
    match message {
        ServerMessage::Update(update) => update.done.as_deref() == Some(wanted),
        ServerMessage::Done { id, .. } | ServerMessage::Refused { id, .. } => id == wanted,
        _ => false,
    }
}

/// The text with a placeholder for every time.
fn without_times(text: &str) -> String {
    let mut text = text.to_owned();
    for (key, time) in [("time", NOW), ("at", NOW), ("until", LATER)] {
        let key = format!("\"{key}\":");
        let mut from = 0;
        while let Some(at) = text[from..].find(&key) {
            from += at + key.len();
            let digits = text[from..].bytes().take_while(u8::is_ascii_digit).count();
            text.replace_range(from..from + digits, time);
        }
    }
    text
}

/// One request and its answer. Secret fields of the answer get placeholders; their real values are
/// returned too.
async fn request(
    server: &TestServer,
    connection: &TestClient,
    path: &str,
    body: &str,
    placeholders: &[(&str, &str)],
) -> (String, Vec<String>) {
    let sent: Value = serde_json::from_str(body).expect("JSON");
    let answer = server.post(connection, path, sent).await;
    let status = answer.status().as_u16();
    let mut text = answer.text().await.expect("a text");
    let answer: Value = serde_json::from_str(&text).expect("JSON");
    let mut real = Vec::new();
    for (field, placeholder) in placeholders {
        let secret = answer[field].as_str().expect("a field");
        text = text.replace(secret, placeholder);
        real.push(secret.to_owned());
    }
    (format!("POST {path} {body}\n{status} {text}"), real)
}

/// The HTTP requests before the first message.
async fn admit_bot(server: &TestServer) -> (TestClient, String) {
    let person = server.new_player().await;
    let player = [("player", "0ryg3n5h8zk41")];
    let (session, _) = request(server, &person, "/api/session", "{}", &player).await;
    let (body, token) = (r#"{"label":"my bot"}"#, [("token", "5d41…c592")]);
    let (token, real) = request(server, &person, "/api/me/tokens", body, &token).await;
    let bot = TestClient::new(server.address.clone(), real[0].clone());
    let (body, names) =
        (r#"{"rules":"whist3","listed":true}"#, [("table", TABLE), ("key", "9e10…7d0a")]);
    let (table, _) = request(server, &bot, "/api/tables", body, &names).await;
    (bot, block(&[session, String::new(), token, String::new(), table]))
}

/// Seat 1 sits down and bids against bots.
async fn play_bidding(ana: &mut RecordedClient) {
    ana.send(r#"{"type":"hello","ghinda":1}"#).await;
    ana.receive_until(is_present).await;
    ana.send(r#"{"type":"do","id":"a1","what":{"sit":{"seat":1,"name":"Ana"}}}"#).await;
    ana.receive_until(is_present).await;
    ana.send(r#"{"type":"do","id":"a2","what":{"bot":{"seat":2,"level":"hard"}}}"#).await;
    ana.receive_until(|message| answers(message, "a2")).await;
    ana.send(r#"{"type":"do","id":"a3","what":{"word":"banana"}}"#).await;
    ana.receive_until(|message| answers(message, "a3")).await;
    ana.send(r#"{"type":"do","id":"a4","what":"start"}"#).await;
    ana.receive_until(|message| answers(message, "a4")).await;
    ana.wait_for_turn().await;
    ana.send(r#"{"type":"do","id":"a5","what":{"act":"2"}}"#).await;
    ana.receive_until(|message| answers(message, "a5")).await;
    ana.send(r#"{"type":"do","id":"a6","what":{"act":"0"}}"#).await;
    ana.receive_until(|message| answers(message, "a6")).await;
    ana.wait_for_turn().await;
}

/// Seat 1 plays its only card.
async fn play_card(ana: &mut RecordedClient) {
    let card = ana.action().expect("a turn");
    ana.send(&format!(r#"{{"type":"do","id":"a7","what":{{"act":"{card}"}}}}"#)).await;
    ana.receive_until(|message| answers(message, "a7")).await;
    ana.wait_for_turn().await;
    assert!(ana.is_scored());
}

fn block(lines: &[String]) -> String {
    format!("```text\n{}\n```\n", lines.join("\n"))
}

/// The last update of a match, and the one after it.
async fn end_of_match(server: &TestServer) -> String {
    let mut connection = server.new_player().await;
    let table = "0000000001";
    server.store_table(&connection, table, "cruce3-1").await;
    connection.join(table).await;
    connection.command(TableCommand::Sit { seat: 1, name: "Ana".into() }).await;
    connection.command(TableCommand::Start).await;
    let spectator = server.new_player().await;
    let mut socket = spectator.socket(table).await.expect("connected");
    socket.send(Message::text(r#"{"type":"hello","ghinda":1}"#)).await.expect("sent");
    play_to_the_end(std::slice::from_mut(&mut connection)).await;
    let mut lines = Vec::new();
    while lines.len() < 2 {
        let frame = timeout(ANSWER_TIMEOUT, socket.next()).await.expect("an answer in time");
        let Ok(Message::Text(text)) = frame.expect("more to come") else { continue };
        let Ok(ServerMessage::Update(update)) = ServerMessage::read(text.as_str()) else {
            continue;
        };
        let won = update.events.iter().any(|event| matches!(event, TableEvent::Won { .. }));
        if won || !lines.is_empty() {
            // The secret of the next match differs from run to run.
            let text = without_times(text.as_str());
            lines.push(format!("server: {}", without_commitment(&text)));
        }
    }
    assert_eq!(connection.stage(), Some(TableStage::Over));
    let record = server.text(&format!("/api/tables/{table}/matches/1")).await;
    record.parse::<game::record::Record>().expect("a record").verify().expect("a true record");
    block(&lines)
}

/// The text with a placeholder for the commitment of the next match.
fn without_commitment(text: &str) -> String {
    match text.split_once(r#""commitment":""#) {
        Some((before, after)) => format!(r#"{before}"commitment":"6b1f…e02d{}"#, &after[64..]),
        None => text.to_owned(),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_document_shows_the_messages_of_a_table() {
    // The score stands for as long as the exchange takes.
    let timings = Timings { bot_delay: 1, score_time: Some(600_000), ..Timings::default() };
    let server = TestServer::with(timings, loose_limits()).await;
    let (bot, http) = admit_bot(&server).await;
    server.store_table(&bot, TABLE, "whist3").await;

    let mut ana = RecordedClient::connect(&bot, TableReplica::new("a")).await;
    play_bidding(&mut ana).await;
    let stranger = server.new_player().await;
    let mut spectator = RecordedClient::connect(&stranger, TableReplica::new("w")).await;
    spectator.send(r#"{"type":"hello","ghinda":1}"#).await;
    spectator.receive_until(is_present).await;
    let watching = block(&std::mem::take(&mut spectator.lines));
    ana.receive_until(is_present).await;
    play_card(&mut ana).await;
    let deal = block(&std::mem::take(&mut ana.lines));

    // The same command again, a beat, and an unknown message.
    ana.send(r#"{"type":"do","id":"a4","what":"start"}"#).await;
    ana.receive_until(|message| answers(message, "a4")).await;
    ana.send(r#"{"type":"beat"}"#).await;
    ana.receive_until(|message| matches!(message, ServerMessage::Beat { .. })).await;
    ana.send(r#"{"type":"weather","sky":"blue"}"#).await;
    ana.receive_until(|message| matches!(message, ServerMessage::Error { .. })).await;
    let asides = block(&std::mem::take(&mut ana.lines));

    // Ana is disconnected and has missed the last two versions.
    let (since, replica) = (ana.version() - 2, ana.replica.clone());
    drop(ana);
    spectator.receive_until(is_present).await;
    let mut ana = RecordedClient::connect(&bot, replica).await;
    ana.send(&format!(r#"{{"type":"hello","ghinda":1,"since":{since}}}"#)).await;
    ana.receive_until(is_present).await;
    let back = block(&std::mem::take(&mut ana.lines));
    drop(spectator);
    ana.receive_until(is_present).await;
    ana.lines.clear();

    let end = end_of_match(&server).await;
    let closing = tokio::spawn(server.close());
    while ana.receive().await.is_some() {}
    closing.await.expect("closed");
    let bye = block(&ana.lines);

    let mut document = Document::read("docs/protocol.md");
    for (name, text) in [
        ("http", http),
        ("deal", deal),
        ("asides", asides),
        ("watching", watching),
        ("back", back),
        ("end", end),
        ("bye", bye),
    ] {
        document.put(name, &text);
    }
    document.check();
}
