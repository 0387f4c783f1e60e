//! Errors of the store, which always state whether something may have been stored.
//!
//! A transaction that failed before its COMMIT was sent has certainly not happened. Afterwards, only
//! a plain refusal by the database is certain; a lost connection, a failed sync or a missing answer
//! may hide a success. Every statement runs [`with_timeout`] at a known [`Risk`].

use std::path::PathBuf;
use std::time::Duration;

use sqlx::postgres::{PgDatabaseError, PgSeverity};
use sqlx::sqlite::SqliteError;
use thiserror::Error;

/// No statement takes this long unless the machine or the network hangs.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(20);

/// Why the store failed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Certainly nothing was stored; a later attempt may work.
    #[error("the database is not available, and nothing was stored: {0}")]
    Unavailable(String),
    /// Certainly nothing was stored: the disk is full.
    #[error("the disk of the database is full, and nothing was stored: {0}")]
    Full(String),
    /// Certainly nothing was stored: the database can only be read.
    #[error("the database is read-only, and nothing was stored: {0}")]
    ReadOnly(String),
    /// It may be stored or not. [Acquire](crate::Store::acquire) the table again to find out: the last event
    /// that it has then is final, since no write that is still under way can follow it.
    #[error("the connection to the database was lost, and this may or may not be stored: {0}")]
    Uncertain(String),
    /// Certainly nothing was stored, and it never will be: the database cannot store this.
    #[error("the database refuses this, and nothing was stored: {0}")]
    Refused(String),
    /// The content of the database was not written by this program.
    #[error("the database is damaged: {0}")]
    Corrupt(String),
    /// The database was written by a newer program and must not be changed.
    #[error(
        "the database has version {found} and this program knows versions up to {known}: \
         use a newer program"
    )]
    Newer {
        /// The version of the database.
        found: u32,
        /// The newest version this program knows.
        known: u32,
    },
    /// A backup of an older version.
    #[error(
        "the backup has version {found} and this program restores version {known}: start the \
         server once on a copy of it, which brings the copy up to date"
    )]
    Older {
        /// The version of the backup.
        found: u32,
        /// The version that can be restored.
        known: u32,
    },
    /// A log with this id exists.
    #[error("there is a log with this id already")]
    LogExists,
    /// The player has as many tables or ledgers as they may have.
    #[error("this player has too many tables or ledgers")]
    TooMany,
    /// Another account has this name.
    #[error("this name is taken")]
    NameTaken,
    /// The player has an account under another name.
    #[error("this player has an account already")]
    HasAccount,
    /// The text is not an address of a database.
    #[error("not an address of a database: {0}")]
    Address(String),
    /// PostgreSQL is set up so that a crash undoes what it has confirmed.
    #[error("{setting} is off, so that PostgreSQL may lose what it has confirmed: turn it on")]
    Unsafe {
        /// The name of the setting.
        setting: &'static str,
    },
    /// The file exists and is empty. No database is: it may be the rest of a copy that failed.
    #[error(
        "{} is empty and not a database: delete it to begin a new one, or put a backup there",
        .0.display()
    )]
    Empty(PathBuf),
    /// The file exists; a backup never replaces a file.
    #[error("{} exists already", .0.display())]
    Exists(PathBuf),
    /// The database is not empty; a backup is restored only into an empty one.
    #[error("the database is not empty")]
    NotEmpty,
    /// A file of a backup cannot be read or written.
    #[error("{}: {why}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The error message of the system.
        why: String,
    },
    /// The writer was closed and accepts nothing more.
    #[error("the writer is closed, and nothing was stored")]
    Closed,
}

/// Whether a failed statement may have committed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Risk {
    /// It commits nothing: a query, or a step in a transaction.
    None,
    /// It commits, explicitly or as a single statement.
    Commits,
}

/// Waits for a statement up to a time limit, and classifies its failure.
pub(crate) async fn with_timeout<T>(
    risk: Risk,
    statement: impl Future<Output = Result<T, sqlx::Error>>,
) -> Result<T, StoreError> {
    match tokio::time::timeout(TIMEOUT, statement).await {
        Ok(answer) => answer.map_err(|error| classify(&error, risk)),
        Err(_) => Err(no_answer(risk)),
    }
}

