//! Questions about a position, and how the solver is asked.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use cards::{BySeat, Card, Seat, Side};
use game::cruce::POINTS_A_SCORE;
use game::position::{DealStage, InPlay};
use game::{Position, Rules};
use solver::{Limit, Stopped, cruce, whist};

use super::QuestionArgs;
use crate::clock;

/// What is asked about every legal card, or about every declarer.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Question {
    /// Cruce: what a side makes if everybody else plays against it.
    Camps { side: Side, aim: cruce::Aim },
    /// Cruce: whether it makes so many times 33 points.
    Reach { side: Side, score: u8 },
    /// Cruce: what every side makes if everybody plays for his own.
    Alone,
    /// Whist: how far from his bid everybody ends.
    Bids,
    /// Whist: the tricks of two partners.
    Partners { side: Side },
    /// Cruce, before the bidding is over: what each seat would make as the declarer,
    /// whatever the others do or if everybody plays for his own side.
    Declarers { alone: bool },
}

/// What a card leads to.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Value {
    /// Points or tricks.
    Number(i32),
    /// Whether so much is made.
    Made(bool),
    /// What every side or seat gets, on average over cards that are equally good.
    Each(Vec<f64>),
}

impl Question {
    /// The question that is wished, or the one that the rules suggest.
    pub(super) fn of(position: &Position, commands: &QuestionArgs) -> Result<Question> {
        let rules = position.rules();
        let camps = commands.aim.is_some() || commands.reach.is_some() || commands.side.is_some();
        match (rules, position.stage(), position.turn()) {
            (_, DealStage::Playing { .. }, None) => bail!("all cards are played"),
            (_, DealStage::Bidding(_), None) => bail!("all passed and the cards are thrown in"),
            (Rules::Cruce(_), ..) if commands.partners => {
                bail!("--partners is for whist; in Cruce the rules say who are partners")
            }
            (Rules::Cruce(rules), DealStage::Bidding(_), _) => {
                if camps {
                    bail!("--aim, --reach and --side need a position in play, with lead=");
                }
                let alone = !rules.teams() && rules.players() > 2 && !commands.against_all;
                Ok(Question::Declarers { alone })
            }
            (Rules::Cruce(cruce), DealStage::Playing { .. }, Some(turn)) => {
                if !cruce.teams() && cruce.players() > 2 && !camps && !commands.against_all {
                    return Ok(Question::Alone);
                }
                let side = wished_side(commands, rules.sides(), rules.side_of(turn))?;
                Ok(match commands.reach {
                    Some(score) => Question::Reach { side, score },
                    None => {
                        let aim = commands.aim.map_or(cruce::Aim::Difference, Into::into);
                        Question::Camps { side, aim }
                    }
                })
            }
            (Rules::Whist(_), stage, Some(turn)) => of_whist(position, commands, stage, turn),
        }
    }

    /// How good a value is for a seat.
    pub(super) fn good_for(&self, rules: &Rules, seat: Seat, value: &Value) -> f64 {
        let plays_for = |side: &Side| match self {
            Question::Partners { .. } => Side::with_opposite(seat) == *side,
            _ => rules.side_of(seat) == *side,
        };
        match (self, value) {
            (Question::Bids, Value::Each(off)) => -off[seat.index()],
            (_, Value::Each(points)) => {
                let mean = points.iter().sum::<f64>() / points.len() as f64;
                points[rules.side_of(seat).index()] - mean
            }
            (
                Question::Camps { side, .. }
                | Question::Reach { side, .. }
                | Question::Partners { side },
                value,
            ) => {
                let number = match value {
                    Value::Number(number) => f64::from(*number),
                    Value::Made(made) => f64::from(u8::from(*made)),
                    Value::Each(_) => 0.0,
                };
                if plays_for(side) { number } else { -number }
            }
            (_, Value::Number(number)) => f64::from(*number),
            (_, Value::Made(made)) => f64::from(u8::from(*made)),
        }
    }
}

fn of_whist(
    position: &Position,
    commands: &QuestionArgs,
    stage: &DealStage,
    turn: Seat,
) -> Result<Question> {
    if commands.aim.is_some() || commands.reach.is_some() || commands.against_all {
        bail!("--aim, --reach and --against-all are for Cruce");
    }
    if matches!(stage, DealStage::Bidding(_)) {
        bail!("a position in play is needed: the bids of all seats, or lead= with --partners");
    }
    if commands.partners {
        if position.rules().players() != 4 {
            bail!("only four players have partners");
        }
        let side = wished_side(commands, 2, Side::with_opposite(turn))?;
        return Ok(Question::Partners { side });
    }
    if commands.side.is_some() {
        bail!("--side goes with --partners in whist");
    }
    if position.bids().is_empty() {
        bail!("everybody plays for his bid: add bids=, or ask with --partners for tricks");
    }
    Ok(Question::Bids)
}

