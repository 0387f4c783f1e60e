//! A card, drawn from the sprites of `assets`. A deck is fetched when its first card is shown.

use cards::{Card, Pack, Rank, Suit};
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api;
use crate::settings::{Faces, Size, use_settings};

/// The decks that are loaded or being loaded.
#[derive(Clone, Copy)]
pub(crate) struct Decks(StoredValue<Vec<&'static str>>);

pub(crate) fn provide() {
    provide_context(Decks(StoredValue::new(Vec::new())));
}

/// The deck that shows the cards of a pack.
fn deck(pack: Pack, faces: Faces) -> &'static str {
    if pack.is_hungarian() && faces == Faces::German { "german" } else { "french" }
}

/// Loads a deck into the page, once.
pub(crate) fn load_deck(deck: &'static str) {
    let Some(decks) = use_context::<Decks>() else { return };
    let known = decks.0.with_value(|decks| decks.contains(&deck));
    if known {
        return;
    }
    decks.0.update_value(|decks| decks.push(deck));
    spawn_local(async move {
        let address = crate::app::asset(deck);
        let sprites = match address {
            Some(address) => api::text(&address).await.ok(),
            None => None,
        };
        match (sprites, document().body()) {
            (Some(sprites), Some(body)) => {
                let _ = body.insert_adjacent_html(
                    "beforeend",
                    &format!("<div class=\"sprites\" aria-hidden=\"true\">{sprites}</div>"),
                );
            }
            // The next card tries again.
            _ => decks.0.update_value(|decks| decks.retain(|known| *known != deck)),
        }
    });
}

/// The letters that identify a card in a deck.
fn letters(card: Card, deck: &str) -> String {
    let pack = if deck == "german" { Pack::Hungarian } else { Pack::FrenchFrom(Rank::Three) };
    let rank = match (deck, card.rank()) {
        ("french", Rank::Zaca) => 'T',
        (_, rank) => pack.rank_letter(rank),
    };
    format!("{rank}{}", pack.suit_letter(card.suit()))
}

/// The face of a card.
#[component]
pub(crate) fn CardFace(card: Card, pack: Pack) -> impl IntoView {
    let settings = use_settings();
    let sprite = Memo::new(move |_| {
        let (faces, size) = settings.with(|settings| (settings.faces, settings.size));
        let deck = deck(pack, faces);
        load_deck(deck);
        let small = if size == Size::Plain { "small-" } else { "" };
        format!("#{}-{small}{}", &deck[..2].replace("ge", "de"), letters(card, deck))
    });
    view! {
        <svg class="face" viewBox="0 0 200 300" aria-hidden="true">
            <use href=move || sprite.get()></use>
        </svg>
    }
}

/// The back of a card.
#[component]
pub(crate) fn CardBack(pack: Pack) -> impl IntoView {
    let settings = use_settings();
    let sprite = Memo::new(move |_| {
        let deck = deck(pack, settings.with(|settings| settings.faces));
        load_deck(deck);
        if deck == "german" { "#de-back" } else { "#fr-back" }
    });
    view! {
        <svg class="face" viewBox="0 0 200 300" aria-hidden="true">
            <use href=move || sprite.get()></use>
        </svg>
    }
}

/// The sign of a suit.
#[component]
pub(crate) fn SuitSign(suit: Suit, pack: Pack) -> impl IntoView {
    let settings = use_settings();
    let sprite = Memo::new(move |_| {
        let deck = deck(pack, settings.with(|settings| settings.faces));
        load_deck(deck);
        match (deck, suit) {
            ("german", Suit::Bell) => "#de-bell",
            ("german", Suit::Leaf) => "#de-leaf",
            ("german", Suit::Acorn) => "#de-acorn",
            ("german", Suit::Heart) => "#de-heart",
            (_, Suit::Bell) => "#fr-clubs",
            (_, Suit::Leaf) => "#fr-spades",
            (_, Suit::Acorn) => "#fr-diamonds",
            (_, Suit::Heart) => "#fr-hearts",
        }
    });
    view! {
        <svg class="sign" viewBox="0 0 100 100" aria-hidden="true">
            <use href=move || sprite.get()></use>
        </svg>
    }
}
