//! The engine as a whole: against a naive reference, under properties, and in
//! its notations.
#![allow(missing_docs, unreachable_pub, reason = "tests name themselves")]

mod agreement;
mod golden;
mod lot;
mod notation;
mod perft;
mod properties;
mod records;
mod reference;
mod refusals;
mod signature;
