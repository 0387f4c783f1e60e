//! The worlds that the strong bot considers.

use game::deal::RandomStream;
use solver::Limit;

use crate::beliefs::{Beliefs, World};

/// The number of worlds drawn for each world that is solved.
const CHOICE: usize = 16;
/// The minimum number of worlds to start with; a limit may stop them.
const FEW: u64 = 30;
/// The maximum number of worlds drawn.
const MAX_DRAWN: usize = 1500;

/// The number of worlds that fit into a limit at this cost each, with a minimum and a maximum.
pub(super) fn worlds_within(limit: Limit<'_>, cost: u64, most: usize) -> usize {
    (limit.nodes / cost.max(1)).clamp(FEW, most as u64) as usize
}

/// Worlds with their weights, which sum to one: all worlds if they are few, otherwise a plausible
/// selection of many draws.
pub(super) fn weighted_worlds(
    beliefs: &Beliefs,
    lots: &mut RandomStream,
    solved: usize,
    likelihood: impl Fn(&World) -> f64,
) -> Vec<(World, f64)> {
    if beliefs.world_count() <= solved as u128 {
        let weigh = |world: World| {
            let weight = beliefs.ways(&world) as f64 * likelihood(&world);
            (world, weight)
        };
        let mut all: Vec<(World, f64)> = beliefs.worlds().map(weigh).collect();
        // In random order, so that a stopped search has seen a fair part.
        lots.shuffle(&mut all);
        return normal(all);
    }
    let draw = |_| {
        let world = beliefs.sample(lots);
        let weight = likelihood(&world);
        (world, weight)
    };
    let drawn = normal((0..(CHOICE * solved).min(MAX_DRAWN.max(solved))).map(draw).collect());
    // Even steps through the weights select each world about in proportion to its weight.
    let step = 1.0 / solved as f64;
    let (mut next, mut sum) = (step / 2.0, 0.0);
    let mut taken = Vec::with_capacity(solved);
    for (world, weight) in drawn {
        sum += weight;
        let mut times = 0.0;
        while next < sum {
            next += step;
            times += step;
        }
        if times > 0.0 {
            taken.push((world, times));
        }
    }
    taken
}

fn normal(mut worlds: Vec<(World, f64)>) -> Vec<(World, f64)> {
    let sum: f64 = worlds.iter().map(|(_, weight)| weight).sum();
    worlds.iter_mut().for_each(|(_, weight)| *weight /= sum);
    worlds
}
