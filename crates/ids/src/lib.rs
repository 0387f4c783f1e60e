//! Small values that links, logs and messages share: the ids of tables, ledgers and players, keys,
//! the fingerprints of commands, and the [terms] of a table.
//!
//! Ids are numbers without meaning, written so that a person can read them aloud and type them.
//! The code that opens a table draws its id; nothing here draws.

pub mod terms;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use sha2::{Digest, Sha256};
use thiserror::Error;

/// Crockford's base32: no letter that looks like a digit, and no `u`, so that ids rarely form words.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// Defines an id: a number with a given number of bits and of letters.
macro_rules! id {
    ($(#[$doc:meta])* $name:ident: $bits:literal bits, $letters:literal letters) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u64);

        impl $name {
            #[doc = concat!("From a number below 2^", $bits, ".")]
            pub const fn new(number: u64) -> Option<Self> {
                if number >> $bits == 0 { Some(Self(number)) } else { None }
            }

            #[doc = concat!("From 64 random bits, of which the upper ", $bits, " are used.")]
            pub const fn from_random(bits: u64) -> Self {
                Self(bits >> (u64::BITS - $bits))
            }

            #[doc = concat!("The number, below 2^", $bits, ".")]
            pub const fn get(self) -> u64 {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write_letters(self.0, $letters, f)
            }
        }

        impl FromStr for $name {
            type Err = InvalidId;

            fn from_str(text: &str) -> Result<Self, InvalidId> {
                let invalid = InvalidId { letters: $letters };
                read_letters(text, $letters).and_then(Self::new).ok_or(invalid)
            }
        }
    };
}

id! {
    /// A table, written as ten characters.
    TableId: 50 bits, 10 letters
}
id! {
    /// A ledger: a contest or a shared score sheet on a server. Written as ten characters.
    LedgerId: 50 bits, 10 letters
}
id! {
    /// A stored log, of a table or of a ledger. One space of numbers serves both.
    LogId: 50 bits, 10 letters
}
id! {
    /// A player, known to a server by a session or an account. Written as thirteen characters.
    PlayerId: 63 bits, 13 letters
}

impl From<TableId> for LogId {
    fn from(table: TableId) -> LogId {
        LogId(table.0)
    }
}

impl From<LedgerId> for LogId {
    fn from(ledger: LedgerId) -> LogId {
        LogId(ledger.0)
    }
}

impl LogId {
    /// The table whose log this is. The caller knows that it is the log of a table.
    pub const fn as_table(self) -> TableId {
        TableId(self.0)
    }
}

/// Tells a command from others with the same id: the first 64 bits of the SHA-256 of its JSON.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct CommandFingerprint(u64);

impl CommandFingerprint {
    /// The fingerprint of the command with this JSON.
    pub fn of(json: &str) -> CommandFingerprint {
        let hash: [u8; 32] = Sha256::digest(json).into();
        let [a, b, c, d, e, f, g, h, ..] = hash;
        CommandFingerprint(u64::from_be_bytes([a, b, c, d, e, f, g, h]))
    }

    /// From the number that [`get`](CommandFingerprint::get) returned.
    pub const fn new(number: u64) -> CommandFingerprint {
        CommandFingerprint(number)
    }

    /// The fingerprint as a number.
    pub const fn get(self) -> u64 {
        self.0
    }
}

/// The secret of a link: 128 random bits, or bits that are derived from a key.
#[derive(Clone, Copy)]
pub struct Key([u8; 16]);

impl Key {
    /// A key of random bytes.
    pub const fn new(bytes: [u8; 16]) -> Key {
        Key(bytes)
    }

    /// The bytes of the key, to be stored or hashed.
    pub const fn bytes(&self) -> &[u8; 16] {
        &self.0
    }

    /// The key for a purpose, derived from this one: the first half of the SHA-256 of this key and the
    /// purpose. This key cannot be computed from it.
    pub fn derive(&self, purpose: &str) -> Key {
        let hash = Sha256::new().chain_update(self.0).chain_update(purpose).finalize();
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&hash[..16]);
        Key(bytes)
    }
}

