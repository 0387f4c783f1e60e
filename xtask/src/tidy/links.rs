//! Relative links in Markdown lead to files that git keeps.

use super::{Findings, Tree, prose};

pub(super) fn check(tree: &Tree) -> Findings {
    let mut findings = Findings::default();
    let mut links = 0;
    for file in tree.texts.iter().filter(|file| file.path.ends_with(".md")) {
        for (line, text) in prose(&file.text) {
            for target in targets(text).into_iter().filter(|target| is_relative(target)) {
                links += 1;
                if !leads_somewhere(tree, &file.path, target) {
                    findings.fault(&file.path, line, format!("the link `{target}` leads nowhere."));
                }
            }
        }
    }
    findings.checked.push((links, "relative links"));
    findings
}

/// Targets of `[text](target "title")` and `[label]: target`, outside code spans.
fn targets(line: &str) -> Vec<&str> {
    let word = |text: &'_ str| -> usize { text.find([')', ' ']).unwrap_or(text.len()) };
    let mut found = Vec::new();
    if let Some((label, target)) = line.split_once("]: ")
        && label.starts_with('[')
        && !label.starts_with("[^")
    {
        found.push(&target[..word(target)]);
    }
    for (at, opening) in line.match_indices("](") {
        let in_code = line[..at].matches('`').count() % 2 == 1;
        let target = &line[at + opening.len()..];
        if !in_code {
            found.push(&target[..word(target)]);
        }
    }
    found.into_iter().map(|target| target.trim_matches(['<', '>'])).collect()
}

/// Neither an address with a scheme nor a place in the same file.
fn is_relative(target: &str) -> bool {
    let scheme = target.split_once(':').is_some_and(|(scheme, _)| !scheme.contains(['/', '#']));
    !scheme && !target.starts_with("//") && !target.starts_with('#') && !target.is_empty()
}

fn leads_somewhere(tree: &Tree, from: &str, target: &str) -> bool {
    let path = target.split(['#', '?']).next().unwrap_or_default();
    let Some(path) = resolved(from, path) else { return false };
    let folder = if path.is_empty() { path.clone() } else { format!("{path}/") };
    tree.paths.contains(&path) || tree.paths.iter().any(|other| other.starts_with(&folder))
}

/// The path that a link means, from the root; None when it leaves the repository.
fn resolved(from: &str, target: &str) -> Option<String> {
    let from_root = target.starts_with('/');
    let mut parts: Vec<&str> = if from_root { Vec::new() } else { from.split('/').collect() };
    parts.pop();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => _ = parts.pop()?,
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_read_from_both_kinds_of_links() {
        assert_eq!(targets("see [a](b.md#c), ![d](e.png \"f\") and `[g](h)`"), ["b.md#c", "e.png"]);
        assert_eq!(targets("[`code`](crates/game) in a link"), ["crates/game"]);
        assert_eq!(targets("[label]: <docs/a.md>"), ["docs/a.md"]);
        assert_eq!(targets("[^1]: a footnote"), Vec::<&str>::new());
    }

    #[test]
    fn only_relative_targets_are_ours_to_check() {
        for other in ["https://example.org", "mailto:a@example.org", "#here", "//example.org"] {
            assert!(!is_relative(other), "{other}");
        }
        assert!(is_relative("docs/a.md#b:c"));
    }

    #[test]
    fn links_are_followed_from_their_file() {
        let tree = Tree::of(&[("docs/a.md", ""), ("README.md", ""), ("docs/rules/c.md", "")]);
        for good in ["../README.md", "rules/c.md#C1", "./a.md", "rules", "/docs/", ".."] {
            assert!(leads_somewhere(&tree, "docs/a.md", good), "{good}");
        }
        for bad in ["README.md", "../../README.md", "rules/d.md", "rul"] {
            assert!(!leads_somewhere(&tree, "docs/a.md", bad), "{bad}");
        }
    }

    #[test]
    fn a_dead_link_is_told_with_its_line() {
        let findings = check(&Tree::of(&[("a.md", "text\n[b](b.md)\n```\n[c](c.md)\n```\n")]));
        assert_eq!(findings.faults, ["a.md:2: the link `b.md` leads nowhere."]);
    }
}
