//! How the strong bot bids and plays Romanian whist.

mod endgame;

use cards::{BySeat, Card, Seat};
use game::deal::RandomStream;
use game::position::InPlay;
use game::public::Phase;
use game::{Action, Public, View, whist};
use solver::Limit;
use solver::whist::TrickWorth;

use self::endgame::{WhistEndgame, WhistWorld};
use super::selection::{weighted_worlds, worlds_within};
use super::{Hard, Thinking, WeighedAction};
use crate::beliefs::{Beliefs, World};
use crate::tricks::{WhistBids, WhistDeal, WhistPlays};

/// The maximum number of worlds solved for a card and for a bid.
const MAX_FOR_CARDS: usize = 300;
const MAX_FOR_BIDS: usize = 60;
/// How far plausibility is trusted: the weights of worlds are the likelihoods of cards to this power.
const TRUST_IN_CARDS: f64 = 0.7;
/// With this many tricks left, worlds are no longer solved separately; with fewer only one choice is
/// left, and both methods agree.
const LAST_TRICKS: usize = 3;
/// How much of the others' mean score counts against the own one.
const OTHERS_WEIGHT: f64 = 0.3;
/// Bids further from what the hand promises are not weighed.
const FAR: f64 = 2.6;

impl Hard {
    pub(super) fn weigh_cards_of_whist(
        &mut self,
        thinking: &Thinking<'_>,
        rules: &whist::Rules,
        lots: &mut RandomStream,
        weighed: &mut [WeighedAction],
    ) -> Option<f64> {
        let public = thinking.view.public();
        let round = public.round()?;
        let players = rules.players();
        let bids = BySeat::from_fn(players, |seat| public.bid_of(seat).unwrap_or(0));
        let beliefs = Beliefs::new(thinking.view)?;
        let deal = WhistDeal { pack: public.rules().pack().cards(), players, trump: round.trump() };
        let others_bids = WhistBids::of(public, deal, thinking.seat);
        let plays = WhistPlays::of(public, deal, thinking.seat);
        let played = super::played(public);
        let solved =
            worlds_within(thinking.limit, cost(thinking.view, weighed.len()), MAX_FOR_CARDS);
        let worlds = weighted_worlds(&beliefs, lots, solved, |world| {
            let dealt = BySeat::from_fn(players, |seat: Seat| world.hands[seat] | played[seat]);
            others_bids.likelihood(&dealt) * plays.likelihood(&world.hands).powf(TRUST_IN_CARDS)
        });
        let (first, _) = worlds.first()?;
        let Some(InPlay::Whist(base)) = InPlay::of(public, &first.hands, &[]) else { return None };
        let worth = worth(public, rules, round.auction().cards_each(), &bids);
        let before = self.solver.nodes();
        if base.hand(thinking.seat).len() == LAST_TRICKS {
            let possible = |(salt, (world, weight)): (u64, &(World, f64))| WhistWorld {
                play: base.holding(&world.hands),
                weight: *weight,
                salt,
            };
            let worlds: Vec<WhistWorld> = (0..).zip(&worlds).map(possible).collect();
            // The rest of the limit is enough for the fallback.
            let limit = Limit { nodes: thinking.limit.nodes / 2, ..thinking.limit };
            let (solver, seat) = (&mut self.solver, thinking.seat);
            let mut endgame =
                WhistEndgame { solver, bids: &bids, worth: &worth, seat, limit, before };
            if let Ok(worths) = endgame.weigh(&worlds) {
                for one in weighed.iter_mut() {
                    let Action::Play { card, .. } = one.action else { continue };
                    let worth = worths.iter().find(|(other, _)| *other == card);
                    one.worth = worth.map_or(0.0, |(_, worth)| *worth);
                }
                return Some(1.0);
            }
        }
        let mut seen = 0.0;
        for (at, (world, weight)) in worlds.iter().enumerate() {
            let Some(limit) = thinking.rest(self.solver.nodes() - before) else { break };
            let play = base.holding(&world.hands);
            let Ok(after) = self.solver.tricks(&play, &bids, &worth, at as u64, limit) else {
                break;
            };
            for one in weighed.iter_mut() {
                let Action::Play { card, .. } = one.action else { continue };
                let taken = after.iter().find(|(other, _)| *other == card);
                one.worth +=
                    taken.map_or(0.0, |(_, taken)| weight * worth_to(&worth, thinking.seat, taken));
            }
            seen += weight;
        }
        Some(seen)
    }

