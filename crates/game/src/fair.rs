//! Fair deals: commit first, reveal afterwards, and any client can verify.
//!
//! Before the first card the table publishes a [`Commitment`] to a 256-bit
//! [`Secret`]. Then each seat may add a word of its own. The seed of all deals
//! is a hash of both, so the table cannot choose the deals after it received
//! the words, and no seat can choose its word knowing the deals. After the
//! match the secret is revealed and everything can be computed again.
//!
//! The last word must not come from the server: it knows the secret and could
//! try words until the deals suit it. So its bots add no word.
//!
//! The commitment is to the secret, never to a deal: there are so few deals
//! (2^41 in Cruce) that a hash of one could be inverted by trying them all.
//!
//! Both hashes are SHA-256 of a few lines of plain text, so that
//! `printf … | sha256sum` is enough to check them.

use core::fmt;
use core::str::FromStr;

use cards::BySeat;
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::deal::Seed;
use crate::rules::Rules;

/// The secret that the table keeps until the match is over.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Secret(pub [u8; 32]);

impl fmt::Debug for Secret {
    /// Hides the value; [`Secret::reveal`] returns it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// The commitment that the table publishes before the first deal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Commitment(pub [u8; 32]);

/// The error for a text that is not a 256-bit number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("64 hexadecimal digits in lower case")]
pub struct InvalidHex;

/// A public word: the name of a table, or what a seat adds to the seed.
///
/// One to 64 ASCII letters, digits, `.`, `_` or `-`, so that it needs no quoting
/// in records and hashes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Word {
    letters: [u8; 64],
    length: u8,
}

/// The error for a text that is not a [`Word`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("1 to 64 letters (a to z), digits, dots, dashes or underscores")]
pub struct InvalidWord;

impl FromStr for Word {
    type Err = InvalidWord;

    fn from_str(text: &str) -> Result<Word, InvalidWord> {
        let plain = |b: u8| b.is_ascii_alphanumeric() || b"._-".contains(&b);
        // A lone dash means "no word" in records.
        if text.is_empty() || text.len() > 64 || text == "-" || !text.bytes().all(plain) {
            return Err(InvalidWord);
        }
        let mut letters = [0; 64];
        letters[..text.len()].copy_from_slice(text.as_bytes());
        Ok(Word { letters, length: text.len() as u8 })
    }
}

impl Word {
    /// The word.
    pub fn as_str(&self) -> &str {
        str::from_utf8(&self.letters[..self.length as usize]).unwrap_or_default()
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl Secret {
    /// A secret that can be derived again from a phrase: for simulations and
    /// tests, never for a table with people.
    pub fn from_phrase(phrase: &str) -> Secret {
        Secret(Sha256::digest(format!("ghinda-phrase-1\n{phrase}\n")).into())
    }

    /// The secret as it is written in a record.
    pub fn reveal(&self) -> String {
        hex(&self.0)
    }

    /// The commitment to it for a table with these rules.
    pub fn commit(&self, table: &Word, rules: &Rules) -> Commitment {
        let text = format!("ghinda-commit-1\n{table}\n{rules}\n{}\n", self.reveal());
        Commitment(Sha256::digest(text).into())
    }

    /// The seed of all deals, from the words that the seats have added.
    pub fn seed(&self, table: &Word, rules: &Rules, words: &BySeat<Option<Word>>) -> Seed {
        let mut text = format!("ghinda-seed-1\n{table}\n{rules}\n{}\n", self.reveal());
        for word in words.iter() {
            text.push_str(word.as_ref().map_or("-", Word::as_str));
            text.push('\n');
        }
        Seed(Sha256::digest(text).into())
    }
}

impl FromStr for Secret {
    type Err = InvalidHex;
    fn from_str(text: &str) -> Result<Secret, InvalidHex> {
        unhex(text).map(Secret)
    }
}

impl FromStr for Commitment {
    type Err = InvalidHex;
    fn from_str(text: &str) -> Result<Commitment, InvalidHex> {
        unhex(text).map(Commitment)
    }
}

impl fmt::Display for Commitment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

fn hex(bytes: &[u8; 32]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Result<[u8; 32], InvalidHex> {
    let lower = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
    if text.len() != 64 || !text.bytes().all(lower) {
        return Err(InvalidHex);
    }
    let mut bytes = [0; 32];
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * at..2 * at + 2], 16).map_err(|_| InvalidHex)?;
    }
    Ok(bytes)
}
