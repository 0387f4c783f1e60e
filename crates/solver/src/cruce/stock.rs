//! Cruce with two players while the stock lasts (C13): two camps of one player, whose
//! hands grow.
//!
//! There are no duties yet, so there are up to sixty-four ways to play a trick; but
//! there are at most four tricks before the stock is gone, and then
//! [`camps`](super::camps) searches the rest with the same bar. Hands change here, so
//! the key of a position is both hands, the leader and the trump.
//!
//! Of neighbours in a hand mostly one is tried, as in [`camps`](super::camps). Cards
//! in the stock separate neighbours too, since either player may draw them. While a
//! pair may still be completed in the hand, its III and IV are neighbours of each
//! other and of no other card (C10).

use core::cmp::Reverse;

use arrayvec::ArrayVec;
use cards::{Card, CardSet, Seat, Side};
use game::cruce::Play;

use super::CallWorth;
use super::camps::{self, lowest};
use super::root::close_in;
use super::rows::{ROW, card_at, pairs, points, rows, suit, suit_of, worth};
use crate::limit::{Limit, Meter, Stopped};
use crate::transposition::TranspositionTable;

/// Larger than every value.
const BEYOND: i32 = 1000;
/// Cards of the pack (C1).
const CARDS: usize = 24;
/// Slots of the tables, as powers of two: for the positions with a stock, and for
/// one search without one.
const SLOTS: u32 = 16;
const ENDING_SLOTS: u32 = 10;

/// The stored result of two hands before a trick.
#[derive(Clone, Copy, Default)]
struct StockEntry {
    low: i16,
    high: i16,
    /// The lead that decided, as the number of its bit.
    best: u8,
}

/// The tables of searches with a stock.
#[derive(Clone)]
pub(super) struct StockTables {
    hands: TranspositionTable<StockEntry>,
    ending: TranspositionTable<camps::CruceCampEntry>,
}

impl StockTables {
    pub(super) fn new() -> StockTables {
        StockTables {
            hands: TranspositionTable::new(SLOTS),
            ending: TranspositionTable::new(ENDING_SLOTS),
        }
    }
}

/// Two hands between two tricks.
#[derive(Clone, Copy)]
struct Hands {
    held: [u32; 2],
    /// How many cards of the stock have been drawn.
    drawn: usize,
    leader: usize,
    /// The worth of all cards that are not yet taken.
    at_stake: i32,
}

struct StockSearch<'a> {
    /// Whether a seat is the first camp.
    first: [bool; 2],
    overtake: bool,
    worth: CallWorth,
    /// The stock, the next card to be drawn first, and the set that is left of it after
    /// this many cards.
    stock: ArrayVec<u32, 8>,
    left: ArrayVec<u32, 9>,
    trumps: u32,
    trump: u32,
    /// How often a card decided a node, by the trick, the card led (or none), and the
    /// card.
    decided: [[[u32; CARDS + 1]; CARDS + 1]; 4],
    tables: &'a mut StockTables,
    limit: Limit<'a>,
    meter: Meter<'a>,
}

impl<'a> StockSearch<'a> {
    fn fix_trump(&mut self, at: u32) {
        (self.trump, self.trumps) = (at, suit(at));
    }

    /// The worth to a camp of calling these pairs, given by their III.
    fn worth_of_calls(&self, pairs: u32, first: bool) -> i32 {
        let twenties = pairs.count_ones() + (pairs & self.trumps).count_ones();
        twenties as i32 * self.worth.of_twenty(first)
    }

    /// The change of the first camp's value by the call with this lead.
    fn call(&self, hand: u32, seat: usize, card: u32) -> i32 {
        let called = self.worth_of_calls(pairs(hand) & (card | card >> ROW), self.first[seat]);
        if self.first[seat] { called } else { -called }
    }

    fn left(&self, drawn: usize) -> u32 {
        self.left.get(drawn).copied().unwrap_or(0)
    }

    /// The minimum and the maximum that the first camp can still get: every pair that
    /// may still be completed may be called.
    fn bounds(&self, hands: &Hands) -> (i32, i32) {
        let left = self.left(hands.drawn);
        let calls =
            |seat: usize| self.worth_of_calls(pairs(hands.held[seat] | left), self.first[seat]);
        let (ours, theirs) = if self.first[0] { (0, 1) } else { (1, 0) };
        (-calls(theirs), hands.at_stake + calls(ours))
    }

    fn key(&self, hands: &Hands) -> u64 {
        u64::from(hands.held[0])
            | u64::from(hands.held[1]) << 24
            | (hands.leader as u64) << 48
            | u64::from(self.trump) << 49
    }

