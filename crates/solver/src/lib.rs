//! Exact search of a deal whose cards all lie open.
//!
//! A search takes a position, answers with values that are exact, and keeps
//! to a [`Limit`]: it may be stopped at any time and then says so instead of
//! guessing. It draws no lots and reads no clock, so equal questions get
//! equal answers after equal work, on every machine and in WebAssembly.

mod claim;
pub mod cruce;
mod limit;
mod memory;
pub mod whist;

pub use claim::{Rest, claim};
pub use limit::{Limit, Stopped};
