//! The corpus of solved positions: every card has the value in the file.

use cards::{BySeat, Card, Seat};
use game::Position;
use game::notation::card_text;
use game::position::InPlay;
use solver::cruce::Aim;
use solver::whist::TrickWorth;
use solver::{Limit, cruce, whist};

use crate::brute::side_of;
use crate::endings::position;

/// Both solvers, as the corpus uses them (docs/notation.md, "Solved files").
#[derive(Default)]
struct Solvers {
    cruce: cruce::Solver,
    whist: whist::Solver,
}

impl Solvers {
    /// The value of every card: one number for two camps, one for each side or seat
    /// if every player plays alone.
    fn values(&mut self, position: &Position, each: bool) -> Vec<(Card, Vec<f64>)> {
        let turn = position.turn().expect("cards are left");
        match position.play().expect("in play") {
            InPlay::Cruce(play) if each => {
                let values = self.cruce.points_of_all(play, Limit::NONE).expect("no limit");
                values.iter().map(|(card, points)| (*card, points.as_slice().to_vec())).collect()
            }
            InPlay::Cruce(play) => {
                let side = side_of(play, turn);
                let values = self.cruce.values(play, side, Aim::Difference, Limit::NONE);
                let values = values.expect("no limit").into_iter();
                values.map(|(card, value)| (card, vec![f64::from(value)])).collect()
            }
            InPlay::Whist(play) if each => {
                let players = play.players();
                let bid = |seat: Seat| position.bids()[seat.steps_from(position.first(), players)];
                let worth = TrickWorth::near(&BySeat::from_fn(players, bid));
                let values = self.whist.values(play, &worth, Limit::NONE).expect("no limit");
                let off = |values: &BySeat<f64>| values.iter().map(|value| -value).collect();
                values.iter().map(|(card, values)| (*card, off(values))).collect()
            }
            InPlay::Whist(play) => {
                let tricks = self.whist.tricks(play, turn, Limit::NONE).expect("no limit");
                tricks.iter().map(|(card, tricks)| (*card, vec![f64::from(*tricks)])).collect()
            }
        }
    }
}

#[test]
fn the_corpus_has_the_same_values() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus");
    let (mut solvers, mut solved) = (Solvers::default(), 0);
    for entry in std::fs::read_dir(folder).expect("corpus/") {
        let path = entry.expect("a file").path();
        if path.extension().is_none_or(|ending| ending != "solved") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a text");
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            check(&mut solvers, line);
            solved += 1;
        }
    }
    assert!(solved >= 100, "only {solved} positions in the corpus");
}

#[track_caller]
fn check(solvers: &mut Solvers, line: &str) {
    let (place, written) = line.split_once(" ; ").expect("POSITION ; CARD value ; …");
    let position = position(place);
    assert_eq!(position.to_string(), place, "positions are printed as they are written");
    let values = solvers.values(&position, written.contains('/'));
    let written: Vec<(&str, &str)> =
        written.split(" ; ").map(|card| card.split_once(' ').expect("CARD value")).collect();
    assert_eq!(written.len(), values.len(), "{place}");
    for ((name, numbers), (card, found)) in written.into_iter().zip(values) {
        assert_eq!(name, card_text(position.rules().pack(), card), "{place}");
        let numbers: Vec<f64> =
            numbers.split('/').map(|number| number.parse().expect("a number")).collect();
        // The file has four digits after the point.
        let same = numbers.iter().zip(&found).all(|(one, two)| (one - two).abs() < 6e-5);
        assert!(same && numbers.len() == found.len(), "{name} {found:?} in {line}");
    }
}
