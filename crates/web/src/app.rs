//! The root component: contexts that every page shares, and the match from route to page.

use leptos::ev;
use leptos::prelude::*;
use replica::Route;
use wasm_bindgen::JsCast;
use web_sys::Element;

use crate::card;
use crate::navigator::{self, Navigator};
use crate::pages::{LobbyPage, NotFoundPage, PlayPage, RulesPage, SettingsPage};
use crate::pieces::{self, ContestPiece, PaperPiece, PiecePage, SplitPage, StudyPiece, TablePiece};
use crate::settings;
use crate::text;

/// The address of an asset, whose file name contains a hash. The page lists them in `meta`
/// elements.
pub(crate) fn asset(name: &str) -> Option<String> {
    let named = document().query_selector(&format!("meta[name='asset-{name}']")).ok()??;
    named.get_attribute("content")
}

/// The text that screen readers announce.
#[derive(Clone, Copy)]
pub(crate) struct LiveRegion(RwSignal<String>);

impl LiveRegion {
    /// Announces a sentence.
    pub(crate) fn announce(self, sentence: impl Into<String>) {
        let sentence = sentence.into();
        // Screen readers ignore a text that does not change.
        let again = self.0.with_untracked(|before| *before == sentence);
        self.0.set(if again { format!("{sentence}\u{a0}") } else { sentence });
    }
}

/// The live region in a component.
pub(crate) fn use_live_region() -> LiveRegion {
    expect_context()
}

/// What to do once a new table is connected; used once.
#[derive(Clone, Debug)]
pub(crate) struct OpeningIntent {
    /// The name under which its owner sits down.
    pub(crate) name: String,
    /// The level of the bots on the other seats. With bots the match starts at once.
    pub(crate) bots: Option<&'static str>,
}

/// The intent that waits for its table, with the id of that table.
#[derive(Clone, Copy)]
pub(crate) struct PendingIntent(RwSignal<Option<(String, OpeningIntent)>>);

impl PendingIntent {
    pub(crate) fn set(self, table: String, intent: OpeningIntent) {
        self.0.set(Some((table, intent)));
    }

    /// Takes the intent if it waits for this table.
    pub(crate) fn take(self, table: &str) -> Option<OpeningIntent> {
        let mut taken = None;
        self.0.update_untracked(|pending| {
            taken = pending.take_if(|(id, _)| id == table).map(|(_, intent)| intent);
        });
        taken
    }
}

/// The pending intent in a component.
pub(crate) fn use_pending_intent() -> PendingIntent {
    expect_context()
}

/// Whether to show that the client plays offline because the server did not answer.
#[derive(Clone, Copy)]
pub(crate) struct OfflineNotice(pub(crate) RwSignal<bool>);

/// The client, once its phrases are loaded.
#[component]
pub(crate) fn App() -> impl IntoView {
    let settings = settings::provide();
    let source = text::fetch(settings);
    let has_phrases = Memo::new(move |_| source.with(Option::is_some));
    move || {
        has_phrases.get().then(|| {
            // The waiting text of `index.html` is not needed any more.
            if let Some(waiting) = document().get_element_by_id("waiting") {
                waiting.remove();
            }
            text::provide(settings, source);
            view! { <Frame /> }
        })
    }
}

/// The page of the current route.
#[component]
fn Frame() -> impl IntoView {
    card::provide();
    let navigator = navigator::provide();
    let live_region = LiveRegion(RwSignal::new(String::new()));
    provide_context(live_region);
    provide_context(PendingIntent(RwSignal::new(None)));
    provide_context(OfflineNotice(RwSignal::new(false)));
    let route = Memo::new(move |_| match navigator.here() {
        // Another key, clause or moment is the same page.
        Route::Table { table, .. } => Route::Table { table, key: None },
        Route::Contest { ledger, .. } => Route::Contest { ledger, role_key: None },
        Route::Rules { game, .. } => Route::Rules { game, clause: None },
        Route::SharedSheet { ledger, .. } => Route::SharedSheet { ledger, key: None },
        Route::Replay { table, number, .. } => Route::Replay { table, number, moment: None },
        other => other,
    });
    sync_shell(navigator);
    view! {
        {move || page_of(route.get())}
        <p class="unseen" aria-live="polite" role="status">
            {move || live_region.0.get()}
        </p>
    }
}

/// The page of a route.
fn page_of(route: Route) -> AnyView {
    let page = match route {
        // `index.html` contains this page; only the cards are missing.
        Route::Home => {
            card::load_deck("german");
            pieces::preload_table();
            return ().into_any();
        }
        Route::Play { rules } => return view! { <PlayPage rules /> }.into_any(),
        Route::Lobby => return view! { <LobbyPage /> }.into_any(),
        Route::Rules { game, .. } => return view! { <RulesPage game /> }.into_any(),
        Route::Settings => return view! { <SettingsPage /> }.into_any(),
        Route::NotFound => return view! { <NotFoundPage /> }.into_any(),
        Route::Table { table, .. } => PiecePage::Table(TablePiece::Table { table }),
        Route::Practice { plan } => PiecePage::Table(TablePiece::Practice { plan }),
        Route::Friends { code } => PiecePage::Friends { code },
        Route::Replay { table, number, .. } => {
            PiecePage::Study(StudyPiece::Replay { table, number })
        }
        Route::Mine => PiecePage::Study(StudyPiece::Mine),
        Route::Learn { game } => PiecePage::Study(StudyPiece::Learn { game }),
        Route::Sheets => PiecePage::Paper(PaperPiece::Sheets),
        Route::Sheet { sheet } => PiecePage::Paper(PaperPiece::Sheet { sheet }),
        Route::SharedSheet { ledger, .. } => PiecePage::Paper(PaperPiece::SharedSheet { ledger }),
        Route::Contests => PiecePage::Contest(ContestPiece::Contests),
        Route::Contest { ledger, .. } => PiecePage::Contest(ContestPiece::Contest { ledger }),
        Route::Wall { ledger } => PiecePage::Contest(ContestPiece::Wall { ledger }),
        Route::Print { ledger, what } => PiecePage::Contest(ContestPiece::Print { ledger, what }),
    };
    view! { <SplitPage page /> }.into_any()
}

/// The header and the first page are part of `assets/index.html`. This sets the attributes by which
/// the style sheet shows them, and makes their language buttons change the settings.
fn sync_shell(navigator: Navigator) {
    let settings = settings::use_settings();
    Effect::new(move |_| {
        let here = navigator.here();
        let place = match here {
            Route::Home => "home",
            Route::Table { .. }
            | Route::Practice { .. }
            | Route::Replay { .. }
            | Route::Learn { .. } => "felt",
            Route::Wall { .. } => "wall",
            Route::Print { .. } => "paper",
            Route::Play { .. }
            | Route::Friends { .. }
            | Route::Lobby
            | Route::Rules { .. }
            | Route::Mine
            | Route::Sheets
            | Route::Sheet { .. }
            | Route::SharedSheet { .. }
            | Route::Contests
            | Route::Contest { .. }
            | Route::Settings
            | Route::NotFound => "page",
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
