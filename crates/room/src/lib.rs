//! One table and everything around it that needs no clock, no network and no store of its
//! own: the same on a server, in a browser and in a terminal.
//!
//! From the inside out:
//! - [`Room`]: one table with its people, matches and clocks, as a pure state machine;
//!   [`log`]: its entries as they are stored; [`archive`]: records of its matches.
//! - [`desk`]: who is connected to it, what is stored and what is sent; pure too.
//! - [`Thinker`]: whoever answers for its bots, and [`prove`] looks into claims.
//!
//! Time, random bytes and what is stored come in as values; messages, entries and
//! questions go out. Whoever has a clock, a disk and a socket carries them.

pub mod archive;
pub mod driver;
pub mod log;
mod room;
mod bot_runner;

pub use room::{
    DoneCommand, BotQuestion, ActedBy, Entry, MatchResult, TableSummary, Transition, Key, LoggedEntry, Millis, DecisionContext, InvalidKey,
    Opening, Presence, Room, Roster, STAND_IN, Saying, RosterSeat, Timings, PlayerCommand,
};
pub use bot_runner::{CLAIM_NODES, BotRunner, prove};
