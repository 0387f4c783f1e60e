//! Opens the database of an address.

use std::path::Path;

use crate::accounts::{Account, Cursor, Session};
use crate::backup::Progress;
use crate::error::StoreError;
use crate::event::{
    AcquiredLog, Append, AppendOutcome, DatabaseUsage, ListedLog, LogInfo, LogOpener, PastMatch,
    PlayerTraces, Retention, StoredEvent,
};
use crate::id::{Epoch, LogId, LogKind, PlayerId, TableId, TokenHash};
#[cfg(feature = "memory")]
use crate::memory::MemoryDatabase;
use crate::postgres::Postgres;
use crate::sqlite::Sqlite;
use crate::store::{AppendStore, Store};

/// One of the two databases; the address chooses it when the server starts.
#[allow(clippy::large_enum_variant, reason = "a program has one")]
pub enum Database {
    /// A file.
    Sqlite(Sqlite),
    /// A server.
    Postgres(Postgres),
    /// The memory of a test.
    #[cfg(feature = "memory")]
    Memory(MemoryDatabase),
}

/// The parsed address of a database.
#[derive(Debug, PartialEq, Eq)]
enum DatabaseAddress<'a> {
    File(&'a Path),
    Server(&'a str),
}

impl Database {
    /// Opens the database of an address: `sqlite:PATH`, a path, or `postgres://…`; creates a SQLite
    /// file if there is none, and migrates the tables of either.
    pub async fn open(address: &str) -> Result<Self, StoreError> {
        match parse_address(address)? {
            DatabaseAddress::File(path) => Sqlite::open(path).await.map(Self::Sqlite),
            DatabaseAddress::Server(address) => Postgres::open(address).await.map(Self::Postgres),
        }
    }

    /// The file of an address, or None if it is that of a server.
    pub fn file_of(address: &str) -> Result<Option<&Path>, StoreError> {
        Ok(match parse_address(address)? {
            DatabaseAddress::File(path) => Some(path),
            DatabaseAddress::Server(_) => None,
        })
    }
}

fn parse_address(address: &str) -> Result<DatabaseAddress<'_>, StoreError> {
    let file = match address.split_once(':') {
        Some(("postgres" | "postgresql", rest)) if rest.starts_with("//") => {
            return Ok(DatabaseAddress::Server(address));
        }
        Some(("sqlite", rest)) => rest.strip_prefix("//").unwrap_or(rest),
        // The part before the colon is not repeated: it may be a part of a password.
        Some((_, rest)) if rest.starts_with("//") => {
            let why = "it must start with sqlite: or postgres://, or be a path";
            return Err(StoreError::Address(why.to_owned()));
        }
        _ => address,
    };
    match file {
        "" => Err(StoreError::Address("it is empty".to_owned())),
        ":memory:" => Err(StoreError::Address("a database in memory is not kept".to_owned())),
        path => Ok(DatabaseAddress::File(Path::new(path))),
    }
}

macro_rules! either {
    ($database:expr, $store:ident => $call:expr) => {
        match $database {
            Database::Sqlite($store) => $call,
            Database::Postgres($store) => $call,
            #[cfg(feature = "memory")]
            Database::Memory($store) => $call,
        }
    };
}

impl AppendStore for Database {
    async fn append(&self, batch: &[Append]) -> Result<Vec<AppendOutcome>, StoreError> {
        either!(self, store => store.append(batch).await)
    }
}

impl Store for Database {
    async fn ping(&self) -> Result<(), StoreError> {
        either!(self, store => store.ping().await)
    }

    async fn close(&self) {
        either!(self, store => store.close().await)
    }

    async fn create(
        &self,
        kind: LogKind,
        log: LogId,
        opener: Option<LogOpener>,
        at_ms: i64,
    ) -> Result<Epoch, StoreError> {
        either!(self, store => store.create(kind, log, opener, at_ms).await)
    }

    async fn find_log(&self, log: LogId) -> Result<Option<LogInfo>, StoreError> {
        either!(self, store => store.find_log(log).await)
    }

    async fn acquire_all(
        &self,
        kind: LogKind,
        logs: &[LogId],
    ) -> Result<Vec<AcquiredLog>, StoreError> {
        either!(self, store => store.acquire_all(kind, logs).await)
    }

    async fn seated_tables(
        &self,
        player: PlayerId,
        limit: u32,
    ) -> Result<Vec<TableId>, StoreError> {
        either!(self, store => store.seated_tables(player, limit).await)
    }

    async fn tables_without_seats(&self, limit: u32) -> Result<Vec<TableId>, StoreError> {
        either!(self, store => store.tables_without_seats(limit).await)
    }

    async fn fill_seats(&self, table: TableId, players: &[PlayerId]) -> Result<(), StoreError> {
        either!(self, store => store.fill_seats(table, players).await)
    }

    async fn trusted_time(&self) -> Result<Option<i64>, StoreError> {
        either!(self, store => store.trusted_time().await)
    }

    async fn newest_ms(&self) -> Result<Option<i64>, StoreError> {
        either!(self, store => store.newest_ms().await)
    }

    async fn advance_trusted_time(&self, at_ms: i64) -> Result<(), StoreError> {
        either!(self, store => store.advance_trusted_time(at_ms).await)
    }

