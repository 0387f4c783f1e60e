//! Beliefs: against a brute force that shares no code with them, against
//! formulas, and by the evenness of what they sample.
#![allow(missing_docs, unreachable_pub, reason = "tests name themselves")]

mod agreement;
mod brute;
mod counts;
#[path = "../lot/mod.rs"]
mod lot;
mod moments;
mod proofs;
mod sampling;
