//! The report about two bots, as a small table or as JSON.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::Duration;

use game::Rules;
use serde::Serialize;

use crate::duel::{Arrangement, Unit};
use crate::play::{BotTally, DuplicateOutcome};
use crate::seating::Seating;
use crate::statistics::{Estimate, Share};

/// Two bots compared.
#[derive(Serialize)]
pub struct DuelReport {
    rules: String,
    seed: String,
    /// The number of duplicates, of seatings, and of all deals or matches played.
    #[serde(skip_serializing_if = "Option::is_none")]
    deals: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    matches: Option<usize>,
    seatings: usize,
    played: usize,
    players: [PlayerReport; 2],
    #[serde(flatten)]
    result: ResultReport,
    #[serde(skip)]
    whist: bool,
}

/// The result for A.
#[derive(Serialize)]
#[serde(untagged)]
enum ResultReport {
    Deals { points: Estimate, score: Estimate, won: usize, drawn: usize, lost: usize },
    Matches { won: u64, drawn: u64, lost: u64, share: Share },
}

/// The counts of one bot.
#[derive(Serialize)]
struct PlayerReport {
    bot: String,
    name: String,
    declared: u64,
    made: u64,
    decisions: u64,
    mean_ms: f64,
    max_ms: f64,
    fallbacks: u64,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    faults: BTreeMap<&'static str, u64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    first_faults: Vec<String>,
    #[serde(skip)]
    words: Vec<String>,
}

/// A bot as the user typed it, and the name that it gives itself.
#[derive(Clone)]
pub struct Names {
    /// As it was typed.
    pub bot: String,
    /// As it calls itself.
    pub name: String,
}

impl DuelReport {
    /// Compares two bots by the outcomes of all duplicates.
    pub fn new(how: &Arrangement, names: [&Names; 2], outcomes: &[DuplicateOutcome]) -> DuelReport {
        let seatings = Seating::all(&how.terms.rules).len();
        let mut tallies = [BotTally::default(), BotTally::default()];
        for outcome in outcomes {
            for (tally, more) in tallies.iter_mut().zip(&outcome.tallies) {
                tally.add(more);
            }
        }
        let [a, b] = tallies;
        let counted = |unit| (how.unit == unit).then_some(how.count);
        DuelReport {
            rules: how.terms.rules.code(),
            seed: how.seed.clone(),
            deals: counted(Unit::Deal),
            matches: counted(Unit::Match),
            seatings,
            played: how.count * seatings,
            players: [PlayerReport::new(names[0], &a), PlayerReport::new(names[1], &b)],
            result: match how.unit {
                Unit::Deal => of_deals(how, outcomes),
                Unit::Match => of_matches(outcomes),
            },
            whist: matches!(how.terms.rules, Rules::Whist(_)),
        }
    }

    /// How often a bot lost its turn.
    pub fn fallbacks(&self) -> u64 {
        self.players.iter().map(|player| player.fallbacks).sum()
    }

    /// Writes the report as text.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let [a, b] = &self.players;
        writeln!(out, "A  {}\nB  {}\n", a.title(), b.title())?;
        let count = match (self.deals, self.matches) {
            (Some(deals), _) => plural(deals, "deal", "deals"),
            (_, matches) => plural(matches.unwrap_or_default(), "match", "matches"),
        };
        let seatings = plural(self.seatings, "seating", "seatings");
        writeln!(out, "{count} of {}, each with {seatings}, seed {}\n", self.rules, self.seed)?;
        match &self.result {
            ResultReport::Deals { points, score, won, drawn, lost } => {
                // In whist both are the same (W6).
                if !self.whist {
                    writeln!(out, "points a deal     {}   A less B, 95 %", points.text())?;
                }
                writeln!(out, "score a deal      {}   A less B, 95 %", score.text())?;
                let all = won + drawn + lost;
                let share = |part: &usize| percent(*part as u64, all as u64);
                writeln!(
                    out,
                    "deals for A       {won} won ({}), {drawn} drawn ({}), {lost} lost ({})",
                    share(won),
                    share(drawn),
                    share(lost)
                )?;
            }
            ResultReport::Matches { won, drawn, lost, share } => {
                writeln!(out, "matches for A     {won} won, {drawn} drawn, {lost} lost")?;
                let [share, from, to] =
                    [share.share, share.from, share.to].map(|part| 100.0 * part);
                writeln!(out, "share of A        {share:.1} % ({from:.1} to {to:.1} %, 95 %)")?;
            }
        }
        writeln!(out, "\n{:18}{:30}B", "", "A")?;
        let bids = if self.whist { "bids made" } else { "contracts made" };
        let row = |cell: fn(&PlayerReport) -> String| [cell(a), cell(b)];
        for (title, [a, b]) in [
            (bids, row(PlayerReport::contracts)),
            ("decisions", row(|player| player.decisions.to_string())),
            ("time, mean", row(|player| milliseconds(player.mean_ms))),
            ("time, longest", row(|player| milliseconds(player.max_ms))),
            ("fallbacks", row(|player| player.fallbacks.to_string())),
        ] {
            writeln!(out, "{title:18}{a:30}{b}")?;
        }
        self.write_faults(out)
    }

    /// Writes the faults of the bots, if there are any.
    pub(crate) fn write_faults(&self, out: &mut impl Write) -> io::Result<()> {
        self.players.iter().try_for_each(|player| player.write_faults(out))
    }
}

