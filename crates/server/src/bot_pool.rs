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
use tokio::sync::oneshot;
use tokio::time::Instant;

/// How many jobs may wait for each thread.
const MAX_WAITING: usize = 64;
/// How long a bot may think, whatever its level and the load of the machine.
const MAX_THINKING: Duration = Duration::from_secs(3);

/// The rest of the play that a claim leads to, if it is proved.
pub(crate) type ProvenLine = Option<Vec<(Seat, Action)>>;

/// Computes the answers of bots.
pub(crate) type AnswerFn = Box<dyn FnMut(&BotQuestion, &dyn Fn() -> bool) -> Option<Action>>;

/// A question to a bot or a claim, and where the answer goes. Without an answer the sender is dropped.
pub(crate) enum BotJob {
    Bot(Box<BotQuestion>, oneshot::Sender<Action>),
    Claim(Box<Position>, oneshot::Sender<ProvenLine>),
}

impl BotJob {
    /// Whether no table waits for the answer any more.
    fn is_abandoned(&self) -> bool {
        match self {
            BotJob::Bot(_, answer) => answer.is_closed(),
            BotJob::Claim(_, answer) => answer.is_closed(),
        }
    }
}

/// Takes jobs to where they are run.
pub(crate) trait JobQueue: Send + Sync {
    /// Queues a job. Returns it if too many wait.
    fn try_queue(&self, job: BotJob) -> Result<(), BotJob>;
}

impl JobQueue for SyncSender<BotJob> {
    fn try_queue(&self, job: BotJob) -> Result<(), BotJob> {
        match self.try_send(job) {
            Err(TrySendError::Full(job)) => Err(job),
            // Without threads there is no answer.
            Ok(()) | Err(TrySendError::Disconnected(_)) => Ok(()),
        }
    }
}

/// The threads; they end when the last handle is dropped.
#[derive(Clone)]
pub(crate) struct BotPool {
    jobs: Arc<dyn JobQueue>,
}

impl BotPool {
    /// Starts the threads.
    pub(crate) fn start(threads: NonZeroUsize) -> std::io::Result<BotPool> {
        BotPool::start_with(threads, || {
            let mut runner = BotRunner::default();
            Box::new(move |question, stop| runner.answer(question, stop))
        })
    }

    fn start_with(
        threads: NonZeroUsize,
        new_bots: impl Fn() -> AnswerFn + Clone + Send + 'static,
    ) -> std::io::Result<BotPool> {
        let (jobs, queue) = sync_channel(MAX_WAITING * threads.get());
        let queue = Arc::new(Mutex::new(queue));
        for number in 0..threads.get() {
            let (queue, new_bots) = (queue.clone(), new_bots.clone());
            let name = format!("bots {}", number + 1);
            thread::Builder::new().name(name).spawn(move || run_jobs(&queue, new_bots))?;
        }
        Ok(BotPool::over(Arc::new(jobs)))
    }

    /// A pool whose jobs are run where this queue takes them.
    pub(crate) fn over(jobs: Arc<dyn JobQueue>) -> BotPool {
        BotPool { jobs }
    }

    /// Asks a bot. If too many jobs wait, returns the action of an easy bot as the error.
    pub(crate) fn ask(
        &self,
        question: Box<BotQuestion>,
    ) -> Result<oneshot::Receiver<Action>, Option<Action>> {
        let (answer, answered) = oneshot::channel();
        match self.jobs.try_queue(BotJob::Bot(question, answer)) {
            Err(BotJob::Bot(question, _)) => {
                metrics::counter!("ghinda_bots_hurried_total").increment(1);
                Err(simple_action(&question))
            }
            _ => Ok(answered),
        }
    }

    /// Checks a claim of the seat in turn. Returns None if too many jobs wait.
    pub(crate) fn check_claim(
        &self,
        position: Box<Position>,
    ) -> Option<oneshot::Receiver<ProvenLine>> {
        let (answer, answered) = oneshot::channel();
        self.jobs.try_queue(BotJob::Claim(position, answer)).is_ok().then_some(answered)
    }
}

