//! The line to a table: to a server's, by a cable that comes back by itself, or to one in this
//! browser.
//!
//! What the table tells is folded into the mirror; what people wish is sent, and sent again after
//! a lost connection. A line is hung up when its table is left.

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

/// Where a line leads.
#[derive(Clone, Debug)]
pub(crate) enum Endpoint {
    /// To a table of the server, by its name.
    Table(String),
    /// To a table in this browser, by its plan.
    Practice(String),
}

/// A line to a table.
#[derive(Clone, Copy)]
pub(crate) struct TableConnection {
    /// What is known of the table.
    pub(crate) replica: RwSignal<TableReplica>,
    /// How the line is.
    pub(crate) state: RwSignal<ConnectionState>,
    /// What was refused last.
    pub(crate) refused: RwSignal<Option<(TableCommand, CommandRefusal)>>,
    /// What happened last, in words.
    pub(crate) said: RwSignal<Vec<String>>,
    /// The server's clock minus ours, in milliseconds.
    pub(crate) ahead: RwSignal<f64>,
    /// The record of the match that is over, where no server has it.
    pub(crate) record: RwSignal<Option<String>>,
    commands: CommandSender<TableCommand>,
}

impl TableConnection {
    /// A line to this table, which is hung up with the component that asks for it.
    pub(crate) fn open(far: Endpoint, words: Words) -> TableConnection {
        let (commands, waiting) = connection_loop::command_queue();
        let line = TableConnection::new(&connection_loop::own_name(), commands);
        connection_loop::run(TableConversation { line, far, words }, commands, waiting);
        line
    }

    /// A line that nobody hears: a lesson has no table.
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

    /// Wishes something.
    pub(crate) fn send(self, command: TableCommand) {
        let _ = self.commands.send(command);
    }
}

/// The talk with a table.
struct TableConversation {
    line: TableConnection,
    far: Endpoint,
    words: Words,
}

impl Conversation for TableConversation {
    type Wish = TableCommand;

    fn state(&self) -> RwSignal<ConnectionState> {
        self.line.state
    }

    async fn connect_transport(&mut self) -> Result<Transport, Interruption> {
        let table = match &self.far {
            Endpoint::Practice(plan) => {
                let opened = Transport::to_worker(plan, self.words, self.line.record).await;
                return opened.ok_or(Interruption::Ended(EndReason::NoWorker));
            }
            Endpoint::Table(table) => table,
        };
        // A browser does not say why a WebSocket is refused, so we ask first.
        api::look(table).await?;
        Transport::to_server(&format!("/api/tables/{table}/socket")).ok_or(Interruption::Lost)
    }

    fn hello(&self) -> Option<String> {
        Some(self.line.replica.try_with_untracked(TableReplica::hello)?.text())
    }

    fn beat(&self) -> String {
        ClientMessage::Beat.text()
    }

    fn command(&mut self, command: TableCommand) -> Option<String> {
        Some(self.line.replica.try_update_untracked(|replica| replica.command(command))?.text())
    }

    fn on_cut(&self) -> Interruption {
        match self.far {
            // A worker that has died would die again.
            Endpoint::Practice(_) => Interruption::Ended(EndReason::NoWorker),
            Endpoint::Table(_) => Interruption::Lost,
        }
    }

    fn receive(&mut self, text: &str) -> Result<Vec<String>, Interruption> {
        // A message that we cannot read is of a newer server, and an update will be missed.
        let Ok(message) = ServerMessage::read(text) else { return Ok(Vec::new()) };
        match &message {
            ServerMessage::Hello { time, .. } | ServerMessage::Beat { time } => {
                self.line.ahead.try_set(*time as f64 - now());
            }
            ServerMessage::Bye { why } => return Err(Interruption::from(*why)),
            _ => {}
        }
        let heard = self
            .line
            .replica
            .try_update(|replica| replica.receive(message))
            .ok_or(Interruption::Left)?;
        match heard {
            TableChange::Lost => {
                let forgotten = self.line.replica.try_update_untracked(|replica| {
                    replica.forget();
                    replica.hello().text()
                });
                return Ok(forgotten.into_iter().collect());
            }
            TableChange::Arrived { .. } => {
                self.line.state.try_set(ConnectionState::Live);
                let again = self.line.replica.try_with_untracked(|replica| {
                    replica.unanswered().map(|command| command.text()).collect()
                });
                return Ok(again.unwrap_or_default());
            }
            TableChange::Refused { command, refusal } => {
                self.line.refused.try_set(Some((command, refusal)));
            }
            TableChange::Events(told) => {
                let said = self.line.replica.try_with_untracked(|replica| {
                    self.words.with_untracked(|phrases| {
                        let said = told.iter().filter_map(|told| sentence(told, replica, phrases));
                        said.collect::<Vec<String>>()
                    })
                });
                if let Some(said) = said.filter(|said| !said.is_empty()) {
                    self.line.said.try_set(said);
                }
            }
            TableChange::Nothing | TableChange::Snapshot | TableChange::Presence => {}
        }
        Ok(Vec::new())
    }
}
