//! `ghinda simulate`: matches of random legal play, as a story, as JSON or as records.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use cards::BySeat;
use game::deal::{Deal, Dealer};
use game::event::Event;
use game::fair::{Secret, Word};
use game::record::Record;
use game::{Rules, Table};
use indicatif::{ProgressBar, ProgressStyle};
use phrases::Language;
use table_view::Story;

use crate::player::RandomPlayer;
use crate::simulated::SimulatedDeal;

/// Play random matches and print them card by card
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ghinda simulate                                 Cruce for four, card by card
  ghinda simulate --rules whist4 --lang ro        whist, in Romanian
  ghinda simulate --rules cruce3 --seed 7 --json  one JSON object per deal
  ghinda simulate --matches 100 --record all.record
  ghinda simulate --record - | ghinda verify -    a record, rechecked

The same seed, rules and number of matches give the same matches. The JSON
lists all legal alternatives to every bid and card; docs/notation.md has its
schema.")]
pub(crate) struct SimulateArgs {
    /// A rules code or preset; see ghinda rules
    #[arg(long, value_name = "CODE", default_value = "classic")]
    rules: String,
    /// Any text; the same seed gives the same matches [default: random, printed on stderr]
    #[arg(long, value_name = "TEXT")]
    seed: Option<String>,
    /// How many matches to play
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    matches: u32,
    /// Print one JSON object per deal instead of the story
    #[arg(long)]
    json: bool,
    /// Write match records: text, or JSON lines if FILE ends in .jsonl; - is standard output
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Stop a match after this many deals
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    max_deals: u32,
}

impl SimulateArgs {
    pub(crate) fn run(&self, language: Language, out: &mut impl Write) -> Result<()> {
        let rules = crate::rules::read(&self.rules)?;
        let seed = match &self.seed {
            Some(seed) => seed.clone(),
            None => fresh_seed()?,
        };
        let on_stdout = self.record.as_deref() == Some(Path::new("-"));
        if on_stdout && self.json {
            bail!("--json and --record - would both write to standard output");
        }
        let mut file = self.record.as_ref().filter(|_| !on_stdout).map(create).transpose()?;
        let as_lines =
            self.record.as_ref().is_some_and(|f| f.extension().is_some_and(|e| e == "jsonl"));
        let bar = self.progress(on_stdout || file.is_some());
        for number in 1..=self.matches as usize {
            let mut printer = MatchPrinter {
                story: (!self.json && self.record.is_none())
                    .then(|| Story::new(language, rules, Story::default_names(rules.players()))),
                json: self.json,
                out: &mut *out,
            };
            let record = Simulation::new(rules, &seed, number)?
                .play(self.max_deals as usize, &mut printer)?;
            if record.won.is_none() {
                eprintln!("match {number} was stopped after {} deals", self.max_deals);
            }
            match &mut file {
                Some(file) if as_lines => write!(file, "{}", wire::record::to_lines(&record)),
                Some(file) => write!(file, "{record}"),
                None if on_stdout => write!(out, "{record}"),
                None => Ok(()),
            }?;
            bar.inc(1);
        }
        bar.finish_and_clear();
        if let Some(mut file) = file {
            file.flush().context("the record cannot be written")?;
        }
        Ok(())
    }

    /// A progress bar if there are many matches and no story is printed.
    fn progress(&self, quiet: bool) -> ProgressBar {
        if self.matches < 2 || !(quiet || self.json) {
            return ProgressBar::hidden();
        }
        let style = ProgressStyle::with_template(
            "{elapsed_precise} {bar:30} {pos}/{len} matches, {eta} left",
        );
        ProgressBar::new(self.matches.into())
            .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
    }
}

fn create(path: &PathBuf) -> Result<BufWriter<File>> {
    let file = File::create(path);
    Ok(BufWriter::new(file.with_context(|| format!("{} cannot be written", path.display()))?))
}

/// A random seed, printed so that it can be typed again.
pub(crate) fn fresh_seed() -> Result<String> {
    let mut bytes = [0; 5];
    if getrandom::fill(&mut bytes).is_err() {
        bail!("the system provides no randomness; use --seed TEXT");
    }
    let seed: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    eprintln!("seed: {seed}");
    Ok(seed)
}

/// Prints a match while it is played.
struct MatchPrinter<'a, W> {
    story: Option<Story>,
    json: bool,
    out: &'a mut W,
}

/// One match.
struct Simulation {
    table: Table,
    dealer: Dealer,
    player: RandomPlayer,
    secret: Secret,
    record: Record,
    number: usize,
}

impl Simulation {
    fn new(rules: Rules, seed: &str, number: usize) -> Result<Simulation> {
        let name: Word = format!("simulation-{number}").parse()?;
        let words = BySeat::filled(None, rules.players());
        let secret = Secret::from_phrase(&format!("{seed}\n{number}"));
        let record = Record::new(rules, name, secret.commit(&name, &rules), words);
        let seed = secret.seed(&name, &rules, &words);
        let dealer = Dealer::new(rules, seed);
        let table = Table::new(rules, dealer.first_seat());
        Ok(Simulation { table, dealer, player: RandomPlayer::new(seed), secret, record, number })
    }

    /// Plays to the end or for at most `max_deals` deals, and returns the record.
    fn play<W: Write>(
        mut self,
        max_deals: usize,
        printer: &mut MatchPrinter<'_, W>,
    ) -> Result<Record> {
        while !self.table.is_over() && self.table.public().number() < max_deals {
            let (number, first) = (self.table.public().number(), self.table.public().first());
            let deal = self.dealer.deal(number, first).context("the match has no more deals")?;
            self.play_deal(deal, printer)?;
        }
        self.record.secret = Some(self.secret);
        Ok(self.record)
    }

    fn play_deal<W: Write>(&mut self, deal: Deal, printer: &mut MatchPrinter<'_, W>) -> Result<()> {
        let mut object = printer.json.then(|| SimulatedDeal::new(self.number, &self.table, &deal));
        let events = self.table.deal(deal)?;
        self.apply(&events, &mut object, printer)?;
        while !self.table.wants_deal() && !self.table.is_over() {
            let (seat, action) = self.player.act(&self.table).context("no seat can act")?;
            if let Some(object) = &mut object {
                object.choose(&self.table, seat, action);
            }
            let events = self.table.decide(seat, action)?;
            self.apply(&events, &mut object, printer)?;
        }
        if let Some(object) = object {
            writeln!(printer.out, "{}", serde_json::to_string(&object)?)?;
        }
        Ok(())
    }

    fn apply<W: Write>(
        &mut self,
        events: &[Event],
        object: &mut Option<SimulatedDeal>,
        printer: &mut MatchPrinter<'_, W>,
    ) -> Result<()> {
        for event in events {
            self.table.apply(event)?;
            self.record.record_event(event, self.table.public())?;
            if let Some(object) = object {
                object.note(event, &self.table);
            }
            if let Some(story) = &mut printer.story {
                let text = story.tell(event, self.table.public());
                if !text.is_empty() {
                    writeln!(printer.out, "{text}")?;
                }
            }
        }
        Ok(())
    }
}
