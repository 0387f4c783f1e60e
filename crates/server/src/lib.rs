//! The server: tables that lose nothing and leak nothing.
//!
//! What a table does and what is told to whom is decided in the crate `room`, which is pure.
//! Around it, from the inside out:
//! - `writers`: tasks found by their names; `keeper`: the one task that writes a table; `thinkers`: threads for bots and claims.
//! - [`hall`]: all tables, and the way to each of them.
//! - `ledger`: contests and score sheets, and the one task that writes each.
//! - [`people`]: sessions and accounts.
//! - [`web`]: HTTP, WebSockets and pages.

pub mod accounts;
mod bot_pool;
pub mod clock;
mod ledger;
mod random;
mod table_task;
pub mod tables;
mod task_registry;
pub mod web;
