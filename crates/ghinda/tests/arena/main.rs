//! `ghinda arena` and `ghinda engine`: results, faults, the protocol and the example bots.
#![allow(missing_docs, reason = "tests name themselves")]

#[path = "../binary/mod.rs"]
mod binary;
mod examples;
mod faulty;
mod protocol;
mod results;

use std::process::Output;

use binary::{file, repository};
use serde_json::Value;

const GHINDA: &str = env!("CARGO_BIN_EXE_ghinda");

/// Both games, all numbers of sides, and every option that changes the questions.
const CODES: [&str; 11] = [
    "cruce2",
    "cruce2-honour-auto",
    "cruce3-11",
    "cruce4t",
    "cruce4t-honour",
    "contest",
    "contest3-honour-redeal",
    "whist3",
    "whist4-818-plain1",
    "whist5",
    "whist6-p5",
];

fn arena(args: &[&str]) -> Output {
    binary::ghinda(&[&["arena"], args].concat())
}

/// The report as JSON, with the exit code it must have.
#[track_caller]
fn report(code: i32, args: &[&str]) -> Value {
    let output = arena(&[args, &["--json"]].concat());
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{args:?}: {error}");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{args:?}: {e}: {error}"))
}

#[track_caller]
fn output_of(args: &[&str]) -> String {
    binary::output_of(&[&["arena"], args].concat())
}

#[track_caller]
fn refused(args: &[&str], sentence: &str) {
    binary::refused(&[&["arena"], args].concat(), sentence);
}
