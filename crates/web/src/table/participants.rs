//! Everybody at the table and what may be done about it while a match is played: pauses, seats,
//! and what is the host's alone.

use leptos::prelude::*;
use table_view::actions::TableAction;
use wire::table::TableCommand;

use super::action_button::button;
use super::dialog::Dialog;
use super::seats::Chairs;
use super::use_table;
use super::waiting::Invitation;
use crate::pages::Choice;
use crate::settings::use_settings;
use crate::text::{t, use_words};

#[component]
pub(super) fn Company() -> impl IntoView {
    let (game, words, settings) = (use_table(), use_words(), use_settings());
    let you = Memo::new(move |_| game.state(|state| state.you).unwrap_or_default());
    let listed = Memo::new(move |_| game.state(|state| state.listed).unwrap_or_default());
    let watchers = Memo::new(move |_| game.line.replica.with(|replica| replica.watching()));
    let unwatched = Signal::derive(move || watchers.get() == 0);
    let watched = Signal::derive(move || words.with(|phrases| phrases.watchers(watchers.get())));
    let guest = Signal::derive(move || !you.get().host);
    view! {
        <Dialog open=game.company title=t!(words, company_title)>
            <div class="form">
                <div class="row">
                    {[TableAction::AskForPause, TableAction::GoOn, TableAction::StandUp].map(button).collect_view()}
                    <button
                        aria-pressed=move || {
                            if settings.with(|settings| settings.sound) { "true" } else { "false" }
                        }
                        on:click=move |_| settings.update(|settings| settings.sound = !settings.sound)
                    >
                        {t!(words, setting_sound)}
                    </button>
                </div>
                <Chairs />
                <p hidden=unwatched>{watched}</p>
                <div hidden=guest>
                    <Choice
                        title=t!(words, listed_title)
                        values=vec![
                            (false, t!(words, listed_no)),
                            (true, t!(words, listed_yes)),
                        ]
                        value=listed
                        choose=move |listed| game.line.send(TableCommand::Listed(listed))
                    />
                </div>
                <Invitation />
            </div>
        </Dialog>
    }
}
