//! The entrants of a contest.

use core::fmt;

use game::record::Name;

/// The maximum number of players in a contest.
pub const MAX_PLAYERS: usize = 1024;

/// The number of an entrant, which is a player or a pair.
///
/// Numbers follow the order of entering and never change, so they distinguish entrants of the
/// same name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EntrantId(u16);

impl EntrantId {
    /// The entrant at an index in the list.
    pub const fn new(index: usize) -> Option<EntrantId> {
        if index < MAX_PLAYERS { Some(EntrantId(index as u16)) } else { None }
    }

    /// The index in the list.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The number that people see, counted from 1.
    pub const fn number(self) -> usize {
        self.0 as usize + 1
    }
}

/// A player or a pair that enters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Party {
    /// One player.
    Alone(Name),
    /// Two players, who sit opposite each other (C2).
    Pair(Name, Name),
}

impl Party {
    /// Whether it is a pair.
    pub const fn is_pair(&self) -> bool {
        matches!(self, Party::Pair(..))
    }

    /// The names of the players.
    pub fn names(&self) -> Vec<&Name> {
        match self {
            Party::Alone(name) => vec![name],
            Party::Pair(first, second) => vec![first, second],
        }
    }

    /// The key under which equal names are found.
    pub(crate) fn key(&self) -> String {
        self.to_string().to_lowercase()
    }
}

impl fmt::Display for Party {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Party::Alone(name) => write!(f, "{name}"),
            Party::Pair(first, second) => write!(f, "{first} & {second}"),
        }
    }
}

/// The state of an entrant in a contest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entrant {
    pub(crate) party: Party,
    /// The index of the first phase in whose urn the entrant has a ticket.
    pub(crate) since: usize,
    /// The number of phases that were drawn before the withdrawal.
    pub(crate) withdrew: Option<usize>,
    /// The phase in which the entrant sat last, and the table; no table for a bye.
    pub(crate) last: Option<(usize, Option<usize>)>,
}

impl Entrant {
    /// The name or names of the entrant.
    pub fn party(&self) -> &Party {
        &self.party
    }

    /// Whether the entrant has withdrawn.
    pub const fn has_withdrawn(&self) -> bool {
        self.withdrew.is_some()
    }

    /// Whether they entered after the first phase was drawn.
    pub const fn is_late(&self) -> bool {
        self.since > 0
    }
}
