//! Statistics of counts: how far they are from what a fair shuffle leads to.
//!
//! Cells of one pack depend on each other: a card that lies here does not lie there. So every
//! statistic is scaled by the exact covariance of its counts, and then obeys the chi-square law.

use super::tally::Grid;

/// Cells that expect fewer are put together. The five of the textbooks are for p-values of a
/// hundredth; here a millionth counts, and few draws have longer tails than the chi-square law.
const LEAST_EXPECTED: f64 = 50.0;

/// A statistic and its degrees of freedom.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Fit {
    pub(super) statistic: f64,
    pub(super) freedom: usize,
}

impl std::iter::Sum for Fit {
    fn sum<I: Iterator<Item = Fit>>(fits: I) -> Fit {
        fits.fold(Fit::default(), |sum, fit| Fit {
            statistic: sum.statistic + fit.statistic,
            freedom: sum.freedom + fit.freedom,
        })
    }
}

/// Independent draws against a law: Pearson's test.
pub(super) fn law(counts: &[u64], shares: &[f64]) -> Fit {
    let draws = counts.iter().sum::<u64>() as f64;
    let mut cells: Vec<(f64, f64)> = Vec::new();
    let mut rare = (0.0, 0.0);
    for (count, share) in counts.iter().zip(shares) {
        let (count, expected) = (*count as f64, share * draws);
        if expected >= LEAST_EXPECTED {
            cells.push((count, expected));
        } else {
            rare = (rare.0 + count, rare.1 + expected);
        }
    }
    if rare.1 >= LEAST_EXPECTED {
        cells.push(rare);
    } else if let Some(last) = cells.last_mut() {
        *last = (last.0 + rare.0, last.1 + rare.1);
    }
    let statistic = cells.iter().map(|(count, expected)| (count - expected).powi(2) / expected);
    Fit { statistic: statistic.sum(), freedom: cells.len().saturating_sub(1) }
}

/// Independent draws in which all values are equally likely.
pub(super) fn uniform(counts: &[u64]) -> Fit {
    let expected = counts.iter().sum::<u64>() as f64 / counts.len() as f64;
    if expected == 0.0 {
        return Fit::default();
    }
    let squares: f64 = counts.iter().map(|count| (*count as f64 - expected).powi(2)).sum();
    Fit { statistic: squares / expected, freedom: counts.len() - 1 }
}

/// Each row holds independent draws in which all columns are equally likely.
pub(super) fn uniform_rows(grid: &Grid) -> Fit {
    grid.rows().map(uniform).sum()
}

/// Cards by places, of which each holds `sizes` cards in every deal. The counts of a uniform
/// permutation matrix vary less than those of independent draws by the factor (n - 1) / n.
pub(super) fn places(grid: &Grid, sizes: &[usize], deals: u64) -> Fit {
    let cards: usize = sizes.iter().sum();
    let mut statistic = 0.0;
    for row in grid.rows() {
        for (count, size) in row.iter().zip(sizes).filter(|(_, size)| **size > 0) {
            let expected = deals as f64 * *size as f64 / cards as f64;
            statistic += (*count as f64 - expected).powi(2) / expected;
        }
    }
    let filled = sizes.iter().filter(|size| **size > 0).count();
    let scale = (cards - 1) as f64 / cards as f64;
    Fit { statistic: statistic * scale, freedom: (cards - 1) * (filled - 1) }
}

/// Ordered pairs of neighbours in packs that are laid in a ring, so that every card has a next one:
/// the matrix of a uniform cyclic permutation. A card cannot be both before and after another, so
/// the sum of both counts of a pair and their difference have different variances.
pub(super) fn ring(grid: &Grid, cards: usize, deals: u64) -> Fit {
    let (n, deals) = (cards as f64, deals as f64);
    let (together, order) = (deals / (n - 1.0), deals * n / ((n - 1.0) * (n - 2.0)));
    let expected = deals / (n - 1.0);
    let mut statistic = 0.0;
    for one in 0..cards {
        for other in 0..one {
            let (there, back) = (grid.at(one, other) as f64, grid.at(other, one) as f64);
            let (sum, difference) = (there + back - 2.0 * expected, there - back);
            statistic += sum * sum / 2.0 / together + difference * difference / 2.0 / order;
        }
    }
    Fit { statistic, freedom: cards * cards - 3 * cards + 1 }
}

