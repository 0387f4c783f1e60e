//! A score sheet on a server: several phones write on it, and every viewer with its link can read
//! it.

use contest::sheet::{Sheet, SheetChange};
use contest::{Role, sheet};
use leptos::prelude::*;
use leptos::task::spawn_local;
use replica::Route;
use replica::role_key::RoleKey;
use sheet_view::{SheetAccess, SheetView};
use wire::ledger::{LedgerCommand, LedgerRefusal};
use wire::sheet::SheetChangeText;

use super::sheet::next_match;
use crate::connection_loop::ConnectionState;
use crate::contest::{absolute_url, qr_svg};
use crate::ledger_connection::LedgerConnection;
use crate::navigator;
use crate::pages::{Choice, CopyButton};
use crate::sheet::{SheetEditor, SheetStore};
use crate::sheets;
use crate::styled::Styled;
use crate::table::connection_lost::ErrorPage;
use crate::table::dialog::Dialog;
use crate::text::{t, use_phrases};

/// A sheet by its name. The key of its link is stored and then hidden, so that the address in the
/// address bar only allows reading.
#[component]
pub(crate) fn SharedSheetPage(
    /// Its name on the server.
    ledger: String,
) -> impl IntoView {
    let navigator = navigator::use_navigator();
    let given = move || match navigator.here() {
        Route::SharedSheet { key, .. } => key,
        _ => None,
    };
    let key = RwSignal::new(untrack(given).or_else(|| sheets::key_of(&ledger)));
    let name = ledger.clone();
    Effect::new(move |_| {
        let Some(given) = given() else { return };
        sheets::remember_shared(&name, Some(given.clone()), None);
        if key.get_untracked().as_ref() != Some(&given) {
            key.set(Some(given));
        }
        navigator.replace(Route::SharedSheet { ledger: name.clone(), key: None });
    });
    let ledger = StoredValue::new(ledger);
    view! {
        <Styled style="sheet">
            {move || view! { <ConnectedSheet ledger=ledger.get_value() key=key.get() /> }}
        </Styled>
    }
}

/// What the page shows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SharedPageState {
    Opening,
    Gone,
    Here,
}

#[component]
fn ConnectedSheet(ledger: String, key: Option<String>) -> impl IntoView {
    let phrases = use_phrases();
    let role_key = key.as_ref().and_then(|key| key.parse().ok()).map(RoleKey::organiser);
    let connection = LedgerConnection::open(&ledger, role_key);
    let page = Memo::new(move |_| match connection.state.get() {
        ConnectionState::Ended(_) => SharedPageState::Gone,
        _ if connection.look(|ledger| ledger.sheet().is_none()) == Some(true) => {
            SharedPageState::Gone
        }
        _ if connection.sheet(|_| ()).is_none() => SharedPageState::Opening,
        _ => SharedPageState::Here,
    });
    let (ledger, key) = (StoredValue::new(ledger), StoredValue::new(key));
    move || {
        match page.get() {
        SharedPageState::Opening => view! {
            <main class="page narrow">
                <p class="banner" role="alert" hidden=move || connection.state.get() != ConnectionState::Lost>
                    {t!(phrases, line_lost)}
                </p>
                <p class="lead" role="status">
                    {t!(phrases, loading)}
                </p>
            </main>
        }
        .into_any(),
        SharedPageState::Gone => {
            let (title, more) = (t!(phrases, share_gone), t!(phrases, share_gone_more));
            view! { <ErrorPage title more again=false /> }.into_any()
        }
        SharedPageState::Here => match untrack(|| connection.sheet(Sheet::clone)) {
            Some(first) => view! {
                <SharedSheetView connection first ledger=ledger.get_value() key=key.get_value() />
            }
            .into_any(),
            None => ().into_any(),
        },
    }
    }
}

