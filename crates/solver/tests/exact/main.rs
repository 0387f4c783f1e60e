//! The searches against brute force, under properties, and under limits.
//!
//! `THOROUGH=20 cargo test -p solver --release` looks at twenty times as many
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

/// So many, or as many times more as the environment asks for.
pub fn rounds(count: usize) -> usize {
    let times = std::env::var("THOROUGH").ok().and_then(|times| times.parse().ok());
    count * times.unwrap_or(1)
}
