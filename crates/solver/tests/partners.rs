//! The search for partners and brute force agree.

use cards::{BySeat, CardSet, Pack, Rank, Seat, Suit};
use game::deal::{RandomStream, Seed};
use game::whist::Play;
use solver::Limit;
use solver::whist::Solver;

/// The final tricks of the seat's partnership, by brute force with pruning.
fn naive(play: &Play, seat: Seat, low: u8, high: u8) -> u8 {
    let ours = |other: Seat| other.index() % 2 == seat.index() % 2;
    let has: u8 = Seat::first(4).filter(|other| ours(*other)).map(|other| play.taken(other)).sum();
    let Some(turn) = play.turn() else { return has };
    let (mut low, mut high) = (low, high);
    let mut best = if ours(turn) { 0 } else { u8::MAX };
    for card in play.legal().iter() {
        let mut next = *play;
        next.play(card);
        let value = naive(&next, seat, low, high);
        if ours(turn) {
            best = best.max(value);
            low = low.max(best);
        } else {
            best = best.min(value);
            high = high.min(best);
        }
        if low >= high {
            break;
        }
    }
    best
}

struct Deals {
    lots: RandomStream,
    pack: Vec<cards::Card>,
}

impl Deals {
    fn new(seed: u8, lowest: Rank) -> Deals {
        let pack = Pack::FrenchFrom(lowest).cards().iter().collect();
        Deals { lots: RandomStream::new(Seed([seed; 32]), 0), pack }
    }

    fn deal(&mut self, cards_each: usize, trump: Option<Suit>, laid: usize) -> Play {
        self.lots.shuffle(&mut self.pack);
        let hand = |seat: Seat| self.pack[seat.index() * cards_each..][..cards_each].iter();
        let hands = BySeat::from_fn(4, |seat: Seat| hand(seat).copied().collect::<CardSet>());
        let first = Seat::first(4).nth(self.pack[31].index() % 4).unwrap_or_default();
        let mut play = Play::new(&hands, trump, first);
        for at in 0..laid {
            let legal = play.legal();
            let card = legal.nth(self.pack[30 - at].index() % legal.len());
            play.play(card.expect("a legal card"));
        }
        play
    }
}

fn check(solver: &mut Solver, play: &Play) {
    for seat in Seat::first(4).take(2) {
        let best = solver.best_tricks(play, seat, Limit::NONE).expect("no limit");
        assert_eq!(best, naive(play, seat, 0, 99), "for {seat:?}: {play:?}");
        let tricks = solver.tricks(play, seat, Limit::NONE).expect("no limit");
        assert!(tricks.iter().map(|(card, _)| *card).eq(play.legal().iter()), "{play:?}");
        for (card, value) in tricks {
            let mut next = *play;
            next.play(card);
            assert_eq!(value, naive(&next, seat, 0, 99), "{card:?} for {seat:?}: {play:?}");
        }
    }
}

fn trumps(at: usize) -> Option<Suit> {
    [None, Some(Suit::ALL[0]), None, Some(Suit::ALL[2])][at % 4]
}

#[test]
fn small_deals_agree_with_brute_force() {
    let mut solver = Solver::new();
    for (lowest, seed) in [(Rank::Seven, 1), (Rank::Three, 2)] {
        let mut deals = Deals::new(seed, lowest);
        for (cards_each, count) in [(1, 200), (2, 1000), (3, 1000), (4, 250)] {
            for at in 0..count {
                check(&mut solver, &deals.deal(cards_each, trumps(at), 0));
            }
        }
    }
}

#[test]
fn positions_in_the_middle_of_a_trick_agree_with_brute_force() {
    let mut solver = Solver::new();
    let mut deals = Deals::new(3, Rank::Seven);
    for at in 0..1500 {
        check(&mut solver, &deals.deal(2 + at % 4, trumps(at), 1 + at % 7));
    }
}

#[test]
fn larger_deals_agree_with_brute_force() {
    let mut solver = Solver::new();
    let mut deals = Deals::new(4, Rank::Seven);
    for at in 0..3000 {
        let play = deals.deal(5 + at / 2950, trumps(at), 0);
        let seat = Seat::default();
        let best = solver.best_tricks(&play, seat, Limit::NONE).expect("no limit");
        assert_eq!(best, naive(&play, seat, 0, 99), "{play:?}");
    }
}

#[test]
fn partnerships_share_all_tricks() {
    let mut solver = Solver::new();
    let mut deals = Deals::new(5, Rank::Seven);
    for at in 0..200 {
        let play = deals.deal(8, trumps(at), at % 5);
        let of = |solver: &mut Solver, seat| solver.best_tricks(&play, seat, Limit::NONE);
        let mut seats = Seat::first(4);
        let (one, two) = (seats.next().unwrap_or_default(), seats.next().unwrap_or_default());
        let both = of(&mut solver, one).and_then(|ours| Ok(ours + of(&mut solver, two)?));
        assert_eq!(both, Ok(8), "{play:?}");
    }
}

#[test]
fn a_search_that_reaches_its_limit_returns_an_error() {
    let mut solver = Solver::new();
    let play = Deals::new(6, Rank::Seven).deal(8, None, 0);
    assert!(solver.best_tricks(&play, Seat::default(), Limit::nodes(3)).is_err());
    assert!(solver.tricks(&play, Seat::default(), Limit::nodes(3)).is_err());
    assert!(solver.best_tricks(&play, Seat::default(), Limit::NONE).is_ok());
}
