//! The scribe of a ledger: the one task that writes it.
//!
//! A wish is decided at once and waits to be stored with all others that come meanwhile: one
//! commit, and then one message to everybody with all its lines. A ledger may have a thousand open pages,
//! and a whole hall tells its results at the same moment. Nothing is told before it is on the
//! disk. If it cannot be stored, the scribe gives up, and whoever comes finds the ledger loaded anew.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use contest::{ContestChange, Role, ContestTableId as AtContest};
use room::Key;
use room::driver::ConnectionId;
use store::{Append, Appended, ClaimedLog, Epoch, NewEvent, PlayerId, AppendQueue, StoreError, TableId};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, mpsc, oneshot};
use wire::contest::role_text;
use wire::ledger::{CloseReason, LedgerRefusal, LedgerServerMessage, VERSION, LedgerCommand};

use super::state::{LedgerState, LedgerEvent};
use super::contest_host::{SeatRequest, ContestHost, AssignedSeat};
use crate::clock::Clock;
use crate::tables::TableRegistry;
use crate::table_task::{Outbox, Outgoing};
use crate::random;
use crate::task_registry::{self, AppendResult, Storing, outcome};

/// How many posts may wait at a ledger.
const POSTS: usize = 1_024;
/// How long a ledger without guests stays in memory.
const LINGERS: Duration = Duration::from_secs(60);
/// How many connections a ledger has at most.
const MOST_GUESTS: usize = 5_000;
/// How many bytes of lines go into one message, unless a single line is longer.
const MESSAGE: usize = 128 << 10;
/// How much is stored at once: what comes meanwhile waits for the next commit.
const BATCH: usize = 1_024;

/// Somebody who has connected.
pub(crate) struct NewSubscriber {
    pub(crate) guest: ConnectionId,
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
    Came(Box<NewSubscriber>),
    /// A connection is gone.
    Went { guest: ConnectionId },
    /// Somebody wishes something.
    Wishes { guest: ConnectionId, id: String, what: Box<LedgerCommand> },
    /// A player wants the seat that an online contest has for him.
    Sits { asks: (Role, Key), player: PlayerId, answer: oneshot::Sender<Option<AssignedSeat>> },
    /// Somebody wants to read everything.
    Reads { answer: oneshot::Sender<String> },
    /// A table of an online contest was opened, or could not be.
    Opened { place: AtContest, room: Option<TableId> },
    /// A match of an online contest is over, if it is, with this outcome.
    Ended { place: AtContest, outcome: Option<contest::MatchOutcome> },
    /// What the hall answered to somebody.
    Answers { guest: ConnectionId, text: String },
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
async fn ended(matches: &mut EndedMatches) -> Option<(TableId, TableId)> {
    match matches.recv().await {
        Ok(ended) => Some(ended),
        Err(RecvError::Lagged(_)) => None,
        Err(RecvError::Closed) => std::future::pending().await,
    }
}

type EndedMatches = broadcast::Receiver<(TableId, TableId)>;

pub(super) struct LedgerTask {
    name: TableId,
    epoch: Epoch,
    /// The ledger with all that was decided; the last lines may not be stored yet.
    book: LedgerState,
    /// How many lines are stored, and were told to everybody.
    told: usize,
    /// The number of the next event in the store.
    next: u64,
    queue: AppendQueue,
    clock: Clock,
    house: ContestHost,
    ended: EndedMatches,
    posts: mpsc::Receiver<LedgerMessage>,
    guests: BTreeMap<ConnectionId, Subscriber>,
    storing: Option<Storing>,
    /// What will have been told when the present commit is done.
    telling: usize,
    /// Whose wishes are being stored.
    answering: Vec<(ConnectionId, String)>,
    /// What is decided and waits to be stored, and whose wishes it was.
    waiting: Vec<NewEvent>,
    wishing: Vec<(ConnectionId, String)>,
    gives_up: Option<CloseReason>,
    stopping: Option<oneshot::Sender<()>>,
}

/// Starts the scribe of a ledger that was claimed, with all that is stored of it.
pub(super) fn start(claim: &ClaimedLog, book: LedgerState, hall: &Arc<TableRegistry>) -> LedgerHandle {
    let (posts, waiting) = mpsc::channel(POSTS);
    let told = book.lines().len();
    let mut scribe = Box::new(LedgerTask {
        name: claim.table,
        epoch: claim.epoch,
        book,
        told,
        next: claim.last + 1,
        queue: hall.queue(),
        clock: hall.clock(),
        house: ContestHost::new(claim.table, hall.clone(), posts.downgrade()),
        ended: hall.ended(),
        posts: waiting,
        guests: BTreeMap::new(),
        storing: None,
        telling: told,
        answering: Vec::new(),
        waiting: Vec::new(),
        wishing: Vec::new(),
        gives_up: None,
        stopping: None,
    });
    tokio::spawn(async move { scribe.run().await });
    LedgerHandle::new(posts)
}

impl LedgerTask {
    async fn run(&mut self) {
        metrics::gauge!("ghinda_ledgers_in_memory").increment(1);
        self.open_tables();
        self.look_for_results(None);
        while self.gives_up.is_none() {
            self.step().await;
        }
        self.finish();
        metrics::gauge!("ghinda_ledgers_in_memory").decrement(1);
    }

