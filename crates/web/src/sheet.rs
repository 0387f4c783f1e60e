//! The score sheet of a real table, as ruled paper.
//!
//! The editor does not know where its sheet is stored: on this device, on a server, or in a contest.
//! The owner provides the current sheet and takes the changes.

mod chart;
mod entry;
mod form;
mod grid;

use contest::sheet::{Sheet, SheetChange};
use leptos::prelude::*;
use sheet_view::{Chart, Draft, SheetAccess, SheetView};

use crate::app::use_live_region;
use crate::table::dialog::Dialog;
use crate::text::{t, use_phrases};
use chart::ScoreChart;
use entry::EntryPanel;
use form::{DraftVerdict, LineForm, NamesForm};
use grid::SheetGrid;

/// Where the sheet of an editor is stored.
#[derive(Clone, Copy)]
pub(crate) struct SheetStore {
    /// The current sheet.
    pub(crate) sheet: Signal<Sheet>,
    /// What the viewer may write.
    pub(crate) may: Signal<SheetAccess>,
    /// Takes a change that the editor has checked against the current sheet.
    pub(crate) write: Callback<SheetChange>,
    /// Whether a change is being sent, so that nothing else can be written.
    pub(crate) busy: Signal<bool>,
    /// Why the last change was refused after all: another client was faster.
    pub(crate) refused: Signal<Option<String>>,
}

/// The sheet, the panel for the next entry, and the chart. It needs the style `sheet`.
#[component]
pub(crate) fn SheetEditor(
    store: SheetStore,
    /// Starts another sheet with the same players after the match.
    #[prop(optional_no_strip)]
    again: Option<Callback<()>>,
) -> impl IntoView {
    let phrases = use_phrases();
    let sheet = store.sheet;
    let paper = Memo::new(move |_| {
        phrases.with(|phrases| sheet.with(|sheet| SheetView::new(sheet, phrases)))
    });
    let chart = Memo::new(move |_| sheet.with(Chart::new));
    let (open, line) = (RwSignal::new(false), RwSignal::new(0));
    let edit = Callback::new(move |at: usize| {
        line.set(at);
        open.set(true);
    });
    let naming = RwSignal::new(false);
    announce_new_lines(paper, sheet);
    view! {
        <div class="sheet-editor">
            <div class="sheet-and-entry">
                <SheetGrid paper may=store.may edit />
                <EntryPanel store again />
            </div>
            <ScoreChart chart paper />
            <div class="row sheet-tools">
                <button type="button" id="print" on:click=move |_| _ = window().print()>
                    {t!(phrases, entry_print)}
                </button>
                <a
                    class="button"
                    id="csv"
                    download="ghinda.csv"
                    href=move || address_of("text/csv", &sheet.with(Sheet::to_csv))
                >
                    {t!(phrases, entry_csv)}
                </a>
                <a
                    class="button"
                    id="lines"
                    download="ghinda.sheet"
                    href=move || address_of("text/plain", &sheet.with(wire::sheet::to_lines))
                >
                    {t!(phrases, entry_file)}
                </a>
                <button
                    type="button"
                    id="names"
                    hidden=move || store.may.get() < SheetAccess::Write
                    on:click=move |_| naming.set(true)
                >
                    {t!(phrases, entry_names)}
                </button>
            </div>
            <Dialog
                open
                title=Signal::derive(move || {
                    phrases.with(|phrases| phrases.entry_change(line.get() + 1))
                })
            >
                <EditLine store line=line.get_untracked() open />
            </Dialog>
            <Dialog open=naming title=t!(phrases, entry_names)>
                <NamesForm store open=naming />
            </Dialog>
        </div>
    }
}

/// The form that changes a line.
#[component]
fn EditLine(store: SheetStore, line: usize, open: RwSignal<bool>) -> impl IntoView {
    let Some(draft) = store.sheet.with_untracked(|sheet| Draft::of(sheet, line)) else {
        return ().into_any();
    };
    let draft = RwSignal::new(draft);
    let done = Callback::new(move |()| open.set(false));
    view! {
        <LineForm store draft />
        <DraftVerdict store draft done=Some(done) />
    }
    .into_any()
}

/// Announces the standing after every line that is written or changed.
fn announce_new_lines(paper: Memo<SheetView>, sheet: Signal<Sheet>) {
    let live_region = use_live_region();
    let written = Memo::new(move |_| {
        sheet.with(|sheet| {
            let changed: usize = sheet.rows().iter().map(|row| row.before.len()).sum();
            (sheet.rows().len(), changed)
        })
    });
    Effect::new(move |before: Option<()>| {
        written.track();
        if before.is_some() {
            let said = paper.with_untracked(|paper| match &paper.end {
                Some(end) => format!("{end} {}", paper.standing()),
                None => paper.standing(),
            });
            live_region.announce(said);
        }
    });
}

/// A data URL of a file.
fn address_of(kind: &str, text: &str) -> String {
    format!("data:{kind};charset=utf-8,{}", String::from(js_sys::encode_uri_component(text)))
}
