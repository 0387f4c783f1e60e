//! Exact search of a deal with all cards open.
//!
//! A search takes a position, returns exact values, and respects a [`Limit`]: it
//! may be stopped at any time and then returns an error instead of a guess. It uses
//! no randomness and no clock, so equal calls give equal results after equal work,
//! on every machine and in WebAssembly.

mod claim;
pub mod cruce;
mod limit;
mod transposition;
pub mod whist;

pub use claim::{Rest, claim};
pub use limit::{Limit, Stopped};
