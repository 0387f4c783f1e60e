//! The only place where the arena reads a clock.

use std::time::Instant;

/// The current instant, to measure how long a bot thinks and to enforce its time limit.
#[allow(
    clippy::disallowed_methods,
    reason = "bots have time limits, and programs may never answer"
)]
pub(crate) fn now() -> Instant {
    Instant::now()
}
