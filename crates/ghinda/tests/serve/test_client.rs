//! A client with a real WebSocket and the mirror that real clients use. It writes down
//! what it is told, so that it can be compared with the log afterwards.

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use game::deal::Lots;
use game::{Action, View};
use replica::table::{Prompt, TableChange, TableReplica};
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

/// How long an answer may take before a test gives up.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// How long somebody waits who was too fast.
const A_MOMENT: Duration = Duration::from_millis(50);

pub(crate) type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// Why somebody is not connected.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NotIn {
    /// The server answered the request with this status.
    Refused(u16),
    /// There is no server, or it went away.
    Nobody,
}

/// What a guest was told.
#[derive(Default)]
pub(crate) struct Notes {
    /// The wishes that were said to be done, and in which version.
    pub(crate) done: Vec<(String, u64)>,
    /// Those that were refused.
    pub(crate) refused: Vec<(String, RefusalReason)>,
    /// How often each was sent.
    pub(crate) sent: BTreeMap<String, u32>,
    /// What each said.
    pub(crate) said: BTreeMap<String, String>,
    /// Every update, as it came.
    pub(crate) updates: Vec<Update>,
    /// Every text, and the version that it tells of or that was known then.
    pub(crate) texts: Vec<(u64, String)>,
}

pub(crate) struct TestClient {
    pub(crate) address: String,
    pub(crate) token: String,
    pub(crate) player: PlayerId,
    pub(crate) table: String,
    pub(crate) replica: TableReplica,
    pub(crate) notes: Notes,
    /// Whether everything is known again since the last hello.
    pub(crate) arrived: bool,
    /// What the server said at the end of the last connection.
    pub(crate) bye: Option<CloseReason>,
    /// And its close code.
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
            arrived: false,
            bye: None,
            code: None,
            socket: None,
        }
    }

    /// The same person with another client.
    pub(crate) fn again(&self) -> TestClient {
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

    /// Connects without a word.
    pub(crate) async fn connect(&mut self) -> Result<(), NotIn> {
        let request = self.request(&self.table);
        // Small buffers: there are thousands of us.
        let config =
            WebSocketConfig::default().read_buffer_size(2 << 10).write_buffer_size(1 << 10);
        let connecting = connect_async_with_config(request, Some(config), true);
        match timeout(PATIENCE, connecting).await {
            Ok(Ok((socket, _))) => self.socket = Some(socket),
            Ok(Err(Error::Http(answer))) => return Err(NotIn::Refused(answer.status().as_u16())),
            Ok(Err(_)) | Err(_) => return Err(NotIn::Nobody),
        }
        (self.arrived, self.bye, self.code) = (false, None, None);
        Ok(())
    }

    /// Connects and says hello.
    pub(crate) async fn knock(&mut self) -> Result<(), NotIn> {
        self.connect().await?;
        let hello = self.replica.hello();
        self.send_text(&hello.text()).await;
        Ok(())
    }

    /// Comes to a table and waits until everything is known.
    pub(crate) async fn come(&mut self, table: &str) {
        self.table = table.into();
        self.knock().await.expect("let in");
        self.arrive().await;
    }

    /// Waits until everything is known.
    pub(crate) async fn arrive(&mut self) {
        while !self.arrived {
            let heard = self.next().await;
            assert!(heard.is_some(), "sent away: {:?} {:?}", self.bye, self.code);
        }
    }

    pub(crate) fn hang_up(&mut self) {
        self.socket = None;
        self.arrived = false;
    }

    pub(crate) async fn send_text(&mut self, text: &str) {
        self.send_frame(Message::text(text)).await;
    }

    pub(crate) async fn send_frame(&mut self, frame: Message) {
        // A server that has hung up is noticed when we listen.
        if let Some(socket) = &mut self.socket {
            let _ = timeout(PATIENCE, socket.send(frame)).await;
        }
    }

    async fn send_wish(&mut self, message: &ClientMessage) {
        if let ClientMessage::Do { id, .. } = message {
            *self.notes.sent.entry(id.clone()).or_default() += 1;
            self.notes.said.insert(id.clone(), message.text());
        }
        self.send_text(&message.text()).await;
    }

    /// The next message; nothing at the end of the connection.
    pub(crate) async fn next(&mut self) -> Option<ServerMessage> {
        loop {
            let socket = self.socket.as_mut()?;
            let frame = timeout(PATIENCE, socket.next()).await.expect("an answer in time");
            if let Some(message) = self.frame(frame).await {
                return Some(message);
            }
        }
    }

    /// Waits for one frame, but no longer than a while.
    pub(crate) async fn listen(&mut self, within: Duration) {
        let Some(socket) = &mut self.socket else { return };
        if let Ok(frame) = timeout(within, socket.next()).await {
            self.frame(frame).await;
        }
    }

    async fn frame(&mut self, frame: Option<Result<Message, Error>>) -> Option<ServerMessage> {
        match frame {
            Some(Ok(Message::Text(text))) => return Some(self.hear(text.as_str()).await),
            Some(Ok(Message::Close(close))) => {
                self.code = close.map(|close| close.code.into());
                self.hang_up();
            }
            Some(Err(_)) | None => self.hang_up(),
            Some(Ok(_)) => {}
        }
        None
    }

    async fn hear(&mut self, text: &str) -> ServerMessage {
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
                assert!(shown.version >= self.version(), "what was shown is taken back: {text}");
            }
            ServerMessage::Bye { why } => self.bye = Some(*why),
            _ => {}
        }
        let heard = self.replica.receive(message.clone());
        self.notes.texts.push((self.version(), text.to_owned()));
        match heard {
            TableChange::Lost => panic!("it does not fit what is known: {text}"),
            TableChange::Arrived { .. } => {
                self.arrived = true;
                let unanswered: Vec<ClientMessage> = self.replica.unanswered().collect();
                for message in &unanswered {
                    self.send_wish(message).await;
                }
            }
            _ => {}
        }
        message
    }

    /// Waits for the end of the connection, and says what it was told.
    pub(crate) async fn farewell(&mut self) -> Option<CloseReason> {
        while self.next().await.is_some() {}
        self.bye
    }

    /// Sends a wish, and returns its id and the message.
    pub(crate) async fn ask(&mut self, what: TableCommand) -> (String, String) {
        let message = self.replica.command(what);
        let ClientMessage::Do { id, .. } = &message else { unreachable!("a wish") };
        self.send_wish(&message).await;
        (id.clone(), message.text())
    }

    /// The answer to a wish: the version in which it was done, or why not.
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

    pub(crate) async fn try_wish(
        &mut self,
        what: TableCommand,
    ) -> Result<u64, Option<RefusalReason>> {
        let (id, _) = self.ask(what).await;
        self.answer(&id).await
    }

    #[track_caller]
    pub(crate) fn command(&mut self, what: TableCommand) -> impl Future<Output = u64> {
        let place = std::panic::Location::caller();
        async move {
            let done = self.try_wish(what.clone()).await;
            done.unwrap_or_else(|why| panic!("{what:?} at {place}: {why:?} {:?}", self.bye))
        }
    }

    /// Wishes something until it is not too fast any more.
    pub(crate) async fn try_patiently(
        &mut self,
        what: TableCommand,
    ) -> Result<u64, Option<RefusalReason>> {
        loop {
            match self.try_wish(what.clone()).await {
                Err(Some(RefusalReason::TooFast)) => tokio::time::sleep(A_MOMENT).await,
                answer => return answer,
            }
        }
    }

    pub(crate) async fn wish_patiently(&mut self, what: TableCommand) {
        let done = self.try_patiently(what.clone()).await;
        assert!(done.is_ok(), "{what:?}: {done:?}");
    }

    pub(crate) async fn sit(&mut self, seat: usize) {
        self.command(TableCommand::Sit { seat, name: format!("Guest {seat}") }).await;
    }

    /// Begins the match, with bots on all seats after the first so many.
    pub(crate) async fn start_with_bots(&mut self, persons: usize) {
        let places = self.replica.state().expect("a table").seats.len();
        assert!(places >= persons, "{}", self.table);
        for seat in persons + 1..=places {
            self.command(TableCommand::Bot { seat, level: "easy".into() }).await;
        }
        self.command(TableCommand::Start).await;
    }

    /// What the game asks of this seat: a low bid and any card.
    pub(crate) fn idea(&self, lots: &mut Lots) -> Option<TableCommand> {
        match self.replica.asked()? {
            Prompt::Act => self.replica.act(chosen(self.replica.view()?, lots)?),
            Prompt::Ready => Some(TableCommand::Ready),
            Prompt::Rematch => Some(TableCommand::Rematch),
        }
    }

    /// Does what the game asks for and waits for the answer. Whether there was anything.
    pub(crate) async fn act(&mut self, lots: &mut Lots) -> bool {
        if !self.replica.is_settled() || self.stage() != Some(TableStage::Playing) {
            return false;
        }
        let Some(what) = self.idea(lots) else { return false };
        let answer = self.try_wish(what.clone()).await;
        match answer {
            Ok(_) | Err(Some(RefusalReason::TooFast)) => {}
            // Somebody has gone meanwhile, and all others had read the score.
            Err(Some(RefusalReason::NothingToRead)) => {}
            other => panic!("{what:?}: {other:?}"),
        }
        true
    }
}

/// The lowest bid, or one of the cards that break no duty.
fn chosen(view: &View, lots: &mut Lots) -> Option<Action> {
    let actions = view.lawful_actions();
    let bids = matches!(actions.first(), Some(Action::Bid(_)));
    let count = if bids { 1 } else { actions.len() };
    (count > 0).then(|| actions[lots.below(count)])
}
