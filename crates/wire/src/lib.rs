//! What leaves the process, as versioned JSON.
//!
//! The core crates know no serialisation; its types live here, and so does the
//! translation into them and back.

pub mod bot;
pub mod http;
mod message;
pub mod record;
pub mod table;
