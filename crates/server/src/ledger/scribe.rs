//! The scribe of a ledger: the one task that writes it.
//!
//! A wish is decided at once and waits to be stored with all others that come meanwhile: one
//! commit, and then one message to everybody with all its lines. A ledger may have a thousand open pages,
//! and a whole hall tells its results at the same moment. Nothing is told before it is on the
//! disk. If it cannot be stored, the scribe gives up, and whoever comes finds the ledger loaded anew.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use contest::{Change, Role, TableId as AtContest};
use room::Key;
use room::desk::GuestId;
use store::{Append, Appended, Claim, Epoch, NewEvent, PlayerId, Queue, StoreError, TableId};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, mpsc, oneshot};
use wire::contest::role_text;
use wire::ledger::{Farewell, Refused, ServerMessage, VERSION, Wish};

use super::book::{Book, Kept};
use super::house::{Asked, House, Place};
use crate::clock::Clock;
use crate::hall::Hall;
use crate::keeper::{Outbox, Outgoing};
use crate::random;

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
pub(crate) struct Newcomer {
    pub(crate) guest: GuestId,
    /// How many lines he has.
    pub(crate) since: usize,
    /// What he wants to do, and with which key.
    pub(crate) asks: Option<(Role, Key)>,
    /// Where he is told things.
    pub(crate) outbox: Outbox,
}

/// What a scribe is sent.
pub(crate) enum Post {
    /// Somebody has connected.
    Came(Box<Newcomer>),
    /// A connection is gone.
    Went { guest: GuestId },
    /// Somebody wishes something.
    Wishes { guest: GuestId, id: String, what: Box<Wish> },
    /// A player wants the seat that an online contest has for him.
    Sits { asks: (Role, Key), player: PlayerId, answer: oneshot::Sender<Option<Place>> },
    /// Somebody wants to read everything.
    Reads { answer: oneshot::Sender<String> },
    /// A table of an online contest was opened, or could not be.
    Opened { place: AtContest, room: Option<TableId> },
    /// A match of an online contest is over, if it is, with this outcome.
    Ended { place: AtContest, outcome: Option<contest::Outcome> },
    /// What the hall answered to somebody.
    Answers { guest: GuestId, text: String },
    /// The server stops: finish what is under way, tell everybody, and end.
    Stop { done: oneshot::Sender<()> },
}

/// The way to a ledger.
#[derive(Clone)]
pub(crate) struct Handle {
    posts: mpsc::Sender<Post>,
}

impl Handle {
    /// Sends a post; it comes back if the scribe has given up.
    pub(crate) async fn send(&self, post: Post) -> Result<(), Post> {
        self.posts.send(post).await.map_err(|unsent| unsent.0)
    }

    /// Whether the scribe has given up.
    pub(crate) fn is_gone(&self) -> bool {
        self.posts.is_closed()
    }
}

/// A connection.
struct Guest {
    role: Role,
    outbox: Outbox,
}

type Outcome = Result<Appended, StoreError>;
type Storing = Pin<Box<dyn Future<Output = Outcome> + Send>>;

/// The outcome of what is being stored; never, if nothing is.
async fn outcome(storing: &mut Option<Storing>) -> Outcome {
    match storing {
        Some(storing) => storing.await,
        None => std::future::pending().await,
    }
}

/// The next match of a contest that is over: its ledger and its table; nothing where some were missed.
async fn ended(matches: &mut Ended) -> Option<(TableId, TableId)> {
    match matches.recv().await {
        Ok(ended) => Some(ended),
        Err(RecvError::Lagged(_)) => None,
        Err(RecvError::Closed) => std::future::pending().await,
    }
}

type Ended = broadcast::Receiver<(TableId, TableId)>;

pub(super) struct Scribe {
    name: TableId,
    epoch: Epoch,
    /// The ledger with all that was decided; the last lines may not be stored yet.
    book: Book,
    /// How many lines are stored, and were told to everybody.
    told: usize,
    /// The number of the next event in the store.
    next: u64,
    queue: Queue,
    clock: Clock,
    house: House,
    ended: Ended,
    posts: mpsc::Receiver<Post>,
    guests: BTreeMap<GuestId, Guest>,
    storing: Option<Storing>,
    /// What will have been told when the present commit is done.
    telling: usize,
    /// Whose wishes are being stored.
    answering: Vec<(GuestId, String)>,
    /// What is decided and waits to be stored, and whose wishes it was.
    waiting: Vec<NewEvent>,
    wishing: Vec<(GuestId, String)>,
    gives_up: Option<Farewell>,
    stopping: Option<oneshot::Sender<()>>,
}

