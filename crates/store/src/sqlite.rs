//! SQLite: one file, one connection that writes, and a few that read.

use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sqlx::query::Query;
use sqlx::sqlite::{
    SqliteArguments, SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, QueryBuilder, SqliteConnection, SqlitePool};

use crate::accounts::{Account, Cursor, Session};
use crate::admission::{Admission, HeadRow, from_stored, logs, to_stored};
use crate::archive;
use crate::backup::{self, BackupFile, Progress};
use crate::error::{Risk, StoreError, with_timeout, without_timeout};
use crate::event::{
    AcquiredLog, Append, AppendOutcome, DatabaseUsage, ListedLog, LogInfo, LogOpener, PastMatch,
    PlayerTraces, Retention, StoredEvent,
};
use crate::id::{Epoch, LogId, LogKind, PlayerId, StoredId, TableId, TokenHash};
use crate::portions::{PORTION, Portions, steps_of_both_databases};
use crate::statements::{
    self, AccountRow, AcquiredRow, EventRow, InfoRow, ListedRow, PastRow, SessionRow,
    replace_seats_on, statements_of_both_databases,
};
use crate::store::{AppendStore, Store};
use crate::versions::{self, Versions};
use crate::write_connection::WriteConnection;

const READERS: u32 = 4;
/// How long to wait for another process that writes to the same file.
const BUSY: Duration = Duration::from_secs(5);
/// The pause between two attempts while another process is not ready.
const PAUSE: Duration = Duration::from_millis(50);
/// How long a file that another process has created may stay empty.
const FILLING: Duration = Duration::from_secs(1);
/// The number of pages in the log (16 MiB) before a checkpoint: longer pauses, but four times fewer
/// than by default.
const CHECKPOINT_PAGES: &str = "4096";
/// The size to which the log is truncated after it grew larger.
const LOG_BYTES: &str = "67108864";
/// The maximum number of rows in one statement; SQLite allows 32,766 parameters.
const ROWS: usize = 4096;
/// Takes the write lock at once: what is read stays true until the commit.
const BEGIN: &str = "BEGIN IMMEDIATE";
/// A transaction that writes has locked the whole file.
const LOCK_ROWS: &str = "";
/// The bytes that the database takes.
const SIZE: &str = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size";

/// A store in one file. A second process may open it too: epochs decide which of them may append.
pub struct Sqlite {
    path: PathBuf,
    write_connection: WriteConnection<sqlx::Sqlite>,
    reading: SqlitePool,
}

impl Sqlite {
    /// Opens the file, or creates it readable only by its owner; migrates its tables.
    pub async fn open(path: &Path) -> Result<Self, StoreError> {
        Self::open_with(path, versions::SQLITE).await
    }

    async fn open_with(path: &Path, known: Versions) -> Result<Self, StoreError> {
        match create_new(path) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::AlreadyExists => check_existing(path).await?,
            Err(error) => return Err(not_writable(path, &error)),
        }
        let options = options(path)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .pragma("wal_autocheckpoint", CHECKPOINT_PAGES)
            .pragma("journal_size_limit", LOG_BYTES)
            // What is deleted or replaced is overwritten in the file: erased players stay erased.
            .pragma("secure_delete", "ON");
        let write_connection = WriteConnection::new(options);
        let mut held = match first_hold(&write_connection).await {
            Err(StoreError::Unavailable(why)) => return Err(unavailable(path, why)),
            held => held?,
        };
        migrate(&mut held, known).await?;
        held.put_back();
        let readers = SqlitePoolOptions::new().max_connections(READERS).acquire_timeout(BUSY);
        let reading = readers.connect_lazy_with(self::options(path).read_only(true));
        Ok(Self { path: path.to_owned(), write_connection, reading })
    }

    /// Runs a single statement, and returns the number of rows it changed.
    async fn change(
        &self,
        statement: Query<'_, sqlx::Sqlite, SqliteArguments>,
    ) -> Result<u64, StoreError> {
        let mut connection = self.write_connection.hold().await?;
        let changed = with_timeout(Risk::Commits, statement.execute(&mut *connection)).await?;
        connection.put_back();
        Ok(changed.rows_affected())
    }

    steps_of_both_databases!();
}

