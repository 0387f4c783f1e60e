//! The lots of a world: everything that happens in it by chance.

use game::deal::{RandomStream, Seed};

/// A stream of chance.
pub(super) struct Lots(RandomStream);

/// The seed of all streams of a world.
pub(super) fn seed_of(world: u64) -> Seed {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&world.to_be_bytes());
    Seed(bytes)
}

impl Lots {
    /// One of the streams of a world. Stream 1 is that of the server's secrets, tokens and ids.
    pub(super) fn new(world: u64, stream: u64) -> Lots {
        Lots(RandomStream::new(seed_of(world), stream))
    }

    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0.below(bound)
    }

    pub(super) fn chance(&mut self, one_in: usize) -> bool {
        self.0.below(one_in) == 0
    }

    /// A number from a range, in milliseconds or anything else.
    pub(super) fn within(&mut self, range: std::ops::Range<u64>) -> u64 {
        range.start + self.0.below((range.end - range.start) as usize) as u64
    }

    pub(super) fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.0.below(list.len())]
    }
}
