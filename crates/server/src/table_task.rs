//! The task of a table: the only one that writes it.
//!
//! Messages come in, the [driver](room::driver) returns effects, and the task carries them out: it
//! passes entries to the writer, messages to connections, and questions to the bot pool. It decides
//! only when to end: when no client has been connected for a while, when another server owns the
//! table, and when it cannot know what is stored. The next message loads the table again.

use std::sync::Arc;

use cards::Seat;
use game::fair::Secret;
use game::record::Name;
use room::driver::{
    ConnectionId, DriverContext, Effect, Input, MAX_CONNECTIONS, RoomInput, TableDriver,
};
use room::{Entry, Key, LoggedEntry, MatchResult, Millis, Room, log};
use store::{
    Append, AppendOutcome, AppendQueue, AppendResult, Epoch, FinishedMatch, FinishedSeat,
    LinkedWrite, NewEvent, PlayerId,
};
use store::{LedgerId, StoreError, TableId};
use tokio::sync::{broadcast, mpsc, oneshot};
use tokio::task::JoinSet;
use tokio::time::sleep_until;
use wire::table::{CloseReason, CommandRefusal, RefusalReason};

use crate::bot_pool::BotPool;
use crate::byte_pool::SHARES;
use crate::clock::Clock;
use crate::outbox::Outbox;
use crate::rations::{ENTRY_BYTES, Payer, RationKind};
use crate::tables::{LobbyEntry, TableIndex};
use crate::task_registry::{self, Occupancy, OccupancyGuard, Storing, outcome};

#[cfg(test)]
mod probe;
#[cfg(test)]
mod tests;

/// How many messages may wait at a table.
const MAX_QUEUED: usize = 256;

/// How long a bot waits if the players at its table may store no more.
const BOT_RETRY: Millis = 1_000;

/// A client that has connected.
pub(crate) struct NewConnection {
    pub(crate) connection: ConnectionId,
    pub(crate) player: PlayerId,
    /// The last version that the client has.
    pub(crate) since: Option<u64>,
    /// For whom counts what the client has stored.
    pub(crate) payer: Payer,
    pub(crate) outbox: Outbox,
}

/// A connection of the table.
struct ConnectedClient {
    connection: ConnectionId,
    player: PlayerId,
    payer: Payer,
    outbox: Outbox,
}

/// A message to the task of a table. Every table has a buffer for some of them, so they are small.
pub(crate) enum TableMessage {
    /// A client has connected.
    Connected(Box<NewConnection>),
    /// A request that does not come from a connection.
    Request { what: Box<TableRequest>, answer: oneshot::Sender<Result<(), CommandRefusal>> },
    /// A bot's answer, to be handled at that time.
    BotAnswered { due: Millis, input: Box<Input> },
    /// Any other input of the driver.
    Input(Box<Input>),
    /// A function that reads something from the room.
    Read(Box<dyn FnOnce(&Room) + Send>),
    /// The server stops: finish storing, notify the clients, and end.
    Stop { done: oneshot::Sender<()> },
}

impl TableMessage {
    /// Whether it may lead to entries.
    fn may_store(&self) -> bool {
        match self {
            TableMessage::Request { .. } | TableMessage::BotAnswered { .. } => true,
            TableMessage::Input(input) => !matches!(**input, Input::Disconnected { .. }),
            TableMessage::Connected(_) | TableMessage::Read(_) | TableMessage::Stop { .. } => false,
        }
    }
}

/// A request that does not come from a connection.
pub(crate) enum TableRequest {
    /// Admit a player by the table's key.
    Admit { player: PlayerId, key: Key },
    /// Give a player one of the seats that a contest has for them.
    Seat { contest: LedgerId, player: PlayerId, seats: Vec<(Seat, Name)> },
    /// Start the match of a contest.
    Start { contest: LedgerId, command: String },
}

/// Sends messages to the task of a table.
pub(crate) type TableHandle = task_registry::TaskHandle<TableMessage>;

