//! The hand: cards to tap, to swipe, or to select with the arrow keys.

use cards::{Card, Pack};
use game::Action;
use leptos::prelude::*;
use table_view::layout::HandLayout;
use table_view::scene::{HandCard, ScenePrompt};
use wasm_bindgen::JsCast;

use super::layout::{css, use_layout};
use super::{TableContext, use_table};
use crate::card::CardFace;
use crate::settings::{Confirm, use_settings};
use crate::text::{t, use_phrases};

/// How far a finger must move up to play a card.
const SWIPE: i32 = 48;

#[component]
pub(crate) fn HandView() -> impl IntoView {
    let (table, phrases, layout) = (use_table(), use_phrases(), use_layout());
    let hand = Memo::new(move |_| table.with_scene(|scene| scene.hand.clone()).unwrap_or_default());
    let asked = Memo::new(move |_| {
        table.with_scene(|scene| scene.prompt == ScenePrompt::Card).unwrap_or_default()
    });
    let began_at = StoredValue::new(None::<i32>);
    // A card stays the same element while it is held, so that it keeps the focus.
    let card = move |card: Card| {
        let pack =
            table.scene.with_untracked(|scene| scene.as_ref().map(|scene| scene.rules.pack()))?;
        Some(view! { <HandCardButton card pack hand asked began_at /> })
    };
    let held = move || -> Vec<Card> { hand.with(|hand| hand.iter().map(|h| h.card).collect()) };
    view! {
        <div
            class="hand"
            role="group"
            aria-label=t!(phrases, your_hand)
            style=move || layout.with(|layout| layout.hand.map(|hand| css(hand.area)))
        >
            <For each=held key=|card| card.index() children=card />
        </div>
    }
}

/// A card of the hand.
#[component]
fn HandCardButton(
    card: Card,
    pack: Pack,
    hand: Memo<Vec<HandCard>>,
    /// Whether the player is asked for a card.
    asked: Memo<bool>,
    /// Where the last touch began, for swipes.
    began_at: StoredValue<Option<i32>>,
) -> impl IntoView {
    let (table, phrases, settings) = (use_table(), use_phrases(), use_settings());
    let tapped = move |swiped: bool| {
        let once = settings.with_untracked(|settings| settings.cards == Confirm::Once);
        tap(table, card, once || swiped);
    };
    let at = Memo::new(move |_| {
        hand.with(|hand| hand.iter().position(|held| held.card == card)).unwrap_or_default()
    });
    let held =
        Memo::new(move |_| hand.with(|hand| hand.iter().find(|held| held.card == card).cloned()));
    let layout = use_layout();
    let place = move || {
        let count = hand.with(Vec::len);
        layout.with(|layout| layout.hand.map(|hand| hand_card_style(&hand, at.get(), count)))
    };
    let forbidden = move || held.with(|held| held.as_ref().is_some_and(|held| held.why.is_some()));
    let label = move || {
        let name = held.with(|held| held.as_ref().map(|held| held.name.clone()));
        let name = name.unwrap_or_default();
        match forbidden() {
            true => phrases.with(|phrases| phrases.card_forbidden(name)),
            false => name,
        }
    };
    let raised = move || table.raised.get() == Some(card);
    let owed =
        move || table.why.with(|why| why.as_ref().is_some_and(|why| why.owed.contains(card)));
    view! {
        <button
            class="card"
            data-card=card.index().to_string()
            style=place
            class:forbidden=move || asked.get() && forbidden()
            class:raised=raised
            class:owed=owed
            class:wanted=move || table.wanted.get() == Some(card)
            aria-label=label
            aria-pressed=move || if raised() { "true" } else { "false" }
            tabindex=move || if at.get() == 0 { "0" } else { "-1" }
            on:pointerdown=move |event| began_at.set_value(Some(event.client_y()))
            on:pointerup=move |event| {
                let began = began_at.try_update_value(Option::take).flatten();
                if began.is_some_and(|began| began - event.client_y() > SWIPE) {
                    tapped(true);
                }
            }
            on:click=move |_| tapped(false)
        >
            <CardFace card pack />
        </button>
    }
}

/// The place of a card in the box of the hand. Only the variables of its transform change when it moves.
fn hand_card_style(hand: &HandLayout, at: usize, count: usize) -> String {
    let card = hand.card_box(at, count.max(1));
    let (x, y) = (card.x - hand.area.x, card.y - hand.area.y);
    let (width, lift) = (card.width, hand.lift);
    format!("--i:{at};--x:{x:.1}px;--y:{y:.1}px;--lift-by:{lift:.1}px;width:{width:.1}px")
}

/// A tap on a card: raises it, plays it, or shows why it may not be played.
pub(super) fn tap(table: TableContext, card: Card, at_once: bool) {
    let found = table.scene.with_untracked(|scene| {
        let scene = scene.as_ref()?;
        let held = scene.hand.iter().find(|held| held.card == card)?.clone();
        Some((held, scene.prompt == ScenePrompt::Card))
    });
    let Some((held, asked)) = found else { return };
    table.why.set(None);
    if let Some(why) = held.why.filter(|_| asked) {
        crate::app::use_live_region().announce(why.sentence.clone());
        table.raised.set(None);
        table.why.set(Some(why));
        return;
    }
    let raised = table.raised.get_untracked() == Some(card);
    // The player chooses whether to call before the card is played.
    let choice = held.call.is_some();
    if asked && (raised || (at_once && !choice)) {
        table.act(Action::Play { card, call: choice });
    } else {
        table.raised.set(if raised { None } else { Some(card) });
    }
}

/// The card that has the focus.
pub(super) fn focused_card() -> Option<Card> {
    let element = document().active_element()?;
    let index = element.get_attribute("data-card")?.parse().ok()?;
    Card::from_index(index)
}

/// Focuses a card of the hand.
pub(super) fn focus_card(card: Card) {
    let found = document().query_selector(&format!(".hand [data-card='{}']", card.index()));
    let button =
        found.ok().flatten().and_then(|found| found.dyn_into::<web_sys::HtmlElement>().ok());
    if let Some(button) = button {
        let _ = button.focus();
    }
}
