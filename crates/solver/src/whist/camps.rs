//! Two partnerships that play for tricks, as in bridge: partners sit opposite
//! each other and the first camp asks whether it takes at least so many.
//!
//! Nobody plays Romanian whist like this. It exists to be compared with bridge
//! solvers, which are the best tested searches there are.

use super::alone::beating;
use super::lanes::{LANE, Shapes, lane, lowest, suit_of, up_to};
use crate::limit::Meter;
use crate::memory::Memory;

/// Partnerships are two of two.
const SEATS: usize = 4;

/// What is known of a position between two tricks.
#[derive(Clone, Copy, Default)]
pub(super) struct Known {
    low: u8,
    high: u8,
    /// The place of the lead that decided, and one; nought where none did.
    best: u8,
}

/// A trick on the table.
#[derive(Clone, Copy)]
pub(super) struct Laid {
    pub(super) left: u64,
    pub(super) led: u64,
    pub(super) beating: u64,
    pub(super) winner: usize,
    pub(super) seat: usize,
    pub(super) to_come: usize,
}

pub(super) struct Search<'a> {
    pub(super) hands: [u64; SEATS],
    /// Whether the first seat and its partner are the first camp.
    pub(super) first: bool,
    pub(super) trumps: u64,
    pub(super) shapes: &'a Shapes,
    pub(super) memory: &'a mut Memory<Known>,
    pub(super) meter: Meter<'a>,
}

