//! The bot protocol: its messages are made from views and read back, and invalid input is refused.
#![allow(missing_docs, reason = "tests name themselves")]

use cards::{CardSet, Seat};
use game::deal::{Dealer, RandomStream, Seed};
use game::notation::{action_text, parse_action};
use game::{Action, Rules, Table, View, Viewer};
use serde_json::Value;
use wire::bot::{Act, BotMessage, ErrorMessage, HostMessage, MAX_BYTES, MessageError, ThinkTime};

const CODES: [&str; 9] = [
    "cruce2-honour",
    "cruce3-auto",
    "cruce4t",
    "cruce4t-honour",
    "contest",
    "whist3",
    "whist4-818",
    "whist5-plain1",
    "whist6",
];

/// The views of all seats that may act, in some deals of random play.
fn views(code: &str) -> Vec<(Seat, View)> {
    let rules = Rules::from_code(code).expect("a code");
    let dealer = Dealer::new(rules, Seed([5; 32]));
    let mut lots = RandomStream::new(Seed([5; 32]), 99);
    let mut table = Table::new(rules, dealer.first_seat());
    let mut seen = Vec::new();
    while !table.is_over() && table.public().number() < 16 {
        let events = if table.wants_deal() {
            let (number, first) = (table.public().number(), table.public().first());
            table.deal(dealer.deal(number, first).expect("a deal")).expect("a fair deal")
        } else {
            let able: Vec<(Seat, View)> = Seat::first(rules.players())
                .map(|seat| (seat, table.view(Viewer::Seat(seat))))
                .filter(|(_, view)| !view.actions().is_empty())
                .collect();
            seen.extend(able.iter().cloned());
            // Mostly the seat in turn acts; sometimes any seat that can, which may challenge.
            let turn = table.public().turn().filter(|_| lots.below(9) > 0);
            let in_turn = able.iter().find(|(seat, _)| Some(*seat) == turn);
            let (seat, view) = in_turn.unwrap_or_else(|| &able[lots.below(able.len())]);
            let actions = view.actions();
            table.decide(*seat, actions[lots.below(actions.len())]).expect("a legal action")
        };
        events.iter().for_each(|event| table.apply(event).expect("it follows"));
    }
    assert!(seen.len() > 100, "{code}");
    seen
}

fn question(view: &View) -> Act {
    let clock = ThinkTime { move_ms: Some(2000), nodes: Some(1) };
    Act::new(u64::MAX, view, clock, Seed([255; 32])).expect("a seat")
}

#[test]
fn every_legal_action_is_listed_and_read_back() {
    for code in CODES {
        for (seat, view) in views(code) {
            let rules = view.public().rules();
            let act = question(&view);
            let read: Vec<Action> = act
                .legal
                .iter()
                .map(|text| parse_action(rules, seat, text).expect("an action"))
                .collect();
            assert_eq!(read, view.actions(), "{view}");
            let texts: Vec<String> =
                read.iter().map(|action| action_text(rules, seat, *action)).collect();
            assert_eq!(texts, act.legal);
            let is_challenge = |text: &String| text.starts_with('?');
            let other_actions = !act.legal.iter().all(is_challenge);
            assert_eq!(!act.lawful.is_empty(), rules.honour() && other_actions);
            assert!(
                act.lawful.iter().all(|text| act.legal.contains(text) && !text.starts_with('?'))
            );
        }
    }
}

#[test]
fn a_question_contains_the_view_and_no_hidden_card() {
    for code in CODES {
        for (seat, view) in views(code) {
            let line = HostMessage::Act(Box::new(question(&view))).line();
            assert!(
                line.len() <= MAX_BYTES && line.ends_with('\n') && !line.trim_end().contains('\n')
            );
            let message: Value = serde_json::from_str(&line).expect("JSON");
            let again: View = message["view"].as_str().expect("a text").parse().expect("a view");
            assert_eq!(again.actions(), view.actions(), "{view}");
            let state = &message["state"];
            assert_eq!(state["seat"], seat.number());
            // The state has only cards that lie open, were shown, or are in the viewer's hand.
            let pack = view.public().rules().pack();
            let shown = view.public().round().map(|round| *round.shown()).unwrap_or_default();
            let shown = shown.iter().fold(CardSet::EMPTY, |all, some| all | *some);
            let known = view.hand() | view.public().cards_seen() | shown;
            for card in (pack.cards() - known).iter() {
                let name = format!("\"{}\"", game::notation::card_text(pack, card));
                assert!(!state.to_string().contains(&name), "{name} in {state}");
            }
            let hand = state["hand"].as_array().expect("a hand").len();
            assert_eq!(hand, view.hand().len());
        }
    }
}