/// What all table tasks share.
#[derive(Clone)]
pub(crate) struct TableServices {
    pub(crate) queue: AppendQueue,
    pub(crate) bot_pool: BotPool,
    pub(crate) clock: Clock,
    pub(crate) occupancy: Arc<Occupancy>,
    pub(crate) index: Arc<TableIndex>,
    /// Notifies contests that one of their matches is over.
    pub(crate) ended_matches: broadcast::Sender<(LedgerId, TableId)>,
    /// Draws 32 random bytes: the secret of a match, or the source of a key.
    pub(crate) new_secret: fn() -> Secret,
}

pub(crate) struct TableTask {
    table: TableId,
    epoch: Epoch,
    /// The clock of the table.
    clock: Clock,
    driver: TableDriver,
    occupancy_guard: OccupancyGuard,
    shared: TableServices,
    /// Dropped before the messages, also if the task panics: then another task may have an entry.
    lobby_entry: Option<LobbyEntry>,
    messages: mpsc::Receiver<TableMessage>,
    /// Sends to this task, for answers of the bot pool.
    self_sender: mpsc::WeakSender<TableMessage>,
    clients: Vec<ConnectedClient>,
    storing: Option<Storing>,
    /// Wait for answers of the bot pool.
    awaited_answers: JoinSet<()>,
    /// Answers that came before their time.
    held_answers: Vec<(Millis, Input)>,
    requests: Vec<(u64, oneshot::Sender<Result<(), CommandRefusal>>)>,
    request_count: u64,
    /// Why the task ends.
    end_reason: Option<CloseReason>,
    stopping: Option<oneshot::Sender<()>>,
}

/// Starts the task of a room.
pub(crate) fn start(room: Room, epoch: Epoch, shared: TableServices) -> TableHandle {
    let (sender, messages) = mpsc::channel(MAX_QUEUED);
    let clock = shared.clock.not_before(room.at());
    let table = room.id();
    let mut task = Box::new(TableTask {
        table,
        epoch,
        clock,
        driver: TableDriver::new(room),
        occupancy_guard: shared.occupancy.enter(),
        lobby_entry: Some(LobbyEntry::new(shared.index.clone(), table)),
        shared,
        messages,
        self_sender: sender.downgrade(),
        clients: Vec::new(),
        storing: None,
        awaited_answers: JoinSet::new(),
        held_answers: Vec::new(),
        requests: Vec::new(),
        request_count: 0,
        end_reason: None,
        stopping: None,
    });
    task.update_lobby();
    if task.driver.room().is_over() {
        // The task before may have ended without knowing that the last entry was stored.
        task.notify_contest();
    }
    tokio::spawn(async move { task.run().await });
    TableHandle::new(sender, clock)
}

impl TableTask {
    async fn run(&mut self) {
        while self.end_reason.is_none() {
            self.step().await;
        }
        self.close();
    }

    /// Waits for the next message, timer or stored append, and handles it.
    async fn step(&mut self) {
        #[cfg(test)]
        self.observe();
        let idle = self.driver.is_idle() && self.requests.is_empty();
        let wakes = self.due_at().map(|at| self.clock.instant(at));
        let timer = async move {
            match wakes {
                Some(at) => sleep_until(at).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            outcome = outcome(&mut self.storing) => {
                self.storing = None;
                self.on_stored(outcome);
            }
            message = self.messages.recv() => match message {
                Some(message) => self.handle(message),
                None => self.end_reason = Some(CloseReason::Stopping),
            },
            () = timer => self.timer_fired(),
            () = tokio::time::sleep(self.occupancy_guard.idle_timeout()), if idle && wakes.is_none() => {
                self.end_reason = Some(CloseReason::Stopping);
            }
        }
        if self.stopping.is_some() && self.storing.is_none() {
            self.end_reason = Some(CloseReason::Stopping);
        }
    }

    /// The earliest time at which something is due without a message.
    fn due_at(&self) -> Option<Millis> {
        if self.storing.is_some() {
            return None;
        }
        let context = DriverContext { now: self.clock.now(), new_secret: &self.shared.new_secret };
        let held = self.held_answers.iter().map(|(due, _)| *due).min();
        [self.driver.due_at(&context), held].into_iter().flatten().min()
    }

    fn handle(&mut self, message: TableMessage) {
        // Clients get no answer, and send their commands again to the next server.
        if self.stopping.is_some() && message.may_store() {
            return;
        }
        match message {
            TableMessage::Connected(new_connection) => {
                self.on_connected(*new_connection);
            }
            TableMessage::Request { what, answer } => {
                self.request_count += 1;
                let request_id = self.request_count;
                self.requests.push((request_id, answer));
                self.handle_input(match *what {
                    TableRequest::Admit { player, key } => {
                        RoomInput::Admit { player, key, request_id }.into()
                    }
                    TableRequest::Seat { contest, player, seats } => {
                        RoomInput::Seat { contest, player, seats, request_id }.into()
                    }
                    TableRequest::Start { contest, command } => {
                        RoomInput::Start { contest, command, request_id }.into()
                    }
                });
            }
            TableMessage::BotAnswered { due, input } if due > self.clock.now() => {
                self.hold(due, *input);
            }
            TableMessage::BotAnswered { input, .. } => self.bot_answered(*input),
            TableMessage::Input(input) => {
                if let Input::Disconnected { connection } = &*input {
                    self.clients.retain(|client| client.connection != *connection);
                }
                self.handle_input(*input);
            }
            TableMessage::Read(read) => read(self.driver.room()),
            TableMessage::Stop { done } => self.stopping = Some(done),
        }
    }

    fn timer_fired(&mut self) {
        let now = self.clock.now();
        let (due, held): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.held_answers).into_iter().partition(|(due, _)| *due <= now);
        self.held_answers = held;
        due.into_iter().for_each(|(_, input)| self.bot_answered(input));
        self.handle_input(Input::TimerFired);
    }

