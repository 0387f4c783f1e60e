//! The line to a table: to a server's, by a cable that comes back by itself, or to one in this
//! browser.
//!
//! What the table tells is folded into the mirror; what people wish is sent, and sent again after
//! a lost connection. A line is hung up when its table is left.

use client::table_replica::{TableChange, TableReplica};
use client::narrator::spoken;
use leptos::prelude::*;
use wire::table::{ClientMessage, TableCommand, CommandRefusal, ServerMessage};

use crate::api;
use crate::transport::Transport;
use crate::connection_loop::{self, Conversation, EndReason, Interruption, ConnectionState, CommandSender, now};
use crate::text::Words;

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
    pub(crate) mirror: RwSignal<TableReplica>,
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
    wishes: CommandSender<TableCommand>,
}

impl TableConnection {
    /// A line to this table, which is hung up with the component that asks for it.
    pub(crate) fn open(far: Endpoint, words: Words) -> TableConnection {
        let (wishes, waiting) = connection_loop::wishes();
        let line = TableConnection::new(&connection_loop::own_name(), wishes);
        connection_loop::keep(TableConversation { line, far, words }, wishes, waiting);
        line
    }

    /// A line that nobody hears: a lesson has no table.
    pub(crate) fn to_nobody() -> TableConnection {
        TableConnection::new("", connection_loop::wishes().0)
    }

    fn new(name: &str, wishes: CommandSender<TableCommand>) -> TableConnection {
        TableConnection {
            mirror: RwSignal::new(TableReplica::new(name)),
            state: RwSignal::new(ConnectionState::Opening),
            refused: RwSignal::new(None),
            said: RwSignal::new(Vec::new()),
            ahead: RwSignal::new(0.0),
            record: RwSignal::new(None),
            wishes,
        }
    }

    /// Wishes something.
    pub(crate) fn wish(self, command: TableCommand) {
        let _ = self.wishes.put(command);
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

    async fn cable(&mut self) -> Result<Transport, Interruption> {
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
        Some(self.line.mirror.try_with_untracked(TableReplica::hello)?.text())
    }

    fn beat(&self) -> String {
        ClientMessage::Beat.text()
    }

    fn wish(&mut self, command: TableCommand) -> Option<String> {
        Some(self.line.mirror.try_update_untracked(|mirror| mirror.wish(command))?.text())
    }

    fn cut(&self) -> Interruption {
        match self.far {
            // A worker that has died would die again.
            Endpoint::Practice(_) => Interruption::Ended(EndReason::NoWorker),
            Endpoint::Table(_) => Interruption::Lost,
        }
    }

    fn hear(&mut self, text: &str) -> Result<Vec<String>, Interruption> {
        // A message that we cannot read is of a newer server, and an update will be missed.
        let Ok(message) = ServerMessage::read(text) else { return Ok(Vec::new()) };
        match &message {
            ServerMessage::Hello { time, .. } | ServerMessage::Beat { time } => {
                self.line.ahead.try_set(*time as f64 - now());
            }
            ServerMessage::Bye { why } => return Err(Interruption::from(*why)),
            _ => {}
        }
        let heard = self.line.mirror.try_update(|mirror| mirror.hear(message)).ok_or(Interruption::Left)?;
        match heard {
            TableChange::Lost => {
                let forgotten = self.line.mirror.try_update_untracked(|mirror| {
                    mirror.forget();
                    mirror.hello().text()
                });
                return Ok(forgotten.into_iter().collect());
            }
            TableChange::Arrived { .. } => {
                self.line.state.try_set(ConnectionState::Live);
                let again = self.line.mirror.try_with_untracked(|mirror| {
                    mirror.unanswered().map(|wish| wish.text()).collect()
                });
                return Ok(again.unwrap_or_default());
            }
            TableChange::Refused { wish, refusal } => {
                self.line.refused.try_set(Some((wish, refusal)));
            }
            TableChange::Told(told) => {
                let said = self.line.mirror.try_with_untracked(|mirror| {
                    self.words.with_untracked(|phrases| {
                        let said = told.iter().filter_map(|told| spoken(told, mirror, phrases));
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
