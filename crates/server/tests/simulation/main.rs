//! Whole tables in a simulated world: clients behind a bad network, a store that
//! fails and is slow, a server that is killed and started again, all in virtual time
//! and from one seed.
//!
//! A failing seed is printed; `SIMULATION_SEED=n cargo test -p server --test
//! simulation` runs it alone, and `SIMULATION_SEEDS=n` sets how many are run.

mod world;

use world::{Trouble, World};

/// How many worlds of each kind are run, unless the environment says otherwise.
const WORLDS: u64 = 300;

fn seeds() -> Vec<u64> {
    let number = |name| std::env::var(name).ok().and_then(|text: String| text.parse().ok());
    match number("SIMULATION_SEED") {
        Some(seed) => vec![seed],
        None => (0..number("SIMULATION_SEEDS").unwrap_or(WORLDS)).collect(),
    }
}

/// Runs a world for every seed and names the one that fails.
fn run(trouble: Trouble) {
    for seed in seeds() {
        let outcome = std::panic::catch_unwind(|| World::new(seed, trouble).run());
        if let Err(panic) = outcome {
            eprintln!("the world of seed {seed} with {trouble:?} failed");
            std::panic::resume_unwind(panic);
        }
    }
}

#[test]
fn in_a_quiet_world_matches_are_played_to_the_end() {
    run(Trouble::NONE);
}

#[test]
fn lost_connections_lose_nothing() {
    run(Trouble { disconnects: true, ..Trouble::NONE });
}

#[test]
fn wishes_sent_twice_and_late_are_done_once() {
    run(Trouble { duplicates: true, disconnects: true, ..Trouble::NONE });
}

#[test]
fn a_failing_store_refuses_and_loses_nothing() {
    run(Trouble { store_fails: true, ..Trouble::NONE });
}

#[test]
fn a_killed_server_goes_on_where_it_stood() {
    run(Trouble { crashes: true, ..Trouble::NONE });
}

#[test]
fn everything_at_once() {
    run(Trouble::ALL);
}
