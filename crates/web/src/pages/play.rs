//! Opens a table with bots without further questions.

use futures_util::{FutureExt, select};
use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use leptos::task::spawn_local;
use replica::Route;
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;
use wire::http::NewTable;
use wire::table::Pace;

use crate::api::{self, ApiError};
use crate::app::{OfflineNotice, OpeningIntent, use_pending_intent};
use crate::pages::Alert;
use crate::storage;
use crate::text::{PhraseSignal, t, use_phrases};
use crate::{navigator, pieces};

/// The names of the levels in the protocol.
const LEVELS: [&str; 3] = ["easy", "medium", "hard"];
/// The default rules.
pub(crate) const USUAL: &str = "cruce4t-21";
/// How long to wait for the server before playing offline.
const PATIENCE_MS: u32 = 6_000;

/// The name that the player used last, or a default.
pub(crate) fn player_name(phrases: PhraseSignal) -> String {
    let usual = || phrases.with_untracked(|phrases| phrases.guest_name());
    storage::read("name").filter(|name| !name.trim().is_empty()).unwrap_or_else(usual)
}

/// The levels that are offered, with their texts.
pub(crate) fn levels(phrases: PhraseSignal) -> [(&'static str, Signal<String>); 3] {
    let [easy, medium, hard] = LEVELS;
    [
        (easy, t!(phrases, level_easy)),
        (medium, t!(phrases, level_medium)),
        (hard, t!(phrases, level_hard)),
    ]
}

/// The level of the bots that is chosen on the first page, which restores the last choice.
pub(crate) fn level() -> &'static str {
    let chosen = document().query_selector("#levels :checked").ok().flatten();
    let chosen = chosen.and_then(|chosen| chosen.dyn_into::<HtmlInputElement>().ok());
    let chosen = chosen.map(|chosen| chosen.value());
    chosen.and_then(|chosen| LEVELS.into_iter().find(|level| *level == chosen)).unwrap_or("medium")
}

/// Chooses the level of the bots, and stores it.
pub(crate) fn choose_level(level: &str) {
    let input = document().query_selector(&format!("#levels [value={level}]")).ok().flatten();
    if let Some(input) = input.and_then(|input| input.dyn_into::<HtmlInputElement>().ok()) {
        input.set_checked(true);
    }
    storage::store("level", level);
}

/// The plan of a practice table with these rules and the chosen level.
pub(crate) fn plan_of(rules: &str) -> String {
    format!("{rules},{}", level())
}

/// Opens a table with these rules and goes there; if the server does not answer, to a practice
/// table.
#[component]
pub(crate) fn PlayPage(rules: String) -> impl IntoView {
    let (phrases, navigator) = (use_phrases(), navigator::use_navigator());
    let pending = use_pending_intent();
    let OfflineNotice(unanswered) = expect_context();
    let trouble = RwSignal::new(None::<ApiError>);
    pieces::preload_table();
    spawn_local(async move {
        let table = NewTable { rules, pace: Pace::Off, listed: false };
        let opened = select! {
            opened = Box::pin(api::open(&table)).fuse() => opened,
            () = TimeoutFuture::new(PATIENCE_MS).fuse() => Err(ApiError::Unreachable),
        };
        // The page was left meanwhile.
        if trouble.is_disposed() {
            return;
        }
        match opened {
            Ok(opened) => {
                let intent = OpeningIntent { name: player_name(phrases), bots: Some(level()) };
                pending.set(opened.table.clone(), intent);
                navigator.replace(Route::Table { table: opened.table, key: None });
            }
            Err(ApiError::Unreachable) => {
                unanswered.set(true);
                navigator.replace(Route::Practice { plan: Some(plan_of(&table.rules)) });
            }
            Err(error) => trouble.set(Some(error)),
        }
    });
    view! {
        <main class="page narrow">
            <p class="lead" role="status" hidden=move || trouble.get().is_some()>
                {t!(phrases, table_opening)}
            </p>
            <Alert trouble_now=trouble />
            <a class="button" href="/" hidden=move || trouble.get().is_none()>
                {t!(phrases, go_home)}
            </a>
        </main>
    }
}
