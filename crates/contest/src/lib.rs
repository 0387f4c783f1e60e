//! Real tables: the score sheet of one table, and the contest of many (T1–T6).
//!
//! Both are pure state machines: `decide` checks a change and returns its log entry or a refusal;
//! `apply` applies an entry. The log is the state: replaying it gives the same scores, tables and
//! places. There is no clock, no IO and no randomness here; times and secrets are arguments.
//!
//! - [`sheet`]: bids, points and tricks as written down at a real table; everything else follows
//!   by the scoring code that the server's tables use.
//! - [`urn`]: who plays where, drawn by lot from a seed that was committed to (T1, T4, T6).
//! - [`Contest`]: entrants, phases, tables, results, referees, who goes on, and places.
//! - [`ContestTable`] and [`MatchOutcome`]: one match of a contest, its reports and its result.
//! - [`standings`]: the standing of every entrant.
//! - [`roster`] and [`csv`]: lists of entrants as people paste them, and tables for spreadsheets.
//!
//! ```
//! use contest::sheet::{Setup, Sheet, SheetChange, SheetLine};
//! use game::cruce::Contract;
//!
//! let rules = game::Rules::from_code("classic").unwrap();
//! let names = ["Ana", "Bogdan", "Călin", "Dana"].map(|name| name.parse().unwrap()).to_vec();
//! let (ana, dana) = (cards::Seat::new(0).unwrap(), cards::Seat::new(3).unwrap());
//! let mut sheet = Sheet::new(Setup { rules, names, dealer: dana }).unwrap();
//! // Ana declares with a bid of 2, and her side takes 102 of the 120 points (C11).
//! let line = SheetLine::Cruce {
//!     contract: Contract { declarer: ana, bid: 2 },
//!     cards: cards::BySide::from_slice(&[102, 18]).unwrap(),
//!     calls: cards::BySide::from_slice(&[0, 0]).unwrap(),
//! };
//! let entry = sheet.decide(0, None, SheetChange::Write(line)).unwrap();
//! sheet.apply(entry).unwrap();
//! assert_eq!(sheet.total().as_slice(), [3, 0]);
//! assert_eq!(sheet.next().unwrap().dealer, ana);
//! ```
//!
//! The log of a contest holds no secret: it contains the commitment before a draw, and the secret
//! only with the draw. So all of it is public at any time.

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
pub use entrant::{Entrant, EntrantId, MAX_PLAYERS, Party};
pub use outcome::{InvalidOutcome, MatchOutcome};
pub use refusal::ContestRefusal;
pub use settings::{ContestSettings, Venue};
pub use sheet::Sheet;
pub use table::{ContestTable, ContestTableId, ImposedPenalty, MatchReport, Ranked, TableStatus};

/// A time in milliseconds since 1970; the caller supplies it.
pub type Millis = u64;
