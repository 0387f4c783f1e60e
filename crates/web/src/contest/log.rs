//! Every entry of the log with its author and time, and the draws, to be verified.

use leptos::prelude::*;
use phrases::Language;
use wasm_bindgen::JsValue;
use wire::ledger::Ledger;

use super::use_contest;
use crate::text::{t, use_phrases};

/// How many entries are shown at first.
const SHOWN: usize = 60;

#[component]
pub(super) fn LogTab() -> impl IntoView {
    let (context, phrases) = (use_contest(), use_phrases());
    let shown = RwSignal::new(SHOWN);
    let entries = Memo::new(move |_| {
        let look = |ledger: &Ledger| match ledger {
            Ledger::Contest(log) => phrases.with(|phrases| {
                let (all, most) = (log.entries.len(), shown.get());
                let from_file = log.contest.imported().unwrap_or_default();
                let last = log.entries.iter().enumerate().rev().take(most);
                let line = |(at, entry): (usize, &contest::ContestEntry)| {
                    let imported = at < from_file;
                    (entry.at, contest_view::entry_text(phrases, &log.contest, entry, imported))
                };
                let lines = last.map(line).collect::<Vec<_>>();
                (lines, all)
            }),
            Ledger::Sheet(_) => Default::default(),
        };
        context.connection.look(look).unwrap_or_default()
    });
    let language = move || {
        phrases.with(|phrases| match phrases.language() {
            Language::Romanian => "ro-RO",
            Language::English => "en-GB",
        })
    };
    let one = move |(at, text): (u64, String)| {
        let date = js_sys::Date::new(&JsValue::from_f64(at as f64));
        let time = String::from(date.to_locale_time_string(language()));
        view! {
            <li>
                <time>{time}</time>
                <span>{text}</span>
            </li>
        }
    };
    let draws = Memo::new(move |_| context.describe(contest_view::draws));
    view! {
        <ol class="log">
            {move || entries.get().0.into_iter().map(one).collect_view()}
        </ol>
        <p class="empty" hidden=move || entries.with(|(lines, _)| !lines.is_empty())>
            {t!(phrases, contest_page_log_empty)}
        </p>
        <button
            hidden=move || entries.with(|(lines, all)| lines.len() == *all)
            on:click=move |_| shown.update(|shown| *shown *= 4)
        >
            {t!(phrases, contest_page_more)}
        </button>
        <details class="draws" hidden=move || draws.with(Vec::is_empty)>
            <summary>{t!(phrases, contest_page_draws)}</summary>
            <p class="hint">{t!(phrases, contest_page_draws_more)}</p>
            <pre class="plain" tabindex="0">{move || draws.get().join("\n")}</pre>
        </details>
    }
}
