//! What a client might do next: usually what the table waits for, and now and then something else.

use game::deal::RandomStream;
use game::public::Phase;
use game::{Action, View};
use replica::table::TableReplica;
use wire::table::{Occupant, Pace, Phrase, SeatState, Snapshot, TableCommand, TableStage};

use crate::clients::{Client, ClientRole};
use crate::opening::SHORT;
use crate::world::World;

impl World {
    /// The next command of a client, if any.
    pub(crate) fn next_command(
        &mut self,
        at: usize,
        replica: &TableReplica,
    ) -> Option<TableCommand> {
        let state = replica.state()?;
        if !self.wants_seat(at) && !state.you.host {
            return None;
        }
        let often = if state.stage == TableStage::Playing { 40 } else { 6 };
        if state.you.host && self.extra_commands > 0 && self.chance(often) {
            self.extra_commands -= 1;
            return Some(self.host_command(state));
        }
        let Some(seat) = state.you.seat else { return self.unseated_command(at, state) };
        if self.extra_commands > 0 && self.chance(25) {
            self.extra_commands -= 1;
            return Some(self.seated_command(state));
        }
        if state.paused {
            return self.chance(4).then_some(TableCommand::Resume);
        }
        match state.stage {
            TableStage::Waiting if self.chance(8) => {
                let duplicate = state.duplicate.is_some() && !self.chance(20);
                (!duplicate).then(|| TableCommand::Word(format!("w{}", self.now)))
            }
            TableStage::Waiting if state.you.host => self.chance(6).then_some(TableCommand::Start),
            TableStage::Waiting => None,
            TableStage::Over if state.commitment.number < self.matches_wanted => {
                (!state.seats[seat - 1].ready).then_some(TableCommand::AskForRematch)
            }
            TableStage::Over => None,
            TableStage::Playing => self.match_command(state, seat, replica),
        }
    }

    /// Whether a client wants a seat. A host who only watches takes one after kicking all other players.
    fn wants_seat(&self, at: usize) -> bool {
        let plays = |client: &Client| client.role == ClientRole::Plays;
        let others = || self.clients.iter().any(|client| plays(client) && client.is_at_end());
        plays(&self.clients[at]) || (self.clients[at].is_at_end() && !others())
    }

    fn unseated_command(&mut self, at: usize, state: &Snapshot) -> Option<TableCommand> {
        let person = |seat: &usize| matches!(state.seats[*seat].who, Some(Occupant::Person(_)));
        let (taken, free): (Vec<usize>, Vec<usize>) = (0..state.seats.len()).partition(person);
        let host = state.you.host && state.stage == TableStage::Waiting && !taken.is_empty();
        if host && self.chance(10) {
            return Some(TableCommand::Start);
        }
        // A player who has seen the cards of a seat can only take that one again, so the client
        // tries them all.
        let ended =
            state.stage == TableStage::Over && state.commitment.number >= self.matches_wanted;
        if !self.wants_seat(at) || free.is_empty() || ended || self.chance(3) {
            return None;
        }
        let seat = free[self.lots.below(free.len())] + 1;
        Some(TableCommand::Sit { seat, name: format!("Player {at}") })
    }

    /// A command that a host can send about the other players.
    fn host_command(&mut self, state: &Snapshot) -> TableCommand {
        let seat = 1 + self.lots.below(state.seats.len());
        let other = 1 + self.lots.below(state.seats.len());
        let between = state.stage != TableStage::Playing;
        let ended =
            state.stage == TableStage::Over && state.commitment.number >= self.matches_wanted;
        match self.lots.below(20) {
            0 => TableCommand::Kick { seat },
            1 | 2 => TableCommand::Mute { seat, muted: true },
            3 => TableCommand::Mute { seat, muted: false },
            4 => TableCommand::Relink,
            5 | 6 => TableCommand::Listed(!state.listed),
            7 | 8 => TableCommand::AddBot { seat, level: "easy".into() },
            9 | 15 if between => {
                let bot = |seat_state: &SeatState| matches!(seat_state.who, Some(Occupant::Bot(_)));
                let bot = state.seats.iter().position(bot);
                TableCommand::RemoveBot { seat: bot.map_or(seat, |bot| bot + 1) }
            }
            10 | 11 if between => TableCommand::Swap([seat, other]),
            12 if between => TableCommand::Pace([Pace::Off, Pace::Relaxed, Pace::Fast][seat % 3]),
            13 | 14 | 16 if between && !ended => {
                let code = SHORT[self.lots.below(SHORT.len())];
                TableCommand::Rules(code.into())
            }
            17 => TableCommand::Leave,
            _ => TableCommand::Phrase(Phrase::Again),
        }
    }

    /// A command that any seated player can send.
    fn seated_command(&mut self, state: &Snapshot) -> TableCommand {
        match self.lots.below(12) {
            0..3 => TableCommand::Say(String::from("bună!")),
            3 => TableCommand::Phrase(Phrase::GoodLuck),
            4 => TableCommand::Rename { name: format!("Other {}", self.now % 97) },
            5 | 6 => TableCommand::AskForPause,
            7 => TableCommand::Leave,
            8 => TableCommand::TakeBack,
            9 => TableCommand::Claim,
            10 if state.commitment.number < self.matches_wanted => TableCommand::AskForRematch,
            _ => TableCommand::Sit {
                seat: 1 + self.lots.below(state.seats.len()),
                name: String::from("Mover"),
            },
        }
    }

    fn match_command(
        &mut self,
        state: &Snapshot,
        seat: usize,
        replica: &TableReplica,
    ) -> Option<TableCommand> {
        let view = replica.view()?;
        let public = view.public();
        if public.round().is_some() && view.hand().len() <= 3 && self.chance(6) {
            return Some(TableCommand::Claim);
        }
        let Some(action) = random_move(view, &mut self.lots) else {
            let is_between_deals = matches!(public.phase(), Phase::Dealing);
            let ready = state.seats[seat - 1].ready;
            return (is_between_deals && !ready && self.chance(3)).then_some(TableCommand::Ready);
        };
        replica.act(action)
    }
}

/// A random move: any card, but a low bid, because a match of high bids never ends.
pub(crate) fn random_move(view: &View, lots: &mut RandomStream) -> Option<Action> {
    let mut actions = view.actions();
    if actions.iter().any(|action| matches!(action, Action::Bid(_))) {
        let bid = |action: &Action| matches!(action, Action::Bid(0..=1));
        if actions.iter().any(bid) {
            actions.retain(bid);
        } else {
            actions.truncate(1);
        }
    } else if lots.below(200) > 0 {
        actions.retain(|action| !matches!(action, Action::Challenge { .. }));
    }
    actions.get(lots.below(actions.len().max(1))).copied()
}
