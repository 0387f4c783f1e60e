//! The WebSocket of a table.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use futures_channel::mpsc;
use room::desk::{GuestId, Letter};
use store::{PlayerId, TableId};
use wire::table::{ClientMessage, Farewell, MOST_BYTES, Reason, ServerMessage, Unread, VERSION};

use super::{Connection, Heard, Listener, OUTBOX, limited};
use crate::keeper::{Handle, Newcomer, Post};
use crate::web::App;
use crate::web::problem::Problem;
use crate::web::session::{From, Known};

/// Lets a client connect to a table.
pub(in crate::web) async fn connect(
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
    limited(upgrade, MOST_BYTES).on_upgrade(move |socket| async move {
        let guest = GuestId(app.guests.fetch_add(1, Ordering::Relaxed));
        let connection = Connection { socket, caller: Some(caller), _place: place };
        let guest = Guest { app, table, guest, player: known.player, connection };
        // A task of its own, and a small one: there are many, and that of the upgrade
        // would keep the room that it needed for HTTP.
        tokio::spawn(run(Box::new(guest), address));
    })
}

async fn run(mut guest: Box<Guest>, address: IpAddr) {
    tracing::debug!(table = %guest.table, guest = guest.guest.0, %address, "connected");
    let why = match guest.hello().await {
        Ok(since) => guest.stay(since).await,
        Err(why) => why,
    };
    guest.connection.end(why).await;
}

/// Somebody at a table.
struct Guest {
    app: Arc<App>,
    table: TableId,
    guest: GuestId,
    player: PlayerId,
    connection: Connection,
}

impl Guest {
    /// Waits for the first message, and answers it.
    async fn hello(&mut self) -> Result<Option<u64>, Option<Farewell>> {
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
            Err(Unread::OtherVersion { .. }) => Err(Some(Farewell::OtherVersion)),
            Ok(_) | Err(_) => Err(Some(Farewell::Garbled)),
        }
    }

    async fn stay(&mut self, since: Option<u64>) -> Option<Farewell> {
        let (outbox, outgoing) = mpsc::channel(OUTBOX);
        let newcomer = Newcomer { guest: self.guest, player: self.player, since, outbox };
        let came = Post::Came(Box::new(newcomer));
        let table = match self.app.hall.send(self.table, came).await {
            Ok(table) => table,
            Err(crate::hall::NoTable::NotFound) => return Some(Farewell::Closed),
            Err(_) => return Some(Farewell::Unavailable),
        };
        let a_second = self.app.settings.limits.messages_a_second;
        let mut listener = AtTable { app: self.app.clone(), guest: self.guest, table };
        let why = self.connection.carry(outgoing, &mut listener, a_second).await;
        let went = Post::Letter(Box::new(Letter::Went { guest: self.guest }));
        // A table that is gone needs not be told.
        let _ = listener.table.send(went).await;
        why
    }
}

/// Brings what a client says to his table.
struct AtTable {
    app: Arc<App>,
    guest: GuestId,
    table: Handle,
}

impl Listener for AtTable {
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
                Heard::Answer(ServerMessage::Refused { id, refusal: Reason::TooFast.into() }.text())
            }
            Ok(ClientMessage::Do { id, what }) => {
                let letter = Letter::Wishes { guest: self.guest, id, what };
                // A keeper that has given up has told us why, or is about to.
                let _ = self.table.send(Post::Letter(Box::new(letter))).await;
                Heard::Go
            }
        }
    }
}
