//! Backups: copies every row of one database into another, table by table.
//!
//! A backup is always a SQLite file, whichever database it was made from, so that a server can switch
//! databases.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use sqlx::sqlite::{SqliteJournalMode, SqliteSynchronous};
use sqlx::{
    AssertSqlSafe, ConnectOptions, Database, Executor, IntoArguments, QueryBuilder, Row,
    SqliteConnection,
};

use crate::error::{Risk, StoreError, with_timeout, without_timeout};
use crate::{sqlite, versions};

/// The number of rows read and written at once.
const PAGE: usize = 1000;
/// The same for archives, each of which may have megabytes.
const ARCHIVES_PAGE: usize = 16;

/// The progress of a backup or a restoration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// The amount done.
    pub done: u64,
    /// The total amount, in bytes or rows; never 0.
    pub total: u64,
}

/// The type of a column.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ColumnKind {
    Integer,
    Text,
    Bytes,
    Flag,
}

/// The value of a column in one row.
pub(crate) enum CellValue {
    Integer(Option<i64>),
    Text(String),
    Bytes(Vec<u8>),
    Flag(bool),
}

/// A table of the database. The first columns are its key, by which it is read page by page.
struct CopiedTable {
    name: &'static str,
    /// The number of rows read and written at once.
    page: usize,
    key: usize,
    columns: &'static [(&'static str, ColumnKind)],
}

/// All tables except the version; referenced tables come first.
const COPIED_TABLES: [CopiedTable; 9] = {
    use ColumnKind::{Bytes, Flag, Integer, Text};
    [
        CopiedTable {
            name: "tables",
            page: PAGE,
            key: 1,
            columns: &[
                ("id", Integer),
                ("epoch", Integer),
                ("last_sequence", Integer),
                ("checkpoint", Integer),
                ("closed", Flag),
                ("created_ms", Integer),
                ("ledger", Flag),
                ("owner", Integer),
                ("last_ms", Integer),
                ("bytes", Integer),
                ("archived", Integer),
                ("seats_known", Flag),
            ],
        },
        CopiedTable {
            name: "seats",
            page: PAGE,
            key: 2,
            columns: &[("player", Integer), ("table_id", Integer)],
        },
        CopiedTable {
            name: "archives",
            page: ARCHIVES_PAGE,
            key: 1,
            columns: &[("table_id", Integer), ("body", Bytes)],
        },
        CopiedTable {
            name: "trusted_time",
            page: PAGE,
            key: 1,
            columns: &[("id", Integer), ("at_ms", Integer)],
        },
        CopiedTable {
            name: "events",
            page: PAGE,
            key: 2,
            columns: &[
                ("table_id", Integer),
                ("sequence", Integer),
                ("at_ms", Integer),
                ("body", Text),
            ],
        },
        CopiedTable {
            name: "finished",
            page: PAGE,
            key: 2,
            columns: &[
                ("table_id", Integer),
                ("number", Integer),
                ("rules", Text),
                ("ended_ms", Integer),
                ("summary", Text),
            ],
        },
        CopiedTable {
            name: "finished_seats",
            page: PAGE,
            key: 3,
            columns: &[
                ("table_id", Integer),
                ("number", Integer),
                ("seat", Integer),
                ("player", Integer),
                ("name", Text),
                ("ended_ms", Integer),
            ],
        },
        CopiedTable {
            name: "sessions",
            page: PAGE,
            key: 1,
            columns: &[
                ("token", Bytes),
                ("player", Integer),
                ("kind", Text),
                ("label", Text),
                ("created_ms", Integer),
                ("expires_ms", Integer),
            ],
        },
        CopiedTable {
            name: "accounts",
            page: PAGE,
            key: 1,
            columns: &[
                ("folded", Text),
                ("name", Text),
                ("passphrase", Text),
                ("player", Integer),
                ("created_ms", Integer),
            ],
        },
    ]
};

impl CopiedTable {
    fn names(&self, count: usize) -> String {
        let names: Vec<&str> = self.columns[..count].iter().map(|&(name, _)| name).collect();
        names.join(", ")
    }
}

/// A database whose cells can be read and written.
pub(crate) trait CellStore: Database {
    fn take(row: &Self::Row, column: usize, kind: ColumnKind) -> Result<CellValue, sqlx::Error>;
    fn put(query: &mut QueryBuilder<Self>, cell: &CellValue);
    async fn count(
        connection: &mut Self::Connection,
        table: &'static str,
    ) -> Result<u64, StoreError>;
}