    /// Holds an answer of the bot pool until its time. Only the last question to a bot is open.
    fn hold(&mut self, due: Millis, input: Input) {
        if is_bot(&input) {
            self.held_answers.retain(|(_, held)| !is_bot(held));
        }
        self.held_answers.push((due, input));
    }

    /// Lets a bot act. What bots play counts for the players at the table: if their ration is used up, the bots
    /// wait as they do.
    fn bot_answered(&mut self, input: Input) {
        let has_left = |payer: &Payer| payer.has_left(RationKind::Play);
        if self.payer(None).is_none_or(has_left) || !is_bot(&input) {
            return self.handle_input(input);
        }
        self.hold(self.clock.now() + BOT_RETRY, input);
    }

    /// Connects a client. Spectators at one address cannot take the places of all others.
    fn on_connected(&mut self, new_connection: NewConnection) {
        let NewConnection { connection, player, since, payer, mut outbox } = new_connection;
        let room = self.driver.room();
        let is_spectator = |who: PlayerId| room.seat_of(who).is_none() && !room.is_host(who);
        let from_there = self.clients.iter().filter(|client| {
            client.payer.address() == payer.address() && is_spectator(client.player)
        });
        if is_spectator(player) && from_there.count() >= MAX_CONNECTIONS / SHARES {
            outbox.close(CloseReason::TooMuch);
            return;
        }
        self.clients.push(ConnectedClient { connection, player, payer, outbox });
        self.handle_input(Input::Connected { connection, player, since });
    }

    /// For whom counts what a player has stored. What no player has asked for counts for one who plays at the
    /// table or, if none is there, for the first client.
    fn payer(&self, player: Option<PlayerId>) -> Option<&Payer> {
        let room = self.driver.room();
        let rank = |client: &&ConnectedClient| match client.player {
            who if Some(who) == player => 0,
            who if room.seat_of(who).is_some() => 1,
            who if room.is_host(who) => 2,
            _ => 3,
        };
        self.clients.iter().min_by_key(rank).map(|client| &client.payer)
    }

    /// Counts what is stored for the player who has asked for it, and the play of bots.
    fn charge(&self, entries: &[LoggedEntry], events: &[NewEvent]) {
        let asked = entries.last().and_then(|logged| logged.command.as_ref());
        let Some(payer) = self.payer(asked.map(|command| command.player)) else { return };
        for (logged, event) in entries.iter().zip(events) {
            // What follows from a request or from the time is rationed by its cause.
            if asked.is_none() && !logged.entry.is_play() {
                continue;
            }
            let kind = if logged.entry.is_play() { RationKind::Play } else { RationKind::Table };
            payer.charge(kind, event.body.len() + ENTRY_BYTES);
        }
    }

