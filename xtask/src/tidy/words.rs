//! One name, one type: a reader who has met a type must not meet another of the same name.

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

pub(super) fn check(tree: &Tree) -> Findings {
    let mut findings = Findings::default();
    let mut places: BTreeMap<&str, Vec<(&str, usize)>> = BTreeMap::new();
    let is_source =
        |path: &str| path.ends_with(".rs") && path.contains("/src/") && !path.starts_with("fuzz/");
    for file in tree.texts.iter().filter(|file| is_source(&file.path)) {
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
    findings
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
            [("crates/a/src/lib.rs", "struct Desk;\n"), ("crates/b/src/lib.rs", "enum Desk {}\n")];
        let faults = check(&Tree::of(&both)).faults;
        assert!(faults.iter().any(|fault| fault.contains("`Desk`")), "{faults:?}");
        let faults = check(&Tree::of(&both[..1])).faults;
        assert!(!faults.iter().any(|fault| fault.contains("`Desk`")), "{faults:?}");
    }
}
