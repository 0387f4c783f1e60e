//! The commands of players in the log: who sent which, so that none is done twice.

use std::borrow::Cow;

use ids::{CommandFingerprint, PlayerId};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use wire::table::TableCommand;

/// The upper half of a [`CommandFingerprint`], which is all that the log of a table has. A player sends few
/// commands with one id, so that it is enough.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ShortFingerprint(u32);

impl ShortFingerprint {
    /// The fingerprint of a command.
    pub fn of(command: &TableCommand) -> ShortFingerprint {
        // Strings, numbers and lists always have a JSON form.
        let json = serde_json::to_string(command).unwrap_or_default();
        ShortFingerprint((CommandFingerprint::of(&json).get() >> 32) as u32)
    }
}

impl Serialize for ShortFingerprint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{:08x}", self.0))
    }
}

impl<'de> Deserialize<'de> for ShortFingerprint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ShortFingerprint, D::Error> {
        let text = Cow::<'_, str>::deserialize(deserializer)?;
        let is_one = text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let number = u32::from_str_radix(&text, 16).ok().filter(|_| is_one);
        number.map(ShortFingerprint).ok_or_else(|| de::Error::custom("expected eight hex digits"))
    }
}

/// The command that led to an entry.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Deserialize)]
#[serde(from = "StoredCommand")]
pub struct LoggedCommand {
    /// The player who sent it.
    pub player: PlayerId,
    /// Its id.
    pub id: String,
    /// Its fingerprint. None in the logs of earlier versions, and if the player was erased.
    pub fingerprint: Option<ShortFingerprint>,
}

impl LoggedCommand {
    /// Whether a command with the same player and id is this one, as far as that is known.
    pub fn is(&self, command: &TableCommand) -> bool {
        self.fingerprint.is_none_or(|known| known == ShortFingerprint::of(command))
    }
}

/// The stored forms, with and without a fingerprint.
#[derive(Deserialize)]
#[serde(untagged)]
enum StoredCommand {
    WithFingerprint(PlayerId, String, ShortFingerprint),
    Without(PlayerId, String),
}

impl From<StoredCommand> for LoggedCommand {
    fn from(stored: StoredCommand) -> LoggedCommand {
        let (player, id, fingerprint) = match stored {
            StoredCommand::WithFingerprint(player, id, fingerprint) => {
                (player, id, Some(fingerprint))
            }
            StoredCommand::Without(player, id) => (player, id, None),
        };
        LoggedCommand { player, id, fingerprint }
    }
}

impl Serialize for LoggedCommand {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.fingerprint {
            Some(fingerprint) => (self.player, &self.id, fingerprint).serialize(serializer),
            None => (self.player, &self.id).serialize(serializer),
        }
    }
}

/// A command that was done, so that it is not done again.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(from = "StoredDone")]
pub struct DoneCommand {
    /// The command.
    pub command: LoggedCommand,
    /// The version in which it was done.
    pub version: u64,
}

/// The stored forms, with and without a fingerprint.
#[derive(Deserialize)]
#[serde(untagged)]
enum StoredDone {
    WithFingerprint(PlayerId, String, u64, ShortFingerprint),
    Without(PlayerId, String, u64),
}

impl From<StoredDone> for DoneCommand {
    fn from(stored: StoredDone) -> DoneCommand {
        let (player, id, version, fingerprint) = match stored {
            StoredDone::WithFingerprint(player, id, version, fingerprint) => {
                (player, id, version, Some(fingerprint))
            }
            StoredDone::Without(player, id, version) => (player, id, version, None),
        };
        DoneCommand { command: LoggedCommand { player, id, fingerprint }, version }
    }
}

impl Serialize for DoneCommand {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let LoggedCommand { player, id, fingerprint } = &self.command;
        match fingerprint {
            Some(fingerprint) => (player, id, self.version, fingerprint).serialize(serializer),
            None => (player, id, self.version).serialize(serializer),
        }
    }
}
