//! The connection to a table of a server, which reconnects by itself, or to a table in this browser.
//!
//! Messages of the table are folded into the replica. Commands are sent, and sent again after a lost
//! connection. A connection ends with the component that opened it.

use leptos::prelude::*;
use replica::table::{TableChange, TableReplica};
use table_view::narrator::sentence;
use wire::table::{ClientMessage, CommandRefusal, ServerMessage, TableCommand};

use crate::api;
use crate::connection_loop::{
    self, CommandSender, ConnectionState, Conversation, EndReason, Interruption, now,
};
use crate::text::Words;
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
    pub(crate) said: RwSignal<Vec<String>>,
    /// The server's clock minus the clock of this device, in milliseconds.
    pub(crate) ahead: RwSignal<f64>,
    /// The record of the finished match of a practice table.
    pub(crate) record: RwSignal<Option<String>>,
    commands: CommandSender<TableCommand>,
}

impl TableConnection {
    /// Opens a connection to this table; it ends with the current component.
    pub(crate) fn open(endpoint: Endpoint, words: Words) -> TableConnection {
        let (commands, queue) = connection_loop::command_queue();
        let connection = TableConnection::new(&connection_loop::random_client_name(), commands);
        let conversation = TableConversation { connection, endpoint, words };
        connection_loop::run(conversation, commands, queue);
        connection
    }

    /// A connection without a table, for lessons; it drops all commands.
    pub(crate) fn to_nobody() -> TableConnection {
        TableConnection::new("", connection_loop::command_queue().0)
    }

    fn new(name: &str, commands: CommandSender<TableCommand>) -> TableConnection {
        TableConnection {
            replica: RwSignal::new(TableReplica::new(name)),
            state: RwSignal::new(ConnectionState::Opening),
            refused: RwSignal::new(None),
            said: RwSignal::new(Vec::new()),
            ahead: RwSignal::new(0.0),
            record: RwSignal::new(None),
            commands,
        }
    }

    /// Sends a command.
    pub(crate) fn send(self, command: TableCommand) {
        let _ = self.commands.send(command);
    }
}

/// The messages between the client and a table.
struct TableConversation {
    connection: TableConnection,
    endpoint: Endpoint,
    words: Words,
}

impl Conversation for TableConversation {
    type Command = TableCommand;

    fn state(&self) -> RwSignal<ConnectionState> {
        self.connection.state
    }

    async fn connect_transport(&mut self) -> Result<Transport, Interruption> {
        let table = match &self.endpoint {
            Endpoint::Practice(plan) => {
                let opened = Transport::to_worker(plan, self.words, self.connection.record).await;
                return opened.ok_or(Interruption::Ended(EndReason::NoWorker));
            }
            Endpoint::Table(table) => table,
        };
        // A browser does not report why a WebSocket is refused, so this request comes first.
        api::look(table).await?;
        Transport::to_server(&format!("/api/tables/{table}/socket")).ok_or(Interruption::Lost)
    }

    fn hello(&self) -> Option<String> {
        Some(self.connection.replica.try_with_untracked(TableReplica::hello)?.text())
    }

    fn beat(&self) -> String {
        ClientMessage::Beat.text()
    }

    fn keep_command(&mut self, command: TableCommand) -> Option<String> {
        Some(
            self.connection
                .replica
                .try_update_untracked(|replica| replica.command(command))?
                .text(),
        )
    }

    fn on_disconnect(&self) -> Interruption {
        match self.endpoint {
            // A worker that has failed would fail again.
            Endpoint::Practice(_) => Interruption::Ended(EndReason::NoWorker),
            Endpoint::Table(_) => Interruption::Lost,
        }
    }

    fn receive(&mut self, text: &str) -> Result<Vec<String>, Interruption> {
        // An unreadable message is from a newer server. If it was an update, the next one reveals the gap.
        let Ok(message) = ServerMessage::read(text) else { return Ok(Vec::new()) };
        match &message {
            ServerMessage::Hello { time, .. } | ServerMessage::Beat { time } => {
                self.connection.ahead.try_set(*time as f64 - now());
            }
            ServerMessage::Bye { why } => return Err(Interruption::from(*why)),
            _ => {}
        }
        let change = self
            .connection
            .replica
            .try_update(|replica| replica.receive(message))
            .ok_or(Interruption::ComponentGone)?;
        match change {
            TableChange::Lost => {
                let hello = self.connection.replica.try_update_untracked(|replica| {
                    replica.forget();
                    replica.hello().text()
                });
                return Ok(hello.into_iter().collect());
            }
            TableChange::Arrived { .. } => {
                self.connection.state.try_set(ConnectionState::Live);
                let unanswered = self.connection.replica.try_with_untracked(|replica| {
                    replica.unanswered().map(|command| command.text()).collect()
                });
                return Ok(unanswered.unwrap_or_default());
            }
            TableChange::Refused { command, refusal } => {
                self.connection.refused.try_set(Some((command, refusal)));
            }
            TableChange::Events(events) => {
                let sentences = self.connection.replica.try_with_untracked(|replica| {
                    self.words.with_untracked(|phrases| {
                        let events = events.iter();
                        let sentences =
                            events.filter_map(|event| sentence(event, replica, phrases));
                        sentences.collect::<Vec<String>>()
                    })
                });
                if let Some(sentences) = sentences.filter(|sentences| !sentences.is_empty()) {
                    self.connection.said.try_set(sentences);
                }
            }
            TableChange::Nothing | TableChange::Snapshot | TableChange::Presence => {}
        }
        Ok(Vec::new())
    }
}