/// A duplicate deal is won by the bot with the better score over all its seatings.
fn of_deals(how: &Arrangement, outcomes: &[DuplicateOutcome]) -> ResultReport {
    let sign = |wanted: i64| outcomes.iter().filter(|o| o.score.signum() == wanted).count();
    ResultReport::Deals {
        points: Estimate::of(&how.leads(outcomes, |outcome| outcome.points)),
        score: Estimate::of(&how.leads(outcomes, |outcome| outcome.score)),
        won: sign(1),
        drawn: sign(0),
        lost: sign(-1),
    }
}

fn of_matches(outcomes: &[DuplicateOutcome]) -> ResultReport {
    let sum = |place: usize| outcomes.iter().map(|outcome| outcome.matches[place]).sum::<u64>();
    let [won, drawn, lost] = [sum(0), sum(1), sum(2)];
    let share = Share::of(won as f64 + drawn as f64 / 2.0, (won + drawn + lost) as usize);
    ResultReport::Matches { won, drawn, lost, share }
}

impl PlayerReport {
    fn new(names: &Names, tally: &BotTally) -> PlayerReport {
        let ms = |time: Duration| time.as_secs_f64() * 1000.0;
        let faults = &tally.faults;
        PlayerReport {
            bot: names.bot.clone(),
            name: names.name.clone(),
            declared: tally.declared,
            made: tally.made,
            decisions: tally.decisions,
            mean_ms: ms(tally.thinking) / tally.decisions.max(1) as f64,
            max_ms: ms(tally.longest),
            fallbacks: faults.count(),
            faults: faults.kinds.iter().map(|(kind, count)| (kind.name(), *count)).collect(),
            first_faults: faults
                .first
                .iter()
                .map(|message| phrases::layout::harmless(&message.replace('\n', " ")))
                .collect(),
            words: faults
                .kinds
                .iter()
                .map(|(kind, count)| format!("{count} × {}", kind.words()))
                .collect(),
        }
    }

    fn title(&self) -> String {
        if self.bot == self.name {
            return self.name.clone();
        }
        format!("{} ({})", self.name, self.bot)
    }

    fn contracts(&self) -> String {
        format!("{} of {} ({})", self.made, self.declared, percent(self.made, self.declared))
    }

    fn write_faults(&self, out: &mut impl Write) -> io::Result<()> {
        if self.fallbacks == 0 {
            return Ok(());
        }
        let turns = plural(self.fallbacks as usize, "turn", "turns");
        writeln!(out, "\n{} lost {turns}, which random played instead:", self.title())?;
        self.words.iter().try_for_each(|words| writeln!(out, "  {words}"))?;
        writeln!(out, "The first:")?;
        self.first_faults.iter().try_for_each(|fault| writeln!(out, "  {fault}"))
    }
}

fn plural(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

fn percent(part: u64, whole: u64) -> String {
    match whole {
        0 => "-".into(),
        _ => format!("{:.1} %", 100.0 * part as f64 / whole as f64),
    }
}

fn milliseconds(ms: f64) -> String {
    if ms < 10.0 { format!("{ms:.3} ms") } else { format!("{ms:.0} ms") }
}
