//! Two partnerships that play for tricks, as in bridge: partners sit opposite
//! each other and the first camp asks whether it takes at least so many.
//!
//! Nobody plays Romanian whist like this. It exists to be compared with bridge
//! solvers, which are the best tested searches there are, and it works as they
//! do: an answer says which ranks it rests on and holds wherever those lie in
//! the same hands (`ranks`), tricks that need no search are counted (`sure`),
//! and what answered lately is tried first.
//!
//! Of cards that come to the same the *highest* is played. The ranks that
//! matter after it then lie no higher than after any other of them, so what
//! the answer rests on covers them all.

use super::lanes::{LANE, lane, lowest, suit_of};
use super::ranks::{Answers, RankLookup, Ranks, highest};
use super::{order, sure};
use crate::limit::{Limit, Meter};

/// Partnerships are two of two.
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
    /// The card that takes it now, with those that would do as well.
    pub(super) best: u64,
    /// Whether another card of its suit lies on the table.
    pub(super) contested: bool,
    pub(super) winner: u8,
    pub(super) seat: u8,
    /// The tricks to come after this one.
    pub(super) rest: i8,
}

/// Whether the first camp reaches a bar, and the cards whose ranks decide it;
/// of each suit only the lowest of them counts.
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
    /// The lead that answered last, by seat and tricks to come.
    leads: [[u64; TRICKS]; SEATS],
    /// The same for cards thrown away.
    thrown: [[u64; TRICKS]; SEATS],
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
        answers.forget();
        let (leads, thrown) = ([[0; TRICKS]; SEATS], [[0; TRICKS]; SEATS]);
        let meter = Meter::new(limit);
        WhistCampSearch { hands, first, trumps, ranks, answers, leads, thrown, meter }
    }

    #[inline]
    fn is_first(&self, seat: u8) -> bool {
        (seat & 1 == 0) == self.first
    }

    /// The cards that are left of each hand, from this seat on.
    #[inline]
    fn from(&self, left: u64, seat: u8) -> [u64; SEATS] {
        [0, 1, 2, 3].map(|step| left & self.hands[usize::from(seat + step) % SEATS])
    }

    /// How many of the tricks to come the first camp may take, by the ranks that
    /// it holds.
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

    /// The answer for a position, of which so many cards are to come to the trick.
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
        let hands = self.from(left, leader);
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
        let place = self.ranks.place(left, leader);
        let hint = match self.answers.recall(&place, left, bar) {
            RankLookup::Answer(reaches, because) => return CampAnswer { reaches, because },
            RankLookup::Hint(hint) => hint,
        };
        let (answer, best) = self.leads(&hands, left, leader, tricks, bar, hint);
        if !self.meter.stopped {
            let bounds = if answer.reaches { (bar, tricks) } else { (0, bar - 1) };
            self.answers.keep(&place, left, bounds, answer.because, best);
        }
        answer
    }

    /// Who takes the last trick.
    #[inline]
    fn last(&self, left: u64, leader: u8) -> CampAnswer {
        let card = left & self.hands[usize::from(leader) % SEATS];
        let trumps = left & self.trumps;
        let contest = if trumps != 0 { trumps } else { left & lane(suit_of(card)) };
        let best = highest(contest);
        let reaches = (best & (self.hands[0] | self.hands[2]) != 0) == self.first;
        CampAnswer { reaches, because: if contest == best { 0 } else { best } }
    }

    /// The leads, likely ones first: the answer and the card that decided it.
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
                // The highest card if it wins, or else the lowest.
                let suit = lane(suit_of(cards));
                let strangers = left & suit & !hand;
                let top = highest(cards & suit);
                let card = if top > strangers { top } else { lowest(cards) };
                let same = same(strangers, hand & suit, card);
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

    /// The answer after the highest of some cards that come to the same, when so
    /// many cards were to come to the trick.
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
        let strangers = laid.left & !hand & lane(suit_of(legal));
        let mut because = 0;
        for group in self.groups::<TO_COME>(laid, legal) {
            let mut cards = group;
            while cards != 0 {
                let same = same(strangers, group, lowest(cards));
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

    /// Legal cards of one suit in groups, likely ones first: those that take the
    /// trick whatever the next enemy does, those that do not take it, and others.
    /// Cards of two groups never come to the same.
    #[inline]
    fn groups<const TO_COME: usize>(&self, laid: &WhistCampTrick, legal: u64) -> [u64; 3] {
        let winning = legal & laid.beating;
        let losing = legal ^ winning;
        if winning == 0 {
            return [losing, 0, 0];
        }
        let enemy = if TO_COME == 1 { 0 } else { self.threat(laid, laid.seat + 1) };
        // Higher than his cards, unless he trumps; other suits' places do not count.
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

    /// The answer when the seat in turn can throw any card away.
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
        let mut groups = [self.thrown[seat][number], 0, 0, 0, 0];
        for at in 0..groups.len() {
            if at == 1 {
                let hands = self.from(laid.left, laid.seat);
                groups[1..].copy_from_slice(&order::discards(&hands));
            }
            let mut cards = groups[at] & rest;
            while cards != 0 {
                let suit = lane(suit_of(cards));
                let same = same(laid.left & suit & !hand, hand & suit, lowest(cards));
                cards &= !same;
                rest &= !same;
                let answer = self.play::<TO_COME>(laid, same, bar);
                if answer.reaches == ours {
                    self.thrown[seat][number] = same;
                    return answer;
                }
                because |= answer.because;
            }
        }
        CampAnswer { reaches: !ours, because }
    }
}

/// The cards of a suit in a hand that come to the same as one of them: no
/// stranger's card lies between.
#[inline]
fn same(strangers: u64, hand: u64, card: u64) -> u64 {
    let above = strangers & !(card | (card - 1));
    let below = strangers & (card - 1);
    // All places under the next stranger's card, and not under the one before.
    let under = lowest(above).wrapping_sub(1);
    let over = if below == 0 { u64::MAX } else { !(2 * highest(below) - 1) };
    hand & under & over
}

const _: () = assert!(LANE == 16);
