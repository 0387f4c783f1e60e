//! Every world that agrees with a view, one after the other.
//!
//! First comes how many cards of each group every choosy place gets; for each
//! such *plan* the cards themselves are chosen level by level, like the wheels of
//! a counter whose last one turns fastest. The last place takes what is left.
//! Nothing is put on the heap, and a step mostly changes two hands.

use arrayvec::ArrayVec;
use cards::{Card, CardSet, MAX_SEATS, Seat};

use super::split::{Counts, GROUPS, Takes, less};
use super::{Beliefs, World};

/// The most levels there are: a group each for the choosy hands, one for each other.
const LEVELS: usize = (MAX_SEATS + 1) * GROUPS;

/// The worlds of some [`Beliefs`].
#[derive(Clone, Debug)]
pub struct Worlds<'a> {
    beliefs: &'a Beliefs,
    /// The world that comes next, if `ready`.
    world: World,
    ready: bool,
    /// What the choosy places can still take, and out of what.
    plans: ArrayVec<(Takes, Counts), MAX_SEATS>,
    /// What they take in this plan.
    plan: ArrayVec<Counts, MAX_SEATS>,
    levels: ArrayVec<HandChoice, LEVELS>,
    /// Who takes what is left, if a hand does.
    last: Option<Seat>,
}

/// A choice of some cards of a pool for one hand.
#[derive(Clone, Copy, Debug)]
struct HandChoice {
    /// Whose hand.
    seat: Seat,
    /// Which cards can be chosen here, if they are still there.
    from: CardSet,
    take: u8,
    /// Which cards were there before this choice.
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
        if split.choosy() > 0 {
            worlds.plans.push((split.takes(0, &split.sizes()), split.sizes()));
            worlds.ready = worlds.next_plan();
        }
        if worlds.ready {
            worlds.start_plan();
        }
        worlds
    }

    /// The next plan that can be completed; none is left if there is none.
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
            if place + 1 == split.choosy() {
                return true;
            }
            let left = less(&left, &take);
            self.plans.push((split.takes(place + 1, &left), left));
        }
        false
    }

    /// Makes the levels of the plan and the first world of it.
    fn start_plan(&mut self) {
        self.levels.clear();
        self.world = self.beliefs.sure.clone();
        let split = &self.beliefs.split;
        let filled = split.holders().len().saturating_sub(1);
        for (place, holder) in split.holders()[..filled].iter().enumerate() {
            // Only the last place can lie beside the hands.
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

    /// Lets the levels from this one on begin with the cards that are left.
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

    /// The world after this one.
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
    /// Begins with the lowest cards of those left.
    #[inline]
    fn start(&mut self, left: CardSet) {
        self.left = left;
        self.chosen = lowest(left & self.from, self.take.into());
    }

    /// The next choice after this one, in the order of numbers: the lowest run of
    /// chosen cards sends its last card one place up and the others to the bottom.
    #[inline]
    fn after(&self) -> Option<CardSet> {
        let (pool, chosen) = ((self.left & self.from).bits(), self.chosen.bits());
        let lowest_chosen = chosen & chosen.wrapping_neg();
        // The bits outside of the pool are set, so that the carry runs through
        // them; it runs out when the highest cards are chosen.
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

/// The next order of these cards; after the last one there is none, and the
/// first comes back.
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
