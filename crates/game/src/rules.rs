//! Rules as data: the house rules that players agree on before the first deal.
//!
//! A [`RulesSpec`] holds any values; checking it gives [`Rules`] or *all* the
//! faults at once. Every set of rules has a short [code](Rules::code) that
//! players can send each other.

mod code;
mod options;

use core::fmt;

use cards::{BySide, Card, Pack, Seat, Side};
use thiserror::Error;

use crate::action::Illegal;
use crate::{cruce, whist};

/// House rules of either game before they are checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RulesSpec {
    /// Cruce.
    Cruce(cruce::Spec),
    /// Romanian whist.
    Whist(whist::Spec),
}

impl RulesSpec {
    /// The checked rules, or all faults.
    pub fn check(self) -> Result<Rules, RulesFaults> {
        match self {
            RulesSpec::Cruce(spec) => spec.check().map(Rules::Cruce),
            RulesSpec::Whist(spec) => spec.check().map(Rules::Whist),
        }
        .map_err(RulesFaults)
    }
}

/// The checked rules of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rules {
    /// Cruce.
    Cruce(cruce::Rules),
    /// Romanian whist.
    Whist(whist::Rules),
}

impl Rules {
    /// The named sets of rules: what `ghinda rules` lists and codes may start with.
    pub const PRESETS: [&'static str; 3] = ["classic", "contest", "whist"];

    /// The rules as a short code; the same rules always have the same code.
    pub fn code(&self) -> String {
        code::print(self)
    }

    /// The rules of a code, or all its faults.
    pub fn from_code(code: &str) -> Result<Rules, RulesFaults> {
        code::parse(code)
    }

    /// Every option with its value.
    pub fn options(&self) -> Vec<OptionValue> {
        options::options(self)
    }

    /// The same rules with another value of an option, both by their names; or the faults.
    ///
    /// ```
    /// let rules = game::Rules::from_code("cruce3-21").unwrap();
    /// assert_eq!(rules.with("all_pass", "redeal").unwrap().code(), "cruce3-21-redeal");
    /// assert!(rules.with("target", "100").is_err());
    /// ```
    pub fn with(&self, option: &str, value: &str) -> Result<Rules, RulesFaults> {
        options::with(self, option, value)
    }

    /// The pack of the game.
    pub fn pack(&self) -> Pack {
        match self {
            Rules::Cruce(_) => cruce::Rules::PACK,
            Rules::Whist(rules) => rules.pack(),
        }
    }

    /// The number of players.
    #[inline]
    pub const fn players(&self) -> usize {
        match self {
            Rules::Cruce(rules) => rules.players(),
            Rules::Whist(rules) => rules.players(),
        }
    }

    /// How many sides there are.
    pub const fn sides(&self) -> usize {
        match self {
            Rules::Cruce(rules) => rules.sides(),
            Rules::Whist(rules) => rules.players(),
        }
    }

    /// The side that a seat plays for.
    pub fn side_of(&self, seat: Seat) -> Side {
        match self {
            Rules::Cruce(rules) => rules.side_of(seat),
            Rules::Whist(_) => Side::alone(seat),
        }
    }

    /// How many cards each player gets in the `deal`-th deal, counted from 0;
    /// `None` if there is no such deal.
    pub fn cards_each(&self, deal: usize) -> Option<usize> {
        match self {
            Rules::Cruce(rules) => Some(rules.cards_each()),
            Rules::Whist(rules) => rules.cards_each(deal),
        }
    }

    /// How many cards each player sees when the bidding starts.
    pub fn opening(&self, cards_each: usize) -> usize {
        match self {
            Rules::Cruce(rules) => rules.opening(),
            Rules::Whist(_) => cards_each,
        }
    }

    /// How many cards lie face down after the deal (C5).
    pub const fn stock(&self) -> usize {
        match self {
            Rules::Cruce(rules) => rules.stock(),
            Rules::Whist(_) => 0,
        }
    }

    /// Whether the rest is dealt only after the bidding (C6).
    pub fn bids_on_three(&self) -> bool {
        matches!(self, Rules::Cruce(rules) if rules.spec().bid_on == cruce::BidOn::Three)
    }

    /// Whether every pair that is led is called (C10).
    pub fn calls_are_automatic(&self) -> bool {
        matches!(self, Rules::Cruce(rules) if rules.spec().calls == cruce::Calls::Automatic)
    }

    /// Why a card may not be played with or without a call; `may` is whether it
    /// can be called (C10).
    pub(crate) fn call_fault(&self, card: Card, call: bool, may: bool) -> Option<Illegal> {
        match (call, may) {
            (true, false) => Some(Illegal::CannotCall { card }),
            (false, true) if self.calls_are_automatic() => Some(Illegal::MustCall { card }),
            _ => None,
        }
    }

    /// The sides that have won with these scores after this many deals; `None` while the
    /// match goes on (C12, W8).
    pub fn winners(&self, score: &BySide<i32>, deals: usize) -> Option<BySide<bool>> {
        match self {
            Rules::Cruce(rules) => {
                let winner = cruce::leader(rules, score)?;
                Some(BySide::from_fn(rules.sides(), |side| side == winner))
            }
            Rules::Whist(rules) => (deals >= rules.deals()).then(|| {
                let mut won = BySide::filled(false, rules.players());
                for side in whist::winners(score) {
                    won[side] = true;
                }
                won
            }),
        }
    }

    /// Whether the opponents, not the table, enforce the duties (C15).
    pub fn honour(&self) -> bool {
        matches!(self, Rules::Cruce(rules) if rules.spec().enforcement == cruce::Enforcement::Honour)
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.code())
    }
}