    /// A bound of the first camp's result in the rest: at least `bar` if it can
    /// reach the bar, below it if not.
    fn lead(&mut self, hands: &Hands, bar: i32) -> i32 {
        let (mut low, mut high) = self.bounds(hands);
        if low >= bar {
            return low;
        }
        if high < bar {
            return high;
        }
        if self.meter.tick() {
            return bar;
        }
        let (place, known) = self.tables.hands.probe(self.key(hands));
        let mut best = 0;
        if let Some(known) = known {
            (low, high) = (known.low.into(), known.high.into());
            if low >= bar {
                return low;
            }
            if high < bar {
                return high;
            }
            best = 1 << known.best & hands.held[hands.leader];
        }
        let (value, best) = if self.left(hands.drawn) == 0 {
            (self.ending(hands, bar), 0)
        } else {
            self.leads(hands, bar, best)
        };
        if !self.meter.stopped {
            *if value >= bar { &mut low } else { &mut high } = value;
            let best = if best == 0 { 31 } else { best.trailing_zeros() as u8 };
            self.tables.hands.store(place, StockEntry { low: low as i16, high: high as i16, best });
        }
        value
    }

    /// As [`lead`](StockSearch::lead), when the stock is gone and all duties apply.
    fn ending(&mut self, hands: &Hands, bar: i32) -> i32 {
        let nodes = self.limit.nodes.saturating_sub(self.meter.nodes);
        let mut search = camps::CruceCampSearch::<2>::new(
            hands.held,
            self.first,
            self.overtake,
            self.worth,
            &mut self.tables.ending,
            Limit { nodes, ..self.limit },
        );
        search.fix_trump(self.trump);
        let left = hands.held[0] | hands.held[1];
        let value = search.lead(left, hands.leader, hands.at_stake, camps::SearchWindow::at(bar));
        self.meter.nodes += search.meter.nodes;
        self.meter.stopped |= search.meter.stopped;
        value
    }

    /// Tries the leads, the most promising first: the bound and the card that set it.
    fn leads(&mut self, hands: &Hands, bar: i32, best_before: u32) -> (i32, u32) {
        let leader = hands.leader;
        let mut choice = StockTried::new(self, hands, leader, bar);
        for card in self.ordered(hands, leader, 0, best_before) {
            if choice.skip(card, u32::MAX) {
                continue;
            }
            let value = self.led(hands, card, bar);
            if self.meter.stopped {
                return (bar, 0);
            }
            if choice.record(card, value) {
                *self.decided_count(hands, 0, card) += 1;
                return (value, card);
            }
        }
        (choice.best, choice.best_card)
    }

    /// The bound after this lead.
    fn led(&mut self, hands: &Hands, card: u32, bar: i32) -> i32 {
        let call = self.call(hands.held[hands.leader], hands.leader, card);
        let mut hands = *hands;
        hands.held[hands.leader] &= !card;
        call + self.answers(&hands, card, bar - call)
    }

    /// The bound when the other player is to answer a lead.
    fn answers(&mut self, hands: &Hands, led: u32, bar: i32) -> i32 {
        let seat = 1 - hands.leader;
        let cards = self.ordered(hands, seat, led, 0);
        if let Some(value) = self.stored_bound(hands, led, &cards, bar) {
            return value;
        }
        let beating = self.beating(led);
        let mut choice = StockTried::new(self, hands, seat, bar);
        for card in cards {
            // Cards that win and cards that do not are not neighbours.
            let alike = if card & beating != 0 { beating } else { !beating };
            if choice.skip(card, alike) {
                continue;
            }
            let value = self.answered(hands, led, card, bar);
            if self.meter.stopped {
                return bar;
            }
            if choice.record(card, value) {
                *self.decided_count(hands, led, card) += 1;
                return value;
            }
        }
        choice.best
    }

    /// The bound, if the stored result of one answer decides the node.
    fn stored_bound(&self, hands: &Hands, led: u32, cards: &[u32], bar: i32) -> Option<i32> {
        let first = self.first[1 - hands.leader];
        cards.iter().find_map(|card| {
            let (next, gain) = self.after(hands, led, *card);
            let known = self.tables.hands.probe(self.key(&next)).1?;
            let value = gain + i32::from(if first { known.low } else { known.high });
            ((value >= bar) == first).then_some(value)
        })
    }

    /// The cards that take the trick from this lead.
    fn beating(&self, led: u32) -> u32 {
        let above = suit(suit_of(led)) & !(led | (led - 1));
        if led & self.trumps != 0 { above } else { above | self.trumps }
    }

    /// The bound after both cards of a trick.
    fn answered(&mut self, hands: &Hands, led: u32, card: u32, bar: i32) -> i32 {
        let (next, gain) = self.after(hands, led, card);
        gain + self.lead(&next, bar - gain)
    }

