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
use room::{Ask, CLAIM_NODES, Thinker, prove};

/// How many questions may wait for each thread.
const WAITING: usize = 64;

/// What to do with an answer.
type Answer<T> = Box<dyn FnOnce(T) + Send>;

enum Question {
    Bot(Box<Ask>, Answer<Action>),
    Claim(Box<Position>, Answer<Option<Vec<(Seat, Action)>>>),
}

/// The threads; they end when the last handle is dropped.
#[derive(Clone)]
pub(crate) struct Thinkers {
    questions: SyncSender<Question>,
}

impl Thinkers {
    /// Starts so many threads.
    pub(crate) fn start(threads: NonZeroUsize) -> std::io::Result<Thinkers> {
        let (questions, waiting) = sync_channel(WAITING * threads.get());
        let waiting = Arc::new(Mutex::new(waiting));
        for number in 0..threads.get() {
            let waiting = waiting.clone();
            let name = format!("thinker {}", number + 1);
            thread::Builder::new().name(name).spawn(move || think(&waiting))?;
        }
        Ok(Thinkers { questions })
    }

    /// Asks a bot. If too many questions wait, the answer of a hurried bot comes back at
    /// once, and `answer` is not called.
    pub(crate) fn ask(
        &self,
        ask: Box<Ask>,
        answer: impl FnOnce(Action) + Send + 'static,
    ) -> Option<Action> {
        match self.questions.try_send(Question::Bot(ask, Box::new(answer))) {
            Err(TrySendError::Full(Question::Bot(ask, _))) => {
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
        self.questions.try_send(Question::Claim(position, Box::new(answer))).is_ok()
    }
}

/// The life of a thread.
fn think(waiting: &Mutex<Receiver<Question>>) {
    let mut thinker = Thinker::default();
    loop {
        let question = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        match question {
            Ok(Question::Bot(ask, answer)) => {
                if let Some(action) = thinker.answer(&ask, &|| false) {
                    answer(action);
                }
            }
            Ok(Question::Claim(position, answer)) => {
                answer(prove(&position, Limit::nodes(CLAIM_NODES)));
            }
            Err(_) => return,
        }
    }
}
