//! Answers as text, as JSON or as lines of a solved file.

use std::io::Write;

use anyhow::{Result, bail};
use cards::{Card, Seat, Side};
use game::cruce::{POINTS_PER_SCORE, promised_points};
use game::deal::Deal;
use game::notation::card_text;
use game::position::DealStage;
use game::{Position, Rules};
use serde::Serialize;
use solver::{Stopped, cruce};

use super::OutputForm;
use super::ask::{Asker, Budget, Question, Value};
use super::line::{Continuation, ContinuationTrick, best};

/// Solves a position and writes the answer. Returns a message if the limit was reached first.
pub(super) fn answer(
    out: &mut impl Write,
    asker: &mut Asker,
    position: &Position,
    question: Question,
    budget: &Budget,
    form: OutputForm,
) -> Result<Option<String>> {
    asker.next_position();
    if let (Question::Declarers { alone }, DealStage::Bidding(deal)) = (question, position.stage())
    {
        return answer_declarers(out, asker, position, deal, alone, budget, form);
    }
    let Ok(values) = asker.ask(position, &question, budget) else {
        return stopped(out, asker, position, form);
    };
    let reaching = matches!(question, Question::Reach { .. });
    let line = (form != OutputForm::Solved && !reaching)
        .then(|| Continuation::find(asker, position, &question, &values, budget));
    let found = SolveAnswer { position, question, values: &values, line, nodes: asker.nodes() };
    match form {
        OutputForm::Text => found.write(out)?,
        OutputForm::Json => writeln!(out, "{}", serde_json::to_string(&found.object())?)?,
        OutputForm::Solved => writeln!(out, "{}", found.solved())?,
    }
    Ok(None)
}

/// Writes that a position was not solved, and returns a message for the caller.
fn stopped(
    out: &mut impl Write,
    asker: &Asker,
    position: &Position,
    form: OutputForm,
) -> Result<Option<String>> {
    let nodes = asker.nodes();
    match form {
        OutputForm::Text => writeln!(out, "{position}\nnot solved within the limit")?,
        OutputForm::Json => {
            let object =
                SolveObject { stopped: true, nodes, ..SolveObject::of(position, "stopped") };
            writeln!(out, "{}", serde_json::to_string(&object)?)?;
        }
        OutputForm::Solved => writeln!(out, "# not solved within the limit: {position}")?,
    }
    Ok(Some(format!("stopped after {nodes} positions, before the answer was known")))
}

/// An answer to be written.
struct SolveAnswer<'a> {
    position: &'a Position,
    question: Question,
    values: &'a [(Card, Value)],
    /// None if no line was asked for.
    line: Option<Continuation>,
    nodes: u64,
}

/// An answer as JSON; `docs/notation.md` has the schema.
#[derive(Serialize, Default)]
struct SolveObject {
    position: String,
    question: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    side: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bar: Option<u16>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cards: Vec<CardObject>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    best: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<Vec<ContinuationTrick>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<Vec<u8>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    declarers: Vec<DeclarerObject>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    stopped: bool,
    nodes: u64,
}

#[derive(Serialize)]
struct CardObject {
    card: String,
    value: ValueObject,
}

#[derive(Serialize)]
#[serde(untagged)]
enum ValueObject {
    Number(i32),
    Made(bool),
    Each(Vec<f64>),
}

#[derive(Serialize)]
struct DeclarerObject {
    seat: usize,
    side: usize,
    points: f64,
    leads: Vec<String>,
}

impl SolveObject {
    fn of(position: &Position, question: &'static str) -> SolveObject {
        let turn = position.turn().map(Seat::number);
        SolveObject { position: position.to_string(), question, turn, ..SolveObject::default() }
    }
}

