//! Two camps, all cards open: does the first camp reach a bar?
//!
//! Every search is a test against a bar: it returns a bound on the correct side
//! of the bar, and an exact value is found by moving the bar. Hands never change
//! during a search, so a position between two tricks is the set of cards that are
//! left, the leader and the trump: three numbers that fit the memory's key without
//! hashing.
//!
//! Three things besides the memory keep the tree small. *Sure points*: the
//! highest trumps left win whatever happens, and a leader who cannot be trumped
//! cashes their winners. *Neighbours*: cards that [`TriedCards`] can skip.
//! *Order*: calls and winners are tried first.

use super::CallWorth;
use super::choice::{TriedCards, TriedInSuit, max_distance};
use super::rows::{APART, ROW, lane, pairs, points, suit, suit_of, up_to, worth};
use crate::limit::{Limit, Meter};
use crate::transposition::TranspositionTable;

/// The window of a search: values at or below `low` need not be distinguished, nor
/// values at or above `high`.
#[derive(Clone, Copy)]
pub(super) struct SearchWindow {
    pub(super) low: i32,
    pub(super) high: i32,
}

impl SearchWindow {
    /// The window that only tests whether the bar is reached.
    pub(super) fn at(bar: i32) -> SearchWindow {
        SearchWindow { low: bar - 1, high: bar }
    }

    #[inline]
    fn less(self, gain: i32) -> SearchWindow {
        SearchWindow { low: self.low - gain, high: self.high - gain }
    }
}

/// The part of a trick that stays the same while it is played.
#[derive(Clone, Copy)]
pub(super) struct TrickFrame {
    /// All cards of the suit led.
    pub(super) led: u32,
    /// The worth of the cards in the hands and on the table.
    pub(super) at_stake: i32,
    /// The window for this trick and the rest.
    pub(super) window: SearchWindow,
}

/// The part of a trick that changes with every card.
#[derive(Clone, Copy)]
pub(super) struct CruceCampTrick {
    /// The cards in the hands.
    pub(super) left: u32,
    /// The cards that would take the trick now.
    pub(super) beating: u32,
    /// The seat that is winning.
    pub(super) winner: u8,
    /// The seat in turn.
    pub(super) seat: u8,
    /// The worth of the cards on the table.
    pub(super) on_table: u8,
}

/// The stored result of a position between two tricks.
#[derive(Clone, Copy, Default)]
pub(super) struct CruceCampEntry {
    low: i16,
    high: i16,
    /// The cards that were left, and above them the place of the best lead.
    left: u32,
}

impl CruceCampEntry {
    fn best(self) -> u32 {
        1 << (self.left >> 24)
    }

    /// The bounds for a position of the same shape, in which other cards of the
    /// same relative strength are left.
    #[inline]
    fn shifted(self, left: u32) -> (i32, i32) {
        let (mut low, mut high) = (i32::from(self.low), i32::from(self.high));
        if (self.left ^ left) << 8 != 0 {
            for suit in 0..4 {
                let (more, less) = APART[lane(self.left, suit) << 6 | lane(left, suit)];
                low -= i32::from(less);
                high += i32::from(more);
            }
        }
        (low, high)
    }
}

/// A search of one deal.
pub(super) struct CruceCampSearch<'a, const N: usize> {
    /// All cards of each hand when the search began. There are always four elements,
    /// so that the lookup of a seat does not depend on the number of players.
    hands: [u32; 4],
    /// Whether a seat plays for the first camp.
    first: [bool; 4],
    /// All cards of each camp, the first camp last, so that a bool is the index.
    camps: [u32; 2],
    /// III of each pair that a hand of the camp could call.
    pairs: [u32; 2],
    /// For each suit, the shape of every lane.
    shapes: [[u16; 64]; 4],
    /// All trumps, and the index of their suit.
    trumps: u32,
    trump: u32,
    overtake: bool,
    worth: CallWorth,
    memory: &'a mut TranspositionTable<CruceCampEntry>,
    pub(super) meter: Meter<'a>,
}

