//! The file of examples: entries with an id, the given situation, and steps.

use std::collections::BTreeMap;

use cards::{CardSet, Pack};
use game::notation::{parse_set, set_text};
use game::{Position, Rules};

/// One example.
#[derive(Debug)]
pub struct Entry {
    pub id: String,
    pub given: Given,
    pub steps: Vec<Step>,
}

/// The situation that an example starts with.
#[derive(Debug)]
pub enum Given {
    /// A deal, before its bidding or in play.
    Position(Box<Position>),
    /// The cards of a game.
    Pack(Rules),
    /// The deals of a match.
    Schedule(Rules),
    /// The scores of a deal.
    Sheet(Rules, Fields),
    /// A match between two deals.
    Match(Rules, Fields),
}

/// The `key=value` words of a line.
pub type Fields = BTreeMap<String, String>;

/// An action or an expectation.
#[derive(Debug)]
pub struct Step {
    /// The line of the file.
    pub line: usize,
    pub word: String,
    pub rest: Vec<String>,
}

impl Step {
    /// The words after the first.
    pub fn rest_text(&self) -> String {
        self.rest.join(" ")
    }

    /// The `at`-th word after the first.
    pub fn arg(&self, at: usize) -> Result<&str, String> {
        self.rest.get(at).map(String::as_str).ok_or(format!("{} lacks a word", self.word))
    }

    /// The `at`-th word after the first as a number.
    pub fn number(&self, at: usize) -> Result<usize, String> {
        let word = self.arg(at)?;
        word.parse().map_err(|_| format!("\"{word}\" is no number"))
    }

    /// Checks that the `at`-th word after the first names these cards.
    pub fn expect_cards(&self, at: usize, pack: Pack, found: CardSet) -> Result<(), String> {
        let expected = parse_set(pack, self.arg(at)?).map_err(|fault| fault.to_string())?;
        self.expect(&set_text(pack, expected), &set_text(pack, found))
    }

    /// Checks an expectation.
    pub fn expect(&self, expected: &str, found: &str) -> Result<(), String> {
        let word = &self.word;
        if expected == found {
            Ok(())
        } else {
            Err(format!("{word} should be {expected}, but is {found}"))
        }
    }
}

/// Parses all entries; the error names the line.
pub fn parse(text: &str) -> Result<Vec<Entry>, String> {
    let mut entries = Vec::new();
    let mut paragraph: Vec<(usize, &str)> = Vec::new();
    for (at, line) in text.lines().chain([""]).enumerate() {
        if line.starts_with('#') {
            continue;
        }
        if !line.trim().is_empty() {
            paragraph.push((at + 1, line.trim_end()));
        } else if !paragraph.is_empty() {
            entries.push(entry(&std::mem::take(&mut paragraph))?);
        }
    }
    Ok(entries)
}

fn entry(lines: &[(usize, &str)]) -> Result<Entry, String> {
    let [(_, id), (at, first), steps @ ..] = lines else {
        return Err(format!("line {}: an id, what is given and steps are needed", lines[0].0));
    };
    let text = first.strip_prefix("given ").ok_or(format!("line {at}: \"given …\" is needed"))?;
    let given = given(text).map_err(|fault| format!("line {at}: {fault}"))?;
    let step = |(line, text): &(usize, &str)| {
        let mut words = text.split_whitespace().map(String::from);
        let word = words.next().unwrap_or_default();
        Step { line: *line, word, rest: words.collect() }
    };
    Ok(Entry { id: id.to_string(), given, steps: steps.iter().map(step).collect() })
}

fn given(text: &str) -> Result<Given, String> {
    let (kind, rest) = text.split_once(' ').unwrap_or((text, ""));
    if !["pack", "schedule", "sheet", "match"].contains(&kind) {
        let position = text.parse().map_err(|fault| format!("{fault}"))?;
        return Ok(Given::Position(Box::new(position)));
    }
    let mut words = rest.split_whitespace();
    let code = words.next().unwrap_or_default();
    let rules = Rules::from_code(code).map_err(|faults| faults.to_string())?;
    let field = |word: &str| {
        let (key, value) = word.split_once('=')?;
        Some((key.to_string(), value.to_string()))
    };
    let fields: Option<Fields> = words.map(field).collect();
    let fields = fields.ok_or("key=value is needed")?;
    Ok(match kind {
        "pack" => Given::Pack(rules),
        "schedule" => Given::Schedule(rules),
        "sheet" => Given::Sheet(rules, fields),
        _ => Given::Match(rules, fields),
    })
}
