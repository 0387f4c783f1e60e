//! The exact laws that a fair shuffle obeys: what share of all orders of a pack has this many fixed
//! points, runs or cycles, and what share of all hands has this many cards of each suit.

use game::Rules;

/// A hand holds at most eight cards, so the length of a suit is one of nine numbers.
const LENGTHS: usize = 9;

/// How many numbers a [`shape`] can be: the fourth length follows from the others.
pub(super) const SHAPES: usize = LENGTHS * LENGTHS * LENGTHS;

/// The share of orders of `cards` cards in which this many lie where they lay before the shuffle.
pub(super) fn fixed_points(cards: usize) -> Vec<f64> {
    let inverse_factorials: Vec<f64> = (0..=cards).map(inverse_factorial).collect();
    let share = |fixed: usize| {
        // The others are a derangement.
        let signs = [1.0, -1.0].into_iter().cycle();
        let deranged = inverse_factorials[..=cards - fixed].iter().zip(signs);
        inverse_factorials[fixed] * deranged.map(|(term, sign)| term * sign).sum::<f64>()
    };
    (0..=cards).map(share).collect()
}

/// The share of orders with this many ascending runs: Eulerian numbers. Rising sequences obey the same
/// law, as they are the runs of the inverse order.
pub(super) fn ascending_runs(cards: usize) -> Vec<f64> {
    grown(cards, |size, runs, shares| {
        // The largest card goes to the end of one of the runs, or splits one.
        let splits = (size + 1).saturating_sub(runs) as f64;
        (runs as f64 * shares[runs] + splits * shares[runs - 1]) / size as f64
    })
}

/// The share of orders with this many cycles: Stirling numbers of the first kind.
pub(super) fn cycles(cards: usize) -> Vec<f64> {
    grown(cards, |size, cycles, shares| {
        // The largest card stands in one of the cycles, behind any card, or alone.
        ((size - 1) as f64 * shares[cycles] + shares[cycles - 1]) / size as f64
    })
}

/// Grows a law from one card to `cards`, card by card. Index 0 stays empty.
fn grown(cards: usize, step: impl Fn(usize, usize, &[f64]) -> f64) -> Vec<f64> {
    let mut shares = vec![0.0; cards + 1];
    shares[1] = 1.0;
    for size in 2..=cards {
        let next: Vec<f64> = (1..=cards).map(|count| step(size, count, &shares)).collect();
        shares[1..].copy_from_slice(&next);
    }
    shares
}

/// The share of orders whose longest ascending run has this many cards.
pub(super) fn longest_run(cards: usize) -> Vec<f64> {
    let up_to: Vec<f64> = (0..=cards).map(|longest| no_run_above(cards, longest)).collect();
    let below = std::iter::once(0.0).chain(up_to.iter().copied());
    up_to.iter().zip(below).map(|(share, below)| (share - below).max(0.0)).collect()
}

/// The share of orders without a run of more than `longest` cards. With m = `longest` + 1 it is the
/// coefficient of x^cards in 1 / (1 - x + x^m/m! - x^(m+1)/(m+1)! + x^2m/(2m)! - …).
fn no_run_above(cards: usize, longest: usize) -> f64 {
    let period = longest + 1;
    let divisor = |power: usize| match power % period {
        0 => inverse_factorial(power),
        1 => -inverse_factorial(power),
        _ => 0.0,
    };
    if longest == 0 {
        return 0.0;
    }
    let mut coefficients = vec![1.0];
    for size in 1..=cards {
        let sum: f64 = (1..=size).map(|power| divisor(power) * coefficients[size - power]).sum();
        coefficients.push(-sum);
    }
    coefficients[cards]
}

/// The share of hands of `held` cards with each [`shape`]: the hypergeometric law for four suits.
pub(super) fn shapes(rules: &Rules, held: usize) -> Vec<f64> {
    let cards = rules.pack().cards();
    let suits = cards::Suit::ALL.map(|suit| cards.in_suit(suit).len());
    let all = choose(cards.len(), held);
    let mut shares = vec![0.0; SHAPES];
    for (index, share) in shares.iter_mut().enumerate() {
        let lengths = [index % LENGTHS, index / LENGTHS % LENGTHS, index / LENGTHS / LENGTHS];
        let Some(last) = held.checked_sub(lengths.iter().sum()) else { continue };
        let lengths = lengths.into_iter().chain([last]);
        let ways = suits.into_iter().zip(lengths).map(|(suit, length)| choose(suit, length));
        *share = ways.product::<f64>() / all;
    }
    shares
}

/// The number of a hand's shape: how many cards it has of each suit.
pub(super) fn shape(hand: cards::CardSet) -> usize {
    let [first, second, third, _] = cards::Suit::ALL.map(|suit| hand.in_suit(suit).len());
    first + LENGTHS * (second + LENGTHS * third)
}

fn inverse_factorial(number: usize) -> f64 {
    (1..=number).map(|factor| 1.0 / factor as f64).product()
}

fn choose(from: usize, how_many: usize) -> f64 {
    if how_many > from {
        return 0.0;
    }
    (0..how_many).map(|step| (from - step) as f64 / (how_many - step) as f64).product()
}

#[cfg(test)]
mod tests {
    use super::super::order::Order;
    use super::*;

    /// All orders of a few things.
    fn orders(things: u8) -> Vec<Vec<u8>> {
        let Some(last) = things.checked_sub(1) else { return vec![Vec::new()] };
        let longer = orders(last).into_iter().flat_map(|order| {
            (0..things as usize).map(move |place| {
                let mut order = order.clone();
                order.insert(place, last);
                order
            })
        });
        longer.collect()
    }

    #[track_caller]
    fn same(law: &[f64], counted: &[usize], all: usize) {
        for (number, share) in law.iter().enumerate() {
            let found = counted[number] as f64 / all as f64;
            assert!((share - found).abs() < 1e-12, "{number}: {share} is not {found}");
        }
    }

    #[test]
    fn laws_match_the_count_of_all_orders() {
        for cards in 2..=7 {
            let orders = orders(cards as u8);
            let count = |measure: fn(&Order) -> usize| {
                let mut counts = vec![0; cards + 1];
                orders.iter().for_each(|order| counts[measure(&Order::new(order))] += 1);
                counts
            };
            let all = orders.len();
            same(&fixed_points(cards), &count(Order::fixed_points), all);
            same(&ascending_runs(cards), &count(Order::ascending_runs), all);
            same(&ascending_runs(cards), &count(Order::rising_sequences), all);
            same(&longest_run(cards), &count(Order::longest_run), all);
            same(&cycles(cards), &count(Order::cycles), all);
            let first = count(Order::first_cycle);
            assert!(first[1..].iter().all(|count| *count == all / cards), "{first:?}");
        }
    }

    #[test]
    fn every_law_of_every_pack_adds_up_to_one() {
        let whole = |law: &[f64]| assert!((law.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{law:?}");
        for cards in [24, 32, 40, 48] {
            let laws =
                [fixed_points(cards), ascending_runs(cards), longest_run(cards), cycles(cards)];
            laws.iter().for_each(|law| whole(law));
        }
        for code in ["cruce4t", "whist3", "whist6"] {
            let rules = Rules::from_code(code).expect("rules");
            (1..=8).for_each(|held| whole(&shapes(&rules, held)));
        }
        // Known: a hand of eight from 24 with all six of one suit and two others.
        let rules = Rules::from_code("cruce3").expect("rules");
        let share = shapes(&rules, 8)[6 + LENGTHS * 2];
        assert!((share - 15.0 / 735_471.0).abs() < 1e-12, "{share}");
    }
}