impl<'a, const N: usize> CruceCampSearch<'a, N> {
    pub(super) fn new(
        hands: [u32; N],
        first: [bool; N],
        overtake: bool,
        worth: CallWorth,
        memory: &'a mut TranspositionTable<CruceCampEntry>,
        limit: Limit<'a>,
    ) -> Self {
        let cards: u32 = hands.iter().map(|hand| hand.count_ones()).sum();
        memory.clear_within(slots_for::<N>(cards as usize));
        let mut search = CruceCampSearch {
            hands: [0; 4],
            first: core::array::from_fn(|seat| first.get(seat).is_some_and(|first| *first)),
            camps: [0; 2],
            pairs: [0; 2],
            shapes: [[0; 64]; 4],
            trumps: 0,
            trump: 0,
            overtake,
            worth,
            memory,
            meter: Meter::new(limit),
        };
        search.set_hands(hands);
        search
    }

    /// All cards of a seat when the search began.
    #[inline(always)]
    fn hand(&self, seat: usize) -> u32 {
        self.hands[seat & 3]
    }

    /// Whether a seat plays for the first camp.
    #[inline(always)]
    fn is_first(&self, seat: usize) -> bool {
        self.first[seat & 3]
    }

    /// Sets other hands.
    pub(super) fn set_hands(&mut self, hands: [u32; N]) {
        (self.camps, self.pairs) = ([0; 2], [0; 2]);
        self.hands[..N].copy_from_slice(&hands);
        for (hand, first) in hands.into_iter().zip(self.first) {
            self.camps[usize::from(first)] |= hand;
            self.pairs[usize::from(first)] |= pairs(hand);
        }
        (0..4).for_each(|suit| self.find_shapes(suit));
    }

    /// A bound of the difference between the values of two cards of the seat in
    /// turn, if they are neighbours.
    pub(super) fn neighbour_distance(
        &self,
        laid: &CruceCampTrick,
        one: u32,
        two: u32,
    ) -> Option<i32> {
        let hand = laid.left & self.hand(laid.seat.into());
        let same_suit = suit_of(one) == suit_of(two);
        let alike = (one & laid.beating == 0) == (two & laid.beating == 0);
        let others = laid.left & !hand & suit(suit_of(one));
        if same_suit && alike { max_distance(one, two, others, pairs(hand)) } else { None }
    }

    pub(super) fn fix_trump(&mut self, at: u32) {
        (self.trump, self.trumps) = (at, suit(at));
    }

    /// The worth to a camp of calling these pairs, given by their III.
    #[inline]
    fn worth_of_calls(&self, pairs: u32, first: bool) -> i32 {
        let twenties = pairs.count_ones() + (pairs & self.trumps).count_ones();
        twenties as i32 * self.worth.of_twenty(first)
    }

    /// The change of the first camp's value by the call with this lead.
    #[inline]
    fn call(&self, hand: u32, seat: usize, card: u32) -> i32 {
        let pair = pairs(hand) & (card | card >> ROW);
        if pair == 0 {
            return 0;
        }
        let first = self.is_first(seat);
        let worth = self.worth_of_calls(pair, first);
        if first { worth } else { -worth }
    }

    /// The minimum and the maximum that the first camp can still get.
    #[inline]
    fn bounds(&self, left: u32, leader: usize, at_stake: i32) -> (i32, i32) {
        let whole = left & left >> ROW;
        let (mut low, mut high) = (0, at_stake);
        if whole & (self.pairs[0] | self.pairs[1]) != 0 {
            low = -self.worth_of_calls(whole & self.pairs[0], false);
            high += self.worth_of_calls(whole & self.pairs[1], true);
        }
        let hand = left & self.hand(leader);
        let first = self.is_first(leader);
        let trumps = left & self.trumps;
        if trumps & !hand == 0 {
            // No seat can trump the leader: the highest cards of their suits are sure.
            let winners = hand & !up_to(left & !hand);
            if winners == hand {
                // The leader takes everything and can call every pair.
                let calls = self.worth_of_calls(pairs(hand), first);
                if first { low = at_stake + calls } else { high = -calls }
            } else if winners != 0 {
                let sure = points(winners) + self.least_beside(left, winners, winners.count_ones());
                if first { low += sure } else { high -= sure }
            }
            return (low, high);
        }
        // The highest trumps left win for the camp that holds them, and each of
        // those in one hand takes a trick.
        let (ours, theirs) = (trumps & self.camps[1], trumps & self.camps[0]);
        let first = ours > theirs;
        let run = if first { ours & !up_to(theirs) } else { theirs & !up_to(ours) };
        let mut seat = 0;
        while highest(run) & self.hand(seat) == 0 {
            seat += 1;
        }
        let tricks = (run & self.hand(seat)).count_ones();
        let sure = points(run) + self.least_beside(left, run, tricks);
        if first {
            low += sure
        } else {
            high -= sure
        }
        (low, high)
    }

