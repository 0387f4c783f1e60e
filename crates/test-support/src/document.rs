//! Documents that show what a test has seen, each part between the marks of its name:
//! `<!-- deal -->` and `<!-- /deal -->`, or `<!-- example C8.1 -->` and `<!-- /example -->`.

use std::fs;
use std::path::{Path, PathBuf};

/// A document, and what it should show.
pub struct Document {
    name: String,
    text: String,
    /// The parts that showed something else.
    stale: Vec<String>,
}

impl Document {
    /// Reads a document, which is named from the root of the repository.
    pub fn read(name: &str) -> Self {
        let text = fs::read_to_string(path(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        Self { name: name.to_owned(), text, stale: Vec::new() }
    }

    /// The document as it is now.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Puts a text between the marks of a name.
    pub fn put(&mut self, name: &str, text: &str) {
        let kind = name.split(' ').next().unwrap_or(name);
        let (open, close) = (format!("<!-- {name} -->\n"), format!("<!-- /{kind} -->"));
        let from = self.text.find(&open).unwrap_or_else(|| panic!("no place for {name}"));
        let from = from + open.len();
        let length = self.text[from..].find(&close).unwrap_or_else(|| panic!("{name} has no end"));
        let place = from..from + length;
        if self.text[place.clone()] != *text {
            self.stale.push(name.to_owned());
            self.text.replace_range(place, text);
        }
    }

    /// With `UPDATE_DOCS`, writes what has changed; otherwise nothing may have.
    pub fn check(self) {
        let Self { name, text, stale } = self;
        if stale.is_empty() {
            return;
        }
        let update = std::env::var_os("UPDATE_DOCS").is_some();
        assert!(update, "{name} shows something else in {stale:?}: UPDATE_DOCS=1 makes it anew");
        fs::write(path(&name), text).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_replaces_what_stands_between_its_marks() {
        let text = "a\n<!-- deal -->\nold\n<!-- /deal -->\nb\n<!-- example C8.1 -->\n\
                    one\n<!-- /example -->\n<!-- example C8.2 -->\n<!-- /example -->\n";
        let mut document =
            Document { name: "a.md".to_owned(), text: text.to_owned(), stale: Vec::new() };
        document.put("example C8.1", "one\n");
        assert_eq!((document.text(), document.stale.len()), (text, 0), "as it was");
        document.put("deal", "new\n");
        document.put("example C8.2", "two\n");
        let expected = text.replace("old", "new").replace("C8.2 -->\n", "C8.2 -->\ntwo\n");
        assert_eq!(document.text(), expected);
        assert_eq!(document.stale, ["deal", "example C8.2"]);
    }
}
