//! A client with a real WebSocket, and the replica and the conversation of real clients. It records every message, so
//! that the messages can be compared with the log afterwards.

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use game::deal::RandomStream;
use game::{Action, View};
use replica::table::{Prompt, TableChange, TableReplica};
use replica::{Conversation, Replica};
use store::PlayerId;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::handshake::client::Request;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};
use wire::table::{
    ClientMessage, CloseReason, RefusalReason, ServerMessage, TableCommand, TableStage, Update,
};

/// How long an answer may take before a test fails.
pub(crate) const TIME_LIMIT: Duration = Duration::from_secs(60);

/// How long a client waits that was too fast.
const RETRY_DELAY: Duration = Duration::from_millis(50);

pub(crate) type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// Why a client is not connected.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ConnectError {
    /// The server answered the request with this status.
    Refused(u16),
    /// The server does not answer.
    Unreachable,
}

/// The messages of a client.
#[derive(Default)]
pub(crate) struct Notes {
    /// The acknowledged commands, and their versions.
    pub(crate) done: Vec<(String, u64)>,
    /// The refused commands.
    pub(crate) refused: Vec<(String, RefusalReason)>,
    /// How often each command was sent.
    pub(crate) sent: BTreeMap<String, u32>,
    /// The text of each command.
    pub(crate) commands: BTreeMap<String, String>,
    /// Every update, in order.
    pub(crate) updates: Vec<Update>,
    /// Every text, with the version after it.
    pub(crate) texts: Vec<(u64, String)>,
}

pub(crate) struct TestClient {
    pub(crate) address: String,
    pub(crate) token: String,
    pub(crate) player: PlayerId,
    pub(crate) table: String,
    pub(crate) replica: TableReplica,
    pub(crate) notes: Notes,
    conversation: Conversation<CloseReason>,
    /// The reason that the server sent at the end of the last connection.
    pub(crate) bye: Option<CloseReason>,
    /// The close code of the last connection.
    pub(crate) code: Option<u16>,
    socket: Option<Socket>,
}

impl TestClient {
    pub(crate) fn new(address: String, token: String, player: PlayerId) -> TestClient {
        TestClient {
            replica: TableReplica::new(&token[..6]),
            address,
            token,
            player,
            table: String::new(),
            notes: Notes::default(),
            conversation: Conversation::default(),
            bye: None,
            code: None,
            socket: None,
        }
    }

    /// Another client of the same player.
    pub(crate) fn second_client(&self) -> TestClient {
        let mut again = TestClient::new(self.address.clone(), self.token.clone(), self.player);
        again.replica = TableReplica::new(&self.token[6..12]);
        again.table.clone_from(&self.table);
        again
    }

    pub(crate) fn version(&self) -> u64 {
        self.replica.version().unwrap_or_default()
    }

    pub(crate) fn stage(&self) -> Option<TableStage> {
        self.replica.state().map(|state| state.stage)
    }

    pub(crate) fn is_connected(&self) -> bool {
        self.socket.is_some()
    }

    /// A request to connect to a table.
    pub(crate) fn request(&self, table: &str) -> Request {
        let url = format!("ws://{}/api/tables/{table}/socket", self.address);
        let mut request = url.into_client_request().expect("a request");
        let bearer = format!("Bearer {}", self.token).parse().expect("a header");
        request.headers_mut().insert("authorization", bearer);
        request
    }

    /// Connects without a hello.
    pub(crate) async fn connect(&mut self) -> Result<(), ConnectError> {
        let request = self.request(&self.table);
        // Small buffers: there are thousands of clients.
        let config =
            WebSocketConfig::default().read_buffer_size(2 << 10).write_buffer_size(1 << 10);
        let connecting = connect_async_with_config(request, Some(config), true);
        match timeout(TIME_LIMIT, connecting).await {
            Ok(Ok((socket, _))) => self.socket = Some(socket),
            Ok(Err(Error::Http(answer))) => {
                return Err(ConnectError::Refused(answer.status().as_u16()));
            }
            Ok(Err(_)) | Err(_) => return Err(ConnectError::Unreachable),
        }
        (self.bye, self.code) = (None, None);
        // The clock of the conversation stands still: tests have time limits of their own. The caller
        // sends the hello, perhaps an odd one.
        let _ = self.conversation.connected(&self.replica, 0);
        Ok(())
    }

