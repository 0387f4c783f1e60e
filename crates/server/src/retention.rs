//! What becomes of logs to which nothing is written for long: they are archived, and later removed for
//! good if the operator wants that. A log that was created and never begun is removed soon.

use std::time::Duration;

use room::Millis;
use store::{LogId, Retention, Store, StoreError};

use crate::sweep_failures::{PAUSE, SweepFailures};

/// How many logs are found at once.
const PAGE: u32 = 1_000;
/// How long a log may be without an event: the request that created it has failed.
const NEVER_BEGUN: Duration = Duration::from_secs(24 * 60 * 60);

/// After how long without an event something happens to a log; None is never.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RetentionAges {
    /// Closed tables and ledgers are compressed.
    pub archive: Option<Duration>,
    /// Closed tables and ledgers are deleted.
    pub remove: Option<Duration>,
}

/// How many logs were handled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SweepCounts {
    /// The logs that were archived.
    pub archived: u64,
    /// The logs that were removed.
    pub removed: u64,
}

/// Archives and removes the logs whose time has come, at a time of the trusted clock. A log that fails costs
/// only itself, unless several fail in a row.
pub async fn sweep(
    store: &impl Store,
    now: Millis,
    ages: RetentionAges,
) -> Result<SweepCounts, StoreError> {
    // Removed first: what goes need not be compressed before.
    let mut removed = handle_quiet(store, Retention::NeverBegun, now, NEVER_BEGUN).await?;
    if let Some(age) = ages.remove {
        removed += handle_quiet(store, Retention::Remove, now, age).await?;
    }
    let archived = match ages.archive {
        Some(age) => handle_quiet(store, Retention::Archive, now, age).await?,
        None => 0,
    };
    metrics::counter!("ghinda_logs_removed_total").increment(removed);
    metrics::counter!("ghinda_logs_archived_total").increment(archived);
    Ok(SweepCounts { archived, removed })
}

/// Handles all logs that a retention applies to, and returns their number.
async fn handle_quiet(
    store: &impl Store,
    retention: Retention,
    now: Millis,
    age: Duration,
) -> Result<u64, StoreError> {
    let before_ms = now.saturating_sub(age.as_millis() as Millis) as i64;
    let (mut handled, mut after, mut failures) = (0, None, SweepFailures::default());
    loop {
        let quiet = store.quiet_logs(retention, before_ms, after, PAGE).await?;
        for log in &quiet {
            match handle(store, retention, *log, before_ms).await {
                Ok(done) => {
                    handled += u64::from(done);
                    failures.end_row();
                }
                Err(error) => failures.note(*log, error)?,
            }
            tokio::time::sleep(PAUSE).await;
        }
        after = quiet.last().copied();
        if quiet.len() < PAGE as usize {
            return Ok(handled);
        }
    }
}

