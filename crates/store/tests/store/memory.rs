//! The planned faults of the database in memory: they are those that the other databases can have.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use store::{
    AppendOutcome, AppendStore, Epoch, FaultPlan, LogKind, MemoryDatabase, Operation,
    OperationFate, OperationFault, Store, StoreError,
};
use tokio::time::Instant;

use crate::support::{append, bodies, info, table};

/// Gives the next operation a fate, and notes what it was.
#[derive(Default)]
struct NextFate {
    fate: Mutex<OperationFate>,
    seen: Mutex<Vec<String>>,
}

impl FaultPlan for NextFate {
    fn fate(&self, operation: &Operation<'_>) -> OperationFate {
        self.seen.lock().unwrap().push(format!("{operation:?}"));
        std::mem::take(&mut self.fate.lock().unwrap())
    }
}

/// A database with one table, and the plan of its faults.
async fn one_table() -> (MemoryDatabase, Arc<NextFate>) {
    let plan = Arc::new(NextFate::default());
    let store = MemoryDatabase::default().open_again(plan.clone());
    store.create(LogKind::Table, table(1), None, 0).await.unwrap();
    (store, plan)
}

fn seconds(count: u64) -> Duration {
    Duration::from_secs(count)
}

fn lost(done: bool) -> OperationFate {
    OperationFate { fault: Some(OperationFault::AnswerLost { done }), ..OperationFate::default() }
}

#[tokio::test(start_paused = true)]
async fn a_failure_stores_nothing() {
    let (store, plan) = one_table().await;
    let full = StoreError::Full("no room".to_owned());
    let fault = Some(OperationFault::Fails(full.clone()));
    *plan.fate.lock().unwrap() = OperationFate { fault, ..OperationFate::default() };
    let one = [append(table(1), Epoch::FIRST, 1, &["a"])];
    assert_eq!(store.append(&one).await, Err(full));
    assert_eq!(store.append(&one).await, Ok(vec![AppendOutcome::Done]));
    assert_eq!(bodies(&store, table(1)).await, ["a"]);
    let seen = plan.seen.lock().unwrap();
    assert_eq!(seen[1], format!("append {}", table(1)));
}

#[tokio::test(start_paused = true)]
async fn a_lost_answer_is_uncertain_for_a_write_only() {
    let (store, plan) = one_table().await;
    for (first, done) in [(1, true), (2, false)] {
        *plan.fate.lock().unwrap() = lost(done);
        let outcome = store.append(&[append(table(1), Epoch::FIRST, first, &["x"])]).await;
        assert!(matches!(outcome, Err(StoreError::Uncertain(_))), "{outcome:?}");
        assert_eq!(bodies(&store, table(1)).await, ["x"]);
    }
    *plan.fate.lock().unwrap() = lost(true);
    let read = store.find_log(table(1)).await;
    assert!(matches!(read, Err(StoreError::Unavailable(_))), "{read:?}");
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_takes_too_long_is_a_lost_one() {
    let (store, plan) = one_table().await;
    let (slow, never) = (seconds(19), seconds(1_000));
    for (before, after, stored) in [(never, slow, 0), (slow, never, 1)] {
        *plan.fate.lock().unwrap() = OperationFate { before, fault: None, after };
        let began = Instant::now();
        let outcome = store.append(&[append(table(1), Epoch::FIRST, 1, &["x"])]).await;
        assert!(matches!(outcome, Err(StoreError::Uncertain(_))), "{outcome:?}");
        assert_eq!(began.elapsed(), seconds(20));
        assert_eq!(bodies(&store, table(1)).await.len(), stored);
    }
    *plan.fate.lock().unwrap() = OperationFate { before: slow, ..OperationFate::default() };
    assert_eq!(info(&store, table(1)).await.last, 1);
}

#[tokio::test(start_paused = true)]
async fn a_write_waits_for_the_one_before_it_and_a_read_does_not() {
    let (store, plan) = one_table().await;
    *plan.fate.lock().unwrap() = OperationFate { before: seconds(9), ..OperationFate::default() };
    let began = Instant::now();
    let one = [append(table(1), Epoch::FIRST, 1, &["a"])];
    let acquired = async {
        tokio::task::yield_now().await;
        assert_eq!(info(&store, table(1)).await.last, 0);
        assert_eq!(began.elapsed(), seconds(0));
        let acquired = store.acquire(LogKind::Table, table(1)).await;
        assert_eq!(began.elapsed(), seconds(9));
        acquired.unwrap().unwrap().last
    };
    let (appended, last) = tokio::join!(store.append(&one), acquired);
    assert_eq!((appended, last), (Ok(vec![AppendOutcome::Done]), 1));
}
