//! On honour tables: finds a card that certainly broke a duty (C15).
//!
//! A player who plays or shows a card that they owed in an earlier trick has revoked. That is
//! certain, so it is challenged.

use cards::{CardSet, Seat};
use game::duty::ruled_out;
use game::{Action, Rules, View};

/// The challenge that the viewer cannot lose, if there is one.
pub(crate) fn certain_challenge(view: &View) -> Option<Action> {
    let (public, round) = (view.public(), view.public().round()?);
    let Rules::Cruce(rules) = public.rules() else { return None };
    if !public.rules().honour() {
        return None;
    }
    let players = rules.players();
    // While the stock lasts there are no duties, and a card may be drawn later (C13).
    let free = rules.stock() / 2;
    let held_later = |accused: Seat, trick: usize| {
        let later = round.tricks().iter().skip(trick + 1).chain([round.trick()]);
        let played = later.filter_map(|trick| trick.card_of(accused, players));
        played.collect::<CardSet>() | round.shown()[accused]
    };
    let broken = |action: &Action| {
        let Action::Challenge { trick, accused } = *action else { return false };
        let at = usize::from(trick);
        let Some(judged) = round.tricks().get(at).filter(|_| at >= free) else { return false };
        let Some(card) = judged.card_of(accused, players) else { return false };
        let laid = accused.steps_from(judged.leader(), players);
        let lead = judged.before(laid, round.trump(), players).lead();
        let owed = ruled_out(card, lead, round.trump(), rules.spec().overtake);
        !(owed & held_later(accused, at)).is_empty()
    };
    view.actions().into_iter().find(broken)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accused(view: &str) -> Option<Action> {
        certain_challenge(&view.parse::<View>().expect("a view"))
    }

    #[test]
    fn only_a_card_that_was_owed_and_is_played_later_is_challenged() {
        // Seat 2 discarded a leaf on the ace of bells; later it has the ten of bells.
        let view = "cruce4t-honour seat=3 hand=9bAlXaAaXh bids=1.0.0.0 play=Ab.9l.2b.3b.4b";
        let seat = Seat::new(1).expect("there is a seat 2");
        let challenge = Action::Challenge { trick: 0, accused: seat };
        assert_eq!(accused(&format!("{view}.Xb")), Some(challenge));
        assert_eq!(accused(&format!("{view}.Xl")), None);
        let enforced = view.replace("-honour", "");
        assert_eq!(accused(&format!("{enforced}.Xl")), None);
    }
}