    /// The minimum that hands without these cards add to this many tricks.
    #[inline]
    fn least_beside(&self, left: u32, cards: u32, tricks: u32) -> i32 {
        let mut least = 0;
        for hand in self.hands {
            if hand & cards == 0 {
                let mut hand = hand & left;
                least += i32::from(worth(hand));
                for _ in 1..tricks {
                    hand &= hand.wrapping_sub(1);
                    least += i32::from(worth(hand));
                }
            }
        }
        least
    }

    #[inline]
    fn key(&self, left: u32, leader: usize) -> u64 {
        let shape = |at: u32| u64::from(self.shapes[at as usize][lane(left, at)]) << (9 * at);
        shape(0)
            | shape(1)
            | shape(2)
            | shape(3)
            | (leader as u64) << 36
            | u64::from(self.trump) << 38
    }

    /// Finds the shape of every set of cards that may be left in a suit: which seats
    /// hold the strongest, the next, and so on, and where a pair is. A shape is
    /// represented by its set with the strongest cards.
    fn find_shapes(&mut self, suit_at: u32) {
        let all = suit(suit_at) & (self.camps[0] | self.camps[1]);
        let shapes = &mut self.shapes[suit_at as usize];
        // Each set of the cards so far, its representative, and the rank of its
        // pair.
        let mut sets = [(0, 0, 0); 64];
        let (mut cards, mut count) = (all, 1);
        while cards != 0 {
            let card = highest(cards);
            cards &= !card;
            let owner = self.hands.into_iter().find(|hand| hand & card != 0).unwrap_or(0) & all;
            let pair = card & (self.pairs[0] | self.pairs[1]);
            for at in 0..count {
                let (above, representative, rank) = sets[at];
                let set: u32 = above | card;
                let below =
                    if representative == 0 { owner } else { owner & (lowest(representative) - 1) };
                let representative = representative | highest(below);
                let rank = if set & pair << ROW != 0 { 1 + above.count_ones() } else { rank };
                sets[count + at] = (set, representative, rank);
                shapes[lane(set, suit_at)] =
                    lane(representative, suit_at) as u16 | (rank as u16) << 6;
            }
            count *= 2;
        }
    }

    /// A bound of the first camp's result in the rest, exact within the window.
    /// `left` are the cards in the hands.
    #[inline(always)]
    pub(super) fn lead(
        &mut self,
        left: u32,
        leader: usize,
        at_stake: i32,
        window: SearchWindow,
    ) -> i32 {
        match left.count_ones() as usize {
            0 => 0,
            cards if cards == N => self.last_trick(left, leader, at_stake),
            _ => self.search(left, leader, at_stake, window),
        }
    }

    /// As [`lead`](CruceCampSearch::lead), for two tricks or more.
    #[inline(never)]
    fn search(&mut self, left: u32, leader: usize, at_stake: i32, window: SearchWindow) -> i32 {
        let (low, high) = self.bounds(left, leader, at_stake);
        if low >= window.high || low == high {
            return low;
        }
        if high <= window.low {
            return high;
        }
        if self.meter.tick() {
            return window.high;
        }
        let (place, known) = self.memory.probe(self.key(left, leader));
        let (mut low, mut high, mut best) = (low, high, 0);
        if let Some(known) = known {
            let (known_low, known_high) = known.shifted(left);
            if known_low >= window.high || known_low == known_high {
                return known_low;
            }
            if known_high <= window.low {
                return known_high;
            }
            (low, high) = (low.max(known_low), high.min(known_high));
            best = known.best() & left & self.hand(leader);
        }
        let (value, best) = self.leads(left, leader, at_stake, window, best);
        if !self.meter.stopped {
            if value > window.low {
                low = value;
            }
            if value < window.high {
                high = value;
            }
            let left = left | best.trailing_zeros() << 24;
            self.memory.store(place, CruceCampEntry { low: low as i16, high: high as i16, left });
        }
        value
    }