macro_rules! cells_of {
    ($database:ty) => {
        impl CellStore for $database {
            fn take(
                row: &Self::Row,
                column: usize,
                kind: ColumnKind,
            ) -> Result<CellValue, sqlx::Error> {
                Ok(match kind {
                    ColumnKind::Integer => CellValue::Integer(row.try_get(column)?),
                    ColumnKind::Text => CellValue::Text(row.try_get(column)?),
                    ColumnKind::Bytes => CellValue::Bytes(row.try_get(column)?),
                    ColumnKind::Flag => CellValue::Flag(row.try_get(column)?),
                })
            }

            fn put(query: &mut QueryBuilder<Self>, cell: &CellValue) {
                match cell {
                    CellValue::Integer(number) => query.push_bind(*number),
                    CellValue::Text(text) => query.push_bind(text.clone()),
                    CellValue::Bytes(bytes) => query.push_bind(bytes.clone()),
                    CellValue::Flag(flag) => query.push_bind(*flag),
                };
            }

            async fn count(
                connection: &mut Self::Connection,
                table: &'static str,
            ) -> Result<u64, StoreError> {
                let count = AssertSqlSafe(format!("SELECT count(*) FROM {table}"));
                let count = sqlx::query_scalar::<_, i64>(count).fetch_one(connection);
                Ok(without_timeout(Risk::None, count).await?.unsigned_abs())
            }
        }
    };
}

cells_of!(sqlx::Sqlite);
cells_of!(sqlx::Postgres);

/// Copies all rows into an empty database, inside the transactions of both connections.
pub(crate) async fn fill<From: CellStore, To: CellStore>(
    source: &mut From::Connection,
    target: &mut To::Connection,
    mut progress: impl FnMut(Progress) + Send,
) -> Result<(), StoreError>
where
    for<'c> &'c mut From::Connection: Executor<'c, Database = From>,
    for<'c> &'c mut To::Connection: Executor<'c, Database = To>,
    From::Arguments: IntoArguments<From>,
    To::Arguments: IntoArguments<To>,
{
    let mut total = 0;
    // A server that was only started leaves its time, and nothing else.
    let mut forget = QueryBuilder::<To>::new("DELETE FROM trusted_time");
    with_timeout(Risk::None, forget.build().execute(&mut *target)).await?;
    for table in &COPIED_TABLES {
        if To::count(&mut *target, table.name).await? > 0 {
            return Err(StoreError::NotEmpty);
        }
        total += From::count(&mut *source, table.name).await?;
    }
    let (mut done, total) = (0, total.max(1));
    for table in &COPIED_TABLES {
        let mut rows = page::<From>(&mut *source, table, None).await?;
        while let Some(last) = rows.last() {
            insert::<To>(&mut *target, table, &rows).await?;
            done += rows.len() as u64;
            progress(Progress { done: done.min(total), total });
            rows = page::<From>(&mut *source, table, Some(last)).await?;
        }
    }
    progress(Progress { done: total, total });
    Ok(())
}

/// The rows after a given one, in the order of their key.
async fn page<DB: CellStore>(
    connection: &mut DB::Connection,
    table: &CopiedTable,
    after: Option<&Vec<CellValue>>,
) -> Result<Vec<Vec<CellValue>>, StoreError>
where
    for<'c> &'c mut DB::Connection: Executor<'c, Database = DB>,
    DB::Arguments: IntoArguments<DB>,
{
    let (columns, key) = (table.names(table.columns.len()), table.names(table.key));
    let mut query = QueryBuilder::new(format!("SELECT {columns} FROM {}", table.name));
    if let Some(after) = after {
        query.push(format!(" WHERE ({key}) > "));
        put_tuple(&mut query, &after[..table.key]);
    }
    query.push(format!(" ORDER BY {key} LIMIT {}", table.page));
    let rows = without_timeout(Risk::None, query.build().fetch_all(connection)).await?;
    let cells = |row: &DB::Row| {
        let kinds = table.columns.iter().enumerate();
        kinds.map(|(column, &(_, kind))| DB::take(row, column, kind)).collect()
    };
    let rows: Result<_, sqlx::Error> = rows.iter().map(cells).collect();
    rows.map_err(|error| StoreError::Corrupt(error.to_string()))
}

async fn insert<DB: CellStore>(
    connection: &mut DB::Connection,
    table: &CopiedTable,
    rows: &[Vec<CellValue>],
) -> Result<(), StoreError>
where
    for<'c> &'c mut DB::Connection: Executor<'c, Database = DB>,
    DB::Arguments: IntoArguments<DB>,
{
    let columns = table.names(table.columns.len());
    let mut query = QueryBuilder::new(format!("INSERT INTO {} ({columns}) VALUES ", table.name));
    for (index, row) in rows.iter().enumerate() {
        if index > 0 {
            query.push(", ");
        }
        put_tuple(&mut query, row);
    }
    without_timeout(Risk::None, query.build().execute(connection)).await?;
    Ok(())
}

fn put_tuple<DB: CellStore>(query: &mut QueryBuilder<DB>, cells: &[CellValue]) {
    for (index, cell) in cells.iter().enumerate() {
        query.push(if index == 0 { "(" } else { ", " });
        DB::put(query, cell);
    }
    query.push(")");
}

