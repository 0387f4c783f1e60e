//! What a server does beside serving: it stores its time, and looks for what has expired.

use std::sync::Arc;
use std::time::Duration;

use server::clock::TrustedClock;
use server::retention::{self, RetentionAges, SweepCounts};
use server::tables::TableRegistry;
use store::{Database, Store};
use tokio::time::{sleep, timeout};

/// How often expired sessions, quiet tables and quiet logs are looked for.
const SWEEP_INTERVAL: Duration = Duration::from_secs(60 * 60);
/// How often the trusted time is stored: a server that is killed loses no more of it.
const TIME_INTERVAL: Duration = Duration::from_secs(60);
/// After how long the seats of older tables are stored again if that has failed.
const FILL_INTERVAL: Duration = Duration::from_secs(60);
/// How long a stop waits for a database that does not answer.
const LAST_TIME_LIMIT: Duration = Duration::from_secs(5);

/// After how long something happens to what is not used. None is never.
pub(super) struct SweepAges {
    /// A quiet table is closed.
    pub(super) close: Option<Duration>,
    pub(super) retention: RetentionAges,
}

/// Does all of it, for ever.
pub(super) async fn run(database: Arc<Database>, registry: Arc<TableRegistry>, ages: SweepAges) {
    tokio::join!(
        store_time_regularly(&database, registry.trusted_clock()),
        fill_seats(&registry),
        sweep(&database, &registry, &ages),
    );
}

/// Stores the trusted time at a stop, so that the next server goes on from there.
pub(super) async fn store_last_time(database: &Database, clock: TrustedClock) {
    if timeout(LAST_TIME_LIMIT, store_time(database, clock)).await.is_err() {
        tracing::warn!("cannot store the trusted time: the database does not answer");
    }
}

async fn store_time_regularly(database: &Database, clock: TrustedClock) {
    loop {
        sleep(TIME_INTERVAL).await;
        store_time(database, clock).await;
    }
}

async fn store_time(database: &Database, clock: TrustedClock) {
    if let Err(error) = database.advance_trusted_time(clock.now_ms()).await {
        tracing::warn!(%error, "cannot store the trusted time");
    }
}

/// Stores who sits at tables of an earlier version, until it is done.
async fn fill_seats(registry: &TableRegistry) {
    loop {
        match registry.fill_seats().await {
            Ok(0) => return,
            Ok(count) => {
                tracing::info!(count, "stored who sits at older tables");
                return;
            }
            Err(error) => tracing::warn!(%error, "cannot store yet who sits at older tables"),
        }
        sleep(FILL_INTERVAL).await;
    }
}

