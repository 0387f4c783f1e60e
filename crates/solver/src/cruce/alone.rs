//! Every player for their own side (max^n): each player plays for their side's points
//! less the mean of all, knows that the others do, and is indifferent between cards of
//! the same value: then the outcome is their average.
//!
//! The points taken so far are added to the result and change no choice, so a
//! position between two tricks is the cards left, the leader and the trump. Nothing
//! can be pruned: whether a player would choose an outcome is known only when the
//! outcome is. Neighbours cannot be merged either, since no two cards of a suit are
//! worth the same (C1). What helps is the memory, and detecting a leader who takes
//! everything.

use arrayvec::ArrayVec;
use cards::{BySide, Card, CardSet, Seat, Side};
use game::cruce::Play;

use super::camps::lowest;
use super::rows::{ROW, pairs, points as points_of, rows, suit, suit_of, up_to, worth};
use crate::limit::{Limit, Meter, Stopped};
use crate::transposition::TranspositionTable;

/// Values that differ by less are equal: different values differ by much more,
/// and rounding errors are much smaller.
const SAME: f64 = 1e-9;
/// The maximum number of slots of each memory, as a power of two.
const MAX_SLOTS: [u32; 2] = [18, 19];
/// A position with at least this many cards left is early.
const EARLY: u32 = 15;
/// The maximum number of sides.
const SIDES: usize = 4;

/// The points of every side.
pub(super) type SidePoints = [f64; SIDES];

/// The tables of a search: early positions, which are expensive, are stored apart
/// from the many later ones, which would overwrite them.
#[derive(Clone)]
pub(super) struct CruceLoneTables {
    late: TranspositionTable<SidePoints>,
    early: TranspositionTable<SidePoints>,
    /// The number of slots they were allocated for, as a power of two.
    slots: u32,
}

impl CruceLoneTables {
    /// Empty tables, as large as hands of this many cards need, up to the maximum.
    /// Reuses the tables of an earlier search if they are large enough.
    fn fit(
        tables: &mut Option<CruceLoneTables>,
        players: usize,
        cards_each: usize,
    ) -> &mut CruceLoneTables {
        let ways = |left: usize| choose(cards_each, left).pow(players as u32);
        let positions = (1..=cards_each).map(ways).sum::<u64>() * players as u64;
        let slots = (positions + 1).ilog2() + 1;
        let [late, early] = MAX_SLOTS.map(|most| slots.min(most));
        let fitting = tables.take().filter(|tables| tables.slots >= slots);
        let tables = tables.insert(fitting.unwrap_or_else(|| CruceLoneTables {
            late: TranspositionTable::new(late),
            early: TranspositionTable::new(early),
            slots,
        }));
        tables.late.clear();
        tables.early.clear();
        tables
    }

    fn of(&mut self, left: u32) -> &mut TranspositionTable<SidePoints> {
        if left.count_ones() >= EARLY { &mut self.early } else { &mut self.late }
    }
}

/// The number of ways to choose `some` of the cards.
fn choose(cards: usize, some: usize) -> u64 {
    (0..some).fold(1, |ways, at| ways * (cards - at) as u64 / (at + 1) as u64)
}

/// A trick on the table.
#[derive(Clone, Copy)]
struct CruceLoneTrick {
    left: u32,
    /// All cards of the suit led.
    led: u32,
    /// The cards that would take the trick now.
    beating: u32,
    winner: usize,
    seat: usize,
    to_come: usize,
    /// The worth of the cards on the table.
    on_table: u8,
}

struct CruceLoneSearch<'a, const N: usize> {
    hands: [u32; N],
    /// The side of each seat.
    sides: [usize; N],
    /// How many sides there are.
    count: f64,
    overtake: bool,
    trumps: u32,
    trump: u32,
    tables: &'a mut CruceLoneTables,
    meter: Meter<'a>,
}

/// The total points of every side after each legal card. The position must have no
/// stock, because hands do not grow here.
pub(super) fn points<const N: usize>(
    play: &Play,
    tables: &mut Option<CruceLoneTables>,
    limit: Limit<'_>,
    nodes: &mut u64,
) -> Result<ArrayVec<(Card, BySide<f64>), 8>, Stopped> {
    debug_assert!(play.stock().is_empty());
    let seats: [Seat; N] = core::array::from_fn(|at| Seat::new(at).unwrap_or_default());
    let sides = seats.map(|seat| play.side_of(seat).index());
    let cards_each = seats.map(|seat| play.hand(seat).len()).into_iter().max().unwrap_or(0);
    let count = sides.iter().max().map_or(1, |last| last + 1);
    let mut search = CruceLoneSearch {
        hands: seats.map(|seat| rows(play.hand(seat))),
        sides,
        count: count as f64,
        overtake: play.overtake(),
        trumps: 0,
        trump: 0,
        tables: CruceLoneTables::fit(tables, N, cards_each),
        meter: Meter::new(limit),
    };
    if let Some(trump) = play.trump() {
        search.fix_trump(trump as u32);
    }
    let laid = search.on_table(play);
    let mut values = ArrayVec::new();
    for card in play.legal() {
        let place = rows(CardSet::of(card));
        if play.trump().is_none() {
            search.fix_trump(suit_of(place));
        }
        let outcome = search.after(laid, place);
        if search.meter.stopped {
            break;
        }
        let so_far = |side: Side| f64::from(play.points(side));
        values.push((card, BySide::from_fn(count, |side| so_far(side) + outcome[side.index()])));
    }
    *nodes += search.meter.nodes;
    if search.meter.stopped { Err(Stopped) } else { Ok(values) }
}

