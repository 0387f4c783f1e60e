//! `ghinda play`, `ghinda join`, `ghinda watch` and `ghinda replay`: the terminal client.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args;
use game::Rules;
use phrases::Language;
use terminal::{Offline, Online, ReplayOptions, TableLink, Visitor};

use crate::display_args::{self, DisplayArgs};

/// How long a bot takes for each action, in milliseconds.
const BOTS_TAKE: u64 = 900;

/// Play against bots in the terminal; no server, no account
#[derive(Args)]
#[command(after_help = "Examples:
  ghinda play                    Cruce for four, in two teams
  ghinda play whist --players 5  whist against four bots
  ghinda play cruce --players 2 --level easy
  ghinda play --rules cruce3-15-redeal
  ghinda play --cards french --lang ro
  ghinda play --plain            line by line, for screen readers and pipes

Arrows choose, Enter plays, ? shows the keys. An unfinished match continues with
the same command; --new begins another. ghinda verify rechecks what --record
wrote, and ghinda replay shows it again.")]
pub(crate) struct PlayArgs {
    /// cruce or whist, or a rules code
    #[arg(value_name = "GAME", default_value = "cruce")]
    game: String,
    /// How many players: Cruce 2 to 4, whist 3 to 6 [default: 4]
    #[arg(long, value_name = "N")]
    players: Option<u8>,
    /// A rules code or preset; see ghinda rules
    #[arg(long, value_name = "CODE", conflicts_with = "players")]
    rules: Option<String>,
    /// How well the bots play: easy, medium or hard
    #[arg(long, value_name = "LEVEL", default_value = "hard", value_parser = ["random", "easy", "medium", "hard"])]
    level: String,
    /// Your name at the table
    #[arg(long, env = "GHINDA_NAME", value_name = "NAME")]
    name: Option<String>,
    /// Begin a new match, even if the last one is not finished
    #[arg(long)]
    new: bool,
    /// Any text; the same seed gives the same deals. Such a match is not stored
    #[arg(long, value_name = "TEXT")]
    seed: Option<String>,
    /// Add the record of each finished match to FILE
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// How long bots take for a card, in milliseconds [default: 900; 0 with --plain]
    #[arg(long, value_name = "MS")]
    bots_take: Option<u64>,
    #[command(flatten)]
    display: DisplayArgs,
}

impl PlayArgs {
    /// The arguments for a game that was chosen in the menu of `ghinda` without a subcommand.
    pub(crate) fn from_home(code: &str) -> PlayArgs {
        #[derive(clap::Parser)]
        struct BarePlay {
            #[command(flatten)]
            play: PlayArgs,
        }
        <BarePlay as clap::Parser>::parse_from(["ghinda", "--rules", code]).play
    }

    fn rules(&self) -> Result<Rules> {
        let code = match (&self.rules, self.game.as_str(), self.players) {
            (Some(code), _, _) => code.clone(),
            (None, "cruce", None | Some(4)) => "cruce4t-21".into(),
            (None, "cruce", Some(players)) => format!("cruce{players}-21"),
            (None, "whist", players) => format!("whist{}", players.unwrap_or(4)),
            (None, code, None) => code.into(),
            (None, _, Some(_)) => {
                bail!(
                    "--players goes with cruce or whist; a rules code has its own number of players"
                )
            }
        };
        crate::rules::read(&code)
    }

    pub(crate) fn run(&self, language: Language) -> Result<()> {
        let (phrases, mode) = (self.display.phrases(language), self.display.display_mode());
        let rules = self.rules()?;
        let plan = format!("{rules},{}", self.level);
        let journal = match &self.seed {
            Some(_) => None,
            None => display_args::state_file(&format!("match-{plan}.journal")),
        };
        let table = Offline {
            name: display_args::player_name(self.name.as_deref(), &phrases),
            entropy: display_args::entropy(self.seed.as_deref())?,
            bots_take: self.bots_take.unwrap_or(if mode.plain { 0 } else { BOTS_TAKE }),
            journal,
            anew: self.new,
            record: self.record.clone(),
            plan,
        };
        terminal::play(table, mode, phrases)
    }
}

