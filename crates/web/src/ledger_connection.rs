//! The connection to a ledger on the server: a contest or a score sheet.
//!
//! Messages of the server are folded into the replica. Commands are sent, and sent again after a lost
//! connection until they are answered. The connection ends with the component that opened it.

use std::collections::BTreeMap;

use contest::{Contest, Role, Sheet};
use futures_channel::oneshot;
use leptos::prelude::*;
use replica::Conversation;
use replica::ledger::{CommandResult, LedgerChange, LedgerReplica};
use replica::role_key::RoleKey;
use wire::ledger::{CloseReason, Ledger, LedgerClientMessage, LedgerCommand, LedgerServerMessage};

use crate::api;
use crate::connection_loop::{
    self, CommandSender, ConnectionClient, ConnectionState, EndReason, Interruption,
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
        let id_prefix = format!("{}-", connection_loop::random_id_prefix());
        let connection = LedgerConnection {
            replica: RwSignal::new(LedgerReplica::new(&id_prefix, role_key)),
            state: RwSignal::new(ConnectionState::Opening),
            commands,
        };
        let client = LedgerClient { connection, ledger: ledger.into(), answers: BTreeMap::new() };
        connection_loop::run(client, commands, queue);
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

/// The client of a ledger.
struct LedgerClient {
    connection: LedgerConnection,
    /// The ledger's id.
    ledger: String,
    /// The channels for the answers, by the ids of the commands.
    answers: BTreeMap<String, oneshot::Sender<CommandResult>>,
}

impl LedgerClient {
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

impl ConnectionClient for LedgerClient {
    type Replica = LedgerReplica;
    type Command = LedgerRequest;

    async fn connect_transport(&mut self) -> Result<Transport, Interruption> {
        self.load_lines().await?;
        Transport::to_server(&format!("/api/ledgers/{}/socket", self.ledger))
            .ok_or(Interruption::Lost)
    }

    fn read(text: &str) -> Option<LedgerServerMessage> {
        LedgerServerMessage::read(text).ok()
    }

    fn text(message: &LedgerClientMessage) -> String {
        message.text()
    }

    fn with_replica<T>(&self, act: impl FnOnce(&mut LedgerReplica) -> T) -> Option<T> {
        self.connection.replica.try_update_untracked(act)
    }

    fn command(
        &mut self,
        conversation: &mut Conversation<EndReason>,
        (command, answer): LedgerRequest,
    ) -> Option<Option<LedgerClientMessage>> {
        let (id, message) = self.with_replica(|replica| conversation.command(replica, *command))?;
        self.answers.insert(id, answer);
        Some(message)
    }

    fn on_change(&mut self, change: LedgerChange) {
        match change {
            LedgerChange::Synced | LedgerChange::Lines { .. } => self.connection.replica.notify(),
            LedgerChange::Answered { id, answer } => {
                if let Some(channel) = self.answers.remove(&id) {
                    let _ = channel.send(answer);
                }
            }
            LedgerChange::Nothing | LedgerChange::Gap | LedgerChange::Unreadable => {}
        }
    }

    fn show(&self, conversation: &Conversation<EndReason>) {
        connection_loop::set_if_changed(self.connection.state, conversation.state());
    }
}

/// The page is older than the server.
const PAGE_TOO_OLD: EndReason = EndReason::ClosedByServer(CloseReason::OtherVersion);
