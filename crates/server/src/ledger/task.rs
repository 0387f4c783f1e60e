//! The task of a ledger: the only one that writes it.
//!
//! A command is decided at once, and waits to be stored together with those that come meanwhile: one
//! commit, and then one message with all its lines to every client. A ledger may have a thousand
//! clients, and many tables may report their results at the same moment. Nothing is sent before it is
//! stored. If it cannot be stored, the task ends, and the next message loads the ledger again.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, OnceLock};

use contest::{ContestChange, ContestTableId, Role};
use room::Key;
use room::driver::ConnectionId;
use store::{
    AcquiredLog, Append, AppendOutcome, AppendQueue, AppendResult, Epoch, LedgerId, NewEvent,
    PlayerId, StoreError, TableId,
};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, mpsc, oneshot};
use wire::contest::role_text;
use wire::ledger::{CloseReason, LedgerCommand, LedgerRefusal, LedgerServerMessage, VERSION};

use super::contest_host::{AssignedSeat, ContestHost, TableStart};
use super::line_blocks::LineBlocks;
use super::state::{CommandId, IdUse, LedgerDecision, LedgerState, is_valid_id};
use crate::clock::Clock;
use crate::outbox::Outbox;
use crate::quotas::Quota;
use crate::random;
use crate::rations::{ENTRY_BYTES, Payer, RationKind};
use crate::tables::TableRegistry;
use crate::task_registry::{self, OccupancyGuard, Storing, outcome};

#[cfg(test)]
mod probe;

/// How many messages may wait at a ledger.
const MAX_QUEUED: usize = 1_024;
/// The maximum number of connections to a ledger.
const MAX_SUBSCRIBERS: usize = 5_000;
/// While this many events wait to be stored, no further message is handled.
const BATCH: usize = 1_024;

/// As how many stored bytes a table counts that the server opens after a draw.
const TABLE_BYTES: usize = 2 << 10;

/// A client that has connected.
pub(crate) struct NewSubscriber {
    pub(crate) connection: ConnectionId,
    /// How many lines the client has.
    pub(crate) since: usize,
    /// The role that it asks for, and the key.
    pub(crate) asks: Option<(Role, Key)>,
    /// Gets the role that it is granted.
    pub(crate) granted: Arc<OnceLock<Role>>,
    /// For whom counts what the client writes.
    pub(crate) payer: Payer,
    pub(crate) outbox: Outbox,
}

/// A message to the task of a ledger.
pub(crate) enum LedgerMessage {
    /// A client has connected.
    Connected(Box<NewSubscriber>),
    /// A connection has ended.
    Disconnected { connection: ConnectionId },
    /// A client has sent a command.
    Command { connection: ConnectionId, id: String, what: Box<LedgerCommand> },
    /// A player asks for the seat that an online contest has for them.
    Seat { asks: (Role, Key), player: PlayerId, answer: oneshot::Sender<Option<AssignedSeat>> },
    /// Asks for all lines.
    Read { answer: oneshot::Sender<LineBlocks> },
    /// A table of an online contest was opened.
    Opened { table: ContestTableId, server_table: TableId },
    /// The outcome of a match of an online contest, if it is over.
    Ended { table: ContestTableId, outcome: Option<contest::MatchOutcome> },
    /// The answer to a command that a table has carried out.
    Reply { connection: ConnectionId, text: String },
    /// The server stops: finish storing, notify the clients, and end.
    Stop { done: oneshot::Sender<()> },
}

/// Sends messages to the task of a ledger.
pub(crate) type LedgerHandle = task_registry::TaskHandle<LedgerMessage>;

/// A command whose answer waits for the store.
struct WaitingCommand {
    connection: ConnectionId,
    id: String,
    /// The refusal to answer with, if the state that waits to be stored refuses it.
    refusal: Option<LedgerRefusal>,
}

impl WaitingCommand {
    /// Whether it is the command with an id, which is being done.
    fn does(&self, id: &str) -> bool {
        self.refusal.is_none() && self.id == id
    }
}

/// A connection, its role, and for whom counts what it writes.
struct Subscriber {
    role: Role,
    payer: Payer,
    outbox: Outbox,
}

