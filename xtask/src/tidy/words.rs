//! One name, one type: a reader who has met a type must not meet another of the same name, and finds the
//! types that the glossary of ARCHITECTURE.md names.

use std::collections::BTreeMap;

use super::{Findings, Tree, numbered};

/// Names that stand for more than one type, and why.
const SHARED: [(&str, usize, &str); 5] = [
    (
        "Rules",
        3,
        "the rules of a match, of Cruce and of whist: `Rules`, `cruce::Rules`, `whist::Rules`",
    ),
    ("Spec", 2, "`cruce::Spec` and `whist::Spec`"),
    ("Play", 2, "`cruce::Play` and `whist::Play`"),
    ("Solver", 2, "`cruce::Solver` and `whist::Solver`"),
    ("Millis", 2, "one alias in two crates that do not know each other"),
];

const ARCHITECTURE: &str = "ARCHITECTURE.md";
const GLOSSARY: &str = "<!-- glossary -->";

/// Where the types of each name are defined.
type Types<'a> = BTreeMap<&'a str, Vec<(&'a str, usize)>>;

pub(super) fn check(tree: &Tree) -> Findings {
    let mut findings = Findings::default();
    let mut places = Types::new();
    for file in tree.texts.iter().filter(|file| is_program(&file.path)) {
        for (number, line) in numbered(&file.text) {
            if let Some(name) = defined(line) {
                places.entry(name).or_default().push((&file.path, number));
            }
        }
    }
    for (name, places) in &places {
        let allowed = SHARED.iter().find(|(shared, ..)| shared == name).map_or(1, |known| known.1);
        if places.len() > allowed {
            let (path, line) = places[places.len() - 1];
            let (first, at) = places[0];
            let sentence = format!("`{name}` is also the name of a type at {first}:{at}.");
            findings.fault(path, line, sentence);
        }
    }
    for (name, allowed, _) in SHARED {
        let found = places.get(name).map_or(0, Vec::len);
        if found < allowed {
            let sentence = format!("`{name}` is allowed {allowed} times and stands {found} times.");
            findings.fault("xtask/src/tidy/words.rs", 1, sentence);
        }
    }
    findings.checked.push((places.len(), "names of types"));
    glossary(tree, &places, &mut findings);
    findings
}

/// Whether a file belongs to a program of ours: no test, no example. Build scripts do.
fn is_program(path: &str) -> bool {
    let other = ["/tests/", "/examples/", "fuzz/", "examples/"];
    path.ends_with(".rs") && !other.iter().any(|part| path.contains(part))
}

/// Checks that what the tables of the glossary name exists: types with what they have, modules and crates.
fn glossary(tree: &Tree, types: &Types<'_>, findings: &mut Findings) {
    let text = tree.text(ARCHITECTURE).unwrap_or_default();
    let mut rows = numbered(text).skip_while(|(_, line)| line.trim() != GLOSSARY).peekable();
    if rows.peek().is_none() {
        findings.fault(ARCHITECTURE, 1, format!("has no table after `{GLOSSARY}`."));
        return;
    }
    let mut named = 0;
    for (number, row) in rows.skip(1).take_while(|(_, line)| !line.starts_with("## ")) {
        if !row.starts_with('|') {
            continue;
        }
        for path in row.split('`').skip(1).step_by(2).flat_map(expanded) {
            let looks_like_a_path =
                path.contains("::") || path.starts_with(|letter: char| letter.is_uppercase());
            if looks_like_a_path {
                named += 1;
                if let Err(missing) = find(tree, types, &path) {
                    findings.fault(ARCHITECTURE, number, format!("`{path}`: no {missing}."));
                }
            }
        }
    }
    findings.checked.push((named, "names in the glossary"));
}

/// `a::{B, C}` as `a::B` and `a::C`.
fn expanded(path: &str) -> Vec<String> {
    let Some((before, rest)) = path.split_once('{') else { return vec![path.to_owned()] };
    rest.trim_end_matches('}').split(", ").map(|name| format!("{before}{name}")).collect()
}

/// Finds what a path names, or says what is missing.
fn find(tree: &Tree, types: &Types<'_>, path: &str) -> Result<(), String> {
    let is_type = |name: &str| name.starts_with(|letter: char| letter.is_uppercase());
    let segments: Vec<&str> = path.split("::").collect();
    let at = segments.iter().position(|name| is_type(name)).unwrap_or(segments.len());
    let (modules, names) = segments.split_at(at);
    let folder = match modules.first() {
        Some(first) => format!("crates/{}/", first.replace('_', "-")),
        None => String::new(),
    };
    if !tree.paths.iter().any(|path| path.starts_with(&folder)) {
        return Err(format!("crate {}", modules[0]));
    }
    for module in modules.iter().skip(1) {
        let files = [format!("/{module}.rs"), format!("/{module}/mod.rs")];
        let mut paths = tree.paths.iter().filter(|path| path.starts_with(&folder));
        if !paths.any(|path| files.iter().any(|file| path.ends_with(file))) {
            return Err(format!("module {module}"));
        }
    }
    let Some(name) = names.first() else { return Ok(()) };
    let places = types.get(name).map(Vec::as_slice).unwrap_or_default();
    let places: Vec<&(&str, usize)> =
        places.iter().filter(|(path, _)| path.starts_with(&folder)).collect();
    if places.is_empty() {
        return Err(format!(
            "type {name} in {}",
            if folder.is_empty() { "any crate" } else { &folder }
        ));
    }
    let Some(member) = names.get(1) else { return Ok(()) };
    // A variant or a field stands in the type; a method may be in another file of the crate.
    let in_type = places.iter().any(|(path, line)| {
        let text = tree.text(path).unwrap_or_default();
        let body = text.lines().skip(*line).take_while(|line| !line.starts_with('}'));
        body.map(|line| line.trim().trim_start_matches("pub ")).any(|line| is_named(line, member))
    });
    let head = format!("fn {member}(");
    let of_crates = |path: &str| places.iter().any(|(own, _)| same_crate(path, own));
    let is_method = || {
        let mut files = tree.texts.iter().filter(|file| of_crates(&file.path));
        !is_type(member) && files.any(|file| file.text.contains(&head))
    };
    if in_type || is_method() { Ok(()) } else { Err(format!("{member} in {name}")) }
}

/// Whether a line declares a variant, a field or a method of this name.
fn is_named(line: &str, name: &str) -> bool {
    let line = line.strip_prefix("fn ").unwrap_or(line);
    let rest = line.strip_prefix(name);
    rest.is_some_and(|rest| {
        !rest.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_')
    })
}

/// Whether two files are in the same crate.
fn same_crate(one: &str, other: &str) -> bool {
    let folder = |path: &str| path.split('/').take(2).map(str::to_owned).collect::<Vec<_>>();
    folder(one) == folder(other)
}

/// The type that a line defines. Associated types are indented and do not count.
fn defined(line: &str) -> Option<&str> {
    let rest = line.trim_start();
    let rest = match rest.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(") ")?.1,
        Some(rest) => rest.strip_prefix(' ')?,
        None => rest,
    };
    let (keyword, rest) = rest.split_once(' ')?;
    let kind = ["struct", "enum", "trait", "union"].contains(&keyword);
    if !kind && (keyword != "type" || line.starts_with(' ')) {
        return None;
    }
    let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
    let name = &rest[..end.unwrap_or(rest.len())];
    name.starts_with(|letter: char| letter.is_ascii_uppercase()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_recognised() {
        assert_eq!(defined("pub struct Card(u8);"), Some("Card"));
        assert_eq!(defined("    pub(crate) enum Kind<'a> {"), Some("Kind"));
        assert_eq!(defined("type Rows = Vec<u8>;"), Some("Rows"));
        assert_eq!(defined("    type Err = InvalidId;"), None);
        assert_eq!(defined("/// A struct Card."), None);
        assert_eq!(defined("let type_name = 1;"), None);
    }

    #[test]
    fn a_second_type_of_one_name_is_a_fault() {
        let both =
            [("crates/a/src/lib.rs", "struct Card;\n"), ("crates/b/src/lib.rs", "enum Card {}\n")];
        let faults = check(&Tree::of(&both)).faults;
        assert!(faults.iter().any(|fault| fault.contains("`Card`")), "{faults:?}");
        let faults = check(&Tree::of(&both[..1])).faults;
        assert!(!faults.iter().any(|fault| fault.contains("`Card`")), "{faults:?}");
    }

    const SOURCES: [(&str, &str); 3] = [
        (
            "crates/room/src/entry.rs",
            "pub enum Entry {\n    /// A bot.\n    StoodIn {\n    },\n}\n",
        ),
        ("crates/room/src/lib.rs", "impl Entry {\n    pub fn at(&self) {}\n}\n"),
        ("crates/table-view/src/scene/mod.rs", "struct Scene {\n    pub hand: u8,\n}\n"),
    ];

    /// The faults of a glossary that names a path.
    fn faults_of(path: &str) -> Vec<String> {
        let text =
            format!("# A\n<!-- glossary -->\n\n| word | where |\n|---|---|\n| x | `{path}` |\n");
        let files = [&[(ARCHITECTURE, text.as_str())][..], &SOURCES].concat();
        let faults = check(&Tree::of(&files)).faults;
        faults.into_iter().filter(|fault| fault.starts_with(ARCHITECTURE)).collect()
    }

    #[test]
    fn the_glossary_names_what_exists() {
        for right in [
            "Entry",
            "room::Entry",
            "room::entry::Entry::StoodIn",
            "room::{Entry, Entry::at}",
            "Entry::at",
            "table_view::scene::Scene::hand",
            "table_view::scene",
            "stood_in",
        ] {
            assert_eq!(faults_of(right), Vec::<String>::new(), "{right}");
        }
        for wrong in [
            "Exit",
            "Entry::StandIn",
            "Entry::Stood",
            "Entry::after",
            "table_view::Entry",
            "cellar::Entry",
            "room::exit",
            "room::{Entry, Exit}",
            "Scene::at",
        ] {
            assert_eq!(faults_of(wrong).len(), 1, "{wrong}");
        }
        let faults = check(&Tree::of(&SOURCES)).faults;
        assert!(faults.iter().any(|fault| fault.contains("has no table")), "{faults:?}");
    }

    #[test]
    fn build_scripts_are_programs_and_tests_are_not() {
        for path in
            ["crates/web-assets/build.rs", "crates/web-assets/shell.rs", "xtask/src/main.rs"]
        {
            assert!(is_program(path), "{path}");
        }
        for path in ["crates/room/tests/log.rs", "examples/bots/least.rs", "fuzz/fuzz_targets/x.rs"]
        {
            assert!(!is_program(path), "{path}");
        }
    }
}
