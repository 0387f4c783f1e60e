//! Beliefs and the brute force agree, world by world.

use std::collections::BTreeSet;

use arrayvec::ArrayVec;
use bots::beliefs::{Beliefs, World};
use cards::{BySeat, Card, CardSet, Seat};
use game::public::Round;
use game::trick::Trick;
use game::{Rules, View, Viewer, cruce};

use crate::brute::{Found, Key, key, search};
use crate::moments::{Lot, Moment, each_moment, is_uneven, rules};

fn world(key: &Key) -> World {
    let hands: Vec<CardSet> = key.0.iter().map(|bits| CardSet::from_bits(*bits).unwrap()).collect();
    let stock: ArrayVec<_, 8> = key.1.iter().copied().collect();
    World { hands: BySeat::from_slice(&hands).unwrap(), stock }
}

/// Checks the beliefs of one view.
fn check(view: &View, found: &Found) {
    let beliefs = Beliefs::new(view).expect("a deal is in progress");
    assert_eq!(beliefs.count(), found.deals(), "{view}");
    let possible = found.possible().count() as u128 * found.orders;
    assert_eq!(beliefs.world_count(), possible, "{view}");
    for (key, deals) in &found.worlds {
        assert_eq!(beliefs.ways(&world(key)), *deals, "{view}: {key:?}");
    }
    check_hands(view, &beliefs, found);
    if possible <= 20_000 {
        let listed: BTreeSet<Key> = beliefs.worlds().map(|world| key(&world)).collect();
        assert_eq!(beliefs.worlds().count() as u128, possible, "{view}");
        assert_eq!(listed.len() as u128, possible, "{view}");
        let sorted = listed.iter().filter(|(_, stock)| stock.is_sorted());
        assert!(sorted.eq(found.possible().map(|(key, _)| key)), "{view}");
    }
}

/// Checks what a seat may hold and what it holds, card by card.
fn check_hands(view: &View, beliefs: &Beliefs, found: &Found) {
    for seat in Seat::first(view.public().rules().players()) {
        let hands = found.possible().map(|(key, _)| world(key).hands[seat]);
        let (mut some, mut every) = (CardSet::EMPTY, view.public().rules().pack().cards());
        for hand in hands {
            some |= hand;
            every = every & hand;
        }
        assert_eq!(beliefs.may_hold(seat), some, "{view}: {seat:?}");
        assert_eq!(beliefs.holds(seat), every, "{view}: {seat:?}");
    }
}

/// The maximum number of deals played to find suitable views.
const DEALS: usize = 5_000;

/// The number of views checked, by kind.
#[derive(Default, Debug)]
struct Kinds {
    all: usize,
    /// Some distribution of the cards is excluded.
    excluding: usize,
    /// Some worlds come from more deals than others.
    uneven: usize,
}

/// Plays deals until this number of views were small enough to be searched. At every moment the truth
/// is among the worlds.
fn agree(code: &str, views: usize, most: u128, wanted: impl Fn(&View) -> bool) -> Kinds {
    let rules = rules(code);
    let (mut lot, mut kinds) = (Lot(code.len() as u64), Kinds::default());
    for _ in 0..DEALS {
        if kinds.all == views {
            return kinds;
        }
        let deals = match rules {
            Rules::Cruce(_) => 1,
            Rules::Whist(rules) => rules.deals(),
        };
        let (number, mut when) = (lot.below(deals), Lot(lot.draw()));
        each_moment(rules, number, &mut lot, |moment| {
            let view = moment.view(Seat::new(when.below(rules.players())).unwrap());
            let beliefs = Beliefs::new(&view).expect("a deal is in progress");
            assert!(beliefs.ways(&moment.truth()) > 0, "{view}: {:?}", moment.truth());
            if kinds.all == views || when.below(3) > 0 || !wanted(&view) {
                return;
            }
            if let Some(found) = search(&view, most) {
                check(&view, &found);
                let mut weights = found.possible().map(|(_, deals)| deals);
                let first = weights.next();
                kinds.all += 1;
                kinds.excluding += usize::from(found.possible().count() < found.worlds.len());
                kinds.uneven += usize::from(weights.any(|deals| Some(deals) != first));
            }
        });
    }
    panic!("{code}: only {kinds:?} in {DEALS} deals");
}

#[track_caller]
fn check_rules(codes: &[&str], views: usize, least: usize) {
    for code in codes {
        let kinds = agree(code, views, 24_000, |_| true);
        assert!(kinds.excluding >= least && kinds.uneven == 0, "{code}: {kinds:?}");
    }
}

#[test]
fn beliefs_agree_in_cruce_for_three_and_four() {
    check_rules(&["cruce3", "cruce4t", "cruce4s", "cruce4t-nobeat"], 100, 25);
}

#[test]
fn beliefs_agree_with_automatic_calls() {
    check_rules(&["cruce3-auto", "cruce4s-auto-nobeat"], 100, 25);
}

#[test]
fn beliefs_agree_where_bids_are_made_on_three_cards() {
    check_rules(&["contest", "contest3-auto"], 80, 15);
}

#[test]
fn beliefs_agree_on_honour_tables() {
    check_rules(&["cruce3-honour", "cruce4t-honour", "cruce4s-honour-auto"], 50, 3);
}

