//! One table, without a clock, a network or a store: the same code on a server, in a browser and
//! in a terminal.
//!
//! From the inside out:
//! - [`Room`]: one table with its players, matches and clocks, as a pure state machine;
//!   [`log`]: its entries as they are stored; [`archive`]: records of its matches; [`erasure`]: a
//!   log without the traces of a player.
//! - [`driver`]: the connections, what is stored and what is sent; also pure.
//! - [`BotRunner`]: answers for the bots; [`prove_claim`] checks claims.
//!
//! Times, random bytes and stored entries come in as values; messages, entries and questions go
//! out. The caller owns the clock, the disk and the socket.

pub mod archive;
mod bot_runner;
pub mod driver;
pub mod erasure;
pub mod log;
mod room;

pub use bot_runner::{BotRunner, CLAIM_NODES, prove_claim};
pub use room::{
    ActedBy, BotQuestion, ChatContent, Checkpoint, CheckpointSeat, CommandFingerprint,
    DecisionContext, DoneCommand, Entry, InvalidKey, Key, LoggedCommand, LoggedEntry, MatchResult,
    Millis, Opening, PlayerCommand, Presence, Room, STAND_IN, ShortFingerprint, TableSummary,
    Timings, Transition,
};