/// Waits for the next ended match of this contest, and returns its table. Returns None if some were missed.
async fn next_ended(matches: &mut EndedMatches, contest: LedgerId) -> Option<TableId> {
    loop {
        match matches.recv().await {
            Ok((ledger, table)) if ledger == contest => return Some(table),
            // The matches of other contests are no reason to stay in memory.
            Ok(_) => {}
            Err(RecvError::Lagged(_)) => return None,
            Err(RecvError::Closed) => return std::future::pending().await,
        }
    }
}

type EndedMatches = broadcast::Receiver<(LedgerId, TableId)>;

pub(super) struct LedgerTask {
    id: LedgerId,
    epoch: Epoch,
    occupancy_guard: OccupancyGuard,
    /// The address of the client for which the ledger was loaded: what the server itself writes counts
    /// for it.
    loaded_for: IpAddr,
    /// The ledger with all decisions; the last lines may not be stored yet. Those that are stored were
    /// sent to every client.
    state: LedgerState,
    /// The number of the next event in the store.
    next: u64,
    queue: AppendQueue,
    clock: Clock,
    host: ContestHost,
    ended_matches: EndedMatches,
    messages: mpsc::Receiver<LedgerMessage>,
    subscribers: BTreeMap<ConnectionId, Subscriber>,
    storing: Option<Storing>,
    /// How many lines will be stored with the present append.
    stored_after_append: usize,
    /// The commands that are being stored.
    storing_commands: Vec<WaitingCommand>,
    /// The events that wait to be stored, and their commands.
    pending_events: Vec<NewEvent>,
    pending_commands: Vec<WaitingCommand>,
    /// The tables that were opened for the contest, while that is being stored and before.
    storing_tables: Vec<ContestTableId>,
    pending_tables: Vec<ContestTableId>,
    /// Why the task ends.
    end_reason: Option<CloseReason>,
    stopping: Option<oneshot::Sender<()>>,
}

/// Starts the task of a ledger that was acquired and replayed.
pub(super) fn start(
    id: LedgerId,
    acquired: &AcquiredLog,
    clock: Clock,
    state: LedgerState,
    tables: &Arc<TableRegistry>,
    occupancy: (OccupancyGuard, IpAddr),
) -> LedgerHandle {
    let (mut task, sender) = LedgerTask::new(id, acquired, clock, state, tables, occupancy);
    tokio::spawn(async move { task.run().await });
    LedgerHandle::new(sender, clock)
}

impl LedgerTask {
    fn new(
        id: LedgerId,
        acquired: &AcquiredLog,
        clock: Clock,
        state: LedgerState,
        tables: &Arc<TableRegistry>,
        (occupancy_guard, loaded_for): (OccupancyGuard, IpAddr),
    ) -> (Box<LedgerTask>, mpsc::Sender<LedgerMessage>) {
        let (sender, messages) = mpsc::channel(MAX_QUEUED);
        let stored_after_append = state.len();
        let task = LedgerTask {
            id,
            epoch: acquired.epoch,
            occupancy_guard,
            loaded_for,
            state,
            next: acquired.last + 1,
            queue: tables.queue(),
            clock,
            host: ContestHost::new(id, tables.clone(), sender.downgrade()),
            ended_matches: tables.ended_matches(),
            messages,
            subscribers: BTreeMap::new(),
            storing: None,
            stored_after_append,
            storing_commands: Vec::new(),
            pending_events: Vec::new(),
            pending_commands: Vec::new(),
            storing_tables: Vec::new(),
            pending_tables: Vec::new(),
            end_reason: None,
            stopping: None,
        };
        (Box::new(task), sender)
    }

    async fn run(&mut self) {
        self.open_tables();
        self.check_results(None);
        while self.end_reason.is_none() {
            self.step().await;
        }
        self.close();
    }

