//! The rules code: `cruce4t-21`, `cruce3-15-m1-redeal`, `whist5-818-p0`.
//!
//! A code is a starting point followed by options that differ from it. It is
//! printed in one canonical way: the game and seats, for Cruce the target, and
//! then every option that differs from `classic`, in the order of the tables of
//! [`options`](super::options).

use super::options::{CRUCE, OptionSpec, WHIST, chosen, number, shorten};
use super::{Rules, RulesFault, RulesFaults, RulesSpec};
use crate::{cruce, whist};

/// Longer than any code with every option set.
const MAX_BYTES: usize = 120;

/// Sets the option that a part of a code names, and returns its name.
fn set_in<S>(rows: &[OptionSpec<S>], spec: &mut S, part: &str) -> Option<&'static str> {
    rows.iter().find(|row| row.set(spec, part)).map(|row| row.option)
}

fn expected_of<S>(rows: &[OptionSpec<S>]) -> String {
    rows.iter().map(OptionSpec::expected).collect::<Vec<_>>().join(", ")
}

pub(super) fn parse(code: &str) -> Result<Rules, RulesFaults> {
    let code = code.trim().to_ascii_lowercase();
    if code.len() > MAX_BYTES {
        return Err(RulesFaults(vec![RulesFault::TooLong { most: MAX_BYTES }]));
    }
    let mut parts = code.split('-');
    let start = parts.next().unwrap_or_default();
    let Some(mut spec) = starting_point(start) else {
        return Err(RulesFaults(vec![RulesFault::NoSuchGame { found: shorten(start) }]));
    };
    let mut faults = Vec::new();
    let mut set: Vec<&'static str> = Vec::new();
    let mut column = start.chars().count() + 2;
    for part in parts {
        let known = match &mut spec {
            RulesSpec::Cruce(spec) => set_in(&CRUCE, spec, part),
            RulesSpec::Whist(spec) => set_in(&WHIST, spec, part),
        };
        match known {
            Some(option) if set.contains(&option) => {
                faults.push(RulesFault::SetTwice { column, option });
            }
            Some(option) => set.push(option),
            None => {
                let (game, expected) = match spec {
                    RulesSpec::Cruce(_) => ("Cruce", expected_of(&CRUCE)),
                    RulesSpec::Whist(_) => ("whist", expected_of(&WHIST)),
                };
                let found = shorten(part);
                faults.push(RulesFault::NoSuchOption { column, found, game, expected });
            }
        }
        column += part.chars().count() + 1;
    }
    match spec.check() {
        Ok(rules) if faults.is_empty() => Ok(rules),
        Ok(_) => Err(RulesFaults(faults)),
        Err(more) => {
            faults.extend(more.0);
            Err(RulesFaults(faults))
        }
    }
}

fn starting_point(start: &str) -> Option<RulesSpec> {
    let game_end = start.find(|c: char| c.is_ascii_digit()).unwrap_or(start.len());
    let (game, seats) = start.split_at(game_end);
    let (players, seating) = match seats.find(|c: char| !c.is_ascii_digit()) {
        Some(end) => (&seats[..end], &seats[end..]),
        None => (seats, ""),
    };
    let players = if players.is_empty() { 4 } else { number(players)? };
    let spec = match (game, seating) {
        ("cruce" | "classic", "" | "t") => {
            cruce::Spec { teams: players == 4 || seating == "t", ..cruce::Spec::classic(players) }
        }
        ("cruce" | "classic", "s") => cruce::Spec { teams: false, ..cruce::Spec::classic(players) },
        ("contest", "" | "s") => cruce::Spec::contest(players, false),
        ("contest", "t") => cruce::Spec::contest(players, true),
        ("whist", "") => return Some(RulesSpec::Whist(whist::Spec::classic(players))),
        _ => return None,
    };
    Some(RulesSpec::Cruce(spec))
}

