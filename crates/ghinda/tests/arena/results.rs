//! Reports about bots that play without faults.

use serde_json::Value;

use super::{CODES, file, output_of, refused, report};

#[test]
fn bots_that_play_alike_get_exactly_zero() {
    for code in CODES {
        let args = ["random", "random", "--rules", code, "--seed", "even", "--deals", "12"];
        let report = report(0, &args);
        for measure in ["points", "score"] {
            assert_eq!(report[measure]["mean"], 0.0, "{code}");
            assert_eq!(report[measure]["plus_minus"], 0.0, "{code}");
        }
        assert_eq!(report["drawn"], 12, "{code}");
        let [a, b] = [0, 1].map(|at| report["players"][at].clone());
        for count in ["declared", "made", "decisions", "fallbacks"] {
            assert_eq!(a[count], b[count], "{code}: {count}");
        }
        assert!(a["decisions"].as_u64() > Some(0), "{code}");
    }
}

#[test]
fn matches_of_bots_that_play_alike_are_shared() {
    for code in ["cruce2-11", "cruce3-11", "cruce4t-11", "whist3"] {
        let report =
            report(0, &["random", "random", "--rules", code, "--seed", "even", "--matches", "3"]);
        assert_eq!(report["share"]["share"], 0.5, "{code}: {report}");
        assert_eq!(report["won"], report["lost"], "{code}");
        assert_eq!(report["matches"], 3);
        let played: u64 =
            ["won", "drawn", "lost"].iter().map(|key| report[key].as_u64().expect("a count")).sum();
        assert_eq!(report["played"].as_u64(), Some(played));
    }
}

/// The report without times, which depend on the machine.
fn without_time(mut report: Value) -> Value {
    for player in report["players"].as_array_mut().expect("two players") {
        for key in ["mean_ms", "max_ms"] {
            player.as_object_mut().expect("a player").remove(key).expect("a time");
        }
    }
    report
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let thrifty = format!("cmd:python3 {}", super::examples::thrifty());
    let with = |jobs| {
        let args = ["random", thrifty.as_str(), "--deals", "24", "--seed", "7", "--jobs", jobs];
        without_time(report(0, &args))
    };
    let one = with("1");
    assert_eq!(one, with("3"));
    assert_ne!(one["points"]["mean"], 0.0);
}

#[test]
fn exchanging_the_bots_changes_the_signs() {
    let thrifty = format!("cmd:python3 {}", super::examples::thrifty());
    let play =
        |a: &str, b: &str| report(0, &[a, b, "--deals", "20", "--seed", "7", "--rules", "whist3"]);
    let (one, other) = (play("random", &thrifty), play(&thrifty, "random"));
    let mean = |report: &Value| report["score"]["mean"].as_f64().expect("a mean");
    assert!(mean(&other) > 0.0);
    assert!((mean(&one) + mean(&other)).abs() < 1e-12);
    assert_eq!(one["score"]["plus_minus"], other["score"]["plus_minus"]);
    assert_eq!((&one["won"], &one["lost"]), (&other["lost"], &other["won"]));
    assert_eq!(one["players"][0]["made"], other["players"][1]["made"]);
}

#[test]
fn the_same_seed_gives_the_same_table() {
    let with = |seed| output_of(&["random", "random", "--deals", "10", "--seed", seed]);
    let table = with("one");
    assert!(table.contains("10 deals of cruce4t-21, each with 2 seatings, seed one"), "{table}");
    assert!(table.contains("points a deal     +0.000 ± 0.000"), "{table}");
    let contracts = |table: &str| {
        let line = table.lines().find(|line| line.starts_with("contracts made"));
        line.expect("a line").to_owned()
    };
    assert_eq!(contracts(&table), contracts(&with("one")));
    assert_ne!(contracts(&table), contracts(&with("two")));
}

#[test]
fn the_game_can_be_chosen_without_a_code() {
    let rules = |args: &[&str]| {
        let base = ["random", "random", "--deals", "1", "--seed", "7"];
        report(0, &[&base, args].concat())["rules"].clone()
    };
    assert_eq!(rules(&[]), "cruce4t-21");
    assert_eq!(rules(&["--players", "3"]), "cruce3-21");
    assert_eq!(rules(&["--game", "whist"]), "whist4");
    assert_eq!(rules(&["--game", "whist", "--players", "6"]), "whist6");
    assert_eq!(
        rules(&["--rules", "contest", "--nodes", "5", "--time", "9"]).as_str().map(str::len),
        Some(36)
    );
}

#[test]
fn all_against_all_is_a_table_and_a_picture() {
    let thrifty = format!("cmd:python3 {}", super::examples::thrifty());
    let engine = format!("cmd:{} engine --bot random", super::GHINDA);
    let all = ["--all", "random", &thrifty, &engine, "--deals", "20", "--seed", "7"];
    let picture = file("strength.svg");
    let path = picture.to_str().expect("a plain path");
    let cross = report(0, &[&all[..], &["--svg", path]].concat());
    let bots = cross["bots"].as_array().expect("bots");
    assert_eq!(bots[0]["name"], "thrifty 1");
    assert_eq!(cross["pairs"].as_array().expect("pairs").len(), 3);
    let means: Vec<f64> = bots.iter().map(|b| b["points"]["mean"].as_f64().expect("one")).collect();
    assert!(means.is_sorted_by(|one, other| one >= other), "{means:?}");
    assert!(means.iter().sum::<f64>().abs() < 1e-9, "{means:?}");
    // The engine plays the same as the built-in bot.
    assert_eq!(bots[1]["against"][2]["mean"], 0.0);
    assert_eq!(bots[1]["against"][0], bots[2]["against"][0]);
    let picture = std::fs::read_to_string(picture).expect("a picture");
    assert!(picture.starts_with("<svg") && picture.contains("thrifty 1"), "{picture}");
    let table = output_of(&all);
    assert_eq!(table.lines().count(), 7, "{table}");
    let document = output_of(&[&all[..], &["--markdown"]].concat());
    assert!(document.contains("| **thrifty 1** | · | "), "{document}");
}

#[test]
fn mistakes_are_explained() {
    refused(&["random"], "two bots are needed, not 1");
    refused(&["random", "random", "random"], "two bots are needed, not 3");
    refused(&["random", "grandmaster"], "there is no bot \"grandmaster\"");
    refused(&["--all", "random"], "--all needs at least two bots");
    refused(&["random", "cmd:"], "cmd: needs a program after it");
    refused(&["random", "cmd:sh 'x"], "the quote ' is not closed");
    refused(&["random", "random", "--rules", "poker"], "\"poker\" is no game");
    refused(&["random", "random", "--rules", "whist", "--game", "cruce"], "cannot be used with");
    refused(&["random", "random", "--game", "whist", "--players", "2"], "from 3 to 6");
    refused(&["random", "random", "--deals", "0"], "0 is not in 1..");
    refused(&["random", "random", "--svg", "x.svg"], "--all");
    refused(&["random", "cmd:./no-such-bot", "--seed", "1"], "it cannot be started");
    let all = ["--all", "random", "random", "--seed", "1", "--deals", "1"];
    refused(&[&all[..], &["--svg", "/no/such/folder/x"]].concat(), "cannot be written");
}
