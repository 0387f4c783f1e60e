//! A client of a table or a ledger: a real WebSocket, with the replica and the conversation of real
//! clients. It measures the time from every command to its answer.

use std::fmt;
use std::time::Duration;

use anyhow::{Context, Result};
use futures_util::{SinkExt, StreamExt};
use replica::conversation::{ControlSignal, Conversation, Replica, ReplicaProgress, Tick};
use replica::ledger::LedgerReplica;
use replica::table::TableReplica;
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep_until, timeout};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};
use wire::http::Identity;
use wire::ledger::{LedgerClientMessage, LedgerRefusal, LedgerServerMessage};
use wire::table::{ClientMessage, CloseReason, ServerMessage};

use super::TIME_LIMIT;

pub(super) type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// A replica whose messages are texts.
pub(super) trait TextReplica: Replica {
    /// Reads a message of the server.
    fn read(text: &str) -> Result<Self::Incoming, String>;
    /// The text of a message to the server.
    fn text(message: &Self::Outgoing) -> String;
    /// The id of a command.
    fn command_id(message: &Self::Outgoing) -> Option<&str>;
    /// The command that a message answers, and how.
    fn answer(message: &Self::Incoming) -> Option<(&str, Outcome)>;
}

/// How a command was answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Outcome {
    /// It is stored; at a table, as this version.
    Done { version: Option<u64> },
    /// It was refused, for this reason.
    Refused(String),
}

/// The answer to a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Answer {
    pub(super) id: String,
    pub(super) outcome: Outcome,
    /// The time since the client had the command, also while the server was away.
    pub(super) took: Duration,
}

/// What a message of the server led to.
pub(super) struct ClientStep<R: Replica> {
    pub(super) change: R::Change,
    pub(super) answer: Option<Answer>,
}

/// Why a connection ended or could not be opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum LostConnection {
    /// The server does not answer.
    Unreachable,
    /// The server answered the request for a connection with this status.
    Refused(u16),
    /// The connection ended without a reason.
    Broken,
    /// The server gave a reason.
    Closed(CloseReason),
    /// The server was silent for too long.
    Silent,
    /// A message cannot be read, or does not fit what came before.
    Misfit(String),
}

impl fmt::Display for LostConnection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LostConnection::Unreachable => write!(f, "the server does not answer"),
            LostConnection::Refused(status) => write!(f, "a connection was refused with {status}"),
            LostConnection::Broken => write!(f, "a connection broke"),
            LostConnection::Closed(why) => write!(f, "the server closed a connection: {why:?}"),
            LostConnection::Silent => write!(f, "the server is silent"),
            LostConnection::Misfit(text) => write!(f, "a message does not fit: {text}"),
        }
    }
}

impl std::error::Error for LostConnection {}

/// What a client wakes up for.
pub(super) enum Wake {
    /// A frame has come, or the connection has ended.
    Frame(Option<Result<Message, Error>>),
    /// It is time for a beat.
    Tick,
    /// It is time to connect again.
    Connect,
}

/// A client. It connects again by itself, at the times of the conversation.
pub(super) struct LoadClient<R: TextReplica> {
    pub(super) replica: R,
    conversation: Conversation<CloseReason>,
    url: String,
    token: Option<String>,
    socket: Option<Socket>,
    connects_at: Option<Instant>,
    /// The ids of the unanswered commands, and when the client had them.
    unanswered: Vec<(String, Instant)>,
    /// The beginning of the conversation's clock.
    started: Instant,
}

impl<R: TextReplica> LoadClient<R> {
    /// A client that is not connected yet; it connects when it is first waited for.
    pub(super) fn new(replica: R, url: String, token: Option<String>, started: Instant) -> Self {
        LoadClient {
            replica,
            conversation: Conversation::default(),
            url,
            token,
            socket: None,
            connects_at: Some(started),
            unanswered: Vec::new(),
            started,
        }
    }

    /// Milliseconds on the conversation's clock.
    fn now(&self) -> u64 {
        self.started.elapsed().as_millis() as u64
    }

    /// When the oldest unanswered command was given.
    pub(super) fn unanswered_since(&self) -> Option<Instant> {
        self.unanswered.first().map(|(_, since)| *since)
    }

    /// Whether the client knows everything and its commands are sent at once.
    pub(super) fn is_live(&self) -> bool {
        self.conversation.is_live()
    }

