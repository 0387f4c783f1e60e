//! The score sheet of a real table, as paper that people write on.
//!
//! A pad knows nothing of where its sheet is kept: on this device, on a server, or in a contest.
//! Whoever keeps it hands in the sheet as it stands and takes the changes.

mod chart;
mod entry;
mod form;
mod grid;

use contest::sheet::{Sheet, SheetChange};
use leptos::prelude::*;
use sheet_view::{Chart, Draft, SheetAccess, SheetView};

use crate::app::use_live_region;
use crate::table::dialog::Dialog;
use crate::text::{t, use_words};
use chart::Course;
use entry::Entry;
use form::{LineForm, Names, Verdicts};
use grid::Grid;

/// Whoever keeps the sheet of a pad.
#[derive(Clone, Copy)]
pub(crate) struct SheetStore {
    /// The sheet as it stands.
    pub(crate) sheet: Signal<Sheet>,
    /// What may be written here.
    pub(crate) may: Signal<SheetAccess>,
    /// Takes a change. The pad has asked the sheet before whether it may be.
    pub(crate) write: Callback<SheetChange>,
    /// Whether a change is on its way, and nothing else can be written meanwhile.
    pub(crate) busy: Signal<bool>,
    /// Why the last change was refused after all: somebody else was faster.
    pub(crate) refused: Signal<Option<String>>,
}

/// The paper, what is to be written next, and the course of the match. Within the style of sheets.
#[component]
pub(crate) fn SheetPad(
    keeper: SheetStore,
    /// Begins another sheet with the same players, once the match is over.
    #[prop(optional_no_strip)]
    again: Option<Callback<()>>,
) -> impl IntoView {
    let words = use_words();
    let sheet = keeper.sheet;
    let paper = Memo::new(move |_| {
        words.with(|phrases| sheet.with(|sheet| SheetView::new(sheet, phrases)))
    });
    let chart = Memo::new(move |_| sheet.with(Chart::new));
    let (open, line) = (RwSignal::new(false), RwSignal::new(0));
    let edit = Callback::new(move |at: usize| {
        line.set(at);
        open.set(true);
    });
    let naming = RwSignal::new(false);
    tell_what_is_new(paper, sheet);
    view! {
        <div class="pad">
            <div class="sheet-and-entry">
                <Grid paper may=keeper.may edit />
                <Entry keeper again />
            </div>
            <Course chart paper />
            <div class="row pad-tools">
                <button type="button" id="print" on:click=move |_| _ = window().print()>
                    {t!(words, pad_print)}
                </button>
                <a
                    class="button"
                    id="csv"
                    download="ghinda.csv"
                    href=move || address_of("text/csv", &sheet.with(Sheet::to_csv))
                >
                    {t!(words, pad_csv)}
                </a>
                <a
                    class="button"
                    id="lines"
                    download="ghinda.sheet"
                    href=move || address_of("text/plain", &sheet.with(wire::sheet::to_lines))
                >
                    {t!(words, pad_file)}
                </a>
                <button
                    type="button"
                    id="names"
                    hidden=move || keeper.may.get() < SheetAccess::Write
                    on:click=move |_| naming.set(true)
                >
                    {t!(words, pad_names)}
                </button>
            </div>
            <Dialog
                open
                title=Signal::derive(move || {
                    words.with(|phrases| phrases.pad_change(line.get() + 1))
                })
            >
                <Edit keeper line=line.get_untracked() open />
            </Dialog>
            <Dialog open=naming title=t!(words, pad_names)>
                <Names keeper open=naming />
            </Dialog>
        </div>
    }
}

/// A line that is changed.
#[component]
fn Edit(keeper: SheetStore, line: usize, open: RwSignal<bool>) -> impl IntoView {
    let Some(draft) = keeper.sheet.with_untracked(|sheet| Draft::of(sheet, line)) else {
        return ().into_any();
    };
    let draft = RwSignal::new(draft);
    let done = Callback::new(move |()| open.set(false));
    view! {
        <LineForm keeper draft />
        <Verdicts keeper draft done=Some(done) />
    }
    .into_any()
}

/// Whoever listens hears how it stands, after every line that was written or changed.
fn tell_what_is_new(paper: Memo<SheetView>, sheet: Signal<Sheet>) {
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
            live_region.say(said);
        }
    });
}

/// An address that is a file.
fn address_of(kind: &str, text: &str) -> String {
    format!("data:{kind};charset=utf-8,{}", String::from(js_sys::encode_uri_component(text)))
}
