//! How the strong bot bids and plays Cruce.

use arrayvec::ArrayVec;
use cards::{BySeat, BySide, Card, Seat, Side};
use game::cruce::{self, Contract};
use game::deal::RandomStream;
use game::position::InPlay;
use game::{Action, Public};
use solver::{Limit, Stopped};

use super::endgame::{CruceEndgame, CruceWorld};
use super::selection::{weighted_worlds, worlds_within};
use super::{Hard, Thinking, WeighedAction};
use crate::beliefs::{Beliefs, World};
use crate::plausible::{self, CruceBids, CrucePlays};
use crate::stakes::{POINT_WORTH, Stakes};
use crate::strength;
use crate::world_solver::WorldSolver;

/// The maximum number of worlds solved for a card and for a bid.
const MAX_FOR_CARDS: usize = 40_000;
const MAX_FOR_BIDS: usize = 400;
/// How far plausibility is trusted: the weights of worlds are the likelihoods of bids and cards to
/// these powers.
const TRUST_IN_BIDS: f64 = 0.5;
const TRUST_IN_CARDS: f64 = 0.7;
/// How many points solved deals promise too much. For four players it is negative: the lead is worth
/// a risk, and the own lead must be the same in all worlds.
fn overestimate(rules: &cruce::Rules) -> f64 {
    match rules.players() {
        2 => 22.0,
        3 => 6.0,
        _ => -2.0,
    }
}
/// The advantage of knowing all cards at the first lead.
const BEST_LEAD: f64 = 6.0;
/// The error of a solved world in points, for each trick to come and for a whole deal.
const SPREAD_A_TRICK: f64 = 3.0;
const SPREAD_OF_DEALS: f64 = 12.0;
/// With at most this many tricks left, worlds are no longer solved separately.
const LAST_TRICKS: usize = 3;

impl Hard {
    pub(super) fn weigh_cards(
        &mut self,
        thinking: &Thinking<'_>,
        rules: &cruce::Rules,
        lots: &mut RandomStream,
        weighed: &mut [WeighedAction],
    ) -> Option<f64> {
        let public = thinking.view.public();
        let contract = public.round()?.contract()?;
        let beliefs = Beliefs::new(thinking.view)?;
        let side = rules.side_of(thinking.seat);
        let stakes = Stakes::of(public, side)?;
        let bids = CruceBids::of(public, rules, thinking.seat);
        let played = super::played(public);
        let plays = CrucePlays::of(public, rules, thinking.seat);
        let solved = worlds_within(thinking.limit, cost(thinking.view.hand().len()), MAX_FOR_CARDS);
        let worlds = weighted_worlds(&beliefs, lots, solved, |world| {
            // The cards drawn from the stock are unknown, so plausibility cannot be judged (C13).
            if rules.players() == 2 {
                return 1.0;
            }
            let dealt =
                BySeat::from_fn(rules.players(), |seat: Seat| world.hands[seat] | played[seat]);
            bids.likelihood(&dealt).powf(TRUST_IN_BIDS)
                * plays.likelihood(&world.hands).powf(TRUST_IN_CARDS)
        });
        let (first, _) = worlds.first()?;
        let Some(InPlay::Cruce(base)) = InPlay::of(public, &first.hands, &first.stock) else {
            return None;
        };
        let tricks = base.hand(thinking.seat).len() + base.stock().len() / 2;
        let before = self.solver.nodes();
        if base.stock().is_empty() && tricks <= LAST_TRICKS {
            let worlds: Vec<CruceWorld> = worlds
                .iter()
                .map(|(world, weight)| (base.holding(&world.hands, &world.stock), *weight))
                .collect();
            let (solver, limit, seat) = (&mut self.solver.cruce, thinking.limit, thinking.seat);
            let before = solver.nodes();
            let mut endgame =
                CruceEndgame { solver, rules, stakes: &stakes, contract, seat, limit, before };
            if let Ok(worths) = endgame.weigh(&worlds) {
                for one in weighed.iter_mut() {
                    let Action::Play { card, .. } = one.action else { continue };
                    let worth = worths.iter().find(|(other, _)| *other == card);
                    one.worth = worth.map_or(0.0, |(_, worth)| *worth);
                }
                return Some(1.0);
            }
        }
        let ahead = PointsLeft::of(&base);
        let mut seen = 0.0;
        for (world, weight) in &worlds {
            let Some(limit) = thinking.rest(self.solver.nodes() - before) else { break };
            let play = base.holding(&world.hands, &world.stock);
            let Ok(values) = self.solver.differences(&play, side, limit) else { break };
            for one in weighed.iter_mut() {
                let Action::Play { card, .. } = one.action else { continue };
                let value =
                    values.iter().find(|(other, _)| *other == card).map_or(0.0, |(_, v)| *v);
                let points = ahead.points(side, value);
                let worth = stakes.worth(contract, &points, SPREAD_A_TRICK * (tricks as f64 - 1.0));
                one.worth += weight * (worth + POINT_WORTH * value);
            }
            seen += weight;
        }
        Some(seen)
    }

