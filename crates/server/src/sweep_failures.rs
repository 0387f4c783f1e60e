//! When a sweep over many logs goes on after a failure, and when it ends; and how long it pauses after each.
//!
//! A log that fails every time, for example because a statement on it takes too long, must not keep every
//! sweep from the logs after it. But if the database itself is gone, all logs fail, and each may take
//! as long as a statement may.

use std::time::Duration;

use store::{LogId, StoreError};

/// How long a sweep waits after each log: whatever there is to sweep, most of the time the database is for those
/// who play.
pub(crate) const PAUSE: Duration = Duration::from_millis(5);
/// After this many failures in a row the database is taken to be gone.
pub(crate) const MAX_IN_A_ROW: usize = 5;

/// How many logs in a row have failed.
#[derive(Default)]
pub(crate) struct SweepFailures {
    in_a_row: usize,
}

impl SweepFailures {
    /// Notes that the database has handled a log.
    pub(crate) fn end_row(&mut self) {
        self.in_a_row = 0;
    }

    /// Logs that a log stays as it is. Returns the error if the sweep is to end with it.
    pub(crate) fn note(&mut self, log: LogId, error: StoreError) -> Result<(), StoreError> {
        tracing::error!(%log, %error, "a sweep leaves a log as it is");
        match error {
            // The database has answered, and the others are no worse for it.
            StoreError::Corrupt(_) | StoreError::Refused(_) => self.end_row(),
            _ => self.in_a_row += 1,
        }
        if self.in_a_row < MAX_IN_A_ROW { Ok(()) } else { Err(error) }
    }
}
