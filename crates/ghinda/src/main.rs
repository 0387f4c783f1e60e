//! The `ghinda` binary. It reads arguments and prints; the libraries do the work.

mod admin;
mod arena;
mod audit;
mod capacity;
mod clock;
mod contest;
mod database_arg;
mod database_copies;
mod display_args;
mod doctor;
mod engine;
mod generate;
mod hint;
mod load;
mod locked_file;
mod perft;
mod play;
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

use anyhow::Result;
use clap::{CommandFactory, Parser, Subcommand};
use phrases::{Language, Phrases};
use terminal::{Appearance, Colours, HomeChoice};

/// Cruce and Romanian whist: tables, bots, rules, records and proofs.
#[derive(Parser)]
#[command(name = "ghinda", version, about, term_width = 80)]
#[command(after_help = "Examples:
  ghinda                                 a menu of what to play
  ghinda play                            Cruce for four, you against bots
  ghinda play whist --players 5          whist
  ghinda join LINK                       sit at a table of a server
  ghinda replay match.record             show a match again, step by step
  ghinda simulate                        a random match, card by card
  ghinda simulate --rules whist5 --json  a match of whist as JSON
  ghinda serve                           run a server, stored in ghinda.db
  ghinda rules contest --lang ro         what a rules code means, in Romanian
  ghinda verify match.record             recheck every deal, card and score
  ghinda solve 'cruce4t hands=A3bXl/Xb9l4a/49bAl/2lX3a trump=b lead=1'
  ghinda hint cruce4t seat=1 hand=AX4b3l9a9h
  ghinda arena random cmd:./mybot        compare two bots in the same deals
  ghinda audit-shuffle                   test that the shuffle is fair
  ghinda contest --help                  run a contest in a hall
  ghinda sheet --help                    keep the score sheet of a real table
  ghinda admin --help                    look after the database of a server
  ghinda doctor                          check this machine

Exit codes: 0 success; 1 a negative answer (doctor found a fault, a contender
of the arena broke the rules, the shuffle failed its audit, admin was not
confirmed); 2 an error, printed on standard error; 128 + N ended by signal N.
NO_COLOR and LANG are respected; GHINDA_STATE is the folder where unfinished
matches are stored.")]
struct Cli {
    /// The language of the output: en or ro. [default: from the environment]
    #[arg(long, global = true, value_name = "LANG")]
    lang: Option<Language>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Play(play::PlayArgs),
    Join(play::JoinArgs),
    Watch(play::WatchArgs),
    Replay(play::ReplayArgs),
    Simulate(simulate::SimulateArgs),
    Perft(perft::PerftArgs),
    Solve(Box<solve::SolveArgs>),
    Hint(hint::HintArgs),
    Verify(verify::VerifyArgs),
    Rules(rules::ExplainArgs),
    Arena(Box<arena::ArenaArgs>),
    AuditShuffle(audit::AuditArgs),
    Engine(engine::EngineArgs),
    Serve(Box<serve::ServeArgs>),
    Contest(contest::ContestArgs),
    Sheet(sheet::SheetArgs),
    Backup(database_copies::BackupArgs),
    Restore(database_copies::RestoreArgs),
    Export(database_copies::ExportArgs),
    Admin(admin::AdminArgs),
    Load(load::LoadArgs),
    Doctor(doctor::DoctorArgs),
    Completions(generate::CompletionsArgs),
    Man(generate::ManArgs),
}

const SUCCESS: ExitCode = ExitCode::SUCCESS;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let language = cli.lang.unwrap_or_else(language_of_environment);
    let mut out = io::BufWriter::new(io::stdout().lock());
    let Some(command) = cli.command.or_else(|| choose_command(language)) else { return SUCCESS };
    let done = match command {
        Command::Play(play) => play.run(language).map(|()| SUCCESS),
        Command::Join(join) => join.run(language).map(|()| SUCCESS),
        Command::Watch(watch) => watch.run(language).map(|()| SUCCESS),
        Command::Replay(replay) => replay.run(language).map(|()| SUCCESS),
        Command::Doctor(doctor) => doctor.run(&mut out),
        Command::Completions(completions) => completions.run(&mut out).map(|()| SUCCESS),
        Command::Man(man) => man.run(&mut out).map(|()| SUCCESS),
        Command::Simulate(simulate) => simulate.run(language, &mut out).map(|()| SUCCESS),
        Command::Perft(perft) => perft.run(&mut out).map(|()| SUCCESS),
        Command::Solve(solve) => solve.run(&mut out).map(|()| SUCCESS),
        Command::Hint(hint) => hint.run(language, &mut out).map(|()| SUCCESS),
        Command::Verify(verify) => verify.run(language, &mut out).map(|()| SUCCESS),
        Command::Rules(explain) => explain.run(language, &mut out).map(|()| SUCCESS),
        Command::Arena(arena) => arena.run(&mut out),
        Command::AuditShuffle(audit) => audit.run(&mut out),
        Command::Contest(contest) => contest.run(language, &mut out).map(|()| SUCCESS),
        Command::Sheet(sheet) => sheet.run(language, &mut out).map(|()| SUCCESS),
        Command::Serve(serve) => serve.run().map(|()| SUCCESS),
        Command::Backup(backup) => backup.run().map(|()| SUCCESS),
        Command::Restore(restore) => restore.run().map(|()| SUCCESS),
        Command::Export(export) => export.run(&mut out).map(|()| SUCCESS),
        Command::Admin(admin) => admin.run(&mut out),
        Command::Load(load) => load.run(&mut out).map(|()| SUCCESS),
        Command::Engine(engine) => engine.run(io::stdin().lock(), &mut out).map(|()| SUCCESS),
    };
    match done.and_then(|code| Ok(out.flush().map(|()| code)?)) {
        Ok(code) => code,
        // The reader of standard output has closed it.
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // Output written so far comes before the error.
            let _ = out.flush();
            eprintln!("ghinda: {}", phrases::layout::harmless(&format!("{error:#}")));
            ExitCode::from(2)
        }
    }
}

/// Asks what to do when no subcommand is given. Without a terminal it prints the help.
fn choose_command(language: Language) -> Option<Command> {
    let ask = || -> Result<HomeChoice> {
        let colours = Colours::of_environment(|name| std::env::var(name).ok());
        terminal::home(Appearance { colours, ..Appearance::default() }, Phrases::new(language))
    };
    let choice = if terminal::is_terminal() { ask() } else { Ok(HomeChoice::Commands) };
    match choice {
        Ok(HomeChoice::Play(code)) => Some(Command::Play(play::PlayArgs::from_home(code))),
        Ok(HomeChoice::Serve) => Some(Command::Serve(Box::new(serve::ServeArgs::from_home()))),
        Ok(HomeChoice::Leave) => None,
        Ok(HomeChoice::Commands) | Err(_) => {
            // If the help cannot be printed, there is nothing left to report.
            let _ = Cli::command().print_help();
            None
        }
    }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let io = error.downcast_ref::<io::Error>();
    io.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// The language of the first locale variable that is set, in the POSIX order.
fn language_of_environment() -> Language {
    let set = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    let locale = set("LC_ALL").or_else(|| set("LC_MESSAGES")).or_else(|| set("LANG"));
    Language::of_locale(&locale.unwrap_or_default())
}
