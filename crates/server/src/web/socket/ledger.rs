//! The WebSocket of a ledger.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use futures_channel::mpsc;
use room::driver::ConnectionId;
use store::LedgerId;
use wire::contest::parse_role;
use wire::ledger::{
    CloseReason, LedgerClientMessage, LedgerRefusal, LedgerServerMessage, MAX_BYTES, Unread,
};

use super::{Connection, MessageHandler, Received, limited};
use crate::ledger::{LedgerError, LedgerHandle, LedgerMessage, NewSubscriber};
use crate::web::App;
use crate::web::problem::Problem;
use crate::web::session::ClientIp;

/// How many messages may wait for a client that reads slowly: all lines of the largest
/// contest, in messages of a hundred kilobytes.
const OUTBOX: usize = 128;

/// Lets a client connect to a ledger. Nobody has to say who he is: what he may do is a matter of
/// the key in his link.
pub(in crate::web) async fn connect(
    State(app): State<Arc<App>>,
    Path(ledger): Path<String>,
    ClientIp(address): ClientIp,
    upgrade: WebSocketUpgrade,
) -> Response {
    let Ok(ledger) = ledger.parse::<LedgerId>() else {
        return Problem::not_found("ledger").into_response();
    };
    let Some(place) = app.door.enter(address) else {
        return Problem::too_many().into_response();
    };
    limited(upgrade, MAX_BYTES).on_upgrade(move |socket| async move {
        let id = ConnectionId(app.connections.fetch_add(1, Ordering::Relaxed));
        let connection = Connection { socket, caller: None, _place: place };
        let reader = Box::new(LedgerSocket { app, ledger, id, connection });
        tokio::spawn(run(reader));
    })
}

async fn run(mut reader: Box<LedgerSocket>) {
    let why = reader.stay().await;
    reader.connection.end(why).await;
}

/// Somebody who looks at a ledger.
struct LedgerSocket {
    app: Arc<App>,
    ledger: LedgerId,
    id: ConnectionId,
    connection: Connection,
}

impl LedgerSocket {
    /// Stays until one side has had enough.
    async fn stay(&mut self) -> Option<CloseReason> {
        let text = match self.connection.first().await {
            Ok(text) => text,
            Err(why) => return why,
        };
        let (since, role, key) = match LedgerClientMessage::read(text.as_str()) {
            Ok(LedgerClientMessage::Hello { since, role, key, .. }) => (since, role, key),
            Err(Unread::OtherVersion { .. }) => return Some(CloseReason::OtherVersion),
            Ok(_) | Err(_) => return Some(CloseReason::Garbled),
        };
        // A role that is none and a key that is none open nothing.
        let role = role.and_then(|role| parse_role(&role).ok());
        let asks = role.zip(key.and_then(|key| key.parse().ok()));
        let (outbox, outgoing) = mpsc::channel(OUTBOX);
        let id = self.id;
        let new_connection = NewSubscriber { connection: id, since, asks, outbox };
        let came = LedgerMessage::Connected(Box::new(new_connection));
        let ledger = match self.app.shelf.send(self.ledger, came).await {
            Ok(ledger) => ledger,
            Err(LedgerError::NotFound) => return Some(CloseReason::Closed),
            Err(error) => {
                tracing::error!(ledger = %self.ledger, %error, "a ledger cannot be had");
                return Some(CloseReason::Unavailable);
            }
        };
        let a_second = self.app.settings.limits.messages_a_second;
        let mut listener = LedgerHandler { app: self.app.clone(), id, ledger };
        let why = self.connection.carry(outgoing, &mut listener, a_second).await;
        // A ledger that is gone needs not be told.
        let _ = listener.ledger.send(LedgerMessage::Disconnected { connection: id }).await;
        why
    }
}

/// Brings what a client says to his ledger.
struct LedgerHandler {
    app: Arc<App>,
    id: ConnectionId,
    ledger: LedgerHandle,
}

impl MessageHandler for LedgerHandler {
    async fn on_message(&mut self, text: &str, in_time: bool) -> Received {
        match LedgerClientMessage::read(text) {
            Err(Unread::OtherVersion { .. }) => Received::End(CloseReason::OtherVersion),
            Err(error) => {
                Received::Garbled(LedgerServerMessage::Error { message: error.to_string() }.text())
            }
            Ok(LedgerClientMessage::Hello { .. }) => Received::End(CloseReason::Garbled),
            Ok(LedgerClientMessage::Beat) if !in_time => Received::End(CloseReason::TooMuch),
            Ok(LedgerClientMessage::Beat) => Received::Answer(
                LedgerServerMessage::Beat { time: self.app.hall.clock().now() }.text(),
            ),
            Ok(LedgerClientMessage::Do { id, .. }) if !in_time => {
                metrics::counter!("ghinda_refused_total").increment(1);
                Received::Answer(
                    LedgerServerMessage::Refused { id, refusal: LedgerRefusal::TooFast }.text(),
                )
            }
            Ok(LedgerClientMessage::Do { id, what }) => {
                let wishes =
                    LedgerMessage::Command { connection: self.id, id, what: Box::new(what) };
                // A scribe that has given up has told us why, or is about to.
                let _ = self.ledger.send(wishes).await;
                Received::Go
            }
        }
    }
}