impl<const N: usize> CruceLoneSearch<'_, N> {
    fn fix_trump(&mut self, at: u32) {
        (self.trump, self.trumps) = (at, suit(at));
    }

    /// The trick as it lies on the table.
    fn on_table(&self, play: &Play) -> CruceLoneTrick {
        let turn = play.turn().unwrap_or_default().index();
        let left = self.hands.iter().fold(0, |all, hand| all | hand);
        let Some(lead) = play.lead() else { return self.fresh(left, turn) };
        let led = suit(lead.suit as u32);
        CruceLoneTrick {
            left,
            led,
            beating: self.beating(led, rows(CardSet::of(lead.best))),
            winner: lead.winner.index(),
            seat: turn,
            to_come: N - play.laid(),
            on_table: play.on_table(),
        }
    }

    /// A trick before its lead: any card takes it.
    fn fresh(&self, left: u32, leader: usize) -> CruceLoneTrick {
        let (winner, seat) = (leader, leader);
        CruceLoneTrick { left, led: 0, beating: u32::MAX, winner, seat, to_come: N, on_table: 0 }
    }

    /// The points of every side in the rest when `leader` leads.
    fn lead(&mut self, left: u32, leader: usize) -> SidePoints {
        if left == 0 || self.meter.tick() {
            return [0.0; SIDES];
        }
        if let Some(outcome) = self.takes_all(left, leader) {
            return outcome;
        }
        let laid = self.fresh(left, leader);
        if left.count_ones() as usize == N {
            return self.play(laid);
        }
        let key = u64::from(left) | (leader as u64) << 24 | u64::from(self.trump) << 26;
        let (place, known) = self.tables.of(left).probe(key);
        if let Some(outcome) = known {
            return outcome;
        }
        let outcome = self.play(laid);
        if !self.meter.stopped {
            self.tables.of(left).store(place, outcome);
        }
        outcome
    }

    /// The outcome if every card of the leader wins whatever the others do: then
    /// there is no choice.
    #[inline]
    fn takes_all(&self, left: u32, leader: usize) -> Option<SidePoints> {
        let hand = left & self.hands[leader];
        let others = left & !hand;
        if others & self.trumps != 0 || hand & up_to(others) != 0 {
            return None;
        }
        let pairs = pairs(hand);
        let twenties = pairs.count_ones() + (pairs & self.trumps).count_ones();
        let mut outcome = [0.0; SIDES];
        outcome[self.sides[leader]] = f64::from(points_of(left)) + 20.0 * f64::from(twenties);
        Some(outcome)
    }

    /// The cards that the seat in turn may play (C8).
    #[inline]
    fn legal(&self, laid: &CruceLoneTrick) -> u32 {
        let hand = laid.left & self.hands[laid.seat];
        let following = hand & laid.led;
        let allowed = if following != 0 { following } else { hand & self.trumps };
        let allowed = if allowed != 0 && laid.led != 0 { allowed } else { hand };
        let higher = allowed & laid.beating;
        if self.overtake && higher != 0 { higher } else { allowed }
    }

    /// The cards that take the trick from this card, if it is winning.
    #[inline]
    fn beating(&self, led: u32, card: u32) -> u32 {
        let above = !(card | (card - 1));
        if card & self.trumps != 0 { self.trumps & above } else { led & above | self.trumps }
    }

    /// The points of every side when the seat in turn plays the best card for its side.
    fn play(&mut self, laid: CruceLoneTrick) -> SidePoints {
        let mut cards = self.legal(&laid);
        if cards & (cards - 1) == 0 {
            return self.after(laid, cards);
        }
        let side = self.sides[laid.seat];
        let (mut sum, mut good, mut best) = ([0.0; SIDES], 0.0, f64::NEG_INFINITY);
        while cards != 0 {
            let card = lowest(cards);
            cards &= !card;
            let outcome = self.after(laid, card);
            if self.meter.stopped {
                return outcome;
            }
            let gain = self.count * outcome[side] - outcome.iter().sum::<f64>();
            if gain > best + SAME {
                (sum, good, best) = ([0.0; SIDES], 0.0, gain);
            }
            if gain >= best - SAME {
                good += 1.0;
                sum.iter_mut().zip(outcome).for_each(|(sum, points)| *sum += points);
            }
        }
        sum.map(|sum| sum / good)
    }

    /// The points of every side after this card.
    fn after(&mut self, mut laid: CruceLoneTrick, card: u32) -> SidePoints {
        let mut called = 0;
        if laid.led == 0 {
            laid.led = suit(suit_of(card));
            called = self.call(laid.left & self.hands[laid.seat], card);
        }
        let caller = self.sides[laid.seat];
        laid.left &= !card;
        laid.on_table += worth(card);
        if card & laid.beating != 0 {
            laid.winner = laid.seat;
            laid.beating = self.beating(laid.led, card);
        }
        laid.to_come -= 1;
        laid.seat = if laid.seat + 1 == N { 0 } else { laid.seat + 1 };
        let mut outcome = if laid.to_come > 0 {
            self.play(laid)
        } else {
            let mut rest = self.lead(laid.left, laid.winner);
            rest[self.sides[laid.winner]] += f64::from(laid.on_table);
            rest
        };
        outcome[caller] += f64::from(called);
        outcome
    }

    /// The points of the call with this lead (C10). A player who can call does, since
    /// it costs nothing.
    fn call(&self, hand: u32, card: u32) -> u8 {
        match pairs(hand) & (card | card >> ROW) {
            0 => 0,
            pair if pair & self.trumps != 0 => 40,
            _ => 20,
        }
    }
}
