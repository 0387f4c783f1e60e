//! Measures the server beside Colyseus and boardgame.io: the same traffic of a trick-taking game,
//! in one run, alternating, with the clients on the same machine.
//!
//! In doubt the peers have the advantage: they keep everything in memory while every move of ghinda
//! is on the disk before its answer, they stay warm between measurements, and their memory is also
//! measured without garbage.

mod contest;
mod growth;
pub(crate) mod plot;
pub(crate) mod process;
mod search;

use std::process::ExitCode;

use anyhow::Result;

use crate::misuse;
use crate::steps::{step, succeed};
use crate::workspace::Workspace;
use contest::{Contestant, Place, Traffic};
use process::{ServerFigures, measure};
use search::{Best, LIMIT_MS, Plan, search};

const SIDES: [Contestant; 3] = [Contestant::Ours, Contestant::Colyseus, Contestant::Boardgameio];
/// The number of tables for the search of the maximum rate: each has one unanswered move.
const SEARCH_TABLES: usize = 200;
/// The same traffic for every server: this many moves per second for each table.
const PACE: f64 = 1.0;

/// The options of the command line.
#[derive(Debug, PartialEq)]
struct ServerOptions {
    seconds: u32,
    tables: usize,
    rounds: u32,
    growth: bool,
}

impl ServerOptions {
    fn read(mut arguments: &[&str]) -> Result<ServerOptions> {
        let mut options = ServerOptions { seconds: 6, tables: 1000, rounds: 3, growth: false };
        loop {
            arguments = match arguments {
                [] => return Ok(options),
                ["--growth", rest @ ..] => {
                    options.growth = true;
                    rest
                }
                ["--seconds", number, rest @ ..] => {
                    options.seconds = above_zero(number)?;
                    rest
                }
                ["--tables", number, rest @ ..] => {
                    options.tables = above_zero(number)? as usize;
                    rest
                }
                ["--rounds", number, rest @ ..] => {
                    options.rounds = above_zero(number)?;
                    rest
                }
                [other, ..] => return misuse(format!("`{other}` is unknown, or has no value.")),
            };
        }
    }
}

fn above_zero(number: &str) -> Result<u32> {
    match number.parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => misuse(format!("a whole number above zero is needed, not `{number}`.")),
    }
}

/// The figures of one round with the same traffic for every server.
struct Same {
    measured: ServerFigures,
    /// The memory per table: as it is, and without garbage.
    kib: f64,
    needed_kib: f64,
}

/// The figures of one side.
struct Figures {
    side: Contestant,
    same: Vec<Same>,
    fastest: Vec<Best>,
}

pub(crate) fn chore(workspace: &Workspace, options: &[&str]) -> Result<ExitCode> {
    let options = ServerOptions::read(options)?;
    let place = step("set up Colyseus and boardgame.io", || Place::install(workspace))?;
    step("build ghinda", || {
        succeed(workspace.cargo().args(["build", "--release", "-p", "ghinda"]))
    })?;
    if options.growth {
        step("growth of our costs", || growth::measure_and_draw(workspace, &place, &options))?;
        return Ok(ExitCode::SUCCESS);
    }
    let all = step(&format!("rounds in turns: {}", options.rounds), || contest(&place, &options))?;
    print!("\n{}\n{}", same_traffic(&all, options.tables), maximum_moves(&all));
    Ok(ExitCode::SUCCESS)
}

fn contest(place: &Place, options: &ServerOptions) -> Result<Vec<Figures>> {
    let figures = |side| Figures { side, same: Vec::new(), fastest: Vec::new() };
    let mut all: Vec<Figures> = SIDES.into_iter().map(figures).collect();
    for _ in 0..options.rounds {
        for one in &mut all {
            one.same.push(same(place, one.side, options)?);
        }
        for one in &mut all {
            one.fastest.extend(find_fastest(place, one.side, options.seconds, one.fastest.last())?);
        }
    }
    // boardgame.io with files is slow: once is enough.
    let mut files = figures(Contestant::BoardgameioFiles);
    files.fastest.extend(find_fastest(place, files.side, options.seconds, None)?);
    all.push(files);
    Ok(all)
}

