//! The verdicts about a soak.

use super::figures::{SoakFigures, SoakWindow};

/// How much the memory may grow between two parts of a run, or of the life of a process: this share
/// and this many MiB.
const MEMORY_SHARE: f64 = 0.10;
const MEMORY_MIB: f64 = 4.0;
/// How much the times may grow between two parts of a run: this factor and this many ms.
const P99_FACTOR: f64 = 1.5;
const P99_MS: f64 = 10.0;
/// How much the bytes of an event may grow between two parts of a run: this share, or this many MiB in
/// all, as databases grow in steps.
const DISK_SHARE: f64 = 0.25;
const DISK_MIB: f64 = 8.0;
/// A run of this many seconds must have ended slow readers. In a shorter one the server may have been killed
/// before.
const LONG_RUN: f64 = 600.0;
/// The fewest windows of a part that is compared.
const FEWEST: usize = 6;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Judgement {
    Passed,
    Failed,
    /// The run was too short to tell.
    NotJudged,
}

/// One verdict.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SoakVerdict {
    pub(super) name: &'static str,
    pub(super) judgement: Judgement,
    /// What was found, with the tolerance.
    pub(super) found: String,
}

impl SoakVerdict {
    fn new(name: &'static str, passed: bool, found: String) -> SoakVerdict {
        let judgement = if passed { Judgement::Passed } else { Judgement::Failed };
        SoakVerdict { name, judgement, found }
    }

    fn too_short(name: &'static str, needed: &str) -> SoakVerdict {
        let found = format!("the run is too short: {needed}");
        SoakVerdict { name, judgement: Judgement::NotJudged, found }
    }

    pub(super) fn has_failed(&self) -> bool {
        self.judgement == Judgement::Failed
    }
}

/// All verdicts.
pub(super) fn judge(figures: &SoakFigures) -> Vec<SoakVerdict> {
    vec![
        actions(figures),
        logs(figures),
        memory_over_run(figures),
        memory_of_processes(figures),
        p99(figures),
        disk(figures),
        undisturbed(figures),
        slow_readers(figures),
        server_log(figures),
        lives(figures),
    ]
}

/// Every acknowledged action is stored once.
fn actions(figures: &SoakFigures) -> SoakVerdict {
    let check = figures.end.clone().unwrap_or_default().check;
    let passed = check.acknowledged > 0 && check.lost == 0 && check.doubled == 0;
    let found = format!(
        "{} acknowledged actions: {} lost, {} doubled",
        check.acknowledged, check.lost, check.doubled
    );
    SoakVerdict::new("no action is lost or doubled", passed, found)
}

/// Every stored log can be played again.
fn logs(figures: &SoakFigures) -> SoakVerdict {
    let check = figures.end.clone().unwrap_or_default().check;
    let found = format!(
        "{} logs with {} events: {} unreadable",
        check.logs, check.events, check.unreadable
    );
    SoakVerdict::new(
        "every log can be played again",
        check.logs > 0 && check.unreadable == 0,
        found,
    )
}

fn memory_over_run(figures: &SoakFigures) -> SoakVerdict {
    const NAME: &str = "memory is flat over the run";
    let quarter = |from, to| mean_rss(figures.part(from, to).iter());
    let (Some(second), Some(last)) = (quarter(0.25, 0.5), quarter(0.75, 1.0)) else {
        return SoakVerdict::too_short(
            NAME,
            "both quarters need a minute of a process of two minutes",
        );
    };
    let found = format!(
        "second quarter {second:.1} MiB, last quarter {last:.1} MiB; allowed {:.1}",
        allowed(second)
    );
    SoakVerdict::new(NAME, last <= allowed(second), found)
}