/// One option of some rules: a row of the house-rules form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionValue {
    /// The option's name, as in docs/rules.
    pub option: &'static str,
    /// Its value, as in docs/rules.
    pub value: String,
    /// How the value is written in a rules code.
    pub token: String,
    /// The clause that explains it.
    pub clause: &'static str,
    /// Whether it is the value of the `classic` game.
    pub usual: bool,
    /// The possible values.
    pub range: Range,
}

/// The possible values of an option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Range {
    /// A whole number.
    From {
        /// The minimum.
        least: u32,
        /// The maximum.
        most: u32,
    },
    /// One of some values; a single value leaves no choice.
    Among(Vec<String>),
}

/// One fault of some rules.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RulesFault {
    /// A number outside its range.
    #[error("{option} must be from {least} to {most}, not {given}")]
    OutOfRange {
        /// Which option.
        option: &'static str,
        /// The value given.
        given: u32,
        /// The minimum.
        least: u32,
        /// The maximum.
        most: u32,
    },
    /// Teams with another number of players than four.
    #[error("only four players can play in teams, not {players}")]
    TeamsNeedFour {
        /// How many there are.
        players: u32,
    },
    /// A prize other than 10, 5 or none.
    #[error("the prize is 10, 5 or 0 (none), not {given}")]
    NoSuchPrize {
        /// The value given.
        given: u32,
    },
    /// A value that an option cannot have, or an unknown option.
    #[error("{option} cannot be \"{given}\"")]
    NoSuchValue {
        /// Which option.
        option: String,
        /// The value given.
        given: String,
    },
    /// A code with more letters than all options need.
    #[error("a rules code has at most {most} letters")]
    TooLong {
        /// How many it may have.
        most: usize,
    },
    /// A code that does not start with a known game.
    #[error(
        "column 1: \"{found}\" is no game; a code starts with cruce2, cruce3, cruce4t, cruce4s, \
         whist3 to whist6, classic, contest or whist"
    )]
    NoSuchGame {
        /// What was found.
        found: String,
    },
    /// A part of a code that is not an option of its game.
    #[error("column {column}: \"{found}\" is no option of {game}; expected {expected}")]
    NoSuchOption {
        /// The column, counted from 1.
        column: usize,
        /// What was found.
        found: String,
        /// The game.
        game: &'static str,
        /// The options of the game.
        expected: String,
    },
    /// An option that was given twice.
    #[error("column {column}: {option} is set twice")]
    SetTwice {
        /// The column, counted from 1.
        column: usize,
        /// Which option.
        option: &'static str,
    },
}

/// All faults of some rules; never empty.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub struct RulesFaults(pub(crate) Vec<RulesFault>);

impl RulesFaults {
    /// The faults, in the order they were found.
    pub fn faults(&self) -> &[RulesFault] {
        &self.0
    }
}

impl fmt::Display for RulesFaults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, fault) in self.0.iter().enumerate() {
            if at > 0 {
                f.write_str("; ")?;
            }
            write!(f, "{fault}")?;
        }
        Ok(())
    }
}
