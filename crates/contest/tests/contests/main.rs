//! The contest as a state machine: any number of entrants, any results, withdrawals, corrections.
#![allow(missing_docs, reason = "tests name themselves")]

mod afternoons;
mod draws;
mod imports;
mod properties;
mod repeats;
mod roles;
mod world;
