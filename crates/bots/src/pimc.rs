//! The yardsticks `pimc5`, `pimc50` and `pimc200`: they draw this number of worlds evenly from those
//! that agree with the view, solve each with all cards open, and take the action with the best
//! average.
//!
//! They never change, nor do [`quick_play`](crate::quick_play) and [`world_solver`](crate::world_solver), on which
//! they depend, so that strength measured against them stays comparable over the years; a test pins
//! their actions.

use cards::{BySeat, BySide, Card, Seat, Side};
use game::deal::{RandomStream, Seed};
use game::position::InPlay;
use game::public::Phase;
use game::{Action, Rules, View, Viewer, cruce, whist};
use solver::whist::TrickWorth;
use solver::{Limit, Stopped};

use crate::beliefs::{Beliefs, World};
use crate::world_solver::WorldSolver;
use crate::{Bot, sensible_actions};

/// A yardstick that draws this number of worlds.
pub(crate) struct Pimc {
    worlds: usize,
    solver: WorldSolver,
}

impl Pimc {
    pub(crate) fn new(worlds: usize) -> Pimc {
        Pimc { worlds, solver: WorldSolver::new() }
    }
}

impl Bot for Pimc {
    fn act(&mut self, view: &View, seed: Seed, limit: Limit<'_>) -> Option<Action> {
        let actions = sensible_actions(view);
        let Viewer::Seat(seat) = view.viewer() else { return None };
        if let [only] = actions[..] {
            return Some(only);
        }
        let beliefs = Beliefs::new(view)?;
        let mut lots = RandomStream::new(seed, 0);
        let before = self.solver.nodes();
        let mut sums = vec![0.0; actions.len()];
        let mut solved = 0;
        for _ in 0..self.worlds {
            let world = beliefs.sample(&mut lots);
            let salt = lots.below(1 << 30) as u64;
            let left =
                Limit { nodes: limit.nodes.saturating_sub(self.solver.nodes() - before), ..limit };
            let worths = self.weigh(view, seat, &actions, &world, salt, left);
            let (Ok(worths), false) = (worths, (limit.stop)()) else { break };
            solved += 1;
            sums.iter_mut().zip(worths).for_each(|(sum, worth)| *sum += worth);
        }
        if solved == 0 {
            return actions.first().copied();
        }
        // The last of equal ones.
        let best = sums.iter().enumerate().max_by(|one, two| one.1.total_cmp(two.1))?;
        actions.get(best.0).copied()
    }
}

impl Pimc {
    /// The worth of each action in one world.
    fn weigh(
        &mut self,
        view: &View,
        seat: Seat,
        actions: &[Action],
        world: &World,
        salt: u64,
        limit: Limit<'_>,
    ) -> Result<Vec<f64>, Stopped> {
        let public = view.public();
        match (public.rules(), public.phase()) {
            (Rules::Cruce(rules), Phase::Bidding(_)) => {
                self.weigh_bids_of_cruce(rules, view, seat, actions, world, limit)
            }
            (Rules::Whist(_), Phase::Bidding(_)) => {
                self.weigh_bids_of_whist(view, seat, actions, world, salt, limit)
            }
            _ => {
                let worths = match InPlay::of(public, &world.hands, &world.stock) {
                    Some(InPlay::Cruce(play)) => {
                        self.solver.differences(&play, public.rules().side_of(seat), limit)?
                    }
                    Some(InPlay::Whist(play)) => {
                        let bids = bids_in_play(view);
                        let worth = worth_of_bids(&bids);
                        let after = self.solver.tricks(&play, &bids, &worth, salt, limit)?;
                        let own =
                            |taken: BySeat<u8>| worth.0[seat.index()][usize::from(taken[seat])];
                        after.into_iter().map(|(card, taken)| (card, own(taken))).collect()
                    }
                    None => Default::default(),
                };
                let of = |card: &Card| worths.iter().find(|(other, _)| other == card);
                Ok(actions
                    .iter()
                    .map(|action| match action {
                        Action::Play { card, .. } => of(card).map_or(0.0, |(_, worth)| *worth),
                        _ => 0.0,
                    })
                    .collect())
            }
        }
    }

