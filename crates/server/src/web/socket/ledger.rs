//! The WebSocket of a ledger.

use std::net::IpAddr;
use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock};

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use contest::Role;
use room::driver::ConnectionId;
use store::LedgerId;
use wire::contest::parse_role;
use wire::ledger::{
    CloseReason, LedgerClientMessage, LedgerRefusal, LedgerServerMessage, MAX_BYTES, MessageError,
};

use super::upgrade::SocketUpgrade;
use super::{Connection, MessageHandler, Received};
use crate::ledger::{LedgerError, LedgerHandle, LedgerMessage, MAX_MESSAGES, NewSubscriber};
use crate::rations::{Payer, RationKind, ShareOf};
use crate::web::App;
use crate::web::problem::Problem;
use crate::web::session::ClientIp;

/// How many messages may wait for a client that reads slowly: all lines of the largest ledger, and some
/// more.
const OUTBOX_CAPACITY: usize = MAX_MESSAGES + 64;

/// Lets a client connect to a ledger. It needs no session: its role depends on the key in its link.
pub(in crate::web) async fn connect(
    State(app): State<Arc<App>>,
    Path(ledger): Path<String>,
    ClientIp(address): ClientIp,
    upgrade: SocketUpgrade,
) -> Response {
    let Ok(ledger) = ledger.parse::<LedgerId>() else {
        return Problem::not_found("ledger").into_response();
    };
    let Some(permit) = app.connection_limits.permit_socket(address) else {
        return Problem::too_many().into_response();
    };
    upgrade.accept(MAX_BYTES, move |socket| {
        let id = ConnectionId(app.connections.fetch_add(1, Ordering::Relaxed));
        let write_timeout = app.settings.limits.write_timeout;
        let connection = Connection { socket, session: None, write_timeout, _permit: permit };
        let ledger_socket = Box::new(LedgerSocket { app, address, ledger, id, connection });
        tokio::spawn(run(ledger_socket));
    })
}

async fn run(mut ledger_socket: Box<LedgerSocket>) {
    let why = ledger_socket.serve().await;
    ledger_socket.connection.end(why).await;
}

/// A connection to a ledger.
struct LedgerSocket {
    app: Arc<App>,
    address: IpAddr,
    ledger: LedgerId,
    id: ConnectionId,
    connection: Connection,
}

impl LedgerSocket {
    /// Serves the connection until it ends.
    async fn serve(&mut self) -> Option<CloseReason> {
        let text = match self.connection.first_message().await {
            Ok(text) => text,
            Err(why) => return why,
        };
        let (since, role, key) = match LedgerClientMessage::read(text.as_str()) {
            Ok(LedgerClientMessage::Hello { since, role, key, .. }) => (since, role, key),
            Err(MessageError::OtherVersion { .. }) => return Some(CloseReason::OtherVersion),
            Ok(_) | Err(_) => return Some(CloseReason::Garbled),
        };
        // An unreadable role or key gives no rights.
        let role = role.and_then(|role| parse_role(&role).ok());
        let asks = role.zip(key.and_then(|key| key.parse().ok()));
        let (outbox, outgoing) = self.app.tables.outboxes().open(OUTBOX_CAPACITY);
        let share = ShareOf::Ledger(self.ledger);
        let payer = self.app.connection_limits.payer(self.address, share);
        let (id, granted) = (self.id, Arc::new(OnceLock::new()));
        let new_connection = NewSubscriber {
            connection: id,
            since,
            asks,
            granted: granted.clone(),
            payer: payer.clone(),
            outbox,
        };
        let connected = LedgerMessage::Connected(Box::new(new_connection));
        let ledger = match self.app.ledgers.send(self.ledger, connected, self.address).await {
            Ok(ledger) => ledger,
            Err(LedgerError::NotFound) => return Some(CloseReason::Closed),
            Err(error) => {
                // That there are too many is counted elsewhere: clients must not fill the log.
                if !matches!(error, LedgerError::Busy | LedgerError::Stopping) {
                    tracing::error!(ledger = %self.ledger, %error, "a ledger cannot be loaded");
                }
                return Some(CloseReason::Unavailable);
            }
        };
        let a_second = self.app.settings.limits.messages_a_second;
        let mut handler = LedgerHandler { payer, id, granted, ledger };
        let why = self.connection.run(outgoing, &mut handler, a_second).await;
        // A task that has ended needs no message.
        let _ = handler.ledger.send(LedgerMessage::Disconnected { connection: id }).await;
        why
    }
}

/// Passes the messages of a client to its ledger.
struct LedgerHandler {
    payer: Payer,
    id: ConnectionId,
    /// What the client may do, once the ledger has granted it.
    granted: Arc<OnceLock<Role>>,
    ledger: LedgerHandle,
}

impl LedgerHandler {
    /// Whether the client may have something stored now. The ledger refuses the commands of one that may only
    /// read, and counts what it stores.
    fn may_write(&self) -> bool {
        let is_reader = self.granted.get().is_some_and(|role| *role == Role::Public);
        is_reader || self.payer.may_store(RationKind::Ledger)
    }
}

impl MessageHandler for LedgerHandler {
    async fn on_message(&mut self, text: &str, in_time: bool) -> Received {
        match LedgerClientMessage::read(text) {
            Err(MessageError::OtherVersion { .. }) => Received::End(CloseReason::OtherVersion),
            Err(error) => {
                Received::Garbled(LedgerServerMessage::Error { message: error.to_string() }.text())
            }
            Ok(LedgerClientMessage::Hello { .. }) => Received::End(CloseReason::Garbled),
            Ok(LedgerClientMessage::Beat) if !in_time => Received::End(CloseReason::TooMuch),
            Ok(LedgerClientMessage::Beat) => Received::Answer(
                LedgerServerMessage::Beat { time: self.ledger.clock().now() }.text(),
            ),
            Ok(LedgerClientMessage::Do { id, .. }) if !in_time || !self.may_write() => {
                metrics::counter!("ghinda_refused_total").increment(1);
                Received::Answer(
                    LedgerServerMessage::Refused { id, refusal: LedgerRefusal::TooFast }.text(),
                )
            }
            Ok(LedgerClientMessage::Do { id, what }) => {
                let command =
                    LedgerMessage::Command { connection: self.id, id, what: Box::new(what) };
                // A task that has ended sends the reason to the outbox.
                let _ = self.ledger.send(command).await;
                Received::Continue
            }
        }
    }
}
