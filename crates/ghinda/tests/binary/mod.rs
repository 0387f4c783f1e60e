//! Runs the binary in tests and checks its output.
#![allow(dead_code, reason = "each test uses a part of it")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

pub(crate) fn ghinda(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ghinda"));
    command.args(args).env("LC_ALL", "C").stdin(Stdio::null()).output().expect("ghinda runs")
}

#[track_caller]
pub(crate) fn output_of(args: &[&str]) -> String {
    let output = ghinda(args);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{args:?}: {error}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Checks for a sentence on standard error, exit code 2, and no standard output.
#[track_caller]
pub(crate) fn refused(args: &[&str], sentence: &str) {
    let output = ghinda(args);
    let error = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(2), "{args:?}: {error}");
    assert!(error.contains(sentence), "{args:?}: {error}");
    assert!(output.stdout.is_empty(), "{args:?}");
}

/// A file of this test run.
pub(crate) fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// A file of the repository.
pub(crate) fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}
