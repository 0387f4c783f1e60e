//! Beliefs: compared with a brute force that shares no code with them and with formulas, and tested
//! for evenness of their samples.
#![allow(missing_docs, unreachable_pub, reason = "tests name themselves")]

mod agreement;
mod brute;
mod counts;
#[path = "../lot/mod.rs"]
mod lot;
mod moments;
mod proofs;
mod sampling;
