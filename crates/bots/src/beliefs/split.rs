//! Counts the ways to split the open cards among their places.
//!
//! Cards that can be in the same places are equivalent, so they are counted by *group*, not one by
//! one. A place that can hold every open card imposes no restriction; all such places together are
//! one multinomial coefficient. The others are *restricted*: they are filled in turn, and the number
//! of ways for the rest depends only on how many cards of each group are left. Whist excludes whole
//! suits and Cruce leaves at most three other hands, so there are few groups and few such states.

use arrayvec::ArrayVec;
use cards::CardSet;

use super::draws::Draws;
use super::evidence::{Evidence, Holder, Holders};

/// The maximum number of groups: one for each suit in whist, for the sets of two or three other hands
/// in Cruce, and for the arrival of a card in Cruce for two.
pub(super) const GROUPS: usize = 8;

/// The number of cards of each group.
pub(super) type Counts = [u8; GROUPS];

/// The maximum number of cards in a pack.
const CARDS: usize = 48;

/// Pascal's triangle.
static CHOOSE: [[u64; CARDS + 1]; CARDS + 1] = {
    let mut choose = [[0; CARDS + 1]; CARDS + 1];
    let mut n = 0;
    while n <= CARDS {
        choose[n][0] = 1;
        let mut k = 1;
        while k <= n {
            choose[n][k] = choose[n - 1][k - 1] + choose[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    choose
};

/// The open cards, their places, and the number of ways.
#[derive(Clone, Debug)]
pub(super) struct Split {
    /// The places with room: the restricted ones, then the unrestricted ones, and last the cards
    /// outside the hands.
    holders: Holders,
    /// The number of restricted ones.
    restricted: usize,
    groups: ArrayVec<CardSet, GROUPS>,
    /// The number of cards in each group.
    sizes: Counts,
    /// The stride of each group in the index of a state.
    strides: [usize; GROUPS],
    /// The maximum number of states at a restricted place.
    states: usize,
    /// The number of ways in which the restricted places from some place on can be filled, at
    /// [`Split::index`]; only for reachable states.
    ways: Vec<Option<u128>>,
    /// The factor of the unrestricted places.
    rest: u128,
    draws: Draws,
}

impl Split {
    /// The split of the cards that a view leaves open.
    pub(super) fn of(evidence: Evidence) -> Split {
        let Evidence { mut holders, open, stock, other, draws } = evidence;
        let in_stock = holders.last().map_or(0, |beside| beside.sure.len() as u8 + beside.room);
        holders.retain(|holder| holder.room > 0);
        let draws_matter = |holder: &Holder| holder.seat == other && draws.has_draws();
        let is_restricted = |holder: &Holder| holder.may != open || draws_matter(holder);
        // Restricted places with few possible cards come first: that leaves few states.
        holders.sort_by_key(|holder| match holder.seat {
            Some(_) if is_restricted(holder) => (0, holder.may.len() as u8),
            Some(_) => (1, holder.room),
            None => (2, 0),
        });
        let restricted = holders.iter().filter(|holder| is_restricted(holder)).count();
        let rest = arrangements(&holders[restricted..], if stock { in_stock } else { 0 });
        let groups = grouped(open, &holders[..restricted], &draws);
        let mut sizes = Counts::default();
        sizes.iter_mut().zip(&groups).for_each(|(size, group)| *size = group.len() as u8);
        let (strides, states) = strides(&sizes[..groups.len()]);
        let mut split = Split {
            holders,
            restricted,
            groups,
            sizes,
            strides,
            states,
            ways: vec![None; if restricted == 0 { 0 } else { 1 + (restricted - 1) * states }],
            rest,
            draws,
        };
        split.fill(0, sizes);
        split
    }

    /// The places that hold open cards, in the order in which they are filled; the last takes what is
    /// left.
    pub(super) fn holders(&self) -> &[Holder] {
        &self.holders
    }

    /// The number of restricted places, which come first.
    pub(super) fn restricted(&self) -> usize {
        self.restricted
    }

    /// The groups of equivalent open cards.
    pub(super) fn groups(&self) -> &[CardSet] {
        &self.groups
    }

    /// The number of cards in each group.
    pub(super) fn sizes(&self) -> Counts {
        self.sizes
    }

    /// When cards of the other hand can have come (C13).
    pub(super) fn draws(&self) -> &Draws {
        &self.draws
    }

    /// The number of deals: splits with the order of the stock, and in Cruce for two every way in which
    /// the other player can have received their cards.
    pub(super) fn deals(&self) -> u128 {
        self.ways_from(0, &self.sizes) * self.rest
    }

    /// The number of different splits, with the order of the stock.
    pub(super) fn worlds(&self) -> u128 {
        if !self.draws.has_draws() || self.restricted == 0 {
            return self.deals();
        }
        // The hand that draws is the only restricted place.
        let takes = self.takes(0, &self.sizes).filter(|take| self.draw_ways(0, take) > 0);
        takes.map(|take| choices(&self.sizes, &take)).sum::<u128>() * self.rest
    }

    /// What a restricted place can take from the cards that are left.
    pub(super) fn takes(&self, place: usize, left: &Counts) -> Takes {
        let holder = &self.holders[place];
        let mut limits = Counts::default();
        for (at, group) in self.groups.iter().enumerate() {
            if holder.may.contains_all(*group) {
                limits[at] = left[at];
            }
        }
        Takes::new(holder.room, limits, self.groups.len())
    }

    /// The number of ways in which a restricted place can take exactly these and the restricted ones
    /// after it be filled.
    pub(super) fn ways_with(&self, place: usize, left: &Counts, take: &Counts) -> u128 {
        let own = choices(left, take) * u128::from(self.draw_ways(place, take));
        if own == 0 { 0 } else { own * self.ways_from(place + 1, &less(left, take)) }
    }

    /// The number of ways in which the restricted places from this one on can be filled.
    pub(super) fn ways_from(&self, place: usize, left: &Counts) -> u128 {
        if place == self.restricted {
            return 1;
        }
        self.ways.get(self.index(place, left)).copied().flatten().unwrap_or(0)
    }

    /// The number of ways in which the other player can have received such a hand (C13).
    fn draw_ways(&self, place: usize, take: &Counts) -> u64 {
        if !self.draws.has_draws() {
            return 1;
        }
        // Cards of a group are equivalent, so any of them can be used.
        let some = |(group, take): (&CardSet, &u8)| -> CardSet {
            group.iter().take(usize::from(*take)).collect()
        };
        let taken = self.groups.iter().zip(take).map(some);
        self.draws.ways(taken.fold(self.holders[place].sure, |hand, cards| hand | cards))
    }

    /// Counts the ways from a restricted place on, and from all that follow it.
    fn fill(&mut self, place: usize, left: Counts) -> u128 {
        if place == self.restricted {
            return 1;
        }
        let index = self.index(place, &left);
        if let Some(known) = self.ways[index] {
            return known;
        }
        let mut ways = 0;
        for take in self.takes(place, &left) {
            let own = choices(&left, &take) * u128::from(self.draw_ways(place, &take));
            if own > 0 {
                ways += own * self.fill(place + 1, less(&left, &take));
            }
        }
        self.ways[index] = Some(ways);
        ways
    }

    /// The open cards that a place holds in at least one split, and those that it holds in every split.
    pub(super) fn bounds(&self, place: usize) -> (CardSet, CardSet) {
        let mut bounds = Bounds {
            place,
            least: self.sizes,
            most: Counts::default(),
            met: vec![false; self.ways.len()],
        };
        self.bound(0, &self.sizes, &mut bounds);
        let (mut may, mut must) = (CardSet::EMPTY, CardSet::EMPTY);
        for (at, group) in self.groups.iter().enumerate() {
            // Cards of a group are equivalent: one can be there if any can, and must be there only if all
            // must.
            if bounds.most[at] > 0 {
                may |= *group;
            }
            if bounds.least[at] == self.sizes[at] {
                must |= *group;
            }
        }
        (may, must)
    }

    /// Collects what the place in question can get, from this place on.
    fn bound(&self, at: usize, left: &Counts, bounds: &mut Bounds) {
        if at == self.restricted {
            // An unrestricted place could exchange any of its cards for any other, so none is certain to be
            // there.
            let room = self.holders[bounds.place].room;
            bounds.note(&Counts::default(), &left.map(|left| left.min(room)));
            return;
        }
        if core::mem::replace(&mut bounds.met[self.index(at, left)], true) {
            return;
        }
        for take in self.takes(at, left) {
            if self.ways_with(at, left, &take) == 0 {
                continue;
            }
            if at == bounds.place {
                bounds.note(&take, &take);
            } else {
                self.bound(at + 1, &less(left, &take), bounds);
            }
        }
    }

    /// The index of a state in `ways`.
    fn index(&self, place: usize, left: &Counts) -> usize {
        if place == 0 {
            return 0;
        }
        let parts = self.strides.iter().zip(left).map(|(stride, left)| stride * usize::from(*left));
        1 + (place - 1) * self.states + parts.sum::<usize>()
    }
}

/// The minimum and maximum number of cards of each group that a place can get.
struct Bounds {
    place: usize,
    least: Counts,
    most: Counts,
    /// The states that have been visited.
    met: Vec<bool>,
}

impl Bounds {
    fn note(&mut self, least: &Counts, most: &Counts) {
        self.least.iter_mut().zip(least).for_each(|(old, new)| *old = (*old).min(*new));
        self.most.iter_mut().zip(most).for_each(|(old, new)| *old = (*old).max(*new));
    }
}

/// The cards left after a take.
pub(super) fn less(left: &Counts, take: &Counts) -> Counts {
    let mut less = *left;
    less.iter_mut().zip(take).for_each(|(left, take)| *left -= take);
    less
}

/// The number of ways to choose these numbers of cards from each group.
fn choices(left: &Counts, take: &Counts) -> u128 {
    let each = left.iter().zip(take).map(|(n, k)| CHOOSE[usize::from(*n)][usize::from(*k)]);
    // One hand holds at most 24 of 48 cards, and the number of choices fits into 45 bits.
    u128::from(each.product::<u64>())
}

/// The number of ways in which unrestricted places can be filled and the stock be ordered.
fn arrangements(holders: &[Holder], in_stock: u8) -> u128 {
    let mut left: usize = holders.iter().map(|holder| usize::from(holder.room)).sum();
    let mut ways = 1;
    for holder in holders {
        let room = usize::from(holder.room);
        ways *= u128::from(CHOOSE[left][room]);
        left -= room;
    }
    ways * (1..=u128::from(in_stock)).product::<u128>()
}

/// The open cards in groups: those of a group can be in the same places, and came from the same time
/// on if they were drawn (C13).
fn grouped(open: CardSet, restricted: &[Holder], draws: &Draws) -> ArrayVec<CardSet, GROUPS> {
    let mut groups: ArrayVec<CardSet, GROUPS> = ArrayVec::new();
    if !open.is_empty() {
        groups.push(open);
    }
    for part in restricted.iter().map(|holder| holder.may).chain(draws.kinds()) {
        for at in 0..groups.len() {
            let (inside, outside) = (groups[at] & part, groups[at] - part);
            if !inside.is_empty() && !outside.is_empty() {
                groups[at] = inside;
                groups.push(outside);
            }
        }
    }
    groups
}

/// The numbering of states. The total number of cards left is known at every place, so the largest
/// group follows from the others and needs no stride.
fn strides(sizes: &[u8]) -> ([usize; GROUPS], usize) {
    let (mut strides, mut states) = ([0; GROUPS], 1);
    let largest = (0..sizes.len()).max_by_key(|at| sizes[*at]);
    for (at, size) in sizes.iter().enumerate() {
        if Some(at) != largest {
            strides[at] = states;
            states *= usize::from(*size) + 1;
        }
    }
    (strides, states)
}

/// All ways to take a number of cards from groups of limited size, as the numbers of cards of each
/// group.
#[derive(Clone, Debug)]
pub(super) struct Takes {
    limits: Counts,
    groups: usize,
    next: Option<Counts>,
}

impl Takes {
    fn new(room: u8, limits: Counts, groups: usize) -> Takes {
        let mut first = Counts::default();
        let missing = fill_up(&mut first[..groups], &limits, room);
        Takes { limits, groups, next: (missing == 0).then_some(first) }
    }

    /// The take after a given one: one card less of the last group that can give one, and the groups
    /// after it filled again from the first.
    fn after(&self, take: &Counts) -> Option<Counts> {
        let (mut taken, mut limit) = (0, 0);
        for at in (0..self.groups).rev() {
            if take[at] > 0 && taken < limit {
                let mut next = *take;
                next[at] -= 1;
                let later = at + 1..self.groups;
                fill_up(&mut next[later.clone()], &self.limits[later], taken + 1);
                return Some(next);
            }
            taken += take[at];
            limit += self.limits[at];
        }
        None
    }
}

impl Iterator for Takes {
    type Item = Counts;

    fn next(&mut self) -> Option<Counts> {
        let take = self.next?;
        self.next = self.after(&take);
        Some(take)
    }
}

/// Takes as much as possible from the first groups; returns how much is missing.
fn fill_up(take: &mut [u8], limits: &[u8], mut wanted: u8) -> u8 {
    for (take, limit) in take.iter_mut().zip(limits) {
        *take = wanted.min(*limit);
        wanted -= *take;
    }
    wanted
}