/// The bits of values that are all equally likely: as many ones as zeros.
pub(super) fn monobit(ones: u64, bits: u64) -> Fit {
    uniform(&[ones, bits - ones])
}

/// Each of the bits by itself: set in half of the values.
pub(super) fn bit_positions(set: &[u64], values: u64) -> Fit {
    set.iter().map(|ones| monobit(*ones, values)).sum()
}

#[cfg(test)]
mod tests {
    use game::deal::{RandomStream, Seed};

    use super::*;

    /// The mean of a chi-square statistic is its degrees of freedom and its variance twice that. A
    /// wrong scale or a wrong count of the degrees shows here.
    #[test]
    fn statistics_of_fair_packs_have_the_right_mean_and_variance() {
        let (rounds, deals, cards) = (400, 60, 9);
        let mut stream = RandomStream::new(Seed([3; 32]), 0);
        let mut fits: [Vec<Fit>; 3] = Default::default();
        for _ in 0..rounds {
            let [mut positions, mut seats, mut pairs] =
                [cards, 3, cards].map(|width| Grid::new(cards, width));
            for _ in 0..deals {
                let mut pack: Vec<usize> = (0..cards).collect();
                stream.shuffle(&mut pack);
                for (position, card) in pack.iter().enumerate() {
                    positions.add(*card, position);
                    seats.add(*card, [0usize, 0, 0, 0, 1, 1, 2, 2, 2][position]);
                    pairs.add(*card, pack[(position + 1) % cards]);
                }
            }
            fits[0].push(places(&positions, &[1; 9], deals));
            fits[1].push(places(&seats, &[4, 2, 3], deals));
            fits[2].push(ring(&pairs, cards, deals));
        }
        for (fits, freedom) in fits.iter().zip([64, 16, 55]) {
            let values = || fits.iter().map(|fit| fit.statistic);
            let mean = values().sum::<f64>() / rounds as f64;
            let variance =
                values().map(|value| (value - mean).powi(2)).sum::<f64>() / rounds as f64;
            assert!(fits.iter().all(|fit| fit.freedom == freedom));
            let error = (2.0 * freedom as f64 / rounds as f64).sqrt();
            assert!((mean - freedom as f64).abs() < 4.0 * error, "{mean} is not {freedom}");
            assert!((0.7..1.3).contains(&(variance / (2.0 * freedom as f64))), "{variance}");
        }
    }

    #[test]
    fn rare_cells_are_put_together() {
        let shares = [0.5, 0.4, 0.06, 0.03, 0.01];
        // The last two expect 40 of a thousand draws: too few for a cell of their own, even together.
        let fit = law(&[500, 400, 60, 25, 15], &shares);
        assert!(fit.statistic < 1e-9 && fit.freedom == 2, "{fit:?}");
        // Of two thousand draws they expect 80, which makes a cell.
        assert_eq!(law(&[1000, 800, 120, 50, 30], &shares).freedom, 3);
        assert_eq!(law(&[], &[]).freedom, 0);
        let known = uniform(&[60, 40]);
        assert!((known.statistic - 4.0).abs() < 1e-12 && known.freedom == 1);
    }

    #[test]
    fn a_ring_that_only_goes_upwards_is_found() {
        let mut grid = Grid::new(24, 24);
        for deal in 0..500usize {
            for card in 0..24usize {
                let next = (card + if deal % 10 == 0 { 1 } else { 5 }) % 24;
                grid.add(card, next);
            }
        }
        let fit = ring(&grid, 24, 500);
        assert!(fit.statistic > 10.0 * fit.freedom as f64);
    }
}
