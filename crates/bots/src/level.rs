//! The players there are, by name.

use core::fmt;
use core::str::FromStr;

use thiserror::Error;

use crate::Bot;
use crate::random::Random;

/// A player by name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    /// Draws lots among what is legal.
    Random,
}

/// No player has this name.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("there is no bot {name:?}; there are {}", Level::names())]
pub struct UnknownLevel {
    /// The name that was given.
    pub name: String,
}

impl Level {
    /// All of them, weakest first.
    pub const ALL: [Level; 1] = [Level::Random];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Random => "random",
        }
    }

    /// A player of this level.
    pub fn bot(self) -> Box<dyn Bot> {
        match self {
            Level::Random => Box::new(Random),
        }
    }

    /// How many cards it may lay in its head for one decision, unless somebody says otherwise.
    pub const fn nodes(self) -> u64 {
        match self {
            Level::Random => 0,
        }
    }

    fn names() -> String {
        Level::ALL.map(Level::name).join(", ")
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Level {
    type Err = UnknownLevel;

    fn from_str(name: &str) -> Result<Level, UnknownLevel> {
        let known = |level: &Level| level.name().eq_ignore_ascii_case(name);
        Level::ALL.into_iter().find(known).ok_or_else(|| UnknownLevel { name: name.into() })
    }
}
