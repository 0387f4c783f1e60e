//! `ghinda contest`: a contest stored in a file, for an organiser without a server.
//!
//! The state machine in `contest` decides; this module turns arguments into changes and prints the
//! results.

mod changes;
mod contest_file;
mod reports;

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, Subcommand, ValueEnum};
use phrases::{Language, Phrases};

/// Run a contest in a file: entrants, draws, tables, results, places
#[derive(Args)]
#[command(after_help = "Examples:
  ghinda contest new cup.contest --title 'Cupa satului'
  ghinda contest add cup.contest --list entrants.csv   or: Ana 'Ion Pop' …
  ghinda contest commit cup.contest                    show it before the draw
  ghinda contest draw cup.contest --word banana        a word from the hall
  ghinda contest report cup.contest A 21 5 7 -2        scores of A1 to A4
  ghinda contest standings cup.contest --lang ro
  ghinda contest export cup.contest draws > cup.draws  for verify_draw.py

The rules are T1 to T6 of docs/contest.md. The file is text with one line per
change; a refused command changes nothing. A table is written B, or 1B with its
phase.")]
pub(crate) struct ContestArgs {
    #[command(subcommand)]
    command: ContestCommand,
}

#[derive(Subcommand)]
enum ContestCommand {
    New(NewContestArgs),
    Add(AddArgs),
    Rename(RenameArgs),
    /// Withdraw an entrant; the next of the table advances instead
    Withdraw(WhoArgs),
    /// Return a withdrawn entrant, if nothing was drawn since
    Return(WhoArgs),
    /// Commit to the next draw: show the commitment to the hall before the words are said
    Commit(FileArgs),
    Draw(DrawArgs),
    // The aliases are the names of version 0.1.
    #[command(alias = "enter")]
    Report(ReportArgs),
    #[command(alias = "correct")]
    Rule(RuleArgs),
    #[command(alias = "penalty")]
    Penalise(PenaliseArgs),
    Pardon(PardonArgs),
    Playoff(PlayoffArgs),
    Reopen(PhaseArgs),
    /// Close a phase that was reopened; if others advance now, later phases are void
    Close(PhaseArgs),
    /// Show the tables of a phase: the seats, and the results so far
    Tables(TablesArgs),
    /// Show the standings, and the places at the end
    Standings(FileArgs),
    /// Print tickets to cut out
    Tickets(TablesArgs),
    /// List all entrants, with their numbers
    Entrants(FileArgs),
    /// Print every change, with its time and author
    Log(FileArgs),
    Export(ExportContestArgs),
    /// Recheck everything in a file, and show the commitments of the draws
    Verify(FileArgs),
}

#[derive(Args)]
struct FileArgs {
    /// The contest's file
    file: PathBuf,
}

/// Begin a contest
#[derive(Args)]
#[command(after_help = "Examples:
  ghinda contest new cup.contest --title 'Cupa satului'
  ghinda contest new pairs.contest --title Pairs --rules contest4t
  ghinda contest new whist.contest --title Whist --rules whist4 --list names.txt

The rules are for tables of four; a table of three plays the same game for
three. An existing file is never replaced.")]
struct NewContestArgs {
    /// The file to write
    file: PathBuf,
    /// The title of the contest
    #[arg(long, value_name = "TEXT")]
    title: String,
    /// A rules code for four; see ghinda rules
    #[arg(long, value_name = "CODE", default_value = "contest")]
    rules: String,
    /// The contest's name under its draws [default: made from the title]
    #[arg(long, value_name = "WORD")]
    word: Option<String>,
    /// The first entrants: one name per line, or a spreadsheet as CSV; - is standard input
    #[arg(long, value_name = "FILE")]
    list: Option<PathBuf>,
}

/// Add players, or pairs as 'Ana, Dan'; before any draw but the final's
#[derive(Args)]
#[command(after_help = "Examples:
  ghinda contest add cup.contest Ana 'Ion Pop' Maria
  ghinda contest add pairs.contest 'Ana, Dan' 'Ion, Maria'
  ghinda contest add cup.contest --list entrants.csv
  xclip -o | ghinda contest add cup.contest --list -

