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
use room::driver::{TableDriver, Effect, ConnectionId, Input, DriverContext};
use room::{Entry, MatchResult, Key, LoggedEntry, Millis, Room, log};
use store::{
    Append, Appended, Epoch, FinishedMatch, FinishedSeat, NewEvent, LinkedWrite, PlayerId, AppendQueue,
};
use store::{StoreError, TableId};
use tokio::sync::{broadcast, mpsc, oneshot};
use tokio::time::sleep_until;
use wire::table::{CloseReason, RefusalReason, CommandRefusal};

use crate::clock::Clock;
use crate::tables::TableIndex;
use crate::bot_pool::BotPool;
use crate::task_registry::{self, AppendResult, Storing, outcome};

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
    Bye(CloseReason),
}

/// Somebody who has connected.
pub(crate) struct NewConnection {
    pub(crate) guest: ConnectionId,
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
    Came(Box<NewConnection>),
    /// Somebody asks for something without being connected.
    Asks { what: Box<TableRequest>, answer: oneshot::Sender<Result<(), CommandRefusal>> },
    /// A bot's answer, to be given at that time.
    BotSaid { due: Millis, letter: Box<Input> },
    /// Anything else for the desk.
    Letter(Box<Input>),
    /// Somebody wants to know something of the room.
    Look(Box<dyn FnOnce(&Room) + Send>),
    /// The server stops: finish what is under way, tell everybody, and end.
    Stop { done: oneshot::Sender<()> },
}

/// What is asked from outside.
pub(crate) enum TableRequest {
    /// To be let in by the table's key.
    Enter { player: PlayerId, key: Key },
    /// One of the seats that a contest has for somebody.
    Seat { contest: TableId, player: PlayerId, seats: Vec<(Seat, Name)> },
    /// The beginning of a contest's match.
    Begin { contest: TableId },
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
    pub(crate) ended: broadcast::Sender<(TableId, TableId)>,
    /// Draws the secret of a match.
    pub(crate) fresh: fn() -> Secret,
}

pub(crate) struct TableTask {
    table: TableId,
    epoch: Epoch,
    desk: TableDriver,
    shared: TableServices,
    posts: mpsc::Receiver<TableMessage>,
    /// The way to ourselves, for whoever thinks for us.
    own: mpsc::WeakSender<TableMessage>,
    guests: Vec<(ConnectionId, Outbox)>,
    storing: Option<Storing>,
    /// Answers of bots that come too early.
    held: Vec<(Millis, Input)>,
    asking: Vec<(u64, oneshot::Sender<Result<(), CommandRefusal>>)>,
    asked: u64,
    /// Why the keeper gives up.
    gives_up: Option<CloseReason>,
    stopping: Option<oneshot::Sender<()>>,
}