    /// Waits for the next thing to [`handle`](LoadClient::handle). It may stop being awaited at any
    /// time. It waits for ever once the conversation has ended.
    pub(super) async fn wait(&mut self) -> Wake {
        let beat = self.conversation.due_at();
        let beat = beat.map(|at| self.started + Duration::from_millis(at));
        let Some(socket) = &mut self.socket else {
            at(self.connects_at).await;
            return Wake::Connect;
        };
        tokio::select! {
            frame = socket.next() => Wake::Frame(frame),
            () = at(beat) => Wake::Tick,
        }
    }

    /// Does what the client woke up for. If the connection is lost, the client opens another one
    /// later, unless the conversation has ended.
    pub(super) async fn handle(
        &mut self,
        wake: Wake,
    ) -> Result<Option<ClientStep<R>>, LostConnection> {
        let handled = match wake {
            Wake::Connect => self.connect().await.map(|()| None),
            Wake::Tick => self.tick().await.map(|()| None),
            Wake::Frame(Some(Ok(Message::Text(text)))) => self.receive(text.as_str()).await,
            Wake::Frame(Some(Ok(Message::Close(_)) | Err(_)) | None) => Err(LostConnection::Broken),
            Wake::Frame(Some(Ok(_))) => Ok(None),
        };
        if handled.is_err() {
            self.disconnect(Duration::ZERO);
        }
        handled
    }

    /// Drops the connection, and connects again after the pause of the conversation and a further one.
    pub(super) fn disconnect(&mut self, pause: Duration) {
        self.socket = None;
        let back = self.conversation.disconnected(self.now());
        self.connects_at = back.map(|at| self.started + Duration::from_millis(at) + pause);
    }

    async fn connect(&mut self) -> Result<(), LostConnection> {
        self.connects_at = None;
        self.socket = Some(connect_to(&self.url, self.token.as_deref()).await?);
        let hello = self.conversation.connected(&self.replica, self.now());
        self.send(&hello).await
    }

    /// Connects and waits until the client knows everything.
    pub(super) async fn join(&mut self) -> Result<(), LostConnection> {
        while !self.is_live() {
            let wake = timeout(TIME_LIMIT, self.wait()).await;
            self.handle(wake.map_err(|_| LostConnection::Silent)?).await?;
        }
        Ok(())
    }

    async fn tick(&mut self) -> Result<(), LostConnection> {
        match self.conversation.tick(self.now()) {
            Tick::Wait => Ok(()),
            Tick::Beat => self.send(&R::beat()).await,
            Tick::Disconnect => Err(LostConnection::Silent),
        }
    }

    async fn send(&mut self, message: &R::Outgoing) -> Result<(), LostConnection> {
        let Some(socket) = &mut self.socket else { return Err(LostConnection::Broken) };
        let sent = timeout(TIME_LIMIT, socket.send(Message::text(R::text(message)))).await;
        sent.map_err(|_| LostConnection::Silent)?.map_err(|_| LostConnection::Broken)
    }

    /// Gives a command: it is sent `times` times, now or once the client knows everything, until it
    /// is answered. Returns its id.
    pub(super) async fn command(
        &mut self,
        what: R::Command,
        times: usize,
    ) -> Result<String, LostConnection> {
        let (id, message) = self.conversation.command(&mut self.replica, what);
        self.unanswered.push((id.clone(), Instant::now()));
        if let Some(message) = message {
            for _ in 0..times {
                let sent = self.send(&message).await;
                if sent.is_err() {
                    self.disconnect(Duration::ZERO);
                    sent?;
                }
            }
        }
        Ok(id)
    }

    async fn receive(&mut self, text: &str) -> Result<Option<ClientStep<R>>, LostConnection> {
        let misfit = || LostConnection::Misfit(text.chars().take(200).collect());
        let message = R::read(text).map_err(|_| misfit())?;
        let bye = match R::signal(&message) {
            ControlSignal::Bye(why) => Some(why),
            ControlSignal::Time(_) | ControlSignal::None => None,
        };
        let answer = R::answer(&message).and_then(|(id, outcome)| {
            let at = self.unanswered.iter().position(|(known, _)| known == id)?;
            let (id, since) = self.unanswered.remove(at);
            Some(Answer { id, outcome, took: since.elapsed() })
        });
        let now = self.now();
        let step = self.conversation.receive(&mut self.replica, message, now);
        match R::progress(&step.change) {
            ReplicaProgress::None => {}
            ReplicaProgress::Synced => {
                // The replica gives up commands that are too old.
                let kept = step.send.iter().filter_map(R::command_id);
                let kept: Vec<&str> = kept.collect();
                self.unanswered.retain(|(id, _)| kept.contains(&id.as_str()));
            }
            ReplicaProgress::Gap | ReplicaProgress::Unreadable => return Err(misfit()),
        }
        for message in &step.send {
            self.send(message).await?;
        }
        match bye {
            Some(why) => Err(LostConnection::Closed(why)),
            None => Ok(Some(ClientStep { change: step.change, answer })),
        }
    }
}