Names may be the same: numbers distinguish such entrants. Every fault of a list
is printed with its line, and then no entrant is added.")]
struct AddArgs {
    /// The contest's file
    file: PathBuf,
    /// The entrants
    names: Vec<String>,
    /// A list: one name per line, or a spreadsheet as CSV; - is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "names", required_unless_present = "names")]
    list: Option<PathBuf>,
}

/// Change the name of an entrant
#[derive(Args)]
struct RenameArgs {
    /// The contest's file
    file: PathBuf,
    /// The entrant, by number, ticket or name
    who: String,
    /// The new name
    name: String,
}

#[derive(Args)]
struct WhoArgs {
    /// The contest's file
    file: PathBuf,
    /// The entrant, by number, ticket or name
    who: String,
}

/// Draw the lots of the next phase
#[derive(Args)]
#[command(after_help = "Examples:
  ghinda contest draw cup.contest --word banana --word pere
  ghinda contest draw cup.contest --at-once

The commitment is made first; then people in the hall say words, up to six,
which the organiser cannot have known. So neither the organiser nor the hall
can choose the draw. --at-once commits and draws in one step, for people who
trust each other.")]
struct DrawArgs {
    /// The contest's file
    file: PathBuf,
    /// A word that was said in the hall after the commitment
    #[arg(long = "word", value_name = "WORD")]
    words: Vec<String>,
    /// Commit and draw in one step
    #[arg(long)]
    at_once: bool,
}

/// Report the result of a table
#[derive(Args)]
#[command(after_help = "Examples:
  ghinda contest report cup.contest A 21 5 7 -2          scores of A1 to A4
  ghinda contest report cup.contest A 21 5 7 -2 --by A3  as A3 reports it
  ghinda contest report cup.contest B --sheet b.sheet    a whole score sheet
  ghinda contest report cup.contest C --record c.record  played with Ghinda

Reports of different people stand side by side; until they agree or ghinda
contest rule decides, no entrant advances from that table.")]
struct ReportArgs {
    /// The contest's file
    file: PathBuf,
    /// The table
    table: String,
    /// The scores, by places
    #[arg(allow_negative_numbers = true, required_unless_present_any = ["sheet", "record"])]
    scores: Vec<i32>,
    /// The reporter: organiser, referee, or a player by number, ticket or name
    #[arg(long, value_name = "WHO", default_value = "organiser")]
    by: String,
    /// The match was stopped before its end
    #[arg(long)]
    broken_off: bool,
    /// A score sheet of ghinda sheet
    #[arg(long, value_name = "FILE", conflicts_with_all = ["scores", "record", "broken_off"])]
    sheet: Option<PathBuf>,
    /// A match record, which is rechecked completely
    #[arg(long, value_name = "FILE", conflicts_with_all = ["scores", "broken_off"])]
    record: Option<PathBuf>,
}

/// Rule what the result of a table is, in a dispute or to correct it
#[derive(Args)]
#[command(after_help = "Examples:
  ghinda contest rule cup.contest A 21 5 6 -2
  ghinda contest rule cup.contest B 14 9 7 2 --broken-off  the time was up

Possible until the next phase is drawn; after that the phase must be reopened.")]
struct RuleArgs {
    /// The contest's file
    file: PathBuf,
    /// The table
    table: String,
    /// The scores, by places
    #[arg(allow_negative_numbers = true, required = true)]
    scores: Vec<i32>,
    /// The match was stopped before its end
    #[arg(long)]
    broken_off: bool,
}

/// Subtract points that are not in the scores yet: 3 for a broken duty, 1 for a wrong deal
#[derive(Args)]
#[command(after_help = "Example:
  ghinda contest penalise cup.contest A3 revoke

