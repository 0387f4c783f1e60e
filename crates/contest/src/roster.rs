//! Lists of entrants as people type, paste and export them: one entrant per line, or a column of
//! a spreadsheet; pairs have two names per line.
//!
//! All faults are returned at once, each with its line.

use game::record::Name;
use thiserror::Error;

use crate::csv::{self, InvalidRow};
use crate::entrant::{MAX_PLAYERS, Party};

/// The maximum length of a list.
pub const MAX_BYTES: usize = 1 << 20;
/// The maximum number of faults that are returned.
const MAX_FAULTS: usize = 20;
/// Headings that the first line of a spreadsheet may have instead of a name.
const HEADINGS: [&str; 9] =
    ["name", "names", "player", "players", "nume", "numele", "jucător", "jucători", "concurent"];

/// A fault of a list, with its line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {what}")]
pub struct RosterFault {
    /// The line, counted from 1.
    pub line: usize,
    /// The fault.
    pub what: RosterFaultKind,
}

/// A fault in a line of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum RosterFaultKind {
    /// The line is not a row of a spreadsheet.
    #[error("{0}")]
    NotARow(InvalidRow),
    /// The text is not a name.
    #[error("a name has 1 to 40 visible characters")]
    NotAName,
    /// The second partner is missing.
    #[error("two names are needed, with a comma, a semicolon or a tab between them")]
    PartnerMissing,
    /// More cells than names.
    #[error("{found} cells are too many: a line has the name of {needed}")]
    TooManyCells {
        /// The number of cells found.
        found: usize,
        /// The number of names in a line.
        needed: usize,
    },
    /// Too many players.
    #[error("a contest has at most {MAX_PLAYERS} players")]
    TooMany,
    /// The text is too long.
    #[error("the list is too long")]
    TooLong,
}

/// Returns the entrants of a list, or all of its faults. Empty lines, lines that start with `#` and
/// a first line with the headings of a spreadsheet are skipped.
///
/// Cells are separated by commas, semicolons or tabs. If players enter singly, a line is one name,
/// and a comma in it must be quoted.
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

/// The separator of the cells of a line: the first of these characters outside quotes.
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
    let name = |cell: &String| Name::new(cell.trim()).map_err(|_| RosterFaultKind::NotAName);
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

    fn lines(text: &str, pairs: bool) -> Vec<String> {
        match parse(text, pairs) {
            Ok(parties) => parties.iter().map(ToString::to_string).collect(),
            Err(faults) => faults.iter().map(ToString::to_string).collect(),
        }
    }

    #[test]
    fn names_may_be_typed_pasted_or_exported() {
        assert_eq!(lines("Ana\n\n# the second row\n Dan \r\nAna\n", false), ["Ana", "Dan", "Ana"]);
        assert_eq!(lines("\u{feff}Nume;\r\n\"Pop, Ion\";\r\n", false), ["Pop, Ion"]);
        assert_eq!(lines("Ana,Dan\nIon;Maria\nA\tB", true), ["Ana & Dan", "Ion & Maria", "A & B"]);
        assert_eq!(lines("", false), [""; 0]);
    }

    #[test]
    fn every_fault_has_its_line() {
        let long = "x".repeat(41);
        let text = format!("Ana\nA,B\n\"Dan\n{long}\n\u{202e}naD\n");
        assert_eq!(
            lines(&text, false),
            [
                "line 2: 2 cells are too many: a line has the name of 1",
                "line 3: the quotes are not closed",
                "line 4: a name has 1 to 40 visible characters",
                "line 5: a name has 1 to 40 visible characters",
            ]
        );
        assert_eq!(
            lines("Ana\nA,B,C", true),
            [
                "line 1: two names are needed, with a comma, a semicolon or a tab between them",
                "line 2: 3 cells are too many: a line has the name of 2",
            ]
        );
        let many = "Ana\n".repeat(MAX_PLAYERS + 5);
        assert_eq!(lines(&many, false), ["line 1025: a contest has at most 1024 players"]);
        assert_eq!(lines(&"\"\n".repeat(99), false).len(), MAX_FAULTS);
    }
}
