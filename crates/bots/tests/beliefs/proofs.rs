//! What each kind of fact proves, one case per line.

use bots::beliefs::Beliefs;
use cards::{Card, CardSet, Pack, Seat};
use game::View;

/// Cards as views write them: ranks, then their suit.
fn cards(pack: Pack, text: &str) -> CardSet {
    let (mut cards, mut ranks) = (CardSet::EMPTY, Vec::new());
    for letter in text.chars() {
        match pack.suit_of(letter) {
            Some(suit) => cards |= ranks.drain(..).map(|rank| Card::new(rank, suit)).collect(),
            None => ranks.push(pack.rank_of(letter).expect("a rank or a suit")),
        }
    }
    cards
}

/// Checks the unseen cards that a seat cannot hold, and those that it certainly holds.
#[track_caller]
fn check(view: &str, seat: usize, cannot: &str, holds: &str) {
    let view: View = view.parse().unwrap_or_else(|fault| panic!("{view}: {fault}"));
    let pack = view.public().rules().pack();
    let beliefs = Beliefs::new(&view).expect("it can have happened");
    let seat = Seat::new(seat - 1).unwrap();
    let unseen = pack.cards() - view.public().cards_seen() - view.hand();
    assert_eq!(unseen - beliefs.may_hold(seat), cards(pack, cannot), "{view}");
    assert_eq!(beliefs.holds(seat), cards(pack, holds), "{view}");
}

#[test]
fn a_seat_that_does_not_follow_has_none_of_the_suit() {
    check("cruce4t seat=1 hand=X4b9a9l9h bids=1.0.0.0 play=Ab.9b.2b.3l", 4, "3b", "");
    check("cruce4t seat=1 hand=X4b9a9l9h bids=1.0.0.0 play=Ab.9b.2b.3l", 3, "", "");
    check("whist4 deal=5 seat=1 hand=9d turned=As bids=0.0.0.0 play=Kd.7d.8c.Ad", 2, "", "");
}

#[test]
fn a_seat_that_does_not_trump_has_no_trump() {
    let view = "cruce4t seat=1 hand=4l9h2h3h bids=1.0.0.0 play=Ab.9b.2b.3b.Al.9a.2l.3l";
    check(view, 2, "X4bX9l", "");
    let view = "whist4 deal=5 seat=1 hand=9d turned=As bids=0.0.0.0 play=Kd.7d.8c.Ad";
    check(view, 3, "QJT8dKQJT987s", "");
    // Eight cards are played without trump (W3): all diamonds left are with seat 3.
    let view = "whist3-818 seat=1 hand=AKQJT9s9c bids=0.0.0 play=9d.9h.Ad";
    check(view, 2, "KQJTd", "");
    check(view, 3, "", "KQJTd");
}

#[test]
fn a_seat_that_does_not_overtake_cannot_overtake() {
    let play = "hand=9l9h2h3h bids=1.0.0.0 play=Ab.9b.2b.3b.9a.4a.3a.Aa";
    check(&format!("cruce4t seat=1 {play}"), 3, "Xa", "");
    check(&format!("cruce4t-nobeat seat=1 {play}"), 3, "", "");
}

#[test]
fn a_seat_that_follows_a_trumped_suit_has_no_further_duty() {
    let view = "cruce4t seat=1 hand=9l9h2h3h bids=1.0.0.0 play=Ab.9b.2b.3b.9a.Xb.2a.3a";
    check(view, 2, "AX4a", "");
    check(view, 3, "", "");
}

#[test]
fn a_seat_that_trumps_too_low_has_no_higher_trump() {
    let view = "cruce4t seat=1 hand=9a2a3a4a bids=1.0.0.0 play=Ab.2b.4b.9h.Al.3b.9b.Xl";
    check(view, 3, "Xb9234l", "");
    check(view, 2, "9234l", "Xb");
}

#[test]
fn a_call_shows_its_pair_and_an_automatic_call_not_made_excludes_it() {
    let view = |rules: &str, lead: &str| {
        format!("{rules} seat=1 first=2 hand=A9lA9aA9h bids=1.0.0.0 play={lead}")
    };
    check(&view("cruce4t-auto", "4b!"), 2, "", "3b");
    check(&view("cruce4t-auto", "4b"), 2, "3b", "");
    check(&view("cruce4t-auto-honour", "4b"), 2, "3b", "");
    check(&view("cruce4t", "4b"), 2, "", "");
    check(&view("cruce4t-auto", "Xb"), 2, "", "");
}

#[test]
fn on_honour_tables_a_wrong_challenge_is_a_proof() {
    let play = "hand=9l9h2h3h bids=1.0.0.0 play=Ab.9b.2b.3b.9a.4a.3a.Aa";
    check(&format!("cruce4t-honour seat=1 {play}"), 3, "", "");
    check(&format!("cruce4t-honour seat=1 {play} challenges=4:2:3"), 3, "Xa", "");
    check(&format!("cruce4t-honour seat=1 {play} challenges=3:2:2"), 3, "", "");
}

#[test]
fn in_cruce_for_two_an_excluded_card_may_be_drawn_later() {
    let view = |play: &str| format!("cruce2-auto seat=1 first=2 {play}");
    check(&view("hand=A92lA92aA9h bids=1.0 play=4b"), 2, "3b", "");
    check(&view("hand=A92lA92aAh2b bids=1.0 play=4b.9h drawn=2b"), 2, "", "");
    // There are no duties while there is a stock: 9h on 4b proves nothing about seat 2.
    check(&view("hand=A92lA92aAh2b bids=0.1 play=9h.4b drawn=2b"), 2, "", "");
}

#[test]
fn a_card_that_no_hand_can_hold_is_in_the_stock() {
    let view: View =
        "cruce2-auto seat=1 first=2 hand=A92lA92aA9h bids=1.0 play=4b".parse().unwrap();
    let beliefs = Beliefs::new(&view).unwrap();
    let three = cards(Pack::Hungarian, "3b").lowest().unwrap();
    assert!(beliefs.worlds().take(50_000).all(|world| world.stock.contains(&three)));
}
