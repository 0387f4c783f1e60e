//! The connection to a ledger on the server: a contest or a score sheet.
//!
//! Messages of the server are folded into the replica. Commands are sent, and sent again after a lost
//! connection until they are answered. The connection ends with the component that opened it.

use std::collections::BTreeMap;

use contest::{Contest, Role, Sheet};
use futures_channel::oneshot;
use leptos::prelude::*;
use replica::ledger::{CommandResult, LedgerChange, LedgerReplica};
use replica::role_key::RoleKey;
use wire::ledger::{CloseReason, Ledger, LedgerClientMessage, LedgerCommand, LedgerServerMessage};

use crate::api;
use crate::connection_loop::{
    self, CommandSender, ConnectionState, Conversation, EndReason, Interruption,
};
use crate::transport::Transport;

/// A connection to a ledger.
#[derive(Clone, Copy)]
pub(crate) struct LedgerConnection {
    replica: RwSignal<LedgerReplica>,
    /// The state of the connection.
    pub(crate) state: RwSignal<ConnectionState>,
    commands: CommandSender<LedgerRequest>,
}

/// A command, and the channel for its answer.
type LedgerRequest = (Box<LedgerCommand>, oneshot::Sender<CommandResult>);

impl LedgerConnection {
    /// Opens a connection to a ledger, with the role of the key.
    pub(crate) fn open(ledger: &str, role_key: Option<RoleKey>) -> LedgerConnection {
        let (commands, queue) = connection_loop::command_queue();
        let client_name = format!("{}-", connection_loop::random_client_name());
        let connection = LedgerConnection {
            replica: RwSignal::new(LedgerReplica::new(&client_name, role_key)),
            state: RwSignal::new(ConnectionState::Opening),
            commands,
        };
        let conversation =
            LedgerConversation { connection, ledger: ledger.into(), answers: BTreeMap::new() };
        connection_loop::run(conversation, commands, queue);
        connection
    }

    /// Reads the ledger. Returns None before it is known.
    pub(crate) fn look<T>(self, look: impl FnOnce(&Ledger) -> T) -> Option<T> {
        self.replica.with(|replica| replica.ledger().map(look))
    }

    /// Reads the contest. Returns None if the ledger is not a contest, or not known yet.
    pub(crate) fn contest<T>(self, look: impl FnOnce(&Contest) -> T) -> Option<T> {
        self.replica.with(|replica| replica.ledger().and_then(Ledger::contest).map(look))
    }

    /// Reads the sheet. Returns None if the ledger is not a sheet, or not known yet.
    pub(crate) fn sheet<T>(self, look: impl FnOnce(&Sheet) -> T) -> Option<T> {
        self.replica.with(|replica| replica.ledger().and_then(Ledger::sheet).map(look))
    }

    /// The role that the server granted. Returns None before its hello.
    pub(crate) fn granted(self) -> Option<Role> {
        self.replica.with(LedgerReplica::granted)
    }

    /// Whether the key is wrong.
    pub(crate) fn is_refused(self) -> bool {
        self.replica.with(LedgerReplica::is_refused)
    }

    /// Sends a command and waits for its answer, also while the connection is lost. Returns None if
    /// the component is gone meanwhile.
    pub(crate) async fn command(self, command: LedgerCommand) -> Option<CommandResult> {
        let (answer, answered) = oneshot::channel();
        self.commands.send((Box::new(command), answer))?;
        answered.await.ok()
    }
}

/// The messages between the client and a ledger.
struct LedgerConversation {
    connection: LedgerConnection,
    /// The ledger's id.
    ledger: String,
    /// The channels for the answers, by the ids of the commands.
    answers: BTreeMap<String, oneshot::Sender<CommandResult>>,
}

impl LedgerConversation {
    /// Loads the lines over HTTP if none are known yet. This also finds out whether the ledger
    /// exists: a browser does not report why a WebSocket is refused.
    async fn load_lines(&self) -> Result<(), Interruption> {
        let replica = self.connection.replica;
        let known = replica.try_with_untracked(|replica| replica.ledger().is_some());
        if known.ok_or(Interruption::ComponentGone)? {
            return Ok(());
        }
        let lines = api::ledger(&self.ledger).await?;
        let valid = replica.try_update(|replica| replica.read(&lines));
        if valid.ok_or(Interruption::ComponentGone)? {
            Ok(())
        } else {
            Err(Interruption::Ended(PAGE_TOO_OLD))
        }
    }
}

impl Conversation for LedgerConversation {
    type Command = LedgerRequest;

    fn state(&self) -> RwSignal<ConnectionState> {
        self.connection.state
    }

    async fn connect_transport(&mut self) -> Result<Transport, Interruption> {
        self.load_lines().await?;
        Transport::to_server(&format!("/api/ledgers/{}/socket", self.ledger))
            .ok_or(Interruption::Lost)
    }

    fn hello(&self) -> Option<String> {
        Some(self.connection.replica.try_with_untracked(LedgerReplica::hello)?.text())
    }

    fn beat(&self) -> String {
        LedgerClientMessage::Beat.text()
    }

    fn keep_command(&mut self, (command, answer): LedgerRequest) -> Option<String> {
        let replica = self.connection.replica;
        let (id, message) = replica.try_update_untracked(|replica| replica.command(*command))?;
        self.answers.insert(id, answer);
        Some(message.text())
    }

    fn receive(&mut self, text: &str) -> Result<Vec<String>, Interruption> {
        // An unreadable message is from a newer server. If it had lines, the next ones reveal the gap.
        let Ok(message) = LedgerServerMessage::read(text) else { return Ok(Vec::new()) };
        if let LedgerServerMessage::Bye { why } = &message {
            return Err(Interruption::from(*why));
        }
        let replica = self.connection.replica;
        let change = replica.try_update_untracked(|replica| replica.receive(message));
        match change.ok_or(Interruption::ComponentGone)? {
            LedgerChange::Nothing => {}
            LedgerChange::Arrived => {
                replica.notify();
                self.connection.state.try_set(ConnectionState::Live);
                let unanswered = replica.try_with_untracked(|replica| {
                    replica.unanswered().map(|command| command.text()).collect()
                });
                return Ok(unanswered.unwrap_or_default());
            }
            LedgerChange::Lines { .. } => replica.notify(),
            LedgerChange::Answered { id, answer } => {
                if let Some(channel) = self.answers.remove(&id) {
                    let _ = channel.send(answer);
                }
            }
            LedgerChange::Lost => {
                let hello = replica.try_update_untracked(|replica| {
                    replica.forget();
                    replica.hello().text()
                });
                return Ok(hello.into_iter().collect());
            }
            LedgerChange::Unread => return Err(Interruption::Ended(PAGE_TOO_OLD)),
        }
        Ok(Vec::new())
    }
}

/// The page is older than the server.
const PAGE_TOO_OLD: EndReason = EndReason::Farewell(CloseReason::OtherVersion);