/// Starts the scribe of a ledger that was claimed, with all that is stored of it.
pub(super) fn start(claim: &Claim, book: Book, hall: &Arc<Hall>) -> Handle {
    let (posts, waiting) = mpsc::channel(POSTS);
    let told = book.lines().len();
    let mut scribe = Box::new(Scribe {
        name: claim.table,
        epoch: claim.epoch,
        book,
        told,
        next: claim.last + 1,
        queue: hall.queue(),
        clock: hall.clock(),
        house: House::new(claim.table, hall.clone(), posts.downgrade()),
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
    Handle { posts }
}

impl Scribe {
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
                    None => self.gives_up = Some(Farewell::Stopping),
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
                self.gives_up = Some(Farewell::Stopping);
            }
        }
        self.store();
        if self.stopping.is_some() && self.storing.is_none() {
            self.gives_up = Some(Farewell::Stopping);
        }
    }

    fn post(&mut self, post: Post) {
        match post {
            Post::Came(newcomer) => self.came(*newcomer),
            Post::Went { guest } => {
                self.guests.remove(&guest);
            }
            Post::Wishes { guest, id, what } => self.wishes(guest, id, &what),
            Post::Sits { asks, player, answer } => {
                let role = self.book.grants(Some(asks));
                let contest = self.book.ledger().contest();
                let seat = contest.and_then(|contest| self.house.seat(contest, role, player));
                // Whoever asked may have gone away.
                let _ = answer.send(seat);
            }
            Post::Reads { answer } => {
                let lines = &self.book.lines()[..self.told];
                let text = lines.iter().flat_map(|line| [line, "\n"]).collect();
                // Whoever asked may have gone away.
                let _ = answer.send(text);
            }
            Post::Opened { place, room } => {
                self.house.opened(place);
                // Ten letters and digits always make a word.
                let word = room.and_then(|room| room.to_string().parse().ok());
                if let Some(word) = word {
                    self.house_writes(Change::Open { table: place, word });
                }
            }
            Post::Ended { place, outcome } => {
                if let Some(outcome) = outcome {
                    self.house_writes(Change::Report { table: place, outcome });
                }
            }
            Post::Answers { guest, text } => self.send(guest, text.into()),
            Post::Stop { done } => self.stopping = Some(done),
        }
    }

    /// Writes what the server itself has done, unless it is known already.
    fn house_writes(&mut self, change: Change) {
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

    fn came(&mut self, newcomer: Newcomer) {
        let Newcomer { guest, since, asks, mut outbox } = newcomer;
        if self.guests.len() >= MOST_GUESTS {
            let _ = outbox.try_send(Outgoing::Bye(Farewell::Unavailable));
            return;
        }
        let role = self.book.grants(asks);
        self.guests.insert(guest, Guest { role, outbox });
        let hello = ServerMessage::Hello {
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

    fn wishes(&mut self, guest: GuestId, id: String, what: &Wish) {
        let Some(wisher) = self.guests.get(&guest) else { return };
        let under_way = |(_, other): &(GuestId, String)| *other == id;
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
        if let (Wish::Start { table }, Some(contest)) = (what, self.book.ledger().contest()) {
            let asked = Asked { guest, id: id.clone() };
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
    fn write(&mut self, kept: &[Kept]) -> Result<(), Refused> {
        for kept in kept {
            if let Err(error) = self.book.apply(kept) {
                tracing::error!(ledger = %self.name, %error, "a decision does not fit");
                self.gives_up = Some(Farewell::Unavailable);
                return Err(Refused::Unavailable);
            }
            let event = NewEvent { at_ms: self.clock.now_ms(), body: kept.text() };
            self.waiting.push(event);
        }
        Ok(())
    }

    fn done(&mut self, guest: GuestId, id: String) {
        self.send(guest, ServerMessage::Done { id }.text().into());
    }

    fn refuse(&mut self, guest: GuestId, id: String, refusal: Refused) {
        metrics::counter!("ghinda_refused_total").increment(1);
        self.send(guest, ServerMessage::Refused { id, refusal }.text().into());
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

    fn stored(&mut self, outcome: Outcome) {
        match outcome {
            Ok(Appended::Done) => {
                let new = &self.book.lines()[self.told..self.telling];
                metrics::counter!("ghinda_ledger_lines_total").increment(new.len() as u64);
                let texts: Vec<Arc<str>> = messages(self.told, new).collect();
                self.told = self.telling;
                let guests: Vec<GuestId> = self.guests.keys().copied().collect();
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
                self.gives_up = Some(Farewell::Unavailable);
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
                        self.refuse(guest, id, Refused::Unavailable);
                    }
                }
                self.gives_up = Some(Farewell::Unavailable);
            }
        }
    }

    /// Hands something to a connection. One that reads too slowly is let go: it may
    /// come back and resume.
    fn send(&mut self, guest: GuestId, text: Arc<str>) {
        let Some(known) = self.guests.get_mut(&guest) else { return };
        if known.outbox.try_send(Outgoing::Text(text)).is_err() {
            self.guests.remove(&guest);
            metrics::counter!("ghinda_slow_guests_total").increment(1);
        }
    }

    /// Tells everybody that it is over here, and why.
    fn finish(&mut self) {
        self.posts.close();
        let why = self.gives_up.unwrap_or(Farewell::Stopping);
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
        let text = || ServerMessage::lines_text(from, now.iter().map(|line| &**line)).into();
        (!now.is_empty()).then(text)
    })
}
