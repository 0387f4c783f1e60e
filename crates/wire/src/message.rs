//! What all messages have in common: a JSON object with a type, read with limits.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Why a text is no message.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Unread {
    /// A text that is longer than any message.
    #[error("a message has at most {most} bytes")]
    TooLong {
        /// The most bytes of a message.
        most: usize,
    },
    /// No JSON object with a type.
    #[error("a message is a JSON object with a \"type\": {0}")]
    NoMessage(String),
    /// A message of another version of the protocol.
    #[error("version {known} of the protocol is spoken here, not {found}")]
    OtherVersion {
        /// The version it says.
        found: u64,
        /// The version spoken here.
        known: u32,
    },
    /// A type that nobody here knows. Newer programs may have more of them.
    #[error("there is no message of type {found:?}")]
    UnknownType {
        /// The type it says.
        found: String,
    },
    /// A message of a known type that lacks something.
    #[error("the message of type {kind:?} is not right: {what}")]
    Wrong {
        /// Its type.
        kind: String,
        /// What is wrong.
        what: String,
    },
}

/// A protocol: its version, the size of its messages and their types.
pub(crate) struct Protocol {
    pub(crate) version: u32,
    pub(crate) most_bytes: usize,
    pub(crate) types: &'static [&'static str],
}

/// What every message has.
#[derive(Deserialize)]
struct TypeTag {
    #[serde(rename = "type")]
    kind: String,
    ghinda: Option<u64>,
}

impl Protocol {
    /// The message of a text. The type and the version are looked at first, so that
    /// a message of another program is told apart from a broken one.
    pub(crate) fn read<T: DeserializeOwned>(&self, text: &str) -> Result<T, Unread> {
        if text.len() > self.most_bytes {
            return Err(Unread::TooLong { most: self.most_bytes });
        }
        let kind: TypeTag = serde_json::from_str(text).map_err(|e| Unread::NoMessage(said(&e)))?;
        match kind.ghinda {
            Some(found) if found != u64::from(self.version) => {
                return Err(Unread::OtherVersion { found, known: self.version });
            }
            _ => {}
        }
        if !self.types.contains(&kind.kind.as_str()) {
            return Err(Unread::UnknownType { found: shortened(&kind.kind) });
        }
        serde_json::from_str(text)
            .map_err(|error| Unread::Wrong { kind: kind.kind, what: said(&error) })
    }
}

/// A message as JSON.
pub(crate) fn text(message: &impl Serialize) -> String {
    // Strings, numbers and lists always have a JSON form.
    serde_json::to_string(message).unwrap_or_default()
}

/// What is wrong, without a place within the line that nobody would look up.
fn said(error: &serde_json::Error) -> String {
    shortened(error.to_string().split(" at line ").next().unwrap_or_default())
}

/// A text from the other side, quoted no longer than a person reads it.
pub(crate) fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(120).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
