//! Actions at a table besides playing. All buttons are of one kind, which keeps the page small, and
//! each is hidden while its action is impossible.

use leptos::prelude::*;
use phrases::Phrases;
use table_view::actions::TableAction;
use wire::table::TableCommand;

use super::{TableContext, use_table};
use crate::pages::{level, player_name};
use crate::text::{PhraseSignal, use_phrases};

/// What a button does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Button {
    /// An action at the table; removing a player asks for confirmation first.
    Act(TableAction),
    AgreeToPause,
    /// Shows the seats to a spectator.
    ShowSeats,
    /// Shows the cards that may be challenged (C15).
    Challenge,
}

impl From<TableAction> for Button {
    fn from(action: TableAction) -> Button {
        Button::Act(action)
    }
}

impl Button {
    fn class(self) -> &'static str {
        match self {
            Button::Act(TableAction::Sit(_) | TableAction::TakeBack | TableAction::Resume) => {
                "primary"
            }
            Button::AgreeToPause | Button::ShowSeats => "primary",
            Button::Act(TableAction::Kick(_)) => "kick",
            Button::Act(TableAction::AskForPause) => "pause",
            Button::Challenge => "doubt",
            Button::Act(_) => "",
        }
    }

    fn is_shown(self, game: TableContext) -> bool {
        match self {
            Button::Act(action) => {
                let about = game
                    .kick_candidate
                    .get()
                    .map(|seat| [TableAction::Kick(seat), TableAction::Mute(seat)]);
                let asked = about.is_some_and(|about| about.contains(&action));
                !asked && game.state(|state| action.is_possible(state)).unwrap_or_default()
            }
            Button::AgreeToPause => true,
            Button::ShowSeats => {
                game.state(table_view::participants::seats_to_take).unwrap_or_default() > 0
            }
            // While the table is paused no action is possible.
            Button::Challenge => {
                let paused = game.state(|state| state.paused).unwrap_or_default();
                !paused && game.with_scene(has_tricks).unwrap_or_default()
            }
        }
    }

    fn words(self, game: TableContext, phrases: &Phrases) -> String {
        match self {
            Button::Act(action) => {
                game.state(|state| action.words(state, phrases)).unwrap_or_default()
            }
            Button::AgreeToPause => phrases.pause_agree(),
            Button::ShowSeats => phrases.take_a_seat(),
            Button::Challenge => phrases.challenge_title(),
        }
    }

    fn press(self, game: TableContext, words: PhraseSignal) {
        let action = match self {
            Button::Act(TableAction::Kick(seat)) => return game.kick_candidate.set(Some(seat)),
            Button::Act(action) => action,
            Button::AgreeToPause => return game.connection.send(TableCommand::AskForPause),
            Button::ShowSeats => return game.participants_open.set(true),
            Button::Challenge => return game.challenge_open.set(true),
        };
        let (name, level) = (player_name(words), level());
        let command = untrack(|| game.state(|state| action.command(state, &name, level)));
        // The effect is visible at the table.
        if matches!(action, TableAction::Leave | TableAction::AskForPause | TableAction::Resume) {
            game.participants_open.set(false);
        }
        if let Some(command) = command {
            game.connection.send(command);
        }
    }
}

fn has_tricks(scene: &table_view::TableScene) -> bool {
    scene.honour.as_ref().is_some_and(|honour| !honour.tricks.is_empty())
}

/// The button of an action.
pub(super) fn button(what: impl Into<Button>) -> AnyView {
    let (game, words, what) = (use_table(), use_phrases(), what.into());
    view! {
        <button
            type="button"
            class=what.class()
            hidden=move || !what.is_shown(game)
            on:click=move |_| what.press(game, words)
        >
            {move || words.with(|phrases| what.words(game, phrases))}
        </button>
    }
    .into_any()
}
