//! The one place where the binary reads a clock.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// This moment, to measure how long a bot thinks and to stop waiting for it.
#[allow(
    clippy::disallowed_methods,
    reason = "bots are given time, and programs may be silent for ever"
)]
pub(crate) fn now() -> Instant {
    Instant::now()
}

/// This moment in milliseconds since 1970, for logs that people read.
#[allow(clippy::disallowed_methods, reason = "a log says when something was done")]
pub(crate) fn millis() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
