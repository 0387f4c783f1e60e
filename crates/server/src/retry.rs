//! Trying something again until it succeeds, with growing pauses.

use std::pin::pin;
use std::time::Duration;

/// The pause after the first failure. Every further failure doubles it.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
/// The longest pause.
const MAX_PAUSE: Duration = Duration::from_secs(60);

/// Tries until an attempt succeeds, and returns its value. Ends without one if `ended` completes in a
/// pause; an attempt is never interrupted.
pub(crate) async fn retry<T, F>(
    ended: impl Future<Output = ()>,
    mut attempt: impl FnMut() -> F,
) -> Option<T>
where
    F: Future<Output = Option<T>>,
{
    let mut ended = pin!(ended);
    let mut pause = FIRST_PAUSE;
    loop {
        if let Some(value) = attempt().await {
            return Some(value);
        }
        tokio::select! {
            // In a fixed order: otherwise simulated worlds differ between runs.
            biased;
            () = &mut ended => return None,
            () = tokio::time::sleep(pause) => {}
        }
        pause = (2 * pause).min(MAX_PAUSE);
    }
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use tokio::sync::oneshot;
    use tokio::time::Instant;

    use super::*;

    /// The seconds between the attempts when this many fail before one succeeds.
    async fn pauses(failures: usize) -> Vec<u64> {
        let mut attempts = Vec::new();
        let done = retry(pending(), || {
            attempts.push(Instant::now());
            ready((attempts.len() > failures).then_some("done"))
        });
        assert_eq!(done.await, Some("done"));
        attempts.windows(2).map(|pair| (pair[1] - pair[0]).as_secs()).collect()
    }

    #[tokio::test(start_paused = true)]
    async fn the_pauses_grow_up_to_a_minute() {
        assert_eq!(pauses(0).await, [0; 0]);
        assert_eq!(pauses(9).await, [1, 2, 4, 8, 16, 32, 60, 60, 60]);
    }

    #[tokio::test(start_paused = true)]
    async fn an_end_at_the_moment_of_the_next_attempt_always_comes_first() {
        for _ in 0..64 {
            let mut attempts = 0;
            let done = retry(tokio::time::sleep(FIRST_PAUSE), || {
                attempts += 1;
                ready(None::<()>)
            });
            assert_eq!((done.await, attempts), (None, 1));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn nothing_is_tried_again_after_the_end() {
        let (owner, owned) = oneshot::channel::<()>();
        let ended = async {
            let _ = owned.await;
        };
        let attempts = std::cell::Cell::new(0);
        let failing = retry(ended, || {
            attempts.set(attempts.get() + 1);
            ready(None::<()>)
        });
        let owner = async {
            tokio::time::sleep(Duration::from_millis(3_500)).await;
            drop(owner);
            Instant::now()
        };
        let before = Instant::now();
        let (done, dropped) = tokio::join!(failing, owner);
        // At 0, 1 and 3 seconds; the pause of four seconds is cut short.
        assert_eq!((done, attempts.get()), (None, 3));
        assert_eq!(before.elapsed(), dropped - before);
    }
}
