//! The score sheet of a contest table, written line by line by its referee or its players.

use contest::sheet::{Setup, Sheet};
use contest::{Contest, ContestChange, ContestTableId, Role};
use leptos::prelude::*;
use sheet_view::SheetAccess;

use super::use_contest;
use crate::sheet::{SheetEditor, SheetStore};
use crate::styled::Styled;
use crate::text::{t, use_phrases};

/// The sheet of a table; an empty one if none is kept yet.
fn sheet(contest: &Contest, id: ContestTableId) -> Option<Sheet> {
    let table = contest.table(id)?;
    if let Some(kept) = table.sheet() {
        return Some(kept.clone());
    }
    let (rules, names) = (*table.rules(), contest.seats(table));
    Sheet::new(Setup { rules, names, dealer: table.dealer() }).ok()
}

/// What a role may write on the sheet of a table now.
fn may(contest: &Contest, id: ContestTableId, role: Role) -> SheetAccess {
    let Some(table) = contest.table(id) else { return SheetAccess::Read };
    let last = id.phase + 1 == contest.phases().len();
    let open = last || contest.phases()[id.phase].is_reopened();
    let sits = matches!(role, Role::Player(entrant) if table.place_of(entrant).is_some());
    match open {
        true if role.referees(id) => SheetAccess::Penalise,
        true if sits && table.ruling().is_none() => SheetAccess::Write,
        _ => SheetAccess::Read,
    }
}

#[component]
pub(super) fn TableSheet(id: ContestTableId) -> impl IntoView {
    let (context, phrases) = (use_contest(), use_phrases());
    let shown = Memo::new(move |_| context.contest(|contest| sheet(contest, id)));
    let kept = Memo::new(move |_| {
        context.contest(|contest| contest.table(id).is_some_and(|table| table.sheet().is_some()))
    });
    let may = Memo::new(move |_| context.contest(|contest| may(contest, id, context.role())));
    let open = RwSignal::new(kept.get_untracked());
    let editor = move || {
        let first = open.get().then(|| shown.get_untracked()).flatten()?;
        let write =
            move |change| context.act(ContestChange::WriteSheet { table: id, change }, || ());
        let store = SheetStore {
            sheet: Signal::derive(move || shown.get().unwrap_or_else(|| first.clone())),
            may: may.into(),
            write: Callback::new(write),
            busy: Signal::derive(move || context.waiting.get() > 0),
            // The contest page shows refusals itself.
            refused: Signal::stored(None),
        };
        Some(view! {
            <Styled style="sheet">
                <SheetEditor store />
            </Styled>
        })
    };
    let useless = move || !kept.get() && may.get() == SheetAccess::Read;
    view! {
        <section class="table-sheet" hidden=useless>
            <h3>{t!(phrases, contest_page_sheet)}</h3>
            <p class="hint" hidden=move || kept.get()>
                {t!(phrases, contest_page_sheet_more)}
            </p>
            <button
                id="keep-sheet"
                hidden=move || open.get()
                on:click=move |_| open.set(true)
            >
                {t!(phrases, contest_page_sheet_begin)}
            </button>
            {editor}
        </section>
    }
}
