//! Statements that are the same in both databases, written once.
//!
//! The macro is used inside `impl Store for Sqlite` and `impl Store for Postgres`, which both have a
//! pool `reading`, a `write_connection`, and `change`, which runs a single statement on the latter.

use crate::accounts::{Account, Session, SessionKind};
use crate::admission::from_stored;
use crate::error::StoreError;
use crate::event::{
    AcquiredLog, FinishedMatch, FinishedSeat, ListedLog, LogInfo, PastMatch, Retention, StoredEvent,
};
use crate::id::{Epoch, LogId, LogKind, PlayerId, StoredId, TableId};

/// How many logs are acquired by one statement.
pub(crate) const ACQUIRED_AT_ONCE: usize = 1_000;
/// How many events are replaced by one statement.
pub(crate) const REPLACED_AT_ONCE: usize = 1_000;

/// Columns `id, epoch, last_sequence, checkpoint`.
pub(crate) type AcquiredRow = (i64, i64, i64, Option<i64>);
/// Columns `id, ledger, last_sequence, checkpoint, closed, last_ms, bytes, archived, epoch`.
pub(crate) type InfoRow = (i64, bool, i64, Option<i64>, bool, i64, i64, i64, i64);
/// The columns of an [`InfoRow`], and the bytes as they are stored.
pub(crate) type ListedRow = (i64, bool, i64, Option<i64>, bool, i64, i64, i64, i64, i64);
/// Columns `sequence, at_ms, body`.
pub(crate) type EventRow = (i64, i64, String);
/// Columns `table_id, number, rules, ended_ms, summary` and, of one seat, `player, name`.
pub(crate) type PastRow = (i64, i64, String, i64, String, Option<i64>, Option<String>);
/// Columns `player, kind, label, created_ms, expires_ms`.
pub(crate) type SessionRow = (i64, String, String, i64, i64);
/// Columns `folded, name, passphrase, player, created_ms`.
pub(crate) type AccountRow = (String, String, String, i64, i64);

pub(crate) fn acquired_log(
    (table, epoch, last, checkpoint): AcquiredRow,
) -> Result<AcquiredLog, StoreError> {
    Ok(AcquiredLog {
        log: LogId::from_stored(table)?,
        epoch: Epoch::new(from_stored(epoch)?),
        last: from_stored(last)?,
        checkpoint: checkpoint.map(from_stored).transpose()?,
    })
}

pub(crate) fn info(row: InfoRow) -> Result<LogInfo, StoreError> {
    let (log, ledger, last, checkpoint, closed, last_ms, bytes, archived, epoch) = row;
    Ok(LogInfo {
        log: LogId::from_stored(log)?,
        kind: if ledger { LogKind::Ledger } else { LogKind::Table },
        last: from_stored(last)?,
        checkpoint: checkpoint.map(from_stored).transpose()?,
        closed,
        last_ms,
        bytes: from_stored(bytes)?,
        archived: from_stored(archived)?,
        epoch: Epoch::new(from_stored(epoch)?),
    })
}

pub(crate) fn listed(row: ListedRow) -> Result<ListedLog, StoreError> {
    let (log, ledger, last, checkpoint, closed, last_ms, bytes, archived, epoch, stored) = row;
    let row = (log, ledger, last, checkpoint, closed, last_ms, bytes, archived, epoch);
    Ok(ListedLog { info: info(row)?, stored_bytes: from_stored(stored)? })
}

/// The condition under which a retention applies to a log, with the time before which it is quiet as `$1`.
pub(crate) fn is_quiet(retention: Retention) -> &'static str {
    match retention {
        // An archive that was interrupted has left events behind which it holds.
        Retention::Archive => {
            "last_ms < $1 AND (closed OR ledger) AND (archived < last_sequence OR EXISTS (
                 SELECT 1 FROM events WHERE table_id = tables.id AND sequence <= tables.archived))"
        }
        Retention::Remove => "last_ms < $1 AND (closed OR ledger OR last_sequence = 0)",
        Retention::NeverBegun => "last_ms < $1 AND last_sequence = 0",
    }
}

pub(crate) fn event((sequence, at_ms, body): EventRow) -> Result<StoredEvent, StoreError> {
    Ok(StoredEvent { sequence: from_stored(sequence)?, at_ms, body })
}