/// Creates a SQLite file to be filled; it is synced to the disk only at the end.
pub(crate) async fn new_backup(path: &Path) -> Result<SqliteConnection, StoreError> {
    let options = sqlite::options(path)
        .journal_mode(SqliteJournalMode::Off)
        .synchronous(SqliteSynchronous::Off);
    let mut connection = with_timeout(Risk::None, options.connect()).await?;
    sqlite::migrate(&mut connection, versions::SQLITE).await?;
    Ok(connection)
}

/// Opens a backup to restore from; it must be undamaged and of the current version.
pub(crate) async fn open_backup(path: &Path) -> Result<SqliteConnection, StoreError> {
    // The error of SQLite would not contain the cause.
    fs::File::open(path).map_err(|error| StoreError::file(path, error))?;
    let options = sqlite::options(path).read_only(true);
    let mut connection = with_timeout(Risk::None, options.connect()).await?;
    // If it is the file of a running server, the transaction reads one state of it.
    let begin = sqlx::raw_sql("BEGIN").execute(&mut connection);
    with_timeout(Risk::None, begin).await?;
    let verdict = sqlx::query_scalar::<_, String>("PRAGMA quick_check(1)");
    let verdict = without_timeout(Risk::None, verdict.fetch_one(&mut connection)).await?;
    if verdict != "ok" {
        return Err(StoreError::Corrupt(verdict));
    }
    let found = sqlite::version(&mut connection).await?;
    let missing = versions::missing(found, versions::SQLITE)?;
    if missing.is_empty() {
        return Ok(connection);
    }
    let known = versions::number(versions::SQLITE);
    Err(StoreError::Older { found: known - versions::number(missing), known })
}

/// The file of a backup in progress: it gets its name only when it is complete and on the disk. Until
/// then the name is free, so that a backup that is killed leaves nothing which looks like a database.
pub(crate) struct BackupFile {
    to: PathBuf,
    partial: PathBuf,
}

impl BackupFile {
    /// Creates the file under another name in the same folder, if no file has the name it will get.
    pub(crate) fn create(to: &Path) -> Result<Self, StoreError> {
        const LEFT: &str = "another backup writes this file, or was killed: then delete it";
        if fs::symlink_metadata(to).is_ok() {
            return Err(StoreError::Exists(to.to_owned()));
        }
        let mut partial = to.as_os_str().to_owned();
        partial.push(".partial");
        let partial = PathBuf::from(partial);
        sqlite::create_new(&partial).map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => StoreError::file(&partial, LEFT),
            _ => StoreError::file(&partial, error),
        })?;
        Ok(Self { to: to.to_owned(), partial })
    }

    /// The path to write to.
    pub(crate) fn partial(&self) -> &Path {
        &self.partial
    }

    /// Gives the file its name, after all of it is on the disk.
    pub(crate) async fn finish(self) -> Result<(), StoreError> {
        let (partial, to) = (self.partial.clone(), self.to.clone());
        let finished = tokio::task::spawn_blocking(move || -> std::io::Result<()> {
            fs::File::open(&partial)?.sync_all()?;
            name_without_replacing(&partial, &to)?;
            let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty());
            fs::File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
        });
        let finished = finished.await.map_err(|error| StoreError::file(&self.to, error))?;
        finished.map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => StoreError::Exists(self.to.clone()),
            _ => StoreError::file(&self.to, error),
        })
    }
}

/// Moves a file, unless another one has the new name. A link fails in that case, unlike a renaming.
fn name_without_replacing(from: &Path, to: &Path) -> std::io::Result<()> {
    match fs::hard_link(from, to) {
        Ok(()) => fs::remove_file(from),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(error),
        // Some file systems have no links. There a file could still appear in between.
        Err(_) if fs::symlink_metadata(to).is_err() => fs::rename(from, to),
        Err(_) => Err(ErrorKind::AlreadyExists.into()),
    }
}

impl Drop for BackupFile {
    fn drop(&mut self) {
        // After a success there is no such file; one that cannot be removed is left.
        let _ = fs::remove_file(&self.partial);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[tokio::test]
    async fn every_column_of_every_table_is_copied() {
        let options = sqlx::sqlite::SqliteConnectOptions::new().in_memory(true);
        let mut connection = options.connect().await.unwrap();
        sqlite::migrate(&mut connection, versions::SQLITE).await.unwrap();
        let existing = sqlx::query_as::<_, (String, String)>(
            "SELECT tables.name, columns.name
             FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
             WHERE tables.type = 'table' AND tables.name <> 'schema_version'",
        );
        let existing: BTreeSet<_> =
            existing.fetch_all(&mut connection).await.unwrap().into_iter().collect();
        let copied = COPIED_TABLES.iter().flat_map(|table| {
            table.columns.iter().map(|&(column, _)| (table.name.to_owned(), column.to_owned()))
        });
        assert_eq!(copied.collect::<BTreeSet<_>>(), existing);
    }
}
