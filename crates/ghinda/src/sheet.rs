//! `ghinda sheet`: the score sheet of one real table, stored in a file.

mod typed;

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use clap::{Args, Subcommand};
use contest::sheet::{Setup, Sheet as Paper, SheetChange};
use game::cruce::Contract;
use game::record::Name;
use phrases::{Language, Phrases};
use sheet_view::text;

use crate::clock;
use crate::display_args::DisplayArgs;
use crate::locked_file::{self, LockedFile};
use typed::Typed;

/// Keep the score sheet of a real table: it adds up the scores and knows the dealer and the winner
#[derive(Args)]
#[command(after_help = "Examples:
  ghinda sheet new tonight.sheet --rules classic Ana Dan Ion Zoe --dealer 4
  ghinda sheet write tonight.sheet 1 2 64+20 56   Ana bid 2: 64 + 20, and 56
  ghinda sheet write tonight.sheet revoke 3       Ion broke a duty: thrown in
  ghinda sheet edit tonight.sheet 1 1 2 60+20 60  correct line 1
  ghinda sheet new whist.sheet --rules whist3 Ana Dan Zoe --dealer 3
  ghinda sheet bid whist.sheet 1 0                two bids; the last has a limit
  ghinda sheet write whist.sheet 1/1 0/0 1/0      bids and tricks, by seats
  ghinda sheet show whist.sheet --lang ro
  ghinda sheet keep tonight.sheet                 on the whole screen

A line of Cruce is the seat that plays, its bid and the points of each side,
calls after a plus; or passed, misdeal, revoke SEAT. A line of whist is
BID/TRICKS for each seat. Romanian words work too: pas, greșit, abatere SEAT.")]
pub(crate) struct SheetArgs {
    #[command(subcommand)]
    command: SheetCommand,
}

#[derive(Subcommand)]
enum SheetCommand {
    /// Begin a sheet
    New {
        /// The file to write
        file: PathBuf,
        /// The players, in the order of play
        #[arg(required = true)]
        names: Vec<String>,
        /// A rules code or preset; see ghinda rules
        #[arg(long, value_name = "CODE", default_value = "classic")]
        rules: String,
        /// The seat that deals first, from 1
        #[arg(long, value_name = "SEAT", default_value_t = 1)]
        dealer: usize,
    },
    /// Write bids of whist while they are made
    Bid {
        /// The sheet's file
        file: PathBuf,
        /// The bids
        #[arg(required = true)]
        bids: Vec<u8>,
    },
    /// Write the declarer in Cruce, and the bid
    Declare {
        /// The sheet's file
        file: PathBuf,
        /// The seat, from 1
        seat: usize,
        /// The bid
        bid: u8,
    },
    /// Write the result of a deal
    Write {
        /// The sheet's file
        file: PathBuf,
        /// The line, as shown below
        #[arg(required = true)]
        line: Vec<String>,
    },
    /// Change a line; everything after it is scored again
    Edit {
        /// The sheet's file
        file: PathBuf,
        /// The line, from 1
        number: usize,
        /// The new line
        #[arg(required = true)]
        line: Vec<String>,
    },
    /// Change the name of a player
    Rename {
        /// The sheet's file
        file: PathBuf,
        /// The seat, from 1
        seat: usize,
        /// The name
        name: String,
    },
    /// Undo the last change
    Undo {
        /// The sheet's file
        file: PathBuf,
    },
    /// Keep the sheet on the whole screen, one line at a time
    Keep {
        /// The sheet's file
        file: PathBuf,
        #[command(flatten)]
        display: DisplayArgs,
    },
    /// Show the sheet
    Show {
        /// The sheet's file
        file: PathBuf,
    },
    /// Print the sheet as CSV
    Csv {
        /// The sheet's file
        file: PathBuf,
    },
}

