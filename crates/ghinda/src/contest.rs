//! `ghinda contest`: a contest kept in a file, for an organiser without a server.
//!
//! Everything is decided by the state machine in `contest`; here arguments become changes, and
//! what it says is printed.

mod changes;
mod contest_file;
mod reports;

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, Subcommand, ValueEnum};
use phrases::{Language, Phrases};

/// Hold a contest in a file: entrants, the urn, tables, results, places
#[derive(Args)]
#[command(after_help = "Examples:
  ghinda contest new cup.contest --title 'Cupa satului'
  ghinda contest add cup.contest --list entrants.csv   or: Ana 'Ion Pop' …
  ghinda contest commit cup.contest                    show it to the hall
  ghinda contest draw cup.contest --word banana        a word that somebody says
  ghinda contest enter cup.contest A 21 5 7 -2         scores of A1 to A4
  ghinda contest standings cup.contest --lang ro
  ghinda contest export cup.contest draws > cup.draws  for verify_draw.py

The rules are T1 to T6 of docs/contest.md. The file is text, a line for
everything that was done; a refused command changes nothing. A table is written
B, or 1B with its phase.")]
pub(crate) struct ContestArgs {
    #[command(subcommand)]
    command: ContestCommand,
}

#[derive(Subcommand)]
enum ContestCommand {
    New(NewContestArgs),
    Add(AddArgs),
    Rename(RenameArgs),
    /// An entrant does not play any more; the next of his table goes on instead
    Withdraw(WhoArgs),
    /// He does after all, if nothing was drawn since
    Return(WhoArgs),
    /// Commit to the next draw: show the number to the hall before anybody says a word
    Commit(FileArgs),
    Draw(DrawArgs),
    Enter(EnterArgs),
    Correct(CorrectArgs),
    Penalty(PenaltyArgs),
    Pardon(PardonArgs),
    Playoff(PlayoffArgs),
    Reopen(PhaseArgs),
    /// Close a phase that was reopened; if others go on now, later phases are void
    Close(PhaseArgs),
    /// Show the tables of a phase: who sits where, and what is known of the matches
    Tables(TablesArgs),
    /// Show how everybody stands, and the places at the end
    Standings(FileArgs),
    /// Print tickets to cut out
    Tickets(TablesArgs),
    /// List all who have entered, with their numbers
    Entrants(FileArgs),
    /// Tell everything that was done, when and by whom
    Log(FileArgs),
    Export(ExportContestArgs),
    /// Recheck everything in a file, and show what each draw follows from
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

The rules are for tables of four; where three sit, they play the same game in
three. A file that exists is never replaced.")]
struct NewContestArgs {
    /// The file to write
    file: PathBuf,
    /// What the contest is called
    #[arg(long, value_name = "TEXT")]
    title: String,
    /// A rules code for four; see ghinda rules
    #[arg(long, value_name = "CODE", default_value = "contest")]
    rules: String,
    /// The contest's name under its draws [default: made from the title]
    #[arg(long, value_name = "WORD")]
    word: Option<String>,
    /// Entrants to begin with: a name a line, or a spreadsheet as CSV; - is standard input
    #[arg(long, value_name = "FILE")]
    list: Option<PathBuf>,
}

/// Enter players, or pairs as 'Ana, Dan'; before any draw but the final's
#[derive(Args)]
#[command(after_help = "Examples:
  ghinda contest add cup.contest Ana 'Ion Pop' Maria
  ghinda contest add pairs.contest 'Ana, Dan' 'Ion, Maria'
  ghinda contest add cup.contest --list entrants.csv
  xclip -o | ghinda contest add cup.contest --list -

Names may be the same: such entrants are told apart by numbers. Every fault of
a list is told with its line, and then nobody is entered.")]
struct AddArgs {
    /// The contest's file
    file: PathBuf,
    /// Who enters
    names: Vec<String>,
    /// A list: a name a line, or a spreadsheet as CSV; - is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "names", required_unless_present = "names")]
    list: Option<PathBuf>,
}

/// An entrant is called otherwise
#[derive(Args)]
struct RenameArgs {
    /// The contest's file
    file: PathBuf,
    /// Who: his number, his ticket or his name
    who: String,
    /// What he is called
    name: String,
}

#[derive(Args)]
struct WhoArgs {
    /// The contest's file
    file: PathBuf,
    /// Who: his number, his ticket or his name
    who: String,
}

/// Draw the lots of the next phase
#[derive(Args)]
#[command(after_help = "Examples:
  ghinda contest draw cup.contest --word banana --word pere
  ghinda contest draw cup.contest --at-once

The commitment is made before; then people in the hall say words, up to six,
which nobody can have known. With both, neither the organiser nor the hall
could choose the draw. --at-once commits and draws in one, for those who trust
each other.")]
struct DrawArgs {
    /// The contest's file
    file: PathBuf,
    /// A word that was said in the hall after the commitment
    #[arg(long = "word", value_name = "WORD")]
    words: Vec<String>,
    /// Commit and draw in one
    #[arg(long)]
    at_once: bool,
}

/// Enter the result of a table
#[derive(Args)]
#[command(after_help = "Examples:
  ghinda contest enter cup.contest A 21 5 7 -2          scores of A1 to A4
  ghinda contest enter cup.contest A 21 5 7 -2 --by A3  as A3 tells it
  ghinda contest enter cup.contest B --sheet b.sheet    a whole score sheet
  ghinda contest enter cup.contest C --record c.record  played with us

What different people tell stands side by side; until it agrees or ghinda
contest correct decides, nobody goes on from that table.")]
struct EnterArgs {
    /// The contest's file
    file: PathBuf,
    /// The table
    table: String,
    /// The scores, by places
    #[arg(allow_negative_numbers = true, required_unless_present_any = ["sheet", "record"])]
    scores: Vec<i32>,
    /// Who tells it: organiser, referee, or a player by number, ticket or name
    #[arg(long, value_name = "WHO", default_value = "organiser")]
    by: String,
    /// The match was broken off before its end
    #[arg(long)]
    broken_off: bool,
    /// A score sheet that was kept with ghinda sheet
    #[arg(long, value_name = "FILE", conflicts_with_all = ["scores", "record", "broken_off"])]
    sheet: Option<PathBuf>,
    /// A match record, which is rechecked completely
    #[arg(long, value_name = "FILE", conflicts_with_all = ["scores", "broken_off"])]
    record: Option<PathBuf>,
}

/// Decide the result of a table, in a dispute or to correct it
#[derive(Args)]
#[command(after_help = "Examples:
  ghinda contest correct cup.contest A 21 5 6 -2
  ghinda contest correct cup.contest B 14 9 7 2 --broken-off  the time was up

Possible until the next phase is drawn; after that the phase must be reopened.")]
struct CorrectArgs {
    /// The contest's file
    file: PathBuf,
    /// The table
    table: String,
    /// The scores, by places
    #[arg(allow_negative_numbers = true, required = true)]
    scores: Vec<i32>,
    /// The match was broken off before its end
    #[arg(long)]
    broken_off: bool,
}

/// Take points away that do not stand in the scores: 3 for a broken duty, 1 for a wrong deal
#[derive(Args)]
#[command(after_help = "Example:
  ghinda contest penalty cup.contest A3 revoke

A penalty that the players have written down already is part of their scores.")]
struct PenaltyArgs {
    /// The contest's file
    file: PathBuf,
    /// The ticket of whom it concerns: A3, or 1A3 with its phase
    ticket: String,
    /// For what
    why: PenaltyReasonArg,
}

#[derive(Clone, Copy, ValueEnum)]
enum PenaltyReasonArg {
    /// A card that broke a duty: −3
    Revoke,
    /// A wrong deal: −1
    Misdeal,
}

/// Lift a penalty
#[derive(Args)]
struct PardonArgs {
    /// The contest's file
    file: PathBuf,
    /// The table
    table: String,
    /// Which of its penalties, from 1
    penalty: usize,
}

/// Enter the further deals that break a tie: what each place made in them
#[derive(Args)]
#[command(after_help = "Example:
  ghinda contest playoff cup.contest C 0 2 1 0

Only those who are tied are compared. If they are level again, they play on.")]
struct PlayoffArgs {
    /// The contest's file
    file: PathBuf,
    /// The table
    table: String,
    /// What each place made
    #[arg(allow_negative_numbers = true, required = true)]
    scores: Vec<i32>,
}

/// Open a phase again for corrections, though the next one is drawn
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

/// Print everything for spreadsheets, programs and whoever draws again
#[derive(Args)]
#[command(after_help = "Examples:
  ghinda contest export cup.contest standings > standings.csv
  ghinda contest export cup.contest draws > cup.draws
  python3 examples/verify_draw.py cup.draws")]
struct ExportContestArgs {
    /// The contest's file
    file: PathBuf,
    /// What
    what: Exported,
}

#[derive(Clone, Copy, ValueEnum)]
enum Exported {
    /// How everybody stands, as CSV
    Standings,
    /// Every result of every table, as CSV
    Results,
    /// Everybody's ticket in every phase, as CSV
    Tickets,
    /// Every draw with all that is needed to draw again
    Draws,
    /// All of it as one JSON object
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
            ContestCommand::Return(who) => who.come_back(&phrases),
            ContestCommand::Commit(file) => file.commit(&phrases),
            ContestCommand::Draw(draw) => draw.run(&phrases),
            ContestCommand::Enter(enter) => enter.run(&phrases),
            ContestCommand::Correct(correct) => correct.run(&phrases),
            ContestCommand::Penalty(penalty) => penalty.run(&phrases),
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
