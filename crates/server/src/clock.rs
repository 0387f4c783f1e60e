//! The clock of the server. Only this module reads the time; rooms and drivers get it as a value.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use room::Millis;
use tokio::time::Instant;

/// Milliseconds since 1970 that never go back while the server runs: the system's clock is read once,
/// and the elapsed time is added.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    started: Instant,
    at: Millis,
}

impl Clock {
    /// Starts a clock with the time of the system.
    #[allow(clippy::disallowed_methods, reason = "the one place where the server reads the time")]
    pub fn start() -> Clock {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
        Clock { started: Instant::now(), at: since.as_millis() as Millis }
    }

    /// The time.
    pub fn now(&self) -> Millis {
        self.at + self.started.elapsed().as_millis() as Millis
    }

    /// The time as the store takes it.
    pub fn now_ms(&self) -> i64 {
        self.now() as i64
    }

    /// The instant of a time.
    pub fn instant(&self, at: Millis) -> Instant {
        self.started + Duration::from_millis(at.saturating_sub(self.at))
    }
}
