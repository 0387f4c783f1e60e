//! Logs that are acquired together.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use store::{
    AcquireQueue, FaultPlan, LogId, LogKind, MemoryDatabase, Operation, OperationFate, Store,
};

/// Counts transactions that acquire, each of which takes its time.
#[derive(Default)]
struct CountedAcquires(Arc<AtomicUsize>);

impl FaultPlan for CountedAcquires {
    fn fate(&self, operation: &Operation<'_>) -> OperationFate {
        if operation.name != "acquire" {
            return OperationFate::default();
        }
        self.0.fetch_add(1, Ordering::Relaxed);
        OperationFate { before: Duration::from_millis(5), ..OperationFate::default() }
    }
}

fn log(number: u64) -> LogId {
    LogId::new(number).expect("small")
}

#[tokio::test(start_paused = true)]
async fn callers_that_wait_together_share_a_transaction() {
    let (count, store) = (Arc::new(AtomicUsize::new(0)), MemoryDatabase::default());
    for number in 1..=100 {
        store.create(LogKind::Table, log(number), None, 0).await.expect("created");
    }
    let plan = Arc::new(CountedAcquires(count.clone()));
    let queue = Arc::new(AcquireQueue::new(Arc::new(store.open_again(plan)), LogKind::Table));
    // The last does not exist, and one is wanted twice.
    let wanted = (1..=101).chain([7]).map(|number| {
        let queue = queue.clone();
        tokio::spawn(async move { (number, queue.acquire(log(number)).await) })
    });
    let mut epochs = Vec::new();
    for wanted in wanted.collect::<Vec<_>>() {
        let (number, acquired) = wanted.await.expect("no panic");
        let acquired = acquired.expect("a store");
        assert_eq!(acquired.as_ref().map(|it| it.log), (number <= 100).then(|| log(number)));
        epochs.extend(acquired.filter(|_| number == 7).map(|it| it.epoch));
    }
    epochs.sort_unstable();
    epochs.dedup();
    assert_eq!(epochs.len(), 2, "each caller has an epoch of its own");
    assert!(count.load(Ordering::Relaxed) <= 3, "{}", count.load(Ordering::Relaxed));
}

#[tokio::test(start_paused = true)]
async fn a_caller_that_stops_waiting_takes_nothing_from_the_others() {
    let store = MemoryDatabase::default();
    for number in 1..=3 {
        store.create(LogKind::Table, log(number), None, 0).await.expect("created");
    }
    let plan = Arc::new(CountedAcquires::default());
    let queue = Arc::new(AcquireQueue::new(Arc::new(store.open_again(plan)), LogKind::Table));
    let spawn = |number| {
        let queue = queue.clone();
        tokio::spawn(async move { queue.acquire(log(number)).await })
    };
    let (first, second) = (spawn(1), spawn(2));
    tokio::time::sleep(Duration::from_millis(1)).await;
    first.abort();
    assert!(second.await.expect("no panic").expect("a store").is_some());
    assert!(spawn(3).await.expect("no panic").expect("a store").is_some());
}