/// Groups rows into matches: there is one row per seat, in the order of matches and seats.
pub(crate) fn past_matches(rows: Vec<PastRow>) -> Result<Vec<PastMatch>, StoreError> {
    let mut matches: Vec<PastMatch> = Vec::new();
    for (table, number, rules, ended_ms, summary, player, name) in rows {
        let table = TableId::from_stored(table)?;
        let number = u32::try_from(number)
            .map_err(|_| StoreError::Corrupt(format!("{number} is not a number of a match")))?;
        let player = player.map(PlayerId::from_stored).transpose()?;
        let seat = name.map(|name| FinishedSeat { player, name });
        match matches.last_mut() {
            Some(last) if last.table == table && last.finished.number == number => {
                last.finished.seats.extend(seat);
            }
            _ => {
                let seats = seat.into_iter().collect();
                let finished = FinishedMatch { number, rules, ended_ms, seats, summary };
                matches.push(PastMatch { table, finished });
            }
        }
    }
    Ok(matches)
}

pub(crate) fn session(row: SessionRow) -> Result<Session, StoreError> {
    let (player, kind, label, created_ms, expires_ms) = row;
    let player = PlayerId::from_stored(player)?;
    Ok(Session { player, kind: SessionKind::from_stored(&kind)?, label, created_ms, expires_ms })
}

pub(crate) fn account(row: AccountRow) -> Result<Account, StoreError> {
    let (folded, name, passphrase, player, created_ms) = row;
    let player = PlayerId::from_stored(player)?;
    Ok(Account { name, folded, passphrase, player, created_ms })
}

/// Defines how the players of a table are replaced, who are few and rarely change.
macro_rules! replace_seats_on {
    ($connection:ty) => {
        async fn replace_seats(
            connection: &mut $connection,
            table: i64,
            players: &[PlayerId],
        ) -> Result<(), StoreError> {
            let known = "UPDATE tables SET seats_known = TRUE WHERE id = $1 AND NOT seats_known";
            let known = sqlx::query(known).bind(table).execute(&mut *connection);
            with_timeout(Risk::None, known).await?;
            let delete = sqlx::query("DELETE FROM seats WHERE table_id = $1").bind(table);
            with_timeout(Risk::None, delete.execute(&mut *connection)).await?;
            for player in players {
                let insert = "INSERT INTO seats (player, table_id) VALUES ($1, $2)
                     ON CONFLICT DO NOTHING";
                let insert = sqlx::query(insert).bind(player.stored()).bind(table);
                with_timeout(Risk::None, insert.execute(&mut *connection)).await?;
            }
            Ok(())
        }
    };
}

