//! Refusals: a position, an action, and the reason for its refusal.

use cards::Seat;
use game::notation::{parse_card, parse_set, set_text};
use game::{Illegal, Position};

#[track_caller]
fn position(text: &str) -> Position {
    text.parse().unwrap_or_else(|fault| panic!("{text}\n{fault}"))
}

/// Asserts that the seat in turn may play exactly `legal`, and that each of `refused` is
/// refused for the given reason, with exactly the legal cards as the alternatives.
#[track_caller]
fn check(text: &str, legal: &str, refused: &[(&str, &str)]) {
    let position = position(text);
    let pack = position.rules().pack();
    let play = position.play().expect("cards are in play");
    assert_eq!(set_text(pack, play.legal()), legal, "{text}");
    for (card, reason) in refused {
        let card = parse_card(pack, card).expect("a card");
        let illegal = play.refusal(card).expect("the card is refused");
        assert_eq!(illegal.name(), *reason, "{text}: {card:?}");
        let alternatives = match illegal {
            Illegal::MustFollow { have, .. }
            | Illegal::MustTrump { have }
            | Illegal::MustBeat { have, .. } => have,
            _ => continue,
        };
        assert_eq!(alternatives, parse_set(pack, legal).expect("a set"), "{text}: {card:?}");
    }
}

#[test]
fn the_duties_of_cruce_are_enforced() {
    // C8.1: the suit led is followed, and overtaken if possible.
    check(
        "cruce4t lead=1 trump=l trick=4b hands=9b/A2b/3b3l/2lXl",
        "Ab",
        &[("2b", "MustBeat"), ("9h", "NotInHand")],
    );
    check(
        "cruce4t lead=1 trump=l trick=4b hands=9b9a/A2b9l/3b3l9h/2lXlAa",
        "Ab",
        &[("2b", "MustBeat"), ("9l", "MustFollow")],
    );
    check("cruce4t lead=1 trump=l trick=Ab hands=9h/Xb9l/3b3l/2lXl", "Xb", &[("9l", "MustFollow")]);
    // C8.2: void, so a trump, even one that cannot win.
    check("cruce4t lead=1 trump=l trick=4b hands=9b/9l3a/3b3l/2lXl", "9l", &[("3a", "MustTrump")]);
    check("cruce4t lead=4 trump=l trick=4b.Xl hands=9b/9l3a/3b3l/2l", "9l", &[("3a", "MustTrump")]);
    // C8.3: a trumped suit cannot win, so any card of it may follow.
    check("cruce4t lead=1 trump=l trick=4b.3l hands=9b/9h/A2b/42l", "A2b", &[]);
    // A player who must trump must beat the highest trump if they can.
    check("cruce4t lead=1 trump=l trick=4b.3l.2b hands=9b/9h/Ab/42l", "4l", &[("2l", "MustBeat")]);
    check("cruce4t lead=1 trump=l trick=4b.Xl.2b hands=9b/9h/Ab/42l", "42l", &[]);
    // The duty holds against the partner.
    check("cruce4t lead=1 trump=l trick=Xb.9b hands=9h/9a/A2b/42l", "Ab", &[("2b", "MustBeat")]);
    // Neither suit nor trump: anything.
    check("cruce4t lead=1 trump=l trick=Xb hands=9h/A9a/A2b/42l", "A9a", &[]);
    // Trump led: overtake within it.
    check("cruce4t lead=1 trump=b trick=3b hands=9h/A9b/42b/42l", "Ab", &[("9b", "MustBeat")]);
    // Option overtake off.
    check("cruce4t-nobeat lead=1 trump=b trick=3b hands=9h/A9b/42b/42l", "A9b", &[]);
    // C13: no duty while the stock lasts.
    check(
        "cruce2 lead=1 trump=b trick=3b hands=AX429hA9a/AX4bAX4lX4a stock=9b.2b",
        "AX4bAX4lX4a",
        &[],
    );
    check("cruce2 lead=1 trump=b trick=3b hands=9h/A9b", "Ab", &[("9b", "MustBeat")]);
}

#[test]
fn the_duties_of_whist_are_enforced() {
    check("whist3 lead=1 turned=9h trick=Tc hands=9c/AcTh/9s9d", "Ac", &[("Th", "MustFollow")]);
    check("whist3 lead=1 turned=9h trick=Tc hands=9c/AsTh/9s9d", "Th", &[("As", "MustTrump")]);
    check("whist3 lead=1 turned=9h trick=Tc hands=9c/AsTd/9s9d", "AsTd", &[]);
    // No duty to beat, neither in the suit nor with trumps.
    check("whist3 lead=1 turned=9h trick=Tc.Kh hands=9c/As/AhJh", "AJh", &[]);
    check("whist3 lead=1 trick=Tc hands=9c/AcKc/9s9d", "AKc", &[]);
    // No trump: a player who is void may play any card.
    check("whist3 lead=1 trick=Tc hands=9c/AsTh/9s9d", "AsTh", &[]);
}

#[track_caller]
fn bids(text: &str, legal: &[u8], refused: &[(u8, &str)]) {
    let position = position(text);
    assert_eq!(position.legal_bids().iter().collect::<Vec<_>>(), legal, "{text}");
    for (bid, reason) in refused {
        let illegal = position.clone().bid(*bid).expect_err("the bid is refused");
        assert_eq!(illegal.name(), *reason, "{text}: {bid}");
    }
}

#[test]
fn illegal_bids_are_refused() {
    let deal = "hands=AX4329b/AX4329l/AX4329a/AX4329h";
    bids(
        &format!("cruce4t {deal}"),
        &[0, 1, 2, 3, 4, 5, 6],
        &[(7, "BidTooHigh"), (255, "BidTooHigh")],
    );
    bids(
        &format!("cruce4t {deal} bids=0.2"),
        &[0, 3, 4, 5, 6],
        &[(1, "BidTooLow"), (2, "BidTooLow")],
    );
    bids(&format!("cruce4t-b4 {deal} bids=4"), &[0], &[(4, "BidTooLow"), (5, "BidTooHigh")]);
    let deal = "hands=AKc/QJc/T9c turned=As";
    bids(&format!("whist3 {deal}"), &[0, 1, 2], &[(3, "BidTooHigh")]);
    bids(&format!("whist3 {deal} bids=1.0"), &[0, 2], &[(1, "SumForbidden")]);
    bids(&format!("whist3 {deal} bids=2.2"), &[0, 1, 2], &[]);
}

#[test]
fn calls_need_the_pair_and_the_lead() {
    let lead = position("cruce4t lead=1 trump=l hands=43b/9b9l/3l4l/2lXl");
    let pack = lead.rules().pack();
    let card = |text| parse_card(pack, text).expect("a card");
    assert_eq!(lead.refusal(card("4b"), true), None);
    assert_eq!(lead.refusal(card("4b"), false), None);
    let auto = position("cruce4t-auto lead=1 trump=l hands=43b/9b9l/3l4l/2lXl");
    assert_eq!(auto.refusal(card("4b"), false), Some(Illegal::MustCall { card: card("4b") }));
    let mut after = lead.clone();
    after.play_card(card("4b"), true).expect("a call");
    assert_eq!(
        after.clone().play_card(card("9b"), true),
        Err(Illegal::CannotCall { card: card("9b") })
    );
    let seat = Seat::default();
    assert!(matches!(after.stage(), game::position::DealStage::Playing { trick, .. }
        if trick.called() && trick.leader() == seat));
}
