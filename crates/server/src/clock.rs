//! What time it is. Rooms and desks are told; only here it is read.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use room::Millis;
use tokio::time::Instant;

/// Milliseconds since 1970 that never go back while the server runs: the system's clock is read
/// once, and then only how much time has passed.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    started: Instant,
    at: Millis,
}

impl Clock {
    /// A clock that agrees with the system's now.
    #[allow(clippy::disallowed_methods, reason = "the one place where the server reads the time")]
    pub fn start() -> Clock {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
        Clock { started: Instant::now(), at: since.as_millis() as Millis }
    }

    /// The time.
    pub fn now(&self) -> Millis {
        self.at + self.started.elapsed().as_millis() as Millis
    }

    /// The same for whoever stores it.
    pub fn now_ms(&self) -> i64 {
        self.now() as i64
    }

    /// When that time will be here.
    pub fn instant(&self, at: Millis) -> Instant {
        self.started + Duration::from_millis(at.saturating_sub(self.at))
    }
}
