//! The keeper of a table: the one task that writes it.
//!
//! A keeper only carries. Posts come in, the [desk](room::desk) says what is to be
//! done, and the keeper does it: hands entries to the writer, messages to
//! connections, questions to the thinkers. What it decides itself is when to give up:
//! when nobody has been here for a while, when another server owns the table, and when
//! it cannot know what is stored. Whoever comes then finds the table loaded anew.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use cards::Seat;
use game::fair::Secret;
use game::record::Name;
use room::desk::{Desk, Errand, GuestId, Letter, Outside};
use room::{Entry, Finished, Key, Logged, Millis, Room, log};
use store::{
    Append, Appended, Epoch, FinishedMatch, FinishedSeat, NewEvent, Note, PlayerId, Queue,
};
use store::{StoreError, TableId};
use tokio::sync::{broadcast, mpsc, oneshot};
use tokio::time::sleep_until;
use wire::table::{Farewell, Reason, Refusal};

use crate::clock::Clock;
use crate::hall::Listing;
use crate::thinkers::Thinkers;

/// How many posts may wait at a table.
const POSTS: usize = 256;
/// How long a table without guests stays in memory.
const LINGERS: Duration = Duration::from_secs(60);

/// What a connection is given to send.
#[derive(Debug)]
pub(crate) enum Outgoing {
    /// A message.
    Text(Arc<str>),
    /// The end.
    Bye(Farewell),
}

/// Somebody who has connected.
pub(crate) struct Newcomer {
    pub(crate) guest: GuestId,
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
pub(crate) enum Post {
    /// Somebody has connected.
    Came(Box<Newcomer>),
    /// Somebody asks for something without being connected.
    Asks { what: Box<Question>, answer: oneshot::Sender<Result<(), Refusal>> },
    /// A bot's answer, to be given at that time.
    BotSaid { due: Millis, letter: Box<Letter> },
    /// Anything else for the desk.
    Letter(Box<Letter>),
    /// Somebody wants to know something of the room.
    Look(Box<dyn FnOnce(&Room) + Send>),
    /// The server stops: finish what is under way, tell everybody, and end.
    Stop { done: oneshot::Sender<()> },
}

/// What is asked from outside.
pub(crate) enum Question {
    /// To be let in by the table's key.
    Enter { player: PlayerId, key: Key },
    /// One of the seats that a contest has for somebody.
    Seat { contest: TableId, player: PlayerId, seats: Vec<(Seat, Name)> },
    /// The beginning of a contest's match.
    Begin { contest: TableId },
}

/// The way to a table.
#[derive(Clone)]
pub(crate) struct Handle {
    posts: mpsc::Sender<Post>,
}

impl Handle {
    /// Sends a post; it comes back if the keeper has given up.
    pub(crate) async fn send(&self, post: Post) -> Result<(), Post> {
        self.posts.send(post).await.map_err(|unsent| unsent.0)
    }

    /// Whether the keeper has given up.
    pub(crate) fn is_gone(&self) -> bool {
        self.posts.is_closed()
    }
}

/// What all keepers share.
#[derive(Clone)]
pub(crate) struct Shared {
    pub(crate) queue: Queue,
    pub(crate) thinkers: Thinkers,
    pub(crate) clock: Clock,
    pub(crate) listing: Arc<Listing>,
    /// Where contests hear that a match of theirs is over.
    pub(crate) ended: broadcast::Sender<(TableId, TableId)>,
    /// Draws the secret of a match.
    pub(crate) fresh: fn() -> Secret,
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

pub(crate) struct Keeper {
    table: TableId,
    epoch: Epoch,
    desk: Desk,
    shared: Shared,
    posts: mpsc::Receiver<Post>,
    /// The way to ourselves, for whoever thinks for us.
    own: mpsc::WeakSender<Post>,
    guests: Vec<(GuestId, Outbox)>,
    storing: Option<Storing>,
    /// Answers of bots that come too early.
    held: Vec<(Millis, Letter)>,
    asking: Vec<(u64, oneshot::Sender<Result<(), Refusal>>)>,
    asked: u64,
    /// Why the keeper gives up.
    gives_up: Option<Farewell>,
    stopping: Option<oneshot::Sender<()>>,
}

/// Starts the keeper of a room.
pub(crate) fn start(room: Room, epoch: Epoch, shared: Shared) -> Handle {
    let (posts, waiting) = mpsc::channel(POSTS);
    let mut keeper = Box::new(Keeper {
        table: room.id(),
        epoch,
        desk: Desk::new(room),
        shared,
        posts: waiting,
        own: posts.downgrade(),
        guests: Vec::new(),
        storing: None,
        held: Vec::new(),
        asking: Vec::new(),
        asked: 0,
        gives_up: None,
        stopping: None,
    });
    keeper.list();
    tokio::spawn(async move { keeper.run().await });
    Handle { posts }
}

impl Keeper {
    async fn run(&mut self) {
        metrics::gauge!("ghinda_tables_in_memory").increment(1);
        while self.gives_up.is_none() {
            self.step().await;
        }
        self.finish();
        metrics::gauge!("ghinda_tables_in_memory").decrement(1);
    }

