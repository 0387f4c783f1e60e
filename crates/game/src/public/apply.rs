//! Applies events to what every viewer knows.
//!
//! An event must follow from the events before it. A wrong winner, score or end
//! is refused with an [`InvalidEvent`](super::InvalidEvent), and changes nothing.

use arrayvec::ArrayVec;
use cards::{BySeat, BySide, Card, CardSet, Seat, Side, Suit};

use super::{Challenge, InvalidEvent, Phase, Public, Round};
use crate::action::Action;
use crate::auction::Auction;
use crate::cruce::{self, Contract};
use crate::event::{DealScore, OpenEvent, ThrownIn};
use crate::rules::Rules;
use crate::trick::Trick;
use crate::whist;

impl Public {
    pub(crate) fn apply_deal(&mut self, turned: Option<Card>) -> Result<(), InvalidEvent> {
        let cards_each = self.rules.cards_each(self.number()).ok_or(InvalidEvent)?;
        let turns = matches!(&self.rules, Rules::Whist(rules) if rules.turns_trump(cards_each));
        let waits = self.phase == Phase::Dealing && self.winners().is_none();
        if !waits || turned.is_some() != turns {
            return Err(InvalidEvent);
        }
        self.phase = Phase::Bidding(Auction::new(&self.rules, cards_each, turned));
        Ok(())
    }

    /// Whether the rest is to be dealt now, after the bidding on three cards (C6).
    pub(crate) fn awaits_rest(&self) -> bool {
        self.round().is_some_and(|round| !round.complete)
    }

    pub(crate) fn apply_completion(&mut self) -> Result<(), InvalidEvent> {
        let round = self.round_mut()?;
        if round.complete {
            return Err(InvalidEvent);
        }
        round.complete = true;
        Ok(())
    }

    /// The seat that draws next from the stock, if any (C13): after each trick,
    /// the winner and then the other.
    pub(crate) fn next_to_draw(&self) -> Option<Seat> {
        let round = self.round()?;
        let last = round.tricks.last()?;
        let full = self.rules.stock();
        let drawn = full - round.stock as usize;
        let due = (2 * round.tricks.len()).min(full);
        let waiting = round.trick.is_empty() && drawn < due;
        waiting.then(|| last.winner().after(drawn % 2, 2))
    }

    pub(crate) fn apply_draw(&mut self, seat: Seat) -> Result<(), InvalidEvent> {
        if self.next_to_draw() != Some(seat) {
            return Err(InvalidEvent);
        }
        self.round_mut()?.stock -= 1;
        Ok(())
    }

    /// Applies an event that every viewer sees.
    pub(crate) fn apply_open(&mut self, happened: &OpenEvent) -> Result<(), InvalidEvent> {
        let revoked = self.round().and_then(|round| round.revoked);
        if revoked.is_some() && !matches!(happened, OpenEvent::ThrownIn { .. }) {
            return Err(InvalidEvent);
        }
        match *happened {
            OpenEvent::Bid { seat, bid } => self.bid(seat, bid),
            OpenEvent::Declared(contract) => self.declared(contract),
            OpenEvent::Played { seat, card, call } => self.played(seat, card, call),
            OpenEvent::Took { seat, points } => self.took(seat, points),
            OpenEvent::Challenged { by, trick, accused, broken } => {
                let challenge = Action::Challenge { trick, accused };
                self.check(by, CardSet::EMPTY, challenge).map_err(|_| InvalidEvent)?;
                let round = self.round_mut()?;
                if broken.is_some() {
                    round.revoked = Some(accused);
                } else {
                    let challenge = Challenge { by, trick, accused };
                    round.challenges.try_push(challenge).map_err(|_| InvalidEvent)?;
                }
                Ok(())
            }
            OpenEvent::Accepted { seat } => {
                self.check(seat, CardSet::EMPTY, Action::Accept).map_err(|_| InvalidEvent)?;
                self.round_mut()?.accepted[seat] = true;
                Ok(())
            }
            OpenEvent::ThrownIn { why, change } => self.thrown_in(why, &change),
            OpenEvent::Scored(score) => self.scored(&score),
            OpenEvent::Won { sides } => {
                if self.phase != Phase::Dealing || self.winners() != Some(sides) {
                    return Err(InvalidEvent);
                }
                self.phase = Phase::Over;
                Ok(())
            }
        }
    }

    fn round_mut(&mut self) -> Result<&mut Round, InvalidEvent> {
        match &mut self.phase {
            Phase::Playing(round) => Ok(round),
            _ => Err(InvalidEvent),
        }
    }

