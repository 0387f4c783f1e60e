//! PostgreSQL: one connection that writes, and several that read.

use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use sqlx::postgres::{PgArguments, PgConnectOptions, PgPoolOptions};
use sqlx::query::Query;
use sqlx::{ConnectOptions, Connection, PgConnection, PgPool};

use crate::accounts::{Account, Cursor, Session};
use crate::admission::{Admission, HeadRow, from_stored, tables, to_stored};
use crate::backup::{self, BackupFile, Progress};
use crate::error::{Risk, StoreError, with_timeout, without_timeout};
use crate::event::{Append, AppendOutcome, ClaimedLog, PastMatch, StoredEvent};
use crate::id::{Epoch, LogId, LogKind, PlayerId, StoredId, TableId, TokenHash};
use crate::statements::{
    self, AccountRow, ClaimRow, EventRow, PastRow, SessionRow, statements_of_both_databases,
};
use crate::store::{EventLog, Store};
use crate::versions::{self, Versions};
use crate::write_connection::WriteConnection;

const READERS: u32 = 8;
/// The time limit of a reader for getting a connection.
const CONNECTING: Duration = Duration::from_secs(5);
/// These settings ensure that a server which vanishes in a transaction does not keep tables locked.
const SETTINGS: [(&str, &str); 5] = [
    ("lock_timeout", "5s"),
    ("idle_in_transaction_session_timeout", "60s"),
    ("tcp_keepalives_idle", "15"),
    ("tcp_keepalives_interval", "5"),
    ("tcp_keepalives_count", "3"),
];
/// The advisory lock taken while the database is opened; "ghinda" as a number.
const OPENING: i64 = 0x67_68_69_6e_64_61;

/// Locks in the order of the ids, as every batch does, before any change.
const CLAIM_ALL_OPEN: &str = "WITH open AS (
         SELECT id FROM tables WHERE NOT closed AND NOT ledger ORDER BY id FOR NO KEY UPDATE
     )
     UPDATE tables SET epoch = epoch + 1 FROM open WHERE tables.id = open.id
     RETURNING tables.id, tables.epoch, tables.last_sequence, tables.checkpoint";

/// A store in a PostgreSQL database, which several servers may share.
pub struct Postgres {
    options: PgConnectOptions,
    write_connection: WriteConnection<sqlx::Postgres>,
    reading: PgPool,
}

impl Postgres {
    /// Connects to an address `postgres://…` and migrates the tables. Stored data is as safe as that
    /// server's `fsync` and `synchronous_commit`, which are on by default.
    pub async fn open(address: &str) -> Result<Self, StoreError> {
        Self::open_with(address, versions::POSTGRES).await
    }

    async fn open_with(address: &str, known: Versions) -> Result<Self, StoreError> {
        let options = PgConnectOptions::from_str(address)
            .map_err(|error| StoreError::Address(error.to_string()))?
            .options(SETTINGS)
            .disable_statement_logging();
        let write_connection = WriteConnection::<sqlx::Postgres>::new(options.clone());
        let mut held = write_connection.hold().await?;
        let encoding = sqlx::query_scalar::<_, String>("SHOW server_encoding");
        let encoding = with_timeout(Risk::None, encoding.fetch_one(&mut *held)).await?;
        if encoding != "UTF8" {
            let why = format!("the encoding of the database is {encoding}; create it in UTF8");
            return Err(StoreError::Address(why));
        }
        migrate(&mut held, known).await?;
        held.put_back();
        let readers = PgPoolOptions::new().max_connections(READERS).acquire_timeout(CONNECTING);
        let reading = readers.connect_lazy_with(options.clone());
        Ok(Self { options, write_connection, reading })
    }

    /// Runs a single statement, and returns the number of rows it changed.
    async fn change(
        &self,
        statement: Query<'_, sqlx::Postgres, PgArguments>,
    ) -> Result<u64, StoreError> {
        let mut connection = self.write_connection.hold().await?;
        let changed = with_timeout(Risk::Commits, statement.execute(&mut *connection)).await?;
        connection.put_back();
        Ok(changed.rows_affected())
    }
}

/// Migrates the tables, with an exclusive lock.
async fn migrate(connection: &mut PgConnection, known: Versions) -> Result<(), StoreError> {
    let mut transaction = with_timeout(Risk::None, connection.begin()).await?;
    // Other servers that open the database wait as long as this takes.
    let no_timeout = sqlx::raw_sql("SET LOCAL lock_timeout = 0").execute(&mut *transaction);
    with_timeout(Risk::None, no_timeout).await?;
    let lock = sqlx::query("SELECT pg_advisory_xact_lock($1)").bind(OPENING);
    without_timeout(Risk::None, lock.execute(&mut *transaction)).await?;
    let create = "CREATE TABLE IF NOT EXISTS schema_version (version bigint NOT NULL)";
    with_timeout(Risk::None, sqlx::raw_sql(create).execute(&mut *transaction)).await?;
    let found = sqlx::query_scalar("SELECT max(version) FROM schema_version");
    let found = with_timeout(Risk::None, found.fetch_one(&mut *transaction)).await?;
    let missing = versions::missing(found, known)?;
    for &statements in missing {
        without_timeout(Risk::None, sqlx::raw_sql(statements).execute(&mut *transaction)).await?;
    }
    if !missing.is_empty() {
        let delete = sqlx::raw_sql("DELETE FROM schema_version").execute(&mut *transaction);
        with_timeout(Risk::None, delete).await?;
        let insert = sqlx::query("INSERT INTO schema_version (version) VALUES ($1)");
        let insert = insert.bind(i64::from(versions::number(known)));
        with_timeout(Risk::None, insert.execute(&mut *transaction)).await?;
    }
    without_timeout(Risk::Commits, transaction.commit()).await
}

