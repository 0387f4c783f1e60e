//! Status lines above the hand: the viewer is a spectator, a bot plays for them, a pause is
//! requested or holds. Each has buttons for what can be done about it.

use leptos::prelude::*;
use table_view::actions::TableAction;
use table_view::narrator::sentence;
use table_view::participants;
use table_view::participants::Pause;
use wire::table::TableStage;

use super::action_button::{Button, button};
use super::{TableContext, use_table};
use crate::text::{t, use_phrases};

/// The verdict of the last challenge, in words (C15).
pub(super) fn challenge_verdict(table: TableContext) -> Option<String> {
    let phrases = use_phrases();
    let replica = table.connection.replica;
    replica.with(|replica| {
        let event = replica.challenged()?;
        phrases.with(|phrases| sentence(event, replica, phrases))
    })
}

#[component]
pub(super) fn StatusLines() -> impl IntoView {
    let (table, phrases) = (use_table(), use_phrases());
    let seat = Memo::new(move |_| table.state(|state| state.you.seat).flatten());
    let pause = Memo::new(move |_| {
        phrases.with(|phrases| table.state(|state| Pause::of(state, phrases)).unwrap_or_default())
    });
    let stood_in = Memo::new(move |_| {
        let own = seat.get()?.checked_sub(1)?;
        table.state(|state| state.seats.get(own)?.stand_in).flatten()
    });
    // A deal that was thrown in shows it at its end.
    let judgement = Memo::new(move |_| {
        let has_tricks = |scene: &table_view::TableScene| scene.tricks > 0;
        table.with_scene(has_tricks).unwrap_or_default().then(|| challenge_verdict(table)).flatten()
    });
    view! {
        {move || judgement.get().map(|said| view! { <p class="why" id="judged">{said}</p> })}
        {move || stood_in.get().map(|_| status_line(t!(phrases, bot_plays_for_you), TableAction::TakeBack))}
        <SpectatorLine />
        {move || match pause.get() {
            Pause::NotAsked => ().into_any(),
            // Spectators wait, too.
            Pause::Paused => status_line(t!(phrases, paused_more), TableAction::Resume),
            Pause::Awaited(said) => view! { <p class="why" id="pause">{said}</p> }.into_any(),
            Pause::Asked(said) if seat.get().is_some() => pause_request(said),
            Pause::Asked(said) => view! { <p class="why">{said}</p> }.into_any(),
        }}
    }
}

/// A sentence and the button of an action.
fn status_line(said: Signal<String>, what: TableAction) -> AnyView {
    view! {
        <p class="why">
            {said} <span class="row">{button(what)}</span>
        </p>
    }
    .into_any()
}

/// A player requests a pause. No answer is needed: without one the match goes on.
fn pause_request(said: String) -> AnyView {
    let phrases = use_phrases();
    let declined = RwSignal::new(false);
    view! {
        <p class="why" id="pause" hidden=declined>
            {said}
            <span class="row">
                {button(Button::AgreeToPause)}
                <button on:click=move |_| declined.set(true)>{t!(phrases, pause_not_now)}</button>
            </span>
        </p>
    }
    .into_any()
}

/// The line for spectators: that they watch, and how they can play.
#[component]
fn SpectatorLine() -> impl IntoView {
    let (table, phrases) = (use_table(), use_phrases());
    let seats = Memo::new(move |_| {
        table
            .state(|state| {
                let watches = state.you.seat.is_none() && state.stage != TableStage::Waiting;
                watches.then(|| participants::seats_to_take(state))
            })
            .flatten()
    });
    move || {
        let count = seats.get()?;
        Some(view! {
            <p class="why" id="watching">
                <strong>{t!(phrases, watching_title)}</strong>
                " "
                {t!(phrases, watching_seats, count)}
                <span class="row">
                    {button(Button::ShowSeats)}
                    <a class="button" href="/">
                        {t!(phrases, go_home)}
                    </a>
                </span>
            </p>
        })
    }
}