    /// The hands after a trick, and the first camp's gain by it: the winner draws,
    /// then the other, and the winner leads (C13).
    fn after(&self, hands: &Hands, led: u32, card: u32) -> (Hands, i32) {
        let mut next = *hands;
        let seat = 1 - hands.leader;
        let winner = if card & self.beating(led) != 0 { seat } else { hands.leader };
        next.held[seat] &= !card;
        next.held[winner] |= self.stock[hands.drawn];
        next.held[1 - winner] |= self.stock[hands.drawn + 1];
        let on_table = i32::from(worth(led)) + i32::from(worth(card));
        (next.leader, next.drawn) = (winner, hands.drawn + 2);
        next.at_stake -= on_table;
        (next, if self.first[winner] { on_table } else { 0 })
    }

    /// How often this card has decided a node of this trick, as the lead or the answer.
    fn decided_count(&mut self, hands: &Hands, led: u32, card: u32) -> &mut u32 {
        &mut self.decided[hands.drawn / 2][card_index(led)][card_index(card)]
    }

    /// A seat's cards, the most promising first.
    fn ordered(&self, hands: &Hands, seat: usize, led: u32, best: u32) -> ArrayVec<u32, 8> {
        let decided = &self.decided[hands.drawn / 2][card_index(led)];
        let mut cards: ArrayVec<_, 8> = ArrayVec::new();
        let mut hand = hands.held[seat];
        while hand != 0 {
            let card = lowest(hand);
            hand &= !card;
            let rank = (card == best, decided[card_index(card)], self.promise(hands, led, card));
            cards.push((Reverse(rank), card));
        }
        cards.sort_unstable();
        cards.into_iter().map(|(_, card)| card).collect()
    }

    /// How promising a card is before it is searched: leads that call, then low ones;
    /// answers that win with a plain card, high ones first, then low trumps on high
    /// leads.
    fn promise(&self, hands: &Hands, led: u32, card: u32) -> i32 {
        let own = i32::from(worth(card));
        let trump = card & self.trumps != 0;
        if led == 0 {
            let pair = pairs(hands.held[hands.leader]);
            let calls = (pair | pair << ROW) & card != 0;
            return if calls {
                32
            } else if trump {
                0
            } else {
                12 - own
            };
        }
        match (card & self.beating(led) != 0, trump) {
            (true, false) => 16 + own,
            (true, true) => 8 + i32::from(worth(led)) - own / 2,
            (false, false) => 12 - own,
            (false, true) => 0,
        }
    }
}

/// The index of a card in tables; "no card" has its own index.
fn card_index(card: u32) -> usize {
    (card.trailing_zeros() as usize).min(CARDS)
}

/// The cards of a seat tried so far at one node.
struct StockTried {
    first: bool,
    bar: i32,
    best: i32,
    best_card: u32,
    /// The cards of the other seat and the stock, which separate neighbours.
    others: u32,
    /// The cards of pairs that the hand has or may still get.
    paired: u32,
    tried: ArrayVec<(u32, i32), 8>,
}

impl StockTried {
    fn new(search: &StockSearch<'_>, hands: &Hands, seat: usize, bar: i32) -> StockTried {
        let (first, left) = (search.first[seat], search.left(hands.drawn));
        let pairs = pairs(hands.held[seat] | left);
        StockTried {
            first,
            bar,
            best: if first { -BEYOND } else { BEYOND },
            best_card: 0,
            others: hands.held[1 - seat] | left,
            paired: pairs | pairs << ROW,
            tried: ArrayVec::new(),
        }
    }

    /// Records the bound of a card; returns whether it decides the node.
    fn record(&mut self, card: u32, value: i32) -> bool {
        self.tried.push((card, value));
        self.update_best(card, value);
        (value >= self.bar) == self.first
    }

    fn update_best(&mut self, card: u32, value: i32) {
        if if self.first { value > self.best } else { value < self.best } {
            (self.best, self.best_card) = (value, card);
        }
    }

    /// Returns whether the card can be skipped, because a neighbour in `alike` shows
    /// that it cannot decide the node. Then it updates the best bound.
    fn skip(&mut self, card: u32, alike: u32) -> bool {
        let tried = self.tried.clone();
        tried.into_iter().any(|(tried, value)| {
            if tried & alike == 0 || !self.are_neighbours(card, tried) {
                return false;
            }
            let distance = i32::from(worth(card).abs_diff(worth(tried)));
            let bound = if self.first { value + distance } else { value - distance };
            if (bound >= self.bar) == self.first {
                return false;
            }
            self.update_best(card, bound);
            true
        })
    }

