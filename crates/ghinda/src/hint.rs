//! `ghinda hint`: the action that the strong bot would choose on a seat, explained.

use std::io::{self, Write};

use anyhow::{Context, Result, anyhow, bail};
use bots::{Advice, Advisor, Level, Limit, NoAdvice};
use game::deal::Seed;
use game::fair::Secret;
use game::notation::action_text;
use game::public::Phase;
use game::{Action, View, Viewer};
use phrases::{Language, Phrases};
use serde::Serialize;
use table_view::hint;
use table_view::hint::{ActionWorth, Hint as Explained};
use wire::bot::MAX_BYTES;

use arena::lines::{InputLine, LineReader};

/// Print what the strong bot would do on a seat, and what the alternatives are worth
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ghinda hint cruce4t seat=1 hand=AX4b3l9a9h  during the bidding
  ghinda hint cruce4t seat=1 hand=X43b9l9h bids=1.0.0.0 play=Ab.9b.2b.3l
  ghinda hint whist4 deal=6 seat=2 hand=AQc8d turned=9h bids=1.1.0.0 play=Tc
  ghinda hint - --json < views.txt            one view per line

A view is what a seat knows: docs/notation.md explains its fields. The bot sees
nothing else. Worths are in points of score, compared with the best choice;
docs/bots.md explains how they are found. The same view gets the same hint.")]
pub(crate) struct HintArgs {
    /// A rules code and fields such as seat=, hand=, bids=, play=; - reads one per line from
    /// standard input
    #[arg(value_name = "VIEW", required = true, num_args = 1..)]
    view: Vec<String>,
    /// How many positions the bot may search [default: set by the level]
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Print one JSON object per view; docs/bots.md has its schema
    #[arg(long)]
    json: bool,
}

impl HintArgs {
    pub(crate) fn run(&self, language: Language, out: &mut impl Write) -> Result<()> {
        let phrases = Phrases::new(language);
        let mut advisor = Advisor::new();
        if self.view != ["-"] {
            let view = self.view.join(" ").parse::<View>().context("the view is not valid")?;
            return self.write_hint(&phrases, &mut advisor, &view, None, out);
        }
        let mut lines = LineReader::new(io::stdin().lock(), MAX_BYTES);
        let mut count = 0;
        for number in 1.. {
            let text = match lines.read_line().context("standard input cannot be read")? {
                InputLine::End => break,
                InputLine::Text(text) => text,
                InputLine::TooLong => bail!("line {number} is longer than {} KiB", MAX_BYTES >> 10),
                InputLine::NotText => bail!("line {number} is not UTF-8 text"),
            };
            if text.trim().is_empty() || text.starts_with('#') {
                continue;
            }
            let view = text.parse::<View>().map_err(|mut fault| {
                fault.line = number;
                fault
            });
            let view = view.context("a view is not valid")?;
            if count > 0 && !self.json {
                writeln!(out)?;
            }
            count += 1;
            self.write_hint(&phrases, &mut advisor, &view, Some(number), out)
                .with_context(|| format!("line {number}"))?;
            // A user who types views waits for each answer.
            out.flush()?;
        }
        if count == 0 {
            bail!("there is no view on standard input");
        }
        Ok(())
    }

    fn write_hint(
        &self,
        phrases: &Phrases,
        advisor: &mut Advisor,
        view: &View,
        number: Option<usize>,
        out: &mut impl Write,
    ) -> Result<()> {
        let nodes = self.nodes.unwrap_or(Level::Hard.nodes());
        let advice = advisor.advise(view, seed(view), Limit::nodes(nodes));
        let advice = advice.map_err(|none| match none {
            NoAdvice::NothingToDo => {
                anyhow!(hint::refusal(phrases, view).unwrap_or_else(|| none.to_string()))
            }
            NoAdvice::Stopped => anyhow!("{none}; give more --nodes"),
            NoAdvice::Impossible => none.into(),
        })?;
        let explained = explain(view, advice);
        if self.json {
            let object = HintObject::of(phrases, &explained);
            return Ok(writeln!(out, "{}", serde_json::to_string(&object)?)?);
        }
        if let Some(number) = number {
            write!(out, "{number}. ")?;
        }
        Ok(writeln!(out, "{}", explained.text(phrases))?)
    }
}

/// The seed of a view. The same view always gets the same hint, in whatever form it was typed.
fn seed(view: &View) -> Seed {
    Seed(Secret::from_phrase(&view.to_string()).0)
}

fn explain(view: &View, advice: Advice) -> Explained<'_> {
    let choice =
        |weighed: bots::WeighedAction| ActionWorth { action: weighed.action, worth: weighed.worth };
    Explained {
        view,
        best: choice(advice.best),
        others: advice.others.into_iter().map(choice).collect(),
        unweighed: advice.unweighed,
        ways: advice.ways,
        promise: advice.estimate,
        unbeatable: advice.unbeatable,
        rough: advice.rough,
    }
}

/// A hint as JSON; `docs/bots.md` has the schema.
#[derive(Serialize)]
struct HintObject {
    view: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    seat: Option<usize>,
    phase: &'static str,
    action: String,
    say: String,
    why: Vec<String>,
    forced: bool,
    choices: Vec<ChoiceObject>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unweighed: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    refused: Vec<RefusedObject>,
    ways: u128,
    #[serde(skip_serializing_if = "Option::is_none")]
    promise: Option<f64>,
    unbeatable: bool,
    rough: bool,
}

#[derive(Serialize)]
struct ChoiceObject {
    action: String,
    worth: f64,
}

#[derive(Serialize)]
struct RefusedObject {
    action: String,
    illegal: &'static str,
    clause: &'static str,
    why: String,
}

impl HintObject {
    fn of(phrases: &Phrases, hint: &Explained<'_>) -> HintObject {
        let (public, viewer) = (hint.view.public(), hint.view.viewer());
        let rules = public.rules();
        let seat = match viewer {
            Viewer::Seat(seat) => Some(seat),
            Viewer::Spectator => None,
        };
        let text = |action: Action| action_text(rules, seat.unwrap_or_default(), action);
        let choices = hint.choices().map(|choice| ChoiceObject {
            action: text(choice.action),
            worth: rounded(hint.compared_with_best(choice)),
        });
        let refused = hint.refused().into_iter().map(|(action, illegal)| RefusedObject {
            action: text(action),
            illegal: illegal.name(),
            clause: illegal.clause(rules),
            why: phrases.refusal(&illegal, rules),
        });
        HintObject {
            view: hint.view.to_string(),
            seat: seat.map(|seat| seat.number()),
            phase: match public.phase() {
                Phase::Bidding(_) => "bidding",
                _ if public.awaits_acceptance() => "reckoning",
                _ => "playing",
            },
            action: text(hint.best.action),
            say: hint.advice(phrases),
            why: hint.reasons(phrases),
            forced: hint.is_forced(),
            choices: choices.collect(),
            unweighed: hint.unweighed.iter().map(|action| text(*action)).collect(),
            refused: refused.collect(),
            ways: hint.ways,
            promise: hint.promise.map(rounded),
            unbeatable: hint.unbeatable,
            rough: hint.rough,
        }
    }
}

/// Rounded to four decimals, and never a negative zero.
fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4 + 0.0
}
