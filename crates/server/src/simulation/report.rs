//! What simulated worlds did, as `cargo xtask simulate` prints it.

use super::plan::WorldKind;
use super::tally::WorldTally;

/// What must hold in every world. Each is checked where the comment says, in every world.
const INVARIANTS: [&str; 14] = [
    // checks.rs, witness.rs
    "what was acknowledged is stored, and stored once",
    "what is shown to a client is stored",
    "a command that is done is never refused when it is sent again",
    "every request ends once the store answers",
    "a healthy world goes on until every client has what it came for",
    "a log that cannot be written costs only itself",
    "no task spins: steps need inputs or time",
    "every queue stays within its bound",
    "nothing panics but a bot, and that costs its own answer",
    "when all have left, tasks, connections, requests and all pools of memory are back to zero",
    "who sits where, as it is stored, agrees with the logs",
    "a server that has stopped has no task, and its runtime none at the end",
    "nothing is closed or removed before its time, and nothing outlives it",
    "a record is given when its deals are played everywhere, and not before",
];

/// What goes wrong on purpose. All else in a tally is what clients did and got.
const FAULTS: [&str; 32] = [
    "a bot that never answers",
    "a bot that panicked",
    "a client that reads slowly",
    "a connection lost",
    "a connection that found no place",
    "a command sent again",
    "a crash",
    "a failed operation",
    "a flood",
    "a full disk",
    "a job that found no place",
    "a job without an answer",
    "a late answer",
    "a late answer of a bot",
    "a lost answer, done",
    "a lost answer, not done",
    "a read-only store",
    "a request abandoned",
    "a start that failed",
    "a start with a wrong clock",
    "a stop",
    "a store that is gone",
    "a sweep that failed",
    "an append refused",
    "an answer that came too late",
    "an answer to an old question",
    "an archiving that failed",
    "an illegal action of a bot",
    "an immediate answer of a bot",
    "an unreadable table",
    "a session expired",
    "a session that expired under a wrong clock",
];

fn is_fault(what: &str) -> bool {
    FAULTS.contains(&what) || what.starts_with("a quota that was reached")
}

/// Prints the worlds of a kind that have passed, from a seed on.
pub(super) fn print(kind: WorldKind, (first, worlds): (u64, u64), tally: &WorldTally) {
    let seeds = format!("seeds {first} to {}", first + worlds.saturating_sub(1));
    let (faults, actions): (Vec<_>, Vec<_>) = tally.counts().partition(|(what, _)| is_fault(what));
    let sum = |part: &[(&str, u64)]| part.iter().map(|(_, times)| times).sum::<u64>();
    println!(
        "\n{kind:?}: {worlds} worlds ({seeds}), {} actions and answers, {} faults, {} invariants, none broken",
        sum(&actions),
        sum(&faults),
        INVARIANTS.len()
    );
    for (title, part) in [("faults", faults), ("actions and answers", actions)] {
        println!("  {title}");
        part.iter().for_each(|(what, times)| println!("{times:>11} {what}"));
    }
    println!("  the largest sizes");
    tally.sizes().for_each(|(what, size)| println!("{size:>11} {what}"));
    println!("  invariants, checked in every world");
    INVARIANTS.iter().for_each(|what| println!("            {what}"));
}
