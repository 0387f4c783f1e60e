//! The seats, their players, and the actions for each: the same before a match and during it.

use leptos::prelude::*;
use table_view::actions::TableAction;
use table_view::participants;
use table_view::participants::SeatStatus;
use wire::table::{Occupant, SeatState, TableCommand};

use super::action_button::button;
use super::dialog::ConfirmQuestion;
use super::use_table;
use crate::pages::{levels, player_name};
use crate::storage;
use crate::text::{t, use_phrases};

#[component]
pub(super) fn SeatList() -> impl IntoView {
    let (table, phrases) = (use_table(), use_phrases());
    let count = Memo::new(move |_| table.state(|state| state.seats.len()).unwrap_or_default());
    let sits = Memo::new(move |_| table.state(|state| state.you.seat).flatten().is_some());
    let name = RwSignal::new(player_name(phrases));
    // A confirmation is not kept when the list is opened again.
    table.kick_candidate.set(None);
    view! {
        <label class="field" hidden=sits>
            <span>{t!(phrases, your_name)}</span>
            <input
                type="text"
                maxlength="30"
                autocomplete="nickname"
                prop:value=move || name.get()
                on:input=move |event| {
                    let typed = event_target_value(&event);
                    storage::store("name", typed.trim());
                    name.set(typed);
                }
            />
        </label>
        <ul class="seat-list">
            {move || (0..count.get()).map(|at| view! { <SeatRow at /> }).collect_view()}
        </ul>
    }
}

#[component]
fn SeatRow(at: usize) -> impl IntoView {
    let (table, phrases) = (use_table(), use_phrases());
    let number = at + 1;
    let seat = Memo::new(move |_| {
        table.state(|state| state.seats.get(at).cloned()).flatten().unwrap_or_default()
    });
    let you = Memo::new(move |_| table.state(|state| state.you).unwrap_or_default());
    let host = Memo::new(move |_| table.state(|state| state.host).flatten());
    let who = Signal::derive(move || {
        phrases.with(|phrases| {
            seat.with(|seat| participants::name(seat.who.as_ref(), number, phrases))
        })
    });
    // A free seat has no status.
    let presence = Signal::derive(move || {
        let presence = seat.with(SeatStatus::of);
        let text = phrases.with(|phrases| presence.words(phrases));
        text.filter(|_| presence != SeatStatus::Free).unwrap_or_default()
    });
    let free = Signal::derive(move || seat.with(|seat| seat.who.is_none()));
    let mine = Signal::derive(move || you.get().seat == Some(number));
    let no_host = Signal::derive(move || host.get() != Some(number));
    let question = Signal::derive(move || phrases.with(|phrases| phrases.kick_ask(who.get())));
    let kick = Callback::new(move |()| {
        table.kick_candidate.set(None);
        table.connection.send(TableCommand::Kick { seat: number });
    });
    let cancel = Callback::new(move |()| table.kick_candidate.set(None));
    view! {
        <li class="seat-item" class:free=free class:mine=mine>
            <span class="number">{number}</span>
            <span class="who">
                <strong>{who}</strong>
                <small>{presence}</small>
                <small hidden=no_host>{t!(phrases, is_host)}</small>
            </span>
            <span class="row">
                {[TableAction::Sit, TableAction::Move, TableAction::AddBot]
                    .map(|what| button(what(number)))
                    .collect_view()}
                <LevelSelect number seat who />
                {[TableAction::RemoveBot, TableAction::Kick, TableAction::Mute]
                    .map(|what| button(what(number)))
                    .collect_view()}
            </span>
            <Show when=move || table.kick_candidate.get() == Some(number)>
                <ConfirmQuestion question yes=t!(phrases, kick) id="kick" done=kick cancel />
            </Show>
        </li>
    }
}

/// The level of a bot, which the host may change.
#[component]
fn LevelSelect(number: usize, seat: Memo<SeatState>, who: Signal<String>) -> impl IntoView {
    let (table, phrases) = (use_table(), use_phrases());
    let level = move || {
        seat.with(|seat| match &seat.who {
            Some(Occupant::Bot(level)) => Some(level.clone()),
            _ => None,
        })
    };
    let is_host = Memo::new(move |_| table.state(|state| state.you.host).unwrap_or_default());
    let no_level = Signal::derive(move || level().is_none() || !is_host.get());
    let label = Signal::derive(move || phrases.with(|phrases| phrases.bot_level(who.get())));
    let options = move || {
        let option = |(name, word): (&'static str, Signal<String>)| {
            let chosen = Signal::derive(move || level().as_deref() == Some(name));
            view! { <option value=name selected=chosen>{word}</option> }
        };
        levels(phrases).map(option).collect_view()
    };
    view! {
        <select
            hidden=no_level
            aria-label=label
            on:change=move |event| {
                let level = event_target_value(&event);
                table.connection.send(TableCommand::AddBot { seat: number, level });
            }
        >
            {options}
        </select>
    }
}
