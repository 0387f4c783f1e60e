//! PostgreSQL: one connection that writes, and several that read.

use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use sqlx::postgres::{PgArguments, PgConnectOptions, PgPoolOptions};
use sqlx::query::Query;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, PgConnection, PgPool, QueryBuilder};

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

const READERS: u32 = 8;
/// The time limit of a reader for getting a connection.
const CONNECTING: Duration = Duration::from_secs(5);
/// Settings of our sessions. A commit waits for the disk, whatever the database has as its default; and
/// a server which vanishes in a transaction does not keep tables locked.
const SETTINGS: [(&str, &str); 6] = [
    ("synchronous_commit", "on"),
    ("lock_timeout", "5s"),
    ("idle_in_transaction_session_timeout", "60s"),
    ("tcp_keepalives_idle", "15"),
    ("tcp_keepalives_interval", "5"),
    ("tcp_keepalives_count", "3"),
];
/// The advisory lock taken while the database is opened; "ghinda" as a number.
const OPENING: i64 = 0x67_68_69_6e_64_61;

const BEGIN: &str = "BEGIN";
/// Locks the rows of a subquery in its order.
const LOCK_ROWS: &str = "FOR NO KEY UPDATE";
/// The bytes that the database takes.
const SIZE: &str = "SELECT pg_database_size(current_database())";

/// A store in a PostgreSQL database, which several servers may share.
pub struct Postgres {
    options: PgConnectOptions,
    write_connection: WriteConnection<sqlx::Postgres>,
    reading: PgPool,
}

impl Postgres {
    /// Connects to an address `postgres://…` and migrates the tables. A server that is set up to lose
    /// what it has confirmed is [refused](StoreError::Unsafe).
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
        check_durability(&mut held).await?;
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

    steps_of_both_databases!();
}

/// Checks that what the server confirms survives a crash of it and of its machine.
async fn check_durability(connection: &mut PgConnection) -> Result<(), StoreError> {
    // The last one is a setting of our own sessions, but a connection pooler may leave it out.
    for setting in ["fsync", "full_page_writes", "synchronous_commit"] {
        let value = sqlx::query_scalar::<_, String>("SELECT current_setting($1)").bind(setting);
        let value = with_timeout(Risk::None, value.fetch_one(&mut *connection)).await?;
        if value == "off" {
            return Err(StoreError::Unsafe { setting });
        }
    }
    Ok(())
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

impl AppendStore for Postgres {
    async fn append(&self, batch: &[Append]) -> Result<Vec<AppendOutcome>, StoreError> {
        let mut connection = self.write_connection.hold().await?;
        let mut transaction = with_timeout(Risk::None, connection.begin()).await?;
        // An owner who acquires one of these tables waits for this commit, and this batch for that commit.
        // Rows are sorted before they are locked, and a row that was waited for is read again.
        let heads = sqlx::query_as::<_, HeadRow>(
            "SELECT id, epoch, last_sequence, closed FROM tables
             WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE",
        );
        let heads = heads.bind(logs(batch)).fetch_all(&mut *transaction);
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
                 checkpoint = coalesce(changed.checkpoint, tables.checkpoint),
                 last_ms = coalesce(changed.last_ms, tables.last_ms),
                 bytes = tables.bytes + changed.bytes
             FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::boolean[], $5::bigint[],
                     $6::bigint[])
                 AS changed (id, last, checkpoint, closed, last_ms, bytes)
             WHERE tables.id = changed.id",
        );
        let stored = stored.bind(column(&changed, |row| row.log));
        let stored = stored.bind(column(&changed, |row| row.last));
        let stored = stored.bind(column(&changed, |row| row.checkpoint));
        let stored = stored.bind(column(&changed, |row| row.closed));
        let stored = stored.bind(column(&changed, |row| row.last_ms));
        let stored = stored.bind(column(&changed, |row| row.bytes));
        with_timeout(Risk::None, stored.execute(&mut *connection)).await?;
    }
    for (table, players) in admission.seats() {
        replace_seats(connection, table, players).await?;
    }
    insert_finished(connection, admission).await
}

