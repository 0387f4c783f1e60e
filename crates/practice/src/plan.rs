//! The plan of a practice table: rules, seats and bots.

use bots::{Level, UnknownLevel};
use cards::Seat;
use game::Rules;
use game::record::Name;
use game::rules::RulesFaults;
use room::{STAND_IN, Timings};
use thiserror::Error;

/// The settings of a practice table.
#[derive(Clone, Debug)]
pub struct PracticePlan {
    /// The rules of the first match.
    pub rules: Rules,
    /// The player's name.
    pub name: Name,
    /// The player's seat; `None` draws one at random.
    pub seat: Option<Seat>,
    /// The levels of the bots, in the order of their seats. If there are fewer levels than bots, they
    /// repeat.
    pub bots: Vec<Level>,
    /// Whether the match begins at once. Otherwise the table waits for the player's `start`, and until
    /// then the player may see the commitment and add a word to the seed.
    pub begins: bool,
    /// How long the table waits for each step.
    pub timings: Timings,
}

impl PracticePlan {
    /// A match that begins at once, on a random seat, with bots of the default level.
    pub fn new(rules: Rules, name: Name) -> PracticePlan {
        PracticePlan {
            rules,
            name,
            seat: None,
            bots: vec![STAND_IN],
            begins: true,
            timings: timings(),
        }
    }

    /// Parses a plan from a text that fits into a URL: the code of the rules and, after commas, the
    /// levels of the bots, such as `cruce4t-21,medium`.
    pub fn of_text(text: &str, name: Name) -> Result<PracticePlan, InvalidPlan> {
        let mut parts = text.split(',');
        let rules = Rules::from_code(parts.next().unwrap_or_default())?;
        let bots = parts.map(str::parse).collect::<Result<Vec<Level>, UnknownLevel>>()?;
        if bots.len() >= rules.players() {
            return Err(InvalidPlan::TooMany { others: rules.players() - 1 });
        }
        let usual = PracticePlan::new(rules, name);
        Ok(if bots.is_empty() { usual } else { PracticePlan { bots, ..usual } })
    }
}

/// A text that is not a plan.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum InvalidPlan {
    /// There are no such rules.
    #[error(transparent)]
    Rules(#[from] RulesFaults),
    /// There is no such bot.
    #[error(transparent)]
    Level(#[from] UnknownLevel),
    /// The text names more bots than there are seats.
    #[error("there are seats for {others} bots")]
    TooMany {
        /// How many bots can sit at the table.
        others: usize,
    },
}

/// The timings of a table at which no other player waits: a bot takes long enough to be
/// followed, and the score stays until the player continues.
pub fn timings() -> Timings {
    Timings { bot_delay: 700, score_time: None, ..Timings::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<PracticePlan, InvalidPlan> {
        PracticePlan::of_text(text, "Ana".parse().expect("a name"))
    }

    #[test]
    fn a_plan_is_read_from_a_text() {
        for (text, code, bots) in [
            ("cruce4t-21,medium", "cruce4t-21", vec![Level::Medium]),
            (
                "cruce4t-21,easy,hard,easy",
                "cruce4t-21",
                vec![Level::Easy, Level::Hard, Level::Easy],
            ),
            ("whist5", "whist5", vec![STAND_IN]),
            ("cruce2-1-m1,hard", "cruce2-1-m1", vec![Level::Hard]),
        ] {
            let plan = read(text).expect(text);
            assert_eq!(plan.rules, Rules::from_code(code).expect(code), "{text}");
            assert_eq!(plan.bots, bots, "{text}");
            assert!(plan.begins && plan.seat.is_none(), "{text}");
        }
    }

    #[test]
    fn an_invalid_plan_is_refused_with_a_reason() {
        let level = read("whist4,genius").expect_err("no such level");
        assert_eq!(level, InvalidPlan::Level(UnknownLevel { name: "genius".into() }));
        assert_eq!(read("cruce2-21,easy,hard").unwrap_err(), InvalidPlan::TooMany { others: 1 });
        for text in ["", ",medium", "bridge,medium", "cruce4t-21;medium"] {
            assert!(matches!(read(text), Err(InvalidPlan::Rules(_))), "{text:?}");
        }
        assert!(matches!(read("whist4,"), Err(InvalidPlan::Level(_))));
    }
}
