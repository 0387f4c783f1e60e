//! Records as JSON lines: they are read back unchanged, and errors name the line.
#![allow(missing_docs, reason = "tests name themselves")]

use cards::{BySeat, Seat};
use game::deal::{Dealer, RandomStream, Seed};
use game::fair::{Secret, Word};
use game::record::Record;
use game::{Action, Rules, Table};
use wire::record::{from_lines, looks_like_lines, to_lines};

/// A match of low bids and random cards, played for `steps` steps.
fn recorded(code: &str, steps: usize) -> Record {
    let rules = Rules::from_code(code).expect("a code");
    let secret = Secret::from_phrase(code);
    let table: Word = "kitchen".parse().expect("a word");
    let mut words = BySeat::filled(None, rules.players());
    words[Seat::default()] = Some("banana".parse().expect("a word"));
    let mut record = Record::new(rules, table, secret.commit(&table, &rules), words);
    record.names[1] = Some("Zoe \"Z\" Țap".parse().expect("a name"));
    let dealer = Dealer::new(rules, secret.seed(&table, &rules, &words));
    let mut lots = RandomStream::new(Seed([3; 32]), 9);
    let mut game = Table::new(rules, dealer.first_seat());
    for _ in 0..steps {
        if game.is_over() {
            record.secret = Some(secret);
            break;
        }
        let events = if game.wants_deal() {
            let (number, first) = (game.public().number(), game.public().first());
            game.deal(dealer.deal(number, first).expect("a deal")).expect("a fair deal")
        } else {
            let seats: Vec<Seat> = Seat::first(rules.players()).collect();
            let able = |seat: &&Seat| !game.public().actions(**seat, game.hand(**seat)).is_empty();
            let turn = game.public().turn();
            let seat = turn.unwrap_or_else(|| *seats.iter().find(able).expect("a seat"));
            let actions = game.public().actions(seat, game.hand(seat));
            let at = match actions[0] {
                Action::Bid(_) => 0,
                _ => lots.below(actions.len()),
            };
            game.decide(seat, actions[at]).expect("a listed action")
        };
        for event in &events {
            game.apply(event).expect("a decided event");
            record.record_event(event, game.public()).expect("a recorded event");
        }
    }
    record
}

#[test]
fn a_record_is_written_and_read() {
    for code in ["cruce2", "cruce3", "cruce4t", "contest", "cruce4s-honour", "whist3", "whist6"] {
        for steps in [0, 1, 3, 17, 100_000] {
            let record = recorded(code, steps);
            let lines = to_lines(&record);
            assert!(looks_like_lines(&lines));
            let again = from_lines(&lines).unwrap_or_else(|fault| panic!("{fault}\n{lines}"));
            assert_eq!(again, std::slice::from_ref(&record), "{code}");
            assert!(record.verify().is_ok());
        }
    }
}

#[test]
fn keys_may_have_any_order() {
    let lines = to_lines(&recorded("cruce4t", 9));
    let mut sorted = String::new();
    for line in lines.lines() {
        let value: serde_json::Value = serde_json::from_str(line).expect("JSON");
        // A map of serde_json sorts its keys.
        sorted.push_str(&format!(" {value}\n"));
    }
    assert_ne!(sorted, lines);
    assert_eq!(from_lines(&sorted).expect("a record"), from_lines(&lines).expect("a record"));
}

#[test]
fn several_records_are_read_from_one_text() {
    let both = [recorded("cruce4t", 9), recorded("whist3", 5)];
    let lines: String = both.iter().map(to_lines).collect();
    assert_eq!(from_lines(&lines).expect("two records"), both);
}

#[track_caller]
fn check_fault(lines: &str, expected: &str) {
    let fault = from_lines(lines).expect_err(lines).to_string();
    assert!(fault.starts_with(expected), "{fault}");
}

#[test]
fn faults_name_their_position() {
    let lines = to_lines(&recorded("cruce4t", 9));
    check_fault("", "line 1, column 1: expected the header of a record");
    check_fault("{}", "line 1, column 2: missing field `ghinda_record`");
    check_fault("{\"ghinda_record\":", "line 1, column 17: EOF while parsing a value");
    check_fault(
        &lines.replace(":1,\"rules\"", ":2,\"rules\""),
        "line 1, column 1: expected version 1, found 2",
    );
    check_fault(
        &lines.replace("cruce4t-21", "chess"),
        "line 1, column 1: column 1: \"chess\" is no game",
    );
    check_fault(
        &lines.replace("\"deal\":1", "\"deal\":2"),
        "line 2, column 1: expected deal 1, found deal 2",
    );
    check_fault(&lines.replace("\"first\":", "\"first\":9,\"x\":"), "line 2, column");
    check_fault(
        lines.split_inclusive('\n').next().unwrap_or_default(),
        "line 2, column 1: expected a deal",
    );
    let ended = |end: &str| lines.replace("{\"won\":null}", end);
    check_fault(&ended("{\"won\":[]}"), "line 3, column 1: expected the side that won, or null");
    check_fault(&ended("{\"won\":[9]}"), "line 3, column 1: expected a side from 1 to 2, once");
    check_fault(
        &lines.replace("\"hands\":[\"", "\"hands\":[\"Zb"),
        "line 2, column 1: hands: expected a rank",
    );
    // Nothing panics on a record that is cut off or has a byte changed.
    for at in (0..lines.len()).filter(|at| lines.is_char_boundary(*at)) {
        let _ = from_lines(&lines[..at]);
        let mut changed = lines.clone();
        changed.replace_range(at..at + lines[at..].chars().next().map_or(0, char::len_utf8), "9");
        let _ = from_lines(&changed);
    }
}
