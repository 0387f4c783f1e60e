//! Threads that think for bots and look into claims, apart from those that serve
//! people.
//!
//! There are few of them and a short queue: when the server is overloaded, bots
//! think less instead of everybody waiting for them.

use std::num::NonZeroUsize;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use bots::{Level, Limit};
use cards::Seat;
use game::{Action, Position};
use room::{BotQuestion, BotRunner, CLAIM_NODES, prove};

/// How many questions may wait for each thread.
const WAITING: usize = 64;

/// What to do with an answer.
type OnAnswer<T> = Box<dyn FnOnce(T) + Send>;

enum BotJob {
    Bot(Box<BotQuestion>, OnAnswer<Action>),
    Claim(Box<Position>, OnAnswer<Option<Vec<(Seat, Action)>>>),
}

/// The threads; they end when the last handle is dropped.
#[derive(Clone)]
pub(crate) struct BotPool {
    questions: SyncSender<BotJob>,
}

impl BotPool {
    /// Starts so many threads.
    pub(crate) fn start(threads: NonZeroUsize) -> std::io::Result<BotPool> {
        let (questions, waiting) = sync_channel(WAITING * threads.get());
        let waiting = Arc::new(Mutex::new(waiting));
        for number in 0..threads.get() {
            let waiting = waiting.clone();
            let name = format!("thinker {}", number + 1);
            thread::Builder::new().name(name).spawn(move || think(&waiting))?;
        }
        Ok(BotPool { questions })
    }

    /// Asks a bot. If too many questions wait, the answer of a hurried bot comes back at
    /// once, and `answer` is not called.
    pub(crate) fn ask(
        &self,
        ask: Box<BotQuestion>,
        answer: impl FnOnce(Action) + Send + 'static,
    ) -> Option<Action> {
        match self.questions.try_send(BotJob::Bot(ask, Box::new(answer))) {
            Err(TrySendError::Full(BotJob::Bot(ask, _))) => {
                metrics::counter!("ghinda_bots_hurried_total").increment(1);
                let hurried = Level::Easy;
                hurried.bot().act(&ask.view, ask.seed, Limit::nodes(hurried.nodes()))
            }
            _ => None,
        }
    }

    /// Looks into a claim of the seat in turn. Whether it is looked into: if too many
    /// questions wait, it is not.
    pub(crate) fn prove(
        &self,
        position: Box<Position>,
        answer: impl FnOnce(Option<Vec<(Seat, Action)>>) + Send + 'static,
    ) -> bool {
        self.questions.try_send(BotJob::Claim(position, Box::new(answer))).is_ok()
    }
}

/// The life of a thread.
fn think(waiting: &Mutex<Receiver<BotJob>>) {
    let mut thinker = BotRunner::default();
    loop {
        let question = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        match question {
            Ok(BotJob::Bot(ask, answer)) => {
                if let Some(action) = thinker.answer(&ask, &|| false) {
                    answer(action);
                }
            }
            Ok(BotJob::Claim(position, answer)) => {
                answer(prove(&position, Limit::nodes(CLAIM_NODES)));
            }
            Err(_) => return,
        }
    }
}
