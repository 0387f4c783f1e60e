//! The options as data: one table a game, which the parser and the printer of
//! rules codes and the list of options all read.

use super::{OptionValue, Rules};
use crate::cruce::{self, AllPass, BidOn, Calls, Enforcement};
use crate::whist::{self, Order};

/// An option of a game: a row of its table.
pub(super) struct Row<S: 'static> {
    pub(super) option: &'static str,
    clause: &'static str,
    kind: Kind<S>,
}

/// What an option can be.
pub(super) enum Kind<S: 'static> {
    /// A number, written after a prefix.
    Amount { prefix: &'static str, get: fn(&S) -> u32, set: fn(&mut S, u32) },
    /// One of two words.
    Choice([Word<S>; 2]),
}

/// A value of an option: its name, how it is written in a code, and how it is kept.
pub(super) struct Word<S> {
    value: &'static str,
    token: &'static str,
    holds: fn(&S) -> bool,
    set: fn(&mut S),
}

pub(super) const CRUCE: [Row<cruce::Spec>; 9] = [
    Row {
        option: "target",
        clause: "C12",
        kind: Kind::Amount { prefix: "", get: |s| s.target, set: |s, n| s.target = n },
    },
    Row {
        option: "margin",
        clause: "C12",
        kind: Kind::Amount { prefix: "m", get: |s| s.margin, set: |s, n| s.margin = n },
    },
    Row {
        option: "max_bid",
        clause: "C6",
        kind: Kind::Amount { prefix: "b", get: |s| s.max_bid, set: |s, n| s.max_bid = n },
    },
    Row {
        option: "bid_on",
        clause: "C6",
        kind: Kind::Choice([
            Word {
                value: "full",
                token: "full",
                holds: |s| s.bid_on == BidOn::Full,
                set: |s| s.bid_on = BidOn::Full,
            },
            Word {
                value: "three",
                token: "on3",
                holds: |s| s.bid_on == BidOn::Three,
                set: |s| s.bid_on = BidOn::Three,
            },
        ]),
    },
    Row {
        option: "all_pass",
        clause: "C6",
        kind: Kind::Choice([
            Word {
                value: "opener",
                token: "opener",
                holds: |s| s.all_pass == AllPass::Opener,
                set: |s| s.all_pass = AllPass::Opener,
            },
            Word {
                value: "redeal",
                token: "redeal",
                holds: |s| s.all_pass == AllPass::Redeal,
                set: |s| s.all_pass = AllPass::Redeal,
            },
        ]),
    },
    Row {
        option: "overtake",
        clause: "C8",
        kind: Kind::Choice([
            Word { value: "on", token: "beat", holds: |s| s.overtake, set: |s| s.overtake = true },
            Word {
                value: "off",
                token: "nobeat",
                holds: |s| !s.overtake,
                set: |s| s.overtake = false,
            },
        ]),
    },
    Row {
        option: "calls",
        clause: "C10",
        kind: Kind::Choice([
            Word {
                value: "declared",
                token: "declared",
                holds: |s| s.calls == Calls::Declared,
                set: |s| s.calls = Calls::Declared,
            },
            Word {
                value: "automatic",
                token: "auto",
                holds: |s| s.calls == Calls::Automatic,
                set: |s| s.calls = Calls::Automatic,
            },
        ]),
    },
    Row {
        option: "others_score_on_failure",
        clause: "C11",
        kind: Kind::Choice([
            Word {
                value: "yes",
                token: "others",
                holds: |s| s.others_score_on_failure,
                set: |s| s.others_score_on_failure = true,
            },
            Word {
                value: "no",
                token: "noothers",
                holds: |s| !s.others_score_on_failure,
                set: |s| s.others_score_on_failure = false,
            },
        ]),
    },
    Row {
        option: "enforcement",
        clause: "C15",
        kind: Kind::Choice([
            Word {
                value: "enforced",
                token: "enforced",
                holds: |s| s.enforcement == Enforcement::Enforced,
                set: |s| s.enforcement = Enforcement::Enforced,
            },
            Word {
                value: "honour",
                token: "honour",
                holds: |s| s.enforcement == Enforcement::Honour,
                set: |s| s.enforcement = Enforcement::Honour,
            },
        ]),
    },
];

pub(super) const WHIST: [Row<whist::Spec>; 3] = [
    Row {
        option: "deals",
        clause: "W2",
        kind: Kind::Choice([
            Word {
                value: "1-8-1",
                token: "181",
                holds: |s| s.order == Order::OneEightOne,
                set: |s| s.order = Order::OneEightOne,
            },
            Word {
                value: "8-1-8",
                token: "818",
                holds: |s| s.order == Order::EightOneEight,
                set: |s| s.order = Order::EightOneEight,
            },
        ]),
    },
    Row {
        option: "trump_in_ones",
        clause: "W3",
        kind: Kind::Choice([
            Word {
                value: "yes",
                token: "trump1",
                holds: |s| s.trump_in_ones,
                set: |s| s.trump_in_ones = true,
            },
            Word {
                value: "no",
                token: "plain1",
                holds: |s| !s.trump_in_ones,
                set: |s| s.trump_in_ones = false,
            },
        ]),
    },
    Row {
        option: "prize",
        clause: "W7",
        kind: Kind::Amount { prefix: "p", get: |s| s.prize, set: |s, n| s.prize = n },
    },
];

impl<S> Row<S> {
    /// Sets the option if a part of a code is one of its values.
    pub(super) fn set(&self, spec: &mut S, part: &str) -> bool {
        match &self.kind {
            Kind::Amount { prefix, set, .. } => {
                let amount = part.strip_prefix(prefix).and_then(number);
                amount.map(|amount| set(spec, amount)).is_some()
            }
            Kind::Choice(words) => {
                let word = words.iter().find(|word| word.token == part);
                word.map(|word| (word.set)(spec)).is_some()
            }
        }
    }

    /// The option's value in these rules, beside the usual ones.
    fn value(&self, spec: &S, usual: &S) -> OptionValue {
        let (value, token) = self.written(spec);
        let usual = self.written(usual).1 == token;
        OptionValue { option: self.option, value, token, clause: self.clause, usual }
    }

    /// The option's value, and how it stands in a code.
    fn written(&self, spec: &S) -> (String, String) {
        match &self.kind {
            Kind::Amount { prefix, get, .. } => {
                (get(spec).to_string(), format!("{prefix}{}", get(spec)))
            }
            Kind::Choice([first, second]) => {
                let word = if (first.holds)(spec) { first } else { second };
                (word.value.into(), word.token.into())
            }
        }
    }

    /// What a code can say about the option, for messages.
    pub(super) fn expected(&self) -> String {
        match &self.kind {
            Kind::Amount { prefix: "", .. } => format!("a number ({})", self.option),
            Kind::Amount { prefix, .. } => format!("{prefix} and a number ({})", self.option),
            Kind::Choice([first, second]) => format!("{} or {}", first.token, second.token),
        }
    }
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
    let seat = |option, value: &str, token: &str, clause, usual| OptionValue {
        option,
        value: value.into(),
        token: token.into(),
        clause,
        usual,
    };
    let players = count.to_string();
    let mut options = match rules {
        Rules::Cruce(rules) => {
            let (value, token) = if rules.teams() { ("yes", "t") } else { ("no", "s") };
            let usual = rules.teams() == (count == 4);
            vec![
                seat("players", &players, &players, "C2", count == 4),
                seat("teams", value, token, "C2", usual),
            ]
        }
        Rules::Whist(_) => vec![seat("players", &players, &players, "W1", count == 4)],
    };
    options.extend(chosen(rules));
    options
}
