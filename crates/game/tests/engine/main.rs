//! The engine as a whole: compared with a naive reference, its properties, and
//! its notations.
#![allow(missing_docs, unreachable_pub, reason = "tests name themselves")]

mod agreement;
mod golden;
mod notation;
mod perft;
mod properties;
mod random;
mod records;
mod reference;
mod refusals;
mod signature;
