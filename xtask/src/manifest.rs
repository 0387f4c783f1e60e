//! Reads the subset of TOML in the manifests of this project: a table's header, then `key = value`
//! lines.

/// The values of `key`, without quotes, in every table with this header: `[[bin]]` has many.
pub(crate) fn values<'a>(text: &'a str, header: &str, key: &str) -> Vec<&'a str> {
    let mut inside = false;
    let mut found = Vec::new();
    for line in text.lines().map(str::trim) {
        if line.starts_with('[') {
            inside = line == header;
        } else if let Some((name, value)) = line.split_once('=')
            && inside
            && name.trim() == key
        {
            let value = value.split('#').next().unwrap_or_default();
            found.push(value.trim().trim_matches('"'));
        }
    }
    found
}

/// The line in which a manifest names a dependency, for fault messages; 1 if it is not found.
pub(crate) fn line_naming(text: &str, dependency: &str) -> usize {
    let is_naming = |line: &str| {
        let rest = line.trim().strip_prefix(dependency);
        rest.is_some_and(|rest| rest.starts_with([' ', '=', '.']))
    };
    text.lines().position(is_naming).map_or(1, |index| index + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "[package]
name = \"fuzz\"
[[bin]]
name = \"notation\" # typed by people
path = \"a.rs\"
[[bin]]
name = \"record\"
[dependencies]
serde_json.workspace = true
serde = \"1\"
";

    #[test]
    fn values_come_from_tables_of_that_header_only() {
        assert_eq!(values(TEXT, "[[bin]]", "name"), ["notation", "record"]);
        assert_eq!(values(TEXT, "[lints]", "workspace"), Vec::<&str>::new());
    }

    #[test]
    fn a_dependency_is_not_confused_with_a_longer_name() {
        assert_eq!(line_naming(TEXT, "serde"), 10);
        assert_eq!(line_naming(TEXT, "serde_json"), 9);
        assert_eq!(line_naming(TEXT, "tokio"), 1);
    }
}
