//! Where ledgers are made from their lines, apart from the threads that serve connections.
//!
//! The lines may come from anybody, and those of a large contest take a while. So few ledgers are made at
//! once, a long one in parts, and all others wait for their turn in the order in which they have come.
//! Of the places in the queue one address gets a quarter.

use std::net::IpAddr;
use std::sync::Arc;

use tokio::sync::Semaphore;

use super::LedgerError;
use super::state::UnreadableLedger;
use crate::byte_pool::BytePool;
use crate::quotas::{MAX_LEDGER_READS, Quota};

/// How many threads work at once.
const MAX_THREADS: usize = 2;

/// The threads and their queue.
pub(super) struct ReplayPool {
    threads: Arc<Semaphore>,
    /// The places in the queue.
    places: Arc<BytePool>,
    runner: Runner,
}

enum Runner {
    Threads,
    /// The thread of the caller, for tests in virtual time.
    #[cfg(test)]
    Caller,
}

impl ReplayPool {
    pub(super) fn new() -> ReplayPool {
        ReplayPool::with(Runner::Threads)
    }

    /// A pool in which all work is done by the thread that asks for it.
    #[cfg(test)]
    pub(super) fn in_place() -> ReplayPool {
        ReplayPool::with(Runner::Caller)
    }

    fn with(runner: Runner) -> ReplayPool {
        ReplayPool {
            threads: Arc::new(Semaphore::new(MAX_THREADS)),
            places: BytePool::new(MAX_LEDGER_READS),
            runner,
        }
    }

    /// The places that are taken.
    #[cfg(test)]
    pub(super) fn in_use(&self) -> usize {
        self.places.used()
    }

    /// Runs a part of the work for a client at an address, in its turn.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        address: IpAddr,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, LedgerError> {
        let Some(place) = self.places.take(address, 1) else {
            Quota::LedgerReads.count_refusal();
            return Err(LedgerError::Busy);
        };
        let thread = self.threads.clone().acquire_owned().await;
        let thread = thread.map_err(|_| LedgerError::Stopping)?;
        // The work goes on if its caller stops waiting, and keeps its place as long.
        let work = move || {
            let _taken = (place, thread);
            work()
        };
        match self.runner {
            Runner::Threads => match tokio::task::spawn_blocking(work).await {
                Ok(done) => Ok(done),
                Err(failed) if failed.is_panic() => {
                    let fault = "its lines cannot be applied".to_owned();
                    Err(UnreadableLedger::new(fault).into())
                }
                Err(_) => Err(LedgerError::Stopping),
            },
            #[cfg(test)]
            Runner::Caller => Ok(work()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::mpsc::channel;

    use super::*;
    use crate::quotas::CountedRefusals;

    fn address(number: usize) -> IpAddr {
        [10, 0, (number >> 8) as u8, number as u8].into()
    }

    /// Lets all tasks run until they wait.
    async fn settle() {
        for _ in 0..10 {
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn so_many_ledgers_wait_to_be_read_and_no_more() {
        let refusals = CountedRefusals::begin();
        let pool = Arc::new(ReplayPool::new());
        let (open, gate) = channel::<()>();
        let gate = Arc::new(Mutex::new(gate));
        let mut waiting = Vec::new();
        for number in 0..MAX_LEDGER_READS {
            let (pool, gate) = (pool.clone(), gate.clone());
            waiting.push(tokio::spawn(async move {
                let wait = move || gate.lock().expect("a gate").recv().is_ok();
                pool.run(address(number / 64), wait).await
            }));
        }
        settle().await;
        let one_more = pool.run(address(999), || true).await;
        assert!(matches!(one_more, Err(LedgerError::Busy)));
        // Nobody opens the gate any more, and all have their turn.
        drop(open);
        for work in waiting {
            assert!(matches!(work.await, Ok(Ok(false))));
        }
        assert!(matches!(pool.run(address(999), || true).await, Ok(true)));
        refusals.check_only(Quota::LedgerReads);
    }

    #[tokio::test]
    async fn they_have_their_turn_in_the_order_of_coming_and_a_panic_costs_its_own_answer() {
        let pool = Arc::new(ReplayPool::new());
        let (open, gate) = channel::<()>();
        let gate = Arc::new(Mutex::new(gate));
        let order = Arc::new(Mutex::new(Vec::new()));
        let mut waiting = Vec::new();
        for number in 0..20 {
            let (pool, gate, order) = (pool.clone(), gate.clone(), order.clone());
            waiting.push(tokio::spawn(async move {
                let work = move || {
                    // The first two hold the threads until all others wait.
                    let _ = (number < MAX_THREADS).then(|| gate.lock().map(|gate| gate.recv()));
                    order.lock().expect("a list").push(number);
                    assert_ne!(number, 7, "this one fails");
                };
                pool.run(address(1), work).await
            }));
        }
        settle().await;
        drop(open);
        for (number, work) in waiting.into_iter().enumerate() {
            let done = work.await.expect("a task");
            assert_eq!(matches!(done, Err(LedgerError::Unreadable(_))), number == 7, "{number}");
        }
        let order = order.lock().expect("a list");
        // Two threads work at once, so that neighbours may change places.
        let is_in_turn = |(at, number): (usize, &usize)| at.abs_diff(*number) <= MAX_THREADS;
        assert!(order.iter().enumerate().all(is_in_turn), "{order:?}");
    }
}
