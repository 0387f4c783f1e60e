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
use wire::table::{ClientMessage, CloseReason, MOST_BYTES, RefusalReason, ServerMessage, Unread, VERSION};

use super::{Connection, Received, MessageHandler, OUTBOX, limited};
use crate::table_task::{TableHandle, NewConnection, TableMessage};
use crate::web::App;
use crate::web::problem::Problem;
use crate::web::session::{ClientIp, Authenticated};

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
    let caller = app.callers.enter(known.token.hash(), known.player);
    // The session may have ended before we were told of such things.
    match app.people.find(&known.token).await {
        Ok(Some(session)) if session.player == known.player => {}
        Ok(_) => return Problem::nobody().into_response(),
        Err(error) => return Problem::from(error).into_response(),
    }
    limited(upgrade, MOST_BYTES).on_upgrade(move |socket| async move {
        let guest = ConnectionId(app.guests.fetch_add(1, Ordering::Relaxed));
        let connection = Connection { socket, caller: Some(caller), _place: place };
        let guest = TableSocket { app, table, guest, player: known.player, connection };
        // A task of its own, and a small one: there are many, and that of the upgrade
        // would keep the room that it needed for HTTP.
        tokio::spawn(run(Box::new(guest), address));
    })
}

async fn run(mut guest: Box<TableSocket>, address: IpAddr) {
    tracing::debug!(table = %guest.table, guest = guest.guest.0, %address, "connected");
    let why = match guest.hello().await {
        Ok(since) => guest.stay(since).await,
        Err(why) => why,
    };
    guest.connection.end(why).await;
}

/// Somebody at a table.
struct TableSocket {
    app: Arc<App>,
    table: TableId,
    guest: ConnectionId,
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
        let newcomer = NewConnection { guest: self.guest, player: self.player, since, outbox };
        let came = TableMessage::Came(Box::new(newcomer));
        let table = match self.app.hall.send(self.table, came).await {
            Ok(table) => table,
            Err(crate::tables::TableError::NotFound) => return Some(CloseReason::Closed),
            Err(_) => return Some(CloseReason::Unavailable),
        };
        let a_second = self.app.settings.limits.messages_a_second;
        let mut listener = TableHandler { app: self.app.clone(), guest: self.guest, table };
        let why = self.connection.carry(outgoing, &mut listener, a_second).await;
        let went = TableMessage::Letter(Box::new(Input::Went { guest: self.guest }));
        // A table that is gone needs not be told.
        let _ = listener.table.send(went).await;
        why
    }
}

/// Brings what a client says to his table.
struct TableHandler {
    app: Arc<App>,
    guest: ConnectionId,
    table: TableHandle,
}

impl MessageHandler for TableHandler {
    async fn hear(&mut self, text: &str, in_time: bool) -> Received {
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
                Received::Answer(ServerMessage::Refused { id, refusal: RefusalReason::TooFast.into() }.text())
            }
            Ok(ClientMessage::Do { id, what }) => {
                let letter = Input::Wishes { guest: self.guest, id, what };
                // A keeper that has given up has told us why, or is about to.
                let _ = self.table.send(TableMessage::Letter(Box::new(letter))).await;
                Received::Go
            }
        }
    }
}
