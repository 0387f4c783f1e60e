//! Brute force: every card is tried, nothing is pruned or merged, and only equal
//! positions are remembered.

use std::collections::BTreeMap;

use cards::{Card, Seat, Side};
use game::{cruce, whist};
use solver::cruce::Aim;
use solver::whist::TrickWorth;

/// Values that differ by less are equal: different values differ by much more.
pub const SAME: f64 = 1e-9;

pub fn side_of(play: &cruce::Play, seat: Seat) -> Side {
    if play.teams() { Side::with_opposite(seat) } else { Side::alone(seat) }
}

pub fn sides(play: &cruce::Play) -> Vec<Side> {
    Side::first(if play.teams() { 2 } else { play.players() }).collect()
}

/// The position after a card; a pair that is led is called.
pub fn with_call(play: &cruce::Play, card: Card) -> cruce::Play {
    let mut next = *play;
    next.play(card, play.may_call(card));
    next
}

/// The value for a side against all others.
pub fn two_camps(play: &cruce::Play, side: Side, aim: Aim) -> i32 {
    let Some(turn) = play.turn() else {
        let own = i32::from(play.points(side));
        let all: i32 = sides(play).iter().map(|side| i32::from(play.points(*side))).sum();
        return match aim {
            Aim::Difference => own - (all - own),
            Aim::Points => own,
        };
    };
    let values = play.legal().iter().map(|card| two_camps_after(play, card, side, aim));
    best(values, side_of(play, turn) == side)
}

/// The value after a card: whether to call is the leader's choice (C10).
pub fn two_camps_after(play: &cruce::Play, card: Card, side: Side, aim: Aim) -> i32 {
    let turn = play.turn().expect("a seat is in turn");
    let calls = if play.may_call(card) { &[true, false][..] } else { &[false] };
    let values = calls.iter().map(|call| {
        let mut next = *play;
        next.play(card, *call);
        two_camps(&next, side, aim)
    });
    best(values, side_of(play, turn) == side)
}

fn best(values: impl Iterator<Item = i32>, most: bool) -> i32 {
    if most { values.max() } else { values.min() }.expect("there is a legal card")
}

/// The tricks of the seat and its partner opposite, if two partnerships of whist play
/// for tricks.
pub fn partners(play: &whist::Play, seat: Seat) -> u8 {
    let ours = |other: &Seat| other.index() % 2 == seat.index() % 2;
    let Some(turn) = play.turn() else {
        return Seat::first(4).filter(ours).map(|seat| play.taken(seat)).sum();
    };
    let values = play.legal().iter().map(|card| {
        let mut next = *play;
        next.play(card);
        partners(&next, seat)
    });
    if ours(&turn) { values.max() } else { values.min() }.expect("there is a legal card")
}

/// Every player alone: the result of every seat, averaged over all cards that are
/// equally good for the seat in turn.
#[derive(Default)]
pub struct Alone {
    known: BTreeMap<Vec<u64>, Vec<f64>>,
}

impl Alone {
    /// Cruce: every player plays for their side's points less the mean of all.
    pub fn cruce(&mut self, play: &cruce::Play) -> Vec<f64> {
        let sides = sides(play);
        let Some(turn) = play.turn() else {
            return sides.iter().map(|side| f64::from(play.points(*side))).collect();
        };
        let hands = Seat::first(play.players()).map(|seat| play.hand(seat).bits());
        let points = sides.iter().map(|side| u64::from(play.points(*side)));
        let trump = play.trump().map_or(4, |trump| trump as u64);
        let key: Vec<u64> = hands.chain(points).chain([turn.index() as u64, trump]).collect();
        if play.laid() == 0
            && let Some(known) = self.known.get(&key)
        {
            return known.clone();
        }
        let side = side_of(play, turn).index();
        let own = |points: &[f64]| points[side] - points.iter().sum::<f64>() / points.len() as f64;
        let after = |card| self.cruce(&with_call(play, card));
        let outcome = average_of_best(play.legal().iter().map(after), own);
        if play.laid() == 0 {
            self.known.insert(key, outcome.clone());
        }
        outcome
    }

    /// Whist: every player plays for the worth of their tricks.
    pub fn whist(&mut self, play: &whist::Play, worth: &TrickWorth) -> Vec<f64> {
        let seats = Seat::first(play.players());
        let Some(turn) = play.turn() else {
            return seats.map(|seat| worth.0[seat.index()][play.taken(seat) as usize]).collect();
        };
        let key = seats.map(|seat| play.hand(seat).bits() << 4 | u64::from(play.taken(seat)));
        let key: Vec<u64> = key.chain([turn.index() as u64]).collect();
        if play.laid() == 0
            && let Some(known) = self.known.get(&key)
        {
            return known.clone();
        }
        let after = |card| {
            let mut next = *play;
            next.play(card);
            self.whist(&next, worth)
        };
        let outcome =
            average_of_best(play.legal().iter().map(after), |values| values[turn.index()]);
        if play.laid() == 0 {
            self.known.insert(key, outcome.clone());
        }
        outcome
    }
}

/// The average of the outcomes that are best by this measure.
fn average_of_best(
    outcomes: impl Iterator<Item = Vec<f64>>,
    own: impl Fn(&[f64]) -> f64,
) -> Vec<f64> {
    let outcomes: Vec<Vec<f64>> = outcomes.collect();
    let best = outcomes.iter().map(|values| own(values)).fold(f64::NEG_INFINITY, f64::max);
    let good: Vec<_> = outcomes.iter().filter(|values| own(values) >= best - SAME).collect();
    let mean = |at: usize| good.iter().map(|values| values[at]).sum::<f64>() / good.len() as f64;
    (0..outcomes[0].len()).map(mean).collect()
}
