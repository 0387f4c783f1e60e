//! The last tricks of whist, without the optimism of separately solved worlds.
//!
//! As in Cruce, the player's later cards must be the same in all worlds that look the same to them by
//! then. After each of their cards the others answer with their best card in every world, and worlds
//! with different answers are separated; the others stay together.

use cards::{BySeat, Card, Seat};
use game::whist;
use solver::whist::TrickWorth;
use solver::{Limit, Stopped};

use crate::world_solver::WorldSolver;

/// A world in play.
#[derive(Clone, Copy)]
pub(super) struct WhistWorld {
    pub(super) play: whist::Play,
    pub(super) weight: f64,
    /// Selects among cards that are equally good for the others.
    pub(super) salt: u64,
}

pub(super) struct WhistEndgame<'a> {
    pub(super) solver: &'a mut WorldSolver,
    pub(super) bids: &'a BySeat<u8>,
    pub(super) worth: &'a TrickWorth,
    pub(super) seat: Seat,
    pub(super) limit: Limit<'a>,
    /// The nodes that the solver had visited before.
    pub(super) before: u64,
}

impl WhistEndgame<'_> {
    /// The worth of each legal card of the seat, whose turn it is, over all these worlds, which look the
    /// same to it.
    pub(super) fn weigh(&mut self, worlds: &[WhistWorld]) -> Result<Vec<(Card, f64)>, Stopped> {
        let Some(WhistWorld { play: first, .. }) = worlds.first() else { return Ok(Vec::new()) };
        let mut weighed = Vec::with_capacity(first.legal().len());
        for card in first.legal() {
            weighed.push((card, self.after(worlds, card)?));
        }
        Ok(weighed)
    }

    /// The worth of a card.
    fn after(&mut self, worlds: &[WhistWorld], card: Card) -> Result<f64, Stopped> {
        let mut answered = Vec::with_capacity(worlds.len());
        for world in worlds {
            let mut world = *world;
            world.play.play(card);
            let seen = self.answers(&mut world)?;
            answered.push((seen, world));
        }
        answered.sort_by_key(|(seen, _)| *seen);
        let mut worth = 0.0;
        for alike in answered.chunk_by(|(one, _), (two, _)| one == two) {
            let worlds: Vec<WhistWorld> = alike.iter().map(|(_, possible)| *possible).collect();
            worth += self.best(&worlds)?;
        }
        Ok(worth)
    }

    /// The worth of worlds that look the same, with the best card.
    fn best(&mut self, worlds: &[WhistWorld]) -> Result<f64, Stopped> {
        let over = worlds.first().is_none_or(|world| world.play.turn().is_none());
        if over {
            return Ok(worlds.iter().map(|world| world.weight * self.outcome(&world.play)).sum());
        }
        let weighed = self.weigh(worlds)?;
        Ok(weighed.into_iter().map(|(_, worth)| worth).fold(f64::NEG_INFINITY, f64::max))
    }

    fn outcome(&self, play: &whist::Play) -> f64 {
        let taken = BySeat::from_fn(play.players(), |seat: Seat| play.taken(seat));
        super::worth_to(self.worth, self.seat, &taken)
    }

    /// Plays for the others until it is the seat's turn again; returns their cards as one number.
    fn answers(&mut self, world: &mut WhistWorld) -> Result<u64, Stopped> {
        let mut seen = 1;
        while let Some(turn) = world.play.turn().filter(|turn| *turn != self.seat) {
            let card = self.answer(world, turn)?;
            world.play.play(card);
            seen = seen << 6 | card.index() as u64;
        }
        Ok(seen)
    }

    /// The best card for the seat in turn, if it sees all cards.
    fn answer(&mut self, world: &WhistWorld, turn: Seat) -> Result<Card, Stopped> {
        let WhistWorld { play, salt, .. } = *world;
        let legal = play.legal();
        if let (1, Some(only)) = (legal.len(), legal.lowest()) {
            return Ok(only);
        }
        let nodes = self.limit.nodes.saturating_sub(self.solver.nodes() - self.before);
        if nodes == 0 || (self.limit.stop)() {
            return Err(Stopped);
        }
        let limit = Limit { nodes, ..self.limit };
        let after = self.solver.tricks(&play, self.bids, self.worth, salt, limit)?;
        let worth =
            |taken: &BySeat<u8>| self.worth.0[turn.index()][usize::from(taken[turn]).min(8)];
        let best = after.iter().map(|(_, taken)| worth(taken)).fold(f64::NEG_INFINITY, f64::max);
        let equals = || after.iter().filter(|(_, taken)| worth(taken) >= best);
        // The choice among equal cards is arbitrary but always the same.
        let at = (salt ^ turn.index() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        equals().nth(at as usize % equals().count().max(1)).map(|(card, _)| *card).ok_or(Stopped)
    }
}