    /// A guess of the first camp's result after this lead.
    pub(super) fn guess_led(&self, laid: CruceCampTrick, card: u32) -> i32 {
        let leader = usize::from(laid.seat);
        let call = self.call(laid.left & self.hand(leader), leader, card);
        let opened = self.opened(laid.left, leader, card);
        call + self.guess(suit(suit_of(card)), opened, N - 1)
    }

    /// A guess of the first camp's result after this card of a trick.
    pub(super) fn guess_laid(
        &self,
        led: u32,
        laid: CruceCampTrick,
        card: u32,
        to_come: usize,
    ) -> i32 {
        self.guess(led, self.after(led, laid, card), to_come - 1)
    }

    /// The first camp's result in the trick and the rest if every seat plays the
    /// card that the search tries first.
    fn guess(&self, mut led: u32, mut laid: CruceCampTrick, mut to_come: usize) -> i32 {
        let mut value = 0;
        loop {
            for _ in 0..to_come {
                let seat = usize::from(laid.seat);
                let legal = self.legal(laid.left & self.hand(seat), led, laid.beating);
                let winning = legal & laid.beating;
                let ours = self.is_first(usize::from(laid.winner)) == self.is_first(seat);
                let card = if winning != 0 {
                    highest(winning)
                } else if ours {
                    highest(legal)
                } else {
                    lowest(legal)
                };
                laid = self.after(led, laid, card);
            }
            let leader = usize::from(laid.winner);
            if self.is_first(leader) {
                value += i32::from(laid.on_table);
            }
            let hand = laid.left & self.hand(leader);
            if hand == 0 {
                return value;
            }
            let (cards, highest_first) = self.promising(laid.left, leader, hand);
            let card = if highest_first { highest(cards) } else { lowest(cards) };
            value += self.call(hand, leader, card);
            (led, to_come) = (suit(suit_of(card)), N - 1);
            laid = self.opened(laid.left, leader, card);
        }
    }

    /// The group of leads that is tried first, and whether from its highest card.
    fn promising(&self, left: u32, leader: usize, hand: u32) -> (u32, bool) {
        let groups = self.groups(left, leader);
        let first = groups.into_iter().map(|(group, highest_first)| (group & hand, highest_first));
        first.into_iter().find(|(cards, _)| *cards != 0).unwrap_or((hand, false))
    }

    /// The leads in groups, the most promising first, and whether the highest cards
    /// of a group come first: calls; winners that cannot be trumped; other winners;
    /// suits of which the partner holds the highest card; all others.
    #[inline]
    fn groups(&self, left: u32, leader: usize) -> [(u32, bool); 5] {
        let hand = left & self.hand(leader);
        let others = left & !hand;
        let enemies = left & !self.camps[usize::from(self.is_first(leader))];
        let called = pairs(hand) | pairs(hand) << ROW;
        let tops = hand & !up_to(others);
        let safe = if enemies & self.trumps == 0 { tops } else { tops & self.trumps };
        let friends = hand & up_to(others & !up_to(enemies));
        [(called, true), (safe, true), (tops, true), (friends, true), (hand, false)]
    }

    /// Tries the leads, the most promising first: the bound and the card that set it.
    #[inline(always)]
    fn leads(
        &mut self,
        left: u32,
        leader: usize,
        at_stake: i32,
        window: SearchWindow,
        best_before: u32,
    ) -> (i32, u32) {
        let hand = left & self.hand(leader);
        let others = left & !hand;
        let first = self.is_first(leader);
        let mut choice = TriedCards::new(first, window, hand, others);
        let mut rest = hand;
        let [calls, safe, tops, friends, all] = self.groups(left, leader);
        for (group, highest_first) in [(best_before, true), calls, safe, tops, friends, all] {
            let mut cards = group & rest;
            rest &= !group;
            while cards != 0 {
                let card = if highest_first { highest(cards) } else { lowest(cards) };
                cards &= !card;
                if choice.skip(card) {
                    continue;
                }
                let value = self.led(left, leader, at_stake, card, choice.window);
                if choice.record(card, value) {
                    return (value, card);
                }
            }
        }
        (choice.best, choice.best_card)
    }

