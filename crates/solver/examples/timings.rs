//! Times the solver on fixed deals; `cargo xtask bench-solver` drives it.
//!
//! Reads a task from each line of its input and answers at once:
//! `deals` writes the whist deals, one line each: sixteen numbers, the cards of every
//! seat in every suit, bit 2 for a two up to bit 14 for an ace;
//! `whist FROM TO` solves that range of them for the first seat's partnership, which
//! leads without trump, and writes tricks and nanoseconds for each;
//! `value`, `reaches`, `worlds` and `reference` do a fixed amount of work and write
//! `nanoseconds=` for one deal, world or thousand steps of it.

use std::io::{BufRead, Write};
use std::time::Instant;

use cards::{BySeat, Card, CardSet, Pack, Rank, Seat, Side, Suit};
use game::deal::{Dealer, RandomStream, Seed};
use game::{Rules, cruce, whist};
use solver::Limit;
use solver::cruce::Aim;

const DEALS: usize = 1000;
/// The points of a bid of two.
const BAR: i32 = 66;

fn main() -> std::io::Result<()> {
    let whist = whist_deals();
    let cruce = cruce_deals();
    let mut whist_solver = solver::whist::Solver::new();
    let mut cruce_solver = solver::cruce::Solver::new();
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        match *words {
            ["deals"] => {
                for play in &whist {
                    writeln!(out, "{}", deal_text(play))?;
                }
            }
            ["whist", from, to] => {
                let range = from.parse().unwrap_or(0)..to.parse().unwrap_or(0).min(DEALS);
                for play in &whist[range] {
                    let (tricks, time) =
                        timed(|| whist_solver.best_tricks(play, Seat::default(), Limit::NONE));
                    writeln!(out, "{} {time:.0}", tricks.expect("no limit"))?;
                }
            }
            ["value"] => {
                let value = |play: &cruce::Play| {
                    cruce_solver.value(play, side(), Aim::Difference, Limit::NONE)
                };
                write_mean_time(&mut out, &cruce, value)?;
            }
            ["reaches"] => {
                let reaches = |play: &cruce::Play| {
                    cruce_solver.reaches(play, side(), Aim::Points, BAR, Limit::NONE)
                };
                write_mean_time(&mut out, &cruce, reaches)?;
            }
            ["worlds"] => {
                let worlds = worlds(&cruce[0]);
                let values = |play: &cruce::Play| {
                    cruce_solver.values(play, side(), Aim::Difference, Limit::NONE)
                };
                write_mean_time(&mut out, &worlds, values)?;
            }
            ["reference"] => {
                let (sum, time) = timed(reference);
                writeln!(out, "nanoseconds={:.3}", time / f64::from(STEPS / 1000))?;
                std::hint::black_box(sum);
            }
            _ => {
                eprintln!("no such task: {line}");
                std::process::exit(2);
            }
        }
        out.flush()?;
    }
    Ok(())
}

#[allow(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let done = work();
    (done, start.elapsed().as_nanos() as f64)
}

/// Writes the mean time of some work over the positions.
fn write_mean_time<T>(
    out: &mut impl Write,
    plays: &[cruce::Play],
    mut work: impl FnMut(&cruce::Play) -> T,
) -> std::io::Result<()> {
    let ((), time) = timed(|| {
        for play in plays {
            std::hint::black_box(work(play));
        }
    });
    writeln!(out, "nanoseconds={:.1}", time / plays.len() as f64)
}

fn side() -> Side {
    Side::with_opposite(Seat::default())
}

/// Deals of eight cards each from a pack of 32.
fn whist_deals() -> Vec<whist::Play> {
    let mut lots = RandomStream::new(Seed([9; 32]), 0);
    let mut pack: Vec<Card> = Pack::FrenchFrom(Rank::Seven).cards().iter().collect();
    let deal = |_| {
        lots.shuffle(&mut pack);
        let hand = |seat: Seat| pack[seat.index() * 8..][..8].iter().copied().collect::<CardSet>();
        whist::Play::new(&BySeat::from_fn(4, hand), None, Seat::default())
    };
    (0..DEALS).map(deal).collect()
}

fn deal_text(play: &whist::Play) -> String {
    let pack = Pack::FrenchFrom(Rank::Seven).cards();
    let mut line = String::new();
    for seat in Seat::first(4) {
        for suit in Suit::ALL {
            let ranks = pack.in_suit(suit).iter().zip(7..);
            let held = ranks.filter(|(card, _)| play.hand(seat).contains(*card));
            let bits: u32 = held.map(|(_, rank)| 1 << rank).sum();
            line += &format!("{bits} ");
        }
    }
    line
}

/// Deals of Cruce with four players, before the first lead.
fn cruce_deals() -> Vec<cruce::Play> {
    let rules = Rules::from_code("cruce4t").expect("a code");
    let Rules::Cruce(spec) = rules else { return Vec::new() };
    let dealer = Dealer::new(rules, Seed([7; 32]));
    let deal = |number| {
        let deal = dealer.deal(number, Seat::default()).expect("a deal of every number");
        cruce::Play::new(&spec, &deal.hands, &deal.stock, Seat::default())
    };
    (0..DEALS).map(deal).collect()
}

/// All deals, two tricks later, in which the seat on lead has the same hand.
fn worlds(deal: &cruce::Play) -> Vec<cruce::Play> {
    let mut play = *deal;
    for _ in 0..8 {
        let card = play.legal().iter().next().expect("a legal card");
        play.play(card, false);
    }
    let leader = play.turn().expect("cards are left");
    let others: Vec<Seat> = Seat::first(4).filter(|seat| *seat != leader).collect();
    let hidden: CardSet = others.iter().flat_map(|seat| play.hand(*seat).iter()).collect();
    let mut worlds = Vec::new();
    for one in fours(hidden) {
        let rest: CardSet = hidden.iter().filter(|card| !one.contains(*card)).collect();
        for two in fours(rest) {
            let three: CardSet = rest.iter().filter(|card| !two.contains(*card)).collect();
            let hands = BySeat::from_fn(4, |seat: Seat| {
                match others.iter().position(|other| *other == seat) {
                    Some(0) => one,
                    Some(1) => two,
                    Some(_) => three,
                    None => play.hand(leader),
                }
            });
            worlds.push(play.holding(&hands, &[]));
        }
    }
    worlds
}

/// All sets of four of these cards.
fn fours(cards: CardSet) -> Vec<CardSet> {
    let cards: Vec<Card> = cards.iter().collect();
    let sets = (0..1_u32 << cards.len()).filter(|set| set.count_ones() == 4);
    let chosen = |set: u32| {
        let of = cards.iter().enumerate().filter(move |(at, _)| set >> at & 1 == 1);
        of.map(|(_, card)| *card).collect()
    };
    sets.map(chosen).collect()
}

const STEPS: u32 = 10_000_000;

/// Work that never changes: mixes numbers, looks them up in a small table and branches.
fn reference() -> u64 {
    let mut table = [0_u64; 1024];
    let (mut number, mut sum) = (1_u64, 0_u64);
    for _ in 0..STEPS {
        number = number.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        let place = &mut table[(number >> 54) as usize];
        if number >> 33 & 1 == 0 {
            *place ^= number;
        } else {
            sum = sum.wrapping_add(place.rotate_left(7));
        }
    }
    sum
}
