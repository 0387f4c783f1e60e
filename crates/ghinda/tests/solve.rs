//! `ghinda solve`: its texts, its JSON and its refusals.
#![allow(missing_docs, reason = "tests name themselves")]

mod binary;

use std::path::{Path, PathBuf};
use std::process::Command;

use binary::ghinda;
use serde_json::Value;
use test_support::process::run_with_input;

const ENDING: &str = "cruce4t hands=A3bXl/Xb9l4a/49bAl/2lX3a trump=b lead=1";
const LONE: &str = "cruce4s hands=A3bXl/Xb9l4a/49bAl/2lX3a trump=b lead=1";
const STOCK: &str =
    "cruce2 hands=AX4b32lX9a4h/39bA4l2aA32h stock=9l.2b trump=b lead=2 points=40/11";
const WHIST: &str = "whist4 hands=AQc/KJc/Ad9h/Kd8h trump=s lead=1";

#[track_caller]
fn output_of(args: &[&str]) -> String {
    let output = ghinda(&[&["solve"], args].concat());
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{args:?}: {error}");
    assert!(error.is_empty(), "the progress bar is hidden without a terminal: {error}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[track_caller]
fn object(args: &[&str]) -> Value {
    serde_json::from_str(&output_of(&[args, &["--json"]].concat())).expect("one object")
}

/// The value of each card.
fn values(object: &Value) -> Vec<(String, Value)> {
    let cards = object["cards"].as_array().expect("cards").iter();
    let name = |card: &Value| card["card"].as_str().expect("a card").to_owned();
    cards.map(|card| (name(card), card["value"].clone())).collect()
}

#[track_caller]
fn refused(args: &[&str], sentence: &str) {
    let output = ghinda(&[&["solve"], args].concat());
    let error = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(2), "{args:?}: {error}");
    assert!(error.contains(sentence), "{args:?}: {error}");
}

fn file(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("a file");
    path
}

#[test]
fn every_card_has_its_value_and_the_best_line_is_played() {
    let text = output_of(&[ENDING]);
    for line in [
        "seat 1 to play: the points of side 1 less those of the other",
        "3b    22",
        "Ab    68   best",
        "  seat 1: Ab Xb 9b 2l       seat 1 takes 23",
        "points in the end: 68/0",
    ] {
        assert!(text.lines().any(|found| found == line), "{line:?} in\n{text}");
    }
    let found = object(&[ENDING]);
    assert_eq!((&found["question"], &found["side"]), (&"difference".into(), &1.into()));
    assert_eq!(found["best"], serde_json::json!(["Ab", "Xl"]));
    assert_eq!(found["end"], serde_json::json!([68, 0]));
    assert_eq!(found["line"][0]["plays"], serde_json::json!(["Ab", "Xb", "9b", "2l"]));
}

#[test]
fn the_best_line_ends_with_the_value_of_its_card() {
    for deal in [ENDING, STOCK, "cruce2 hands=A3bXl/Xb9l4a trump=b lead=2"] {
        let found = object(&[deal]);
        let side = found["side"].as_u64().expect("a side") as usize;
        let best = found["best"][0].as_str().expect("a best card");
        let (_, value) = values(&found).into_iter().find(|(card, _)| card == best).expect("it");
        let end: Vec<i64> =
            found["end"].as_array().expect("an end").iter().filter_map(Value::as_i64).collect();
        assert_eq!(value.as_i64(), Some(end[side - 1] - end[2 - side]), "{found}");
    }
    let drawn = &object(&[STOCK])["line"][0]["drawn"];
    assert_eq!(*drawn, serde_json::json!(["9l", "2b"]));
}

#[test]
fn the_values_of_the_other_side_are_negated() {
    let (one, two) = (object(&[ENDING]), object(&[ENDING, "--side", "2"]));
    for ((_, ours), (_, theirs)) in values(&one).iter().zip(values(&two)) {
        assert_eq!(ours.as_i64(), theirs.as_i64().map(|n| -n));
    }
    assert_eq!(one["best"], two["best"], "the seat in turn is the same");
    let points = object(&[ENDING, "--aim", "points", "--side", "2"]);
    assert_eq!(values(&points)[0], ("3b".into(), 23.into()));
}

#[test]
fn reach_answers_yes_or_no() {
    let text = output_of(&[ENDING, "--reach", "2"]);
    assert!(text.contains("3b    no\nAb   yes\nXl   yes\n\nside 1 makes 66 points\n"), "{text}");
    assert!(output_of(&[ENDING, "--reach", "3"]).ends_with("side 1 cannot make 99 points\n"));
    let found = object(&[ENDING, "--reach", "2"]);
    assert_eq!((&found["bar"], &found["question"]), (&66.into(), &"reach".into()));
    assert_eq!(values(&found)[1], ("Ab".into(), true.into()));
}

#[test]
fn without_teams_each_plays_alone_unless_options_change_it() {
    let found = object(&[LONE]);
    assert_eq!(found["question"], "points_of_all");
    assert_eq!(values(&found)[0], ("3b".into(), serde_json::json!([23.5, 20.0, 24.5, 0.0])));
    for options in [&["--against-all"][..], &["--aim", "difference"], &["--side", "1"]] {
        let found = object(&[&[LONE], options].concat());
        assert_eq!(found["question"], "difference", "{options:?}");
        assert!(values(&found).iter().all(|(_, value)| value.is_i64()));
    }
}

#[test]
fn whist_is_solved_for_bids_or_for_partners() {
    let bid = object(&[&format!("{} bids=1.0.0.0 first=1", WHIST)]);
    assert_eq!(bid["question"], "off_bids");
    assert!(values(&bid).iter().all(|(_, each)| each.as_array().is_some_and(|e| e.len() == 4)));
    let text = output_of(&[WHIST, "--partners"]);
    assert!(text.contains("the tricks of seats 1 and 3") && text.contains("tricks in the end"));
    let found = object(&[WHIST, "--partners", "--side", "2"]);
    assert_eq!(found["question"], "tricks");
}

#[test]
fn in_the_bidding_every_declarer_is_solved() {
    let deal = "cruce4t hands=AX4329b/AX4329l/AX4329a/AX4329h";
    let text = output_of(&[deal]);
    assert!(text.contains("seat 3   160  4 × 33, leading 9a 2a 3a 4a Xa Aa\n"), "{text}");
    let found = object(&[deal]);
    assert_eq!(found["declarers"].as_array().map(Vec::len), Some(4));
    let lone = output_of(&["cruce4s hands=A3bXl9aX4h/Xb49l4aA2h/49bAlX2a3h/2b32lA3a9h"]);
    assert!(lone.contains("each side playing for itself"), "{lone}");
}

#[test]
fn files_and_solved_files_are_solved_line_by_line() {
    let text = format!("# two endings\n{ENDING}\n\n{ENDING} points=40/20\n");
    let path = file("positions.txt", &text);
    let name = path.to_str().expect("a plain path");
    assert_eq!(output_of(&[name, "--json"]).lines().count(), 2);
    let solved = output_of(&[name, "--solved"]);
    assert!(solved.starts_with("# two endings\ncruce4t-21 first=1 hands="), "{solved}");
    assert!(solved.contains(" points=40/20 ; 3b 42 ; Ab 88 ; Xl 88\n"), "{solved}");
    let path = file("again.solved", &solved);
    assert_eq!(output_of(&[path.to_str().expect("a plain path"), "--solved"]), solved);
    let mut solve = Command::new(env!("CARGO_BIN_EXE_ghinda"));
    let output = run_with_input(solve.args(["solve", "-", "--solved"]), &text);
    assert_eq!(String::from_utf8_lossy(&output.stdout), solved);
}

#[test]
fn a_reached_limit_is_reported_without_values() {
    let deal = "cruce3 hands=A32bX9l9aX4h/X4b432l4aA2h/9bAlAX32a39h lead=3";
    for limit in [&["--nodes", "300"][..], &["--time", "0.001"]] {
        let args = [&[deal, "--json"], limit].concat();
        refused(&args, "1 of 1 positions not solved; give more --nodes or --time");
        let output = ghinda(&[&["solve"], &args[..]].concat());
        let found: Value = serde_json::from_slice(&output.stdout).expect("an object");
        assert_eq!(found["stopped"], true);
        assert!(found.get("cards").is_none(), "{found}");
    }
    // Some budgets are enough for the values but not for the line.
    let nodes = object(&[STOCK])["nodes"].as_u64().expect("a count");
    let cut = (0..20).map(|part| (nodes * part / 20).to_string()).filter(|nodes| {
        let output = ghinda(&["solve", STOCK, "--nodes", nodes]);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let cut = text.contains("the limit was reached");
        assert_eq!(output.status.success(), cut && text.contains("   best"), "{nodes}: {text}");
        cut
    });
    assert!(cut.count() > 0);
}

#[test]
fn the_corpus_is_made_by_the_commands_in_its_files() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let mut made = 0;
    for entry in std::fs::read_dir(format!("{root}/corpus")).expect("corpus/") {
        let path = entry.expect("a file").path();
        if path.extension().is_none_or(|ending| ending != "solved") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a text");
        let command = text.lines().find_map(|line| line.strip_prefix("#   ghinda "));
        let args = command.expect("how it is made").split(' ');
        let mut ghinda = Command::new(env!("CARGO_BIN_EXE_ghinda"));
        let output = ghinda.args(args).current_dir(root).output().expect("ghinda runs");
        assert!(String::from_utf8_lossy(&output.stdout) == text, "{} differs", path.display());
        made += 1;
    }
    assert!(made >= 4);
}

