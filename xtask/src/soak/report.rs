//! The report of a soak: verdicts and totals as a section of Markdown, and all windows as CSV.

use std::fmt::Write;

use super::figures::{CountsByKind, LoadEnd, ServerSample, SoakFigures, SoakWindow};
use super::verdicts::{Judgement, SoakVerdict};
use crate::servers::plot::grouped;

/// How many rows the table over time has.
const ROWS: usize = 12;

impl Judgement {
    const fn word(self) -> &'static str {
        match self {
            Judgement::Passed => "passed",
            Judgement::Failed => "FAILED",
            Judgement::NotJudged => "not judged",
        }
    }
}

/// The verdicts for a terminal.
pub(super) fn plain(verdicts: &[SoakVerdict]) -> String {
    let line = |verdict: &SoakVerdict| {
        format!("{:<11} {:<40} {}\n", verdict.judgement.word(), verdict.name, verdict.found)
    };
    let mut lines: String = verdicts.iter().map(line).collect();
    let count = |judgement| verdicts.iter().filter(|it| it.judgement == judgement).count();
    let (passed, failed) = (count(Judgement::Passed), count(Judgement::Failed));
    let _ = write!(lines, "\n{passed} of {} verdicts passed, {failed} failed", verdicts.len());
    match count(Judgement::NotJudged) {
        0 => lines += ".\n",
        open => {
            let _ = writeln!(lines, ", {open} cannot be judged: the run is too short for them.");
        }
    }
    lines
}

/// The section about a soak.
pub(super) fn markdown(command: &str, figures: &SoakFigures, verdicts: &[SoakVerdict]) -> String {
    let mut text = format!(
        "## A soak of {:.0} minutes\n\n```sh\n{command}\n```\n\n\
         ![Memory, disk and p99 over time, with the restarts](soak.svg)\n\n",
        figures.seconds() / 60.0
    );
    text += "| verdict | | found |\n|---|---|---|\n";
    for SoakVerdict { name, judgement, found } in verdicts {
        let _ = writeln!(text, "| {name} | {} | {} |", judgement.word(), cell(found));
    }
    let end = figures.end.clone().unwrap_or_default();
    text += &totals(figures, &end);
    text += &over_time(figures);
    text += &kinds("What clients did", &end.counts);
    text += &kinds("Refused commands", &end.refusals);
    text += &kinds("Errors, mostly while the server was away", &end.total.errors);
    let faults = end.check.faults.iter().chain(&figures.log_faults).chain(&figures.load_faults);
    let faults: Vec<String> = faults.take(30).map(|fault| format!("- `{fault}`\n")).collect();
    if !faults.is_empty() {
        let _ = write!(text, "\nFaults:\n\n{}", faults.concat());
    }
    text
}

fn totals(figures: &SoakFigures, end: &LoadEnd) -> String {
    let ready: Vec<f64> = figures.restarts.iter().map(|one| one.ready_after * 1000.0).collect();
    let most = |value: fn(&ServerSample) -> f64| {
        let values = figures.samples.iter().map(value);
        values.fold(0.0, f64::max)
    };
    let disk = figures.samples.last().map_or(0.0, |sample| sample.disk_mib);
    let rows = [
        ("acknowledged actions", whole(end.total.actions)),
        ("actions a second", format!("{:.0}", end.total.actions as f64 / end.total.at.max(1.0))),
        ("stored events, logs", format!("{}, {}", whole(end.check.events), whole(end.check.logs))),
        (
            "from an action to its acknowledgement, 50 % / 99 % / maximum, restarts included",
            format!(
                "{:.1} / {:.1} / {:.0} ms",
                end.total.p50_ms, end.total.p99_ms, end.total.max_ms
            ),
        ),
        ("restarts", figures.restarts.len().to_string()),
        (
            "from a kill until the server is ready: the first, the last, the maximum",
            format!(
                "{:.0}, {:.0}, {:.0} ms",
                ready.first().copied().unwrap_or(0.0),
                ready.last().copied().unwrap_or(0.0),
                ready.iter().copied().fold(0.0, f64::max)
            ),
        ),
        ("memory, maximum", format!("{:.0} MiB", most(|sample| sample.rss_mib))),
        (
            "open files, threads, WebSockets, maximum",
            format!(
                "{:.0}, {:.0}, {:.0}",
                most(|sample| sample.files),
                most(|sample| sample.threads),
                most(|sample| sample.sockets)
            ),
        ),
        ("database at the end", format!("{disk:.0} MiB")),
    ];
    let mut text = "\n| total | |\n|---|---|\n".to_owned();
    for (name, value) in rows {
        let _ = writeln!(text, "| {name} | {value} |");
    }
    text
}

