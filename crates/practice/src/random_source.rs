//! The secrets and names of a table, derived from random bytes that the caller supplies once.
//!
//! Each value is a hash of the random bytes, its purpose and the number of entries before it. So a resumed
//! journal continues with the same values, and a revealed secret does not reveal the next.

use core::str::FromStr;

use cards::Seat;
use game::deal::{RandomStream, Seed};
use game::fair::{InvalidHex, Secret};
use ids::TableId;
use room::Key;
use sha2::{Digest, Sha256};

/// The random bytes of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RandomSource(Secret);

impl RandomSource {
    pub(crate) fn new(entropy: [u8; 32]) -> RandomSource {
        RandomSource(Secret(entropy))
    }

    /// The bytes as the journal keeps them.
    pub(crate) fn reveal(self) -> String {
        self.0.reveal()
    }

    fn draw(self, what: &str, entries: u64) -> [u8; 32] {
        let text = format!("ghinda-practice-1\n{what}\n{entries}\n{}\n", self.reveal());
        Sha256::digest(text).into()
    }

    /// The secret of a commitment that is made after this many entries.
    pub(crate) fn secret(self, entries: u64) -> Secret {
        Secret(self.draw("secret", entries))
    }

    /// The id of the table.
    pub(crate) fn table(self) -> TableId {
        let mut bits = [0; 8];
        bits.copy_from_slice(&self.draw("table", 0)[..8]);
        TableId::from_random(u64::from_be_bytes(bits))
    }

    /// The key of the table's link, which is never given out.
    pub(crate) fn key(self) -> Key {
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&self.draw("key", 0)[..16]);
        Key::new(bytes)
    }

    /// A random seat of the first `players`.
    pub(crate) fn seat(self, players: usize) -> Option<Seat> {
        Seat::new(RandomStream::new(Seed(self.draw("seat", 0)), 0).below(players))
    }
}

impl FromStr for RandomSource {
    type Err = InvalidHex;

    fn from_str(text: &str) -> Result<RandomSource, InvalidHex> {
        text.parse().map(RandomSource)
    }
}
