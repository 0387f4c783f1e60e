//! The two chores for newcomers: `run` shows the game, `test` is everything a change must pass.

use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

use crate::steps::{step, succeed};
use crate::workspace::Workspace;
use crate::{api, deploy, fuzz, instructions, no_options, setup, tidy};

pub(crate) fn run(workspace: &Workspace, options: &[&str]) -> Result<ExitCode> {
    setup::wasm(workspace)?;
    step("build ghinda", || {
        succeed(workspace.cargo().args(["build", "--profile", "play", "-p", "ghinda"]))
    })?;
    // Started in the caller's folder, to which file names among the arguments refer.
    let mut ghinda = Command::new(workspace.program("play", "ghinda"));
    ghinda.arg("serve").args(options);
    if has_desktop() {
        ghinda.arg("--open");
    }
    let status = ghinda.status().context("ghinda could not be started")?;
    let code = status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1);
    Ok(ExitCode::from(code))
}

/// Whether this machine has a desktop.
fn has_desktop() -> bool {
    let screens = ["DISPLAY", "WAYLAND_DISPLAY"];
    cfg!(target_os = "macos") || screens.iter().any(|name| std::env::var_os(name).is_some())
}

/// A cargo subcommand for all crates that run on this machine.
pub(crate) fn native(workspace: &Workspace, subcommand: &str) -> Command {
    let mut cargo = workspace.cargo();
    cargo.args([subcommand, "--workspace", "--exclude", "web"]);
    cargo
}

pub(crate) fn test(workspace: &Workspace, options: &[&str]) -> Result<ExitCode> {
    no_options(options)?;
    step("set up the machine", || setup::ready(workspace))?;
    step("format", || succeed(workspace.cargo().args(["fmt", "--all", "--check"])))?;
    step("tidy", || tidy::check(workspace))?;
    step("clippy", || {
        let strict = ["--", "-D", "warnings"];
        succeed(native(workspace, "clippy").arg("--all-targets").args(strict))?;
        // The page runs only in a browser. The build of its assets has compiled its dependencies.
        let mut page = workspace.cargo();
        page.args(["clippy", "-p", "web", "--profile", "client", "--target", setup::WASM]);
        succeed(page.arg("--target-dir").arg(workspace.target.join("client")).args(strict))
    })?;
    // All failures in one run.
    step("tests", || succeed(native(workspace, "test").arg("--no-fail-fast")))?;
    step("documentation", || {
        succeed(native(workspace, "doc").arg("--no-deps").env("RUSTDOCFLAGS", "-Dwarnings"))
    })?;
    step("OpenAPI", || api::check(workspace))?;
    step("deploy", || deploy::check(workspace))?;
    let not_fuzzed = step("smoke fuzz", || fuzz::all_targets(workspace, fuzz::SMOKE_SECONDS))?;
    let not_judged = step("instruction counts", || instructions::check(workspace))?;
    match [not_fuzzed, not_judged.as_deref()].into_iter().flatten().collect::<Vec<_>>() {
        notes if notes.is_empty() => println!("\nAll steps passed."),
        // The last lines, so that a skipped step is not overlooked.
        notes => println!("\nAll other steps passed.\n{}", notes.join("\n")),
    }
    Ok(ExitCode::SUCCESS)
}
