//! The rules of Cruce and Romanian whist, whole and explainable.
//!
//! The crate is pure: no IO, no clock, no threads, no logging, no text for
//! people. Randomness enters as a [`Seed`](deal::Seed), and every doubtful
//! case is settled by a clause of `docs/rules`, which the code cites.
//!
//! - [`rules`]: house rules as data, with a short code.
//! - [`table`]: the truth of a match. [`Table::decide`] says what an action
//!   would lead to or why it may not be; [`Table::apply`] lets it happen.
//! - [`event`]: what happened, and what each viewer sees of it.
//! - [`view`]: what one seat or a spectator knows; it has no place for a card
//!   that its viewer may not see.
//! - [`auction`]: the bidding.
//! - [`duty`]: the ladder of duties: which cards are legal, and why not the others.
//! - [`cruce`] and [`whist`]: what is particular to each game: options, scoring
//!   and the small positions that searches play on.
//! - [`deal`] and [`fair`]: shuffling, and proof afterwards that it was honest.
//! - [`notation`] and [`record`]: positions, views and whole matches as text.

pub mod action;
pub mod auction;
pub mod cruce;
pub mod deal;
pub mod duty;
pub mod event;
pub mod fair;
pub mod notation;
pub mod perft;
mod played_deal;
pub mod position;
pub mod public;
pub mod record;
pub mod rules;
pub mod table;
pub mod trick;
pub mod view;
pub mod whist;

pub use action::{Action, Illegal};
pub use event::{Event, Happened, SeatEvent, Viewer};
pub use played_deal::{PlayedDeal, PlayedDealEnd};
pub use position::Position;
pub use public::Public;
pub use rules::{Rules, RulesSpec};
pub use table::Table;
pub use view::View;
