//! What is shown while the table is not there: it is being opened, or it has ended.

use leptos::prelude::*;
use wire::table::CloseReason;

use super::TableContext;
use crate::api::ApiError;
use crate::connection_loop::EndReason;
use crate::text::{t, use_words};

#[component]
pub(super) fn Opening() -> impl IntoView {
    let words = use_words();
    view! {
        <main class="page narrow">
            <p class="lead" role="status">
                {t!(words, table_opening)}
            </p>
        </main>
    }
}

#[component]
pub(super) fn Ended(end: EndReason) -> impl IntoView {
    let words = use_words();
    let title = move || {
        words.with(|phrases| match end {
            EndReason::Farewell(CloseReason::OtherVersion) => phrases.ended_version(),
            EndReason::Farewell(CloseReason::Revoked) => phrases.ended_revoked(),
            EndReason::Farewell(_) => phrases.ended_closed(),
            EndReason::Refused(ApiError::Forbidden) => phrases.ended_private(),
            EndReason::Refused(ApiError::Gone) => phrases.ended_gone(),
            EndReason::Refused(_) => phrases.trouble_unreachable(),
            EndReason::NoWorker => phrases.ended_practice(),
        })
    };
    let more = move || {
        words.with(|phrases| match end {
            EndReason::Farewell(CloseReason::OtherVersion) => phrases.ended_version_more(),
            EndReason::Farewell(CloseReason::Revoked) => phrases.ended_revoked_more(),
            EndReason::Farewell(_) => phrases.ended_closed_more(),
            EndReason::Refused(ApiError::Forbidden) => phrases.ended_private_more(),
            EndReason::Refused(ApiError::Gone) => phrases.ended_gone_more(),
            EndReason::Refused(_) => phrases.ended_try_more(),
            EndReason::NoWorker => phrases.ended_practice_more(),
        })
    };
    let again = matches!(
        end,
        EndReason::Farewell(CloseReason::OtherVersion)
            | EndReason::NoWorker
            | EndReason::Refused(ApiError::Unreachable | ApiError::TooMany | ApiError::Unwell)
    );
    view! { <Sorry title=Signal::derive(title) more=Signal::derive(more) again /> }
}

/// Why something is not there, and a way on.
#[component]
pub(crate) fn Sorry(
    title: Signal<String>,
    more: Signal<String>,
    /// Whether it may be there when it is asked for again.
    again: bool,
) -> impl IntoView {
    let words = use_words();
    let alone = use_context::<TableContext>().and_then(|game| game.alone);
    view! {
        <main class="page narrow">
            <h1>{move || title.get()}</h1>
            <p class="lead" role="status">{move || more.get()}</p>
            <button
                class="primary"
                hidden=!again
                on:click=move |_| {
                    let _ = window().location().reload();
                }
            >
                {t!(words, try_again)}
            </button>
            <button
                hidden=alone.is_none()
                on:click=move |_| {
                    if let Some(alone) = alone {
                        alone.begin_as_usual();
                    }
                }
            >
                {t!(words, start_over)}
            </button>
            <a class="button" href="/">
                {t!(words, go_home)}
            </a>
        </main>
    }
}
