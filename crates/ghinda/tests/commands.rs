//! The commands of the binary: their output, and their refusals.
#![allow(missing_docs, reason = "tests name themselves")]

mod binary;

use std::collections::BTreeSet;
use std::process::Command;

use binary::{file, ghinda, output_of, refused};
use serde_json::Value;
use test_support::process::run_with_input;

const CODES: [&str; 9] = [
    "cruce2",
    "cruce3-11",
    "cruce4t",
    "cruce4s-15-auto",
    "contest",
    "contest3-honour-redeal",
    "whist3",
    "whist4-818-plain1",
    "whist6-p5",
];

fn numbers(value: &Value) -> Vec<i64> {
    let list = value.as_array().unwrap_or_else(|| panic!("a list: {value}"));
    list.iter().map(|number| number.as_i64().expect("a number")).collect()
}

fn words(value: &Value) -> Vec<String> {
    let list = value.as_array().unwrap_or_else(|| panic!("a list: {value}"));
    list.iter().map(|word| word.as_str().expect("a word").to_owned()).collect()
}

#[test]
fn every_simulated_deal_adds_up() {
    for code in CODES {
        let text =
            output_of(&["simulate", "--rules", code, "--seed", "sums", "--matches", "3", "--json"]);
        let mut score: Vec<i64> = Vec::new();
        let mut ended = 0;
        for line in text.lines() {
            let deal: Value = serde_json::from_str(line).expect("one object per line");
            let change = numbers(&deal["change"]);
            score.resize(change.len(), 0);
            for (at, total) in score.iter_mut().enumerate() {
                *total += change[at] + numbers(&deal["prize"])[at];
            }
            assert_eq!(numbers(&deal["score"]), score, "{line}");
            check_cards(&deal);
            check_points(&deal);
            if deal["over"] == Value::Bool(true) {
                assert!(!numbers(&deal["winners"]).is_empty());
                score.clear();
                ended += 1;
            }
        }
        assert_eq!(ended, 3, "{code}");
    }
}

/// Every card played was legal and held; every legal alternative was held.
fn check_cards(deal: &Value) {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut hands: Vec<BTreeSet<String>> =
        list(&deal["hands"]).iter().map(|hand| words(hand).into_iter().collect()).collect();
    for bid in list(&deal["bids"]) {
        assert!(numbers(&bid["legal"]).contains(&bid["bid"].as_i64().expect("a bid")), "{bid}");
    }
    let mut leader = deal["declarer"].as_u64().or(deal["first"].as_u64());
    for trick in list(&deal["tricks"]) {
        assert_eq!(trick["leader"].as_u64(), leader, "{trick}");
        for play in list(&trick["plays"]) {
            let hand = &mut hands[play["seat"].as_u64().expect("a seat") as usize - 1];
            let legal: BTreeSet<String> = words(&play["legal"]).into_iter().collect();
            assert!(legal.is_subset(hand), "{play}");
            let card = play["card"].as_str().expect("a card");
            assert!(legal.contains(card) && hand.remove(card), "{play}");
        }
        for draw in list(&trick["drawn"]) {
            let card = draw["card"].as_str().expect("a card").to_owned();
            hands[draw["seat"].as_u64().expect("a seat") as usize - 1].insert(card);
        }
        leader = trick["winner"].as_u64();
    }
    if deal["result"] == "scored" {
        assert!(hands.iter().all(BTreeSet::is_empty), "{deal}");
    }
}

fn check_points(deal: &Value) {
    if deal["result"] != "scored" {
        return;
    }
    let points: i64 = numbers(&deal["points"]).iter().sum();
    let calls = deal["calls"].as_array().expect("calls");
    let called: i64 = calls.iter().map(|call| call["points"].as_i64().expect("points")).sum();
    let cruce = deal["rules"].as_str().expect("a code").starts_with("cruce");
    let whole = if cruce { 120 + called } else { deal["cards_each"].as_i64().expect("a count") };
    assert_eq!(points, whole, "{deal}");
}

#[test]
fn the_same_seed_gives_the_same_matches() {
    let args = ["simulate", "--rules", "cruce3", "--json", "--matches", "2", "--seed"];
    let with = |seed| output_of(&[&args[..], &[seed]].concat());
    assert_eq!(with("one"), with("one"));
    assert_ne!(with("one"), with("two"));
}

