//! One WebSocket: what a client says goes to its table, what the table says goes to
//! the client, and whoever is silent, too loud or too slow is let go.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use futures_channel::mpsc;
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use room::desk::{GuestId, Letter};
use store::{PlayerId, TableId};
use tokio::time::{Instant, sleep_until, timeout};
use tokio_tungstenite::tungstenite::Error as Broken;
use tokio_tungstenite::tungstenite::error::ProtocolError;
use wire::table::{ClientMessage, Farewell, MOST_BYTES, Reason, ServerMessage, Unread, VERSION};

use super::App;
use super::callers::Caller;
use super::door::PlaceInside;
use super::problem::Problem;
use super::session::{From, Known};
use crate::keeper::{Handle, Newcomer, Outgoing, Post};

/// How many messages may wait for a client that reads slowly.
const OUTBOX: usize = 64;
/// How long a client may take to say hello.
const HELLO: Duration = Duration::from_secs(10);
/// After so much silence the other side is asked whether it is there.
const QUIET: Duration = Duration::from_secs(45);
/// And after so much more it is not.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long a message may take to be handed to the network.
const SENDING: Duration = Duration::from_secs(10);
/// How long somebody may take to hang up after he was told that it ends.
const LINGERS: Duration = Duration::from_secs(1);
/// What the network's buffers hold: messages are short, and there are many connections.
const READ_BUFFER: usize = 256;
const WRITE_BUFFER: usize = 1 << 10;
const MOST_UNSENT: usize = 512 << 10;

/// Lets a client connect to a table.
pub(super) async fn connect(
    State(app): State<Arc<App>>,
    Path(table): Path<String>,
    From(address): From,
    known: Known,
    upgrade: WebSocketUpgrade,
) -> Response {
    let Ok(table) = table.parse::<TableId>() else {
        return Problem::not_found("table").into_response();
    };
    let Some(place) = app.door.enter(address) else {
        return Problem::too_many().into_response();
    };
    let caller = app.callers.enter(known.token.hash(), known.player);
    // The session may have ended before we were told of such things.
    match app.people.find(&known.token).await {
        Ok(Some(session)) if session.player == known.player => {}
        Ok(_) => return Problem::nobody().into_response(),
        Err(error) => return Problem::from(error).into_response(),
    }
    upgrade
        .read_buffer_size(READ_BUFFER)
        .write_buffer_size(WRITE_BUFFER)
        .max_write_buffer_size(MOST_UNSENT)
        .max_message_size(MOST_BYTES)
        .max_frame_size(MOST_BYTES)
        .on_upgrade(move |socket| async move {
            let guest = GuestId(app.guests.fetch_add(1, Ordering::Relaxed));
            let player = known.player;
            let connection =
                Connection { app, table, guest, player, caller, socket, _place: place };
            // A task of its own, and a small one: there are many, and that of the upgrade
            // would keep the room that it needed for HTTP.
            tokio::spawn(run(Box::new(connection), address));
        })
}

async fn run(mut connection: Box<Connection>, address: IpAddr) {
    let (table, guest) = (connection.table, connection.guest);
    tracing::debug!(%table, guest = guest.0, %address, "connected");
    let why = match connection.hello().await {
        Ok(since) => connection.stay(since).await,
        Err(why) => why,
    };
    if let Some(why) = why {
        metrics::counter!("ghinda_farewells_total", "why" => format!("{why:?}")).increment(1);
        connection.farewell(why).await;
    }
}

struct Connection {
    app: Arc<App>,
    table: TableId,
    guest: GuestId,
    player: PlayerId,
    caller: Caller,
    socket: WebSocket,
    _place: PlaceInside,
}

/// What is to be done after a message.
enum Next {
    Go,
    End(Farewell),
    /// The other side is gone.
    Gone,
}

impl Connection {
    /// Waits for the first message.
    async fn hello(&mut self) -> Result<Option<u64>, Option<Farewell>> {
        let first = timeout(HELLO, self.socket.recv()).await;
        let text = match first {
            Err(_) => return Err(Some(Farewell::Silent)),
            Ok(Some(Ok(Message::Text(text)))) => text,
            Ok(Some(Err(error))) => return Err(broken(error)),
            Ok(None | Some(Ok(Message::Close(_)))) => return Err(None),
            Ok(Some(Ok(_))) => return Err(Some(Farewell::Garbled)),
        };
        match ClientMessage::read(text.as_str()) {
            Ok(ClientMessage::Hello { since, .. }) => {
                let hello = ServerMessage::Hello {
                    ghinda: VERSION,
                    server: concat!("ghinda ", env!("CARGO_PKG_VERSION")).into(),
                    time: self.app.hall.clock().now(),
                };
                self.send(hello.text().into()).await.map_err(|()| None)?;
                Ok(since)
            }
            Err(Unread::OtherVersion { .. }) => Err(Some(Farewell::OtherVersion)),
            Ok(_) | Err(_) => Err(Some(Farewell::Garbled)),
        }
    }

