//! The scribe of a ledger: the one task that writes it.
//!
//! A wish is decided at once and waits to be stored with all others that come meanwhile: one
//! commit, and then one message to everybody with all its lines. A ledger may have a thousand open pages,
//! and a whole hall tells its results at the same moment. Nothing is told before it is on the
//! disk. If it cannot be stored, the scribe gives up, and whoever comes finds the ledger loaded anew.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use contest::{ContestChange, ContestTableId as AtContest, Role};
use room::Key;
use room::driver::ConnectionId;
use store::{
    Append, AppendQueue, AppendResult, Appended, ClaimedLog, Epoch, LedgerId, NewEvent, PlayerId,
    StoreError, TableId,
};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, mpsc, oneshot};
use wire::contest::role_text;
use wire::ledger::{CloseReason, LedgerCommand, LedgerRefusal, LedgerServerMessage, VERSION};

use super::contest_host::{AssignedSeat, ContestHost, SeatRequest};
use super::state::{LedgerDecision, LedgerState};
use crate::clock::Clock;
use crate::random;
use crate::table_task::{Outbox, Outgoing};
use crate::tables::TableRegistry;
use crate::task_registry::{self, Storing, outcome};

/// How many posts may wait at a ledger.
const MAX_QUEUED: usize = 1_024;
/// How long a ledger without guests stays in memory.
const IDLE_TIMEOUT: Duration = Duration::from_secs(60);
/// How many connections a ledger has at most.
const MAX_SUBSCRIBERS: usize = 5_000;
/// How many bytes of lines go into one message, unless a single line is longer.
const MESSAGE: usize = 128 << 10;
/// How much is stored at once: what comes meanwhile waits for the next commit.
const BATCH: usize = 1_024;

/// Somebody who has connected.
pub(crate) struct NewSubscriber {
    pub(crate) connection: ConnectionId,
    /// How many lines he has.
    pub(crate) since: usize,
    /// What he wants to do, and with which key.
    pub(crate) asks: Option<(Role, Key)>,
    /// Where he is told things.
    pub(crate) outbox: Outbox,
}

/// What a scribe is sent.
pub(crate) enum LedgerMessage {
    /// Somebody has connected.
    Connected(Box<NewSubscriber>),
    /// A connection is gone.
    Disconnected { connection: ConnectionId },
    /// Somebody wishes something.
    Command { connection: ConnectionId, id: String, what: Box<LedgerCommand> },
    /// A player wants the seat that an online contest has for him.
    Seat { asks: (Role, Key), player: PlayerId, answer: oneshot::Sender<Option<AssignedSeat>> },
    /// Somebody wants to read everything.
    Read { answer: oneshot::Sender<String> },
    /// A table of an online contest was opened, or could not be.
    Opened { place: AtContest, room: Option<TableId> },
    /// A match of an online contest is over, if it is, with this outcome.
    Ended { place: AtContest, outcome: Option<contest::MatchOutcome> },
    /// What the hall answered to somebody.
    Reply { connection: ConnectionId, text: String },
    /// The server stops: finish what is under way, tell everybody, and end.
    Stop { done: oneshot::Sender<()> },
}

/// The way to a ledger.
pub(crate) type LedgerHandle = task_registry::TaskHandle<LedgerMessage>;

/// A connection.
struct Subscriber {
    role: Role,
    outbox: Outbox,
}

/// The next match of a contest that is over: its ledger and its table; nothing where some were missed.
async fn ended(matches: &mut EndedMatches) -> Option<(LedgerId, TableId)> {
    match matches.recv().await {
        Ok(ended) => Some(ended),
        Err(RecvError::Lagged(_)) => None,
        Err(RecvError::Closed) => std::future::pending().await,
    }
}

type EndedMatches = broadcast::Receiver<(LedgerId, TableId)>;

