//! From points to score (C11), and when the match is over (C12).

use cards::{BySide, Seat, Side};

use super::{POINTS_PER_SCORE, Rules, promised_points};

/// What the declarer promised (C6).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Contract {
    /// The seat that won the bidding and leads.
    pub declarer: Seat,
    /// How many times 33 points the declarer's side must make.
    pub bid: u8,
}

/// A loss of score for an offence (C15).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Penalty {
    /// A card that broke a duty.
    Revoke,
    /// A wrong deal; only at physical tables, because the software does not misdeal.
    Misdeal,
}

impl Penalty {
    /// How much it changes the score.
    pub const fn change(self) -> i16 {
        match self {
            Penalty::Revoke => -3,
            Penalty::Misdeal => -1,
        }
    }
}

/// How a deal changes the score of each side (C11).
pub fn score(rules: &Rules, contract: Contract, points: &BySide<u8>) -> BySide<i16> {
    let declaring = rules.side_of(contract.declarer);
    let promised = promised_points(contract.bid);
    let failed = u16::from(points[declaring]) < promised;
    BySide::from_fn(points.len(), |side: Side| {
        if failed && side == declaring {
            -i16::from(contract.bid)
        } else if failed && !rules.spec().others_score_on_failure {
            0
        } else {
            i16::from(points[side] / POINTS_PER_SCORE)
        }
    })
}

/// The side that has won with these scores, if one has (C12).
pub fn leader(rules: &Rules, score: &BySide<i32>) -> Option<Side> {
    let (best, most) = score.entries().max_by_key(|(_, total)| **total)?;
    let next = score.entries().filter(|(side, _)| *side != best).map(|(_, total)| *total).max()?;
    (*most >= rules.target() && *most - next >= rules.margin()).then_some(best)
}
