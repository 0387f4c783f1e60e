//! Perft: the number of legal sequences of bids and cards from a position.
//!
//! Two engines that agree on these counts agree on what is legal. Whether a
//! pair is called does not change which cards may be played later, so a call
//! is not a separate branch.

use cards::Card;

use crate::action::Illegal;
use crate::position::{DealStage, InPlay, Position};

/// A bid or a card, as a branch of the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PerftMove {
    /// A bid.
    Bid(u8),
    /// A card.
    Card(Card),
}

/// The legal moves of a position.
pub fn moves(position: &Position) -> Vec<PerftMove> {
    match &position.stage {
        DealStage::Playing { play, .. } if play.turn().is_some() => {
            play.legal().iter().map(PerftMove::Card).collect()
        }
        DealStage::Playing { .. } => Vec::new(),
        DealStage::Bidding(_) => position.legal_bids().iter().map(PerftMove::Bid).collect(),
    }
}

/// The position after a move, or why the move is illegal.
pub fn after(position: &Position, first: PerftMove) -> Result<Position, Illegal> {
    let mut next = position.clone();
    match first {
        PerftMove::Bid(bid) => next.bid(bid)?,
        PerftMove::Card(card) => {
            let calls = position.rules.calls_are_automatic();
            let call = calls && position.play().is_some_and(|play| play.may_call(card));
            next.play_card(card, call)?;
        }
    }
    Ok(next)
}

/// How many sequences of exactly `depth` legal moves there are.
pub fn perft(position: &Position, depth: u32) -> u64 {
    match &position.stage {
        _ if depth == 0 => 1,
        DealStage::Playing { play, .. } => in_play(play, depth),
        DealStage::Bidding(_) => {
            let next = moves(position).into_iter().filter_map(|first| after(position, first).ok());
            next.map(|next| perft(&next, depth - 1)).sum()
        }
    }
}

fn in_play(play: &InPlay, depth: u32) -> u64 {
    match depth {
        0 => 1,
        _ if play.turn().is_none() => 0,
        1 => play.legal().len() as u64,
        _ => play
            .legal()
            .iter()
            .map(|card| {
                let mut next = *play;
                next.play(card, false);
                in_play(&next, depth - 1)
            })
            .sum(),
    }
}
