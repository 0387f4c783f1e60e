//! The maximum of moves per second that a server can handle, found by raising the rate.

use anyhow::Result;

use super::process::ServerFigures;

/// The limit for the time of a move, in 99 of 100 cases.
pub(super) const LIMIT_MS: f64 = 50.0;
/// Below this many moves per second the search ends.
const MIN_RATE: f64 = 20.0;
/// If a higher rate gives less than this factor more, the server is full.
const FULL: f64 = 1.05;

/// Late moves are measured again if the median is this many times below the limit.
const HICCUP: f64 = 5.0;

/// The plan of a search: the first rate, the factor of a step, and how often the last step is
/// halved.
#[derive(Clone, Copy)]
pub(super) struct Plan {
    pub(super) start: f64,
    pub(super) factor: f64,
    pub(super) halvings: usize,
}

/// The best measurement within the limit, and the rate that was requested.
#[derive(Clone, Copy, Debug)]
pub(super) struct Best {
    pub(super) requested: f64,
    pub(super) measured: ServerFigures,
}

/// Each table has one unanswered move at a time, so a full server answers fewer moves than
/// requested: the answered moves count.
pub(super) fn search(
    plan: Plan,
    mut measure: impl FnMut(f64) -> Result<ServerFigures>,
) -> Result<Option<Best>> {
    let mut measure_at = |requested: f64| -> Result<Option<Best>> {
        let mut measured = measure(requested)?;
        if measured.p99_ms >= LIMIT_MS && measured.p50_ms < LIMIT_MS / HICCUP {
            // The server is not full: the machine was busy for a moment.
            measured = measure(requested)?;
        }
        Ok((measured.p99_ms < LIMIT_MS).then_some(Best { requested, measured }))
    };
    let mut requested = plan.start;
    let mut best = measure_at(requested)?;
    let mut too_much = requested;
    if best.is_none() {
        while best.is_none() && requested / plan.factor >= MIN_RATE {
            too_much = requested;
            requested /= plan.factor;
            best = measure_at(requested)?;
        }
    } else {
        loop {
            requested *= plan.factor;
            too_much = requested;
            let grown = measure_at(requested)?.filter(|more| is_better(more, &best, FULL));
            if grown.is_none() {
                break;
            }
            best = grown;
        }
    }
    let Some(mut low) = best.map(|best| best.requested) else { return Ok(None) };
    for _ in 0..plan.halvings {
        requested = (low * too_much).sqrt();
        match measure_at(requested)?.filter(|more| is_better(more, &best, 1.0)) {
            Some(more) => (best, low) = (Some(more), requested),
            None => too_much = requested,
        }
    }
    Ok(best)
}

fn is_better(more: &Best, best: &Option<Best>, by: f64) -> bool {
    best.is_none_or(|best| more.measured.moves_per_second > by * best.measured.moves_per_second)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A server that can handle `max` moves per second, with 200 tables.
    fn server(max: f64) -> impl Fn(f64) -> Result<ServerFigures> {
        move |requested| {
            let moves_per_second = requested.min(max);
            let p99_ms = if requested > max { 1000.0 * 200.0 / max } else { 1.0 };
            Ok(ServerFigures {
                moves_per_second,
                p50_ms: p99_ms / 2.0,
                p99_ms,
                cores: 1.0,
                clients_cores: 1.0,
                kib: 1.0,
            })
        }
    }

    const PLAN: Plan = Plan { start: 500.0, factor: 2.0, halvings: 4 };

    #[test]
    fn the_maximum_is_found_from_below_and_from_above() {
        for max in [90.0, 700.0, 3300.0] {
            let found = search(PLAN, server(max)).unwrap().unwrap().measured.moves_per_second;
            assert!(found <= max && found > 0.9 * max, "{found} of {max}");
        }
    }

    #[test]
    fn a_full_server_with_low_latency_is_full() {
        let found = search(PLAN, server(20_000.0)).unwrap().unwrap();
        assert_eq!(found.measured.moves_per_second, 20_000.0);
    }

    #[test]
    fn a_hiccup_of_the_machine_is_measured_again() {
        let mut measurements = 0;
        let once_late = |requested: f64| {
            measurements += 1;
            let measured = server(3000.0)(requested)?;
            Ok(if measurements == 1 {
                ServerFigures { p99_ms: 300.0, ..measured }
            } else {
                measured
            })
        };
        let found = search(PLAN, once_late).unwrap().unwrap().measured.moves_per_second;
        assert!(found > 2700.0, "{found}");
    }

    #[test]
    fn a_server_that_is_always_late_has_no_best() {
        assert!(search(PLAN, server(10.0)).unwrap().is_none());
    }
}