    /// Waits for the next message, ended match or stored append, and handles it.
    async fn step(&mut self) {
        #[cfg(test)]
        self.observe();
        // The tables that are being opened would be opened again when the ledger is loaded.
        let idle =
            self.subscribers.is_empty() && self.storing.is_none() && !self.host.opens_tables();
        tokio::select! {
            biased;
            outcome = outcome(&mut self.storing) => {
                self.storing = None;
                self.on_stored(outcome);
            }
            message = self.messages.recv(), if !self.is_full() => {
                match message {
                    Some(message) => self.handle(message),
                    None => self.end_reason = Some(CloseReason::Stopping),
                }
                // Messages that wait are stored together.
                while !self.is_full() && let Ok(message) = self.messages.try_recv() {
                    self.handle(message);
                }
            }
            table = next_ended(&mut self.ended_matches, self.id) => self.check_results(table),
            () = tokio::time::sleep(self.occupancy_guard.idle_timeout()), if idle => {
                self.end_reason = Some(CloseReason::Stopping);
            }
        }
        self.store();
        if self.stopping.is_some() && self.storing.is_none() {
            self.end_reason = Some(CloseReason::Stopping);
        }
    }

    /// Whether so much waits to be stored that the messages wait too.
    fn is_full(&self) -> bool {
        let commands = self.storing_commands.len() + self.pending_commands.len();
        self.pending_events.len() >= BATCH || commands >= 2 * BATCH
    }

    fn handle(&mut self, message: LedgerMessage) {
        match message {
            LedgerMessage::Connected(new_connection) => self.on_connected(*new_connection),
            LedgerMessage::Disconnected { connection } => {
                self.subscribers.remove(&connection);
            }
            LedgerMessage::Command { connection, id, what } => {
                self.on_command(connection, id, &what)
            }
            LedgerMessage::Seat { asks, player, answer } => {
                let role = self.state.granted_role(Some(asks));
                let contest = self.state.ledger().contest();
                let seat = contest.and_then(|contest| self.host.seat(contest, role, player));
                // The caller may have stopped waiting.
                let _ = answer.send(seat);
            }
            LedgerMessage::Read { answer } => {
                // The caller may have stopped waiting.
                let _ = answer.send(self.state.lines().clone());
            }
            LedgerMessage::Opened { table, server_table } => {
                // Ten letters and digits always make a word.
                if let Ok(server_table) = server_table.to_string().parse() {
                    self.write_as_server(ContestChange::Open { table, server_table });
                }
                // No player gets a seat at it before it is stored which table it is.
                self.pending_tables.push(table);
            }
            LedgerMessage::Ended { table, outcome } => {
                if let Some(outcome) = outcome {
                    self.write_as_server(ContestChange::Report { table, outcome });
                }
                if let Some(contest) = self.state.ledger().contest() {
                    self.host.on_checked(contest, table);
                }
            }
            LedgerMessage::Reply { connection, text } => self.send(connection, Arc::new(text)),
            LedgerMessage::Stop { done } => self.stopping = Some(done),
        }
    }

    /// Writes what the server itself has done, unless the ledger has it already.
    fn write_as_server(&mut self, change: ContestChange) {
        if let Some(decisions) = self.state.decide_as_server(self.clock.now(), change) {
            // If it does not fit, the task ends and has logged why.
            let _ = self.write(decisions, self.loaded_for);
        }
    }

    /// Opens the tables that an online contest needs.
    fn open_tables(&mut self) {
        if let Some(contest) = self.state.ledger().contest() {
            self.host.open_tables(contest);
        }
    }

    fn check_results(&mut self, of: Option<TableId>) {
        if let Some(contest) = self.state.ledger().contest() {
            self.host.check_results(contest, of);
        }
    }

    fn on_connected(&mut self, new_connection: NewSubscriber) {
        let NewSubscriber { connection, since, asks, granted, payer, mut outbox } = new_connection;
        if self.subscribers.len() >= MAX_SUBSCRIBERS {
            outbox.close(CloseReason::Unavailable);
            return;
        }
        let role = *granted.get_or_init(|| self.state.granted_role(asks));
        self.subscribers.insert(connection, Subscriber { role, payer, outbox });
        let hello = LedgerServerMessage::Hello {
            ghinda: VERSION,
            server: concat!("ghinda ", env!("CARGO_PKG_VERSION")).into(),
            time: self.clock.now(),
            role: role_text(role),
        };
        self.send(connection, Arc::new(hello.text()));
        // A client with more lines than there are has another ledger, and gets all lines.
        let lines = self.state.lines();
        let since = if since > lines.len() { 0 } else { since };
        let texts: Vec<Arc<String>> = lines.messages(since).collect();
        texts.into_iter().for_each(|text| self.send(connection, text));
    }

