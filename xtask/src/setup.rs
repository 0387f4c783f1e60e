//! Installs what a new Debian machine with rustup lacks: only that, and never silently.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use crate::browser;
use crate::steps::{succeed, works, written_by};
use crate::workspace::Workspace;

/// A Debian package and the command that succeeds once it is installed.
pub(crate) struct DebianPackage {
    name: &'static str,
    probe: &'static [&'static str],
}

pub(crate) const VALGRIND: DebianPackage =
    DebianPackage { name: "valgrind", probe: &["valgrind", "--version"] };
pub(crate) const PYTHON: DebianPackage =
    DebianPackage { name: "python3", probe: &["python3", "--version"] };
pub(crate) const PYTHON_VENV: DebianPackage =
    DebianPackage { name: "python3-venv", probe: &["python3", "-c", "import ensurepip, venv"] };
/// For its checker of units; it starts nothing.
pub(crate) const SYSTEMD: DebianPackage =
    DebianPackage { name: "systemd", probe: &["systemd-analyze", "--version"] };
/// Runs npm; the measured servers get a newer Node from npm.
pub(crate) const NODE: DebianPackage =
    DebianPackage { name: "nodejs", probe: &["node", "--version"] };
pub(crate) const NPM: DebianPackage = DebianPackage { name: "npm", probe: &["npm", "--version"] };
/// Debian keeps server programs off the PATH. The tests start their own servers.
pub(crate) const POSTGRESQL: DebianPackage = DebianPackage {
    name: "postgresql",
    probe: &["sh", "-c", "command -v initdb || ls /usr/lib/postgresql/*/bin/initdb"],
};

/// A real browser for the tests of the page, and its driver.
pub(crate) const CHROMIUM: DebianPackage =
    DebianPackage { name: "chromium", probe: &["chromium", "--version"] };
pub(crate) const CHROMIUM_DRIVER: DebianPackage =
    DebianPackage { name: "chromium-driver", probe: &["chromedriver", "--version"] };

/// The target of the web client.
pub(crate) const WASM: &str = "wasm32-unknown-unknown";

/// Installs everything that `cargo xtask test` needs; python3 runs the deal checker of one of the
/// tests, and the store is tested on a real PostgreSQL.
pub(crate) fn ready(workspace: &Workspace) -> Result<()> {
    for (component, subcommand) in [("rustfmt", "fmt"), ("clippy", "clippy")] {
        if !works(workspace.cargo().args([subcommand, "--version"])) {
            println!("   {component} is missing; rustup installs it.");
            succeed(workspace.command("rustup").args(["component", "add", component]))?;
        }
    }
    wasm(workspace)?;
    packages(&[VALGRIND, PYTHON, POSTGRESQL, CHROMIUM, CHROMIUM_DRIVER])?;
    browser::axe(workspace)
}

/// Installs the target of the web client.
pub(crate) fn wasm(workspace: &Workspace) -> Result<()> {
    let mut rustc = workspace.command("rustc");
    let folder = written_by(rustc.args(["--print", "target-libdir", "--target", WASM]))?.stdout;
    if !Path::new(folder.trim()).is_dir() {
        println!("   the target {WASM} is missing; rustup installs it.");
        succeed(workspace.command("rustup").args(["target", "add", WASM]))?;
    }
    Ok(())
}

/// Installs the missing packages with apt-get, as root or with a sudo that does not ask.
pub(crate) fn packages(wanted: &[DebianPackage]) -> Result<()> {
    let missing = wanted.iter().filter(|package| !is_installed(package));
    let missing: Vec<&str> = missing.map(|package| package.name).collect();
    if missing.is_empty() {
        println!("   nothing is missing.");
        return Ok(());
    }
    let names = missing.join(", ");
    println!("   missing: {names}.");
    if !works(Command::new("apt-get").arg("--version")) {
        bail!("install by hand: {names}. There is no apt-get here to do it.");
    }
    // A new machine has no package lists yet.
    succeed(apt_get()?.arg("update"))?;
    succeed(apt_get()?.args(["install", "-y", "--no-install-recommends"]).args(missing))
}

fn is_installed(package: &DebianPackage) -> bool {
    match package.probe {
        [program, arguments @ ..] => works(Command::new(program).args(arguments)),
        [] => true,
    }
}

/// apt-get with the rights to install; `env` sets the variable because sudo would drop it. It waits
/// for the updates of a new machine.
fn apt_get() -> Result<Command> {
    let is_root = written_by(Command::new("id").arg("-u"))?.stdout.trim() == "0";
    let mut command = Command::new(if is_root { "env" } else { "sudo" });
    if !is_root {
        command.args(["-n", "env"]);
    }
    command.args(["DEBIAN_FRONTEND=noninteractive", "apt-get", "-o", "DPkg::Lock::Timeout=300"]);
    Ok(command)
}
