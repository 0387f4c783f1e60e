//! A search returns the exact result or the error that it was stopped.

use std::cell::Cell;

use cards::{Seat, Side};
use game::position::InPlay;
use solver::{Limit, Stopped, cruce, whist};

use crate::endings::{lots, of_cruce, of_whist, one_of, position};
use crate::rounds;
use crate::whist::some_worth;

/// Searches with limits from 0 to more than enough, and with stops after some calls;
/// asserts that every result is exact or an error. Returns how often each happened.
fn under_limits<T: PartialEq + core::fmt::Debug>(
    text: &str,
    mut search: impl FnMut(Limit<'_>) -> Result<T, Stopped>,
) -> [usize; 2] {
    let exact = search(Limit::NONE).expect("no limit");
    let mut counts = [0; 2];
    let fine = 0..40;
    let wide = (6..20).map(|power| 1 << power);
    for nodes in fine.chain(wide) {
        match search(Limit::nodes(nodes)) {
            Ok(answer) => {
                assert_eq!(answer, exact, "{nodes} nodes: {text}");
                counts[0] += 1;
            }
            Err(Stopped) => counts[1] += 1,
        }
        let calls = Cell::new(0);
        let stop = || {
            calls.set(calls.get() + 1);
            calls.get() > nodes
        };
        match search(Limit { nodes: u64::MAX, stop: &stop }) {
            Ok(answer) => assert_eq!(answer, exact, "stopped later than {nodes}: {text}"),
            Err(Stopped) => assert!(calls.get() > nodes, "stopped too early: {text}"),
        }
    }
    assert_eq!(search(Limit::NONE), Ok(exact), "after the limits: {text}");
    counts
}

fn add(sums: &mut [usize; 2], counts: [usize; 2]) {
    sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
}

#[test]
fn cruce_is_exact_or_stopped() {
    let mut lots = lots("limits of cruce");
    let mut solver = cruce::Solver::new();
    let mut counts = [0; 2];
    for at in 0..rounds(12) {
        let code = one_of(&mut lots, &["cruce2", "cruce3", "cruce4t", "cruce4s-nobeat"]);
        let cards_each = 4 + lots.below(3);
        let ending = of_cruce(&mut lots, code, cards_each);
        let (play, text) = (ending.cruce(), ending.text());
        let side = Side::default();
        let aim = [cruce::Aim::Difference, cruce::Aim::Points][at % 2];
        add(&mut counts, under_limits(&text, |limit| solver.value(&play, side, aim, limit)));
        add(&mut counts, under_limits(&text, |limit| solver.values(&play, side, aim, limit)));
        let reaches = |limit: Limit<'_>| solver.reaches(&play, side, aim, 40, limit);
        add(&mut counts, under_limits(&text, reaches));
    }
    assert!(counts.iter().all(|count| *count > 100), "{counts:?}");
}

#[test]
fn lone_players_and_a_stock_are_exact_or_stopped() {
    let mut lots = lots("limits of lone players");
    let mut solver = cruce::Solver::new();
    let mut counts = [0; 2];
    for _ in 0..rounds(4) {
        let code = one_of(&mut lots, &["cruce3", "cruce4s-nobeat"]);
        let ending = of_cruce(&mut lots, code, 4);
        let (play, text) = (ending.cruce(), ending.text());
        add(&mut counts, under_limits(&text, |limit| solver.points_of_all(&play, limit)));
    }
    let deal = "cruce2 hands=AX4b32lX9a4h/39bA4l2aA32h stock=9l.2b trump=b lead=2 points=40/11";
    let Some(InPlay::Cruce(play)) = position(deal).play().copied() else { panic!("no Cruce") };
    let (side, aim) = (Side::default(), cruce::Aim::Difference);
    add(&mut counts, under_limits(deal, |limit| solver.value(&play, side, aim, limit)));
    add(&mut counts, under_limits(deal, |limit| solver.values(&play, side, aim, limit)));
    assert!(counts.iter().all(|count| *count > 50), "{counts:?}");
}

#[test]
fn whist_is_exact_or_stopped() {
    let mut lots = lots("limits of whist");
    let mut solver = whist::Solver::new();
    let mut counts = [0; 2];
    for _ in 0..rounds(6) {
        let code = one_of(&mut lots, &["whist3", "whist4", "whist5", "whist6"]);
        let ending = of_whist(&mut lots, code, 3);
        let (play, text, worth) = (ending.whist(), ending.text(), some_worth(&mut lots));
        add(&mut counts, under_limits(&text, |limit| solver.values(&play, &worth, limit)));
        let ending = of_whist(&mut lots, "whist4", 6);
        let (play, text) = (ending.whist(), ending.text());
        let seat = Seat::default();
        add(&mut counts, under_limits(&text, |limit| solver.tricks(&play, seat, limit)));
        add(&mut counts, under_limits(&text, |limit| solver.best_tricks(&play, seat, limit)));
    }
    assert!(counts.iter().all(|count| *count > 50), "{counts:?}");
}

#[test]
fn a_search_calls_the_stop_function() {
    let mut lots = lots("stop");
    let mut solver = cruce::Solver::new();
    let (mut stopped, stop) = (0, || true);
    for _ in 0..20 {
        let play = of_cruce(&mut lots, "cruce3", 8).cruce();
        let limit = Limit { nodes: u64::MAX, stop: &stop };
        let before = solver.nodes();
        if solver.value(&play, Side::default(), cruce::Aim::Points, limit) == Err(Stopped) {
            stopped += 1;
        }
        assert!(solver.nodes() - before <= 2048, "the stop function is called regularly");
    }
    assert!(stopped > 0);
}
