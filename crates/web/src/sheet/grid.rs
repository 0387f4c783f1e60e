//! The sheet as a table: a row for each line, a column for each side.

use leptos::prelude::*;
use sheet_view::{LineState, PreviousLine, SheetAccess, SheetCell, SheetRow, SheetView};

use crate::text::{t, use_phrases};

#[component]
pub(super) fn SheetGrid(
    paper: Memo<SheetView>,
    may: Signal<SheetAccess>,
    /// Opens the form of a line.
    edit: Callback<usize>,
) -> impl IntoView {
    let phrases = use_phrases();
    let shown = move || {
        let paper = paper.get();
        let cruce = paper.game == "cruce";
        let writes = may.get() >= SheetAccess::Write;
        let heads = paper.columns.iter().enumerate().map(|(at, name)| {
            let won = paper.won.get(at).copied().unwrap_or_default();
            view! {
                <th scope="col" class:won=won title=name.clone()>
                    <span>{name.clone()}</span>
                </th>
            }
        });
        let first = if cruce { t!(phrases, entry_number) } else { t!(phrases, entry_cards) };
        let columns = paper.columns.len();
        let rows = paper.rows.into_iter().map(|row| rows(row, cruce, writes, edit));
        let runs = (!paper.runs.is_empty()).then(|| {
            let runs = paper.runs.into_iter().map(|run| view! { <td>{run}</td> });
            view! {
                <tr class="runs">
                    <th scope="row">{t!(phrases, entry_runs)}</th>
                    {runs.collect_view()}
                </tr>
            }
        });
        let more = runs.is_some();
        let totals = paper.totals.into_iter().map(|total| view! { <td>{total}</td> });
        view! {
            <table class="ruled" data-game=paper.game data-columns=columns.to_string()>
                <caption>{paper.title}</caption>
                <thead>
                    <tr>
                        <th scope="col">{first}</th>
                        {cruce.then(|| view! { <th scope="col">{t!(phrases, entry_plays)}</th> })}
                        {heads.collect_view()}
                    </tr>
                </thead>
                <tbody>{rows.collect_view()}</tbody>
                <tfoot>
                    {runs}
                    <tr class="totals">
                        <th scope="row" colspan=if cruce { "2" } else { "1" }>
                            {t!(phrases, entry_total)}
                        </th>
                        {totals.collect_view()}
                    </tr>
                </tfoot>
            </table>
            <p class="hint" hidden=!more>
                {t!(phrases, entry_runs_more)}
            </p>
        }
    };
    view! { <div class="ledger">{shown}</div> }
}

/// A line, followed by its previous versions.
fn rows(row: SheetRow, cruce: bool, writes: bool, edit: Callback<usize>) -> impl IntoView {
    let at = row.at;
    let open = writes && row.state == LineState::Written;
    let class = match (row.state, row.note.is_some()) {
        (LineState::Written, false) => "written",
        (LineState::Written, true) => "written void",
        (LineState::Begun, _) => "begun",
        (LineState::Blank, _) => "blank",
    };
    let head = if open {
        view! {
            <button class="line" aria-label=row.label>
                {row.head}
            </button>
        }
        .into_any()
    } else {
        view! { {row.head} }.into_any()
    };
    let what = cruce.then(|| {
        let declared = row.cells.iter().find(|cell| cell.bid.is_some());
        let missed = declared.is_some_and(|cell| cell.kept == Some(false));
        let bid = declared.and_then(|cell| cell.bid).map(|bid| {
            view! { " " <span class="promised">{bid}</span> }
        });
        view! { <td class="what" class:missed=missed>{row.what} {bid}</td> }
    });
    let width = row.cells.len() + usize::from(cruce) + 1;
    let note = row.note.map(|note| {
        view! {
            <tr class="before">
                <td colspan=width.to_string()>{note}</td>
            </tr>
        }
    });
    view! {
        <tr
            class=class
            class:open=open
            data-line=(at + 1).to_string()
            title=row.dealer
            on:click=move |_| {
                if open {
                    edit.run(at);
                }
            }
        >
            <th scope="row">{head}</th>
            {what}
            {row.cells.into_iter().map(cell).collect_view()}
        </tr>
        {row.before.into_iter().map(|before| before_row(before, cruce)).collect_view()}
        {note}
    }
}

fn cell(cell: SheetCell) -> impl IntoView {
    let class = match cell.kept {
        Some(true) => "kept",
        Some(false) => "missed",
        None => "",
    };
    let bid = cell.bid.map(|bid| view! { <span class="promised">{bid}</span> });
    let prize = cell.prize.map(|prize| view! { <span class="prize">{prize}</span> });
    view! {
        <td class=class>
            <span class="entry-of">
                {bid} <small class="made">{cell.made}</small>
                <small class="change">{cell.change}</small> {prize} <b>{cell.total}</b>
            </span>
        </td>
    }
}

fn before_row(before: PreviousLine, cruce: bool) -> impl IntoView {
    let phrases = use_phrases();
    let cells = before.cells.into_iter().map(|said| view! { <td><s>{said}</s></td> });
    view! {
        <tr class="before">
            <th scope="row">
                <span aria-hidden="true">"✎"</span>
                <span class="unseen">{t!(phrases, entry_was)}</span>
            </th>
            {cruce.then(|| view! { <td class="what"><s>{before.what}</s></td> })}
            {cells.collect_view()}
        </tr>
    }
}