    /// The bound after this lead.
    #[inline(always)]
    pub(super) fn led(
        &mut self,
        left: u32,
        leader: usize,
        at_stake: i32,
        card: u32,
        window: SearchWindow,
    ) -> i32 {
        let call = self.call(left & self.hand(leader), leader, card);
        let trick = TrickFrame { led: suit(suit_of(card)), at_stake, window: window.less(call) };
        call + self.next::<N>(&trick, self.opened(left, leader, card))
    }

    /// The trick after its first card.
    #[inline(always)]
    pub(super) fn opened(&self, left: u32, leader: usize, card: u32) -> CruceCampTrick {
        CruceCampTrick {
            left: left & !card,
            beating: self.beating(suit(suit_of(card)), card),
            winner: leader as u8,
            seat: after::<N>(leader as u8),
            on_table: worth(card),
        }
    }

    /// The trick after another card.
    #[inline(always)]
    fn after(&self, led: u32, mut laid: CruceCampTrick, card: u32) -> CruceCampTrick {
        laid.left &= !card;
        laid.on_table += worth(card);
        if card & laid.beating != 0 {
            laid.winner = laid.seat;
            laid.beating = self.beating(led, card);
        }
        laid.seat = after::<N>(laid.seat);
        laid
    }

    /// The cards that take the trick from this card, if it is winning.
    #[inline]
    pub(super) fn beating(&self, led: u32, card: u32) -> u32 {
        let above = !(card | (card - 1));
        if card & self.trumps != 0 { self.trumps & above } else { led & above | self.trumps }
    }

    /// The cards that a hand may play (C8).
    #[inline]
    pub(super) fn legal(&self, hand: u32, led: u32, beating: u32) -> u32 {
        let following = hand & led;
        let allowed = if following != 0 { following } else { hand & self.trumps };
        let allowed = if allowed != 0 { allowed } else { hand };
        let higher = allowed & beating;
        if self.overtake && higher != 0 { higher } else { allowed }
    }

    /// A bound as in [`lead`](CruceCampSearch::lead), after the first of `TO_COME` cards.
    #[inline(always)]
    fn next<const TO_COME: usize>(&mut self, trick: &TrickFrame, laid: CruceCampTrick) -> i32 {
        match TO_COME {
            4 => self.follow::<3>(trick, laid),
            3 => self.follow::<2>(trick, laid),
            2 => self.follow::<1>(trick, laid),
            _ => self.taken(trick, laid),
        }
    }

    /// A bound as in [`lead`](CruceCampSearch::lead), with `TO_COME` cards of the trick to come.
    #[inline(always)]
    pub(super) fn follow<const TO_COME: usize>(
        &mut self,
        trick: &TrickFrame,
        laid: CruceCampTrick,
    ) -> i32 {
        let seat = usize::from(laid.seat);
        let hand = laid.left & self.hand(seat);
        let legal = self.legal(hand, trick.led, laid.beating);
        if legal & (legal - 1) == 0 {
            return self.lay::<TO_COME>(trick, laid, legal);
        }
        let first = self.is_first(seat);
        let ours = self.is_first(usize::from(laid.winner)) == first;
        let suit = if legal & trick.led != 0 { trick.led } else { self.trumps };
        if legal & suit == 0 {
            return self.discard::<TO_COME>(trick, laid, legal, ours);
        }
        let mut choice =
            TriedInSuit::new(first, trick.window, hand & suit, laid.left & suit & !hand);
        // Cards that win and cards that do not are not neighbours.
        let (mut cards, mut rest) = (legal & laid.beating, legal & !laid.beating);
        let mut highest_first = true;
        if cards == 0 {
            (cards, rest, highest_first) = (rest, 0, ours);
        }
        loop {
            let card = if highest_first { highest(cards) } else { lowest(cards) };
            cards &= !card;
            if !choice.skip(card) {
                let within = TrickFrame { window: choice.window, ..*trick };
                let value = self.lay::<TO_COME>(&within, laid, card);
                if choice.record(card, value) {
                    return value;
                }
            }
            if cards == 0 {
                if rest == 0 {
                    return choice.best;
                }
                choice.forget_last();
                (cards, rest, highest_first) = (rest, 0, ours);
            }
        }
    }