/// Runs jobs in a thread until the pool is dropped.
fn run_jobs(queue: &Mutex<Receiver<BotJob>>, new_bots: impl Fn() -> AnswerFn) {
    let mut bots = new_bots();
    loop {
        let job = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = job else { return };
        if run_job(job, &mut bots).is_err() {
            // Their memory may be half changed.
            bots = new_bots();
        }
    }
}

/// The bots have panicked.
pub(crate) struct BotsPanicked;

/// Runs a job and answers it, unless the caller has stopped waiting.
pub(crate) fn run_job(job: BotJob, bots: &mut AnswerFn) -> Result<(), BotsPanicked> {
    if job.is_abandoned() {
        return Ok(());
    }
    match job {
        BotJob::Bot(question, on_answer) => {
            let until = Instant::now() + MAX_THINKING;
            let stop = || Instant::now() >= until;
            let answer = guarded("bot", || bots(&question, &stop));
            let panicked = answer.is_none();
            if let Some(action) = answer.unwrap_or_else(|| simple_action(&question)) {
                let _ = on_answer.send(action);
            }
            if panicked { Err(BotsPanicked) } else { Ok(()) }
        }
        BotJob::Claim(position, on_answer) => {
            let prove = || prove_claim(&position, Limit::nodes(CLAIM_NODES));
            let _ = on_answer.send(guarded("claim", prove).flatten());
            Ok(())
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
    guarded("easy", easy).flatten().or_else(|| question.view.lawful_actions().first().copied())
}

#[cfg(test)]
mod tests {
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
    fn when_many_questions_wait_a_simpler_bot_acts_at_once() {
        let (thinks, thinking) = sync_channel(1);
        let (gate, closed_gate) = sync_channel::<()>(0);
        let closed_gate = Arc::new(Mutex::new(closed_gate));
        let pool = BotPool::start_with(NonZeroUsize::MIN, move || {
            let (thinks, closed_gate) = (thinks.clone(), closed_gate.clone());
            Box::new(move |question, _| {
                let _ = thinks.try_send(());
                // An error when the gate is open.
                let _ = closed_gate.lock().expect("a lock").recv();
                question.view.lawful_actions().first().copied()
            })
        });
        let pool = pool.expect("a thread");
        let mut answers = vec![pool.ask(question()).expect("the queue has room")];
        thinking.recv().expect("the bot thinks");
        let hurried = loop {
            match pool.ask(question()) {
                Ok(answer) => answers.push(answer),
                Err(hurried) => break hurried,
            }
        };
        assert_eq!(answers.len(), 1 + MAX_WAITING, "one is being answered, the others wait");
        assert!(question().view.lawful_actions().contains(&hurried.expect("an action")));
        drop(gate);
        for answer in answers {
            assert!(answer.blocking_recv().is_ok(), "those that wait are answered too");
        }
    }

    #[test]
    fn a_bot_thinks_no_longer_than_it_may() {
        let pool = BotPool::start_with(NonZeroUsize::MIN, || {
            Box::new(|question, stops| {
                while !stops() {
                    thread::sleep(Duration::from_millis(10));
                }
                question.view.lawful_actions().first().copied()
            })
        });
        let answer = pool.expect("a thread").ask(question()).expect("the queue has room");
        let answer = answer.blocking_recv().expect("an answer");
        assert!(question().view.lawful_actions().contains(&answer));
    }

    #[test]
    fn a_bot_that_panics_costs_no_thread() {
        let threads = NonZeroUsize::new(2).expect("two");
        let pool = BotPool::start_with(threads, || Box::new(|_, _| panic!("a bot fails")));
        let pool = pool.expect("threads");
        for _ in 0..10 {
            let answer = pool.ask(question()).expect("the queue has room");
            let answer = answer.blocking_recv().expect("an answer");
            assert!(question().view.lawful_actions().contains(&answer));
        }
    }
}
