//! Players by level: they keep the rules, see only their view, stop when told to,
//! and do what is beyond doubt; the yardsticks never change.
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
