//! The deals that agree with everything a seat has seen.
//!
//! A [`World`] says where every card lies now. [`Beliefs`] are all worlds that a
//! view leaves possible: counted exactly, listed each once, and sampled so that
//! every *deal* is equally likely. Only hard facts exclude a world, as
//! `evidence` explains; what is merely implausible is for a bot to judge.

mod draws;
mod evidence;
mod split;
mod worlds;

use arrayvec::ArrayVec;
use cards::{BySeat, Card, CardSet, Seat};
use game::View;
use game::deal::Lots;

use evidence::Evidence;
use split::{Counts, Split, less};
pub use worlds::Worlds;

/// Where every card lies now that has not been played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct World {
    /// Every hand, the viewer's own too.
    pub hands: BySeat<CardSet>,
    /// What is left of the stock of Cruce in two, the next card first (C13). What
    /// whist leaves undealt (W3) never comes into play and is not told.
    pub stock: ArrayVec<Card, 8>,
}

/// The worlds that agree with a view; there is always at least one.
///
/// ```
/// use bots::beliefs::Beliefs;
/// use game::View;
/// use game::deal::{Lots, Seed};
///
/// // Seat 4 did not follow, so the last bell, 3b, is with seat 2 or 3.
/// let view: View = "cruce4t seat=1 hand=X4b9a9l9h bids=1.0.0.0 play=Ab.9b.2b.3l".parse()?;
/// let beliefs = Beliefs::new(&view).expect("a deal is in progress");
/// assert_eq!(beliefs.count(), 756_756 * 2 / 3);
/// let world = beliefs.sample(&mut Lots::new(Seed([1; 32]), 0));
/// assert_eq!(beliefs.ways(&world), 1);
/// # Ok::<(), game::notation::Fault>(())
/// ```
#[derive(Clone, Debug)]
pub struct Beliefs {
    /// What is certain of every hand and, in any order, of the stock.
    sure: World,
    /// What certainly lies beside the hands.
    beside: CardSet,
    /// Whether what lies beside the hands will be drawn in its order (C13).
    ordered: bool,
    /// The cards that lie in one of several places.
    open: CardSet,
    /// Who else draws from the stock (C13).
    other: Option<Seat>,
    split: Split,
    count: u128,
}

impl Beliefs {
    /// What a view leaves possible. Nothing while no deal is in progress, nothing
    /// for a spectator, who has no decision to take, and nothing if no deal agrees
    /// with the view, which no table gives.
    pub fn new(view: &View) -> Option<Beliefs> {
        let evidence = Evidence::of(view)?;
        let (open, ordered, other) = (evidence.open, evidence.stock, evidence.other);
        let hands = BySeat::from_fn(evidence.holders.len() - 1, |seat: Seat| {
            evidence.holders[seat.index()].sure
        });
        let beside = evidence.holders.last()?.sure;
        let split = Split::of(evidence);
        let stock = if ordered { beside.iter().collect() } else { ArrayVec::new() };
        let sure = World { hands, stock };
        let mut beliefs = Beliefs { sure, beside, ordered, open, other, split, count: 0 };
        beliefs.count = beliefs.split.deals() * u128::from(beliefs.settled_ways());
        (beliefs.count > 0).then_some(beliefs)
    }

    /// In how many ways the other of Cruce in two can have come by his cards, if
    /// they are all known; else they are counted with the split.
    fn settled_ways(&self) -> u64 {
        match self.other {
            Some(other) if self.split.choosy() == 0 => {
                self.split.draws().ways(self.sure.hands[other])
            }
            _ => 1,
        }
    }

    /// How many deals agree with the view.
    ///
    /// A deal is what every seat was dealt and, in Cruce in two, the order of the
    /// stock. In all other games each world comes from one deal, so this is the
    /// number of worlds; in Cruce in two a world comes from as many deals as there
    /// are [`ways`](Beliefs::ways) for the other to have come by his cards, dealt or
    /// drawn. Which three cards of a hand were seen first (C6), and how the pile of
    /// whist lies (W3), makes no difference.
    pub fn count(&self) -> u128 {
        self.count
    }

    /// How many worlds [`worlds`](Beliefs::worlds) lists.
    pub fn world_count(&self) -> u128 {
        self.split.worlds()
    }

