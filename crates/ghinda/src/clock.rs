//! The only place where the binary reads a clock.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// The current instant, to measure how long a bot thinks and to enforce its time limit.
#[allow(
    clippy::disallowed_methods,
    reason = "bots have time limits, and programs may never answer"
)]
pub(crate) fn now() -> Instant {
    Instant::now()
}

/// The current time in milliseconds since 1970, for logs that people read.
#[allow(clippy::disallowed_methods, reason = "a log records when something happened")]
pub(crate) fn millis() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