/// Starts the keeper of a room.
pub(crate) fn start(room: Room, epoch: Epoch, shared: TableServices) -> TableHandle {
    let (posts, waiting) = mpsc::channel(POSTS);
    let mut keeper = Box::new(TableTask {
        table: room.id(),
        epoch,
        desk: TableDriver::new(room),
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
    TableHandle::new(posts)
}

impl TableTask {
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
                None => self.gives_up = Some(CloseReason::Stopping),
            },
            () = timer => self.woke(),
            () = tokio::time::sleep(LINGERS), if idle && wakes.is_none() => {
                self.gives_up = Some(CloseReason::Stopping);
            }
        }
        if self.stopping.is_some() && self.storing.is_none() {
            self.gives_up = Some(CloseReason::Stopping);
        }
    }

    /// The earliest time at which something is to be done by itself.
    fn wakes_at(&self) -> Option<Millis> {
        if self.storing.is_some() {
            return None;
        }
        let outside = DriverContext { now: self.shared.clock.now(), fresh: &self.shared.fresh };
        let held = self.held.iter().map(|(due, _)| *due).min();
        [self.desk.wakes_at(&outside), held].into_iter().flatten().min()
    }

    fn post(&mut self, post: TableMessage) {
        match post {
            TableMessage::Came(newcomer) => {
                let NewConnection { guest, player, since, outbox } = *newcomer;
                self.guests.push((guest, outbox));
                self.letter(Input::Came { guest, player, since });
            }
            TableMessage::Asks { what, answer } => {
                self.asked += 1;
                let ticket = self.asked;
                self.asking.push((ticket, answer));
                self.letter(match *what {
                    TableRequest::Enter { player, key } => Input::Knocks { player, key, ticket },
                    TableRequest::Seat { contest, player, seats } => {
                        Input::Seats { contest, player, seats, ticket }
                    }
                    TableRequest::Begin { contest } => Input::Begins { contest, ticket },
                });
            }
            TableMessage::BotSaid { due, letter } if due > self.shared.clock.now() => {
                self.held.push((due, *letter));
            }
            TableMessage::BotSaid { letter, .. } => self.letter(*letter),
            TableMessage::Letter(letter) => {
                if let Input::Went { guest } = &*letter {
                    self.guests.retain(|(known, _)| known != guest);
                }
                self.letter(*letter);
            }
            TableMessage::Look(look) => look(self.desk.room()),
            TableMessage::Stop { done } => self.stopping = Some(done),
        }
    }

    fn woke(&mut self) {
        let now = self.shared.clock.now();
        let (due, held): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.held).into_iter().partition(|(due, _)| *due <= now);
        self.held = held;
        due.into_iter().for_each(|(_, letter)| self.letter(letter));
        self.letter(Input::Woke);
    }

    fn letter(&mut self, letter: Input) {
        let mut errands = Vec::new();
        let outside = DriverContext { now: self.shared.clock.now(), fresh: &self.shared.fresh };
        self.desk.take(letter, &outside, &mut errands);
        errands.into_iter().for_each(|errand| self.errand(errand));
    }

    fn errand(&mut self, errand: Effect) {
        match errand {
            Effect::Send { guest, text } => self.send(guest, Outgoing::Text(text)),
            Effect::Refuse { guest, text } => {
                metrics::counter!("ghinda_refused_total").increment(1);
                self.send(guest, Outgoing::Text(text));
            }
            Effect::Dismiss { guest, why } => {
                self.send(guest, Outgoing::Bye(why));
                self.guests.retain(|(known, _)| *known != guest);
            }
            Effect::Store { first, entries } => self.store(first, &entries),
            Effect::Ask(ask) => {
                let (own, due) = (self.own.clone(), ask.due);
                let (seat, version) = (ask.seat, ask.version);
                let letter = move |action| Input::BotSaid { seat, version, action };
                let hurried = self.shared.thinkers.ask(ask, move |action| {
                    return_to(&own, TableMessage::BotSaid { due, letter: Box::new(letter(action)) });
                });
                self.held.extend(hurried.map(|action| (due, letter(action))));
            }
            Effect::Prove { claim, position } => {
                let (own, asked) = (self.own.clone(), claim.clone());
                let looked_into = self.shared.thinkers.prove(position, move |line| {
                    let proved = Input::Proved { claim: asked, line };
                    return_to(&own, TableMessage::Letter(Box::new(proved)));
                });
                if !looked_into {
                    self.held.push((0, Input::Proved { claim, line: None }));
                }
            }
            Effect::Answer { ticket, answer } => {
                if let Some(at) = self.asking.iter().position(|(asked, _)| *asked == ticket) {
                    // Whoever asked may have gone away.
                    let _ = self.asking.swap_remove(at).1.send(answer);
                }
            }
            Effect::Finished(_) => {
                metrics::counter!("ghinda_matches_total").increment(1);
                if let Some(contest) = self.desk.room().contest() {
                    // A contest that nobody has open will see it when somebody comes.
                    let _ = self.shared.ended.send((contest, self.table));
                }
            }
            Effect::List => self.list(),
        }
    }

    fn list(&self) {
        self.shared.listing.update(self.desk.room(), self.desk.is_attended());
    }

    /// Hands something to a connection. One that reads too slowly is let go: it may
    /// come back and resume.
    fn send(&mut self, guest: ConnectionId, outgoing: Outgoing) {
        let Some(at) = self.guests.iter().position(|(known, _)| *known == guest) else { return };
        if self.guests[at].1.try_send(outgoing).is_err() {
            self.guests.swap_remove(at);
            metrics::counter!("ghinda_slow_guests_total").increment(1);
            let own = self.own.clone();
            // The desk is in the middle of something; it hears of it next.
            tokio::spawn(async move {
                if let Some(own) = own.upgrade() {
                    let _ = own.send(TableMessage::Letter(Box::new(Input::Went { guest }))).await;
                }
            });
        }
    }

    fn store(&mut self, first: u64, entries: &[LoggedEntry]) {
        let room = self.desk.room();
        let event = |logged: &LoggedEntry| NewEvent {
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

    fn stored(&mut self, outcome: AppendResult) {
        match outcome {
            Ok(Appended::Done) => {
                self.letter(Input::Stored);
                if self.desk.room().is_closed() {
                    self.gives_up = Some(CloseReason::Closed);
                }
            }
            // Another server has taken the table over, or has closed it.
            Ok(Appended::Fenced | Appended::OutOfOrder | Appended::Gone) => {
                tracing::warn!(table = %self.table, "the table belongs to another server now");
                self.gives_up = Some(CloseReason::Unavailable);
            }
            Err(StoreError::Uncertain(why)) => {
                tracing::error!(table = %self.table, %why, "it is not known what was stored");
                metrics::counter!("ghinda_store_failures_total", "kind" => "uncertain")
                    .increment(1);
                self.gives_up = Some(CloseReason::Unavailable);
            }
            Err(error) => {
                tracing::error!(table = %self.table, %error, "nothing was stored");
                metrics::counter!("ghinda_store_failures_total", "kind" => "refused").increment(1);
                self.letter(Input::NotStored);
            }
        }
    }

    /// Tells everybody that it is over here, and why.
    fn finish(&mut self) {
        self.posts.close();
        self.shared.listing.update(self.desk.room(), false);
        let why = self.gives_up.unwrap_or(CloseReason::Stopping);
        for (_, mut outbox) in self.guests.drain(..) {
            let _ = outbox.try_send(Outgoing::Bye(why));
        }
        for (_, answer) in self.asking.drain(..) {
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
fn notes(room: &Room, first: u64, entries: &[LoggedEntry]) -> Vec<LinkedWrite> {
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
