//! Cruce, a side against all others: the search and brute force agree.

use cards::{Rank, Side, Suit};
use game::cruce::Play;
use solver::Limit;
use solver::cruce::{Aim, Solver};

use crate::brute::{sides, two_camps, two_camps_after};
use crate::endings::{Ending, every_deal, lots, of_cruce, one_of, renamed, small_pack};
use crate::rounds;

pub const AIMS: [Aim; 2] = [Aim::Difference, Aim::Points];
/// With and without the duty to overtake (C8).
const CODES: [&str; 8] = [
    "cruce2",
    "cruce2-nobeat",
    "cruce3",
    "cruce3-nobeat",
    "cruce4t",
    "cruce4t-nobeat",
    "cruce4s",
    "cruce4s-nobeat",
];

/// Asserts that the solver and brute force agree on this ending.
#[track_caller]
fn check(solver: &mut Solver, ending: &Ending, side: Side, aim: Aim) {
    let play = ending.cruce();
    let text = || format!("{} {side:?} {aim:?}", ending.text());
    let expected = two_camps(&play, side, aim);
    assert_eq!(solver.value(&play, side, aim, Limit::NONE), Ok(expected), "{}", text());
    let values = solver.values(&play, side, aim, Limit::NONE).expect("no limit");
    let cards = values.iter().map(|(card, _)| *card);
    assert!(cards.eq(play.legal()), "{}", text());
    for (card, value) in values {
        let expected = two_camps_after(&play, card, side, aim);
        assert_eq!(value, expected, "{card:?} in {}", text());
    }
    check_bars(solver, &play, side, aim, expected, &text());
}

/// Asserts that the position reaches its value and no more; a difference changes by two.
fn check_bars(solver: &mut Solver, play: &Play, side: Side, aim: Aim, value: i32, text: &str) {
    for bar in
        [-300, value - 41, value - 3, value - 1, value, value + 1, value + 2, value + 40, 300]
    {
        let reached = solver.reaches(play, side, aim, bar, Limit::NONE);
        assert_eq!(reached, Ok(value >= bar), "reaches {bar} in {text}");
    }
}

#[test]
fn endings_of_all_variants_agree_with_brute_force() {
    let mut lots = lots("endings of cruce");
    // One solver for all of them: its memory must never change a result.
    let mut solver = Solver::new();
    for (cards_each, count) in [(1, 300), (2, 6000), (3, 4000), (4, 500)] {
        for _ in 0..rounds(count) {
            let code = one_of(&mut lots, &CODES);
            let ending = of_cruce(&mut lots, code, cards_each);
            let side = one_of(&mut lots, &sides(&ending.cruce()));
            check(&mut solver, &ending, side, one_of(&mut lots, &AIMS));
        }
    }
}

#[test]
fn every_deal_of_small_packs_agrees_with_brute_force() {
    use Rank::{Ace, Jack, King, Nine, Queen, Zaca};
    let mut solver = Solver::new();
    let mut checked = 0;
    // Each pack holds two pairs, or one pair with cards around it.
    for (ranks, suits, players) in [
        (&[King, Queen, Ace][..], 2, 3),
        (&[Ace, Zaca, King, Queen, Jack, Nine], 1, 3),
        (&[King, Queen, Nine, Zaca], 2, 4),
        (&[King, Queen, Jack, Ace, Zaca, Nine], 2, 2),
    ] {
        let cards_each = ranks.len() * suits / players;
        let deals = every_deal(small_pack(ranks, suits), players, cards_each.min(3));
        // Each deal has another trump, leader and aim: all combinations would be too
        // many.
        for (at, hands) in deals.into_iter().enumerate().step_by(if players == 4 { 2 } else { 1 }) {
            let code = CODES[(players - 2) * 2 + at / 2 % 2];
            let trump = [None, Some(Suit::Bell), Some(Suit::Leaf)][at / 4 % 3];
            let leader = at / 12 % players;
            let sides = if players == 4 { 2 } else { players };
            let (trick, points) = (vec![], vec![0; sides]);
            let ending = Ending { code, hands, trump, leader, trick, points };
            let side = Side::new(at % sides).expect("a side");
            check(&mut solver, &ending, side, AIMS[at / 3 % 2]);
            checked += 1;
        }
    }
    assert!(checked > 2000, "only {checked}");
}

