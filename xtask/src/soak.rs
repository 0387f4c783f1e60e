//! A soak: a server under a mixed load for a long time, killed and restarted again and again. What it
//! takes and how it answers is sampled all the time, and judged at the end.
//!
//! `ghinda load --mixed` is the load and the checker of what was stored. This chore starts and kills
//! the server, samples it, and writes the report.

mod figures;
mod picture;
/// The private server of the tests. Only this file is shared: the crate would make xtask wait for
/// crates of the product.
#[path = "../../crates/test-support/src/postgres.rs"]
#[allow(dead_code, unreachable_pub, reason = "tests need more of it")]
mod postgres;
mod report;
mod server;
mod verdicts;

use std::fs;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::servers::process::{ServerProgram, now};
use crate::steps::{step, succeed};
use crate::workspace::Workspace;
use crate::{misuse, setup};
use figures::{LoadLine, ServerSample, SoakFigures};
use server::{SoakDatabase, SoakServer};

/// How often the server is sampled.
const SAMPLE_INTERVAL: Duration = Duration::from_secs(1);
/// How long the load may take after its time to settle and to check everything.
const CHECK_LIMIT: Duration = Duration::from_secs(20 * 60);
/// The seconds at the beginning and at the end without kills.
const CALM_SECONDS: f64 = 60.0;

/// The options of the command line.
#[derive(Clone, Debug, PartialEq)]
struct SoakOptions {
    minutes: f64,
    kill_every: f64,
    seed: Option<u64>,
    tables: u32,
    rate: u32,
    postgres: bool,
    binary: Option<PathBuf>,
    out: Option<PathBuf>,
}

impl SoakOptions {
    fn read(mut arguments: &[&str]) -> Result<SoakOptions> {
        let mut options = SoakOptions {
            minutes: 10.0,
            kill_every: 5.0,
            seed: None,
            tables: 60,
            rate: 200,
            postgres: false,
            binary: None,
            out: None,
        };
        loop {
            arguments = match arguments {
                [] => return options.checked(),
                ["--postgres", rest @ ..] => {
                    options.postgres = true;
                    rest
                }
                [name, value, rest @ ..] => {
                    options.set(name, value)?;
                    rest
                }
                [other] => return misuse(format!("`{other}` is unknown, or has no value.")),
            };
        }
    }

    fn set(&mut self, name: &str, value: &str) -> Result<()> {
        match name {
            "--minutes" => self.minutes = number(name, value)?,
            "--kill-every" => self.kill_every = number(name, value)?,
            "--seed" => self.seed = Some(number(name, value)?),
            "--tables" => self.tables = number(name, value)?,
            "--rate" => self.rate = number(name, value)?,
            "--binary" => self.binary = Some(value.into()),
            "--out" => self.out = Some(value.into()),
            _ => return misuse(format!("`{name}` is unknown.")),
        }
        Ok(())
    }

    fn checked(self) -> Result<SoakOptions> {
        if !(0.25..=24.0 * 60.0).contains(&self.minutes) {
            return misuse("`--minutes` is from 0.25 to 1440.");
        }
        if self.kill_every != 0.0 && !(0.25..=24.0 * 60.0).contains(&self.kill_every) {
            return misuse("`--kill-every` is 0 for never, or from 0.25 minutes to 1440.");
        }
        if self.tables == 0 || self.rate == 0 {
            return misuse("`--tables` and `--rate` are above zero.");
        }
        Ok(self)
    }

    fn seconds(&self) -> f64 {
        self.minutes * 60.0
    }

    /// When the server is killed, in seconds: never in the first and in the last minute.
    fn kill_times(&self) -> Vec<f64> {
        let every = self.kill_every * 60.0;
        if every == 0.0 {
            return Vec::new();
        }
        let times = (1..).map(|count| f64::from(count) * every);
        let before_end = times.take_while(|at| *at <= self.seconds() - CALM_SECONDS);
        before_end.filter(|at| *at >= CALM_SECONDS).collect()
    }
}

fn number<T: std::str::FromStr>(name: &str, value: &str) -> Result<T> {
    match value.parse() {
        Ok(number) => Ok(number),
        Err(_) => misuse(format!("`{name}` needs a number, not `{value}`.")),
    }
}

