//! From tricks to score and prizes (W6, W7), and who has won (W8).

use cards::{BySeat, BySide, Seat, Side};

use super::Rules;

/// How many deals in a row make a prize (W7).
const RUN_FOR_PRIZE: i8 = 5;

/// What a deal did to everybody.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Score {
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
) -> Score {
    let players = rules.players();
    let right = |seat: Seat| bids[seat] == taken[seat];
    let seat_of = |side: Side| Seat::new(side.index()).unwrap_or_default();
    let change = BySide::from_fn(players, |side| {
        let (bid, took) = (i16::from(bids[seat_of(side)]), i16::from(taken[seat_of(side)]));
        if bid == took { 5 + took } else { -(bid - took).abs() }
    });
    let grown = |seat: Seat| match (cards_each, right(seat)) {
        (1, _) => runs[seat],
        (_, true) => runs[seat].max(0) + 1,
        (_, false) => runs[seat].min(0) - 1,
    };
    let prize = BySide::from_fn(players, |side| match grown(seat_of(side)) {
        RUN_FOR_PRIZE => rules.prize(),
        run if run == -RUN_FOR_PRIZE => -rules.prize(),
        _ => 0,
    });
    let runs = BySeat::from_fn(players, |seat| match grown(seat) {
        run if run.abs() == RUN_FOR_PRIZE => 0,
        run => run,
    });
    Score { change, prize, runs }
}

/// The highest totals (W8); equal ones share the place.
pub fn winners(score: &BySide<i32>) -> impl Iterator<Item = Side> + '_ {
    let most = score.iter().max().copied();
    score.entries().filter(move |(_, total)| Some(**total) == most).map(|(side, _)| side)
}
