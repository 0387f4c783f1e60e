//! Rules about single files: how a source file begins and ends, and words that no file should hold.

use super::{Findings, TextFile, Tree, numbered};
use crate::manifest::values;
use crate::workspace::Package;

const SOURCE_FOLDERS: [&str; 3] = ["crates/", "xtask/", "fuzz/"];
const MAX_LINES: usize = 800;
const MAX_FUNCTION: usize = 70;
const FORBID: &str = "#![forbid(unsafe_code)]";

/// What no finished change holds; in halves here and below, lest this file accuse itself.
const LEFT_OVERS: [&str; 6] = [
    concat!("to", "do!("),
    concat!("unimple", "mented!("),
    concat!("db", "g!("),
    concat!("FIX", "ME"),
    concat!("XX", "X"),
    concat!("#[ig", "nore"),
];

/// Folders of one machine, that mean nothing on the next.
const MACHINE_FOLDERS: [&str; 3] =
    [concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/ho", "me/")];

pub(super) fn check(tree: &Tree, packages: &[Package]) -> Findings {
    let mut findings = Findings::default();
    for file in &tree.texts {
        machine_paths(file, &mut findings);
    }
    let sources: Vec<&TextFile> = tree.texts.iter().filter(|file| is_source(&file.path)).collect();
    for file in &sources {
        shape(file, &mut findings);
        functions(file, &mut findings);
        left_overs(file, &mut findings);
    }
    for package in packages {
        unsafe_code(tree, package, &mut findings);
    }
    findings.checked.push((tree.texts.len(), "text files"));
    findings.checked.push((sources.len(), "source files"));
    findings
}

fn is_source(path: &str) -> bool {
    path.ends_with(".rs") && SOURCE_FOLDERS.iter().any(|folder| path.starts_with(folder))
}

/// A file says first what it is for, and is not longer than a person reads.
fn shape(file: &TextFile, findings: &mut Findings) {
    let is_shebang = |line: &&str| line.starts_with("#!") && !line.starts_with("#![");
    let first = file.text.lines().find(|line| !is_shebang(line)).unwrap_or_default();
    if !first.starts_with("//!") {
        findings.fault(&file.path, 1, "does not begin with `//!`, saying what it is for.");
    }
    let lines = file.text.lines().count();
    if lines > MAX_LINES {
        let sentence = format!("a file of {lines} lines is two; {MAX_LINES} is the most.");
        findings.fault(&file.path, lines, sentence);
    }
}

/// A function fits a screen. Formatted code closes a function with a brace under its first letter.
fn functions(file: &TextFile, findings: &mut Findings) {
    let lines: Vec<&str> = file.text.lines().collect();
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| opens_function(line)) {
        let indent = &line[..line.len() - line.trim_start().len()];
        let ends = |line: &&str| {
            let rest = line.strip_prefix(indent).filter(|rest| !rest.starts_with(' '));
            rest.is_some_and(|rest| rest.ends_with(['}', ';']))
        };
        let end = lines[at..].iter().position(ends);
        if let Some(length) = end.map(|end| end + 1).filter(|length| *length > MAX_FUNCTION) {
            let sentence =
                format!("a function of {length} lines is two; {MAX_FUNCTION} is the most.");
            findings.fault(&file.path, at + 1, sentence);
        }
    }
}

fn opens_function(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let qualifiers = ["pub", "const", "async", "unsafe"];
    let qualifies = |word: &&str| qualifiers.contains(word) || word.starts_with("pub(");
    words.find(|word| !qualifies(word)) == Some("fn")
}

fn left_overs(file: &TextFile, findings: &mut Findings) {
    for (number, line) in numbered(&file.text) {
        for needle in LEFT_OVERS.iter().filter(|needle| line.contains(**needle)) {
            findings.fault(&file.path, number, format!("`{needle}` is a left-over."));
        }
    }
}

/// Unsafe code is forbidden by the crate itself, or by the workspace whose lints it inherits. The
/// targets of `fuzz/` are free: the fuzzer's own macro writes an exported symbol into them.
fn unsafe_code(tree: &Tree, package: &Package, findings: &mut Findings) {
    let text = |path: &str| tree.text(path).unwrap_or_default();
    let inherits = values(text(&package.manifest), "[lints]", "workspace") == ["true"];
    let forbidden =
        values(text("Cargo.toml"), "[workspace.lints.rust]", "unsafe_code") == ["forbid"];
    if inherits && forbidden || package.manifest.starts_with("fuzz/") {
        return;
    }
    for root in package.crate_roots.iter().filter(|root| !text(root).contains(FORBID)) {
        findings.fault(root, 1, format!("lacks `{FORBID}`, and its package does not inherit it."));
    }
}

