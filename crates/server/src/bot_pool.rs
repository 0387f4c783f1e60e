//! Threads for bots and claims, apart from those that serve connections.
//!
//! There are few of them, and the queue is short: when the server is overloaded, bots search less, and
//! players do not wait for them.

use std::num::NonZeroUsize;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use bots::{Level, Limit};
use cards::Seat;
use game::{Action, Position};
use room::{BotQuestion, BotRunner, CLAIM_NODES, prove_claim};

/// How many jobs may wait for each thread.
const MAX_WAITING: usize = 64;

/// Takes the answer of a job.
type OnAnswer<T> = Box<dyn FnOnce(T) + Send>;

enum BotJob {
    Bot(Box<BotQuestion>, OnAnswer<Action>),
    Claim(Box<Position>, OnAnswer<Option<Vec<(Seat, Action)>>>),
}

/// The threads; they end when the last handle is dropped.
#[derive(Clone)]
pub(crate) struct BotPool {
    jobs: SyncSender<BotJob>,
}

impl BotPool {
    /// Starts the threads.
    pub(crate) fn start(threads: NonZeroUsize) -> std::io::Result<BotPool> {
        let (jobs, queue) = sync_channel(MAX_WAITING * threads.get());
        let queue = Arc::new(Mutex::new(queue));
        for number in 0..threads.get() {
            let queue = queue.clone();
            let name = format!("bots {}", number + 1);
            thread::Builder::new().name(name).spawn(move || run_jobs(&queue))?;
        }
        Ok(BotPool { jobs })
    }

    /// Asks a bot. If too many jobs wait, returns the action of an easy bot at once and does not call
    /// `on_answer`.
    pub(crate) fn ask(
        &self,
        question: Box<BotQuestion>,
        on_answer: impl FnOnce(Action) + Send + 'static,
    ) -> Option<Action> {
        match self.jobs.try_send(BotJob::Bot(question, Box::new(on_answer))) {
            Err(TrySendError::Full(BotJob::Bot(question, _))) => {
                metrics::counter!("ghinda_bots_hurried_total").increment(1);
                let level = Level::Easy;
                level.bot().act(&question.view, question.seed, Limit::nodes(level.nodes()))
            }
            _ => None,
        }
    }

    /// Checks a claim of the seat in turn. Returns false if too many jobs wait; then `on_answer` is not
    /// called.
    pub(crate) fn check_claim(
        &self,
        position: Box<Position>,
        on_answer: impl FnOnce(Option<Vec<(Seat, Action)>>) + Send + 'static,
    ) -> bool {
        self.jobs.try_send(BotJob::Claim(position, Box::new(on_answer))).is_ok()
    }
}

/// Runs jobs in a thread until the pool is dropped.
fn run_jobs(queue: &Mutex<Receiver<BotJob>>) {
    let mut runner = BotRunner::default();
    loop {
        let job = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        match job {
            Ok(BotJob::Bot(question, on_answer)) => {
                if let Some(action) = runner.answer(&question, &|| false) {
                    on_answer(action);
                }
            }
            Ok(BotJob::Claim(position, on_answer)) => {
                on_answer(prove_claim(&position, Limit::nodes(CLAIM_NODES)));
            }
            Err(_) => return,
        }
    }
}