    fn on_command(&mut self, connection: ConnectionId, id: String, what: &LedgerCommand) {
        let Some(subscriber) = self.subscribers.get(&connection) else { return };
        if self.stopping.is_some() {
            // The client sends it to the next server.
            return;
        }
        let id_use = self.state.use_of(&CommandId::new(&id, what));
        if !is_valid_id(&id) || id_use == IdUse::Taken {
            self.refuse(connection, id, LedgerRefusal::BadId);
            return;
        }
        if self.storing_commands.iter().any(|waiting| waiting.does(&id)) {
            self.storing_commands.push(WaitingCommand { connection, id, refusal: None });
            return;
        }
        if self.pending_commands.iter().any(|waiting| waiting.does(&id)) {
            self.pending_commands.push(WaitingCommand { connection, id, refusal: None });
            return;
        }
        if id_use == IdUse::Repeated {
            self.answer_done(connection, id);
            return;
        }
        if let (LedgerCommand::Start { table }, Some(contest)) =
            (what, self.state.ledger().contest())
        {
            let command = TableStart { connection, id: id.clone() };
            // If it is not refused, the answer comes as a `Reply`.
            if let Err(refusal) = self.host.start(contest, subscriber.role, table, command) {
                self.refuse(connection, id, refusal);
            }
            return;
        }
        let (role, payer) = (subscriber.role, subscriber.payer.clone());
        let address = payer.address();
        let decided = self.state.decide(self.clock.now(), role, &id, what, random::secret);
        if decided.is_ok() && !self.occupancy_guard.may_write(address) {
            Quota::LedgersInMemory.count_refusal();
            self.refuse(connection, id, LedgerRefusal::Unavailable);
            return;
        }
        let opened_before = self.tables_to_open();
        match decided.and_then(|decisions| self.write(decisions, address)) {
            Ok(bytes) => {
                // Only what is stored counts, and the tables that are opened for it.
                let opened = self.tables_to_open().saturating_sub(opened_before);
                payer.charge(RationKind::Ledger, bytes + opened * TABLE_BYTES);
                self.pending_commands.push(WaitingCommand { connection, id, refusal: None });
            }
            Err(refusal) if refusal.is_unchanged() => self.on_unchanged(connection, id, refusal),
            Err(refusal) => self.refuse(connection, id, refusal),
        }
    }

    /// Refuses a command that would change nothing, once everything before it is stored.
    fn on_unchanged(&mut self, connection: ConnectionId, id: String, refusal: LedgerRefusal) {
        let waiting = WaitingCommand { connection, id, refusal: Some(refusal) };
        if !self.pending_events.is_empty() {
            self.pending_commands.push(waiting);
        } else if self.storing.is_some() {
            self.storing_commands.push(waiting);
        } else {
            self.answer(waiting);
        }
    }

    /// Answers a command that has waited for the store.
    fn answer(&mut self, waiting: WaitingCommand) {
        let WaitingCommand { connection, id, refusal } = waiting;
        match refusal {
            None => self.answer_done(connection, id),
            Some(refusal) => self.refuse(connection, id, refusal),
        }
    }

    /// Applies decisions, and returns how many bytes are stored for them. Clients get their lines once they are
    /// stored.
    fn write(
        &mut self,
        decisions: Vec<LedgerDecision>,
        address: IpAddr,
    ) -> Result<usize, LedgerRefusal> {
        let before = self.state.bytes();
        let events_before = self.pending_events.len();
        for decision in decisions {
            match self.state.write(decision) {
                Ok(event) => {
                    self.pending_events
                        .push(NewEvent { at_ms: self.clock.now_ms(), body: event.text() });
                }
                // The state may have half of the decisions: it must be loaded again.
                Err(error) => {
                    tracing::error!(ledger = %self.id, %error, "a decision does not fit");
                    self.end_reason = Some(CloseReason::Unavailable);
                    return Err(LedgerRefusal::Unavailable);
                }
            }
        }
        self.occupancy_guard.note_written(address, self.state.bytes() - before);
        let events = &self.pending_events[events_before..];
        Ok(events.iter().map(|event| event.body.len() + ENTRY_BYTES).sum())
    }

    /// How many tables the server has to open for the contest.
    fn tables_to_open(&self) -> usize {
        self.state.ledger().contest().map_or(0, |contest| contest.to_open().count())
    }

