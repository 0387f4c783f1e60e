//! What can be done at a table besides playing. All buttons for it are of one kind, which keeps the
//! page small, and each is there while it is of use.

use leptos::prelude::*;
use phrases::Phrases;
use table_view::actions::TableAction;
use wire::table::TableCommand;

use super::{TableContext, use_table};
use crate::pages::{level, own_name};
use crate::text::{Words, use_words};

/// What a button does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Button {
    /// Something at the table; who is sent away is asked about first.
    Do(TableAction),
    AgreeToPause,
    /// Shows the seats to whoever watches.
    TakeASeat,
    /// Shows the cards that may be challenged (C15).
    Doubt,
}

impl From<TableAction> for Button {
    fn from(deed: TableAction) -> Button {
        Button::Do(deed)
    }
}

impl Button {
    fn class(self) -> &'static str {
        match self {
            Button::Do(TableAction::Sit(_) | TableAction::TakeBack | TableAction::GoOn) => {
                "primary"
            }
            Button::AgreeToPause | Button::TakeASeat => "primary",
            Button::Do(TableAction::Kick(_)) => "send-away",
            Button::Do(TableAction::AskForPause) => "pause",
            Button::Doubt => "doubt",
            Button::Do(_) => "",
        }
    }

    fn is_of_use(self, game: TableContext) -> bool {
        match self {
            Button::Do(deed) => {
                let about = game
                    .sends_away
                    .get()
                    .map(|seat| [TableAction::Kick(seat), TableAction::Mute(seat)]);
                let asked = about.is_some_and(|about| about.contains(&deed));
                !asked && game.state(|state| deed.is_of_use(state)).unwrap_or_default()
            }
            Button::AgreeToPause => true,
            Button::TakeASeat => {
                game.state(table_view::participants::seats_to_take).unwrap_or_default() > 0
            }
            // While the table is paused nobody can do anything.
            Button::Doubt => {
                let paused = game.state(|state| state.paused).unwrap_or_default();
                !paused && game.on_felt(has_tricks).unwrap_or_default()
            }
        }
    }

    fn words(self, game: TableContext, phrases: &Phrases) -> String {
        match self {
            Button::Do(deed) => game.state(|state| deed.words(state, phrases)).unwrap_or_default(),
            Button::AgreeToPause => phrases.pause_agree(),
            Button::TakeASeat => phrases.take_a_seat(),
            Button::Doubt => phrases.challenge_title(),
        }
    }

    fn is_done(self, game: TableContext, words: Words) {
        let deed = match self {
            Button::Do(TableAction::Kick(seat)) => return game.sends_away.set(Some(seat)),
            Button::Do(deed) => deed,
            Button::AgreeToPause => return game.line.send(TableCommand::Pause),
            Button::TakeASeat => return game.company.set(true),
            Button::Doubt => return game.challenge.set(true),
        };
        let (name, level) = (own_name(words), level());
        let command = untrack(|| game.state(|state| deed.command(state, &name, level)));
        // What follows is seen at the table.
        if matches!(deed, TableAction::StandUp | TableAction::AskForPause | TableAction::GoOn) {
            game.company.set(false);
        }
        if let Some(command) = command {
            game.line.send(command);
        }
    }
}

fn has_tricks(scene: &table_view::TableScene) -> bool {
    scene.honour.as_ref().is_some_and(|honour| !honour.tricks.is_empty())
}

/// The button of a deed.
pub(super) fn button(what: impl Into<Button>) -> AnyView {
    let (game, words, what) = (use_table(), use_words(), what.into());
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
