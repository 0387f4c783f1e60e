//! A start with many open tables: it loads none, reads none, and takes none from another server. Times are compared
//! with those of a start with one table in the same run, so that a slow machine changes nothing.

use std::fs;
use std::time::Duration;

use serde_json::json;
use sqlx::{Connection, SqliteConnection};
use tokio::time::Instant;

use crate::test_server::TestServer;

const TABLES: i64 = 200_000;
const MIB: u64 = 1 << 20;
/// How often each start is measured; the best one counts.
const ROUNDS: usize = 3;
/// What a start may read more because there are many tables: a way through the indices.
const MORE_TO_READ: u64 = MIB;

/// What a machine with other work may take from a start of a few milliseconds.
const NOISE: Duration = Duration::from_millis(100);

/// What a start costs.
#[derive(Clone, Copy, Debug)]
struct StartCost {
    /// Until the server answers.
    time: Duration,
    /// The resident memory then.
    memory: u64,
    /// The bytes that it has read from files until then.
    read: u64,
}

/// The number on a line of a file about a process.
fn number(process: u32, file: &str, line: &str) -> u64 {
    let text = fs::read_to_string(format!("/proc/{process}/{file}")).expect("Linux");
    let value = text.lines().find_map(|text| text.strip_prefix(line)).expect("the line");
    value.trim().trim_end_matches(" kB").parse().expect("a number")
}

/// Starts a server that is stopped, and stops it again.
async fn start_cost(server: &mut TestServer) -> StartCost {
    let start = Instant::now();
    server.start_again().await;
    let time = start.elapsed();
    let process = server.process();
    let memory = number(process, "status", "VmRSS:") << 10;
    let cost = StartCost { time, memory, read: number(process, "io", "rchar:") };
    server.stop().await;
    cost
}

/// The best of some starts.
async fn best_start(server: &mut TestServer) -> StartCost {
    let mut best = start_cost(server).await;
    for _ in 1..ROUNDS {
        let StartCost { time, memory, read } = start_cost(server).await;
        best.time = best.time.min(time);
        best.memory = best.memory.min(memory);
        best.read = best.read.min(read);
    }
    best
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_start_with_many_open_tables_loads_none() {
    let mut server = TestServer::open().await;
    let mut host = server.new_client().await;
    let table = server.table(&mut host, "cruce4t").await;
    server.stop().await;
    let few = best_start(&mut server).await;
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
    // Otherwise a start would read the write-ahead log of the copies.
    let checkpoint = sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)");
    checkpoint.execute(&mut database).await.expect("a checkpoint");
    let many = best_start(&mut server).await;
    println!("a start with one table: {few:?}\nwith {TABLES} tables: {many:?}");
    assert!(many.read < few.read + MORE_TO_READ, "a start reads tables: {few:?}, {many:?}");
    assert!(many.memory < few.memory + 20 * MIB, "{few:?}, {many:?}");
    assert!(many.memory < 100 * MIB, "{} MiB", many.memory / MIB);
    assert!(many.time < few.time * 4 + NOISE, "{few:?}, {many:?}");
    server.start_again().await;
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
