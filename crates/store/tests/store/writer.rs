//! The writer, over a log with prepared faults, and over real ones.

use std::sync::Arc;
use std::sync::Mutex;

use store::{
    Append, AppendOutcome, AppendQueue, AppendStore, Database, Epoch, LogKind, Store, StoreError,
    Writer, WriterLimits,
};
use tokio::sync::Semaphore;

use crate::support::table;
use crate::support::{
    Place, append, bodies, check_sequences, finished, on_all_databases, with_write,
};

on_all_databases!(
    many_tables_append_through_one_writer,
    one_impossible_append_does_not_harm_the_others,
    waiting_appends_are_stored_when_the_writer_closes,
);

/// A log that records its batches and fails or waits as prepared.
#[derive(Default)]
struct ScriptedLog {
    batches: Mutex<Vec<Vec<Append>>>,
    faults: Mutex<Vec<StoreError>>,
    /// One permit for each batch that may be answered.
    gate: Option<Semaphore>,
}

impl AppendStore for ScriptedLog {
    async fn append(&self, batch: &[Append]) -> Result<Vec<AppendOutcome>, StoreError> {
        self.batches.lock().unwrap().push(batch.to_vec());
        if let Some(gate) = &self.gate {
            gate.acquire().await.unwrap().forget();
        }
        let impossible = |append: &Append| append.events.iter().any(|event| event.body == "bad");
        if batch.iter().any(impossible) {
            return Err(StoreError::Refused("bad".to_owned()));
        }
        match self.faults.lock().unwrap().pop() {
            Some(fault) => Err(fault),
            None => Ok(vec![AppendOutcome::Done; batch.len()]),
        }
    }
}

impl ScriptedLog {
    fn gated() -> Self {
        Self { gate: Some(Semaphore::new(0)), ..Self::default() }
    }

    fn open(&self, batches: usize) {
        self.gate.as_ref().unwrap().add_permits(batches);
    }

    fn sizes(&self) -> Vec<usize> {
        self.batches.lock().unwrap().iter().map(Vec::len).collect()
    }
}

fn one(number: u64) -> Append {
    append(table(number), Epoch::FIRST, 1, &["x"])
}

/// Queues an append from a separate task, and lets that task run as far as it can.
async fn enqueue(
    queue: &AppendQueue,
    append: Append,
) -> tokio::task::JoinHandle<Result<AppendOutcome, StoreError>> {
    let queue = queue.clone();
    let waiting = tokio::spawn(async move { queue.append(append).await });
    for _ in 0..20 {
        tokio::task::yield_now().await;
    }
    waiting
}

#[tokio::test]
async fn appends_during_a_commit_form_the_next_batch() {
    let log = Arc::new(ScriptedLog::gated());
    let writer = Writer::start(Arc::clone(&log), WriterLimits::default());
    let mut waiting = Vec::new();
    for number in 0..10 {
        waiting.push(enqueue(&writer.queue(), one(number)).await);
    }
    log.open(2);
    for outcome in waiting {
        assert_eq!(outcome.await.unwrap(), Ok(AppendOutcome::Done));
    }
    assert_eq!(log.sizes(), [1, 9]);
    writer.close().await;
}

#[tokio::test]
async fn batches_are_bounded_in_number_and_bytes() {
    let log = Arc::new(ScriptedLog::gated());
    let limits = WriterLimits { waiting: 100, batch: 4, bytes: 10_000, ..Default::default() };
    let writer = Writer::start(Arc::clone(&log), limits);
    let queue = writer.queue();
    let mut waiting = Vec::new();
    for number in 0..7 {
        waiting.push(enqueue(&queue, one(number)).await);
    }
    let long = "x".repeat(6_000);
    for number in 7..10 {
        let large = append(table(number), Epoch::FIRST, 1, &[&long]);
        waiting.push(enqueue(&queue, large).await);
    }
    let larger_than_any_batch = "x".repeat(20_000);
    let largest = append(table(10), Epoch::FIRST, 1, &[&larger_than_any_batch]);
    waiting.push(enqueue(&queue, largest).await);
    log.open(100);
    for outcome in waiting {
        assert_eq!(outcome.await.unwrap(), Ok(AppendOutcome::Done));
    }
    assert_eq!(log.sizes(), [1, 4, 3, 1, 1, 1]);
}

