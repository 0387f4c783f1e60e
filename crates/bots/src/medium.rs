//! The medium bot: bids what its hand promises, and plays by solving a few worlds that agree with the
//! view.

use game::deal::Seed;
use game::public::Phase;
use game::{Action, View};
use solver::Limit;

use crate::challenge::certain_challenge;
use crate::pimc::Pimc;
use crate::{Bot, sensible};

/// The number of worlds that it solves.
const WORLDS: usize = 6;

pub(crate) struct Medium(Pimc);

impl Medium {
    pub(crate) fn new() -> Medium {
        Medium(Pimc::new(WORLDS))
    }
}

impl Bot for Medium {
    fn act(&mut self, view: &View, seed: Seed, limit: Limit<'_>) -> Option<Action> {
        match view.public().phase() {
            Phase::Bidding(_) => sensible::bid(view, 0.0),
            _ => certain_challenge(view).or_else(|| self.0.act(view, seed, limit)),
        }
    }
}
