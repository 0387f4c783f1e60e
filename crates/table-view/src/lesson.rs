//! Lessons: a game learnt by playing it, in two minutes.
//!
//! A lesson is a list of steps. Each step is a position with a text and a task: read, bid, play a card,
//! or try a forbidden action and see the reason. The positions are ordinary views, and the engine
//! decides which actions are allowed; a lesson only knows which action it expects. The tests play every
//! lesson through at a real table.

use cards::Card;
use game::notation::parse_card;
use game::{Action, Illegal, Rules, View};

use crate::scene::{Direction, ScenePrompt, TableScene};
use phrases::Phrases;

/// A step of a lesson.
#[derive(Clone, Copy, Debug)]
struct LessonStep {
    /// The learner's view, in notation.
    view: &'static str,
    task: LessonTask,
}

/// The task of the learner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum LessonTask {
    /// Read the text.
    Read,
    /// Make a bid.
    Bid(u8),
    /// Play a card; `!` adds the call.
    Play(&'static str),
    /// Try a forbidden bid.
    TryBid(u8),
    /// Try a forbidden card.
    TryCard(&'static str),
}

const fn step(view: &'static str, task: LessonTask) -> LessonStep {
    LessonStep { view, task }
}

/// One deal of Cruce for four players, from the bids to the score.
const CRUCE: [LessonStep; 11] = [
    step("cruce4t-21 seat=1 first=3 hand=A43bX2l9h bids=0.1", LessonTask::Read),
    step("cruce4t-21 seat=1 first=3 hand=A43bX2l9h bids=0.1", LessonTask::TryBid(1)),
    step("cruce4t-21 seat=1 first=3 hand=A43bX2l9h bids=0.1", LessonTask::Bid(2)),
    step("cruce4t-21 seat=1 first=3 hand=A43bX2l9h bids=0.1.2.0", LessonTask::Play("4b!")),
    step(
        "cruce4t-21 seat=1 first=3 hand=A3bX2l9h bids=0.1.2.0 play=4b!.9b.Xb.2b",
        LessonTask::Read,
    ),
    step(
        "cruce4t-21 seat=1 first=3 hand=A3bX2l9h bids=0.1.2.0 play=4b!.9b.Xb.2b.9l.4l",
        LessonTask::TryCard("9h"),
    ),
    step(
        "cruce4t-21 seat=1 first=3 hand=A3bX2l9h bids=0.1.2.0 play=4b!.9b.Xb.2b.9l.4l",
        LessonTask::TryCard("2l"),
    ),
    step(
        "cruce4t-21 seat=1 first=3 hand=A3bX2l9h bids=0.1.2.0 play=4b!.9b.Xb.2b.9l.4l",
        LessonTask::Play("Xl"),
    ),
    step(
        "cruce4t-21 seat=1 first=3 hand=A3b2l9h bids=0.1.2.0 \
         play=4b!.9b.Xb.2b.9l.4l.Xl.3l",
        LessonTask::Play("9h"),
    ),
    step(
        "cruce4t-21 seat=1 first=3 hand=A3b2l bids=0.1.2.0 \
         play=4b!.9b.Xb.2b.9l.4l.Xl.3l.9h.Ah.3h.2h.Aa.2a.9a",
        LessonTask::Play("3b"),
    ),
    step("cruce4t-21 seat=1 deal=2 first=4 score=4/0 phase=dealing", LessonTask::Read),
];

/// One deal of whist for four players, with the forbidden bid and a prize at the end.
const WHIST: [LessonStep; 9] = [
    step(
        "whist4 seat=1 deal=19 first=2 score=61/58/70/44 runs=4/1/-2/0 hand=7cAsAh turned=9h \
         bids=1.0.1",
        LessonTask::Read,
    ),
    step(
        "whist4 seat=1 deal=19 first=2 score=61/58/70/44 runs=4/1/-2/0 hand=7cAsAh turned=9h \
         bids=1.0.1",
        LessonTask::TryBid(1),
    ),
    step(
        "whist4 seat=1 deal=19 first=2 score=61/58/70/44 runs=4/1/-2/0 hand=7cAsAh turned=9h \
         bids=1.0.1",
        LessonTask::Bid(2),
    ),
    step(
        "whist4 seat=1 deal=19 first=2 score=61/58/70/44 runs=4/1/-2/0 hand=7cAsAh turned=9h \
         bids=1.0.1.2 play=Kc.8c.Jc",
        LessonTask::TryCard("Ah"),
    ),
    step(
        "whist4 seat=1 deal=19 first=2 score=61/58/70/44 runs=4/1/-2/0 hand=7cAsAh turned=9h \
         bids=1.0.1.2 play=Kc.8c.Jc",
        LessonTask::Play("7c"),
    ),
    step(
        "whist4 seat=1 deal=19 first=2 score=61/58/70/44 runs=4/1/-2/0 hand=AsAh turned=9h \
         bids=1.0.1.2 play=Kc.8c.Jc.7c.Qd.9d.Td",
        LessonTask::TryCard("As"),
    ),
    step(
        "whist4 seat=1 deal=19 first=2 score=61/58/70/44 runs=4/1/-2/0 hand=AsAh turned=9h \
         bids=1.0.1.2 play=Kc.8c.Jc.7c.Qd.9d.Td",
        LessonTask::Play("Ah"),
    ),
    step(
        "whist4 seat=1 deal=19 first=2 score=61/58/70/44 runs=4/1/-2/0 hand=As turned=9h \
         bids=1.0.1.2 play=Kc.8c.Jc.7c.Qd.9d.Td.Ah",
        LessonTask::Play("As"),
    ),
    step(
        "whist4 seat=1 deal=20 first=3 score=78/64/75/43 runs=0/2/1/-1 phase=dealing",
        LessonTask::Read,
    ),
];

/// A lesson, at one of its steps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lesson {
    steps: Steps,
    at: usize,
    view: View,
    /// Whether the task is done.
    done: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Steps {
    Cruce,
    Whist,
}

impl Steps {
    const fn list(self) -> &'static [LessonStep] {
        match self {
            Steps::Cruce => &CRUCE,
            Steps::Whist => &WHIST,
        }
    }
}

