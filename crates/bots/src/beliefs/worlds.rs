//! Lists every world that agrees with a view.
//!
//! A *plan* states how many cards of each group every restricted place gets; for each plan the cards
//! themselves are chosen level by level, like the digits of a counter whose last one changes most
//! often. The last place takes what is left. Nothing is allocated on the heap, and a step usually
//! changes two hands.

use arrayvec::ArrayVec;
use cards::{Card, CardSet, MAX_SEATS, Seat};

use super::split::{Counts, GROUPS, Takes, less};
use super::{Beliefs, World};

/// The maximum number of levels: one per group for the restricted hands, one for each other hand.
const LEVELS: usize = (MAX_SEATS + 1) * GROUPS;

/// The worlds of some [`Beliefs`].
#[derive(Clone, Debug)]
pub struct Worlds<'a> {
    beliefs: &'a Beliefs,
    /// The next world, if `ready`.
    world: World,
    ready: bool,
    /// What the restricted places can still take, and from what.
    plans: ArrayVec<(Takes, Counts), MAX_SEATS>,
    /// What they take in this plan.
    plan: ArrayVec<Counts, MAX_SEATS>,
    levels: ArrayVec<HandChoice, LEVELS>,
    /// The seat that takes what is left, if it is a hand.
    last: Option<Seat>,
}

/// A choice of cards of a pool for one hand.
#[derive(Clone, Copy, Debug)]
struct HandChoice {
    /// The seat of the hand.
    seat: Seat,
    /// The cards that can be chosen here, if they are left.
    from: CardSet,
    take: u8,
    /// The cards that were left before this choice.
    left: CardSet,
    chosen: CardSet,
}

impl<'a> Worlds<'a> {
    pub(super) fn new(beliefs: &'a Beliefs) -> Worlds<'a> {
        let split = &beliefs.split;
        let mut worlds = Worlds {
            beliefs,
            world: beliefs.sure.clone(),
            ready: true,
            plans: ArrayVec::new(),
            plan: ArrayVec::new(),
            levels: ArrayVec::new(),
            last: split.holders().last().and_then(|holder| holder.seat),
        };
        if split.restricted() > 0 {
            worlds.plans.push((split.takes(0, &split.sizes()), split.sizes()));
            worlds.ready = worlds.next_plan();
        }
        if worlds.ready {
            worlds.start_plan();
        }
        worlds
    }

    /// Finds the next plan that can be completed; returns whether there is one.
    fn next_plan(&mut self) -> bool {
        let split = &self.beliefs.split;
        while let Some((takes, left)) = self.plans.last_mut() {
            let Some(take) = takes.next() else {
                self.plans.pop();
                continue;
            };
            let left = *left;
            let place = self.plans.len() - 1;
            if split.ways_with(place, &left, &take) == 0 {
                continue;
            }
            self.plan.truncate(place);
            self.plan.push(take);
            if place + 1 == split.restricted() {
                return true;
            }
            let left = less(&left, &take);
            self.plans.push((split.takes(place + 1, &left), left));
        }
        false
    }

    /// Creates the levels of the plan and its first world.
    fn start_plan(&mut self) {
        self.levels.clear();
        self.world = self.beliefs.sure.clone();
        let split = &self.beliefs.split;
        let filled = split.holders().len().saturating_sub(1);
        for (place, holder) in split.holders()[..filled].iter().enumerate() {
            // Only the last place can be outside the hands.
            let Some(seat) = holder.seat else { continue };
            let mut add = |from, take| {
                let (left, chosen) = (CardSet::EMPTY, CardSet::EMPTY);
                self.levels.push(HandChoice { seat, from, take, left, chosen });
            };
            match self.plan.get(place) {
                Some(takes) => {
                    let groups = split.groups().iter().zip(takes).filter(|(_, take)| **take > 0);
                    groups.for_each(|(group, take)| add(*group, *take));
                }
                None => add(self.beliefs.open, holder.room),
            }
        }
        self.restart(0, self.beliefs.open);
    }

    /// Restarts the levels from this one on with the cards that are left.
    #[inline]
    fn restart(&mut self, from: usize, mut left: CardSet) {
        for level in &mut self.levels[from..] {
            let hand = &mut self.world.hands[level.seat];
            *hand -= level.chosen;
            level.start(left);
            *hand |= level.chosen;
            left -= level.chosen;
        }
        if let Some(seat) = self.last {
            self.world.hands[seat] = self.beliefs.sure.hands[seat] | left;
        } else if self.beliefs.ordered {
            self.world.stock = (self.beliefs.beside | left).iter().collect();
        }
    }

    /// Moves to the next world; returns whether there is one.
    #[inline]
    fn advance(&mut self) -> bool {
        if next_order(&mut self.world.stock) {
            return true;
        }
        for at in (0..self.levels.len()).rev() {
            let level = &mut self.levels[at];
            if let Some(chosen) = level.after() {
                let hand = &mut self.world.hands[level.seat];
                *hand = (*hand - level.chosen) | chosen;
                level.chosen = chosen;
                let left = level.left - chosen;
                self.restart(at + 1, left);
                return true;
            }
        }
        let more = self.next_plan();
        if more {
            self.start_plan();
        }
        more
    }
}

impl Iterator for Worlds<'_> {
    type Item = World;

    #[inline]
    fn next(&mut self) -> Option<World> {
        if !self.ready {
            return None;
        }
        let world = self.world.clone();
        self.ready = self.advance();
        Some(world)
    }
}

impl HandChoice {
    /// Starts with the lowest of the cards that are left.
    #[inline]
    fn start(&mut self, left: CardSet) {
        self.left = left;
        self.chosen = lowest(left & self.from, self.take.into());
    }

    /// The choice after this one, in the order of numbers: the last card of the lowest run of chosen
    /// cards moves one place up, and the others move to the bottom.
    #[inline]
    fn after(&self) -> Option<CardSet> {
        let (pool, chosen) = ((self.left & self.from).bits(), self.chosen.bits());
        let lowest_chosen = chosen & chosen.wrapping_neg();
        // The bits outside of the pool are set, so that the carry passes through them; it overflows
        // when the highest cards are chosen.
        let carried = (chosen | !pool).checked_add(lowest_chosen)? & pool;
        let fallen = chosen.count_ones() - carried.count_ones();
        let next = CardSet::from_bits(carried)?;
        Some(if fallen == 0 { next } else { next | lowest(self.left & self.from, fallen) })
    }
}

/// The lowest `count` cards of a set.
#[inline]
fn lowest(cards: CardSet, count: u32) -> CardSet {
    let mut others = cards.bits();
    for _ in 0..count {
        others &= others.wrapping_sub(1);
    }
    CardSet::from_bits(cards.bits() ^ others).unwrap_or_default()
}

/// Moves to the next order of these cards; after the last one it returns false and restores the first.
#[inline]
fn next_order(cards: &mut [Card]) -> bool {
    let Some(fall) = cards.windows(2).rposition(|pair| pair[0] < pair[1]) else {
        cards.reverse();
        return false;
    };
    if let Some(above) = cards.iter().rposition(|card| *card > cards[fall]) {
        cards.swap(fall, above);
    }
    cards[fall + 1..].reverse();
    true
}
