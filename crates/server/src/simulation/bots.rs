//! The bots of a world: the same jobs as in the threads of a server, run in its runtime, when and how
//! the plan says.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use game::{Action, View};
use room::BotQuestion;
use tokio::time::sleep;

use super::commands::random_move;
use super::lots::Lots;
use super::tally::WorldTally;
use crate::bot_pool::{AnswerFn, BotJob, JobQueue, run_job};

/// Takes the jobs of one server.
pub(super) struct SimulatedBots {
    state: Mutex<SimulatedBot>,
}

struct SimulatedBot {
    lots: Lots,
    /// Whether they misbehave at present.
    trouble: bool,
    /// Whether none answers as long as they misbehave.
    silent: bool,
    tally: WorldTally,
}

/// What becomes of a job.
enum JobFate {
    Answered,
    Panics,
    Illegal,
}

impl SimulatedBots {
    pub(super) fn new(lots: Lots, silent: bool) -> Arc<SimulatedBots> {
        let state = SimulatedBot { lots, trouble: false, silent, tally: WorldTally::default() };
        Arc::new(SimulatedBots { state: Mutex::new(state) })
    }

    fn lock(&self) -> MutexGuard<'_, SimulatedBot> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn set_trouble(&self, trouble: bool) {
        self.lock().trouble = trouble;
    }

    /// Takes what has happened.
    pub(super) fn take_tally(&self) -> WorldTally {
        std::mem::take(&mut self.lock().tally)
    }
}

impl JobQueue for SimulatedBots {
    fn try_queue(&self, job: BotJob) -> Result<(), BotJob> {
        let mut state = self.lock();
        let trouble = state.trouble;
        if trouble && state.silent {
            state.tally.count("a bot that never answers");
            return Ok(());
        }
        let lot = if trouble { state.lots.below(24) } else { 23 };
        let soon = state.lots.within(0..90);
        let (what, after, fate) = match lot {
            0 => {
                state.tally.count("a job that found no place");
                return Err(job);
            }
            1 => {
                state.tally.count("a job without an answer");
                return Ok(());
            }
            2 | 3 => ("a bot that panicked", soon, JobFate::Panics),
            4 | 5 => ("an illegal action of a bot", soon, JobFate::Illegal),
            // The room asks again after 15 s.
            6 => (
                "an answer to an old question",
                state.lots.within(15_100..40_000),
                JobFate::Answered,
            ),
            7 | 8 => {
                ("a late answer of a bot", state.lots.within(1_000..14_000), JobFate::Answered)
            }
            9 | 10 => ("an immediate answer of a bot", 0, JobFate::Answered),
            _ => ("an answer of a bot", soon, JobFate::Answered),
        };
        state.tally.count(what);
        let seed = state.lots.within(0..u64::from(u32::MAX));
        drop(state);
        tokio::spawn(async move {
            sleep(Duration::from_millis(after)).await;
            // A bot that has panicked is not used again.
            let _ = run_job(job, &mut answers(seed, fate));
        });
        Ok(())
    }
}

/// The bots of one job.
fn answers(seed: u64, fate: JobFate) -> AnswerFn {
    let mut lots = Lots::new(seed, 9);
    Box::new(move |question: &BotQuestion, _: &dyn Fn() -> bool| match fate {
        JobFate::Answered => random_move(&question.view, &mut lots),
        // Without the hook, which would take it for a fault of the server.
        JobFate::Panics => std::panic::resume_unwind(Box::new("a bot")),
        JobFate::Illegal => Some(illegal_action(&question.view)),
    })
}

/// An action that the seat may not do now.
fn illegal_action(view: &View) -> Action {
    let legal = view.actions();
    let bids = [99, 77].map(Action::Bid).into_iter();
    let mut actions = bids.chain([Action::Accept]);
    actions.find(|action| !legal.contains(action)).unwrap_or(Action::Bid(99))
}
