//! PostgreSQL: one connection that writes, some that read meanwhile.

use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use sqlx::postgres::{PgArguments, PgConnectOptions, PgPoolOptions};
use sqlx::query::Query;
use sqlx::{ConnectOptions, Connection, PgConnection, PgPool};

use crate::accounts::{Account, Cursor, Session};
use crate::admission::{Admission, HeadRow, from_stored, tables, to_stored};
use crate::backup::{self, BackupFile, Progress};
use crate::error::{Risk, StoreError, unhurried, within};
use crate::event::{Append, Appended, ClaimedLog, PastMatch, StoredEvent};
use crate::id::{Epoch, LogId, LogKind, PlayerId, StoredId, TableId, TokenHash};
use crate::statements::{
    self, AccountRow, ClaimRow, EventRow, PastRow, SessionRow, statements_of_both_databases,
};
use crate::store::{EventLog, Store};
use crate::versions::{self, Versions};
use crate::write_connection::WriteConnection;

const READERS: u32 = 8;
/// How long a reader waits for a connection.
const CONNECTING: Duration = Duration::from_secs(5);
/// So that a server which vanished in the middle of a transaction does not keep its tables locked.
const SETTINGS: [(&str, &str); 5] = [
    ("lock_timeout", "5s"),
    ("idle_in_transaction_session_timeout", "60s"),
    ("tcp_keepalives_idle", "15"),
    ("tcp_keepalives_interval", "5"),
    ("tcp_keepalives_count", "3"),
];
/// Holds all who open the database at the same moment but one; "ghinda" as a number.
const OPENING: i64 = 0x67_68_69_6e_64_61;

/// Locks in the order of the ids, as every batch does, before anything is changed.
const CLAIM_ALL_OPEN: &str = "WITH open AS (
         SELECT id FROM tables WHERE NOT closed AND NOT ledger ORDER BY id FOR NO KEY UPDATE
     )
     UPDATE tables SET epoch = epoch + 1 FROM open WHERE tables.id = open.id
     RETURNING tables.id, tables.epoch, tables.last_sequence, tables.checkpoint";

/// A store in a PostgreSQL database that many servers may share.
pub struct Postgres {
    options: PgConnectOptions,
    line: WriteConnection<sqlx::Postgres>,
    reading: PgPool,
}

impl Postgres {
    /// Connects by an address `postgres://…` and brings the tables up to date. What is stored is as
    /// safe as that server's `fsync` and `synchronous_commit`, which are on unless somebody turned
    /// them off.
    pub async fn open(address: &str) -> Result<Self, StoreError> {
        Self::open_with(address, versions::POSTGRES).await
    }

    async fn open_with(address: &str, known: Versions) -> Result<Self, StoreError> {
        let options = PgConnectOptions::from_str(address)
            .map_err(|error| StoreError::Address(error.to_string()))?
            .options(SETTINGS)
            .disable_statement_logging();
        let line = WriteConnection::<sqlx::Postgres>::new(options.clone());
        let mut held = line.hold().await?;
        let encoding = sqlx::query_scalar::<_, String>("SHOW server_encoding");
        let encoding = within(Risk::None, encoding.fetch_one(&mut *held)).await?;
        if encoding != "UTF8" {
            let why = format!("the database is kept in {encoding}; create it in UTF8");
            return Err(StoreError::Address(why));
        }
        migrate(&mut held, known).await?;
        held.put_back();
        let readers = PgPoolOptions::new().max_connections(READERS).acquire_timeout(CONNECTING);
        let reading = readers.connect_lazy_with(options.clone());
        Ok(Self { options, line, reading })
    }

    /// Runs one statement that stands alone, and tells how many rows it changed.
    async fn change(
        &self,
        statement: Query<'_, sqlx::Postgres, PgArguments>,
    ) -> Result<u64, StoreError> {
        let mut line = self.line.hold().await?;
        let changed = within(Risk::Commits, statement.execute(&mut *line)).await?;
        line.put_back();
        Ok(changed.rows_affected())
    }
}