#[test]
fn records_are_verified_in_both_forms_and_by_python() {
    for code in CODES {
        for ending in ["record", "jsonl"] {
            let path = file(&format!("{code}.{ending}"));
            let name = path.to_str().expect("a plain path");
            output_of(&[
                "simulate",
                "--rules",
                code,
                "--seed",
                "7",
                "--matches",
                "2",
                "--record",
                name,
            ]);
            let printed = output_of(&["verify", name]);
            assert_eq!(
                printed.lines().filter(|line| line.ends_with("correct")).count(),
                2,
                "{printed}"
            );
            if ending == "record" {
                verify_with_python(name, 2);
            }
        }
    }
    verify_with_python(concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/deals.golden"), 1);
}

/// Checks a record with the independent implementation in Python.
fn verify_with_python(name: &str, lines: usize) {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/verify_deals.py");
    let output = Command::new("python3")
        .args([script, name])
        .output()
        .expect("python3, which `cargo xtask test` installs");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{printed}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(printed.lines().count(), lines, "{printed}");
}

#[test]
fn a_forged_record_is_refused_with_its_place() {
    let text = output_of(&["simulate", "--seed", "7", "--record", "-"]);
    let path = file("forged.record");
    let name = path.to_str().expect("a plain path");
    let forge = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        std::fs::write(&path, text.replacen(from, to, 1)).expect("a file");
    };
    forge("total ", "total 9");
    refused(&["verify", name], "deal 1: the deal did not end as written");
    forge("won ", "won 1 ");
    refused(&["verify", name], "expected a side, once");
    forge("play ", "play Zb ");
    refused(&["verify", name], "expected a rank (A X 4 3 2 9), found \"Zb\"");
    forge("table simulation-1", "table elsewhere");
    refused(&["verify", name], "the secret does not belong to the commitment");
    std::fs::write(&path, b"\xff\xfe").expect("a file");
    refused(&["verify", name], "the record is not UTF-8 text");
    std::fs::write(&path, &text[..text.len() / 2]).expect("a file");
    refused(&["verify", name], "forged.record is not valid: line ");
    refused(&["verify", "no-such-file"], "the file cannot be opened");
}

#[test]
fn verify_reads_standard_input() {
    let text = output_of(&["simulate", "--rules", "whist3", "--seed", "7", "--record", "-"]);
    let mut verify = Command::new(env!("CARGO_BIN_EXE_ghinda"));
    let output = run_with_input(verify.args(["verify", "-"]), text);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(printed, "-: whist3: 21 deals, 315 actions, correct\n");
}

#[test]
fn perft_counts_and_divides() {
    let deal = "cruce4t hands=A3bXl/Xb9l4a/49bAl/2lX3a trump=b lead=1";
    assert_eq!(output_of(&["perft", deal, "--depth", "12"]), "54\n");
    assert_eq!(
        output_of(&["perft", deal, "--depth", "12", "--divide"]),
        "3b: 16\nAb: 32\nXl: 6\n\n54\n"
    );
    assert_eq!(output_of(&["perft", deal, "--depth", "13"]), "0\n");
    assert_eq!(output_of(&["perft", deal, "--depth", "0"]), "1\n");
    let words: Vec<&str> = deal.split(' ').collect();
    assert_eq!(output_of(&[&["perft"], &words[..], &["--depth", "1"]].concat()), "3\n");
}

#[test]
fn rules_are_explained_in_both_languages() {
    let english = output_of(&["rules", "contest"]);
    assert!(english.contains("cruce4s-21-m1-b4-on3-nobeat-noothers"), "{english}");
    let romanian = output_of(&["rules", "whist5-818", "--lang", "ro"]);
    assert!(romanian.contains("whist5-818") && romanian.contains("W2"), "{romanian}");
    assert_ne!(output_of(&["rules"]), output_of(&["rules", "--lang", "ro"]));
    for code in CODES {
        for language in ["en", "ro"] {
            let text = output_of(&["rules", code, "--lang", language]);
            assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        }
    }
}

#[test]
fn mistakes_are_explained() {
    refused(&["rules", "cruce7t-jokers"], "\"jokers\" is no option of Cruce");
    refused(&["rules", "cruce7t-jokers"], "players must be from 2 to 4, not 7");
    refused(&["rules", "classic", "--lang", "fr"], "use en or ro");
    refused(&["simulate", "--rules", "poker"], "\"poker\" is no game");
    refused(&["simulate", "--matches", "0"], "0 is not in 1..");
    refused(&["simulate", "--json", "--record", "-"], "both write to standard output");
    refused(&["simulate", "--seed", "1", "--record", "/no/such/folder/x"], "cannot be written");
    refused(&["perft", "cruce4t hands=Ab", "--depth", "1"], "expected 4 hands between slashes");
    refused(&["perft", "whist3 hands=Ac/Kc/Qc turned=Qc", "--depth", "1"], "Qc only once");
    refused(&["perft", "classic"], "--depth");
    refused(&["verify"], "FILE");
    refused(&["juggle"], "unrecognized subcommand");
}

