//! Whole matches against bots, by scripted keys, in both languages.

use test_support::folder::TempFolder;

use crate::pty::Pty;
use crate::tools::{records, verify};

/// Plays a match to its end and verifies its record.
fn play_match(rules: &str, language: &str, size: (u16, u16), again: &str, more: &[&str]) {
    let folder = TempFolder::create();
    let record = folder.file("match.record");
    let path = record.display().to_string();
    let mut args = vec!["play", "--rules", rules, "--lang", language, "--level", "easy"];
    args.extend(["--name", "Ana", "--seed", "evening", "--bots-take", "0", "--record", &path]);
    args.extend(more);
    let mut pty = Pty::ghinda(size, folder.path(), &args);
    let end = pty.play_until(again);
    assert!(end.contains("Ana"), "{end}");
    pty.press("q\r");
    assert!(pty.wait_for_end().success());
    let records = records(&record);
    assert_eq!(records.len(), 1);
    assert!(records[0].won.is_some(), "the match is over");
    verify(&record);
}

#[test]
fn a_match_of_cruce_for_two_in_english() {
    play_match("cruce2-3", "en", (80, 24), "Another match", &[]);
}

#[test]
fn a_match_of_cruce_for_four_in_romanian_with_french_cards_and_no_colours() {
    let more = ["--cards", "french", "--colour", "none"];
    play_match("cruce4t-3", "ro", (140, 45), "Încă un joc", &more);
}

#[test]
fn a_match_of_whist_for_three_in_romanian() {
    play_match("whist3", "ro", (100, 30), "Încă un joc", &["--colour", "16"]);
}

#[test]
fn a_match_continues_where_it_was_left_or_killed() {
    let folder = TempFolder::create();
    let args = ["play", "cruce", "--players", "2", "--level", "easy", "--bots-take", "0"];
    let mut pty = Pty::ghinda((80, 24), folder.path(), &args);
    pty.play_until("S  Score sheet  Shift-R");
    let trick = pty.wait_until(|text| text.contains("Shift-R"), "a trick");
    pty.press("q");
    pty.wait_for("The match is kept");
    pty.press("\r");
    assert!(pty.wait_for_end().success());
    let score = trick.lines().nth(1).expect("a score").to_owned();
    let again = Pty::ghinda((80, 24), folder.path(), &args);
    again.wait_for(score.trim());
    drop(again);
    // A killed match continues too; --new begins another one.
    let again = Pty::ghinda((80, 24), folder.path(), &args);
    again.wait_for(score.trim());
    drop(again);
    let other = Pty::ghinda((80, 24), folder.path(), &[&args[..], &["--new"]].concat());
    other.wait_for("Deal 1");
    other.wait_until(|text| !text.contains(score.trim()), "another match");
}
