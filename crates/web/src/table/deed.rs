//! What can be done at a table besides playing. All buttons for it are of one kind, which keeps the
//! page small, and each is there while it is of use.

use client::Phrases;
use leptos::prelude::*;
use wire::table::{Chair, Command, Place, Stage, Who};

use super::{Game, game};
use crate::pages::{level, own_name};
use crate::text::{Words, words};

/// What a button does. Seats are counted from one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Deed {
    Sit(usize),
    Move(usize),
    AddBot(usize),
    RemoveBot(usize),
    /// Asks whether it is meant.
    SendAway(usize),
    Mute(usize),
    StandUp,
    TakeBack,
    /// Shows the seats to whoever watches.
    TakeASeat,
    AskForPause,
    AgreeToPause,
    GoOn,
    /// Shows the cards that may be challenged (C15).
    Doubt,
}

/// What decides whether a deed is of use.
struct Moment {
    you: Place,
    stage: Stage,
    paused: bool,
    /// Whether a contest gives the seats away.
    contest: bool,
    /// The chair that it is about: the viewer's own, if no other is.
    chair: Option<Chair>,
}

impl Deed {
    fn class(self) -> &'static str {
        match self {
            Deed::Sit(_) | Deed::TakeBack | Deed::TakeASeat => "primary",
            Deed::AgreeToPause | Deed::GoOn => "primary",
            Deed::SendAway(_) => "send-away",
            Deed::AskForPause => "pause",
            Deed::Doubt => "doubt",
            _ => "",
        }
    }

    fn seat(self) -> Option<usize> {
        match self {
            Deed::Sit(seat) | Deed::Move(seat) | Deed::AddBot(seat) => Some(seat),
            Deed::RemoveBot(seat) | Deed::SendAway(seat) | Deed::Mute(seat) => Some(seat),
            _ => None,
        }
    }

    fn moment(self, game: Game) -> Option<Moment> {
        game.state(|state| {
            let seat = self.seat().or(state.you.seat).and_then(|seat| seat.checked_sub(1));
            let chair = seat.and_then(|seat| state.seats.get(seat).cloned());
            let contest = state.contest.is_some();
            Moment { you: state.you, stage: state.stage, paused: state.paused, contest, chair }
        })
    }

    fn is_of_use(self, game: Game) -> bool {
        let Some(moment) = self.moment(game) else { return false };
        let Moment { you, stage, paused, contest, chair } = moment;
        let sits = you.seat.is_some();
        let (playing, chair) = (stage == Stage::Playing, chair.unwrap_or_default());
        let is_bot = matches!(chair.who, Some(Who::Bot(_)));
        match self {
            // A bot gives up its seat for somebody who has none.
            Deed::Sit(_) => !contest && !sits && (chair.who.is_none() || is_bot),
            Deed::Move(_) => !contest && sits && chair.who.is_none() && !playing,
            Deed::AddBot(_) => you.host && chair.who.is_none(),
            Deed::RemoveBot(_) => you.host && is_bot && !playing,
            Deed::SendAway(seat) | Deed::Mute(seat) => {
                let asked = game.sends_away.get() == Some(seat);
                let person = chair.who.is_some() && !is_bot;
                you.host && person && you.seat != Some(seat) && !asked
            }
            Deed::StandUp => sits && !contest,
            Deed::TakeBack => chair.stand_in.is_some(),
            Deed::TakeASeat => {
                !contest && game.state(client::company::seats_to_take).unwrap_or_default() > 0
            }
            // Whoever has asked for a pause waits for the others.
            Deed::AskForPause => sits && playing && !paused && !chair.wants_pause,
            Deed::AgreeToPause => true,
            Deed::GoOn => sits && paused,
            // While the table is paused nobody can do anything.
            Deed::Doubt => !paused && game.on_felt(has_tricks).unwrap_or_default(),
        }
    }

    fn words(self, game: Game, phrases: &Phrases) -> String {
        match self {
            Deed::Sit(_) => phrases.sit_here(),
            Deed::Move(_) => phrases.move_here(),
            Deed::AddBot(_) => phrases.add_bot(),
            Deed::RemoveBot(_) => phrases.remove_bot(),
            Deed::SendAway(_) => phrases.send_away(),
            Deed::Mute(_) => {
                let chair = self.moment(game).and_then(|moment| moment.chair);
                match chair.is_some_and(|chair| chair.muted) {
                    true => phrases.unmute(),
                    false => phrases.mute(),
                }
            }
            Deed::StandUp => phrases.stand_up(),
            Deed::TakeBack => phrases.take_back(),
            Deed::TakeASeat => phrases.take_a_seat(),
            Deed::AskForPause => phrases.pause_ask(),
            Deed::AgreeToPause => phrases.pause_agree(),
            Deed::GoOn => phrases.resume(),
            Deed::Doubt => phrases.challenge_title(),
        }
    }

    fn is_done(self, game: Game, words: Words) {
        let command = match self {
            Deed::Sit(seat) | Deed::Move(seat) => Command::Sit { seat, name: own_name(words) },
            Deed::AddBot(seat) => Command::Bot { seat, level: level().into() },
            Deed::RemoveBot(seat) => Command::Empty { seat },
            Deed::Mute(seat) => {
                let chair = untrack(move || self.moment(game)).and_then(|moment| moment.chair);
                Command::Mute { seat, muted: !chair.is_some_and(|chair| chair.muted) }
            }
            Deed::StandUp => Command::Leave,
            Deed::TakeBack => Command::TakeBack,
            Deed::AskForPause | Deed::AgreeToPause => Command::Pause,
            Deed::GoOn => Command::Resume,
            Deed::SendAway(seat) => return game.sends_away.set(Some(seat)),
            Deed::TakeASeat => return game.company.set(true),
            Deed::Doubt => return game.challenge.set(true),
        };
        // What follows is seen at the table.
        if matches!(self, Deed::StandUp | Deed::AskForPause | Deed::GoOn) {
            game.company.set(false);
        }
        game.line.wish(command);
    }
}

fn has_tricks(felt: &client::Felt) -> bool {
    felt.honour.as_ref().is_some_and(|honour| !honour.tricks.is_empty())
}

/// The button of a deed.
pub(super) fn deed(what: Deed) -> AnyView {
    let (game, words) = (game(), words());
    view! {
        <button
            type="button"
            class=what.class()
            hidden=move || !what.is_of_use(game)
            on:click=move |_| what.is_done(game, words)
        >
            {move || words.with(|phrases| what.words(game, phrases))}
        </button>
    }
    .into_any()
}
