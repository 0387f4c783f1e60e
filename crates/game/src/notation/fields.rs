//! Parsing: pieces of a line with their positions.

use cards::{Each, Index, Seat};

use super::{NotationFault, NotationFaultKind};
use crate::record::MAX_TOTAL;
use crate::rules::Rules;

/// A piece of a line, with its position for error messages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<'a> {
    pub(crate) rest: &'a str,
    pub(crate) line: usize,
    pub(crate) column: usize,
}

impl<'a> Text<'a> {
    pub(crate) fn new(text: &'a str, line: usize) -> Text<'a> {
        Text { rest: text, line, column: 1 }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// The first character, without taking it.
    pub(crate) fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    /// Takes the first character.
    pub(crate) fn next(&mut self) -> Option<char> {
        let first = self.peek()?;
        self.rest = &self.rest[first.len_utf8()..];
        self.column += 1;
        Some(first)
    }

    /// Takes the first character if it is this one.
    pub(crate) fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.next();
        }
        found
    }

    /// Takes everything up to the separator, and the separator.
    pub(crate) fn split(&mut self, separator: char) -> Text<'a> {
        let (piece, rest) = match self.rest.split_once(separator) {
            Some((piece, rest)) => (piece, rest),
            None => (self.rest, ""),
        };
        let taken = Text { rest: piece, ..*self };
        self.column += piece.chars().count() + usize::from(piece.len() < self.rest.len());
        self.rest = rest;
        taken
    }

    /// The pieces between separators; an empty text is one empty piece.
    pub(crate) fn pieces(mut self, separator: char) -> impl Iterator<Item = Text<'a>> {
        let mut done = false;
        std::iter::from_fn(move || {
            if done {
                return None;
            }
            done = !self.rest.contains(separator);
            Some(self.split(separator))
        })
    }

    /// The words between spaces.
    pub(crate) fn words(self) -> impl Iterator<Item = Text<'a>> {
        self.pieces(' ').filter(|word| !word.is_empty())
    }

    /// A fault at this position.
    pub(crate) fn fault(&self, what: NotationFaultKind) -> NotationFault {
        NotationFault { line: self.line, column: self.column, what }
    }

    /// The fault that something else was expected here.
    pub(crate) fn expected(&self, expected: impl Into<String>) -> NotationFault {
        let found = match self.peek() {
            None => "nothing".into(),
            // Escaped, because a hostile text must not reach a terminal unchanged.
            Some(_) => {
                let start = self.rest.chars().take(20).flat_map(char::escape_debug);
                format!("\"{}\"", start.collect::<String>())
            }
        };
        self.fault(NotationFaultKind::Expected { expected: expected.into(), found })
    }

    /// Checks that nothing is left.
    pub(crate) fn end(&self, expected: &str) -> Result<(), NotationFault> {
        if self.is_empty() { Ok(()) } else { Err(self.expected(expected)) }
    }

    /// Parses all of it as a number without leading zeros, at most `most`.
    pub(crate) fn number(&self, most: u32) -> Result<u32, NotationFault> {
        let digits = self.rest;
        let plain = !digits.is_empty()
            && digits.len() < 10
            && digits.bytes().all(|b| b.is_ascii_digit())
            && (digits == "0" || !digits.starts_with('0'));
        plain
            .then(|| digits.parse().ok())
            .flatten()
            .filter(|number| *number <= most)
            .ok_or_else(|| self.expected(format!("a number from 0 to {most}")))
    }

    /// Parses all of it as a number that may be negative.
    pub(crate) fn signed(&self) -> Result<i32, NotationFault> {
        let mut digits = *self;
        let negative = digits.eat('-');
        let wrong = |_| self.expected(format!("a number from -{MAX_TOTAL} to {MAX_TOTAL}"));
        let size = digits.number(MAX_TOTAL).map_err(wrong)?;
        if negative && size == 0 {
            return Err(self.expected("0"));
        }
        Ok(if negative { -(size as i32) } else { size as i32 })
    }

    /// Parses all of it as a seat's number, counted from 1.
    pub(crate) fn seat(&self, rules: &Rules) -> Result<Seat, NotationFault> {
        let players = rules.players();
        let number = self.number(players as u32).ok().filter(|number| *number > 0);
        number
            .and_then(|number| Seat::new(number as usize - 1))
            .ok_or_else(|| self.expected(format!("a seat from 1 to {players}")))
    }

    /// Parses all of it as one value for each seat or side, between slashes.
    pub(crate) fn each<I: Index, T: Copy + Default>(
        &self,
        count: usize,
        what: &str,
        mut value: impl FnMut(Text<'a>) -> Result<T, NotationFault>,
    ) -> Result<Each<I, T>, NotationFault> {
        let mut values = Vec::new();
        for piece in self.pieces('/') {
            if values.len() == count {
                return Err(piece.expected(format!("no more than {count} {what}")));
            }
            values.push(value(piece)?);
        }
        match Each::from_slice(&values) {
            Some(each) if each.len() == count => Ok(each),
            _ => Err(self.expected(format!("{count} {what} between slashes"))),
        }
    }

    /// Parses all of it as a rules code.
    pub(crate) fn rules(&self) -> Result<Rules, NotationFault> {
        Rules::from_code(self.rest).map_err(|faults| self.fault(NotationFaultKind::Rules(faults)))
    }
}

