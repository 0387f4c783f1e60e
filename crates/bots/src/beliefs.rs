//! The deals that agree with everything a seat has seen.
//!
//! A [`World`] states where every card is now. [`Beliefs`] are all worlds that a view leaves
//! possible: counted exactly, listed each once, and sampled so that every *deal* is equally likely.
//! Only hard facts exclude a world, as `evidence` explains; plausibility is left to the bots.

mod draws;
mod evidence;
mod split;
mod worlds;

use arrayvec::ArrayVec;
use cards::{BySeat, Card, CardSet, Seat};
use game::View;
use game::deal::RandomStream;

use evidence::Evidence;
use split::{Counts, Split, less};
pub use worlds::Worlds;

/// The place of every card that has not been played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct World {
    /// Every hand, including the viewer's.
    pub hands: BySeat<CardSet>,
    /// The rest of the stock of Cruce for two, the next card first (C13). The undealt cards of whist
    /// (W3) never come into play and are not included.
    pub stock: ArrayVec<Card, 8>,
}

/// The worlds that agree with a view; there is at least one.
///
/// ```
/// use bots::beliefs::Beliefs;
/// use game::View;
/// use game::deal::{RandomStream, Seed};
///
/// // Seat 4 did not follow, so the last bell, 3b, is with seat 2 or 3.
/// let view: View = "cruce4t seat=1 hand=X4b9a9l9h bids=1.0.0.0 play=Ab.9b.2b.3l".parse()?;
/// let beliefs = Beliefs::new(&view).expect("a deal is in progress");
/// assert_eq!(beliefs.count(), 756_756 * 2 / 3);
/// let world = beliefs.sample(&mut RandomStream::new(Seed([1; 32]), 0));
/// assert_eq!(beliefs.ways(&world), 1);
/// # Ok::<(), game::notation::NotationFault>(())
/// ```
#[derive(Clone, Debug)]
pub struct Beliefs {
    /// The cards whose place is certain: of every hand and, in any order, of the stock.
    sure: World,
    /// The cards that are certainly outside the hands.
    beside: CardSet,
    /// Whether the cards outside the hands will be drawn in their order (C13).
    ordered: bool,
    /// The cards that can be in several places.
    open: CardSet,
    /// The other seat that draws from the stock (C13).
    other: Option<Seat>,
    split: Split,
    count: u128,
}

impl Beliefs {
    /// The beliefs of a view. Returns `None` while no deal is in progress, for a spectator, who has no
    /// decision to take, and if no deal agrees with the view, which a table never produces.
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
        beliefs.count = beliefs.split.deals() * u128::from(beliefs.known_hand_ways());
        (beliefs.count > 0).then_some(beliefs)
    }

    /// The number of ways in which the other player of Cruce for two can have received their cards, if
    /// all of them are known; otherwise they are counted with the split.
    fn known_hand_ways(&self) -> u64 {
        match self.other {
            Some(other) if self.split.restricted() == 0 => {
                self.split.draws().ways(self.sure.hands[other])
            }
            _ => 1,
        }
    }

    /// The number of deals that agree with the view.
    ///
    /// A deal is what every seat was dealt and, in Cruce for two, the order of the stock. In all other
    /// games each world comes from one deal, so this is the number of worlds; in Cruce for two a world
    /// comes from as many deals as there are [`ways`](Beliefs::ways) for the other player to have
    /// received their cards, dealt or drawn. Which three cards of a hand were seen first (C6), and the
    /// order of the undealt cards of whist (W3), make no difference.
    pub fn count(&self) -> u128 {
        self.count
    }

    /// The number of worlds that [`worlds`](Beliefs::worlds) lists.
    pub fn world_count(&self) -> u128 {
        self.split.worlds()
    }

    /// The number of deals that lead to this world; 0 if it does not agree with the view.
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

    /// The number of cards left in the stock.
    fn stock_len(&self) -> usize {
        let open = self.split.holders().last().filter(|holder| holder.seat.is_none());
        let open = open.map_or(0, |holder| usize::from(holder.room));
        if self.ordered { self.beside.len() + open } else { 0 }
    }

    /// Whether every card is in a possible place, and none is missing or duplicated.
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
    pub fn sample(&self, lots: &mut RandomStream) -> World {
        let split = &self.split;
        let mut world = self.sure.clone();
        let (mut left, mut counts) = (self.open, split.sizes());
        for (place, holder) in split.holders().iter().enumerate() {
            let mut dealt = CardSet::EMPTY;
            if place + 1 == split.holders().len() {
                dealt = left;
            } else if place < split.restricted() {
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

    /// The number of cards of each group that a restricted place takes, drawn in proportion to the
    /// number of deals.
    fn take_by_lot(&self, place: usize, left: &Counts, lots: &mut RandomStream) -> Counts {
        let mut lot = lots.below_wide(self.split.ways_from(place, left));
        let mut takes = self.split.takes(place, left);
        let drawn = takes.find(|take| {
            let ways = self.split.ways_with(place, left, take);
            let here = lot < ways;
            lot = lot.saturating_sub(ways);
            here
        });
        // The ways of all takes add up to the range of the lot.
        debug_assert!(drawn.is_some());
        drawn.unwrap_or_default()
    }

    /// Lists every world once, in a fixed order.
    ///
    /// Only in Cruce for two with automatic calls can worlds differ in likelihood: there each is
    /// weighted by its number of [`ways`](Beliefs::ways).
    pub fn worlds(&self) -> Worlds<'_> {
        Worlds::new(self)
    }

    /// The cards that a seat holds in at least one world.
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

/// A random choice of cards of a set.
fn some_of(mut cards: CardSet, count: u8, lots: &mut RandomStream) -> CardSet {
    let mut drawn = CardSet::EMPTY;
    for _ in 0..count {
        if let Some(card) = cards.nth(lots.below(cards.len())) {
            cards.remove(card);
            drawn.insert(card);
        }
    }
    drawn
}
