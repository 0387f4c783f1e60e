//! The contest as a state machine: any number of entrants, any results, withdrawals, corrections.
#![allow(missing_docs, reason = "tests name themselves")]

mod afternoons;
mod draws;
mod properties;
mod roles;
mod world;
