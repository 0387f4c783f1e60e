//! WebSockets: they pass messages between a client and its table or ledger. A connection that is silent,
//! sends too much or reads too slowly is ended.

mod bounded_socket;
mod frames;
pub(super) mod ledger;
pub(super) mod table;
mod upgrade;

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use tokio::time::error::Elapsed;
use tokio::time::{Instant, sleep_until, timeout};
use tokio_tungstenite::tungstenite::error::ProtocolError;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::{Error as SocketError, Message, Utf8Bytes};
use wire::table::{CloseReason, ServerMessage};

use super::connection_limits::Permit;
use super::session_connections::SessionConnection;
use crate::outbox::{OutboxReceiver, Outgoing};
use bounded_socket::BoundedSocket;

/// How many messages may wait for a client that reads slowly.
const OUTBOX_CAPACITY: usize = 64;
/// How long a client may take to send its hello.
const HELLO_TIMEOUT: Duration = Duration::from_secs(10);
/// After this silence the client gets a ping.
const PING_AFTER: Duration = Duration::from_secs(45);
/// How long it may take to answer the ping.
const PONG_TIMEOUT: Duration = Duration::from_secs(20);
/// How long a client may take to close the connection after the close frame.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);

/// What a handler returns for a message.
enum Received {
    /// It was passed on.
    Continue,
    /// An answer that is sent at once.
    Answer(String),
    /// It is not a message of the protocol; this error is sent.
    Garbled(String),
    /// The connection ends.
    End(CloseReason),
}

/// Handles the messages of a client.
trait MessageHandler: Send {
    /// Handles a message. `in_time` is false if the client sends too many.
    fn on_message(&mut self, text: &str, in_time: bool) -> impl Future<Output = Received> + Send;
}

/// What to do after a message.
enum AfterMessage {
    Continue,
    End(CloseReason),
    /// The client is gone.
    Gone,
}

/// A connection to a client.
struct Connection {
    socket: BoundedSocket,
    /// The session with which the connection ends.
    session: Option<SessionConnection>,
    /// How long the network may take to accept a message.
    write_timeout: Duration,
    _permit: Permit,
}

impl Connection {
    /// Waits for the first message.
    async fn first_message(&mut self) -> Result<Utf8Bytes, Option<CloseReason>> {
        match timeout(HELLO_TIMEOUT, self.socket.recv()).await {
            Err(_) => Err(Some(CloseReason::Silent)),
            Ok(Some(Ok(Message::Text(text)))) => Ok(text),
            Ok(Some(Err(error))) => Err(close_reason(&error)),
            Ok(None | Some(Ok(Message::Close(_)))) => Err(None),
            Ok(Some(Ok(_))) => Err(Some(CloseReason::Garbled)),
        }
    }