    /// Waits for the next thing and does it.
    async fn step(&mut self) {
        let idle = self.guests.is_empty() && self.storing.is_none();
        tokio::select! {
            biased;
            outcome = outcome(&mut self.storing) => {
                self.storing = None;
                self.stored(outcome);
            }
            post = self.posts.recv() => {
                match post {
                    Some(post) => self.post(post),
                    None => self.gives_up = Some(CloseReason::Stopping),
                }
                // What has come together is stored together.
                while self.waiting.len() < BATCH && let Ok(post) = self.posts.try_recv() {
                    self.post(post);
                }
            }
            ended = ended(&mut self.ended) => match ended {
                Some((ledger, _)) if ledger != self.name => {}
                Some((_, room)) => self.look_for_results(Some(room)),
                None => self.look_for_results(None),
            },
            () = tokio::time::sleep(LINGERS), if idle => {
                self.gives_up = Some(CloseReason::Stopping);
            }
        }
        self.store();
        if self.stopping.is_some() && self.storing.is_none() {
            self.gives_up = Some(CloseReason::Stopping);
        }
    }

    fn post(&mut self, post: LedgerMessage) {
        match post {
            LedgerMessage::Came(newcomer) => self.came(*newcomer),
            LedgerMessage::Went { guest } => {
                self.guests.remove(&guest);
            }
            LedgerMessage::Wishes { guest, id, what } => self.wishes(guest, id, &what),
            LedgerMessage::Sits { asks, player, answer } => {
                let role = self.book.grants(Some(asks));
                let contest = self.book.ledger().contest();
                let seat = contest.and_then(|contest| self.house.seat(contest, role, player));
                // Whoever asked may have gone away.
                let _ = answer.send(seat);
            }
            LedgerMessage::Reads { answer } => {
                let lines = &self.book.lines()[..self.told];
                let text = lines.iter().flat_map(|line| [line, "\n"]).collect();
                // Whoever asked may have gone away.
                let _ = answer.send(text);
            }
            LedgerMessage::Opened { place, room } => {
                self.house.opened(place);
                // Ten letters and digits always make a word.
                let word = room.and_then(|room| room.to_string().parse().ok());
                if let Some(word) = word {
                    self.house_writes(ContestChange::Open { table: place, word });
                }
            }
            LedgerMessage::Ended { place, outcome } => {
                if let Some(outcome) = outcome {
                    self.house_writes(ContestChange::Report { table: place, outcome });
                }
            }
            LedgerMessage::Answers { guest, text } => self.send(guest, text.into()),
            LedgerMessage::Stop { done } => self.stopping = Some(done),
        }
    }

    /// Writes what the server itself has done, unless it is known already.
    fn house_writes(&mut self, change: ContestChange) {
        if let Some(kept) = self.book.decide_house(self.clock.now(), change) {
            // What could not be done has been told to everybody.
            let _ = self.write(&kept);
        }
    }

    /// Opens the tables that an online contest needs.
    fn open_tables(&mut self) {
        if let Some(contest) = self.book.ledger().contest() {
            self.house.open_tables(contest);
        }
    }

    fn look_for_results(&self, of: Option<TableId>) {
        if let Some(contest) = self.book.ledger().contest() {
            self.house.look_for_results(contest, of);
        }
    }

    fn came(&mut self, newcomer: NewSubscriber) {
        let NewSubscriber { guest, since, asks, mut outbox } = newcomer;
        if self.guests.len() >= MOST_GUESTS {
            let _ = outbox.try_send(Outgoing::Bye(CloseReason::Unavailable));
            return;
        }
        let role = self.book.grants(asks);
        self.guests.insert(guest, Subscriber { role, outbox });
        let hello = LedgerServerMessage::Hello {
            ghinda: VERSION,
            server: concat!("ghinda ", env!("CARGO_PKG_VERSION")).into(),
            time: self.clock.now(),
            role: role_text(role),
        };
        self.send(guest, hello.text().into());
        // Whoever knows more than there is has seen another ledger, and begins anew.
        let since = if since > self.told { 0 } else { since };
        let texts: Vec<_> = messages(since, &self.book.lines()[since..self.told]).collect();
        texts.into_iter().for_each(|text| self.send(guest, text));
    }