/// Handles one log. Returns whether anything has changed.
async fn handle(
    store: &impl Store,
    retention: Retention,
    log: LogId,
    before_ms: i64,
) -> Result<bool, StoreError> {
    match retention {
        Retention::Archive => store.archive(log).await,
        // It may have been written to since its page was read; then it stays.
        Retention::Remove | Retention::NeverBegun => {
            store.remove(log, Some((retention, before_ms))).await
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use futures_util::FutureExt;
    use store::{
        Append, AppendOutcome, AppendStore, Epoch, FaultPlan, LogKind, MemoryDatabase, NewEvent,
        Operation, OperationFate, OperationFault,
    };

    use super::*;
    use crate::sweep_failures::MAX_IN_A_ROW;

    const DAY: Millis = 24 * 60 * 60 * 1_000;
    const NOW: Millis = 1_000 * DAY;

    fn line(log: LogId, first: u64, at: Millis) -> Append {
        let events = vec![NewEvent { at_ms: at as i64, body: "line".into() }];
        Append { log, epoch: Epoch::FIRST, first, events, linked_writes: Vec::new() }
    }

    /// Writes a line to a log just before it is removed.
    struct WritesBefore(MemoryDatabase);

    impl FaultPlan for WritesBefore {
        fn fate(&self, operation: &Operation<'_>) -> OperationFate {
            if let ("remove", [log]) = (operation.name, operation.logs) {
                let outcome = self.0.append(&[line(*log, 2, NOW)]).now_or_never();
                assert_eq!(outcome, Some(Ok(vec![AppendOutcome::Done])));
            }
            OperationFate::default()
        }
    }

    #[tokio::test]
    async fn a_log_that_is_written_to_at_the_last_moment_is_not_removed() {
        let store = MemoryDatabase::default();
        let log = LogId::new(1).expect("an id");
        store.create(LogKind::Ledger, log, None, 0).await.expect("created");
        store.append(&[line(log, 1, 0)]).await.expect("stored");
        let writer = store.open_again(Arc::new(store::NoFaults));
        let swept = store.open_again(Arc::new(WritesBefore(writer)));
        let ages = RetentionAges { archive: None, remove: Some(Duration::from_millis(30 * DAY)) };
        assert_eq!(sweep(&swept, NOW, ages).await, Ok(SweepCounts::default()));
        assert_eq!(store.events(log, 1, 10).await.expect("events").len(), 2);
        assert_eq!(sweep(&store, NOW + 31 * DAY, ages).await.expect("swept").removed, 1);
    }

    /// Some logs cannot be archived: the statement takes too long, or the database does not answer.
    struct FailsAt(fn(u64) -> bool);

    impl FaultPlan for FailsAt {
        fn fate(&self, operation: &Operation<'_>) -> OperationFate {
            let fails = |log: &LogId| operation.name == "archive" && self.0(log.get());
            if !operation.logs.iter().any(fails) {
                return OperationFate::default();
            }
            if operation.logs[0].get().is_multiple_of(2) {
                let before = Duration::from_secs(60 * 60);
                return OperationFate { before, ..OperationFate::default() };
            }
            let fault = OperationFault::Fails(StoreError::Unavailable("not now".into()));
            OperationFate { fault: Some(fault), ..OperationFate::default() }
        }
    }

    /// Sweeps a store with 20 quiet ledgers, of which some cannot be archived.
    async fn swept(fails: fn(u64) -> bool) -> Result<SweepCounts, StoreError> {
        let store = MemoryDatabase::default();
        for number in 1..=20 {
            let log = LogId::new(number).expect("an id");
            store.create(LogKind::Ledger, log, None, 0).await.expect("created");
            store.append(&[line(log, 1, 0)]).await.expect("stored");
        }
        let store = store.open_again(Arc::new(FailsAt(fails)));
        let ages = RetentionAges { archive: Some(Duration::from_millis(30 * DAY)), remove: None };
        sweep(&store, NOW, ages).await
    }

    #[tokio::test(start_paused = true)]
    async fn a_log_that_fails_every_time_costs_only_itself() {
        let archived = |count| Ok(SweepCounts { archived: count, removed: 0 });
        assert_eq!(swept(|log| log == 1).await, archived(19));
        assert_eq!(swept(|log| log == 2).await, archived(19), "a statement that takes too long");
        assert_eq!(swept(|log| log % MAX_IN_A_ROW as u64 != 0).await, archived(4), "four in a row");
        assert_eq!(swept(|log| log == 20).await, archived(19), "the last one");
    }

    #[tokio::test(start_paused = true)]
    async fn others_write_while_many_logs_are_swept() {
        let store = MemoryDatabase::default();
        let played = LogId::new(1_000).expect("an id");
        store.create(LogKind::Table, played, None, NOW as i64).await.expect("created");
        for number in 1..=50 {
            let log = LogId::new(number).expect("an id");
            store.create(LogKind::Ledger, log, None, 0).await.expect("created");
            store.append(&[line(log, 1, 0)]).await.expect("stored");
        }
        let other = store.open_again(Arc::new(store::NoFaults));
        let ages = RetentionAges { archive: Some(Duration::from_millis(30 * DAY)), remove: None };
        let sweeping = sweep(&store, NOW, ages);
        tokio::pin!(sweeping);
        // An action is stored whenever the sweep waits.
        let mut actions = 0;
        let swept = loop {
            if let Some(swept) = sweeping.as_mut().now_or_never() {
                break swept;
            }
            let stored = other.append(&[line(played, actions + 1, NOW)]).await;
            assert_eq!(stored, Ok(vec![AppendOutcome::Done]));
            actions += 1;
            tokio::time::advance(PAUSE).await;
        };
        assert_eq!(swept, Ok(SweepCounts { archived: 50, removed: 0 }));
        assert!(actions >= 50, "{actions} actions beside 50 logs");
    }

    #[tokio::test(start_paused = true)]
    async fn a_sweep_ends_when_so_many_logs_in_a_row_fail_that_the_database_is_gone() {
        assert!(swept(|_| true).await.is_err());
        assert!(swept(|log| log > 9).await.is_err());
    }
}
