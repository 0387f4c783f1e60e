//! The bot that acts at random.

use game::deal::{RandomStream, Seed};
use game::{Action, Rules, View};
use solver::Limit;

use crate::Bot;

/// Plays any legal card with equal chance; it bids low in Cruce more often than high, or the scores
/// would only fall and no match would end. On honour tables it keeps the duties and never challenges.
#[derive(Debug)]
pub(crate) struct Random;

impl Bot for Random {
    fn act(&mut self, view: &View, seed: Seed, _: Limit<'_>) -> Option<Action> {
        let mut lots = RandomStream::new(seed, 0);
        let actions = view.lawful_actions();
        let careful =
            matches!((view.public().rules(), actions.first()?), (Rules::Cruce(_), Action::Bid(_)));
        let last = actions.len() - 1;
        let at = match careful {
            true => (0..last).take_while(|_| lots.below(5) == 0).count(),
            false => lots.below(last + 1),
        };
        actions.get(at).copied()
    }
}