pub(super) fn print(rules: &Rules) -> String {
    let (mut code, written) = match rules {
        Rules::Cruce(rules) => {
            let seating = match (rules.players(), rules.teams()) {
                (4, true) => "t",
                (4, false) => "s",
                _ => "",
            };
            (format!("cruce{}{seating}-{}", rules.players(), rules.target()), "target")
        }
        Rules::Whist(rules) => (format!("whist{}", rules.players()), ""),
    };
    for option in chosen(rules) {
        if !option.usual && option.option != written {
            code.push('-');
            code.push_str(&option.token);
        }
    }
    code
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cruce::{AllPass, BidOn, Calls, Enforcement};

    #[track_caller]
    fn check(code: &str, canonical: &str) {
        let rules = Rules::from_code(code).unwrap_or_else(|e| panic!("{code}: {e}"));
        assert_eq!(rules.code(), canonical);
        assert_eq!(Rules::from_code(canonical), Ok(rules));
    }

    #[test]
    fn codes_have_one_canonical_form() {
        check("classic", "cruce4t-21");
        check("cruce", "cruce4t-21");
        check("classic2", "cruce2-21");
        check(" CRUCE4S-15 ", "cruce4s-15");
        check("contest", "cruce4s-21-m1-b4-on3-nobeat-noothers");
        check("contest3-honour", "cruce3-21-m1-b4-on3-nobeat-noothers-honour");
        check("contest4t", "cruce4t-21-m1-b5-on3-nobeat-noothers");
        check("contest-beat-full-others-b6-m2", "cruce4s-21");
        check("cruce3-auto-redeal-11", "cruce3-11-redeal-auto");
        check("whist", "whist4");
        check("whist6-818-plain1-p5", "whist6-818-plain1-p5");
        check("whist3-p10-181-trump1", "whist3");
    }

    #[test]
    fn every_mix_of_options_round_trips() {
        let yes_no = [false, true];
        for bits in 0..64 {
            let yes = |at: u32| yes_no[(bits >> at & 1) as usize];
            for (players, teams) in [(2, false), (3, false), (4, false), (4, true)] {
                for (target, margin, max_bid) in [(21, 2, 6), (1, 1, 1), (99, 99, 5)] {
                    let spec = cruce::Spec {
                        players,
                        teams,
                        target,
                        margin,
                        max_bid,
                        bid_on: if yes(0) { BidOn::Three } else { BidOn::Full },
                        all_pass: if yes(1) { AllPass::Redeal } else { AllPass::Opener },
                        overtake: yes(2),
                        calls: if yes(3) { Calls::Automatic } else { Calls::Declared },
                        others_score_on_failure: yes(4),
                        enforcement: if yes(5) {
                            Enforcement::Honour
                        } else {
                            Enforcement::Enforced
                        },
                    };
                    let rules = RulesSpec::Cruce(spec).check().unwrap();
                    assert_eq!(Rules::from_code(&rules.code()), Ok(rules), "{}", rules.code());
                }
            }
        }
    }

    #[test]
    fn all_faults_are_reported_at_once() {
        let faults = Rules::from_code("cruce5t-0-m0-b9-jokers-b3").unwrap_err();
        let messages: Vec<String> = faults.faults().iter().map(ToString::to_string).collect();
        assert_eq!(messages.len(), 6, "{messages:#?}");
        assert!(
            messages[0].starts_with("column 17: \"jokers\" is no option of Cruce"),
            "{messages:#?}"
        );
        assert_eq!(messages[1], "column 24: max_bid is set twice");
        assert_eq!(messages[2], "players must be from 2 to 4, not 5");
        assert_eq!(messages[5], "only four players can play in teams, not 5");
        for hostile in ["", "-", "chess", "whist4t", "whist99999", "cruce4t-", "whist4-ă", "cruce٣"]
        {
            assert!(Rules::from_code(hostile).is_err(), "{hostile}");
        }
        assert!(Rules::from_code("whist7-p3").is_err_and(|e| e.faults().len() == 2));
    }
}
