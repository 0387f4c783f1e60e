//! Lists of entrants as people type, paste and export them: a line each, or a column of a
//! spreadsheet; for pairs two names a line.
//!
//! All faults are told at once, each with its line.

use game::record::Name;
use thiserror::Error;

use crate::csv::{self, InvalidRow};
use crate::entrant::{MAX_PLAYERS, Party};

/// A longer list is no list of entrants.
pub const MAX_BYTES: usize = 1 << 20;
/// More faults than anybody reads at once.
const MAX_FAULTS: usize = 20;
/// What the first line of a spreadsheet may say instead of a name.
const HEADINGS: [&str; 9] =
    ["name", "names", "player", "players", "nume", "numele", "jucător", "jucători", "concurent"];

/// What is wrong with a list, and where.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {what}")]
pub struct RosterFault {
    /// The line, counted from one.
    pub line: usize,
    /// What is wrong there.
    pub what: RosterFaultKind,
}

/// What is wrong with a line of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum RosterFaultKind {
    /// No row of a spreadsheet.
    #[error("{0}")]
    NotARow(InvalidRow),
    /// Something that cannot be a name.
    #[error("a name has 1 to 40 visible characters")]
    NotAName,
    /// Only one of two partners.
    #[error("two names are needed, with a comma, a semicolon or a tab between them")]
    PartnerMissing,
    /// More than the names of a line.
    #[error("{found} cells are too many: a line has the name of {needed}")]
    TooManyCells {
        /// How many there are.
        found: usize,
        /// How many names a line has.
        needed: usize,
    },
    /// More than a contest has.
    #[error("a contest has at most {MAX_PLAYERS} players")]
    TooMany,
    /// A list that nobody would type.
    #[error("the list is too long")]
    TooLong,
}

/// The entrants of a list, or everything that is wrong with it. Empty lines and lines that begin
/// with `#` do not count, nor does a first line with the headings of a spreadsheet.
///
/// Cells stand between commas, semicolons or tabs. Where everybody plays for himself a line without
/// quotes is one name, so that a comma may stand in it only within quotes.
pub fn parse(text: &str, pairs: bool) -> Result<Vec<Party>, Vec<RosterFault>> {
    if text.len() > MAX_BYTES {
        return Err(vec![RosterFault { line: 1, what: RosterFaultKind::TooLong }]);
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let (mut parties, mut faults) = (Vec::new(), Vec::new());
    for (at, line) in text.lines().enumerate() {
        let empty = line.trim().is_empty() || line.starts_with('#');
        if empty || at == 0 && is_heading(line) {
            continue;
        }
        match party(line, pairs) {
            Ok(_) if parties.len() == MAX_PLAYERS => {
                faults.push(RosterFault { line: at + 1, what: RosterFaultKind::TooMany });
                break;
            }
            Ok(party) => parties.push(party),
            Err(what) => faults.push(RosterFault { line: at + 1, what }),
        }
        if faults.len() == MAX_FAULTS {
            break;
        }
    }
    if faults.is_empty() { Ok(parties) } else { Err(faults) }
}

/// What separates the cells of a line: the first of these that stands in it outside quotes.
fn separator(line: &str) -> char {
    let mut quoted = false;
    let outside = |letter: &char| {
        quoted ^= *letter == '"';
        !quoted && [',', ';', '\t'].contains(letter)
    };
    line.chars().find(outside).unwrap_or(',')
}

fn is_heading(line: &str) -> bool {
    let cells = csv::cells(line, separator(line)).unwrap_or_default();
    let first = cells.first().map(|cell| cell.to_lowercase());
    first.is_some_and(|first| HEADINGS.contains(&first.as_str()))
}

fn party(line: &str, pairs: bool) -> Result<Party, RosterFaultKind> {
    let mut cells = csv::cells(line, separator(line)).map_err(RosterFaultKind::NotARow)?;
    // Spreadsheets fill rows up with empty cells.
    while cells.len() > 1 && cells.last().is_some_and(String::is_empty) {
        cells.pop();
    }
    let name = |cell: &String| cell.trim().parse::<Name>().map_err(|_| RosterFaultKind::NotAName);
    match (pairs, cells.as_slice()) {
        (false, [only]) => Ok(Party::Alone(name(only)?)),
        (true, [first, second]) => Ok(Party::Pair(name(first)?, name(second)?)),
        (true, [_]) => Err(RosterFaultKind::PartnerMissing),
        _ => Err(RosterFaultKind::TooManyCells {
            found: cells.len(),
            needed: if pairs { 2 } else { 1 },
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str, pairs: bool) -> Vec<String> {
        match parse(text, pairs) {
            Ok(parties) => parties.iter().map(ToString::to_string).collect(),
            Err(faults) => faults.iter().map(ToString::to_string).collect(),
        }
    }

    #[test]
    fn names_are_typed_pasted_and_exported() {
        assert_eq!(told("Ana\n\n# the second row\n Dan \r\nAna\n", false), ["Ana", "Dan", "Ana"]);
        assert_eq!(told("\u{feff}Nume;\r\n\"Pop, Ion\";\r\n", false), ["Pop, Ion"]);
        assert_eq!(told("Ana,Dan\nIon;Maria\nA\tB", true), ["Ana & Dan", "Ion & Maria", "A & B"]);
        assert_eq!(told("", false), [""; 0]);
    }

    #[test]
    fn every_fault_has_its_line() {
        let long = "x".repeat(41);
        let text = format!("Ana\nA,B\n\"Dan\n{long}\n\u{202e}naD\n");
        assert_eq!(
            told(&text, false),
            [
                "line 2: 2 cells are too many: a line has the name of 1",
                "line 3: the quotes are not closed",
                "line 4: a name has 1 to 40 visible characters",
                "line 5: a name has 1 to 40 visible characters",
            ]
        );
        assert_eq!(
            told("Ana\nA,B,C", true),
            [
                "line 1: two names are needed, with a comma, a semicolon or a tab between them",
                "line 2: 3 cells are too many: a line has the name of 2",
            ]
        );
        let many = "Ana\n".repeat(MAX_PLAYERS + 5);
        assert_eq!(told(&many, false), ["line 1025: a contest has at most 1024 players"]);
        assert_eq!(told(&"\"\n".repeat(99), false).len(), MAX_FAULTS);
    }
}
