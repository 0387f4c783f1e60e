//! Measures how many events per second each database stores, by the size of the batch.
//!
//! `cargo run --release -p store --example append_rate [FOLDER]` measures SQLite in a file of FOLDER
//! (the temporary folder by default) and a PostgreSQL server that it starts in the temporary folder.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use store::{
    Append, AppendOutcome, AppendStore, Database, LogId, LogKind, NewEvent, Store, StoreError,
};
use test_support::postgres::Server;

const SIZES: [usize; 4] = [1, 10, 100, 1000];
const MEASURED: Duration = Duration::from_secs(3);
/// A played card, about as the server writes it.
const BODY: &str = r#"{"kind":"played","match":3,"deal":7,"seat":2,"card":"Xb","by":"hand","clock":[41500,37250,60000,58750],"call":null}"#;

#[tokio::main]
async fn main() -> Result<(), StoreError> {
    let folder = std::env::args_os().nth(1).map_or_else(std::env::temp_dir, PathBuf::from);
    let file = folder.join(format!("append-rate-{}.db", std::process::id()));
    let server = Server::start();
    for (name, address) in
        [("SQLite", file.display().to_string()), ("PostgreSQL", server.database())]
    {
        let store = Database::open(&address).await?;
        for (tables, shape) in [(false, "of one table"), (true, "of as many tables")] {
            for size in SIZES {
                let batches = measure(&store, size, tables).await?;
                let events = batches * size as f64;
                println!(
                    "{name:<10} {size:>4} events {shape:<17} in a batch: {events:>7.0} events/s, \
                     {batches:>4.0} batches/s"
                );
            }
        }
        store.close().await;
    }
    // A file left in the temporary folder is harmless.
    let _ = std::fs::remove_file(file);
    Ok(())
}

/// Batches per second, of one table with many events or of many tables with one event each.
#[allow(clippy::disallowed_methods, reason = "a measurement needs a clock")]
async fn measure(store: &Database, size: usize, tables: bool) -> Result<f64, StoreError> {
    let event = NewEvent { at_ms: 1_790_000_000_000, body: BODY.to_owned() };
    let (appends, events) = if tables { (size, 1) } else { (1, size) };
    let mut batch = Vec::new();
    for _ in 0..appends {
        let table = LogId::from_random(getrandom::u64().expect("randomness"));
        let epoch = store.create(LogKind::Table, table, None, 0).await?;
        let events = vec![event.clone(); events];
        batch.push(Append { log: table, epoch, first: 1, events, linked_writes: Vec::new() });
    }
    let start = Instant::now();
    let mut batches = 0;
    while start.elapsed() < MEASURED {
        let outcomes = store.append(&batch).await?;
        assert!(outcomes.iter().all(|&outcome| outcome == AppendOutcome::Done));
        for append in &mut batch {
            append.first += events as u64;
        }
        batches += 1;
    }
    Ok(f64::from(batches) / start.elapsed().as_secs_f64())
}