/// A process does not grow while it lives. Only those count that live for some time after they have
/// settled; the median of them decides, as one may be busier by chance.
fn memory_of_processes(figures: &SoakFigures) -> SoakVerdict {
    const NAME: &str = "memory of a process is flat";
    let windows = figures.windows();
    let mut growths: Vec<(f64, f64)> = Vec::new();
    for process in 0..=figures.restarts.len() {
        let settled = |window: &&SoakWindow| window.process == process && window.is_settled;
        let settled: Vec<&SoakWindow> = windows.iter().filter(settled).collect();
        let (early, late) = settled.split_at(settled.len() / 2);
        let means = mean_rss(early.iter().copied()).zip(mean_rss(late.iter().copied()));
        growths.extend(means);
    }
    growths.sort_by(|one, other| (one.1 - one.0).total_cmp(&(other.1 - other.0)));
    let Some((early, late)) = growths.get(growths.len() / 2) else {
        return SoakVerdict::too_short(NAME, "no process lives for four minutes");
    };
    let found = format!(
        "median of {} processes: first half {early:.1} MiB, second half {late:.1} MiB; allowed {:.1}",
        growths.len(),
        allowed(*early)
    );
    SoakVerdict::new(NAME, *late <= allowed(*early), found)
}

fn allowed(mib: f64) -> f64 {
    mib * (1.0 + MEMORY_SHARE) + MEMORY_MIB
}

