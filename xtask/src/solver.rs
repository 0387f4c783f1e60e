//! The solver beside DDS, the best tested bridge solver: the same deals in one run, alternating, on
//! one core, and every answer must be equal. Cruce has no peer; its times are compared with a fixed
//! piece of work in the same run.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitCode, Stdio};

use anyhow::{Context, Result, bail};

use crate::peers::on_one_core;
use crate::steps::{figure, step, succeed, works, written_by};
use crate::workspace::Workspace;
use crate::{no_options, setup};

const ROUNDS: usize = 5;
const DEALS: usize = 1000;
const CHUNK: usize = 50;
/// Work without a peer: the task and its description.
const ALONE: [(&str, &str); 3] = [
    ("value", "Cruce for four, value of a deal"),
    ("reaches", "Cruce for four, 66 points or not"),
    ("worlds", "a world of four cards, every lead"),
];

/// A program that answers tasks, and waits between them.
struct Worker {
    program: Child,
    tasks: ChildStdin,
    answers: BufReader<ChildStdout>,
}

/// Nanoseconds of one round.
struct SolverRound {
    ours: Vec<f64>,
    peer: Vec<f64>,
    /// The times of [`ALONE`], and the same divided by the fixed work.
    alone: [(f64, f64); ALONE.len()],
}

pub(crate) fn chore(workspace: &Workspace, options: &[&str]) -> Result<ExitCode> {
    no_options(options)?;
    let python = workspace.target.join("bench-solver/bin/python");
    step("set up endplay", || install(workspace, &python))?;
    step("build our timings", || {
        let build = ["build", "--release", "-p", "solver", "--example", "timings"];
        succeed(workspace.cargo().args(build))
    })?;
    let rounds = step(&format!("{ROUNDS} rounds in turns"), || measure(workspace, &python))?;
    print!("\n{}", table(&rounds));
    Ok(ExitCode::SUCCESS)
}

/// Creates the Python environment once and keeps it.
fn install(workspace: &Workspace, python: &Path) -> Result<()> {
    if !works(Command::new(python).args(["-c", "import endplay._dds"])) {
        setup::packages(&[setup::PYTHON, setup::PYTHON_VENV])?;
        let folder = workspace.target.join("bench-solver");
        succeed(workspace.command("python3").args(["-m", "venv"]).arg(folder))?;
        succeed(Command::new(python).args(["-m", "pip", "install", "--quiet", "endplay"]))?;
    }
    let version = "import importlib.metadata as m; print(m.version('endplay'))";
    print!("   endplay {}", written_by(Command::new(python).args(["-c", version]))?.stdout);
    Ok(())
}

fn measure(workspace: &Workspace, python: &Path) -> Result<Vec<SolverRound>> {
    let mut ours = Worker::start(&mut on_one_core(&workspace.release("examples/timings")))?;
    let deals = ours.request("deals", DEALS)?;
    let file = workspace.target.join("bench-solver/deals.txt");
    fs::write(&file, deals.join("\n") + "\n").with_context(|| file.display().to_string())?;
    let mut peer = on_one_core(python);
    peer.arg(workspace.root.join("xtask/peers/endplay_times.py")).arg(&file);
    let mut peer = Worker::start(&mut peer)?;
    // A first round without measuring, to fill caches and check the answers.
    round(&mut ours, &mut peer)?;
    println!("   all {DEALS} answers are equal");
    (0..ROUNDS).map(|_| round(&mut ours, &mut peer)).collect()
}

fn round(ours: &mut Worker, peer: &mut Worker) -> Result<SolverRound> {
    let mut times = (Vec::new(), Vec::new());
    for from in (0..DEALS).step_by(CHUNK) {
        let task = format!("whist {from} {}", from + CHUNK);
        let (our_tricks, our_times) = solved(&ours.request(&task, CHUNK)?)?;
        let (peer_tricks, peer_times) = solved(&peer.request(&task, CHUNK)?)?;
        for (at, (our, their)) in our_tricks.iter().zip(&peer_tricks).enumerate() {
            if our != their {
                bail!("deal {}: ghinda finds {our} tricks, DDS finds {their}.", from + at);
            }
        }
        times.0.extend(our_times);
        times.1.extend(peer_times);
    }
    let mut alone = [(0.0, 0.0); ALONE.len()];
    for (place, (task, _)) in alone.iter_mut().zip(ALONE) {
        let time = figure(&ours.request(task, 1)?[0], "nanoseconds")?;
        let fixed = figure(&ours.request("reference", 1)?[0], "nanoseconds")?;
        *place = (time, time / fixed);
    }
    Ok(SolverRound { ours: times.0, peer: times.1, alone })
}