A penalty that the players have already written down is part of their scores.")]
struct PenaliseArgs {
    /// The contest's file
    file: PathBuf,
    /// The ticket of the player: A3, or 1A3 with its phase
    ticket: String,
    /// The reason
    why: PenaltyReasonArg,
}

#[derive(Clone, Copy, ValueEnum)]
enum PenaltyReasonArg {
    /// A card that broke a duty: −3
    Revoke,
    /// A wrong deal: −1
    Misdeal,
}

/// Cancel a penalty
#[derive(Args)]
struct PardonArgs {
    /// The contest's file
    file: PathBuf,
    /// The table
    table: String,
    /// Which of its penalties, from 1
    penalty: usize,
}

/// Enter the additional deals that break a tie: the score of each place in them
#[derive(Args)]
#[command(after_help = "Example:
  ghinda contest playoff cup.contest C 0 2 1 0

Only tied entrants are compared. If they are tied again, they play on.")]
struct PlayoffArgs {
    /// The contest's file
    file: PathBuf,
    /// The table
    table: String,
    /// The score of each place
    #[arg(allow_negative_numbers = true, required = true)]
    scores: Vec<i32>,
}

/// Open a phase again for corrections after the next one was drawn
#[derive(Args)]
struct PhaseArgs {
    /// The contest's file
    file: PathBuf,
    /// The phase, from 1
    phase: usize,
}

#[derive(Args)]
struct TablesArgs {
    /// The contest's file
    file: PathBuf,
    /// The phase, from 1 [default: the last one]
    phase: Option<usize>,
}

/// Print the contest for spreadsheets, programs and checks of the draws
#[derive(Args)]
#[command(after_help = "Examples:
  ghinda contest export cup.contest standings > standings.csv
  ghinda contest export cup.contest draws > cup.draws
  python3 examples/verify_draw.py cup.draws")]
struct ExportContestArgs {
    /// The contest's file
    file: PathBuf,
    /// What to print
    what: Exported,
}

#[derive(Clone, Copy, ValueEnum)]
enum Exported {
    /// The standings, as CSV
    Standings,
    /// Every result of every table, as CSV
    Results,
    /// Every ticket of every phase, as CSV
    Tickets,
    /// Every draw, with all that is needed to repeat it
    Draws,
    /// Everything as one JSON object
    Json,
}

impl ContestArgs {
    pub(crate) fn run(&self, language: Language, out: &mut impl Write) -> Result<()> {
        let phrases = Phrases::new(language);
        let lines = match &self.command {
            ContestCommand::New(new) => new.run(&phrases),
            ContestCommand::Add(add) => add.run(&phrases),
            ContestCommand::Rename(rename) => rename.run(&phrases),
            ContestCommand::Withdraw(who) => who.withdraw(&phrases),
            ContestCommand::Return(who) => who.return_entrant(&phrases),
            ContestCommand::Commit(file) => file.commit(&phrases),
            ContestCommand::Draw(draw) => draw.run(&phrases),
            ContestCommand::Report(report) => report.run(&phrases),
            ContestCommand::Rule(rule) => rule.run(&phrases),
            ContestCommand::Penalise(penalise) => penalise.run(&phrases),
            ContestCommand::Pardon(pardon) => pardon.run(&phrases),
            ContestCommand::Playoff(playoff) => playoff.run(&phrases),
            ContestCommand::Reopen(phase) => phase.reopen(&phrases),
            ContestCommand::Close(phase) => phase.close(&phrases),
            ContestCommand::Tables(tables) => tables.tables(&phrases),
            ContestCommand::Standings(file) => file.standings(&phrases),
            ContestCommand::Tickets(tables) => tables.tickets(&phrases),
            ContestCommand::Entrants(file) => file.entrants(&phrases),
            ContestCommand::Log(file) => file.log(&phrases),
            ContestCommand::Export(export) => return export.run(out),
            ContestCommand::Verify(file) => file.verify(&phrases),
        }?;
        Ok(lines.iter().try_for_each(|line| writeln!(out, "{line}"))?)
    }
}