/// Measures a server with the traffic that all servers get.
fn same(place: &Place, side: Contestant, options: &ServerOptions) -> Result<Same> {
    let tables = options.tables;
    let traffic = Traffic { tables, rate: PACE * tables as f64, seconds: options.seconds };
    let (mut server, address) = place.serve(side)?;
    let empty = server.usage()?.kib;
    let empty_least = if side == Contestant::Ours { empty } else { server.least_kib()? };
    let clients = place.play(side, &address, traffic)?;
    let measured = measure(&server, &clients, f64::from(options.seconds))?;
    let least = if side == Contestant::Ours { measured.kib } else { server.least_kib()? };
    let per_table = |kib: f64| kib / tables as f64;
    let (kib, needed_kib) = (per_table(measured.kib - empty), per_table(least - empty_least));
    println!(
        "   {:<24} {tables} tables {:>6.0} moves/s  p99 {:>5.1} ms  {:>4.0} µs/move  {kib:.0}, {needed_kib:.0} KiB",
        side.name(),
        measured.moves_per_second,
        measured.p99_ms,
        measured.micros_per_move(),
    );
    Ok(Same { measured, kib, needed_kib })
}

/// Searches the maximum of moves per second; from the second round on near the last result.
fn find_fastest(
    place: &Place,
    side: Contestant,
    seconds: u32,
    before: Option<&Best>,
) -> Result<Option<Best>> {
    let plan = match before {
        None => Plan { start: side.modest_rate(), factor: 2.0, halvings: 2 },
        Some(before) => Plan { start: before.requested / 1.2, factor: 1.2, halvings: 1 },
    };
    let mut measure_rate = place.measure_several(side);
    let found = search(plan, |rate| {
        let measured = measure_rate(Traffic { tables: SEARCH_TABLES, rate, seconds })?;
        println!(
            "   {:<24} requested {rate:>6.0} got {:>6.0} moves/s  p99 {:>6.1} ms  cores {:.2} + {:.2}",
            side.name(),
            measured.moves_per_second,
            measured.p99_ms,
            measured.cores,
            measured.clients_cores,
        );
        Ok(measured)
    })?;
    Ok(found)
}

fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

fn same_traffic(all: &[Figures], tables: usize) -> String {
    let rate = PACE * tables as f64;
    let mut text = format!(
        "{tables} tables of four, {rate:.0} moves per second; medians\n{}",
        line([
            "",
            "p50 ms",
            "p99 ms",
            "CPU µs/move",
            "ratio",
            "KiB/table",
            "ratio",
            "no garbage",
            "ratio"
        ])
    );
    let mut ours = None;
    for one in all.iter().filter(|one| !one.same.is_empty()) {
        let over = |figure: &dyn Fn(&Same) -> f64| median(one.same.iter().map(figure));
        let costs = [
            over(&|same| same.measured.micros_per_move()),
            over(&|same| same.kib),
            over(&|same| same.needed_kib),
        ];
        let ours = *ours.get_or_insert(costs);
        let ratio = |at: usize| match one.side {
            Contestant::Ours => String::new(),
            _ => format!("{:.1}×", costs[at] / ours[at]),
        };
        let [micros, kib, needed] = costs.map(|cost| format!("{cost:.0}"));
        let p50 = format!("{:.1}", over(&|same| same.measured.p50_ms));
        let p99 = format!("{:.1}", over(&|same| same.measured.p99_ms));
        text += &line([
            one.side.name(),
            &p50,
            &p99,
            &micros,
            &ratio(0),
            &kib,
            &ratio(1),
            &needed,
            &ratio(2),
        ]);
    }
    text + "KiB/table: with sockets; no garbage: after a full garbage collection of Node\n"
}

