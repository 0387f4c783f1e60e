//! Who takes part in a contest.

use core::fmt;

use game::record::Name;

/// The most people that a contest has.
pub const MAX_PLAYERS: usize = 1024;

/// An entrant by his number: a player, or two who play together.
///
/// Numbers are given in the order of entering and never change, so that two of the same
/// name are told apart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Entrant(u16);

impl Entrant {
    /// The `index`-th, counted from nought.
    pub const fn new(index: usize) -> Option<Entrant> {
        if index < MAX_PLAYERS { Some(Entrant(index as u16)) } else { None }
    }

    /// His place in the list, counted from nought.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// His number as people count, from one.
    pub const fn number(self) -> usize {
        self.0 as usize + 1
    }
}

/// Those who enter together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Party {
    /// One player.
    Alone(Name),
    /// Two, who sit opposite each other (C2).
    Pair(Name, Name),
}

impl Party {
    /// Whether they are two.
    pub const fn is_pair(&self) -> bool {
        matches!(self, Party::Pair(..))
    }

    /// Their names.
    pub fn names(&self) -> Vec<&Name> {
        match self {
            Party::Alone(name) => vec![name],
            Party::Pair(first, second) => vec![first, second],
        }
    }

    /// By what they are taken for the same.
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

/// An entrant as the contest knows him.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entered {
    pub(crate) party: Party,
    /// The first phase in whose urn he has a ticket, counted from nought.
    pub(crate) since: usize,
    /// How many phases were drawn when he withdrew.
    pub(crate) withdrew: Option<usize>,
    /// In which phase he sat last, and at which table; no table for a bye.
    pub(crate) last: Option<(usize, Option<usize>)>,
}

impl Entered {
    /// What he is, or they are, called.
    pub fn party(&self) -> &Party {
        &self.party
    }

    /// Whether he does not play any more, by his own wish.
    pub const fn has_withdrawn(&self) -> bool {
        self.withdrew.is_some()
    }

    /// Whether he entered after the first phase was drawn.
    pub const fn is_late(&self) -> bool {
        self.since > 0
    }
}
