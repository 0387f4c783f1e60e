//! Players that see what a person on their seat would see, and nothing else.
//!
//! A [`Bot`] is asked with a [`View`], a seed and a limit of work; it has no
//! other way to learn anything. The same question gets the same answer.
//!
//! - [`beliefs`]: the deals that agree with everything a view has seen:
//!   counted, listed and sampled evenly.
//! - [`manners`]: how likely a player is to lay a card, in Cruce and in whist.
//! - [`strength`]: what a hand of Cruce promises its declarer.
//! - [`Level`]: the players there are, by name.
//! - [`Advisor`]: what the strong player would do, and what all else is worth.

mod accuse;
mod advice;
pub mod beliefs;
mod easy;
mod hard;
mod instinct;
mod level;
pub mod manners;
mod medium;
mod pimc;
mod plausible;
mod random;
mod resolve;
mod sensible;
mod stakes;
pub mod strength;
mod tricks;

use game::deal::Seed;
use game::{Action, View};
pub use solver::Limit;

pub use advice::{Advice, Advisor, NoAdvice};
pub use hard::Weighed;
pub use level::{Level, UnknownLevel};

/// A player.
///
/// It may keep memory between questions to answer faster, but never to answer
/// differently: what it does follows from the view, the seed and the limit.
pub trait Bot: Send {
    /// What it does now; nothing if its seat has nothing to do.
    fn act(&mut self, view: &View, seed: Seed, limit: Limit<'_>) -> Option<Action>;
}

/// What a seat may lawfully do, without leaving out a call: it costs nothing and brings
/// points (C10).
fn sensible_actions(view: &View) -> Vec<Action> {
    let mut actions = view.lawful_actions();
    let callable = view.public().callable(view.hand());
    actions.retain(|action| match action {
        Action::Play { card, call } => *call || !callable.contains(*card),
        _ => true,
    });
    actions
}
