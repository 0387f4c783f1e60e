//! The server: tables that lose nothing and leak nothing.
//!
//! What a table does and what is told to whom is decided in the crate `room`, which is pure.
//! Around it, from the inside out:
//! - `writers`: tasks found by their names; `keeper`: the one task that writes a table; `thinkers`: threads for bots and claims.
//! - [`hall`]: all tables, and the way to each of them.
//! - `ledger`: contests and score sheets, and the one task that writes each.
//! - [`people`]: sessions and accounts.
//! - [`web`]: HTTP, WebSockets and pages.

pub mod clock;
pub mod tables;
mod table_task;
mod ledger;
pub mod accounts;
mod random;
mod bot_pool;
pub mod web;
mod task_registry;
