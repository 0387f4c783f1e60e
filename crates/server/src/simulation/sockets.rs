//! The server's end of connections, as the WebSockets are without HTTP: messages both ways, until the
//! client is gone, the task ends, or the network takes nothing more.

use std::sync::Arc;
use std::time::Duration;

use contest::Role;
use room::Key;
use room::driver::{ConnectionId, Input, RoomInput};
use store::{LedgerId, PlayerId, TableId};
use tokio::sync::{Semaphore, mpsc};
use tokio::time::{sleep, timeout};
use wire::ledger::{LedgerClientMessage, LedgerServerMessage};
use wire::table::{ClientMessage, CloseReason, ServerMessage, VERSION};

use super::CLIENTS;
use super::probes;
use super::world::{Report, Reports};
use crate::ledger::{LedgerError, LedgerMessage, LedgerRegistry, NewSubscriber};
use crate::outbox::Outgoing;
use crate::rations::free_payer;
use crate::table_task::{NewConnection, TableMessage};
use crate::tables::{TableError, TableRegistry};
use crate::web::simulated::SocketPlace;

/// How long the network may take to accept a message.
const SENDING: Duration = Duration::from_secs(10);
/// How many messages the network holds for a client that does not read.
pub(super) const WINDOW: usize = 4;

/// The client's end of a connection.
pub(super) struct SocketHandle {
    /// Takes what the client sends. The server learns that the client is gone when it is dropped.
    pub(super) inbox: mpsc::UnboundedSender<String>,
    /// The client returns a permit for each message that it reads.
    pub(super) window: Arc<Semaphore>,
}

/// A connection as the server's end knows it.
pub(super) struct SimulatedSocket {
    connection: u64,
    /// How long the first message is under way.
    delay: u64,
    outbox: usize,
    inbox: mpsc::UnboundedReceiver<String>,
    window: Arc<Semaphore>,
    reports: Reports,
    /// Its place among the connections of the server.
    _place: SocketPlace,
}

/// What a client of a ledger says first.
pub(super) struct LedgerHello {
    pub(super) since: usize,
    pub(super) asks: Option<(Role, Key)>,
}

impl SimulatedSocket {
    pub(super) fn open(
        connection: u64,
        delay: u64,
        outbox: usize,
        (place, reports): (SocketPlace, Reports),
    ) -> (SocketHandle, SimulatedSocket) {
        let (sender, inbox) = mpsc::unbounded_channel();
        let window = Arc::new(Semaphore::new(WINDOW));
        let handle = SocketHandle { inbox: sender, window: window.clone() };
        let socket =
            SimulatedSocket { connection, delay, outbox, inbox, window, reports, _place: place };
        (handle, socket)
    }

    /// Passes a message to the network, which must accept it in time.
    async fn send(&self, text: Arc<str>) -> Result<(), ()> {
        let permit = timeout(SENDING, self.window.acquire()).await;
        permit.map_err(|_| ())?.map_err(|_| ())?.forget();
        let _ = self.reports.send(Report::Text { connection: self.connection, text });
        Ok(())
    }

    fn end(&self, why: Option<CloseReason>) {
        let _ = self.reports.send(Report::Ended { connection: self.connection, why });
    }

    /// Serves a connection to a table.
    pub(super) async fn serve_table(
        mut self,
        tables: Arc<TableRegistry>,
        table: TableId,
        player: PlayerId,
        since: Option<u64>,
    ) {
        sleep(Duration::from_millis(self.delay)).await;
        let why = self.table(&tables, table, player, since).await;
        self.end(why);
    }

