//! The referee of a table, on a phone.

use contest::ContestTableId;
use contest_view::phase_name;
use leptos::prelude::*;

use super::table_desk::Desk;
use super::{Summary, use_contest};
use crate::text::{t, use_words};

#[component]
pub(super) fn Referee(table: ContestTableId) -> impl IntoView {
    let (hall, words) = (use_contest(), use_words());
    let there = Memo::new(move |_| hall.contest(|contest| contest.table(table).is_some()));
    let name = Memo::new(move |_| {
        hall.told(|phrases, contest| {
            let letters = contest::urn::letters(table.table);
            phrases.hall_referee(phase_name(phrases, contest, table.phase), letters)
        })
    });
    view! {
        <Summary />
        <h2>{move || name.get()}</h2>
        <Show
            when=move || there.get()
            fallback=move || view! { <p class="notice">{t!(words, hall_not_drawn)}</p> }
        >
            <Desk id=table />
        </Show>
    }
}
