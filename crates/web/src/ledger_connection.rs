//! The way to a ledger on the server: a contest or a score sheet that everybody folds for himself.
//!
//! What the server tells goes to the [follower](client::follower); what people wish is sent, and sent again
//! after a lost connection until it is answered. The way is closed with the component that opened it.

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

/// A ledger of the server, as it is known here.
#[derive(Clone, Copy)]
pub(crate) struct LedgerConnection {
    replica: RwSignal<LedgerReplica>,
    /// How the line is.
    pub(crate) state: RwSignal<ConnectionState>,
    commands: CommandSender<LedgerRequest>,
}

/// A wish, and who waits for the answer.
type LedgerRequest = (Box<LedgerCommand>, oneshot::Sender<CommandResult>);

impl LedgerConnection {
    /// Opens a ledger, to do in it what the pass allows.
    pub(crate) fn open(name: &str, pass: Option<RoleKey>) -> LedgerConnection {
        let (commands, waiting) = connection_loop::command_queue();
        let own = format!("{}-", connection_loop::own_name());
        let book = LedgerConnection {
            replica: RwSignal::new(LedgerReplica::new(&own, pass)),
            state: RwSignal::new(ConnectionState::Opening),
            commands,
        };
        let talk = LedgerConversation { book, name: name.into(), answers: BTreeMap::new() };
        connection_loop::run(talk, commands, waiting);
        book
    }

    /// Something about the ledger; nothing before it is known.
    pub(crate) fn look<T>(self, look: impl FnOnce(&Ledger) -> T) -> Option<T> {
        self.replica.with(|replica| replica.ledger().map(look))
    }

    /// Something about the contest, if it is one.
    pub(crate) fn contest<T>(self, look: impl FnOnce(&Contest) -> T) -> Option<T> {
        self.replica.with(|replica| replica.ledger().and_then(Ledger::contest).map(look))
    }

    /// Something about the sheet, if it is one.
    pub(crate) fn sheet<T>(self, look: impl FnOnce(&Sheet) -> T) -> Option<T> {
        self.replica.with(|replica| replica.ledger().and_then(Ledger::sheet).map(look))
    }

    /// What the server lets us do; nothing before it has said so.
    pub(crate) fn granted(self) -> Option<Role> {
        self.replica.with(LedgerReplica::granted)
    }

    /// Whether our key is not right.
    pub(crate) fn is_refused(self) -> bool {
        self.replica.with(LedgerReplica::is_refused)
    }

    /// Wishes something, and waits for the answer however long the line is down. Nothing if the ledger
    /// was left meanwhile.
    pub(crate) async fn command(self, command: LedgerCommand) -> Option<CommandResult> {
        let (answer, answered) = oneshot::channel();
        self.commands.send((Box::new(command), answer))?;
        answered.await.ok()
    }
}

/// The talk about a ledger.
struct LedgerConversation {
    book: LedgerConnection,
    name: String,
    /// Who waits for the answer to which wish.
    answers: BTreeMap<String, oneshot::Sender<CommandResult>>,
}

impl LedgerConversation {
    /// Gets what is written, where nothing is known yet: a browser does not say why a WebSocket is
    /// refused, and so we learn whether there is such a ledger.
    async fn read(&self) -> Result<(), Interruption> {
        let replica = self.book.replica;
        let known = replica.try_with_untracked(|replica| replica.ledger().is_some());
        if known.ok_or(Interruption::Left)? {
            return Ok(());
        }
        let lines = api::ledger(&self.name).await?;
        let read = replica.try_update(|replica| replica.read(&lines));
        if read.ok_or(Interruption::Left)? { Ok(()) } else { Err(Interruption::Ended(OLD)) }
    }
}

impl Conversation for LedgerConversation {
    type Wish = LedgerRequest;

    fn state(&self) -> RwSignal<ConnectionState> {
        self.book.state
    }

    async fn connect_transport(&mut self) -> Result<Transport, Interruption> {
        self.read().await?;
        Transport::to_server(&format!("/api/ledgers/{}/socket", self.name))
            .ok_or(Interruption::Lost)
    }

    fn hello(&self) -> Option<String> {
        Some(self.book.replica.try_with_untracked(LedgerReplica::hello)?.text())
    }

    fn beat(&self) -> String {
        LedgerClientMessage::Beat.text()
    }

    fn command(&mut self, (command, answer): LedgerRequest) -> Option<String> {
        let replica = self.book.replica;
        let (id, message) = replica.try_update_untracked(|replica| replica.command(*command))?;
        self.answers.insert(id, answer);
        Some(message.text())
    }

    fn receive(&mut self, text: &str) -> Result<Vec<String>, Interruption> {
        // What we cannot read is of a newer server, and a line will be missed.
        let Ok(message) = LedgerServerMessage::read(text) else { return Ok(Vec::new()) };
        if let LedgerServerMessage::Bye { why } = &message {
            return Err(Interruption::from(*why));
        }
        let replica = self.book.replica;
        let heard = replica.try_update_untracked(|replica| replica.receive(message));
        match heard.ok_or(Interruption::Left)? {
            LedgerChange::Nothing => {}
            LedgerChange::Arrived => {
                replica.notify();
                self.book.state.try_set(ConnectionState::Live);
                let again = replica.try_with_untracked(|replica| {
                    replica.unanswered().map(|command| command.text()).collect()
                });
                return Ok(again.unwrap_or_default());
            }
            LedgerChange::Lines { .. } => replica.notify(),
            LedgerChange::Answered { id, answer } => {
                if let Some(asked) = self.answers.remove(&id) {
                    let _ = asked.send(answer);
                }
            }
            LedgerChange::Lost => {
                let hello = replica.try_update_untracked(|replica| {
                    replica.forget();
                    replica.hello().text()
                });
                return Ok(hello.into_iter().collect());
            }
            LedgerChange::Unread => return Err(Interruption::Ended(OLD)),
        }
        Ok(Vec::new())
    }
}

/// The page is older than the server.
const OLD: EndReason = EndReason::Farewell(CloseReason::OtherVersion);
