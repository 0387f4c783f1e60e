//! Two bots against each other. Threads share the deals, and the results are put in order, so that
//! the number of threads does not change the result.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use anyhow::{Context, Result};
use indicatif::ProgressBar;

use crate::contender::{ArenaPlayer, Contender, Terms};
use crate::play::{self, DuplicateOutcome};
use crate::seating::Seating;
use crate::seeds::DuplicateSeeds;

/// What is played with every seating.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// A single deal.
    Deal,
    /// A whole match.
    Match,
}

/// The conditions of an arena, without the bots.
pub struct Arrangement {
    /// The terms of the bots.
    pub terms: Terms,
    /// The seed of all deals.
    pub seed: String,
    /// What a duplicate is.
    pub unit: Unit,
    /// How many duplicates are played.
    pub count: usize,
    /// How many threads play.
    pub jobs: usize,
}

impl Arrangement {
    /// Plays every duplicate and returns the outcomes in order.
    pub fn play(
        &self,
        contenders: [&Contender; 2],
        bar: &ProgressBar,
    ) -> Result<Vec<DuplicateOutcome>> {
        let seatings = Seating::all(&self.terms.rules);
        let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
        let (done, results) = mpsc::channel();
        let mut outcomes: Vec<Option<DuplicateOutcome>> = vec![None; self.count];
        thread::scope(|scope| {
            for _ in 0..self.jobs.min(self.count) {
                let done = done.clone();
                let (seatings, next, failed) = (&seatings, &next, &failed);
                scope.spawn(move || {
                    let mut players = contenders.map(|contender| contender.player(&self.terms));
                    while !failed.load(Ordering::Relaxed) {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= self.count {
                            return;
                        }
                        let outcome = self.duplicate(number, seatings, &mut players);
                        failed.fetch_or(outcome.is_err(), Ordering::Relaxed);
                        // The receiver is gone only after a failure.
                        let _ = done.send((number, outcome));
                    }
                });
            }
            drop(done);
            for (number, outcome) in results {
                outcomes[number] = Some(outcome?);
                bar.inc(1);
            }
            anyhow::Ok(())
        })?;
        outcomes.into_iter().collect::<Option<_>>().context("a deal was not played")
    }

    fn duplicate(
        &self,
        number: usize,
        seatings: &[Seating],
        players: &mut [ArenaPlayer; 2],
    ) -> Result<DuplicateOutcome> {
        let seeds = DuplicateSeeds { rules: self.terms.rules, seed: &self.seed, number };
        match self.unit {
            Unit::Deal => play::deal(&seeds, seatings, players),
            Unit::Match => play::whole_match(&seeds, seatings, players),
        }
        .with_context(|| format!("number {} could not be played", number + 1))
    }

    /// The lead of A in each duplicate, as the mean over its seatings.
    pub(crate) fn leads(
        &self,
        outcomes: &[DuplicateOutcome],
        lead: impl Fn(&DuplicateOutcome) -> i64,
    ) -> Vec<f64> {
        let rules = &self.terms.rules;
        let parts = Seating::parts(rules) * Seating::all(rules).len() as i64;
        outcomes.iter().map(|outcome| lead(outcome) as f64 / parts as f64).collect()
    }
}