impl Lesson {
    /// The lesson of a game, `cruce` or `whist`, at its beginning.
    pub fn new(game: &str) -> Option<Lesson> {
        let steps = match game {
            "cruce" => Steps::Cruce,
            "whist" => Steps::Whist,
            _ => return None,
        };
        let view = steps.list().first()?.view.parse().ok()?;
        let mut lesson = Lesson { steps, at: 0, view, done: false };
        lesson.go(0);
        Some(lesson)
    }

    /// The number of steps.
    pub fn steps(&self) -> usize {
        self.steps.list().len()
    }

    /// The index of the present step.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Whether this is the last step.
    pub fn is_last(&self) -> bool {
        self.at + 1 == self.steps()
    }

    /// Whether the task of this step is done.
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// The learner's view.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// The text of the step.
    pub fn words(&self, phrases: &Phrases) -> String {
        let card = match self.task() {
            LessonTask::Play(card) | LessonTask::TryCard(card) => self.card(card),
            _ => None,
        };
        let card = card.map(|card| phrases.the_card(self.rules().pack(), card)).unwrap_or_default();
        match self.steps {
            Steps::Cruce => phrases.lesson_cruce(self.at + 1, card),
            Steps::Whist => phrases.lesson_whist(self.at + 1, card),
        }
    }

    /// The scene of the step. A step to read has no prompt.
    pub fn scene(&self, direction: Direction, phrases: &Phrases) -> TableScene {
        let others = (2..=self.rules().players()).map(|seat| phrases.bot_name(seat));
        let names: Vec<String> = std::iter::once(phrases.lesson_you()).chain(others).collect();
        let mut scene = TableScene::new(&self.view, &names, direction, phrases);
        if self.task() == LessonTask::Read {
            scene.prompt = ScenePrompt::Nothing;
        }
        scene
    }

    /// The card that the task expects.
    pub fn wanted(&self) -> Option<Card> {
        match self.task() {
            LessonTask::Play(card) | LessonTask::TryCard(card) if !self.done => self.card(card),
            _ => None,
        }
    }

    /// Handles an action of the learner. If it is the expected one, goes to the next step and returns
    /// true.
    pub fn act(&mut self, action: Action) -> bool {
        let is_expected = self.view.check(action).is_ok() && self.action() == Some(action);
        if is_expected {
            self.go(self.at + 1);
        }
        is_expected
    }

    /// Handles a refused action of the learner, which completes a step that asks for one.
    pub fn refused(&mut self) {
        self.done |= matches!(self.task(), LessonTask::TryBid(_) | LessonTask::TryCard(_));
    }

    /// Goes to a step, also if the task of the present one is not done.
    pub fn go(&mut self, at: usize) {
        let Some(step) = self.steps.list().get(at) else { return };
        if let Ok(view) = step.view.parse() {
            (self.at, self.view, self.done) = (at, view, step.task == LessonTask::Read);
        }
    }

    fn rules(&self) -> &Rules {
        self.view.public().rules()
    }

    fn task(&self) -> LessonTask {
        self.steps.list()[self.at].task
    }

    fn card(&self, text: &str) -> Option<Card> {
        parse_card(self.rules().pack(), text.trim_end_matches('!')).ok()
    }

    /// The action that the task expects.
    fn action(&self) -> Option<Action> {
        match self.task() {
            LessonTask::Read => None,
            LessonTask::Bid(bid) | LessonTask::TryBid(bid) => Some(Action::Bid(bid)),
            LessonTask::Play(card) | LessonTask::TryCard(card) => {
                Some(Action::Play { card: self.card(card)?, call: card.ends_with('!') })
            }
        }
    }

    /// Why the action of the task is refused; None if it is allowed or there is none.
    pub fn why(&self) -> Option<Illegal> {
        self.view.check(self.action()?).err()
    }
}

#[cfg(test)]
mod tests;