#[tokio::test]
async fn a_full_queue_makes_callers_wait() {
    let log = Arc::new(ScriptedLog::gated());
    let limits = WriterLimits { waiting: 2, batch: 1, bytes: 1, ..Default::default() };
    let writer = Writer::start(Arc::clone(&log), limits);
    let mut waiting = Vec::new();
    for number in 0..6 {
        waiting.push(enqueue(&writer.queue(), one(number)).await);
    }
    assert!(waiting.iter().all(|outcome| !outcome.is_finished()));
    log.open(6);
    for outcome in waiting {
        assert_eq!(outcome.await.unwrap(), Ok(AppendOutcome::Done));
    }
}

#[tokio::test]
async fn a_fault_is_returned_to_its_batch_only() {
    let log = Arc::new(ScriptedLog::gated());
    let fault = StoreError::Unavailable("gone".to_owned());
    // The first batch fails, the second succeeds.
    log.faults.lock().unwrap().push(fault.clone());
    let writer = Writer::start(Arc::clone(&log), WriterLimits::default());
    let queue = writer.queue();
    let failing = enqueue(&queue, one(0)).await;
    let waiting = [enqueue(&queue, one(1)).await, enqueue(&queue, one(2)).await];
    log.open(1);
    assert_eq!(failing.await.unwrap(), Err(fault));
    log.open(1);
    for outcome in waiting {
        assert_eq!(outcome.await.unwrap(), Ok(AppendOutcome::Done));
    }
    assert_eq!(log.sizes(), [1, 2], "the writer itself never retries");
}

#[tokio::test]
async fn a_failing_database_is_known_without_an_attempt() {
    let log = Arc::new(ScriptedLog::default());
    let writer = Writer::start(Arc::clone(&log), WriterLimits::default());
    let queue = writer.queue();
    assert!(!queue.is_failing());
    let full = StoreError::Full("no room".to_owned());
    *log.faults.lock().unwrap() = vec![full.clone()];
    assert_eq!(queue.append(one(1)).await, Err(full.clone()));
    assert!(queue.is_failing());
    assert_eq!(queue.append(one(1)).await, Ok(AppendOutcome::Done));
    assert!(!queue.is_failing());
    // A refusal is the fault of the caller, not of the database.
    let bad = append(table(2), Epoch::FIRST, 1, &["bad"]);
    assert!(queue.append(bad).await.is_err());
    assert!(!queue.is_failing());
    *log.faults.lock().unwrap() = vec![full];
    assert!(queue.append(one(1)).await.is_err());
    queue.works_again();
    assert!(!queue.is_failing());
}

#[tokio::test]
async fn a_refused_batch_is_stored_one_by_one() {
    let log = Arc::new(ScriptedLog::gated());
    let writer = Writer::start(Arc::clone(&log), WriterLimits::default());
    let queue = writer.queue();
    let mut waiting = vec![enqueue(&queue, one(0)).await, enqueue(&queue, one(1)).await];
    waiting.push(enqueue(&queue, append(table(2), Epoch::FIRST, 1, &["bad"])).await);
    waiting.push(enqueue(&queue, one(3)).await);
    log.open(100);
    let mut outcomes = Vec::new();
    for outcome in waiting {
        outcomes.push(outcome.await.unwrap().is_ok());
    }
    assert_eq!(outcomes, [true, true, false, true]);
    assert_eq!(log.sizes(), [1, 3, 1, 1, 1]);
}

