//! The frame: what every place shares, and which place is shown.

use client::{Language, Route};
use leptos::prelude::*;

use crate::icon::{Drawn, Icon};
use crate::pages::{Home, LobbyPage, Nowhere, RulesPage, SettingsPage};
use crate::pieces::InPiece;
use crate::settings::{self, settings};
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

/// Whether somebody plays here because the server did not answer, and has not read so yet.
#[derive(Clone, Copy)]
pub(crate) struct Unanswered(pub(crate) RwSignal<bool>);

/// The client, once it has words.
#[component]
pub(crate) fn App() -> impl IntoView {
    let settings = settings::provide();
    let source = text::fetch(settings);
    let speaks = Memo::new(move |_| source.with(Option::is_some));
    move || {
        speaks.get().then(|| {
            // The page that said that we are coming has done its work.
            if let Some(waiting) = document().get_element_by_id("waiting") {
                waiting.remove();
            }
            text::provide(settings, source);
            view! { <Frame /> }
        })
    }
}

/// The head and the place below it.
#[component]
fn Frame() -> impl IntoView {
    card::provide();
    let way = way::provide();
    let voice = Voice(RwSignal::new(String::new()));
    provide_context(voice);
    let plans: Plans = RwSignal::new(None);
    provide_context(plans);
    provide_context(Unanswered(RwSignal::new(false)));
    let place = Memo::new(move |_| match way.here() {
        // Another clause of the same rules is the same place, and another moment of a match.
        Route::Table { table, .. } => Route::Table { table, key: None },
        Route::Rules { game, .. } => Route::Rules { game, clause: None },
        Route::Replay { table, number, .. } => Route::Replay { table, number, moment: None },
        other => other,
    });
    let framed = Memo::new(move |_| {
        let felt = matches!(place.get(), Route::Table { .. } | Route::Practice { .. });
        !felt && !matches!(place.get(), Route::Replay { .. } | Route::Learn { .. })
    });
    view! {
        <Show when=move || framed.get()>
            <Head />
        </Show>
        {move || match place.get() {
            Route::Home => view! { <Home /> }.into_any(),
            Route::Lobby => view! { <LobbyPage /> }.into_any(),
            Route::Rules { game, .. } => view! { <RulesPage game /> }.into_any(),
            Route::Settings => view! { <SettingsPage /> }.into_any(),
            Route::Nowhere => view! { <Nowhere /> }.into_any(),
            route => view! { <InPiece route /> }.into_any(),
        }}
        <p class="unseen" aria-live="polite" role="status">
            {move || voice.0.get()}
        </p>
    }
}

/// The head of every page but those with a felt.
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
                <a href="/mine" aria-current=move || current(Route::Mine)>
                    {t!(words, mine)}
                </a>
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
