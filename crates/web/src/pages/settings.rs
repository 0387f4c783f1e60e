//! The settings page.

use cards::{Card, Pack, Rank, Suit};
use leptos::prelude::*;
use phrases::Language;
use table_view::scene::Direction;

use crate::card::CardFace;
use crate::pages::Choice;
use crate::settings::{Colours, Confirm, Faces, Settings, Size, Theme, use_settings};
use crate::storage;
use crate::text::{t, use_phrases};

/// A row of the page: a title and a choice for `$field` of the settings.
macro_rules! row {
    ($phrases:ident, $title:ident, $settings:ident, $field:ident, [$($value:expr => $word:ident),*]) => {
        view! {
            <Choice
                title=t!($phrases, $title)
                values=vec![$(($value, t!($phrases, $word))),*]
                value=Signal::derive(move || $settings.with(|settings: &Settings| settings.$field))
                choose=move |value| $settings.update(|settings| settings.$field = value)
            />
        }
    };
}

#[component]
pub(crate) fn SettingsPage() -> impl IntoView {
    let (phrases, settings) = (use_phrases(), use_settings());
    let languages = Language::ALL
        .map(|language| (language, Signal::derive(move || language.own_name().to_owned())))
        .to_vec();
    let shown = Suit::ALL.into_iter().zip([Rank::Ace, Rank::King, Rank::Queen, Rank::Zaca]);
    let shown = shown.map(|(suit, rank)| {
        view! {
            <span class="card">
                <CardFace card=Card::new(rank, suit) pack=Pack::Hungarian />
            </span>
        }
    });
    view! {
        <main class="page narrow">
            <h1>{t!(phrases, settings_title)}</h1>
            <p class="alert" role="alert" hidden=storage::is_available()>
                {t!(phrases, settings_not_kept)}
            </p>
            <div class="form">
                <Choice
                    title=t!(phrases, setting_language)
                    values=languages
                    value=Signal::derive(move || settings.with(|settings| settings.language))
                    choose=move |value| settings.update(|settings| settings.language = value)
                />
                {row!(phrases, setting_theme, settings, theme, [
                    Theme::System => theme_system, Theme::Light => theme_light, Theme::Dark => theme_dark
                ])}
                {row!(phrases, setting_faces, settings, faces, [
                    Faces::German => faces_german, Faces::French => faces_french
                ])}
                {row!(phrases, setting_colours, settings, colours, [
                    Colours::Usual => colours_usual, Colours::Four => colours_four,
                    Colours::Safe => colours_safe
                ])}
                {row!(phrases, setting_size, settings, size, [
                    Size::Usual => size_usual, Size::Plain => size_plain
                ])}
                <div class="sample" aria-hidden="true">
                    {shown.collect_view()}
                </div>
                {row!(phrases, setting_cards, settings, cards, [
                    Confirm::Twice => confirm_twice, Confirm::Once => confirm_once
                ])}
                {row!(phrases, setting_bids, settings, bids, [
                    Confirm::Once => confirm_once, Confirm::Twice => confirm_twice
                ])}
                {row!(phrases, setting_forced, settings, forced, [
                    false => no, true => yes
                ])}
                {row!(phrases, setting_direction, settings, direction, [
                    Direction::Clockwise => direction_clockwise,
                    Direction::CounterClockwise => direction_counter
                ])}
                {row!(phrases, setting_sound, settings, sound, [true => yes, false => no])}
                {row!(phrases, setting_motion, settings, motion, [true => yes, false => no])}
            </div>
        </main>
    }
}
