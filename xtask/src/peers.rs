//! Moves per second beside open_spiel, the strongest peer: in one run, alternating, on one core.
//!
//! Only the ratios of one run are meaningful; the load of the machine affects both sides equally.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::Result;

use crate::steps::{figure, step, succeed, works, written_by};
use crate::workspace::Workspace;
use crate::{seconds, setup};

const ROUNDS: usize = 5;
const DEFAULT_SECONDS: u32 = 2;

#[derive(Clone, Copy, PartialEq)]
enum Engine {
    Peer,
    Ours,
}

/// The measured programs: the side, its mode, and what the time covers. The peer is first in each
/// group, and the others are divided by it.
const CONTESTANTS: [(Engine, &str, &str); 6] = [
    (Engine::Peer, "play", "play only"),
    (Engine::Ours, "whist4-play", "play only"),
    (Engine::Ours, "cruce4-play", "play only"),
    (Engine::Peer, "deal", "dealing included"),
    (Engine::Ours, "whist4-deal", "dealing included"),
    (Engine::Ours, "cruce4-deal", "dealing included"),
];

/// Moves per second of every contestant, once.
type PeerRound = [f64; CONTESTANTS.len()];

pub(crate) fn chore(workspace: &Workspace, options: &[&str]) -> Result<ExitCode> {
    let seconds = seconds(options, DEFAULT_SECONDS)?.to_string();
    let python = workspace.target.join("bench-peers/bin/python");
    step("set up open_spiel", || install(workspace, &python))?;
    step("build our playouts", || {
        let build = ["build", "--release", "-p", "game", "--example", "playouts"];
        succeed(workspace.cargo().args(build))
    })?;
    let rounds = step(&format!("{ROUNDS} rounds in turns"), || {
        let rounds = (0..ROUNDS).map(|_| round(workspace, &python, &seconds));
        rounds.collect::<Result<Vec<PeerRound>>>()
    })?;
    print!("\n{}", table(&rounds));
    Ok(ExitCode::SUCCESS)
}

/// Creates the Python environment once and keeps it.
fn install(workspace: &Workspace, python: &Path) -> Result<()> {
    if !works(Command::new(python).args(["-c", "import pyspiel"])) {
        setup::packages(&[setup::PYTHON, setup::PYTHON_VENV])?;
        let folder = workspace.target.join("bench-peers");
        succeed(workspace.command("python3").args(["-m", "venv"]).arg(folder))?;
        succeed(Command::new(python).args(["-m", "pip", "install", "--quiet", "open_spiel"]))?;
    }
    let version = "import importlib.metadata as m; print(m.version('open_spiel'))";
    print!("   open_spiel {}", written_by(Command::new(python).args(["-c", version]))?.stdout);
    Ok(())
}

fn round(workspace: &Workspace, python: &Path, seconds: &str) -> Result<PeerRound> {
    let mut rates = [0.0; CONTESTANTS.len()];
    for (rate, (side, mode, _)) in rates.iter_mut().zip(CONTESTANTS) {
        let mut program = match side {
            Engine::Peer => on_one_core(python),
            Engine::Ours => on_one_core(&workspace.release("examples/playouts")),
        };
        match side {
            Engine::Peer => program.arg(workspace.root.join("xtask/peers/open_spiel_rate.py")),
            Engine::Ours => program.arg("rate"),
        };
        let written = written_by(program.args([mode, seconds]))?;
        *rate = figure(&written.stdout, "moves_per_second")?;
    }
    println!("   {}", rates.map(|rate| format!("{:>8.2}", rate / 1e6)).concat());
    Ok(rates)
}

/// A command bound to the last core that it may use, if taskset works.
pub(crate) fn on_one_core(program: &Path) -> Command {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    match last_allowed_core(&status) {
        Some(core) if works(Command::new("taskset").args(["-c", core, "true"])) => {
            let mut taskset = Command::new("taskset");
            taskset.args(["-c", core]).arg(program);
            taskset
        }
        _ => Command::new(program),
    }
}

fn last_allowed_core(status: &str) -> Option<&str> {
    let cores = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?;
    cores.trim().rsplit([',', '-']).next()
}

fn table(rounds: &[PeerRound]) -> String {
    let heads = ["M moves/s", "", "median", "min–max", "ours/peer"];
    let mut text = line(heads.map(str::to_owned));
    let mut peer = f64::NAN;
    for (index, (side, mode, what)) in CONTESTANTS.into_iter().enumerate() {
        let mut rates: Vec<f64> = rounds.iter().map(|round| round[index] / 1e6).collect();
        rates.sort_by(f64::total_cmp);
        let median = rates[rates.len() / 2];
        let (name, ratio) = match side {
            Engine::Peer => ("open_spiel oh_hell", String::new()),
            Engine::Ours => (mode, format!("{:.1}", median / peer)),
        };
        if side == Engine::Peer {
            peer = median;
        }
        let range = format!("{:.2}–{:.2}", rates[0], rates[rates.len() - 1]);
        text += &line([what.to_owned(), name.to_owned(), format!("{median:.2}"), range, ratio]);
    }
    text
}

fn line([what, name, median, range, ratio]: [String; 5]) -> String {
    format!("{what:<18}{name:<20}{median:>9}{range:>17}{ratio:>11}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_divides_ours_by_the_peer_of_its_group() {
        let text = table(&[
            [2e6, 20e6, 30e6, 1e6, 4e6, 5e6],
            [4e6, 40e6, 36e6, 1e6, 6e6, 5e6],
            [3e6, 30e6, 33e6, 1e6, 5e6, 5e6],
        ]);
        let last_words = text.lines().skip(1).filter_map(|line| line.split_whitespace().last());
        let expected = ["2.00–4.00", "10.0", "11.0", "1.00–1.00", "5.0", "5.0"];
        assert_eq!(last_words.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn the_last_core_is_read_from_lists_and_ranges() {
        assert_eq!(last_allowed_core("Name:\txtask\nCpus_allowed_list:\t0-1\n"), Some("1"));
        assert_eq!(last_allowed_core("Cpus_allowed_list:\t3\n"), Some("3"));
        assert_eq!(last_allowed_core("Cpus_allowed_list:\t0-3,8\n"), Some("8"));
    }
}