    /// Connects and sends a hello.
    pub(crate) async fn connect_with_hello(&mut self) -> Result<(), ConnectError> {
        self.connect().await?;
        self.send_text(&self.replica.hello().text()).await;
        Ok(())
    }

    /// Connects to a table and waits until the replica is up to date.
    pub(crate) async fn join(&mut self, table: &str) {
        self.table = table.into();
        self.connect_with_hello().await.expect("connected");
        self.wait_until_synced().await;
    }

    /// Whether the replica is up to date since the last hello.
    pub(crate) fn is_synced(&self) -> bool {
        self.conversation.is_live()
    }

    /// Waits until the replica is up to date.
    pub(crate) async fn wait_until_synced(&mut self) {
        while !self.is_synced() {
            let message = self.next().await;
            assert!(message.is_some(), "disconnected: {:?} {:?}", self.bye, self.code);
        }
    }

    pub(crate) fn disconnect(&mut self) {
        self.socket = None;
        self.conversation.disconnected(0);
    }

    pub(crate) async fn send_text(&mut self, text: &str) {
        self.send_frame(Message::text(text)).await;
    }

    pub(crate) async fn send_frame(&mut self, frame: Message) {
        // A closed connection is noticed when the client listens.
        if let Some(socket) = &mut self.socket {
            let _ = timeout(TIME_LIMIT, socket.send(frame)).await;
        }
    }

    async fn send_noted(&mut self, message: &ClientMessage) {
        if let ClientMessage::Do { id, .. } = message {
            *self.notes.sent.entry(id.clone()).or_default() += 1;
            self.notes.commands.insert(id.clone(), message.text());
        }
        self.send_text(&message.text()).await;
    }

    /// The next message; None at the end of the connection.
    pub(crate) async fn next(&mut self) -> Option<ServerMessage> {
        loop {
            let socket = self.socket.as_mut()?;
            let frame = timeout(TIME_LIMIT, socket.next()).await.expect("an answer in time");
            if let Some(message) = self.frame(frame).await {
                return Some(message);
            }
        }
    }

    /// Waits for one frame, at most this long.
    pub(crate) async fn listen(&mut self, within: Duration) {
        let Some(socket) = &mut self.socket else { return };
        if let Ok(frame) = timeout(within, socket.next()).await {
            self.frame(frame).await;
        }
    }

    async fn frame(&mut self, frame: Option<Result<Message, Error>>) -> Option<ServerMessage> {
        match frame {
            Some(Ok(Message::Text(text))) => return Some(self.receive(text.as_str()).await),
            Some(Ok(Message::Close(close))) => {
                self.code = close.map(|close| close.code.into());
                self.disconnect();
            }
            Some(Err(_)) | None => self.disconnect(),
            Some(Ok(_)) => {}
        }
        None
    }

    async fn receive(&mut self, text: &str) -> ServerMessage {
        let message = ServerMessage::read(text).expect("the protocol");
        match &message {
            ServerMessage::Done { id, version } => self.notes.done.push((id.clone(), *version)),
            ServerMessage::Update(update) => {
                let done = update.done.iter().map(|id| (id.clone(), update.version));
                self.notes.done.extend(done);
                self.notes.updates.push(update.clone());
            }
            ServerMessage::Refused { id, refusal } => {
                self.notes.refused.push((id.clone(), refusal.reason));
            }
            ServerMessage::Snapshot(shown) => {
                assert!(shown.version >= self.version(), "the version goes back: {text}");
            }
            ServerMessage::Bye { why } => self.bye = Some(*why),
            _ => {}
        }
        let step = self.conversation.receive(&mut self.replica, message.clone(), 0);
        self.notes.texts.push((self.version(), text.to_owned()));
        assert_ne!(step.change, TableChange::Gap, "the update does not apply: {text}");
        for message in &step.send {
            self.send_noted(message).await;
        }
        message
    }

