//! Advice: what the strong bot would do on a seat, and what every other action is worth.

use cards::{Card, Seat};
use game::deal::Seed;
use game::public::Phase;
use game::{Action, Rules, View, Viewer};
use solver::Limit;
use thiserror::Error;

use crate::beliefs::Beliefs;
use crate::challenge::certain_challenge;
use crate::hard::{Hard, WeighedAction, best};
use crate::strength;
use crate::tricks::WhistDeal;

/// The strong bot gives bids that it does not weigh a worth below this; no weighed action is so bad.
const MIN_WEIGHED_WORTH: f64 = -99.0;

/// A search that has seen less than this part of its worlds was stopped.
const COMPLETE: f64 = 0.999;

/// Asks the strong bot for advice.
pub struct Advisor(Hard);

/// The choice of the strong bot, and its reasons.
#[derive(Clone, PartialEq, Debug)]
pub struct Advice {
    /// The best action. Only differences between worths are meaningful.
    pub best: WeighedAction,
    /// The other weighed actions, the best first.
    pub others: Vec<WeighedAction>,
    /// The actions that were not weighed: bids far from what the hand promises, leads of a pair
    /// without calling it, and all other actions if a card can be challenged that certainly broke a
    /// duty (C15).
    pub unweighed: Vec<Action>,
    /// The number of possible distributions of the cards that the seat does not see.
    pub ways: u128,
    /// During bidding, a quick estimate: the points of the seat's side if it declares (Cruce), or the
    /// tricks that the seat takes (whist).
    pub estimate: Option<f64>,
    /// Whether no player who has yet to play to the trick can hold a card that beats the best card.
    pub unbeatable: bool,
    /// Whether the limit was reached, so that the worths are rough.
    pub rough: bool,
}

/// Why there is no advice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum NoAdvice {
    /// The viewer has nothing to decide.
    #[error("there is nothing to decide here")]
    NothingToDo,
    /// No deal agrees with the view; a table never produces such a view.
    #[error("no deal could have led to this view")]
    Impossible,
    /// The limit was reached before anything was weighed.
    #[error("the limit was reached before anything was weighed")]
    Stopped,
}

impl Advisor {
    /// Creates an advisor.
    pub fn new() -> Advisor {
        Advisor(Hard::new())
    }

    /// Returns what the strong bot would do with the same view, seed and limit.
    pub fn advise(
        &mut self,
        view: &View,
        seed: Seed,
        limit: Limit<'_>,
    ) -> Result<Advice, NoAdvice> {
        let Viewer::Seat(seat) = view.viewer() else { return Err(NoAdvice::NothingToDo) };
        let (actions, challenge) = (view.lawful_actions(), certain_challenge(view));
        if actions.is_empty() && challenge.is_none() {
            return Err(NoAdvice::NothingToDo);
        }
        let beliefs = Beliefs::new(view).ok_or(NoAdvice::Impossible)?;
        if let Some(action) = challenge {
            return Ok(Advice {
                best: WeighedAction { action, worth: 0.0 },
                others: Vec::new(),
                unweighed: actions,
                ways: beliefs.world_count(),
                estimate: None,
                unbeatable: false,
                rough: false,
            });
        }
        let thought = self.0.weigh(view, seed, limit).ok_or(NoAdvice::NothingToDo)?;
        if thought.seen == 0.0 {
            return Err(NoAdvice::Stopped);
        }
        let (weighed, rough) = (thought.weighed, thought.seen < COMPLETE);
        let best = best(&weighed).ok_or(NoAdvice::NothingToDo)?;
        let mut others = weighed;
        others.retain(|one| one.action != best.action && one.worth >= MIN_WEIGHED_WORTH);
        others.sort_by(|one, two| two.worth.total_cmp(&one.worth));
        let mut unweighed = actions;
        unweighed.retain(|action| {
            *action != best.action && others.iter().all(|one| one.action != *action)
        });
        Ok(Advice {
            unbeatable: is_unbeatable(view, seat, best.action, &beliefs),
            best,
            others,
            unweighed,
            ways: beliefs.world_count(),
            estimate: estimate(view),
            rough,
        })
    }
}

impl Default for Advisor {
    fn default() -> Advisor {
        Advisor::new()
    }
}

/// The estimate for the hand, during bidding.
fn estimate(view: &View) -> Option<f64> {
    let Phase::Bidding(auction) = view.public().phase() else { return None };
    Some(match view.public().rules() {
        Rules::Cruce(rules) => strength::estimate(rules, view.hand()),
        rules @ Rules::Whist(_) => {
            let (pack, trump) = (rules.pack().cards(), auction.turned().map(Card::suit));
            WhistDeal { pack, players: rules.players(), trump }.estimate(view.hand())
        }
    })
}

