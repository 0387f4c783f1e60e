//! What every viewer of a table knows, and which actions are legal.
//!
//! The table and every view hold one [`Public`]. Whether an action is legal
//! depends only on this and on the seat's own hand, so [`Public::check`] serves
//! the table, which must refuse, and the player's view, which explains
//! beforehand.

mod apply;
mod legality;

use arrayvec::ArrayVec;
use cards::{BySeat, BySide, Card, CardSet, Seat, Suit};
use thiserror::Error;

use crate::auction::Auction;
use crate::cruce::{Contract, worth_of_call};
use crate::rules::Rules;
use crate::trick::Trick;

pub(crate) use legality::duties;

/// How many wrong challenges a seat may make in a deal (C15).
pub const WRONG_CHALLENGES: usize = 2;

/// What every viewer knows about a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Public {
    pub(crate) rules: Rules,
    pub(crate) number: u32,
    pub(crate) first: Seat,
    pub(crate) score: BySide<i32>,
    pub(crate) runs: BySeat<i8>,
    pub(crate) phase: Phase,
}

/// The phase of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(clippy::large_enum_variant, reason = "a decision copies it without touching the heap")]
pub enum Phase {
    /// The next cards are to be dealt.
    Dealing,
    /// The seats bid.
    Bidding(Auction),
    /// Cards are played; on an honour table, also until the played deal is accepted.
    Playing(Round),
    /// The match is over.
    Over,
}

/// The play of a deal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Round {
    pub(crate) auction: Auction,
    pub(crate) contract: Option<Contract>,
    pub(crate) trump: Option<Suit>,
    pub(crate) trick: Trick,
    /// The tricks that are finished.
    pub(crate) tricks: ArrayVec<Trick, 12>,
    /// How many cards of the stock are left (C13).
    pub(crate) stock: u8,
    /// The cards that each hand has shown by calling and still holds (C10).
    pub(crate) shown: BySeat<CardSet>,
    /// Points with calls in Cruce, tricks in whist.
    pub(crate) points: BySide<u8>,
    /// The challenges that were wrong, in order (C15).
    pub(crate) challenges: ArrayVec<Challenge, 8>,
    /// The seats that have accepted the deal (C15).
    pub(crate) accepted: BySeat<bool>,
    /// The seat whose card was rightly challenged; the deal is about to be thrown in (C15).
    pub(crate) revoked: Option<Seat>,
    /// Whether all cards are dealt; false until the rest is dealt (C6, bids on three).
    pub(crate) complete: bool,
}

/// A challenge that was wrong (C15).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Challenge {
    /// The seat that made it.
    pub by: Seat,
    /// The trick, counted from 0.
    pub trick: u8,
    /// The seat whose card was challenged.
    pub accused: Seat,
}

/// The error for an event that cannot happen in this state. The state has not changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the event does not fit what happened before it")]
pub struct InvalidEvent;

impl Round {
    /// The bidding that led to it.
    pub fn auction(&self) -> &Auction {
        &self.auction
    }

    /// The contract of Cruce (C6); `None` in whist.
    pub fn contract(&self) -> Option<Contract> {
        self.contract
    }

    /// The trump, if there is one yet.
    pub fn trump(&self) -> Option<Suit> {
        self.trump
    }

    /// The trick on the table.
    pub fn trick(&self) -> &Trick {
        &self.trick
    }

    /// The tricks that are finished, in order.
    pub fn tricks(&self) -> &[Trick] {
        &self.tricks
    }

    /// How many cards of the stock are left (C13).
    pub fn stock(&self) -> usize {
        self.stock as usize
    }

    /// The cards that each hand has shown by calling and still holds (C10).
    pub fn shown(&self) -> &BySeat<CardSet> {
        &self.shown
    }

    /// Each side's points with calls in Cruce, each player's tricks in whist.
    pub fn points(&self) -> &BySide<u8> {
        &self.points
    }

    /// The challenges that were wrong, in order (C15).
    pub fn challenges(&self) -> &[Challenge] {
        &self.challenges
    }

    /// The seats that have accepted the deal (C15).
    pub fn accepted(&self) -> &BySeat<bool> {
        &self.accepted
    }

    /// How many tricks the deal has.
    fn tricks_in_all(&self, rules: &Rules) -> usize {
        match rules {
            Rules::Cruce(rules) => rules.tricks(),
            Rules::Whist(_) => self.auction.cards_each(),
        }
    }

    /// Whether the last card has been played.
    pub fn is_played(&self, rules: &Rules) -> bool {
        self.tricks.len() == self.tricks_in_all(rules)
    }
}

impl Public {
    pub(crate) fn new(rules: Rules, first: Seat) -> Public {
        Public {
            rules,
            number: 0,
            first,
            score: BySide::filled(0, rules.sides()),
            runs: BySeat::filled(0, rules.players()),
            phase: Phase::Dealing,
        }
    }

    /// The rules of the match.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The number of this deal or of the next, counted from 0.
    pub fn number(&self) -> usize {
        self.number as usize
    }

    /// The seat that bids first in this deal or in the next.
    pub fn first(&self) -> Seat {
        self.first
    }

    /// The seat that deals at a physical table: the one before the first bidder.
    pub fn dealer(&self) -> Seat {
        self.first.previous(self.rules.players())
    }

    /// The score of each side.
    pub fn score(&self) -> &BySide<i32> {
        &self.score
    }

    /// The runs of right (positive) and wrong (negative) bids in whist (W7).
    pub fn runs(&self) -> &BySeat<i8> {
        &self.runs
    }

    /// The phase of the match.
    pub fn phase(&self) -> &Phase {
        &self.phase
    }

    /// The points of a call with this card: the first lead makes its suit trump (C7, C10).
    pub fn call_points(&self, card: Card) -> u8 {
        let trump = self.round().and_then(Round::trump).unwrap_or(card.suit());
        worth_of_call(card.suit(), Some(trump))
    }

    /// The play of the deal, while cards are played.
    pub fn round(&self) -> Option<&Round> {
        match &self.phase {
            Phase::Playing(round) => Some(round),
            _ => None,
        }
    }

    /// The bids of the deal in progress, in the bidding and in the play.
    pub fn auction(&self) -> Option<&Auction> {
        match &self.phase {
            Phase::Bidding(auction) => Some(auction),
            Phase::Playing(round) => Some(&round.auction),
            Phase::Dealing | Phase::Over => None,
        }
    }

    /// The bid of a seat in the deal in progress.
    pub fn bid_of(&self, seat: Seat) -> Option<u8> {
        self.auction()?.bid_of(seat, self.first)
    }

    /// Whether all cards are played and the seats must accept the deal (C15).
    pub fn awaits_acceptance(&self) -> bool {
        self.round().is_some_and(|round| round.is_played(&self.rules))
    }

    /// The seat that must bid or play.
    pub fn turn(&self) -> Option<Seat> {
        let players = self.rules.players();
        match &self.phase {
            Phase::Bidding(auction) => Some(self.first.after(auction.bids.len(), players)),
            Phase::Playing(round) if !round.is_played(&self.rules) => {
                Some(round.trick.turn(players))
            }
            _ => None,
        }
    }
}
