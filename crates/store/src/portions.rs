//! Changes of many rows for which nobody waits are made in portions: between two of them others can write.

use std::time::Duration;

/// The maximum number of rows of a portion.
pub(crate) const PORTION: u32 = 1_000;
/// The pause between two portions. A writer of this process is served in order anyway; SQLite lets one of
/// another process in only if it asks while nobody writes.
const PAUSE: Duration = Duration::from_millis(10);

/// The portions of a change.
#[derive(Default)]
pub(crate) struct Portions {
    rows: u64,
    last: Option<u64>,
}

impl Portions {
    /// Whether there may be another portion; waits before all but the first.
    pub(crate) async fn next(&mut self) -> bool {
        match self.last {
            None => true,
            Some(rows) if rows < u64::from(PORTION) => false,
            Some(_) => {
                tokio::time::sleep(PAUSE).await;
                true
            }
        }
    }

    /// Notes how many rows a portion has changed.
    pub(crate) fn changed(&mut self, rows: u64) {
        self.rows += rows;
        self.last = Some(rows);
    }

    /// How many rows all portions have changed.
    pub(crate) fn rows(&self) -> u64 {
        self.rows
    }
}

/// Defines the steps of changes that are made in portions, as methods of a database.
macro_rules! steps_of_both_databases {
    () => {
        /// Packs the events of a log and stores the archive, if the log is still as it was. From then on it is
        /// read where its events are missing.
        async fn store_archive(&self, info: &LogInfo) -> Result<bool, StoreError> {
            let events = self.events(info.log, 1, u32::MAX).await?;
            let body = archive::pack(events, info.last).await?;
            let mut connection = self.write_connection.hold().await?;
            let mut transaction = with_timeout(Risk::None, connection.begin_with(BEGIN)).await?;
            // Another server may have archived it meanwhile, or an operator has rewritten it.
            let mark = "UPDATE tables SET archived = $2
                 WHERE id = $1 AND archived = $3 AND epoch = $4";
            let mark = sqlx::query(mark).bind(info.log.stored()).bind(to_stored(info.last));
            let mark = mark.bind(to_stored(info.archived)).bind(to_stored(info.epoch.get()));
            let mark = mark.execute(&mut *transaction);
            let is_ours = with_timeout(Risk::None, mark).await?.rows_affected() > 0;
            if is_ours {
                let insert = "INSERT INTO archives (table_id, body) VALUES ($1, $2)
                     ON CONFLICT (table_id) DO UPDATE SET body = excluded.body";
                let insert = sqlx::query(insert).bind(info.log.stored()).bind(body);
                with_timeout(Risk::None, insert.execute(&mut *transaction)).await?;
            }
            with_timeout(Risk::Commits, transaction.commit()).await?;
            connection.put_back();
            Ok(is_ours)
        }

        /// Deletes the events that an archive holds, the first ones first: a reader who misses the first one
        /// that it asks for reads the archive.
        async fn delete_archived(&self, log: LogId, archived: u64) -> Result<u64, StoreError> {
            let delete = "DELETE FROM events WHERE table_id = $1 AND sequence IN
                 (SELECT sequence FROM events WHERE table_id = $1 AND sequence <= $2
                  ORDER BY sequence LIMIT $3)";
            let mut portions = Portions::default();
            while archived > 0 && portions.next().await {
                let delete = sqlx::query(delete).bind(log.stored()).bind(to_stored(archived));
                portions.changed(self.change(delete.bind(i64::from(PORTION))).await?);
            }
            Ok(portions.rows())
        }

        /// Closes a log that is to be removed, and takes it from its owner; with a retention and a time only
        /// if it is still quiet. Returns its last event and the last one in its archive.
        async fn begin_removal(
            &self,
            log: LogId,
            only_if: Option<(Retention, i64)>,
        ) -> Result<Option<(u64, u64)>, StoreError> {
            let (condition, before_ms) = match only_if {
                Some((retention, before_ms)) => (statements::is_quiet(retention), before_ms),
                None => ("last_ms <= $1", i64::MAX),
            };
            let close = AssertSqlSafe(format!(
                "UPDATE tables SET epoch = epoch + 1, closed = TRUE, checkpoint = NULL
                 WHERE {condition} AND id = $2 RETURNING last_sequence, archived"
            ));
            let mut connection = self.write_connection.hold().await?;
            // Reads to the end of the answer, though it has one row: the commit follows the row.
            let close = sqlx::query_as::<_, (i64, i64)>(close).bind(before_ms).bind(log.stored());
            let closed = close.fetch_all(&mut *connection);
            let closed = with_timeout(Risk::Commits, closed).await?.pop();
            connection.put_back();
            closed.map(|(last, archived)| Ok((from_stored(last)?, from_stored(archived)?))).transpose()
        }

        /// Deletes the events that are not in the archive, the last ones first: if this is interrupted, what
        /// is left is a shorter log.
        async fn shorten(&self, log: LogId, last: u64, archived: u64) -> Result<(), StoreError> {
            let (mut portions, mut last) = (Portions::default(), last);
            while last > archived && portions.next().await {
                last = last.saturating_sub(u64::from(PORTION)).max(archived);
                let mut connection = self.write_connection.hold().await?;
                let mut transaction = with_timeout(Risk::None, connection.begin_with(BEGIN)).await?;
                for step in [
                    "UPDATE tables SET last_sequence = $2 WHERE id = $1",
                    "DELETE FROM events WHERE table_id = $1 AND sequence > $2",
                ] {
                    let step = sqlx::query(step).bind(log.stored()).bind(to_stored(last));
                    with_timeout(Risk::None, step.execute(&mut *transaction)).await?;
                }
                with_timeout(Risk::Commits, transaction.commit()).await?;
                connection.put_back();
                portions.changed(u64::from(PORTION));
            }
            Ok(())
        }

        /// A player is no longer the owner of any log. They are found before each portion, as there is no
        /// index of closed ones: who searches does not keep others from writing.
        async fn disown_logs(&self, player: PlayerId) -> Result<(), StoreError> {
            let (mut portions, mut after) = (Portions::default(), -1_i64);
            while portions.next().await {
                let owned = "SELECT id FROM tables WHERE owner = $1 AND id > $2 ORDER BY id LIMIT $3";
                let owned = sqlx::query_scalar::<_, i64>(owned).bind(player.stored()).bind(after);
                let owned = owned.bind(i64::from(PORTION)).fetch_all(&self.reading);
                let owned = without_timeout(Risk::None, owned).await?;
                let Some(&last) = owned.last() else { return Ok(()) };
                let mut disown = QueryBuilder::new(
                    "UPDATE tables SET owner = NULL WHERE id IN (SELECT id FROM tables WHERE id IN (",
                );
                let mut list = disown.separated(", ");
                for &log in &owned {
                    list.push_bind(log);
                }
                // Appends lock rows in this order too.
                list.push_unseparated(") ORDER BY id ");
                disown.push(LOCK_ROWS).push(")");
                self.change(disown.build().persistent(false)).await?;
                portions.changed(owned.len() as u64);
                after = last;
            }
            Ok(())
        }
    };
}

pub(crate) use steps_of_both_databases;