/// One value for each seat or side, between slashes.
pub(crate) fn each_text<I: Index, T>(each: &Each<I, T>, text: impl FnMut(&T) -> String) -> String {
    each.iter().map(text).collect::<Vec<_>>().join("/")
}

/// The `key=value` fields of a line, each at most once.
#[derive(Debug)]
pub(super) struct Fields<'a> {
    known: &'static [&'static str],
    found: Vec<(&'static str, Text<'a>)>,
    end: Text<'a>,
}

impl<'a> Fields<'a> {
    /// Reads the rules code and the fields after it.
    pub(super) fn read(
        line: Text<'a>,
        known: &'static [&'static str],
    ) -> Result<(Rules, Fields<'a>), NotationFault> {
        let mut words = line.words();
        let code = words.next().ok_or_else(|| line.expected("a rules code such as cruce4t-21"))?;
        let rules = code.rules()?;
        let mut end = line;
        end.column += line.rest.chars().count();
        end.rest = "";
        let mut fields = Fields { known, found: Vec::new(), end };
        for word in words {
            let mut value = word;
            let key = value.split('=');
            let name = fields.known.iter().find(|name| **name == key.rest);
            match name {
                Some(name) if key.rest.len() < word.rest.len() => {
                    if fields.found.iter().any(|(found, _)| found == name) {
                        return Err(word.expected(format!("{name}= only once")));
                    }
                    fields.found.push((name, value));
                }
                _ => {
                    let names = known.join("=, ");
                    return Err(word.expected(format!("one of {names}=")));
                }
            }
        }
        Ok((rules, fields))
    }

    /// The value of a field.
    pub(super) fn get(&self, name: &str) -> Option<Text<'a>> {
        debug_assert!(self.known.contains(&name));
        self.found.iter().find(|(found, _)| *found == name).map(|(_, value)| *value)
    }

    /// The value of a field that must be there.
    pub(super) fn need(&self, name: &str) -> Result<Text<'a>, NotationFault> {
        self.get(name).ok_or_else(|| self.end.expected(format!("{name}=")))
    }

    /// Checks that a field is absent.
    pub(super) fn forbid(&self, name: &str, why: &str) -> Result<(), NotationFault> {
        self.get(name).map_or(Ok(()), |value| Err(value.expected(format!("no {name}= {why}"))))
    }

    /// The end of the line, for faults of the whole line.
    pub(super) fn end(&self) -> Text<'a> {
        self.end
    }

    /// The bids of the field `bids`, in the order in which they were made.
    pub(super) fn bids(&self, players: usize) -> Result<Vec<(u8, Text<'a>)>, NotationFault> {
        let Some(value) = self.get("bids") else { return Ok(Vec::new()) };
        if value.rest == "-" {
            return Ok(Vec::new());
        }
        let mut bids = Vec::new();
        for piece in value.pieces('.') {
            if bids.len() == players {
                return Err(piece.expected(format!("no more than {players} bids")));
            }
            bids.push((piece.number(8)? as u8, piece));
        }
        Ok(bids)
    }
}
