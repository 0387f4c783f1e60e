//! What leaves the process, as versioned JSON.
//!
//! The core crates know no serialisation; its types live here, and so does the
//! translation into them and back.

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