impl Search<'_> {
    #[inline]
    fn is_first(&self, seat: usize) -> bool {
        (seat & 1 == 0) == self.first
    }

    /// A bound of the tricks that the first camp takes of the rest: at least `bar`
    /// if it can take so many, fewer if not.
    pub(super) fn lead(&mut self, left: u64, leader: usize, bar: i8) -> i8 {
        let tricks = (left.count_ones() / 4) as i8;
        if bar <= 0 {
            return 0;
        }
        if bar > tricks {
            return tricks;
        }
        let ours = self.is_first(leader);
        let sure = self.sure(left, leader) as i8;
        if ours && sure >= bar {
            return sure;
        }
        if !ours && tricks - sure < bar {
            return tricks - sure;
        }
        if tricks == 1 {
            return self.last(left, leader);
        }
        if self.meter.tick() {
            return bar;
        }
        let left = self.shapes.strongest(left);
        let key = self.shapes.packed(left) | (leader as u64) << 48;
        let (place, known) = self.memory.recall(key);
        let mut known = known.unwrap_or(Known { low: 0, high: tricks as u8, best: 0 });
        if known.low as i8 >= bar {
            return known.low as i8;
        }
        if (known.high as i8) < bar {
            return known.high as i8;
        }
        let best = if known.best == 0 { 0 } else { 1 << (known.best - 1) };
        let (value, best) = self.leads(left, leader, bar, best);
        if !self.meter.stopped {
            if value >= bar {
                known.low = value as u8;
            } else {
                known.high = value as u8;
            }
            known.best = if best == 0 { 0 } else { best.trailing_zeros() as u8 + 1 };
            self.memory.keep(place, known);
        }
        value
    }

    /// Who takes the last trick.
    fn last(&self, left: u64, leader: usize) -> i8 {
        let card = left & self.hands[leader];
        let led = lane(suit_of(card));
        let (mut winner, mut beats) = (leader, beating(card, led, self.trumps));
        for step in 1..SEATS {
            let seat = (leader + step) % SEATS;
            let card = left & self.hands[seat];
            if card & beats != 0 {
                (winner, beats) = (seat, beating(card, led, self.trumps));
            }
        }
        i8::from(self.is_first(winner))
    }

    /// Tricks that the leader's camp takes at once: the leader cashes his own
    /// winners, or goes over to his partner, who cashes his.
    fn sure(&self, left: u64, leader: usize) -> u32 {
        let own = self.cash(left, leader);
        let partner = (leader + 2) % SEATS;
        let held = left & self.hands[partner];
        let tops = held & !up_to(left & !held);
        let hand = left & self.hands[leader];
        let mut suits = tops;
        while suits != 0 {
            let suit = lane(suit_of(suits));
            suits &= !suit;
            let reachable = hand & suit != 0 && (self.trumps == 0 || suit == self.trumps);
            if reachable {
                return own.max(self.cash(left, partner));
            }
        }
        own
    }

    /// The winners that a seat on lead can cash one after the other.
    #[inline]
    fn cash(&self, left: u64, seat: usize) -> u32 {
        let hand = left & self.hands[seat];
        let others = left & !hand;
        let tops = hand & !up_to(others);
        let ruffs = others & self.trumps != 0;
        let mut sure = 0;
        let mut suits = tops;
        while suits != 0 {
            let at = suit_of(suits);
            let suit = lane(at);
            suits &= !suit;
            let run = (tops & suit).count_ones();
            let lengths = [1, 2, 3]
                .map(|step| (others & suit & self.hands[(seat + step) % SEATS]).count_ones());
            sure += if ruffs && suit != self.trumps {
                // Whoever follows cannot trump.
                run.min(lengths[0]).min(lengths[1]).min(lengths[2])
            } else if lengths.iter().all(|length| *length <= run) {
                (hand & suit).count_ones()
            } else {
                run
            };
        }
        sure
    }

    /// The leads, likely ones first: the bound and the card that set it.
    fn leads(&mut self, left: u64, leader: usize, bar: i8, best_before: u64) -> (i8, u64) {
        let ours = self.is_first(leader);
        let hand = left & self.hands[leader];
        let others = left & !hand;
        let partner = left & self.hands[(leader + 2) % SEATS];
        let enemies = others & !partner;
        let tops = hand & !up_to(others);
        let to_partner = hand & up_to(partner & !up_to(enemies));
        let laid =
            Laid { left, led: 0, beating: u64::MAX, winner: leader, seat: leader, to_come: SEATS };
        let mut tried = 0;
        let mut worst = if ours { i8::MIN } else { i8::MAX };
        for group in [best_before, tops, to_partner, hand] {
            let mut cards = group & hand & !tried;
            while cards != 0 {
                // The last suits first, each from below.
                let card = lowest(cards);
                let same = self.neighbours(&laid, hand & lane(suit_of(card)) & !(card - 1));
                cards &= !same;
                tried |= same;
                let value = self.after(laid, card, bar);
                if (value >= bar) == ours {
                    return (value, card);
                }
                worst = if ours { worst.max(value) } else { worst.min(value) };
            }
        }
        (worst, 0)
    }

    /// The lowest of some cards with those that come to the same.
    #[inline]
    fn neighbours(&self, laid: &Laid, cards: u64) -> u64 {
        let card = lowest(cards);
        let suit = lane(suit_of(card));
        let strangers = laid.left & !self.hands[laid.seat] & suit & !(card - 1);
        let alike = if laid.beating & card != 0 { laid.beating } else { !laid.beating };
        let below = if strangers == 0 { u64::MAX } else { lowest(strangers) - 1 };
        cards & suit & below & alike
    }

    /// The bound of a position, in the middle of a trick or before it.
    pub(super) fn best(&mut self, laid: Laid, bar: i8) -> i8 {
        if laid.to_come == SEATS {
            self.lead(laid.left, laid.seat, bar)
        } else {
            self.follow(laid, bar)
        }
    }

    /// The bound after this card.
    pub(super) fn after(&mut self, mut laid: Laid, card: u64, bar: i8) -> i8 {
        laid.left &= !card;
        if laid.led == 0 {
            laid.led = lane(suit_of(card));
        }
        if card & laid.beating != 0 {
            laid.winner = laid.seat;
            laid.beating = beating(card, laid.led, self.trumps);
        }
        laid.to_come -= 1;
        laid.seat = (laid.seat + 1) % SEATS;
        if laid.to_come > 0 {
            return self.follow(laid, bar);
        }
        let gain = i8::from(self.is_first(laid.winner));
        gain + self.lead(laid.left, laid.winner, bar - gain)
    }

    /// A bound as in [`lead`](Search::lead), in the middle of a trick.
    fn follow(&mut self, laid: Laid, bar: i8) -> i8 {
        let ours = self.is_first(laid.seat);
        let hand = laid.left & self.hands[laid.seat];
        let following = hand & laid.led;
        let owed = if following != 0 { following } else { hand & self.trumps };
        let legal = if owed != 0 { owed } else { hand };
        let partner_wins = laid.winner == (laid.seat + 2) % SEATS;
        let winning = legal & laid.beating;
        // A partner who is winning is helped by a low card.
        let groups = if partner_wins && laid.to_come == 1 {
            [legal & !winning, winning]
        } else {
            [winning, legal & !winning]
        };
        let mut worst = if ours { i8::MIN } else { i8::MAX };
        for mut cards in groups {
            while cards != 0 {
                let card = lowest(cards);
                cards &= !self.neighbours(&laid, cards);
                let value = self.after(laid, card, bar);
                if (value >= bar) == ours {
                    return value;
                }
                worst = if ours { worst.max(value) } else { worst.min(value) };
            }
        }
        worst
    }
}

const _: () = assert!(LANE == 16);