macro_rules! statements_of_both_databases {
    () => {
        async fn ping(&self) -> Result<(), StoreError> {
            let query = sqlx::query("SELECT version FROM schema_version");
            with_timeout(Risk::None, query.fetch_one(&self.reading)).await?;
            Ok(())
        }

        async fn create(
            &self,
            kind: LogKind,
            log: LogId,
            opener: Option<LogOpener>,
            at_ms: i64,
        ) -> Result<Epoch, StoreError> {
            // Counted in the same statement, so that requests at the same time do not exceed the maximum.
            let insert = sqlx::query(
                "INSERT INTO tables
                     (id, epoch, last_sequence, closed, created_ms, ledger, owner, last_ms, seats_known)
                 SELECT $1, $2, 0, FALSE, $3, $4, CAST($5 AS bigint), $3, TRUE
                 WHERE CAST($5 AS bigint) IS NULL OR $6 > (
                     SELECT count(*) FROM tables
                     WHERE owner = $5 AND NOT closed AND ledger = $4
                         AND (NOT ledger OR last_ms > $7))
                 ON CONFLICT DO NOTHING",
            );
            let insert = insert.bind(log.stored()).bind(to_stored(Epoch::FIRST.get())).bind(at_ms);
            let insert = insert.bind(kind == LogKind::Ledger);
            let insert = insert.bind(opener.map(|opener| opener.player.stored()));
            let insert = insert.bind(opener.map_or(0, |opener| i64::from(opener.max)));
            let insert = insert.bind(at_ms.saturating_sub(LogOpener::LEDGER_COUNTS_MS));
            if self.change(insert).await? > 0 {
                return Ok(Epoch::FIRST);
            }
            match self.find_log(log).await? {
                Some(_) => Err(StoreError::LogExists),
                None => Err(StoreError::TooMany),
            }
        }

        async fn find_log(&self, log: LogId) -> Result<Option<LogInfo>, StoreError> {
            let info = sqlx::query_as::<_, InfoRow>(
                "SELECT id, ledger, last_sequence, checkpoint, closed, last_ms, bytes, archived, epoch
                 FROM tables WHERE id = $1",
            );
            let info = info.bind(log.stored()).fetch_optional(&self.reading);
            with_timeout(Risk::None, info).await?.map(statements::info).transpose()
        }

        async fn acquire_all(
            &self,
            kind: LogKind,
            logs: &[LogId],
        ) -> Result<Vec<AcquiredLog>, StoreError> {
            // One alone needs no transaction around its statement.
            if let [log] = logs {
                let acquired = sqlx::query_as::<_, AcquiredRow>(
                    "UPDATE tables SET epoch = epoch + 1
                     WHERE id = $1 AND NOT closed AND ledger = $2
                     RETURNING id, epoch, last_sequence, checkpoint",
                );
                let mut connection = self.write_connection.hold().await?;
                // Reads to the end of the answer, though it has one row: the commit follows the row.
                let acquired = acquired.bind(log.stored()).bind(kind == LogKind::Ledger);
                let acquired = acquired.fetch_all(&mut *connection);
                let acquired = with_timeout(Risk::Commits, acquired).await?;
                connection.put_back();
                return acquired.into_iter().map(statements::acquired_log).collect();
            }
            let mut stored: Vec<i64> = logs.iter().map(|log| log.stored()).collect();
            // In the order in which batches lock them too, so that they cannot deadlock.
            stored.sort_unstable();
            let mut connection = self.write_connection.hold().await?;
            let mut transaction = with_timeout(Risk::None, connection.begin_with(BEGIN)).await?;
            let mut acquired = Vec::new();
            for logs in stored.chunks(statements::ACQUIRED_AT_ONCE) {
                if !LOCK_ROWS.is_empty() {
                    let mut lock = QueryBuilder::new("SELECT id FROM tables WHERE id IN (");
                    let mut list = lock.separated(", ");
                    for log in logs {
                        list.push_bind(*log);
                    }
                    list.push_unseparated(") ORDER BY id ").push_unseparated(LOCK_ROWS);
                    let lock = lock.build().persistent(false).fetch_all(&mut *transaction);
                    with_timeout(Risk::None, lock).await?;
                }
                let mut update = QueryBuilder::new(
                    "UPDATE tables SET epoch = epoch + 1 WHERE NOT closed AND ledger = ",
                );
                update.push_bind(kind == LogKind::Ledger).push(" AND id IN (");
                let mut list = update.separated(", ");
                for log in logs {
                    list.push_bind(*log);
                }
                list.push_unseparated(") RETURNING id, epoch, last_sequence, checkpoint");
                let update = update.build_query_as::<AcquiredRow>().persistent(false);
                let rows = with_timeout(Risk::None, update.fetch_all(&mut *transaction)).await?;
                for row in rows {
                    acquired.push(statements::acquired_log(row)?);
                }
            }
            with_timeout(Risk::Commits, transaction.commit()).await?;
            connection.put_back();
            Ok(acquired)
        }

        async fn seated_tables(
            &self,
            player: PlayerId,
            limit: u32,
        ) -> Result<Vec<TableId>, StoreError> {
            let tables = sqlx::query_scalar::<_, i64>(
                "SELECT id FROM seats JOIN tables ON id = table_id
                 WHERE player = $1 ORDER BY last_ms DESC, id LIMIT $2",
            );
            let tables = tables.bind(player.stored()).bind(i64::from(limit));
            let tables = with_timeout(Risk::None, tables.fetch_all(&self.reading)).await?;
            tables.into_iter().map(TableId::from_stored).collect()
        }

        async fn tables_without_seats(&self, limit: u32) -> Result<Vec<TableId>, StoreError> {
            let tables = "SELECT id FROM tables WHERE NOT seats_known ORDER BY id LIMIT $1";
            let tables = sqlx::query_scalar::<_, i64>(tables).bind(i64::from(limit));
            let tables = with_timeout(Risk::None, tables.fetch_all(&self.reading)).await?;
            tables.into_iter().map(TableId::from_stored).collect()
        }

        async fn fill_seats(
            &self,
            table: TableId,
            players: &[PlayerId],
        ) -> Result<(), StoreError> {
            let mut connection = self.write_connection.hold().await?;
            let mut transaction = with_timeout(Risk::None, connection.begin_with(BEGIN)).await?;
            let unknown = "UPDATE tables SET seats_known = TRUE WHERE id = $1 AND NOT seats_known";
            let unknown = sqlx::query(unknown).bind(table.stored()).execute(&mut *transaction);
            // If they are known, an append has stored newer ones.
            if with_timeout(Risk::None, unknown).await?.rows_affected() > 0 {
                replace_seats(&mut transaction, table.stored(), players).await?;
            }
            with_timeout(Risk::Commits, transaction.commit()).await?;
            connection.put_back();
            Ok(())
        }

        async fn trusted_time(&self) -> Result<Option<i64>, StoreError> {
            let time = sqlx::query_scalar::<_, i64>("SELECT at_ms FROM trusted_time");
            with_timeout(Risk::None, time.fetch_optional(&self.reading)).await
        }

        async fn newest_ms(&self) -> Result<Option<i64>, StoreError> {
            let newest = sqlx::query_scalar::<_, Option<i64>>(
                "SELECT max(at_ms) FROM (
                     SELECT max(last_ms) AS at_ms FROM tables
                     UNION ALL SELECT max(created_ms) FROM sessions
                     UNION ALL SELECT max(created_ms) FROM accounts) AS newest",
            );
            without_timeout(Risk::None, newest.fetch_one(&self.reading)).await
        }

        async fn advance_trusted_time(&self, at_ms: i64) -> Result<(), StoreError> {
            let advance = sqlx::query(
                "INSERT INTO trusted_time (id, at_ms) VALUES (1, $1)
                 ON CONFLICT (id) DO UPDATE SET at_ms = excluded.at_ms
                 WHERE trusted_time.at_ms < excluded.at_ms",
            );
            self.change(advance.bind(at_ms)).await?;
            Ok(())
        }

        async fn quiet_tables(
            &self,
            before_ms: i64,
            after: Option<TableId>,
            limit: u32,
        ) -> Result<Vec<TableId>, StoreError> {
            let quiet = sqlx::query_scalar::<_, i64>(
                "SELECT id FROM tables
                 WHERE NOT closed AND NOT ledger AND last_sequence > 0 AND last_ms < $1 AND id > $2
                 ORDER BY id LIMIT $3",
            );
            let quiet = quiet.bind(before_ms).bind(after.map_or(-1, TableId::stored));
            let quiet = quiet.bind(i64::from(limit));
            let quiet = with_timeout(Risk::None, quiet.fetch_all(&self.reading)).await?;
            quiet.into_iter().map(TableId::from_stored).collect()
        }

        async fn quiet_logs(
            &self,
            retention: Retention,
            before_ms: i64,
            after: Option<LogId>,
            limit: u32,
        ) -> Result<Vec<LogId>, StoreError> {
            let is_quiet = statements::is_quiet(retention);
            let quiet = AssertSqlSafe(format!(
                "SELECT id FROM tables WHERE {is_quiet} AND id > $2 ORDER BY id LIMIT $3"
            ));
            let quiet = sqlx::query_scalar::<_, i64>(quiet);
            let quiet = quiet.bind(before_ms).bind(after.map_or(-1, LogId::stored));
            let quiet = quiet.bind(i64::from(limit)).fetch_all(&self.reading);
            let quiet = with_timeout(Risk::None, quiet).await?;
            quiet.into_iter().map(LogId::from_stored).collect()
        }

        async fn archive(&self, log: LogId) -> Result<bool, StoreError> {
            let Some(info) = self.find_log(log).await? else { return Ok(false) };
            if info.kind == LogKind::Table && !info.closed {
                return Ok(false);
            }
            let is_new = info.archived < info.last && self.store_archive(&info).await?;
            let archived = if is_new { info.last } else { info.archived };
            Ok(self.delete_archived(log, archived).await? > 0 || is_new)
        }

        async fn remove(
            &self,
            log: LogId,
            only_if: Option<(Retention, i64)>,
        ) -> Result<bool, StoreError> {
            let Some((last, archived)) = self.begin_removal(log, only_if).await? else {
                return Ok(false);
            };
            // Rows that refer to others go first.
            for delete in [
                "DELETE FROM finished_seats WHERE table_id = $1 AND (number, seat) IN
                     (SELECT number, seat FROM finished_seats WHERE table_id = $1 LIMIT $2)",
                "DELETE FROM finished WHERE table_id = $1 AND number IN
                     (SELECT number FROM finished WHERE table_id = $1 LIMIT $2)",
                "DELETE FROM seats WHERE table_id = $1 AND player IN
                     (SELECT player FROM seats WHERE table_id = $1 LIMIT $2)",
            ] {
                let mut portions = Portions::default();
                while portions.next().await {
                    let delete = sqlx::query(delete).bind(log.stored()).bind(i64::from(PORTION));
                    portions.changed(self.change(delete).await?);
                }
            }
            self.shorten(log, last, archived).await?;
            self.delete_archived(log, archived).await?;
            let mut connection = self.write_connection.hold().await?;
            let mut transaction = with_timeout(Risk::None, connection.begin_with(BEGIN)).await?;
            for delete in
                ["DELETE FROM archives WHERE table_id = $1", "DELETE FROM tables WHERE id = $1"]
            {
                let delete = sqlx::query(delete).bind(log.stored()).execute(&mut *transaction);
                with_timeout(Risk::None, delete).await?;
            }
            with_timeout(Risk::Commits, transaction.commit()).await?;
            connection.put_back();
            Ok(true)
        }

        async fn logs(
            &self,
            after: Option<LogId>,
            limit: u32,
        ) -> Result<Vec<ListedLog>, StoreError> {
            let logs = sqlx::query_as::<_, ListedRow>(
                "SELECT id, ledger, last_sequence, checkpoint, closed, last_ms, bytes, archived, epoch,
                     CASE WHEN archived = 0 THEN bytes ELSE
                         coalesce((SELECT octet_length(body) FROM archives WHERE table_id = id), 0)
                         + coalesce((SELECT CAST(sum(octet_length(body)) AS bigint)
                                     FROM events WHERE table_id = id), 0)
                     END
                 FROM tables WHERE id > $1 ORDER BY id LIMIT $2",
            );
            let logs = logs.bind(after.map_or(-1, LogId::stored)).bind(i64::from(limit));
            let logs = with_timeout(Risk::None, logs.fetch_all(&self.reading)).await?;
            logs.into_iter().map(statements::listed).collect()
        }

        async fn usage(&self) -> Result<DatabaseUsage, StoreError> {
            let bytes = sqlx::query_scalar::<_, i64>(SIZE).fetch_one(&self.reading);
            let bytes = from_stored(with_timeout(Risk::None, bytes).await?)?;
            let counts = sqlx::query_as::<_, (i64, i64, i64)>(
                "SELECT (SELECT count(*) FROM finished), (SELECT count(*) FROM sessions),
                     (SELECT count(*) FROM accounts)",
            );
            let counts = counts.fetch_one(&self.reading);
            let (finished, sessions, accounts) = without_timeout(Risk::None, counts).await?;
            Ok(DatabaseUsage {
                bytes,
                finished: from_stored(finished)?,
                sessions: from_stored(sessions)?,
                accounts: from_stored(accounts)?,
            })
        }

        async fn rewrite(
            &self,
            info: &LogInfo,
            changed: Vec<StoredEvent>,
        ) -> Result<bool, StoreError> {
            let log = info.log.stored();
            let (archived, later): (Vec<StoredEvent>, Vec<StoredEvent>) =
                changed.into_iter().partition(|event| event.sequence <= info.archived);
            // Packed before the transaction, which stores it only if the archive is still the same.
            let (mut packed, mut archived_bytes) = (None, 0);
            if info.archived > 0 {
                // What an interrupted archive has left behind would keep what is replaced in the archive.
                self.delete_archived(info.log, info.archived).await?;
                let mut all = self.events(info.log, 1, u32::MAX).await?;
                all.retain(|event| event.sequence <= info.archived);
                archive::replace(&mut all, archived)?;
                archived_bytes = all.iter().map(|event| event.body.len() as u64).sum();
                packed = Some(archive::pack(all, info.archived).await?);
            }
            let mut connection = self.write_connection.hold().await?;
            let mut transaction = with_timeout(Risk::None, connection.begin_with(BEGIN)).await?;
            let acquired = "UPDATE tables SET epoch = epoch + 1
                 WHERE id = $1 AND epoch = $2 AND last_sequence = $3 AND archived = $4";
            let acquired = sqlx::query(acquired).bind(log).bind(to_stored(info.epoch.get()));
            let acquired = acquired.bind(to_stored(info.last)).bind(to_stored(info.archived));
            let acquired = with_timeout(Risk::None, acquired.execute(&mut *transaction)).await?;
            let is_unchanged = acquired.rows_affected() > 0;
            if is_unchanged {
                if let Some(packed) = packed {
                    let pack = "UPDATE archives SET body = $2 WHERE table_id = $1";
                    let pack = sqlx::query(pack).bind(log).bind(packed);
                    with_timeout(Risk::None, pack.execute(&mut *transaction)).await?;
                }
                // Few statements: appends to this log wait for the row that is locked.
                for events in later.chunks(statements::REPLACED_AT_ONCE) {
                    let mut replace = QueryBuilder::new("WITH changed (sequence, body) AS (");
                    replace.push_values(events, |mut row, event| {
                        row.push_bind(to_stored(event.sequence)).push_bind(event.body.clone());
                    });
                    replace.push(
                        ") UPDATE events SET body = changed.body FROM changed
                         WHERE events.sequence = changed.sequence AND events.table_id = ",
                    );
                    let replace = replace.push_bind(log).build().persistent(false);
                    with_timeout(Risk::None, replace.execute(&mut *transaction)).await?;
                }
                let bytes = "UPDATE tables SET bytes = $2 + coalesce(
                         (SELECT CAST(sum(octet_length(body)) AS bigint)
                          FROM events WHERE table_id = $1), 0)
                     WHERE id = $1";
                let bytes = sqlx::query(bytes).bind(log).bind(to_stored(archived_bytes));
                with_timeout(Risk::None, bytes.execute(&mut *transaction)).await?;
            }
            with_timeout(Risk::Commits, transaction.commit()).await?;
            connection.put_back();
            Ok(is_unchanged)
        }

        async fn player_traces(&self, player: PlayerId) -> Result<PlayerTraces, StoreError> {
            let counts = sqlx::query_as::<_, (i64, i64, i64, i64)>(
                "SELECT (SELECT count(*) FROM sessions WHERE player = $1),
                     (SELECT count(*) FROM seats WHERE player = $1),
                     (SELECT count(*) FROM finished_seats WHERE player = $1),
                     (SELECT count(*) FROM tables WHERE owner = $1)",
            );
            let counts = counts.bind(player.stored()).fetch_one(&self.reading);
            let (sessions, seated, finished, opened) =
                without_timeout(Risk::None, counts).await?;
            Ok(PlayerTraces {
                account: self.account_of(player).await?.map(|account| account.name),
                sessions: from_stored(sessions)?,
                seated: from_stored(seated)?,
                finished: from_stored(finished)?,
                opened: from_stored(opened)?,
            })
        }

        async fn erase_player(&self, player: PlayerId, name: &str) -> Result<(), StoreError> {
            let mut portions = Portions::default();
            while portions.next().await {
                let histories = sqlx::query(
                    "UPDATE finished_seats SET player = NULL, name = $2
                     WHERE (table_id, number, seat) IN
                         (SELECT table_id, number, seat FROM finished_seats WHERE player = $1
                          LIMIT $3)",
                );
                let histories = histories.bind(player.stored()).bind(name.to_owned());
                portions.changed(self.change(histories.bind(i64::from(PORTION))).await?);
            }
            self.disown_logs(player).await?;
            self.revoke_sessions_of(player).await?;
            let mut portions = Portions::default();
            while portions.next().await {
                let seats = sqlx::query(
                    "DELETE FROM seats WHERE player = $1 AND table_id IN
                         (SELECT table_id FROM seats WHERE player = $1 ORDER BY table_id LIMIT $2)",
                );
                let seats = seats.bind(player.stored()).bind(i64::from(PORTION));
                portions.changed(self.change(seats).await?);
            }
            // The account goes last: by its name an erasure that was interrupted is repeated.
            let account = sqlx::query("DELETE FROM accounts WHERE player = $1");
            self.change(account.bind(player.stored())).await?;
            Ok(())
        }

        async fn events(
            &self,
            log: LogId,
            from: u64,
            limit: u32,
        ) -> Result<Vec<StoredEvent>, StoreError> {
            let query = sqlx::query_as::<_, EventRow>(
                "SELECT sequence, at_ms, body FROM events
                 WHERE table_id = $1 AND sequence >= $2 ORDER BY sequence LIMIT $3",
            );
            let query = query.bind(log.stored()).bind(to_stored(from)).bind(i64::from(limit));
            let rows = with_timeout(Risk::None, query.fetch_all(&self.reading)).await?;
            let events: Result<Vec<StoredEvent>, _> =
                rows.into_iter().map(statements::event).collect();
            let events = events?;
            if events.first().is_some_and(|event| event.sequence == from.max(1)) {
                return Ok(events);
            }
            let body = "SELECT body FROM archives WHERE table_id = $1";
            let body = sqlx::query_scalar::<_, Vec<u8>>(body).bind(log.stored());
            let body = with_timeout(Risk::None, body.fetch_optional(&self.reading)).await?;
            match body {
                None => Ok(events),
                Some(body) => archive::read(body, from, events).await,
            }
        }

        async fn finished_match(
            &self,
            table: TableId,
            number: u32,
        ) -> Result<Option<PastMatch>, StoreError> {
            let query = sqlx::query_as::<_, PastRow>(
                "SELECT finished.table_id, finished.number, rules, finished.ended_ms, summary,
                        player, name
                 FROM finished LEFT JOIN finished_seats
                   ON finished_seats.table_id = finished.table_id
                   AND finished_seats.number = finished.number
                 WHERE finished.table_id = $1 AND finished.number = $2 ORDER BY seat",
            );
            let query = query.bind(table.stored()).bind(i64::from(number));
            let rows = with_timeout(Risk::None, query.fetch_all(&self.reading)).await?;
            Ok(statements::past_matches(rows)?.pop())
        }

        async fn history(
            &self,
            player: PlayerId,
            after: Option<Cursor>,
            limit: u32,
        ) -> Result<Vec<PastMatch>, StoreError> {
            // A player may have had two seats in a match, which counts once.
            let query = sqlx::query_as::<_, PastRow>(
                "SELECT finished.table_id, finished.number, rules, finished.ended_ms, summary,
                        seats.player, seats.name
                 FROM (SELECT DISTINCT ended_ms, table_id, number FROM finished_seats
                       WHERE player = $1 AND (ended_ms, table_id, number) < ($2, $3, $4)
                       ORDER BY ended_ms DESC, table_id DESC, number DESC LIMIT $5) AS page
                 JOIN finished
                   ON finished.table_id = page.table_id AND finished.number = page.number
                 JOIN finished_seats AS seats
                   ON seats.table_id = page.table_id AND seats.number = page.number
                 ORDER BY page.ended_ms DESC, page.table_id DESC, page.number DESC, seats.seat",
            );
            let position = |cursor: Cursor| {
                (cursor.ended_ms, cursor.table.stored(), i64::from(cursor.number))
            };
            let (ended_ms, table, number) = after.map_or((i64::MAX, i64::MAX, i64::MAX), position);
            let query = query.bind(player.stored()).bind(ended_ms).bind(table).bind(number);
            let query = query.bind(i64::from(limit)).fetch_all(&self.reading);
            statements::past_matches(with_timeout(Risk::None, query).await?)
        }

        async fn create_session(
            &self,
            token: TokenHash,
            session: &Session,
        ) -> Result<(), StoreError> {
            let insert = sqlx::query(
                "INSERT INTO sessions (token, player, kind, label, created_ms, expires_ms)
                 VALUES ($1, $2, $3, $4, $5, $6)",
            );
            let insert = insert.bind(token.0.to_vec()).bind(session.player.stored());
            let insert = insert.bind(session.kind.stored()).bind(session.label.clone());
            self.change(insert.bind(session.created_ms).bind(session.expires_ms)).await?;
            Ok(())
        }

        async fn find_session(
            &self,
            token: TokenHash,
            now_ms: i64,
        ) -> Result<Option<Session>, StoreError> {
            let query = sqlx::query_as::<_, SessionRow>(
                "SELECT player, kind, label, created_ms, expires_ms FROM sessions
                 WHERE token = $1 AND expires_ms > $2",
            );
            let query = query.bind(token.0.to_vec()).bind(now_ms).fetch_optional(&self.reading);
            with_timeout(Risk::None, query).await?.map(statements::session).transpose()
        }

        async fn revoke_session(&self, token: TokenHash) -> Result<bool, StoreError> {
            let revoked = sqlx::query("DELETE FROM sessions WHERE token = $1");
            Ok(self.change(revoked.bind(token.0.to_vec())).await? > 0)
        }

        async fn revoke_sessions_of(&self, player: PlayerId) -> Result<u64, StoreError> {
            let revoke = "DELETE FROM sessions WHERE token IN
                     (SELECT token FROM sessions WHERE player = $1 LIMIT $2)";
            let mut portions = Portions::default();
            while portions.next().await {
                let revoke = sqlx::query(revoke).bind(player.stored()).bind(i64::from(PORTION));
                portions.changed(self.change(revoke).await?);
            }
            Ok(portions.rows())
        }

        async fn prune_sessions(&self, now_ms: i64) -> Result<u64, StoreError> {
            let prune = "DELETE FROM sessions WHERE token IN
                     (SELECT token FROM sessions WHERE expires_ms <= $1 LIMIT $2)";
            let mut portions = Portions::default();
            while portions.next().await {
                let prune = sqlx::query(prune).bind(now_ms).bind(i64::from(PORTION));
                portions.changed(self.change(prune).await?);
            }
            Ok(portions.rows())
        }

        async fn create_account(&self, account: &Account) -> Result<(), StoreError> {
            let insert = sqlx::query(
                "INSERT INTO accounts (folded, name, passphrase, player, created_ms)
                 VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING",
            );
            let insert = insert.bind(account.folded.clone()).bind(account.name.clone());
            let insert = insert.bind(account.passphrase.clone()).bind(account.player.stored());
            if self.change(insert.bind(account.created_ms)).await? > 0 {
                return Ok(());
            }
            // If the conflicting account was erased meanwhile, the answer is wrong and changes nothing.
            match self.find_account(&account.folded).await? {
                Some(_) => Err(StoreError::NameTaken),
                None => Err(StoreError::HasAccount),
            }
        }

        async fn find_account(&self, folded: &str) -> Result<Option<Account>, StoreError> {
            let query = sqlx::query_as::<_, AccountRow>(
                "SELECT folded, name, passphrase, player, created_ms FROM accounts
                 WHERE folded = $1",
            );
            let query = query.bind(folded.to_owned()).fetch_optional(&self.reading);
            with_timeout(Risk::None, query).await?.map(statements::account).transpose()
        }

        async fn account_of(&self, player: PlayerId) -> Result<Option<Account>, StoreError> {
            let query = sqlx::query_as::<_, AccountRow>(
                "SELECT folded, name, passphrase, player, created_ms FROM accounts
                 WHERE player = $1",
            );
            let query = query.bind(player.stored()).fetch_optional(&self.reading);
            with_timeout(Risk::None, query).await?.map(statements::account).transpose()
        }

        async fn change_passphrase(
            &self,
            folded: &str,
            passphrase: &str,
        ) -> Result<bool, StoreError> {
            let mut connection = self.write_connection.hold().await?;
            let mut transaction = with_timeout(Risk::None, connection.begin_with(BEGIN)).await?;
            let changed = sqlx::query("UPDATE accounts SET passphrase = $2 WHERE folded = $1");
            let changed = changed.bind(folded.to_owned()).bind(passphrase.to_owned());
            let changed = changed.execute(&mut *transaction);
            let changed = with_timeout(Risk::None, changed).await?.rows_affected();
            let revoked = "DELETE FROM sessions WHERE player IN
                     (SELECT player FROM accounts WHERE folded = $1)";
            let revoked = sqlx::query(revoked).bind(folded.to_owned());
            with_timeout(Risk::None, revoked.execute(&mut *transaction)).await?;
            with_timeout(Risk::Commits, transaction.commit()).await?;
            connection.put_back();
            Ok(changed > 0)
        }
    };
}

pub(crate) use {replace_seats_on, statements_of_both_databases};
