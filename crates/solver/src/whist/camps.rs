//! Two partnerships that play for tricks, as in bridge: partners sit opposite
//! each other, and the search tests whether the first camp takes at least this many.
//!
//! Romanian whist is not played like this. The search exists to be compared with
//! bridge solvers, which are well tested, and it works as they do: an answer
//! includes the ranks it depends on and holds wherever those are in the same hands
//! (`ranks`), tricks that need no search are counted (`sure`), and the card that
//! decided last is tried first.
//!
//! Of equivalent cards the *highest* is played. The ranks that matter after it are
//! then no higher than after any other of them, so the answer covers them all.

use super::lanes::{LANE, lane, lowest, suit_of};
use super::ranks::{Answers, RankLookup, Ranks, highest};
use super::{order, sure};
use crate::limit::{Limit, Meter};

/// There are two partnerships of two.
const SEATS: usize = 4;
/// More than the tricks of a deal, and a power of two.
const TRICKS: usize = 16;

/// A trick on the table.
#[derive(Clone, Copy)]
pub(super) struct WhistCampTrick {
    /// The cards in the hands.
    pub(super) left: u64,
    /// All places of the suit led.
    pub(super) led: u64,
    /// The cards that would take the trick now.
    pub(super) beating: u64,
    /// The winning card so far, with the cards equivalent to it.
    pub(super) best: u64,
    /// Whether another card of the winning card's suit lies on the table.
    pub(super) contested: bool,
    pub(super) winner: u8,
    pub(super) seat: u8,
    /// The tricks to come after this one.
    pub(super) rest: i8,
}

/// Whether the first camp reaches a bar, and the cards whose ranks decide it;
/// of each suit only the lowest of them matters.
#[derive(Clone, Copy)]
struct CampAnswer {
    reaches: bool,
    because: u64,
}

pub(super) struct WhistCampSearch<'a> {
    hands: [u64; SEATS],
    /// Whether the first seat and its partner are the first camp.
    first: bool,
    trumps: u64,
    ranks: &'a Ranks,
    answers: &'a mut Answers,
    /// The lead that decided last, by seat and tricks to come.
    leads: [[u64; TRICKS]; SEATS],
    /// The discard that decided last, by seat and tricks to come.
    discards: [[u64; TRICKS]; SEATS],
    pub(super) meter: Meter<'a>,
}

impl<'a> WhistCampSearch<'a> {
    pub(super) fn new(
        hands: [u64; SEATS],
        first: bool,
        trumps: u64,
        ranks: &'a Ranks,
        answers: &'a mut Answers,
        limit: Limit<'a>,
    ) -> Self {
        answers.clear();
        let (leads, discards) = ([[0; TRICKS]; SEATS], [[0; TRICKS]; SEATS]);
        let meter = Meter::new(limit);
        WhistCampSearch { hands, first, trumps, ranks, answers, leads, discards, meter }
    }

    #[inline]
    fn is_first(&self, seat: u8) -> bool {
        (seat & 1 == 0) == self.first
    }

    /// The cards left in each hand, from this seat on.
    #[inline]
    fn hands_from(&self, left: u64, seat: u8) -> [u64; SEATS] {
        [0, 1, 2, 3].map(|step| left & self.hands[usize::from(seat + step) % SEATS])
    }

    /// A guess of the first camp's tricks to come, by the ranks that it holds.
    pub(super) fn guess(&self, laid: &WhistCampTrick) -> i8 {
        const POINTS: [i32; 4] = [6, 4, 2, 1];
        let ours = self.hands[usize::from(!self.first)] | self.hands[2 + usize::from(!self.first)];
        let (mut points, mut all) = (0, 0);
        for suit in (0..4).map(lane) {
            let mut cards = laid.left & suit;
            for worth in POINTS {
                if cards != 0 {
                    let card = highest(cards);
                    cards ^= card;
                    all += worth;
                    points += if card & ours != 0 { worth } else { -worth };
                }
            }
        }
        let tricks = i32::from(laid.rest) + 1;
        let lead = if self.is_first(laid.seat) { 1 } else { -1 };
        // Half of the tricks, three quarters for all points, a half for the lead.
        let quarters = 2 * tricks + 3 * tricks * points / all.max(1) + 2 * lead;
        ((quarters + 2) / 4) as i8
    }

    /// The answer for a position with this many cards to come in the trick.
    pub(super) fn best(&mut self, laid: &WhistCampTrick, to_come: usize, bar: i8) -> bool {
        let answer = match to_come {
            SEATS => self.lead(laid.left, laid.seat, laid.rest + 1, bar),
            3 => self.follow::<3>(laid, bar),
            2 => self.follow::<2>(laid, bar),
            _ => self.follow::<1>(laid, bar),
        };
        answer.reaches
    }

