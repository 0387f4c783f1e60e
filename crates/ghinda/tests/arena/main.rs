//! Bots against each other, as whoever compares or writes them meets it.
#![allow(missing_docs, reason = "tests name themselves")]

mod examples;
mod faulty;
mod protocol;
mod results;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

const GHINDA: &str = env!("CARGO_BIN_EXE_ghinda");

/// Both games, all numbers of sides, and every option that changes what is asked.
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
    let mut command = Command::new(GHINDA);
    command.arg("arena").args(args).env("LC_ALL", "C").stdin(Stdio::null());
    command.output().expect("ghinda runs")
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
fn told(args: &[&str]) -> String {
    let output = arena(args);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{args:?}: {error}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// A sentence on standard error, exit code 2, and nothing on standard output.
#[track_caller]
fn refused(args: &[&str], sentence: &str) {
    let output = arena(args);
    let error = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(2), "{args:?}: {error}");
    assert!(error.contains(sentence), "{args:?}: {error}");
    assert!(output.stdout.is_empty(), "{args:?}");
}

/// A file of this test run.
fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// A file of the repository.
fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}
