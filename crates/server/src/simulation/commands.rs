//! What a client of a table might do next: usually what the table waits for, and now and then something
//! else.

use game::public::Phase;
use game::{Action, View};
use replica::TableReplica;
use replica::table::Prompt;
use wire::table::{Occupant, Phrase, Snapshot, TableCommand, TableStage};

use super::lots::Lots;

/// What a client wants at a table.
#[derive(Clone, Copy)]
pub(super) struct ClientGoals {
    /// Whether it wants a seat.
    pub(super) seat: bool,
    /// Whether it may do what is not needed.
    pub(super) extras: bool,
    /// How many matches are to be played.
    pub(super) matches: u32,
}

/// The next command of a client, if any.
pub(super) fn next_command(
    replica: &TableReplica,
    goals: ClientGoals,
    lots: &mut Lots,
) -> Option<TableCommand> {
    let state = replica.state()?;
    if state.closed {
        return None;
    }
    let Some(seat) = state.you.seat else { return unseated(state, goals, lots) };
    if goals.extras && lots.chance(14) {
        return Some(extra(state, lots));
    }
    if state.paused {
        return lots.chance(3).then_some(TableCommand::Resume);
    }
    let in_contest = state.contest.is_some();
    match state.stage {
        TableStage::Waiting if state.you.host => lots.chance(3).then_some(TableCommand::Start),
        TableStage::Waiting => None,
        TableStage::Over if state.commitment.number < goals.matches && !in_contest => {
            (!state.seats[seat - 1].ready).then_some(TableCommand::AskForRematch)
        }
        TableStage::Over => None,
        TableStage::Playing => in_match(replica, lots),
    }
}

fn unseated(state: &Snapshot, goals: ClientGoals, lots: &mut Lots) -> Option<TableCommand> {
    if state.contest.is_some() {
        return None;
    }
    let person = |seat: &usize| matches!(state.seats[*seat].who, Some(Occupant::Person(_)));
    let (taken, free): (Vec<usize>, Vec<usize>) = (0..state.seats.len()).partition(person);
    let waits = state.stage == TableStage::Waiting;
    if state.you.host && waits && !taken.is_empty() && !goals.seat {
        return lots.chance(3).then_some(TableCommand::Start);
    }
    // A player who has seen the cards of a seat can only take that one again, so they try them all.
    if !goals.seat || free.is_empty() || state.stage == TableStage::Over {
        return None;
    }
    let seat = lots.pick(&free) + 1;
    Some(TableCommand::Sit { seat, name: "Ana".into() })
}

/// A command that nothing waits for.
fn extra(state: &Snapshot, lots: &mut Lots) -> TableCommand {
    let seat = 1 + lots.below(state.seats.len());
    let contest = state.contest.is_some();
    match lots.below(14) {
        0 | 1 => TableCommand::Say("bună!".into()),
        2 => TableCommand::Phrase(Phrase::GoodLuck),
        3 => TableCommand::AskForPause,
        4 => TableCommand::TakeBack,
        5 | 6 => TableCommand::Claim,
        7 if !contest => TableCommand::Leave,
        8 if !contest => TableCommand::Rename { name: "Eva".into() },
        9 => TableCommand::Word("mare".into()),
        10 if state.you.host => TableCommand::AddBot { seat, level: "easy".into() },
        11 if state.you.host => TableCommand::Listed(!state.listed),
        12 if !contest => TableCommand::Sit { seat, name: "Ion".into() },
        _ => TableCommand::Phrase(Phrase::Hello),
    }
}

fn in_match(replica: &TableReplica, lots: &mut Lots) -> Option<TableCommand> {
    let view = replica.view()?;
    if view.public().round().is_some() && view.hand().len() <= 3 && lots.chance(8) {
        return Some(TableCommand::Claim);
    }
    match replica.prompt()? {
        Prompt::Ready => lots.chance(2).then_some(TableCommand::Ready),
        Prompt::Rematch => None,
        Prompt::Act => replica.act(random_move(view, lots)?),
    }
}

/// A random legal action: any card, but a low bid, because a match of high bids takes long.
pub(super) fn random_move(view: &View, lots: &mut Lots) -> Option<Action> {
    if matches!(view.public().phase(), Phase::Dealing) {
        return None;
    }
    let mut actions = view.lawful_actions();
    let low = |action: &Action| matches!(action, Action::Bid(0..=1));
    if actions.iter().any(low) {
        actions.retain(low);
    } else if matches!(actions.first(), Some(Action::Bid(_))) {
        actions.truncate(1);
    }
    (!actions.is_empty()).then(|| *lots.pick(&actions))
}