    /// As [`follow`](CruceCampSearch::follow), for a hand that can neither follow nor trump.
    #[inline(never)]
    fn discard<const TO_COME: usize>(
        &mut self,
        trick: &TrickFrame,
        laid: CruceCampTrick,
        mut cards: u32,
        highest_first: bool,
    ) -> i32 {
        let seat = usize::from(laid.seat);
        let hand = laid.left & self.hand(seat);
        let mut choice =
            TriedCards::new(self.is_first(seat), trick.window, hand, laid.left & !hand);
        while cards != 0 {
            let card = if highest_first { highest(cards) } else { lowest(cards) };
            cards &= !card;
            if choice.skip(card) {
                continue;
            }
            let within = TrickFrame { window: choice.window, ..*trick };
            let laid = CruceCampTrick {
                left: laid.left & !card,
                seat: after::<N>(laid.seat),
                on_table: laid.on_table + worth(card),
                ..laid
            };
            let value = self.next::<TO_COME>(&within, laid);
            if choice.record(card, value) {
                return value;
            }
        }
        choice.best
    }

    /// The bound after this card.
    #[inline(always)]
    fn lay<const TO_COME: usize>(
        &mut self,
        trick: &TrickFrame,
        laid: CruceCampTrick,
        card: u32,
    ) -> i32 {
        let laid = self.after(trick.led, laid, card);
        self.next::<TO_COME>(trick, laid)
    }

    /// The bound after a card in the middle of a trick of which `to_come` cards were
    /// to come before it.
    pub(super) fn lay_in(
        &mut self,
        trick: &TrickFrame,
        laid: CruceCampTrick,
        card: u32,
        to_come: usize,
    ) -> i32 {
        match to_come {
            3 => self.lay::<3>(trick, laid, card),
            2 => self.lay::<2>(trick, laid, card),
            _ => self.lay::<1>(trick, laid, card),
        }
    }

    /// The bound after a full trick.
    #[inline(always)]
    pub(super) fn taken(&mut self, trick: &TrickFrame, laid: CruceCampTrick) -> i32 {
        let winner = usize::from(laid.winner);
        let on_table = i32::from(laid.on_table);
        let gain = if self.is_first(winner) { on_table } else { 0 };
        gain + self.lead(laid.left, winner, trick.at_stake - on_table, trick.window.less(gain))
    }

    /// The value when every seat has one card.
    #[inline]
    fn last_trick(&mut self, left: u32, leader: usize, at_stake: i32) -> i32 {
        let card = left & self.hand(leader);
        let led = suit(suit_of(card));
        let (mut beating, mut winner) = (self.beating(led, card), leader);
        let mut seat = leader;
        for _ in 1..N {
            seat = usize::from(after::<N>(seat as u8));
            let card = left & self.hand(seat);
            if card & beating != 0 {
                (winner, beating) = (seat, self.beating(led, card));
            }
        }
        if self.is_first(winner) { at_stake } else { 0 }
    }
}

/// The useful size of the memory for a search of this many cards, as a power of two.
fn slots_for<const N: usize>(cards: usize) -> u32 {
    match cards / N {
        0..=4 => 10,
        _ if N == 4 => 12,
        _ => 14,
    }
}

/// The seat after this one.
#[inline]
fn after<const N: usize>(seat: u8) -> u8 {
    if N == 4 {
        (seat + 1) & 3
    } else if usize::from(seat) + 1 == N {
        0
    } else {
        seat + 1
    }
}

#[inline]
pub(super) fn lowest(cards: u32) -> u32 {
    cards & cards.wrapping_neg()
}

#[inline]
fn highest(cards: u32) -> u32 {
    1 << (31 ^ cards.leading_zeros())
}