pub(crate) fn chore(workspace: &Workspace, options: &[&str]) -> Result<ExitCode> {
    let options = SoakOptions::read(options)?;
    let out = options.out.clone().unwrap_or_else(|| workspace.target.join("soak"));
    let binary = match &options.binary {
        Some(binary) => fs::canonicalize(binary).with_context(|| binary.display().to_string())?,
        None => build(workspace)?,
    };
    if options.postgres {
        step("set up PostgreSQL", || setup::packages(&[setup::POSTGRESQL]))?;
    }
    let title = format!("soak for {} minutes", options.minutes);
    let figures = step(&title, || soak(&binary, &out, &options))?;
    let verdicts = verdicts::judge(&figures);
    let command = command_line(&options, figures.seed);
    write(&out, "report.md", &report::markdown(&command, &figures, &verdicts))?;
    write(&out, "soak.svg", &picture::svg(&figures))?;
    write(&out, "samples.csv", &report::csv(&figures))?;
    print!("\n{}", report::plain(&verdicts));
    println!("\nThe report, the picture and the samples are in {}.", out.display());
    let failed = verdicts.iter().any(verdicts::SoakVerdict::has_failed);
    if failed {
        println!("The logs of the server and of the load, and the database, are there too.");
    } else {
        // Only a failure needs them as evidence.
        let _ = fs::remove_dir_all(out.join("data"));
    }
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn build(workspace: &Workspace) -> Result<PathBuf> {
    setup::wasm(workspace)?;
    step("build ghinda", || {
        succeed(workspace.cargo().args(["build", "--release", "-p", "ghinda"]))
    })?;
    Ok(workspace.release("ghinda"))
}

fn write(folder: &Path, name: &str, text: &str) -> Result<()> {
    let path = folder.join(name);
    fs::write(&path, text).with_context(|| path.display().to_string())
}

/// The command that repeats a soak.
fn command_line(options: &SoakOptions, seed: u64) -> String {
    let SoakOptions { minutes, kill_every, tables, rate, postgres, .. } = options;
    let postgres = if *postgres { " --postgres" } else { "" };
    format!(
        "cargo xtask soak --minutes {minutes} --kill-every {kill_every} --tables {tables} \
         --rate {rate} --seed {seed}{postgres}"
    )
}

/// Runs the server and the load, and returns everything that was measured.
fn soak(binary: &Path, out: &Path, options: &SoakOptions) -> Result<SoakFigures> {
    let data = out.join("data");
    if data.exists() {
        fs::remove_dir_all(&data).with_context(|| data.display().to_string())?;
    }
    fs::create_dir_all(&data).with_context(|| data.display().to_string())?;
    let database = SoakDatabase::create(&data, options.postgres);
    let mut server = SoakServer::start(binary, &data, &database)?;
    let load = start_load(binary, &data, &server, &database, options)?;
    let mut figures = SoakFigures::default();
    let watched = SoakRun { options, server: &mut server, database: &database, load: &load }
        .run(&mut figures);
    let (log, load_log) = (server.log(), fs::read_to_string(data.join("load.log")));
    let load_log = load_log.unwrap_or_default();
    if let Err(error) = watched {
        let tail = |text: &str| text.lines().rev().take(15).collect::<Vec<_>>().join("\n");
        return Err(error.context(format!(
            "the soak is broken off; the logs and the database are in {}. The server logged, newest \
             first:\n{}\nand the load:\n{}\n",
            data.display(),
            tail(&log),
            tail(&load_log)
        )));
    }
    server.stop()?;
    figures.read_log(&log);
    figures.load_faults = load_log.lines().map(str::to_owned).collect();
    Ok(figures)
}

fn start_load(
    binary: &Path,
    data: &Path,
    server: &SoakServer,
    database: &SoakDatabase,
    options: &SoakOptions,
) -> Result<ServerProgram> {
    let mut command = server::in_shell(binary, &data.join("load.log"));
    command.args(["load", server.address(), "--mixed", "--database", database.address()]);
    command.args(["--tables", &options.tables.to_string(), "--rate", &options.rate.to_string()]);
    command.args(["--seconds", &format!("{:.0}", options.seconds())]);
    if let Some(seed) = options.seed {
        command.args(["--seed", &seed.to_string()]);
    }
    ServerProgram::start(&command)
}

/// Watches a soak: samples, kills, restarts.
struct SoakRun<'a> {
    options: &'a SoakOptions,
    server: &'a mut SoakServer,
    database: &'a SoakDatabase,
    load: &'a ServerProgram,
}

