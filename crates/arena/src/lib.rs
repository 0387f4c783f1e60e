//! Bots against each other without the luck of the cards: every deal is played once for each way to
//! seat the two bots, and the results are compared with their intervals.
//!
//! A [`Contender`] is one of our bots or a program that speaks the bot protocol. An [`Arrangement`]
//! says what is played; [`Arrangement::play`] plays two of them and [`Cross::play`] all against all.
//! [`DuelReport`] and [`Cross`] print the results.

mod chart;
mod clock;
mod contender;
mod cross;
mod duel;
mod fault;
pub mod lines;
mod play;
mod process;
mod program;
mod report;
mod seating;
mod seeds;
mod statistics;

pub use contender::{Contender, Terms};
pub use cross::Cross;
pub use duel::{Arrangement, Unit};
pub use play::DuplicateOutcome;
pub use report::{DuelReport, Names};