pub(super) struct LedgerTask {
    id: LedgerId,
    epoch: Epoch,
    /// The ledger with all that was decided; the last lines may not be stored yet.
    state: LedgerState,
    /// How many lines are stored, and were told to everybody.
    told: usize,
    /// The number of the next event in the store.
    next: u64,
    queue: AppendQueue,
    clock: Clock,
    host: ContestHost,
    ended: EndedMatches,
    messages: mpsc::Receiver<LedgerMessage>,
    subscribers: BTreeMap<ConnectionId, Subscriber>,
    storing: Option<Storing>,
    /// What will have been told when the present commit is done.
    telling: usize,
    /// Whose wishes are being stored.
    answering: Vec<(ConnectionId, String)>,
    /// What is decided and waits to be stored, and whose wishes it was.
    waiting: Vec<NewEvent>,
    wishing: Vec<(ConnectionId, String)>,
    gave_up: Option<CloseReason>,
    stopping: Option<oneshot::Sender<()>>,
}

/// Starts the scribe of a ledger that was claimed, with all that is stored of it.
pub(super) fn start(
    id: LedgerId,
    claim: &ClaimedLog,
    book: LedgerState,
    hall: &Arc<TableRegistry>,
) -> LedgerHandle {
    let (posts, waiting) = mpsc::channel(MAX_QUEUED);
    let told = book.lines().len();
    let mut task = Box::new(LedgerTask {
        id,
        epoch: claim.epoch,
        state: book,
        told,
        next: claim.last + 1,
        queue: hall.queue(),
        clock: hall.clock(),
        host: ContestHost::new(id, hall.clone(), posts.downgrade()),
        ended: hall.ended(),
        messages: waiting,
        subscribers: BTreeMap::new(),
        storing: None,
        telling: told,
        answering: Vec::new(),
        waiting: Vec::new(),
        wishing: Vec::new(),
        gave_up: None,
        stopping: None,
    });
    tokio::spawn(async move { task.run().await });
    LedgerHandle::new(posts)
}

impl LedgerTask {
    async fn run(&mut self) {
        metrics::gauge!("ghinda_ledgers_in_memory").increment(1);
        self.open_tables();
        self.look_for_results(None);
        while self.gave_up.is_none() {
            self.step().await;
        }
        self.finish();
        metrics::gauge!("ghinda_ledgers_in_memory").decrement(1);
    }

    /// Waits for the next thing and does it.
    async fn step(&mut self) {
        let idle = self.subscribers.is_empty() && self.storing.is_none();
        tokio::select! {
            biased;
            outcome = outcome(&mut self.storing) => {
                self.storing = None;
                self.stored(outcome);
            }
            post = self.messages.recv() => {
                match post {
                    Some(post) => self.handle(post),
                    None => self.gave_up = Some(CloseReason::Stopping),
                }
                // What has come together is stored together.
                while self.waiting.len() < BATCH && let Ok(post) = self.messages.try_recv() {
                    self.handle(post);
                }
            }
            ended = ended(&mut self.ended) => match ended {
                Some((ledger, _)) if ledger != self.id => {}
                Some((_, room)) => self.look_for_results(Some(room)),
                None => self.look_for_results(None),
            },
            () = tokio::time::sleep(IDLE_TIMEOUT), if idle => {
                self.gave_up = Some(CloseReason::Stopping);
            }
        }
        self.store();
        if self.stopping.is_some() && self.storing.is_none() {
            self.gave_up = Some(CloseReason::Stopping);
        }
    }

    fn handle(&mut self, post: LedgerMessage) {
        match post {
            LedgerMessage::Connected(new_connection) => self.connected(*new_connection),
            LedgerMessage::Disconnected { connection } => {
                self.subscribers.remove(&connection);
            }
            LedgerMessage::Command { connection, id, what } => self.command(connection, id, &what),
            LedgerMessage::Seat { asks, player, answer } => {
                let role = self.state.grants(Some(asks));
                let contest = self.state.ledger().contest();
                let seat = contest.and_then(|contest| self.host.seat(contest, role, player));
                // Whoever asked may have gone away.
                let _ = answer.send(seat);
            }
            LedgerMessage::Read { answer } => {
                let lines = &self.state.lines()[..self.told];
                let text = lines.iter().flat_map(|line| [line, "\n"]).collect();
                // Whoever asked may have gone away.
                let _ = answer.send(text);
            }
            LedgerMessage::Opened { place, room } => {
                self.host.opened(place);
                // Ten letters and digits always make a word.
                let word = room.and_then(|room| room.to_string().parse().ok());
                if let Some(word) = word {
                    self.host_writes(ContestChange::Open { table: place, word });
                }
            }
            LedgerMessage::Ended { place, outcome } => {
                if let Some(outcome) = outcome {
                    self.host_writes(ContestChange::Report { table: place, outcome });
                }
            }
            LedgerMessage::Reply { connection, text } => self.send(connection, text.into()),
            LedgerMessage::Stop { done } => self.stopping = Some(done),
        }
    }