    fn handle_input(&mut self, input: Input) {
        let mut effects = Vec::new();
        let context = DriverContext { now: self.clock.now(), new_secret: &self.shared.new_secret };
        self.driver.handle(input, &context, &mut effects);
        effects.into_iter().for_each(|effect| self.run_effect(effect));
    }

    fn run_effect(&mut self, effect: Effect) {
        match effect {
            Effect::Send { connection, text } => self.send(connection, text),
            Effect::SendRefusal { connection, text } => {
                metrics::counter!("ghinda_refused_total").increment(1);
                self.send(connection, text);
            }
            Effect::Disconnect { connection, why } => {
                if let Some(at) = self.client_at(connection) {
                    self.clients.swap_remove(at).outbox.close(why);
                }
            }
            // Only what is being stored is waited for. What waited for that begins nothing more.
            Effect::Store { .. } if self.stopping.is_some() => {}
            Effect::Store { first, entries } => self.store(first, &entries),
            Effect::AskBot(question) => {
                let (seat, version, due) = (question.seat, question.version, question.due);
                let input =
                    move |action| Input::from(RoomInput::BotAnswered { seat, version, action });
                match self.shared.bot_pool.ask(question) {
                    Ok(answer) => self.await_answer(answer, move |action| {
                        TableMessage::BotAnswered { due, input: Box::new(input(action)) }
                    }),
                    Err(Some(hurried)) => self.hold(due, input(hurried)),
                    Err(None) => {}
                }
            }
            Effect::CheckClaim { claim, position } => {
                match self.shared.bot_pool.check_claim(position) {
                    Some(answer) => self.await_answer(answer, |line| {
                        TableMessage::Input(Box::new(
                            RoomInput::ClaimChecked { claim, line }.into(),
                        ))
                    }),
                    None => self.hold(0, RoomInput::ClaimNotChecked { claim }.into()),
                }
            }
            Effect::Reply { request_id, answer } => {
                if let Some(at) = self.requests.iter().position(|(asked, _)| *asked == request_id) {
                    // The caller may have stopped waiting.
                    let _ = self.requests.swap_remove(at).1.send(answer);
                }
            }
            Effect::MatchFinished(_) => {
                metrics::counter!("ghinda_matches_total").increment(1);
                self.notify_contest();
            }
            Effect::UpdateLobby => self.update_lobby(),
            Effect::GiveUp { version } => {
                tracing::error!(table = %self.table, version, "a stored entry does not apply");
                metrics::counter!("ghinda_store_failures_total", "kind" => "misfit").increment(1);
                self.end_reason = Some(CloseReason::Unavailable);
            }
        }
    }

