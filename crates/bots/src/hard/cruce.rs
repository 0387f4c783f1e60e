//! How the strong player bids and plays Cruce.

use cards::{BySeat, BySide, Seat, Side};
use game::cruce::{self, Contract};
use game::deal::Lots;
use game::position::Play;
use game::public::Phase;
use game::{Action, Public};
use solver::{Limit, Stopped};

use super::endgame::{Endgame, Possible};
use super::think::{Worlds, think};
use super::{Hard, Mind, Weighed};
use crate::beliefs::{Beliefs, World};
use crate::plausible::{self, Bids, Plays};
use crate::stakes::{A_POINT, Stakes};
use crate::strength;

/// Worlds drawn to choose from, and those chosen to be solved.
const FOR_CARDS: Worlds = Worlds { all: 2000, drawn: 1500, solved: 80 };
const FOR_BIDS: Worlds = Worlds { all: 80, drawn: 1500, solved: 80 };
/// How far plausibility is trusted: bids and cards speak for worlds with their
/// likelihood to this power.
const TRUST_IN_BIDS: f64 = 0.5;
const TRUST_IN_CARDS: f64 = 0.7;
/// By how much solved deals promise more than is made of them.
fn hope(rules: &cruce::Rules) -> f64 {
    match rules.players() {
        2 => 22.0,
        3 => 6.0,
        _ => 3.0,
    }
}
/// How many points a solved world is off for each trick to come, and a whole deal.
const SPREAD_A_TRICK: f64 = 3.0;
const SPREAD_OF_DEALS: f64 = 12.0;
/// So many tricks before the end, wishful thinking stops.
const LAST_TRICKS: usize = 3;

impl Hard {
    pub(super) fn weigh_cards(
        &mut self,
        mind: &Mind<'_>,
        rules: &cruce::Rules,
        lots: &mut Lots,
        weighed: &mut [Weighed],
    ) -> Option<()> {
        let public = mind.view.public();
        let contract = public.round()?.contract()?;
        let beliefs = Beliefs::new(mind.view)?;
        let side = rules.side_of(mind.seat);
        let stakes = Stakes::of(public, side)?;
        let bids = Bids::of(public, rules, mind.seat);
        let played = super::played(public);
        let plays = Plays::of(public, rules, mind.seat);
        let worlds = think(&beliefs, lots, FOR_CARDS, |world| {
            // What was drawn from the stock is not told: nothing to judge by (C13).
            if rules.players() == 2 {
                return 1.0;
            }
            let dealt =
                BySeat::from_fn(rules.players(), |seat: Seat| world.hands[seat] | played[seat]);
            bids.likelihood(&dealt).powf(TRUST_IN_BIDS)
                * plays.likelihood(&world.hands).powf(TRUST_IN_CARDS)
        });
        let (first, _) = worlds.first()?;
        let Some(Play::Cruce(base)) = Play::of(public, &first.hands, &first.stock) else {
            return None;
        };
        let tricks = base.hand(mind.seat).len() + base.stock().len() / 2;
        let before = self.resolver.nodes();
        if base.stock().is_empty() && tricks <= LAST_TRICKS {
            let worlds: Vec<Possible> = worlds
                .iter()
                .map(|(world, weight)| (base.holding(&world.hands, &world.stock), *weight))
                .collect();
            let (solver, limit) = (&mut self.resolver.cruce, mind.limit);
            let mut endgame =
                Endgame { solver, rules, stakes: &stakes, contract, seat: mind.seat, limit };
            let worths = endgame.weigh(&worlds).ok()?;
            for one in weighed.iter_mut() {
                let Action::Play { card, .. } = one.action else { continue };
                one.worth =
                    worths.iter().find(|(other, _)| *other == card).map_or(0.0, |(_, w)| *w);
            }
            return Some(());
        }
        let ahead = Ahead::of(&base);
        for (world, weight) in &worlds {
            let left = mind.limit.nodes.saturating_sub(self.resolver.nodes() - before);
            let limit = Limit { nodes: left, ..mind.limit };
            let play = base.holding(&world.hands, &world.stock);
            let Ok(values) = self.resolver.differences(&play, side, limit) else { break };
            for one in weighed.iter_mut() {
                let Action::Play { card, .. } = one.action else { continue };
                let value =
                    values.iter().find(|(other, _)| *other == card).map_or(0.0, |(_, v)| *v);
                let points = ahead.points(side, value);
                let worth = stakes.worth(contract, &points, SPREAD_A_TRICK * (tricks as f64 - 1.0));
                one.worth += weight * (worth + A_POINT * value);
            }
        }
        Some(())
    }

