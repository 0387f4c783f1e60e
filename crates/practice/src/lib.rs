//! A table in one process, for one player and bots: what a server does for many players, without
//! a server, a socket, a clock or a store.
//!
//! It runs the same [room](room::Room) in the same [driver](room::driver::TableDriver) and uses the
//! same messages ([`wire::table`]), so a client needs no special case. Deals are as fair: committed
//! before the first card, and revealed after the last.
//!
//! [`Practice`] does nothing by itself. Its caller, which has a clock and perhaps a disk,
//! - passes on the messages of the client ([`Practice::receive`]) and the answers;
//! - asks what is due ([`Practice::due`]): to compute now ([`Practice::think`]), or to call
//!   [`Practice::wake`] at a time;
//! - stores the journal ([`JournalUpdate`]), from which a match can be
//!   [resumed](Practice::resume) after everything else is lost.
//!
//! For a page in a browser, [`PracticeWorker`] does that in a worker with text [messages].
//!
//! ```
//! use game::Rules;
//! use practice::{Due, Practice, PracticePlan};
//! use wire::table::{ClientMessage, ServerMessage, VERSION};
//!
//! let plan = PracticePlan::new(Rules::from_code("cruce2-3").unwrap(), "Ana".parse().unwrap());
//! let mut practice = Practice::open(&plan, [7; 32], 1_000).unwrap();
//! let hello = ClientMessage::Hello { ghinda: VERSION, since: None };
//! for text in practice.receive(1_000, &hello.text()) {
//!     assert!(ServerMessage::read(&text).is_ok());
//! }
//! match practice.due() {
//!     Some(Due::Think) => practice.think(|| true),
//!     Some(Due::Wake { at }) => drop(practice.wake(at)),
//!     None => {} // It is the player's turn.
//! }
//! ```

mod journal;
pub mod messages;
mod plan;
mod practice;
mod random_source;
mod worker;

pub use journal::{JournalUpdate, MAX_ENTRIES, MAX_LINE_BYTES, UnusableJournal};
pub use plan::{InvalidPlan, PracticePlan, timings};
pub use practice::{Due, Practice};
pub use worker::PracticeWorker;
