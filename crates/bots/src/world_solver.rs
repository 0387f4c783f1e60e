//! The worth of each card in one world, with all cards open.
//!
//! Positions that the solver handles quickly are solved exactly. Larger ones, whist of many players
//! and Cruce for two while the stock lasts, are first continued by [`quick_play`](crate::quick_play)
//! until they are small enough.

use arrayvec::ArrayVec;
use cards::{BySeat, Card, Seat, Side};
use game::{cruce, whist};
use solver::whist::TrickWorth;
use solver::{Limit, Stopped};

use crate::quick_play;

/// The maximum number of cards in the stock with which Cruce for two is solved.
const MAX_STOCK: usize = 2;
/// The maximum number of cards in all hands with which whist is solved.
const MAX_CARDS: usize = 20;

/// The worths of the legal cards to a seat.
pub(crate) type CardWorths = ArrayVec<(Card, f64), 8>;

/// Solves worlds; it keeps the solvers' memory.
pub(crate) struct WorldSolver {
    pub(crate) cruce: solver::cruce::Solver,
    whist: solver::whist::Solver,
}

impl WorldSolver {
    pub(crate) fn new() -> WorldSolver {
        WorldSolver { cruce: solver::cruce::Solver::new(), whist: solver::whist::Solver::new() }
    }

    /// The number of positions visited.
    pub(crate) fn nodes(&self) -> u64 {
        self.cruce.nodes() + self.whist.nodes()
    }

    /// In Cruce: the side's points less those of all others after each card of the seat in turn.
    pub(crate) fn differences(
        &mut self,
        play: &cruce::Play,
        side: Side,
        limit: Limit<'_>,
    ) -> Result<CardWorths, Stopped> {
        if play.stock().len() <= MAX_STOCK {
            let values = self.cruce.values(play, side, solver::cruce::Aim::Difference, limit)?;
            return Ok(values.into_iter().map(|(card, value)| (card, f64::from(value))).collect());
        }
        let mut worths = CardWorths::new();
        for card in play.legal() {
            let after = without_stock(play, card);
            worths.push((card, self.difference(&after, side, limit)?));
        }
        Ok(worths)
    }

    /// In Cruce: the side's points less those of all others in the end.
    pub(crate) fn difference(
        &mut self,
        play: &cruce::Play,
        side: Side,
        limit: Limit<'_>,
    ) -> Result<f64, Stopped> {
        self.cruce.value(play, side, solver::cruce::Aim::Difference, limit).map(f64::from)
    }

    /// In Cruce: the points that the side makes against all others, when its seat is about to lead the
    /// first trick.
    pub(crate) fn points(
        &mut self,
        play: &cruce::Play,
        side: Side,
        limit: Limit<'_>,
    ) -> Result<i32, Stopped> {
        let aim = solver::cruce::Aim::Points;
        if play.stock().len() <= MAX_STOCK {
            return self.cruce.value(play, side, aim, limit);
        }
        let mut best = 0;
        for card in play.legal() {
            let after = without_stock(play, card);
            best = best.max(self.cruce.value(&after, side, aim, limit)?);
        }
        Ok(best)
    }

    /// The same after each of its first leads.
    pub(crate) fn points_after(
        &mut self,
        play: &cruce::Play,
        side: Side,
        limit: Limit<'_>,
    ) -> Result<CardWorths, Stopped> {
        let aim = solver::cruce::Aim::Points;
        if play.stock().len() <= MAX_STOCK {
            let values = self.cruce.values(play, side, aim, limit)?;
            return Ok(values.into_iter().map(|(card, value)| (card, f64::from(value))).collect());
        }
        let mut worths = CardWorths::new();
        for card in play.legal() {
            let after = without_stock(play, card);
            worths.push((card, f64::from(self.cruce.value(&after, side, aim, limit)?)));
        }
        Ok(worths)
    }

    /// In whist: the tricks of all seats after each card of the seat in turn.
    pub(crate) fn tricks(
        &mut self,
        play: &whist::Play,
        bids: &BySeat<u8>,
        worth: &TrickWorth,
        salt: u64,
        limit: Limit<'_>,
    ) -> Result<ArrayVec<(Card, BySeat<u8>), 8>, Stopped> {
        if in_hands(play) <= MAX_CARDS {
            return self.whist.settled(play, worth, salt, limit);
        }
        let mut after = ArrayVec::new();
        for card in play.legal() {
            let mut played = *play;
            played.play(card);
            after.push((card, self.outcome(played, bids, worth, salt, limit)?));
        }
        Ok(after)
    }

    /// In whist: the tricks of all seats in the end.
    pub(crate) fn outcome(
        &mut self,
        mut play: whist::Play,
        bids: &BySeat<u8>,
        worth: &TrickWorth,
        salt: u64,
        limit: Limit<'_>,
    ) -> Result<BySeat<u8>, Stopped> {
        while in_hands(&play) > MAX_CARDS {
            let Some(seat) = play.turn() else { break };
            let Some(card) = quick_play::whist(&play, quick_play::need(&play, bids, seat)) else {
                break;
            };
            play.play(card);
        }
        let Some(seat) = play.turn() else {
            return Ok(BySeat::from_fn(play.players(), |seat: Seat| play.taken(seat)));
        };
        let after = self.whist.settled(&play, worth, salt, limit)?;
        let worth_of = |taken: &BySeat<u8>| worth.0[seat.index()][usize::from(taken[seat]).min(8)];
        let best = after.iter().map(|(_, taken)| taken);
        Ok(*best.max_by(|a, b| worth_of(a).total_cmp(&worth_of(b))).unwrap_or(&after[0].1))
    }
}

fn in_hands(play: &whist::Play) -> usize {
    Seat::first(play.players()).map(|seat| play.hand(seat).len()).sum()
}

/// Cruce for two after this card, continued until the stock is gone.
fn without_stock(play: &cruce::Play, card: Card) -> cruce::Play {
    let mut play = *play;
    let mut next = Some(card);
    while let Some(card) = next {
        play.play(card, play.may_call(card));
        let done = play.stock().is_empty() && play.laid() == 0;
        next = if done { None } else { quick_play::cruce(&play) };
    }
    play
}
