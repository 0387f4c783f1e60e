//! The clocks of the server. Only this module reads the time; rooms and drivers get it as a value.
//!
//! The system's clock may be wrong: set back between two starts, or far ahead for one of them. What is played gets
//! the time of [`Clock`], which never goes back, also for a log whose last event is ahead of it. What expires
//! asks [`TrustedClock`].

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use room::Millis;
use store::{Database, Store, StoreError};
use tokio::time::Instant;

/// Milliseconds since 1970 that never go back: the system's clock is read once, and the elapsed time is
/// added.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    started: Instant,
    at: Millis,
}

impl Clock {
    fn start(at: Millis) -> Clock {
        Clock { started: Instant::now(), at }
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

    /// The clock of a log whose last event is at a time. If that is ahead of this clock, the log's clock
    /// goes on from there.
    pub(crate) fn not_before(&self, last: Millis) -> Clock {
        Clock { started: self.started, at: self.at + last.saturating_sub(self.now()) }
    }
}

/// The time by which sessions expire and quiet tables are closed.
///
/// It goes on from where the last server of the database left it. If the system's clock is ahead of it, because the
/// server was stopped or because that clock is wrong, it catches up, but only as fast as time passes, and so goes
/// twice as fast at most: a clock must be wrong for half a year before a session of a year is lost. A database
/// that has no such time and is not empty comes from an earlier version: it begins with the time of what is
/// newest in it.
#[derive(Clone, Copy, Debug)]
pub struct TrustedClock {
    stored: Clock,
    /// How far the system's clock was ahead at the start.
    ahead: Millis,
}

impl TrustedClock {
    /// The time.
    pub fn now(&self) -> Millis {
        let elapsed = self.stored.started.elapsed().as_millis() as Millis;
        self.stored.now() + elapsed.min(self.ahead)
    }

    /// The time as the store takes it.
    pub fn now_ms(&self) -> i64 {
        self.now() as i64
    }
}

/// Both clocks of a server.
#[derive(Clone, Copy, Debug)]
pub struct Clocks {
    /// The time of what is played.
    pub(crate) play: Clock,
    /// The time of what expires.
    pub(crate) trusted: TrustedClock,
}

impl Clocks {
    /// Starts the clocks with the time of the system and that of the database.
    #[allow(clippy::disallowed_methods, reason = "the one place where the server reads the time")]
    pub async fn start(store: &Database) -> Result<Clocks, StoreError> {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
        Clocks::start_at(since.as_millis() as Millis, store).await
    }

    /// The same with this time of the system.
    pub(crate) async fn start_at(system: Millis, store: &Database) -> Result<Clocks, StoreError> {
        let trusted = match store.trusted_time().await? {
            Some(stored) => Some(stored),
            // What is newest may have been stored by a clock that was ahead.
            None => store.newest_ms().await?.map(|newest| newest.min(system as i64)),
        };
        let trusted = trusted.map(|trusted| trusted.max(0).unsigned_abs());
        let clocks = Clocks::at(system, trusted);
        store.advance_trusted_time(clocks.trusted.now_ms()).await?;
        Ok(clocks)
    }

