//! Samples: every deal is equally likely, by the chi-square test. The seeds are fixed, so the result
//! never changes.

use std::collections::BTreeMap;

use bots::beliefs::Beliefs;
use cards::Seat;
use game::View;
use game::deal::RandomStream;

use crate::brute::{Found, Key, key, search};
use crate::moments::{Lot, each_moment, is_uneven, rules};

/// The maximum number of deals played to find suitable views.
const DEALS: usize = 1_000;

/// The deviation of samples from their expected shares, in standard deviations of a chi-square.
fn deviation(view: &View, found: &Found, lot: &mut Lot) -> f64 {
    let beliefs = Beliefs::new(view).expect("a deal is in progress");
    let worlds = found.possible().count();
    let draws = 30 * worlds.max(20);
    let mut hits: BTreeMap<Key, u32> = BTreeMap::new();
    let mut lots = RandomStream::new(lot.seed(), 0);
    for _ in 0..draws {
        let mut world = beliefs.sample(&mut lots);
        assert!(beliefs.ways(&world) > 0, "{view}: {world:?}");
        world.stock.sort();
        *hits.entry(key(&world)).or_default() += 1;
    }
    let all: u128 = found.worlds.values().sum();
    let square = |(key, deals): (&Key, u128)| {
        let expected = draws as f64 * deals as f64 / all as f64;
        let hit = f64::from(hits.get(key).copied().unwrap_or(0));
        (hit - expected).powi(2) / expected
    };
    let sum: f64 = found.possible().map(square).sum();
    let freedom = (worlds - 1) as f64;
    (sum - freedom) / (2.0 * freedom).sqrt()
}

#[test]
fn all_deals_are_equally_likely() {
    let codes = ["cruce4t", "cruce4s-auto", "cruce3", "whist3", "whist4", "whist5", "whist6"];
    for (at, code) in codes.iter().enumerate() {
        check_code(
            code,
            40 + at as u64,
            (10, 8_000),
            |_| true,
            |found| found.possible().count() < found.worlds.len() && found.possible().count() > 3,
        );
    }
}

#[test]
fn in_cruce_for_two_worlds_are_weighted_by_their_deals() {
    let drawing = |view: &View| view.public().round().is_some_and(|round| round.stock() > 0);
    let wanted = |view: &View| drawing(view) && is_uneven(view);
    check_code("cruce2-auto", 99, (6, 100_000), wanted, |_| true);
}

/// Tests the samples of suitable views.
fn check_code(
    code: &str,
    seed: u64,
    (views, most): (usize, u128),
    wanted: impl Fn(&View) -> bool,
    interesting: impl Fn(&Found) -> bool,
) {
    let (mut lot, mut deviations) = (Lot(seed), Vec::new());
    for _ in 0..DEALS {
        if deviations.len() == views {
            break;
        }
        let seat = Seat::new(lot.below(2)).unwrap();
        let mut when = lot.clone();
        let number = if code.starts_with("whist") { 8 + lot.below(4) } else { 0 };
        each_moment(rules(code), number, &mut lot, |moment| {
            let view = moment.view(seat);
            if deviations.len() == views || when.below(4) > 0 || !wanted(&view) {
                return;
            }
            if let Some(found) = search(&view, most).filter(|found| interesting(found)) {
                deviations.push(deviation(&view, &found, &mut when));
            }
        });
    }
    assert_eq!(deviations.len(), views, "{code}: too few views in {DEALS} deals");
    assert!(deviations.iter().all(|deviation| deviation.abs() < 4.0), "{code}: {deviations:?}");
}

/// The order of the stock is drawn evenly too (C13).
#[test]
fn every_order_of_the_stock_is_equally_likely() {
    let view: View = "cruce2 seat=1 hand=AX43b9l9a9h2h bids=1.0".parse().unwrap();
    let beliefs = Beliefs::new(&view).unwrap();
    let mut lots = RandomStream::new(Lot(1).seed(), 0);
    let mut places = BTreeMap::new();
    for _ in 0..16_000 {
        let world = beliefs.sample(&mut lots);
        world.stock.iter().enumerate().for_each(|place| {
            *places.entry((place.0, *place.1)).or_insert(0) += 1;
        });
    }
    assert_eq!(places.len(), 8 * 16);
    assert!(places.values().all(|hits| (850..1150).contains(hits)), "{places:?}");
}
