//! The referee's page of a table, on a phone.

use contest::ContestTableId;
use contest_view::phase_name;
use leptos::prelude::*;

use super::table_decisions::TableDecisions;
use super::{ContestSummary, use_contest};
use crate::text::{t, use_phrases};

#[component]
pub(super) fn RefereeView(table: ContestTableId) -> impl IntoView {
    let (context, phrases) = (use_contest(), use_phrases());
    let there = Memo::new(move |_| context.contest(|contest| contest.table(table).is_some()));
    let name = Memo::new(move |_| {
        context.describe(|phrases, contest| {
            let letters = contest::urn::table_letters(table.table);
            phrases.contest_page_referee(phase_name(phrases, contest, table.phase), letters)
        })
    });
    view! {
        <ContestSummary />
        <h2>{move || name.get()}</h2>
        <Show
            when=move || there.get()
            fallback=move || view! { <p class="notice">{t!(phrases, contest_page_not_drawn)}</p> }
        >
            <TableDecisions id=table />
        </Show>
    }
}