    /// How many of the deals lead to this world; none if it does not agree with
    /// the view.
    pub fn ways(&self, world: &World) -> u128 {
        let agrees = world.hands.len() == self.sure.hands.len()
            && world.stock.len() == self.stock_len()
            && self.holds_all(world);
        match self.other {
            _ if !agrees => 0,
            Some(other) => self.split.draws().ways(world.hands[other]).into(),
            None => 1,
        }
    }

    /// How many cards are left of the stock.
    fn stock_len(&self) -> usize {
        let open = self.split.holders().last().filter(|holder| holder.seat.is_none());
        let open = open.map_or(0, |holder| usize::from(holder.room));
        if self.ordered { self.beside.len() + open } else { 0 }
    }

    /// Whether every card lies where it can, and nothing is missing or there twice.
    fn holds_all(&self, world: &World) -> bool {
        let stock: CardSet = world.stock.iter().copied().collect();
        let mut left = self.open;
        let mut fits = |cards: CardSet, sure: CardSet, seat: Option<Seat>| {
            let place = self.split.holders().iter().find(|holder| holder.seat == seat);
            let (may, room) = place.map_or((CardSet::EMPTY, 0), |place| (place.may, place.room));
            let open = cards - sure;
            let fits = cards.contains_all(sure)
                && open.len() == usize::from(room)
                && (may & left).contains_all(open);
            left -= open;
            fits
        };
        let hands = world.hands.entries();
        let mut hands = hands.map(|(seat, hand)| (*hand, self.sure.hands[seat], Some(seat)));
        hands.all(|(hand, sure, seat)| fits(hand, sure, seat))
            && (!self.ordered || fits(stock, self.beside, None))
    }

    /// A world, drawn so that all deals are equally likely.
    pub fn sample(&self, lots: &mut Lots) -> World {
        let split = &self.split;
        let mut world = self.sure.clone();
        let (mut left, mut counts) = (self.open, split.sizes());
        for (place, holder) in split.holders().iter().enumerate() {
            let mut dealt = CardSet::EMPTY;
            if place + 1 == split.holders().len() {
                dealt = left;
            } else if place < split.choosy() {
                let take = self.take_by_lot(place, &counts, lots);
                for (group, take) in split.groups().iter().zip(take) {
                    dealt |= some_of(left & *group, take, lots);
                }
                counts = less(&counts, &take);
            } else {
                dealt = some_of(left, holder.room, lots);
            }
            left -= dealt;
            match holder.seat {
                Some(seat) => world.hands[seat] |= dealt,
                None if self.ordered => world.stock.extend(dealt),
                None => {}
            }
        }
        lots.shuffle(&mut world.stock);
        world
    }

    /// How many cards of each group a choosy place takes, drawn by the number of
    /// deals.
    fn take_by_lot(&self, place: usize, left: &Counts, lots: &mut Lots) -> Counts {
        let mut lot = lots.below_wide(self.split.ways_from(place, left));
        let mut takes = self.split.takes(place, left);
        let drawn = takes.find(|take| {
            let ways = self.split.ways_with(place, left, take);
            let here = lot < ways;
            lot = lot.saturating_sub(ways);
            here
        });
        // The ways of all takes add up to those that the lot was drawn from.
        debug_assert!(drawn.is_some());
        drawn.unwrap_or_default()
    }

    /// Every world once, in a fixed order.
    ///
    /// Only in Cruce in two with automatic calls can worlds differ in how likely
    /// they are: there each weighs as much as it has [`ways`](Beliefs::ways).
    pub fn worlds(&self) -> Worlds<'_> {
        Worlds::new(self)
    }

    /// The cards that a seat holds in some world.
    pub fn may_hold(&self, seat: Seat) -> CardSet {
        let hand = self.sure.hands[seat];
        self.place_of(seat).map_or(hand, |place| hand | self.split.bounds(place).0)
    }

    /// The cards that a seat holds in every world.
    pub fn holds(&self, seat: Seat) -> CardSet {
        let hand = self.sure.hands[seat];
        self.place_of(seat).map_or(hand, |place| hand | self.split.bounds(place).1)
    }

    fn place_of(&self, seat: Seat) -> Option<usize> {
        self.split.holders().iter().position(|holder| holder.seat == Some(seat))
    }
}

/// Some cards of a set, drawn by lot.
fn some_of(mut cards: CardSet, count: u8, lots: &mut Lots) -> CardSet {
    let mut drawn = CardSet::EMPTY;
    for _ in 0..count {
        if let Some(card) = cards.nth(lots.below(cards.len())) {
            cards.remove(card);
            drawn.insert(card);
        }
    }
    drawn
}