fn machine_paths(file: &TextFile, findings: &mut Findings) {
    for (number, line) in numbered(&file.text) {
        if let Some(folder) = MACHINE_FOLDERS.iter().find(|folder| has_path_under(line, folder)) {
            let sentence = format!("a path under `{folder}` exists on one machine only.");
            findings.fault(&file.path, number, sentence);
        }
    }
}

/// Whether an absolute path begins with the folder, rather than a longer path runs through it.
fn has_path_under(line: &str, folder: &str) -> bool {
    let continues = |c: char| c.is_alphanumeric() || "._-~})>*".contains(c);
    line.match_indices(folder).any(|(at, _)| !line[..at].ends_with(continues))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(files: &[(&str, &str)], packages: &[Package]) -> Vec<String> {
        check(&Tree::of(files), packages).faults
    }

    #[test]
    fn a_source_file_begins_with_its_purpose() {
        let good = [
            ("crates/a/src/lib.rs", "//! A.\n"),
            ("xtask/b.rs", "#!/usr/bin/env x\n//! B.\n"),
            ("c.rs", "fn c() {}\n"),
        ];
        assert_eq!(faults(&good, &[]), Vec::<String>::new());
        let bad = [("fuzz/a.rs", "#![no_main]\n//! A.\n"), ("crates/a/src/empty.rs", "")];
        assert_eq!(faults(&bad, &[]).len(), 2);
    }

    #[test]
    fn eight_hundred_lines_are_the_most() {
        let lines = |count: usize| "//! Long.\n".repeat(count);
        assert_eq!(faults(&[("crates/a.rs", &lines(800))], &[]).len(), 0);
        assert_eq!(faults(&[("crates/a.rs", &lines(801))], &[]).len(), 1);
    }

    #[test]
    fn a_function_has_at_most_seventy_lines() {
        let function = |lines: usize| {
            let body = "        step();\n".repeat(lines - 2);
            format!("//! A.\nimpl A {{\n    pub(crate) async fn long() {{\n{body}    }}\n}}\n")
        };
        assert_eq!(faults(&[("crates/a.rs", &function(70))], &[]).len(), 0);
        let found = faults(&[("crates/a.rs", &function(71))], &[]);
        assert_eq!(found, ["crates/a.rs:3: a function of 71 lines is two; 70 is the most."]);
        let many = "fn short() {}\n".repeat(100);
        assert_eq!(faults(&[("crates/a.rs", &format!("//! A.\n{many}"))], &[]).len(), 0);
    }

    #[test]
    fn every_left_over_is_found_at_its_line() {
        for needle in LEFT_OVERS {
            let found = faults(&[("crates/a.rs", &format!("//! A.\n// {needle}\n"))], &[]);
            assert_eq!(found, [format!("crates/a.rs:2: `{needle}` is a left-over.")]);
        }
    }

    #[test]
    fn machine_paths_are_told_from_parts_of_other_paths() {
        for folder in MACHINE_FOLDERS {
            assert!(has_path_under(&format!("cd {folder}somebody"), folder));
            assert!(has_path_under(&format!("{folder}x"), folder));
            assert!(!has_path_under(&format!("docs{folder}somebody"), folder));
        }
    }

    #[test]
    fn unsafe_code_is_forbidden_in_the_crate_or_by_inheritance() {
        let package = || Package {
            name: "a".to_owned(),
            manifest: "crates/a/Cargo.toml".to_owned(),
            crate_roots: vec!["crates/a/src/lib.rs".to_owned()],
            dependencies: Vec::new(),
        };
        let workspace = ("Cargo.toml", "[workspace.lints.rust]\nunsafe_code = \"forbid\"\n");
        let heir = ("crates/a/Cargo.toml", "[lints]\nworkspace = true\n");
        let plain = ("crates/a/src/lib.rs", "//! A.\n");
        let own = ("crates/a/src/lib.rs", "//! A.\n#![forbid(unsafe_code)]\n");
        assert_eq!(faults(&[workspace, heir, plain], &[package()]).len(), 0);
        assert_eq!(faults(&[workspace, own], &[package()]).len(), 0);
        assert_eq!(faults(&[workspace, plain], &[package()]).len(), 1);
        assert_eq!(faults(&[heir, plain], &[package()]).len(), 1);
    }
}
