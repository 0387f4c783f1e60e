//! The server: tables that lose nothing and leak nothing.
//!
//! From the inside out:
//! - [`room`]: one table with its people, matches and clocks, as a pure state machine;
//!   [`log`]: its entries as they are stored; [`archive`]: records of its matches.
//! - [`desk`]: who is connected to it, what is stored and what is sent; pure too.
//! - `keeper`: the one task that writes a table; `thinkers`: threads for bots and claims.
//! - [`hall`]: all tables, and the way to each of them.
//! - [`people`]: sessions and accounts.
//! - [`web`]: HTTP, WebSockets and pages.

pub mod archive;
pub mod clock;
pub mod desk;
pub mod hall;
mod keeper;
pub mod log;
pub mod people;
mod random;
pub mod room;
mod thinkers;
pub mod web;
