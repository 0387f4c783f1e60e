//! The frame: what every place shares, and which place is shown.

use leptos::ev;
use leptos::prelude::*;
use replica::Route;
use wasm_bindgen::JsCast;
use web_sys::Element;

use crate::card;
use crate::navigator::{self, Navigator};
use crate::pages::{LobbyPage, Nowhere, PlayPage, RulesPage, SettingsPage};
use crate::pieces::{self, InPiece};
use crate::settings;
use crate::text;

/// The address of a file whose name carries its content; the page lists them.
pub(crate) fn asset(name: &str) -> Option<String> {
    let named = document().query_selector(&format!("meta[name='asset-{name}']")).ok()??;
    named.get_attribute("content")
}

/// What is to be heard by those who listen.
#[derive(Clone, Copy)]
pub(crate) struct LiveRegion(RwSignal<String>);

impl LiveRegion {
    /// Says a sentence.
    pub(crate) fn say(self, sentence: impl Into<String>) {
        let sentence = sentence.into();
        // The same sentence again would not be noticed.
        let again = self.0.with_untracked(|before| *before == sentence);
        self.0.set(if again { format!("{sentence}\u{a0}") } else { sentence });
    }
}

/// The voice in a component.
pub(crate) fn use_live_region() -> LiveRegion {
    expect_context()
}

/// What a table is opened for; the table does it and forgets it.
#[derive(Clone, Debug)]
pub(crate) struct OpeningIntent {
    /// The name under which its owner sits down.
    pub(crate) name: String,
    /// Bots for the other seats, and at once the start.
    pub(crate) bots: Option<&'static str>,
}

/// The plan that waits for its table.
pub(crate) type OpeningIntents = RwSignal<Option<(String, OpeningIntent)>>;

/// Whether somebody plays here because the server did not answer, and has not read so yet.
#[derive(Clone, Copy)]
pub(crate) struct OfflineNotice(pub(crate) RwSignal<bool>);

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

/// The place where we are.
#[component]
fn Frame() -> impl IntoView {
    card::provide();
    let navigator = navigator::provide();
    let live_region = LiveRegion(RwSignal::new(String::new()));
    provide_context(live_region);
    let plans: OpeningIntents = RwSignal::new(None);
    provide_context(plans);
    provide_context(OfflineNotice(RwSignal::new(false)));
    let place = Memo::new(move |_| match navigator.here() {
        // Another clause of the same rules is the same place, and another moment of a match.
        Route::Table { table, .. } => Route::Table { table, key: None },
        // A pass is kept, and then it is the same contest.
        Route::Contest { ledger, .. } => Route::Contest { ledger, pass: None },
        Route::Rules { game, .. } => Route::Rules { game, clause: None },
        Route::SharedSheet { ledger, .. } => Route::SharedSheet { ledger, key: None },
        Route::Replay { table, number, .. } => Route::Replay { table, number, moment: None },
        other => other,
    });
    tend_the_shell(navigator);
    view! {
        {move || match place.get() {
            // It was here before us, but for its cards.
            Route::Home => {
                card::need("german");
                pieces::expect_a_game();
                ().into_any()
            }
            Route::Play { rules } => view! { <PlayPage rules /> }.into_any(),
            Route::Lobby => view! { <LobbyPage /> }.into_any(),
            Route::Rules { game, .. } => view! { <RulesPage game /> }.into_any(),
            Route::Settings => view! { <SettingsPage /> }.into_any(),
            Route::Nowhere => view! { <Nowhere /> }.into_any(),
            route => view! { <InPiece route /> }.into_any(),
        }}
        <p class="unseen" aria-live="polite" role="status">
            {move || live_region.0.get()}
        </p>
    }
}

/// Head and first page are there before us (`assets/index.html`): they are told which place is
/// shown, and their button for the other language changes the settings.
fn tend_the_shell(navigator: Navigator) {
    let settings = settings::use_settings();
    Effect::new(move |_| {
        let here = navigator.here();
        let place = match here {
            Route::Home => "home",
            Route::Table { .. }
            | Route::Practice { .. }
            | Route::Replay { .. }
            | Route::Learn { .. } => "felt",
            Route::Hall { .. } => "wall",
            Route::Print { .. } => "paper",
            _ => "page",
        };
        if let Some(root) = document().document_element() {
            let _ = root.set_attribute("data-place", place);
        }
        let find = |found: &str| document().query_selector(found).ok().flatten();
        if let Some(before) = find("#head [aria-current]") {
            let _ = before.remove_attribute("aria-current");
        }
        if let Some(link) = find(&format!("#head nav [href='{}']", here.address())) {
            let _ = link.set_attribute("aria-current", "page");
        }
    });
    window_event_listener(ev::click, move |event| {
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let tongue = target.and_then(|target| target.closest(".tongue").ok().flatten());
        let language = tongue.and_then(|tongue| tongue.get_attribute("lang")?.parse().ok());
        if let Some(language) = language {
            settings.update(|settings| settings.language = language);
        }
    });
}
