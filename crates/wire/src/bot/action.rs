//! Actions as the bot protocol writes them: short texts that can be echoed.

use cards::Seat;
use game::notation::{card_text, parse_card};
use game::{Action, Rules};
use thiserror::Error;

/// A text that is no action of these rules.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "{found:?} is no action; there are bids (2), cards (4b), calls (4b!), challenges (?2:1:3) and ok"
)]
pub struct InvalidAction {
    /// The text, or the beginning of it.
    pub found: String,
}

/// An action of a seat: `2`, `4b`, `4b!`, `?2:1:3` or `ok`.
pub fn action_text(rules: &Rules, seat: Seat, action: Action) -> String {
    match action {
        Action::Bid(bid) => bid.to_string(),
        Action::Play { card, call } => {
            format!("{}{}", card_text(rules.pack(), card), if call { "!" } else { "" })
        }
        Action::Challenge { trick, accused } => {
            format!("?{}:{}:{}", seat.number(), trick + 1, accused.number())
        }
        Action::Accept => "ok".into(),
    }
}

/// The action that a text of this seat means; whether it is legal is another question.
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
    read().ok_or_else(|| InvalidAction { found: crate::message::shortened(text) })
}

/// One or two digits, and no other way to write the same number.
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
