//! The rules code: `cruce4t-21`, `cruce3-15-m1-redeal`, `whist5-818-p0`.
//!
//! A code is a starting point followed by options that differ from it. It is
//! printed in one canonical way: the game and seats, for Cruce the target, and
//! then every option that differs from `classic`, in the order of [`options`].

use super::{OptionValue, Rules, RulesFault, RulesFaults, RulesSpec};
use crate::cruce::{self, AllPass, BidOn, Calls, Enforcement};
use crate::whist::{self, Order};

const CRUCE_OPTIONS: &str = "a target such as 21, m1 (margin), b4 (highest bid), full, on3, opener, \
     redeal, beat, nobeat, declared, auto, others, noothers, enforced or honour";
/// Longer than any code with every option set.
const MOST_BYTES: usize = 120;
const WHIST_OPTIONS: &str = "181, 818, trump1, plain1, p10, p5 or p0";

pub(super) fn parse(code: &str) -> Result<Rules, RulesFaults> {
    let code = code.trim().to_ascii_lowercase();
    if code.len() > MOST_BYTES {
        return Err(RulesFaults(vec![RulesFault::TooLong { most: MOST_BYTES }]));
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
            RulesSpec::Cruce(spec) => set_cruce(spec, part),
            RulesSpec::Whist(spec) => set_whist(spec, part),
        };
        match known {
            Some(option) if set.contains(&option) => {
                faults.push(RulesFault::SetTwice { column, option });
            }
            Some(option) => set.push(option),
            None => {
                let (game, expected) = match spec {
                    RulesSpec::Cruce(_) => ("Cruce", CRUCE_OPTIONS),
                    RulesSpec::Whist(_) => ("whist", WHIST_OPTIONS),
                };
                faults.push(RulesFault::NoSuchOption {
                    column,
                    found: shorten(part),
                    game,
                    expected,
                });
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

/// A hostile code is not echoed whole, nor as it is.
fn shorten(text: &str) -> String {
    text.chars().take(20).flat_map(char::escape_debug).collect()
}

/// A number of at most four digits, so that it always fits.
fn number(digits: &str) -> Option<u32> {
    let plain = (1..=4).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| digits.parse().ok()).flatten()
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

/// Sets the option that a part of the code names, and says which it was.
fn set_cruce(spec: &mut cruce::Spec, part: &str) -> Option<&'static str> {
    if let Some(target) = number(part) {
        spec.target = target;
        return Some("target");
    }
    let rest = part.get(1..).unwrap_or_default();
    if let (Some('m'), Some(margin)) = (part.chars().next(), number(rest)) {
        spec.margin = margin;
        return Some("margin");
    }
    if let (Some('b'), Some(max_bid)) = (part.chars().next(), number(rest)) {
        spec.max_bid = max_bid;
        return Some("max_bid");
    }
    Some(match part {
        "full" | "on3" => {
            spec.bid_on = if part == "on3" { BidOn::Three } else { BidOn::Full };
            "bid_on"
        }
        "opener" | "redeal" => {
            spec.all_pass = if part == "redeal" { AllPass::Redeal } else { AllPass::Opener };
            "all_pass"
        }
        "beat" | "nobeat" => {
            spec.overtake = part == "beat";
            "overtake"
        }
        "declared" | "auto" => {
            spec.calls = if part == "auto" { Calls::Automatic } else { Calls::Declared };
            "calls"
        }
        "others" | "noothers" => {
            spec.others_score_on_failure = part == "others";
            "others_score_on_failure"
        }
        "enforced" | "honour" => {
            spec.enforcement =
                if part == "honour" { Enforcement::Honour } else { Enforcement::Enforced };
            "enforcement"
        }
        _ => return None,
    })
}

fn set_whist(spec: &mut whist::Spec, part: &str) -> Option<&'static str> {
    if let (Some('p'), Some(prize)) =
        (part.chars().next(), number(part.get(1..).unwrap_or_default()))
    {
        spec.prize = prize;
        return Some("prize");
    }
    Some(match part {
        "181" | "818" => {
            spec.order = if part == "818" { Order::EightOneEight } else { Order::OneEightOne };
            "deals"
        }
        "trump1" | "plain1" => {
            spec.trump_in_ones = part == "trump1";
            "trump_in_ones"
        }
        _ => return None,
    })
}

pub(super) fn print(rules: &Rules) -> String {
    let mut code = match rules {
        Rules::Cruce(rules) => {
            let seating = match (rules.players(), rules.teams()) {
                (4, true) => "t",
                (4, false) => "s",
                _ => "",
            };
            format!("cruce{}{seating}-{}", rules.players(), rules.target())
        }
        Rules::Whist(rules) => format!("whist{}", rules.players()),
    };
    let told = ["players", "teams", "target"];
    for option in options(rules) {
        if !option.usual && !told.contains(&option.option) {
            code.push('-');
            code.push_str(&option.token);
        }
    }
    code
}

pub(super) fn options(rules: &Rules) -> Vec<OptionValue> {
    match rules {
        Rules::Cruce(rules) => cruce_options(rules.spec()),
        Rules::Whist(rules) => whist_options(rules.spec()),
    }
}

/// A choice between two words: the value, the token and whether it is usual.
fn choice<T: PartialEq>(
    (option, clause): (&'static str, &'static str),
    value: T,
    words: [(T, &'static str, &'static str); 2],
) -> OptionValue {
    let at = usize::from(words[0].0 != value);
    OptionValue {
        option,
        value: words[at].1.into(),
        token: words[at].2.into(),
        clause,
        usual: at == 0,
    }
}

fn amount(
    (option, clause): (&'static str, &'static str),
    value: u32,
    prefix: &str,
    usual: u32,
) -> OptionValue {
    OptionValue {
        option,
        value: value.to_string(),
        token: format!("{prefix}{value}"),
        clause,
        usual: value == usual,
    }
}

fn cruce_options(spec: &cruce::Spec) -> Vec<OptionValue> {
    let usual = cruce::Spec::classic(spec.players);
    let mut teams =
        choice(("teams", "C2"), spec.teams, [(usual.teams, "", ""), (!usual.teams, "", "")]);
    teams.value = if spec.teams { "yes" } else { "no" }.into();
    teams.token = if spec.teams { "t" } else { "s" }.into();
    vec![
        amount(("players", "C2"), spec.players, "", 4),
        teams,
        amount(("target", "C12"), spec.target, "", usual.target),
        amount(("margin", "C12"), spec.margin, "m", usual.margin),
        amount(("max_bid", "C6"), spec.max_bid, "b", usual.max_bid),
        choice(
            ("bid_on", "C6"),
            spec.bid_on,
            [(BidOn::Full, "full", "full"), (BidOn::Three, "three", "on3")],
        ),
        choice(
            ("all_pass", "C6"),
            spec.all_pass,
            [(AllPass::Opener, "opener", "opener"), (AllPass::Redeal, "redeal", "redeal")],
        ),
        choice(("overtake", "C8"), spec.overtake, [(true, "on", "beat"), (false, "off", "nobeat")]),
        choice(
            ("calls", "C10"),
            spec.calls,
            [(Calls::Declared, "declared", "declared"), (Calls::Automatic, "automatic", "auto")],
        ),
        choice(
            ("others_score_on_failure", "C11"),
            spec.others_score_on_failure,
            [(true, "yes", "others"), (false, "no", "noothers")],
        ),
        choice(
            ("enforcement", "C15"),
            spec.enforcement,
            [
                (Enforcement::Enforced, "enforced", "enforced"),
                (Enforcement::Honour, "honour", "honour"),
            ],
        ),
    ]
}

fn whist_options(spec: &whist::Spec) -> Vec<OptionValue> {
    vec![
        amount(("players", "W1"), spec.players, "", 4),
        choice(
            ("deals", "W2"),
            spec.order,
            [(Order::OneEightOne, "1-8-1", "181"), (Order::EightOneEight, "8-1-8", "818")],
        ),
        choice(
            ("trump_in_ones", "W3"),
            spec.trump_in_ones,
            [(true, "yes", "trump1"), (false, "no", "plain1")],
        ),
        amount(("prize", "W7"), spec.prize, "p", 10),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let said: Vec<String> = faults.faults().iter().map(ToString::to_string).collect();
        assert_eq!(said.len(), 6, "{said:#?}");
        assert!(said[0].starts_with("column 17: \"jokers\" is no option of Cruce"), "{said:#?}");
        assert_eq!(said[1], "column 24: max_bid is set twice");
        assert_eq!(said[2], "players must be from 2 to 4, not 5");
        assert_eq!(said[5], "only four players can play in teams, not 5");
        for hostile in ["", "-", "chess", "whist4t", "whist99999", "cruce4t-", "whist4-ă", "cruce٣"]
        {
            assert!(Rules::from_code(hostile).is_err(), "{hostile}");
        }
        assert!(Rules::from_code("whist7-p3").is_err_and(|e| e.faults().len() == 2));
    }
}