    /// Carries messages both ways until one side has had enough.
    async fn stay(&mut self, since: Option<u64>) -> Option<Farewell> {
        let (outbox, mut outgoing) = mpsc::channel(OUTBOX);
        let newcomer = Newcomer { guest: self.guest, player: self.player, since, outbox };
        let came = Post::Came(Box::new(newcomer));
        let table = match self.app.hall.send(self.table, came).await {
            Ok(table) => table,
            Err(crate::hall::NoTable::NotFound) => return Some(Farewell::Closed),
            Err(_) => return Some(Farewell::Unavailable),
        };
        let pace = pace(self.app.settings.limits.messages_a_second);
        let mut heard = Instant::now();
        let mut asked = false;
        let why = loop {
            let deadline = heard + QUIET + if asked { PATIENCE } else { Duration::ZERO };
            tokio::select! {
                outgoing = outgoing.recv() => match outgoing {
                    Ok(Outgoing::Text(text)) => {
                        if self.send(Utf8Bytes::from(&*text)).await.is_err() {
                            break None;
                        }
                    }
                    Ok(Outgoing::Bye(why)) => return Some(why),
                    // The keeper has let us go without a word: we were too slow.
                    Err(_) => return Some(Farewell::TooSlow),
                },
                incoming = self.socket.recv() => {
                    (heard, asked) = (Instant::now(), false);
                    match self.hear(incoming, &table, &pace).await {
                        Next::Go => {}
                        Next::End(why) => break Some(why),
                        Next::Gone => break None,
                    }
                }
                () = self.caller.ended() => break Some(Farewell::Revoked),
                () = sleep_until(deadline) => {
                    if asked {
                        break Some(Farewell::Silent);
                    }
                    asked = true;
                    if self.put(Message::Ping(Default::default())).await.is_err() {
                        break None;
                    }
                }
            }
        };
        let went = Post::Letter(Box::new(Letter::Went { guest: self.guest }));
        // A table that is gone needs not be told.
        let _ = table.send(went).await;
        why
    }

    async fn hear(
        &mut self,
        incoming: Option<Result<Message, axum::Error>>,
        table: &Handle,
        pace: &DefaultDirectRateLimiter,
    ) -> Next {
        let text = match incoming {
            Some(Ok(Message::Text(text))) => text,
            // Each is answered by the protocol, so there may not be many.
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => {
                return if pace.check().is_ok() { Next::Go } else { Next::End(Farewell::TooMuch) };
            }
            Some(Ok(Message::Binary(_))) => return Next::End(Farewell::Garbled),
            Some(Err(error)) => return broken(error).map_or(Next::Gone, Next::End),
            Some(Ok(Message::Close(_))) | None => return Next::Gone,
        };
        metrics::counter!("ghinda_messages_total").increment(1);
        let message = match ClientMessage::read(text.as_str()) {
            Ok(message) => message,
            Err(Unread::OtherVersion { .. }) => return Next::End(Farewell::OtherVersion),
            Err(error) => {
                metrics::counter!("ghinda_garbled_total").increment(1);
                let complaint = ServerMessage::Error { message: error.to_string() };
                return match pace.check() {
                    Ok(()) if self.send(complaint.text().into()).await.is_ok() => Next::Go,
                    Ok(()) => Next::Gone,
                    Err(_) => Next::End(Farewell::TooMuch),
                };
            }
        };
        let in_time = pace.check().is_ok();
        match message {
            ClientMessage::Hello { .. } => Next::End(Farewell::Garbled),
            ClientMessage::Beat => {
                let beat = ServerMessage::Beat { time: self.app.hall.clock().now() };
                match self.send(beat.text().into()).await {
                    Ok(()) if in_time => Next::Go,
                    Ok(()) => Next::End(Farewell::TooMuch),
                    Err(()) => Next::Gone,
                }
            }
            ClientMessage::Do { id, .. } if !in_time => {
                metrics::counter!("ghinda_refused_total").increment(1);
                let refused = ServerMessage::Refused { id, refusal: Reason::TooFast.into() };
                match self.send(refused.text().into()).await {
                    Ok(()) => Next::Go,
                    Err(()) => Next::Gone,
                }
            }
            ClientMessage::Do { id, what } => {
                let letter = Letter::Wishes { guest: self.guest, id, what };
                // A keeper that has given up has told us why, or is about to.
                let _ = table.send(Post::Letter(Box::new(letter))).await;
                Next::Go
            }
        }
    }

    async fn send(&mut self, text: Utf8Bytes) -> Result<(), ()> {
        self.put(Message::Text(text)).await
    }

    /// Hands a frame to the network, which may not take for ever.
    async fn put(&mut self, frame: Message) -> Result<(), ()> {
        match timeout(SENDING, self.socket.send(frame)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) | Err(_) => Err(()),
        }
    }

    async fn farewell(&mut self, why: Farewell) {
        let _ = self.send(ServerMessage::Bye { why }.text().into()).await;
        let reason = Utf8Bytes::from_static("");
        let frame = CloseFrame { code: why.code(), reason };
        let _ = self.put(Message::Close(Some(frame))).await;
        // Hanging up on somebody who is still talking would take these words from him.
        let hangs_up = async {
            loop {
                match self.socket.recv().await {
                    Some(Ok(_)) => {}
                    None => return,
                    Some(Err(error)) => match broken(error) {
                        None => return,
                        // What he says cannot be read any more; he may still listen.
                        Some(_) => std::future::pending().await,
                    },
                }
            }
        };
        let _ = timeout(LINGERS, hangs_up).await;
    }
}

/// What breaking the rules of WebSockets leads to; nothing where the other side is simply gone.
fn broken(error: axum::Error) -> Option<Farewell> {
    match error.into_inner().downcast_ref::<Broken>()? {
        Broken::Protocol(ProtocolError::ResetWithoutClosingHandshake) => None,
        Broken::Capacity(_) => Some(Farewell::TooMuch),
        Broken::Protocol(_) | Broken::Utf8(_) => Some(Farewell::Garbled),
        _ => None,
    }
}

fn pace(a_second: u32) -> DefaultDirectRateLimiter {
    let a_second = NonZeroU32::new(a_second).unwrap_or(NonZeroU32::MIN);
    let burst = NonZeroU32::new(a_second.get().saturating_mul(2)).unwrap_or(a_second);
    RateLimiter::direct(Quota::per_second(a_second).allow_burst(burst))
}
