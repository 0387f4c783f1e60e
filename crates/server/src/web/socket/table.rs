//! The WebSocket of a table.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use futures_channel::mpsc;
use room::driver::{ConnectionId, Input};
use store::{PlayerId, TableId};
use wire::table::{
    ClientMessage, CloseReason, MAX_BYTES, RefusalReason, ServerMessage, Unread, VERSION,
};

use super::{Connection, MessageHandler, OUTBOX, Received, limited};
use crate::table_task::{NewConnection, TableHandle, TableMessage};
use crate::web::App;
use crate::web::problem::Problem;
use crate::web::session::{Authenticated, ClientIp};

/// Lets a client connect to a table.
pub(in crate::web) async fn connect(
    State(app): State<Arc<App>>,
    Path(table): Path<String>,
    ClientIp(address): ClientIp,
    known: Authenticated,
    upgrade: WebSocketUpgrade,
) -> Response {
    let Ok(table) = table.parse::<TableId>() else {
        return Problem::not_found("table").into_response();
    };
    let Some(place) = app.door.enter(address) else {
        return Problem::too_many().into_response();
    };
    let caller = app.callers.register(known.token.hash(), known.player);
    // The session may have ended before we were told of such things.
    match app.people.find(&known.token).await {
        Ok(Some(session)) if session.player == known.player => {}
        Ok(_) => return Problem::nobody().into_response(),
        Err(error) => return Problem::from(error).into_response(),
    }
    limited(upgrade, MAX_BYTES).on_upgrade(move |socket| async move {
        let id = ConnectionId(app.connections.fetch_add(1, Ordering::Relaxed));
        let connection = Connection { socket, caller: Some(caller), _place: place };
        let table_socket = TableSocket { app, table, id, player: known.player, connection };
        // A task of its own, and a small one: there are many, and that of the upgrade
        // would keep the room that it needed for HTTP.
        tokio::spawn(run(Box::new(table_socket), address));
    })
}

async fn run(mut socket: Box<TableSocket>, address: IpAddr) {
    tracing::debug!(table = %socket.table, connection = socket.id.0, %address, "connected");
    let why = match socket.hello().await {
        Ok(since) => socket.stay(since).await,
        Err(why) => why,
    };
    socket.connection.end(why).await;
}

/// Somebody at a table.
struct TableSocket {
    app: Arc<App>,
    table: TableId,
    id: ConnectionId,
    player: PlayerId,
    connection: Connection,
}

impl TableSocket {
    /// Waits for the first message, and answers it.
    async fn hello(&mut self) -> Result<Option<u64>, Option<CloseReason>> {
        let text = self.connection.first().await?;
        match ClientMessage::read(text.as_str()) {
            Ok(ClientMessage::Hello { since, .. }) => {
                let hello = ServerMessage::Hello {
                    ghinda: VERSION,
                    server: concat!("ghinda ", env!("CARGO_PKG_VERSION")).into(),
                    time: self.app.hall.clock().now(),
                };
                self.connection.send(hello.text().into()).await.map_err(|()| None)?;
                Ok(since)
            }
            Err(Unread::OtherVersion { .. }) => Err(Some(CloseReason::OtherVersion)),
            Ok(_) | Err(_) => Err(Some(CloseReason::Garbled)),
        }
    }

    async fn stay(&mut self, since: Option<u64>) -> Option<CloseReason> {
        let (outbox, outgoing) = mpsc::channel(OUTBOX);
        let new_connection =
            NewConnection { connection: self.id, player: self.player, since, outbox };
        let came = TableMessage::Connected(Box::new(new_connection));
        let table = match self.app.hall.send(self.table, came).await {
            Ok(table) => table,
            Err(crate::tables::TableError::NotFound) => return Some(CloseReason::Closed),
            Err(_) => return Some(CloseReason::Unavailable),
        };
        let a_second = self.app.settings.limits.messages_a_second;
        let mut listener = TableHandler { app: self.app.clone(), id: self.id, table };
        let why = self.connection.carry(outgoing, &mut listener, a_second).await;
        let went = TableMessage::Input(Box::new(Input::Disconnected { connection: self.id }));
        // A table that is gone needs not be told.
        let _ = listener.table.send(went).await;
        why
    }
}

/// Brings what a client says to his table.
struct TableHandler {
    app: Arc<App>,
    id: ConnectionId,
    table: TableHandle,
}

impl MessageHandler for TableHandler {
    async fn on_message(&mut self, text: &str, in_time: bool) -> Received {
        match ClientMessage::read(text) {
            Err(Unread::OtherVersion { .. }) => Received::End(CloseReason::OtherVersion),
            Err(error) => {
                Received::Garbled(ServerMessage::Error { message: error.to_string() }.text())
            }
            Ok(ClientMessage::Hello { .. }) => Received::End(CloseReason::Garbled),
            Ok(ClientMessage::Beat) if !in_time => Received::End(CloseReason::TooMuch),
            Ok(ClientMessage::Beat) => {
                Received::Answer(ServerMessage::Beat { time: self.app.hall.clock().now() }.text())
            }
            Ok(ClientMessage::Do { id, .. }) if !in_time => {
                metrics::counter!("ghinda_refused_total").increment(1);
                Received::Answer(
                    ServerMessage::Refused { id, refusal: RefusalReason::TooFast.into() }.text(),
                )
            }
            Ok(ClientMessage::Do { id, what }) => {
                let input = Input::Command { connection: self.id, id, what };
                // A keeper that has given up has told us why, or is about to.
                let _ = self.table.send(TableMessage::Input(Box::new(input))).await;
                Received::Go
            }
        }
    }
}
