//! The keeper of a table: the one task that writes it.
//!
//! A keeper only carries. Posts come in, the [desk](room::desk) says what is to be
//! done, and the keeper does it: hands entries to the writer, messages to
//! connections, questions to the thinkers. What it decides itself is when to give up:
//! when nobody has been here for a while, when another server owns the table, and when
//! it cannot know what is stored. Whoever comes then finds the table loaded anew.

use std::sync::Arc;
use std::time::Duration;

use cards::Seat;
use game::fair::Secret;
use game::record::Name;
use room::driver::{ConnectionId, DriverContext, Effect, Input, TableDriver};
use room::{Entry, Key, LoggedEntry, MatchResult, Millis, Room, log};
use store::{
    Append, AppendQueue, AppendResult, Appended, Epoch, FinishedMatch, FinishedSeat, LinkedWrite,
    NewEvent, PlayerId,
};
use store::{LedgerId, StoreError, TableId};
use tokio::sync::{broadcast, mpsc, oneshot};
use tokio::time::sleep_until;
use wire::table::{CloseReason, CommandRefusal, RefusalReason};

use crate::bot_pool::BotPool;
use crate::clock::Clock;
use crate::tables::TableIndex;
use crate::task_registry::{self, Storing, outcome};

/// How many posts may wait at a table.
const MAX_QUEUED: usize = 256;
/// How long a table without guests stays in memory.
const IDLE_TIMEOUT: Duration = Duration::from_secs(60);

/// What a connection is given to send.
#[derive(Debug)]
pub(crate) enum Outgoing {
    /// A message.
    Text(Arc<str>),
    /// The end.
    Close(CloseReason),
}

/// Somebody who has connected.
pub(crate) struct NewConnection {
    pub(crate) connection: ConnectionId,
    pub(crate) player: PlayerId,
    /// The last version that he knows.
    pub(crate) since: Option<u64>,
    /// Where he is told things.
    pub(crate) outbox: Outbox,
}

/// The way to a connection. Unlike the channel of a table it is most often empty, and
/// takes no room then.
pub(crate) type Outbox = futures_channel::mpsc::Sender<Outgoing>;

/// What a table's keeper is sent. Every table has room for some of them, so they are small.
pub(crate) enum TableMessage {
    /// Somebody has connected.
    Connected(Box<NewConnection>),
    /// Somebody asks for something without being connected.
    Request { what: Box<TableRequest>, answer: oneshot::Sender<Result<(), CommandRefusal>> },
    /// A bot's answer, to be given at that time.
    BotAnswered { due: Millis, input: Box<Input> },
    /// Anything else for the desk.
    Input(Box<Input>),
    /// Somebody wants to know something of the room.
    Read(Box<dyn FnOnce(&Room) + Send>),
    /// The server stops: finish what is under way, tell everybody, and end.
    Stop { done: oneshot::Sender<()> },
}

/// What is asked from outside.
pub(crate) enum TableRequest {
    /// To be let in by the table's key.
    Admit { player: PlayerId, key: Key },
    /// One of the seats that a contest has for somebody.
    Seat { contest: LedgerId, player: PlayerId, seats: Vec<(Seat, Name)> },
    /// The beginning of a contest's match.
    Begin { contest: LedgerId },
}

/// The way to a table.
pub(crate) type TableHandle = task_registry::TaskHandle<TableMessage>;

/// What all keepers share.
#[derive(Clone)]
pub(crate) struct TableServices {
    pub(crate) queue: AppendQueue,
    pub(crate) thinkers: BotPool,
    pub(crate) clock: Clock,
    pub(crate) listing: Arc<TableIndex>,
    /// Where contests hear that a match of theirs is over.
    pub(crate) ended: broadcast::Sender<(LedgerId, TableId)>,
    /// Draws the secret of a match.
    pub(crate) fresh: fn() -> Secret,
}

pub(crate) struct TableTask {
    table: TableId,
    epoch: Epoch,
    driver: TableDriver,
    shared: TableServices,
    messages: mpsc::Receiver<TableMessage>,
    /// The way to ourselves, for whoever thinks for us.
    self_sender: mpsc::WeakSender<TableMessage>,
    connections: Vec<(ConnectionId, Outbox)>,
    storing: Option<Storing>,
    /// Answers of bots that come too early.
    held_answers: Vec<(Millis, Input)>,
    requests: Vec<(u64, oneshot::Sender<Result<(), CommandRefusal>>)>,
    request_count: u64,
    /// Why the keeper gives up.
    gave_up: Option<CloseReason>,
    stopping: Option<oneshot::Sender<()>>,
}