/// Checks a file that is to be opened: it can be written, and is not empty.
async fn check_existing(path: &Path) -> Result<(), StoreError> {
    let file = OpenOptions::new().write(true).open(path);
    let file = file.map_err(|error| not_writable(path, &error))?;
    // Another process may have created it just now, and fills it at once.
    for _ in 0..FILLING.as_millis() / PAUSE.as_millis() {
        if file.metadata().map_err(|error| StoreError::file(path, error))?.len() > 0 {
            return Ok(());
        }
        tokio::time::sleep(PAUSE).await;
    }
    Err(StoreError::Empty(path.to_owned()))
}

/// The error for a file that cannot be written or created.
fn not_writable(path: &Path, error: &std::io::Error) -> StoreError {
    match error.kind() {
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            StoreError::ReadOnly(format!("{}: {error}", path.display()))
        }
        _ => StoreError::file(path, error),
    }
}

/// The error for a file that SQLite cannot open. SQLite does not report that it may not create its log, so
/// this tries to create a file beside it.
fn unavailable(path: &Path, why: String) -> StoreError {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".probe");
    let beside = PathBuf::from(beside);
    match create_new(&beside) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => not_writable(&beside, &error),
        created => {
            if created.is_ok() {
                // It is empty and ours; if it stays, it disturbs nobody.
                let _ = std::fs::remove_file(&beside);
            }
            StoreError::Unavailable(why)
        }
    }
}

/// Creates an empty file that only its owner can read; SQLite's log gets the same permissions.
pub(crate) fn create_new(path: &Path) -> std::io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
}

pub(crate) fn options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .foreign_keys(true)
        .busy_timeout(BUSY)
        .disable_statement_logging()
}

/// Takes the connection for the first time. A new file is switched to write-ahead logging once, and
/// SQLite does not wait if another process does that at the same time.
async fn first_hold(
    write_connection: &WriteConnection<sqlx::Sqlite>,
) -> Result<crate::write_connection::HeldConnection<'_, sqlx::Sqlite>, StoreError> {
    let mut left = BUSY.as_millis() / PAUSE.as_millis();
    loop {
        match write_connection.hold().await {
            Err(StoreError::Unavailable(_)) if left > 0 => tokio::time::sleep(PAUSE).await,
            outcome => return outcome,
        }
        left -= 1;
    }
}

