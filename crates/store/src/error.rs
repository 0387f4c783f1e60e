//! What can go wrong, and above all: whether something may have been stored all the same.
//!
//! A transaction that ended before its COMMIT was sent has surely not happened. Once it was sent,
//! only a plain refusal by the database is a sure no; a connection that is lost, a failed sync or
//! silence may hide a yes. Every statement is run [`within`] a time, at a known [`Risk`].

use std::path::PathBuf;
use std::time::Duration;

use sqlx::postgres::{PgDatabaseError, PgSeverity};
use sqlx::sqlite::SqliteError;
use thiserror::Error;

/// No statement takes this long unless the machine or the network behind it hangs.
const PATIENCE: Duration = Duration::from_secs(20);

/// Why the store did not do what it was asked to.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Surely nothing was stored; later it may work again.
    #[error("the database is not available, and nothing was stored: {0}")]
    Unavailable(String),
    /// Surely nothing was stored: there is no room left.
    #[error("the disk of the database is full, and nothing was stored: {0}")]
    Full(String),
    /// It may be stored or not. [Claim](crate::Store::claim) the table anew to know: what the claim
    /// tells of the last event is final, as nothing that is still on its way gets past it.
    #[error("the database was lost at a bad moment, and it may or may not have stored this: {0}")]
    Uncertain(String),
    /// Surely nothing was stored, and it never will be: the database cannot hold this.
    #[error("the database refuses what it was given, and stored nothing: {0}")]
    Refused(String),
    /// The database does not hold what this program put there.
    #[error("the database is damaged: {0}")]
    Corrupt(String),
    /// The database was made by a newer program, which this one must not disturb.
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
    /// There is a table with this id.
    #[error("there is a table with this id already")]
    TableExists,
    /// Another account has this name.
    #[error("this name is taken")]
    NameTaken,
    /// The player has an account under another name.
    #[error("this player has an account already")]
    HasAccount,
    /// The text given to open is no address of a database.
    #[error("no address of a database: {0}")]
    Address(String),
    /// A backup never replaces a file.
    #[error("{} exists already", .0.display())]
    Exists(PathBuf),
    /// A backup is restored only into an empty database.
    #[error("the database is not empty")]
    NotEmpty,
    /// A file of a backup cannot be read or written.
    #[error("{}: {why}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The fault, in the words of the system.
        why: String,
    },
    /// The writer was closed and takes nothing more.
    #[error("the writer is closed, and nothing was stored")]
    Closed,
}

/// What it means when a statement fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Risk {
    /// Nothing is committed by it: a question, or a step inside a transaction.
    None,
    /// It commits, by name or because it stands alone.
    Commits,
}

/// Waits for a statement, but not for ever, and says what its failure means.
pub(crate) async fn within<T>(
    risk: Risk,
    statement: impl Future<Output = Result<T, sqlx::Error>>,
) -> Result<T, StoreError> {
    match tokio::time::timeout(PATIENCE, statement).await {
        Ok(answer) => answer.map_err(|error| judge(&error, risk)),
        Err(_) => Err(lost(risk, format!("no answer for {} s", PATIENCE.as_secs()))),
    }
}

/// Waits for a statement as long as it takes: the work of a migration or a backup has no bounds.
pub(crate) async fn unhurried<T>(
    risk: Risk,
    statement: impl Future<Output = Result<T, sqlx::Error>>,
) -> Result<T, StoreError> {
    statement.await.map_err(|error| judge(&error, risk))
}

impl StoreError {
    pub(crate) fn file(path: &std::path::Path, why: impl ToString) -> Self {
        Self::File { path: path.to_owned(), why: why.to_string() }
    }
}

/// The database did not say what became of the statement.
fn lost(risk: Risk, why: String) -> StoreError {
    match risk {
        Risk::None => StoreError::Unavailable(why),
        Risk::Commits => StoreError::Uncertain(why),
    }
}

fn judge(error: &sqlx::Error, risk: Risk) -> StoreError {
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
                lost(risk, error.to_string())
            }
        }
        // These arise before anything is sent.
        Error::PoolTimedOut | Error::PoolClosed | Error::BeginFailed => {
            StoreError::Unavailable(error.to_string())
        }
        Error::Encode(_) | Error::InvalidArgument(_) => StoreError::Refused(error.to_string()),
        // An answer came, and it was not one this program can have caused.
        Error::Decode(_)
        | Error::ColumnDecode { .. }
        | Error::ColumnNotFound(_)
        | Error::ColumnIndexOutOfBounds { .. }
        | Error::RowNotFound
            if risk == Risk::None =>
        {
            StoreError::Corrupt(error.to_string())
        }
        _ => lost(risk, error.to_string()),
    }
}

