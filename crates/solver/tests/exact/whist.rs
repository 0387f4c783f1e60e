//! Whist, every player alone: the search and brute force agree.

use cards::{BySeat, Rank, Seat, Suit};
use solver::Limit;
use solver::whist::{Solver, TrickWorth};

use crate::brute::Alone;
use crate::endings::{Ending, every_deal, lots, of_whist, one_of, renamed, small_pack};
use crate::rounds;
use game::deal::RandomStream;

const CODES: [&str; 4] = ["whist3", "whist4", "whist5", "whist6"];

/// A random worth of tricks: near to bids, as scored, or arbitrary.
pub fn some_worth(lots: &mut RandomStream) -> TrickWorth {
    let bids = BySeat::from_fn(6, |_: Seat| lots.below(9) as u8);
    let near = TrickWorth::near(&bids);
    match lots.below(4) {
        0 => TrickWorth(near.0.map(|row| row.map(|_| lots.below(4) as f64))),
        // As the deal is scored (W6).
        1 => {
            let score = |seat: Seat, tricks: usize| match bids[seat] as usize {
                bid if bid == tricks => 5.0 + bid as f64,
                bid => -(bid.abs_diff(tricks) as f64),
            };
            let seat = |at: usize| Seat::new(at).expect("a seat");
            TrickWorth(core::array::from_fn(|at| core::array::from_fn(|n| score(seat(at), n))))
        }
        _ => near,
    }
}

/// Asserts that the solver and brute force agree on this ending.
#[track_caller]
fn check(solver: &mut Solver, ending: &Ending, worth: &TrickWorth) {
    let play = ending.whist();
    let values = solver.values(&play, worth, Limit::NONE).expect("no limit");
    assert!(values.iter().map(|(card, _)| *card).eq(play.legal()), "{}", ending.text());
    let mut brute = Alone::default();
    for (card, values) in values {
        let mut next = play;
        next.play(card);
        let expected = brute.whist(&next, worth);
        let same = values.iter().zip(&expected).all(|(one, two)| (one - two).abs() < 1e-6);
        let text = ending.text();
        assert!(
            same && values.len() == expected.len(),
            "{card:?} in {text} with {worth:?}: {values:?}, not {expected:?}"
        );
    }
}

#[test]
fn small_deals_and_endings_agree_with_brute_force() {
    let mut lots = lots("endings of whist");
    let mut solver = Solver::new();
    let sizes = [(1, 200, 6), (2, 2500, 6), (3, 1000, 6), (4, 300, 4), (4, 12, 6), (5, 40, 3)];
    for (cards_each, count, most_players) in sizes {
        for _ in 0..rounds(count) {
            let code = one_of(&mut lots, &CODES[..most_players - 2]);
            let ending = of_whist(&mut lots, code, cards_each);
            check(&mut solver, &ending, &some_worth(&mut lots));
        }
    }
}

#[test]
fn every_deal_of_small_packs_agrees_with_brute_force() {
    use Rank::{Ace, Jack, King, Nine, Queen, Ten};
    let mut solver = Solver::new();
    let mut lots = lots("small packs");
    let mut checked = 0;
    for (ranks, suits, players) in [
        (&[Ace, King, Queen][..], 2, 3),
        (&[Ace, King, Queen, Jack, Ten, Nine], 1, 3),
        (&[Ace, King, Queen, Jack], 2, 4),
    ] {
        for (at, hands) in every_deal(small_pack(ranks, suits), players, 2).into_iter().enumerate()
        {
            let code = CODES[players - 3];
            let trump = [None, Some(Suit::Bell), Some(Suit::Leaf), Some(Suit::Heart)][at % 4];
            let (trick, points) = (vec![], vec![0; players]);
            let ending = Ending { code, hands, trump, leader: at / 4 % players, trick, points };
            let bids = BySeat::from_fn(players, |_: Seat| lots.below(3) as u8);
            check(&mut solver, &ending, &TrickWorth::near(&bids));
            checked += 1;
        }
    }
    assert!(checked > 2600, "only {checked}");
}

#[test]
fn a_used_solver_gives_the_same_results_as_a_new_one() {
    let mut lots = lots("fresh whist");
    let mut old = Solver::new();
    for _ in 0..rounds(12) {
        let code = one_of(&mut lots, &CODES);
        for _ in 0..25 {
            let cards_each = 1 + lots.below(3);
            let ending = of_whist(&mut lots, code, cards_each);
            let worth = some_worth(&mut lots);
            old.values(&ending.whist(), &worth, Limit::NONE).expect("no limit");
        }
        let cards_each = 3 + lots.below(2);
        let ending = of_whist(&mut lots, code, cards_each);
        let (play, worth) = (ending.whist(), some_worth(&mut lots));
        let fresh = Solver::new().values(&play, &worth, Limit::NONE);
        assert_eq!(old.values(&play, &worth, Limit::NONE), fresh, "{}", ending.text());
    }
}

#[test]
fn renaming_suits_or_seats_changes_no_value() {
    let mut lots = lots("symmetry of whist");
    let mut solver = Solver::new();
    for _ in 0..rounds(150) {
        let code = one_of(&mut lots, &CODES);
        let cards_each = 2 + lots.below(3);
        let ending = of_whist(&mut lots, code, cards_each);
        let worth = some_worth(&mut lots);
        let mut values = |ending: &Ending, worth: &TrickWorth| {
            solver.values(&ending.whist(), worth, Limit::NONE).expect("no limit")
        };
        let before = values(&ending, &worth);
        let mut names = Suit::ALL;
        lots.shuffle(&mut names);
        let other = values(&ending.renamed(names), &worth);
        for (card, values) in &before {
            let (_, same) =
                other.iter().find(|(other, _)| *other == renamed(*card, names)).expect("the card");
            let near = values.iter().zip(same.iter()).all(|(one, two)| (one - two).abs() < 1e-6);
            assert!(near, "{} as {names:?}", ending.text());
        }
        let players = ending.hands.len();
        let mut turned_worth = worth;
        turned_worth.0[..players].rotate_right(1);
        let turned = values(&ending.turned(), &turned_worth);
        for ((card, values), (same_card, turned)) in before.iter().zip(&turned) {
            let seat = |at: usize| Seat::new(at % players).expect("a seat");
            let near = |at: usize| (values[seat(at)] - turned[seat(at + 1)]).abs() < 1e-6;
            assert!(card == same_card && (0..players).all(near), "{} turned", ending.text());
        }
    }
}
