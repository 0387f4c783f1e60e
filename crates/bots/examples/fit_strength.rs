//! Fits the points that a hand of Cruce promises its declarer, to solved deals.
//!
//! `cargo run --release -p bots --example fit_strength` prints the table of
//! `crates/bots/src/strength/table.rs`.

use bots::strength::{FEATURES, features};
use cards::{CardSet, Seat, Suit};
use game::deal::{RandomStream, Seed};
use game::{Rules, cruce};
use solver::Limit;
use solver::cruce::{Aim, Solver};

/// The number of hands in a fit, and of deals in which each is solved.
const HANDS: usize = 4000;
const DEALS: usize = 12;

fn main() {
    println!("const TABLE: [[[f64; FEATURES]; 2]; 4] = [");
    for code in ["cruce2", "cruce3", "cruce4s", "cruce4t"] {
        println!("    [");
        for three in [false, true] {
            let hands = hands(code, three);
            let weights = fit(&hands);
            let line: Vec<String> = weights.iter().map(|weight| format!("{weight:.2}")).collect();
            println!("        [{}],", line.join(", "));
            let error = |(hand, points): &(CardSet, f64)| (best(hand, &weights).1 - points).powi(2);
            let spread = (hands.iter().map(error).sum::<f64>() / hands.len() as f64).sqrt();
            eprintln!("{code}, three {three}: off by {spread:.1} points");
        }
        println!("    ],");
    }
    println!("];");
}

/// Hands with the average of the points that they make with all cards open.
fn hands(code: &str, three: bool) -> Vec<(CardSet, f64)> {
    let Ok(Rules::Cruce(rules)) = Rules::from_code(code) else { return Vec::new() };
    let declarer = Seat::default();
    let mut lots = RandomStream::new(Seed([11; 32]), 0);
    let mut pack: Vec<_> = Rules::Cruce(rules).pack().cards().iter().collect();
    let mut solver = Solver::new();
    let seen = if three { 3 } else { rules.cards_each() };
    let mut hands = Vec::new();
    for _ in 0..HANDS {
        lots.shuffle(&mut pack);
        let mut sum = 0;
        let (hand, rest) = pack.split_at_mut(seen);
        let hand: CardSet = hand.iter().copied().collect();
        for _ in 0..DEALS {
            lots.shuffle(rest);
            let each = rules.cards_each();
            let all: Vec<_> = hand.iter().chain(rest.iter().copied()).collect();
            let deal = cards::BySeat::from_fn(rules.players(), |seat: Seat| {
                all[seat.index() * each..][..each].iter().copied().collect::<CardSet>()
            });
            // For two players the stock is left out: eight tricks of the cards in hand.
            let play = cruce::Play::new(&rules, &deal, &[], declarer);
            let side = rules.side_of(declarer);
            sum += solver.value(&play, side, Aim::Points, Limit::NONE).unwrap_or(0);
        }
        hands.push((hand, f64::from(sum) / DEALS as f64));
    }
    hands
}

/// The best trump of a hand with these weights, and what it promises.
fn best(hand: &CardSet, weights: &[f64; FEATURES]) -> (Suit, f64) {
    let with = |suit: Suit| {
        let promise =
            features(*hand, suit).into_iter().zip(weights).map(|(count, weight)| count * weight);
        (suit, promise.sum::<f64>())
    };
    let held = Suit::ALL.into_iter().filter(|suit| !hand.in_suit(*suit).is_empty()).map(with);
    held.max_by(|one, two| one.1.total_cmp(&two.1)).unwrap_or((Suit::Bell, 0.0))
}

/// Least squares; the trump is chosen with the weights of the previous round.
fn fit(hands: &[(CardSet, f64)]) -> [f64; FEATURES] {
    let mut weights = [0.0; FEATURES];
    (weights[1], weights[3], weights[4], weights[6]) = (10.0, 8.0, 6.0, 40.0);
    for _ in 0..6 {
        let mut rows = [[0.0; FEATURES + 1]; FEATURES];
        for (hand, points) in hands {
            let counts = features(*hand, best(hand, &weights).0);
            for (row, one) in rows.iter_mut().zip(counts) {
                for (cell, two) in row.iter_mut().zip(counts.into_iter().chain([*points])) {
                    *cell += one * two;
                }
            }
        }
        weights = solve(rows);
    }
    weights
}

/// Gaussian elimination; a count that never occurs gets no weight.
fn solve(mut rows: [[f64; FEATURES + 1]; FEATURES]) -> [f64; FEATURES] {
    for at in 0..FEATURES {
        rows[at][at] += 1e-6;
        let pivot = rows[at];
        for (other, row) in rows.iter_mut().enumerate() {
            if other != at {
                let times = row[at] / pivot[at];
                row.iter_mut().zip(pivot).for_each(|(cell, above)| *cell -= times * above);
            }
        }
    }
    core::array::from_fn(|at| rows[at][FEATURES] / rows[at][at])
}
