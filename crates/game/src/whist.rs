//! What is particular to Romanian whist: options, score, and positions to search.

mod play;
mod rules;
mod score;

pub use play::Play;
pub use rules::{Order, Rules, Spec};
pub use score::{Score, score, winners};