/// Deletes expired sessions, closes quiet tables, archives and removes quiet logs.
async fn sweep(database: &Database, registry: &TableRegistry, ages: &SweepAges) {
    let clock = registry.trusted_clock();
    loop {
        // Without an age the time is 0, and no table is older.
        let quiet_since =
            ages.close.map_or(0, |age| clock.now().saturating_sub(age.as_millis() as u64));
        match registry.close_quiet_tables(quiet_since).await {
            Ok(0) => {}
            Ok(count) => tracing::info!(count, "closing quiet tables"),
            Err(error) => tracing::warn!(%error, "cannot close quiet tables"),
        }
        match database.prune_sessions(clock.now_ms()).await {
            Ok(0) => {}
            Ok(count) => tracing::info!(count, "deleted expired sessions"),
            Err(error) => tracing::warn!(%error, "cannot delete expired sessions"),
        }
        match retention::sweep(database, clock.now(), ages.retention).await {
            Ok(SweepCounts { archived: 0, removed: 0 }) => {}
            Ok(SweepCounts { archived, removed }) => {
                tracing::info!(archived, removed, "archived or removed quiet logs");
            }
            Err(error) => tracing::warn!(%error, "cannot archive or remove quiet logs"),
        }
        sleep(SWEEP_INTERVAL).await;
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use room::Timings;
    use server::clock::Clocks;
    use server::quotas::MemoryQuotas;
    use store::{
        Append, AppendStore, Epoch, FaultPlan, LogId, LogKind, MemoryDatabase, NewEvent, NoFaults,
        Operation, OperationFate, OperationFault, StoreError,
    };

    use super::*;

    const NEVER: SweepAges =
        SweepAges { close: None, retention: RetentionAges { archive: None, remove: None } };

    /// Runs the sweeps of a server on a database for a time.
    async fn run_for(database: Arc<Database>, ages: SweepAges, time: Duration) {
        let clocks = Clocks::start(&database).await.expect("clocks");
        let registry = TableRegistry::new(
            database.clone(),
            clocks,
            NonZeroUsize::MIN,
            Timings::default(),
            MemoryQuotas::default(),
        );
        let registry = Arc::new(registry.expect("threads"));
        let running = tokio::spawn(run(database, registry.clone(), ages));
        sleep(time).await;
        running.abort();
        assert!(running.await.is_err_and(|error| error.is_cancelled()), "it runs for ever");
        registry.stop().await;
    }

    #[tokio::test(start_paused = true)]
    async fn the_time_is_stored_every_minute() {
        let memory = MemoryDatabase::default();
        let database = Database::Memory(memory.open_again(Arc::new(NoFaults)));
        let clocks = Clocks::start(&database).await.expect("clocks");
        let before = clocks_time(&memory).await;
        // Less than the time between two sweeps.
        run_for(Arc::new(database), NEVER, Duration::from_secs(50 * 60 + 1)).await;
        let passed = clocks_time(&memory).await - before;
        assert!(passed >= 50 * 60 * 1_000, "{passed} ms of {clocks:?}");
    }

    async fn clocks_time(memory: &MemoryDatabase) -> i64 {
        memory.trusted_time().await.expect("an answer").expect("a time")
    }

    /// A database in which the first searches for tables without seats fail.
    #[derive(Default)]
    struct FailsAtFirst(AtomicUsize);

    impl FaultPlan for FailsAtFirst {
        fn fate(&self, operation: &Operation<'_>) -> OperationFate {
            let fails = operation.name == "tables_without_seats"
                && self.0.fetch_add(1, Ordering::Relaxed) < 2;
            let error = || OperationFault::Fails(StoreError::Unavailable("not now".into()));
            OperationFate { fault: fails.then(error), ..OperationFate::default() }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn the_seats_of_older_tables_are_stored_until_it_has_succeeded() {
        let faults = Arc::new(FailsAtFirst::default());
        let database = MemoryDatabase::default().open_again(faults.clone());
        let hours = Duration::from_secs(5 * 60 * 60);
        run_for(Arc::new(Database::Memory(database)), NEVER, hours).await;
        assert_eq!(faults.0.load(Ordering::Relaxed), 3, "two failures and a success");
    }

    #[tokio::test(start_paused = true)]
    async fn a_table_that_is_never_to_be_closed_stays_open() {
        let memory = MemoryDatabase::default();
        let log = LogId::new(1).expect("an id");
        memory.create(LogKind::Table, log, None, 0).await.expect("created");
        let events = vec![NewEvent { at_ms: 1, body: "unreadable".into() }];
        let linked_writes = Vec::new();
        let append = Append { log, epoch: Epoch::FIRST, first: 1, events, linked_writes };
        memory.append(&[append]).await.expect("stored");
        memory.advance_trusted_time(1_000_000).await.expect("stored");
        let acquisitions = Arc::new(CountsAcquisitions::default());
        for (close, looked) in [(None, 0), (Some(Duration::ZERO), 1)] {
            let database = Arc::new(Database::Memory(memory.open_again(acquisitions.clone())));
            let ages = SweepAges { close, ..NEVER };
            run_for(database, ages, Duration::from_secs(60)).await;
            assert_eq!(acquisitions.0.load(Ordering::Relaxed), looked, "{close:?}");
        }
    }

    /// Counts the tables that are loaded to be closed.
    #[derive(Default)]
    struct CountsAcquisitions(AtomicUsize);

    impl FaultPlan for CountsAcquisitions {
        fn fate(&self, operation: &Operation<'_>) -> OperationFate {
            self.0.fetch_add(usize::from(operation.name == "acquire"), Ordering::Relaxed);
            OperationFate::default()
        }
    }
}
