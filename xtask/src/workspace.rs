//! The metadata of cargo about this workspace: its folder, its members, and their dependencies.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::steps::written_by;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Normal,
    Build,
    Dev,
}

#[derive(Debug)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    pub(crate) kind: Kind,
}

/// A member; its paths are relative to the root of the workspace.
#[derive(Debug)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) manifest: String,
    /// Root files of its library and binaries.
    pub(crate) crate_roots: Vec<String>,
    pub(crate) dependencies: Vec<Dependency>,
}

impl Package {
    /// Whether it is one of the crates of the product, and not a tool such as xtask or fuzz.
    pub(crate) fn is_member(&self) -> bool {
        self.manifest.starts_with("crates/")
    }
}

/// The folder of the workspace and its build folder.
pub(crate) struct Workspace {
    pub(crate) root: PathBuf,
    pub(crate) target: PathBuf,
}

impl Workspace {
    /// Asks cargo about the workspace around the current folder.
    pub(crate) fn load() -> Result<Self> {
        let answer = metadata(&mut Command::new("cargo"))?;
        let root = PathBuf::from(text(&answer, "workspace_root")?);
        let target = PathBuf::from(text(&answer, "target_directory")?);
        Ok(Self { root, target })
    }

    /// The members, and those of `fuzz/`, which has a workspace of its own.
    pub(crate) fn packages(&self) -> Result<Vec<Package>> {
        let mut all = packages(&metadata(&mut self.cargo())?, &self.root)?;
        let fuzz = self.root.join("fuzz");
        if fuzz.join("Cargo.toml").exists() {
            let answer = metadata(self.cargo().current_dir(fuzz))?;
            all.extend(packages(&answer, &self.root)?);
        }
        Ok(all)
    }

    /// A command that runs in the root folder.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.root);
        command
    }

    /// Cargo without the variables about xtask: build scripts that read them would run again, and
    /// many crates would be built again.
    pub(crate) fn cargo(&self) -> Command {
        let mut cargo = self.command("cargo");
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
                cargo.env_remove(&name);
            }
        }
        cargo
    }

    /// The path of a release build: `ghinda`, `examples/playouts`.
    pub(crate) fn release(&self, name: &str) -> PathBuf {
        self.program("release", name)
    }

    /// The path of a program that was built with a profile.
    pub(crate) fn program(&self, profile: &str, name: &str) -> PathBuf {
        self.target.join(profile).join(name)
    }
}

fn metadata(cargo: &mut Command) -> Result<Value> {
    let written = written_by(cargo.args(["metadata", "--no-deps", "--format-version", "1"]))?;
    serde_json::from_str(&written.stdout).context("cargo metadata wrote invalid JSON")
}

fn packages(answer: &Value, root: &Path) -> Result<Vec<Package>> {
    list(answer, "packages")?.iter().map(|package| self::package(package, root)).collect()
}

fn package(value: &Value, root: &Path) -> Result<Package> {
    let relative = |path: &str| {
        Path::new(path).strip_prefix(root).unwrap_or(Path::new(path)).display().to_string()
    };
    let is_crate = |target: &&Value| {
        target["kind"].as_array().is_some_and(|kinds| kinds.iter().any(is_lib_or_bin))
    };
    let crate_roots = list(value, "targets")?.iter().filter(is_crate);
    let crate_roots = crate_roots.map(|target| Ok(relative(text(target, "src_path")?)));
    let dependencies = list(value, "dependencies")?.iter().map(dependency);
    Ok(Package {
        name: text(value, "name")?.to_owned(),
        manifest: relative(text(value, "manifest_path")?),
        crate_roots: crate_roots.collect::<Result<_>>()?,
        dependencies: dependencies.collect::<Result<_>>()?,
    })
}

fn is_lib_or_bin(kind: &Value) -> bool {
    kind.as_str().is_some_and(|kind| kind == "bin" || kind.ends_with("lib") || kind == "proc-macro")
}

fn dependency(value: &Value) -> Result<Dependency> {
    let kind = match value["kind"].as_str() {
        Some("dev") => Kind::Dev,
        Some("build") => Kind::Build,
        _ => Kind::Normal,
    };
    Ok(Dependency { name: text(value, "name")?.to_owned(), kind })
}

fn text<'a>(value: &'a Value, key: &str) -> Result<&'a str> {
    value[key].as_str().with_context(|| format!("cargo metadata gave no text `{key}`"))
}

fn list<'a>(value: &'a Value, key: &str) -> Result<&'a [Value]> {
    let list = value[key].as_array();
    Ok(list.with_context(|| format!("cargo metadata gave no list `{key}`"))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_has_the_fields_for_the_checks() {
        let answer = serde_json::json!({ "packages": [{
            "name": "game",
            "manifest_path": "/repo/crates/game/Cargo.toml",
            "targets": [
                { "kind": ["lib"], "src_path": "/repo/crates/game/src/lib.rs" },
                { "kind": ["example"], "src_path": "/repo/crates/game/examples/playouts.rs" },
            ],
            "dependencies": [{ "name": "cards", "kind": null }, { "name": "libc", "kind": "dev" }],
        }]});
        let game = packages(&answer, Path::new("/repo")).unwrap().remove(0);
        assert_eq!(game.manifest, "crates/game/Cargo.toml");
        assert_eq!(game.crate_roots, ["crates/game/src/lib.rs"]);
        let kinds: Vec<Kind> = game.dependencies.iter().map(|other| other.kind).collect();
        assert_eq!(kinds, [Kind::Normal, Kind::Dev]);
        assert!(game.is_member());
    }
}
