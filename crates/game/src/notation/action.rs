//! Actions as short texts: `2`, `4b`, `4b!`, `?2:1:3`, `ok`.

use core::fmt;
use core::str::FromStr;

use arrayvec::ArrayString;
use cards::Seat;
use thiserror::Error;

use super::cards::parse_card;
use crate::action::Action;
use crate::rules::Rules;

/// The longest text of an action, such as `?6:8:6`, with room to spare.
const MAX_TEXT: usize = 8;

/// How much of a wrong text an error repeats.
const MAX_SHOWN: usize = 120;

/// An action as it is written in messages and logs. What it means depends on the pack of the
/// rules and on the seat: [`ActionText::read`] returns the action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ActionText(ArrayString<MAX_TEXT>);

/// A text that is not an action of these rules.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "{found:?} is no action; there are bids (2), cards (4b), calls (4b!), challenges (?2:1:3) and ok"
)]
pub struct InvalidAction {
    /// The text, or the beginning of it.
    pub found: String,
}

impl InvalidAction {
    fn new(text: &str) -> InvalidAction {
        let mut found: String = text.chars().take(MAX_SHOWN).collect();
        if found.len() < text.len() {
            found.push('…');
        }
        InvalidAction { found }
    }
}

impl ActionText {
    /// The text of an action of a seat.
    pub fn new(rules: &Rules, seat: Seat, action: Action) -> ActionText {
        let mut text = ArrayString::new();
        // No action is longer than the capacity; the tests write all of them.
        let _ = write(&mut text, rules, seat, action);
        ActionText(text)
    }

    /// The action of a seat that this text means. Whether it is legal is another question.
    pub fn read(&self, rules: &Rules, seat: Seat) -> Result<Action, InvalidAction> {
        parse_action(rules, seat, self)
    }
}

impl core::ops::Deref for ActionText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ActionText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl FromStr for ActionText {
    type Err = InvalidAction;

    /// Any text that is short enough: what it means is not known without rules.
    fn from_str(text: &str) -> Result<ActionText, InvalidAction> {
        ArrayString::from(text).map(ActionText).map_err(|_| InvalidAction::new(text))
    }
}

fn write(out: &mut impl fmt::Write, rules: &Rules, seat: Seat, action: Action) -> fmt::Result {
    match action {
        Action::Bid(bid) => write!(out, "{bid}"),
        Action::Play { card, call } => {
            let pack = rules.pack();
            write!(out, "{}{}", pack.rank_letter(card.rank()), pack.suit_letter(card.suit()))?;
            if call { out.write_char('!') } else { Ok(()) }
        }
        Action::Challenge { trick, accused } => {
            write!(out, "?{}:{}:{}", seat.number(), trick + 1, accused.number())
        }
        Action::Accept => out.write_str("ok"),
    }
}

/// The text of an action of a seat.
pub fn action_text(rules: &Rules, seat: Seat, action: Action) -> String {
    ActionText::new(rules, seat, action).to_string()
}

/// The action of a seat that a text means. Whether it is legal is another question.
pub fn parse_action(rules: &Rules, seat: Seat, text: &str) -> Result<Action, InvalidAction> {
    let read = || match text {
        "ok" => Some(Action::Accept),
        _ if text.starts_with('?') => challenge(rules, seat, &text[1..]),
        _ if text.bytes().all(|byte| byte.is_ascii_digit()) => number(text).map(Action::Bid),
        _ => {
            let (name, call) = text.strip_suffix('!').map_or((text, false), |name| (name, true));
            parse_card(rules.pack(), name).ok().map(|card| Action::Play { card, call })
        }
    };
    read().ok_or_else(|| InvalidAction::new(text))
}

/// One or two digits, without a leading zero.
fn number(text: &str) -> Option<u8> {
    let plain = text.len() <= 2 && (text == "0" || !text.starts_with('0'));
    text.parse().ok().filter(|_| plain)
}

fn challenge(rules: &Rules, seat: Seat, text: &str) -> Option<Action> {
    let mut parts = text.split(':').map(number);
    let mut next = || parts.next().flatten();
    let (by, trick, accused) = (next()?, next()?.checked_sub(1)?, next()?.checked_sub(1)?);
    let accused = Seat::new(accused.into()).filter(|seat| seat.index() < rules.players())?;
    let whole = usize::from(by) == seat.number() && parts.next().is_none();
    whole.then_some(Action::Challenge { trick, accused })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every action that the types allow, legal or not, keeps its meaning.
    #[test]
    fn every_action_is_read_as_it_was_written() {
        for code in ["cruce4t-21-honour", "cruce2", "whist6"] {
            let rules = Rules::from_code(code).expect("rules");
            let cards = rules.pack().cards();
            let plays =
                cards.iter().flat_map(|card| [false, true].map(|call| Action::Play { card, call }));
            let seats = || Seat::first(rules.players());
            let challenges = seats()
                .flat_map(|accused| (0..8).map(move |trick| Action::Challenge { trick, accused }));
            let bids = (0..=13).map(Action::Bid);
            for action in plays.chain(challenges).chain(bids).chain([Action::Accept]) {
                for seat in seats() {
                    let text = ActionText::new(&rules, seat, action);
                    assert_eq!(text.read(&rules, seat), Ok(action), "{code} {text}");
                    assert_eq!(text.parse(), Ok(text));
                }
            }
        }
    }
}
