//! Real tables: the score sheet of one table, and the contest of many (T1–T6).
//!
//! Both are pure state machines: `decide` says what a change would lead to or why it may not be,
//! and what it leads to is an entry of a log; `apply` lets an entry happen. The log is the
//! state: whoever has it comes to the same scores, tables and places. There is no clock, no IO
//! and no randomness here; times and secrets come in as values.
//!
//! - [`sheet`]: bids, points and tricks as people know them at a real table; everything else follows
//!   by the same scoring code that the tables of the software use.
//! - [`urn`]: who plays where, drawn by lot from a seed that was committed to (T1, T4, T6).
//! - [`Contest`]: entrants, phases, tables, results, referees, who goes on, and places.
//! - [`Table`] and [`Outcome`]: one match of a contest, what was reported of it and what holds.
//! - [`standings`]: how everybody stands.
//! - [`roster`] and [`csv`]: lists of entrants as people paste them, and tables for spreadsheets.
//!
//! ```
//! use contest::sheet::{Change, Line, Setup, Sheet};
//! use game::cruce::Contract;
//!
//! let rules = game::Rules::from_code("classic").unwrap();
//! let names = ["Ana", "Bogdan", "Călin", "Dana"].map(|name| name.parse().unwrap()).to_vec();
//! let (ana, dana) = (cards::Seat::new(0).unwrap(), cards::Seat::new(3).unwrap());
//! let mut sheet = Sheet::new(Setup { rules, names, dealer: dana }).unwrap();
//! // Ana plays two, and her side comes to 102 of the 120 points (C11).
//! let line = Line::Cruce {
//!     contract: Contract { declarer: ana, bid: 2 },
//!     cards: cards::BySide::from_slice(&[102, 18]).unwrap(),
//!     calls: cards::BySide::from_slice(&[0, 0]).unwrap(),
//! };
//! let entry = sheet.decide(0, None, Change::Write(line)).unwrap();
//! sheet.apply(entry).unwrap();
//! assert_eq!(sheet.total().as_slice(), [3, 0]);
//! assert_eq!(sheet.next().unwrap().dealer, ana);
//! ```
//!
//! A log of a contest holds no secret: what the urn was promised stands there as a commitment, and
//! the secret itself only when the lots are drawn. Everybody may read all of it at any time.

mod contest;
pub mod csv;
mod entrant;
mod export;
mod outcome;
mod refusal;
pub mod roster;
mod settings;
pub mod sheet;
pub mod standings;
mod table;
pub mod urn;

pub use contest::{
    Contest, ContestChange, ContestEntry, ContestPhase, ContestStage, MAX_PHASES, Reopening, Role,
};
pub use entrant::{Entered, Entrant, MAX_PLAYERS, Party};
pub use outcome::{InvalidOutcome, MatchOutcome};
pub use refusal::ContestRefusal;
pub use settings::{ContestSettings, Venue};
pub use sheet::Sheet;
pub use table::{ContestTable, ContestTableId, MatchReport, Penalised, Ranked, Status};

/// A moment: milliseconds since 1970, told by whoever has a clock.
pub type Millis = u64;
