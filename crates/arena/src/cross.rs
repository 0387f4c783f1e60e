//! Every bot against every other: a cross table, and the bots by strength.

use std::io::{self, Write};

use anyhow::Result;
use indicatif::ProgressBar;
use serde::Serialize;

use crate::chart;
use crate::contender::Contender;
use crate::duel::Arrangement;
use crate::report::{DuelReport, Names};
use crate::seating::Seating;
use crate::statistics::Estimate;

/// All bots compared. All pairs played the same deals.
#[derive(Serialize)]
pub struct Cross {
    rules: String,
    seed: String,
    deals: usize,
    seatings: usize,
    /// The strongest first.
    bots: Vec<CrossRow>,
    pairs: Vec<DuelReport>,
}

/// The results of one bot against all the others.
#[derive(Serialize)]
struct CrossRow {
    bot: String,
    name: String,
    /// The mean over all opponents, with equal weights.
    points: Estimate,
    /// Against each bot, in their order; None against itself.
    against: Vec<Option<Estimate>>,
}

/// The points of one bot against another in every deal.
type PairPoints = Vec<f64>;

impl Cross {
    /// Plays every pair of bots in the same deals.
    pub fn play(
        how: &Arrangement,
        bots: &[(Contender, Names)],
        bar: &ProgressBar,
    ) -> Result<Cross> {
        let count = bots.len();
        let mut leads: Vec<Vec<Option<PairPoints>>> = vec![vec![None; count]; count];
        let mut pairs = Vec::new();
        for (i, (a, a_names)) in bots.iter().enumerate() {
            for (j, (b, b_names)) in bots.iter().enumerate().skip(i + 1) {
                let outcomes = how.play([a, b], bar)?;
                pairs.push(DuelReport::new(how, [a_names, b_names], &outcomes));
                let points = how.leads(&outcomes, |outcome| outcome.points);
                // Zero stays a positive zero.
                leads[j][i] = Some(points.iter().map(|lead| 0.0 - lead).collect());
                leads[i][j] = Some(points);
            }
        }
        let mut order: Vec<(usize, Estimate)> =
            leads.iter().map(|row| Estimate::of(&average(row))).enumerate().collect();
        order.sort_by(|(_, one), (_, other)| other.mean.total_cmp(&one.mean));
        let standing = |(at, points): &(usize, Estimate)| CrossRow {
            bot: bots[*at].1.bot.clone(),
            name: bots[*at].1.name.clone(),
            points: *points,
            against: order
                .iter()
                .map(|(other, _)| leads[*at][*other].as_deref().map(Estimate::of))
                .collect(),
        };
        Ok(Cross {
            rules: how.terms.rules.code(),
            seed: how.seed.clone(),
            deals: how.count,
            seatings: Seating::all(&how.terms.rules).len(),
            bots: order.iter().map(standing).collect(),
            pairs,
        })
    }

    /// How often a bot lost its turn.
    pub fn fallbacks(&self) -> u64 {
        self.pairs.iter().map(DuelReport::fallbacks).sum()
    }

    /// Writes the table as text, the strongest bot first.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{}\n", self.title())?;
        let width = self.bots.iter().map(|bot| bot.name.chars().count()).max().unwrap_or_default();
        write!(out, "{:width$}", "")?;
        for title in self.bots.iter().map(|bot| bot.name.as_str()).chain(["average"]) {
            let title: String = title.chars().take(17).collect();
            write!(out, "  {title:>17}")?;
        }
        writeln!(out)?;
        for bot in &self.bots {
            write!(out, "{:width$}", bot.name)?;
            for cell in bot.cells() {
                write!(out, "  {cell:>17}")?;
            }
            writeln!(out)?;
        }
        self.pairs.iter().try_for_each(|pair| pair.write_faults(out))
    }

    /// Writes the table as Markdown.
    pub fn write_markdown(&self, out: &mut impl Write) -> io::Result<()> {
        let names: Vec<String> = self.bots.iter().map(|bot| bot.name.replace('|', "\\|")).collect();
        writeln!(out, "{}\n", self.title())?;
        writeln!(out, "| | {} | average |", names.join(" | "))?;
        writeln!(out, "|---|{}", "---:|".repeat(names.len() + 1))?;
        for (bot, name) in self.bots.iter().zip(&names) {
            writeln!(out, "| **{name}** | {} |", bot.cells().join(" | "))?;
        }
        self.pairs.iter().try_for_each(|pair| pair.write_faults(out))
    }

    fn title(&self) -> String {
        format!(
            "Points a deal, the row less the column, with intervals of 95 %:\n\
             {} deals of {}, each with {} seatings, seed {}",
            self.deals, self.rules, self.seatings, self.seed
        )
    }

    /// A chart of the averages.
    pub fn svg(&self) -> String {
        let bars: Vec<chart::Bar<'_>> = self
            .bots
            .iter()
            .map(|bot| chart::Bar { label: &bot.name, value: bot.points })
            .collect();
        let note = format!(
            "{}, {} deals × {} seatings against each; lines: 95 %",
            self.rules, self.deals, self.seatings
        );
        chart::svg("Points a deal, mean against all the others", &note, &bars)
    }
}

impl CrossRow {
    fn cells(&self) -> Vec<String> {
        let against = self.against.iter().map(|cell| cell.map_or("·".into(), |cell| cell.text()));
        against.chain([self.points.text()]).collect()
    }
}

/// The mean over the opponents, deal by deal: all of them played the same deals.
fn average(row: &[Option<PairPoints>]) -> PairPoints {
    let against: Vec<&PairPoints> = row.iter().flatten().collect();
    let deals = against.first().map_or(0, |leads| leads.len());
    let mean = |deal| against.iter().map(|leads| leads[deal]).sum::<f64>() / against.len() as f64;
    (0..deals).map(mean).collect()
}
