//! The shell of the server in simulated worlds: registries, tasks, sessions, bots and starts on a store
//! that stalls, fails and loses its answers, with clients behind a bad network and servers that stop
//! and crash. Time is virtual, and all chance follows from one seed, so that a failing world runs again
//! exactly as before. The room inside has worlds of its own, in `crates/room/tests/simulation`.
//!
//! A failing seed is printed; `GHINDA_SEED=n cargo test -p server simulation` runs it alone, in a world of
//! each kind, and `GHINDA_WORLDS=n` sets how many worlds of each kind run. `GHINDA_TRACE=1` prints what
//! happens. `cargo xtask simulate` prints a report of all of it; docs/simulation.md has one.

mod bots;
mod checks;
mod commands;
mod http;
mod ledger_clients;
mod lots;
mod network;
mod plan;
pub(crate) mod probes;
mod report;
mod requests;
mod sessions;
mod sockets;
mod store_faults;
mod table_clients;
mod tally;
mod witness;
mod world;

use std::net::{IpAddr, Ipv4Addr};

use plan::WorldKind;
use tally::WorldTally;
use world::ShellWorld;

use crate::look_queue::TableReader;
use crate::quotas::CountedRefusals;

/// The address of all clients.
const CLIENTS: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
/// For whom something is read.
const READER: TableReader = TableReader::Address(CLIENTS);
/// How many worlds of each kind run by default.
const WORLDS: u64 = 1_000;
/// From how many worlds on every expected event must have happened.
const WORLDS_FOR_EXPECTATIONS: u64 = 200;

/// Runs a world for every seed, and prints the one that fails. Every event in `must_happen` must have
/// happened in some of them: worlds in which nothing happens prove nothing.
fn run(kind: WorldKind, must_happen: &[&str]) {
    let number = |name| std::env::var(name).ok().and_then(|text: String| text.parse().ok());
    let (first, worlds) = match number("GHINDA_SEED") {
        Some(seed) => (seed, 1),
        None => (0, number("GHINDA_WORLDS").unwrap_or(WORLDS)),
    };
    let mut tally = WorldTally::default();
    let refusals = CountedRefusals::begin();
    for seed in first..first + worlds {
        match std::panic::catch_unwind(|| ShellWorld::new(seed, kind).run()) {
            Ok((of_world, _)) => tally.add(&of_world),
            Err(panic) => {
                eprintln!("the world of seed {seed} with {kind:?} failed");
                std::panic::resume_unwind(panic);
            }
        }
    }
    for (quota, times) in refusals.counts() {
        tally.count_many(&format!("a quota that was reached: {quota}"), times);
    }
    report::print(kind, (first, worlds), &tally);
    if worlds >= WORLDS_FOR_EXPECTATIONS {
        for what in ALWAYS_EXPECTED.iter().chain(must_happen) {
            assert!(tally.of(what) > 0, "{what:?} has never happened in {worlds} worlds");
        }
    }
}

/// The events that happen in worlds of every kind.
const ALWAYS_EXPECTED: [&str; 33] = [
    "a start",
    "a start that failed",
    "a start with a wrong clock",
    "a stop",
    "a crash",
    "a connection lost",
    "a client that reads slowly",
    "closed: TooSlow",
    "closed: Unavailable",
    "closed: Stopping",
    "a flood",
    "a request abandoned",
    "a command sent again",
    "a failed operation",
    "a full disk",
    "a read-only store",
    "a store that is gone",
    "a late answer",
    "an answer that came too late",
    "a lost answer, done",
    "a lost answer, not done",
    "a sweep that failed",
    "an unreadable table",
    "a session found",
    "a session ended",
    "a session expired",
    "a link that was used before",
    "an answer over HTTP: 200",
    "an answer over HTTP: 201",
    "an answer over HTTP: 408",
    "an answer over HTTP: 503",
    "a connection that found no place",
    "a log that was removed",
];

/// The events at tables: what bots do wrong, and what clients get.
const AT_TABLES: [&str; 20] = [
    "a match that ended",
    "a command done",
    "a command answered again",
    "refused: TooFast",
    "refused: Unavailable",
    "a bot that panicked",
    "a job without an answer",
    "a job that found no place",
    "an illegal action of a bot",
    "an answer to an old question",
    "an immediate answer of a bot",
    "a bot that never answers",
    "a late answer of a bot",
    "a record",
    "a record of a duplicate",
    "a comparison",
    "a seat that is stored",
    "a sweep that closed tables",
    "a log that was archived",
    "a quota that was reached: tables_in_memory",
];

/// The event of a world in which a log cannot be written until all others are content.
const FAULT_OF_ONE: &str = "a log that could not be written cost only itself";

#[test]
fn tables_survive_everything() {
    let waiting = "a quota that was reached: waiting_bytes";
    run(WorldKind::Tables, &[&AT_TABLES[..], &[FAULT_OF_ONE, waiting]].concat());
}

#[test]
fn two_servers_on_one_store_double_and_lose_nothing() {
    run(WorldKind::TwoServers, &AT_TABLES);
}

#[test]
fn contests_come_to_their_end() {
    run(
        WorldKind::Contests,
        &[
            "a contest that ended",
            "a seat of a contest",
            "a command of a ledger done",
            "refused by a ledger: Unavailable",
            "lines read",
            "a bot that panicked",
            "a quota that was reached: ledgers_in_memory",
        ],
    );
}

#[test]
fn sheets_and_sessions_lose_nothing() {
    run(
        WorldKind::Sheets,
        &[
            "a sheet that was written",
            "a command of a ledger done",
            "refused by a ledger: Unchanged",
            "refused by a ledger: Unavailable",
            "lines read",
            "a quota that was reached: ledgers_in_memory",
            "a quota that was reached: requests",
            FAULT_OF_ONE,
        ],
    );
}

#[test]
fn a_seed_leads_to_the_same_world_again() {
    for (seed, kind) in [
        (3, WorldKind::Tables),
        (4, WorldKind::TwoServers),
        (5, WorldKind::Contests),
        (6, WorldKind::Sheets),
    ] {
        let traces = [(); 2].map(|()| ShellWorld::new(seed, kind).run().1);
        assert_eq!(traces[0], traces[1], "seed {seed} with {kind:?}");
    }
}