    pub(super) fn weigh_bids(
        &mut self,
        mind: &Mind<'_>,
        rules: &cruce::Rules,
        lots: &mut Lots,
        weighed: &mut [Weighed],
    ) -> Option<()> {
        let public = mind.view.public();
        let beliefs = Beliefs::new(mind.view)?;
        let stakes = Stakes::of(public, rules.side_of(mind.seat))?;
        let bids = Bids::of(public, rules, mind.seat);
        let worlds = think(&beliefs, lots, FOR_BIDS, |world| bids.likelihood(&world.hands));
        let before = self.resolver.nodes();
        for (world, weight) in &worlds {
            let left = mind.limit.nodes.saturating_sub(self.resolver.nodes() - before);
            let mut outlook = Outlook {
                rules,
                world,
                made: [None; 4],
                limit: Limit { nodes: left, ..mind.limit },
            };
            let mut worths = [0.0; 8];
            for (one, worth) in weighed.iter().zip(&mut worths) {
                let Action::Bid(bid) = one.action else { continue };
                let contract = rest_of_bidding(public, rules, world, mind.seat, bid);
                let Some(contract) = contract else { continue };
                match outlook.points(self, contract.declarer) {
                    Ok(points) => *worth = stakes.worth(contract, &points, SPREAD_OF_DEALS),
                    Err(Stopped) => return Some(()),
                }
            }
            for (one, worth) in weighed.iter_mut().zip(worths) {
                one.worth += weight * worth;
            }
        }
        Some(())
    }
}

/// The contract if the seat says this and the others go on as their hands suggest.
fn rest_of_bidding(
    public: &Public,
    rules: &cruce::Rules,
    world: &World,
    seat: Seat,
    bid: u8,
) -> Option<Contract> {
    let Phase::Bidding(auction) = public.phase() else { return None };
    let players = rules.players();
    let (mut highest, mut by) = (0, public.first());
    for (at, said) in auction.bids().iter().chain([&bid]).enumerate() {
        if *said > highest {
            (highest, by) = (*said, public.first().after(at, players));
        }
    }
    for step in auction.bids().len() + 1..players {
        let next = public.first().after(step, players);
        let partner = highest > 0 && rules.side_of(next) == rules.side_of(by);
        let enough = highest + 1;
        if !partner && enough <= rules.max_bid() && next != seat {
            let promise = strength::promise(rules, world.hands[next]);
            if plausible::willing(promise, enough) > 0.5 {
                (highest, by) = (enough, next);
            }
        }
    }
    let redeal = rules.spec().all_pass == cruce::AllPass::Redeal;
    (highest > 0 || !redeal).then_some(Contract { declarer: by, bid: highest })
}

/// What each side makes in one world, by who declares.
struct Outlook<'a> {
    rules: &'a cruce::Rules,
    world: &'a World,
    made: [Option<BySide<f64>>; 4],
    limit: Limit<'a>,
}

impl Outlook<'_> {
    fn points(&mut self, hard: &mut Hard, declarer: Seat) -> Result<BySide<f64>, Stopped> {
        if let Some(made) = self.made[declarer.index()] {
            return Ok(made);
        }
        let play = cruce::Play::new(self.rules, &self.world.hands, &self.world.stock, declarer);
        let declaring = self.rules.side_of(declarer);
        let points =
            f64::from(hard.resolver.points(&play, declaring, self.limit)?) - hope(self.rules);
        let others = (self.rules.sides() - 1) as f64;
        let made = BySide::from_fn(self.rules.sides(), |side: Side| {
            if side == declaring { points } else { (120.0 - points).max(0.0) / others }
        });
        self.made[declarer.index()] = Some(made);
        Ok(made)
    }
}

/// What is still to be shared out in a position.
struct Ahead {
    now: BySide<f64>,
    /// What all sides have in the end if nobody calls any more.
    all: f64,
}

impl Ahead {
    fn of(play: &cruce::Play) -> Ahead {
        let sides = if play.teams() { 2 } else { play.players() };
        let now = BySide::from_fn(sides, |side: Side| f64::from(play.points(side)));
        let hands = Seat::first(play.players()).flat_map(|seat| play.hand(seat));
        let left: u8 = hands.chain(play.stock()).map(cruce::worth).sum();
        let all = now.iter().sum::<f64>() + f64::from(left) + f64::from(play.on_table());
        Ahead { now, all }
    }

    /// Everybody's points if the side has so much more than all others together.
    fn points(&self, side: Side, difference: f64) -> BySide<f64> {
        let own = ((self.all + difference) / 2.0).max(self.now[side]);
        let others = (self.now.len() - 1) as f64;
        let rest = (self.all - own) - (self.now.iter().sum::<f64>() - self.now[side]);
        BySide::from_fn(self.now.len(), |other: Side| {
            if other == side { own } else { (self.now[other] + rest / others).max(0.0) }
        })
    }
}