    async fn quiet_tables(
        &self,
        before_ms: i64,
        after: Option<TableId>,
        limit: u32,
    ) -> Result<Vec<TableId>, StoreError> {
        either!(self, store => store.quiet_tables(before_ms, after, limit).await)
    }

    async fn events(
        &self,
        log: LogId,
        from: u64,
        limit: u32,
    ) -> Result<Vec<StoredEvent>, StoreError> {
        either!(self, store => store.events(log, from, limit).await)
    }

    async fn quiet_logs(
        &self,
        retention: Retention,
        before_ms: i64,
        after: Option<LogId>,
        limit: u32,
    ) -> Result<Vec<LogId>, StoreError> {
        either!(self, store => store.quiet_logs(retention, before_ms, after, limit).await)
    }

    async fn archive(&self, log: LogId) -> Result<bool, StoreError> {
        either!(self, store => store.archive(log).await)
    }

    async fn remove(
        &self,
        log: LogId,
        only_if: Option<(Retention, i64)>,
    ) -> Result<bool, StoreError> {
        either!(self, store => store.remove(log, only_if).await)
    }

    async fn logs(&self, after: Option<LogId>, limit: u32) -> Result<Vec<ListedLog>, StoreError> {
        either!(self, store => store.logs(after, limit).await)
    }

    async fn usage(&self) -> Result<DatabaseUsage, StoreError> {
        either!(self, store => store.usage().await)
    }

    async fn rewrite(&self, info: &LogInfo, changed: Vec<StoredEvent>) -> Result<bool, StoreError> {
        either!(self, store => store.rewrite(info, changed).await)
    }

    async fn player_traces(&self, player: PlayerId) -> Result<PlayerTraces, StoreError> {
        either!(self, store => store.player_traces(player).await)
    }

    async fn erase_player(&self, player: PlayerId, name: &str) -> Result<(), StoreError> {
        either!(self, store => store.erase_player(player, name).await)
    }

    async fn finished_match(
        &self,
        table: TableId,
        number: u32,
    ) -> Result<Option<PastMatch>, StoreError> {
        either!(self, store => store.finished_match(table, number).await)
    }

    async fn history(
        &self,
        player: PlayerId,
        after: Option<Cursor>,
        limit: u32,
    ) -> Result<Vec<PastMatch>, StoreError> {
        either!(self, store => store.history(player, after, limit).await)
    }

    async fn create_session(&self, token: TokenHash, session: &Session) -> Result<(), StoreError> {
        either!(self, store => store.create_session(token, session).await)
    }

    async fn find_session(
        &self,
        token: TokenHash,
        now_ms: i64,
    ) -> Result<Option<Session>, StoreError> {
        either!(self, store => store.find_session(token, now_ms).await)
    }

    async fn revoke_session(&self, token: TokenHash) -> Result<bool, StoreError> {
        either!(self, store => store.revoke_session(token).await)
    }

    async fn revoke_sessions_of(&self, player: PlayerId) -> Result<u64, StoreError> {
        either!(self, store => store.revoke_sessions_of(player).await)
    }

    async fn prune_sessions(&self, now_ms: i64) -> Result<u64, StoreError> {
        either!(self, store => store.prune_sessions(now_ms).await)
    }

    async fn create_account(&self, account: &Account) -> Result<(), StoreError> {
        either!(self, store => store.create_account(account).await)
    }

    async fn find_account(&self, folded: &str) -> Result<Option<Account>, StoreError> {
        either!(self, store => store.find_account(folded).await)
    }

    async fn account_of(&self, player: PlayerId) -> Result<Option<Account>, StoreError> {
        either!(self, store => store.account_of(player).await)
    }

    async fn change_passphrase(&self, folded: &str, passphrase: &str) -> Result<bool, StoreError> {
        either!(self, store => store.change_passphrase(folded, passphrase).await)
    }

    async fn backup(
        &self,
        to: &Path,
        progress: impl FnMut(Progress) + Send,
    ) -> Result<(), StoreError> {
        either!(self, store => store.backup(to, progress).await)
    }

    async fn restore(
        &self,
        from: &Path,
        progress: impl FnMut(Progress) + Send,
    ) -> Result<(), StoreError> {
        either!(self, store => store.restore(from, progress).await)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_name_files_and_servers() {
        for (address, path) in [
            ("sqlite:ghinda.db", "ghinda.db"),
            ("sqlite://ghinda.db", "ghinda.db"),
            ("sqlite:///var/ghinda.db", "/var/ghinda.db"),
            ("/var/ghinda.db", "/var/ghinda.db"),
            ("data/a:b.db", "data/a:b.db"),
        ] {
            assert_eq!(
                parse_address(address),
                Ok(DatabaseAddress::File(Path::new(path))),
                "{address}"
            );
        }
        for address in ["postgres://localhost/ghinda", "postgresql:///ghinda"] {
            assert_eq!(parse_address(address), Ok(DatabaseAddress::Server(address)), "{address}");
        }
    }

    #[test]
    fn invalid_addresses_are_refused() {
        for address in ["", "sqlite:", "sqlite::memory:", ":memory:", "mysql://localhost/ghinda"] {
            assert!(matches!(parse_address(address), Err(StoreError::Address(_))), "{address}");
        }
    }
}
