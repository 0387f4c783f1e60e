//! A client with a real WebSocket, and the replica and the conversation of real clients.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use replica::Conversation;
use replica::table::{Prompt, TableChange, TableReplica};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};
use wire::table::{
    ClientMessage, CloseReason, RefusalReason, ServerMessage, TableCommand, TableStage,
};

use super::test_server::TestServer;

/// How long an answer may take before a test fails.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(20);

pub(crate) type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

pub(crate) struct TestClient {
    address: String,
    token: String,
    table: String,
    key: String,
    socket: Option<Socket>,
    replica: TableReplica,
    /// The answers by command id: the version, or the reason of the refusal.
    answers: Vec<(String, Result<u64, Option<RefusalReason>>)>,
    bye: Option<CloseReason>,
    conversation: Conversation<CloseReason>,
}

impl TestClient {
    pub(crate) fn new(address: String, token: String) -> TestClient {
        let replica = TableReplica::new(&token[..6]);
        let (table, key) = (String::new(), String::new());
        TestClient {
            address,
            token,
            table,
            key,
            socket: None,
            replica,
            answers: Vec::new(),
            bye: None,
            conversation: Conversation::default(),
        }
    }

    /// The same player on another connection.
    pub(crate) fn same_player(&self) -> TestClient {
        TestClient::new(self.address.clone(), self.token.clone())
    }

    pub(crate) fn token(&self) -> &str {
        &self.token
    }

    pub(crate) fn set_token(&mut self, token: String) {
        self.token = token;
    }

    pub(crate) fn key(&self) -> &str {
        &self.key
    }

    pub(crate) fn replica(&self) -> &TableReplica {
        &self.replica
    }

    pub(crate) fn stage(&self) -> Option<TableStage> {
        self.replica.state().map(|state| state.stage)
    }

    async fn post(&self, path: &str, body: Value) -> reqwest::Response {
        let url = format!("http://{}{path}", self.address);
        let post = reqwest::Client::new().post(url).bearer_auth(&self.token).json(&body);
        post.send().await.expect("sent")
    }

    /// Opens a table and returns its id.
    pub(crate) async fn open(&mut self, rules: &str, listed: bool) -> String {
        let body = json!({ "rules": rules, "listed": listed });
        let opened: Value = self.post("/api/tables", body).await.json().await.expect("JSON");
        self.key = opened["key"].as_str().expect("a key").to_owned();
        opened["table"].as_str().expect("a table").to_owned()
    }

    pub(crate) async fn admit(&self, table: &str, key: &str) -> u16 {
        let path = format!("/api/tables/{table}/enter");
        self.post(&path, json!({ "key": key })).await.status().as_u16()
    }

    /// A connection, or the status with which it is refused.
    pub(crate) async fn socket(&self, table: &str) -> Result<Socket, u16> {
        self.socket_from(table, None).await
    }

    /// The same, with the origin of a page.
    pub(crate) async fn socket_from(
        &self,
        table: &str,
        origin: Option<&str>,
    ) -> Result<Socket, u16> {
        let url = format!("ws://{}/api/tables/{table}/socket", self.address);
        let mut request = url.into_client_request().expect("a request");
        let bearer = format!("Bearer {}", self.token).parse().expect("a header");
        request.headers_mut().insert("authorization", bearer);
        if let Some(origin) = origin {
            request.headers_mut().insert("origin", origin.parse().expect("a header"));
        }
        match connect_async(request).await {
            Ok((socket, _)) => Ok(socket),
            Err(Error::Http(answer)) => Err(answer.status().as_u16()),
            Err(error) => panic!("{error}"),
        }
    }

    async fn connect(&mut self, table: &str) {
        let socket = self.socket(table).await.expect("connected");
        (self.socket, self.table, self.bye) = (Some(socket), table.into(), None);
    }

    /// Connects and waits until the table is known.
    pub(crate) async fn join(&mut self, table: &str) {
        self.try_join(table).await.expect("admitted");
    }

    pub(crate) async fn try_join(&mut self, table: &str) -> Result<(), Option<CloseReason>> {
        self.connect(table).await;
        // The clock of the conversation stands still: tests have time limits of their own.
        let hello = self.conversation.connected(&self.replica, 0);
        self.send(&hello).await;
        while !self.conversation.is_live() {
            if self.next().await.is_none() {
                return Err(self.bye);
            }
        }
        Ok(())
    }

    /// Uses another server from now on.
    pub(crate) fn moves_to(&mut self, server: &TestServer) {
        self.address = server.address.clone();
    }

    /// Connects to the same table again, perhaps on another server.
    pub(crate) async fn rejoin(&mut self, server: &TestServer) {
        self.moves_to(server);
        let table = self.table.clone();
        self.join(&table).await;
    }

    /// Drops the connection without closing it.
    pub(crate) fn disconnect(&mut self) {
        self.socket = None;
    }

