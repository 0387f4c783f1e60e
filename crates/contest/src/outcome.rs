//! The result of a match of a contest.

use cards::BySide;
use game::record::{DealEnd, Record};
use game::{Rules, whist};
use thiserror::Error;

use crate::sheet::Sheet;

/// The maximum score; a match of Cruce stays far below it, so more is a typing error.
const MAX_SCORE: i32 = 999;

/// The final scores of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MatchOutcome {
    /// The score of each place.
    pub scores: BySide<i32>,
    /// Whether the match was broken off before its end, as the referee decided.
    pub broken_off: bool,
}

/// Why a result is impossible.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum InvalidOutcome {
    /// Too many or too few scores.
    #[error("{sides} scores are needed")]
    OtherSides {
        /// The number of scores needed.
        sides: usize,
    },
    /// A score that no player can reach.
    #[error("{score} is no score that can be reached: from {least} to {most}")]
    OutOfReach {
        /// The score.
        score: i32,
        /// The minimum.
        least: i32,
        /// The maximum.
        most: i32,
    },
    /// No side has won (C12).
    #[error("nobody has reached {target} with a lead of {margin}")]
    NobodyWon {
        /// The score that ends the match.
        target: i32,
        /// The lead that ends it.
        margin: i32,
    },
    /// The match of a record or a sheet is not over.
    #[error("the match is not over")]
    NotOver,
    /// A record or a sheet of other rules.
    #[error("the match was played by other rules")]
    OtherRules,
}

impl MatchOutcome {
    /// A match that was played to its end.
    pub const fn played(scores: BySide<i32>) -> MatchOutcome {
        MatchOutcome { scores, broken_off: false }
    }

    /// A match that was broken off.
    pub const fn broken_off(scores: BySide<i32>) -> MatchOutcome {
        MatchOutcome { scores, broken_off: true }
    }

    /// The result of a finished match on a sheet.
    pub fn of_sheet(sheet: &Sheet) -> Result<MatchOutcome, InvalidOutcome> {
        if sheet.winners().is_none() {
            return Err(InvalidOutcome::NotOver);
        }
        Ok(MatchOutcome::played(sheet.total()))
    }

    /// The result of a match on a server by these rules. The record is not verified; for that see
    /// [`Record::verify`].
    pub fn of_record(record: &Record, rules: &Rules) -> Result<MatchOutcome, InvalidOutcome> {
        if record.rules != *rules {
            return Err(InvalidOutcome::OtherRules);
        }
        let last = record.deals.last().filter(|_| record.won.is_some());
        match last.map(|deal| deal.end) {
            Some(DealEnd::Scored { total, .. } | DealEnd::ThrownIn { total, .. }) => {
                Ok(MatchOutcome::played(total))
            }
            _ => Err(InvalidOutcome::NotOver),
        }
    }

    /// Checks whether a match by these rules can end with this result (C12, W6–W8).
    pub fn check(&self, rules: &Rules) -> Result<(), InvalidOutcome> {
        let sides = rules.sides();
        if self.scores.len() != sides {
            return Err(InvalidOutcome::OtherSides { sides });
        }
        let (least, most) = reach(rules);
        let beyond = self.scores.iter().find(|score| !(least..=most).contains(*score));
        if let Some(score) = beyond {
            return Err(InvalidOutcome::OutOfReach { score: *score, least, most });
        }
        match rules {
            Rules::Cruce(cruce) if !self.broken_off && rules.winners(&self.scores, 0).is_none() => {
                Err(InvalidOutcome::NobodyWon { target: cruce.target(), margin: cruce.margin() })
            }
            _ => Ok(()),
        }
    }
}

/// The minimum and the maximum of a final score.
fn reach(rules: &Rules) -> (i32, i32) {
    let Rules::Whist(whist) = rules else { return (-MAX_SCORE, MAX_SCORE) };
    // The extremes: take every trick and bid so, or bid every trick and take none, in every deal.
    let total = |tricks: fn(u8) -> u8| {
        let players = whist.players();
        let mut runs = cards::BySeat::filled(0, players);
        let mut total = 0;
        for cards_each in (0..).map_while(|deal| whist.cards_each(deal)) {
            let all = cards_each as u8;
            let bids = cards::BySeat::filled(all, players);
            let taken = cards::BySeat::filled(tricks(all), players);
            let scored = whist::score(whist, cards_each, &bids, &taken, &runs);
            runs = scored.runs;
            let first = cards::Side::default();
            total += i32::from(scored.change[first]) + i32::from(scored.prize[first]);
        }
        total
    };
    (total(|_| 0), total(|all| all))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(code: &str, scores: &[i32]) -> Result<(), InvalidOutcome> {
        let rules = Rules::from_code(code).unwrap();
        MatchOutcome::played(BySide::from_slice(scores).unwrap()).check(&rules)
    }

    #[test]
    fn a_match_of_cruce_ends_with_a_winner() {
        assert_eq!(check("contest", &[21, 20, 3, -4]), Ok(()));
        assert_eq!(check("contest", &[23, 21, 21, 0]), Ok(()));
        let no_winner = InvalidOutcome::NobodyWon { target: 21, margin: 1 };
        assert_eq!(check("contest", &[21, 21, 3, 4]), Err(no_winner));
        assert_eq!(check("contest", &[20, 2, 3, 4]), Err(no_winner));
        let rules = Rules::from_code("contest").unwrap();
        let scores = BySide::from_slice(&[20, 2, 3, 4]).unwrap();
        assert_eq!(MatchOutcome::broken_off(scores).check(&rules), Ok(()));
        assert_eq!(check("contest3", &[21, 1, 1]), Ok(()));
        assert_eq!(check("contest3", &[21, 1, 1, 1]), Err(InvalidOutcome::OtherSides { sides: 3 }));
        assert!(check("contest", &[2100, 1, 1, 1]).is_err());
    }

    #[test]
    fn a_match_of_whist_ends_within_reach() {
        // Twenty-four deals: 5 and the tricks in each, and a prize for every fifth of sixteen.
        let most = 24 * 5 + 4 + 27 + 32 + 27 + 4 + 3 * 10;
        assert_eq!(check("whist4", &[most, 0, 0, 0]), Ok(()));
        assert!(check("whist4", &[most + 1, 0, 0, 0]).is_err());
        let least = -(4 + 27 + 32 + 27 + 4 + 3 * 10);
        assert_eq!(check("whist4", &[least, 0, 0, 0]), Ok(()));
        assert!(check("whist4", &[least - 1, 0, 0, 0]).is_err());
    }
}
