//! Cruce with two players while the stock lasts: the search compared with brute force,
//! on small hands, and on whole hands up to the end of the stock.

use cards::{BySeat, Card, CardSet, Pack, Seat, Side, Suit};
use game::Rules;
use game::cruce::Play;
use game::deal::RandomStream;
use game::notation::{parse_card, parse_set};
use solver::Limit;
use solver::cruce::{Aim, Solver};

use crate::brute::{two_camps, two_camps_after, with_call};
use crate::camps::AIMS;
use crate::endings::{lots, one_of, part, renamed, rules};
use crate::rounds;

/// A deal of Cruce with two players, of any size.
#[derive(Clone, Debug)]
struct StockDeal {
    code: &'static str,
    hands: [CardSet; 2],
    stock: Vec<Card>,
    leader: Seat,
}

impl StockDeal {
    fn deal(lots: &mut RandomStream, pack: CardSet, cards_each: usize, stock: usize) -> StockDeal {
        let mut pack: Vec<Card> = pack.iter().collect();
        lots.shuffle(&mut pack);
        let (hands, rest) = pack.split_at(2 * cards_each);
        let hand = |at: usize| hands[at * cards_each..][..cards_each].iter().copied().collect();
        StockDeal {
            code: one_of(lots, &["cruce2", "cruce2-nobeat"]),
            hands: [hand(0), hand(1)],
            stock: rest[..stock].to_vec(),
            leader: Seat::new(lots.below(2)).expect("a seat"),
        }
    }

    /// The position; hands of any size are possible.
    fn play(&self) -> Play {
        let Rules::Cruce(rules) = rules(self.code) else { panic!("no Cruce") };
        let hands = BySeat::from_slice(&self.hands).expect("two hands");
        Play::new(&rules, &hands, &self.stock, self.leader)
    }

    fn renamed(&self, names: [Suit; 4]) -> StockDeal {
        let card = |card: &Card| renamed(*card, names);
        StockDeal {
            hands: self.hands.map(|hand| hand.iter().map(|held| card(&held)).collect()),
            stock: self.stock.iter().map(card).collect(),
            ..self.clone()
        }
    }
}

/// Plays this many cards at random.
fn play_random_cards(lots: &mut RandomStream, play: &mut Play, count: usize) {
    for _ in 0..count {
        let legal = play.legal();
        let card = legal.nth(lots.below(legal.len())).expect("a legal card");
        play.play(card, play.may_call(card) && lots.below(2) == 0);
    }
}

/// Brute force while there is a stock, and then the search without one, which has its
/// own tests.
fn up_to_the_end(solver: &mut Solver, play: &Play, side: Side, aim: Aim) -> i32 {
    if play.stock().is_empty() {
        return solver.value(play, side, aim, Limit::NONE).expect("no limit");
    }
    let turn = play.turn().expect("cards are left");
    let after = |card| up_to_the_end(solver, &with_call(play, card), side, aim);
    let values = play.legal().iter().map(after);
    if Side::alone(turn) == side { values.max() } else { values.min() }.expect("a legal card")
}

#[test]
fn small_hands_agree_with_brute_force() {
    let mut lots = lots("small hands with a stock");
    let mut solver = Solver::new();
    for (cards_each, stock, count) in [
        (1, 2, 200),
        (1, 8, 100),
        (2, 2, 1000),
        (2, 4, 1000),
        (2, 6, 150),
        (3, 2, 2000),
        (3, 4, 150),
        (4, 2, 300),
    ] {
        for _ in 0..rounds(count) {
            let needed: usize = 2 * cards_each + stock;
            let suits = one_of(&mut lots, &[2, 3, 4]).max(needed.div_ceil(6));
            let pack = part(&mut lots, Pack::Hungarian, suits);
            let deal = StockDeal::deal(&mut lots, pack, cards_each, stock);
            let mut play = deal.play();
            let before = lots.below(stock);
            play_random_cards(&mut lots, &mut play, before);
            let (side, aim) = (Side::new(lots.below(2)).expect("a side"), one_of(&mut lots, &AIMS));
            check(&mut solver, &play, side, aim);
        }
    }
}