#[component]
fn SharedSheetView(
    connection: LedgerConnection,
    first: Sheet,
    ledger: String,
    key: Option<String>,
) -> impl IntoView {
    let (phrases, navigator) = (use_phrases(), navigator::use_navigator());
    // The last known sheet is shown while its lines are fetched again.
    let sheet = Memo::new(move |before: Option<&Sheet>| {
        let before = before.unwrap_or(&first);
        connection.sheet(Sheet::clone).unwrap_or_else(|| before.clone())
    });
    let name = ledger.clone();
    Effect::new(move |_| {
        let names =
            phrases.with(|phrases| sheet.with(|sheet| SheetView::new(sheet, phrases).columns));
        sheets::remember_shared(&name, None, Some(names.join(", ")));
    });
    let store = shared_store(connection, sheet);
    let lost = move || connection.state.get() == ConnectionState::Lost;
    let again = Callback::new(move |()| {
        let setup: sheet::Setup = sheet.with_untracked(next_match);
        navigator.go(Route::Sheet { sheet: sheets::begin(&setup) });
    });
    let links = RwSignal::new(sheets::take_just_shared(&ledger));
    let looks = move || store.may.get() == SheetAccess::Read && connection.granted().is_some();
    let waits = Signal::derive(move || {
        phrases.with(|phrases| match (store.busy.get(), lost()) {
            (false, _) => String::new(),
            (true, false) => phrases.share_waits(),
            (true, true) => phrases.share_waits_lost(),
        })
    });
    let (ledger, key) = (StoredValue::new(ledger), StoredValue::new(key));
    view! {
        <main class="page sheet-page" data-line=move || if lost() { "lost" } else { "live" }>
            <p class="banner" role="alert" hidden=move || !lost()>
                {t!(phrases, line_lost)}
            </p>
            <h1>{t!(phrases, score_sheet)}</h1>
            <p class="alert" role="alert" hidden=move || !connection.is_refused()>
                {t!(phrases, share_wrong_key)}
            </p>
            <p class="hint" hidden=move || !looks() || connection.is_refused()>
                {t!(phrases, share_looks)}
            </p>
            <SheetEditor store again=Some(again) />
            <p class="waits" role="status">
                {waits}
            </p>
            <p class="row sheet-links">
                <button type="button" id="links" on:click=move |_| links.set(true)>
                    {t!(phrases, share_links)}
                </button>
                <a href="/sheet">{t!(phrases, sheets)}</a>
            </p>
            <Dialog open=links title=t!(phrases, share_links)>
                <ShareLinks ledger=ledger.get_value() key=key.get_value() />
            </Dialog>
        </main>
    }
}

/// Sends the changes of a sheet to the server.
fn shared_store(connection: LedgerConnection, sheet: Memo<Sheet>) -> SheetStore {
    let phrases = use_phrases();
    let may = Memo::new(move |_| match connection.granted() {
        Some(Role::Organiser) => SheetAccess::Penalise,
        _ => SheetAccess::Read,
    });
    let (waiting, refused) = (RwSignal::new(0_usize), RwSignal::new(None::<LedgerRefusal>));
    let write = move |change: SheetChange| {
        refused.set(None);
        // The changes that wait for their answers are not on the sheet yet.
        let known = waiting.get_untracked() == 0;
        if known && !sheet.with_untracked(|sheet| sheet.has_effect(&change)) {
            return;
        }
        waiting.update(|waiting| *waiting += 1);
        spawn_local(async move {
            let answer =
                connection.command(LedgerCommand::Sheet(SheetChangeText::of(&change))).await;
            waiting.try_update(|waiting| *waiting -= 1);
            // Another phone may have written the same.
            if let Some(Err(why)) = answer
                && !why.is_unchanged()
            {
                refused.try_set(Some(why));
            }
        });
    };
    let why = Signal::derive(move || {
        let refused = refused.get()?;
        let rules = sheet.with(|sheet| *sheet.rules());
        Some(phrases.with(|phrases| phrases.refused_by_ledger(&refused, &rules)))
    });
    SheetStore {
        sheet: sheet.into(),
        may: may.into(),
        write: Callback::new(write),
        busy: Signal::derive(move || waiting.get() > 0),
        refused: why,
    }
}

/// The link for writing and the one for reading, as text and as a QR code.
#[component]
fn ShareLinks(ledger: String, key: Option<String>) -> impl IntoView {
    let phrases = use_phrases();
    let writes = RwSignal::new(key.is_some());
    let mut values = vec![(false, t!(phrases, share_look))];
    if key.is_some() {
        values.insert(0, (true, t!(phrases, share_write)));
    }
    let link = Signal::derive(move || {
        let key = key.clone().filter(|_| writes.get());
        absolute_url(&Route::SharedSheet { ledger: ledger.clone(), key }.address())
    });
    view! {
        <p>{t!(phrases, share_lead)}</p>
        <Choice
            title=t!(phrases, share_who)
            values
            value=writes
            choose=move |chosen| writes.set(chosen)
        />
        <div class="invitation">
            <div
                class="qr"
                role="img"
                aria-label=t!(phrases, qr_label)
                inner_html=move || qr_svg(&link.get())
            ></div>
            <div>
                <p class="row">
                    <input
                        type="text"
                        readonly
                        id="link"
                        aria-label=t!(phrases, share_links)
                        prop:value=link
                    />
                    <CopyButton text=link label=t!(phrases, copy_link) />
                </p>
            </div>
        </div>
    }
}
