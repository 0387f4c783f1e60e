//! The most moves a second that a server bears, found by raising the rate.

use anyhow::Result;

use super::process::ServerFigures;

/// A move may take so long, in all but one case of a hundred.
pub(super) const LIMIT_MS: f64 = 50.0;
/// Below this many moves a second it is no use to look.
const HOPELESS: f64 = 20.0;
/// When more is asked and less than this share more comes, the server is full.
const FULL: f64 = 1.05;

/// Late moves are looked at again when half of all moves are so many times below the limit.
const HICCUP: f64 = 5.0;

/// How to look: where to begin, how far to step, and how often to halve the last step.
#[derive(Clone, Copy)]
pub(super) struct Plan {
    pub(super) start: f64,
    pub(super) factor: f64,
    pub(super) halvings: usize,
}

/// The best that was measured within the limit, and the rate that was asked for then.
#[derive(Clone, Copy, Debug)]
pub(super) struct Best {
    pub(super) asked: f64,
    pub(super) measured: ServerFigures,
}

/// Each table has one move under way at a time, so a full server is asked for more than it gives:
/// what counts is what came back.
pub(super) fn search(
    plan: Plan,
    mut measure: impl FnMut(f64) -> Result<ServerFigures>,
) -> Result<Option<Best>> {
    let mut look = |asked: f64| -> Result<Option<Best>> {
        let mut measured = measure(asked)?;
        if measured.p99_ms >= LIMIT_MS && measured.p50_ms < LIMIT_MS / HICCUP {
            // The server is not full: the machine did something else for a moment.
            measured = measure(asked)?;
        }
        Ok((measured.p99_ms < LIMIT_MS).then_some(Best { asked, measured }))
    };
    let mut asked = plan.start;
    let mut best = look(asked)?;
    let mut too_much = asked;
    if best.is_none() {
        while best.is_none() && asked / plan.factor >= HOPELESS {
            too_much = asked;
            asked /= plan.factor;
            best = look(asked)?;
        }
    } else {
        loop {
            asked *= plan.factor;
            too_much = asked;
            let grown = look(asked)?.filter(|more| is_more(more, &best, FULL));
            if grown.is_none() {
                break;
            }
            best = grown;
        }
    }
    let Some(mut low) = best.map(|best| best.asked) else { return Ok(None) };
    for _ in 0..plan.halvings {
        asked = (low * too_much).sqrt();
        match look(asked)?.filter(|more| is_more(more, &best, 1.0)) {
            Some(more) => (best, low) = (Some(more), asked),
            None => too_much = asked,
        }
    }
    Ok(best)
}

fn is_more(more: &Best, best: &Option<Best>, by: f64) -> bool {
    best.is_none_or(|best| more.measured.moves_a_second > by * best.measured.moves_a_second)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A server that bears so many moves a second, with 200 tables.
    fn server(most: f64) -> impl Fn(f64) -> Result<ServerFigures> {
        move |asked| {
            let moves_a_second = asked.min(most);
            let p99_ms = if asked > most { 1000.0 * 200.0 / most } else { 1.0 };
            Ok(ServerFigures {
                moves_a_second,
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
    fn the_most_is_found_from_below_and_from_above() {
        for most in [90.0, 700.0, 3300.0] {
            let found = search(PLAN, server(most)).unwrap().unwrap().measured.moves_a_second;
            assert!(found <= most && found > 0.9 * most, "{found} of {most}");
        }
    }

    #[test]
    fn a_full_server_that_stays_quick_is_full() {
        let found = search(PLAN, server(20_000.0)).unwrap().unwrap();
        assert_eq!(found.measured.moves_a_second, 20_000.0);
    }

    #[test]
    fn a_hiccup_of_the_machine_is_looked_at_again() {
        let mut looks = 0;
        let once_late = |asked: f64| {
            looks += 1;
            let measured = server(3000.0)(asked)?;
            Ok(if looks == 1 { ServerFigures { p99_ms: 300.0, ..measured } } else { measured })
        };
        let found = search(PLAN, once_late).unwrap().unwrap().measured.moves_a_second;
        assert!(found > 2700.0, "{found}");
    }

    #[test]
    fn a_server_that_is_always_late_has_no_best() {
        assert!(search(PLAN, server(10.0)).unwrap().is_none());
    }
}
