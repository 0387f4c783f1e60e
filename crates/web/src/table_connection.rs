//! The connection to a table of a server, which reconnects by itself, or to a table in this browser.
//!
//! Messages of the table are folded into the replica. Commands are sent, and sent again after a lost
//! connection. A connection ends with the component that opened it.

use leptos::prelude::*;
use replica::Conversation;
use replica::table::{TableChange, TableReplica};
use table_view::narrator::sentence;
use wire::table::{ClientMessage, CommandRefusal, ServerMessage, TableCommand};

use crate::api;
use crate::connection_loop::{
    self, CommandSender, ConnectionClient, ConnectionState, EndReason, Interruption,
};
use crate::text::PhraseSignal;
use crate::transport::Transport;

/// The table to which a connection leads.
#[derive(Clone, Debug)]
pub(crate) enum Endpoint {
    /// A table of the server, by its id.
    Table(String),
    /// A table in this browser, by its plan.
    Practice(String),
}

/// A connection to a table.
#[derive(Clone, Copy)]
pub(crate) struct TableConnection {
    /// The client's copy of the table.
    pub(crate) replica: RwSignal<TableReplica>,
    /// The state of the connection.
    pub(crate) state: RwSignal<ConnectionState>,
    /// The last refused command.
    pub(crate) refused: RwSignal<Option<(TableCommand, CommandRefusal)>>,
    /// The sentences for the last events, for screen readers.
    pub(crate) sentences: RwSignal<Vec<String>>,
    /// The server's clock minus the clock of this device, in milliseconds.
    pub(crate) clock_offset: RwSignal<i64>,
    /// The record of the finished match of a practice table.
    pub(crate) record: RwSignal<Option<String>>,
    /// The journal of a practice table that could not be resumed.
    pub(crate) unreadable: RwSignal<Option<String>>,
    commands: CommandSender<TableCommand>,
}

impl TableConnection {
    /// Opens a connection to this table; it ends with the current component.
    pub(crate) fn open(endpoint: Endpoint, phrases: PhraseSignal) -> TableConnection {
        let (commands, queue) = connection_loop::command_queue();
        let connection = TableConnection::new(&connection_loop::random_id_prefix(), commands);
        let client = TableClient { connection, endpoint, phrases };
        connection_loop::run(client, commands, queue);
        connection
    }

    /// A connection without a table, for lessons; it drops all commands.
    pub(crate) fn without_table() -> TableConnection {
        TableConnection::new("", connection_loop::command_queue().0)
    }

    fn new(id_prefix: &str, commands: CommandSender<TableCommand>) -> TableConnection {
        TableConnection {
            replica: RwSignal::new(TableReplica::new(id_prefix)),
            state: RwSignal::new(ConnectionState::Opening),
            refused: RwSignal::new(None),
            sentences: RwSignal::new(Vec::new()),
            clock_offset: RwSignal::new(0),
            record: RwSignal::new(None),
            unreadable: RwSignal::new(None),
            commands,
        }
    }

    /// Sends a command.
    pub(crate) fn send(self, command: TableCommand) {
        let _ = self.commands.send(command);
    }
}

/// The client of a table.
struct TableClient {
    connection: TableConnection,
    endpoint: Endpoint,
    phrases: PhraseSignal,
}

impl ConnectionClient for TableClient {
    type Replica = TableReplica;
    type Command = TableCommand;

    async fn connect_transport(&mut self) -> Result<Transport, Interruption> {
        let table = match &self.endpoint {
            Endpoint::Practice(plan) => {
                let TableConnection { record, unreadable, .. } = self.connection;
                let opened = Transport::to_worker(plan, self.phrases, record, unreadable).await;
                return opened.ok_or(Interruption::Ended(EndReason::NoWorker));
            }
            Endpoint::Table(table) => table,
        };
        // A browser does not report why a WebSocket is refused, so this request comes first.
        api::look(table).await?;
        Transport::to_server(&format!("/api/tables/{table}/socket")).ok_or(Interruption::Lost)
    }

    fn on_disconnect(&self) -> Interruption {
        match self.endpoint {
            // A worker that has failed would fail again.
            Endpoint::Practice(_) => Interruption::Ended(EndReason::NoWorker),
            Endpoint::Table(_) => Interruption::Lost,
        }
    }

    fn read(text: &str) -> Option<ServerMessage> {
        ServerMessage::read(text).ok()
    }

    fn text(message: &ClientMessage) -> String {
        message.text()
    }

    fn with_replica<T>(&self, act: impl FnOnce(&mut TableReplica) -> T) -> Option<T> {
        self.connection.replica.try_update_untracked(act)
    }

    fn command(
        &mut self,
        conversation: &mut Conversation<EndReason>,
        command: TableCommand,
    ) -> Option<Option<ClientMessage>> {
        self.with_replica(|replica| conversation.command(replica, command).1)
    }

    fn on_change(&mut self, change: TableChange) {
        self.connection.replica.notify();
        match change {
            TableChange::Refused { command, refusal } => {
                self.connection.refused.try_set(Some((command, refusal)));
            }
            TableChange::Events(events) => {
                let sentences = self.connection.replica.try_with_untracked(|replica| {
                    self.phrases.with_untracked(|phrases| {
                        let events = events.iter();
                        let sentences =
                            events.filter_map(|event| sentence(event, replica, phrases));
                        sentences.collect::<Vec<String>>()
                    })
                });
                if let Some(sentences) = sentences.filter(|sentences| !sentences.is_empty()) {
                    self.connection.sentences.try_set(sentences);
                }
            }
            TableChange::Nothing
            | TableChange::Snapshot
            | TableChange::Presence
            | TableChange::Synced { .. }
            | TableChange::Gap => {}
        }
    }

    fn show(&self, conversation: &Conversation<EndReason>) {
        connection_loop::set_if_changed(self.connection.state, conversation.state());
        let clock_offset = conversation.clock_offset();
        connection_loop::set_if_changed(self.connection.clock_offset, clock_offset);
    }
}
