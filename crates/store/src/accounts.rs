//! Sessions, accounts and the places in a history.

use crate::error::StoreError;
use crate::id::{PlayerId, TableId};

/// What a token stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Whose it is.
    pub player: PlayerId,
    /// What shows the token.
    pub kind: SessionKind,
    /// What its owner calls it.
    pub label: String,
    /// When it was made, in milliseconds since 1970.
    pub created_ms: i64,
    /// From when on it is worth nothing.
    pub expires_ms: i64,
}

/// What shows a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionKind {
    /// A person's browser or terminal.
    Browser,
    /// A program that plays.
    Bot,
}

/// A name with a passphrase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// The name as its owner writes it.
    pub name: String,
    /// The name as it is compared: no two accounts have the same.
    pub folded: String,
    /// The passphrase, hashed, as a PHC string.
    pub passphrase: String,
    /// Who it is; a player has at most one account.
    pub player: PlayerId,
    /// When it was made, in milliseconds since 1970.
    pub created_ms: i64,
}

/// A place in a history, from the newest match to the oldest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor {
    /// When the match of this place ended.
    pub ended_ms: i64,
    /// Its table.
    pub table: TableId,
    /// Its number at the table.
    pub number: u32,
}

impl SessionKind {
    pub(crate) const fn stored(self) -> &'static str {
        match self {
            Self::Browser => "browser",
            Self::Bot => "bot",
        }
    }

    pub(crate) fn from_stored(stored: &str) -> Result<Self, StoreError> {
        match stored {
            "browser" => Ok(Self::Browser),
            "bot" => Ok(Self::Bot),
            other => Err(StoreError::Corrupt(format!("`{other}` is no kind of session"))),
        }
    }
}
