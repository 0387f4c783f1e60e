//! Measures a draw, a result and the standings in a small and in the largest contest:
//! `cargo run --release -p contest --example timings`.

use std::hint::black_box;
use std::time::{Duration, Instant};

use cards::BySide;
use contest::urn;
use contest::{
    Contest, ContestChange, ContestEntry, ContestSettings, ContestTableId, MatchOutcome, Party,
    Role, Venue,
};
use game::Rules;
use game::fair::Secret;

const ROUNDS: u32 = 200;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("{:>9}  {:>9}  {:>9}  {:>9}", "entrants", "draw", "result", "standings");
    for entrants in [8, 64, 1024] {
        let rules = Rules::from_code("contest")?;
        let settings = ContestSettings::new("Cup".parse()?, "cup".parse()?, rules, Venue::Hall)?;
        let mut contest = Contest::new(settings.clone());
        let names = (1..=entrants).map(|number| format!("Player {number}").parse());
        let parties: Result<Vec<Party>, _> = names.map(|name| name.map(Party::Alone)).collect();
        act(&mut contest, ContestChange::Enter(parties?))?;
        let secret = Secret::from_phrase("timings");
        act(&mut contest, ContestChange::Commit(urn::commitment(&settings, 0, &secret)))?;
        let draw = ContestChange::Draw { secret, words: Vec::new() };
        let drawing = timed(ROUNDS, || {
            let mut drawn = contest.clone();
            black_box(act(&mut drawn, draw.clone())).is_ok()
        });
        act(&mut contest, draw)?;
        let tables = entrants / 4;
        let outcome = MatchOutcome::played(BySide::from_slice(&[21, 5, 7, 0]).unwrap_or_default());
        let mut next = 0;
        let entering = timed(ROUNDS * 10, || {
            let table = ContestTableId { phase: 0, table: next % tables };
            next += 1;
            act(&mut contest, ContestChange::Rule { table, outcome }).is_ok()
        });
        let looking = timed(ROUNDS, || black_box(contest.standings()).len() == entrants);
        println!("{entrants:>9}  {drawing:>9.1?}  {entering:>9.1?}  {looking:>9.1?}");
    }
    Ok(())
}

fn act(contest: &mut Contest, change: ContestChange) -> Result<(), contest::ContestRefusal> {
    let entry: ContestEntry = contest.decide(0, Role::Organiser, change)?;
    contest.apply(&entry)
}

/// The mean time of a call that must succeed.
#[allow(clippy::disallowed_methods, reason = "a measurement needs a clock")]
fn timed(rounds: u32, mut work: impl FnMut() -> bool) -> Duration {
    let start = Instant::now();
    for _ in 0..rounds {
        assert!(work());
    }
    start.elapsed() / rounds
}
