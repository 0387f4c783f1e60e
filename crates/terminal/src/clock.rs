//! The one place where the terminal reads a clock.

use std::time::{SystemTime, UNIX_EPOCH};

/// This moment in milliseconds since 1970.
#[allow(clippy::disallowed_methods, reason = "tables have clocks, and bots take their time")]
pub(crate) fn millis() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
