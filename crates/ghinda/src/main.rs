//! The one binary. It reads arguments and prints; what it says and does is
//! decided in the libraries.

mod arena;
mod clock;
mod contest;
mod engine;
mod hint;
mod keep;
mod kept;
mod lines;
mod load;
mod perft;
mod player;
mod rules;
mod serve;
mod sheet;
mod simulate;
mod simulated;
mod solve;
mod verify;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use client::Language;

/// Cruce and Romanian whist: tables, bots, rules, records and proofs.
#[derive(Parser)]
#[command(name = "ghinda", version, about, arg_required_else_help = true)]
#[command(after_help = "Examples:
  ghinda simulate                       a match of Cruce in four, told card by card
  ghinda simulate --rules whist5 --json every deal of a match of whist as JSON
  ghinda serve                          tables for everybody, kept in ghinda.db
  ghinda rules contest --lang ro        what a rules code means, in Romanian
  ghinda verify match.record            recheck every deal, card and score of a match
  ghinda solve 'cruce4t hands=A3bXl/Xb9l4a/49bAl/2lX3a trump=b lead=1'
  ghinda hint cruce4t seat=1 hand=AX4b3l9a9h   what to do with these cards, and why
  ghinda arena random cmd:./mybot       two bots in the same deals, seats exchanged
  ghinda contest --help                 a contest in a hall: the urn, tables, results, places
  ghinda sheet --help                   the score sheet of a real table

Errors are told on standard error, with exit code 2.")]
struct Cli {
    /// The language of stories, rules and refusals: en or ro. [default: that of the environment]
    #[arg(long, global = true, value_name = "LANG")]
    lang: Option<Language>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Simulate(simulate::Simulate),
    Perft(perft::Perft),
    Solve(Box<solve::Solve>),
    Hint(hint::Hint),
    Verify(verify::Verify),
    Rules(rules::Explain),
    Arena(Box<arena::Arena>),
    Engine(engine::Engine),
    Serve(Box<serve::Serve>),
    Contest(contest::Contest),
    Sheet(sheet::Sheet),
    Backup(keep::Backup),
    Restore(keep::Restore),
    Export(keep::Export),
    Load(load::Load),
}

const SUCCESS: ExitCode = ExitCode::SUCCESS;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let language = cli.lang.unwrap_or_else(language_of_environment);
    let mut out = io::BufWriter::new(io::stdout().lock());
    let done = match cli.command {
        Command::Simulate(simulate) => simulate.run(language, &mut out).map(|()| SUCCESS),
        Command::Perft(perft) => perft.run(&mut out).map(|()| SUCCESS),
        Command::Solve(solve) => solve.run(&mut out).map(|()| SUCCESS),
        Command::Hint(hint) => hint.run(language, &mut out).map(|()| SUCCESS),
        Command::Verify(verify) => verify.run(language, &mut out).map(|()| SUCCESS),
        Command::Rules(explain) => explain.run(language, &mut out).map(|()| SUCCESS),
        Command::Arena(arena) => arena.run(&mut out),
        Command::Contest(contest) => contest.run(language, &mut out).map(|()| SUCCESS),
        Command::Sheet(sheet) => sheet.run(language, &mut out).map(|()| SUCCESS),
        Command::Serve(serve) => serve.run().map(|()| SUCCESS),
        Command::Backup(backup) => backup.run().map(|()| SUCCESS),
        Command::Restore(restore) => restore.run().map(|()| SUCCESS),
        Command::Export(export) => export.run(&mut out).map(|()| SUCCESS),
        Command::Load(load) => load.run(&mut out).map(|()| SUCCESS),
        Command::Engine(engine) => engine.run(io::stdin().lock(), &mut out).map(|()| SUCCESS),
    };
    match done.and_then(|code| Ok(out.flush().map(|()| code)?)) {
        Ok(code) => code,
        // Whoever reads us has seen enough.
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // What was written so far belongs before the error.
            let _ = out.flush();
            eprintln!("ghinda: {}", harmless(&format!("{error:#}")));
            ExitCode::from(2)
        }
    }
}

/// The text without anything that would command a terminal: an error may quote
/// a hostile file.
fn harmless(text: &str) -> String {
    let safe = |letter: char| letter == '\n' || !letter.is_control();
    let shown = |letter: char| if safe(letter) { letter } else { '\u{fffd}' };
    text.chars().map(shown).collect()
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let io = error.downcast_ref::<io::Error>();
    io.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// As POSIX programs choose it: the first of these that is set.
fn language_of_environment() -> Language {
    let set = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    let locale = set("LC_ALL").or_else(|| set("LC_MESSAGES")).or_else(|| set("LANG"));
    Language::of_locale(&locale.unwrap_or_default())
}
