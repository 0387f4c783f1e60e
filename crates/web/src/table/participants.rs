//! The participants of the table and actions during a match: pauses, seats, and actions of the
//! host.

use leptos::prelude::*;
use table_view::actions::TableAction;
use wire::table::TableCommand;

use super::action_button::button;
use super::dialog::Dialog;
use super::seats::SeatList;
use super::use_table;
use super::waiting::Invitation;
use crate::pages::Choice;
use crate::settings::use_settings;
use crate::text::{t, use_phrases};

#[component]
pub(super) fn ParticipantsDialog() -> impl IntoView {
    let (table, phrases, settings) = (use_table(), use_phrases(), use_settings());
    let you = Memo::new(move |_| table.state(|state| state.you).unwrap_or_default());
    let listed = Memo::new(move |_| table.state(|state| state.listed).unwrap_or_default());
    let watchers = Memo::new(move |_| table.connection.replica.with(|replica| replica.watching()));
    let unwatched = Signal::derive(move || watchers.get() == 0);
    let watched = Signal::derive(move || phrases.with(|phrases| phrases.watchers(watchers.get())));
    let not_host = Signal::derive(move || !you.get().host);
    view! {
        <Dialog open=table.participants_open title=t!(phrases, participants_title)>
            <div class="form">
                <div class="row">
                    {[TableAction::AskForPause, TableAction::Resume, TableAction::Leave]
                        .map(button)
                        .collect_view()}
                    <button
                        aria-pressed=move || {
                            if settings.with(|settings| settings.sound) { "true" } else { "false" }
                        }
                        on:click=move |_| settings.update(|settings| settings.sound = !settings.sound)
                    >
                        {t!(phrases, setting_sound)}
                    </button>
                </div>
                <SeatList />
                <p hidden=unwatched>{watched}</p>
                <div hidden=not_host>
                    <Choice
                        title=t!(phrases, listed_title)
                        values=vec![
                            (false, t!(phrases, listed_no)),
                            (true, t!(phrases, listed_yes)),
                        ]
                        value=listed
                        choose=move |listed| table.connection.send(TableCommand::Listed(listed))
                    />
                </div>
                <Invitation />
            </div>
        </Dialog>
    }
}