impl SoakRun<'_> {
    /// Fills the figures until the load has ended.
    fn run(mut self, figures: &mut SoakFigures) -> Result<()> {
        let began = now();
        let mut kills = self.options.kill_times().into_iter().peekable();
        let mut sample_at = Duration::ZERO;
        let limit = Duration::from_secs_f64(self.options.seconds()) + CHECK_LIMIT;
        let mut progress = ProgressLine::new(self.options.seconds());
        while figures.end.is_none() {
            let wait = sample_at.saturating_sub(began.elapsed());
            if let Some(line) = self.load.next_line(wait).context("the load has failed")? {
                figures.read_line(&line)?;
                if let Some(line) = figures.lines.last() {
                    progress.show(figures, line);
                }
                continue;
            }
            let at = began.elapsed();
            sample_at = at + SAMPLE_INTERVAL;
            if kills.next_if(|kill| at.as_secs_f64() >= *kill).is_some() {
                self.restart(began, figures)?;
            } else if !self.server.is_running() {
                figures.ended_by_itself += 1;
                self.restart(began, figures)?;
            } else {
                let sample = self.server.sample(at.as_secs_f64(), self.database);
                figures.samples.push(sample.context("the server cannot be sampled")?);
            }
            if at > limit {
                bail!("the load does not end.");
            }
        }
        progress.end();
        Ok(())
    }

    /// Kills the server and starts it again.
    fn restart(&mut self, began: Instant, figures: &mut SoakFigures) -> Result<()> {
        let at = began.elapsed().as_secs_f64();
        self.server.restart().context("the server does not start again")?;
        let ready_after = began.elapsed().as_secs_f64() - at;
        figures.restarts.push(figures::Restart { at, ready_after });
        Ok(())
    }
}

/// Shows how far the soak is: one line that changes in a terminal, otherwise a line a minute.
struct ProgressLine {
    seconds: f64,
    is_terminal: bool,
    shown_at: f64,
}

impl ProgressLine {
    fn new(seconds: f64) -> ProgressLine {
        let is_terminal = std::io::stdout().is_terminal();
        ProgressLine { seconds, is_terminal, shown_at: f64::MIN }
    }

    fn show(&mut self, figures: &SoakFigures, line: &LoadLine) {
        if !self.is_terminal && line.at < self.shown_at + 60.0 {
            return;
        }
        self.shown_at = line.at;
        let last = figures.samples.last();
        let sample = |value: fn(&ServerSample) -> f64| last.map_or(0.0, value);
        let text = format!(
            "   {:.1} of {:.1} min  memory {:.0} MiB  disk {:.0} MiB  tables {:.0}  p99 {:.1} ms  \
             {} actions  {} restarts",
            line.at / 60.0,
            self.seconds / 60.0,
            sample(|sample| sample.rss_mib),
            sample(|sample| sample.disk_mib),
            sample(|sample| sample.tables),
            line.p99_ms,
            figures.lines.iter().map(|line| line.actions).sum::<u64>(),
            figures.restarts.len(),
        );
        if self.is_terminal {
            print!("\r{text:<110}");
            // Progress that cannot be shown is no reason to stop.
            let _ = std::io::stdout().flush();
        } else {
            println!("{text}");
        }
    }

    fn end(&self) {
        if self.is_terminal {
            println!();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_in_any_order() {
        let options = SoakOptions::read(&[
            "--kill-every",
            "0.5",
            "--postgres",
            "--minutes",
            "3",
            "--seed",
            "7",
            "--binary",
            "g",
        ])
        .unwrap();
        assert_eq!((options.minutes, options.kill_every, options.seed), (3.0, 0.5, Some(7)));
        assert!(options.postgres && options.binary == Some("g".into()));
        for wrong in [
            &["--minutes"][..],
            &["--minutes", "0"],
            &["--minutes", "soon"],
            &["--kill-every", "-1"],
            &["--tables", "0"],
            &["--seed", "x"],
            &["--hours", "1"],
        ] {
            assert!(SoakOptions::read(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn the_first_and_the_last_minute_are_without_kills() {
        let kills = |minutes: &str, every: &str| {
            SoakOptions::read(&["--minutes", minutes, "--kill-every", every]).unwrap().kill_times()
        };
        assert_eq!(kills("3", "1"), [60.0, 120.0]);
        assert_eq!(kills("60", "5").len(), 11);
        assert_eq!(kills("3", "0.5"), [60.0, 90.0, 120.0]);
        assert_eq!(kills("60", "0"), [0.0; 0]);
        assert_eq!(kills("1", "0.25"), [0.0; 0]);
    }
}