    /// The score that each bid leads to, if no one bids more after it.
    fn weigh_bids_of_cruce(
        &mut self,
        rules: &cruce::Rules,
        view: &View,
        seat: Seat,
        actions: &[Action],
        world: &World,
        limit: Limit<'_>,
    ) -> Result<Vec<f64>, Stopped> {
        let public = view.public();
        let Phase::Bidding(auction) = public.phase() else { return Ok(vec![0.0; actions.len()]) };
        let (highest, rival) = auction.highest(public.first()).unwrap_or((0, public.first()));
        let mut lead = |declarer: Seat| -> Result<i32, Stopped> {
            let play = cruce::Play::new(rules, &world.hands, &world.stock, declarer);
            self.solver.points(&play, rules.side_of(declarer), limit)
        };
        let (own, theirs) = (lead(seat)?, lead(rival)?);
        Ok(actions
            .iter()
            .map(|action| match action {
                Action::Bid(0) => margin(rules, rival, highest, theirs, seat),
                Action::Bid(bid) => margin(rules, seat, *bid, own, seat),
                _ => 0.0,
            })
            .collect())
    }

    /// The score that each bid leads to, if those who have not bid yet aim for an even share of the
    /// tricks.
    fn weigh_bids_of_whist(
        &mut self,
        view: &View,
        seat: Seat,
        actions: &[Action],
        world: &World,
        salt: u64,
        limit: Limit<'_>,
    ) -> Result<Vec<f64>, Stopped> {
        let public = view.public();
        let Phase::Bidding(auction) = public.phase() else { return Ok(vec![0.0; actions.len()]) };
        let (players, first) = (public.rules().players(), public.first());
        let fair = (auction.cards_each() / players) as u8;
        let mut bids = BySeat::from_fn(players, |seat| public.bid_of(seat).unwrap_or(fair));
        let trump = auction.turned().map(Card::suit);
        let mut worths = Vec::with_capacity(actions.len());
        for action in actions {
            let Action::Bid(bid) = action else { continue };
            bids[seat] = *bid;
            let worth = worth_of_bids(&bids);
            let play = whist::Play::new(&world.hands, trump, first);
            let taken = self.solver.outcome(play, &bids, &worth, salt, limit)?;
            worths.push(worth.0[seat.index()][usize::from(taken[seat]).min(8)]);
        }
        Ok(worths)
    }
}

/// What a contract brings a seat's side, less what it brings the others on average, if the declarer's
/// side makes this number of points (C11).
fn margin(rules: &cruce::Rules, declarer: Seat, bid: u8, points: i32, seat: Seat) -> f64 {
    let declaring = rules.side_of(declarer);
    let others = (rules.sides() - 1) as i32;
    let rest = (120 - points).max(0) / others;
    let made = BySide::from_fn(rules.sides(), |side: Side| {
        (if side == declaring { points } else { rest }).clamp(0, 255) as u8
    });
    let change = cruce::score(rules, cruce::Contract { declarer, bid }, &made);
    let own = rules.side_of(seat);
    let sum: i16 = change.iter().sum();
    f64::from(change[own]) - f64::from(sum - change[own]) / f64::from(others)
}

/// The bids of all seats in whist.
fn bids_in_play(view: &View) -> BySeat<u8> {
    let public = view.public();
    BySeat::from_fn(public.rules().players(), |seat| public.bid_of(seat).unwrap_or(0))
}

/// The worth of tricks with these bids (W6).
fn worth_of_bids(bids: &BySeat<u8>) -> TrickWorth {
    let bids = bids.padded();
    TrickWorth(core::array::from_fn(|seat| {
        core::array::from_fn(|taken| match f64::from(bids[seat]) - taken as f64 {
            0.0 => 5.0 + taken as f64,
            off => -off.abs(),
        })
    }))
}
