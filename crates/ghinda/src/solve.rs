//! `ghinda solve`: the value of every card when all cards lie open.

mod ask;
mod line;
mod report;

use std::io::{Read, Write};
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use game::Position;
use indicatif::{ProgressBar, ProgressStyle};
use solver::cruce;

use ask::{Asker, Budget, Question};

/// Solve a position exactly: the value of every card and the best line
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ghinda solve 'cruce4t hands=A3bXl/Xb9l4a/49bAl/2lX3a trump=b lead=1'
  ghinda solve 'cruce4t hands=AX4329b/AX4329l/AX4329a/AX4329h'
                                     the points of each declarer
  ghinda solve 'cruce4t hands=A3bXl/Xb9l4a/49bAl/2lX3a trump=b lead=1' --reach 2
  ghinda solve 'whist3 hands=AKc9s/KQs9d/ATdJh turned=9h bids=2.1.1'
  ghinda solve 'whist4 hands=AKc/QJc/AKd/QJd trump=s lead=1' --partners
  ghinda solve positions.txt --json  one position per line; - is standard input
  ghinda solve corpus/cruce.solved --against-all --solved

All cards lie open and every player plays perfectly. In Cruce a side plays for
its points less those of the others. Without teams each player plays for their
points less the mean of all, and is indifferent between cards that are equally
good for them: then the points are an average. In whist every player wants to
be near their bid.

docs/notation.md explains positions and the lines of --solved. A limit holds
for each position; a position that is not solved within it is printed on
standard error, with exit code 2.")]
pub(crate) struct SolveArgs {
    /// A position such as cruce4t hands=… trump=b lead=1, or a file with one per line
    #[arg(value_name = "POSITION", required = true, num_args = 1..)]
    position: Vec<String>,
    #[command(flatten)]
    question: QuestionArgs,
    /// Search at most this many positions between tricks
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Search at most this long
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
    /// Print one JSON object per position; docs/notation.md has its schema
    #[arg(long)]
    json: bool,
    /// Print lines of a solved file; comments of the input file are kept
    #[arg(long, conflicts_with_all = ["json", "reach"])]
    solved: bool,
}

/// The question to answer.
#[derive(clap::Args)]
struct QuestionArgs {
    /// Cruce: what a side plays for: its points less the others', or its own points
    #[arg(long, value_name = "AIM")]
    aim: Option<AimArg>,
    /// Cruce: does the side make N times 33 points after each card?
    #[arg(long, value_name = "N", conflicts_with = "aim", value_parser = clap::value_parser!(u8).range(0..=6))]
    reach: Option<u8>,
    /// The side whose value is printed [default: the side of the seat in turn]
    #[arg(long, value_name = "N")]
    side: Option<usize>,
    /// Cruce without teams: all others play against the side; implied by --aim, --reach and --side
    #[arg(long)]
    against_all: bool,
    /// Whist for four: partners sit opposite each other and play for tricks
    #[arg(long)]
    partners: bool,
}

/// What a side of Cruce plays for.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum AimArg {
    Difference,
    Points,
}

impl From<AimArg> for cruce::Aim {
    fn from(aim: AimArg) -> cruce::Aim {
        match aim {
            AimArg::Difference => cruce::Aim::Difference,
            AimArg::Points => cruce::Aim::Points,
        }
    }
}

/// A longer file is refused.
const MAX_BYTES: u64 = 64 << 20;

/// How the answers are printed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OutputForm {
    Text,
    Json,
    Solved,
}

impl SolveArgs {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<()> {
        let form = match (self.json, self.solved) {
            (true, _) => OutputForm::Json,
            (_, true) => OutputForm::Solved,
            _ => OutputForm::Text,
        };
        let items = self.items()?;
        let bar = progress(items.iter().filter(|item| matches!(item, Item::Position(..))).count());
        let (mut asker, mut first, mut unsolved) = (Asker::default(), true, 0);
        for item in &items {
            let (at, position) = match item {
                Item::Position(at, position) => (*at, position),
                Item::Remark(text) if form == OutputForm::Solved => {
                    writeln!(out, "{text}")?;
                    continue;
                }
                Item::Remark(_) => continue,
            };
            if form == OutputForm::Text && !std::mem::take(&mut first) {
                writeln!(out)?;
            }
            let at_line = |error: anyhow::Error| match at {
                Some(line) => error.context(format!("line {line}")),
                None => error,
            };
            let question = Question::of(position, &self.question).map_err(at_line)?;
            let budget = Budget::new(self.nodes, self.time);
            let done = report::answer(out, &mut asker, position, question, &budget, form);
            if let Some(stopped) = done.map_err(at_line)? {
                unsolved += 1;
                bar.suspend(|| eprintln!("{}{stopped}", line_of(at)));
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        if unsolved > 0 {
            let all = bar.position();
            bail!("{unsolved} of {all} positions not solved; give more --nodes or --time");
        }
        Ok(())
    }

    /// The positions that were typed, or those of a file.
    fn items(&self) -> Result<Vec<Item>> {
        let typed = self.position.join(" ");
        if typed.contains('=') {
            let position = typed.parse().context("the position is not valid")?;
            return Ok(vec![Item::Position(None, Box::new(position))]);
        }
        let text = read(&typed)?;
        text.lines().enumerate().map(|(at, line)| item(line, at + 1)).collect()
    }
}

fn line_of(line: Option<usize>) -> String {
    line.map_or(String::new(), |line| format!("line {line}: "))
}

/// A line of a file: a position with its line number, or a remark to be printed again.
enum Item {
    Position(Option<usize>, Box<Position>),
    Remark(String),
}

fn item(line: &str, number: usize) -> Result<Item> {
    if line.trim().is_empty() || line.starts_with('#') {
        return Ok(Item::Remark(line.into()));
    }
    // In a line of a solved file the old values are ignored.
    let position = line.split(" ; ").next().unwrap_or(line).parse::<Position>();
    let position = position.map_err(|mut fault| {
        fault.line = number;
        fault
    });
    Ok(Item::Position(Some(number), Box::new(position.context("a position is not valid")?)))
}

fn read(name: &str) -> Result<String> {
    let mut bytes = Vec::new();
    if name == "-" {
        std::io::stdin().lock().take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    } else {
        let file = std::fs::File::open(Path::new(name)).with_context(|| {
            format!("{name:?} is neither a position (with hands=) nor a file that can be opened")
        })?;
        file.take(MAX_BYTES + 1).read_to_end(&mut bytes).context("the file cannot be read")?;
    }
    if bytes.len() as u64 > MAX_BYTES {
        bail!("the file is longer than {} MiB", MAX_BYTES >> 20);
    }
    String::from_utf8(bytes).context("the file is not UTF-8 text")
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.001..=1e6).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or("a number of seconds from 0.001 on".into())
}

/// A progress bar, or a spinner for a single position.
fn progress(positions: usize) -> ProgressBar {
    let template = match positions {
        1 => "{elapsed_precise} {spinner}",
        _ => "{elapsed_precise} {spinner} {bar:30} {pos}/{len} positions",
    };
    let style = ProgressStyle::with_template(template);
    let bar = ProgressBar::new(positions as u64)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