    fn answer_done(&mut self, connection: ConnectionId, id: String) {
        self.send(connection, Arc::new(LedgerServerMessage::Done { id }.text()));
    }

    fn refuse(&mut self, connection: ConnectionId, id: String, refusal: LedgerRefusal) {
        metrics::counter!("ghinda_refused_total").increment(1);
        let refused = LedgerServerMessage::Refused { id, refusal };
        self.send(connection, Arc::new(refused.text()));
    }

    /// Passes the pending events to the writer, unless others are being stored.
    fn store(&mut self) {
        if self.storing.is_some() || self.end_reason.is_some() {
            return;
        }
        if self.pending_events.is_empty() {
            // All of them were known already.
            let tables = std::mem::take(&mut self.pending_tables);
            self.on_tables_stored(tables);
            return;
        }
        let events = std::mem::take(&mut self.pending_events);
        self.storing_commands = std::mem::take(&mut self.pending_commands);
        self.storing_tables = std::mem::take(&mut self.pending_tables);
        self.stored_after_append = self.state.len();
        let append = Append {
            log: self.id.into(),
            epoch: self.epoch,
            first: self.next,
            events,
            linked_writes: Vec::new(),
        };
        self.next += append.events.len() as u64;
        let queue = self.queue.clone();
        self.storing = Some(Box::pin(async move { queue.append(append).await }));
    }

    fn on_tables_stored(&mut self, tables: Vec<ContestTableId>) {
        tables.into_iter().for_each(|table| self.host.on_opened(table));
    }

    fn on_stored(&mut self, outcome: AppendResult) {
        match outcome {
            Ok(AppendOutcome::Done) => {
                let sent = self.state.lines().len();
                self.state.set_stored(self.stored_after_append);
                let lines = self.state.lines();
                let new = lines.len() - sent;
                metrics::counter!("ghinda_ledger_lines_total").increment(new as u64);
                let texts: Vec<Arc<String>> = lines.messages(sent).collect();
                let connections: Vec<ConnectionId> = self.subscribers.keys().copied().collect();
                for connection in connections {
                    texts.iter().for_each(|text| self.send(connection, text.clone()));
                }
                for waiting in std::mem::take(&mut self.storing_commands) {
                    self.answer(waiting);
                }
                let tables = std::mem::take(&mut self.storing_tables);
                self.on_tables_stored(tables);
                self.open_tables();
            }
            Ok(AppendOutcome::Fenced | AppendOutcome::OutOfOrder | AppendOutcome::Gone) => {
                tracing::warn!(ledger = %self.id, "the ledger belongs to another server now");
                self.end_reason = Some(CloseReason::Unavailable);
            }
            Err(error) => {
                tracing::error!(ledger = %self.id, %error, "nothing is known to be stored");
                let kind =
                    if matches!(error, StoreError::Uncertain(_)) { "uncertain" } else { "refused" };
                metrics::counter!("ghinda_store_failures_total", "kind" => kind).increment(1);
                // Commands with an uncertain outcome get no answer: the client repeats them.
                if kind == "refused" {
                    let commands = std::mem::take(&mut self.storing_commands).into_iter();
                    for waiting in commands.chain(std::mem::take(&mut self.pending_commands)) {
                        let WaitingCommand { connection, id, .. } = waiting;
                        self.refuse(connection, id, LedgerRefusal::Unavailable);
                    }
                }
                self.end_reason = Some(CloseReason::Unavailable);
            }
        }
    }

    /// Passes a message to a connection. One that reads too slowly is dropped: its client may connect
    /// again and resume.
    fn send(&mut self, connection: ConnectionId, text: Arc<String>) {
        let Some(subscriber) = self.subscribers.get_mut(&connection) else { return };
        if let Err(error) = subscriber.outbox.send_shared(text) {
            self.subscribers.remove(&connection);
            error.count();
        }
    }

    /// Notifies all clients that the task ends, and why.
    fn close(&mut self) {
        self.messages.close();
        let why = self.end_reason.unwrap_or(CloseReason::Stopping);
        for (_, mut subscriber) in std::mem::take(&mut self.subscribers) {
            subscriber.outbox.close(why);
        }
        if let Some(done) = self.stopping.take() {
            let _ = done.send(());
        }
    }
}

#[cfg(test)]
mod tests;