#[test]
fn beliefs_agree_in_cruce_for_two() {
    let drawing =
        |view: &View| view.public().round().is_some_and(|round| (2..8).contains(&round.stock()));
    for (code, while_drawing) in [("cruce2", 3), ("contest2", 1), ("cruce2-honour", 1)] {
        let any = agree(code, 6, 24_000, |_| true);
        let drawing = agree(code, while_drawing, 100_000, drawing);
        assert_eq!(any.uneven + drawing.uneven, 0, "{code}");
    }
    agree("cruce2-auto", 10, 24_000, |_| true);
    agree("cruce2-auto-honour", 2, 100_000, drawing);
    agree("cruce2-auto", 8, 100_000, |view| drawing(view) && refuses_now(view));
    agree("cruce2-auto", 8, 24_000, may_have_drawn_a_pair);
    let kinds = agree("cruce2-auto", 20, 100_000, |view| drawing(view) && is_uneven(view));
    assert_eq!(kinds.uneven, 20);
}

/// The cards that pair with what the other player of Cruce for two has led without a call while the
/// stock lasted, each with its trick.
fn uncalled(round: &Round, other: Seat) -> Vec<(usize, Card)> {
    let tricks = round.tricks().iter().chain([round.trick()]).take(4).enumerate();
    let led = tricks.filter(|(_, trick)| trick.leader() == other && !trick.called());
    let pair = |trick: &Trick| cruce::partner_in_pair(trick.card_of(other, 2)?);
    led.filter_map(|(at, trick)| Some((at, pair(trick)?))).collect()
}

/// Whether the trick on the table was led by the other player and might have been called.
fn refuses_now(view: &View) -> bool {
    let Viewer::Seat(own) = view.viewer() else { return false };
    let is_now = |round: &Round| {
        uncalled(round, own.next(2)).iter().any(|(at, _)| *at == round.tricks().len())
    };
    view.public().round().is_some_and(is_now)
}

/// Whether the other player has played both cards of a pair without a call, so that they may have
/// drawn the second one.
fn may_have_drawn_a_pair(view: &View) -> bool {
    let Viewer::Seat(own) = view.viewer() else { return false };
    let other = own.next(2);
    let played = |round: &Round, at: usize, pair: Card| {
        let later = round.tricks().iter().skip(at + 1);
        later.filter_map(|trick| trick.card_of(other, 2)).any(|card| card == pair)
    };
    let drew =
        |round: &Round| uncalled(round, other).iter().any(|(at, pair)| played(round, *at, *pair));
    view.public().round().is_some_and(drew)
}

#[test]
fn beliefs_agree_in_whist() {
    check_rules(&["whist3", "whist4", "whist5", "whist6", "whist4-818-plain1"], 60, 5);
}

/// The same view under other rules, if they can express it.
fn with_rules(view: &View, code: &str) -> Option<View> {
    let text = view.to_string();
    let fields = text.split(' ').skip(1).filter(|field| !field.starts_with("challenges="));
    format!("{code} {}", fields.collect::<Vec<_>>().join(" ")).parse().ok()
}

/// Views that no table produces: plays of an honour table under rules that enforce the duties. Either
/// no deal agrees, or exactly those that the brute force finds.
#[test]
fn beliefs_agree_for_made_up_views() {
    let (three, four) = (("cruce3-honour", "cruce3-auto"), ("cruce4s-honour", "cruce4s"));
    for (played, code) in [three, four, ("cruce2-honour", "cruce2-auto")] {
        let (mut lot, mut believed, mut impossible) = (Lot(3), 0, 0);
        for _ in 0..DEALS {
            if believed > 10 && impossible > 10 {
                break;
            }
            let mut when = Lot(lot.draw());
            each_moment(rules(played), 0, &mut lot, |moment| {
                let view = moment.view(Seat::new(when.below(2)).unwrap());
                let Some(view) = with_rules(&view, code).filter(|_| when.below(5) == 0) else {
                    return;
                };
                match search(&view, 12_000) {
                    Some(found) if found.deals() == 0 => {
                        assert!(Beliefs::new(&view).is_none(), "{view}");
                        impossible += 1;
                    }
                    Some(found) => {
                        check(&view, &found);
                        believed += 1;
                    }
                    None => {}
                }
            });
        }
        assert!(believed > 10 && impossible > 10, "{code}: {believed} and {impossible}");
    }
}

/// A view is updated event by event; it also has beliefs between the events of one action, where no
/// seat acts.
#[test]
fn beliefs_exist_between_the_events_of_an_action() {
    for code in ["cruce2-auto", "contest2", "cruce4t-honour", "contest3", "whist5-818"] {
        each_moment(rules(code), 0, &mut Lot(8), |moment| {
            let Some(seat) = moment.table.public().turn() else { return };
            for action in moment.view(seat).actions() {
                let events = moment.table.decide(seat, action).expect("listed means accepted");
                let mut later = Moment { table: moment.table.clone(), deal: moment.deal.clone() };
                for event in &events {
                    later.table.apply(event).expect("a decided event fits");
                    let dealt = !later.table.wants_deal() && !later.table.is_over();
                    for seat in Seat::first(later.table.rules().players()) {
                        let view = later.view(seat);
                        let beliefs = Beliefs::new(&view);
                        assert_eq!(beliefs.is_some(), dealt, "{view}");
                        let ways = beliefs.map_or(1, |beliefs| beliefs.ways(&later.truth()));
                        assert!(ways > 0, "{view}: {:?}", later.truth());
                    }
                }
            }
        });
    }
}