/// Starts the keeper of a room.
pub(crate) fn start(room: Room, epoch: Epoch, shared: TableServices) -> TableHandle {
    let (posts, waiting) = mpsc::channel(MAX_QUEUED);
    let mut task = Box::new(TableTask {
        table: room.id(),
        epoch,
        driver: TableDriver::new(room),
        shared,
        messages: waiting,
        self_sender: posts.downgrade(),
        connections: Vec::new(),
        storing: None,
        held_answers: Vec::new(),
        requests: Vec::new(),
        request_count: 0,
        gave_up: None,
        stopping: None,
    });
    task.update_lobby();
    tokio::spawn(async move { task.run().await });
    TableHandle::new(posts)
}

impl TableTask {
    async fn run(&mut self) {
        metrics::gauge!("ghinda_tables_in_memory").increment(1);
        while self.gave_up.is_none() {
            self.step().await;
        }
        self.finish();
        metrics::gauge!("ghinda_tables_in_memory").decrement(1);
    }

    /// Waits for the next thing and does it.
    async fn step(&mut self) {
        let idle = self.driver.is_idle() && self.requests.is_empty();
        let wakes = self.wakes_at().map(|at| self.shared.clock.instant(at));
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
                self.stored(outcome);
            }
            post = self.messages.recv() => match post {
                Some(post) => self.handle(post),
                None => self.gave_up = Some(CloseReason::Stopping),
            },
            () = timer => self.timer_fired(),
            () = tokio::time::sleep(IDLE_TIMEOUT), if idle && wakes.is_none() => {
                self.gave_up = Some(CloseReason::Stopping);
            }
        }
        if self.stopping.is_some() && self.storing.is_none() {
            self.gave_up = Some(CloseReason::Stopping);
        }
    }

    /// The earliest time at which something is to be done by itself.
    fn wakes_at(&self) -> Option<Millis> {
        if self.storing.is_some() {
            return None;
        }
        let context = DriverContext { now: self.shared.clock.now(), fresh: &self.shared.fresh };
        let held = self.held_answers.iter().map(|(due, _)| *due).min();
        [self.driver.wakes_at(&context), held].into_iter().flatten().min()
    }

    fn handle(&mut self, post: TableMessage) {
        match post {
            TableMessage::Connected(new_connection) => {
                let NewConnection { connection, player, since, outbox } = *new_connection;
                self.connections.push((connection, outbox));
                self.input(Input::Connected { connection, player, since });
            }
            TableMessage::Request { what, answer } => {
                self.request_count += 1;
                let ticket = self.request_count;
                self.requests.push((ticket, answer));
                self.input(match *what {
                    TableRequest::Admit { player, key } => Input::Admit { player, key, ticket },
                    TableRequest::Seat { contest, player, seats } => {
                        Input::Seat { contest, player, seats, ticket }
                    }
                    TableRequest::Begin { contest } => Input::Begin { contest, ticket },
                });
            }
            TableMessage::BotAnswered { due, input } if due > self.shared.clock.now() => {
                self.held_answers.push((due, *input));
            }
            TableMessage::BotAnswered { input, .. } => self.input(*input),
            TableMessage::Input(input) => {
                if let Input::Disconnected { connection } = &*input {
                    self.connections.retain(|(known, _)| known != connection);
                }
                self.input(*input);
            }
            TableMessage::Read(look) => look(self.driver.room()),
            TableMessage::Stop { done } => self.stopping = Some(done),
        }
    }

    fn timer_fired(&mut self) {
        let now = self.shared.clock.now();
        let (due, held): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.held_answers).into_iter().partition(|(due, _)| *due <= now);
        self.held_answers = held;
        due.into_iter().for_each(|(_, input)| self.input(input));
        self.input(Input::TimerFired);
    }

    fn input(&mut self, input: Input) {
        let mut effects = Vec::new();
        let context = DriverContext { now: self.shared.clock.now(), fresh: &self.shared.fresh };
        self.driver.handle(input, &context, &mut effects);
        effects.into_iter().for_each(|effect| self.effect(effect));
    }

    fn effect(&mut self, effect: Effect) {
        match effect {
            Effect::Send { connection, text } => self.send(connection, Outgoing::Text(text)),
            Effect::SendRefusal { connection, text } => {
                metrics::counter!("ghinda_refused_total").increment(1);
                self.send(connection, Outgoing::Text(text));
            }
            Effect::Disconnect { connection, why } => {
                self.send(connection, Outgoing::Close(why));
                self.connections.retain(|(known, _)| *known != connection);
            }
            Effect::Store { first, entries } => self.store(first, &entries),
            Effect::AskBot(ask) => {
                let (own, due) = (self.self_sender.clone(), ask.due);
                let (seat, version) = (ask.seat, ask.version);
                let input = move |action| Input::BotAnswered { seat, version, action };
                let hurried = self.shared.thinkers.ask(ask, move |action| {
                    return_to(
                        &own,
                        TableMessage::BotAnswered { due, input: Box::new(input(action)) },
                    );
                });
                self.held_answers.extend(hurried.map(|action| (due, input(action))));
            }
            Effect::CheckClaim { claim, position } => {
                let (own, asked) = (self.self_sender.clone(), claim.clone());
                let looked_into = self.shared.thinkers.prove(position, move |line| {
                    let proved = Input::ClaimChecked { claim: asked, line };
                    return_to(&own, TableMessage::Input(Box::new(proved)));
                });
                if !looked_into {
                    self.held_answers.push((0, Input::ClaimChecked { claim, line: None }));
                }
            }
            Effect::Reply { ticket, answer } => {
                if let Some(at) = self.requests.iter().position(|(asked, _)| *asked == ticket) {
                    // Whoever asked may have gone away.
                    let _ = self.requests.swap_remove(at).1.send(answer);
                }
            }
            Effect::MatchFinished(_) => {
                metrics::counter!("ghinda_matches_total").increment(1);
                if let Some(contest) = self.driver.room().contest() {
                    // A contest that nobody has open will see it when somebody comes.
                    let _ = self.shared.ended.send((contest, self.table));
                }
            }
            Effect::UpdateLobby => self.update_lobby(),
            Effect::GiveUp { version } => {
                tracing::error!(table = %self.table, version, "a stored entry does not apply");
                metrics::counter!("ghinda_store_failures_total", "kind" => "misfit").increment(1);
                self.gave_up = Some(CloseReason::Unavailable);
            }
        }
    }

    fn update_lobby(&self) {
        self.shared.listing.update(self.driver.room(), self.driver.is_attended());
    }

    /// Hands something to a connection. One that reads too slowly is let go: it may
    /// come back and resume.
    fn send(&mut self, connection: ConnectionId, outgoing: Outgoing) {
        let Some(at) = self.connections.iter().position(|(known, _)| *known == connection) else {
            return;
        };
        if self.connections[at].1.try_send(outgoing).is_err() {
            self.connections.swap_remove(at);
            metrics::counter!("ghinda_slow_guests_total").increment(1);
            let own = self.self_sender.clone();
            // The desk is in the middle of something; it hears of it next.
            tokio::spawn(async move {
                if let Some(own) = own.upgrade() {
                    let _ = own
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
        let append = Append {
            log: self.table.into(),
            epoch: self.epoch,
            first,
            events: entries.iter().map(event).collect(),
            notes: linked_writes(room, first, entries),
        };
        let queue = self.shared.queue.clone();
        self.storing = Some(Box::pin(async move { queue.append(append).await }));
    }

    fn stored(&mut self, outcome: AppendResult) {
        match outcome {
            Ok(Appended::Done) => {
                self.input(Input::Stored);
                if self.driver.room().is_closed() {
                    self.gave_up = Some(CloseReason::Closed);
                }
            }
            // Another server has taken the table over, or has closed it.
            Ok(Appended::Fenced | Appended::OutOfOrder | Appended::Gone) => {
                tracing::warn!(table = %self.table, "the table belongs to another server now");
                self.gave_up = Some(CloseReason::Unavailable);
            }
            Err(StoreError::Uncertain(why)) => {
                tracing::error!(table = %self.table, %why, "it is not known what was stored");
                metrics::counter!("ghinda_store_failures_total", "kind" => "uncertain")
                    .increment(1);
                self.gave_up = Some(CloseReason::Unavailable);
            }
            Err(error) => {
                tracing::error!(table = %self.table, %error, "nothing was stored");
                metrics::counter!("ghinda_store_failures_total", "kind" => "refused").increment(1);
                self.input(Input::StoreFailed);
            }
        }
    }

    /// Tells everybody that it is over here, and why.
    fn finish(&mut self) {
        self.messages.close();
        self.shared.listing.update(self.driver.room(), false);
        let why = self.gave_up.unwrap_or(CloseReason::Stopping);
        for (_, mut outbox) in self.connections.drain(..) {
            let _ = outbox.try_send(Outgoing::Close(why));
        }
        for (_, answer) in self.requests.drain(..) {
            let _ = answer.send(Err(RefusalReason::Unavailable.into()));
        }
        if let Some(done) = self.stopping.take() {
            let _ = done.send(());
        }
    }
}

/// Brings an answer back to a keeper, if it is still there; called by threads that
/// think, which may wait.
fn return_to(own: &mpsc::WeakSender<TableMessage>, post: TableMessage) {
    if let Some(own) = own.upgrade() {
        // A keeper that has given up needs no answer.
        let _ = own.blocking_send(post);
    }
}

/// What the store notes besides the entries.
fn linked_writes(room: &Room, first: u64, entries: &[LoggedEntry]) -> Vec<LinkedWrite> {
    let mut notes = Vec::new();
    for (sequence, logged) in (first..).zip(entries) {
        if logged.entry.is_checkpoint() {
            notes.push(LinkedWrite::Checkpoint(sequence));
        }
        if logged.entry == Entry::Closed {
            notes.push(LinkedWrite::Closed);
        }
        if let Some(finished) = room.finished_by(&logged.entry) {
            notes.push(LinkedWrite::Finished(finished_match(room, logged.at, &finished)));
        }
    }
    notes
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
