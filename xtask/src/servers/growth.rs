//! How the costs of the server grow: in proportion to the number of tables, and not at all with the
//! history of a table.

use std::fs;
use std::process::Command;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::ServerOptions;
use super::contest::{Contestant, Place, Traffic};
use super::plot::{Expected, Plot, svg};
use super::process::{measure, metric};
use crate::steps::written_by;
use crate::workspace::Workspace;

const PICTURE: &str = "docs/pictures/growth.svg";
/// Moves per second of one table while the number of tables grows.
const PACE: f64 = 0.5;
/// The tables with a long history, their moves per second together, and the number of samples.
const OLD_TABLES: usize = 100;
const OLD_RATE: f64 = 3000.0;
const SAMPLES: usize = 12;
/// The length of a sample, in units of the usual measurement.
const SAMPLE_LENGTH: u32 = 2;

pub(super) fn measure_and_draw(
    workspace: &Workspace,
    place: &Place,
    options: &ServerOptions,
) -> Result<()> {
    let (memory, work) = with_tables(place, options)?;
    let (old_memory, old_work) = with_history(place, options)?;
    let plot = |title, over, points, expected| Plot { title, over, points, expected };
    let many = "tables of four";
    let old = "moves that each table has seen";
    let plots = [
        plot("memory, MiB", many, memory, Expected::Proportional),
        plot("busy processors, %", many, work, Expected::Proportional),
        plot("memory a table, KiB", old, old_memory, Expected::Constant),
        plot("processor time a move, µs", old, old_work, Expected::Constant),
    ];
    let note = format!(
        "above: {PACE} moves a second at each table; below: {OLD_TABLES} tables, \
         {OLD_RATE:.0} moves a second; dashed: as it should be"
    );
    let picture = svg("What tables cost the server", &note, &plots);
    fs::write(workspace.root.join(PICTURE), picture).context(PICTURE)?;
    println!("   drawn: {PICTURE}");
    Ok(())
}

type Curve = Vec<(f64, f64)>;

/// The memory of all tables, and the processor load, over the number of tables.
fn with_tables(place: &Place, options: &ServerOptions) -> Result<(Curve, Curve)> {
    let (mut memory, mut work) = (Curve::new(), Curve::new());
    println!(
        "   {:>8}{:>10}{:>12}{:>13}{:>10}",
        "tables", "moves/s", "KiB/table", "µs/move", "p99 ms"
    );
    for tables in [1, 2, 4, 8, 16].map(|times| times * options.tables / 4) {
        if tables * 4 + 200 > open_files()? {
            println!("   {tables:>8}  too many for the limit of open files (ulimit -Hn)");
            continue;
        }
        let traffic = Traffic { tables, rate: PACE * tables as f64, seconds: options.seconds };
        let (server, address) = place.serve(Contestant::Ours)?;
        let empty = server.usage()?.kib;
        let clients = place.play(Contestant::Ours, &address, traffic)?;
        let seen = measure(&server, &clients, f64::from(options.seconds))?;
        println!(
            "   {tables:>8}{:>10.0}{:>12.1}{:>13.0}{:>10.1}",
            seen.moves_per_second,
            (seen.kib - empty) / tables as f64,
            seen.micros_per_move(),
            seen.p99_ms
        );
        memory.push((tables as f64, (seen.kib - empty) / 1024.0));
        work.push((tables as f64, 100.0 * seen.cores));
    }
    Ok((memory, work))
}

/// The memory of a table, and the processor time per move, over the moves that a table has seen.
fn with_history(place: &Place, options: &ServerOptions) -> Result<(Curve, Curve)> {
    let (mut memory, mut work) = (Curve::new(), Curve::new());
    let (server, address) = place.serve(Contestant::Ours)?;
    let empty = server.usage()?.kib;
    let tables = OLD_TABLES as f64;
    // The clients are ended after the last sample.
    let traffic = Traffic { tables: OLD_TABLES, rate: OLD_RATE, seconds: 3600 };
    let _clients = place.play(Contestant::Ours, &address, traffic)?;
    let sample = Duration::from_secs(u64::from(SAMPLE_LENGTH * options.seconds));
    // The first sample is dropped: clients take their seats, and buffers grow.
    thread::sleep(sample);
    let moves = || metric(&address, "ghinda_messages_total");
    let (mut before, mut count) = (server.usage()?, moves()?);
    println!("   {:>12}{:>12}{:>13}", "moves/table", "KiB/table", "µs/move");
    for _ in 0..SAMPLES {
        thread::sleep(sample);
        let (now, counted) = (server.usage()?, moves()?);
        ensure!(counted > count, "no moves are played.");
        let micros = 1e6 * now.cpu_seconds_since(before) / (counted - count);
        let (seen, kib) = (counted / tables, (now.kib - empty) / tables);
        println!("   {seen:>12.0}{kib:>12.1}{micros:>13.0}");
        memory.push((seen, kib));
        work.push((seen, micros));
        (before, count) = (now, counted);
    }
    Ok((memory, work))
}

/// The maximum number of open files of a process.
fn open_files() -> Result<usize> {
    let limit = written_by(Command::new("sh").args(["-c", "ulimit -Hn"]))?.stdout;
    Ok(limit.trim().parse().unwrap_or(usize::MAX))
}
