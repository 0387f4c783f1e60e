//! The seats and who sits on them, with what may be done about each: the same before a match and
//! while it is played.

use leptos::prelude::*;
use table_view::actions::TableAction;
use table_view::participants;
use table_view::participants::SeatStatus;
use wire::table::{Occupant, TableCommand};

use super::action_button::button;
use super::dialog::Sure;
use super::use_table;
use crate::pages::{levels, own_name};
use crate::storage;
use crate::text::{t, use_words};

#[component]
pub(super) fn Chairs() -> impl IntoView {
    let (game, words) = (use_table(), use_words());
    let count = Memo::new(move |_| game.state(|state| state.seats.len()).unwrap_or_default());
    let sits = Memo::new(move |_| game.state(|state| state.you.seat).flatten().is_some());
    let name = RwSignal::new(own_name(words));
    // Whoever comes back to the seats was not about to do anything.
    game.sends_away.set(None);
    view! {
        <label class="field" hidden=sits>
            <span>{t!(words, your_name)}</span>
            <input
                type="text"
                maxlength="30"
                autocomplete="nickname"
                prop:value=move || name.get()
                on:input=move |event| {
                    let typed = event_target_value(&event);
                    storage::keep("name", typed.trim());
                    name.set(typed);
                }
            />
        </label>
        <ul class="chairs">
            {move || (0..count.get()).map(|at| view! { <Chair at /> }).collect_view()}
        </ul>
    }
}

#[component]
fn Chair(at: usize) -> impl IntoView {
    let (game, words) = (use_table(), use_words());
    let number = at + 1;
    let chair = Memo::new(move |_| {
        game.state(|state| state.seats.get(at).cloned()).flatten().unwrap_or_default()
    });
    let you = Memo::new(move |_| game.state(|state| state.you).unwrap_or_default());
    let host = Memo::new(move |_| game.state(|state| state.host).flatten());
    let who = Signal::derive(move || {
        words.with(|phrases| {
            chair.with(|chair| participants::name(chair.who.as_ref(), number, phrases))
        })
    });
    // Whoever does not sit has nothing to be known of.
    let presence = Signal::derive(move || {
        let presence = chair.with(SeatStatus::of);
        let said = words.with(|phrases| presence.words(phrases));
        said.filter(|_| presence != SeatStatus::Free).unwrap_or_default()
    });
    let free = Signal::derive(move || chair.with(|chair| chair.who.is_none()));
    let level = move || {
        chair.with(|chair| match &chair.who {
            Some(Occupant::Bot(level)) => Some(level.clone()),
            _ => None,
        })
    };
    let no_level = Signal::derive(move || level().is_none() || !you.get().host);
    let mine = Signal::derive(move || you.get().seat == Some(number));
    let no_host = Signal::derive(move || host.get() != Some(number));
    let plays = Signal::derive(move || words.with(|phrases| phrases.bot_level(who.get())));
    let question = Signal::derive(move || words.with(|phrases| phrases.send_away_ask(who.get())));
    let options = move || {
        let option = |(name, word): (&'static str, Signal<String>)| {
            let chosen = Signal::derive(move || level().as_deref() == Some(name));
            view! { <option value=name selected=chosen>{word}</option> }
        };
        levels(words).map(option).collect_view()
    };
    let kick = Callback::new(move |()| {
        game.sends_away.set(None);
        game.line.send(TableCommand::Kick { seat: number });
    });
    let left = Callback::new(move |()| game.sends_away.set(None));
    view! {
        <li class="chair" class:free=free class:mine=mine>
            <span class="number">{number}</span>
            <span class="who">
                <strong>{who}</strong>
                <small>{presence}</small>
                <small hidden=no_host>{t!(words, is_host)}</small>
            </span>
            <span class="row">
                {[TableAction::Sit, TableAction::Move, TableAction::AddBot].map(|what| button(what(number))).collect_view()}
                <select
                    hidden=no_level
                    aria-label=plays
                    on:change=move |event| {
                        let level = event_target_value(&event);
                        game.line.send(TableCommand::Bot { seat: number, level });
                    }
                >
                    {options}
                </select>
                {[TableAction::RemoveBot, TableAction::Kick, TableAction::Mute]
                    .map(|what| button(what(number)))
                    .collect_view()}
            </span>
            <Show when=move || game.sends_away.get() == Some(number)>
                <Sure question yes=t!(words, send_away) id="send-away" done=kick left />
            </Show>
        </li>
    }
}
