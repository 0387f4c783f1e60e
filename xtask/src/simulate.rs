//! The report of the simulated worlds of the server: what clients did, what went wrong, what was checked.

use std::process::ExitCode;

use anyhow::Result;

use crate::misuse;
use crate::steps::{step, succeed};
use crate::workspace::Workspace;

/// How many worlds of each kind run by default, as in the tests.
const WORLDS: u32 = 1_000;

pub(crate) fn chore(workspace: &Workspace, options: &[&str]) -> Result<ExitCode> {
    let worlds = worlds(options)?;
    step("simulated worlds", || {
        let mut tests = workspace.cargo();
        tests.args(["test", "-p", "server", "--lib", "simulation::"]);
        // One kind after the other, so that their reports are not mixed.
        tests.args(["--", "--nocapture", "--test-threads", "1"]);
        succeed(tests.env("GHINDA_WORLDS", worlds.to_string()))
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Reads `--worlds N`.
fn worlds(options: &[&str]) -> Result<u32> {
    match options {
        [] => Ok(WORLDS),
        ["--worlds", number] => match number.parse() {
            Ok(worlds) if worlds > 0 => Ok(worlds),
            _ => misuse(format!("`--worlds` needs a whole number above zero, not `{number}`.")),
        },
        _ => misuse("the only option here is `--worlds N`."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_worlds_has_a_default() {
        assert_eq!(worlds(&[]).unwrap(), WORLDS);
        assert_eq!(worlds(&["--worlds", "20000"]).unwrap(), 20_000);
        for wrong in [&["--worlds", "0"][..], &["--worlds"], &["20000"]] {
            assert!(worlds(wrong).is_err(), "{wrong:?}");
        }
    }
}
