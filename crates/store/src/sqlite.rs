//! SQLite: one file, one connection that writes, a few that read meanwhile.

use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sqlx::query::Query;
use sqlx::sqlite::{
    SqliteArguments, SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{ConnectOptions, Connection, QueryBuilder, SqliteConnection, SqlitePool};

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

const READERS: u32 = 4;
/// How long to wait for another process that writes to the same file.
const BUSY: Duration = Duration::from_secs(5);
/// Pages in the log (16 MiB) before they are moved to the file: longer pauses, but four times fewer
/// than by default.
const CHECKPOINT_PAGES: &str = "4096";
/// What the log is cut to after it once grew beyond that.
const LOG_BYTES: &str = "67108864";
/// Rows of one statement; SQLite knows 32,766 parameters in one.
const ROWS: usize = 4096;
/// Begins by taking the lock to write: what is read then stays true until the commit.
const BEGIN: &str = "BEGIN IMMEDIATE";

const CLAIM_ALL_OPEN: &str = "UPDATE tables SET epoch = epoch + 1 WHERE NOT closed AND NOT ledger
     RETURNING id, epoch, last_sequence, checkpoint";

/// A store in one file. A second process may open it too: what it may append is decided by epochs.
pub struct Sqlite {
    path: PathBuf,
    line: WriteConnection<sqlx::Sqlite>,
    reading: SqlitePool,
}

impl Sqlite {
    /// Opens the file, or makes it, readable by nobody else; brings its tables up to date.
    pub async fn open(path: &Path) -> Result<Self, StoreError> {
        Self::open_with(path, versions::SQLITE).await
    }

    async fn open_with(path: &Path, known: Versions) -> Result<Self, StoreError> {
        match create_new(path) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(StoreError::file(path, error)),
        }
        let options = options(path)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .pragma("wal_autocheckpoint", CHECKPOINT_PAGES)
            .pragma("journal_size_limit", LOG_BYTES);
        let line = WriteConnection::new(options);
        let mut held = first_hold(&line).await?;
        migrate(&mut held, known).await?;
        held.put_back();
        let readers = SqlitePoolOptions::new().max_connections(READERS).acquire_timeout(BUSY);
        let reading = readers.connect_lazy_with(self::options(path).read_only(true));
        Ok(Self { path: path.to_owned(), line, reading })
    }

    /// Runs one statement that stands alone, and tells how many rows it changed.
    async fn change(
        &self,
        statement: Query<'_, sqlx::Sqlite, SqliteArguments>,
    ) -> Result<u64, StoreError> {
        let mut line = self.line.hold().await?;
        let changed = within(Risk::Commits, statement.execute(&mut *line)).await?;
        line.put_back();
        Ok(changed.rows_affected())
    }
}

/// Makes an empty file that only its owner can read; the log beside it will be like it.
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

/// A new file is turned to write-ahead logging once, and SQLite does not wait its turn for that when
/// another process opens the file at the same moment.
async fn first_hold(
    line: &WriteConnection<sqlx::Sqlite>,
) -> Result<crate::write_connection::HeldConnection<'_, sqlx::Sqlite>, StoreError> {
    const PAUSE: Duration = Duration::from_millis(50);
    let mut left = BUSY.as_millis() / PAUSE.as_millis();
    loop {
        match line.hold().await {
            Err(StoreError::Unavailable(_)) if left > 0 => tokio::time::sleep(PAUSE).await,
            outcome => return outcome,
        }
        left -= 1;
    }
}

/// Brings the tables up to date, alone.
pub(crate) async fn migrate(
    connection: &mut SqliteConnection,
    known: Versions,
) -> Result<(), StoreError> {
    let mut transaction = within(Risk::None, connection.begin_with(BEGIN)).await?;
    let remember = "CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL) STRICT";
    within(Risk::None, sqlx::raw_sql(remember).execute(&mut *transaction)).await?;
    let found = version(&mut transaction).await?;
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

/// The version of the tables, None in a new database.
pub(crate) async fn version(connection: &mut SqliteConnection) -> Result<Option<i64>, StoreError> {
    let version = sqlx::query_scalar("SELECT max(version) FROM schema_version");
    within(Risk::None, version.fetch_one(connection)).await
}

impl EventLog for Sqlite {
    async fn append(&self, batch: &[Append]) -> Result<Vec<Appended>, StoreError> {
        let mut line = self.line.hold().await?;
        let mut transaction = within(Risk::None, line.begin_with(BEGIN)).await?;
        let heads = heads(&mut transaction, &tables(batch)).await?;
        let admission = Admission::of(batch, heads)?;
        insert(&mut transaction, &admission).await?;
        within(Risk::Commits, transaction.commit()).await?;
        line.put_back();
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
        heads.extend(within(Risk::None, found).await?);
    }
    Ok(heads)
}

/// Few statements of many rows: each statement costs a journey to the connection's thread.
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
        within(Risk::None, stored).await?;
    }
    for rows in admission.changed().chunks(ROWS) {
        let mut query = QueryBuilder::new("WITH changed (id, last, checkpoint, closed) AS (");
        query.push_values(rows, |mut row, changed| {
            row.push_bind(changed.table).push_bind(changed.last);
            row.push_bind(changed.checkpoint).push_bind(changed.closed);
        });
        query.push(
            ") UPDATE tables SET last_sequence = changed.last, closed = changed.closed,
                 checkpoint = coalesce(changed.checkpoint, tables.checkpoint)
             FROM changed WHERE tables.id = changed.id",
        );
        let stored = query.build().persistent(false).execute(&mut *connection);
        within(Risk::None, stored).await?;
    }
    insert_finished(connection, admission).await
}