    fn bid(&mut self, seat: Seat, bid: u8) -> Result<(), InvalidEvent> {
        if self.turn() != Some(seat) {
            return Err(InvalidEvent);
        }
        let (rules, first) = (self.rules, self.first);
        let Phase::Bidding(auction) = &mut self.phase else { return Err(InvalidEvent) };
        auction.bid(bid).map_err(|_| InvalidEvent)?;
        // In whist the play begins with the last bid; in Cruce a contract follows.
        if matches!(rules, Rules::Whist(_)) && auction.is_over() {
            let trump = auction.turned().map(Card::suit);
            let auction = auction.clone();
            self.start_play(auction, None, trump, first);
        }
        Ok(())
    }

    /// The contract that the finished bidding of Cruce leads to (C6).
    pub(crate) fn contract_bid(&self) -> Option<Contract> {
        match &self.phase {
            Phase::Bidding(auction) => auction.contract(self.first),
            _ => None,
        }
    }

    fn declared(&mut self, contract: Contract) -> Result<(), InvalidEvent> {
        if self.contract_bid() != Some(contract) {
            return Err(InvalidEvent);
        }
        let Phase::Bidding(auction) = &self.phase else { return Err(InvalidEvent) };
        let auction = auction.clone();
        self.start_play(auction, Some(contract), None, contract.declarer);
        Ok(())
    }

    fn start_play(
        &mut self,
        auction: Auction,
        contract: Option<Contract>,
        trump: Option<Suit>,
        leader: Seat,
    ) {
        let players = self.rules.players();
        let stock = self.rules.stock() as u8;
        self.phase = Phase::Playing(Round {
            auction,
            contract,
            trump,
            trick: Trick::led_by(leader),
            tricks: ArrayVec::new(),
            stock,
            shown: BySeat::filled(CardSet::EMPTY, players),
            points: BySide::filled(0, self.rules.sides()),
            challenges: ArrayVec::new(),
            accepted: BySeat::filled(false, players),
            revoked: None,
            complete: !self.rules.bids_on_three(),
        });
    }

    /// Whether a seat can have played this, by what every viewer knows.
    fn could_play(&self, round: &Round, seat: Seat, card: Card, call: Option<u8>) -> bool {
        let seen = self.cards_seen();
        // The other card of a called pair is in the same hand, not on the table.
        let leads = matches!(self.rules, Rules::Cruce(_)) && round.trick.is_empty();
        let pair = cruce::partner_in_pair(card).filter(|other| leads && !seen.contains(*other));
        let fair_call =
            call.is_none_or(|points| points == self.call_points(card) && pair.is_some());
        // A card that one seat has shown cannot be played or paired by another.
        let others = round.shown.entries().filter(|(other, _)| *other != seat);
        let shown = others.fold(CardSet::EMPTY, |all, (_, shown)| all | *shown);
        let free = |card| !shown.contains(card);
        self.turn() == Some(seat)
            && self.is_settled()
            && self.rules.pack().cards().contains(card)
            && !seen.contains(card)
            && fair_call
            && free(card)
            && call.and(pair).is_none_or(free)
    }

    fn played(&mut self, seat: Seat, card: Card, call: Option<u8>) -> Result<(), InvalidEvent> {
        if !self.round().is_some_and(|round| self.could_play(round, seat, card, call)) {
            return Err(InvalidEvent);
        }
        let (side, players) = (self.rules.side_of(seat), self.rules.players());
        let in_cruce = matches!(self.rules, Rules::Cruce(_));
        let round = self.round_mut()?;
        if in_cruce {
            round.trump.get_or_insert(card.suit());
        }
        if let (Some(points), Some(other)) = (call, cruce::partner_in_pair(card)) {
            round.points[side] += points;
            round.shown[seat].insert(other);
        }
        round.shown[seat].remove(card);
        round.trick.lay(card, call.is_some(), round.trump, players);
        Ok(())
    }

    /// The cards that have been played in this deal, and the one turned up.
    pub fn cards_seen(&self) -> CardSet {
        let turned = match &self.phase {
            Phase::Bidding(auction) => auction.turned(),
            Phase::Playing(round) => round.auction.turned(),
            _ => None,
        };
        let played = self.round().map_or(CardSet::EMPTY, |round| {
            round.tricks.iter().fold(round.trick.set(), |seen, trick| seen | trick.set())
        });
        turned.map_or(played, |card| played.with(card))
    }

