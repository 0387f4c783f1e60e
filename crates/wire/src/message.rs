//! The common parts of all messages: a JSON object with a type, read with limits.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Why a message could not be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum MessageError {
    /// The text is longer than any message.
    #[error("a message has at most {most} bytes")]
    TooLong {
        /// The maximum number of bytes in a message.
        most: usize,
    },
    /// The text is not a JSON object with a type.
    #[error("a message is a JSON object with a \"type\": {0}")]
    NoMessage(String),
    /// The message is of another version of the protocol.
    #[error("version {known} of the protocol is spoken here, not {found}")]
    OtherVersion {
        /// The version of the message.
        found: u64,
        /// The supported version.
        known: u32,
    },
    /// The type is unknown. Newer programs may have more types.
    #[error("there is no message of type {found:?}")]
    UnknownType {
        /// The type of the message.
        found: String,
    },
    /// The type is known, but the message has wrong or missing fields.
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
    pub(crate) max_bytes: usize,
    pub(crate) types: &'static [&'static str],
}

/// A message of a protocol. Only a hello has a version.
pub(crate) trait Versioned: DeserializeOwned {
    /// The version of the protocol, in a hello.
    fn version(&self) -> Option<u32>;
}

/// The fields that explain why a message cannot be read.
#[derive(Deserialize)]
struct TypeTag {
    #[serde(rename = "type")]
    kind: String,
    ghinda: Option<u64>,
}

impl Protocol {
    /// Reads a message. A valid text is parsed once.
    pub(crate) fn read<T: Versioned>(&self, text: &str) -> Result<T, MessageError> {
        if text.len() > self.max_bytes {
            return Err(MessageError::TooLong { most: self.max_bytes });
        }
        let message: T = serde_json::from_str(text).map_err(|error| self.explain(text, &error))?;
        match message.version() {
            Some(found) if found != self.version => {
                Err(MessageError::OtherVersion { found: found.into(), known: self.version })
            }
            _ => Ok(message),
        }
    }

    /// Why a text is not a message. Another version and an unknown type are distinguished from wrong
    /// fields.
    fn explain(&self, text: &str, error: &serde_json::Error) -> MessageError {
        let tag: TypeTag = match serde_json::from_str(text) {
            Ok(tag) => tag,
            Err(error) => return MessageError::NoMessage(error_text(&error)),
        };
        match tag.ghinda {
            Some(found) if found != u64::from(self.version) => {
                MessageError::OtherVersion { found, known: self.version }
            }
            _ if !self.types.contains(&tag.kind.as_str()) => {
                MessageError::UnknownType { found: shortened(&tag.kind) }
            }
            _ => MessageError::Wrong { kind: tag.kind, what: error_text(error) },
        }
    }
}

/// A message as JSON.
pub(crate) fn text(message: &impl Serialize) -> String {
    // Strings, numbers and lists always have a JSON form.
    serde_json::to_string(message).unwrap_or_default()
}

/// The text of an error, without the position within the message.
fn error_text(error: &serde_json::Error) -> String {
    shortened(error.to_string().split(" at line ").next().unwrap_or_default())
}

/// The first 120 characters of a received text, for quoting.
pub(crate) fn shortened(text: &str) -> String {
    shortened_to(text, 120)
}

/// The first characters of a text, at most `most`, and a sign that there were more.
pub(crate) fn shortened_to(text: &str, most: usize) -> String {
    let mut short: String = text.chars().take(most).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
