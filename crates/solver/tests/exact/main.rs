//! The searches compared with brute force, their properties, and their limits.
//!
//! `THOROUGH=20 cargo test -p solver --release` tests twenty times as many
//! positions.
#![allow(missing_docs, unreachable_pub, reason = "tests name themselves")]

mod alone;
mod brute;
mod camps;
mod endings;
mod limits;
mod partners;
mod solved;
mod stock;
mod whist;

/// The number of rounds, multiplied by the environment variable `THOROUGH`.
pub fn rounds(count: usize) -> usize {
    let times = std::env::var("THOROUGH").ok().and_then(|times| times.parse().ok());
    count * times.unwrap_or(1)
}