    pub(super) fn weigh_bids(
        &mut self,
        thinking: &Thinking<'_>,
        rules: &cruce::Rules,
        lots: &mut RandomStream,
        weighed: &mut [WeighedAction],
    ) -> Option<f64> {
        let public = thinking.view.public();
        let beliefs = Beliefs::new(thinking.view)?;
        let stakes = Stakes::of(public, rules.side_of(thinking.seat))?;
        let bids = CruceBids::of(public, rules, thinking.seat);
        let solved = worlds_within(thinking.limit, 2 * cost(rules.cards_each()), MAX_FOR_BIDS);
        let worlds = weighted_worlds(&beliefs, lots, solved, |world| bids.likelihood(&world.hands));
        let before = self.solver.nodes();
        let mut seen = 0.0;
        let mut outcomes = vec![BidOutcome::default(); weighed.len()];
        // A player who bids on three cards does not know the hand to lead from yet (C6).
        let knows_hand = rules.opening() == rules.cards_each();
        for (world, weight) in &worlds {
            let Some(limit) = thinking.rest(self.solver.nodes() - before) else { break };
            let mut outlook = Outlook::new(rules, world, thinking.seat, limit);
            let mut weigh = |bid: u8, outcome: &mut BidOutcome| -> Result<(), Stopped> {
                match rest_of_bidding(public, rules, world, bid) {
                    None => outcome.others += weight * stakes.as_it_stands(),
                    Some(contract) if contract.declarer == thinking.seat && knows_hand => {
                        for (lead, points) in outlook.own(&mut self.solver)? {
                            let worth = stakes.worth(contract, &points, SPREAD_OF_DEALS);
                            outcome.lead(lead, weight * worth);
                        }
                    }
                    Some(contract) => {
                        let points = outlook.of(&mut self.solver, contract.declarer)?;
                        outcome.others += weight * stakes.worth(contract, &points, SPREAD_OF_DEALS);
                    }
                }
                Ok(())
            };
            let mut with_this = outcomes.clone();
            let mut pairs = weighed.iter().zip(&mut with_this);
            let all = pairs.try_for_each(|(one, outcome)| match one.action {
                Action::Bid(bid) => weigh(bid, outcome),
                _ => Ok(()),
            });
            if all.is_err() {
                break;
            }
            outcomes = with_this;
            seen += weight;
        }
        for (one, outcome) in weighed.iter_mut().zip(outcomes) {
            one.worth = outcome.worth();
        }
        Some(seen)
    }
}

/// The worth of a bid: if others declare in the end, and for each own lead, which must be the same in
/// all worlds.
#[derive(Clone, Default)]
struct BidOutcome {
    others: f64,
    leads: ArrayVec<(Card, f64), 8>,
}

impl BidOutcome {
    fn lead(&mut self, card: Card, worth: f64) {
        match self.leads.iter_mut().find(|(other, _)| *other == card) {
            Some((_, sum)) => *sum += worth,
            None => self.leads.extend([(card, worth)]),
        }
    }

    fn worth(&self) -> f64 {
        let best = self.leads.iter().map(|(_, worth)| *worth).reduce(f64::max);
        self.others + best.unwrap_or(0.0)
    }
}

/// The approximate number of positions visited to solve a world with this number of cards per hand.
fn cost(cards: usize) -> u64 {
    [1, 10, 30, 100, 300, 800, 2200, 4000, 6500][cards.min(8)]
}