    async fn table(
        &mut self,
        tables: &TableRegistry,
        table: TableId,
        player: PlayerId,
        since: Option<u64>,
    ) -> Option<CloseReason> {
        let time = tables.clock().now();
        let hello = ServerMessage::Hello { ghinda: VERSION, server: "simulated".into(), time };
        self.send(hello.text().into()).await.ok()?;
        let connection = ConnectionId(self.connection);
        let (outbox, mut outgoing) = tables.outboxes().open(self.outbox);
        let payer = free_payer(player);
        let new_connection = NewConnection { connection, player, since, payer, outbox };
        probes::input();
        let connected = TableMessage::Connected(Box::new(new_connection));
        let handle = match tables.send(table, connected).await {
            Ok(handle) => handle,
            Err(TableError::NotFound) => return Some(CloseReason::Closed),
            Err(_) => return Some(CloseReason::Unavailable),
        };
        let why = loop {
            tokio::select! {
                biased;
                outgoing = outgoing.recv() => match outgoing {
                    Ok(Outgoing::Text(text)) => {
                        if self.send(text.as_str().into()).await.is_err() {
                            break None;
                        }
                    }
                    Ok(Outgoing::Shared(text)) => {
                        if self.send(text.as_str().into()).await.is_err() {
                            break None;
                        }
                    }
                    Ok(Outgoing::Close(why)) => break Some(why),
                    Err(_) => break Some(CloseReason::TooSlow),
                },
                text = self.inbox.recv() => match text.as_deref().map(ClientMessage::read) {
                    None => break None,
                    Some(Ok(ClientMessage::Do { id, what })) => {
                        let input = RoomInput::Command { connection, id, what }.into();
                        probes::input();
                        let _ = handle.send(TableMessage::Input(Box::new(input))).await;
                    }
                    Some(Ok(ClientMessage::Beat)) => {
                        let beat = ServerMessage::Beat { time: tables.clock().now() };
                        if self.send(beat.text().into()).await.is_err() {
                            break None;
                        }
                    }
                    Some(Ok(ClientMessage::Hello { .. }) | Err(_)) => {
                        break Some(CloseReason::Garbled);
                    }
                },
            }
        };
        probes::input();
        let disconnected = TableMessage::Input(Box::new(Input::Disconnected { connection }));
        let _ = handle.send(disconnected).await;
        why
    }

    /// Serves a connection to a ledger.
    pub(super) async fn serve_ledger(
        mut self,
        ledgers: Arc<LedgerRegistry>,
        tables: Arc<TableRegistry>,
        ledger: LedgerId,
        hello: LedgerHello,
    ) {
        sleep(Duration::from_millis(self.delay)).await;
        let why = self.ledger(&ledgers, &tables, ledger, hello).await;
        self.end(why);
    }

    async fn ledger(
        &mut self,
        ledgers: &LedgerRegistry,
        tables: &TableRegistry,
        ledger: LedgerId,
        hello: LedgerHello,
    ) -> Option<CloseReason> {
        let connection = ConnectionId(self.connection);
        let (outbox, mut outgoing) = tables.outboxes().open(self.outbox);
        let LedgerHello { since, asks } = hello;
        let new_connection = NewSubscriber {
            connection,
            since,
            asks,
            granted: Arc::default(),
            payer: free_payer(PlayerId::new(1).expect("small")),
            outbox,
        };
        probes::input();
        let connected = LedgerMessage::Connected(Box::new(new_connection));
        let handle = match ledgers.send(ledger, connected, CLIENTS).await {
            Ok(handle) => handle,
            Err(LedgerError::NotFound) => return Some(CloseReason::Closed),
            Err(_) => return Some(CloseReason::Unavailable),
        };
        let why = loop {
            tokio::select! {
                biased;
                outgoing = outgoing.recv() => match outgoing {
                    Ok(Outgoing::Text(text)) => {
                        if self.send(text.as_str().into()).await.is_err() {
                            break None;
                        }
                    }
                    Ok(Outgoing::Shared(text)) => {
                        if self.send(text.as_str().into()).await.is_err() {
                            break None;
                        }
                    }
                    Ok(Outgoing::Close(why)) => break Some(why),
                    Err(_) => break Some(CloseReason::TooSlow),
                },
                text = self.inbox.recv() => match text.as_deref().map(LedgerClientMessage::read) {
                    None => break None,
                    Some(Ok(LedgerClientMessage::Do { id, what })) => {
                        let command = LedgerMessage::Command { connection, id, what: Box::new(what) };
                        probes::input();
                        let _ = handle.send(command).await;
                    }
                    Some(Ok(LedgerClientMessage::Beat)) => {
                        let beat = LedgerServerMessage::Beat { time: tables.clock().now() };
                        if self.send(beat.text().into()).await.is_err() {
                            break None;
                        }
                    }
                    Some(Ok(LedgerClientMessage::Hello { .. }) | Err(_)) => {
                        break Some(CloseReason::Garbled);
                    }
                },
            }
        };
        probes::input();
        let _ = handle.send(LedgerMessage::Disconnected { connection }).await;
        why
    }
}