#[test]
fn texts_that_are_not_actions_are_refused() {
    let rules = Rules::from_code("cruce4t-honour").expect("a code");
    let seat = Seat::new(1).expect("seat 2");
    assert_eq!(
        parse_action(&rules, seat, "?2:1:3"),
        Ok(Action::Challenge { trick: 0, accused: Seat::new(2).expect("seat 3") })
    );
    for text in [
        "", " ", "OK", "ok2", "-1", "02", "100", "4b!!", "!", "4b ", "Zb", "4c", "?", "?1:1:3",
        "?2:0:3", "?2:1:0", "?2:1:5", "?2:1:3:1", "?2:1", "4b.5b", "ț", "?ț", "4ț!",
    ] {
        let read = parse_action(&rules, seat, text);
        assert!(read.is_err(), "{text:?} was read as {read:?}");
    }
    let long = "x".repeat(100_000);
    let error = parse_action(&rules, seat, &long).expect_err("no action").to_string();
    assert!(error.len() < 400, "{error}");
}

#[test]
fn messages_are_read_back() {
    let (_, view) = views("cruce4t").swap_remove(50);
    let mut act = question(&view);
    let sent = HostMessage::Act(Box::new(act.clone()));
    act.state = None;
    assert_eq!(HostMessage::read(&sent.line()), Ok(HostMessage::Act(Box::new(act))));
    assert_eq!(HostMessage::read("{\"type\":\"bye\",\"so\":\"long\"}"), Ok(HostMessage::Bye));
    for message in [
        BotMessage::Action { id: 3, action: "4b!".into() },
        BotMessage::Error(ErrorMessage::about(3, "no \"idea\"\n")),
        BotMessage::Error(ErrorMessage::new("")),
    ] {
        assert_eq!(BotMessage::read(&message.line()), Ok(message));
    }
}

#[test]
fn each_kind_of_invalid_message_has_its_own_error() {
    use MessageError::{NoMessage, OtherVersion, TooLong, UnknownType, Wrong};
    let read = |line: &str| BotMessage::read(line).expect_err("no message");
    assert!(matches!(read(""), NoMessage(_)));
    assert!(matches!(read("{\"type\":null}"), NoMessage(_)));
    assert!(matches!(read("{\"type\":\"hello\",\"ghinda\":2}"), OtherVersion { found: 2, .. }));
    assert!(matches!(read("{\"type\":\"hello\",\"ghinda\":1}"), Wrong { .. }));
    assert!(
        matches!(read("{\"type\":\"act\",\"id\":1}"), UnknownType { .. }),
        "only a host sends it"
    );
    assert!(matches!(read("{\"type\":\"action\",\"id\":1.5,\"action\":\"0\"}"), Wrong { .. }));
    assert!(matches!(read(&" ".repeat(MAX_BYTES + 1)), TooLong { .. }));
    let long = format!("{{\"type\":\"{}\"}}", "x".repeat(5_000));
    assert!(read(&long).to_string().len() < 400);
}

/// Reading a message that is cut off, or has a byte changed, does not panic.
#[test]
fn damaged_messages_cause_no_panic() {
    let (_, view) = views("cruce2-honour").swap_remove(40);
    let line = HostMessage::Act(Box::new(question(&view))).line();
    for at in 0..line.len() {
        for with in ["", "\"", "9", "{", "\u{0}", "ț"] {
            let damaged = format!("{}{with}{}", &line[..at], &line[at + 1..]);
            if let Ok(HostMessage::Act(act)) = HostMessage::read(&damaged) {
                let _ = act.view.parse::<View>();
            }
        }
        let _ = HostMessage::read(&line[..at]);
    }
}