    /// Sends a text instead of a hello, and returns why the server closes the connection.
    pub(crate) async fn try_hello(&mut self, table: &str, text: &str) -> Option<CloseReason> {
        self.connect(table).await;
        self.send_text(text).await;
        self.close_reason().await
    }

    async fn send(&mut self, message: &ClientMessage) {
        self.send_text(&message.text()).await;
    }

    pub(crate) async fn send_text(&mut self, text: &str) {
        let socket = self.socket.as_mut().expect("connected");
        // A closed connection is noticed at the next read.
        let _ = socket.send(Message::text(text)).await;
    }

    /// The next message. Returns `None` at the end of the connection.
    pub(crate) async fn next(&mut self) -> Option<ServerMessage> {
        loop {
            let socket = self.socket.as_mut()?;
            let frame = timeout(ANSWER_TIMEOUT, socket.next()).await.expect("an answer in time");
            match frame {
                Some(Ok(Message::Text(text))) => return Some(self.receive(text.as_str()).await),
                Some(Ok(Message::Close(_)) | Err(_)) | None => {
                    self.socket = None;
                    return None;
                }
                Some(Ok(_)) => {}
            }
        }
    }

    /// The next message that is an answer.
    pub(crate) async fn next_answer(&mut self) -> Option<ServerMessage> {
        loop {
            match self.next().await {
                Some(ServerMessage::Present { .. } | ServerMessage::Update(_)) => {}
                other => return other,
            }
        }
    }

    async fn receive(&mut self, text: &str) -> ServerMessage {
        let message = ServerMessage::read(text).expect("a message of the protocol");
        match &message {
            ServerMessage::Done { id, version } => self.answers.push((id.clone(), Ok(*version))),
            ServerMessage::Update(update) => {
                if let Some(id) = &update.done {
                    self.answers.push((id.clone(), Ok(update.version)));
                }
            }
            ServerMessage::Refused { id, refusal } => {
                self.answers.push((id.clone(), Err(Some(refusal.reason))));
            }
            ServerMessage::Bye { why } => self.bye = Some(*why),
            _ => {}
        }
        let step = self.conversation.receive(&mut self.replica, message.clone(), 0);
        assert_ne!(step.change, TableChange::Gap, "{message:?}");
        for message in &step.send {
            self.send(message).await;
        }
        message
    }

    /// Receives messages for a time.
    pub(crate) async fn receive_for(&mut self, within: Duration) {
        while let Some(socket) = &mut self.socket {
            match timeout(within, socket.next()).await {
                Err(_) => return,
                Ok(Some(Ok(Message::Text(text)))) => {
                    self.receive(text.as_str()).await;
                }
                Ok(Some(Ok(Message::Close(_)) | Err(Error::ConnectionClosed)) | None) => {
                    self.socket = None;
                }
                Ok(Some(Ok(_))) => {}
                Ok(Some(Err(error))) => panic!("{error}"),
            }
        }
    }

    /// Waits for the end of the connection and returns its reason.
    pub(crate) async fn close_reason(&mut self) -> Option<CloseReason> {
        while self.next().await.is_some() {}
        self.bye
    }

    /// Sends a command, and returns its id and the message.
    pub(crate) async fn send_command(&mut self, what: TableCommand) -> (String, String) {
        let (id, message) = self.conversation.command(&mut self.replica, what);
        let text = message.expect("connected").text();
        self.send_text(&text).await;
        (id, text)
    }

    /// The answer to a command: the version in which it was done, or the reason of the refusal.
    pub(crate) async fn answer(&mut self, id: &str) -> Result<u64, Option<RefusalReason>> {
        loop {
            if let Some(at) = self.answers.iter().position(|(known, _)| known == id) {
                return self.answers.remove(at).1;
            }
            if self.next().await.is_none() {
                return Err(None);
            }
        }
    }

    pub(crate) async fn try_command(
        &mut self,
        what: TableCommand,
    ) -> Result<u64, Option<RefusalReason>> {
        let (id, _) = self.send_command(what).await;
        self.answer(&id).await
    }

    pub(crate) async fn command(&mut self, what: TableCommand) {
        let done = self.try_command(what.clone()).await;
        assert!(done.is_ok(), "{what:?}: {done:?}");
    }

    /// The next command of the match: the first action that breaks no rule and challenges no player.
    fn next_command(&self) -> Option<TableCommand> {
        match self.replica.prompt()? {
            Prompt::Act => self.replica.act(*self.replica.view()?.lawful_actions().first()?),
            Prompt::Ready => Some(TableCommand::Ready),
            Prompt::Rematch => None,
        }
    }

    /// Sends the next command of the match.
    pub(crate) async fn act(&mut self) {
        let Some(what) = self.next_command().filter(|_| self.replica.is_settled()) else { return };
        let (id, _) = self.send_command(what).await;
        // Another player may have been faster, so a refusal is fine.
        let _ = self.answer(&id).await;
    }
}