impl SolveAnswer<'_> {
    fn card(&self, card: Card) -> String {
        card_text(self.position.rules().pack(), card)
    }

    fn best(&self) -> Vec<Card> {
        best(self.position, &self.question, self.values)
    }

    /// A heading that explains the numbers.
    fn heading(&self) -> String {
        let rules = self.position.rules();
        let others = if rules.sides() == 2 { "those of the other" } else { "those of all others" };
        match self.question {
            Question::Camps { side, aim: cruce::Aim::Difference } => {
                format!("the points of {side:?} less {others}")
            }
            Question::Camps { side, aim: cruce::Aim::Points } => format!("the points of {side:?}"),
            Question::Reach { side, score } => {
                format!("whether {side:?} makes {} points", promised_points(score))
            }
            Question::Alone => "the points of each side, each playing for itself".into(),
            Question::Bids => "how far each seat ends from its bid".into(),
            Question::Partners { side } => {
                format!("the tricks of seats {} and {}", side.number(), side.number() + 2)
            }
            Question::Declarers { .. } => "what each declarer makes".into(),
        }
    }

    fn write(&self, out: &mut impl Write) -> Result<()> {
        let turn = self.position.turn().map_or(String::new(), |seat| format!("{seat:?}"));
        writeln!(out, "{}\n{turn} to play: {}\n", self.position, self.heading())?;
        let best = self.best();
        let cells: Vec<Vec<String>> = self.values.iter().map(|(_, value)| cells(value)).collect();
        let width = cells.iter().flatten().map(String::len).max().unwrap_or(0).max(4);
        for ((card, value), cells) in self.values.iter().zip(&cells) {
            // A yes or no needs no mark.
            let good = best.contains(card) && !matches!(value, Value::Made(_));
            let mark = if good { "   best" } else { "" };
            let cells: String = cells.iter().map(|cell| format!("  {cell:>width$}")).collect();
            writeln!(out, "{}{cells}{mark}", self.card(*card))?;
        }
        if let Question::Reach { side, score } = self.question {
            let first = best.first().and_then(|best| self.values.iter().find(|(c, _)| c == best));
            let made = matches!(first, Some((_, Value::Made(true))));
            let can = if made { "makes" } else { "cannot make" };
            writeln!(out, "\n{side:?} {can} {} points", promised_points(score))?;
        }
        self.line.as_ref().map_or(Ok(()), |line| self.write_line(out, line))
    }

    fn write_line(&self, out: &mut impl Write, line: &Continuation) -> Result<()> {
        let each = matches!(self.values.first(), Some((_, Value::Each(_))));
        let title = if each { "one of the best lines" } else { "the best line" };
        writeln!(out, "\n{title}")?;
        let players = self.position.rules().players();
        for trick in &line.tricks {
            let (plays, width) = (trick.plays.join(" "), 4 * players);
            write!(out, "  seat {}: {plays:width$}", trick.leader)?;
            if trick.plays.len() == players {
                let what = trick.points.map_or("it".into(), |points| points.to_string());
                write!(out, "  seat {} takes {what}", trick.winner)?;
            }
            if let [own, other] = trick.drawn.as_slice() {
                write!(out, " and draws {own}, the other {other}")?;
            }
            writeln!(out)?;
        }
        match &line.end {
            Some(end) => {
                let end: Vec<String> = end.iter().map(u8::to_string).collect();
                let what = match self.position.rules() {
                    Rules::Cruce(_) => "points",
                    Rules::Whist(_) => "tricks",
                };
                Ok(writeln!(out, "{what} in the end: {}", end.join("/"))?)
            }
            None => Ok(writeln!(out, "  … and the limit was reached")?),
        }
    }

    fn object(self) -> SolveObject {
        let (question, side, score) = match self.question {
            Question::Camps { side, aim: cruce::Aim::Difference } => {
                ("difference", Some(side), None)
            }
            Question::Camps { side, aim: cruce::Aim::Points } => ("points", Some(side), None),
            Question::Reach { side, score } => ("reach", Some(side), Some(score)),
            Question::Alone => ("points_of_all", None, None),
            Question::Bids => ("off_bids", None, None),
            Question::Partners { side } => ("tricks", Some(side), None),
            Question::Declarers { .. } => ("declarers", None, None),
        };
        let value = |value: &Value| match value {
            Value::Number(number) => ValueObject::Number(*number),
            Value::Made(made) => ValueObject::Made(*made),
            Value::Each(each) => ValueObject::Each(each.iter().map(|n| rounded(*n)).collect()),
        };
        let cards = self.values.iter();
        let cards = cards.map(|(card, v)| CardObject { card: self.card(*card), value: value(v) });
        SolveObject {
            side: side.map(Side::number),
            bar: score.map(promised_points),
            cards: cards.collect(),
            best: self.best().into_iter().map(|card| self.card(card)).collect(),
            end: self.line.as_ref().and_then(|line| line.end.clone()),
            nodes: self.nodes,
            line: self.line.map(|line| line.tricks),
            ..SolveObject::of(self.position, question)
        }
    }

    fn solved(&self) -> String {
        let value = |value: &Value| cells(value).join("/");
        let cards =
            self.values.iter().map(|(card, v)| format!(" ; {} {}", self.card(*card), value(v)));
        format!("{}{}", self.position, cards.collect::<String>())
    }
}

