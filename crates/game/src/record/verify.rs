//! Verifies a record: the commitment, every card dealt, every action, every score.

use thiserror::Error;

use super::{DealEnd, DealRecord, Record, RecordedMove};
use crate::action::{Action, Illegal};
use crate::deal::{DealFault, Dealer};
use crate::event::{Event, OpenEvent};
use crate::public::InvalidEvent;
use crate::table::Table;

/// What was verified.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verified {
    /// How many deals.
    pub deals: usize,
    /// How many bids, cards, challenges and acceptances.
    pub actions: usize,
    /// Whether the match was played to its end.
    pub finished: bool,
    /// Whether the secret was revealed, so that the deals were verified too.
    pub revealed: bool,
}

/// What is wrong with a record, and where.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{}{what}", self.place())]
pub struct RecordErrorAt {
    /// The deal, counted from 1.
    pub deal: Option<usize>,
    /// The bid, card, challenge or acceptance of the deal, counted from 1.
    pub action: Option<usize>,
    /// What is wrong.
    pub what: RecordError,
}

/// What is wrong with a record.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RecordError {
    /// The match is over and its secret was not revealed.
    #[error("the match is over, but its secret is not revealed")]
    NotRevealed,
    /// The secret is not the one that was committed to.
    #[error("the secret does not belong to the commitment")]
    OtherSecret,
    /// Another seat bids first.
    #[error("by the seed, seat {expected} bids first, not seat {found}")]
    OtherFirst {
        /// The number of the seat that bids first.
        expected: usize,
        /// The number of the seat in the record.
        found: usize,
    },
    /// These are not the cards that the seed deals.
    #[error("these are not the cards that the seed deals")]
    OtherCards,
    /// The cards are not a deal of these rules.
    #[error("{0}")]
    Deal(DealFault),
    /// The action is against the rules.
    #[error("{0}")]
    Illegal(Illegal),
    /// A card, challenge or bid when no seat can act.
    #[error("no seat can act here")]
    NobodyActs,
    /// The challenge had a different outcome.
    #[error("the challenge was {}", if *.upheld { "right" } else { "wrong" })]
    OtherJudgement {
        /// The actual outcome.
        upheld: bool,
    },
    /// The deal ended differently, or not at all.
    #[error("the deal did not end as written")]
    OtherEnd,
    /// A deal after one that has not ended, or after the match.
    #[error("there is no such deal: the one before it is open, or the match is over")]
    NoSuchDeal,
    /// Other sides won, or the match is not over.
    #[error("the match did not end as written")]
    OtherWinner,
}

impl RecordErrorAt {
    /// The place as the beginning of a sentence; empty if it is not in a deal.
    pub fn place(&self) -> String {
        match (self.deal, self.action) {
            (Some(deal), Some(action)) => format!("deal {deal}, action {action}: "),
            (Some(deal), None) => format!("deal {deal}: "),
            _ => String::new(),
        }
    }
}

impl Record {
    /// Verifies everything; returns the first fault.
    pub fn verify(&self) -> Result<Verified, RecordErrorAt> {
        let fault = |what| RecordErrorAt { deal: None, action: None, what };
        let dealer = match &self.secret {
            Some(secret) if secret.commit(&self.table, &self.rules) != self.commitment => {
                return Err(fault(RecordError::OtherSecret));
            }
            Some(secret) => {
                Some(Dealer::new(self.rules, secret.seed(&self.table, &self.rules, &self.words)))
            }
            None if self.won.is_some() => return Err(fault(RecordError::NotRevealed)),
            None => None,
        };
        let first = match (&dealer, self.deals.first()) {
            (Some(dealer), _) => dealer.first_seat(),
            (None, Some(deal)) => deal.first,
            (None, None) => Default::default(),
        };
        let mut replay =
            ReplayedMatch { table: Table::new(self.rules, first), dealer, seen: &mut |_, _| {} };
        let actions = replay.play(&self.deals)?;
        let table = &replay.table;
        if self.won.is_some() != table.is_over() {
            return Err(fault(RecordError::OtherWinner));
        }
        if let Some(sides) = self.won
            && table.public().winners() != Some(sides)
        {
            return Err(fault(RecordError::OtherWinner));
        }
        Ok(Verified {
            deals: self.deals.len(),
            actions,
            finished: self.won.is_some(),
            revealed: replay.dealer.is_some(),
        })
    }

    /// Replays the record without verifying the deals against the seed. Calls `seen` with every
    /// event and the table before it, up to the first fault.
    pub fn replay(&self, seen: &mut dyn FnMut(&Table, &Event)) -> Result<(), RecordErrorAt> {
        let first = self.deals.first().map_or_else(Default::default, |deal| deal.first);
        let mut replay = ReplayedMatch { table: Table::new(self.rules, first), dealer: None, seen };
        replay.play(&self.deals).map(drop)
    }
}

