//! A score sheet on this device.

use contest::Sheet;
use contest::sheet::{Setup, SheetChange, SheetRefusal};
use leptos::ev;
use leptos::prelude::*;
use leptos::task::spawn_local;
use replica::Route;
use sheet_view::SheetAccess;

use crate::api::{self, ApiError};
use crate::navigator;
use crate::pages::Alert;
use crate::sheet::{SheetEditor, SheetStore};
use crate::sheets;
use crate::styled::Styled;
use crate::table::connection_lost::ErrorPage;
use crate::text::{t, use_phrases};

#[component]
pub(crate) fn SheetPage(
    /// Its name on this device.
    sheet: String,
) -> impl IntoView {
    let phrases = use_phrases();
    match sheets::read(&sheet) {
        Some(kept) => view! {
            <Styled style="sheet">
                <LocalSheet name=sheet.clone() kept=kept.clone() />
            </Styled>
        }
        .into_any(),
        None => {
            let (title, more) = (t!(phrases, sheets_gone), t!(phrases, sheets_gone_more));
            view! { <ErrorPage title more again=false /> }.into_any()
        }
    }
}

#[component]
fn LocalSheet(name: String, kept: Sheet) -> impl IntoView {
    let (phrases, navigator) = (use_phrases(), navigator::use_navigator());
    let sheet = RwSignal::new(kept);
    let name = StoredValue::new(name);
    // Another window of this browser may change the same sheet.
    let listener = window_event_listener(ev::storage, move |_| {
        if let Some(now) = name.with_value(|name| sheets::read(name)) {
            sheet.set(now);
        }
    });
    on_cleanup(move || listener.remove());
    let not_stored = RwSignal::new(false);
    let store = local_store(name, sheet, not_stored);
    let again = Callback::new(move |()| {
        let setup = sheet.with_untracked(next_match);
        navigator.go(Route::Sheet { sheet: sheets::begin(&setup) });
    });
    view! {
        <main class="page sheet-page">
            <h1>{t!(phrases, score_sheet)}</h1>
            <p class="alert" role="alert" hidden=move || !not_stored.get()>
                {t!(phrases, sheets_not_kept)}
            </p>
            <SheetEditor store again=Some(again) />
            <ShareLine name sheet />
        </main>
    }
}

/// Stores the changes of a sheet on this device. Sets `not_stored` if the browser cannot.
fn local_store(
    name: StoredValue<String>,
    sheet: RwSignal<Sheet>,
    not_stored: RwSignal<bool>,
) -> SheetStore {
    let phrases = use_phrases();
    let refused = RwSignal::new(None::<String>);
    let write = move |change: SheetChange| {
        let shown = sheet.get_untracked();
        let (written, kept) = name.with_value(|name| sheets::write(name, &shown, change));
        not_stored.set(!kept);
        match written {
            Ok(now) => {
                refused.set(None);
                sheet.set(now);
            }
            Err(SheetRefusal::Unchanged) => refused.set(None),
            Err(refusal) => refused.set(Some(
                phrases.with_untracked(|phrases| phrases.refused_by_sheet(&refusal, shown.rules())),
            )),
        }
    };
    SheetStore {
        sheet: sheet.into(),
        may: Signal::stored(SheetAccess::Penalise),
        write: Callback::new(write),
        busy: Signal::stored(false),
        refused: refused.into(),
    }
}

/// The button that moves the sheet to the server, and a link to the list of sheets.
#[component]
fn ShareLine(name: StoredValue<String>, sheet: RwSignal<Sheet>) -> impl IntoView {
    let (phrases, navigator) = (use_phrases(), navigator::use_navigator());
    let (busy, trouble) = (RwSignal::new(false), RwSignal::new(None::<ApiError>));
    let share = move |_| {
        busy.set(true);
        trouble.set(None);
        let lines = sheet.with_untracked(wire::sheet::to_lines);
        spawn_local(async move {
            let opened = api::open_ledger(lines).await;
            // The page was left meanwhile.
            if busy.try_set(false).is_some() {
                return;
            }
            match opened {
                Ok(opened) => {
                    // From now on it is written on the server; two copies would diverge.
                    name.with_value(|name| sheets::forget(name));
                    sheets::just_shared(&opened.ledger);
                    navigator.replace(Route::SharedSheet {
                        ledger: opened.ledger,
                        key: Some(opened.key),
                    });
                }
                Err(error) => trouble.set(Some(error)),
            }
        });
    };
    view! {
        <Alert trouble_now=trouble />
        <p class="row sheet-links">
            <button type="button" id="share" disabled=busy on:click=share>
                {t!(phrases, share)}
            </button>
            <a href="/sheet">{t!(phrases, sheets)}</a>
        </p>
    }
}

/// The setup of another match with the same players and rules; the deal passes on (C4, W2).
pub(super) fn next_match(sheet: &Sheet) -> Setup {
    let setup = sheet.setup();
    let players = setup.rules.players();
    let dealer = sheet.rows().last().map_or(setup.dealer, |row| row.dealer().next(players));
    Setup { rules: setup.rules, names: sheet.names().to_vec(), dealer }
}
