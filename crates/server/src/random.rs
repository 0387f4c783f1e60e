//! Random bytes from the operating system: for secrets, tokens and ids.

use game::fair::Secret;

/// Random bytes. Panics if there are none, because nothing would be secure without them.
pub(crate) fn bytes<const N: usize>() -> [u8; N] {
    #[cfg(test)]
    if let Some(bytes) = seeded::bytes() {
        return bytes;
    }
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
    bytes
}

/// 64 random bits.
pub(crate) fn bits() -> u64 {
    u64::from_be_bytes(bytes())
}

/// The secret of a match. It is public so that an audit tests what tables get.
pub fn secret() -> Secret {
    Secret(bytes())
}

/// In a simulated world all bytes follow from its seed. Each thread runs one world at a time.
#[cfg(test)]
pub(crate) mod seeded {
    use std::cell::RefCell;

    use game::deal::{RandomStream, Seed};

    thread_local! {
        static STREAM: RefCell<Option<RandomStream>> = const { RefCell::new(None) };
    }

    /// From now on the bytes of this thread follow from a seed, or come from the system again.
    pub(crate) fn begin(seed: Option<Seed>) {
        STREAM.set(seed.map(|seed| RandomStream::new(seed, 1)));
    }

    pub(super) fn bytes<const N: usize>() -> Option<[u8; N]> {
        STREAM.with_borrow_mut(|stream| {
            let stream = stream.as_mut()?;
            Some(std::array::from_fn(|_| stream.below(256) as u8))
        })
    }
}
