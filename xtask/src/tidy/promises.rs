//! Every test that SECURITY.md names for a promise exists, and is run as a test.

use super::{Findings, TextFile, Tree, prose};

const DOCUMENT: &str = "SECURITY.md";
/// Names with fewer are words of the protocol and metrics.
const LEAST_UNDERSCORES: usize = 3;
/// How far above a function its attributes may stand.
const ATTRIBUTES: usize = 8;

pub(super) fn check(tree: &Tree) -> Findings {
    let mut findings = Findings::default();
    let sources: Vec<&TextFile> =
        tree.texts.iter().filter(|file| file.path.ends_with(".rs")).collect();
    let mut count = 0;
    for (line, text) in prose(tree.text(DOCUMENT).unwrap_or_default()) {
        for name in text.split('`').skip(1).step_by(2).filter(|name| is_test_name(name)) {
            count += 1;
            if !sources.iter().any(|file| is_test(&file.text, name)) {
                findings.fault(DOCUMENT, line, format!("there is no test `{name}`."));
            }
        }
    }
    findings.checked.push((count, "tests behind promises"));
    findings
}

fn is_test_name(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    let is_metric = name.starts_with("ghinda_");
    !is_metric && name.bytes().all(plain) && name.matches('_').count() >= LEAST_UNDERSCORES
}

/// Whether a source has a test of this name: a function with the attribute of a test, or one that a macro
/// lists to run it on several databases.
fn is_test(source: &str, name: &str) -> bool {
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    let opening = format!("fn {name}(");
    let Some(at) = lines.iter().position(|line| line.contains(&opening)) else { return false };
    let above = lines[..at].iter().rev().take(ATTRIBUTES);
    let attributes = above.take_while(|line| line.starts_with("#[") || line.starts_with("//"));
    let has_attribute = attributes.into_iter().any(|line| {
        let is_attribute = line.starts_with("#[");
        is_attribute && (line.contains("test]") || line.contains("test("))
    });
    has_attribute || lines.contains(&format!("{name},").as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_promise_without_a_test_is_a_fault() {
        let source = "//! a\n\
             on_databases!(\n    a_log_is_kept_whole,\n);\n\
             async fn a_log_is_kept_whole(place: &Place) {}\n\
             #[tokio::test(start_paused = true)]\n// why\nasync fn time_is_stored_every_minute() {}\n\
             fn this_is_no_test() {}\n";
        let document = "`a_log_is_kept_whole`, `time_is_stored_every_minute`, `this_is_no_test`,\n\
             `nobody_has_written_this`, `too_many_tries`, `ghinda_quota_refusals_total`, `a_b_c d`\n";
        let tree = Tree::of(&[("crates/a/src/lib.rs", source), (DOCUMENT, document)]);
        let findings = check(&tree);
        assert_eq!(
            findings.faults,
            [
                "SECURITY.md:1: there is no test `this_is_no_test`.",
                "SECURITY.md:2: there is no test `nobody_has_written_this`.",
            ]
        );
        assert_eq!(findings.checked, [(4, "tests behind promises")]);
    }
}
