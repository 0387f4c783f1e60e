//! What is measured in a soak: samples of the server, lines of the load, restarts; and all of it in
//! windows of about ten seconds.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

/// How long after a restart clients may still be coming back.
const COMING_BACK: f64 = 15.0;
/// How long a process takes until its memory has settled: tables that nobody uses stay for a minute,
/// and those of before are replaced.
pub(super) const SETTLING: f64 = 120.0;
/// The shortest window that is compared with others, in seconds.
const SHORTEST: f64 = 5.0;

/// One sample of the server.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct ServerSample {
    /// Seconds since the beginning.
    pub(super) at: f64,
    pub(super) rss_mib: f64,
    pub(super) threads: f64,
    pub(super) files: f64,
    pub(super) disk_mib: f64,
    pub(super) tables: f64,
    pub(super) ledgers: f64,
    pub(super) sockets: f64,
}

pub(super) type CountsByKind = BTreeMap<String, u64>;

/// What the load reports of one interval.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct LoadLine {
    /// The end of the interval, in seconds since the beginning.
    pub(super) at: f64,
    /// Acknowledged actions.
    pub(super) actions: u64,
    pub(super) p50_ms: f64,
    pub(super) p99_ms: f64,
    pub(super) max_ms: f64,
    pub(super) errors: CountsByKind,
}

/// What the load reports of everything.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct LoadEnd {
    pub(super) total: LoadLine,
    /// What clients did, by kind.
    pub(super) counts: CountsByKind,
    /// Refused commands, by reason.
    pub(super) refusals: CountsByKind,
    pub(super) check: StoredCheck,
}

/// The acknowledged actions compared with the stored logs.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct StoredCheck {
    pub(super) logs: u64,
    pub(super) events: u64,
    pub(super) acknowledged: u64,
    pub(super) lost: u64,
    pub(super) doubled: u64,
    pub(super) unreadable: u64,
    /// The events that were stored in each interval.
    pub(super) stored: Vec<u64>,
    /// Some faults in words.
    pub(super) faults: Vec<String>,
}

/// A restart of the server.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Restart {
    /// When it was killed, in seconds since the beginning.
    pub(super) at: f64,
    /// How long it took until another process was ready.
    pub(super) ready_after: f64,
}

/// Everything that was measured.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SoakFigures {
    pub(super) seed: u64,
    pub(super) samples: Vec<ServerSample>,
    pub(super) lines: Vec<LoadLine>,
    pub(super) restarts: Vec<Restart>,
    /// How often the server ended without being killed.
    pub(super) ended_by_itself: u64,
    pub(super) end: Option<LoadEnd>,
    /// Panics and errors in the log of the server.
    pub(super) log_faults: Vec<String>,
    /// Wrong answers of the server, as the load has printed them.
    pub(super) load_faults: Vec<String>,
}

/// The interval of one line of the load, with the means of the samples in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SoakWindow {
    pub(super) from: f64,
    pub(super) to: f64,
    /// None while the server is away.
    pub(super) server: Option<ServerSample>,
    pub(super) line: LoadLine,
    /// Whether a restart touches it.
    pub(super) is_disturbed: bool,
    /// Which process served, counted from 0.
    pub(super) process: usize,
    /// Whether that process is old enough for its memory to be compared.
    pub(super) is_settled: bool,
}

impl SoakWindow {
    pub(super) fn actions_per_second(&self) -> f64 {
        self.line.actions as f64 / (self.to - self.from).max(f64::MIN_POSITIVE)
    }

    /// Whether it is long enough to be compared with others. The last one is the time in which clients
    /// leave.
    pub(super) fn is_whole(&self) -> bool {
        self.to - self.from >= SHORTEST
    }

    pub(super) fn errors(&self) -> u64 {
        self.line.errors.values().sum()
    }
}

impl SoakFigures {
    /// Reads a line that the load has printed.
    pub(super) fn read_line(&mut self, text: &str) -> Result<()> {
        let value: Value =
            serde_json::from_str(text).with_context(|| format!("no JSON: {text}"))?;
        if let Some(seed) = value.get("seed") {
            self.seed = seed.as_u64().context("the seed is no number")?;
        } else if let Some(end) = value.get("end") {
            self.end = Some(read_end(end)?);
        } else {
            let at = figure(&value, "at")?;
            self.lines.push(LoadLine { at, ..read_totals(&value)? });
        }
        Ok(())
    }

    /// Collects panics and errors from the log of the server.
    pub(super) fn read_log(&mut self, log: &str) {
        let is_fault = |line: &&str| line.contains("panicked at") || line.contains(" ERROR ");
        self.log_faults = log.lines().filter(is_fault).map(str::to_owned).collect();
    }

    /// The length of the load, in seconds.
    pub(super) fn seconds(&self) -> f64 {
        self.lines.last().map_or(0.0, |line| line.at)
    }

