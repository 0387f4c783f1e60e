//! Computes the answers of a room's bots, and checks claims.
//!
//! Both take long, so they run apart from the room: in threads of a server, or in a worker of a
//! browser. The caller may end them early.

use std::collections::BTreeMap;

use bots::{Bot, Level, Limit};
use cards::Seat;
use game::{Action, Position};

use crate::room::BotQuestion;

/// The number of nodes that are searched for a claim. A longer search would answer too late.
pub const CLAIM_NODES: u64 = 100_000;

/// Runs bots. It keeps one bot for each level, because a bot reuses its memory.
#[derive(Default)]
pub struct BotRunner {
    bots: BTreeMap<Level, Box<dyn Bot>>,
}

impl BotRunner {
    /// The action of the bot in question. When `stop` returns true, the bot returns the best action
    /// so far. It always has one when its seat is to act.
    pub fn answer(&mut self, question: &BotQuestion, stop: &dyn Fn() -> bool) -> Option<Action> {
        let level = question.level;
        let bot = self.bots.entry(level).or_insert_with(|| level.bot());
        bot.act(&question.view, question.seed, Limit { nodes: level.nodes(), stop })
    }
}

/// The rest of the play if the seat in turn certainly takes all of it; otherwise None.
pub fn prove_claim(position: &Position, limit: Limit<'_>) -> Option<Vec<(Seat, Action)>> {
    let line = solver::claim(position.play()?, limit).ok()??;
    let action = |(seat, card, call)| (seat, Action::Play { card, call });
    Some(line.into_iter().map(action).collect())
}
