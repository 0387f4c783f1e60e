//! Threads for bots and claims, apart from those that serve connections.
//!
//! There are few of them, and the queue is short: when the server is overloaded, bots search less, and
//! players do not wait for them. A job that panics costs its own answer: a bot's seat gets the action of
//! a simpler bot, a claim is refused, and the thread goes on.

use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use bots::{Level, Limit};
use cards::Seat;
use game::{Action, Position};
use room::{BotQuestion, BotRunner, CLAIM_NODES, prove_claim};
use tokio::time::Instant;

/// How many jobs may wait for each thread.
const MAX_WAITING: usize = 64;
/// How long a bot may think, whatever its level and the load of the machine.
const MAX_THINKING: Duration = Duration::from_secs(3);

/// Takes the answer of a job.
type OnAnswer<T> = Box<dyn FnOnce(T) + Send>;

/// Computes the answers of bots.
type AnswerFn = Box<dyn FnMut(&BotQuestion, &dyn Fn() -> bool) -> Option<Action>>;

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
        BotPool::start_with(threads, || {
            let mut runner = BotRunner::default();
            Box::new(move |question, stop| runner.answer(question, stop))
        })
    }

    fn start_with(threads: NonZeroUsize, new_bots: fn() -> AnswerFn) -> std::io::Result<BotPool> {
        let (jobs, queue) = sync_channel(MAX_WAITING * threads.get());
        let queue = Arc::new(Mutex::new(queue));
        for number in 0..threads.get() {
            let queue = queue.clone();
            let name = format!("bots {}", number + 1);
            thread::Builder::new().name(name).spawn(move || run_jobs(&queue, new_bots))?;
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
                simple_action(&question)
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
fn run_jobs(queue: &Mutex<Receiver<BotJob>>, new_bots: fn() -> AnswerFn) {
    let mut bots = new_bots();
    loop {
        let job = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        match job {
            Ok(BotJob::Bot(question, on_answer)) => {
                let until = Instant::now() + MAX_THINKING;
                let stop = || Instant::now() >= until;
                let answer = guarded("bot", || bots(&question, &stop));
                if answer.is_none() {
                    // Their memory may be half changed.
                    bots = new_bots();
                }
                if let Some(action) = answer.unwrap_or_else(|| simple_action(&question)) {
                    on_answer(action);
                }
            }
            Ok(BotJob::Claim(position, on_answer)) => {
                let prove = || prove_claim(&position, Limit::nodes(CLAIM_NODES));
                on_answer(guarded("claim", prove).flatten());
            }
            Err(_) => return,
        }
    }
}

/// Runs a job. Returns None if it panics.
fn guarded<T>(kind: &'static str, job: impl FnOnce() -> T) -> Option<T> {
    // What a failed job leaves behind is dropped by the caller.
    let result = catch_unwind(AssertUnwindSafe(job));
    if result.is_err() {
        tracing::error!(kind, "a job of the bot pool has panicked");
        metrics::counter!("ghinda_bot_panics_total", "kind" => kind).increment(1);
    }
    result.ok()
}

/// The action of an easy bot or, if that fails too, the first legal one.
fn simple_action(question: &BotQuestion) -> Option<Action> {
    let level = Level::Easy;
    let limit = Limit::nodes(level.nodes());
    let easy = || level.bot().act(&question.view, question.seed, limit);
    guarded("easy", easy).flatten().or_else(|| question.view.legal_actions().first().copied())
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use game::deal::Seed;

    use super::*;

    /// The first bid at Cruce for two.
    fn question() -> Box<BotQuestion> {
        let rules = game::Rules::from_code("cruce2").expect("rules");
        let dealer = game::deal::Dealer::new(rules, Seed([1; 32]));
        let first = dealer.first_seat();
        let mut table = game::Table::new(rules, first);
        let deal = dealer.deal(0, first).expect("a deal");
        for event in &table.deal(deal).expect("a deal") {
            table.apply(event).expect("it fits");
        }
        let seat = table.public().turn().expect("a turn");
        let view = table.view(game::Viewer::Seat(seat));
        let (level, seed) = (Level::Hard, Seed([2; 32]));
        Box::new(BotQuestion { seat, level, view, seed, version: 1, due: 0 })
    }

    #[test]
    fn a_bot_that_panics_costs_no_thread() {
        let threads = NonZeroUsize::new(2).expect("two");
        let pool = BotPool::start_with(threads, || Box::new(|_, _| panic!("a bot fails")));
        let pool = pool.expect("threads");
        let (sender, answers) = channel();
        for _ in 0..10 {
            let sender = sender.clone();
            let hurried = pool.ask(question(), move |action| _ = sender.send(action));
            assert_eq!(hurried, None);
            let answer = answers.recv_timeout(Duration::from_secs(20)).expect("an answer");
            assert!(question().view.legal_actions().contains(&answer));
        }
    }
}
