//! The page in a real browser: what its tests need, pictures of every screen, and measurements.

use std::fs;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

use crate::steps::{step, succeed};
use crate::workspace::Workspace;
use crate::{no_options, setup};

/// The version of axe-core, from npm, which checks the accessibility of the page.
const AXE: &str = "4.14.0";

/// Installs axe-core for the tests, once.
pub(crate) fn axe(workspace: &Workspace) -> Result<()> {
    let folder = workspace.target.join("browser");
    let manifest = fs::read_to_string(folder.join("node_modules/axe-core/package.json"));
    let found = manifest.ok().and_then(|text| {
        let manifest: serde_json::Value = serde_json::from_str(&text).ok()?;
        Some(manifest["version"] == AXE)
    });
    if found == Some(true) {
        return Ok(());
    }
    setup::packages(&[setup::NODE, setup::NPM])?;
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let mut npm = Command::new("npm");
    npm.args(["install", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel", "error"]);
    succeed(npm.arg("--prefix").arg(&folder).arg(format!("axe-core@{AXE}")))
}

/// Draws every screen into target/screens.
pub(crate) fn screens(workspace: &Workspace, options: &[&str]) -> Result<ExitCode> {
    chore(workspace, options, "pictures of every screen", ("DRAW_SCREENS", "screens::draw_all"))
}

/// Measures the size and the speed of the page.
pub(crate) fn bench(workspace: &Workspace, options: &[&str]) -> Result<ExitCode> {
    chore(workspace, options, "figures of the page", ("MEASURE_PAGE", "measures::print_all"))
}

/// These chores are browser tests that run only with a variable set.
fn chore(
    workspace: &Workspace,
    options: &[&str],
    title: &str,
    (variable, test): (&str, &str),
) -> Result<ExitCode> {
    no_options(options)?;
    step("set up the machine", || {
        setup::wasm(workspace)?;
        setup::packages(&[setup::CHROMIUM, setup::CHROMIUM_DRIVER])
    })?;
    step(title, || {
        let mut cargo = workspace.cargo();
        cargo.args(["test", "--quiet", "-p", "ghinda", "--test", "browser", "--"]);
        succeed(cargo.args(["--exact", "--nocapture", test]).env(variable, "1"))
    })?;
    Ok(ExitCode::SUCCESS)
}
