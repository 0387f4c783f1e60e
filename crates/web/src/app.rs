//! The frame: what every place shares, and which place is shown.

use client::{Language, Route};
use leptos::prelude::*;

use crate::icon::{Drawn, Icon};
use crate::pages::{Friends, Home, LobbyPage, Nowhere, RulesPage, SettingsPage};
use crate::settings::{self, settings};
use crate::table::TablePage;
use crate::text::{self, t, words};
use crate::{card, way};

/// The address of a file whose name carries its content; the page lists them.
pub(crate) fn asset(name: &str) -> Option<String> {
    let named = document().query_selector(&format!("meta[name='asset-{name}']")).ok()??;
    named.get_attribute("content")
}

/// What is to be heard by those who listen.
#[derive(Clone, Copy)]
pub(crate) struct Voice(RwSignal<String>);

impl Voice {
    /// Says a sentence.
    pub(crate) fn say(self, sentence: impl Into<String>) {
        let sentence = sentence.into();
        // The same sentence again would not be noticed.
        let again = self.0.with_untracked(|before| *before == sentence);
        self.0.set(if again { format!("{sentence}\u{a0}") } else { sentence });
    }
}

/// The voice in a component.
pub(crate) fn voice() -> Voice {
    expect_context()
}

/// What a table is opened for; the table does it and forgets it.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// The name under which its owner sits down.
    pub(crate) name: String,
    /// Bots for the other seats, and at once the start.
    pub(crate) bots: Option<&'static str>,
}

/// The plan that waits for its table.
pub(crate) type Plans = RwSignal<Option<(String, Plan)>>;

/// The client.
#[component]
pub(crate) fn App() -> impl IntoView {
    let settings = settings::provide();
    text::provide(settings);
    card::provide();
    let way = way::provide();
    let voice = Voice(RwSignal::new(String::new()));
    provide_context(voice);
    let plans: Plans = RwSignal::new(None);
    provide_context(plans);
    let place = Memo::new(move |_| match way.here() {
        // Another clause of the same rules is the same place.
        Route::Table { table, .. } => Route::Table { table, key: None },
        Route::Rules { game, .. } => Route::Rules { game, clause: None },
        other => other,
    });
    let framed = Memo::new(move |_| !matches!(place.get(), Route::Table { .. }));
    view! {
        <Show when=move || framed.get()>
            <Head />
        </Show>
        {move || match place.get() {
            Route::Home => view! { <Home /> }.into_any(),
            Route::Table { table, .. } => view! { <TablePage table /> }.into_any(),
            Route::Friends => view! { <Friends /> }.into_any(),
            Route::Lobby => view! { <LobbyPage /> }.into_any(),
            Route::Rules { game, .. } => view! { <RulesPage game /> }.into_any(),
            Route::Settings => view! { <SettingsPage /> }.into_any(),
            Route::Nowhere => view! { <Nowhere /> }.into_any(),
        }}
        <p class="unseen" aria-live="polite" role="status">
            {move || voice.0.get()}
        </p>
    }
}

/// The head of every page but the table's.
#[component]
fn Head() -> impl IntoView {
    let (words, settings) = (words(), settings());
    let here = way::way();
    let current = move |route: Route| {
        let is_here = here.here() == route;
        is_here.then_some("page")
    };
    let other = move || match settings.with(|settings| settings.language) {
        Language::English => Language::Romanian,
        Language::Romanian => Language::English,
    };
    view! {
        <header class="head">
            <a class="brand" href="/">
                <Drawn icon=Icon::Acorn />
                <span>{t!(words, brand)}</span>
            </a>
            <nav>
                <a href="/lobby" aria-current=move || current(Route::Lobby)>
                    {t!(words, lobby)}
                </a>
                <a href="/rules/cruce">{t!(words, rules_title)}</a>
                <a href="/settings" aria-current=move || current(Route::Settings)>
                    {t!(words, settings_title)}
                </a>
                <button
                    class="quiet"
                    lang=move || other().code()
                    on:click=move |_| {
                        // Read before the settings are changed: nobody may look then.
                        let language = other();
                        settings.update(|settings| settings.language = language);
                    }
                >
                    {move || other().own_name()}
                </button>
            </nav>
        </header>
    }
}
