//! The list of a user's finished matches.

use cards::Side;
use game::Rules;
use wire::http::PastMatchSummary;

use crate::participants;
use crate::scores::side_name;
use phrases::Phrases;
use replica::route::Route;

/// A line of the list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PastMatchLine {
    /// The game.
    pub game: String,
    /// The name and the score of each side, and whether it won.
    pub sides: Vec<(String, i32, bool)>,
    /// When it ended, in milliseconds since 1970.
    pub ended: i64,
    /// The address of the replay.
    pub address: String,
}

impl PastMatchLine {
    /// The line of a match. Returns None if its rules are unknown to this version.
    pub fn new(past: &PastMatchSummary, phrases: &Phrases) -> Option<PastMatchLine> {
        let rules = Rules::from_code(&past.rules).ok()?;
        let game = match rules {
            Rules::Cruce(_) => phrases.cruce(),
            Rules::Whist(_) => phrases.whist(),
        };
        let names = past.names.iter().enumerate();
        let names: Vec<String> =
            names.map(|(at, name)| participants::recorded(Some(name), at + 1, phrases)).collect();
        let sides = Side::first(rules.sides()).map(|side| {
            let score = past.score.get(side.index()).copied().unwrap_or_default();
            let won = past.winners.contains(&(side.index() + 1));
            (side_name(&rules, &names, side), score, won)
        });
        let route = Route::Replay { table: past.table.clone(), number: past.number, moment: None };
        Some(PastMatchLine {
            game,
            sides: sides.collect(),
            ended: past.ended,
            address: route.address(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use phrases::Language;

    fn past(rules: &str) -> PastMatchSummary {
        PastMatchSummary {
            table: "7rk2m0q9xw".into(),
            number: 2,
            rules: rules.into(),
            ended: 1_700_000_000_000,
            names: ["Ana", "medium", "Călin", "Dana"].map(String::from).to_vec(),
            score: vec![21, 14],
            winners: vec![1],
        }
    }

    #[test]
    fn a_line_names_the_sides_and_the_winner() {
        let line =
            PastMatchLine::new(&past("cruce4t-21"), &Phrases::new(Language::Romanian)).unwrap();
        let sides = [("Ana & Călin".into(), 21, true), ("Fag & Dana".into(), 14, false)];
        assert_eq!(line.sides, sides);
        assert_eq!(line.address, "/replay/7rk2m0q9xw/2");
    }

    #[test]
    fn unknown_rules_have_no_line() {
        assert_eq!(PastMatchLine::new(&past("bridge"), &Phrases::new(Language::English)), None);
    }
}