/// Writes the points of each seat as the declarer.
fn answer_declarers(
    out: &mut impl Write,
    asker: &mut Asker,
    position: &Position,
    deal: &Deal,
    alone: bool,
    budget: &Budget,
    form: OutputForm,
) -> Result<Option<String>> {
    let rules = position.rules();
    let mut declarers = Vec::new();
    for seat in Seat::first(rules.players()) {
        match solve_declarer(asker, rules, deal, seat, alone, budget)? {
            Ok(declarer) => declarers.push(declarer),
            Err(Stopped) => return stopped(out, asker, position, form),
        }
    }
    match form {
        OutputForm::Json => {
            let nodes = asker.nodes();
            let object = SolveObject { declarers, nodes, ..SolveObject::of(position, "declarers") };
            writeln!(out, "{}", serde_json::to_string(&object)?)?;
        }
        OutputForm::Solved => bail!("a solved file holds positions in play, with lead="),
        OutputForm::Text => {
            let how =
                if alone { "each side playing for itself" } else { "with all others against it" };
            writeln!(
                out,
                "{position}\nin the bidding: the points of each declarer's side, {how}\n"
            )?;
            for DeclarerObject { seat, points, leads, .. } in declarers {
                let scores = (points / f64::from(POINTS_PER_SCORE)) as u32;
                let leads = leads.join(" ");
                writeln!(
                    out,
                    "seat {seat}  {:>4}  {scores} × 33, leading {leads}",
                    number(points)
                )?;
            }
        }
    }
    Ok(None)
}

fn solve_declarer(
    asker: &mut Asker,
    rules: &Rules,
    deal: &Deal,
    seat: Seat,
    alone: bool,
    budget: &Budget,
) -> Result<Result<DeclarerObject, Stopped>> {
    // The declarer bids first, the others pass.
    let mut position = Position::new(*rules, seat, deal.clone());
    position.bid(1)?;
    for _ in 1..rules.players() {
        position.bid(0)?;
    }
    let side = rules.side_of(seat);
    let camps = Question::Camps { side, aim: cruce::Aim::Points };
    let question = if alone { Question::Alone } else { camps };
    let Ok(values) = asker.ask(&position, &question, budget) else { return Ok(Err(Stopped)) };
    let best = best(&position, &question, &values);
    let points = values.iter().find(|(card, _)| best.first() == Some(card));
    let points = match points {
        Some((_, Value::Number(points))) => f64::from(*points),
        Some((_, Value::Each(points))) => rounded(points[side.index()]),
        _ => 0.0,
    };
    let leads = best.into_iter().map(|card| card_text(rules.pack(), card)).collect();
    Ok(Ok(DeclarerObject { seat: seat.number(), side: side.number(), points, leads }))
}

/// A value as text, in one column or in one for each side.
fn cells(value: &Value) -> Vec<String> {
    match value {
        Value::Number(value) => vec![value.to_string()],
        Value::Made(made) => vec![if *made { "yes" } else { "no" }.into()],
        Value::Each(each) => each.iter().map(|value| number(*value)).collect(),
    }
}

/// A number with at most four decimals and no trailing zeros.
fn number(value: f64) -> String {
    let text = format!("{:.4}", rounded(value));
    text.trim_end_matches('0').trim_end_matches('.').into()
}

/// Rounded to four decimals, and never a negative zero.
fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4 + 0.0
}
