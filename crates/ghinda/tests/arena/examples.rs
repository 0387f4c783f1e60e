//! The example bots, started as the documents explain: they play every game without losing a turn.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{CODES, GHINDA, report, repository};

/// The path of the Python bot, in quotes for a command line.
pub(crate) fn thrifty() -> String {
    format!("\"{}\"", repository("examples/bots/thrifty.py").display())
}

/// The path of the Rust bot. `cargo test` has compiled it, unless only this test was requested.
fn least() -> PathBuf {
    let folder = Path::new(GHINDA).parent().expect("a folder");
    let program = folder.join("examples").join("least");
    if !program.exists() {
        let mut cargo = Command::new(std::env::var("CARGO").unwrap_or("cargo".into()));
        cargo.args(["build", "--package", "ghinda", "--example", "least"]);
        if folder.ends_with("release") {
            cargo.arg("--release");
        }
        assert!(cargo.status().expect("cargo runs").success());
    }
    program
}

#[track_caller]
fn check_all_games(bot: &str) {
    for code in CODES {
        let args = ["random", bot, "--rules", code, "--seed", "examples", "--deals", "6"];
        let report = report(0, &args);
        let player = &report["players"][1];
        assert_eq!(player["fallbacks"], 0, "{code}: {player}");
        assert!(player["decisions"].as_u64() > Some(0), "{code}");
    }
}

#[test]
fn the_python_bot_plays_every_game_and_better_than_chance() {
    let bot = format!("cmd:python3 {}", thrifty());
    check_all_games(&bot);
    for rules in ["classic", "whist4"] {
        let args = [bot.as_str(), "random", "--rules", rules, "--seed", "7", "--deals", "60"];
        let score = report(0, &args)["score"].clone();
        let estimate = score["mean"].as_f64().zip(score["plus_minus"].as_f64());
        let (mean, half) = estimate.expect("an estimate");
        assert!(mean > half, "{rules}: {score}");
    }
}

#[test]
fn the_rust_bot_plays_every_game() {
    check_all_games(&format!("cmd:\"{}\"", least().display()));
}

#[test]
fn the_engine_plays_every_game_as_the_built_in_bot_does() {
    for code in CODES {
        let engine = format!("cmd:\"{GHINDA}\" engine --bot random");
        let args = ["random", engine.as_str(), "--rules", code, "--seed", "same", "--deals", "6"];
        let report = report(0, &args);
        assert_eq!(report["points"]["mean"], 0.0, "{code}");
        assert_eq!(report["points"]["plus_minus"], 0.0, "{code}");
        assert_eq!(
            report["players"][1]["name"].as_str().map(|n| n.starts_with("ghinda-random")),
            Some(true)
        );
    }
    let engine = format!("cmd:\"{GHINDA}\" engine --bot random");
    let report = report(
        0,
        &["random", engine.as_str(), "--rules", "cruce4t-11", "--seed", "same", "--matches", "2"],
    );
    assert_eq!(report["share"]["share"], 0.5);
}
