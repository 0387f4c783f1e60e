//! `ghinda arena`: bots against each other, without the luck of the cards.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use arena::{Arrangement, Contender, Cross, DuelReport, Names, Terms, Unit};
use bots::Level;
use clap::ValueEnum;
use game::Rules;
use indicatif::{ProgressBar, ProgressStyle};

/// The exit code when everything was played but a bot lost turns.
const EXIT_FAULTY: u8 = 1;

/// Compare bots in the same deals with all seats exchanged
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ghinda arena random random --seed 7           two bots, 200 deals of Cruce
  ghinda arena random cmd:./mybot --deals 1000  your own program
  ghinda arena random 'cmd:python3 my.py' --rules whist4 --json
  ghinda arena random cmd:./mybot --matches 50  whole matches
  ghinda arena --all --svg strength.svg         every bot against every other

Every deal is played once for each way to seat the two bots in halves, with the
same cards. So luck cancels, and two bots that play alike get exactly 0. All
numbers are those of A, the first bot, less those of B, per deal; the interval
of 95 % is taken over the deals. Cards, seats and lots follow from the seed: the
same seed gives the same result with any number of --jobs, unless --time is
given or a program differs.

A program is split at spaces outside of quotes and started without a shell. It
uses JSON lines; docs/bots.md explains the protocol. When it crashes, hangs or
gives an invalid answer, the bot random plays that turn and the report counts
it. The exit code is 0; 1 if any bot lost a turn; 2 if nothing could be
played.")]
pub(crate) struct ArenaArgs {
    /// Two bots, or with --all any number: a level of ghinda engine --help, or cmd:PROGRAM
    #[arg(value_name = "BOT")]
    bots: Vec<Contender>,
    /// Play every bot against every other; without BOTs all levels
    #[arg(long)]
    all: bool,
    /// A rules code or preset; see ghinda rules [default: classic]
    #[arg(long, value_name = "CODE", conflicts_with_all = ["game", "players"])]
    rules: Option<String>,
    /// The game with its default rules, instead of --rules
    #[arg(long, value_name = "GAME")]
    game: Option<GameArg>,
    /// The number of players of --game; four play Cruce in teams
    #[arg(long, value_name = "N")]
    players: Option<u32>,
    /// How many deals; whist goes through the deals of a match and begins again
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = count())]
    deals: u32,
    /// Play this many whole matches instead, each with all seatings
    #[arg(long, value_name = "N", value_parser = count(), conflicts_with_all = ["deals", "all"])]
    matches: Option<u32>,
    /// Any text; the same seed gives the same deals [default: random, printed on stderr]
    #[arg(long, value_name = "TEXT")]
    seed: Option<String>,
    /// How many threads, each with its own players [default: the number of processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// How many cards a bot may search for a decision [default: set by the level]
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// How long a bot may think about a decision, besides --nodes
    #[arg(long, value_name = "MS", value_parser = milliseconds())]
    time: Option<u64>,
    /// How long to wait for the answer of a program
    #[arg(long, value_name = "MS", default_value_t = 2_000, value_parser = milliseconds())]
    bot_timeout: u64,
    /// How long to wait for the hello of a program
    #[arg(long, value_name = "MS", default_value_t = 10_000, value_parser = milliseconds())]
    hello_timeout: u64,
    /// Print one JSON object; docs/bots.md has its schema
    #[arg(long)]
    json: bool,
    /// With --all: print the table as Markdown
    #[arg(long, requires = "all", conflicts_with = "json")]
    markdown: bool,
    /// With --all: write a chart of the bots by strength
    #[arg(long, value_name = "FILE", requires = "all")]
    svg: Option<PathBuf>,
}

/// The game, for users who know no rules code.
#[derive(Clone, Copy, ValueEnum)]
enum GameArg {
    Cruce,
    Whist,
}

fn count() -> impl clap::builder::TypedValueParser<Value = u32> {
    clap::value_parser!(u32).range(1..=1_000_000)
}

fn milliseconds() -> impl clap::builder::TypedValueParser<Value = u64> {
    clap::value_parser!(u64).range(1..=3_600_000)
}

