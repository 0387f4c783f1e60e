//! The strong bot.
//!
//! It draws worlds that agree with the view, preferring those in which the others' bids and cards
//! make sense, solves them with all cards open, and takes the action with the highest average worth:
//! not in points, but in their effect on the score and the match.

mod cruce;
mod endgame;
mod selection;
mod whist;

use cards::{BySeat, CardSet, Seat};
use game::deal::{RandomStream, Seed};
use game::public::Phase;
use game::{Action, Public, Rules, View, Viewer};
use solver::Limit;

use crate::challenge::certain_challenge;
use crate::world_solver::WorldSolver;
use crate::{Bot, easy, sensible, sensible_actions};

/// An action and what it is worth, in points of score.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WeighedAction {
    /// The action.
    pub action: Action,
    /// Its worth to the seat.
    pub worth: f64,
}

/// The result of a search.
pub(crate) struct Thought {
    pub(crate) weighed: Vec<WeighedAction>,
    /// The part of the search that was completed, from 0 to 1.
    pub(crate) seen: f64,
}

/// The strong bot.
pub(crate) struct Hard {
    solver: WorldSolver,
}

impl Hard {
    pub(crate) fn new() -> Hard {
        Hard { solver: WorldSolver::new() }
    }

    /// Returns the possible actions, each with its worth.
    pub(crate) fn weigh(&mut self, view: &View, seed: Seed, limit: Limit<'_>) -> Option<Thought> {
        let Viewer::Seat(seat) = view.viewer() else { return None };
        let actions = sensible_actions(view);
        let mut lots = RandomStream::new(seed, 0);
        let even = |action: &Action| WeighedAction { action: *action, worth: 0.0 };
        let mut weighed: Vec<WeighedAction> = actions.iter().map(even).collect();
        if weighed.len() < 2 {
            return Some(Thought { weighed, seen: 1.0 });
        }
        let thinking = Thinking { view, seat, limit };
        let seen = match (view.public().rules(), view.public().phase()) {
            (Rules::Cruce(rules), Phase::Bidding(_)) => {
                self.weigh_bids(&thinking, rules, &mut lots, &mut weighed)
            }
            (Rules::Cruce(rules), Phase::Playing(_)) => {
                self.weigh_cards(&thinking, rules, &mut lots, &mut weighed)
            }
            (Rules::Whist(rules), Phase::Bidding(_)) => {
                self.weigh_bids_of_whist(&thinking, rules, &mut lots, &mut weighed)
            }
            (Rules::Whist(rules), Phase::Playing(_)) => {
                self.weigh_cards_of_whist(&thinking, rules, &mut lots, &mut weighed)
            }
            (_, Phase::Dealing | Phase::Over) => None,
        };
        let seen = seen.unwrap_or(0.0);
        if seen > 0.0 {
            // A stopped search has seen only a part.
            weighed.iter_mut().for_each(|one| one.worth /= seen);
        } else {
            prefer(view, &mut weighed);
        }
        Some(Thought { weighed, seen })
    }
}

/// The view, the seat and the limit of a search.
struct Thinking<'a> {
    view: &'a View,
    seat: Seat,
    limit: Limit<'a>,
}

impl<'a> Thinking<'a> {
    /// The limit left after this many nodes; `None` when it is time to stop.
    fn rest(&self, spent: u64) -> Option<Limit<'a>> {
        let nodes = self.limit.nodes.saturating_sub(spent);
        (nodes > 0 && !(self.limit.stop)()).then_some(Limit { nodes, ..self.limit })
    }
}

impl Bot for Hard {
    fn act(&mut self, view: &View, seed: Seed, limit: Limit<'_>) -> Option<Action> {
        certain_challenge(view)
            .or_else(|| best(&self.weigh(view, seed, limit)?.weighed).map(|best| best.action))
    }
}

/// The action with the highest worth; the last of equal ones.
pub(crate) fn best(weighed: &[WeighedAction]) -> Option<WeighedAction> {
    weighed.iter().copied().max_by(|one, two| one.worth.total_cmp(&two.worth))
}

/// Without a search, the action that a look at the hand suggests is slightly better.
fn prefer(view: &View, weighed: &mut [WeighedAction]) {
    let suggested = match view.public().phase() {
        Phase::Bidding(_) => sensible::bid(view, 0.0),
        _ => easy::quick_play(view),
    };
    for one in weighed {
        one.worth = if Some(one.action) == suggested { 0.0 } else { -0.01 };
    }
}

/// The cards that each seat has played in this deal.
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
