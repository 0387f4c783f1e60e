//! What becomes of logs to which nothing is written for long: they are archived, and later removed for
//! good if the operator wants that. A log that was created and never begun is removed soon.

use std::time::Duration;

use room::Millis;
use store::{LogId, Retention, Store, StoreError};

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
pub struct Retained {
    /// The logs that were archived.
    pub archived: u64,
    /// The logs that were removed.
    pub removed: u64,
}

/// Archives and removes the logs whose time has come, at a time of the trusted clock. A log that cannot be
/// read costs only itself.
pub async fn sweep(
    store: &impl Store,
    now: Millis,
    ages: RetentionAges,
) -> Result<Retained, StoreError> {
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
    Ok(Retained { archived, removed })
}

/// Handles all logs that a retention applies to, and returns their number.
async fn handle_quiet(
    store: &impl Store,
    retention: Retention,
    now: Millis,
    age: Duration,
) -> Result<u64, StoreError> {
    let before_ms = now.saturating_sub(age.as_millis() as Millis) as i64;
    let (mut handled, mut after) = (0, None);
    loop {
        let quiet = store.quiet_logs(retention, before_ms, after, PAGE).await?;
        for log in &quiet {
            match handle(store, retention, *log, before_ms).await {
                Ok(done) => handled += u64::from(done),
                Err(error @ (StoreError::Corrupt(_) | StoreError::Refused(_))) => {
                    tracing::error!(%log, %error, ?retention, "a quiet log stays as it is");
                }
                Err(error) => return Err(error),
            }
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
        Retention::Remove | Retention::NeverBegun => {
            // It may have been written to since its page was read.
            let info = store.find_log(log).await?;
            let is_quiet = info.is_some_and(|info| {
                info.last_ms < before_ms && (retention == Retention::Remove || info.last == 0)
            });
            if is_quiet {
                store.remove(log).await?;
            }
            Ok(is_quiet)
        }
    }
}