#[tokio::test]
async fn a_closed_writer_stores_what_waits_and_accepts_nothing_more() {
    let log = Arc::new(ScriptedLog::gated());
    let writer = Writer::start(Arc::clone(&log), WriterLimits { batch: 2, ..Default::default() });
    let queue = writer.queue();
    let mut waiting = Vec::new();
    for number in 0..5 {
        waiting.push(enqueue(&queue, one(number)).await);
    }
    let closing = tokio::spawn(writer.close());
    tokio::task::yield_now().await;
    assert!(!closing.is_finished());
    log.open(100);
    closing.await.unwrap();
    for outcome in waiting {
        assert_eq!(outcome.await.unwrap(), Ok(AppendOutcome::Done));
    }
    assert_eq!(log.sizes().iter().sum::<usize>(), 5);
    assert_eq!(queue.append(one(9)).await, Err(StoreError::Closed));
}

#[tokio::test]
async fn a_queued_append_is_stored_even_if_its_caller_stops_waiting() {
    let log = Arc::new(ScriptedLog::gated());
    let writer = Writer::start(Arc::clone(&log), WriterLimits::default());
    let queue = writer.queue();
    let aborted = enqueue(&queue, one(0)).await;
    aborted.abort();
    let waiting = enqueue(&queue, one(1)).await;
    log.open(100);
    assert_eq!(waiting.await.unwrap(), Ok(AppendOutcome::Done));
    assert_eq!(log.sizes(), [1, 1]);
}

async fn writer_over(place: &Place) -> (Arc<Database>, Writer) {
    let store = Arc::new(place.open().await);
    let writer = Writer::start(Arc::clone(&store), WriterLimits::default());
    (store, writer)
}

async fn many_tables_append_through_one_writer(place: &Place) {
    let (store, writer) = writer_over(place).await;
    let mut tasks = Vec::new();
    for number in 0..30 {
        let epoch = store.create(LogKind::Table, table(number), None, 0).await.unwrap();
        let queue = writer.queue();
        tasks.push(tokio::spawn(async move {
            for sequence in 1..=20 {
                let next = append(table(number), epoch, sequence, &["x"]);
                assert_eq!(queue.append(next).await, Ok(AppendOutcome::Done));
            }
        }));
    }
    for task in tasks {
        task.await.unwrap();
    }
    for number in 0..30 {
        assert_eq!(check_sequences(&*store, table(number)).await.len(), 20);
    }
    writer.close().await;
}

async fn one_impossible_append_does_not_harm_the_others(place: &Place) {
    let (store, writer) = writer_over(place).await;
    for number in 0..20 {
        store.create(LogKind::Table, table(number), None, 0).await.unwrap();
    }
    let twice = || store::LinkedWrite::Finished(finished(1, 5, &[None]));
    let bad = with_write(with_write(one(7), twice()), twice());
    let mut waiting = Vec::new();
    for number in 0..20 {
        let append = if number == 7 { bad.clone() } else { one(number) };
        let queue = writer.queue();
        waiting.push(tokio::spawn(async move { queue.append(append).await }));
    }
    for (number, outcome) in waiting.into_iter().enumerate() {
        let outcome = outcome.await.unwrap();
        if number == 7 {
            assert!(matches!(outcome, Err(StoreError::Refused(_))), "{outcome:?}");
        } else {
            assert_eq!(outcome, Ok(AppendOutcome::Done), "{number}");
        }
    }
    assert!(bodies(&*store, table(7)).await.is_empty());
}

async fn waiting_appends_are_stored_when_the_writer_closes(place: &Place) {
    let (store, writer) = writer_over(place).await;
    let mut waiting = Vec::new();
    for number in 0..50 {
        store.create(LogKind::Table, table(number), None, 0).await.unwrap();
        let queue = writer.queue();
        waiting.push(tokio::spawn(async move { queue.append(one(number)).await }));
    }
    tokio::task::yield_now().await;
    writer.close().await;
    for (number, outcome) in (0..).zip(waiting) {
        let stored = !bodies(&*store, table(number)).await.is_empty();
        match outcome.await.unwrap() {
            Ok(outcome) => assert!(outcome == AppendOutcome::Done && stored),
            Err(error) => assert!(error == StoreError::Closed && !stored),
        }
    }
}
