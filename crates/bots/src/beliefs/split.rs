//! How many ways there are to split the open cards among their places.
//!
//! Cards that can lie in the same places are alike, so they are counted by
//! *group*, not one by one. A place that can hold every open card asks nothing;
//! all such places together are one multinomial coefficient. The others are
//! *choosy*: they are filled in turn, and how many ways the rest has depends only
//! on how many cards of each group are left. Whist excludes whole suits and Cruce
//! leaves at most three other hands, so there are few groups and few such states.

use arrayvec::ArrayVec;
use cards::CardSet;

use super::draws::Draws;
use super::evidence::{Evidence, Holder, Holders};

/// The most groups there are: a suit each in whist, the sets of two or three
/// other hands in Cruce, and when a card can have come in Cruce in two.
pub(super) const GROUPS: usize = 8;

/// How many cards of each group.
pub(super) type Counts = [u8; GROUPS];

/// No pack has more cards.
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

/// The open cards, their places, and how many ways there are.
#[derive(Clone, Debug)]
pub(super) struct Split {
    /// The places with room: the choosy ones, then those that hold anything, and
    /// last of all what lies beside the hands.
    holders: Holders,
    /// How many of them are choosy.
    choosy: usize,
    groups: ArrayVec<CardSet, GROUPS>,
    /// How many cards each group has.
    sizes: Counts,
    /// What each group contributes to the index of a state.
    strides: [usize; GROUPS],
    /// How many states a choosy place can find at most.
    states: usize,
    /// In how many ways the choosy places from some place on can be filled, at
    /// [`Split::index`]; only for states that can be reached.
    ways: Vec<Option<u128>>,
    /// What the places that hold anything multiply this by.
    rest: u128,
    draws: Draws,
}

impl Split {
    /// The split of what a view leaves open.
    pub(super) fn of(evidence: Evidence) -> Split {
        let Evidence { mut holders, open, stock, other, draws } = evidence;
        let in_stock = holders.last().map_or(0, |beside| beside.sure.len() as u8 + beside.room);
        holders.retain(|holder| holder.room > 0);
        let draws_matter = |holder: &Holder| holder.seat == other && draws.matter();
        let is_choosy = |holder: &Holder| holder.may != open || draws_matter(holder);
        // Choosy ones who choose among few cards first: that leaves few states.
        holders.sort_by_key(|holder| match holder.seat {
            Some(_) if is_choosy(holder) => (0, holder.may.len() as u8),
            Some(_) => (1, holder.room),
            None => (2, 0),
        });
        let choosy = holders.iter().filter(|holder| is_choosy(holder)).count();
        let rest = arrangements(&holders[choosy..], if stock { in_stock } else { 0 });
        let groups = grouped(open, &holders[..choosy], &draws);
        let mut sizes = Counts::default();
        sizes.iter_mut().zip(&groups).for_each(|(size, group)| *size = group.len() as u8);
        let (strides, states) = strides(&sizes[..groups.len()]);
        let mut split = Split {
            holders,
            choosy,
            groups,
            sizes,
            strides,
            states,
            ways: vec![None; if choosy == 0 { 0 } else { 1 + (choosy - 1) * states }],
            rest,
            draws,
        };
        split.fill(0, sizes);
        split
    }

    /// The places that hold open cards, in the order in which they are filled;
    /// the last takes what is left.
    pub(super) fn holders(&self) -> &[Holder] {
        &self.holders
    }

    /// How many of the first places are choosy.
    pub(super) fn choosy(&self) -> usize {
        self.choosy
    }

    /// The open cards in groups that are alike.
    pub(super) fn groups(&self) -> &[CardSet] {
        &self.groups
    }

    /// How many cards each group has.
    pub(super) fn sizes(&self) -> Counts {
        self.sizes
    }

    /// When cards of the other hand can have come (C13).
    pub(super) fn draws(&self) -> &Draws {
        &self.draws
    }

    /// How many deals there are: splits with the order of the stock, and in Cruce
    /// in two every way in which the other can have come by his cards.
    pub(super) fn deals(&self) -> u128 {
        self.ways_from(0, &self.sizes) * self.rest
    }

    /// How many different splits there are, with the order of the stock.
    pub(super) fn worlds(&self) -> u128 {
        if !self.draws.matter() || self.choosy == 0 {
            return self.deals();
        }
        // He who draws is the only choosy one.
        let takes = self.takes(0, &self.sizes).filter(|take| self.draw_ways(0, take) > 0);
        takes.map(|take| choices(&self.sizes, &take)).sum::<u128>() * self.rest
    }

    /// What a choosy place can take when so many cards are left.
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

