//! The common parts of logs: a header, then one entry a line, each a JSON object.

use cards::{Each, Index, Seat, Side};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::message::shortened_to;
use crate::record::LineFault;

/// The maximum characters of a fault. It is shown or sent to a client, and may quote a line of any
/// length.
const MAX_FAULT: usize = 300;

/// A value of a line, or a description of what is wrong with it.
pub(crate) type LineResult<T> = Result<T, String>;

/// A value as a line, with the line end.
pub(crate) fn line(value: &impl Serialize) -> String {
    // Strings, numbers and lists always have a JSON form.
    let mut text = serde_json::to_string(value).unwrap_or_default();
    text.push('\n');
    text
}

/// A line of a log: text of a file, or JSON that is parsed already, from a message.
#[derive(Clone, Copy, Debug)]
pub enum JsonLine<'a> {
    /// Text.
    Text(&'a str),
    /// Parsed JSON.
    Parsed(&'a Value),
}

impl<'a> From<&'a str> for JsonLine<'a> {
    fn from(text: &'a str) -> JsonLine<'a> {
        JsonLine::Text(text)
    }
}

impl<'a> From<&'a String> for JsonLine<'a> {
    fn from(text: &'a String) -> JsonLine<'a> {
        JsonLine::Text(text)
    }
}

impl<'a> From<&'a Value> for JsonLine<'a> {
    fn from(value: &'a Value) -> JsonLine<'a> {
        JsonLine::Parsed(value)
    }
}

/// Reads the value of a line.
pub(crate) fn read<'a, T: Deserialize<'a>>(
    at: usize,
    line: impl Into<JsonLine<'a>>,
) -> Result<T, LineFault> {
    let read = match line.into() {
        JsonLine::Text(text) => serde_json::from_str(text),
        JsonLine::Parsed(value) => T::deserialize(value),
    };
    read.map_err(|fault| {
        // The text ends with a position within this line; the fault has its own.
        let text = fault.to_string();
        let what = text.split(" at line ").next().unwrap_or_default();
        LineFault { line: at, column: fault.column().max(1), what: shortened_to(what, MAX_FAULT) }
    })
}

/// The lines of a log that are not empty, with their numbers.
pub(crate) fn numbered(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let numbered = text.lines().enumerate().map(|(at, line)| (at + 1, line));
    numbered.filter(|(_, line)| !line.trim().is_empty())
}

/// A fault of a whole line.
pub(crate) fn line_fault(line: usize, what: impl ToString) -> LineFault {
    LineFault { line, column: 1, what: shortened_to(&what.to_string(), MAX_FAULT) }
}

/// The text of another type's error.
pub(crate) fn error_text(fault: impl ToString) -> String {
    shortened_to(&fault.to_string(), MAX_FAULT)
}

/// Refuses other versions of a format.
pub(crate) fn check_version(found: u32, known: u32) -> LineResult<()> {
    if found == known { Ok(()) } else { Err(format!("expected version {known}, found {found}")) }
}

/// The seat with a number, counted from 1.
pub(crate) fn seat(number: usize) -> LineResult<Seat> {
    let seat = Seat::from_number(number);
    seat.ok_or_else(|| format!("there is no seat {number}"))
}

/// The side with a number, counted from 1.
pub(crate) fn side(number: usize) -> LineResult<Side> {
    let side = Side::from_number(number);
    side.ok_or_else(|| format!("there is no place {number}"))
}

/// A value for each seat or side.
pub(crate) fn each<I: Index, T: Copy + Default>(values: &[T]) -> LineResult<Each<I, T>> {
    Each::from_slice(values).ok_or_else(|| format!("{} numbers are too many", values.len()))
}