/// The contract if the seat bids this and the others continue as their hands suggest.
fn rest_of_bidding(
    public: &Public,
    rules: &cruce::Rules,
    world: &World,
    bid: u8,
) -> Option<Contract> {
    let first = public.first();
    let mut auction = public.auction()?.clone();
    auction.bid(bid).ok()?;
    while !auction.is_over() {
        let next = first.after(auction.bids().len(), rules.players());
        let highest = auction.highest(first);
        let enough = highest.map_or(0, |(bid, _)| bid) + 1;
        let partner = highest.is_some_and(|(_, by)| rules.side_of(by) == rules.side_of(next));
        let willing = || {
            let promise = strength::estimate(rules, world.hands[next]);
            plausible::willing(promise, enough) > 0.5
        };
        let raises = !partner && auction.legal().contains(enough) && willing();
        auction.bid(if raises { enough } else { 0 }).ok()?;
    }
    auction.contract(first)
}

/// The points of each side in one world, by declarer.
struct Outlook<'a> {
    rules: &'a cruce::Rules,
    world: &'a World,
    seat: Seat,
    limit: Limit<'a>,
    made: [Option<BySide<f64>>; 4],
    leads: Option<LeadOutcomes>,
}

/// The points of each side after each first lead.
type LeadOutcomes = ArrayVec<(Card, BySide<f64>), 8>;

impl<'a> Outlook<'a> {
    fn new(rules: &'a cruce::Rules, world: &'a World, seat: Seat, limit: Limit<'a>) -> Outlook<'a> {
        Outlook { rules, world, seat, limit, made: [None; 4], leads: None }
    }

    /// The points of each side if the seat declares, after each of its leads.
    fn own(&mut self, solver: &mut WorldSolver) -> Result<LeadOutcomes, Stopped> {
        if let Some(leads) = &self.leads {
            return Ok(leads.clone());
        }
        let side = self.rules.side_of(self.seat);
        let after = solver.points_after(&self.play(self.seat), side, self.limit)?;
        let leads: LeadOutcomes =
            after.into_iter().map(|(card, points)| (card, self.shared(side, points))).collect();
        self.leads = Some(leads.clone());
        Ok(leads)
    }

    /// The points of each side if this seat declares and makes the best lead.
    fn of(&mut self, solver: &mut WorldSolver, declarer: Seat) -> Result<BySide<f64>, Stopped> {
        if let Some(made) = self.made[declarer.index()] {
            return Ok(made);
        }
        let declaring = self.rules.side_of(declarer);
        let points = solver.points(&self.play(declarer), declaring, self.limit)?;
        let made = self.shared(declaring, f64::from(points) - BEST_LEAD);
        self.made[declarer.index()] = Some(made);
        Ok(made)
    }

    fn play(&self, declarer: Seat) -> cruce::Play {
        cruce::Play::new(self.rules, &self.world.hands, &self.world.stock, declarer)
    }

    fn shared(&self, declaring: Side, points: f64) -> BySide<f64> {
        let points = points - overestimate(self.rules);
        let others = (self.rules.sides() - 1) as f64;
        BySide::from_fn(self.rules.sides(), |side: Side| {
            if side == declaring { points } else { (120.0 - points).max(0.0) / others }
        })
    }
}

/// The points still to be won in a position.
struct PointsLeft {
    now: BySide<f64>,
    /// The points of all sides in the end if no one calls any more.
    all: f64,
}

impl PointsLeft {
    fn of(play: &cruce::Play) -> PointsLeft {
        let now = BySide::from_fn(play.sides(), |side: Side| f64::from(play.points(side)));
        let hands = Seat::first(play.players()).flat_map(|seat| play.hand(seat));
        let left: u8 = hands.chain(play.stock()).map(cruce::worth).sum();
        let all = now.iter().sum::<f64>() + f64::from(left) + f64::from(play.on_table());
        PointsLeft { now, all }
    }

    /// The points of each side if this side has `difference` more than all others together.
    fn points(&self, side: Side, difference: f64) -> BySide<f64> {
        let own = ((self.all + difference) / 2.0).max(self.now[side]);
        let others = (self.now.len() - 1) as f64;
        let rest = (self.all - own) - (self.now.iter().sum::<f64>() - self.now[side]);
        BySide::from_fn(self.now.len(), |other: Side| {
            if other == side { own } else { (self.now[other] + rest / others).max(0.0) }
        })
    }
}
