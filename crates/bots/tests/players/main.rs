//! Players by level: they keep the rules, see only their view, stop when told,
//! and do what is beyond doubt; the yardsticks never change.
#![allow(missing_docs, unreachable_pub, reason = "tests name themselves")]

mod matches;
mod rules_are_kept;
