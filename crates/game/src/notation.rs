//! Notation: cards, positions and views as short texts that a person can type.
//!
//! `docs/notation.md` gives the grammar. Printing and then parsing gives the
//! same value back. Parsing never panics; a fault names the place and what was
//! expected there.

mod action;
mod cards;
mod fields;
mod position;
mod view;

use core::fmt;

use thiserror::Error;

use crate::deal::DealFault;
use crate::position::PositionFault;
use crate::rules::RulesFaults;

pub use self::action::{ActionText, InvalidAction, action_text, parse_action};
pub(crate) use self::cards::{card, list, parse_hands, set, stock};
pub use self::cards::{
    card_text, hands_text, list_text, parse_all_hands, parse_card, parse_set, set_text,
};
pub(crate) use self::fields::{Text, each_text};

/// Where and why a text could not be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub struct NotationFault {
    /// The line, counted from one.
    pub line: usize,
    /// The column in characters, counted from one.
    pub column: usize,
    /// What is wrong there.
    pub what: NotationFaultKind,
}

/// What is wrong at some place of a text.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NotationFaultKind {
    /// The text differs from what was expected.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// What would have been right.
        expected: String,
        /// What was found.
        found: String,
    },
    /// The rules code is wrong.
    #[error("{0}")]
    Rules(RulesFaults),
    /// The cards are not a deal of these rules.
    #[error("{0}")]
    Deal(DealFault),
    /// The position is impossible.
    #[error("{0}")]
    Impossible(PositionFault),
}

impl fmt::Display for NotationFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.what)
    }
}