/// Sit at a table of a server, by its link
#[derive(Args)]
#[command(after_help = "Examples:
  ghinda join 'http://127.0.0.1:8080/t/7rk2m0q9xw#5f0c…'
  ghinda join 'https://ghinda.example/t/7rk2m0q9xw#5f0c…' --name Ana --seat 3

You take the first free seat; M opens what can be done at the table. A lost
connection is made again, and the same command returns you to your seat.")]
pub(crate) struct JoinArgs {
    /// The link, as the page shows it
    link: TableLink,
    /// Your name at the table
    #[arg(long, env = "GHINDA_NAME", value_name = "NAME")]
    name: Option<String>,
    /// The seat to take, from 1 [default: the first free seat]
    #[arg(long, value_name = "SEAT")]
    seat: Option<usize>,
    #[command(flatten)]
    display: DisplayArgs,
}

impl JoinArgs {
    pub(crate) fn run(&self, language: Language) -> Result<()> {
        visit(&self.link, self.name.as_deref(), self.seat, false, &self.display, language)
    }
}

/// Watch a table of a server, by its link
#[derive(Args)]
#[command(after_help = "Examples:
  ghinda watch 'http://127.0.0.1:8080/t/7rk2m0q9xw#5f0c…'
  ghinda watch LINK --plain --lang ro  every bid and card as a sentence

A spectator sees the cards that lie open, and all hands when a deal is over.")]
pub(crate) struct WatchArgs {
    /// The link, as the page shows it
    link: TableLink,
    #[command(flatten)]
    display: DisplayArgs,
}

impl WatchArgs {
    pub(crate) fn run(&self, language: Language) -> Result<()> {
        visit(&self.link, None, None, true, &self.display, language)
    }
}

fn visit(
    link: &TableLink,
    name: Option<&str>,
    seat: Option<usize>,
    watches: bool,
    display: &DisplayArgs,
    language: Language,
) -> Result<()> {
    let phrases = display.phrases(language);
    let session = display_args::state_file(&format!("session-{}.token", link.host));
    let visitor = Visitor { name: display_args::player_name(name, &phrases), seat, watches };
    let table = Online { link: link.clone(), session };
    terminal::join(table, visitor, display.display_mode(), phrases)
}

/// Show a match again, step by step
#[derive(Args)]
#[command(after_help = "Examples:
  ghinda replay match.record            all hands open
  ghinda replay match.record --seat 2   as one seat saw it
  ghinda replay match.record --at d3t2  from trick 2 of deal 3 on
  ghinda replay match.record --plain    as sentences
  ghinda simulate --record - | ghinda replay - --plain

Left and right go one step, up and down one trick, page up and page down one
deal; Tab changes the seat whose cards are seen, V rechecks the deals.")]
pub(crate) struct ReplayArgs {
    /// A record, as text or JSON lines; - is standard input
    file: PathBuf,
    /// The seat whose cards are seen, from 1 [default: all hands]
    #[arg(long, value_name = "SEAT")]
    seat: Option<usize>,
    /// The moment to begin with, as in links: d3 is deal 3, d3t2 its trick 2
    #[arg(long, value_name = "MOMENT")]
    at: Option<String>,
    /// The match in the file, from 1
    #[arg(long = "match", value_name = "N", default_value_t = 1)]
    number: usize,
    #[command(flatten)]
    display: DisplayArgs,
}

impl ReplayArgs {
    pub(crate) fn run(&self, language: Language) -> Result<()> {
        let name = self.file.display();
        let records =
            crate::verify::read(&self.file).with_context(|| format!("{name} is not a record"))?;
        let record = self.number.checked_sub(1).and_then(|at| records.get(at));
        let record = record.with_context(|| format!("{name} holds {} matches", records.len()))?;
        let options = ReplayOptions { seat: self.seat, moment: self.at.clone() };
        terminal::replay(
            record,
            &options,
            self.display.display_mode(),
            self.display.phrases(language),
        )
    }
}
