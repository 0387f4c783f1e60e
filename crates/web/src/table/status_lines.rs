//! Where somebody stands at the table: he watches, a bot plays for him, a pause is wished for or
//! holds. Each is a line above the hand, with what can be done about it.

use leptos::prelude::*;
use table_view::actions::TableAction;
use table_view::narrator::spoken;
use table_view::participants;
use table_view::participants::Pause;
use wire::table::TableStage;

use super::action_button::{Button, button};
use super::{TableContext, use_table};
use crate::text::{t, use_words};

/// The last challenge and how it was judged, in words (C15).
pub(super) fn judged(game: TableContext) -> Option<String> {
    let words = use_words();
    let replica = game.line.replica;
    replica.with(|m| m.challenged().and_then(|told| words.with(|words| spoken(told, m, words))))
}

#[component]
pub(super) fn Rights() -> impl IntoView {
    let (game, words) = (use_table(), use_words());
    let seat = Memo::new(move |_| game.state(|state| state.you.seat).flatten());
    let pause = Memo::new(move |_| {
        words.with(|words| game.state(|state| Pause::of(state, words)).unwrap_or_default())
    });
    let stood_in = Memo::new(move |_| {
        let own = seat.get()?.checked_sub(1)?;
        game.state(|state| state.seats.get(own)?.stand_in).flatten()
    });
    // A deal that was thrown in tells it at its end.
    let judgement = Memo::new(move |_| {
        let lies = |scene: &table_view::TableScene| scene.tricks > 0;
        game.on_felt(lies).unwrap_or_default().then(|| judged(game)).flatten()
    });
    view! {
        {move || judgement.get().map(|said| view! { <p class="why" id="judged">{said}</p> })}
        {move || stood_in.get().map(|_| line(t!(words, bot_plays_for_you), TableAction::TakeBack))}
        <Watching />
        {move || match pause.get() {
            Pause::Nobody => ().into_any(),
            // Whoever watches waits with the others.
            Pause::Rests => line(t!(words, paused_more), TableAction::GoOn),
            Pause::Awaited(said) => view! { <p class="why" id="pause">{said}</p> }.into_any(),
            Pause::Asked(said) if seat.get().is_some() => asked(said),
            Pause::Asked(said) => view! { <p class="why">{said}</p> }.into_any(),
        }}
    }
}

/// A sentence and what can be done about it.
fn line(said: Signal<String>, what: TableAction) -> AnyView {
    view! {
        <p class="why">
            {said} <span class="row">{button(what)}</span>
        </p>
    }
    .into_any()
}

/// Somebody would like a pause. Nobody has to answer: without an answer the match goes on.
fn asked(said: String) -> AnyView {
    let words = use_words();
    let declined = RwSignal::new(false);
    view! {
        <p class="why" id="pause" hidden=declined>
            {said}
            <span class="row">
                {button(Button::AgreeToPause)}
                <button on:click=move |_| declined.set(true)>{t!(words, pause_not_now)}</button>
            </span>
        </p>
    }
    .into_any()
}

/// Says to whoever watches that he does, and how he could play.
#[component]
fn Watching() -> impl IntoView {
    let (game, words) = (use_table(), use_words());
    let seats = Memo::new(move |_| {
        game.state(|state| {
            let watches = state.you.seat.is_none() && state.stage != TableStage::Waiting;
            watches.then(|| participants::seats_to_take(state))
        })
        .flatten()
    });
    move || {
        let count = seats.get()?;
        Some(view! {
            <p class="why" id="watching">
                <strong>{t!(words, watching_title)}</strong>
                " "
                {t!(words, watching_seats, count)}
                <span class="row">
                    {button(Button::TakeASeat)}
                    <a class="button" href="/">
                        {t!(words, go_home)}
                    </a>
                </span>
            </p>
        })
    }
}