impl Worker {
    fn start(command: &mut Command) -> Result<Worker> {
        let mut program = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let tasks = program.stdin.take().context("no input")?;
        let answers = BufReader::new(program.stdout.take().context("no output")?);
        Ok(Worker { program, tasks, answers })
    }

    /// Sends a task and reads its answer of `lines` lines.
    fn request(&mut self, task: &str, lines: usize) -> Result<Vec<String>> {
        writeln!(self.tasks, "{task}")?;
        self.tasks.flush()?;
        let mut answer = Vec::new();
        for _ in 0..lines {
            let mut line = String::new();
            if self.answers.read_line(&mut line)? == 0 {
                bail!("a program ended in the middle of `{task}`.");
            }
            answer.push(line.trim().to_owned());
        }
        Ok(answer)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // The program may have ended already.
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

/// Tricks and times from lines of either program.
fn solved(lines: &[String]) -> Result<(Vec<u32>, Vec<f64>)> {
    let read = |line: &String| {
        let (tricks, time) = line.split_once(' ')?;
        Some((tricks.parse().ok()?, time.parse().ok()?))
    };
    let pairs = lines.iter().map(|line| read(line).with_context(|| format!("no answer: `{line}`")));
    Ok(pairs.collect::<Result<Vec<(u32, f64)>>>()?.into_iter().unzip())
}

fn median(times: impl IntoIterator<Item = f64>) -> f64 {
    let mut times: Vec<f64> = times.into_iter().collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn mean(times: &[f64]) -> f64 {
    times.iter().sum::<f64>() / times.len() as f64
}

fn table(rounds: &[SolverRound]) -> String {
    let over = |figure: &dyn Fn(&SolverRound) -> f64| median(rounds.iter().map(figure));
    let micros = |time: f64| format!("{:.1}", time / 1e3);
    let mut text = line(["whist, 8 cards, no trump, µs", "median", "mean", "DDS/ours"]);
    let (of_peer, of_ours) =
        (over(&|round| median(round.peer.clone())), over(&|round| median(round.ours.clone())));
    text +=
        &line(["DDS (endplay)", &micros(of_peer), &micros(over(&|round| mean(&round.peer))), ""]);
    let medians = over(&|round| median(round.peer.clone()) / median(round.ours.clone()));
    let means = over(&|round| mean(&round.peer) / mean(&round.ours));
    text += &line([
        "ours",
        &micros(of_ours),
        &micros(over(&|round| mean(&round.ours))),
        &format!("{medians:.2}"),
    ]);
    text += &line(["", "", "of means", &format!("{means:.2}")]);
    text += &line(["\nwithout a peer, µs", "mean", "", "/fixed work"]);
    for (at, (_, what)) in ALONE.into_iter().enumerate() {
        let time = over(&|round| round.alone[at].0);
        text +=
            &line([what, &micros(time), "", &format!("{:.2}", over(&|round| round.alone[at].1))]);
    }
    text
}

fn line([what, one, two, three]: [&str; 4]) -> String {
    format!("{what:<36}{one:>10}{two:>10}{three:>13}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_divides_the_peer_by_ours() {
        let round = |ours: f64, peer: f64| SolverRound {
            ours: vec![ours, 2.0 * ours, 9.0 * ours],
            peer: vec![peer, 2.0 * peer, 3.0 * peer],
            alone: [(1000.0, 2.0); ALONE.len()],
        };
        let text = table(&[round(1e3, 5e3), round(1e3, 6e3), round(1e3, 7e3)]);
        let last = |start: &str| {
            let line = text.lines().find(|line| line.trim_start().starts_with(start));
            line.and_then(|line| line.split_whitespace().last()).map(str::to_owned)
        };
        assert_eq!(last("ours").as_deref(), Some("6.00"));
        assert_eq!(last("of means").as_deref(), Some("3.00"));
        assert_eq!(last("a world").as_deref(), Some("2.00"));
    }

    #[test]
    fn answers_are_tricks_and_nanoseconds() {
        let lines = ["3 1500".to_owned(), "8 20".to_owned()];
        assert_eq!(solved(&lines).unwrap(), (vec![3, 8], vec![1500.0, 20.0]));
        assert!(solved(&["3".to_owned()]).is_err());
    }
}
