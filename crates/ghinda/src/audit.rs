//! `ghinda audit-shuffle`: deals as a server deals, counted and compared with chance.

mod chi_square;
mod dealing;
mod fit;
mod laws;
mod order;
mod report;
mod tally;

use std::io::Write;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use anyhow::{Context, Result, bail};
use game::Rules;
use indicatif::{ProgressBar, ProgressStyle};

use dealing::{MAX_DEALS, PackSource, Production};
use report::AuditReport;
use tally::GameTally;

/// Every way to deal: all packs, all numbers of players.
const CODES: [&str; 7] = ["cruce2", "cruce3", "cruce4t", "whist3", "whist4", "whist5", "whist6"];

/// How many matches a thread deals at once. Only neighbours in a batch are compared with each
/// other, so the size is part of the result.
const BATCH: u64 = 16;

/// The exit code when a test fails.
const EXIT_FAILED: u8 = 1;

/// Deal as a server does and test that the shuffle is fair
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ghinda audit-shuffle                        a hundred million cards
  ghinda audit-shuffle --cards 1000000        a short audit
  ghinda audit-shuffle --seed 7 --json        one that can be repeated

Secrets are drawn as a server draws them. Each leads to a commitment, and with
words of the seats to the seed of a match, whose deals are dealt at a table:
Cruce for two, three and four, whist for three to six, in equal parts. Then
their counts are compared with the exact laws of a fair shuffle by chi-square
tests; docs/shuffle-audit.md explains each of them.

A p-value says how often chance alone is as far from the law. A test fails if it
is below 0.001 divided by the number of tests, so that a fair shuffle fails one
audit of a thousand. The exit code is 0; 1 if a test failed.")]
pub(crate) struct AuditArgs {
    /// How many cards to deal at least
    #[arg(long, value_name = "N", default_value_t = 100_000_000, value_parser = clap::value_parser!(u64).range(1_000_000..=10_000_000_000))]
    cards: u64,
    /// Any text, instead of the randomness of the operating system: the same seed gives the same report
    #[arg(long, value_name = "TEXT")]
    seed: Option<String>,
    /// How many threads [default: the number of processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl AuditArgs {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<ExitCode> {
        let cores = || thread::available_parallelism().map_or(1, usize::from);
        let jobs = self.jobs.map_or_else(cores, usize::from);
        let bar = progress(self.cards);
        let source = Production { seed: self.seed.clone() };
        let tallies = deal_all(&source, self.cards, jobs, &bar)?;
        bar.finish_and_clear();
        let report = AuditReport::new(self.seed.clone(), &tallies);
        match self.json {
            true => writeln!(out, "{}", serde_json::to_string(&report)?)?,
            false => report.write(out)?,
        }
        Ok(if report.passed { ExitCode::SUCCESS } else { ExitCode::from(EXIT_FAILED) })
    }
}

/// A progress bar; it is hidden without a terminal.
fn progress(cards: u64) -> ProgressBar {
    let style = ProgressStyle::with_template(
        "{elapsed_precise} {bar:30} {human_pos}/{human_len} cards, {eta} left",
    );
    ProgressBar::new(cards).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// Deals the matches of every game and counts.
fn deal_all(
    source: &dyn PackSource,
    cards: u64,
    jobs: usize,
    bar: &ProgressBar,
) -> Result<Vec<GameTally>> {
    let mut tallies = Vec::new();
    for code in CODES {
        let rules = Rules::from_code(code)?;
        let deals = (0..MAX_DEALS).filter(|deal| rules.cards_each(*deal).is_some()).count();
        let cards_a_match = (deals * rules.pack().cards().len()) as u64;
        let matches = cards.div_ceil(CODES.len() as u64).div_ceil(cards_a_match);
        let done = |dealt: u64| bar.inc(dealt * cards_a_match);
        tallies.push(deal_game(rules, source, matches, jobs, &done)?);
    }
    Ok(tallies)
}

/// Deals the matches of one game in several threads, a batch at a time.
fn deal_game(
    rules: Rules,
    source: &dyn PackSource,
    matches: u64,
    jobs: usize,
    done: &(dyn Fn(u64) + Sync),
) -> Result<GameTally> {
    let (next, failed) = (AtomicU64::new(0), AtomicBool::new(false));
    let deal = || -> Result<GameTally> {
        let mut tally = GameTally::new(rules);
        while !failed.load(Ordering::Relaxed) {
            let start = next.fetch_add(BATCH, Ordering::Relaxed);
            if start >= matches {
                break;
            }
            let end = matches.min(start + BATCH);
            let dealt = tally.add_matches(source, start..end);
            failed.fetch_or(dealt.is_err(), Ordering::Relaxed);
            dealt.with_context(|| format!("the matches from {start} on could not be dealt"))?;
            done(end - start);
        }
        Ok(tally)
    };
    let mut sum = GameTally::new(rules);
    thread::scope(|scope| {
        let threads: Vec<_> = (0..jobs).map(|_| scope.spawn(deal)).collect();
        for thread in threads {
            match thread.join() {
                Ok(tally) => sum.merge(tally?),
                Err(_) => bail!("a thread of the audit panicked"),
            }
        }
        Ok(sum)
    })
}

#[cfg(test)]
mod tests;