/// The error for a statement that was not answered in time.
pub(crate) fn no_answer(risk: Risk) -> StoreError {
    unknown_outcome(risk, format!("no answer for {} s", TIMEOUT.as_secs()))
}

/// Waits for a statement without a time limit: migrations and backups may take long.
pub(crate) async fn without_timeout<T>(
    risk: Risk,
    statement: impl Future<Output = Result<T, sqlx::Error>>,
) -> Result<T, StoreError> {
    statement.await.map_err(|error| classify(&error, risk))
}

impl StoreError {
    pub(crate) fn file(path: &std::path::Path, why: impl ToString) -> Self {
        Self::File { path: path.to_owned(), why: why.to_string() }
    }
}

/// The error for a statement whose outcome is unknown.
pub(crate) fn unknown_outcome(risk: Risk, why: String) -> StoreError {
    match risk {
        Risk::None => StoreError::Unavailable(why),
        Risk::Commits => StoreError::Uncertain(why),
    }
}

fn classify(error: &sqlx::Error, risk: Risk) -> StoreError {
    use sqlx::Error;
    match error {
        Error::Database(refusal) => {
            if let Some(refusal) = refusal.try_downcast_ref::<PgDatabaseError>() {
                postgres_refusal(refusal.severity(), refusal.code(), error.to_string(), risk)
            } else if let Some(refusal) = refusal.try_downcast_ref::<SqliteError>() {
                let code = sqlx::error::DatabaseError::code(refusal);
                let code = code.and_then(|code| code.parse().ok()).unwrap_or_default();
                sqlite_refusal(code, error.to_string(), risk)
            } else {
                unknown_outcome(risk, error.to_string())
            }
        }
        // These occur before anything is sent.
        Error::PoolTimedOut | Error::PoolClosed | Error::BeginFailed => {
            StoreError::Unavailable(error.to_string())
        }
        Error::Encode(_) | Error::InvalidArgument(_) => StoreError::Refused(error.to_string()),
        // There was an answer, but this program cannot have caused it.
        Error::Decode(_)
        | Error::ColumnDecode { .. }
        | Error::ColumnNotFound(_)
        | Error::ColumnIndexOutOfBounds { .. }
        | Error::RowNotFound
            if risk == Risk::None =>
        {
            StoreError::Corrupt(error.to_string())
        }
        _ => unknown_outcome(risk, error.to_string()),
    }
}

/// By result codes of SQLite: <https://www.sqlite.org/rescode.html>.
fn sqlite_refusal(code: i32, why: String, risk: Risk) -> StoreError {
    const BUSY: i32 = 5;
    const LOCKED: i32 = 6;
    const READ_ONLY: i32 = 8;
    const CORRUPT: i32 = 11;
    const FULL: i32 = 13;
    const TOO_BIG: i32 = 18;
    const CONSTRAINT: i32 = 19;
    const MISMATCH: i32 = 20;
    const NOT_A_DATABASE: i32 = 26;
    match code & 0xff {
        BUSY | LOCKED => StoreError::Unavailable(why),
        // Comes from writing, never from syncing. The commit frame is the last one of a transaction, so
        // it is incomplete if any write failed.
        FULL => StoreError::Full(why),
        // Comes before anything is written.
        READ_ONLY => StoreError::ReadOnly(why),
        TOO_BIG | CONSTRAINT | MISMATCH => StoreError::Refused(why),
        CORRUPT | NOT_A_DATABASE if risk == Risk::None => StoreError::Corrupt(why),
        // Among them IOERR: if a sync fails, the commit frame may be on the disk, and would be valid
        // after a crash.
        _ => unknown_outcome(risk, why),
    }
}

