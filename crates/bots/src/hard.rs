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

use crate::resolve::Resolver;
use crate::{Bot, lawful};

/// An action and what it is worth, in points of score.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Weighed {
    /// What may be done.
    pub action: Action,
    /// What it is worth to the seat.
    pub worth: f64,
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
    pub(crate) fn weigh(
        &mut self,
        view: &View,
        seed: Seed,
        limit: Limit<'_>,
    ) -> Option<Vec<Weighed>> {
        let Viewer::Seat(seat) = view.viewer() else { return None };
        let actions = lawful(view);
        let mut lots = Lots::new(seed, 0);
        let even = |action: &Action| Weighed { action: *action, worth: 0.0 };
        let mut weighed: Vec<Weighed> = actions.iter().map(even).collect();
        if weighed.len() < 2 {
            return Some(weighed);
        }
        let mind = Mind { view, seat, limit };
        match (view.public().rules(), view.public().phase()) {
            (Rules::Cruce(rules), Phase::Bidding(_)) => {
                self.weigh_bids(&mind, rules, &mut lots, &mut weighed)?;
            }
            (Rules::Cruce(rules), Phase::Playing(_)) => {
                self.weigh_cards(&mind, rules, &mut lots, &mut weighed)?;
            }
            (Rules::Whist(rules), Phase::Bidding(_)) => {
                self.weigh_bids_of_whist(&mind, rules, &mut lots, &mut weighed)?;
            }
            (Rules::Whist(rules), Phase::Playing(_)) => {
                self.weigh_cards_of_whist(&mind, rules, &mut lots, &mut weighed)?;
            }
            (_, Phase::Dealing | Phase::Over) => {}
        }
        Some(weighed)
    }
}

/// Who thinks, about what, and for how long.
struct Mind<'a> {
    view: &'a View,
    seat: Seat,
    limit: Limit<'a>,
}

impl Bot for Hard {
    fn act(&mut self, view: &View, seed: Seed, limit: Limit<'_>) -> Option<Action> {
        let weighed = self.weigh(view, seed, limit)?;
        // Of equals the last: calling comes after not calling.
        weighed.iter().max_by(|one, two| one.worth.total_cmp(&two.worth)).map(|best| best.action)
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