    /// Writes what the server itself has done, unless it is known already.
    fn host_writes(&mut self, change: ContestChange) {
        if let Some(decisions) = self.state.decide_house(self.clock.now(), change) {
            // If it does not fit, the task has given up and said so.
            let _ = self.write(decisions);
        }
    }

    /// Opens the tables that an online contest needs.
    fn open_tables(&mut self) {
        if let Some(contest) = self.state.ledger().contest() {
            self.host.open_tables(contest);
        }
    }

    fn look_for_results(&self, of: Option<TableId>) {
        if let Some(contest) = self.state.ledger().contest() {
            self.host.look_for_results(contest, of);
        }
    }

    fn connected(&mut self, new_connection: NewSubscriber) {
        let NewSubscriber { connection, since, asks, mut outbox } = new_connection;
        if self.subscribers.len() >= MAX_SUBSCRIBERS {
            let _ = outbox.try_send(Outgoing::Close(CloseReason::Unavailable));
            return;
        }
        let role = self.state.grants(asks);
        self.subscribers.insert(connection, Subscriber { role, outbox });
        let hello = LedgerServerMessage::Hello {
            ghinda: VERSION,
            server: concat!("ghinda ", env!("CARGO_PKG_VERSION")).into(),
            time: self.clock.now(),
            role: role_text(role),
        };
        self.send(connection, hello.text().into());
        // Whoever knows more than there is has seen another ledger, and begins anew.
        let since = if since > self.told { 0 } else { since };
        let texts: Vec<_> = messages(since, &self.state.lines()[since..self.told]).collect();
        texts.into_iter().for_each(|text| self.send(connection, text));
    }

    fn command(&mut self, connection: ConnectionId, id: String, what: &LedgerCommand) {
        let Some(wisher) = self.subscribers.get(&connection) else { return };
        let under_way = |(_, other): &(ConnectionId, String)| *other == id;
        if self.answering.iter().any(under_way) {
            self.answering.push((connection, id));
            return;
        }
        if self.wishing.iter().any(under_way) {
            self.wishing.push((connection, id));
            return;
        }
        if self.state.has_done(&id) {
            self.done(connection, id);
            return;
        }
        if let (LedgerCommand::Start { table }, Some(contest)) =
            (what, self.state.ledger().contest())
        {
            let asked = SeatRequest { connection, id: id.clone() };
            // Otherwise the hall answers.
            if let Err(refusal) = self.host.start(contest, wisher.role, table, asked) {
                self.refuse(connection, id, refusal);
            }
            return;
        }
        let decided = self.state.decide(self.clock.now(), wisher.role, &id, what, random::secret);
        match decided.and_then(|decisions| self.write(decisions)) {
            Ok(()) => self.wishing.push((connection, id)),
            Err(refusal) => self.refuse(connection, id, refusal),
        }
    }

    /// Applies what was decided. Clients learn of it once it is stored.
    fn write(&mut self, decisions: Vec<LedgerDecision>) -> Result<(), LedgerRefusal> {
        for decision in decisions {
            match self.state.write(decision) {
                Ok(event) => {
                    self.waiting.push(NewEvent { at_ms: self.clock.now_ms(), body: event.text() });
                }
                // The state may have half of what was decided: it is loaded anew.
                Err(error) => {
                    tracing::error!(ledger = %self.id, %error, "a decision does not fit");
                    self.gave_up = Some(CloseReason::Unavailable);
                    return Err(LedgerRefusal::Unavailable);
                }
            }
        }
        Ok(())
    }

    fn done(&mut self, connection: ConnectionId, id: String) {
        self.send(connection, LedgerServerMessage::Done { id }.text().into());
    }