/// Brings the tables up to date, alone.
async fn migrate(connection: &mut PgConnection, known: Versions) -> Result<(), StoreError> {
    let mut transaction = within(Risk::None, connection.begin()).await?;
    // Whoever opens the database later waits as long as this takes.
    let patience = sqlx::raw_sql("SET LOCAL lock_timeout = 0").execute(&mut *transaction);
    within(Risk::None, patience).await?;
    let alone = sqlx::query("SELECT pg_advisory_xact_lock($1)").bind(OPENING);
    unhurried(Risk::None, alone.execute(&mut *transaction)).await?;
    let remember = "CREATE TABLE IF NOT EXISTS schema_version (version bigint NOT NULL)";
    within(Risk::None, sqlx::raw_sql(remember).execute(&mut *transaction)).await?;
    let found = sqlx::query_scalar("SELECT max(version) FROM schema_version");
    let found = within(Risk::None, found.fetch_one(&mut *transaction)).await?;
    let missing = versions::missing(found, known)?;
    for &statements in missing {
        unhurried(Risk::None, sqlx::raw_sql(statements).execute(&mut *transaction)).await?;
    }
    if !missing.is_empty() {
        let forget = sqlx::raw_sql("DELETE FROM schema_version").execute(&mut *transaction);
        within(Risk::None, forget).await?;
        let remember = sqlx::query("INSERT INTO schema_version (version) VALUES ($1)");
        let remember = remember.bind(i64::from(versions::number(known)));
        within(Risk::None, remember.execute(&mut *transaction)).await?;
    }
    unhurried(Risk::Commits, transaction.commit()).await
}

impl EventLog for Postgres {
    async fn append(&self, batch: &[Append]) -> Result<Vec<Appended>, StoreError> {
        let mut line = self.line.hold().await?;
        let mut transaction = within(Risk::None, line.begin()).await?;
        // Whoever claims one of these tables waits for our commit, and we for his. Rows are sorted
        // before they are locked, and a row that was waited for is read anew.
        let heads = sqlx::query_as::<_, HeadRow>(
            "SELECT id, epoch, last_sequence, closed FROM tables
             WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE",
        );
        let heads = heads.bind(tables(batch)).fetch_all(&mut *transaction);
        let admission = Admission::of(batch, within(Risk::None, heads).await?)?;
        insert(&mut transaction, &admission).await?;
        within(Risk::Commits, transaction.commit()).await?;
        line.put_back();
        Ok(admission.outcomes)
    }
}

/// Columns as arrays: the statements stay the same however many rows there are.
async fn insert(
    connection: &mut PgConnection,
    admission: &Admission<'_>,
) -> Result<(), StoreError> {
    let events = admission.events();
    if !events.is_empty() {
        let stored = sqlx::query(
            "INSERT INTO events (table_id, sequence, at_ms, body)
             SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[])",
        );
        let stored = stored.bind(column(&events, |&(table, _, _)| table));
        let stored = stored.bind(column(&events, |&(_, sequence, _)| sequence));
        let stored = stored.bind(column(&events, |&(_, _, event)| event.at_ms));
        let stored = stored.bind(column(&events, |&(_, _, event)| event.body.as_str()));
        within(Risk::None, stored.execute(&mut *connection)).await?;
    }
    let changed = admission.changed();
    if !changed.is_empty() {
        let stored = sqlx::query(
            "UPDATE tables SET last_sequence = changed.last, closed = changed.closed,
                 checkpoint = coalesce(changed.checkpoint, tables.checkpoint)
             FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::boolean[])
                 AS changed (id, last, checkpoint, closed)
             WHERE tables.id = changed.id",
        );
        let stored = stored.bind(column(&changed, |row| row.table));
        let stored = stored.bind(column(&changed, |row| row.last));
        let stored = stored.bind(column(&changed, |row| row.checkpoint));
        let stored = stored.bind(column(&changed, |row| row.closed));
        within(Risk::None, stored.execute(&mut *connection)).await?;
    }
    insert_finished(connection, admission).await
}

/// Rare, and few at a time.
async fn insert_finished(
    connection: &mut PgConnection,
    admission: &Admission<'_>,
) -> Result<(), StoreError> {
    for (table, finished) in admission.finished() {
        let (number, ended_ms) = (i64::from(finished.number), finished.ended_ms);
        let stored = sqlx::query(
            "INSERT INTO finished (table_id, number, rules, ended_ms, summary)
             VALUES ($1, $2, $3, $4, $5)",
        );
        let stored = stored.bind(table).bind(number).bind(&finished.rules);
        let stored = stored.bind(ended_ms).bind(&finished.summary);
        within(Risk::None, stored.execute(&mut *connection)).await?;
        let stored = sqlx::query(
            "INSERT INTO finished_seats (table_id, number, seat, player, name, ended_ms)
             SELECT $1, $2, place - 1, player, name, $3
             FROM unnest($4::bigint[], $5::text[]) WITH ORDINALITY AS seats (player, name, place)",
        );
        let stored = stored.bind(table).bind(number).bind(ended_ms);
        let stored = stored.bind(column(&finished.seats, |seat| seat.player.map(PlayerId::stored)));
        let stored = stored.bind(column(&finished.seats, |seat| seat.name.as_str()));
        within(Risk::None, stored.execute(&mut *connection)).await?;
    }
    Ok(())
}

