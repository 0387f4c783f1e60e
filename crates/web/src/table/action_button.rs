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

    fn is_shown(self, table: TableContext) -> bool {
        match self {
            Button::Act(action) => {
                let about = table
                    .kick_candidate
                    .get()
                    .map(|seat| [TableAction::Kick(seat), TableAction::Mute(seat)]);
                let asked = about.is_some_and(|about| about.contains(&action));
                !asked && table.state(|state| action.is_possible(state)).unwrap_or_default()
            }
            Button::AgreeToPause => true,
            Button::ShowSeats => {
                table.state(table_view::participants::seats_to_take).unwrap_or_default() > 0
            }
            // While the table is paused no action is possible.
            Button::Challenge => {
                let paused = table.state(|state| state.paused).unwrap_or_default();
                !paused && table.with_scene(has_tricks).unwrap_or_default()
            }
        }
    }

    fn label(self, table: TableContext, phrases: &Phrases) -> String {
        match self {
            Button::Act(action) => {
                table.state(|state| action.words(state, phrases)).unwrap_or_default()
            }
            Button::AgreeToPause => phrases.pause_agree(),
            Button::ShowSeats => phrases.take_a_seat(),
            Button::Challenge => phrases.challenge_title(),
        }
    }

    fn press(self, table: TableContext, phrases: PhraseSignal) {
        let action = match self {
            Button::Act(TableAction::Kick(seat)) => return table.kick_candidate.set(Some(seat)),
            Button::Act(action) => action,
            Button::AgreeToPause => return table.connection.send(TableCommand::AskForPause),
            Button::ShowSeats => return table.participants_open.set(true),
            Button::Challenge => return table.challenge_open.set(true),
        };
        let (name, level) = (player_name(phrases), level());
        let command = untrack(|| table.state(|state| action.command(state, &name, level)));
        // The effect is visible at the table.
        if matches!(action, TableAction::Leave | TableAction::AskForPause | TableAction::Resume) {
            table.participants_open.set(false);
        }
        if let Some(command) = command {
            table.connection.send(command);
        }
    }
}

fn has_tricks(scene: &table_view::TableScene) -> bool {
    scene.honour.as_ref().is_some_and(|honour| !honour.tricks.is_empty())
}

/// The button of an action.
pub(super) fn button(what: impl Into<Button>) -> AnyView {
    let (table, phrases, what) = (use_table(), use_phrases(), what.into());
    view! {
        <button
            type="button"
            class=what.class()
            hidden=move || !what.is_shown(table)
            on:click=move |_| what.press(table, phrases)
        >
            {move || phrases.with(|phrases| what.label(table, phrases))}
        </button>
    }
    .into_any()
}
