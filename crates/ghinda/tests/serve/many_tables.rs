//! A start with many open tables: it loads none, and takes none from another server. With `--nocapture` the test
//! prints how long both starts take.

use std::fs;
use std::time::Duration;

use serde_json::json;
use sqlx::{Connection, SqliteConnection};
use tokio::time::Instant;

use crate::test_server::TestServer;

const TABLES: i64 = 200_000;
const MIB: u64 = 1 << 20;

/// The resident memory of a process.
fn memory(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).expect("Linux");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("its memory");
    let kib: u64 = line.trim().trim_end_matches(" kB").parse().expect("a number");
    kib << 10
}

/// Starts a server, and returns how long it takes until it answers.
async fn start_time(server: &mut TestServer) -> Duration {
    let start = Instant::now();
    server.start_again().await;
    start.elapsed()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_start_with_many_open_tables_loads_none() {
    let mut server = TestServer::open().await;
    let mut host = server.new_client().await;
    let table = server.table(&mut host, "cruce4t").await;
    server.stop().await;
    let fast = start_time(&mut server).await;
    let few = memory(server.process());
    server.stop().await;
    // The same table under other names.
    let mut database = SqliteConnection::connect(server.database()).await.expect("a database");
    let copies =
        "WITH RECURSIVE copy (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM copy WHERE id < $1)";
    let columns = "epoch, last_sequence, checkpoint, closed, created_ms, ledger, owner, last_ms, bytes, \
        archived, seats_known";
    for insert in [
        format!(
            "{copies} INSERT INTO events (table_id, sequence, at_ms, body)
             SELECT copy.id, sequence, at_ms, body FROM copy, events"
        ),
        format!(
            "{copies} INSERT INTO tables (id, {columns}) SELECT copy.id, {columns} FROM copy, tables"
        ),
    ] {
        let insert = sqlx::query(sqlx::AssertSqlSafe(insert)).bind(TABLES);
        insert.execute(&mut database).await.expect("copies");
    }
    let slow = start_time(&mut server).await;
    let many = memory(server.process());
    println!("a start with one table takes {fast:?}, with {TABLES} tables {slow:?}");
    println!("{} MiB with one table, {} MiB with {TABLES} tables", few / MIB, many / MIB);
    assert!(many < few + 20 * MIB, "{} MiB with one table, {} with many", few / MIB, many / MIB);
    assert!(many < 100 * MIB, "{} MiB", many / MIB);
    let claimed = "SELECT count(*) FROM tables WHERE epoch > 1";
    let claimed: i64 =
        sqlx::query_scalar(claimed).fetch_one(&mut database).await.expect("a number");
    assert_eq!(claimed, 0, "no table was claimed");
    database.close().await.expect("closed");
    // It is a table like any other.
    let seen = server.http().get(server.url(&format!("/api/tables/{table}")));
    let seen = seen.bearer_auth(&host.token).send().await.expect("an answer");
    assert_eq!(seen.status(), 200);
    let opened = server.post(&host, "/api/tables", json!({ "rules": "cruce2" })).await;
    assert_eq!(opened.status(), 409, "the copies have the same owner, who has too many now");
    server.stop().await;
}