    /// Waits for the next thing and does it.
    async fn step(&mut self) {
        let idle = self.desk.is_idle() && self.asking.is_empty();
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
            post = self.posts.recv() => match post {
                Some(post) => self.post(post),
                None => self.gives_up = Some(Farewell::Stopping),
            },
            () = timer => self.woke(),
            () = tokio::time::sleep(LINGERS), if idle && wakes.is_none() => {
                self.gives_up = Some(Farewell::Stopping);
            }
        }
        if self.stopping.is_some() && self.storing.is_none() {
            self.gives_up = Some(Farewell::Stopping);
        }
    }

    /// The earliest time at which something is to be done by itself.
    fn wakes_at(&self) -> Option<Millis> {
        if self.storing.is_some() {
            return None;
        }
        let outside = Outside { now: self.shared.clock.now(), fresh: &self.shared.fresh };
        let held = self.held.iter().map(|(due, _)| *due).min();
        [self.desk.wakes_at(&outside), held].into_iter().flatten().min()
    }

    fn post(&mut self, post: Post) {
        match post {
            Post::Came(newcomer) => {
                let Newcomer { guest, player, since, outbox } = *newcomer;
                self.guests.push((guest, outbox));
                self.letter(Letter::Came { guest, player, since });
            }
            Post::Asks { what, answer } => {
                self.asked += 1;
                let ticket = self.asked;
                self.asking.push((ticket, answer));
                self.letter(match *what {
                    Question::Enter { player, key } => Letter::Knocks { player, key, ticket },
                    Question::Seat { contest, player, seats } => {
                        Letter::Seats { contest, player, seats, ticket }
                    }
                    Question::Begin { contest } => Letter::Begins { contest, ticket },
                });
            }
            Post::BotSaid { due, letter } if due > self.shared.clock.now() => {
                self.held.push((due, *letter));
            }
            Post::BotSaid { letter, .. } => self.letter(*letter),
            Post::Letter(letter) => {
                if let Letter::Went { guest } = &*letter {
                    self.guests.retain(|(known, _)| known != guest);
                }
                self.letter(*letter);
            }
            Post::Look(look) => look(self.desk.room()),
            Post::Stop { done } => self.stopping = Some(done),
        }
    }

    fn woke(&mut self) {
        let now = self.shared.clock.now();
        let (due, held): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.held).into_iter().partition(|(due, _)| *due <= now);
        self.held = held;
        due.into_iter().for_each(|(_, letter)| self.letter(letter));
        self.letter(Letter::Woke);
    }

    fn letter(&mut self, letter: Letter) {
        let mut errands = Vec::new();
        let outside = Outside { now: self.shared.clock.now(), fresh: &self.shared.fresh };
        self.desk.take(letter, &outside, &mut errands);
        errands.into_iter().for_each(|errand| self.errand(errand));
    }

    fn errand(&mut self, errand: Errand) {
        match errand {
            Errand::Send { guest, text } => self.send(guest, Outgoing::Text(text)),
            Errand::Refuse { guest, text } => {
                metrics::counter!("ghinda_refused_total").increment(1);
                self.send(guest, Outgoing::Text(text));
            }
            Errand::Dismiss { guest, why } => {
                self.send(guest, Outgoing::Bye(why));
                self.guests.retain(|(known, _)| *known != guest);
            }
            Errand::Store { first, entries } => self.store(first, &entries),
            Errand::Ask(ask) => {
                let (own, due) = (self.own.clone(), ask.due);
                let (seat, version) = (ask.seat, ask.version);
                let letter = move |action| Letter::BotSaid { seat, version, action };
                let hurried = self.shared.thinkers.ask(ask, move |action| {
                    return_to(&own, Post::BotSaid { due, letter: Box::new(letter(action)) });
                });
                self.held.extend(hurried.map(|action| (due, letter(action))));
            }
            Errand::Prove { claim, position } => {
                let (own, asked) = (self.own.clone(), claim.clone());
                let looked_into = self.shared.thinkers.prove(position, move |line| {
                    let proved = Letter::Proved { claim: asked, line };
                    return_to(&own, Post::Letter(Box::new(proved)));
                });
                if !looked_into {
                    self.held.push((0, Letter::Proved { claim, line: None }));
                }
            }
            Errand::Answer { ticket, answer } => {
                if let Some(at) = self.asking.iter().position(|(asked, _)| *asked == ticket) {
                    // Whoever asked may have gone away.
                    let _ = self.asking.swap_remove(at).1.send(answer);
                }
            }
            Errand::Finished(_) => {
                metrics::counter!("ghinda_matches_total").increment(1);
                if let Some(contest) = self.desk.room().contest() {
                    // A contest that nobody has open will see it when somebody comes.
                    let _ = self.shared.ended.send((contest, self.table));
                }
            }
            Errand::List => self.list(),
        }
    }

