//! Whole tables in a simulated world: clients behind a bad network, a store that is slow and fails, a
//! server that is killed and restarted, all in virtual time and from one seed.
//!
//! A failing seed is printed; `SIMULATION_SEED=n cargo test -p room --test simulation` runs it alone, and
//! `SIMULATION_SEEDS=n` sets how many seeds run. `SIMULATION_TELL=1` prints what is stored.

mod checks;
mod clients;
mod commands;
mod network;
mod opening;
mod witness;
mod world;

use witness::Tally;
use world::{Trouble, World};

/// How many worlds of each kind run by default.
const WORLDS: u64 = 500;
/// From how many worlds on every expected event must have happened.
const WORLDS_FOR_EXPECTATIONS: u64 = 300;

/// Runs a world for every seed and prints the one that fails. Every event in `must_happen` must have
/// happened in some of them: a world in which nothing happens proves nothing.
fn run(trouble: Trouble, must_happen: &[&str]) {
    let number = |name| std::env::var(name).ok().and_then(|text: String| text.parse().ok());
    let (first, worlds) = match number("SIMULATION_SEED") {
        Some(seed) => (seed, 1),
        None => (0, number("SIMULATION_SEEDS").unwrap_or(WORLDS)),
    };
    let mut tally = Tally::default();
    for seed in first..first + worlds {
        let outcome = std::panic::catch_unwind(|| World::new(seed, trouble).run());
        match outcome {
            Ok(of_world) => tally.add(&of_world),
            Err(panic) => {
                eprintln!("the world of seed {seed} with {trouble:?} failed");
                std::panic::resume_unwind(panic);
            }
        }
    }
    println!("{worlds} worlds with {trouble:?}: {tally}");
    if worlds >= WORLDS_FOR_EXPECTATIONS {
        for what in ALWAYS_EXPECTED.iter().chain(must_happen) {
            assert!(tally.of(what) > 0, "{what:?} has never happened in {worlds} worlds");
        }
    }
}

/// The events that happen in worlds of every kind.
const ALWAYS_EXPECTED: [&str; 41] = [
    "acted",
    "admitted",
    "back",
    "bot_sat",
    "claimed",
    "closed",
    "dealt",
    "emptied",
    "left",
    "muted",
    "paused",
    "promised",
    "ready",
    "relinked",
    "renamed",
    "resumed",
    "said",
    "sat",
    "settings",
    "started",
    "stood_in",
    "swapped",
    "wants_pause",
    "wants_rematch",
    "word",
    "a claim refused",
    "a connection resumed",
    "a deal thrown in",
    "a key refused",
    "a match of a duplicate",
    "a change of rules",
    "a change of seats",
    "a snapshot for a newcomer",
    "a stranger refused",
    "a version of the future",
    "a command of a muted player",
    "a command that duplicates refuse",
    "a command over the limit",
    "a player kicked",
    "a kicked player refused",
    "two connections of one player",
];

#[test]
fn without_trouble_matches_are_played_to_the_end() {
    run(Trouble::NONE, &[]);
}

#[test]
fn lost_connections_lose_nothing() {
    run(Trouble { disconnects: true, ..Trouble::NONE }, &["hosted"]);
}

#[test]
fn commands_sent_twice_and_late_are_done_once() {
    let trouble = Trouble { duplicates: true, disconnects: true, ..Trouble::NONE };
    run(trouble, &["a command answered again"]);
}

#[test]
fn a_failing_store_refuses_and_loses_nothing() {
    run(Trouble { store_fails: true, ..Trouble::NONE }, &["a command that could not be stored"]);
}

#[test]
fn lost_answers_are_asked_for_again() {
    let trouble = Trouble { answers_lost: true, ..Trouble::NONE };
    run(trouble, &["a bot's answer lost", "a proof lost"]);
}

#[test]
fn a_killed_server_resumes_from_the_store() {
    run(Trouble { crashes: true, ..Trouble::NONE }, &["a crash while something was stored"]);
}

#[test]
fn all_troubles_at_once_lose_nothing() {
    run(Trouble::ALL, &["a command answered again", "a crash while something was stored"]);
}
