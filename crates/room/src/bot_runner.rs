//! Whoever thinks for a room: answers for its bots, and finds out whether claims are true.
//!
//! It is much work, so it is done apart from the room: in threads of a server, or in
//! between in a browser. Whoever has a clock may end it early.

use std::collections::BTreeMap;

use bots::{Bot, Level, Limit};
use cards::Seat;
use game::{Action, Position};

use crate::room::BotQuestion;

/// How much of a claim is looked into; more is not certain soon enough to be of use.
pub const CLAIM_NODES: u64 = 100_000;

/// One who thinks: it keeps its bots, which remember how to think fast.
#[derive(Default)]
pub struct BotRunner {
    bots: BTreeMap<Level, Box<dyn Bot>>,
}

impl BotRunner {
    /// What the bot does that is asked. One that is told to stop does what seems best so
    /// far. A bot that is asked is to act, and every bot knows what to do then.
    pub fn answer(&mut self, ask: &BotQuestion, stop: &dyn Fn() -> bool) -> Option<Action> {
        let bot = self.bots.entry(ask.level).or_insert_with(|| ask.level.bot());
        bot.act(&ask.view, ask.seed, Limit { nodes: ask.level.nodes(), stop })
    }
}

/// How the rest is played if it is certain that the seat in turn takes it all.
pub fn prove(position: &Position, limit: Limit<'_>) -> Option<Vec<(Seat, Action)>> {
    let line = solver::claim(position.play()?, limit).ok()??;
    let laid = |(seat, card, call)| (seat, Action::Play { card, call });
    Some(line.into_iter().map(laid).collect())
}