fn column<'a, R, T>(rows: &'a [R], of: impl FnMut(&'a R) -> T) -> Vec<T> {
    rows.iter().map(of).collect()
}

impl Store for Postgres {
    statements_of_both_databases!();

    async fn backup(
        &self,
        to: &Path,
        progress: impl FnMut(Progress) + Send,
    ) -> Result<(), StoreError> {
        let file = BackupFile::reserve(to)?;
        let mut source = within(Risk::None, self.options.connect()).await?;
        // All that is read is as it was at the first question.
        let moment = "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY";
        let mut source = within(Risk::None, source.begin_with(moment)).await?;
        let mut target = backup::new_backup(file.partial()).await?;
        let mut transaction = within(Risk::None, target.begin()).await?;
        backup::fill::<sqlx::Postgres, sqlx::Sqlite>(&mut source, &mut transaction, progress)
            .await?;
        unhurried(Risk::None, transaction.commit()).await?;
        unhurried(Risk::None, target.close()).await?;
        file.finish().await
    }

    async fn restore(
        &self,
        from: &Path,
        progress: impl FnMut(Progress) + Send,
    ) -> Result<(), StoreError> {
        let mut source = backup::open_backup(from).await?;
        let mut line = self.line.hold().await?;
        let mut transaction = within(Risk::None, line.begin()).await?;
        backup::fill::<sqlx::Sqlite, sqlx::Postgres>(&mut source, &mut transaction, progress)
            .await?;
        unhurried(Risk::Commits, transaction.commit()).await?;
        line.put_back();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use test_support::postgres::Server;

    const ONE: Versions = &["CREATE TABLE hats (size bigint); INSERT INTO hats VALUES (54);"];
    const TWO: Versions = &[ONE[0], "ALTER TABLE hats ADD COLUMN colour text;"];
    const BROKEN: Versions = &[ONE[0], TWO[1], "DROP TABLE hats; DROP TABLE shoes;"];

    async fn hats(address: &str) -> (i64, Option<String>) {
        let mut connection = PgConnection::connect(address).await.unwrap();
        let hats = sqlx::query_as("SELECT size, colour FROM hats");
        hats.fetch_one(&mut connection).await.unwrap()
    }

    #[tokio::test]
    async fn an_older_database_is_brought_up_to_date_and_keeps_its_rows() {
        let address = Server::shared().database();
        for known in [ONE, ONE, TWO, TWO] {
            Postgres::open_with(&address, known).await.unwrap().close().await;
        }
        assert_eq!(hats(&address).await, (54, None));
    }

    #[tokio::test]
    async fn a_newer_database_is_refused_and_left_alone() {
        let address = Server::shared().database();
        Postgres::open_with(&address, TWO).await.unwrap().close().await;
        let refused = Postgres::open_with(&address, ONE).await.err();
        assert_eq!(refused, Some(StoreError::Newer { found: 2, known: 1 }));
        assert_eq!(hats(&address).await, (54, None));
    }

    #[tokio::test]
    async fn a_version_that_fails_half_way_changes_nothing() {
        let address = Server::shared().database();
        Postgres::open_with(&address, TWO).await.unwrap().close().await;
        assert!(Postgres::open_with(&address, BROKEN).await.is_err());
        assert_eq!(hats(&address).await, (54, None));
        Postgres::open_with(&address, TWO).await.unwrap().close().await;
    }

    #[tokio::test]
    async fn an_address_where_nobody_answers_is_told_at_once() {
        let refused = Postgres::open("postgres://postgres@127.0.0.1:1/nothing").await.err();
        assert!(matches!(refused, Some(StoreError::Unavailable(_))), "{refused:?}");
        let odd = Postgres::open("postgres://127.0.0.1:port/").await.err();
        assert!(matches!(odd, Some(StoreError::Address(_))), "{odd:?}");
    }
}
