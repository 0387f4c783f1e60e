//! The WebSocket of a table.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use room::driver::{ConnectionId, Input, RoomInput};
use store::{PlayerId, TableId};
use wire::table::{
    ClientMessage, CloseReason, MAX_BYTES, MessageError, RefusalReason, ServerMessage,
    TableCommand, VERSION,
};

use super::upgrade::SocketUpgrade;
use super::{Connection, MessageHandler, OUTBOX_CAPACITY, Received};
use crate::rations::{Payer, RationKind, ShareOf};
use crate::table_task::{NewConnection, TableHandle, TableMessage};
use crate::web::App;
use crate::web::problem::Problem;
use crate::web::session::{Authenticated, ClientIp};

/// Lets a client connect to a table.
pub(in crate::web) async fn connect(
    State(app): State<Arc<App>>,
    Path(table): Path<String>,
    ClientIp(address): ClientIp,
    session: Authenticated,
    upgrade: SocketUpgrade,
) -> Response {
    let Ok(table) = table.parse::<TableId>() else {
        return Problem::not_found("table").into_response();
    };
    let Some(permit) = app.connection_limits.permit_socket(address) else {
        return Problem::too_many().into_response();
    };
    let session_connection = app.session_connections.register(session.token.hash(), session.player);
    // The session may have ended before it was registered.
    match app.accounts.find_session(&session.token).await {
        Ok(Some(found)) if found.player == session.player => {}
        Ok(_) => return Problem::no_session().into_response(),
        Err(error) => return Problem::from(error).into_response(),
    }
    upgrade.accept(MAX_BYTES, move |socket| {
        let id = ConnectionId(app.connections.fetch_add(1, Ordering::Relaxed));
        let write_timeout = app.settings.limits.write_timeout;
        let session_connection = Some(session_connection);
        let connection =
            Connection { socket, session: session_connection, write_timeout, _permit: permit };
        let player = session.player;
        let table_socket = TableSocket { app, address, table, id, player, connection };
        // A separate small task: there are many, and that of the upgrade would keep what it needed.
        tokio::spawn(run(Box::new(table_socket)));
    })
}

async fn run(mut socket: Box<TableSocket>) {
    let TableSocket { table, id, address, .. } = &*socket;
    tracing::debug!(%table, connection = id.0, %address, "connected");
    let why = socket.serve().await;
    socket.connection.end(why).await;
}

/// A connection to a table.
struct TableSocket {
    app: Arc<App>,
    address: IpAddr,
    table: TableId,
    id: ConnectionId,
    player: PlayerId,
    connection: Connection,
}

impl TableSocket {
    /// Serves the connection until it ends.
    async fn serve(&mut self) -> Option<CloseReason> {
        let text = match self.connection.first_message().await {
            Ok(text) => text,
            Err(why) => return why,
        };
        let since = match ClientMessage::read(text.as_str()) {
            Ok(ClientMessage::Hello { since, .. }) => since,
            Err(MessageError::OtherVersion { .. }) => return Some(CloseReason::OtherVersion),
            Ok(_) | Err(_) => return Some(CloseReason::Garbled),
        };
        let (outbox, outgoing) = self.app.tables.outboxes().open(OUTBOX_CAPACITY);
        let (connection, player) = (self.id, self.player);
        let payer = self.app.connection_limits.payer(self.address, ShareOf::Player(player));
        let new_connection =
            NewConnection { connection, player, since, payer: payer.clone(), outbox };
        let connected = TableMessage::Connected(Box::new(new_connection));
        let table = self.app.tables.send(self.table, connected).await;
        let clock = table.as_ref().map_or(self.app.tables.clock(), TableHandle::clock);
        let hello = ServerMessage::Hello {
            ghinda: VERSION,
            server: concat!("ghinda ", env!("CARGO_PKG_VERSION")).into(),
            time: clock.now(),
        };
        // If the client is gone, `run` notices it, and then the table gets to know.
        let _ = self.connection.send(hello.text()).await;
        let table = match table {
            Ok(table) => table,
            Err(crate::tables::TableError::NotFound) => return Some(CloseReason::Closed),
            Err(_) => return Some(CloseReason::Unavailable),
        };
        let a_second = self.app.settings.limits.messages_a_second;
        let mut handler = TableHandler { payer, id: self.id, table };
        let why = self.connection.run(outgoing, &mut handler, a_second).await;
        let disconnected =
            TableMessage::Input(Box::new(Input::Disconnected { connection: self.id }));
        // A task that has ended needs no message.
        let _ = handler.table.send(disconnected).await;
        why
    }
}

/// Passes the messages of a client to its table.
struct TableHandler {
    payer: Payer,
    id: ConnectionId,
    table: TableHandle,
}

impl TableHandler {
    /// Whether the client may have something stored now; the table counts what it stores. The play has a
    /// ration of its own, so that it goes on when too much was said.
    fn may_give(&self, what: &TableCommand) -> bool {
        use TableCommand::{Act, Claim, Ready, TakeBack};
        self.payer.may_store(match what {
            Act(_) | Claim | Ready | TakeBack => RationKind::Play,
            _ => RationKind::Table,
        })
    }
}

impl MessageHandler for TableHandler {
    async fn on_message(&mut self, text: &str, in_time: bool) -> Received {
        match ClientMessage::read(text) {
            Err(MessageError::OtherVersion { .. }) => Received::End(CloseReason::OtherVersion),
            Err(error) => {
                Received::Garbled(ServerMessage::Error { message: error.to_string() }.text())
            }
            Ok(ClientMessage::Hello { .. }) => Received::End(CloseReason::Garbled),
            Ok(ClientMessage::Beat) if !in_time => Received::End(CloseReason::TooMuch),
            Ok(ClientMessage::Beat) => {
                Received::Answer(ServerMessage::Beat { time: self.table.clock().now() }.text())
            }
            Ok(ClientMessage::Do { id, what }) if !in_time || !self.may_give(&what) => {
                metrics::counter!("ghinda_refused_total").increment(1);
                Received::Answer(
                    ServerMessage::Refused { id, refusal: RefusalReason::TooFast.into() }.text(),
                )
            }
            Ok(ClientMessage::Do { id, what }) => {
                let input = RoomInput::Command { connection: self.id, id, what }.into();
                // A task that has ended sends the reason to the outbox.
                let _ = self.table.send(TableMessage::Input(Box::new(input))).await;
                Received::Continue
            }
        }
    }
}
