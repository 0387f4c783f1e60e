//! The options as data: one table per game, used by the parser and the printer of
//! rules codes and by the list of options.

use super::{OptionValue, Range, Rules, RulesFault, RulesFaults, RulesSpec};
use crate::cruce::{self, AllPass, BidOn, Calls, Enforcement};
use crate::whist::{self, DealOrder};

/// An option of a game: a row of its table.
pub(super) struct OptionSpec<S: 'static> {
    pub(super) option: &'static str,
    clause: &'static str,
    kind: OptionKind<S>,
}

/// The kind of an option.
pub(super) enum OptionKind<S: 'static> {
    /// A number, written after a prefix.
    Amount { prefix: &'static str, allowed: Allowed, get: fn(&S) -> u32, set: fn(&mut S, u32) },
    /// One of some words, the usual one first.
    Choice(&'static [OptionWord<S>]),
}

/// The numbers that an amount may be.
#[derive(Clone, Copy)]
pub(super) enum Allowed {
    From(u32, u32),
    Among(&'static [u32]),
}

impl Allowed {
    fn range(self) -> Range {
        match self {
            Allowed::From(least, most) => Range::From { least, most },
            Allowed::Among(amounts) => {
                Range::Among(amounts.iter().map(ToString::to_string).collect())
            }
        }
    }
}

/// A value of an option: its name, its text in a code, and how it is read and set.
pub(super) struct OptionWord<S> {
    value: &'static str,
    token: &'static str,
    holds: fn(&S) -> bool,
    set: fn(&mut S),
}

const fn amount<S>(
    option: &'static str,
    clause: &'static str,
    prefix: &'static str,
    allowed: Allowed,
    get: fn(&S) -> u32,
    set: fn(&mut S, u32),
) -> OptionSpec<S> {
    OptionSpec { option, clause, kind: OptionKind::Amount { prefix, allowed, get, set } }
}

const fn from(least: u32, most: u32) -> Allowed {
    Allowed::From(least, most)
}

const fn choice<S>(
    option: &'static str,
    clause: &'static str,
    words: &'static [OptionWord<S>],
) -> OptionSpec<S> {
    OptionSpec { option, clause, kind: OptionKind::Choice(words) }
}

const fn word<S>(
    value: &'static str,
    token: &'static str,
    holds: fn(&S) -> bool,
    set: fn(&mut S),
) -> OptionWord<S> {
    OptionWord { value, token, holds, set }
}

pub(super) const CRUCE: [OptionSpec<cruce::Spec>; 9] = [
    amount("target", "C12", "", from(1, 99), |s| s.target, |s, n| s.target = n),
    amount("margin", "C12", "m", from(1, 99), |s| s.margin, |s, n| s.margin = n),
    amount("max_bid", "C6", "b", from(1, 6), |s| s.max_bid, |s, n| s.max_bid = n),
    choice(
        "bid_on",
        "C6",
        &[
            word("full", "full", |s| s.bid_on == BidOn::Full, |s| s.bid_on = BidOn::Full),
            word("three", "on3", |s| s.bid_on == BidOn::Three, |s| s.bid_on = BidOn::Three),
        ],
    ),
    choice(
        "all_pass",
        "C6",
        &[
            word(
                "opener",
                "opener",
                |s| s.all_pass == AllPass::Opener,
                |s| s.all_pass = AllPass::Opener,
            ),
            word(
                "redeal",
                "redeal",
                |s| s.all_pass == AllPass::Redeal,
                |s| s.all_pass = AllPass::Redeal,
            ),
        ],
    ),
    choice(
        "overtake",
        "C8",
        &[
            word("on", "beat", |s| s.overtake, |s| s.overtake = true),
            word("off", "nobeat", |s| !s.overtake, |s| s.overtake = false),
        ],
    ),
    choice(
        "calls",
        "C10",
        &[
            word(
                "declared",
                "declared",
                |s| s.calls == Calls::Declared,
                |s| s.calls = Calls::Declared,
            ),
            word(
                "automatic",
                "auto",
                |s| s.calls == Calls::Automatic,
                |s| s.calls = Calls::Automatic,
            ),
        ],
    ),
    choice(
        "others_score_on_failure",
        "C11",
        &[
            word(
                "yes",
                "others",
                |s| s.others_score_on_failure,
                |s| s.others_score_on_failure = true,
            ),
            word(
                "no",
                "noothers",
                |s| !s.others_score_on_failure,
                |s| s.others_score_on_failure = false,
            ),
        ],
    ),
    choice(
        "enforcement",
        "C15",
        &[
            word(
                "enforced",
                "enforced",
                |s| s.enforcement == Enforcement::Enforced,
                |s| s.enforcement = Enforcement::Enforced,
            ),
            word(
                "honour",
                "honour",
                |s| s.enforcement == Enforcement::Honour,
                |s| s.enforcement = Enforcement::Honour,
            ),
        ],
    ),
];

pub(super) const WHIST: [OptionSpec<whist::Spec>; 3] = [
    choice(
        "deals",
        "W2",
        &[
            word(
                "1-8-1",
                "181",
                |s| s.order == DealOrder::OneEightOne,
                |s| s.order = DealOrder::OneEightOne,
            ),
            word(
                "8-1-8",
                "818",
                |s| s.order == DealOrder::EightOneEight,
                |s| s.order = DealOrder::EightOneEight,
            ),
        ],
    ),
    choice(
        "trump_in_ones",
        "W3",
        &[
            word("yes", "trump1", |s| s.trump_in_ones, |s| s.trump_in_ones = true),
            word("no", "plain1", |s| !s.trump_in_ones, |s| s.trump_in_ones = false),
        ],
    ),
    amount("prize", "W7", "p", Allowed::Among(&[0, 5, 10]), |s| s.prize, |s, n| s.prize = n),
];

impl<S> OptionSpec<S> {
    /// Sets the option if a part of a code is one of its values.
    pub(super) fn set(&self, spec: &mut S, part: &str) -> bool {
        match &self.kind {
            OptionKind::Amount { prefix, set, .. } => {
                let amount = part.strip_prefix(prefix).and_then(number);
                amount.map(|amount| set(spec, amount)).is_some()
            }
            OptionKind::Choice(words) => {
                let word = words.iter().find(|word| word.token == part);
                word.map(|word| (word.set)(spec)).is_some()
            }
        }
    }

    /// The option's value in these rules, compared with the usual rules.
    fn value(&self, spec: &S, usual: &S) -> OptionValue {
        let (value, token) = self.written(spec);
        let usual = self.written(usual).1 == token;
        let range = self.range();
        OptionValue { option: self.option, value, token, clause: self.clause, usual, range }
    }

    fn range(&self) -> Range {
        match &self.kind {
            OptionKind::Amount { allowed, .. } => allowed.range(),
            OptionKind::Choice(words) => among(words.iter().map(|word| word.value)),
        }
    }

    /// Sets the option to a value by its name; returns whether there is such a value.
    fn choose(&self, spec: &mut S, value: &str) -> bool {
        match &self.kind {
            OptionKind::Amount { set, .. } => {
                number(value).map(|amount| set(spec, amount)).is_some()
            }
            OptionKind::Choice(words) => {
                let word = words.iter().find(|word| word.value == value);
                word.map(|word| (word.set)(spec)).is_some()
            }
        }
    }

    /// The option's value, and its text in a code.
    fn written(&self, spec: &S) -> (String, String) {
        match &self.kind {
            OptionKind::Amount { prefix, get, .. } => {
                (get(spec).to_string(), format!("{prefix}{}", get(spec)))
            }
            OptionKind::Choice(words) => {
                // The words of a choice cover all values of its type.
                let word = words.iter().find(|word| (word.holds)(spec)).unwrap_or(&words[0]);
                (word.value.into(), word.token.into())
            }
        }
    }

    /// The possible texts of the option in a code, for error messages.
    pub(super) fn expected(&self) -> String {
        match &self.kind {
            OptionKind::Amount { prefix: "", .. } => format!("a number ({})", self.option),
            OptionKind::Amount { prefix, .. } => format!("{prefix} and a number ({})", self.option),
            OptionKind::Choice(words) => {
                let tokens: Vec<&str> = words.iter().map(|word| word.token).collect();
                tokens.join(" or ")
            }
        }
    }
}

fn among(values: impl IntoIterator<Item = &'static str>) -> Range {
    Range::Among(values.into_iter().map(str::to_owned).collect())
}

/// A number of at most four digits, so that it always fits.
pub(super) fn number(digits: &str) -> Option<u32> {
    let plain = (1..=4).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| digits.parse().ok()).flatten()
}

/// The options that follow the starting point in a code.
pub(super) fn chosen(rules: &Rules) -> Vec<OptionValue> {
    match rules {
        Rules::Cruce(rules) => {
            let usual = cruce::Spec::classic(rules.spec().players);
            CRUCE.iter().map(|row| row.value(rules.spec(), &usual)).collect()
        }
        Rules::Whist(rules) => {
            let usual = whist::Spec::classic(rules.spec().players);
            WHIST.iter().map(|row| row.value(rules.spec(), &usual)).collect()
        }
    }
}

/// Every option with its value, the seats first.
pub(super) fn options(rules: &Rules) -> Vec<OptionValue> {
    let count = rules.players();
    let seat = |option, value: &str, token: &str, clause, usual, range| OptionValue {
        option,
        value: value.into(),
        token: token.into(),
        clause,
        usual,
        range,
    };
    let players = count.to_string();
    let mut options = match rules {
        Rules::Cruce(rules) => {
            let (value, token) = if rules.teams() { ("yes", "t") } else { ("no", "s") };
            let usual = rules.teams() == (count == 4);
            // Only four can play in teams (C2).
            let teams: &[_] = if count == 4 { &["yes", "no"] } else { &["no"] };
            vec![
                seat("players", &players, &players, "C2", count == 4, from(2, 4).range()),
                seat("teams", value, token, "C2", usual, among(teams.iter().copied())),
            ]
        }
        Rules::Whist(_) => {
            vec![seat("players", &players, &players, "W1", count == 4, from(3, 6).range())]
        }
    };
    options.extend(chosen(rules));
    options
}

/// The rules with another value of an option.
pub(super) fn with(rules: &Rules, option: &str, value: &str) -> Result<Rules, RulesFaults> {
    let mut spec = match rules {
        Rules::Cruce(rules) => RulesSpec::Cruce(*rules.spec()),
        Rules::Whist(rules) => RulesSpec::Whist(*rules.spec()),
    };
    let known = match (&mut spec, option) {
        (RulesSpec::Cruce(spec), "players") => number(value).map(|players| {
            // Four players play in teams by default (C2).
            let usual = players == 4 && spec.players != 4;
            (spec.teams, spec.players) = ((spec.teams || usual) && players == 4, players);
        }),
        (RulesSpec::Whist(spec), "players") => number(value).map(|players| spec.players = players),
        (RulesSpec::Cruce(spec), "teams") => match value {
            "yes" | "no" => {
                spec.teams = value == "yes";
                Some(())
            }
            _ => None,
        },
        (RulesSpec::Cruce(spec), _) => choose_in(&CRUCE, spec, option, value),
        (RulesSpec::Whist(spec), _) => choose_in(&WHIST, spec, option, value),
    };
    match known {
        Some(()) => spec.check(),
        None => {
            let (option, given) = (shorten(option), shorten(value));
            Err(RulesFaults(vec![RulesFault::NoSuchValue { option, given }]))
        }
    }
}

fn choose_in<S>(rows: &[OptionSpec<S>], spec: &mut S, option: &str, value: &str) -> Option<()> {
    let row = rows.iter().find(|row| row.option == option)?;
    row.choose(spec, value).then_some(())
}

/// Shortens and escapes a text that may be hostile.
pub(super) fn shorten(text: &str) -> String {
    text.chars().take(20).flat_map(char::escape_debug).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(code: &str) -> Rules {
        Rules::from_code(code).unwrap()
    }

    /// All values that an option may have.
    fn values(range: Range) -> Vec<String> {
        match range {
            Range::From { least, most } => (least..=most).map(|n| n.to_string()).collect(),
            Range::Among(values) => values,
        }
    }

    #[test]
    fn every_listed_value_can_be_chosen() {
        for code in ["classic", "classic2", "contest3", "cruce4s-15", "whist3", "whist6-818-p5"] {
            let rules = rules(code);
            for option in rules.options() {
                let values = values(option.range.clone());
                assert!(values.contains(&option.value), "{code}: {option:?}");
                for value in values {
                    let chosen = rules.with(option.option, &value);
                    let chosen = chosen.unwrap_or_else(|e| panic!("{code} {option:?}: {e}"));
                    let options = chosen.options();
                    let now = options.iter().find(|other| other.option == option.option).unwrap();
                    assert_eq!(now.value, value, "{code}: {}", option.option);
                    // Nothing else has changed.
                    let back = chosen.with(option.option, &option.value).unwrap();
                    let seats = ["players", "teams"].contains(&option.option);
                    assert!(seats || back == rules, "{code}: {} is not {back}", option.option);
                }
            }
        }
    }

    /// No game has such an option yet; a table of three words works like one of two.
    #[test]
    fn a_choice_may_have_three_values() {
        const WORDS: [OptionWord<u8>; 3] = [
            word("none", "j0", |spec| *spec == 0, |spec| *spec = 0),
            word("one", "j1", |spec| *spec == 1, |spec| *spec = 1),
            word("two", "j2", |spec| *spec == 2, |spec| *spec = 2),
        ];
        let jokers = choice("jokers", "C0", &WORDS);
        let mut spec = 0;
        for (chosen, (value, token)) in
            [("none", "j0"), ("one", "j1"), ("two", "j2")].iter().enumerate()
        {
            assert!(jokers.choose(&mut spec, value) && spec as usize == chosen);
            assert!(jokers.set(&mut spec, token));
            assert_eq!(jokers.written(&spec), (value.to_string(), token.to_string()));
        }
        assert!(!jokers.choose(&mut spec, "three") && !jokers.set(&mut spec, "j3") && spec == 2);
        assert_eq!(jokers.range(), among(["none", "one", "two"]));
        assert_eq!(jokers.expected(), "j0 or j1 or j2");
    }

    #[test]
    fn numbers_outside_the_range_cannot_be_chosen() {
        for code in ["classic", "whist4"] {
            for option in rules(code).options() {
                let beyond = match option.range {
                    Range::From { least, most } => vec![least - 1, most + 1],
                    Range::Among(values) if values[0].parse::<u32>().is_err() => continue,
                    Range::Among(_) => vec![1, 11],
                };
                for number in beyond {
                    let chosen = rules(code).with(option.option, &number.to_string());
                    assert!(chosen.is_err(), "{code}: {} {number}", option.option);
                }
            }
        }
    }

    #[test]
    fn the_number_of_players_decides_about_teams() {
        let with = |code: &str, option, value| rules(code).with(option, value).map(|r| r.code());
        assert_eq!(with("cruce3-15", "players", "4"), Ok("cruce4t-15".into()));
        assert_eq!(with("cruce4t-15", "players", "3"), Ok("cruce3-15".into()));
        assert_eq!(with("cruce4s-15", "players", "4"), Ok("cruce4s-15".into()));
        assert!(with("cruce3-15", "teams", "yes").is_err());
    }

    #[test]
    fn unknown_options_and_values_are_reported() {
        for (option, value) in [("jokers", "2"), ("calls", "loud"), ("target", "many"), ("", "")] {
            let faults = rules("classic").with(option, value).unwrap_err();
            let fault = RulesFault::NoSuchValue { option: option.into(), given: value.into() };
            assert_eq!(faults.faults(), [fault]);
        }
        assert!(rules("whist4").with("teams", "yes").is_err());
    }
}
