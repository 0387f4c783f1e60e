//! Random bytes from the operating system: for secrets, tokens and ids.

use game::fair::Secret;

/// Random bytes. Panics if there are none, because nothing would be secure without them.
pub(crate) fn bytes<const N: usize>() -> [u8; N] {
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
