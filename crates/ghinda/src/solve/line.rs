//! The best line of play: each card is the best for the seat that plays it.

use cards::{BySeat, Card, Seat, Side};
use game::Position;
use game::cruce::worth_of;
use game::notation::card_text;
use game::position::InPlay;
use serde::Serialize;
use solver::Stopped;

use super::ask::{Asker, Budget, Question, Value};

/// Values that differ by less are equal: averages are floats.
const SAME: f64 = 1e-9;

/// A line of play.
#[derive(Default)]
pub(super) struct Continuation {
    pub(super) tricks: Vec<ContinuationTrick>,
    /// The final points or tricks of all sides or seats; None if the limit was reached before.
    pub(super) end: Option<Vec<u8>>,
}

/// A trick of a line.
#[derive(Serialize)]
pub(super) struct ContinuationTrick {
    pub(super) leader: usize,
    /// The cards in the order of play, with those that lay on the table at first; `!` marks a call.
    pub(super) plays: Vec<String>,
    pub(super) winner: usize,
    /// Cruce: the worth of its cards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) points: Option<u8>,
    /// Cruce for two: the cards that were drawn, the winner's first (C13).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) drawn: Vec<String>,
}

/// The cards that are best for the seat in turn.
pub(super) fn best(
    position: &Position,
    question: &Question,
    values: &[(Card, Value)],
) -> Vec<Card> {
    let turn = position.turn().unwrap_or_default();
    let good = |value: &Value| question.good_for(position.rules(), turn, value);
    let highest = values.iter().map(|(_, value)| good(value)).fold(f64::NEG_INFINITY, f64::max);
    let is_best = |(_, value): &&(Card, Value)| good(value) >= highest - SAME;
    values.iter().filter(is_best).map(|(card, _)| *card).collect()
}

impl Continuation {
    /// Plays on from a position whose values are known. Of equally good cards the
    /// first is played, and every pair that is led is called (C10).
    pub(super) fn find(
        asker: &mut Asker,
        position: &Position,
        question: &Question,
        values: &[(Card, Value)],
        budget: &Budget,
    ) -> Continuation {
        let mut line = Continuation::default();
        let mut position = position.clone();
        let mut next = best(&position, question, values).first().copied();
        while let Some(card) = next {
            line.lay(&mut position, card);
            next = match card_after(asker, &position, question, budget) {
                Ok(next) => next,
                Err(Stopped) => return line,
            };
        }
        line.end = position.play().map(so_far);
        line
    }

    fn lay(&mut self, position: &mut Position, card: Card) {
        let (before, stock) = (position.trick().cloned(), stock(position));
        let call = position.play().is_some_and(|play| play.may_call(card));
        if position.play_card(card, call).is_err() {
            return;
        }
        let (Some(before), Some(after)) = (before, position.trick()) else { return };
        let (pack, players) = (position.rules().pack(), position.rules().players());
        let mark = |called: bool| if called { "!" } else { "" };
        if self.tricks.last().is_none_or(|trick| trick.plays.len() == players) {
            let laid = before.cards().iter().enumerate().map(|(at, laid)| {
                format!("{}{}", card_text(pack, *laid), mark(at == 0 && before.called()))
            });
            let leader = before.leader().number();
            self.tricks.push(ContinuationTrick {
                leader,
                plays: laid.collect(),
                winner: leader,
                points: None,
                drawn: Vec::new(),
            });
        }
        let Some(trick) = self.tricks.last_mut() else { return };
        trick.plays.push(format!("{}{}", card_text(pack, card), mark(call)));
        if after.is_empty() {
            trick.winner = after.leader().number();
            let cards: Vec<Card> = before.cards().iter().copied().chain([card]).collect();
            trick.points = pack.is_hungarian().then(|| worth_of(&cards));
            trick.drawn = stock.iter().take(2).map(|drawn| card_text(pack, *drawn)).collect();
        }
    }
}

/// The next card. The solver is asked only where there is a choice.
fn card_after(
    asker: &mut Asker,
    position: &Position,
    question: &Question,
    budget: &Budget,
) -> Result<Option<Card>, Stopped> {
    let Some(play) = position.play().filter(|play| play.turn().is_some()) else { return Ok(None) };
    if play.legal().len() == 1 {
        return Ok(play.legal().lowest());
    }
    let values = asker.ask(position, question, budget)?;
    Ok(best(position, question, &values).first().copied())
}

/// The cards of the stock, the next one first (C13).
fn stock(position: &Position) -> Vec<Card> {
    match position.play() {
        Some(InPlay::Cruce(play)) => play.stock().to_vec(),
        _ => Vec::new(),
    }
}

/// The points of the sides or the tricks of the seats.
fn so_far(play: &InPlay) -> Vec<u8> {
    match play {
        InPlay::Cruce(play) => {
            let sides = if play.teams() { 2 } else { play.players() };
            Side::first(sides).map(|side| play.points(side)).collect()
        }
        InPlay::Whist(play) => {
            let taken = BySeat::from_fn(play.players(), |seat: Seat| play.taken(seat));
            taken.as_slice().to_vec()
        }
    }
}
