//! House rules that no compiler knows: every fault is reported at once, then the check fails.
//!
//! The files are read once, and each module judges them as plain values.

mod crates;
mod links;
mod promises;
mod rulebook;
mod sources;
mod words;

use std::collections::BTreeSet;
use std::fs;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use crate::no_options;
use crate::steps::{step, written_by};
use crate::workspace::Workspace;

/// What one module found, as `path:line: sentence`, and how much it looked at.
#[derive(Default)]
struct Findings {
    faults: Vec<String>,
    checked: Vec<(usize, &'static str)>,
}

impl Findings {
    fn fault(&mut self, path: &str, line: usize, sentence: impl AsRef<str>) {
        self.faults.push(format!("{path}:{line}: {}", sentence.as_ref()));
    }
}

/// A file as git would keep it; paths are relative to the root, with slashes.
struct TextFile {
    path: String,
    text: String,
}

/// All files that are tracked or could be: files that git ignores are not checked.
struct Tree {
    paths: BTreeSet<String>,
    texts: Vec<TextFile>,
}

impl Tree {
    fn read(workspace: &Workspace) -> Result<Self> {
        let mut git = workspace.command("git");
        let listed = written_by(git.args(["ls-files", "-z", "-co", "--exclude-standard"]))?;
        let mut tree = Self { paths: BTreeSet::new(), texts: Vec::new() };
        for path in listed.stdout.split_terminator('\0') {
            let place = workspace.root.join(path);
            // Listed but gone: deleted and not yet committed.
            if !place.is_file() {
                continue;
            }
            tree.paths.insert(path.to_owned());
            let bytes = fs::read(&place).with_context(|| path.to_owned())?;
            if let Ok(text) = String::from_utf8(bytes) {
                tree.texts.push(TextFile { path: path.to_owned(), text });
            }
        }
        Ok(tree)
    }

    fn text(&self, path: &str) -> Option<&str> {
        self.texts.iter().find(|file| file.path == path).map(|file| file.text.as_str())
    }

    #[cfg(test)]
    fn of(files: &[(&str, &str)]) -> Self {
        let text_file = |&(path, text): &(&str, &str)| TextFile {
            path: path.to_owned(),
            text: text.to_owned(),
        };
        let paths = files.iter().map(|&(path, _)| path.to_owned()).collect();
        Self { paths, texts: files.iter().map(text_file).collect() }
    }
}

pub(crate) fn chore(workspace: &Workspace, options: &[&str]) -> Result<ExitCode> {
    no_options(options)?;
    step("tidy", || check(workspace))?;
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn check(workspace: &Workspace) -> Result<()> {
    let tree = Tree::read(workspace)?;
    let packages = workspace.packages()?;
    let all = [
        crates::check(&tree, &packages),
        sources::check(&tree, &packages),
        rulebook::check(&tree),
        links::check(&tree),
        promises::check(&tree),
        words::check(&tree),
    ];
    let checked = all.iter().flat_map(|findings| &findings.checked);
    let checked: Vec<String> = checked.map(|(count, what)| format!("{count} {what}")).collect();
    println!("   checked {}.", checked.join(", "));
    let faults: Vec<&String> = all.iter().flat_map(|findings| &findings.faults).collect();
    for fault in &faults {
        println!("{fault}");
    }
    match faults.len() {
        0 => Ok(()),
        1 => bail!("there is one fault, listed above."),
        count => bail!("there are {count} faults, listed above."),
    }
}

/// The numbered lines of a text.
fn numbered(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().map(|(index, line)| (index + 1, line))
}

/// The numbered lines of a Markdown text that stand outside fenced code.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fenced = false;
    numbered(text).filter(move |(_, line)| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fenced && !fence
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fenced_code_is_no_prose() {
        let lines: Vec<usize> = prose("a\n```\n# b\n```\nc\n").map(|(line, _)| line).collect();
        assert_eq!(lines, [1, 5]);
    }
}
