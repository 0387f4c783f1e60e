//! What everybody at a table knows, and the law that follows from it.
//!
//! The truth and every view hold one [`Public`]. Whether a seat may do
//! something depends on this and on its own hand alone, so
//! [`Public::check`] serves the table, which must refuse, and the player's
//! view, which explains beforehand.

mod fold;
mod law;

use arrayvec::ArrayVec;
use cards::{BySeat, BySide, Card, CardSet, Seat, Suit};
use thiserror::Error;

use crate::auction::Auction;
use crate::cruce::{Contract, worth_of_call};
use crate::rules::Rules;
use crate::trick::Trick;

pub(crate) use law::duties;

/// How many wrong challenges a seat has in a deal (C15).
pub const WRONG_CHALLENGES: usize = 2;

/// What everybody knows about a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Public {
    pub(crate) rules: Rules,
    pub(crate) number: u32,
    pub(crate) first: Seat,
    pub(crate) score: BySide<i32>,
    pub(crate) runs: BySeat<i8>,
    pub(crate) phase: Phase,
}

/// Where a match stands.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(clippy::large_enum_variant, reason = "a decision copies it without touching the heap")]
pub enum Phase {
    /// The next cards are to be dealt.
    Dealing,
    /// The seats say their bids.
    Bidding(Auction),
    /// Cards are played; on an honour table, also all played and not yet accepted.
    Playing(Round),
    /// Somebody has won.
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
    /// What each hand has shown by calling and still holds (C10).
    pub(crate) shown: BySeat<CardSet>,
    /// Points with calls in Cruce, tricks in whist.
    pub(crate) points: BySide<u8>,
    /// The challenges that were wrong, in order (C15).
    pub(crate) challenges: ArrayVec<Challenge, 8>,
    /// Who has accepted the deal (C15).
    pub(crate) accepted: BySeat<bool>,
    /// Whose card was rightly challenged; the deal is about to be thrown in (C15).
    pub(crate) revoked: Option<Seat>,
    /// Whether all cards are in the hands; not before the rest is dealt (C6, bids on three).
    pub(crate) complete: bool,
}

/// A challenge that was wrong (C15).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Challenge {
    /// Who made it.
    pub by: Seat,
    /// Against which trick, counted from nought.
    pub trick: u8,
    /// Against whose card.
    pub accused: Seat,
}

/// An event that cannot have happened here. Nothing has changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the event does not fit what happened before it")]
pub struct Misfit;

impl Round {
    /// The bidding that led to it.
    pub fn auction(&self) -> &Auction {
        &self.auction
    }

    /// Who plays for what in Cruce (C6); nothing in whist.
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

    /// What each hand has shown by calling and still holds (C10).
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

    /// Who has accepted the deal (C15).
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

    /// The number of this deal or of the next, counted from nought.
    pub fn number(&self) -> usize {
        self.number as usize
    }

    /// Who bids first in this deal or in the next.
    pub fn first(&self) -> Seat {
        self.first
    }

    /// Who deals, or would at a real table: the seat before the first bidder.
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

    /// Where the match stands.
    pub fn phase(&self) -> &Phase {
        &self.phase
    }

    /// What a call with this card scores: the first lead makes its suit trump (C7, C10).
    pub fn call_points(&self, card: Card) -> u8 {
        let trump = self.round().and_then(Round::trump).unwrap_or(card.suit());
        worth_of_call(card.suit(), Some(trump))
    }

    /// The play of the deal, while there is one.
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

    /// What a seat has bid in the deal in progress.
    pub fn bid_of(&self, seat: Seat) -> Option<u8> {
        self.auction()?.bid_of(seat, self.first)
    }

    /// Whether all cards are played and the seats must accept the deal (C15).
    pub fn is_reckoning(&self) -> bool {
        self.round().is_some_and(|round| round.is_played(&self.rules))
    }

    /// Who must bid or play.
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
