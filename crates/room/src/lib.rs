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
mod bot_runner;
pub mod driver;
pub mod log;
mod room;

pub use bot_runner::{BotRunner, CLAIM_NODES, prove};
pub use room::{
    ActedBy, BotQuestion, DecisionContext, DoneCommand, Entry, InvalidKey, Key, LoggedEntry,
    MatchResult, Millis, Opening, PlayerCommand, Presence, Room, Roster, RosterSeat, STAND_IN,
    Saying, TableSummary, Timings, Transition,
};