    /// Clocks that start now: at a time of the system, and at the trusted time of the database, which a new
    /// one does not have.
    pub fn at(system: Millis, trusted: Option<Millis>) -> Clocks {
        let trusted = trusted.unwrap_or(system);
        Clocks {
            play: Clock::start(system.max(trusted)),
            trusted: TrustedClock {
                stored: Clock::start(trusted),
                ahead: system.saturating_sub(trusted),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use store::{Append, AppendStore, LogId, LogKind, MemoryDatabase, NewEvent};

    use super::*;
    use crate::retention::{self, RetentionAges, SweepCounts};

    const DAY: Millis = 24 * 60 * 60 * 1_000;
    const TODAY: Millis = 20_000 * DAY;

    async fn pass(millis: Millis) {
        tokio::time::advance(Duration::from_millis(millis)).await;
    }

    #[tokio::test(start_paused = true)]
    async fn both_clocks_follow_the_system_when_it_is_right() {
        for clocks in [Clocks::at(TODAY, None), Clocks::at(TODAY, Some(TODAY))] {
            pass(500).await;
            assert_eq!(clocks.play.now() - TODAY, clocks.trusted.now() - TODAY);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_clock_that_was_set_back_goes_on_from_the_trusted_time() {
        let clocks = Clocks::at(0, Some(TODAY));
        pass(500).await;
        assert_eq!((clocks.play.now(), clocks.trusted.now()), (TODAY + 500, TODAY + 500));
    }

    #[tokio::test(start_paused = true)]
    async fn a_clock_far_ahead_is_followed_slowly_by_what_expires() {
        let clocks = Clocks::at(TODAY + 3_650 * DAY, Some(TODAY));
        pass(DAY).await;
        assert_eq!(clocks.play.now(), TODAY + 3_651 * DAY);
        assert_eq!(clocks.trusted.now(), TODAY + 2 * DAY);
        // A server that was stopped for a while is right again after as long.
        let clocks = Clocks::at(TODAY + 5 * DAY, Some(TODAY));
        pass(20 * DAY).await;
        assert_eq!(clocks.trusted.now(), clocks.play.now());
    }

    #[tokio::test(start_paused = true)]
    async fn the_first_time_of_a_database_is_that_of_what_it_contains() {
        let later = TODAY + 3_650 * DAY;
        for (newest, system, trusted) in [
            (None, TODAY, TODAY),
            (Some(TODAY), TODAY + 20, TODAY),
            (Some(TODAY), later, TODAY),
            (Some(later), TODAY, TODAY),
        ] {
            let store = Database::Memory(MemoryDatabase::default());
            if let Some(newest) = newest {
                let log = LogId::new(1).expect("an id");
                store.create(LogKind::Table, log, None, newest as i64).await.expect("created");
            }
            let clocks = Clocks::start_at(system, &store).await.expect("clocks");
            assert_eq!((clocks.trusted.now(), clocks.play.now()), (trusted, system));
            assert_eq!(store.trusted_time().await, Ok(Some(trusted as i64)));
            // From then on it is stored.
            pass(DAY).await;
            let again = Clocks::start_at(later, &store).await.expect("clocks");
            assert_eq!(again.trusted.now(), trusted);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn the_clock_of_a_log_does_not_go_back() {
        let clock = Clocks::at(TODAY, None).play;
        pass(500).await;
        assert_eq!(clock.not_before(TODAY).now(), clock.now());
        let ahead = clock.not_before(TODAY + DAY);
        assert_eq!(ahead.now(), TODAY + DAY);
        pass(500).await;
        assert_eq!(ahead.now(), TODAY + DAY + 500);
        assert_eq!(ahead.instant(TODAY + DAY + 900), Instant::now() + Duration::from_millis(400));
    }
    /// Creates a log with one event of this time.
    async fn write(store: &Database, clocks: &Clocks, kind: LogKind, id: u64) {
        let (log, at_ms) = (LogId::new(id).expect("an id"), clocks.play.now_ms());
        let epoch = store.create(kind, log, None, at_ms).await.expect("created");
        let events = vec![NewEvent { at_ms, body: "an event".into() }];
        let append = Append { log, epoch, first: 1, events, linked_writes: Vec::new() };
        store.append(&[append]).await.expect("stored");
    }

    /// The tables that would be closed now, and what becomes of quiet ledgers.
    async fn sweep(store: &Database, clocks: &Clocks) -> (Vec<u64>, SweepCounts) {
        let days = |days: u64| Some(Duration::from_millis(days * DAY));
        let ages = RetentionAges { archive: days(30), remove: days(60) };
        let before = clocks.trusted.now_ms() - 30 * DAY as i64;
        let quiet = store.quiet_tables(before, None, 9).await.expect("tables");
        let counts = retention::sweep(store, clocks.trusted.now(), ages).await.expect("swept");
        store.advance_trusted_time(clocks.trusted.now_ms()).await.expect("stored");
        (quiet.into_iter().map(|table| table.get()).collect(), counts)
    }

    #[tokio::test(start_paused = true)]
    async fn a_clock_far_ahead_for_one_start_closes_and_removes_nothing() {
        let store = Database::Memory(MemoryDatabase::default());
        let nothing = (Vec::new(), SweepCounts::default());
        let right = Clocks::start_at(TODAY, &store).await.expect("clocks");
        write(&store, &right, LogKind::Table, 1).await;
        write(&store, &right, LogKind::Ledger, 2).await;
        pass(DAY).await;
        assert_eq!(sweep(&store, &right).await, nothing);
        let ahead = Clocks::start_at(TODAY + 3_650 * DAY, &store).await.expect("clocks");
        write(&store, &ahead, LogKind::Table, 3).await;
        write(&store, &ahead, LogKind::Ledger, 4).await;
        pass(DAY).await;
        assert_eq!(sweep(&store, &ahead).await, nothing);
        // Set back for a start, and then right again: what expires never goes back.
        let last = ahead.trusted.now();
        for system in [0, TODAY + 2 * DAY] {
            let clocks = Clocks::start_at(system, &store).await.expect("clocks");
            assert_eq!(clocks.trusted.now(), last);
            assert!(clocks.play.now() >= last);
            assert_eq!(sweep(&store, &clocks).await, nothing);
        }
        let right = Clocks::start_at(TODAY + 2 * DAY, &store).await.expect("clocks");
        pass(20 * DAY).await;
        assert_eq!(sweep(&store, &right).await, nothing, "it is 22 days since, not 10 years");
        pass(10 * DAY).await;
        let archived = SweepCounts { archived: 1, removed: 0 };
        assert_eq!(sweep(&store, &right).await, (vec![1], archived));
        pass(30 * DAY).await;
        let removed = SweepCounts { archived: 0, removed: 1 };
        assert_eq!(sweep(&store, &right).await, (vec![1], removed));
        // What was written with the wrong time stays longer, and is never removed too early.
        let kept = LogId::new(4).expect("an id");
        assert!(store.find_log(kept).await.expect("a store").is_some());
    }
}
