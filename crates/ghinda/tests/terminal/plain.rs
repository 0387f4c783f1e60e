//! Line by line: every line of a match is compared with the record of the match.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use phrases::{Language, Phrases};
use table_view::Replay;
use test_support::folder::TempFolder;

use crate::tools::{records, verify};

/// The first number of a question.
fn first_number(question: &str) -> Option<String> {
    let mut words = question.split([' ', ',', '.', ':']);
    words.find(|word| !word.is_empty() && word.chars().all(|c| c.is_ascii_digit())).map(Into::into)
}

/// Plays a match over pipes, answers every question with its first choice, and compares the lines.
fn check_match(rules: &str, language: Language, seed: &str) {
    let folder = TempFolder::create();
    let record = folder.file("match.record");
    let mut child = Command::new(env!("CARGO_BIN_EXE_ghinda"))
        .args(["play", "--rules", rules, "--lang", language.code(), "--level", "easy", "--plain"])
        .args(["--name", "Ana", "--seed", seed, "--record"])
        .arg(&record)
        .env("GHINDA_STATE", folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("ghinda runs");
    let mut typed = child.stdin.take().expect("its input");
    let mut printed = Vec::new();
    for line in BufReader::new(child.stdout.take().expect("its output")).lines() {
        let line = line.expect("a line");
        if let Some(question) = line.strip_prefix("> ") {
            let last = question.contains("q to leave") || question.contains("q ca să pleci");
            let answer = match first_number(question) {
                _ if last => "q".into(),
                Some(number) => number,
                None => String::new(),
            };
            writeln!(typed, "{answer}").expect("typed");
        } else {
            assert!(!line.starts_with("! "), "an offered choice is accepted: {line}");
            if !line.starts_with("= ") {
                printed.push(line);
            }
        }
    }
    assert!(child.wait().expect("its end").success());
    verify(&record);
    let record = records(&record).remove(0);
    let is_ana =
        |name: &Option<game::record::Name>| name.as_ref().is_some_and(|n| n.as_str() == "Ana");
    let own = record.names.iter().position(is_ana).expect("Ana");
    let replay = Replay::new(&record).expect("a match");
    let phrases = Phrases::new(language);
    let seat = cards::Seat::new(own);
    let mut lines = printed.iter();
    for step in 0..=replay.last() {
        // A consequence of an event is printed on a line of its own.
        let expected = replay.sentence(step, seat, &phrases);
        let mut found = String::new();
        while found.len() < expected.len() {
            let line = lines.next().unwrap_or_else(|| panic!("no line for {expected:?}"));
            let gap = if found.is_empty() { "" } else { " " };
            found = format!("{found}{gap}{line}");
        }
        assert_eq!(found, expected, "step {step} of {rules}");
    }
    assert_eq!(lines.next(), None, "{rules}");
}

#[test]
fn a_match_of_cruce_is_printed_as_it_was_played() {
    check_match("cruce4t-5", Language::English, "plain");
    check_match("cruce2-3", Language::Romanian, "simplu");
    check_match("cruce3-3-redeal", Language::English, "three");
}

#[test]
fn a_match_of_whist_is_printed_as_it_was_played() {
    check_match("whist4", Language::Romanian, "plain");
}

#[test]
fn commands_are_answered_and_mistakes_are_refused() {
    let folder = TempFolder::create();
    let script = "?\nt\nh\nv\ns\nnonsense\n9\nq\n";
    let mut child = Command::new(env!("CARGO_BIN_EXE_ghinda"))
        .args([
            "play", "--seed", "a", "--plain", "--level", "easy", "--lang", "en", "--name", "Ana",
        ])
        .env("GHINDA_STATE", folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("ghinda runs");
    child.stdin.take().expect("input").write_all(script.as_bytes()).expect("typed");
    let output = child.wait_with_output().expect("its end");
    let printed = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(output.status.success(), "{printed}");
    for part in [
        "= A bid or a card is said by its number",
        "= Lines with >",
        "= No deal is over yet.",
        "! “nonsense” is nothing that can be done now",
        "! “9” is nothing",
        "> Your bid: ",
    ] {
        assert!(printed.contains(part), "{part:?} in\n{printed}");
    }
}

#[test]
fn a_record_is_replayed_in_sentences() {
    let folder = TempFolder::create();
    let path = folder.file("m.record").display().to_string();
    let ghinda = |args: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_ghinda")).args(args).output().expect("runs");
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    ghinda(&["simulate", "--rules", "cruce2-2", "--seed", "r", "--record", &path]);
    let open = ghinda(&["replay", &path, "--plain", "--lang", "en"]);
    let seat = ghinda(&["replay", &path, "--plain", "--lang", "en", "--seat", "1"]);
    assert_eq!(open.lines().count(), seat.lines().count());
    assert!(!open.contains("You hold") && seat.contains("You hold"), "{seat}");
    let later = ghinda(&["replay", &path, "--plain", "--lang", "en", "--at", "d1t2"]);
    assert!(open.ends_with(&later) && later.len() < open.len());
}

#[test]
fn a_match_that_cannot_be_read_is_kept_and_named() {
    let folder = TempFolder::create();
    let play = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ghinda"));
        command.args(["play", "--rules", "cruce2", "--lang", "en", "--plain", "--name", "Ana"]);
        command.env("GHINDA_STATE", folder.path()).stdin(Stdio::null());
        let output = command.output().expect("ghinda runs");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let first = play();
    assert!(!first.contains("cannot be read"), "{first}");
    let files = std::fs::read_dir(folder.path()).expect("a folder").flatten();
    let mut files = files.map(|entry| entry.path());
    let stored = files.find(|path| path.extension() == Some("journal".as_ref()));
    let stored = stored.expect("a journal");
    std::fs::write(&stored, "of a later version").expect("written");
    let second = play();
    let kept = stored.with_added_extension("unreadable");
    assert!(second.contains(&format!("It is now in {}.", kept.display())), "{second}");
    assert_eq!(std::fs::read_to_string(&kept).expect("kept"), "of a later version");
    assert_ne!(std::fs::read_to_string(&stored).expect("a new match"), "of a later version");
}
