//! Questions about a position, and their answers from the solver.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use cards::{BySeat, Card, Seat, Side};
use game::cruce::POINTS_PER_SCORE;
use game::position::{DealStage, InPlay};
use game::{Position, Rules};
use solver::{Limit, Stopped, cruce, whist};

use super::QuestionArgs;
use crate::clock;

/// What is asked about every legal card, or about every declarer.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Question {
    /// Cruce: the points of a side if all others play against it.
    Camps { side: Side, aim: cruce::Aim },
    /// Cruce: whether the side makes `score` times 33 points.
    Reach { side: Side, score: u8 },
    /// Cruce: the points of every side if each plays for itself.
    Alone,
    /// Whist: how far from its bid every seat ends.
    Bids,
    /// Whist: the tricks of two partners.
    Partners { side: Side },
    /// Cruce, before the bidding is over: the points of each seat as the declarer, against all
    /// others or if each side plays for itself.
    Declarers { alone: bool },
}

/// The result that a card leads to.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Value {
    /// Points or tricks.
    Number(i32),
    /// Whether the score is made.
    Made(bool),
    /// The result of every side or seat, averaged over cards that are equally good.
    Each(Vec<f64>),
}

impl Question {
    /// The question of the arguments, or the default one of the rules.
    pub(super) fn of(position: &Position, args: &QuestionArgs) -> Result<Question> {
        let rules = position.rules();
        let camps = args.aim.is_some() || args.reach.is_some() || args.side.is_some();
        match (rules, position.stage(), position.turn()) {
            (_, DealStage::Playing { .. }, None) => bail!("all cards are played"),
            (_, DealStage::Bidding(_), None) => bail!("all passed and the cards are thrown in"),
            (Rules::Cruce(_), ..) if args.partners => {
                bail!("--partners is for whist; in Cruce the rules define the partners")
            }
            (Rules::Cruce(rules), DealStage::Bidding(_), _) => {
                if camps {
                    bail!("--aim, --reach and --side need a position in play, with lead=");
                }
                let alone = !rules.teams() && rules.players() > 2 && !args.against_all;
                Ok(Question::Declarers { alone })
            }
            (Rules::Cruce(cruce), DealStage::Playing { .. }, Some(turn)) => {
                if !cruce.teams() && cruce.players() > 2 && !camps && !args.against_all {
                    return Ok(Question::Alone);
                }
                let side = requested_side(args, rules.sides(), rules.side_of(turn))?;
                Ok(match args.reach {
                    Some(score) => Question::Reach { side, score },
                    None => {
                        let aim = args.aim.map_or(cruce::Aim::Difference, Into::into);
                        Question::Camps { side, aim }
                    }
                })
            }
            (Rules::Whist(_), stage, Some(turn)) => of_whist(position, args, stage, turn),
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
    args: &QuestionArgs,
    stage: &DealStage,
    turn: Seat,
) -> Result<Question> {
    if args.aim.is_some() || args.reach.is_some() || args.against_all {
        bail!("--aim, --reach and --against-all are for Cruce");
    }
    if matches!(stage, DealStage::Bidding(_)) {
        bail!("a position in play is needed: the bids of all seats, or lead= with --partners");
    }
    if args.partners {
        if position.rules().players() != 4 {
            bail!("only four players have partners");
        }
        let side = requested_side(args, 2, Side::with_opposite(turn))?;
        return Ok(Question::Partners { side });
    }
    if args.side.is_some() {
        bail!("--side goes with --partners in whist");
    }
    if position.bids().is_empty() {
        bail!("every player plays for their bid: add bids=, or use --partners for tricks");
    }
    Ok(Question::Bids)
}

fn requested_side(args: &QuestionArgs, sides: usize, of_turn: Side) -> Result<Side> {
    let Some(number) = args.side else { return Ok(of_turn) };
    match number.checked_sub(1).filter(|at| *at < sides).and_then(Side::new) {
        Some(side) => Ok(side),
        None => bail!("--side must be from 1 to {sides}"),
    }
}

/// The limits of one position.
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

/// Both solvers, and the nodes that they have spent on the current position.
#[derive(Default)]
pub(super) struct Asker {
    cruce: cruce::Solver,
    whist: whist::Solver,
    /// The nodes of both solvers when this position began.
    before: u64,
}

impl Asker {
    /// Begins another position, with a budget of its own.
    pub(super) fn next_position(&mut self) {
        self.before = self.cruce.nodes() + self.whist.nodes();
    }

    /// The positions between tricks that were searched for this one.
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
        let bar = i32::from(score) * i32::from(POINTS_PER_SCORE);
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

/// The bid of every seat.
fn bids(position: &Position) -> BySeat<u8> {
    let players = position.rules().players();
    let bid = |seat: Seat| position.bids()[seat.steps_from(position.first(), players)];
    BySeat::from_fn(players, bid)
}