/// Whether this card would be winning, and no player after the seat can beat it.
fn is_unbeatable(view: &View, seat: Seat, action: Action, beliefs: &Beliefs) -> bool {
    let (Action::Play { card, .. }, Some(round)) = (action, view.public().round()) else {
        return false;
    };
    let rules = view.public().rules();
    // The first card led makes trump (C7).
    let led = matches!(rules, Rules::Cruce(_)).then_some(card.suit());
    let trump = round.trump().or(led);
    let wins = round.trick().lead().is_none_or(|lead| card.beats(lead.best, trump));
    let after = rules.players() - round.trick().cards().len() - 1;
    let mut others = (1..=after).map(|step| seat.after(step, rules.players()));
    wins && others.all(|other| !beliefs.may_hold(other).iter().any(|held| held.beats(card, trump)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Level;

    fn view(text: &str) -> View {
        text.parse().unwrap_or_else(|fault| panic!("{text}: {fault}"))
    }

    fn advise(text: &str, nodes: u64) -> Result<Advice, NoAdvice> {
        Advisor::new().advise(&view(text), Seed([7; 32]), Limit::nodes(nodes))
    }

    const VIEWS: [&str; 8] = [
        "cruce4t seat=1 hand=AX4b3l9a9h",
        "cruce4t seat=1 hand=AX43b3l9a bids=2.0.0.0",
        "cruce4t seat=1 hand=X43b9l9h bids=1.0.0.0 play=Ab.9b.2b.3l",
        "contest seat=2 hand=4bXl9h bids=0",
        "cruce2 seat=1 hand=AX432bAX9l bids=1.0",
        "whist4 deal=9 seat=2 hand=AQcJ8dTs7h turned=9h bids=1",
        "whist4 deal=9 seat=2 hand=AQcJ8dTs7h turned=9h bids=1.2.1.1 play=Kc",
        "cruce4t-b2 seat=2 hand=X43bA9l9h bids=2",
    ];

    #[test]
    fn the_advice_is_what_the_strong_bot_does() {
        for text in VIEWS {
            let (view, seed, limit) = (view(text), Seed([7; 32]), Limit::nodes(20_000));
            let advice = Advisor::new().advise(&view, seed, limit).expect(text);
            let act = Level::Hard.bot().act(&view, seed, limit);
            assert_eq!(Some(advice.best.action), act, "{text}");
            let weighed = std::iter::once(&advice.best).chain(&advice.others);
            assert!(weighed.clone().is_sorted_by(|one, two| one.worth >= two.worth), "{text}");
            let mut all: Vec<Action> = weighed.map(|one| one.action).collect();
            all.extend(&advice.unweighed);
            all.sort();
            let mut lawful = view.lawful_actions();
            lawful.sort();
            assert_eq!(all, lawful, "{text}");
        }
    }

    #[test]
    fn unweighed_actions_have_no_worth() {
        let bids = advise(VIEWS[5], 20_000).expect("a bid").unweighed;
        assert_eq!(bids, [5, 6].map(Action::Bid));
        let leads = advise(VIEWS[2], 20_000).expect("a lead").unweighed;
        assert!(leads.iter().all(|action| matches!(action, Action::Play { call: false, .. })));
        assert_eq!(leads.len(), 2, "both cards of the pair, led without calling it");
    }

    #[test]
    fn a_card_is_unbeatable_only_if_no_later_player_can_hold_a_better_one() {
        // Deals with one card each.
        for (deal, unbeatable) in [
            ("whist3 deal=1 seat=3 hand=Ah turned=9h bids=0.0.0 play=Kc.Qc", true),
            ("whist3 deal=1 seat=2 hand=Ah turned=9h bids=0.0.0 play=Kc", true),
            ("whist3 deal=1 seat=2 hand=Kh turned=9h bids=0.0.0 play=Kc", false),
            ("whist3 deal=1 seat=2 hand=Kh turned=Ah bids=0.0.0 play=Kc", true),
            ("whist3 deal=1 seat=2 hand=Ac turned=9h bids=0.0.0 play=Kc", false),
            ("whist3 deal=1 seat=2 hand=9c turned=9h bids=0.0.0 play=Kc", false),
            ("whist3 deal=1 seat=1 hand=Ah turned=9h bids=0.0.0", true),
        ] {
            assert_eq!(
                advise(deal, 1000).map(|advice| advice.unbeatable),
                Ok(unbeatable),
                "{deal}"
            );
        }
        // The first card of Cruce makes trump, so that its ace cannot be beaten.
        let lead = advise("cruce4t seat=1 hand=AX432b9a bids=2.0.0.0", 20_000).expect("a lead");
        assert!(lead.unbeatable, "{lead:?}");
    }

    #[test]
    fn a_card_that_broke_a_duty_is_challenged_in_turn_and_out_of_turn() {
        // Seat 2 discarded a leaf on the ace of bells; later it has the ten of bells.
        for (seat, hand) in [(3, "9bAlAXaXh"), (1, "Xl9aA9h")] {
            let text = format!(
                "cruce4t-honour seat={seat} hand={hand} bids=1.0.0.0 play=Ab.9l.2b.3b.4b.Xb"
            );
            let advice = advise(&text, 0);
            let accused = Seat::new(1).expect("there is a seat 2");
            let challenge = Ok(Action::Challenge { trick: 0, accused });
            assert_eq!(advice.map(|advice| advice.best.action), challenge, "{text}");
        }
    }

    #[test]
    fn there_is_no_advice_without_a_choice_or_a_deal() {
        for (text, nodes, why) in [
            ("cruce4t seat=-", 1000, NoAdvice::NothingToDo),
            ("cruce4t seat=1 score=21/3 phase=over", 1000, NoAdvice::NothingToDo),
            ("cruce4t seat=2 hand=X43bA9l9h bids=1.0.0.0", 1000, NoAdvice::NothingToDo),
            (
                "cruce4t seat=2 hand=92l bids=1.0.0.0 \
                 play=Ab.9b.2b.3l.9h.Ah.2h.Xh.Aa.9a.Xa.4a.Xl.3a.4l.Al.2a",
                1000,
                NoAdvice::Impossible,
            ),
            (VIEWS[0], 0, NoAdvice::Stopped),
        ] {
            assert_eq!(advise(text, nodes).map(|_| ()), Err(why), "{text}");
        }
    }
}