fn wished_side(commands: &QuestionArgs, sides: usize, of_turn: Side) -> Result<Side> {
    let Some(number) = commands.side else { return Ok(of_turn) };
    match number.checked_sub(1).filter(|at| *at < sides).and_then(Side::new) {
        Some(side) => Ok(side),
        None => bail!("--side must be from 1 to {sides}"),
    }
}

/// How much may be spent on one position.
pub(super) struct Budget {
    nodes: Option<u64>,
    deadline: Option<Instant>,
}

impl Budget {
    pub(super) fn new(nodes: Option<u64>, time: Option<Duration>) -> Budget {
        Budget { nodes, deadline: time.map(|time| clock::now() + time) }
    }

    fn is_over(&self) -> bool {
        self.deadline.is_some_and(|deadline| clock::now() >= deadline)
    }
}

/// Both solvers, and what they have spent on the position at hand.
#[derive(Default)]
pub(super) struct Asker {
    cruce: cruce::Solver,
    whist: whist::Solver,
    /// What both had looked at when this position came.
    before: u64,
}

impl Asker {
    /// Another position, with a budget of its own.
    pub(super) fn next_position(&mut self) {
        self.before = self.cruce.nodes() + self.whist.nodes();
    }

    /// Positions between tricks that were looked at for this one.
    pub(super) fn nodes(&self) -> u64 {
        self.cruce.nodes() + self.whist.nodes() - self.before
    }

    /// The value of every legal card.
    pub(super) fn ask(
        &mut self,
        position: &Position,
        question: &Question,
        budget: &Budget,
    ) -> Result<Vec<(Card, Value)>, Stopped> {
        let stop = || budget.is_over();
        let nodes = budget.nodes.map_or(u64::MAX, |nodes| nodes.saturating_sub(self.nodes()));
        let limit = Limit { nodes, stop: &stop };
        match (position.play(), question) {
            (Some(InPlay::Cruce(play)), Question::Camps { side, aim }) => {
                let values = self.cruce.values(play, *side, *aim, limit)?;
                Ok(values.into_iter().map(|(card, n)| (card, Value::Number(n))).collect())
            }
            (Some(InPlay::Cruce(play)), Question::Reach { side, score }) => {
                self.reached(play, *side, *score, limit)
            }
            (Some(InPlay::Cruce(play)), Question::Alone) => {
                let values = self.cruce.points_of_all(play, limit)?.into_iter();
                Ok(values.map(|(card, each)| (card, Value::Each(each.as_slice().into()))).collect())
            }
            (Some(InPlay::Whist(play)), Question::Partners { side }) => {
                let seat = Seat::new(side.index()).unwrap_or_default();
                let tricks = self.whist.tricks(play, seat, limit)?.into_iter();
                Ok(tricks.map(|(card, n)| (card, Value::Number(n.into()))).collect())
            }
            (Some(InPlay::Whist(play)), Question::Bids) => {
                let worth = whist::TrickWorth::near(&bids(position));
                let values = self.whist.values(play, &worth, limit)?.into_iter();
                let off = |values: BySeat<f64>| values.iter().map(|value| -value).collect();
                Ok(values.map(|(card, values)| (card, Value::Each(off(values)))).collect())
            }
            _ => Ok(Vec::new()),
        }
    }

    fn reached(
        &mut self,
        play: &game::cruce::Play,
        side: Side,
        score: u8,
        limit: Limit<'_>,
    ) -> Result<Vec<(Card, Value)>, Stopped> {
        let bar = i32::from(score) * i32::from(POINTS_A_SCORE);
        let before = self.cruce.nodes();
        let mut made = Vec::new();
        for card in play.legal() {
            let mut next = *play;
            next.play(card, play.may_call(card));
            let nodes = limit.nodes.saturating_sub(self.cruce.nodes() - before);
            let limit = Limit { nodes, ..limit };
            let reached = self.cruce.reaches(&next, side, cruce::Aim::Points, bar, limit)?;
            made.push((card, Value::Made(reached)));
        }
        Ok(made)
    }
}

/// Everybody's bid.
fn bids(position: &Position) -> BySeat<u8> {
    let players = position.rules().players();
    let bid = |seat: Seat| position.bids()[seat.steps_from(position.first(), players)];
    BySeat::from_fn(players, bid)
}
