//! Persistent data of the server: the events of every table, sessions, accounts and histories.
//!
//! A table has a log of events that only grows; so has a ledger, which is a contest or a score sheet.
//! The body of an event is opaque here: text that the server writes and reads. A table has one owner
//! at a time, identified by its [`Epoch`]; a [new owner](Store::acquire) raises the epoch and so fences off
//! the earlier owner.
//!
//! [`Database`] is SQLite or PostgreSQL, chosen by its address; both keep the guarantees of [`Store`].
//! Tests have a third one: with the feature `memory`, `MemoryDatabase` keeps them in memory and fails as a test
//! plans it.
//! The [`Writer`] gathers the appends of many tables into one transaction with one sync, and the [`AcquireQueue`]
//! their new owners.

mod accounts;
mod acquire_queue;
mod admission;
mod archive;
mod backup;
mod database;
mod error;
mod event;
mod event_pages;
mod id;
#[cfg(feature = "memory")]
mod memory;
mod portions;
mod postgres;
mod sqlite;
mod statements;
mod store;
mod versions;
mod write_connection;
mod writer;

pub use accounts::{Account, Cursor, Session, SessionKind};
pub use acquire_queue::AcquireQueue;
pub use backup::Progress;
pub use database::Database;
pub use error::StoreError;
pub use event::{
    AcquiredLog, Append, AppendOutcome, DatabaseUsage, FinishedMatch, FinishedSeat, LinkedWrite,
    ListedLog, LogInfo, LogOpener, NewEvent, PastMatch, PlayerTraces, Retention, StoredEvent,
};
pub use event_pages::EventPages;
pub use id::{Epoch, InvalidId, LedgerId, LogId, LogKind, PlayerId, TableId, TokenHash};
#[cfg(feature = "memory")]
pub use memory::{FaultPlan, MemoryDatabase, NoFaults, Operation, OperationFate, OperationFault};
pub use postgres::Postgres;
pub use sqlite::Sqlite;
pub use store::{AppendStore, Store};
pub use writer::{AppendQueue, AppendResult, Writer, WriterLimits};