#[test]
fn mistakes_are_explained() {
    refused(&["cruce4t hands=Ab lead=1"], "expected 4 hands between slashes");
    refused(&["no-such-file"], "is neither a position (with hands=) nor a file that can be opened");
    refused(&[WHIST], "every player plays for their bid: add bids=");
    refused(&["whist3 hands=Ac/Kc/Qc turned=9h bids=1"], "a position in play is needed");
    refused(&["whist3 hands=Ac/Kc/Qc lead=1", "--partners"], "only four players have partners");
    refused(&[WHIST, "--reach", "1"], "--aim, --reach and --against-all are for Cruce");
    refused(&[WHIST, "--side", "1"], "--side goes with --partners");
    refused(&[ENDING, "--partners"], "--partners is for whist");
    refused(&[ENDING, "--side", "3"], "--side must be from 1 to 2");
    refused(&[ENDING, "--reach", "7"], "7 is not in 0..=6");
    refused(&[ENDING, "--time", "soon"], "a number of seconds");
    refused(&[ENDING, "--json", "--solved"], "cannot be used with");
    refused(&["cruce4t hands=AX4329b/AX4329l/AX4329a/AX4329h", "--reach", "1"], "with lead=");
    refused(&["cruce4t hands=-/-/-/- trump=b lead=1"], "all cards are played");
    let path = file("wrong.txt", &format!("# one\n{ENDING}\ncruce4t hands=Zb lead=1\n"));
    let name = path.to_str().expect("a plain path");
    refused(&[name], "line 3, column 15: expected a rank (A X 4 3 2 9)");
    let path = file("whist.txt", &format!("{ENDING}\n{WHIST}\n"));
    refused(&[path.to_str().expect("a plain path")], "line 2: every player plays for their bid");
}
