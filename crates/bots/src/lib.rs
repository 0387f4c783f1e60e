//! Bots that see what a player on their seat would see, and nothing else.
//!
//! A [`Bot`] gets a [`View`], a seed and a limit of work, and has no other information. The same input
//! gives the same action.
//!
//! - [`beliefs`]: the deals that agree with everything a view has seen: counted, listed and sampled
//!   evenly.
//! - [`play_model`]: how likely a player is to play a card, in Cruce and in whist.
//! - [`strength`]: what a hand of Cruce promises its declarer.
//! - [`Level`]: the levels of the bots, by name.
//! - [`Advisor`]: what the strong bot would do, and what every other action is worth.

mod advice;
pub mod beliefs;
mod challenge;
mod easy;
mod hard;
mod level;
mod medium;
mod pimc;
mod plausible;
pub mod play_model;
mod quick_play;
mod random;
mod sensible;
mod stakes;
pub mod strength;
mod tricks;
mod world_solver;

use game::deal::Seed;
use game::{Action, View};
pub use solver::Limit;

pub use advice::{Advice, Advisor, NoAdvice};
pub use hard::WeighedAction;
pub use level::{Level, UnknownLevel};

/// A bot.
///
/// It may keep memory between calls to answer faster, but never to answer differently: its action
/// follows from the view, the seed and the limit.
pub trait Bot: Send {
    /// Returns its action; `None` if its seat has nothing to do.
    fn act(&mut self, view: &View, seed: Seed, limit: Limit<'_>) -> Option<Action>;
}

/// The lawful actions of a seat, without plays that omit a call: a call costs nothing and brings
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
