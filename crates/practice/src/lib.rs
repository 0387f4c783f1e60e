//! A table in one process, for one person and bots: what a server does for many, without
//! a server, a socket, a clock or a store.
//!
//! It is the same [room](room::Room) behind the same [desk](room::desk::Desk), and it
//! speaks the same messages ([`wire::table`]), so that a client cannot tell the
//! difference and needs not. Deals are as fair: promised before the first card, and
//! revealed after the last.
//!
//! [`Practice`] does nothing by itself. Its host, which has a clock and perhaps a disk,
//! - hands on what the client says ([`Practice::hear`]) and what comes back;
//! - asks what is due ([`Practice::due`]): to think now ([`Practice::think`]), or to come
//!   back at a time ([`Practice::wake`]);
//! - keeps the [journal](Practice::journal), from which a match
//!   [goes on](Practice::resume) after everything else is lost.
//!
//! For a page in a browser, [`Host`] does that with texts that cross a worker's door ([`post`]).
//!
//! ```
//! use game::Rules;
//! use practice::{Due, Plan, Practice};
//! use wire::table::{ClientMessage, ServerMessage, VERSION};
//!
//! let plan = Plan::new(Rules::from_code("cruce2-3").unwrap(), "Ana".parse().unwrap());
//! let mut practice = Practice::open(&plan, [7; 32], 1_000).unwrap();
//! let hello = ClientMessage::Hello { ghinda: VERSION, since: None };
//! for text in practice.hear(1_000, &hello.text()) {
//!     assert!(ServerMessage::read(&text).is_ok());
//! }
//! match practice.due() {
//!     Some(Due::Think) => practice.think(|| true),
//!     Some(Due::Wake { at }) => drop(practice.wake(at)),
//!     None => {} // It is the person's turn.
//! }
//! ```

mod host;
mod journal;
pub mod messages;
mod plan;
mod practice;
mod random_source;

pub use host::PracticeHost;
pub use journal::{JournalUpdate, MAX_ENTRIES, MAX_LETTERS, UnusableJournal};
pub use plan::{InvalidPlan, PracticePlan, tempo};
pub use practice::{Due, Practice};
