//! The worlds that the strong player thinks about.

use game::deal::Lots;
use solver::Limit;

use crate::beliefs::{Beliefs, World};

/// For each world that is solved, so many are drawn to choose from.
const CHOICE: usize = 16;
/// At least so many worlds are begun with; a limit may stop them.
const FEW: u64 = 30;
/// The most that are drawn.
const MAX_DRAWN: usize = 1500;

/// How many worlds fit into a limit if each costs so much, at least a few and at
/// most so many.
pub(super) fn worlds_within(limit: Limit<'_>, cost: u64, most: usize) -> usize {
    (limit.nodes / cost.max(1)).clamp(FEW, most as u64) as usize
}

/// Worlds with their weights, which sum to one: all of them if they are few, or
/// else those of many draws that are plausible.
pub(super) fn think(
    beliefs: &Beliefs,
    lots: &mut Lots,
    solved: usize,
    likelihood: impl Fn(&World) -> f64,
) -> Vec<(World, f64)> {
    if beliefs.world_count() <= solved as u128 {
        let weigh = |world: World| {
            let weight = beliefs.ways(&world) as f64 * likelihood(&world);
            (world, weight)
        };
        let mut all: Vec<(World, f64)> = beliefs.worlds().map(weigh).collect();
        // In any order, so that a search that is stopped has seen a fair part.
        lots.shuffle(&mut all);
        return normal(all);
    }
    let draw = |_| {
        let world = beliefs.sample(lots);
        let weight = likelihood(&world);
        (world, weight)
    };
    let drawn = normal((0..(CHOICE * solved).min(MAX_DRAWN.max(solved))).map(draw).collect());
    // Even steps through the weights: each world is taken about as often as it deserves.
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
