//! Runs every target of `fuzz/` for a while: unexpected input must be refused without a panic.

use std::fs;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use crate::steps::{step, succeed, works, written_by};
use crate::workspace::Workspace;
use crate::{manifest, seconds};

/// Long enough to find simple faults, short enough for every change.
pub(crate) const SMOKE_SECONDS: u32 = 15;

const SKIPPED: &str = "FUZZ SKIPPED: no nightly toolchain (rustup toolchain install nightly)";

pub(crate) fn chore(workspace: &Workspace, options: &[&str]) -> Result<ExitCode> {
    let seconds = seconds(options, SMOKE_SECONDS)?;
    match step("fuzz", || all_targets(workspace, seconds))? {
        None => Ok(ExitCode::SUCCESS),
        Some(note) => bail!(note),
    }
}

/// Fuzzes each target in turn; returns a note if there is no nightly toolchain.
pub(crate) fn all_targets(workspace: &Workspace, seconds: u32) -> Result<Option<&'static str>> {
    if !has_nightly(workspace) {
        println!("   {SKIPPED}");
        return Ok(Some(SKIPPED));
    }
    if !works(workspace.cargo().args(["+nightly", "fuzz", "--version"])) {
        println!("   cargo-fuzz is missing; cargo installs it.");
        succeed(workspace.cargo().args(["install", "cargo-fuzz", "--locked"]))?;
    }
    let manifest =
        fs::read_to_string(workspace.root.join("fuzz/Cargo.toml")).context("fuzz/Cargo.toml")?;
    let targets = manifest::values(&manifest, "[[bin]]", "name");
    if targets.is_empty() {
        bail!("fuzz/Cargo.toml lists no targets.");
    }
    for target in targets {
        step(&format!("fuzz {target} for {seconds} s"), || one_target(workspace, target, seconds))?;
    }
    Ok(None)
}

/// Asks rustup and not `cargo +nightly`, which may download a toolchain.
fn has_nightly(workspace: &Workspace) -> bool {
    let toolchains = written_by(workspace.command("rustup").args(["toolchain", "list"]));
    toolchains.is_ok_and(|written| written.stdout.lines().any(|line| line.starts_with("nightly")))
}

fn one_target(workspace: &Workspace, target: &str, seconds: u32) -> Result<()> {
    let mut cargo = workspace.cargo();
    cargo.args(["+nightly", "fuzz", "run", target]);
    // New inputs go to the first folder, which git ignores; the seeds stay unchanged.
    let corpus = format!("fuzz/corpus/{target}");
    fs::create_dir_all(workspace.root.join(&corpus)).with_context(|| corpus.clone())?;
    cargo.arg(corpus);
    let seeds = format!("fuzz/seeds/{target}");
    if workspace.root.join(&seeds).is_dir() {
        cargo.arg(seeds);
    }
    cargo.args(["--", &format!("-max_total_time={seconds}"), "-rss_limit_mb=2048"]);
    let crashed =
        || format!("{target} failed; a crash leaves its input in fuzz/artifacts/{target}");
    succeed(&mut cargo).with_context(crashed)
}