    fn are_neighbours(&self, one: u32, two: u32) -> bool {
        let suit = suit(suit_of(one));
        let (low, high) = (one.min(two), one.max(two));
        let between = (high - 1) & !(low | (low - 1)) & suit;
        let of_pair = (low | high) & self.paired;
        two & suit != 0 && between & self.others == 0 && (of_pair == 0 || of_pair == (low | high))
    }
}

/// A position with a stock, opened for search.
pub(super) struct StockRoot<'a> {
    search: StockSearch<'a>,
    hands: Hands,
    legal: ArrayVec<u32, 8>,
    /// The card on the table, or 0.
    led: u32,
    fixes_trump: bool,
    first: bool,
}

impl<'a> StockRoot<'a> {
    pub(super) fn new(
        play: &Play,
        side: Side,
        worth: CallWorth,
        tables: &'a mut StockTables,
        limit: Limit<'a>,
    ) -> Self {
        tables.hands.clear();
        let seats: [Seat; 2] = core::array::from_fn(|at| Seat::new(at).unwrap_or_default());
        let card = |card: Card| rows(CardSet::of(card));
        let stock: ArrayVec<u32, 8> = play.stock().into_iter().map(card).collect();
        let left = (0..=stock.len()).map(|at| stock[at..].iter().sum()).collect();
        let first = seats.map(|seat| Side::alone(seat) == side);
        let turn = play.turn().unwrap_or_default();
        let held = seats.map(|seat| rows(play.hand(seat)));
        let all = held[0] | held[1] | stock.iter().sum::<u32>();
        let led = play.lead().map_or(0, |lead| card(lead.best));
        let leader = play.lead().map_or(turn, |lead| lead.winner);
        let hands = Hands {
            held,
            drawn: 0,
            leader: leader.index(),
            at_stake: points(all) + i32::from(play.on_table()),
        };
        let mut search = StockSearch {
            first,
            overtake: play.overtake(),
            worth,
            stock,
            left,
            trumps: 0,
            trump: 0,
            decided: [[[0; CARDS + 1]; CARDS + 1]; 4],
            tables,
            meter: Meter::new(limit),
            limit,
        };
        if let Some(trump) = play.trump() {
            search.fix_trump(trump as u32);
        }
        let legal = search.ordered(&hands, turn.index(), led, 0);
        let fixes_trump = play.trump().is_none();
        StockRoot { search, hands, legal, led, fixes_trump, first: first[turn.index()] }
    }

    pub(super) fn at_stake(&self) -> i32 {
        self.hands.at_stake
    }

    pub(super) fn nodes(&self) -> u64 {
        self.search.meter.nodes
    }

    /// The bound of a card with this bar.
    fn test(&mut self, card: u32, bar: i32) -> Result<i32, Stopped> {
        if self.fixes_trump {
            self.search.fix_trump(suit_of(card));
        }
        let value = if self.led == 0 {
            self.search.led(&self.hands, card, bar)
        } else {
            self.search.answered(&self.hands, self.led, card, bar)
        };
        if self.search.meter.stopped { Err(Stopped) } else { Ok(value) }
    }

    /// Whether the position reaches the bar.
    pub(super) fn reaches(&mut self, bar: i32) -> Result<bool, Stopped> {
        self.bound(bar).map(|value| value >= bar)
    }

    /// A bound of the position's value on the correct side of the bar.
    fn bound(&mut self, bar: i32) -> Result<i32, Stopped> {
        let mut best = if self.first { -BEYOND } else { BEYOND };
        for at in 0..self.legal.len() {
            let value = self.test(self.legal[at], bar)?;
            if (value >= bar) == self.first {
                // The card that decided is tried first the next time.
                self.legal[..=at].rotate_right(1);
                return Ok(value);
            }
            best = if self.first { best.max(value) } else { best.min(value) };
        }
        Ok(best)
    }

    /// The value of the position.
    pub(super) fn value(&mut self) -> Result<i32, Stopped> {
        let (guess, widest) = self.guess_and_maximum();
        close_in(guess, widest, |bar| self.bound(bar))
    }

    /// The value of every legal card.
    pub(super) fn values(&mut self) -> Result<ArrayVec<(Card, i32), 8>, Stopped> {
        let (mut guess, widest) = self.guess_and_maximum();
        let mut values = ArrayVec::new();
        for at in 0..self.legal.len() {
            let card = self.legal[at];
            guess = close_in(guess, widest, |bar| self.test(card, bar))?;
            values.extend(card_at(card.trailing_zeros()).map(|card| (card, guess)));
        }
        values.sort_unstable_by_key(|(card, _)| *card);
        Ok(values)
    }

    /// A guess of the value, and its maximum: all points and all calls.
    fn guess_and_maximum(&self) -> (i32, i32) {
        (self.hands.at_stake / 2, self.hands.at_stake + 5 * 20)
    }
}
