//! Cruce, every player alone: the search and brute force agree.

use cards::{Card, Side, Suit};
use game::cruce::Play;
use solver::Limit;
use solver::cruce::{Aim, Solver};

use crate::brute::{Alone, side_of, sides, with_call};
use crate::endings::{Ending, lots, of_cruce, one_of, renamed};
use crate::rounds;

/// Lone players first; teams and two players are possible as well.
const CODES: [&str; 6] =
    ["cruce3", "cruce3-nobeat", "cruce4s", "cruce4s-nobeat", "cruce4t", "cruce2"];

fn values(solver: &mut Solver, play: &Play) -> Vec<(Card, Vec<f64>)> {
    let values = solver.points_of_all(play, Limit::NONE).expect("no limit");
    values.iter().map(|(card, points)| (*card, points.as_slice().to_vec())).collect()
}

fn near(one: &[f64], two: &[f64]) -> bool {
    one.len() == two.len() && one.iter().zip(two).all(|(one, two)| (one - two).abs() < 1e-6)
}

#[test]
fn endings_agree_with_brute_force() {
    let mut lots = lots("lone players");
    let mut solver = Solver::new();
    for (cards_each, count) in [(1, 300), (2, 4000), (3, 3000), (4, 400), (5, 24)] {
        for _ in 0..rounds(count) {
            let code = one_of(&mut lots, &CODES[..if cards_each > 4 { 2 } else { CODES.len() }]);
            let ending = of_cruce(&mut lots, code, cards_each);
            let play = ending.cruce();
            let values = values(&mut solver, &play);
            assert!(values.iter().map(|(card, _)| *card).eq(play.legal()), "{}", ending.text());
            let mut brute = Alone::default();
            for (card, points) in values {
                let expected = brute.cruce(&with_call(&play, card));
                let text = ending.text();
                assert!(
                    near(&points, &expected),
                    "{card:?} in {text}: {points:?}, not {expected:?}"
                );
            }
        }
    }
}

#[test]
fn the_points_of_all_sides_add_up() {
    let mut lots = lots("lone players share");
    let mut solver = Solver::new();
    for _ in 0..rounds(6) {
        let code = one_of(&mut lots, &["cruce3", "cruce4s"]);
        let ending = of_cruce(&mut lots, code, if code == "cruce3" { 7 } else { 5 });
        let play = ending.cruce();
        for (card, points) in values(&mut solver, &play) {
            let all: f64 = points.iter().sum();
            let so_far: u32 = sides(&play).iter().map(|side| u32::from(play.points(*side))).sum();
            let held = ending.hands.iter().flat_map(|hand| hand.iter());
            let left: u32 = held.map(|card| u32::from(game::cruce::worth(card))).sum();
            let cards = f64::from(so_far + left + u32::from(play.on_table()));
            assert!((cards..=cards + 100.0).contains(&(all + 1e-6)), "{card:?} {}", ending.text());
        }
    }
}

#[test]
fn two_sides_get_the_values_of_two_camps() {
    let mut lots = lots("two sides");
    let mut solver = Solver::new();
    for _ in 0..rounds(150) {
        let code = one_of(&mut lots, &["cruce4t", "cruce4t-nobeat", "cruce2"]);
        let cards_each = 2 + lots.below(4);
        let ending = of_cruce(&mut lots, code, cards_each);
        let play = ending.cruce();
        let side = Side::default();
        let camps = solver.values(&play, side, Aim::Difference, Limit::NONE).expect("no limit");
        for ((card, points), (_, value)) in values(&mut solver, &play).iter().zip(camps) {
            let apart = points[0] - points[1] - f64::from(value);
            assert!(apart.abs() < 1e-6, "{card:?} in {}", ending.text());
        }
        assert_eq!(side_of(&play, play.turn().expect("a turn")).index() / 2, 0);
    }
}

#[test]
fn renaming_suits_or_seats_changes_no_value() {
    let mut lots = lots("symmetry of lone players");
    let mut solver = Solver::new();
    for _ in 0..rounds(150) {
        let code = one_of(&mut lots, &CODES[..4]);
        let cards_each = 2 + lots.below(3);
        let ending = of_cruce(&mut lots, code, cards_each);
        let mut of = |ending: &Ending| values(&mut solver, &ending.cruce());
        let before = of(&ending);
        let mut names = Suit::ALL;
        lots.shuffle(&mut names);
        let other = of(&ending.renamed(names));
        for (card, points) in &before {
            let same = other.iter().find(|(other, _)| *other == renamed(*card, names));
            let (_, same) = same.expect("the card");
            assert!(near(points, same), "{} as {names:?}", ending.text());
        }
        for ((card, points), (same, turned)) in before.iter().zip(of(&ending.turned())) {
            let mut points = points.clone();
            points.rotate_right(1);
            assert!(*card == same && near(&points, &turned), "{} turned", ending.text());
        }
    }
}
