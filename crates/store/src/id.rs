//! Identifiers of logs, players and sessions, and the epochs of owners.

use std::fmt;

pub use ids::{InvalidId, LedgerId, LogId, PlayerId, TableId};

use crate::error::StoreError;

/// What a log belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LogKind {
    /// A table, which is in use until it is closed.
    Table,
    /// A contest or a score sheet, which has an id like a table and is read on demand.
    Ledger,
}

/// The number of a log's owner; only the owner with the newest epoch may append.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Epoch(u64);

/// The SHA-256 of a session's token: a stolen database gives access to no session.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TokenHash(pub [u8; 32]);

/// An id stored as a number, which is signed in both databases.
pub(crate) trait StoredId: Sized {
    /// The stored number.
    fn stored(self) -> i64;

    /// The id of a stored number.
    fn from_stored(stored: i64) -> Result<Self, StoreError>;
}

macro_rules! stored_ids {
    ($($id:ident)*) => {
        $(
            impl StoredId for $id {
                fn stored(self) -> i64 {
                    self.get().cast_signed()
                }

                fn from_stored(stored: i64) -> Result<Self, StoreError> {
                    let number = u64::try_from(stored).ok().and_then(Self::new);
                    let what = concat!("is not a ", stringify!($id));
                    number.ok_or_else(|| StoreError::Corrupt(format!("{stored} {what}")))
                }
            }
        )*
    };
}

stored_ids!(TableId LogId PlayerId);

impl Epoch {
    /// The epoch of a new log's first owner.
    pub const FIRST: Self = Self(1);

    /// An epoch from its number, counted from 1.
    pub const fn new(number: u64) -> Self {
        Self(number)
    }

    /// The number.
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl fmt::Debug for TokenHash {
    /// Enough to distinguish two in a log, too little to be misused.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TokenHash({:02x}{:02x}…)", self.0[0], self.0[1])
    }
}

impl fmt::Display for Epoch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_not_shown_in_logs() {
        assert_eq!(format!("{:?}", TokenHash([0xab; 32])), "TokenHash(abab…)");
    }
}
