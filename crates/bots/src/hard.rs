//! The strong player.
//!
//! It thinks of worlds that agree with the view, more often of those in which the
//! others' bids and cards make sense, solves them with all cards open, and takes
//! what is worth most on average: not in points, but in what the score and the
//! match make of them.

mod cruce;
mod endgame;
mod think;
mod whist;

use cards::{BySeat, CardSet, Seat};
use game::deal::{Lots, Seed};
use game::public::Phase;
use game::{Action, Public, Rules, View, Viewer};
use solver::Limit;

use crate::accuse::accuse;
use crate::resolve::Resolver;
use crate::{Bot, easy, sensible, sensible_actions};

/// An action and what it is worth, in points of score.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Weighed {
    /// What may be done.
    pub action: Action,
    /// What it is worth to the seat.
    pub worth: f64,
}

/// What came of thinking.
pub(crate) struct Thought {
    pub(crate) weighed: Vec<Weighed>,
    /// How much of what was to be thought about was: all at one, nothing at nought.
    pub(crate) seen: f64,
}

/// The strong player.
pub(crate) struct Hard {
    resolver: Resolver,
}

impl Hard {
    pub(crate) fn new() -> Hard {
        Hard { resolver: Resolver::new() }
    }

    /// What may be done, each with its worth.
    pub(crate) fn weigh(&mut self, view: &View, seed: Seed, limit: Limit<'_>) -> Option<Thought> {
        let Viewer::Seat(seat) = view.viewer() else { return None };
        let actions = sensible_actions(view);
        let mut lots = Lots::new(seed, 0);
        let even = |action: &Action| Weighed { action: *action, worth: 0.0 };
        let mut weighed: Vec<Weighed> = actions.iter().map(even).collect();
        if weighed.len() < 2 {
            return Some(Thought { weighed, seen: 1.0 });
        }
        let mind = Thinking { view, seat, limit };
        let seen = match (view.public().rules(), view.public().phase()) {
            (Rules::Cruce(rules), Phase::Bidding(_)) => {
                self.weigh_bids(&mind, rules, &mut lots, &mut weighed)
            }
            (Rules::Cruce(rules), Phase::Playing(_)) => {
                self.weigh_cards(&mind, rules, &mut lots, &mut weighed)
            }
            (Rules::Whist(rules), Phase::Bidding(_)) => {
                self.weigh_bids_of_whist(&mind, rules, &mut lots, &mut weighed)
            }
            (Rules::Whist(rules), Phase::Playing(_)) => {
                self.weigh_cards_of_whist(&mind, rules, &mut lots, &mut weighed)
            }
            (_, Phase::Dealing | Phase::Over) => None,
        };
        let seen = seen.unwrap_or(0.0);
        if seen > 0.0 {
            // A search that was stopped has seen a part of what there is.
            weighed.iter_mut().for_each(|one| one.worth /= seen);
        } else {
            prefer(view, &mut weighed);
        }
        Some(Thought { weighed, seen })
    }
}

/// Who thinks, about what, and for how long.
struct Thinking<'a> {
    view: &'a View,
    seat: Seat,
    limit: Limit<'a>,
}

impl<'a> Thinking<'a> {
    /// What is left of the limit when so much has been spent; nothing when it is
    /// time to stop.
    fn rest(&self, spent: u64) -> Option<Limit<'a>> {
        let nodes = self.limit.nodes.saturating_sub(spent);
        (nodes > 0 && !(self.limit.stop)()).then_some(Limit { nodes, ..self.limit })
    }
}

impl Bot for Hard {
    fn act(&mut self, view: &View, seed: Seed, limit: Limit<'_>) -> Option<Action> {
        accuse(view)
            .or_else(|| best(&self.weigh(view, seed, limit)?.weighed).map(|best| best.action))
    }
}

/// The one that is worth most; of equals the last.
pub(crate) fn best(weighed: &[Weighed]) -> Option<Weighed> {
    weighed.iter().copied().max_by(|one, two| one.worth.total_cmp(&two.worth))
}

/// Without time to think: what a look at the hand suggests is a little better.
fn prefer(view: &View, weighed: &mut [Weighed]) {
    let suggested = match view.public().phase() {
        Phase::Bidding(_) => sensible::bid(view, 0.0),
        _ => easy::hurried(view),
    };
    for one in weighed {
        one.worth = if Some(one.action) == suggested { 0.0 } else { -0.01 };
    }
}

/// What each seat has played in this deal.
fn played(public: &Public) -> BySeat<CardSet> {
    let players = public.rules().players();
    let mut played = BySeat::filled(CardSet::EMPTY, players);
    if let Some(round) = public.round() {
        for trick in round.tricks().iter().chain([round.trick()]) {
            trick.plays(players).for_each(|(seat, card)| played[seat].insert(card));
        }
    }
    played
}