    /// The answer after this card.
    pub(super) fn after(
        &mut self,
        laid: &WhistCampTrick,
        to_come: usize,
        card: u64,
        bar: i8,
    ) -> bool {
        let answer = match to_come {
            SEATS => self.play::<4>(laid, card, bar),
            3 => self.play::<3>(laid, card, bar),
            2 => self.play::<2>(laid, card, bar),
            _ => self.play::<1>(laid, card, bar),
        };
        answer.reaches
    }

    /// Whether the first camp takes at least `bar` of the tricks to come.
    fn lead(&mut self, left: u64, leader: u8, tricks: i8, bar: i8) -> CampAnswer {
        if bar <= 0 {
            return CampAnswer { reaches: true, because: 0 };
        }
        if bar > tricks {
            return CampAnswer { reaches: false, because: 0 };
        }
        if tricks == 1 {
            return self.last(left, leader);
        }
        let ours = self.is_first(leader);
        let hands = self.hands_from(left, leader);
        let (needed, others) = if ours { (bar, tricks - bar + 1) } else { (tricks - bar + 1, bar) };
        if left & self.trumps != 0 {
            if let Some(because) = sure::at_once_with_trumps(&hands, self.trumps, needed as u32) {
                return CampAnswer { reaches: ours, because };
            }
        } else if let Some(because) = sure::at_once(&hands, needed as u32) {
            return CampAnswer { reaches: ours, because };
        } else if let Some(because) = sure::later(&hands, others as u32) {
            return CampAnswer { reaches: !ours, because };
        }
        if self.meter.tick() {
            return CampAnswer { reaches: true, because: 0 };
        }
        let key = self.ranks.key(left, leader);
        let hint = match self.answers.probe(&key, left, bar) {
            RankLookup::Answer(reaches, because) => return CampAnswer { reaches, because },
            RankLookup::Hint(hint) => hint,
        };
        let (answer, best) = self.leads(&hands, left, leader, tricks, bar, hint);
        if !self.meter.stopped {
            let bounds = if answer.reaches { (bar, tricks) } else { (0, bar - 1) };
            self.answers.keep(&key, left, bounds, answer.because, best);
        }
        answer
    }

    /// The answer for the last trick.
    #[inline]
    fn last(&self, left: u64, leader: u8) -> CampAnswer {
        let card = left & self.hands[usize::from(leader) % SEATS];
        let trumps = left & self.trumps;
        let contest = if trumps != 0 { trumps } else { left & lane(suit_of(card)) };
        let best = highest(contest);
        let reaches = (best & (self.hands[0] | self.hands[2]) != 0) == self.first;
        CampAnswer { reaches, because: if contest == best { 0 } else { best } }
    }

    /// Tries the leads, the most promising first: the answer and the card that decided it.
    fn leads(
        &mut self,
        hands: &[u64; SEATS],
        left: u64,
        leader: u8,
        tricks: i8,
        bar: i8,
        hint: u64,
    ) -> (CampAnswer, u64) {
        let ours = self.is_first(leader);
        let hand = hands[0];
        let (seat, number) = (usize::from(leader) % SEATS, tricks as usize % TRICKS);
        let laid = WhistCampTrick {
            left,
            led: 0,
            beating: u64::MAX,
            best: 0,
            contested: false,
            winner: leader,
            seat: leader,
            rest: tricks - 1,
        };
        let mut rest = hand;
        let mut because = 0;
        let mut groups = [self.leads[seat][number], hint, 0, 0, 0, 0];
        for at in 0..groups.len() {
            if at == 2 {
                groups[2..].copy_from_slice(&order::leads(hands));
            }
            let mut cards = groups[at] & rest;
            while cards != 0 {
                // The highest card if it wins, else the lowest.
                let suit = lane(suit_of(cards));
                let outside = left & suit & !hand;
                let top = highest(cards & suit);
                let card = if top > outside { top } else { lowest(cards) };
                let same = equivalent(outside, hand & suit, card);
                cards &= !same;
                rest &= !same;
                let answer = self.play::<4>(&laid, same, bar);
                if answer.reaches == ours {
                    self.leads[seat][number] = same;
                    return (answer, highest(same));
                }
                because |= answer.because;
            }
        }
        (CampAnswer { reaches: !ours, because }, 0)
    }

    /// The answer after the highest of some equivalent cards, when `TO_COME` cards
    /// were to come in the trick.
    #[inline]
    fn play<const TO_COME: usize>(
        &mut self,
        laid: &WhistCampTrick,
        same: u64,
        bar: i8,
    ) -> CampAnswer {
        let card = highest(same);
        let mut next = *laid;
        next.left ^= card;
        if TO_COME == SEATS {
            next.led = lane(suit_of(card));
        }
        if card & laid.beating != 0 {
            next.winner = laid.seat;
            next.best = same;
            let trump = card & self.trumps != 0;
            let suit = if trump { self.trumps } else { next.led };
            next.beating = suit & !(card | (card - 1)) | if trump { 0 } else { self.trumps };
            next.contested = laid.best & suit != 0;
        } else {
            next.contested |= card & lane(suit_of(laid.best)) != 0;
        }
        next.seat = (laid.seat + 1) % SEATS as u8;
        match TO_COME {
            SEATS => return self.follow::<3>(&next, bar),
            3 => return self.follow::<2>(&next, bar),
            2 => return self.follow::<1>(&next, bar),
            _ => {}
        }
        let gain = i8::from(self.is_first(next.winner));
        let mut answer = self.lead(next.left, next.winner, next.rest, bar - gain);
        if next.contested {
            answer.because |= lowest(next.best);
        }
        answer
    }

