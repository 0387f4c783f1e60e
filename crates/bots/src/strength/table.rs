//! The weights of a hand's counts; printed by the example `fit_strength`.

use super::FEATURES;

/// The weights for this number of players, in teams or alone, for whole hands or for the three cards
/// on which some tables bid (C6).
pub(crate) fn weights(players: usize, teams: bool, three: bool) -> &'static [f64; FEATURES] {
    let game = match (players, teams) {
        (2, _) => 0,
        (3, _) => 1,
        (_, false) => 2,
        (_, true) => 3,
    };
    &TABLE[game][usize::from(three)]
}

/// For two, three and four alone and four in teams; on whole hands and on three cards.
#[allow(clippy::approx_constant, reason = "a weight is not a mathematical constant")]
const TABLE: [[[f64; FEATURES]; 2]; 4] = [
    [
        [-1.14, 4.33, -0.91, 16.48, 12.08, -4.72, 38.85, 2.39, 14.72, 1.22, 7.10, 16.97, 8.11],
        [45.39, -0.92, 0.00, 11.60, 7.89, 0.17, 15.61, 11.58, 9.71, -0.39, 4.24, 0.00, 1.20],
    ],
    [
        [-32.98, 11.73, -1.35, 23.72, 13.14, -3.13, 39.85, 1.34, 19.00, 9.81, 3.02, 9.12, 11.59],
        [37.51, 2.42, 0.00, 15.58, 6.48, 4.75, 14.34, 9.72, 14.91, 0.00, 3.11, 0.00, 1.06],
    ],
    [
        [-30.54, 12.87, 1.55, 25.98, 10.40, 0.34, 36.86, 2.06, 21.57, 10.92, 1.13, 8.30, 8.19],
        [18.38, 4.67, 0.00, 21.25, 6.28, 3.92, 22.31, 7.14, 18.13, 0.00, 1.97, 0.00, 2.07],
    ],
    [
        [53.30, 4.78, 0.24, 19.32, 7.67, -3.90, 35.52, -1.64, 14.79, 2.72, 1.08, 14.58, 4.84],
        [80.16, 4.59, 0.00, 15.50, 4.17, -0.75, 22.75, 4.24, 10.43, 0.00, 0.27, 0.00, -2.51],
    ],
];