type At<T> = Result<T, (Option<usize>, RecordError)>;

/// A match that is replayed.
struct ReplayedMatch<'a> {
    table: Table,
    /// The dealer to compare the cards with, if the seed is known.
    dealer: Option<Dealer>,
    /// Receives every event with the table before it.
    seen: &'a mut dyn FnMut(&Table, &Event),
}

/// A bid, or a move after the bidding.
#[derive(Clone, Copy)]
enum VerifyStep {
    Bid(u8),
    Later(RecordedMove),
}

impl ReplayedMatch<'_> {
    /// Replays all deals and returns how many actions they had.
    fn play(&mut self, deals: &[DealRecord]) -> Result<usize, RecordErrorAt> {
        let mut actions = 0;
        for (at, deal) in deals.iter().enumerate() {
            let wrong = |(action, what)| RecordErrorAt { deal: Some(at + 1), action, what };
            actions += self.deal(deal).map_err(wrong)?;
        }
        Ok(actions)
    }

    /// Replays a deal and returns how many actions it had.
    fn deal(&mut self, record: &DealRecord) -> At<usize> {
        let here = |what| (None, what);
        let table = &self.table;
        if !table.wants_deal() {
            return Err(here(RecordError::NoSuchDeal));
        }
        let (number, first) = (table.public().number(), table.public().first());
        if record.first != first {
            let (expected, found) = (first.number(), record.first.number());
            return Err(here(RecordError::OtherFirst { expected, found }));
        }
        record.deal.check(table.rules(), number).map_err(|fault| here(RecordError::Deal(fault)))?;
        if let Some(dealer) = &self.dealer
            && dealer.deal(number, first).as_ref() != Some(&record.deal)
        {
            return Err(here(RecordError::OtherCards));
        }
        let dealt =
            table.deal(record.deal.clone()).map_err(|fault| here(RecordError::Deal(fault)))?;
        self.apply(&dealt).map_err(|_| here(RecordError::NoSuchDeal))?;
        let mut end = DealEnd::Open;
        let mut actions = 0;
        let bids = record.bids.iter().map(|bid| VerifyStep::Bid(*bid));
        for what in bids.chain(record.moves.iter().map(|what| VerifyStep::Later(*what))) {
            actions += 1;
            let wrong = |what| (Some(actions), what);
            if end != DealEnd::Open {
                return Err(wrong(RecordError::NobodyActs));
            }
            end = self.act(what).map_err(wrong)?;
        }
        if end == record.end { Ok(actions) } else { Err(here(RecordError::OtherEnd)) }
    }

    /// Replays one action and returns how the deal ended, if it did.
    fn act(&mut self, what: VerifyStep) -> Result<DealEnd, RecordError> {
        let turn = self.table.public().turn().ok_or(RecordError::NobodyActs);
        let (seat, action, claimed) = match what {
            VerifyStep::Bid(bid) => (turn?, Action::Bid(bid), None),
            VerifyStep::Later(RecordedMove::Play { card, call }) => {
                (turn?, Action::Play { card, call }, None)
            }
            VerifyStep::Later(RecordedMove::Challenge { by, trick, accused, upheld }) => {
                (by, Action::Challenge { trick, accused }, Some(upheld))
            }
            VerifyStep::Later(RecordedMove::Accept { seat }) => (seat, Action::Accept, None),
        };
        let events = self.table.decide(seat, action).map_err(RecordError::Illegal)?;
        self.apply(&events).map_err(|_| RecordError::NobodyActs)?;
        let total = *self.table.public().score();
        let mut end = DealEnd::Open;
        for event in &events {
            match event {
                Event::Open(OpenEvent::Challenged { broken, .. }) => {
                    let upheld = broken.is_some();
                    if claimed != Some(upheld) {
                        return Err(RecordError::OtherJudgement { upheld });
                    }
                }
                Event::Open(OpenEvent::Scored(score)) => {
                    end = DealEnd::Scored { score: *score, total }
                }
                Event::Open(OpenEvent::ThrownIn { why, change }) => {
                    end = DealEnd::ThrownIn { why: *why, change: *change, total };
                }
                _ => {}
            }
        }
        Ok(end)
    }

    fn apply(&mut self, events: &[Event]) -> Result<(), InvalidEvent> {
        events.iter().try_for_each(|event| {
            (self.seen)(&self.table, event);
            self.table.apply(event)
        })
    }
}