    pub(super) fn weigh_bids_of_whist(
        &mut self,
        thinking: &Thinking<'_>,
        rules: &whist::Rules,
        lots: &mut RandomStream,
        weighed: &mut [WeighedAction],
    ) -> Option<f64> {
        let public = thinking.view.public();
        let Phase::Bidding(auction) = public.phase() else { return None };
        let (players, first) = (rules.players(), public.first());
        let trump = auction.turned().map(Card::suit);
        let deal = WhistDeal { pack: public.rules().pack().cards(), players, trump };
        let promise = deal.estimate(thinking.view.hand());
        let near = |bid: u8| (f64::from(bid) - promise).abs() <= FAR;
        let beliefs = Beliefs::new(thinking.view)?;
        let others_bids = WhistBids::of(public, deal, thinking.seat);
        let bids = weighed.iter().filter(|one| matches!(one.action, Action::Bid(bid) if near(bid)));
        let solved = worlds_within(thinking.limit, cost(thinking.view, bids.count()), MAX_FOR_BIDS);
        let worlds =
            weighted_worlds(&beliefs, lots, solved, |world| others_bids.likelihood(&world.hands));
        let before = self.solver.nodes();
        for one in weighed.iter_mut() {
            if let Action::Bid(bid) = one.action {
                one.worth = if near(bid) { 0.0 } else { -100.0 - (f64::from(bid) - promise).abs() };
            }
        }
        let mut seen = 0.0;
        for (at, (world, weight)) in worlds.iter().enumerate() {
            let Some(limit) = thinking.rest(self.solver.nodes() - before) else { break };
            let mut bids = BySeat::from_fn(players, |seat: Seat| {
                let promised = || deal.estimate(world.hands[seat]).round() as u8;
                public.bid_of(seat).unwrap_or_else(promised)
            });
            let play = whist::Play::new(&world.hands, trump, first);
            let mut worths = [0.0; 9];
            for (one, sum) in weighed.iter().zip(&mut worths) {
                let Action::Bid(bid) = one.action else { continue };
                if !near(bid) {
                    continue;
                }
                bids[thinking.seat] = bid;
                let worth = worth(public, rules, auction.cards_each(), &bids);
                let outcome = self.solver.outcome(play, &bids, &worth, at as u64, limit);
                let Ok(taken) = outcome else { return Some(seen) };
                *sum = worth_to(&worth, thinking.seat, &taken);
            }
            weighed.iter_mut().zip(worths).for_each(|(one, worth)| one.worth += weight * worth);
            seen += weight;
        }
        Some(seen)
    }
}

/// The approximate number of positions visited to solve a world once for each action.
fn cost(view: &View, actions: usize) -> u64 {
    (actions as u64).max(1) * 4u64.pow(view.hand().len().min(5) as u32)
}

/// The worth of all players' tricks to a seat, which counts the others' scores a little against it.
fn worth_to(worth: &TrickWorth, seat: Seat, taken: &BySeat<u8>) -> f64 {
    let of = |seat: Seat| worth.0[seat.index()][usize::from(taken[seat]).min(8)];
    let sum: f64 = Seat::first(taken.len()).map(of).sum();
    let others = (sum - of(seat)) / (taken.len() - 1) as f64;
    of(seat) - OTHERS_WEIGHT * others
}

/// The worth of tricks to each player: the score, with its effect on the prizes (W6, W7).
fn worth(
    public: &Public,
    rules: &whist::Rules,
    cards_each: usize,
    bids: &BySeat<u8>,
) -> TrickWorth {
    let mut worth = TrickWorth([[0.0; 9]; cards::MAX_SEATS]);
    for tricks in 0..=8 {
        let taken = bids.map(|_| tricks as u8);
        let score = whist::score(rules, cards_each, bids, &taken, public.runs());
        for seat in Seat::first(bids.len()) {
            let side = cards::Side::alone(seat);
            let (before, after) = (public.runs()[seat], score.runs[seat]);
            // A run on the way to a prize is worth a part of it.
            let way = f64::from(after) - f64::from(before);
            let run_worth =
                if score.prize[side] == 0 { f64::from(rules.prize()) * way * 0.06 } else { 0.0 };
            worth.0[seat.index()][tricks] =
                f64::from(score.change[side]) + f64::from(score.prize[side]) + run_worth;
        }
    }
    worth
}
