//! The one place where the binary reads a clock.

use std::time::Instant;

/// This moment, to measure how long a bot thinks and to stop waiting for it.
#[allow(
    clippy::disallowed_methods,
    reason = "bots are given time, and programs may be silent for ever"
)]
pub(crate) fn now() -> Instant {
    Instant::now()
}