    /// The answer in the middle of a trick.
    fn follow<const TO_COME: usize>(&mut self, laid: &WhistCampTrick, bar: i8) -> CampAnswer {
        let hand = laid.left & self.hands[usize::from(laid.seat) % SEATS];
        let following = hand & laid.led;
        let legal = if following != 0 { following } else { hand & self.trumps };
        if legal == 0 {
            return self.discard::<TO_COME>(laid, hand, bar);
        }
        if legal & (legal - 1) == 0 {
            return self.play::<TO_COME>(laid, legal, bar);
        }
        let ours = self.is_first(laid.seat);
        let outside = laid.left & !hand & lane(suit_of(legal));
        let mut because = 0;
        for group in self.groups::<TO_COME>(laid, legal) {
            let mut cards = group;
            while cards != 0 {
                let same = equivalent(outside, group, lowest(cards));
                cards &= !same;
                let answer = self.play::<TO_COME>(laid, same, bar);
                if answer.reaches == ours {
                    return answer;
                }
                because |= answer.because;
            }
        }
        CampAnswer { reaches: !ours, because }
    }

    /// Legal cards of one suit in groups, the most promising first: those that take
    /// the trick whatever the next opponent does, those that do not take it, and
    /// others. Cards of different groups are never equivalent.
    #[inline]
    fn groups<const TO_COME: usize>(&self, laid: &WhistCampTrick, legal: u64) -> [u64; 3] {
        let winning = legal & laid.beating;
        let losing = legal ^ winning;
        if winning == 0 {
            return [losing, 0, 0];
        }
        let enemy = if TO_COME == 1 { 0 } else { self.threat(laid, laid.seat + 1) };
        // Higher than the opponent's cards, unless the opponent trumps.
        let safe = if enemy == 0 {
            winning
        } else if enemy & lane(suit_of(legal)) == 0 {
            0
        } else {
            winning & !(2 * highest(enemy) - 1)
        };
        let partner_wins = match TO_COME {
            1 => laid.winner & 1 == laid.seat & 1,
            2 => laid.winner & 1 == laid.seat & 1 && enemy == 0,
            _ => self.threat(laid, laid.seat + 2) > enemy,
        };
        let rest = winning ^ safe;
        if partner_wins { [losing, safe, rest] } else { [safe, losing, rest] }
    }

    /// The cards with which a later seat could take the trick.
    #[inline]
    fn threat(&self, laid: &WhistCampTrick, seat: u8) -> u64 {
        let hand = laid.left & self.hands[usize::from(seat) % SEATS];
        let following = hand & laid.led;
        (if following != 0 { following } else { hand & self.trumps }) & laid.beating
    }

    /// The answer when the seat in turn can discard any card.
    fn discard<const TO_COME: usize>(
        &mut self,
        laid: &WhistCampTrick,
        hand: u64,
        bar: i8,
    ) -> CampAnswer {
        if hand & (hand - 1) == 0 {
            return self.play::<TO_COME>(laid, hand, bar);
        }
        let ours = self.is_first(laid.seat);
        let (seat, number) = (usize::from(laid.seat) % SEATS, laid.rest as usize % TRICKS);
        let mut rest = hand;
        let mut because = 0;
        let mut groups = [self.discards[seat][number], 0, 0, 0, 0];
        for at in 0..groups.len() {
            if at == 1 {
                let hands = self.hands_from(laid.left, laid.seat);
                groups[1..].copy_from_slice(&order::discards(&hands));
            }
            let mut cards = groups[at] & rest;
            while cards != 0 {
                let suit = lane(suit_of(cards));
                let same = equivalent(laid.left & suit & !hand, hand & suit, lowest(cards));
                cards &= !same;
                rest &= !same;
                let answer = self.play::<TO_COME>(laid, same, bar);
                if answer.reaches == ours {
                    self.discards[seat][number] = same;
                    return answer;
                }
                because |= answer.because;
            }
        }
        CampAnswer { reaches: !ours, because }
    }
}

/// The cards of a suit in a hand that are equivalent to one of them: no card
/// outside the hand lies between.
#[inline]
fn equivalent(outside: u64, hand: u64, card: u64) -> u64 {
    let above = outside & !(card | (card - 1));
    let below = outside & (card - 1);
    // All places below the next outside card and above the previous one.
    let under = lowest(above).wrapping_sub(1);
    let over = if below == 0 { u64::MAX } else { !(2 * highest(below) - 1) };
    hand & under & over
}

const _: () = assert!(LANE == 16);