#[test]
fn verify_prints_json_for_scripts() {
    let path = file("scripts.record");
    let path = path.to_str().expect("a path");
    output_of(&["simulate", "--rules", "cruce2-2", "--seed", "s", "--record", path]);
    let object: serde_json::Value =
        serde_json::from_str(&output_of(&["verify", "--json", path])).expect("an object");
    assert_eq!((&object["right"], &object["match"]), (&true.into(), &1.into()), "{object}");
    let text = std::fs::read_to_string(path).expect("a record");
    let forged = text.replacen("bids", "bids 6 ", 1);
    let other = file("scripts-forged.record");
    std::fs::write(&other, forged).expect("written");
    let output = ghinda(&["verify", "--json", other.to_str().expect("a path")]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

#[test]
fn completions_and_manual_pages_are_made_for_all_commands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let text = output_of(&["completions", shell]);
        assert!(text.contains("replay") && text.contains("counter-clockwise"), "{shell}");
    }
    refused(&["completions", "cmd"], "possible values");
    let page = output_of(&["man"]);
    assert!(page.starts_with(".ie") && page.contains("Exit codes"), "{page}");
    let folder = file("man1");
    output_of(&["man", "--into", folder.to_str().expect("a path")]);
    for name in ["ghinda.1", "ghinda-play.1", "ghinda-sheet-keep.1", "ghinda-serve.1"] {
        assert!(folder.join(name).is_file(), "{name}");
    }
}

#[test]
fn without_arguments_and_terminal_the_help_is_printed() {
    let text = output_of(&[]);
    assert!(text.contains("Usage: ghinda") && text.contains("ghinda play"), "{text}");
}

#[test]
fn doctor_reports_what_is_broken_and_how_to_repair_it() {
    let folder = file("doctor");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir(&folder).expect("a folder");
    let database = folder.join("ghinda.db");
    let database = database.to_str().expect("a path");
    let free = ["doctor", "--json", "--listen", "127.0.0.1:0", "--database", database];
    let report = |args: &[&str]| -> (Option<i32>, serde_json::Value) {
        let output = ghinda(args);
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        (output.status.code(), serde_json::from_str(&text).expect("an object"))
    };
    let finding = |report: &serde_json::Value, what: &str| -> serde_json::Value {
        let all = report["findings"].as_array().expect("findings").iter();
        all.clone().find(|found| found["what"] == what).expect("a finding").clone()
    };
    let (_, well) = report(&free);
    assert_eq!(finding(&well, "port")["state"], "well", "{well}");
    assert_eq!(finding(&well, "database")["state"], "well", "{well}");
    assert_eq!(std::fs::read_dir(&folder).expect("a folder").count(), 0, "doctor changes nothing");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address").to_string();
    let (code, report) =
        report(&["doctor", "--json", "--listen", &address, "--database", "/no/such/folder/x.db"]);
    assert_eq!(code, Some(1));
    for what in ["port", "database"] {
        let found = finding(&report, what);
        assert_eq!(found["state"], "broken", "{report}");
        assert!(found["mend"].as_str().is_some_and(|mend| mend.contains("--")), "{report}");
    }
    assert_eq!(report["well"], false);
}

#[test]
fn the_audit_of_the_shuffle_can_be_repeated() {
    let report = |seed: &str| {
        let args = ["audit-shuffle", "--cards", "1000000", "--seed", seed, "--json"];
        serde_json::from_str::<Value>(&output_of(&args)).expect("an object")
    };
    let one = report("commands");
    assert_eq!(one, report("commands"));
    assert_ne!(one["groups"], report("others")["groups"]);
    assert_eq!((&one["passed"], &one["seed"]), (&true.into(), &"commands".into()));
    assert!(one["cards"].as_u64().is_some_and(|cards| cards >= 1_000_000), "{one}");
    let groups = one["groups"].as_array().expect("groups");
    assert_eq!(groups.len(), 8, "seven ways to deal, and the secrets");
    let tests = groups.iter().flat_map(|group| group["tests"].as_array().expect("tests"));
    let threshold = one["threshold"].as_f64().expect("a number");
    assert!((threshold * tests.clone().count() as f64 - 0.001).abs() < 1e-12, "{threshold}");
    for test in tests {
        assert!(test["p"].as_f64().is_some_and(|p| p >= threshold), "{test}");
    }
    refused(&["audit-shuffle", "--cards", "1000"], "1000 is not in 1000000..=10000000000");
}

#[test]
fn every_command_has_help_with_examples() {
    let commands = [
        "play",
        "join",
        "watch",
        "replay",
        "doctor",
        "completions",
        "man",
        "simulate",
        "perft",
        "solve",
        "verify",
        "rules",
        "arena",
        "audit-shuffle",
        "engine",
    ];
    for command in commands {
        let help = output_of(&[command, "--help"]);
        assert!(help.contains("Examples:"), "{help}");
    }
    assert!(output_of(&["--help"]).contains("Examples:"));
}
