//! What somebody at a table might do next: usually what the table waits for, and now
//! and then something else.

use game::deal::Lots;
use game::public::Phase;
use game::{Action, View};
use replica::table::TableReplica;
use wire::table::{Occupant, Pace, Phrase, SeatState, Snapshot, TableCommand, TableStage};

use crate::clients::{Client, Part};
use crate::opening::SHORT;
use crate::world::World;

impl World {
    /// What a client wishes now, if anything.
    pub(crate) fn idea(&mut self, at: usize, replica: &TableReplica) -> Option<TableCommand> {
        let state = replica.state()?;
        if !self.plays(at) && !state.you.host {
            return None;
        }
        let often = if state.stage == TableStage::Playing { 40 } else { 6 };
        if state.you.host && self.mischief > 0 && self.chance(often) {
            self.mischief -= 1;
            return Some(self.hosts_idea(state));
        }
        let Some(seat) = state.you.seat else { return self.idea_of_one_who_stands(at, state) };
        if self.mischief > 0 && self.chance(25) {
            self.mischief -= 1;
            return Some(self.idle_idea(state));
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
            TableStage::Over if state.promise.number < self.matches_wanted => {
                (!state.seats[seat - 1].ready).then_some(TableCommand::Rematch)
            }
            TableStage::Over => None,
            TableStage::Playing => self.move_in_the_match(state, seat, replica),
        }
    }

    /// Whether a client wants a seat. A host who only watches takes one when he has sent
    /// everybody else away.
    fn plays(&self, at: usize) -> bool {
        let plays = |client: &Client| client.part == Part::Plays;
        let others = || self.clients.iter().any(|client| plays(client) && client.stays());
        plays(&self.clients[at]) || (self.clients[at].stays() && !others())
    }

    fn idea_of_one_who_stands(&mut self, at: usize, state: &Snapshot) -> Option<TableCommand> {
        let person = |seat: &usize| matches!(state.seats[*seat].who, Some(Occupant::Person(_)));
        let (taken, free): (Vec<usize>, Vec<usize>) = (0..state.seats.len()).partition(person);
        let host = state.you.host && state.stage == TableStage::Waiting && !taken.is_empty();
        if host && self.chance(10) {
            return Some(TableCommand::Start);
        }
        // Whoever has seen the cards of a seat can only take that one again, so he
        // tries them all.
        let ended = state.stage == TableStage::Over && state.promise.number >= self.matches_wanted;
        if !self.plays(at) || free.is_empty() || ended || self.chance(3) {
            return None;
        }
        let seat = free[self.lots.below(free.len())] + 1;
        Some(TableCommand::Sit { seat, name: format!("Player {at}") })
    }

    /// Something that a host can do to the others.
    fn hosts_idea(&mut self, state: &Snapshot) -> TableCommand {
        let seat = 1 + self.lots.below(state.seats.len());
        let other = 1 + self.lots.below(state.seats.len());
        let between = state.stage != TableStage::Playing;
        let ended = state.stage == TableStage::Over && state.promise.number >= self.matches_wanted;
        match self.lots.below(20) {
            0 => TableCommand::Kick { seat },
            1 | 2 => TableCommand::Mute { seat, muted: true },
            3 => TableCommand::Mute { seat, muted: false },
            4 => TableCommand::Relink,
            5 | 6 => TableCommand::Listed(!state.listed),
            7 | 8 => TableCommand::Bot { seat, level: "easy".into() },
            9 | 15 if between => {
                let bot = |chair: &SeatState| matches!(chair.who, Some(Occupant::Bot(_)));
                let bot = state.seats.iter().position(bot);
                TableCommand::Empty { seat: bot.map_or(seat, |bot| bot + 1) }
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

    /// Something that anybody on a seat can do.
    fn idle_idea(&mut self, state: &Snapshot) -> TableCommand {
        match self.lots.below(12) {
            0..3 => TableCommand::Say(String::from("bună!")),
            3 => TableCommand::Phrase(Phrase::GoodLuck),
            4 => TableCommand::Rename { name: format!("Other {}", self.now % 97) },
            5 | 6 => TableCommand::Pause,
            7 => TableCommand::Leave,
            8 => TableCommand::TakeBack,
            9 => TableCommand::Claim,
            10 if state.promise.number < self.matches_wanted => TableCommand::Rematch,
            _ => TableCommand::Sit {
                seat: 1 + self.lots.below(state.seats.len()),
                name: String::from("Mover"),
            },
        }
    }

    fn move_in_the_match(
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
        let Some(action) = move_of(view, &mut self.lots) else {
            let reads = matches!(public.phase(), Phase::Dealing);
            let ready = state.seats[seat - 1].ready;
            return (reads && !ready && self.chance(3)).then_some(TableCommand::Ready);
        };
        replica.act(action)
    }
}

/// A move that somebody in a hurry makes: any card, but a low bid, because a match of
/// high ones never ends.
pub(crate) fn move_of(view: &View, lots: &mut Lots) -> Option<Action> {
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
