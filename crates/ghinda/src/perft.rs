//! `ghinda perft`: counts the legal sequences of a position.

use std::io::Write;

use anyhow::{Context, Result, bail};
use game::Position;
use game::notation::card_text;
use game::perft::{self, PerftMove};
use indicatif::{ProgressBar, ProgressStyle};

/// Count the sequences of legal bids and cards from a position
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ghinda perft 'cruce4t hands=AX4329b/AX4329l/AX4329a/AX4329h' --depth 6
  ghinda perft 'whist3 hands=Ac/Kc/Qc turned=9h' --depth 3 --divide

docs/notation.md explains the notation of positions. Calling a pair is not a
branch of its own, since it changes no card that may be played.")]
pub(crate) struct PerftArgs {
    /// A rules code and fields such as hands=, trump=, lead=, trick=
    #[arg(value_name = "POSITION", required = true, num_args = 1..)]
    position: Vec<String>,
    /// How many bids and cards each sequence has
    #[arg(long, value_name = "N")]
    depth: u32,
    /// Print the count for each first move
    #[arg(long)]
    divide: bool,
}

impl PerftArgs {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<()> {
        let text = self.position.join(" ");
        let position: Position = text.parse().context("the position is not valid")?;
        if self.depth > 1_000 {
            bail!("--depth is at most 1000: no deal has more moves");
        }
        let counts = count(&position, self.depth);
        if self.divide {
            let pack = position.rules().pack();
            for (first, count) in &counts {
                match first {
                    PerftMove::Bid(bid) => writeln!(out, "{bid}: {count}")?,
                    PerftMove::Card(card) => writeln!(out, "{}: {count}", card_text(pack, *card))?,
                }
            }
            writeln!(out)?;
        }
        let all = if self.depth == 0 { 1 } else { counts.iter().map(|(_, count)| count).sum() };
        Ok(writeln!(out, "{all}")?)
    }
}

/// The count for each first move, with a progress bar.
fn count(position: &Position, depth: u32) -> Vec<(PerftMove, u64)> {
    let moves = perft::moves(position);
    let bar = ProgressBar::new(moves.len() as u64);
    bar.set_style(
        ProgressStyle::with_template("{elapsed_precise} {bar:30} {pos}/{len} first moves")
            .unwrap_or_else(|_| ProgressStyle::default_bar()),
    );
    let counts = moves
        .into_iter()
        .filter_map(|first| {
            let after = perft::after(position, first).ok()?;
            let count = perft::perft(&after, depth.checked_sub(1)?);
            bar.inc(1);
            Some((first, count))
        })
        .collect();
    bar.finish_and_clear();
    counts
}