    fn list(&self) {
        self.shared.listing.update(self.desk.room(), self.desk.is_attended());
    }

    /// Hands something to a connection. One that reads too slowly is let go: it may
    /// come back and resume.
    fn send(&mut self, guest: GuestId, outgoing: Outgoing) {
        let Some(at) = self.guests.iter().position(|(known, _)| *known == guest) else { return };
        if self.guests[at].1.try_send(outgoing).is_err() {
            self.guests.swap_remove(at);
            metrics::counter!("ghinda_slow_guests_total").increment(1);
            let own = self.own.clone();
            // The desk is in the middle of something; it hears of it next.
            tokio::spawn(async move {
                if let Some(own) = own.upgrade() {
                    let _ = own.send(Post::Letter(Box::new(Letter::Went { guest }))).await;
                }
            });
        }
    }

    fn store(&mut self, first: u64, entries: &[Logged]) {
        let room = self.desk.room();
        let event = |logged: &Logged| NewEvent {
            at_ms: logged.at as i64,
            body: log::encode(logged, room.rules()),
        };
        let append = Append {
            table: self.table,
            epoch: self.epoch,
            first,
            events: entries.iter().map(event).collect(),
            notes: notes(room, first, entries),
        };
        let queue = self.shared.queue.clone();
        self.storing = Some(Box::pin(async move { queue.append(append).await }));
    }

    fn stored(&mut self, outcome: Outcome) {
        match outcome {
            Ok(Appended::Done) => {
                self.letter(Letter::Stored);
                if self.desk.room().is_closed() {
                    self.gives_up = Some(Farewell::Closed);
                }
            }
            // Another server has taken the table over, or has closed it.
            Ok(Appended::Fenced | Appended::OutOfOrder | Appended::Gone) => {
                tracing::warn!(table = %self.table, "the table belongs to another server now");
                self.gives_up = Some(Farewell::Unavailable);
            }
            Err(StoreError::Uncertain(why)) => {
                tracing::error!(table = %self.table, %why, "it is not known what was stored");
                metrics::counter!("ghinda_store_failures_total", "kind" => "uncertain")
                    .increment(1);
                self.gives_up = Some(Farewell::Unavailable);
            }
            Err(error) => {
                tracing::error!(table = %self.table, %error, "nothing was stored");
                metrics::counter!("ghinda_store_failures_total", "kind" => "refused").increment(1);
                self.letter(Letter::NotStored);
            }
        }
    }

    /// Tells everybody that it is over here, and why.
    fn finish(&mut self) {
        self.posts.close();
        self.shared.listing.update(self.desk.room(), false);
        let why = self.gives_up.unwrap_or(Farewell::Stopping);
        for (_, mut outbox) in self.guests.drain(..) {
            let _ = outbox.try_send(Outgoing::Bye(why));
        }
        for (_, answer) in self.asking.drain(..) {
            let _ = answer.send(Err(Reason::Unavailable.into()));
        }
        if let Some(done) = self.stopping.take() {
            let _ = done.send(());
        }
    }
}

/// Brings an answer back to a keeper, if it is still there; called by threads that
/// think, which may wait.
fn return_to(own: &mpsc::WeakSender<Post>, post: Post) {
    if let Some(own) = own.upgrade() {
        // A keeper that has given up needs no answer.
        let _ = own.blocking_send(post);
    }
}

/// What the store notes besides the entries.
fn notes(room: &Room, first: u64, entries: &[Logged]) -> Vec<Note> {
    let mut notes = Vec::new();
    for (sequence, logged) in (first..).zip(entries) {
        if logged.entry.is_checkpoint() {
            notes.push(Note::Checkpoint(sequence));
        }
        if logged.entry == Entry::Closed {
            notes.push(Note::Closed);
        }
        if let Some(finished) = room.finished_by(&logged.entry) {
            notes.push(Note::Finished(finished_match(room, logged.at, &finished)));
        }
    }
    notes
}

fn finished_match(room: &Room, at: Millis, finished: &Finished) -> FinishedMatch {
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
