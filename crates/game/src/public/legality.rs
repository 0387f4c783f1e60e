//! Whether an action of a seat is legal, and why not.

use cards::{Card, CardSet, Seat, Suit};

use super::{Phase, Public, Round, WRONG_CHALLENGES};
use crate::action::{Action, Illegal};
use crate::auction::BidSet;
use crate::cruce;
use crate::duty::Ladder;
use crate::rules::Rules;
use crate::trick::Lead;

/// The duties of a hand towards a trick (C8, C13, W5).
pub(crate) fn duties(
    rules: &Rules,
    hand: CardSet,
    lead: Option<Lead>,
    trump: Option<Suit>,
    stock_lasts: bool,
) -> Ladder {
    match rules {
        Rules::Cruce(_) if stock_lasts => Ladder::free(hand),
        Rules::Cruce(rules) => Ladder::climb(hand, lead, trump, rules.spec().overtake),
        Rules::Whist(_) => Ladder::climb(hand, lead, trump, false),
    }
}

impl Round {
    /// The duties of a hand in the trick on the table (C8, C13, W5).
    fn duties(&self, rules: &Rules, hand: CardSet) -> Ladder {
        duties(rules, hand, self.trick.lead(), self.trump, self.stock > 0)
    }

    /// How many wrong challenges a seat has made (C15).
    fn wrong_challenges(&self, by: Seat) -> usize {
        self.challenges.iter().filter(|challenge| challenge.by == by).count()
    }
}

impl Public {
    /// Checks whether a seat with this hand may do this.
    pub fn check(&self, seat: Seat, hand: CardSet, action: Action) -> Result<(), Illegal> {
        if seat.index() >= self.rules.players() {
            return Err(Illegal::NoSuchSeat);
        }
        if self.phase == Phase::Over {
            return Err(Illegal::MatchOver);
        }
        if !self.is_settled() {
            return Err(Illegal::NotPlaying);
        }
        match action {
            Action::Bid(bid) => match &self.phase {
                Phase::Bidding(auction) => {
                    self.check_turn(seat)?;
                    auction.check(bid)
                }
                _ => Err(Illegal::NotBidding),
            },
            Action::Play { card, call } => match &self.phase {
                Phase::Playing(round) if !round.is_played(&self.rules) => {
                    self.check_turn(seat)?;
                    self.check_card(round, hand, card)?;
                    self.check_call(round, hand, card, call)
                }
                _ => Err(Illegal::NotPlaying),
            },
            Action::Challenge { trick, accused } => self.check_challenge(seat, trick, accused),
            Action::Accept => self.check_accept(seat),
        }
    }

    fn check_turn(&self, seat: Seat) -> Result<(), Illegal> {
        match self.turn() {
            Some(turn) if turn != seat => Err(Illegal::NotYourTurn { turn }),
            _ => Ok(()),
        }
    }

    fn check_card(&self, round: &Round, hand: CardSet, card: Card) -> Result<(), Illegal> {
        // On an honour table every card in hand can be played (C15).
        let ladder =
            if self.rules.honour() { Ladder::free(hand) } else { round.duties(&self.rules, hand) };
        ladder.refusal(card).map_or(Ok(()), Err)
    }

    fn check_call(
        &self,
        round: &Round,
        hand: CardSet,
        card: Card,
        call: bool,
    ) -> Result<(), Illegal> {
        let may = round.trick.is_empty() && self.callable_in(hand).contains(card);
        self.rules.call_fault(card, call, may).map_or(Ok(()), Err)
    }

    fn callable_in(&self, hand: CardSet) -> CardSet {
        match self.rules {
            Rules::Cruce(_) => cruce::callable(hand),
            Rules::Whist(_) => CardSet::EMPTY,
        }
    }

    fn check_challenge(&self, by: Seat, trick: u8, accused: Seat) -> Result<(), Illegal> {
        if !self.rules.honour() {
            return Err(Illegal::NotAnHonourTable);
        }
        let round = self.round().ok_or(Illegal::TrickNotFinished)?;
        if accused.index() >= self.rules.players() {
            Err(Illegal::NoSuchSeat)
        } else if usize::from(trick) >= round.tricks.len() {
            Err(Illegal::TrickNotFinished)
        } else if self.rules.side_of(by) == self.rules.side_of(accused) {
            Err(Illegal::OwnSide)
        } else if round.challenges.iter().any(|c| (c.trick, c.accused) == (trick, accused)) {
            Err(Illegal::AlreadyJudged)
        } else if round.wrong_challenges(by) >= WRONG_CHALLENGES {
            Err(Illegal::NoChallengesLeft)
        } else {
            Ok(())
        }
    }

    fn check_accept(&self, seat: Seat) -> Result<(), Illegal> {
        if !self.rules.honour() {
            return Err(Illegal::NotAnHonourTable);
        }
        match self.round() {
            Some(round) if round.is_played(&self.rules) => {
                if round.accepted[seat] {
                    Err(Illegal::AlreadyAccepted)
                } else {
                    Ok(())
                }
            }
            _ => Err(Illegal::NothingToAccept),
        }
    }

    /// The legal bids of the seat in turn, lowest first.
    pub fn legal_bids(&self) -> BidSet {
        match &self.phase {
            Phase::Bidding(auction) => auction.legal(),
            _ => BidSet::default(),
        }
    }

    /// The cards that the seat in turn may play, if this is its hand.
    pub fn legal_cards(&self, hand: CardSet) -> CardSet {
        match self.round() {
            Some(_) if self.rules.honour() => hand,
            Some(round) => round.duties(&self.rules, hand).legal(),
            None => CardSet::EMPTY,
        }
    }

    /// The cards that the duties allow the seat in turn, if this is its hand;
    /// on an honour table it can play others too.
    pub fn lawful_cards(&self, hand: CardSet) -> CardSet {
        self.round().map_or(CardSet::EMPTY, |round| round.duties(&self.rules, hand).legal())
    }

    /// The cards that the seat in turn may lead with a call, if this is its hand (C10).
    pub fn callable(&self, hand: CardSet) -> CardSet {
        match self.round() {
            Some(round) if round.trick.is_empty() => self.callable_in(hand),
            _ => CardSet::EMPTY,
        }
    }

    /// All legal actions of a seat with this hand.
    pub fn actions(&self, seat: Seat, hand: CardSet) -> Vec<Action> {
        let mut actions = Vec::new();
        actions.extend(self.legal_bids().iter().map(Action::Bid));
        for card in self.legal_cards(hand) {
            actions.extend([false, true].map(|call| Action::Play { card, call }));
        }
        if let Some(round) = self.round().filter(|_| self.rules.honour()) {
            for trick in 0..round.tricks.len() as u8 {
                let accused = Seat::first(self.rules.players());
                actions.extend(accused.map(|accused| Action::Challenge { trick, accused }));
            }
            actions.push(Action::Accept);
        }
        actions.retain(|action| self.check(seat, hand, *action).is_ok());
        actions
    }
}
