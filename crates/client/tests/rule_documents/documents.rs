//! A rule document: prose with places where examples stand.

use std::fs;
use std::path::Path;

use super::examples::Entry;

const OPEN: &str = "<!-- example ";
const CLOSE: &str = "<!-- /example -->";

pub struct Document {
    before: String,
    text: String,
}

impl Document {
    pub fn read(path: &Path) -> Document {
        let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        Document { before: text.clone(), text }
    }

    pub fn write(&self, path: &Path) {
        fs::write(path, &self.text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    }

    pub fn has_changed(&self) -> bool {
        self.before != self.text
    }

    /// The ids of the examples that it tells, in order.
    pub fn told(&self) -> Vec<String> {
        let places =
            self.text.lines().filter_map(|line| line.strip_prefix(OPEN)?.strip_suffix(" -->"));
        places.map(String::from).collect()
    }

    /// The ids that it should tell, in order.
    pub fn ids(&self, entries: &[&Entry]) -> Vec<String> {
        entries.iter().map(|entry| entry.id.clone()).collect()
    }

    /// Puts an example into its place.
    pub fn replace(&mut self, id: &str, example: &str) {
        let open = format!("{OPEN}{id} -->\n");
        let start =
            self.text.find(&open).unwrap_or_else(|| panic!("no place for {id}")) + open.len();
        let end =
            start + self.text[start..].find(CLOSE).unwrap_or_else(|| panic!("{id} has no end"));
        self.text.replace_range(start..end, &format!("```text\n{}\n```\n", example.trim_end()));
    }
}