/// By result codes of SQLite: <https://www.sqlite.org/rescode.html>.
fn sqlite_refusal(code: i32, why: String, risk: Risk) -> StoreError {
    const BUSY: i32 = 5;
    const LOCKED: i32 = 6;
    const CORRUPT: i32 = 11;
    const FULL: i32 = 13;
    const TOO_BIG: i32 = 18;
    const CONSTRAINT: i32 = 19;
    const MISMATCH: i32 = 20;
    const NOT_A_DATABASE: i32 = 26;
    match code & 0xff {
        BUSY | LOCKED => StoreError::Unavailable(why),
        // Comes from writing, never from syncing. The frame that commits is the last one of a
        // transaction, so that it is not whole when any write failed.
        FULL => StoreError::Full(why),
        TOO_BIG | CONSTRAINT | MISMATCH => StoreError::Refused(why),
        CORRUPT | NOT_A_DATABASE if risk == Risk::None => StoreError::Corrupt(why),
        // Among them IOERR: when a sync fails, the frame that commits may be on the disk, and
        // would count after a crash.
        _ => lost(risk, why),
    }
}

/// By SQLSTATE: <https://www.postgresql.org/docs/current/errcodes-appendix.html>.
fn postgres_refusal(severity: PgSeverity, code: &str, why: String, risk: Risk) -> StoreError {
    const DISK_FULL: &str = "53100";
    const NO_PRIVILEGE: &str = "42501";
    const COMPLETION_UNKNOWN: &str = "40003";
    // An ERROR rolls back, also at COMMIT: what fails past the point of no return is a PANIC, and
    // a connection that is ended meanwhile says FATAL.
    if severity != PgSeverity::Error || code == COMPLETION_UNKNOWN {
        return lost(risk, why);
    }
    match (code, code.get(..2).unwrap_or_default()) {
        (DISK_FULL, _) => StoreError::Full(why),
        (NO_PRIVILEGE, _) => StoreError::Unavailable(why),
        (_, "22" | "23") => StoreError::Refused(why),
        // Syntax and names: the tables are not those that this program made.
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
            StoreError::Uncertain(_) => "uncertain",
            StoreError::Refused(_) => "refused",
            StoreError::Corrupt(_) => "corrupt",
            other => panic!("{other}"),
        }
    }

    #[test]
    fn a_failed_commit_of_sqlite_is_a_no_only_when_it_surely_is() {
        const BUSY_SNAPSHOT: i32 = 517;
        const FSYNC: i32 = 1034;
        const SHARED_MEMORY: i32 = 4874;
        for (code, before, committing) in [
            (BUSY_SNAPSHOT, "unavailable", "unavailable"),
            (13, "full", "full"),
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
    fn a_failed_commit_of_postgres_is_a_no_only_when_it_surely_is() {
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
        ] {
            let judged = |risk| name(&postgres_refusal(severity, code, String::new(), risk));
            assert_eq!((judged(Risk::None), judged(Risk::Commits)), (before, committing), "{code}");
        }
    }

    #[test]
    fn a_lost_connection_is_uncertain_only_while_it_commits() {
        let gone = || sqlx::Error::Io(std::io::ErrorKind::ConnectionReset.into());
        assert_eq!(name(&judge(&gone(), Risk::None)), "unavailable");
        assert_eq!(name(&judge(&gone(), Risk::Commits)), "uncertain");
        assert_eq!(name(&judge(&sqlx::Error::WorkerCrashed, Risk::Commits)), "uncertain");
        assert_eq!(name(&judge(&sqlx::Error::PoolTimedOut, Risk::Commits)), "unavailable");
    }

    #[tokio::test(start_paused = true)]
    async fn silence_is_a_failure_too() {
        let never = std::future::pending::<Result<(), sqlx::Error>>;
        assert_eq!(name(&within(Risk::None, never()).await.unwrap_err()), "unavailable");
        assert_eq!(name(&within(Risk::Commits, never()).await.unwrap_err()), "uncertain");
    }
}
