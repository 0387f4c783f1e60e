//! What can be chosen.

use cards::{Card, Pack, Rank, Suit};
use client::Language;
use client::felt::Direction;
use leptos::prelude::*;

use crate::card::Face;
use crate::pages::{Segments, phrase};
use crate::settings::{Colours, Confirm, Faces, Settings, Size, Theme, settings};
use crate::storage;
use crate::text::{t, words};

/// A row of the page: its name and the choices. `$field` is kept in the settings.
macro_rules! row {
    ($words:ident, $settings:ident, $title:ident, $field:ident, [$($value:expr => $word:ident),*]) => {
        view! {
            <fieldset>
                <legend>{t!($words, $title)}</legend>
                <Segments
                    label=phrase!($words, $title)
                    values=vec![$(($value, phrase!($words, $word))),*]
                    value=Signal::derive(move || $settings.with(|settings: &Settings| settings.$field))
                    choose=move |value| $settings.update(|settings| settings.$field = value)
                />
            </fieldset>
        }
    };
}

#[component]
pub(crate) fn SettingsPage() -> impl IntoView {
    let (words, settings) = (words(), settings());
    let languages = Language::ALL
        .map(|language| (language, Signal::derive(move || language.own_name().to_owned())))
        .to_vec();
    let shown = Suit::ALL.into_iter().zip([Rank::Ace, Rank::King, Rank::Queen, Rank::Zaca]);
    let shown = shown.map(|(suit, rank)| {
        view! {
            <span class="card">
                <Face card=Card::new(rank, suit) pack=Pack::Hungarian />
            </span>
        }
    });
    view! {
        <main class="page narrow">
            <h1>{t!(words, settings_title)}</h1>
            <p class="alert" role="alert" hidden=storage::works()>
                {t!(words, settings_not_kept)}
            </p>
            <div class="form">
                <fieldset>
                    <legend>{t!(words, setting_language)}</legend>
                    <Segments
                        label=phrase!(words, setting_language)
                        values=languages
                        value=Signal::derive(move || settings.with(|settings| settings.language))
                        choose=move |value| settings.update(|settings| settings.language = value)
                    />
                </fieldset>
                {row!(words, settings, setting_theme, theme, [
                    Theme::System => theme_system, Theme::Light => theme_light, Theme::Dark => theme_dark
                ])}
                {row!(words, settings, setting_faces, faces, [
                    Faces::German => faces_german, Faces::French => faces_french
                ])}
                {row!(words, settings, setting_colours, colours, [
                    Colours::Usual => colours_usual, Colours::Four => colours_four,
                    Colours::Safe => colours_safe
                ])}
                {row!(words, settings, setting_size, size, [
                    Size::Usual => size_usual, Size::Plain => size_plain
                ])}
                <div class="sample" aria-hidden="true">
                    {shown.collect_view()}
                </div>
                {row!(words, settings, setting_cards, cards, [
                    Confirm::Twice => confirm_twice, Confirm::Once => confirm_once
                ])}
                {row!(words, settings, setting_bids, bids, [
                    Confirm::Once => confirm_once, Confirm::Twice => confirm_twice
                ])}
                {row!(words, settings, setting_forced, forced, [
                    false => no, true => yes
                ])}
                {row!(words, settings, setting_direction, direction, [
                    Direction::Clockwise => direction_clockwise,
                    Direction::CounterClockwise => direction_counter
                ])}
                {row!(words, settings, setting_sound, sound, [true => yes, false => no])}
                {row!(words, settings, setting_motion, motion, [true => yes, false => no])}
            </div>
        </main>
    }
}