impl TextReplica for TableReplica {
    fn read(text: &str) -> Result<ServerMessage, String> {
        ServerMessage::read(text).map_err(|error| error.to_string())
    }

    fn text(message: &ClientMessage) -> String {
        message.text()
    }

    fn command_id(message: &ClientMessage) -> Option<&str> {
        match message {
            ClientMessage::Do { id, .. } => Some(id),
            ClientMessage::Hello { .. } | ClientMessage::Beat => None,
        }
    }

    fn answer(message: &ServerMessage) -> Option<(&str, Outcome)> {
        match message {
            ServerMessage::Done { id, version } => {
                Some((id, Outcome::Done { version: Some(*version) }))
            }
            ServerMessage::Update(update) => {
                Some((update.done.as_deref()?, Outcome::Done { version: Some(update.version) }))
            }
            ServerMessage::Refused { id, refusal } => {
                Some((id, Outcome::Refused(format!("{:?}", refusal.reason))))
            }
            _ => None,
        }
    }
}

impl TextReplica for LedgerReplica {
    fn read(text: &str) -> Result<LedgerServerMessage, String> {
        LedgerServerMessage::read(text).map_err(|error| error.to_string())
    }

    fn text(message: &LedgerClientMessage) -> String {
        message.text()
    }

    fn command_id(message: &LedgerClientMessage) -> Option<&str> {
        match message {
            LedgerClientMessage::Do { id, .. } => Some(id),
            LedgerClientMessage::Hello { .. } | LedgerClientMessage::Beat => None,
        }
    }

    fn answer(message: &LedgerServerMessage) -> Option<(&str, Outcome)> {
        match message {
            LedgerServerMessage::Done { id } => Some((id, Outcome::Done { version: None })),
            LedgerServerMessage::Refused { id, refusal } => {
                let reason = match refusal {
                    LedgerRefusal::Because(why) => why.name.clone(),
                    other => format!("{other:?}"),
                };
                Some((id, Outcome::Refused(reason)))
            }
            _ => None,
        }
    }
}

/// A player without an account: their token and their id.
#[derive(Clone, Debug)]
pub(super) struct Guest {
    pub(super) token: String,
    pub(super) player: String,
}

impl Guest {
    /// The guest of an answer that begins a session.
    pub(super) async fn read(answer: reqwest::Response) -> Result<Guest> {
        let cookie = answer.headers().get("set-cookie").context("there is no session cookie")?;
        let token = cookie.to_str()?.split(['=', ';']).nth(1);
        let token = token.context("the session cookie has no value")?.to_owned();
        let me: Identity = answer.json().await?;
        Ok(Guest { token, player: me.player })
    }
}

/// A connection, with or without a session token.
pub(super) async fn connect_to(url: &str, token: Option<&str>) -> Result<Socket, LostConnection> {
    let request = url.into_client_request();
    let mut request = request.map_err(|error| LostConnection::Misfit(error.to_string()))?;
    if let Some(token) = token {
        let bearer = format!("Bearer {token}").parse();
        let bearer = bearer.map_err(|_| LostConnection::Misfit("a token".into()))?;
        request.headers_mut().insert("authorization", bearer);
    }
    // With larger buffers, thousands of clients would take more memory than the server.
    let config = tokio_tungstenite::tungstenite::protocol::WebSocketConfig::default()
        .read_buffer_size(2 << 10)
        .write_buffer_size(1 << 10);
    let connecting = connect_async_with_config(request, Some(config), true);
    match timeout(TIME_LIMIT, connecting).await {
        Ok(Ok((socket, _))) => Ok(socket),
        Ok(Err(Error::Http(answer))) => Err(LostConnection::Refused(answer.status().as_u16())),
        Ok(Err(_)) | Err(_) => Err(LostConnection::Unreachable),
    }
}

/// Waits until a moment; for ever without one.
pub(super) async fn at(moment: Option<Instant>) {
    match moment {
        Some(moment) => sleep_until(moment).await,
        None => std::future::pending().await,
    }
}
