//! The score sheet of a match.

use leptos::prelude::*;
use table_view::scores::{ScoreCell, ScoreRow, Scores};

use super::dialog::Dialog;
use crate::text::{t, use_phrases};

#[component]
pub(crate) fn ScoreSheetDialog(open: RwSignal<bool>, scores: Memo<Scores>) -> impl IntoView {
    let phrases = use_phrases();
    view! {
        <Dialog open title=t!(phrases, score_sheet)>
            <ScoreGrid scores />
        </Dialog>
    }
}

/// The sheet as a table.
#[component]
pub(crate) fn ScoreGrid(scores: Memo<Scores>) -> impl IntoView {
    let phrases = use_phrases();
    let cell = |cell: ScoreCell| {
        let class = match cell.kept {
            Some(true) => "kept",
            Some(false) => "missed",
            None => "",
        };
        let change = cell.change + cell.prize;
        let change =
            if change > 0 { format!("+{change}") } else { change.to_string().replace('-', "−") };
        let prize = (cell.prize != 0).then_some("★");
        view! {
            <td class=class>
                <strong>{cell.total.to_string().replace('-', "−")}</strong>
                <small>{change} {prize} <span>{cell.text}</span></small>
            </td>
        }
    };
    let row = move |row: ScoreRow| {
        let number = match row.cards {
            Some(cards) => format!("{} ({cards})", row.number),
            None => row.number.to_string(),
        };
        view! {
            <tr>
                <th scope="row">{number}</th>
                {row.cells.into_iter().map(cell).collect_view()}
            </tr>
        }
    };
    move || {
        let scores = scores.get();
        if scores.rows.is_empty() {
            return view! { <p>{t!(phrases, no_deal_yet)}</p> }.into_any();
        }
        let names = scores.columns.into_iter().map(|name| view! { <th scope="col">{name}</th> });
        view! {
            // A sheet wider than the screen can be scrolled, also by keyboard.
            <div class="paper" tabindex="0" role="region" aria-label=t!(phrases, score_sheet)>
                <table>
                    <thead>
                        <tr>
                            <th scope="col">{t!(phrases, column_deal, scores.game)}</th>
                            {names.collect_view()}
                        </tr>
                    </thead>
                    <tbody>{scores.rows.into_iter().map(row).collect_view()}</tbody>
                </table>
            </div>
            <p class="hint">{scores.legend}</p>
        }
        .into_any()
    }
}