fn mean_rss<'a>(windows: impl Iterator<Item = &'a SoakWindow>) -> Option<f64> {
    let settled = windows.filter(|window| window.is_settled);
    let values: Vec<f64> = settled.filter_map(|window| Some(window.server?.rss_mib)).collect();
    (values.len() >= FEWEST).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The time from an action to its acknowledgement, apart from restarts.
fn p99(figures: &SoakFigures) -> SoakVerdict {
    const NAME: &str = "p99 is flat";
    let quarter = |from, to| {
        let windows = figures.part(from, to).into_iter();
        let calm = windows.filter(|window| !window.is_disturbed);
        let mut values: Vec<f64> = calm.map(|window| window.line.p99_ms).collect();
        values.sort_by(f64::total_cmp);
        (values.len() >= FEWEST).then(|| values[values.len() / 2])
    };
    let (Some(second), Some(last)) = (quarter(0.25, 0.5), quarter(0.75, 1.0)) else {
        return SoakVerdict::too_short(NAME, "both quarters need a minute without restarts");
    };
    let allowed = second * P99_FACTOR + P99_MS;
    let found = format!(
        "medians without restarts: second quarter {second:.1} ms, last quarter {last:.1} ms; \
         allowed {allowed:.1}"
    );
    SoakVerdict::new(NAME, last <= allowed, found)
}

/// The database grows as the number of its events does. The first quarter is left out, in which the
/// write-ahead log gets its size.
fn disk(figures: &SoakFigures) -> SoakVerdict {
    const NAME: &str = "disk grows with the stored events";
    let windows = figures.windows();
    let stored = figures.end.as_ref().map_or(&[][..], |end| &end.check.stored);
    let Some((second, last)) =
        growth(&windows, stored, 0.25, 0.5).zip(growth(&windows, stored, 0.75, 1.0))
    else {
        return SoakVerdict::too_short(NAME, "both quarters need samples and stored events");
    };
    let (before, after) = (second.bytes / second.events, last.bytes / last.events);
    let excess_mib = (after - before) * last.events / (1024.0 * 1024.0);
    let passed = after <= before * (1.0 + DISK_SHARE) || excess_mib <= DISK_MIB;
    let found = format!(
        "second quarter {before:.0} bytes an event, last quarter {after:.0}; allowed {:.0}, or \
         {DISK_MIB:.0} MiB more in all",
        before * (1.0 + DISK_SHARE)
    );
    SoakVerdict::new(NAME, passed, found)
}

/// By how much the database has grown, and by how many events.
struct DiskGrowth {
    bytes: f64,
    events: f64,
}

/// The growth between two shares of the run; None without samples or events.
fn growth(windows: &[SoakWindow], stored: &[u64], from: f64, to: f64) -> Option<DiskGrowth> {
    let at = |share: f64| (share * windows.len() as f64) as usize;
    let sampled = |at: usize| Some((at, windows.get(at)?.server?.disk_mib));
    // Around a restart a window may have no sample.
    let (first, before) = (at(from)..at(to)).find_map(sampled)?;
    let (last, after) = (at(from)..at(to)).rev().find_map(sampled)?;
    let events: u64 = stored.iter().take(last + 1).skip(first + 1).sum();
    let bytes = (after - before) * 1024.0 * 1024.0;
    (events > 0).then_some(DiskGrowth { bytes, events: events as f64 })
}

/// While the server runs, good clients see no errors, and never a wrong answer.
fn undisturbed(figures: &SoakFigures) -> SoakVerdict {
    let windows = figures.windows();
    let calm = || windows.iter().filter(|window| !window.is_disturbed);
    let errors: u64 = calm().map(SoakWindow::errors).sum();
    let idle = calm().filter(|window| window.is_whole() && window.line.actions == 0).count();
    let kinds = calm().flat_map(|window| window.line.errors.keys());
    let mut kinds: Vec<&str> = kinds.map(String::as_str).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let list = if kinds.is_empty() { String::new() } else { format!(": {}", kinds.join(", ")) };
    let faults = figures.load_faults.len();
    let found = format!(
        "apart from restarts {errors} errors{list}; {idle} windows without actions; {faults} wrong answers"
    );
    SoakVerdict::new(
        "clients are disturbed by restarts alone",
        errors + faults as u64 == 0 && idle == 0,
        found,
    )
}

/// Clients that ask for a large ledger and hardly read it lose their connection.
fn slow_readers(figures: &SoakFigures) -> SoakVerdict {
    const NAME: &str = "slow readers are ended";
    let counts = figures.end.as_ref().map(|end| &end.counts);
    let count = |name: &str| counts.and_then(|counts| counts.get(name)).copied().unwrap_or(0);
    // The names that `ghinda load --mixed` gives them.
    let ended = count("slow readers that were ended");
    if ended == 0 && figures.seconds() < LONG_RUN {
        return SoakVerdict::too_short(NAME, "it needs ten minutes");
    }
    let found = format!(
        "{ended} connections that hardly read were ended, in {} rounds",
        count("rounds of slow readers")
    );
    SoakVerdict::new(NAME, ended > 0, found)
}

fn server_log(figures: &SoakFigures) -> SoakVerdict {
    let faults = &figures.log_faults;
    let first = faults.first().map(|fault| format!(", the first: {fault}")).unwrap_or_default();
    let found = format!("{} panics and errors{first}", faults.len());
    SoakVerdict::new("the server logs no panic and no error", faults.is_empty(), found)
}

fn lives(figures: &SoakFigures) -> SoakVerdict {
    let restarts = figures.restarts.len();
    let found = format!(
        "{restarts} restart{}, {} because it had ended by itself",
        if restarts == 1 { "" } else { "s" },
        figures.ended_by_itself
    );
    SoakVerdict::new("the server ends only when it is killed", figures.ended_by_itself == 0, found)
}

#[cfg(test)]
mod tests {
    use super::super::figures::Restart;
    use super::super::figures::made_up::hour;
    use super::*;

    /// The names of the verdicts that are not passed, after a change of figures that pass.
    fn failed_after(change: impl Fn(&mut SoakFigures)) -> Vec<&'static str> {
        let mut figures = hour();
        change(&mut figures);
        let verdicts = judge(&figures);
        verdicts.iter().filter(|verdict| verdict.has_failed()).map(|verdict| verdict.name).collect()
    }

    fn check(figures: &mut SoakFigures) -> &mut super::super::figures::StoredCheck {
        &mut figures.end.as_mut().expect("an end").check
    }

    #[test]
    fn a_good_soak_passes_every_verdict() {
        for verdict in judge(&hour()) {
            assert_eq!(verdict.judgement, Judgement::Passed, "{verdict:?}");
        }
    }

    #[test]
    fn lost_doubled_and_unreadable_actions_fail() {
        const ACTIONS: &str = "no action is lost or doubled";
        assert_eq!(failed_after(|figures| check(figures).lost = 1), [ACTIONS]);
        assert_eq!(failed_after(|figures| check(figures).doubled = 1), [ACTIONS]);
        assert_eq!(failed_after(|figures| check(figures).acknowledged = 0), [ACTIONS]);
        let unreadable = failed_after(|figures| check(figures).unreadable = 1);
        assert_eq!(unreadable, ["every log can be played again"]);
    }

    #[test]
    fn memory_that_grows_over_the_run_fails() {
        let grows = |figures: &mut SoakFigures| {
            figures.samples.iter_mut().for_each(|sample| sample.rss_mib += sample.at / 100.0);
        };
        assert_eq!(failed_after(grows), ["memory is flat over the run"]);
    }

    #[test]
    fn memory_that_every_process_loses_fails_although_restarts_give_it_back() {
        let leaks = |figures: &mut SoakFigures| {
            for sample in &mut figures.samples {
                sample.rss_mib += (sample.at % 300.0) / 5.0;
            }
        };
        assert_eq!(failed_after(leaks), ["memory of a process is flat"]);
    }

    #[test]
    fn answers_that_get_slower_fail_and_restarts_do_not_count() {
        let slower = |figures: &mut SoakFigures| {
            figures.lines.iter_mut().for_each(|line| line.p99_ms += line.at / 60.0);
        };
        assert_eq!(failed_after(slower), ["p99 is flat"]);
        let late = |figures: &mut SoakFigures| {
            for line in figures.lines.iter_mut().filter(|line| line.at > 1800.0) {
                // Only where a restart is.
                line.p99_ms *= if line.p99_ms > 1_000.0 { 3.0 } else { 1.0 };
            }
        };
        assert_eq!(failed_after(late), [""; 0]);
    }

    #[test]
    fn a_database_that_grows_faster_than_its_events_fails() {
        let grows = |figures: &mut SoakFigures| {
            for sample in &mut figures.samples {
                sample.disk_mib += (sample.at - 1800.0).max(0.0) / 50.0;
            }
        };
        assert_eq!(failed_after(grows), ["disk grows with the stored events"]);
        // Twice as many bytes for twice as many events.
        let busier = |figures: &mut SoakFigures| {
            for sample in &mut figures.samples {
                sample.disk_mib += (sample.at - 1800.0).max(0.0) / 36.0;
            }
            let check = check(figures);
            check.stored[181..].iter_mut().for_each(|events| *events *= 2);
        };
        assert_eq!(failed_after(busier), [""; 0]);
    }

    #[test]
    fn wrong_answers_fail_also_around_restarts() {
        let wrong = failed_after(|figures| figures.load_faults.push("a record is wrong".into()));
        assert_eq!(wrong, ["clients are disturbed by restarts alone"]);
    }

    #[test]
    fn errors_while_the_server_runs_fail() {
        let calm = failed_after(|figures| {
            figures.lines[100].errors.insert("a connection broke".into(), 1);
        });
        assert_eq!(calm, ["clients are disturbed by restarts alone"]);
        let idle = failed_after(|figures| {
            figures.lines[100].actions = 0;
        });
        assert_eq!(idle, ["clients are disturbed by restarts alone"]);
    }

    #[test]
    fn a_server_that_waits_for_slow_readers_fails_if_the_run_is_long_enough() {
        let none_ended = |figures: &mut SoakFigures| {
            let end = figures.end.as_mut().expect("an end");
            end.counts.remove("slow readers that were ended").expect("some are ended");
        };
        assert_eq!(failed_after(none_ended), ["slow readers are ended"]);
        let short = |figures: &mut SoakFigures| {
            none_ended(figures);
            figures.lines.truncate(59);
        };
        assert_eq!(failed_after(short), [""; 0]);
    }

    #[test]
    fn panics_and_crashes_of_the_server_fail() {
        let panics = failed_after(|figures| figures.log_faults.push("panicked at x".into()));
        assert_eq!(panics, ["the server logs no panic and no error"]);
        let ended = failed_after(|figures| figures.ended_by_itself = 1);
        assert_eq!(ended, ["the server ends only when it is killed"]);
    }

    #[test]
    fn what_is_too_short_is_not_judged() {
        let mut short = hour();
        short.lines.truncate(18);
        short.samples.retain(|sample| sample.at < 180.0);
        short.restarts = vec![Restart { at: 60.0, ready_after: 1.0 }];
        let not_judged = judge(&short)
            .into_iter()
            .filter(|verdict| verdict.judgement == Judgement::NotJudged)
            .map(|verdict| verdict.name);
        assert_eq!(
            not_judged.collect::<Vec<_>>(),
            ["memory is flat over the run", "memory of a process is flat", "p99 is flat"]
        );
    }
}
