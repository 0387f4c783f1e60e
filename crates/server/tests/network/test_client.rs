//! A client with a real WebSocket, and the mirror that real clients use.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
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

/// How long an answer may take before a test gives up.
const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

pub(crate) struct TestClient {
    address: String,
    token: String,
    table: String,
    key: String,
    socket: Option<Socket>,
    replica: TableReplica,
    /// What was answered: the version, or why not.
    answers: Vec<(String, Result<u64, Option<RefusalReason>>)>,
    bye: Option<CloseReason>,
    /// Whether everything is known since the last hello.
    arrived: bool,
}

impl TestClient {
    pub(crate) fn new(address: String, token: String) -> TestClient {
        let replica = TableReplica::new(&token[..6]);
        let (table, key) = (String::new(), String::new());
        let (answers, arrived) = (Vec::new(), false);
        TestClient {
            address,
            token,
            table,
            key,
            socket: None,
            replica,
            answers,
            bye: None,
            arrived,
        }
    }

    /// The same person on another connection.
    pub(crate) fn again(&self) -> TestClient {
        TestClient::new(self.address.clone(), self.token.clone())
    }

    pub(crate) fn token(&self) -> &str {
        &self.token
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

    /// Opens a table and says its name.
    pub(crate) async fn open(&mut self, rules: &str, listed: bool) -> String {
        let body = json!({ "rules": rules, "listed": listed });
        let opened: Value = self.post("/api/tables", body).await.json().await.expect("JSON");
        self.key = opened["key"].as_str().expect("a key").to_owned();
        opened["table"].as_str().expect("a table").to_owned()
    }

    pub(crate) async fn enter(&self, table: &str, key: &str) -> u16 {
        let path = format!("/api/tables/{table}/enter");
        self.post(&path, json!({ "key": key })).await.status().as_u16()
    }

    /// A connection, or the status with which it is refused.
    pub(crate) async fn socket(&self, table: &str) -> Result<Socket, u16> {
        self.socket_from(table, None).await
    }

    /// The same, as a page of some site would ask for it.
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
    pub(crate) async fn come(&mut self, table: &str) {
        self.try_to_come(table).await.expect("let in");
    }

    pub(crate) async fn try_to_come(&mut self, table: &str) -> Result<(), Option<CloseReason>> {
        self.connect(table).await;
        let hello = self.replica.hello();
        self.send(&hello).await;
        self.arrived = false;
        while !self.arrived {
            if self.next().await.is_none() {
                return Err(self.bye);
            }
        }
        let unanswered: Vec<ClientMessage> = self.replica.unanswered().collect();
        for message in unanswered {
            self.send(&message).await;
        }
        Ok(())
    }

    /// Comes back to the same table, perhaps on another server.
    pub(crate) async fn come_back(&mut self, server: &TestServer) {
        self.address = server.address.clone();
        let table = self.table.clone();
        self.come(&table).await;
    }

    /// Ends the connection without a word.
    pub(crate) fn hang_up(&mut self) {
        self.socket = None;
    }

    /// Says something instead of a hello, and hears why it ends.
    pub(crate) async fn try_hello(&mut self, table: &str, text: &str) -> Option<CloseReason> {
        self.connect(table).await;
        self.send_text(text).await;
        self.farewell().await
    }

    async fn send(&mut self, message: &ClientMessage) {
        self.send_text(&message.text()).await;
    }

    pub(crate) async fn send_text(&mut self, text: &str) {
        let socket = self.socket.as_mut().expect("connected");
        // A server that has hung up will be noticed when we listen.
        let _ = socket.send(Message::text(text)).await;
    }

    /// The next message; nothing at the end of the connection.
    pub(crate) async fn next(&mut self) -> Option<ServerMessage> {
        loop {
            let socket = self.socket.as_mut()?;
            let frame = timeout(PATIENCE, socket.next()).await.expect("an answer in time");
            match frame {
                Some(Ok(Message::Text(text))) => return Some(self.hear(text.as_str())),
                Some(Ok(Message::Close(_)) | Err(_)) | None => {
                    self.socket = None;
                    return None;
                }
                Some(Ok(_)) => {}
            }
        }
    }

    /// The next message that answers something.
    pub(crate) async fn next_answer(&mut self) -> Option<ServerMessage> {
        loop {
            match self.next().await {
                Some(ServerMessage::Present { .. } | ServerMessage::Update(_)) => {}
                other => return other,
            }
        }
    }

    fn hear(&mut self, text: &str) -> ServerMessage {
        let message = ServerMessage::read(text).expect("the protocol");
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
        let heard = self.replica.receive(message.clone());
        assert_ne!(heard, TableChange::Lost, "{message:?}");
        self.arrived |= matches!(heard, TableChange::Arrived { .. });
        message
    }

    /// Hears whatever comes within a time.
    pub(crate) async fn listen(&mut self, within: Duration) {
        while let Some(socket) = &mut self.socket {
            match timeout(within, socket.next()).await {
                Err(_) => return,
                Ok(Some(Ok(Message::Text(text)))) => {
                    self.hear(text.as_str());
                }
                Ok(Some(Ok(Message::Close(_)) | Err(Error::ConnectionClosed)) | None) => {
                    self.socket = None;
                }
                Ok(Some(Ok(_))) => {}
                Ok(Some(Err(error))) => panic!("{error}"),
            }
        }
    }

    /// Waits for the end of the connection, and says what it was told.
    pub(crate) async fn farewell(&mut self) -> Option<CloseReason> {
        while self.next().await.is_some() {}
        self.bye
    }

    /// Wishes something, and returns its id and the message.
    pub(crate) async fn wish_text(&mut self, what: TableCommand) -> (String, String) {
        let message = self.replica.command(what);
        let ClientMessage::Do { id, .. } = &message else { unreachable!("a wish") };
        let (id, text) = (id.clone(), message.text());
        self.send_text(&text).await;
        (id, text)
    }

    /// The answer to a wish: the version in which it was done, or why not.
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

    pub(crate) async fn try_wish(
        &mut self,
        what: TableCommand,
    ) -> Result<u64, Option<RefusalReason>> {
        let (id, _) = self.wish_text(what).await;
        self.answer(&id).await
    }

    pub(crate) async fn command(&mut self, what: TableCommand) {
        let done = self.try_wish(what.clone()).await;
        assert!(done.is_ok(), "{what:?}: {done:?}");
    }

    /// What the match asks for: the first thing that breaks no duty and accuses nobody.
    fn idea(&self) -> Option<TableCommand> {
        match self.replica.asked()? {
            Prompt::Act => self.replica.act(*self.replica.view()?.lawful_actions().first()?),
            Prompt::Ready => Some(TableCommand::Ready),
            Prompt::Rematch => None,
        }
    }

    /// Does what the match asks for.
    pub(crate) async fn act(&mut self) {
        let Some(what) = self.idea().filter(|_| self.replica.is_settled()) else { return };
        let (id, _) = self.wish_text(what).await;
        // Somebody may have been faster; the answer tells.
        let _ = self.answer(&id).await;
    }
}