/// Migrates the tables, with an exclusive lock.
pub(crate) async fn migrate(
    connection: &mut SqliteConnection,
    known: Versions,
) -> Result<(), StoreError> {
    let mut transaction = with_timeout(Risk::None, connection.begin_with(BEGIN)).await?;
    let create = "CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL) STRICT";
    with_timeout(Risk::None, sqlx::raw_sql(create).execute(&mut *transaction)).await?;
    let found = version(&mut transaction).await?;
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

/// The version of the tables; `None` in a new database.
pub(crate) async fn version(connection: &mut SqliteConnection) -> Result<Option<i64>, StoreError> {
    let version = sqlx::query_scalar("SELECT max(version) FROM schema_version");
    with_timeout(Risk::None, version.fetch_one(connection)).await
}

impl AppendStore for Sqlite {
    async fn append(&self, batch: &[Append]) -> Result<Vec<AppendOutcome>, StoreError> {
        let mut connection = self.write_connection.hold().await?;
        let mut transaction = with_timeout(Risk::None, connection.begin_with(BEGIN)).await?;
        let heads = heads(&mut transaction, &logs(batch)).await?;
        let admission = Admission::decide(batch, heads)?;
        insert(&mut transaction, &admission).await?;
        with_timeout(Risk::Commits, transaction.commit()).await?;
        connection.put_back();
        Ok(admission.outcomes)
    }
}

async fn heads(
    connection: &mut SqliteConnection,
    tables: &[i64],
) -> Result<Vec<HeadRow>, StoreError> {
    let mut heads = Vec::new();
    for tables in tables.chunks(ROWS) {
        let mut query =
            QueryBuilder::new("SELECT id, epoch, last_sequence, closed FROM tables WHERE id IN (");
        let mut list = query.separated(", ");
        for &table in tables {
            list.push_bind(table);
        }
        list.push_unseparated(")");
        let found = query.build_query_as::<HeadRow>().persistent(false).fetch_all(&mut *connection);
        heads.extend(with_timeout(Risk::None, found).await?);
    }
    Ok(heads)
}

/// Inserts with few statements of many rows: each statement is a round trip to the connection's thread.
async fn insert(
    connection: &mut SqliteConnection,
    admission: &Admission<'_>,
) -> Result<(), StoreError> {
    for rows in admission.events().chunks(ROWS) {
        let mut query = QueryBuilder::new("INSERT INTO events (table_id, sequence, at_ms, body) ");
        query.push_values(rows, |mut row, &(table, sequence, event)| {
            row.push_bind(table).push_bind(sequence).push_bind(event.at_ms);
            row.push_bind(event.body.clone());
        });
        let stored = query.build().persistent(false).execute(&mut *connection);
        with_timeout(Risk::None, stored).await?;
    }
    for rows in admission.changed().chunks(ROWS) {
        let columns = "id, last, checkpoint, closed, last_ms, bytes";
        let mut query = QueryBuilder::new(format!("WITH changed ({columns}) AS ("));
        query.push_values(rows, |mut row, changed| {
            row.push_bind(changed.log).push_bind(changed.last);
            row.push_bind(changed.checkpoint).push_bind(changed.closed);
            row.push_bind(changed.last_ms).push_bind(changed.bytes);
        });
        query.push(
            ") UPDATE tables SET last_sequence = changed.last, closed = changed.closed,
                 checkpoint = coalesce(changed.checkpoint, tables.checkpoint),
                 last_ms = coalesce(changed.last_ms, tables.last_ms),
                 bytes = tables.bytes + changed.bytes
             FROM changed WHERE tables.id = changed.id",
        );
        let stored = query.build().persistent(false).execute(&mut *connection);
        with_timeout(Risk::None, stored).await?;
    }
    for (table, players) in admission.seats() {
        replace_seats(connection, table, players).await?;
    }
    insert_finished(connection, admission).await
}

replace_seats_on!(SqliteConnection);

/// Inserts finished matches, which are rare and few at a time.
async fn insert_finished(
    connection: &mut SqliteConnection,
    admission: &Admission<'_>,
) -> Result<(), StoreError> {
    for (table, finished) in admission.finished() {
        let (number, ended_ms) = (i64::from(finished.number), finished.ended_ms);
        let stored = sqlx::query(
            "INSERT INTO finished (table_id, number, rules, ended_ms, summary)
             VALUES ($1, $2, $3, $4, $5)",
        );
        let stored = stored.bind(table).bind(number).bind(finished.rules.clone());
        let stored = stored.bind(ended_ms).bind(finished.summary.clone());
        with_timeout(Risk::None, stored.execute(&mut *connection)).await?;
        for (seat, sitting) in (0_i64..).zip(&finished.seats) {
            let stored = sqlx::query(
                "INSERT INTO finished_seats (table_id, number, seat, player, name, ended_ms)
                 VALUES ($1, $2, $3, $4, $5, $6)",
            );
            let stored = stored.bind(table).bind(number).bind(seat);
            let stored = stored.bind(sitting.player.map(PlayerId::stored));
            let stored = stored.bind(sitting.name.clone()).bind(ended_ms);
            with_timeout(Risk::None, stored.execute(&mut *connection)).await?;
        }
    }
    Ok(())
}

impl Store for Sqlite {
    statements_of_both_databases!();

    /// Moves everything from the log into the file, so that the file alone is the database.
    async fn close(&self) {
        // Only without readers can the log be emptied, and only the last connection deletes it.
        self.reading.close().await;
        if let Ok(mut connection) = self.write_connection.hold().await {
            let checkpoint = sqlx::raw_sql("PRAGMA wal_checkpoint(TRUNCATE)");
            // If another process uses the file, its last connection does this.
            let done = with_timeout(Risk::None, checkpoint.execute(&mut *connection)).await;
            if done.is_ok() {
                connection.put_back();
            }
        }
        self.write_connection.close().await;
    }

    async fn backup(
        &self,
        to: &Path,
        mut progress: impl FnMut(Progress) + Send,
    ) -> Result<(), StoreError> {
        let file = BackupFile::create(to)?;
        let name = file.partial().to_str().map(str::to_owned);
        let name = name.ok_or_else(|| StoreError::file(to, "the name is not UTF-8"))?;
        let options = options(&self.path).read_only(true);
        let mut connection = with_timeout(Risk::None, options.connect()).await?;
        let total = sqlx::query_scalar::<_, i64>(SIZE);
        let total = with_timeout(Risk::None, total.fetch_one(&mut connection)).await?;
        let total = from_stored(total)?.max(1);
        {
            let copy = sqlx::query("VACUUM INTO $1").bind(name);
            let copy = without_timeout(Risk::None, copy.execute(&mut connection));
            tokio::pin!(copy);
            // VACUUM does not report its progress; the size of the file shows it.
            loop {
                tokio::select! {
                    copied = &mut copy => {
                        copied?;
                        break;
                    }
                    () = tokio::time::sleep(Duration::from_millis(100)) => {
                        let done = std::fs::metadata(file.partial()).map_or(0, |file| file.len());
                        progress(Progress { done: done.min(total), total });
                    }
                }
            }
        }
        // While it is open, nobody can delete the log of the database.
        with_timeout(Risk::None, connection.close()).await?;
        file.finish().await?;
        progress(Progress { done: total, total });
        Ok(())
    }

    async fn restore(
        &self,
        from: &Path,
        progress: impl FnMut(Progress) + Send,
    ) -> Result<(), StoreError> {
        let mut source = backup::open_backup(from).await?;
        let mut connection = self.write_connection.hold().await?;
        let mut transaction = with_timeout(Risk::None, connection.begin_with(BEGIN)).await?;
        backup::fill::<sqlx::Sqlite, sqlx::Sqlite>(&mut source, &mut transaction, progress).await?;
        without_timeout(Risk::Commits, transaction.commit()).await?;
        connection.put_back();
        // All of it is read and stored; an error while closing changes nothing.
        let _ = with_timeout(Risk::None, source.close()).await;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::versions::version_2::{ROWS_OF_VERSION_2, check_version_3};
    use test_support::folder::TempFolder;

    const ONE: Versions =
        &["CREATE TABLE hats (size INTEGER) STRICT; INSERT INTO hats VALUES (54);"];
    const TWO: Versions = &[ONE[0], "ALTER TABLE hats ADD COLUMN colour TEXT;"];
    const BROKEN: Versions = &[ONE[0], TWO[1], "DROP TABLE hats; DROP TABLE shoes;"];

    async fn hats(path: &Path) -> (i64, Option<String>) {
        let mut connection = options(path).connect().await.unwrap();
        let hats = sqlx::query_as("SELECT size, colour FROM hats");
        hats.fetch_one(&mut connection).await.unwrap()
    }

    #[tokio::test]
    async fn an_older_database_is_migrated_and_keeps_its_rows() {
        let folder = TempFolder::create();
        let path = &folder.file("ghinda.db");
        for known in [ONE, ONE, TWO, TWO] {
            Sqlite::open_with(path, known).await.unwrap().close().await;
        }
        assert_eq!(hats(path).await, (54, None));
    }

    #[tokio::test]
    async fn a_table_of_the_first_version_stays_a_table() {
        let folder = TempFolder::create();
        let path = &folder.file("ghinda.db");
        let old = Sqlite::open_with(path, &versions::SQLITE[..1]).await.unwrap();
        let table = "INSERT INTO tables (id, epoch, last_sequence, closed, created_ms)
             VALUES (7, 1, 0, FALSE, 0)";
        old.change(sqlx::query(table)).await.unwrap();
        old.close().await;
        let store = Sqlite::open(path).await.unwrap();
        let table = LogId::new(7).unwrap();
        assert_eq!(store.acquire(LogKind::Ledger, table).await, Ok(None));
        assert!(store.acquire(LogKind::Table, table).await.unwrap().is_some());
        store.close().await;
    }

    #[tokio::test]
    async fn what_the_third_version_knows_of_a_log_is_found_in_the_second() {
        let folder = TempFolder::create();
        let path = &folder.file("ghinda.db");
        let old = Sqlite::open_with(path, &versions::SQLITE[..2]).await.unwrap();
        let mut connection = old.write_connection.hold().await.unwrap();
        sqlx::raw_sql(ROWS_OF_VERSION_2).execute(&mut *connection).await.unwrap();
        connection.put_back();
        old.close().await;
        let store = Sqlite::open(path).await.unwrap();
        check_version_3(&store).await;
        store.close().await;
    }

    #[tokio::test]
    async fn a_newer_database_is_refused_and_not_changed() {
        let folder = TempFolder::create();
        let path = &folder.file("ghinda.db");
        Sqlite::open_with(path, TWO).await.unwrap().close().await;
        let refused = Sqlite::open_with(path, ONE).await.err();
        assert_eq!(refused, Some(StoreError::Newer { found: 2, known: 1 }));
        assert_eq!(hats(path).await, (54, None));
    }

    #[tokio::test]
    async fn a_migration_that_fails_halfway_changes_nothing() {
        let folder = TempFolder::create();
        let path = &folder.file("ghinda.db");
        Sqlite::open_with(path, TWO).await.unwrap().close().await;
        assert!(Sqlite::open_with(path, BROKEN).await.is_err());
        assert_eq!(hats(path).await, (54, None));
        Sqlite::open_with(path, TWO).await.unwrap().close().await;
    }

    #[tokio::test]
    async fn commits_are_synced_to_a_write_ahead_log_that_others_cannot_read() {
        let folder = TempFolder::create();
        let path = &folder.file("ghinda.db");
        let store = Sqlite::open(path).await.unwrap();
        let mut connection = store.write_connection.hold().await.unwrap();
        let settings = "SELECT journal_mode, synchronous, foreign_keys
             FROM pragma_journal_mode, pragma_synchronous, pragma_foreign_keys";
        let settings: (String, i64, i64) =
            sqlx::query_as(settings).fetch_one(&mut *connection).await.unwrap();
        const FULL: i64 = 2;
        assert_eq!(settings, ("wal".to_owned(), FULL, 1));
        #[cfg(unix)]
        for name in ["db", "db-wal"] {
            use std::os::unix::fs::PermissionsExt;
            let file = std::fs::metadata(path.with_extension(name)).unwrap();
            assert_eq!(file.permissions().mode() & 0o777, 0o600, "{name}");
        }
        drop(connection);
        store.close().await;
    }

    #[tokio::test]
    async fn a_file_that_is_not_a_database_is_refused() {
        let folder = TempFolder::create();
        let path = &folder.file("ghinda.db");
        std::fs::write(path, "Dear Ana, ".repeat(200)).unwrap();
        let refused = Sqlite::open(path).await.err();
        assert!(matches!(refused, Some(StoreError::Corrupt(_))), "{refused:?}");
        let nowhere = Sqlite::open(&path.join("inside")).await.err();
        assert!(matches!(nowhere, Some(StoreError::File { .. })), "{nowhere:?}");
    }
}
