//! The crates in ARCHITECTURE.md against what cargo knows: no arrow appears unnoticed.

use std::collections::BTreeSet;

use super::{Findings, Tree, numbered};
use crate::manifest::line_naming;
use crate::workspace::{Dependency, Kind, Package};

const ARCHITECTURE: &str = "ARCHITECTURE.md";
const CRATES: &str = "<!-- crates -->";
const DEPENDENCIES: &str = "<!-- dependencies -->";

/// Only what crosses a border is serialised: messages, stored events, and the programs around them.
/// The fuzz targets stand in for what sends the bodies of requests.
const SERDE: [&str; 2] = ["serde", "serde_json"];
const SERDE_CRATES: [&str; 8] =
    ["arena", "ids", "wire", "room", "server", "ghinda", "xtask", "ghinda-fuzz"];

pub(super) fn check(tree: &Tree, packages: &[Package]) -> Findings {
    let mut findings = Findings::default();
    let Some(architecture) = tree.text(ARCHITECTURE) else {
        findings.fault(ARCHITECTURE, 1, "is missing.");
        return findings;
    };
    for marker in [CRATES, DEPENDENCIES] {
        if table_after(architecture, marker).is_empty() {
            findings.fault(ARCHITECTURE, 1, format!("has no table after `{marker}`."));
        }
    }
    let mut inspector = Inspector { tree, packages, findings };
    inspector.arrows(&table_after(architecture, CRATES));
    inspector.dependencies(&table_after(architecture, DEPENDENCIES));
    inspector.serde();
    inspector.findings
}

struct Inspector<'a> {
    tree: &'a Tree,
    packages: &'a [Package],
    findings: Findings,
}

impl Inspector<'_> {
    /// Every crate has a row, and knows only whom the row lets it know.
    fn arrows(&mut self, rows: &[Row<'_>]) {
        let packages = self.packages;
        let mut arrows = 0;
        for package in packages.iter().filter(|package| package.is_member()) {
            let name = package.name.as_str();
            let Some(row) = rows.iter().find(|row| row.names(0).contains(&name)) else {
                let sentence = format!("{ARCHITECTURE} has no row for `{name}`.");
                self.findings.fault(&package.manifest, 1, sentence);
                continue;
            };
            let ours = package.dependencies.iter().filter(|other| is_ours(other, packages));
            for other in ours.filter(|other| other.kind != Kind::Dev) {
                arrows += 1;
                if !row.names(2).contains(&other.name.as_str()) {
                    self.blame(package, other, "may not be known here, says ARCHITECTURE.md.");
                }
            }
        }
        self.findings.checked.push((arrows, "arrows between crates"));
    }

    /// Every dependency from outside is argued, and nothing is argued that is not used.
    fn dependencies(&mut self, rows: &[Row<'_>]) {
        let argued: BTreeSet<&str> = rows.iter().flat_map(|row| row.names(0)).collect();
        let mut used = BTreeSet::new();
        let packages = self.packages;
        for package in packages {
            for other in package.dependencies.iter().filter(|other| !is_ours(other, packages)) {
                used.insert(other.name.as_str());
                if !argued.contains(other.name.as_str()) {
                    self.blame(package, other, "is not argued in ARCHITECTURE.md.");
                }
            }
        }
        for row in rows {
            for name in row.names(0).into_iter().filter(|name| !used.contains(name)) {
                let sentence = format!("`{name}` has a reason here, but no crate uses it.");
                self.findings.fault(ARCHITECTURE, row.line, sentence);
            }
        }
        self.findings.checked.push((used.len(), "dependencies"));
    }

    fn serde(&mut self) {
        let may_not = |package: &&Package| !SERDE_CRATES.contains(&package.name.as_str());
        for package in self.packages.iter().filter(may_not) {
            for other in package.dependencies.iter().filter(|other| other.kind != Kind::Dev) {
                if SERDE.contains(&other.name.as_str()) {
                    self.blame(package, other, "is only for crates at a border.");
                }
            }
        }
    }

    fn blame(&mut self, package: &Package, dependency: &Dependency, why: &str) {
        let manifest = self.tree.text(&package.manifest).unwrap_or_default();
        let line = line_naming(manifest, &dependency.name);
        self.findings.fault(&package.manifest, line, format!("`{}` {why}", dependency.name));
    }
}

fn is_ours(dependency: &Dependency, packages: &[Package]) -> bool {
    packages.iter().any(|package| package.name == dependency.name)
}

/// One row of a Markdown table.
struct Row<'a> {
    line: usize,
    cells: Vec<&'a str>,
}