/// Rare, and few at a time.
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
        within(Risk::None, stored.execute(&mut *connection)).await?;
        for (seat, sitting) in (0_i64..).zip(&finished.seats) {
            let stored = sqlx::query(
                "INSERT INTO finished_seats (table_id, number, seat, player, name, ended_ms)
                 VALUES ($1, $2, $3, $4, $5, $6)",
            );
            let stored = stored.bind(table).bind(number).bind(seat);
            let stored = stored.bind(sitting.player.map(PlayerId::stored));
            let stored = stored.bind(sitting.name.clone()).bind(ended_ms);
            within(Risk::None, stored.execute(&mut *connection)).await?;
        }
    }
    Ok(())
}

impl Store for Sqlite {
    statements_of_both_databases!();

    async fn backup(
        &self,
        to: &Path,
        mut progress: impl FnMut(Progress) + Send,
    ) -> Result<(), StoreError> {
        let file = BackupFile::reserve(to)?;
        let name = file.partial().to_str().map(str::to_owned);
        let name = name.ok_or_else(|| StoreError::file(to, "the name is no text"))?;
        let options = options(&self.path).read_only(true);
        let mut connection = within(Risk::None, options.connect()).await?;
        let total = sqlx::query_scalar::<_, i64>(
            "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size",
        );
        let total = within(Risk::None, total.fetch_one(&mut connection)).await?;
        let total = from_stored(total)?.max(1);
        let copy = sqlx::query("VACUUM INTO $1").bind(name);
        let copy = unhurried(Risk::None, copy.execute(&mut connection));
        tokio::pin!(copy);
        // VACUUM does not tell how far it is; the growing file does.
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
        let mut line = self.line.hold().await?;
        let mut transaction = within(Risk::None, line.begin_with(BEGIN)).await?;
        backup::fill::<sqlx::Sqlite, sqlx::Sqlite>(&mut source, &mut transaction, progress).await?;
        unhurried(Risk::Commits, transaction.commit()).await?;
        line.put_back();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use test_support::folder::Folder;

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
    async fn an_older_database_is_brought_up_to_date_and_keeps_its_rows() {
        let folder = Folder::fresh();
        let path = &folder.file("ghinda.db");
        for known in [ONE, ONE, TWO, TWO] {
            Sqlite::open_with(path, known).await.unwrap().close().await;
        }
        assert_eq!(hats(path).await, (54, None));
    }

    #[tokio::test]
    async fn a_table_of_the_first_version_stays_a_table() {
        let folder = Folder::fresh();
        let path = &folder.file("ghinda.db");
        let old = Sqlite::open_with(path, &versions::SQLITE[..1]).await.unwrap();
        let table = "INSERT INTO tables (id, epoch, last_sequence, closed, created_ms)
             VALUES (7, 1, 0, FALSE, 0)";
        old.change(sqlx::query(table)).await.unwrap();
        old.close().await;
        let store = Sqlite::open(path).await.unwrap();
        let table = LogId::new(7).unwrap();
        assert_eq!(store.claim(LogKind::Ledger, table).await, Ok(None));
        assert!(store.claim(LogKind::Table, table).await.unwrap().is_some());
        store.close().await;
    }

    #[tokio::test]
    async fn a_newer_database_is_refused_and_left_alone() {
        let folder = Folder::fresh();
        let path = &folder.file("ghinda.db");
        Sqlite::open_with(path, TWO).await.unwrap().close().await;
        let refused = Sqlite::open_with(path, ONE).await.err();
        assert_eq!(refused, Some(StoreError::Newer { found: 2, known: 1 }));
        assert_eq!(hats(path).await, (54, None));
    }

    #[tokio::test]
    async fn a_version_that_fails_half_way_changes_nothing() {
        let folder = Folder::fresh();
        let path = &folder.file("ghinda.db");
        Sqlite::open_with(path, TWO).await.unwrap().close().await;
        assert!(Sqlite::open_with(path, BROKEN).await.is_err());
        assert_eq!(hats(path).await, (54, None));
        Sqlite::open_with(path, TWO).await.unwrap().close().await;
    }

    #[tokio::test]
    async fn commits_are_synced_to_a_write_ahead_log_that_others_cannot_read() {
        let folder = Folder::fresh();
        let path = &folder.file("ghinda.db");
        let store = Sqlite::open(path).await.unwrap();
        let mut line = store.line.hold().await.unwrap();
        let settings = "SELECT journal_mode, synchronous, foreign_keys
             FROM pragma_journal_mode, pragma_synchronous, pragma_foreign_keys";
        let settings: (String, i64, i64) =
            sqlx::query_as(settings).fetch_one(&mut *line).await.unwrap();
        const FULL: i64 = 2;
        assert_eq!(settings, ("wal".to_owned(), FULL, 1));
        #[cfg(unix)]
        for name in ["db", "db-wal"] {
            use std::os::unix::fs::PermissionsExt;
            let file = std::fs::metadata(path.with_extension(name)).unwrap();
            assert_eq!(file.permissions().mode() & 0o777, 0o600, "{name}");
        }
        drop(line);
        store.close().await;
    }

    #[tokio::test]
    async fn what_is_no_database_is_refused() {
        let folder = Folder::fresh();
        let path = &folder.file("ghinda.db");
        std::fs::write(path, "Dear Ana, ".repeat(200)).unwrap();
        let refused = Sqlite::open(path).await.err();
        assert!(matches!(refused, Some(StoreError::Corrupt(_))), "{refused:?}");
        let nowhere = Sqlite::open(&path.join("inside")).await.err();
        assert!(matches!(nowhere, Some(StoreError::File { .. })), "{nowhere:?}");
    }
}
