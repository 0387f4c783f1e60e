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

const fn amount<S>(
    option: &'static str,
    clause: &'static str,
    prefix: &'static str,
    get: fn(&S) -> u32,
    set: fn(&mut S, u32),
) -> Row<S> {
    Row { option, clause, kind: Kind::Amount { prefix, get, set } }
}

const fn choice<S>(option: &'static str, clause: &'static str, words: [Word<S>; 2]) -> Row<S> {
    Row { option, clause, kind: Kind::Choice(words) }
}

const fn word<S>(
    value: &'static str,
    token: &'static str,
    holds: fn(&S) -> bool,
    set: fn(&mut S),
) -> Word<S> {
    Word { value, token, holds, set }
}

pub(super) const CRUCE: [Row<cruce::Spec>; 9] = [
    amount("target", "C12", "", |s| s.target, |s, n| s.target = n),
    amount("margin", "C12", "m", |s| s.margin, |s, n| s.margin = n),
    amount("max_bid", "C6", "b", |s| s.max_bid, |s, n| s.max_bid = n),
    choice(
        "bid_on",
        "C6",
        [
            word("full", "full", |s| s.bid_on == BidOn::Full, |s| s.bid_on = BidOn::Full),
            word("three", "on3", |s| s.bid_on == BidOn::Three, |s| s.bid_on = BidOn::Three),
        ],
    ),
    choice(
        "all_pass",
        "C6",
        [
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
        [
            word("on", "beat", |s| s.overtake, |s| s.overtake = true),
            word("off", "nobeat", |s| !s.overtake, |s| s.overtake = false),
        ],
    ),
    choice(
        "calls",
        "C10",
        [
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
        [
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
        [
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

pub(super) const WHIST: [Row<whist::Spec>; 3] = [
    choice(
        "deals",
        "W2",
        [
            word(
                "1-8-1",
                "181",
                |s| s.order == Order::OneEightOne,
                |s| s.order = Order::OneEightOne,
            ),
            word(
                "8-1-8",
                "818",
                |s| s.order == Order::EightOneEight,
                |s| s.order = Order::EightOneEight,
            ),
        ],
    ),
    choice(
        "trump_in_ones",
        "W3",
        [
            word("yes", "trump1", |s| s.trump_in_ones, |s| s.trump_in_ones = true),
            word("no", "plain1", |s| !s.trump_in_ones, |s| s.trump_in_ones = false),
        ],
    ),
    amount("prize", "W7", "p", |s| s.prize, |s, n| s.prize = n),
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
