//! The log of a room: one line of JSON for each entry.
//!
//! The lines are stored for ever, so the serialised form of [`Entry`] only grows; a golden file
//! holds it (`tests/log_format`).

use std::io;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::room::{Entry, LoggedCommand, LoggedEntry, Millis};

/// A stored line that is not an entry.
#[derive(Debug, Error)]
#[error("the log cannot be read: {0}")]
pub struct UnreadableLog(#[from] serde_json::Error);

/// An entry with the command that led to it. The time is stored beside the line.
#[derive(Serialize, Deserialize)]
struct LogLine<C, E> {
    /// The command.
    #[serde(default = "Option::default", skip_serializing_if = "Option::is_none")]
    by: Option<C>,
    #[serde(flatten)]
    entry: E,
}

/// The stored form of an entry.
pub fn encode(logged: &LoggedEntry) -> String {
    // Strings, numbers and lists always have a JSON form.
    serde_json::to_string(&line(logged)).expect("an entry has a JSON form")
}

/// The bytes of the stored form of an entry, without making it.
pub fn stored_bytes(logged: &LoggedEntry) -> u64 {
    let mut count = ByteCount(0);
    // The same, and a count does not fail.
    serde_json::to_writer(&mut count, &line(logged)).expect("an entry has a JSON form");
    count.0
}

fn line(logged: &LoggedEntry) -> LogLine<&LoggedCommand, &Entry> {
    LogLine { by: logged.command.as_ref(), entry: &logged.entry }
}

/// Counts what is written to it.
struct ByteCount(u64);

impl io::Write for ByteCount {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The entry of a stored line.
pub fn decode(at: Millis, body: &str) -> Result<LoggedEntry, UnreadableLog> {
    let LogLine { by: command, entry } =
        serde_json::from_str::<LogLine<LoggedCommand, Entry>>(body)?;
    Ok(LoggedEntry { at, command, entry })
}
