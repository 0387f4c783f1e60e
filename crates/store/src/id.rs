//! The names of things: tables, players, sessions, and who owns a table at the moment.

use std::fmt;

pub use ids::{InvalidId, LedgerId, LogId, PlayerId, TableId};

use crate::error::StoreError;

/// What a list of events is the log of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LogKind {
    /// A table, which is in use until it is closed.
    Table,
    /// A contest or a score sheet, which is named like a table and read when somebody asks for it.
    Ledger,
}

/// How often a table has changed its owner; only the owner with the newest epoch may append.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Epoch(u64);

/// The SHA-256 of a session's token: a stolen database opens no session.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TokenHash(pub [u8; 32]);

/// A name that is stored as a number: both databases count with a sign.
pub(crate) trait StoredId: Sized {
    /// The number that is stored.
    fn stored(self) -> i64;

    /// What a stored number names.
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
                    let what = concat!("is no ", stringify!($id));
                    number.ok_or_else(|| StoreError::Corrupt(format!("{stored} {what}")))
                }
            }
        )*
    };
}

stored_ids!(TableId LogId PlayerId);

impl Epoch {
    /// That of a new table's first owner.
    pub const FIRST: Self = Self(1);

    /// From a number; the epochs of a table count from 1.
    pub const fn new(number: u64) -> Self {
        Self(number)
    }

    /// The number.
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl fmt::Debug for TokenHash {
    /// Enough to tell two apart in a log, too little to be of use to a reader of logs.
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
