//! The parts of Romanian whist that differ from Cruce: options, score and positions to search.

mod play;
mod rules;
mod score;

pub use play::Play;
pub use rules::{DealOrder, Rules, Spec};
pub use score::{WhistScores, score, winners};