impl PartialEq for Key {
    /// Compares in constant time.
    fn eq(&self, other: &Key) -> bool {
        let differences = self.0.iter().zip(other.0).fold(0, |sum, (a, b)| sum | (a ^ b));
        core::hint::black_box(differences) == 0
    }
}

impl Eq for Key {}

impl fmt::Debug for Key {
    /// Hides the key, so that no log contains it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// The text is not a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("a key has 32 hexadecimal digits in lower case")]
pub struct InvalidKey;

impl FromStr for Key {
    type Err = InvalidKey;

    fn from_str(text: &str) -> Result<Key, InvalidKey> {
        let lower = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        if text.len() != 32 || !text.bytes().all(lower) {
            return Err(InvalidKey);
        }
        u128::from_str_radix(text, 16).map(|bits| Key(bits.to_be_bytes())).map_err(|_| InvalidKey)
    }
}

/// The text is not an id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("an id has {letters} characters of 0-9 and a-z without u")]
pub struct InvalidId {
    letters: usize,
}

impl Serialize for PlayerId {
    /// Serialises the id as a number.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(self.0)
    }
}

impl<'de> Deserialize<'de> for PlayerId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = u64::deserialize(deserializer)?;
        PlayerId::new(number).ok_or_else(|| de::Error::custom("a player's number is below 2^63"))
    }
}

/// Serialises a type as its text.
macro_rules! as_text {
    ($($name:ident)*) => {
        $(
            impl Serialize for $name {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    serializer.collect_str(self)
                }
            }

            impl<'de> Deserialize<'de> for $name {
                fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    let text = std::borrow::Cow::<'_, str>::deserialize(deserializer)?;
                    text.parse().map_err(de::Error::custom)
                }
            }
        )*
    };
}

as_text!(TableId LedgerId Key);

fn write_letters(number: u64, letters: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let letter = |place: usize| char::from(ALPHABET[(number >> (5 * place) & 31) as usize]);
    f.pad(&(0..letters).rev().map(letter).collect::<String>())
}

/// Reads an id. Letters that look like digits are read as digits, as users may type them.
fn read_letters(text: &str, letters: usize) -> Option<u64> {
    if text.len() != letters {
        return None;
    }
    text.bytes().try_fold(0_u64, |number, byte| {
        let letter = match byte.to_ascii_lowercase() {
            b'o' => b'0',
            b'i' | b'l' => b'1',
            other => other,
        };
        let digit = ALPHABET.iter().position(|&known| known == letter)?;
        // Thirteen letters may exceed 64 bits.
        Some(number.checked_mul(32)? | digit as u64)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_id_is_written_and_read() {
        for number in [0, 1, 31, 32, 0x0002_9a5b_c3d1_e0f7, (1 << 50) - 1] {
            let table = TableId::new(number).unwrap();
            let text = table.to_string();
            assert_eq!(text.len(), 10);
            assert_eq!(text.parse(), Ok(table));
            assert_eq!(text.to_uppercase().parse(), Ok(table));
        }
        assert_eq!(TableId::new(1 << 50), None);
        assert_eq!(TableId::from_random(u64::MAX).get(), (1 << 50) - 1);
    }

    #[test]
    fn letters_that_look_like_digits_are_read_as_digits() {
        let table: TableId = "0000000101".parse().unwrap();
        for typed in ["oooooooiol", "OOOOOOOLOI", "0o0o0o01Oi"] {
            assert_eq!(typed.parse(), Ok(table), "{typed}");
        }
    }

    #[test]
    fn other_texts_are_not_table_ids() {
        for text in ["", "0", "000000000", "00000000000", "000000000u", "00000-0000", "0000000ă00"]
        {
            assert!(text.parse::<TableId>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_player_id_is_written_and_read() {
        for number in [0, 7, (1 << 63) - 1] {
            let player = PlayerId::new(number).unwrap();
            assert_eq!(player.to_string().len(), 13);
            assert_eq!(player.to_string().parse(), Ok(player));
        }
        assert!("zzzzzzzzzzzzz".parse::<PlayerId>().is_err());
        assert!("8000000000000".parse::<PlayerId>().is_err());
        assert_eq!(PlayerId::new(1 << 63), None);
    }
}