impl SheetArgs {
    pub(crate) fn run(&self, language: Language, out: &mut impl Write) -> Result<()> {
        let phrases = Phrases::new(language);
        let sheet = match &self.command {
            SheetCommand::New { file, names, rules, dealer } => {
                begin(file, names, rules, *dealer, &phrases)?
            }
            SheetCommand::Bid { file, bids } => change(file, &phrases, |_| {
                Ok(bids.iter().map(|bid| SheetChange::Bid(*bid)).collect())
            })?,
            SheetCommand::Declare { file, seat, bid } => change(file, &phrases, |_| {
                let declarer = typed::seat(*seat, &phrases)?;
                Ok(vec![SheetChange::Declare(Contract { declarer, bid: *bid })])
            })?,
            SheetCommand::Write { file, line } => change(file, &phrases, |typed| {
                Ok(vec![SheetChange::Write(typed.line(&texts(line))?)])
            })?,
            SheetCommand::Edit { file, number, line } => {
                change(file, &phrases, |typed| Ok(vec![typed.edit(*number, &texts(line))?]))?
            }
            SheetCommand::Rename { file, seat, name } => change(file, &phrases, |_| {
                let seat = typed::seat(*seat, &phrases)?;
                Ok(vec![SheetChange::Rename { seat, name: Name::new(name)? }])
            })?,
            SheetCommand::Undo { file } => change(file, &phrases, |_| Ok(vec![SheetChange::Undo]))?,
            SheetCommand::Show { file } => open(file)?,
            SheetCommand::Keep { file, display } if !display.display_mode().plain => {
                let sheet = OpenSheet { file: file.clone(), sheet: open(file)? };
                return terminal::sheet(sheet, display.appearance(), display.phrases(language));
            }
            SheetCommand::Keep { file, .. } => keep_without_screen(file, &phrases, out)?,
            SheetCommand::Csv { file } => {
                return Ok(write!(out, "{}", open(file)?.to_csv())?);
            }
        };
        let lines = text::sheet(&phrases, &sheet);
        Ok(lines.iter().try_for_each(|line| writeln!(out, "{line}"))?)
    }
}

/// A sheet that is shown on the whole screen.
struct OpenSheet {
    file: PathBuf,
    sheet: Paper,
}

impl terminal::SheetBackend for OpenSheet {
    fn lines(&self, phrases: &Phrases) -> Vec<String> {
        text::sheet(phrases, &self.sheet)
    }

    fn title(&self, phrases: &Phrases) -> String {
        let name = self.file.file_name().unwrap_or_default();
        format!("{} · {}", phrases.title(self.sheet.rules()), name.display())
    }

    fn write(&mut self, line: &str, phrases: &Phrases) -> Result<()> {
        self.sheet = change(&self.file, phrases, |typed| typed.changes(line))?;
        Ok(())
    }

    fn undo(&mut self, phrases: &Phrases) -> Result<()> {
        self.sheet = change(&self.file, phrases, |_| Ok(vec![SheetChange::Undo]))?;
        Ok(())
    }
}

/// The same without a screen: writes every line of standard input, and ends at the first refused
/// one.
fn keep_without_screen(file: &Path, phrases: &Phrases, out: &mut impl Write) -> Result<Paper> {
    let mut sheet = open(file)?;
    for line in std::io::stdin().lines() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        sheet = change(file, phrases, |typed| typed.changes(&line))?;
        writeln!(out, "{}", text::sheet(phrases, &sheet).last().map_or("", String::as_str))?;
    }
    Ok(sheet)
}

fn begin(
    file: &Path,
    names: &[String],
    rules: &str,
    dealer: usize,
    phrases: &Phrases,
) -> Result<Paper> {
    let rules = crate::rules::read(rules)?;
    let names: Result<_, _> = names.iter().map(|name| Name::new(name)).collect();
    let setup = Setup {
        rules,
        names: names.context("the names are not valid")?,
        dealer: typed::seat(dealer, phrases)?,
    };
    let sheet = Paper::new(setup);
    let sheet = sheet.map_err(|refusal| anyhow!(phrases.refused_by_sheet(&refusal, &rules)))?;
    LockedFile::new(file)?.create(&wire::sheet::to_lines(&sheet))?;
    Ok(sheet)
}

/// The sheet in a file.
fn open(file: &Path) -> Result<Paper> {
    let name = file.display();
    if file != Path::new("-") && matches!(file.try_exists(), Ok(false)) {
        bail!("there is no {name}; begin it with: ghinda sheet new '{name}' Ana Dan Ion Zoe");
    }
    read(&locked_file::read(file)?, file)
}

fn read(text: &str, file: &Path) -> Result<Paper> {
    wire::sheet::from_lines(text)
        .with_context(|| format!("{} is not a score sheet", file.display()))
}

/// Makes all changes, or none.
fn change(
    file: &Path,
    phrases: &Phrases,
    changes: impl FnOnce(&Typed<'_>) -> Result<Vec<SheetChange>>,
) -> Result<Paper> {
    // No lock file is created for a missing sheet.
    open(file)?;
    let locked = LockedFile::new(file)?;
    let mut sheet = read(&locked.read()?, file)?;
    for change in changes(&Typed { rules: sheet.rules(), phrases })? {
        let refused =
            |refusal, sheet: &Paper| anyhow!(phrases.refused_by_sheet(&refusal, sheet.rules()));
        let entry = sheet.decide(clock::millis(), None, change);
        let entry = entry.map_err(|refusal| refused(refusal, &sheet))?;
        sheet.apply(entry).map_err(|refusal| anyhow!(refusal.to_string()))?;
    }
    locked.replace(&wire::sheet::to_lines(&sheet))?;
    Ok(sheet)
}

fn texts(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}
