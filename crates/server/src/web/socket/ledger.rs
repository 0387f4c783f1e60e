//! The WebSocket of a ledger.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use futures_channel::mpsc;
use room::desk::GuestId;
use store::TableId;
use wire::contest::parse_role;
use wire::ledger::{ClientMessage, Farewell, MOST_BYTES, Refused, ServerMessage, Unread};

use super::{Connection, Heard, Listener, limited};
use crate::ledger::{Handle, Newcomer, NoLedger, Post};
use crate::web::App;
use crate::web::problem::Problem;
use crate::web::session::From;

/// How many messages may wait for a client that reads slowly: all lines of the largest
/// contest, in messages of a hundred kilobytes.
const OUTBOX: usize = 128;

/// Lets a client connect to a ledger. Nobody has to say who he is: what he may do is a matter of
/// the key in his link.
pub(in crate::web) async fn connect(
    State(app): State<Arc<App>>,
    Path(ledger): Path<String>,
    From(address): From,
    upgrade: WebSocketUpgrade,
) -> Response {
    let Ok(ledger) = ledger.parse::<TableId>() else {
        return Problem::not_found("ledger").into_response();
    };
    let Some(place) = app.door.enter(address) else {
        return Problem::too_many().into_response();
    };
    limited(upgrade, MOST_BYTES).on_upgrade(move |socket| async move {
        let guest = GuestId(app.guests.fetch_add(1, Ordering::Relaxed));
        let connection = Connection { socket, caller: None, _place: place };
        let reader = Box::new(Reader { app, ledger, guest, connection });
        tokio::spawn(run(reader));
    })
}

async fn run(mut reader: Box<Reader>) {
    let why = reader.stay().await;
    reader.connection.end(why).await;
}

/// Somebody who looks at a ledger.
struct Reader {
    app: Arc<App>,
    ledger: TableId,
    guest: GuestId,
    connection: Connection,
}

impl Reader {
    /// Stays until one side has had enough.
    async fn stay(&mut self) -> Option<Farewell> {
        let text = match self.connection.first().await {
            Ok(text) => text,
            Err(why) => return why,
        };
        let (since, role, key) = match ClientMessage::read(text.as_str()) {
            Ok(ClientMessage::Hello { since, role, key, .. }) => (since, role, key),
            Err(Unread::OtherVersion { .. }) => return Some(Farewell::OtherVersion),
            Ok(_) | Err(_) => return Some(Farewell::Garbled),
        };
        // A role that is none and a key that is none open nothing.
        let role = role.and_then(|role| parse_role(&role).ok());
        let asks = role.zip(key.and_then(|key| key.parse().ok()));
        let (outbox, outgoing) = mpsc::channel(OUTBOX);
        let guest = self.guest;
        let newcomer = Newcomer { guest, since, asks, outbox };
        let came = Post::Came(Box::new(newcomer));
        let ledger = match self.app.shelf.send(self.ledger, came).await {
            Ok(ledger) => ledger,
            Err(NoLedger::NotFound) => return Some(Farewell::Closed),
            Err(error) => {
                tracing::error!(ledger = %self.ledger, %error, "a ledger cannot be had");
                return Some(Farewell::Unavailable);
            }
        };
        let a_second = self.app.settings.limits.messages_a_second;
        let mut listener = AtLedger { app: self.app.clone(), guest, ledger };
        let why = self.connection.carry(outgoing, &mut listener, a_second).await;
        // A ledger that is gone needs not be told.
        let _ = listener.ledger.send(Post::Went { guest }).await;
        why
    }
}

/// Brings what a client says to his ledger.
struct AtLedger {
    app: Arc<App>,
    guest: GuestId,
    ledger: Handle,
}

impl Listener for AtLedger {
    async fn hear(&mut self, text: &str, in_time: bool) -> Heard {
        match ClientMessage::read(text) {
            Err(Unread::OtherVersion { .. }) => Heard::End(Farewell::OtherVersion),
            Err(error) => {
                Heard::Garbled(ServerMessage::Error { message: error.to_string() }.text())
            }
            Ok(ClientMessage::Hello { .. }) => Heard::End(Farewell::Garbled),
            Ok(ClientMessage::Beat) if !in_time => Heard::End(Farewell::TooMuch),
            Ok(ClientMessage::Beat) => {
                Heard::Answer(ServerMessage::Beat { time: self.app.hall.clock().now() }.text())
            }
            Ok(ClientMessage::Do { id, .. }) if !in_time => {
                metrics::counter!("ghinda_refused_total").increment(1);
                Heard::Answer(ServerMessage::Refused { id, refusal: Refused::TooFast }.text())
            }
            Ok(ClientMessage::Do { id, what }) => {
                let wishes = Post::Wishes { guest: self.guest, id, what: Box::new(what) };
                // A scribe that has given up has told us why, or is about to.
                let _ = self.ledger.send(wishes).await;
                Heard::Go
            }
        }
    }
}
