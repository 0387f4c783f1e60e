//! The complete rules of Cruce and Romanian whist, with a reason for every refusal.
//!
//! The crate is pure: no IO, no clock, no threads, no logging, no text for
//! users. Randomness enters as a [`Seed`](deal::Seed), and a clause of
//! `docs/rules`, which the code cites, decides every doubtful case.
//!
//! - [`rules`]: house rules as data, with a short code.
//! - [`table`]: the full state of a match. [`Table::decide`] returns the events
//!   of an action, or why it is illegal; [`Table::apply`] applies an event.
//! - [`event`]: the events, and what each viewer sees of them.
//! - [`view`]: what one seat or a spectator knows; it has no field for a card
//!   that its viewer may not see.
//! - [`auction`]: the bidding.
//! - [`duty`]: the duties: which cards are legal, and why not the others.
//! - [`cruce`] and [`whist`]: what differs between the games: options, scoring
//!   and the small positions that searches use.
//! - [`deal`] and [`fair`]: shuffling, and the proof that it was honest.
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
pub use event::{Event, OpenEvent, SeatEvent, Viewer};
pub use played_deal::{PlayedDeal, PlayedDealEnd};
pub use position::Position;
pub use public::Public;
pub use rules::{Rules, RulesSpec};
pub use table::Table;
pub use view::View;
