//! `docs/protocol.md` names everything that the messages of a table can hold: what is added to the
//! types and not to the document is found here, in the source of the types itself.
#![allow(missing_docs, reason = "tests name themselves")]

use std::fs;
use std::path::Path;

use wire::table::CloseReason;

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The lines between the braces of a type.
fn body<'a>(source: &'a str, head: &str) -> Vec<&'a str> {
    let from = source.find(&format!("pub {head} {{\n")).unwrap_or_else(|| panic!("no {head}"));
    let lines = source[from..].lines().skip(1);
    lines.take_while(|line| *line != "}").collect()
}

/// The names of an enum's variants, as JSON has them.
fn variants(source: &str, name: &str) -> Vec<String> {
    let lines = body(source, &format!("enum {name}"));
    let variant = |line: &&str| {
        let name = line.strip_prefix("    ")?;
        name.starts_with(|letter: char| letter.is_ascii_uppercase()).then(|| snake(name))
    };
    lines.iter().filter_map(variant).collect()
}

/// The names of a type's fields: of a struct, or of all variants of an enum.
fn fields(source: &str, head: &str) -> Vec<String> {
    let field = |line: &&str| {
        let line = line.trim().trim_start_matches("pub ");
        let (name, _) = line.split_once(": ")?;
        let plain = |letter: char| letter.is_ascii_lowercase() || letter == '_';
        name.chars().all(plain).then(|| name.to_owned())
    };
    body(source, head).iter().filter_map(field).collect()
}

/// `TakeBack,` is `take_back`.
fn snake(line: &str) -> String {
    let end = line.find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(line.len());
    let mut name = String::new();
    for letter in line[..end].chars() {
        if letter.is_ascii_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(letter.to_ascii_lowercase());
    }
    name
}

/// All that stands in a code span, a key of an example or a text of one.
fn names(document: &str, name: &str) -> bool {
    [format!("`{name}`"), format!("\"{name}\"")].iter().any(|word| document.contains(word))
}

#[test]
fn every_message_command_and_reason_is_documented() {
    let document = read("docs/protocol.md");
    let (table, told) = (read("crates/wire/src/table.rs"), read("crates/wire/src/table/told.rs"));
    let (state, refusal) =
        (read("crates/wire/src/table/state.rs"), read("crates/wire/src/table/refusal.rs"));
    let all = [
        (variants(&table, "ClientMessage"), 3),
        (variants(&table, "Command"), 23),
        (variants(&table, "Pace"), 3),
        (variants(&table, "Phrase"), 10),
        (variants(&table, "ServerMessage"), 9),
        (variants(&table, "Farewell"), 9),
        (variants(&told, "Told"), 33),
        (variants(&told, "Why"), 2),
        (variants(&state, "Stage"), 3),
        (variants(&state, "Who"), 2),
        (variants(&refusal, "Reason"), 32),
        (fields(&table, "enum ClientMessage"), 4),
        (fields(&table, "enum Command"), 8),
        (fields(&table, "enum ServerMessage"), 10),
        (fields(&table, "struct Update"), 5),
        (fields(&table, "struct Clock"), 2),
        (fields(&told, "enum Told"), 40),
        (fields(&state, "struct Snapshot"), 18),
        (fields(&state, "struct Promise"), 4),
        (fields(&state, "struct Place"), 2),
        (fields(&state, "struct Chair"), 7),
        (fields(&state, "struct DealPlayed"), 7),
        (fields(&state, "struct Saying"), 5),
        (fields(&refusal, "struct Refusal"), 3),
        (fields(&read("crates/wire/src/table/illegal.rs"), "struct IllegalText"), 7),
    ];
    let mut missing = Vec::new();
    for (found, at_least) in all {
        // Otherwise the source was not understood, and nothing would be checked.
        assert!(found.len() >= at_least, "{found:?}");
        missing.extend(found.into_iter().filter(|name| !names(&document, name)));
    }
    // What a client reads where the server is newer is no name.
    missing.retain(|name| name != "unknown" && name != "refusal");
    assert_eq!(missing, Vec::<String>::new(), "not in docs/protocol.md");
}

/// The files of contests and sheets outlive programs, so that their document must be whole.
#[test]
fn every_line_of_contests_and_sheets_is_documented() {
    let document = read("docs/contest.md");
    let (contest, sheet) = (read("crates/wire/src/contest.rs"), read("crates/wire/src/sheet.rs"));
    let change = read("crates/wire/src/contest/change.rs");
    let all = [
        (variants(&change, "ContestChange"), 16),
        (variants(&change, "PenaltyText"), 2),
        (variants(&contest, "VenueText"), 2),
        (variants(&sheet, "SheetChange"), 6),
        (variants(&sheet, "LineText"), 5),
        (fields(&contest, "struct SettingsText"), 4),
        (fields(&change, "enum ContestChange"), 12),
        (fields(&sheet, "enum SheetChange"), 4),
        (fields(&sheet, "enum LineText"), 6),
    ];
    for (found, at_least) in all {
        assert!(found.len() >= at_least, "{found:?}");
        let missing: Vec<_> = found.iter().filter(|name| !names(&document, name)).collect();
        assert!(missing.is_empty(), "not in docs/contest.md: {missing:?}");
    }
}

#[test]
fn every_refusal_of_the_rules_is_documented() {
    let document = read("docs/protocol.md");
    let source = read("crates/wire/src/table/illegal.rs");
    let names: Vec<&str> = source
        .lines()
        .filter_map(|line| line.trim().strip_prefix('"')?.split_once("\" => Illegal::"))
        .map(|(name, _)| name)
        .collect();
    assert!(names.len() >= 21, "{names:?}");
    for name in names {
        assert!(document.contains(&format!("`{name}`")), "{name} is not in docs/protocol.md");
    }
}

#[test]
fn every_close_code_stands_beside_its_name() {
    let document = read("docs/protocol.md");
    for name in variants(&read("crates/wire/src/table.rs"), "Farewell") {
        let why: CloseReason = serde_json::from_str(&format!("\"{name}\"")).expect("a farewell");
        let row = format!("| {} | `{name}` |", why.code());
        assert!(document.contains(&row), "{row}");
        let line = document.lines().find(|line| line.starts_with(&row)).expect("a row");
        let never = line.ends_with("| no |") || line.ends_with("| with another program |");
        assert_eq!(!never, why.may_return(), "{line}");
    }
}
