//! The worlds that the strong player thinks about.

use game::deal::Lots;

use crate::beliefs::{Beliefs, World};

/// How many worlds are thought about.
#[derive(Clone, Copy)]
pub(super) struct Worlds {
    /// So many are looked at one by one.
    pub(super) all: u128,
    /// Of more, so many are drawn,
    pub(super) drawn: usize,
    /// and of these so many are solved.
    pub(super) solved: usize,
}

/// Worlds with their weights, which sum to one: all of them if they are few, or
/// else those of many draws that are plausible.
pub(super) fn think(
    beliefs: &Beliefs,
    lots: &mut Lots,
    worlds: Worlds,
    likelihood: impl Fn(&World) -> f64,
) -> Vec<(World, f64)> {
    if beliefs.world_count() <= worlds.all {
        let weigh = |world: World| {
            let weight = beliefs.ways(&world) as f64 * likelihood(&world);
            (world, weight)
        };
        return normal(beliefs.worlds().map(weigh).collect());
    }
    let draw = |_| {
        let world = beliefs.sample(lots);
        let weight = likelihood(&world);
        (world, weight)
    };
    let drawn = normal((0..worlds.drawn).map(draw).collect());
    // Even steps through the weights: each world is taken about as often as it deserves.
    let step = 1.0 / worlds.solved as f64;
    let (mut next, mut sum) = (step / 2.0, 0.0);
    let mut taken = Vec::with_capacity(worlds.solved);
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
