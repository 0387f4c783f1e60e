//! The ids of tables and players, and keys, as links and logs write them.
//!
//! An id is a number without meaning, written so that a person can read it aloud and type
//! it. This crate generates none; its callers do.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// Crockford's base32: no letter that looks like a digit, and no `u`, so that few words appear.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const TABLE_BITS: u32 = 50;
const TABLE_LETTERS: usize = 10;
const PLAYER_BITS: u32 = 63;
const PLAYER_LETTERS: usize = 13;

/// A table, written as ten characters that a person can read aloud and type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableId(u64);

/// A player, known to a server by a session or an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlayerId(u64);

/// The secret part of a link: 128 random bits, or bits derived from such.
#[derive(Clone, Copy)]
pub struct Key([u8; 16]);

impl Key {
    /// A key of random bytes.
    pub const fn new(bytes: [u8; 16]) -> Key {
        Key(bytes)
    }

    /// Its bytes, to be stored or hashed.
    pub const fn bytes(&self) -> &[u8; 16] {
        &self.0
    }
}

impl PartialEq for Key {
    /// Compares in constant time, so that the time reveals nothing about the key.
    fn eq(&self, other: &Key) -> bool {
        let differences = self.0.iter().zip(other.0).fold(0, |sum, (a, b)| sum | (a ^ b));
        core::hint::black_box(differences) == 0
    }
}

impl Eq for Key {}

impl fmt::Debug for Key {
    /// Hides the value, so that it is never printed by accident.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// The error for a text that is not a key.
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

/// The error for a text that is not an id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("an id has {letters} characters of 0-9 and a-z without u")]
pub struct InvalidId {
    letters: usize,
}

impl TableId {
    /// From a number below 2^50.
    pub const fn new(number: u64) -> Option<Self> {
        if number >> TABLE_BITS == 0 { Some(Self(number)) } else { None }
    }

    /// From 64 random bits, of which the upper 50 are used.
    pub const fn from_random(bits: u64) -> Self {
        Self(bits >> (u64::BITS - TABLE_BITS))
    }

    /// The number, below 2^50.
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl PlayerId {
    /// From a number below 2^63.
    pub const fn new(number: u64) -> Option<Self> {
        if number >> PLAYER_BITS == 0 { Some(Self(number)) } else { None }
    }

    /// From 64 random bits, of which the upper 63 are used.
    pub const fn from_random(bits: u64) -> Self {
        Self(bits >> (u64::BITS - PLAYER_BITS))
    }

    /// The number, below 2^63.
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl fmt::Display for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_letters(self.0, TABLE_LETTERS, f)
    }
}

impl fmt::Display for PlayerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_letters(self.0, PLAYER_LETTERS, f)
    }
}

impl FromStr for TableId {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        let invalid = InvalidId { letters: TABLE_LETTERS };
        read_letters(text, TABLE_LETTERS).and_then(Self::new).ok_or(invalid)
    }
}

impl FromStr for PlayerId {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        let invalid = InvalidId { letters: PLAYER_LETTERS };
        read_letters(text, PLAYER_LETTERS).and_then(Self::new).ok_or(invalid)
    }
}

fn write_letters(number: u64, letters: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let letter = |place: usize| char::from(ALPHABET[(number >> (5 * place) & 31) as usize]);
    f.pad(&(0..letters).rev().map(letter).collect::<String>())
}

/// Reads letters that look like digits as those digits, because people type them.
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
        // Thirteen letters can encode more than 64 bits.
        Some(number.checked_mul(32)? | digit as u64)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_id_round_trips_through_its_text() {
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
    fn a_player_id_round_trips_through_its_text() {
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
