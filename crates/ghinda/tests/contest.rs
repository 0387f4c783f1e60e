//! `ghinda contest` and `ghinda sheet`, for an organiser without a server.
#![allow(missing_docs, reason = "tests name themselves")]

mod binary;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use binary::{file, ghinda, output_of, refused, repository};
use test_support::process::run_with_input;

/// The path of a new file. What an earlier run left there is removed.
fn fresh(name: &str) -> String {
    let path = file(name);
    for ending in ["", ".lock", ".secret", ".new"] {
        let _ = fs::remove_file(PathBuf::from(format!("{}{ending}", path.display())));
    }
    path.to_str().expect("a plain path").into()
}

/// The output of a `ghinda contest` command.
#[track_caller]
fn contest(command: &str, file: &str, args: &[&str]) -> String {
    output_of(&[&["contest", command, file], args].concat())
}

/// Checks that a command is refused, and that the file is not changed.
#[track_caller]
fn contest_refused(command: &str, file: &str, args: &[&str], sentence: &str) {
    let before = fs::read(file).expect("a contest");
    refused(&[&["contest", command, file], args].concat(), sentence);
    assert_eq!(fs::read(file).expect("a contest"), before, "{command} {args:?}");
}

fn cup(name: &str, entrants: usize) -> String {
    let file = fresh(name);
    output_of(&["contest", "new", &file, "--title", "Cupa satului"]);
    let names: Vec<String> = (1..=entrants).map(|number| format!("Player {number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    contest("add", &file, &names);
    file
}

fn with_input(args: &[&str], input: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ghinda"));
    let output = run_with_input(command.args(args).env("LC_ALL", "C"), input);
    String::from_utf8([output.stdout, output.stderr].concat()).expect("UTF-8")
}

#[test]
fn a_contest_of_eight_is_played_from_the_draw_to_the_places() {
    let file = cup("eight.contest", 8);
    commit_and_draw(&file);
    settle_tables_of_eight(&file);
    // The first phase is closed. It is reopened and corrected: others advance, the final is void.
    contest_refused("rule", &file, &["1B", "3", "21", "14", "15"], "Phase 1 is closed");
    contest("reopen", &file, &["1"]);
    contest("rule", &file, &["1B", "3", "21", "14", "15"]);
    let printed = contest("close", &file, &["1"]);
    assert!(printed.contains("One phase is void"), "{printed}");
    contest("draw", &file, &["--at-once"]);
    contest("report", &file, &["A", "0", "21", "5", "8"]);
    check_reports_of_eight(&file);
}

/// Draws with a commitment and a word. The commitment fits the secret, and Python repeats the draw.
fn commit_and_draw(file: &str) {
    contest_refused("draw", file, &[], "Nothing was committed to before the draw (T6).");
    let printed = contest("commit", file, &[]);
    let commitment =
        printed.split(": ").nth(2).expect("a commitment").lines().next().expect("a line");
    let secret = fs::read_to_string(format!("{file}.secret")).expect("a secret");
    assert!(!fs::read_to_string(file).expect("a contest").contains(secret.trim()));
    contest_refused("draw", file, &["--word", "two words"], "1 to 64 letters");
    let tables = contest("draw", file, &["--word", "banana"]);
    assert!(tables.contains("Table A") && tables.contains("B4  Player "), "{tables}");
    assert!(!PathBuf::from(format!("{file}.secret")).exists());
    let verified = contest("verify", file, &[]);
    assert!(
        verified.contains(commitment.trim_end_matches('.')) && verified.contains(secret.trim())
    );
    assert_eq!(
        repeat_draws(file, "eight.draws"),
        "1 draws are as the secret and the words draw them\n"
    );
}

/// A file that was downloaded from a server goes on here: what the server took over from a file says so.
#[test]
fn a_download_of_an_imported_contest_goes_on_in_a_file() {
    let file = cup("imported.contest", 8);
    contest("draw", &file, &["--at-once"]);
    let mut text = fs::read_to_string(&file).expect("a contest");
    text.push_str("{\"at\":\"2026-11-16T10:00:00.000Z\",\"by\":\"house\",\"did\":\"import\"}\n");
    fs::write(&file, text).expect("a file");
    let notice = "Phase 1: the draw comes from a file; the server did not make it.";
    for command in ["tables", "verify"] {
        let printed = contest(command, &file, &[]);
        assert!(printed.contains(notice), "{printed}");
        assert!(printed.contains("The first 3 lines of the log come from a file"), "{printed}");
    }
    assert!(contest("log", &file, &[]).contains("Everything before this comes from a file."));
    contest("report", &file, &["A", "21", "5", "7", "-2"]);
    contest("report", &file, &["B", "21", "5", "7", "-2"]);
    contest("commit", &file, &[]);
    let tables = contest("draw", &file, &["--word", "banana"]);
    assert!(!tables.contains("comes from a file"), "{tables}");
    contest_refused(
        "rename",
        &file,
        &["1", "Player 1"],
        "Nothing changes: it is already like that.",
    );
    let checked = repeat_draws(&file, "imported.draws");
    assert!(checked.contains("2 draws are as the secret and the words draw them"), "{checked}");
    assert!(checked.contains("1 of them came from a file"), "{checked}");
}

/// Exports the draws of a contest, and has Python repeat them.
fn repeat_draws(file: &str, name: &str) -> String {
    let draws = binary::file(name);
    fs::write(&draws, contest("export", file, &["draws"])).expect("a file");
    let script = repository("examples/verify_draw.py");
    let python = Command::new("python3").arg("-B").arg(script).arg(&draws).output();
    let python = python.expect("python3, which `cargo xtask test` installs");
    assert!(python.status.success(), "{}", String::from_utf8_lossy(&python.stderr));
    String::from_utf8(python.stdout).expect("UTF-8")
}

/// A dispute, a decision, a tie and its play-off, a penalty, and the draw of the final.
fn settle_tables_of_eight(file: &str) {
    contest("report", file, &["A", "21", "5", "7", "-2"]);
    let printed = contest("report", file, &["A", "21", "5", "6", "-2", "--by", "A2"]);
    assert!(printed.contains("disputed") && printed.contains("says 21, 5, 7, −2"), "{printed}");
    contest_refused("commit", file, &["x"], "unexpected argument");
    let printed = contest("rule", file, &["A", "21", "6", "6", "-2"]);
    assert!(printed.contains("tie to be played off"), "{printed}");
    contest_refused("report", file, &["A", "21", "6", "6", "-2"], "The referee has decided");
    let printed = contest("playoff", file, &["A", "0", "1", "2", "0"]);
    assert!(printed.contains("settled"), "{printed}");
    contest_refused(
        "playoff",
        file,
        &["A", "0", "1", "2", "0"],
        "There is no tie to play off (T4).",
    );
    contest_refused("draw", file, &["--at-once"], "Table B is not settled (T3).");
    contest_refused("report", file, &["B", "20", "1", "1", "1"], "21 are needed, and 1 more");
    contest_refused("report", file, &["B", "21", "1"], "4 numbers are needed");
    contest_refused("report", file, &["C", "21", "1", "1", "1"], "There is no such table (T1).");
    contest("report", file, &["B", "3", "21", "14", "13", "--by", "referee"]);
    let printed = contest("penalise", file, &["B3", "revoke"]);
    assert!(printed.contains("−3 (a duty broken)"), "{printed}");
    contest("pardon", file, &["B", "1"]);
    contest_refused("pardon", file, &["B", "1"], "There is no such penalty.");
    contest("draw", file, &["--at-once"]);
}

/// The standings, the log and the exports after the final.
fn check_reports_of_eight(file: &str) {
    let standings = contest("standings", file, &[]);
    assert!(standings.contains("The contest is over.") && standings.contains("5–8"), "{standings}");
    let romanian = contest("standings", file, &["--lang", "ro"]);
    assert!(romanian.contains("Concursul s-a încheiat."), "{romanian}");
    contest_refused("draw", file, &["--at-once"], "The final has been drawn (T3).");
    let log = contest("log", file, &[]);
    assert!(log.contains("Phase 1 is reopened.") && log.lines().count() > 15, "{log}");
    let csv = contest("export", file, &["standings"]);
    assert!(
        csv.starts_with("place,to_place,number,name,state,phase,ticket,score\r\n1,1,"),
        "{csv}"
    );
    let json: serde_json::Value =
        serde_json::from_str(&contest("export", file, &["json"])).expect("JSON");
    assert_eq!((&json["stage"], &json["voided"]), (&"over".into(), &1.into()));
}

#[test]
fn entrants_are_typed_pasted_and_exported() {
    let file = fresh("lists.contest");
    output_of(&["contest", "new", &file, "--title", "Lists"]);
    let printed =
        with_input(&["contest", "add", &file, "--list", "-"], "Ana\n\nDan\n# late\nAna\n");
    assert!(printed.contains("Entered: Ana, Dan and Ana."), "{printed}");
    let before = fs::read(&file).expect("a contest");
    let printed = with_input(&["contest", "add", &file, "--list", "-"], "Zoe\nA;B\n\"Dan\n");
    assert_eq!(
        printed,
        "ghinda: Line 2: 2 cells are too many.\nLine 3: the quotes are not closed.\n"
    );
    assert_eq!(fs::read(&file).expect("a contest"), before);
    let list = binary::file("lists.csv");
    fs::write(&list, "\u{feff}Nume;\r\n\"Pop; Ion\";\r\n").expect("a file");
    contest("add", &file, &["--list", list.to_str().expect("a path")]);
    let entrants = contest("entrants", &file, &[]);
    assert!(entrants.contains("1  Ana (1)") && entrants.contains("4  Pop; Ion"), "{entrants}");
    contest_refused(
        "withdraw",
        &file,
        &["Ana"],
        "several entrants are called \"Ana\": give the number (1, 3)",
    );
    contest_refused("withdraw", &file, &["Nobody"], "no entrant is called \"Nobody\"");
    contest("withdraw", &file, &["3"]);
    contest("return", &file, &["3"]);
    contest("rename", &file, &["3", "Ana-Maria"]);
    contest("withdraw", &file, &["Ana-Maria"]);
    contest_refused("draw", &file, &["--at-once"], "At least 4 entrants are needed (T4).");
    // A list that is refused creates no contest.
    let other = fresh("refused.contest");
    let many = binary::file("many.txt");
    fs::write(&many, "Ana\n".repeat(1025)).expect("a file");
    refused(
        &["contest", "new", &other, "--title", "X", "--list", many.to_str().expect("a path")],
        "Line 1025: a contest has at most 1024 players.",
    );
    assert!(!PathBuf::from(&other).exists());
    refused(&["contest", "new", &other, "--title", "X", "--rules", "whist5"], "tables of four");
    refused(&["contest", "new", &file, "--title", "X"], "exists already");
}

#[test]
fn pairs_play_two_against_two() {
    let file = fresh("pairs.contest");
    output_of(&["contest", "new", &file, "--title", "Perechi", "--rules", "contest4t"]);
    contest_refused("add", &file, &["Ana"], "Line 1: two names are needed");
    contest("add", &file, &["Ana, Dan", "Ion, Maria", "Zoe, Ene"]);
    let tables = contest("draw", &file, &["--at-once"]);
    assert!(tables.contains("Bye: ") && tables.contains(" & "), "{tables}");
    contest("report", &file, &["A", "21", "5"]);
    contest("draw", &file, &["--at-once"]);
    contest("report", &file, &["A", "3", "22"]);
    assert!(contest("standings", &file, &[]).contains("The contest is over."));
}

#[test]
fn scripts_with_the_commands_of_version_0_1_still_run() {
    let file = fresh("older-commands.contest");
    output_of(&["contest", "new", &file, "--title", "Cupa"]);
    contest("add", &file, &["Ana", "Ion", "Dan", "Zoe"]);
    contest("draw", &file, &["--at-once"]);
    contest("enter", &file, &["A", "21", "5", "7", "-2"]);
    contest("correct", &file, &["A", "21", "5", "8", "-2"]);
    contest("penalty", &file, &["A3", "revoke"]);
    let lines = fs::read_to_string(&file).expect("a contest");
    for did in ["report", "rule", "penalise"] {
        assert!(lines.contains(&format!(r#""did":"{did}""#)), "{did} in {lines}");
    }
}

#[test]
fn writers_wait_for_each_other() {
    let file = fresh("crowd.contest");
    output_of(&["contest", "new", &file, "--title", "Crowd"]);
    let add = |number: usize| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ghinda"));
        let name = format!("Player {number}");
        command
            .args(["contest", "add", &file, &name])
            .stdout(Stdio::null())
            .spawn()
            .expect("it runs")
    };
    let all: Vec<_> = (1..=12).map(add).collect();
    for mut child in all {
        assert!(child.wait().expect("it ends").success());
    }
    let entrants = contest("entrants", &file, &[]);
    assert!(
        (1..=12).all(|number| entrants.contains(&format!("Player {number}\u{20}"))),
        "{entrants}"
    );
}

#[test]
fn a_broken_file_is_refused_with_its_line() {
    let file = cup("broken.contest", 4);
    contest("draw", &file, &["--at-once"]);
    let text = fs::read_to_string(&file).expect("a contest");
    let broken = |from: &str, to: &str, sentence: &str| {
        assert!(text.contains(from), "{from}");
        fs::write(&file, text.replacen(from, to, 1)).expect("a file");
        contest_refused("standings", &file, &[], sentence);
        contest_refused("add", &file, &["Ana"], sentence);
        contest_refused("verify", &file, &[], sentence);
    };
    broken(
        "\"ghinda_contest\":1",
        "\"ghinda_contest\":9",
        "line 1, column 1: expected version 1, found 9",
    );
    broken(
        "\"word\":\"cupa-satului\"",
        "\"word\":\"other\"",
        "line 4, column 1: the secret does not belong",
    );
    broken("\"did\":\"draw\"", "\"did\":\"dream\"", "line 4, column ");
    fs::write(&file, [0xff, 0xfe]).expect("a file");
    contest_refused("standings", &file, &[], "is not UTF-8 text");
    let nowhere = fresh("nowhere.contest");
    refused(&["contest", "standings", &nowhere], "cannot be opened");
    refused(&["contest", "add", &nowhere, "Ana"], "cannot be opened");
    assert!(!PathBuf::from(format!("{nowhere}.lock")).exists());
}

/// Sheets of older versions may hold a change without effect, which an `undo` takes back.
fn add_change_without_effect(sheet: &str) {
    let mut older = fs::read_to_string(sheet).expect("a sheet");
    let first = older.lines().nth(1).expect("a line").to_owned();
    let edit = first.replacen("\"write\"", "\"edit\",\"number\":1", 1);
    let at = "\"at\":\"2026-11-16T10:00:00.000Z\"";
    older.push_str(&format!("{edit}\n{{{at},\"did\":\"undo\"}}\n"));
    fs::write(sheet, older).expect("a file");
}

#[test]
fn sheets_and_records_are_entered_as_results() {
    let file = cup("results.contest", 8);
    contest("draw", &file, &["--at-once"]);
    let json: serde_json::Value =
        serde_json::from_str(&contest("export", &file, &["json"])).expect("JSON");
    let dealer = json["phases"][0]["tables"][0]["dealer"].as_u64().expect("a seat") as usize;
    let sheet = fresh("results.sheet");
    let new = |dealer: usize| {
        let _ = fs::remove_file(&sheet);
        output_of(&[
            "sheet",
            "new",
            &sheet,
            "--rules",
            "contest",
            "P",
            "Q",
            "R",
            "S",
            "--dealer",
            &dealer.to_string(),
        ])
    };
    new(dealer % 4 + 1);
    contest_refused(
        "report",
        &file,
        &["A", "--sheet", &sheet],
        "deals first on the sheet, and seat",
    );
    new(dealer);
    for _ in 0..6 {
        output_of(&["sheet", "write", &sheet, "1", "3", "100+20", "20", "0", "0"]);
    }
    output_of(&["sheet", "write", &sheet, "revoke", "3"]);
    add_change_without_effect(&sheet);
    contest_refused(
        "report",
        &file,
        &["A", "--sheet", &sheet, "--by", "A1"],
        "That is for the referee",
    );
    let printed = contest("report", &file, &["A", "--sheet", &sheet]);
    assert!(
        printed.contains("being played") && printed.contains("A3  ") && printed.contains("−3"),
        "{printed}"
    );
    contest_refused("report", &file, &["A", "--sheet", &sheet], "has a score sheet already");
    output_of(&["sheet", "write", &sheet, "1", "3", "100+20", "20", "0", "0"]);
    // A record is rechecked before it counts.
    let record = binary::file("results.record");
    let name = record.to_str().expect("a path");
    output_of(&["simulate", "--rules", "contest", "--seed", "contest", "--record", name]);
    contest("report", &file, &["B", "--record", name]);
    let forged = fs::read_to_string(&record).expect("a record").replacen(
        "table simulation-1",
        "table elsewhere",
        1,
    );
    fs::write(&record, forged).expect("a file");
    contest_refused(
        "report",
        &file,
        &["B", "--record", name],
        "is not valid: the secret does not belong",
    );
    output_of(&["simulate", "--rules", "classic", "--seed", "7", "--record", name]);
    contest_refused("report", &file, &["B", "--record", name], "by other rules");
}

#[test]
fn a_sheet_is_kept_and_corrected() {
    let sheet = fresh("family.sheet");
    output_of(&["sheet", "new", &sheet, "Ana", "Bogdan", "Călin", "Dana", "--dealer", "4"]);
    let printed = output_of(&["sheet", "write", &sheet, "1", "2", "64", "56"]);
    assert!(printed.contains("−2 (−2)") && printed.contains("Bogdan bids first"), "{printed}");
    refused(
        &["sheet", "write", &sheet, "1", "2", "64", "57"],
        "120 points together, not 121 (C1).",
    );
    refused(&["sheet", "write", &sheet, "passed"], "Where all pass, seat 2 plays");
    refused(&["sheet", "write", &sheet, "1/1"], "A line of Cruce is SEAT BID POINTS");
    let printed = output_of(&["sheet", "edit", &sheet, "1", "1", "2", "102", "18"]);
    assert!(
        printed.contains("3 (+3)") && printed.contains("said before Ana, two: 64 – 56"),
        "{printed}"
    );
    let printed = output_of(&["sheet", "undo", &sheet, "--lang", "ro"]);
    assert!(printed.contains("−2 (−2)") && printed.contains("împarte Ana"), "{printed}");
    assert!(
        output_of(&["sheet", "csv", &sheet])
            .contains("1,Dana,Ana,6,played,Ana,2,yes,64,0,-2,-2,56,0,1,1")
    );
    let whist = fresh("family.whist");
    output_of(&["sheet", "new", &whist, "--rules", "whist3", "Ana", "Dan", "Zoe", "--dealer", "3"]);
    let printed = output_of(&["sheet", "bid", &whist, "1", "0"]);
    assert!(printed.contains("Not 0: the bids would add up to the tricks."), "{printed}");
    refused(&["sheet", "bid", &whist, "0"], "(W4).");
    let printed = output_of(&["sheet", "write", &whist, "1/1", "0/0", "1/0"]);
    assert!(
        printed.contains("6 (+6)") && printed.contains("5 (+5)") && printed.contains("−1 (−1)"),
        "{printed}"
    );
    refused(&["sheet", "write", &whist, "misdeal"], "Whist knows no penalties");
}

#[test]
fn every_contest_command_has_help() {
    for command in ["contest", "sheet"] {
        assert!(output_of(&[command, "--help"]).contains("Examples:"), "{command}");
    }
    for command in ["new", "add", "draw", "report", "rule", "export"] {
        assert!(output_of(&["contest", command, "--help"]).contains("Example"), "{command}");
    }
    assert_eq!(ghinda(&["contest"]).status.code(), Some(2));
}