    /// In how many ways a choosy place can take just these and the choosy ones
    /// after it be filled.
    pub(super) fn ways_with(&self, place: usize, left: &Counts, take: &Counts) -> u128 {
        let own = choices(left, take) * u128::from(self.draw_ways(place, take));
        if own == 0 { 0 } else { own * self.ways_from(place + 1, &less(left, take)) }
    }

    /// In how many ways the choosy places from this one on can be filled.
    pub(super) fn ways_from(&self, place: usize, left: &Counts) -> u128 {
        if place == self.choosy {
            return 1;
        }
        self.ways.get(self.index(place, left)).copied().flatten().unwrap_or(0)
    }

    /// In how many ways the other can have come by such a hand (C13).
    fn draw_ways(&self, place: usize, take: &Counts) -> u64 {
        if !self.draws.matter() {
            return 1;
        }
        // Cards of a group are alike, so any of them will do.
        let some = |(group, take): (&CardSet, &u8)| -> CardSet {
            group.iter().take(usize::from(*take)).collect()
        };
        let taken = self.groups.iter().zip(take).map(some);
        self.draws.ways(taken.fold(self.holders[place].sure, |hand, cards| hand | cards))
    }

    /// Counts the ways from a choosy place on, and from all that follow it.
    fn fill(&mut self, place: usize, left: Counts) -> u128 {
        if place == self.choosy {
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

    /// The open cards that a place holds in some split, and those that it holds in
    /// every one.
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
            // Cards of a group are alike: one can be there if any can, and must
            // be there only if all must.
            if bounds.most[at] > 0 {
                may |= *group;
            }
            if bounds.least[at] == self.sizes[at] {
                must |= *group;
            }
        }
        (may, must)
    }

    /// Notes what the place in question gets, from this place on.
    fn bound(&self, at: usize, left: &Counts, bounds: &mut Bounds) {
        if at == self.choosy {
            // A place that holds anything could give any card of its own for any
            // other, so nothing is certain to lie there.
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

    /// Where the ways of a state stand.
    fn index(&self, place: usize, left: &Counts) -> usize {
        if place == 0 {
            return 0;
        }
        let parts = self.strides.iter().zip(left).map(|(stride, left)| stride * usize::from(*left));
        1 + (place - 1) * self.states + parts.sum::<usize>()
    }
}

/// How few and how many cards of each group a place can get.
struct Bounds {
    place: usize,
    least: Counts,
    most: Counts,
    /// The states that have been looked at.
    met: Vec<bool>,
}

impl Bounds {
    fn note(&mut self, least: &Counts, most: &Counts) {
        self.least.iter_mut().zip(least).for_each(|(old, new)| *old = (*old).min(*new));
        self.most.iter_mut().zip(most).for_each(|(old, new)| *old = (*old).max(*new));
    }
}

/// What is left when some is taken.
pub(super) fn less(left: &Counts, take: &Counts) -> Counts {
    let mut less = *left;
    less.iter_mut().zip(take).for_each(|(left, take)| *left -= take);
    less
}

/// In how many ways so many cards can be chosen from each group.
fn choices(left: &Counts, take: &Counts) -> u128 {
    let each = left.iter().zip(take).map(|(n, k)| CHOOSE[usize::from(*n)][usize::from(*k)]);
    // One hand holds at most 24 of 48 cards, which can be chosen in 45 bits.
    u128::from(each.product::<u64>())
}

/// In how many ways places that hold anything can be filled, and then the stock
/// be ordered.
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

/// The open cards in groups: those of a group can lie in the same places, and
/// came from the same time on if they were drawn (C13).
fn grouped(open: CardSet, choosy: &[Holder], draws: &Draws) -> ArrayVec<CardSet, GROUPS> {
    let mut groups: ArrayVec<CardSet, GROUPS> = ArrayVec::new();
    if !open.is_empty() {
        groups.push(open);
    }
    for part in choosy.iter().map(|holder| holder.may).chain(draws.kinds()) {
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

/// How states are numbered. How many cards are left in all is known at every
/// place, so the largest group follows from the others and needs no room.
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

/// All ways to take a number of cards from groups of limited size, as numbers
/// of cards of each group.
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

    /// The next after one: one less of the last group that can spare one, and
    /// the groups after it filled anew from the first.
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

/// Takes as much as can be from the first groups; says how much is missing.
fn fill_up(take: &mut [u8], limits: &[u8], mut wanted: u8) -> u8 {
    for (take, limit) in take.iter_mut().zip(limits) {
        *take = wanted.min(*limit);
        wanted -= *take;
    }
    wanted
}
