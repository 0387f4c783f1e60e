//! Everything that leaves the process, as versioned JSON.
//!
//! The core crates do not serialise. This crate has the serialised types and the
//! conversions to and from the types of the core.

pub mod bot;
pub mod contest;
pub mod http;
pub mod ledger;
mod lines;
mod message;
mod moment;
pub mod record;
pub mod sheet;
pub mod table;