/// Asserts that the solver and brute force agree on this position.
#[track_caller]
fn check(solver: &mut Solver, play: &Play, side: Side, aim: Aim) {
    let text = format!("{play:?} {side:?} {aim:?}");
    let expected = two_camps(play, side, aim);
    assert_eq!(solver.value(play, side, aim, Limit::NONE), Ok(expected), "{text}");
    let values = solver.values(play, side, aim, Limit::NONE).expect("no limit");
    assert!(values.iter().map(|(card, _)| *card).eq(play.legal()), "{text}");
    for (card, value) in values {
        assert_eq!(value, two_camps_after(play, card, side, aim), "{card:?} in {text}");
    }
    for bar in [expected - 20, expected - 1, expected, expected + 1, expected + 2] {
        let reached = solver.reaches(play, side, aim, bar, Limit::NONE);
        assert_eq!(reached, Ok(expected >= bar), "reaches {bar} in {text}");
    }
}

#[test]
fn a_card_in_the_stock_separates_neighbours() {
    // IX and A of acorn are not neighbours while the other player may draw X and IV.
    let set = |text| parse_set(Pack::Hungarian, text).expect("a hand");
    let stock = ["Xb", "Xa", "4a", "3h"].map(|card| parse_card(Pack::Hungarian, card));
    let deal = StockDeal {
        code: "cruce2-nobeat",
        hands: [set("A2b"), set("A9a")],
        stock: stock.map(|card| card.expect("a card")).to_vec(),
        leader: Seat::default(),
    };
    let mut solver = Solver::new();
    let play = deal.play();
    for next in play.legal().iter().map(|card| with_call(&play, card)).chain([play]) {
        for (side, aim) in Side::first(2).flat_map(|side| AIMS.map(|aim| (side, aim))) {
            check(&mut solver, &next, side, aim);
        }
    }
}

#[test]
fn whole_hands_agree_up_to_the_end_of_the_stock() {
    let mut lots = lots("whole hands with a stock");
    let (mut solver, mut naive) = (Solver::new(), Solver::new());
    for (cards_before, count) in [(6, 40), (7, 60), (5, 6), (4, 1)] {
        for _ in 0..rounds(count) {
            let deal = StockDeal::deal(&mut lots, Pack::Hungarian.cards(), 8, 8);
            let mut play = deal.play();
            play_random_cards(&mut lots, &mut play, cards_before);
            let (side, aim) = (Side::new(lots.below(2)).expect("a side"), one_of(&mut lots, &AIMS));
            let values = solver.values(&play, side, aim, Limit::NONE).expect("no limit");
            for (card, value) in values {
                let expected = up_to_the_end(&mut naive, &with_call(&play, card), side, aim);
                assert_eq!(value, expected, "{card:?} in {play:?} {side:?} {aim:?}");
            }
        }
    }
}

#[test]
fn the_results_of_whole_deals_are_consistent() {
    let mut lots = lots("whole deals with a stock");
    let mut old = Solver::new();
    for at in 0..rounds(8) {
        let deal = StockDeal::deal(&mut lots, Pack::Hungarian.cards(), 8, 8);
        let mut play = deal.play();
        let before = [0, 1, 2, 4][at % 4];
        play_random_cards(&mut lots, &mut play, before);
        let aim = AIMS[at % 2];
        let [one, two] = [0, 1].map(|side| Side::new(side).expect("a side"));
        let value = old.value(&play, one, aim, Limit::NONE).expect("no limit");
        assert_eq!(Solver::new().value(&play, one, aim, Limit::NONE), Ok(value), "{play:?}");
        for bar in [value - 1, value, value + 1] {
            let reached = old.reaches(&play, one, aim, bar, Limit::NONE);
            assert_eq!(reached, Ok(value >= bar), "reaches {bar} in {play:?}");
        }
        let values = old.values(&play, one, aim, Limit::NONE).expect("no limit");
        let values = values.iter().map(|(_, value)| *value);
        let ours = play.turn().map(Side::alone) == Some(one);
        assert_eq!(if ours { values.max() } else { values.min() }, Some(value), "{play:?}");
        if aim == Aim::Difference {
            assert_eq!(old.value(&play, two, aim, Limit::NONE), Ok(-value), "{play:?}");
        }
        if before == 0 {
            let mut names = Suit::ALL;
            lots.shuffle(&mut names);
            let other = deal.renamed(names).play();
            assert_eq!(old.value(&other, one, aim, Limit::NONE), Ok(value), "{play:?}");
        }
    }
}
