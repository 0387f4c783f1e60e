//! The chat: quick phrases and free text.

use leptos::prelude::*;
use table_view::narrator::{QUICK, quick};
use wire::table::{ChatMessage, TableCommand};

use super::dialog::Dialog;
use super::use_table;
use crate::text::{t, use_phrases};

#[component]
pub(super) fn ChatDialog(open: RwSignal<bool>) -> impl IntoView {
    let phrases = use_phrases();
    view! {
        <Dialog open title=t!(phrases, talk_title)>
            <Chat />
        </Dialog>
    }
}

/// What was said, and a line to say something.
#[component]
pub(super) fn Chat() -> impl IntoView {
    let (table, phrases) = (use_table(), use_phrases());
    let text = RwSignal::new(String::new());
    let said = Memo::new(move |_| table.state(|state| state.chat.clone()).unwrap_or_default());
    // Spectators may read the chat but not write.
    let mute = Memo::new(move |_| table.state(|state| state.you.seat).flatten().is_none());
    let one = move |saying: ChatMessage| {
        let what = phrases.with(|phrases| match (&saying.text, saying.phrase) {
            (Some(text), _) => text.clone(),
            (None, Some(phrase)) => quick(phrase, phrases),
            (None, None) => String::new(),
        });
        view! {
            <li>
                <strong>{saying.name.clone()}</strong>
                " "
                {what}
            </li>
        }
    };
    let send = move || {
        let what = text.get_untracked().trim().to_owned();
        if !what.is_empty() {
            table.connection.send(TableCommand::Say(what));
            text.set(String::new());
        }
    };
    let quick_buttons = move || {
        QUICK
            .into_iter()
            .map(|one| {
                view! {
                    <button on:click=move |_| table.connection.send(TableCommand::Phrase(one))>
                        {move || phrases.with(|phrases| quick(one, phrases))}
                    </button>
                }
            })
            .collect_view()
    };
    view! {
            <ul class="said" aria-live="polite">
                {move || said.get().into_iter().map(one).collect_view()}
            </ul>
            <div class="quick" hidden=mute>
                {quick_buttons}
            </div>
            <form
                class="row"
                hidden=mute
                on:submit=move |event| {
                    event.prevent_default();
                    send();
                }
            >
                <input
                    type="text"
                    maxlength="200"
                    aria-label=t!(phrases, talk_say)
                    placeholder=t!(phrases, talk_say)
                    prop:value=move || text.get()
                    on:input=move |event| text.set(event_target_value(&event))
                />
                <button class="primary" type="submit">
                    {t!(phrases, talk_send)}
                </button>
            </form>
    }
}