impl<'a> Row<'a> {
    /// The names in backticks of one column.
    fn names(&self, column: usize) -> Vec<&'a str> {
        let cell = self.cells.get(column).copied().unwrap_or_default();
        cell.split('`').skip(1).step_by(2).collect()
    }
}

/// The rows of the first table after a marker, without its two lines of heading.
fn table_after<'a>(text: &'a str, marker: &str) -> Vec<Row<'a>> {
    let after = numbered(text).skip_while(|(_, line)| line.trim() != marker);
    let table = after
        .skip_while(|(_, line)| !line.starts_with('|'))
        .take_while(|(_, line)| line.starts_with('|'));
    let cells = |line: &'a str| line.trim().trim_matches('|').split('|').map(str::trim).collect();
    table.skip(2).map(|(line, row)| Row { line, cells: cells(row) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# House
<!-- crates -->

| crate | what lives there | may know | must not |
|---|---|---|---|
| `cards` | cards | nothing | know a game |
| `game` | rules | `cards` | do IO |

<!-- dependencies -->
| crate | why |
|---|---|
| `serde`, `anyhow` | because |
";

    fn package(name: &str, dependencies: &[(&str, Kind)]) -> Package {
        let dependency = |&(name, kind): &(&str, Kind)| Dependency { name: name.to_owned(), kind };
        Package {
            name: name.to_owned(),
            manifest: format!("crates/{name}/Cargo.toml"),
            crate_roots: Vec::new(),
            dependencies: dependencies.iter().map(dependency).collect(),
        }
    }

    fn faults(packages: &[Package]) -> Vec<String> {
        check(&Tree::of(&[(ARCHITECTURE, TEXT)]), packages).faults
    }

    #[test]
    fn tables_are_found_by_their_markers() {
        let rows = table_after(TEXT, CRATES);
        assert_eq!(rows.iter().map(|row| row.line).collect::<Vec<_>>(), [6, 7]);
        assert_eq!((rows[1].names(0), rows[1].names(2)), (vec!["game"], vec!["cards"]));
        assert_eq!(table_after(TEXT, DEPENDENCIES)[0].names(0), ["serde", "anyhow"]);
        assert!(table_after(TEXT, "<!-- garden -->").is_empty());
    }

    #[test]
    fn listed_arrows_and_arrows_of_tests_pass() {
        let dev = ["game", "anyhow", "serde"].map(|name| (name, Kind::Dev));
        let packages = [package("cards", &dev), package("game", &[("cards", Kind::Normal)])];
        assert_eq!(faults(&packages), Vec::<String>::new());
    }

    #[test]
    fn unlisted_arrows_dependencies_and_crates_are_faults() {
        let cards = package("cards", &[("game", Kind::Build), ("serde", Kind::Normal)]);
        let game = package("game", &[("libc", Kind::Dev)]);
        let expected = [
            "crates/cards/Cargo.toml:1: `game` may not be known here, says ARCHITECTURE.md.",
            "crates/cellar/Cargo.toml:1: ARCHITECTURE.md has no row for `cellar`.",
            "crates/game/Cargo.toml:1: `libc` is not argued in ARCHITECTURE.md.",
            "ARCHITECTURE.md:12: `anyhow` has a reason here, but no crate uses it.",
            "crates/cards/Cargo.toml:1: `serde` is only for crates at a border.",
        ];
        assert_eq!(faults(&[cards, game, package("cellar", &[])]), expected);
    }
}