    /// All windows, in order.
    pub(super) fn windows(&self) -> Vec<SoakWindow> {
        let starts = std::iter::once(0.0).chain(self.lines.iter().map(|line| line.at));
        let window = |(from, line): (f64, &LoadLine)| self.window(from, line);
        starts.zip(&self.lines).map(window).collect()
    }

    fn window(&self, from: f64, line: &LoadLine) -> SoakWindow {
        let to = line.at;
        let samples: Vec<&ServerSample> =
            self.samples.iter().filter(|sample| (from..to).contains(&sample.at)).collect();
        let is_disturbed = self.restarts.iter().any(|restart| {
            restart.at < to && from < restart.at + restart.ready_after + COMING_BACK
        });
        let before = self.restarts.iter().filter(|restart| restart.at <= from);
        let born =
            before.clone().next_back().map_or(0.0, |restart| restart.at + restart.ready_after);
        SoakWindow {
            from,
            to,
            server: mean(&samples),
            line: line.clone(),
            is_disturbed,
            process: before.count(),
            is_settled: from >= born + SETTLING && !is_disturbed,
        }
    }

    /// The windows that can be compared, in the part of the run between two shares of it.
    pub(super) fn part(&self, from: f64, to: f64) -> Vec<SoakWindow> {
        let (from, to) = (from * self.seconds(), to * self.seconds());
        let is_inside = |window: &SoakWindow| from <= window.from && window.to <= to + 0.5;
        let windows = self.windows().into_iter();
        windows.filter(|window| window.is_whole() && is_inside(window)).collect()
    }
}

fn mean(samples: &[&ServerSample]) -> Option<ServerSample> {
    if samples.is_empty() {
        return None;
    }
    let of = |value: fn(&ServerSample) -> f64| {
        samples.iter().map(|sample| value(sample)).sum::<f64>() / samples.len() as f64
    };
    Some(ServerSample {
        at: of(|sample| sample.at),
        rss_mib: of(|sample| sample.rss_mib),
        threads: of(|sample| sample.threads),
        files: of(|sample| sample.files),
        disk_mib: of(|sample| sample.disk_mib),
        tables: of(|sample| sample.tables),
        ledgers: of(|sample| sample.ledgers),
        sockets: of(|sample| sample.sockets),
    })
}

fn figure(value: &Value, name: &str) -> Result<f64> {
    value[name].as_f64().with_context(|| format!("the load reports no number `{name}`"))
}

fn count(value: &Value, name: &str) -> Result<u64> {
    value[name].as_u64().with_context(|| format!("the load reports no count `{name}`"))
}

fn counts(value: &Value, name: &str) -> Result<CountsByKind> {
    let object = value[name].as_object();
    let object = object.with_context(|| format!("the load reports no counts `{name}`"))?;
    let entry = |(name, value): (&String, &Value)| Some((name.clone(), value.as_u64()?));
    Ok(object.iter().filter_map(entry).collect())
}

/// What lines and the end have in common.
fn read_totals(value: &Value) -> Result<LoadLine> {
    Ok(LoadLine {
        at: 0.0,
        actions: count(value, "actions")?,
        p50_ms: figure(value, "p50_ms")?,
        p99_ms: figure(value, "p99_ms")?,
        max_ms: figure(value, "max_ms")?,
        errors: counts(value, "errors")?,
    })
}

fn read_end(value: &Value) -> Result<LoadEnd> {
    let check = &value["check"];
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let faults = list(&check["faults"]).iter().flat_map(list).collect::<Vec<Value>>();
    let stored: Option<Vec<u64>> = list(&check["stored"]).iter().map(Value::as_u64).collect();
    let check = StoredCheck {
        logs: count(check, "logs")?,
        events: count(check, "events")?,
        acknowledged: count(check, "acknowledged")?,
        lost: count(check, "lost")?,
        doubled: count(check, "doubled")?,
        unreadable: count(check, "unreadable")?,
        stored: stored.context("the load reports no stored events")?,
        faults: faults.iter().filter_map(|fault| Some(fault.as_str()?.to_owned())).collect(),
    };
    ensure!(check.events == check.stored.iter().sum::<u64>(), "the stored events do not add up");
    Ok(LoadEnd {
        total: LoadLine { at: figure(value, "seconds")?, ..read_totals(value)? },
        counts: counts(value, "counts")?,
        refusals: counts(value, "refusals")?,
        check,
    })
}

/// Made-up figures for tests.
#[cfg(test)]
pub(super) mod made_up {
    use super::*;

