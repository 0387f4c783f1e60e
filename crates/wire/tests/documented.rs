//! `docs/protocol.md` and `docs/contest.md` name every variant and field of the serialised types. The
//! tests read the source of the types, so they find what was added to a type but not to its document.
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
    let variant = |line: &str| {
        let name = line.strip_prefix("    ")?;
        name.starts_with(|letter: char| letter.is_ascii_uppercase()).then(|| snake(name))
    };
    serialized_names(&body(source, &format!("enum {name}")), variant)
}

/// The names of a type's fields: of a struct, or of all variants of an enum.
fn fields(source: &str, head: &str) -> Vec<String> {
    let field = |line: &str| {
        let line = line.trim().trim_start_matches("pub ");
        let (name, _) = line.split_once(": ")?;
        let plain = |letter: char| letter.is_ascii_lowercase() || letter == '_';
        name.chars().all(plain).then(|| name.to_owned())
    };
    serialized_names(&body(source, head), field)
}

/// The names that `declared` finds in the lines, each replaced by its `#[serde(rename = …)]`.
fn serialized_names(lines: &[&str], declared: impl Fn(&str) -> Option<String>) -> Vec<String> {
    let mut names = Vec::new();
    let mut renamed = None;
    for line in lines {
        let trimmed = line.trim();
        if let Some(rest) = trimmed.strip_prefix("#[serde(rename = \"") {
            renamed = rest.split('"').next().map(str::to_owned);
        } else if !trimmed.starts_with("#[") && !trimmed.starts_with("//") {
            names.extend(declared(line).map(|name| renamed.take().unwrap_or(name)));
            renamed = None;
        }
    }
    names
}

/// Converts `TakeBack,` to `take_back`.
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

/// Whether the document has the name in a code span, or as a key or a text of an example.
fn has_name(document: &str, name: &str) -> bool {
    [format!("`{name}`"), format!("\"{name}\"")].iter().any(|word| document.contains(word))
}

#[test]
fn every_message_command_and_reason_is_documented() {
    let document = read("docs/protocol.md");
    let table = read("crates/wire/src/table.rs");
    let event = read("crates/wire/src/table/event.rs");
    let state = read("crates/wire/src/table/state.rs");
    let refusal = read("crates/wire/src/table/refusal.rs");
    let illegal = read("crates/wire/src/table/illegal.rs");
    let terms = read("crates/ids/src/terms.rs");
    let all = [
        (variants(&table, "ClientMessage"), 3),
        (variants(&table, "TableCommand"), 23),
        (variants(&table, "ServerMessage"), 9),
        (variants(&table, "CloseReason"), 9),
        (variants(&terms, "Pace"), 3),
        (variants(&terms, "Phrase"), 10),
        (variants(&terms, "StandInReason"), 2),
        (variants(&event, "TableEvent"), 33),
        (variants(&state, "TableStage"), 3),
        (variants(&state, "Occupant"), 2),
        (variants(&refusal, "RefusalReason"), 32),
        (fields(&table, "enum ClientMessage"), 4),
        (fields(&table, "enum TableCommand"), 8),
        (fields(&table, "enum ServerMessage"), 10),
        (fields(&table, "struct Update"), 5),
        (fields(&table, "struct RunningClock"), 2),
        (fields(&event, "enum TableEvent"), 40),
        (fields(&state, "struct Snapshot"), 18),
        (fields(&state, "struct MatchCommitment"), 4),
        (fields(&state, "struct ViewerPlace"), 2),
        (fields(&state, "struct SeatState"), 7),
        (fields(&state, "struct PlayedDealText"), 7),
        (fields(&state, "struct ChatMessage"), 5),
        (fields(&refusal, "struct CommandRefusal"), 3),
        (fields(&illegal, "struct IllegalText"), 7),
    ];
    let mut missing = Vec::new();
    for (found, at_least) in all {
        // Fewer names mean that the source was not parsed, and nothing would be checked.
        assert!(found.len() >= at_least, "{found:?}");
        missing.extend(found.into_iter().filter(|name| !has_name(&document, name)));
    }
    // `unknown` is never sent, and the fields of `refusal` are flattened.
    missing.retain(|name| name != "unknown" && name != "refusal");
    assert_eq!(missing, Vec::<String>::new(), "not in docs/protocol.md");
}

/// The files of contests and sheets are kept for years, so their document must be complete.
#[test]
fn every_line_of_contests_and_sheets_is_documented() {
    let document = read("docs/contest.md");
    let (contest, sheet) = (read("crates/wire/src/contest.rs"), read("crates/wire/src/sheet.rs"));
    let change = read("crates/wire/src/contest/change.rs");
    let all = [
        (variants(&change, "ContestChangeText"), 17),
        (variants(&change, "PenaltyText"), 2),
        (variants(&contest, "VenueText"), 2),
        (variants(&sheet, "SheetChangeText"), 6),
        (variants(&sheet, "LineText"), 5),
        (fields(&contest, "struct SettingsText"), 4),
        (fields(&change, "enum ContestChangeText"), 12),
        (fields(&sheet, "enum SheetChangeText"), 4),
        (fields(&sheet, "enum LineText"), 6),
    ];
    for (found, at_least) in all {
        assert!(found.len() >= at_least, "{found:?}");
        let missing: Vec<_> = found.iter().filter(|name| !has_name(&document, name)).collect();
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
fn every_close_code_is_documented_with_its_name() {
    let document = read("docs/protocol.md");
    for name in variants(&read("crates/wire/src/table.rs"), "CloseReason") {
        let why: CloseReason = serde_json::from_str(&format!("\"{name}\"")).expect("a reason");
        let row = format!("| {} | `{name}` |", why.code());
        assert!(document.contains(&row), "{row}");
        let line = document.lines().find(|line| line.starts_with(&row)).expect("a row");
        let never = line.ends_with("| no |") || line.ends_with("| with another program |");
        assert_eq!(!never, why.may_return(), "{line}");
    }
}