    /// The winner of the trick on the table and its points, once it is full (C9, W5).
    pub(crate) fn full_trick(&self) -> Option<(Seat, u8)> {
        let players = self.rules.players();
        let round = self.round().filter(|round| round.trick.is_full(players))?;
        let points = match self.rules {
            Rules::Cruce(_) => cruce::worth_of(round.trick.cards()),
            Rules::Whist(_) => 0,
        };
        Some((round.trick.winner(), points))
    }

    fn took(&mut self, seat: Seat, points: u8) -> Result<(), InvalidEvent> {
        if self.full_trick() != Some((seat, points)) {
            return Err(InvalidEvent);
        }
        let side = self.rules.side_of(seat);
        let gain = if matches!(self.rules, Rules::Cruce(_)) { points } else { 1 };
        let round = self.round_mut()?;
        round.points[side] += gain;
        round.tricks.push(core::mem::replace(&mut round.trick, Trick::led_by(seat)));
        Ok(())
    }

    /// Whether all events of the last action are applied, so that a seat can act.
    pub(crate) fn is_settled(&self) -> bool {
        let open = self.round().is_none_or(|round| round.complete && round.revoked.is_none());
        let due = self.full_trick().is_some()
            || self.next_to_draw().is_some()
            || self.deal_score().is_some();
        open && !due
    }

    /// The score of the deal, once it is played and, on an honour table, accepted.
    pub(crate) fn deal_score(&self) -> Option<DealScore> {
        let round = self.round().filter(|round| round.is_played(&self.rules))?;
        if self.rules.honour() && !round.accepted.iter().all(|accepted| *accepted) {
            return None;
        }
        match &self.rules {
            Rules::Cruce(rules) => {
                let change = cruce::score(rules, round.contract?, &round.points);
                let prize = BySide::filled(0, rules.sides());
                Some(DealScore { points: round.points, change, prize })
            }
            Rules::Whist(_) => {
                let whist::WhistScores { change, prize, .. } = self.whist_score()?;
                Some(DealScore { points: round.points, change, prize })
            }
        }
    }

    fn whist_score(&self) -> Option<whist::WhistScores> {
        let (Rules::Whist(rules), Some(round)) = (&self.rules, self.round()) else { return None };
        let players = rules.players();
        let bids = BySeat::from_fn(players, |seat: Seat| {
            round.auction.bids[seat.steps_from(self.first, players)]
        });
        let taken = BySeat::from_fn(players, |seat: Seat| round.points[self.rules.side_of(seat)]);
        Some(whist::score(rules, round.auction.cards_each(), &bids, &taken, &self.runs))
    }

    fn scored(&mut self, score: &DealScore) -> Result<(), InvalidEvent> {
        if self.deal_score() != Some(*score) {
            return Err(InvalidEvent);
        }
        if let Some(whist) = self.whist_score() {
            self.runs = whist.runs;
        }
        let gained = |side: Side| i32::from(score.change[side]) + i32::from(score.prize[side]);
        self.score = BySide::from_fn(self.score.len(), |side| self.score[side] + gained(side));
        self.next_deal();
        Ok(())
    }

    fn thrown_in(&mut self, why: ThrownIn, change: &BySide<i16>) -> Result<(), InvalidEvent> {
        if *change != self.thrown_in_change(why) {
            return Err(InvalidEvent);
        }
        let fits = match (why, &self.phase) {
            (ThrownIn::AllPassed, Phase::Bidding(auction)) => {
                auction.is_over() && self.contract_bid().is_none()
            }
            (ThrownIn::Revoke { seat }, Phase::Playing(round)) => round.revoked == Some(seat),
            _ => false,
        };
        if !fits {
            return Err(InvalidEvent);
        }
        self.score =
            BySide::from_fn(self.score.len(), |side| self.score[side] + i32::from(change[side]));
        self.next_deal();
        Ok(())
    }

    /// The change of the score by a deal that is thrown in (C6, C15).
    pub(crate) fn thrown_in_change(&self, why: ThrownIn) -> BySide<i16> {
        BySide::from_fn(self.rules.sides(), |side| match why {
            ThrownIn::Revoke { seat } if self.rules.side_of(seat) == side => {
                cruce::Penalty::Revoke.change()
            }
            _ => 0,
        })
    }

    fn next_deal(&mut self) {
        self.phase = Phase::Dealing;
        self.number += 1;
        self.first = self.first.next(self.rules.players());
    }

    /// The sides that have won, once a deal has ended the match (C12, W8).
    pub(crate) fn winners(&self) -> Option<BySide<bool>> {
        self.rules.winners(&self.score, self.number())
    }
}
