//! What somebody at a table might do next: usually what the table waits for, and now
//! and then something else.

use client::mirror::Mirror;
use game::deal::Lots;
use game::public::Phase;
use game::{Action, View};
use wire::table::{Chair, Command, Pace, Phrase, Snapshot, Stage, Who};

use crate::clients::{Client, Part};
use crate::opening::SHORT;
use crate::world::World;

impl World {
    /// What a client wishes now, if anything.
    pub(crate) fn idea(&mut self, at: usize, mirror: &Mirror) -> Option<Command> {
        let state = mirror.state()?;
        if !self.plays(at) && !state.you.host {
            return None;
        }
        let often = if state.stage == Stage::Playing { 40 } else { 6 };
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
            return self.chance(4).then_some(Command::Resume);
        }
        match state.stage {
            Stage::Waiting if self.chance(8) => {
                let duplicate = state.duplicate.is_some() && !self.chance(20);
                (!duplicate).then(|| Command::Word(format!("w{}", self.now)))
            }
            Stage::Waiting if state.you.host => self.chance(6).then_some(Command::Start),
            Stage::Waiting => None,
            Stage::Over if state.promise.number < self.matches_wanted => {
                (!state.seats[seat - 1].ready).then_some(Command::Rematch)
            }
            Stage::Over => None,
            Stage::Playing => self.move_in_the_match(state, seat, mirror),
        }
    }

    /// Whether a client wants a seat. A host who only watches takes one when he has sent
    /// everybody else away.
    fn plays(&self, at: usize) -> bool {
        let plays = |client: &Client| client.part == Part::Plays;
        let others = || self.clients.iter().any(|client| plays(client) && client.stays());
        plays(&self.clients[at]) || (self.clients[at].stays() && !others())
    }

    fn idea_of_one_who_stands(&mut self, at: usize, state: &Snapshot) -> Option<Command> {
        let person = |seat: &usize| matches!(state.seats[*seat].who, Some(Who::Person(_)));
        let (taken, free): (Vec<usize>, Vec<usize>) = (0..state.seats.len()).partition(person);
        let host = state.you.host && state.stage == Stage::Waiting && !taken.is_empty();
        if host && self.chance(10) {
            return Some(Command::Start);
        }
        // Whoever has seen the cards of a seat can only take that one again, so he
        // tries them all.
        let ended = state.stage == Stage::Over && state.promise.number >= self.matches_wanted;
        if !self.plays(at) || free.is_empty() || ended || self.chance(3) {
            return None;
        }
        let seat = free[self.lots.below(free.len())] + 1;
        Some(Command::Sit { seat, name: format!("Player {at}") })
    }

    /// Something that a host can do to the others.
    fn hosts_idea(&mut self, state: &Snapshot) -> Command {
        let seat = 1 + self.lots.below(state.seats.len());
        let other = 1 + self.lots.below(state.seats.len());
        let between = state.stage != Stage::Playing;
        let ended = state.stage == Stage::Over && state.promise.number >= self.matches_wanted;
        match self.lots.below(20) {
            0 => Command::Kick { seat },
            1 | 2 => Command::Mute { seat, muted: true },
            3 => Command::Mute { seat, muted: false },
            4 => Command::Relink,
            5 | 6 => Command::Listed(!state.listed),
            7 | 8 => Command::Bot { seat, level: "easy".into() },
            9 | 15 if between => {
                let bot = |chair: &Chair| matches!(chair.who, Some(Who::Bot(_)));
                let bot = state.seats.iter().position(bot);
                Command::Empty { seat: bot.map_or(seat, |bot| bot + 1) }
            }
            10 | 11 if between => Command::Swap([seat, other]),
            12 if between => Command::Pace([Pace::Off, Pace::Relaxed, Pace::Fast][seat % 3]),
            13 | 14 | 16 if between && !ended => {
                let code = SHORT[self.lots.below(SHORT.len())];
                Command::Rules(code.into())
            }
            17 => Command::Leave,
            _ => Command::Phrase(Phrase::Again),
        }
    }

    /// Something that anybody on a seat can do.
    fn idle_idea(&mut self, state: &Snapshot) -> Command {
        match self.lots.below(12) {
            0..3 => Command::Say(String::from("bună!")),
            3 => Command::Phrase(Phrase::GoodLuck),
            4 => Command::Rename { name: format!("Other {}", self.now % 97) },
            5 | 6 => Command::Pause,
            7 => Command::Leave,
            8 => Command::TakeBack,
            9 => Command::Claim,
            10 if state.promise.number < self.matches_wanted => Command::Rematch,
            _ => Command::Sit {
                seat: 1 + self.lots.below(state.seats.len()),
                name: String::from("Mover"),
            },
        }
    }

    fn move_in_the_match(
        &mut self,
        state: &Snapshot,
        seat: usize,
        mirror: &Mirror,
    ) -> Option<Command> {
        let view = mirror.view()?;
        let public = view.public();
        if public.round().is_some() && view.hand().len() <= 3 && self.chance(6) {
            return Some(Command::Claim);
        }
        let Some(action) = move_of(view, &mut self.lots) else {
            let reads = matches!(public.phase(), Phase::Dealing);
            let ready = state.seats[seat - 1].ready;
            return (reads && !ready && self.chance(3)).then_some(Command::Ready);
        };
        mirror.act(action)
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