    /// Passes messages both ways until one side ends the connection.
    async fn run(
        &mut self,
        mut outgoing: OutboxReceiver,
        handler: &mut impl MessageHandler,
        messages_a_second: u32,
    ) -> Option<CloseReason> {
        let rate_limiter = rate_limiter(messages_a_second);
        let mut last_received = Instant::now();
        let mut pinged = false;
        loop {
            let deadline =
                last_received + PING_AFTER + if pinged { PONG_TIMEOUT } else { Duration::ZERO };
            let session = &self.session;
            let ended = async move {
                match session {
                    Some(session) => session.ended().await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                outgoing = outgoing.recv() => match outgoing {
                    // It counts among those that wait until it is sent.
                    Ok(Outgoing::Text(text)) => {
                        if self.send(Bytes::from_owner(text)).await.is_err() {
                            return None;
                        }
                    }
                    Ok(Outgoing::Shared(text)) => {
                        if self.send(shared_text(text)).await.is_err() {
                            return None;
                        }
                    }
                    Ok(Outgoing::Close(why)) => return Some(why),
                    // The task has dropped the outbox, because it was full.
                    Err(_) => return Some(CloseReason::TooSlow),
                },
                incoming = self.socket.recv() => {
                    (last_received, pinged) = (Instant::now(), false);
                    match self.receive(incoming, handler, &rate_limiter).await {
                        AfterMessage::Continue => {}
                        AfterMessage::End(why) => return Some(why),
                        AfterMessage::Gone => return None,
                    }
                }
                () = ended => return Some(CloseReason::Revoked),
                () = sleep_until(deadline) => {
                    if pinged {
                        return Some(CloseReason::Silent);
                    }
                    pinged = true;
                    if self.send_frame(Message::Ping(Default::default())).await.is_err() {
                        return None;
                    }
                }
            }
        }
    }

    async fn receive(
        &mut self,
        incoming: Option<Result<Message, SocketError>>,
        handler: &mut impl MessageHandler,
        rate_limiter: &DefaultDirectRateLimiter,
    ) -> AfterMessage {
        let text = match incoming {
            Some(Ok(Message::Text(text))) => text,
            // The protocol answers each, so their rate is limited too.
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => {
                return if rate_limiter.check().is_ok() {
                    AfterMessage::Continue
                } else {
                    AfterMessage::End(CloseReason::TooMuch)
                };
            }
            Some(Ok(Message::Binary(_) | Message::Frame(_))) => {
                return AfterMessage::End(CloseReason::Garbled);
            }
            Some(Err(error)) => {
                return close_reason(&error).map_or(AfterMessage::Gone, AfterMessage::End);
            }
            Some(Ok(Message::Close(_))) | None => return AfterMessage::Gone,
        };
        metrics::counter!("ghinda_messages_total").increment(1);
        let in_time = rate_limiter.check().is_ok();
        let answer = match handler.on_message(text.as_str(), in_time).await {
            Received::Continue => return AfterMessage::Continue,
            Received::End(why) => return AfterMessage::End(why),
            Received::Answer(answer) => answer,
            Received::Garbled(error) => {
                metrics::counter!("ghinda_garbled_total").increment(1);
                if !in_time {
                    return AfterMessage::End(CloseReason::TooMuch);
                }
                error
            }
        };
        match self.send(answer).await {
            Ok(()) => AfterMessage::Continue,
            Err(()) => AfterMessage::Gone,
        }
    }

    /// Passes a text to the network.
    async fn send(&mut self, text: impl Into<Bytes>) -> Result<(), ()> {
        let sent = timeout(self.write_timeout, self.socket.send_text(text.into())).await;
        in_time(sent)
    }

    /// Passes a ping or a close to the network.
    async fn send_frame(&mut self, frame: Message) -> Result<(), ()> {
        in_time(timeout(self.write_timeout, self.socket.send(frame)).await)
    }

    /// Ends the connection. Sends the reason, if there is one.
    async fn end(&mut self, why: Option<CloseReason>) {
        let Some(why) = why else { return };
        metrics::counter!("ghinda_closed_connections_total", "why" => format!("{why:?}"))
            .increment(1);
        // The message is the same in both protocols.
        let _ = self.send(ServerMessage::Bye { why }.text()).await;
        let reason = Utf8Bytes::from_static("");
        let frame = CloseFrame { code: why.code().into(), reason };
        let _ = self.send_frame(Message::Close(Some(frame))).await;
        // If we closed while the client is still sending, it could lose these messages.
        let closed = async {
            loop {
                match self.socket.recv().await {
                    Some(Ok(_)) => {}
                    None => return,
                    Some(Err(error)) => match close_reason(&error) {
                        None => return,
                        // Its messages cannot be read any more, but it may still be reading.
                        Some(_) => std::future::pending().await,
                    },
                }
            }
        };
        let _ = timeout(CLOSE_TIMEOUT, closed).await;
    }
}

/// Whether the network has accepted what was sent, in time.
fn in_time(sent: Result<Result<(), SocketError>, Elapsed>) -> Result<(), ()> {
    match sent {
        Ok(sent) => sent.map_err(drop),
        Err(_) => {
            metrics::counter!("ghinda_slow_clients_total").increment(1);
            Err(())
        }
    }
}

/// A text that other connections may send too, without a copy.
fn shared_text(text: Arc<String>) -> Bytes {
    /// Gives the bytes of the text.
    struct TextBytes(Arc<String>);

    impl AsRef<[u8]> for TextBytes {
        fn as_ref(&self) -> &[u8] {
            self.0.as_bytes()
        }
    }

    Bytes::from_owner(TextBytes(text))
}

/// The reason to close after an error of the protocol. Returns None if the client is gone.
fn close_reason(error: &SocketError) -> Option<CloseReason> {
    match error {
        SocketError::Protocol(ProtocolError::ResetWithoutClosingHandshake) => None,
        SocketError::Capacity(_) => Some(CloseReason::TooMuch),
        SocketError::Protocol(_) | SocketError::Utf8(_) => Some(CloseReason::Garbled),
        _ => None,
    }
}

fn rate_limiter(a_second: u32) -> DefaultDirectRateLimiter {
    let a_second = NonZeroU32::new(a_second).unwrap_or(NonZeroU32::MIN);
    let burst = NonZeroU32::new(a_second.get().saturating_mul(2)).unwrap_or(a_second);
    RateLimiter::direct(Quota::per_second(a_second).allow_burst(burst))
}
