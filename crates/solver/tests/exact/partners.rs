//! Whist with two partnerships: the search and brute force agree.

use cards::{Rank, Seat, Suit};
use solver::Limit;
use solver::whist::Solver;

use crate::brute::partners;
use crate::endings::{Ending, every_deal, lots, of_whist, renamed, small_pack};
use crate::rounds;

#[track_caller]
fn check(solver: &mut Solver, ending: &Ending, seat: Seat) {
    let play = ending.whist();
    let expected = partners(&play, seat);
    let text = ending.text();
    assert_eq!(solver.best_tricks(&play, seat, Limit::NONE), Ok(expected), "{text} {seat:?}");
    let tricks = solver.tricks(&play, seat, Limit::NONE).expect("no limit");
    assert_eq!(tricks.len(), play.legal().len(), "{text}");
    for (card, tricks) in tricks {
        let mut next = play;
        next.play(card);
        assert_eq!(tricks, partners(&next, seat), "{card:?} in {text} {seat:?}");
    }
}

#[test]
fn endings_agree_with_brute_force() {
    let mut lots = lots("partners");
    let mut solver = Solver::new();
    for (cards_each, count) in [(1, 200), (2, 4000), (3, 3000), (4, 300)] {
        for _ in 0..rounds(count) {
            let ending = of_whist(&mut lots, "whist4", cards_each);
            let seat = Seat::new(lots.below(4)).expect("a seat");
            check(&mut solver, &ending, seat);
        }
    }
}

#[test]
fn every_deal_of_a_small_pack_agrees_with_brute_force() {
    use Rank::{Ace, Jack, King, Queen};
    let mut solver = Solver::new();
    let deals = every_deal(small_pack(&[Ace, King, Queen, Jack], 2), 4, 2);
    assert_eq!(deals.len(), 2520);
    for (at, hands) in deals.into_iter().enumerate() {
        let trump = [None, Some(Suit::Bell), Some(Suit::Leaf), Some(Suit::Heart)][at % 4];
        let (trick, points) = (vec![], vec![0; 4]);
        let ending = Ending { code: "whist4", hands, trump, leader: at / 4 % 4, trick, points };
        check(&mut solver, &ending, Seat::new(at % 3).expect("a seat"));
    }
}

#[test]
fn tricks_add_up_and_renaming_suits_or_seats_changes_no_value() {
    let mut lots = lots("whole deals of partners");
    let mut solver = Solver::new();
    for _ in 0..rounds(60) {
        let cards_each = 5 + lots.below(3);
        let ending = of_whist(&mut lots, "whist4", cards_each);
        let [one, two] = [0, 1].map(|seat| Seat::new(seat).expect("a seat"));
        let mut tricks = |ending: &Ending, seat| {
            solver.tricks(&ending.whist(), seat, Limit::NONE).expect("no limit")
        };
        let (ours, theirs) = (tricks(&ending, one), tricks(&ending, two));
        let taken: u8 = ending.points.iter().sum();
        for ((card, ours), (_, theirs)) in ours.iter().zip(&theirs) {
            let all = cards_each as u8 + taken;
            assert_eq!(ours + theirs, all, "{card:?} in {}", ending.text());
        }
        assert_eq!(tricks(&ending.turned(), two), ours, "{} turned", ending.text());
        let mut names = Suit::ALL;
        lots.shuffle(&mut names);
        let mut renamed: Vec<_> =
            ours.iter().map(|(card, n)| (renamed(*card, names), *n)).collect();
        renamed.sort_unstable();
        let mut other = tricks(&ending.renamed(names), one).to_vec();
        other.sort_unstable();
        assert_eq!(other, renamed, "{} as {names:?}", ending.text());
    }
}

#[test]
fn only_four_players_have_partners() {
    let mut lots = lots("no partners");
    let mut solver = Solver::new();
    let play = of_whist(&mut lots, "whist5", 3).whist();
    let seat = Seat::default();
    assert!(solver.tricks(&play, seat, Limit::NONE).expect("no limit").is_empty());
}
