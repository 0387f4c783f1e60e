//! Perft: how many legal sequences of bids and cards there are from a position.
//!
//! Two engines that agree on these counts agree on what is legal. Whether a
//! pair is called changes no card that may be played later, so calls are no
//! branches of their own.

use cards::Card;

use crate::position::{Play, Position, Stage};

/// A bid or a card, as a branch of the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Move {
    /// A bid.
    Bid(u8),
    /// A card.
    Card(Card),
}

/// How many sequences of exactly `depth` legal moves there are.
pub fn perft(position: &Position, depth: u32) -> u64 {
    match &position.stage {
        _ if depth == 0 => 1,
        Stage::Playing { play, .. } => in_play(play, depth),
        Stage::Bidding(_) => divide(position, depth).iter().map(|(_, count)| count).sum(),
    }
}

/// The same count for each first move.
pub fn divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    let Some(after) = depth.checked_sub(1) else { return Vec::new() };
    match &position.stage {
        Stage::Playing { play, .. } if play.turn().is_some() => play
            .legal()
            .iter()
            .map(|card| {
                let mut next = *play;
                next.play(card, false);
                (Move::Card(card), in_play(&next, after))
            })
            .collect(),
        Stage::Playing { .. } => Vec::new(),
        Stage::Bidding(_) => position
            .legal_bids()
            .iter()
            .map(|bid| {
                let mut next = position.clone();
                // The bid was listed as legal.
                let said = next.bid(bid);
                debug_assert_eq!(said, Ok(()));
                (Move::Bid(bid), perft(&next, after))
            })
            .collect(),
    }
}

fn in_play(play: &Play, depth: u32) -> u64 {
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