    fn refuse(&mut self, connection: ConnectionId, id: String, refusal: LedgerRefusal) {
        metrics::counter!("ghinda_refused_total").increment(1);
        self.send(connection, LedgerServerMessage::Refused { id, refusal }.text().into());
    }

    /// Hands what waits to the writer, unless something is being stored.
    fn store(&mut self) {
        if self.storing.is_some() || self.waiting.is_empty() || self.gave_up.is_some() {
            return;
        }
        let events = std::mem::take(&mut self.waiting);
        self.answering = std::mem::take(&mut self.wishing);
        self.telling = self.state.lines().len();
        let append = Append {
            log: self.id.into(),
            epoch: self.epoch,
            first: self.next,
            events,
            notes: Vec::new(),
        };
        self.next += append.events.len() as u64;
        let queue = self.queue.clone();
        self.storing = Some(Box::pin(async move { queue.append(append).await }));
    }

    fn stored(&mut self, outcome: AppendResult) {
        match outcome {
            Ok(Appended::Done) => {
                let new = &self.state.lines()[self.told..self.telling];
                metrics::counter!("ghinda_ledger_lines_total").increment(new.len() as u64);
                let texts: Vec<Arc<str>> = messages(self.told, new).collect();
                self.told = self.telling;
                let connections: Vec<ConnectionId> = self.subscribers.keys().copied().collect();
                for connection in connections {
                    texts.iter().for_each(|text| self.send(connection, text.clone()));
                }
                for (connection, id) in std::mem::take(&mut self.answering) {
                    self.done(connection, id);
                }
                self.open_tables();
            }
            Ok(Appended::Fenced | Appended::OutOfOrder | Appended::Gone) => {
                tracing::warn!(ledger = %self.id, "the ledger belongs to another server now");
                self.gave_up = Some(CloseReason::Unavailable);
            }
            Err(error) => {
                tracing::error!(ledger = %self.id, %error, "nothing is known to be stored");
                let kind =
                    if matches!(error, StoreError::Uncertain(_)) { "uncertain" } else { "refused" };
                metrics::counter!("ghinda_store_failures_total", "kind" => kind).increment(1);
                // Uncertain ones are not answered: the same wish will be, when it comes again.
                if kind == "refused" {
                    let wishes = std::mem::take(&mut self.answering).into_iter();
                    for (connection, id) in wishes.chain(std::mem::take(&mut self.wishing)) {
                        self.refuse(connection, id, LedgerRefusal::Unavailable);
                    }
                }
                self.gave_up = Some(CloseReason::Unavailable);
            }
        }
    }

    /// Hands something to a connection. One that reads too slowly is let go: it may
    /// come back and resume.
    fn send(&mut self, connection: ConnectionId, text: Arc<str>) {
        let Some(known) = self.subscribers.get_mut(&connection) else { return };
        if known.outbox.try_send(Outgoing::Text(text)).is_err() {
            self.subscribers.remove(&connection);
            metrics::counter!("ghinda_slow_guests_total").increment(1);
        }
    }

    /// Tells everybody that it is over here, and why.
    fn finish(&mut self) {
        self.messages.close();
        let why = self.gave_up.unwrap_or(CloseReason::Stopping);
        for (_, mut connection) in std::mem::take(&mut self.subscribers) {
            let _ = connection.outbox.try_send(Outgoing::Close(why));
        }
        if let Some(done) = self.stopping.take() {
            let _ = done.send(());
        }
    }
}

/// Lines as messages, each not too long.
fn messages(from: usize, lines: &[Arc<str>]) -> impl Iterator<Item = Arc<str>> + '_ {
    let mut rest = (from, lines);
    std::iter::from_fn(move || {
        let (from, lines) = rest;
        let mut bytes = 0;
        let fits = |line: &&Arc<str>| {
            bytes += line.len();
            bytes <= MESSAGE
        };
        let count = lines.iter().take_while(fits).count().max(1).min(lines.len());
        let (now, later) = lines.split_at(count);
        rest = (from + count, later);
        let text = || LedgerServerMessage::lines_text(from, now.iter().map(|line| &**line)).into();
        (!now.is_empty()).then(text)
    })
}