    /// Sends the answer of a job of the bot pool to this task, in a task of its own: neither waits for the
    /// other. When this task ends, so do they, and the jobs have no receiver any more.
    fn await_answer<T: Send + 'static>(
        &mut self,
        answer: oneshot::Receiver<T>,
        message: impl FnOnce(T) -> TableMessage + Send + 'static,
    ) {
        let sender = self.self_sender.clone();
        while self.awaited_answers.try_join_next().is_some() {}
        self.awaited_answers.spawn(async move {
            // The driver asks again if there is no answer; a task that has ended needs none.
            if let Ok(answer) = answer.await
                && let Some(sender) = sender.upgrade()
            {
                let _ = sender.send(message(answer)).await;
            }
        });
    }

    /// Notifies the contest of the table that its match is over.
    fn notify_contest(&self) {
        if let Some(contest) = self.driver.room().contest() {
            // A contest that is not in memory finds the result when it is loaded.
            let _ = self.shared.ended_matches.send((contest, self.table));
        }
    }

    fn update_lobby(&self) {
        if let Some(entry) = &self.lobby_entry {
            entry.update(self.driver.room(), self.driver.is_attended());
        }
    }

    /// Where the client of a connection is.
    fn client_at(&self, connection: ConnectionId) -> Option<usize> {
        self.clients.iter().position(|client| client.connection == connection)
    }

    /// Passes a message to a connection. One that reads too slowly is dropped: its client may connect
    /// again and resume.
    fn send(&mut self, connection: ConnectionId, text: Arc<str>) {
        let Some(at) = self.client_at(connection) else { return };
        if let Err(error) = self.clients[at].outbox.send_text(text) {
            self.clients.swap_remove(at);
            error.count();
            let sender = self.self_sender.clone();
            // The driver may be handling an input; it gets this one later.
            tokio::spawn(async move {
                if let Some(sender) = sender.upgrade() {
                    let _ = sender
                        .send(TableMessage::Input(Box::new(Input::Disconnected { connection })))
                        .await;
                }
            });
        }
    }

    fn store(&mut self, first: u64, entries: &[LoggedEntry]) {
        let room = self.driver.room();
        let event =
            |logged: &LoggedEntry| NewEvent { at_ms: logged.at as i64, body: log::encode(logged) };
        let events: Vec<NewEvent> = entries.iter().map(event).collect();
        self.charge(entries, &events);
        let append = Append {
            log: self.table.into(),
            epoch: self.epoch,
            first,
            events,
            linked_writes: linked_writes(room, first, entries),
        };
        let queue = self.shared.queue.clone();
        self.storing = Some(Box::pin(async move { queue.append(append).await }));
    }

    fn on_stored(&mut self, outcome: AppendResult) {
        match outcome {
            Ok(AppendOutcome::Done) => {
                self.handle_input(Input::Stored);
                if self.driver.room().is_closed() {
                    self.end_reason = Some(CloseReason::Closed);
                }
            }
            // Another server has taken over the table, or has closed it.
            Ok(AppendOutcome::Fenced | AppendOutcome::OutOfOrder | AppendOutcome::Gone) => {
                tracing::warn!(table = %self.table, "the table belongs to another server now");
                self.end_reason = Some(CloseReason::Unavailable);
            }
            Err(StoreError::Uncertain(why)) => {
                tracing::error!(table = %self.table, %why, "it is not known what was stored");
                metrics::counter!("ghinda_store_failures_total", "kind" => "uncertain")
                    .increment(1);
                self.end_reason = Some(CloseReason::Unavailable);
            }
            Err(error) => {
                tracing::error!(table = %self.table, %error, "nothing was stored");
                metrics::counter!("ghinda_store_failures_total", "kind" => "refused").increment(1);
                self.handle_input(Input::StoreFailed);
            }
        }
    }

    /// Notifies all clients and callers that the task ends, and why.
    fn close(&mut self) {
        // Before the next task of the table can have an entry.
        self.lobby_entry = None;
        self.messages.close();
        let why = self.end_reason.unwrap_or(CloseReason::Stopping);
        for client in &mut self.clients {
            client.outbox.close(why);
        }
        self.clients.clear();
        for (_, answer) in self.requests.drain(..) {
            let _ = answer.send(Err(RefusalReason::Unavailable.into()));
        }
        if let Some(done) = self.stopping.take() {
            let _ = done.send(());
        }
    }
}

/// Whether an input is the answer of a bot.
fn is_bot(input: &Input) -> bool {
    matches!(input, Input::Room(RoomInput::BotAnswered { .. }))
}

/// What is stored together with the entries.
fn linked_writes(room: &Room, first: u64, entries: &[LoggedEntry]) -> Vec<LinkedWrite> {
    let mut writes: Vec<_> =
        room.players_after(entries).map(LinkedWrite::Seats).into_iter().collect();
    for (sequence, logged) in (first..).zip(entries) {
        if logged.entry.is_checkpoint() {
            writes.push(LinkedWrite::Checkpoint(sequence));
        }
        if logged.entry == Entry::Closed {
            writes.push(LinkedWrite::Closed);
        }
        if let Some(finished) = room.finished_by(&logged.entry) {
            writes.push(LinkedWrite::Finished(finished_match(room, logged.at, &finished)));
        }
    }
    writes
}

fn finished_match(room: &Room, at: Millis, finished: &MatchResult) -> FinishedMatch {
    let seat = |(player, name): &(Option<PlayerId>, String)| FinishedSeat {
        player: *player,
        name: name.clone(),
    };
    let summary = serde_json::json!({ "score": finished.score, "winners": finished.winners });
    FinishedMatch {
        number: finished.number,
        rules: room.rules().code(),
        ended_ms: at as i64,
        seats: finished.seats.iter().map(seat).collect(),
        summary: summary.to_string(),
    }
}
