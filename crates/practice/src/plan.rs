//! How a table is to be.

use bots::{Level, UnknownLevel};
use cards::Seat;
use game::Rules;
use game::record::Name;
use game::rules::RulesFaults;
use room::{STAND_IN, Timings};
use thiserror::Error;

/// How a table is to be.
#[derive(Clone, Debug)]
pub struct PracticePlan {
    /// The rules of the first match.
    pub rules: Rules,
    /// What the person is called.
    pub name: Name,
    /// Where the person sits; any seat if that does not matter.
    pub seat: Option<Seat>,
    /// How well the others play, in the order of their seats; if there are fewer of these
    /// than seats, they are taken in turns.
    pub bots: Vec<Level>,
    /// Whether the match begins at once. Otherwise the table waits for the person's
    /// `start`, and until then he may see the promise and add a word to the seed.
    pub begins: bool,
    /// How long the table waits for what.
    pub tempo: Timings,
}

impl PracticePlan {
    /// A match that begins at once, on any seat, with bots of the usual level.
    pub fn new(rules: Rules, name: Name) -> PracticePlan {
        PracticePlan { rules, name, seat: None, bots: vec![STAND_IN], begins: true, tempo: tempo() }
    }

    /// The same from a text that fits into an address: the code of the rules and, after
    /// commas, the levels of the bots, such as `cruce4t-21,medium`.
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

/// A text that is no plan.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum InvalidPlan {
    /// There are no such rules.
    #[error(transparent)]
    Rules(#[from] RulesFaults),
    /// There is no such bot.
    #[error(transparent)]
    Level(#[from] UnknownLevel),
    /// More bots are named than there are seats for.
    #[error("there are seats for {others} others")]
    TooMany {
        /// How many besides the person can sit at the table.
        others: usize,
    },
}

/// How long a table waits where nobody waits for the person: a bot takes as long as it
/// takes to see what it does, and the score stands until it was read.
pub fn tempo() -> Timings {
    Timings { bot_takes: 700, score_stands: None, ..Timings::default() }
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
    fn what_is_no_plan_says_why() {
        let level = read("whist4,genius").expect_err("no such level");
        assert_eq!(level, InvalidPlan::Level(UnknownLevel { name: "genius".into() }));
        assert_eq!(read("cruce2-21,easy,hard").unwrap_err(), InvalidPlan::TooMany { others: 1 });
        for text in ["", ",medium", "bridge,medium", "cruce4t-21;medium"] {
            assert!(matches!(read(text), Err(InvalidPlan::Rules(_))), "{text:?}");
        }
        assert!(matches!(read("whist4,"), Err(InvalidPlan::Level(_))));
    }
}