impl EventLog for Postgres {
    async fn append(&self, batch: &[Append]) -> Result<Vec<AppendOutcome>, StoreError> {
        let mut connection = self.write_connection.hold().await?;
        let mut transaction = with_timeout(Risk::None, connection.begin()).await?;
        // A claim of one of these tables waits for this commit, and this batch for the commit of a claim.
        // Rows are sorted before they are locked, and a row that was waited for is read again.
        let heads = sqlx::query_as::<_, HeadRow>(
            "SELECT id, epoch, last_sequence, closed FROM tables
             WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE",
        );
        let heads = heads.bind(tables(batch)).fetch_all(&mut *transaction);
        let admission = Admission::decide(batch, with_timeout(Risk::None, heads).await?)?;
        insert(&mut transaction, &admission).await?;
        with_timeout(Risk::Commits, transaction.commit()).await?;
        connection.put_back();
        Ok(admission.outcomes)
    }
}

/// Inserts columns as arrays, so that the statements are the same for any number of rows.
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
        with_timeout(Risk::None, stored.execute(&mut *connection)).await?;
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
        with_timeout(Risk::None, stored.execute(&mut *connection)).await?;
    }
    insert_finished(connection, admission).await
}

/// Inserts finished matches, which are rare and few at a time.
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
        with_timeout(Risk::None, stored.execute(&mut *connection)).await?;
        let stored = sqlx::query(
            "INSERT INTO finished_seats (table_id, number, seat, player, name, ended_ms)
             SELECT $1, $2, place - 1, player, name, $3
             FROM unnest($4::bigint[], $5::text[]) WITH ORDINALITY AS seats (player, name, place)",
        );
        let stored = stored.bind(table).bind(number).bind(ended_ms);
        let stored = stored.bind(column(&finished.seats, |seat| seat.player.map(PlayerId::stored)));
        let stored = stored.bind(column(&finished.seats, |seat| seat.name.as_str()));
        with_timeout(Risk::None, stored.execute(&mut *connection)).await?;
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
        let mut source = with_timeout(Risk::None, self.options.connect()).await?;
        // All reads see the state at the first query.
        let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY";
        let mut source = with_timeout(Risk::None, source.begin_with(begin)).await?;
        let mut target = backup::new_backup(file.partial()).await?;
        let mut transaction = with_timeout(Risk::None, target.begin()).await?;
        backup::fill::<sqlx::Postgres, sqlx::Sqlite>(&mut source, &mut transaction, progress)
            .await?;
        without_timeout(Risk::None, transaction.commit()).await?;
        without_timeout(Risk::None, target.close()).await?;
        file.finish().await
    }

    async fn restore(
        &self,
        from: &Path,
        progress: impl FnMut(Progress) + Send,
    ) -> Result<(), StoreError> {
        let mut source = backup::open_backup(from).await?;
        let mut connection = self.write_connection.hold().await?;
        let mut transaction = with_timeout(Risk::None, connection.begin()).await?;
        backup::fill::<sqlx::Sqlite, sqlx::Postgres>(&mut source, &mut transaction, progress)
            .await?;
        without_timeout(Risk::Commits, transaction.commit()).await?;
        connection.put_back();
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
    async fn an_older_database_is_migrated_and_keeps_its_rows() {
        let address = Server::shared().database();
        for known in [ONE, ONE, TWO, TWO] {
            Postgres::open_with(&address, known).await.unwrap().close().await;
        }
        assert_eq!(hats(&address).await, (54, None));
    }

    #[tokio::test]
    async fn a_newer_database_is_refused_and_not_changed() {
        let address = Server::shared().database();
        Postgres::open_with(&address, TWO).await.unwrap().close().await;
        let refused = Postgres::open_with(&address, ONE).await.err();
        assert_eq!(refused, Some(StoreError::Newer { found: 2, known: 1 }));
        assert_eq!(hats(&address).await, (54, None));
    }

    #[tokio::test]
    async fn a_migration_that_fails_halfway_changes_nothing() {
        let address = Server::shared().database();
        Postgres::open_with(&address, TWO).await.unwrap().close().await;
        assert!(Postgres::open_with(&address, BROKEN).await.is_err());
        assert_eq!(hats(&address).await, (54, None));
        Postgres::open_with(&address, TWO).await.unwrap().close().await;
    }

    #[tokio::test]
    async fn an_unreachable_or_invalid_address_is_an_error() {
        let refused = Postgres::open("postgres://postgres@127.0.0.1:1/nothing").await.err();
        assert!(matches!(refused, Some(StoreError::Unavailable(_))), "{refused:?}");
        let odd = Postgres::open("postgres://127.0.0.1:port/").await.err();
        assert!(matches!(odd, Some(StoreError::Address(_))), "{odd:?}");
    }
}