#[test]
fn a_used_solver_gives_the_same_results_as_a_new_one() {
    let mut lots = lots("fresh");
    let mut old = Solver::new();
    for _ in 0..rounds(1500) {
        let code = one_of(&mut lots, &CODES);
        let most = if code.starts_with("cruce4") { 6 } else { 8 };
        let cards_each = 1 + lots.below(most);
        let ending = of_cruce(&mut lots, code, cards_each);
        let play = ending.cruce();
        let side = one_of(&mut lots, &sides(&play));
        let aim = one_of(&mut lots, &AIMS);
        let mut fresh = Solver::new();
        let value = fresh.value(&play, side, aim, Limit::NONE);
        assert_eq!(old.value(&play, side, aim, Limit::NONE), value, "{}", ending.text());
        let values = fresh.values(&play, side, aim, Limit::NONE);
        assert_eq!(old.values(&play, side, aim, Limit::NONE), values, "{}", ending.text());
    }
    assert!(old.nodes() > 0);
}

#[test]
fn the_best_card_has_the_value_of_the_position() {
    let mut lots = lots("best card");
    let mut solver = Solver::new();
    for _ in 0..rounds(150) {
        let code = one_of(&mut lots, &CODES);
        let most = if code.starts_with("cruce4") { 6 } else { 8 };
        let cards_each = most - lots.below(3);
        let ending = of_cruce(&mut lots, code, cards_each);
        let play = ending.cruce();
        let Some(turn) = play.turn() else { continue };
        for side in sides(&play) {
            for aim in AIMS {
                let value = solver.value(&play, side, aim, Limit::NONE).expect("no limit");
                let values = solver.values(&play, side, aim, Limit::NONE).expect("no limit");
                let values = values.iter().map(|(_, value)| *value);
                let ours = crate::brute::side_of(&play, turn) == side;
                let best = if ours { values.max() } else { values.min() };
                assert_eq!(best, Some(value), "{} {side:?} {aim:?}", ending.text());
                check_bars(&mut solver, &play, side, aim, value, &ending.text());
            }
        }
    }
}

#[test]
fn the_values_of_two_camps_add_up_to_zero() {
    let mut lots = lots("zero sum");
    let mut solver = Solver::new();
    for _ in 0..rounds(200) {
        let code = one_of(&mut lots, &["cruce4t", "cruce4t-nobeat", "cruce2"]);
        let cards_each = 2 + lots.below(5);
        let ending = of_cruce(&mut lots, code, cards_each);
        let play = ending.cruce();
        let mut value = |side| solver.value(&play, side, Aim::Difference, Limit::NONE);
        let [one, two] = [0, 1].map(|side| Side::new(side).expect("a side"));
        let (one, two) = (value(one).expect("no limit"), value(two).expect("no limit"));
        assert_eq!(one, -two, "{}", ending.text());
    }
}

#[test]
fn renaming_suits_or_seats_changes_no_value() {
    let mut lots = lots("symmetry of cruce");
    let mut solver = Solver::new();
    for _ in 0..rounds(300) {
        let code = one_of(&mut lots, &CODES);
        let cards_each = 2 + lots.below(if code.starts_with("cruce4") { 5 } else { 7 });
        let ending = of_cruce(&mut lots, code, cards_each);
        let side = one_of(&mut lots, &sides(&ending.cruce()));
        let aim = one_of(&mut lots, &AIMS);
        let mut values = |ending: &Ending, side| {
            solver.values(&ending.cruce(), side, aim, Limit::NONE).expect("no limit")
        };
        let before = values(&ending, side);
        let mut names = Suit::ALL;
        lots.shuffle(&mut names);
        let mut other = values(&ending.renamed(names), side).to_vec();
        let mut same: Vec<_> = before.iter().map(|(card, v)| (renamed(*card, names), *v)).collect();
        other.sort_unstable();
        same.sort_unstable();
        assert_eq!(same, other, "{} as {names:?}", ending.text());
        let next = Side::new((side.index() + 1) % ending.points.len()).expect("a side");
        assert_eq!(values(&ending.turned(), next), before, "{} turned", ending.text());
    }
}
