//! The server: tables that lose nothing and leak nothing.
//!
//! - [`room`]: one table with its people, matches and clocks, as a pure state
//!   machine.
//! - [`archive`]: records of its matches.
//! - [`desk`]: who is connected to it, what is stored and what is sent; pure too.
//! - [`log`]: its entries as they are stored.

pub mod archive;
pub mod desk;
pub mod log;
pub mod room;
