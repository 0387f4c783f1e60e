//! The middling player: bids what his hand promises, and plays as if the unseen
//! cards lay in one of a few ways that he thinks of.

use game::deal::Seed;
use game::public::Phase;
use game::{Action, View};
use solver::Limit;

use crate::accuse::accuse;
use crate::pimc::Pimc;
use crate::{Bot, sensible};

/// How many ways he thinks of.
const WAYS: usize = 6;

pub(crate) struct Medium(Pimc);

impl Medium {
    pub(crate) fn new() -> Medium {
        Medium(Pimc::new(WAYS))
    }
}

impl Bot for Medium {
    fn act(&mut self, view: &View, seed: Seed, limit: Limit<'_>) -> Option<Action> {
        match view.public().phase() {
            Phase::Bidding(_) => sensible::bid(view, 0.0),
            _ => accuse(view).or_else(|| self.0.act(view, seed, limit)),
        }
    }
}
