//! The levels of the bots, by name.

use core::fmt;
use core::str::FromStr;

use thiserror::Error;

use crate::Bot;
use crate::easy::Easy;
use crate::hard::Hard;
use crate::medium::Medium;
use crate::pimc::Pimc;
use crate::random::Random;

/// The level of a bot.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    /// Chooses at random among the legal actions.
    Random,
    /// Plays by a quick look at its own hand, with mistakes.
    Easy,
    /// Solves a few worlds that agree with the view.
    Medium,
    /// Considers what the others may hold, and the score of the match.
    Hard,
    /// Five worlds, solved: a fixed yardstick.
    Pimc5,
    /// Fifty worlds, solved: a fixed yardstick.
    Pimc50,
    /// Two hundred worlds, solved: a fixed yardstick.
    Pimc200,
}

/// There is no level with this name.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("there is no bot {name:?}; there are {}", Level::names())]
pub struct UnknownLevel {
    /// The name that was given.
    pub name: String,
}

impl Level {
    /// All levels, the weakest first.
    pub const ALL: [Level; 7] = [
        Level::Random,
        Level::Easy,
        Level::Medium,
        Level::Hard,
        Level::Pimc5,
        Level::Pimc50,
        Level::Pimc200,
    ];

    /// The name of the level.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Random => "random",
            Level::Easy => "easy",
            Level::Medium => "medium",
            Level::Hard => "hard",
            Level::Pimc5 => "pimc5",
            Level::Pimc50 => "pimc50",
            Level::Pimc200 => "pimc200",
        }
    }

    /// Creates a bot of this level.
    pub fn bot(self) -> Box<dyn Bot> {
        match self {
            Level::Random => Box::new(Random),
            Level::Easy => Box::new(Easy),
            Level::Medium => Box::new(Medium::new()),
            Level::Hard => Box::new(Hard::new()),
            Level::Pimc5 => Box::new(Pimc::new(5)),
            Level::Pimc50 => Box::new(Pimc::new(50)),
            Level::Pimc200 => Box::new(Pimc::new(200)),
        }
    }

    /// The default number of positions that it may visit for one decision.
    pub const fn nodes(self) -> u64 {
        match self {
            Level::Random | Level::Easy => 0,
            Level::Hard => 400_000,
            Level::Medium | Level::Pimc5 | Level::Pimc50 | Level::Pimc200 => u64::MAX,
        }
    }

    /// Whether the level is only for measuring others: it may think for minutes.
    pub const fn is_yardstick(self) -> bool {
        matches!(self, Level::Pimc5 | Level::Pimc50 | Level::Pimc200)
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

#[cfg(test)]
mod tests {
    use super::*;

    /// All levels; a new one does not compile until it is in the list.
    macro_rules! every {
        ($($level:ident)*) => {{
            let _ = |level: Level| match level {
                $(Level::$level => (),)*
            };
            [$(Level::$level),*]
        }};
    }

    #[test]
    fn every_level_is_listed_and_described() {
        assert_eq!(Level::ALL, every!(Random Easy Medium Hard Pimc5 Pimc50 Pimc200));
        let document = include_str!("../../../docs/bots.md");
        for level in Level::ALL {
            assert_eq!(level.name().parse(), Ok(level));
            let row = |line: &str| line.starts_with('|') && line.contains(&format!("`{level}`"));
            assert!(document.lines().any(row), "docs/bots.md has no row for {level}");
        }
    }
}