replace_seats_on!(PgConnection);

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

    async fn close(&self) {
        self.reading.close().await;
        self.write_connection.close().await;
    }

    async fn backup(
        &self,
        to: &Path,
        progress: impl FnMut(Progress) + Send,
    ) -> Result<(), StoreError> {
        let file = BackupFile::create(to)?;
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
        // All of it is read and stored; an error while closing changes nothing.
        let _ = with_timeout(Risk::None, source.close()).await;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::versions::version_2::{ROWS_OF_VERSION_2, check_version_3};
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

    async fn run(address: &str, statement: &'static str) {
        let mut connection = PgConnection::connect(address).await.unwrap();
        sqlx::raw_sql(statement).execute(&mut connection).await.unwrap();
    }

    /// Runs a statement with the name of the database of an address in it.
    async fn alter(address: &str, setting: &str) {
        let (_, name) = address.rsplit_once('/').unwrap();
        let mut connection = PgConnection::connect(address).await.unwrap();
        let alter = sqlx::AssertSqlSafe(format!("ALTER DATABASE {name} SET {setting}"));
        sqlx::raw_sql(alter).execute(&mut connection).await.unwrap();
    }

    #[tokio::test]
    async fn what_the_third_version_knows_of_a_log_is_found_in_the_second() {
        let address = Server::shared().database();
        let mut connection = PgConnection::connect(&address).await.unwrap();
        migrate(&mut connection, &versions::POSTGRES[..2]).await.unwrap();
        sqlx::raw_sql(ROWS_OF_VERSION_2).execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();
        let store = Postgres::open(&address).await.unwrap();
        check_version_3(&store).await;
        store.close().await;
    }

    #[tokio::test]
    async fn a_commit_waits_for_the_disk_even_if_the_database_does_not_ask_for_it() {
        let address = Server::shared().database();
        alter(&address, "synchronous_commit = off").await;
        let store = Postgres::open(&address).await.unwrap();
        let mut held = store.write_connection.hold().await.unwrap();
        let setting = sqlx::query_scalar::<_, String>("SHOW synchronous_commit");
        assert_eq!(setting.fetch_one(&mut *held).await.unwrap(), "on");
        held.put_back();
        store.close().await;
    }

    #[tokio::test]
    async fn a_server_that_may_lose_what_it_confirmed_is_refused() {
        let server = tokio::task::spawn_blocking(Server::start).await.unwrap();
        let address = server.database();
        for (setting, off, on) in [
            ("fsync", "ALTER SYSTEM SET fsync = off", "ALTER SYSTEM SET fsync = on"),
            (
                "full_page_writes",
                "ALTER SYSTEM SET full_page_writes = off",
                "ALTER SYSTEM SET full_page_writes = on",
            ),
        ] {
            run(&address, off).await;
            reload(&address, setting, "off").await;
            let refused = Postgres::open(&address).await.err().unwrap().to_string();
            assert!(refused.contains(&format!("{setting} is off")), "{refused}");
            let mut connection = PgConnection::connect(&address).await.unwrap();
            let tables = sqlx::query_scalar::<_, i64>("SELECT count(*) FROM pg_stat_user_tables");
            assert_eq!(tables.fetch_one(&mut connection).await.unwrap(), 0, "nothing was made");
            run(&address, on).await;
            reload(&address, setting, "on").await;
        }
        Postgres::open(&address).await.unwrap().close().await;
    }

    /// Waits until new sessions have the setting.
    async fn reload(address: &str, setting: &'static str, value: &str) {
        run(address, "SELECT pg_reload_conf()").await;
        for _ in 0..500 {
            let mut connection = PgConnection::connect(address).await.unwrap();
            let found = sqlx::query_scalar::<_, String>("SELECT current_setting($1)").bind(setting);
            if found.fetch_one(&mut connection).await.unwrap() == value {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("{setting} is never {value}");
    }

    #[tokio::test]
    async fn a_read_only_database_is_named_at_the_start_and_later() {
        let address = Server::shared().database();
        let read_only = |error: StoreError| {
            assert!(error.to_string().starts_with("the database is read-only"), "{error}");
        };
        alter(&address, "default_transaction_read_only = on").await;
        read_only(Postgres::open(&address).await.err().unwrap());

        let address = Server::shared().database();
        let store = Postgres::open(&address).await.unwrap();
        let log = LogId::new(1).unwrap();
        let epoch = store.create(LogKind::Table, log, None, 0).await.unwrap();
        alter(&address, "default_transaction_read_only = on").await;
        // The setting is that of new sessions, as after a failover to a replica.
        store.write_connection.close().await;
        let events = vec![crate::NewEvent { at_ms: 0, body: "x".to_owned() }];
        let append = Append { log, epoch, first: 1, events, linked_writes: Vec::new() };
        read_only(store.append(&[append]).await.unwrap_err());
        read_only(store.acquire(LogKind::Table, log).await.unwrap_err());
        assert_eq!(store.find_log(log).await.unwrap().unwrap().last, 0);
        store.close().await;
    }

    const TABLE: u64 = 1;

    /// A table with one event and a finished match of the player 7, who has opened it.
    async fn played_table(store: &Postgres) -> LogId {
        let (log, player) = (LogId::new(TABLE).unwrap(), PlayerId::new(7).unwrap());
        let owner = Some(LogOpener { player, max: 1 });
        store.create(LogKind::Table, log, owner, 0).await.unwrap();
        let seat = crate::FinishedSeat { player: Some(player), name: "Ana".to_owned() };
        let ended = crate::FinishedMatch {
            number: 1,
            rules: "cruce2".to_owned(),
            ended_ms: 0,
            seats: vec![seat],
            summary: "{}".to_owned(),
        };
        let ended = crate::LinkedWrite::Finished(ended);
        let seats = crate::LinkedWrite::Seats(vec![player]);
        let append = Append { linked_writes: vec![ended, seats], ..event(log, 1) };
        assert_eq!(store.append(&[append]).await, Ok(vec![AppendOutcome::Done]));
        log
    }

    fn event(log: LogId, first: u64) -> Append {
        let events = vec![crate::NewEvent { at_ms: 0, body: "x".to_owned() }];
        Append { log, epoch: Epoch::FIRST, first, events, linked_writes: Vec::new() }
    }

    /// Waits until a statement waits for a lock.
    async fn until_blocked(connection: &mut PgConnection) {
        let waiting = "SELECT count(*) FROM pg_stat_activity
             WHERE wait_event_type = 'Lock' AND datname = current_database()";
        for _ in 0..400 {
            let count = sqlx::query_scalar::<_, i64>(waiting).fetch_one(&mut *connection);
            if count.await.unwrap() > 0 {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("no statement waits for a lock");
    }

    #[tokio::test]
    async fn an_append_that_commits_during_a_removal_leaves_nothing() {
        let address = Server::shared().database();
        let store = Postgres::open(&address).await.unwrap();
        let log = played_table(&store).await;
        // The statements of an append, by another server.
        let mut other = PgConnection::connect(&address).await.unwrap();
        let append = "BEGIN;
             SELECT id FROM tables WHERE id = 1 FOR NO KEY UPDATE;
             INSERT INTO events VALUES (1, 2, 0, 'y');
             UPDATE tables SET last_sequence = 2 WHERE id = 1;";
        sqlx::raw_sql(append).execute(&mut other).await.unwrap();
        let removal = store.remove(log, None);
        let commit = async {
            until_blocked(&mut PgConnection::connect(&address).await.unwrap()).await;
            sqlx::raw_sql("COMMIT").execute(&mut other).await.unwrap();
        };
        let (removed, ()) = tokio::join!(removal, commit);
        assert_eq!(removed, Ok(true));
        assert_eq!(store.find_log(log).await, Ok(None));
        assert_eq!(store.events(log, 1, 10).await, Ok(vec![]), "events without a log");
        store.close().await;
    }

    #[tokio::test]
    async fn appends_go_on_while_a_long_history_is_erased() {
        let address = Server::shared().database();
        let (store, server) =
            (Postgres::open(&address).await.unwrap(), Postgres::open(&address).await.unwrap());
        let log = played_table(&store).await;
        // The history takes long: one of its rows is locked.
        let mut other = PgConnection::connect(&address).await.unwrap();
        let lock = "BEGIN; SELECT name FROM finished_seats FOR UPDATE";
        sqlx::raw_sql(lock).execute(&mut other).await.unwrap();
        let player = PlayerId::new(7).unwrap();
        let erasure = store.erase_player(player, "-");
        let append = async {
            until_blocked(&mut PgConnection::connect(&address).await.unwrap()).await;
            let seats = vec![crate::LinkedWrite::Seats(Vec::new())];
            let append = Append { linked_writes: seats, ..event(log, 2) };
            let appended = server.append(&[append]).await;
            sqlx::raw_sql("COMMIT").execute(&mut other).await.unwrap();
            appended
        };
        let (erased, appended) = tokio::join!(erasure, append);
        assert_eq!(appended, Ok(vec![AppendOutcome::Done]));
        assert_eq!(erased, Ok(()));
        let traces = store.player_traces(player).await.unwrap();
        assert_eq!((traces.finished, traces.seated, traces.opened), (0, 0, 0));
        store.close().await;
        server.close().await;
    }

    #[tokio::test]
    async fn an_unreachable_or_invalid_address_is_an_error() {
        let refused = Postgres::open("postgres://postgres@127.0.0.1:1/nothing").await.err();
        assert!(matches!(refused, Some(StoreError::Unavailable(_))), "{refused:?}");
        let odd = Postgres::open("postgres://127.0.0.1:port/").await.err();
        assert!(matches!(odd, Some(StoreError::Address(_))), "{odd:?}");
    }
}
