//! Counts of full-size deals, compared with formulas and with a count card by card.

use bots::beliefs::Beliefs;
use cards::{CardSet, Seat};
use game::duty::Ladder;
use game::public::Round;
use game::trick::Lead;
use game::{Rules, View};

use crate::moments::{Lot, each_moment, rules};

fn factorial(n: u32) -> u128 {
    (1..=u128::from(n)).product()
}

fn binomial(n: u32, k: u32) -> u128 {
    (0..u128::from(k)).fold(1, |ways, at| ways * (u128::from(n) - at) / (at + 1))
}

/// The count of the first view of a deal.
fn fresh(code: &str, number: usize) -> u128 {
    let mut count = None;
    each_moment(rules(code), number, &mut Lot(5), |moment| {
        let view = moment.view(Seat::default());
        count.get_or_insert(Beliefs::new(&view).unwrap().count());
    });
    count.expect("a deal has a first moment")
}

#[test]
fn counts_before_the_first_bid() {
    assert_eq!(fresh("cruce4t", 0), 17_153_136);
    assert_eq!(fresh("cruce3", 0), binomial(16, 8));
    assert_eq!(fresh("cruce2", 0), binomial(16, 8) * factorial(8));
    // The viewer does not know the rest of their own hand yet.
    let own_rest = binomial(21, 3);
    assert_eq!(fresh("contest", 0), own_rest * factorial(18) / factorial(6).pow(3));
    assert_eq!(fresh("contest2", 0), factorial(21) / factorial(5) / factorial(8));
    let eights = binomial(40, 8) * binomial(32, 8) * binomial(24, 8) * binomial(16, 8);
    assert_eq!(fresh("whist6-818", 0), eights);
    assert_eq!(eights / 10_u128.pow(22), 765, "7.65e24");
    let sevens = (1..=5).fold(1, |ways, at| ways * binomial(47 - 7 * at, 7));
    assert_eq!(fresh("whist6-818", 6), sevens);
    assert_eq!(fresh("whist6", 0), binomial(46, 5) * factorial(5));
    assert_eq!(fresh("whist6-plain1", 0), binomial(47, 5) * factorial(5));
    assert_eq!(fresh("whist3", 1), 22 * 21);
}

/// Views of Cruce for four that exclude nothing, by the number of cards in each hand.
#[test]
fn counts_in_the_middle_of_cruce_for_four() {
    let mut seen = [0; 7];
    let mut lot = Lot(11);
    while seen[2..].contains(&0) {
        each_moment(rules("cruce4t-nobeat-honour"), 0, &mut lot, |moment| {
            let round = moment.table.public().round();
            let new_trick = round.is_none_or(|round| round.trick().is_empty());
            let nothing_proved = round.is_none_or(|round| {
                round.challenges().is_empty() && round.shown().iter().all(|shown| shown.is_empty())
            });
            let view = moment.view(Seat::default());
            let known = [1, 6, 90, 1_680, 34_650, 756_756, 17_153_136];
            let held = view.hand().len();
            if new_trick && nothing_proved && held > 0 {
                assert_eq!(Beliefs::new(&view).unwrap().count(), known[held], "{view}");
                seen[held] += 1;
            }
        });
    }
}

/// The unseen cards that a seat cannot hold, each tried on the ladder.
fn excluded(view: &View, round: &Round, seat: Seat, unseen: CardSet) -> CardSet {
    let rules = view.public().rules();
    let overtake = matches!(rules, Rules::Cruce(rules) if rules.spec().overtake);
    let mut excluded = CardSet::EMPTY;
    for trick in round.tricks().iter().chain([round.trick()]) {
        let mut lead: Option<Lead> = None;
        for (at, (player, card)) in trick.plays(rules.players()).enumerate() {
            lead = trick.before(at, round.trump(), rules.players()).lead().or(lead);
            for other in unseen.iter().filter(|_| player == seat && at > 0) {
                let hand = CardSet::of(card).with(other);
                if !Ladder::climb(hand, lead, round.trump(), overtake).legal().contains(card) {
                    excluded.insert(other);
                }
            }
        }
    }
    excluded
}

/// A count card by card that keeps only the room left in each hand.
fn count_by_card(view: &View) -> Option<u128> {
    let (public, round) = (view.public(), view.public().round()?);
    let players = public.rules().players();
    let shown = round.shown().iter().fold(CardSet::EMPTY, |all, shown| all | *shown);
    let unseen = public.rules().pack().cards() - public.cards_seen() - view.hand() - shown;
    let mut rooms = Vec::new();
    for seat in Seat::first(players).filter(|seat| view.viewer() != game::Viewer::Seat(*seat)) {
        let played =
            round.tricks().len() + usize::from(round.trick().card_of(seat, players).is_some());
        let room = round.auction().cards_each() - played - round.shown()[seat].len();
        rooms.push((room, excluded(view, round, seat, unseen)));
    }
    let held: usize = rooms.iter().map(|(room, _)| room).sum();
    rooms.push((unseen.len() - held, CardSet::EMPTY));
    let states: usize = rooms.iter().map(|(room, _)| room + 1).product();
    if states > 60_000 {
        return None;
    }
    let mut ways = vec![0_u128; states];
    ways[states - 1] = 1;
    for card in unseen {
        let mut next = vec![0; states];
        for (state, ways) in ways.iter().enumerate().filter(|(_, ways)| **ways > 0) {
            let mut stride = 1;
            for (room, excluded) in &rooms {
                if state / stride % (room + 1) > 0 && !excluded.contains(card) {
                    next[state - stride] += ways;
                }
                stride *= room + 1;
            }
        }
        ways = next;
    }
    Some(ways[0])
}

#[test]
fn counts_in_the_middle_of_large_deals() {
    let whist = [("whist6-818", 0, 60), ("whist6-818", 6, 60), ("whist5-818", 5, 60)];
    let cruce = [("cruce4t", 0, 500), ("cruce3", 0, 500)];
    for (code, number, views) in whist.into_iter().chain(cruce) {
        let (mut lot, mut checked, mut largest) = (Lot(3), 0, 0);
        while checked < views {
            let seat = Seat::new(lot.below(3)).unwrap();
            let mut when = lot.clone();
            each_moment(rules(code), number, &mut lot, |moment| {
                let view = moment.view(seat);
                if checked == views || when.below(4) > 0 {
                    return;
                }
                if let Some(count) = count_by_card(&view) {
                    assert_eq!(Beliefs::new(&view).unwrap().count(), count, "{view}");
                    checked += 1;
                    largest = largest.max(count);
                }
            });
        }
        assert!(largest > 10_000, "{code}: {largest}");
    }
}

#[test]
fn there_are_no_beliefs_without_a_seat_or_a_deal() {
    each_moment(rules("cruce4t"), 0, &mut Lot(1), |moment| {
        assert!(Beliefs::new(&moment.table.view(game::Viewer::Spectator)).is_none());
    });
    let waiting = game::Table::new(rules("whist4"), Seat::default());
    assert!(Beliefs::new(&waiting.view(game::Viewer::Seat(Seat::default()))).is_none());
    // All seats except seat 1 have no heart, but three hearts are missing.
    let made_up: View =
        "cruce4t seat=1 hand=X9h9l9a2a bids=1.0.0.0 play=Ah.9b.2b.3b".parse().unwrap();
    assert!(Beliefs::new(&made_up).is_none());
}
