//! Helpers of several tests.

use std::path::Path;
use std::process::Command;

use game::record::{Record, parse_all};

/// The records of a file.
pub(crate) fn records(path: &Path) -> Vec<Record> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{error}"));
    parse_all(&text).expect("a record")
}

/// Rechecks a record with `ghinda verify`.
pub(crate) fn verify(path: &Path) {
    let output = Command::new(env!("CARGO_BIN_EXE_ghinda")).arg("verify").arg(path).output();
    let output = output.expect("ghinda runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
