//! A match record: everything that happened, and everything needed to verify it.
//!
//! A record is written while a match is played ([`Record::record_event`]), printed and
//! parsed as text (`docs/notation.md`), and verified from the shuffle to the
//! last score by [`Record::verify`].

mod name;
mod text;
mod verify;

use cards::{BySeat, BySide, Card, Seat};

use crate::deal::Deal;
use crate::event::{DealScore, Event, OpenEvent, ThrownIn};
use crate::fair::{Commitment, Secret, Word};
use crate::public::{InvalidEvent, Public};
use crate::rules::Rules;

pub use name::{InvalidName, Name};
pub use text::{MAX_DEALS, MAX_MOVES, MAX_POINTS, MAX_TOTAL, parse_all};
pub use verify::{RecordError, RecordErrorAt, Verified};

/// The record of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The rules of the match.
    pub rules: Rules,
    /// The table's public name, part of the commitment.
    pub table: Word,
    /// The names of the players.
    pub names: Vec<Option<Name>>,
    /// The commitment published before the first deal.
    pub commitment: Commitment,
    /// The word that each seat added to the seed.
    pub words: BySeat<Option<Word>>,
    /// The secret revealed after the match.
    pub secret: Option<Secret>,
    /// The deals in order.
    pub deals: Vec<DealRecord>,
    /// The sides that won; `None` while the match goes on.
    pub won: Option<BySide<bool>>,
}

/// One deal of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DealRecord {
    /// The seat that bid first.
    pub first: Seat,
    /// The cards.
    pub deal: Deal,
    /// The bids, in the order in which they were made.
    pub bids: Vec<u8>,
    /// Everything after the bidding, in order.
    pub moves: Vec<RecordedMove>,
    /// How it ended.
    pub end: DealEnd,
}

/// A move after the bidding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecordedMove {
    /// The seat in turn played a card.
    Play {
        /// The card.
        card: Card,
        /// Whether its pair was called.
        call: bool,
    },
    /// A seat challenged a card (C15).
    Challenge {
        /// The seat.
        by: Seat,
        /// Which trick, counted from 0.
        trick: u8,
        /// The seat whose card is challenged.
        accused: Seat,
        /// Whether it was right.
        upheld: bool,
    },
    /// A seat accepted the deal (C15).
    Accept {
        /// The seat.
        seat: Seat,
    },
}

/// How a deal ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DealEnd {
    /// It has not ended yet.
    Open,
    /// It was played and scored.
    Scored {
        /// The score of the deal.
        score: DealScore,
        /// The score of the match after it.
        total: BySide<i32>,
    },
    /// It was thrown in.
    ThrownIn {
        /// Why.
        why: ThrownIn,
        /// What it changed.
        change: BySide<i16>,
        /// The score of the match after it.
        total: BySide<i32>,
    },
}

impl Record {
    /// The record of a match that is about to begin.
    pub fn new(
        rules: Rules,
        table: Word,
        commitment: Commitment,
        words: BySeat<Option<Word>>,
    ) -> Record {
        let names = vec![None; rules.players()];
        let deals = Vec::new();
        Record { rules, table, names, commitment, words, secret: None, deals, won: None }
    }

    /// Records an event; `after` is what every viewer knows after it.
    pub fn record_event(&mut self, event: &Event, after: &Public) -> Result<(), InvalidEvent> {
        if let Event::Dealt(deal) = event {
            self.deals.push(DealRecord {
                first: after.first(),
                deal: (**deal).clone(),
                bids: Vec::new(),
                moves: Vec::new(),
                end: DealEnd::Open,
            });
            return Ok(());
        }
        // Cards drawn and dealt later follow from the deal.
        let Event::Open(happened) = event else { return Ok(()) };
        let deal = self.deals.last_mut().ok_or(InvalidEvent)?;
        let total = *after.score();
        match *happened {
            OpenEvent::Bid { bid, .. } => deal.bids.push(bid),
            OpenEvent::Played { card, call, .. } => {
                deal.moves.push(RecordedMove::Play { card, call: call.is_some() });
            }
            OpenEvent::Challenged { by, trick, accused, broken } => {
                let upheld = broken.is_some();
                deal.moves.push(RecordedMove::Challenge { by, trick, accused, upheld });
            }
            OpenEvent::Accepted { seat } => deal.moves.push(RecordedMove::Accept { seat }),
            OpenEvent::ThrownIn { why, change } => {
                deal.end = DealEnd::ThrownIn { why, change, total };
            }
            OpenEvent::Scored(score) => deal.end = DealEnd::Scored { score, total },
            OpenEvent::Won { sides } => self.won = Some(sides),
            OpenEvent::Declared(_) | OpenEvent::Took { .. } => {}
        }
        Ok(())
    }
}
