//! Bots by level: they keep the rules, use only their view, stop when asked to, and take obvious
//! actions; the yardsticks never change.
#![allow(missing_docs, unreachable_pub, reason = "tests name themselves")]

mod limits_are_kept;
#[path = "../lot/mod.rs"]
mod lot;
mod matches;
mod only_the_view_counts;
mod rules_are_kept;
mod sense;
mod whist_is_thought_through;
mod yardsticks;
