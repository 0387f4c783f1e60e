//! The standings, and who advances.

use contest_view::{place, state};
use leptos::prelude::*;
use phrases::layout::total;

use super::use_contest;
use crate::text::{t, use_phrases};

#[component]
pub(super) fn StandingsTable() -> impl IntoView {
    let (context, phrases) = (use_contest(), use_phrases());
    let rows = Memo::new(move |_| {
        context.describe(|phrases, contest| {
            let row = |standing: contest::standings::Standing| {
                [
                    place(&standing),
                    contest.name(standing.entrant),
                    state(phrases, standing.state),
                    standing.ticket().map_or(String::new(), |ticket| ticket.to_string()),
                    standing.score.map_or(String::new(), total),
                ]
            };
            contest.standings().into_iter().map(row).collect::<Vec<_>>()
        })
    });
    let row = |[place, name, state, ticket, score]: [String; 5]| {
        view! {
            <tr>
                <td class="number">{place}</td>
                <th scope="row">{name} <small>{state}</small></th>
                <td>{ticket}</td>
                <td class="number">
                    <b>{score}</b>
                </td>
            </tr>
        }
    };
    let head = ["place", "name", "ticket", "score"];
    let head =
        head.map(|column| view! { <th scope="col">{t!(phrases, contest_column, column)}</th> });
    view! {
        <p class="empty" hidden=move || !rows.with(Vec::is_empty)>
            {t!(phrases, contest_page_nobody)}
        </p>
        <table class="standings" hidden=move || rows.with(Vec::is_empty)>
            <thead>
                <tr>{head.collect_view()}</tr>
            </thead>
            <tbody>{move || rows.get().into_iter().map(row).collect_view()}</tbody>
        </table>
    }
}