/// By SQLSTATE: <https://www.postgresql.org/docs/current/errcodes-appendix.html>.
fn postgres_refusal(severity: PgSeverity, code: &str, why: String, risk: Risk) -> StoreError {
    const DISK_FULL: &str = "53100";
    const READ_ONLY: &str = "25006";
    const NO_PRIVILEGE: &str = "42501";
    const COMPLETION_UNKNOWN: &str = "40003";
    // An ERROR rolls back, also at COMMIT: a failure after the point of no return is a PANIC, and a
    // connection that is ended meanwhile gets a FATAL.
    if severity != PgSeverity::Error || code == COMPLETION_UNKNOWN {
        return unknown_outcome(risk, why);
    }
    match (code, code.get(..2).unwrap_or_default()) {
        (DISK_FULL, _) => StoreError::Full(why),
        // Also a replica.
        (READ_ONLY, _) => StoreError::ReadOnly(why),
        (NO_PRIVILEGE, _) => StoreError::Unavailable(why),
        (_, "22" | "23") => StoreError::Refused(why),
        // Syntax and names: the tables were not made by this program.
        (_, "42") => StoreError::Corrupt(why),
        ("XX001" | "XX002", _) => StoreError::Corrupt(why),
        _ => StoreError::Unavailable(why),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(error: &StoreError) -> &'static str {
        match error {
            StoreError::Unavailable(_) => "unavailable",
            StoreError::Full(_) => "full",
            StoreError::ReadOnly(_) => "read-only",
            StoreError::Uncertain(_) => "uncertain",
            StoreError::Refused(_) => "refused",
            StoreError::Corrupt(_) => "corrupt",
            other => panic!("{other}"),
        }
    }

    #[test]
    fn a_failed_commit_of_sqlite_is_a_refusal_only_if_that_is_certain() {
        const BUSY_SNAPSHOT: i32 = 517;
        const FSYNC: i32 = 1034;
        const SHARED_MEMORY: i32 = 4874;
        const READ_ONLY_DIRECTORY: i32 = 1544;
        for (code, before, committing) in [
            (BUSY_SNAPSHOT, "unavailable", "unavailable"),
            (13, "full", "full"),
            (8, "read-only", "read-only"),
            (READ_ONLY_DIRECTORY, "read-only", "read-only"),
            (FSYNC, "unavailable", "uncertain"),
            (SHARED_MEMORY, "unavailable", "uncertain"),
            (7, "unavailable", "uncertain"),
            (11, "corrupt", "uncertain"),
            (1555, "refused", "refused"),
        ] {
            let judged = |risk| name(&sqlite_refusal(code, String::new(), risk));
            assert_eq!((judged(Risk::None), judged(Risk::Commits)), (before, committing), "{code}");
        }
    }

    #[test]
    fn a_failed_commit_of_postgres_is_a_refusal_only_if_that_is_certain() {
        use PgSeverity::{Error, Fatal, Panic};
        for (severity, code, before, committing) in [
            (Error, "53100", "full", "full"),
            (Panic, "53100", "unavailable", "uncertain"),
            (Fatal, "57P01", "unavailable", "uncertain"),
            (Error, "40001", "unavailable", "unavailable"),
            (Error, "40003", "unavailable", "uncertain"),
            (Error, "55P03", "unavailable", "unavailable"),
            (Error, "23505", "refused", "refused"),
            (Error, "22021", "refused", "refused"),
            (Error, "42P01", "corrupt", "corrupt"),
            (Error, "25006", "read-only", "read-only"),
        ] {
            let judged = |risk| name(&postgres_refusal(severity, code, String::new(), risk));
            assert_eq!((judged(Risk::None), judged(Risk::Commits)), (before, committing), "{code}");
        }
    }

    #[test]
    fn a_lost_connection_is_uncertain_only_during_a_commit() {
        let gone = || sqlx::Error::Io(std::io::ErrorKind::ConnectionReset.into());
        assert_eq!(name(&classify(&gone(), Risk::None)), "unavailable");
        assert_eq!(name(&classify(&gone(), Risk::Commits)), "uncertain");
        assert_eq!(name(&classify(&sqlx::Error::WorkerCrashed, Risk::Commits)), "uncertain");
        assert_eq!(name(&classify(&sqlx::Error::PoolTimedOut, Risk::Commits)), "unavailable");
    }

    #[tokio::test(start_paused = true)]
    async fn a_missing_answer_is_a_failure() {
        let never = std::future::pending::<Result<(), sqlx::Error>>;
        assert_eq!(name(&with_timeout(Risk::None, never()).await.unwrap_err()), "unavailable");
        assert_eq!(name(&with_timeout(Risk::Commits, never()).await.unwrap_err()), "uncertain");
    }
}