    /// A soak of an hour, killed every five minutes, that passes everything.
    pub(crate) fn hour() -> SoakFigures {
        let mut figures = SoakFigures { seed: 7, ..SoakFigures::default() };
        let restart = |at: u32| Restart { at: f64::from(at) * 300.0, ready_after: 1.5 };
        figures.restarts = (1..12).map(restart).collect();
        let away = |at: f64| figures.restarts.iter().any(|one| at >= one.at && at < one.at + 1.5);
        let samples = (0..3600).map(f64::from).filter(|at| !away(*at)).map(|at| ServerSample {
            at,
            rss_mib: 40.0 + (at % 300.0 / 60.0).min(2.0) + (at % 7.0) / 10.0,
            threads: 9.0,
            files: 260.0,
            disk_mib: 1.0 + at / 36.0,
            tables: 120.0,
            ledgers: 9.0,
            sockets: 240.0,
        });
        figures.samples = samples.collect();
        figures.lines = (1..=360).map(|window| line(f64::from(window) * 10.0)).collect();
        let is_killed = |line: &LoadLine| line.at % 300.0 == 10.0 && line.at > 300.0;
        for line in figures.lines.iter_mut().filter(|line| is_killed(line)) {
            line.p99_ms = 3_000.0;
            line.errors.insert("a connection broke".into(), 240);
        }
        let errors = CountsByKind::from([("a connection broke".to_owned(), 240 * 11)]);
        let total = LoadLine { actions: 720_000, errors, max_ms: 4_100.0, ..line(3600.0) };
        figures.end = Some(LoadEnd {
            total,
            counts: CountsByKind::from([
                ("tables".to_owned(), 3_000),
                ("matches".to_owned(), 9_000),
                ("rounds of slow readers".to_owned(), 900),
                ("slow readers that were ended".to_owned(), 5_000),
            ]),
            refusals: CountsByKind::from([("TooFast".to_owned(), 12)]),
            check: StoredCheck {
                logs: 3_200,
                events: 1_080_000,
                acknowledged: 720_000,
                stored: vec![3_000; 360],
                ..StoredCheck::default()
            },
        });
        figures
    }

    fn line(at: f64) -> LoadLine {
        let p99_ms = 8.0 + (at / 10.0) % 3.0;
        LoadLine {
            at,
            actions: 2_000,
            p50_ms: 4.0,
            p99_ms,
            max_ms: 20.0,
            errors: CountsByKind::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_of_the_load_are_read() {
        let mut figures = SoakFigures::default();
        figures.read_line(r#"{"seed":7}"#).unwrap();
        let line = r#"{"at":10.0,"actions":5,"p50_ms":1.5,"p99_ms":4,"max_ms":9,"counts":{},
            "refusals":{"TooFast":2},"errors":{"broken":3}}"#;
        figures.read_line(line).unwrap();
        assert_eq!((figures.seed, figures.lines[0].actions), (7, 5));
        assert_eq!((figures.lines[0].p99_ms, figures.lines[0].errors["broken"]), (4.0, 3));
        let check = r#"{"logs":1,"events":9,"acknowledged":5,"lost":1,"doubled":0,"unreadable":0,
            "stored":[4,5],"faults":[["x is lost"],[],[]]}"#;
        let end = line.replace("\"at\":10.0", &format!("\"seconds\":20.5,\"check\":{check}"));
        figures.read_line(&format!(r#"{{"end":{end}}}"#)).unwrap();
        let end = figures.end.clone().unwrap();
        assert_eq!((end.total.at, end.check.lost, end.check.stored.len()), (20.5, 1, 2));
        assert_eq!((end.refusals["TooFast"], end.check.faults.len()), (2, 1));
        assert!(figures.read_line("{}").is_err() && figures.read_line("x").is_err());
    }

    #[test]
    fn windows_know_their_samples_and_restarts() {
        let figures = made_up::hour();
        let windows = figures.windows();
        assert_eq!(windows.len(), 360);
        let at = |second: f64| windows.iter().find(|window| window.from == second).unwrap();
        assert!(!at(290.0).is_disturbed && at(300.0).is_disturbed && at(310.0).is_disturbed);
        assert!(!at(320.0).is_disturbed && !at(320.0).is_settled && at(430.0).is_settled);
        assert_eq!((at(290.0).process, at(310.0).process), (0, 1));
        assert!(at(110.0).process == 0 && !at(110.0).is_settled && at(120.0).is_settled);
        assert_eq!(at(0.0).server.unwrap().files, 260.0);
        assert_eq!(at(0.0).actions_per_second(), 200.0);
        assert_eq!(figures.part(0.25, 0.5).len(), 90);
    }

    #[test]
    fn panics_and_errors_are_found_in_a_log() {
        let mut figures = SoakFigures::default();
        figures.read_log(
            "2026 INFO serving\nthread 'main' panicked at a.rs:1\n2026  ERROR server: x\n2026 WARN y",
        );
        assert_eq!(figures.log_faults.len(), 2);
    }
}