    fn wishes(&mut self, guest: ConnectionId, id: String, what: &LedgerCommand) {
        let Some(wisher) = self.guests.get(&guest) else { return };
        let under_way = |(_, other): &(ConnectionId, String)| *other == id;
        if self.answering.iter().any(under_way) {
            self.answering.push((guest, id));
            return;
        }
        if self.wishing.iter().any(under_way) {
            self.wishing.push((guest, id));
            return;
        }
        if self.book.has_done(&id) {
            self.done(guest, id);
            return;
        }
        if let (LedgerCommand::Start { table }, Some(contest)) = (what, self.book.ledger().contest()) {
            let asked = SeatRequest { guest, id: id.clone() };
            // Otherwise the hall answers.
            if let Err(refusal) = self.house.start(contest, wisher.role, table, asked) {
                self.refuse(guest, id, refusal);
            }
            return;
        }
        let decided = self.book.decide(self.clock.now(), wisher.role, &id, what, random::secret);
        match decided.and_then(|kept| self.write(&kept)) {
            Ok(()) => self.wishing.push((guest, id)),
            Err(refusal) => self.refuse(guest, id, refusal),
        }
    }

    /// Lets happen what was decided, to be told once it is stored.
    fn write(&mut self, kept: &[LedgerEvent]) -> Result<(), LedgerRefusal> {
        for kept in kept {
            if let Err(error) = self.book.apply(kept) {
                tracing::error!(ledger = %self.name, %error, "a decision does not fit");
                self.gives_up = Some(CloseReason::Unavailable);
                return Err(LedgerRefusal::Unavailable);
            }
            let event = NewEvent { at_ms: self.clock.now_ms(), body: kept.text() };
            self.waiting.push(event);
        }
        Ok(())
    }

    fn done(&mut self, guest: ConnectionId, id: String) {
        self.send(guest, LedgerServerMessage::Done { id }.text().into());
    }

    fn refuse(&mut self, guest: ConnectionId, id: String, refusal: LedgerRefusal) {
        metrics::counter!("ghinda_refused_total").increment(1);
        self.send(guest, LedgerServerMessage::Refused { id, refusal }.text().into());
    }

    /// Hands what waits to the writer, unless something is being stored.
    fn store(&mut self) {
        if self.storing.is_some() || self.waiting.is_empty() || self.gives_up.is_some() {
            return;
        }
        let events = std::mem::take(&mut self.waiting);
        self.answering = std::mem::take(&mut self.wishing);
        self.telling = self.book.lines().len();
        let append = Append {
            table: self.name,
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
                let new = &self.book.lines()[self.told..self.telling];
                metrics::counter!("ghinda_ledger_lines_total").increment(new.len() as u64);
                let texts: Vec<Arc<str>> = messages(self.told, new).collect();
                self.told = self.telling;
                let guests: Vec<ConnectionId> = self.guests.keys().copied().collect();
                for guest in guests {
                    texts.iter().for_each(|text| self.send(guest, text.clone()));
                }
                for (guest, id) in std::mem::take(&mut self.answering) {
                    self.done(guest, id);
                }
                self.open_tables();
            }
            Ok(Appended::Fenced | Appended::OutOfOrder | Appended::Gone) => {
                tracing::warn!(ledger = %self.name, "the ledger belongs to another server now");
                self.gives_up = Some(CloseReason::Unavailable);
            }
            Err(error) => {
                tracing::error!(ledger = %self.name, %error, "nothing is known to be stored");
                let kind =
                    if matches!(error, StoreError::Uncertain(_)) { "uncertain" } else { "refused" };
                metrics::counter!("ghinda_store_failures_total", "kind" => kind).increment(1);
                // Uncertain ones are not answered: the same wish will be, when it comes again.
                if kind == "refused" {
                    let wishes = std::mem::take(&mut self.answering).into_iter();
                    for (guest, id) in wishes.chain(std::mem::take(&mut self.wishing)) {
                        self.refuse(guest, id, LedgerRefusal::Unavailable);
                    }
                }
                self.gives_up = Some(CloseReason::Unavailable);
            }
        }
    }

    /// Hands something to a connection. One that reads too slowly is let go: it may
    /// come back and resume.
    fn send(&mut self, guest: ConnectionId, text: Arc<str>) {
        let Some(known) = self.guests.get_mut(&guest) else { return };
        if known.outbox.try_send(Outgoing::Text(text)).is_err() {
            self.guests.remove(&guest);
            metrics::counter!("ghinda_slow_guests_total").increment(1);
        }
    }

    /// Tells everybody that it is over here, and why.
    fn finish(&mut self) {
        self.posts.close();
        let why = self.gives_up.unwrap_or(CloseReason::Stopping);
        for (_, mut guest) in std::mem::take(&mut self.guests) {
            let _ = guest.outbox.try_send(Outgoing::Bye(why));
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