    /// Waits for the end of the connection, and returns its reason.
    pub(crate) async fn wait_for_close(&mut self) -> Option<CloseReason> {
        while self.next().await.is_some() {}
        self.bye
    }

    /// Sends a command, and returns its id and the message.
    pub(crate) async fn send_command(&mut self, what: TableCommand) -> (String, String) {
        let (id, message) = self.conversation.command(&mut self.replica, what);
        let message = message.expect("the replica is up to date");
        self.send_noted(&message).await;
        (id, message.text())
    }

    /// The answer to a command: its version, or the refusal.
    pub(crate) async fn answer(&mut self, id: &str) -> Result<u64, Option<RefusalReason>> {
        loop {
            if let Some((_, version)) = self.notes.done.iter().rfind(|(done, _)| done == id) {
                return Ok(*version);
            }
            if let Some((_, why)) = self.notes.refused.iter().rfind(|(refused, _)| refused == id) {
                return Err(Some(*why));
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

    #[track_caller]
    pub(crate) fn command(&mut self, what: TableCommand) -> impl Future<Output = u64> {
        let place = std::panic::Location::caller();
        async move {
            let done = self.try_command(what.clone()).await;
            done.unwrap_or_else(|why| panic!("{what:?} at {place}: {why:?} {:?}", self.bye))
        }
    }

    /// Sends a command until it is not refused as too fast.
    pub(crate) async fn try_with_retry(
        &mut self,
        what: TableCommand,
    ) -> Result<u64, Option<RefusalReason>> {
        loop {
            match self.try_command(what.clone()).await {
                Err(Some(RefusalReason::TooFast)) => tokio::time::sleep(RETRY_DELAY).await,
                answer => return answer,
            }
        }
    }

    pub(crate) async fn command_with_retry(&mut self, what: TableCommand) {
        let done = self.try_with_retry(what.clone()).await;
        assert!(done.is_ok(), "{what:?}: {done:?}");
    }

    pub(crate) async fn sit(&mut self, seat: usize) {
        self.command(TableCommand::Sit { seat, name: format!("Guest {seat}") }).await;
    }

    /// Starts the match, with bots on all seats after the first `persons`.
    pub(crate) async fn start_with_bots(&mut self, persons: usize) {
        let places = self.replica.state().expect("a table").seats.len();
        assert!(places >= persons, "{}", self.table);
        for seat in persons + 1..=places {
            self.command(TableCommand::AddBot { seat, level: "easy".into() }).await;
        }
        self.command(TableCommand::Start).await;
    }

    /// The command that the table waits for: the lowest bid or a random card.
    pub(crate) fn next_command(&self, lots: &mut RandomStream) -> Option<TableCommand> {
        match self.replica.prompt()? {
            Prompt::Act => self.replica.act(choose(self.replica.view()?, lots)?),
            Prompt::Ready => Some(TableCommand::Ready),
            Prompt::Rematch => Some(TableCommand::AskForRematch),
        }
    }

    /// Sends the command that the table waits for and waits for the answer. Returns whether there
    /// was one.
    pub(crate) async fn act(&mut self, lots: &mut RandomStream) -> bool {
        if !self.replica.is_settled() || self.stage() != Some(TableStage::Playing) {
            return false;
        }
        let Some(what) = self.next_command(lots) else { return false };
        let answer = self.try_command(what.clone()).await;
        match answer {
            Ok(_) | Err(Some(RefusalReason::TooFast)) => {}
            // A player has left meanwhile, and all others had read the score.
            Err(Some(RefusalReason::NothingToRead)) => {}
            other => panic!("{what:?}: {other:?}"),
        }
        true
    }
}

/// The lowest bid, or a random card that breaks no duty.
fn choose(view: &View, lots: &mut RandomStream) -> Option<Action> {
    let actions = view.lawful_actions();
    let bids = matches!(actions.first(), Some(Action::Bid(_)));
    let count = if bids { 1 } else { actions.len() };
    (count > 0).then(|| actions[lots.below(count)])
}