impl ArenaArgs {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<ExitCode> {
        let bots = match (self.bots.as_slice(), self.all) {
            ([], true) => Level::ALL.iter().map(|level| Contender::Level(*level)).collect(),
            (bots, _) => bots.to_vec(),
        };
        match (bots.len(), self.all) {
            (2, false) | (2.., true) => {}
            (found, false) => bail!("two bots are needed, not {found}; or use --all"),
            (_, true) => bail!("--all needs at least two bots; name some: --all BOT BOT …"),
        }
        let how = self.arrangement()?;
        let introduce = |bot: Contender| -> Result<(Contender, Names)> {
            let names = Names { bot: bot.to_string(), name: bot.introduce(&how.terms)? };
            Ok((bot, names))
        };
        let bots: Vec<(Contender, Names)> =
            bots.into_iter().map(introduce).collect::<Result<_>>()?;
        let fallbacks = if self.all {
            self.all_against_all(&how, &bots, out)?
        } else {
            let [(a, a_names), (b, b_names)] = &bots[..] else { bail!("two bots are needed") };
            let bar = progress(&how, 1);
            let outcomes = how.play([a, b], &bar)?;
            bar.finish_and_clear();
            let report = DuelReport::new(&how, [a_names, b_names], &outcomes);
            match self.json {
                true => writeln!(out, "{}", serde_json::to_string(&report)?)?,
                false => report.write(out)?,
            }
            report.fallbacks()
        };
        Ok(if fallbacks == 0 { ExitCode::SUCCESS } else { ExitCode::from(EXIT_FAULTY) })
    }

    fn all_against_all(
        &self,
        how: &Arrangement,
        bots: &[(Contender, Names)],
        out: &mut impl Write,
    ) -> Result<u64> {
        let bar = progress(how, bots.len() * (bots.len() - 1) / 2);
        let cross = Cross::play(how, bots, &bar)?;
        bar.finish_and_clear();
        if let Some(path) = &self.svg {
            std::fs::write(path, cross.svg())
                .with_context(|| format!("{} cannot be written", path.display()))?;
        }
        match (self.json, self.markdown) {
            (true, _) => writeln!(out, "{}", serde_json::to_string(&cross)?)?,
            (false, true) => cross.write_markdown(out)?,
            (false, false) => cross.write(out)?,
        }
        Ok(cross.fallbacks())
    }

    fn arrangement(&self) -> Result<Arrangement> {
        let terms = Terms {
            rules: self.rules()?,
            nodes: self.nodes,
            time: self.time.map(Duration::from_millis),
            answer: Duration::from_millis(self.bot_timeout),
            hello: Duration::from_millis(self.hello_timeout),
        };
        let (unit, count) = match self.matches {
            Some(matches) => (Unit::Match, matches),
            None => (Unit::Deal, self.deals),
        };
        let cores = || thread::available_parallelism().map_or(1, usize::from);
        Ok(Arrangement {
            terms,
            seed: match &self.seed {
                Some(seed) => seed.clone(),
                None => crate::simulate::fresh_seed()?,
            },
            unit,
            count: count as usize,
            jobs: self.jobs.map_or_else(cores, usize::from),
        })
    }

    fn rules(&self) -> Result<Rules> {
        let code = match (&self.rules, self.game.unwrap_or(GameArg::Cruce), self.players) {
            (Some(code), _, _) => code.clone(),
            (None, GameArg::Cruce, players) => format!("cruce{}", players.unwrap_or(4)),
            (None, GameArg::Whist, players) => format!("whist{}", players.unwrap_or(4)),
        };
        crate::rules::read(&code)
    }
}

/// A progress bar; it is hidden without a terminal.
fn progress(how: &Arrangement, pairs: usize) -> ProgressBar {
    let what = match how.unit {
        Unit::Deal => "deals",
        Unit::Match => "matches",
    };
    let template = format!("{{elapsed_precise}} {{bar:30}} {{pos}}/{{len}} {what}, {{eta}} left");
    ProgressBar::new((how.count * pairs) as u64).with_style(
        ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar()),
    )
}