fn maximum_moves(all: &[Figures]) -> String {
    let mut text = format!(
        "the maximum of moves per second at {SEARCH_TABLES} tables with p99 < {LIMIT_MS:.0} ms; medians\n{}",
        line([
            "",
            "moves/s",
            "min–max",
            "ratio",
            "p99 ms",
            "moves/CPU-s",
            "ratio",
            "server's",
            "clients'"
        ])
    );
    let mut ours = (f64::NAN, f64::NAN);
    for one in all {
        if one.fastest.is_empty() {
            text += &line([one.side.name(), "never", "", "", "", "", "", "", ""]);
            continue;
        }
        let over = |figure: &dyn Fn(&ServerFigures) -> f64| {
            median(one.fastest.iter().map(|best| figure(&best.measured)))
        };
        let moves = over(&|best| best.moves_per_second);
        let per_cpu_second = over(&|best| best.moves_per_second / best.cores);
        let each = || one.fastest.iter().map(|best| best.measured.moves_per_second);
        let (least, greatest) = (each().fold(f64::MAX, f64::min), each().fold(0.0, f64::max));
        let mut ratios = [String::new(), String::new()];
        if one.side == Contestant::Ours {
            ours = (moves, per_cpu_second);
        } else {
            ratios = [ours.0 / moves, ours.1 / per_cpu_second].map(|ratio| format!("{ratio:.1}×"));
        }
        text += &line([
            one.side.name(),
            &format!("{moves:.0}"),
            &format!("{least:.0}–{greatest:.0}"),
            &ratios[0],
            &format!("{:.1}", over(&|best| best.p99_ms)),
            &format!("{per_cpu_second:.0}"),
            &ratios[1],
            &format!("{:.2}", over(&|best| best.cores)),
            &format!("{:.2}", over(&|best| best.clients_cores)),
        ]);
    }
    text + "server's, clients': processors that they kept busy\n"
}

fn line([name, rest @ ..]: [&str; 9]) -> String {
    let columns = rest.map(|column| format!("{column:>12}"));
    format!("{name:<24}{}\n", columns.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(side: Contestant, moves_per_second: f64, cores: f64, kib: f64) -> Figures {
        let measured = ServerFigures {
            moves_per_second,
            p50_ms: 1.0,
            p99_ms: 9.0,
            cores,
            clients_cores: 1.0,
            kib,
        };
        let same = Same { measured, kib, needed_kib: kib / 2.0 };
        Figures { side, same: vec![same], fastest: vec![Best { requested: 1.0, measured }] }
    }

    #[test]
    fn peers_are_divided_by_ours() {
        let all = [
            figures(Contestant::Ours, 9000.0, 1.0, 20.0),
            figures(Contestant::Colyseus, 3000.0, 0.5, 100.0),
            Figures { side: Contestant::BoardgameioFiles, same: Vec::new(), fastest: Vec::new() },
        ];
        let words = |text: &str, name: &str| {
            let line = text.lines().find(|line| line.starts_with(name)).unwrap_or_default();
            line.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
        };
        let same = same_traffic(&all, 100);
        assert_eq!(
            words(&same, "Colyseus")[3..],
            ["1.0", "9.0", "167", "1.5×", "100", "5.0×", "50", "5.0×"]
        );
        let fastest = maximum_moves(&all);
        assert_eq!(words(&fastest, "Colyseus")[5], "3.0×");
        assert_eq!(words(&fastest, "Colyseus")[8], "1.5×");
        assert_eq!(words(&fastest, "boardgame.io").last().unwrap(), "never");
    }

    #[test]
    fn options_are_read_in_any_order() {
        let options =
            ServerOptions::read(&["--tables", "50", "--growth", "--seconds", "2"]).unwrap();
        assert_eq!(options, ServerOptions { seconds: 2, tables: 50, rounds: 3, growth: true });
        assert!(
            ServerOptions::read(&["--tables"]).is_err()
                && ServerOptions::read(&["--seconds", "0"]).is_err()
        );
    }
}
