//! From tricks to score and prizes (W6, W7), and who has won (W8).

use cards::{BySeat, BySide, MAX_SEATS, Side};

use super::Rules;

/// How many deals in a row make a prize (W7).
const RUN_FOR_PRIZE: i8 = 5;

/// The scores of a deal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WhistScores {
    /// For the bid (W6).
    pub change: BySide<i16>,
    /// For five deals in a row (W7).
    pub prize: BySide<i16>,
    /// The runs after this deal: positive for right bids, negative for wrong ones.
    pub runs: BySeat<i8>,
}

/// Scores a deal of `cards_each` cards; `runs` are those before it (W6, W7).
pub fn score(
    rules: &Rules,
    cards_each: usize,
    bids: &BySeat<u8>,
    taken: &BySeat<u8>,
    runs: &BySeat<i8>,
) -> WhistScores {
    let players = rules.players();
    let (bids, taken, before) = (bids.padded(), taken.padded(), runs.padded());
    let (mut change, mut prize, mut after) = ([0; MAX_SEATS], [0; MAX_SEATS], before);
    for at in 0..players.min(MAX_SEATS) {
        let off = i16::from(bids[at]) - i16::from(taken[at]);
        let right = off == 0;
        change[at] = if right { 5 + i16::from(taken[at]) } else { -off.abs() };
        if cards_each == 1 {
            continue;
        }
        let run = if right { before[at].max(0) + 1 } else { before[at].min(0) - 1 };
        match run {
            RUN_FOR_PRIZE => (prize[at], after[at]) = (rules.prize(), 0),
            run if run == -RUN_FOR_PRIZE => (prize[at], after[at]) = (-rules.prize(), 0),
            run => after[at] = run,
        }
    }
    WhistScores {
        change: BySide::from_padded(change, players),
        prize: BySide::from_padded(prize, players),
        runs: BySeat::from_padded(after, players),
    }
}

/// The highest totals (W8); equal ones share the place.
pub fn winners(score: &BySide<i32>) -> impl Iterator<Item = Side> + '_ {
    let most = score.iter().max().copied();
    score.entries().filter(move |(_, total)| Some(**total) == most).map(|(side, _)| side)
}
