//! WebSockets: what a client says goes to its table or its ledger, what is said there goes to
//! the client, and whoever is silent, too loud or too slow is let go.

pub(super) mod ledger;
pub(super) mod table;

use std::num::NonZeroU32;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use futures_channel::mpsc;
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use tokio::time::{Instant, sleep_until, timeout};
use tokio_tungstenite::tungstenite::Error as Broken;
use tokio_tungstenite::tungstenite::error::ProtocolError;
use wire::table::{CloseReason, ServerMessage};

use super::connection_limits::Permit;
use super::session_connections::SessionConnection;
use crate::table_task::Outgoing;

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
const MAX_UNSENT: usize = 512 << 10;

/// An upgrade with our limits, and with that of a message.
fn limited(upgrade: WebSocketUpgrade, most_bytes: usize) -> WebSocketUpgrade {
    upgrade
        .read_buffer_size(READ_BUFFER)
        .write_buffer_size(WRITE_BUFFER)
        .max_write_buffer_size(MAX_UNSENT)
        .max_message_size(most_bytes)
        .max_frame_size(most_bytes)
}

/// What a message leads to.
enum Received {
    /// It was passed on.
    Go,
    /// An answer at once.
    Answer(String),
    /// It is no message, and this is said of it.
    Garbled(String),
    /// The end.
    End(CloseReason),
}

/// Whoever understands what a client says.
trait MessageHandler: Send {
    /// Takes a message, which may have come too soon after others.
    fn on_message(&mut self, text: &str, in_time: bool) -> impl Future<Output = Received> + Send;
}

/// What is to be done after a message.
enum AfterMessage {
    Go,
    End(CloseReason),
    /// The other side is gone.
    Gone,
}

/// A connection to a client.
struct Connection {
    socket: WebSocket,
    /// The session whose end is the end of the connection.
    caller: Option<SessionConnection>,
    _place: Permit,
}

impl Connection {
    /// Waits for the first message.
    async fn first(&mut self) -> Result<Utf8Bytes, Option<CloseReason>> {
        match timeout(HELLO, self.socket.recv()).await {
            Err(_) => Err(Some(CloseReason::Silent)),
            Ok(Some(Ok(Message::Text(text)))) => Ok(text),
            Ok(Some(Err(error))) => Err(broken(error)),
            Ok(None | Some(Ok(Message::Close(_)))) => Err(None),
            Ok(Some(Ok(_))) => Err(Some(CloseReason::Garbled)),
        }
    }

    /// Carries messages both ways until one side has had enough.
    async fn carry(
        &mut self,
        mut outgoing: mpsc::Receiver<Outgoing>,
        listener: &mut impl MessageHandler,
        messages_a_second: u32,
    ) -> Option<CloseReason> {
        let pace = pace(messages_a_second);
        let mut heard = Instant::now();
        let mut asked = false;
        loop {
            let deadline = heard + QUIET + if asked { PATIENCE } else { Duration::ZERO };
            let caller = &self.caller;
            let ended = async move {
                match caller {
                    Some(caller) => caller.ended().await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                outgoing = outgoing.recv() => match outgoing {
                    Ok(Outgoing::Text(text)) => {
                        if self.send(Utf8Bytes::from(&*text)).await.is_err() {
                            return None;
                        }
                    }
                    Ok(Outgoing::Close(why)) => return Some(why),
                    // We were let go without a word: we were too slow.
                    Err(_) => return Some(CloseReason::TooSlow),
                },
                incoming = self.socket.recv() => {
                    (heard, asked) = (Instant::now(), false);
                    match self.hear(incoming, listener, &pace).await {
                        AfterMessage::Go => {}
                        AfterMessage::End(why) => return Some(why),
                        AfterMessage::Gone => return None,
                    }
                }
                () = ended => return Some(CloseReason::Revoked),
                () = sleep_until(deadline) => {
                    if asked {
                        return Some(CloseReason::Silent);
                    }
                    asked = true;
                    if self.put(Message::Ping(Default::default())).await.is_err() {
                        return None;
                    }
                }
            }
        }
    }

    async fn hear(
        &mut self,
        incoming: Option<Result<Message, axum::Error>>,
        listener: &mut impl MessageHandler,
        pace: &DefaultDirectRateLimiter,
    ) -> AfterMessage {
        let text = match incoming {
            Some(Ok(Message::Text(text))) => text,
            // Each is answered by the protocol, so there may not be many.
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => {
                return if pace.check().is_ok() {
                    AfterMessage::Go
                } else {
                    AfterMessage::End(CloseReason::TooMuch)
                };
            }
            Some(Ok(Message::Binary(_))) => return AfterMessage::End(CloseReason::Garbled),
            Some(Err(error)) => return broken(error).map_or(AfterMessage::Gone, AfterMessage::End),
            Some(Ok(Message::Close(_))) | None => return AfterMessage::Gone,
        };
        metrics::counter!("ghinda_messages_total").increment(1);
        let in_time = pace.check().is_ok();
        let answer = match listener.on_message(text.as_str(), in_time).await {
            Received::Go => return AfterMessage::Go,
            Received::End(why) => return AfterMessage::End(why),
            Received::Answer(answer) => answer,
            Received::Garbled(complaint) => {
                metrics::counter!("ghinda_garbled_total").increment(1);
                if !in_time {
                    return AfterMessage::End(CloseReason::TooMuch);
                }
                complaint
            }
        };
        match self.send(answer.into()).await {
            Ok(()) => AfterMessage::Go,
            Err(()) => AfterMessage::Gone,
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

    /// Tells the other side why it ends, if it is still there.
    async fn end(&mut self, why: Option<CloseReason>) {
        let Some(why) = why else { return };
        metrics::counter!("ghinda_farewells_total", "why" => format!("{why:?}")).increment(1);
        // Both protocols say it with the same words.
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
fn broken(error: axum::Error) -> Option<CloseReason> {
    match error.into_inner().downcast_ref::<Broken>()? {
        Broken::Protocol(ProtocolError::ResetWithoutClosingHandshake) => None,
        Broken::Capacity(_) => Some(CloseReason::TooMuch),
        Broken::Protocol(_) | Broken::Utf8(_) => Some(CloseReason::Garbled),
        _ => None,
    }
}

fn pace(a_second: u32) -> DefaultDirectRateLimiter {
    let a_second = NonZeroU32::new(a_second).unwrap_or(NonZeroU32::MIN);
    let burst = NonZeroU32::new(a_second.get().saturating_mul(2)).unwrap_or(a_second);
    RateLimiter::direct(Quota::per_second(a_second).allow_burst(burst))
}
