//! Tools from PyPI in an environment of their own under target, with pinned versions.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::setup;
use crate::steps::{succeed, written_by};
use crate::workspace::Workspace;

/// Creates the environment once, and again for other versions. Its programs are in the folder
/// `bin`.
pub(crate) fn tools(workspace: &Workspace, folder: &Path, wanted: &[(&str, &str)]) -> Result<()> {
    let python = folder.join("bin/python");
    let version = "import importlib.metadata as m, sys; print(m.version(sys.argv[1]))";
    let is_installed = |(name, wanted): &(&str, &str)| {
        let found = written_by(Command::new(&python).args(["-c", version, name]));
        found.is_ok_and(|found| found.stdout.trim() == *wanted)
    };
    if wanted.iter().all(is_installed) {
        return Ok(());
    }
    setup::packages(&[setup::PYTHON, setup::PYTHON_VENV])?;
    succeed(workspace.command("python3").args(["-m", "venv"]).arg(folder))?;
    let pins = wanted.iter().map(|(name, version)| format!("{name}=={version}"));
    succeed(Command::new(&python).args(["-m", "pip", "install", "--quiet"]).args(pins))
}
