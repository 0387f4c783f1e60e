//! The last tricks of Cruce, without the optimism of separately solved worlds.
//!
//! Solving every world by itself assumes that the player will later know which world it is ("strategy
//! fusion"). Here the player's later cards must be the same in all worlds that look the same to them
//! by then: after each of their cards the others answer with their best card in every world, and
//! worlds with different answers are separated; the others stay together.

use cards::{BySide, Card, Seat, Side};
use game::cruce::{self, Contract};
use solver::cruce::{Aim, Solver};
use solver::{Limit, Stopped};

use crate::stakes::Stakes;

/// A world in play and its weight.
pub(super) type CruceWorld = (cruce::Play, f64);

pub(super) struct CruceEndgame<'a> {
    pub(super) solver: &'a mut Solver,
    pub(super) rules: &'a cruce::Rules,
    pub(super) stakes: &'a Stakes,
    pub(super) contract: Contract,
    pub(super) seat: Seat,
    pub(super) limit: Limit<'a>,
    /// The nodes that the solver had visited before.
    pub(super) before: u64,
}

impl CruceEndgame<'_> {
    /// The worth of each legal card of the seat, whose turn it is, over all these worlds, which look the
    /// same to it.
    pub(super) fn weigh(&mut self, worlds: &[CruceWorld]) -> Result<Vec<(Card, f64)>, Stopped> {
        let Some((first, _)) = worlds.first() else { return Ok(Vec::new()) };
        let mut weighed = Vec::with_capacity(first.legal().len());
        for card in first.legal() {
            weighed.push((card, self.after(worlds, card)?));
        }
        Ok(weighed)
    }

    /// The worth of a card.
    fn after(&mut self, worlds: &[CruceWorld], card: Card) -> Result<f64, Stopped> {
        let mut answered = Vec::with_capacity(worlds.len());
        for (play, weight) in worlds {
            let mut play = *play;
            play.play(card, play.may_call(card));
            let seen = self.answers(&mut play)?;
            answered.push((seen, (play, *weight)));
        }
        answered.sort_by_key(|(seen, _)| *seen);
        let mut worth = 0.0;
        for alike in answered.chunk_by(|(one, _), (two, _)| one == two) {
            let worlds: Vec<CruceWorld> = alike.iter().map(|(_, possible)| *possible).collect();
            worth += self.best(&worlds)?;
        }
        Ok(worth)
    }

    /// The worth of worlds that look the same, with the best card.
    fn best(&mut self, worlds: &[CruceWorld]) -> Result<f64, Stopped> {
        let over = worlds.first().is_none_or(|(play, _)| play.turn().is_none());
        if over {
            return Ok(worlds.iter().map(|(play, weight)| weight * self.outcome(play)).sum());
        }
        let weighed = self.weigh(worlds)?;
        Ok(weighed.into_iter().map(|(_, worth)| worth).fold(f64::NEG_INFINITY, f64::max))
    }

    fn outcome(&self, play: &cruce::Play) -> f64 {
        let points = BySide::from_fn(self.rules.sides(), |side: Side| f64::from(play.points(side)));
        self.stakes.outcome(self.contract, &points)
    }

    /// Plays for the others until it is the seat's turn again; returns their cards as one number.
    fn answers(&mut self, play: &mut cruce::Play) -> Result<u64, Stopped> {
        let mut seen = 1;
        while let Some(turn) = play.turn().filter(|turn| *turn != self.seat) {
            let card = self.answer(play, turn)?;
            play.play(card, play.may_call(card));
            seen = seen << 6 | card.index() as u64;
        }
        Ok(seen)
    }

    /// The best card for the seat in turn, if it sees all cards.
    fn answer(&mut self, play: &cruce::Play, turn: Seat) -> Result<Card, Stopped> {
        let legal = play.legal();
        if let (1, Some(only)) = (legal.len(), legal.lowest()) {
            return Ok(only);
        }
        let side = self.rules.side_of(turn);
        let nodes = self.limit.nodes.saturating_sub(self.solver.nodes() - self.before);
        if nodes == 0 || (self.limit.stop)() {
            return Err(Stopped);
        }
        let limit = Limit { nodes, ..self.limit };
        let values = self.solver.values(play, side, Aim::Difference, limit)?;
        // The cheapest of equal ones.
        let best =
            values.iter().max_by_key(|(card, value)| (*value, core::cmp::Reverse(card.rank())));
        best.map(|(card, _)| *card).ok_or(Stopped)
    }
}
