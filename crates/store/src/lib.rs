//! What the server must never forget: the events of every table, sessions, accounts and histories.
//!
//! A table is a list of events that only grows; so is a ledger, a contest or a score sheet. What an event says is opaque here: text that the
//! server writes and reads. A table has one owner at a time, known by its [`Epoch`]; whoever
//! [claims](Store::claim) the table raises the epoch and so fences off whoever had it before.
//!
//! [`Database`] is SQLite or PostgreSQL, chosen by its address; both keep the promises of [`Store`].
//! The [`Writer`] gathers what many tables append meanwhile into one transaction with one sync.

mod accounts;
mod admission;
mod backup;
mod database;
mod error;
mod event;
mod id;
mod postgres;
mod sqlite;
mod statements;
mod store;
mod versions;
mod write_connection;
mod writer;

pub use accounts::{Account, Cursor, Session, SessionKind};
pub use backup::Progress;
pub use database::Database;
pub use error::StoreError;
pub use event::{
    Append, Appended, ClaimedLog, FinishedMatch, FinishedSeat, LinkedWrite, NewEvent, PastMatch,
    StoredEvent,
};
pub use id::{Epoch, InvalidId, LedgerId, LogId, LogKind, PlayerId, TableId, TokenHash};
pub use postgres::Postgres;
pub use sqlite::Sqlite;
pub use store::{EventLog, Store};
pub use writer::{AppendQueue, AppendResult, Writer, WriterLimits};