/// A table with a row for each twelfth of the run.
fn over_time(figures: &SoakFigures) -> String {
    let windows = figures.part(0.0, 1.0);
    let decimals = if figures.seconds() < 1800.0 { 1 } else { 0 };
    let mut text =
        "\n| minute | memory, MiB | files | threads | disk, MiB | tables, ledgers in memory | \
                    actions a second | p50, p99, ms |\n|---|---|---|---|---|---|---|---|\n"
            .to_owned();
    for row in windows.chunks(windows.len().div_ceil(ROWS).max(1)) {
        let server: Vec<ServerSample> = row.iter().filter_map(|window| window.server).collect();
        let mean = |value: fn(&ServerSample) -> f64| {
            server.iter().map(value).sum::<f64>() / server.len().max(1) as f64
        };
        let median = |value: fn(&SoakWindow) -> f64| {
            let mut values: Vec<f64> = row.iter().map(value).collect();
            values.sort_by(f64::total_cmp);
            values.get(values.len() / 2).copied().unwrap_or(0.0)
        };
        let _ = writeln!(
            text,
            "| {:.decimals$} | {:.1} | {:.0} | {:.0} | {:.1} | {:.0}, {:.0} | {:.0} | {:.1}, {:.1} |",
            row.first().map_or(0.0, |window| window.from) / 60.0,
            mean(|sample| sample.rss_mib),
            mean(|sample| sample.files),
            mean(|sample| sample.threads),
            mean(|sample| sample.disk_mib),
            mean(|sample| sample.tables),
            mean(|sample| sample.ledgers),
            median(SoakWindow::actions_per_second),
            median(|window| window.line.p50_ms),
            median(|window| window.line.p99_ms),
        );
    }
    text
}

/// CountsByKind by kind, as a sentence.
fn kinds(title: &str, counts: &CountsByKind) -> String {
    if counts.is_empty() {
        return String::new();
    }
    let list: Vec<String> =
        counts.iter().map(|(name, count)| format!("{} {name}", whole(*count))).collect();
    format!("\n{title}: {}.\n", list.join(", "))
}

fn whole(count: u64) -> String {
    grouped(count as f64)
}

/// A text that may stand in a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// All windows, one a line.
pub(super) fn csv(figures: &SoakFigures) -> String {
    let mut text =
        "from,to,process,disturbed,rss_mib,files,threads,disk_mib,tables,ledgers,sockets,\
                    actions,p50_ms,p99_ms,max_ms,errors\n"
            .to_owned();
    for window in figures.windows() {
        let server = window.server.map_or_else(
            || ",,,,,,".to_owned(),
            |server| {
                format!(
                    "{:.2},{:.1},{:.1},{:.3},{:.1},{:.1},{:.1}",
                    server.rss_mib,
                    server.files,
                    server.threads,
                    server.disk_mib,
                    server.tables,
                    server.ledgers,
                    server.sockets
                )
            },
        );
        let line = &window.line;
        let _ = writeln!(
            text,
            "{:.1},{:.1},{},{},{server},{},{:.2},{:.2},{:.2},{}",
            window.from,
            window.to,
            window.process,
            u8::from(window.is_disturbed),
            line.actions,
            line.p50_ms,
            line.p99_ms,
            line.max_ms,
            window.errors()
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::figures::made_up::hour;
    use super::super::verdicts::judge;
    use super::*;

    #[test]
    fn the_report_has_the_verdicts_the_totals_and_a_row_for_each_twelfth() {
        let mut figures = hour();
        figures.log_faults.push("panicked at x".into());
        let text = markdown("cargo xtask soak", &figures, &judge(&figures));
        assert!(text.starts_with("## A soak of 60 minutes\n\n```sh\ncargo xtask soak\n"));
        assert!(text.contains("| no action is lost or doubled | passed | 720000 acknowledged"));
        assert!(text.contains("| the server logs no panic and no error | FAILED | 1 panics"));
        assert!(text.contains("| restarts | 11 |") && text.contains("- `panicked at x`"));
        assert!(text.contains("What clients did: 9,000 matches, 900 rounds of slow"));
        let rows = text.split("| minute |").nth(1).unwrap().lines().skip(2);
        assert_eq!(rows.take_while(|line| line.starts_with("| ")).count(), ROWS);
    }

    #[test]
    fn what_is_printed_ends_with_how_much_was_judged() {
        let mut figures = hour();
        let last = |figures: &SoakFigures| {
            plain(&judge(figures)).lines().next_back().unwrap_or_default().to_owned()
        };
        assert_eq!(last(&figures), "10 of 10 verdicts passed, 0 failed.");
        figures.ended_by_itself = 1;
        assert_eq!(last(&figures), "9 of 10 verdicts passed, 1 failed.");
        figures.ended_by_itself = 0;
        figures.lines.truncate(18);
        figures.samples.retain(|sample| sample.at < 180.0);
        assert!(last(&figures).ends_with("cannot be judged: the run is too short for them."));
    }

    #[test]
    fn every_window_is_a_line_with_all_columns() {
        let mut figures = hour();
        figures.samples.retain(|sample| sample.at >= 10.0);
        let text = csv(&figures);
        let columns: Vec<usize> = text.lines().map(|line| line.matches(',').count()).collect();
        assert_eq!(columns.len(), 361);
        assert!(columns.iter().all(|commas| *commas == columns[0]), "{text}");
        assert!(text.lines().nth(1).unwrap().starts_with("0.0,10.0,0,0,,,,,,,,2000,"));
    }
}
