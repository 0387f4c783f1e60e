//! The server: it loses nothing that it has answered, and sends no client a card that it may not see.
//!
//! What a table does, and what each client gets, is decided in the crate `room`, which is pure.
//! Around it, from the inside out:
//! - `task_registry`: tasks by their ids; `table_task`: the only task that writes a table; `outbox`: what
//!   waits for a client; [`byte_pool`]: memory that clients share; `bot_pool`: threads for bots and claims.
//! - [`tables`]: all tables; [`look_queue`]: who reads of them what is not in memory.
//! - `ledger`: contests and score sheets, and the only task that writes each of them.
//! - [`retention`]: what becomes of logs that are quiet for long; [`stored_logs`]: logs as they are stored,
//!   without their tasks.
//! - [`accounts`]: sessions and accounts; `passphrase_hasher`: threads that hash passphrases;
//!   `wrong_passphrases`: how many a name takes.
//! - [`quotas`]: how much there is of everything; `rations`: how much of it clients may store in an hour;
//!   [`clock`]: the time of what is played, and the time by which
//!   things expire; `retry`: how long to wait after a failure.
//! - [`random`]: secrets, tokens and ids.
//! - [`web`]: HTTP, WebSockets and pages.

pub mod accounts;
mod address;
mod bot_pool;
pub mod byte_pool;
pub mod clock;
mod ledger;
pub mod look_queue;
mod outbox;
mod passphrase_hasher;
pub mod quotas;
pub mod random;
mod rations;
pub mod retention;
mod retry;
#[cfg(test)]
mod simulation;
pub mod stored_logs;
mod sweep_failures;
mod table_task;
pub mod tables;
mod task_registry;
pub mod web;
mod wrong_passphrases;
