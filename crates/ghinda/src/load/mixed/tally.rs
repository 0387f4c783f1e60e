//! Counts what clients do, for the lines that are printed.

use std::collections::BTreeMap;
use std::time::Duration;

use hdrhistogram::Histogram;
use serde_json::{Value, json};

type NamedCounts = BTreeMap<String, u64>;

/// The counts since the last line, and those before it.
#[derive(Default)]
pub(super) struct Tally {
    now: TallyPeriod,
    before: TallyPeriod,
}

/// The counts of a period.
struct TallyPeriod {
    /// From an action to its acknowledgement, in microseconds.
    latencies: Histogram<u64>,
    counts: NamedCounts,
    refusals: NamedCounts,
    errors: NamedCounts,
}

impl Default for TallyPeriod {
    fn default() -> TallyPeriod {
        TallyPeriod {
            // Five minutes at most, with three digits: these bounds are always valid.
            latencies: Histogram::new_with_bounds(1, 300_000_000, 3).expect("valid bounds"),
            counts: NamedCounts::new(),
            refusals: NamedCounts::new(),
            errors: NamedCounts::new(),
        }
    }
}

impl TallyPeriod {
    fn add(&mut self, other: TallyPeriod) {
        // Both have the same bounds.
        let _ = self.latencies.add(&other.latencies);
        for (all, more) in [
            (&mut self.counts, other.counts),
            (&mut self.refusals, other.refusals),
            (&mut self.errors, other.errors),
        ] {
            more.into_iter().for_each(|(name, count)| *all.entry(name).or_default() += count);
        }
    }

    fn json(&self) -> Value {
        let ms = |quantile: f64| self.latencies.value_at_quantile(quantile) as f64 / 1000.0;
        json!({
            "actions": self.latencies.len(),
            "p50_ms": ms(0.5),
            "p99_ms": ms(0.99),
            "max_ms": self.latencies.max() as f64 / 1000.0,
            "counts": self.counts,
            "refusals": self.refusals,
            "errors": self.errors,
        })
    }
}

impl Tally {
    /// An action was acknowledged.
    pub(super) fn acknowledged(&mut self, took: Duration) {
        self.now.latencies.saturating_record(took.as_micros() as u64);
    }

    pub(super) fn count(&mut self, what: &str) {
        *self.now.counts.entry(what.to_owned()).or_default() += 1;
    }

    pub(super) fn refused(&mut self, reason: String) {
        *self.now.refusals.entry(reason).or_default() += 1;
    }

    pub(super) fn error(&mut self, kind: String) {
        *self.now.errors.entry(kind).or_default() += 1;
    }

    /// The counts since the last line.
    pub(super) fn take_line(&mut self) -> Value {
        let period = std::mem::take(&mut self.now);
        let line = period.json();
        self.before.add(period);
        line
    }

    /// All counts.
    pub(super) fn totals(&mut self) -> Value {
        self.take_line();
        self.before.json()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_what_came_since_the_last_and_the_totals_have_everything() {
        let mut tally = Tally::default();
        tally.acknowledged(Duration::from_millis(2));
        tally.error("broken".into());
        tally.count("tables");
        assert_eq!(tally.take_line()["errors"]["broken"], 1);
        tally.acknowledged(Duration::from_millis(8));
        tally.count("tables");
        let line = tally.take_line();
        assert_eq!((&line["actions"], &line["errors"]), (&json!(1), &json!({})));
        let totals = tally.totals();
        assert_eq!((&totals["actions"], &totals["counts"]["tables"]), (&json!(2), &json!(2)));
        assert_eq!(totals["max_ms"].as_f64().map(f64::round), Some(8.0));
    }
}
