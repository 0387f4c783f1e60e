//! Sessions, accounts and positions in a history.

use crate::error::StoreError;
use crate::id::{PlayerId, TableId};

/// The session of a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// The player.
    pub player: PlayerId,
    /// The kind of client that has the token.
    pub kind: SessionKind,
    /// The label that the player gave it.
    pub label: String,
    /// When it was created, in milliseconds since 1970.
    pub created_ms: i64,
    /// When it expires.
    pub expires_ms: i64,
}

/// The kind of client that has a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionKind {
    /// The browser or terminal of a person.
    Browser,
    /// A bot.
    Bot,
}

/// An account with a passphrase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// The name as the player writes it.
    pub name: String,
    /// The name in its compared form, which is unique.
    pub folded: String,
    /// The passphrase, hashed, as a PHC string.
    pub passphrase: String,
    /// The player; each has at most one account.
    pub player: PlayerId,
    /// When it was created, in milliseconds since 1970.
    pub created_ms: i64,
}

/// A position in a history, which runs from the newest match to the oldest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor {
    /// When the match at this position ended.
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
            other => Err(StoreError::Corrupt(format!("`{other}` is not a kind of session"))),
        }
    }
}
