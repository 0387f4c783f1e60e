//! Runs every example of `docs/rules/examples.txt` on the engine and compares the rule documents with
//! the output.
//!
//! `UPDATE_DOCS=1 cargo test -p table-view --test rule_documents` writes the output into the documents.
#![allow(missing_docs, unreachable_pub, reason = "tests name themselves")]

mod computed;
mod examples;
mod live;
mod page;
mod played;

use std::fs;

use examples::{Entry, Given};
use page::Page;
use phrases::Language;
use test_support::document::Document;

fn load_examples() -> Vec<Entry> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/rules/examples.txt");
    let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{path}: {e}"));
    examples::parse(&text).unwrap_or_else(|fault| panic!("examples.txt: {fault}"))
}

/// Runs an example; returns its page, or the first step that fails.
fn run(entry: &Entry) -> Result<Page, String> {
    let page = match &entry.given {
        Given::Position(position) => played::run(entry, position),
        _ => computed::run(entry),
    };
    page.map_err(|fault| format!("{}, examples.txt:{fault}", entry.id))
}

#[test]
fn every_example_passes() {
    let faults: Vec<String> = load_examples().iter().filter_map(|entry| run(entry).err()).collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// The ids of the examples in a document, in order.
fn example_ids(document: &Document) -> Vec<&str> {
    let lines = document.text().lines();
    lines.filter_map(|line| line.strip_prefix("<!-- example ")?.strip_suffix(" -->")).collect()
}

#[test]
fn the_documents_contain_the_output_of_the_engine() {
    let entries = load_examples();
    for (game, letter) in [("cruce", 'C'), ("whist", 'W')] {
        let of_game: Vec<&Entry> =
            entries.iter().filter(|entry| entry.id.starts_with(letter)).collect();
        for language in Language::ALL {
            let name = format!("docs/rules/{game}.{language}.md");
            let mut document = Document::read(&name);
            let ids: Vec<&str> = of_game.iter().map(|entry| entry.id.as_str()).collect();
            assert_eq!(example_ids(&document), ids, "{name}");
            for entry in &of_game {
                // The test above reports examples that fail.
                let Ok(page) = run(entry) else { continue };
                let text = page.text(language);
                let block = format!("```text\n{}\n```\n", text.trim_end());
                document.put(&format!("example {}", entry.id), &block);
            }
            document.check();
        }
    }
}

#[test]
fn the_pages_fit_eighty_columns() {
    for entry in load_examples() {
        let Ok(page) = run(&entry) else { continue };
        for language in Language::ALL {
            for line in page.text(language).lines() {
                assert!(
                    phrases::layout::width(line) <= phrases::layout::WIDTH,
                    "{}: {line}",
                    entry.id
                );
            }
        }
    }
}

#[test]
fn a_failed_example_reports_the_expected_and_the_found_value() {
    let check = |text: &str, expected: &str| {
        let entries = examples::parse(text).unwrap();
        assert_eq!(run(&entries[0]).err().as_deref(), Some(expected));
    };
    check(
        "C8.1\ngiven cruce4t-21 hands=2l3a/9bXh4l/3bXl9a/4b9l2h bids=1.0.0.0 trump=h \
         lead=1 trick=Ab points=40/31\nlegal 9bXh",
        "C8.1, examples.txt:3: legal should be 9bXh, but is 9b",
    );
    check(
        "C11.1\ngiven sheet cruce4t-21 score=4/8 declarer=1 bid=2 points=64/56\nchange 2/1",
        "C11.1, examples.txt:3: change should be 2/1, but is -2/1",
    );
    check(
        "W4.1\ngiven whist4 hands=A9cKd/7c8s9h/Qc8dAh/JcTsQh turned=7s\nrefuses bid 3 BidTooHigh",
        "W4.1, examples.txt:3: refuses should be BidTooHigh, but is accepted",
    );
    check(
        "C12.1\ngiven match cruce4t-21 score=21/20\nover yes",
        "C12.1, examples.txt:3: over should be yes, but is no",
    );
    check(
        "C5.1\ngiven pack cruce4t-21\njokers 2",
        "C5.1, examples.txt:3: \"jokers\" is no step here",
    );
}
