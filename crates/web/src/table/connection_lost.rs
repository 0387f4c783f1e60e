//! Pages shown instead of the table: it is being opened, or its connection has ended.

use leptos::prelude::*;
use wire::table::CloseReason;

use super::TableContext;
use crate::api::ApiError;
use crate::connection_loop::EndReason;
use crate::text::{t, use_phrases};

#[component]
pub(super) fn OpeningPage() -> impl IntoView {
    let phrases = use_phrases();
    view! {
        <main class="page narrow">
            <p class="lead" role="status">
                {t!(phrases, table_opening)}
            </p>
        </main>
    }
}

#[component]
pub(super) fn EndedPage(end: EndReason) -> impl IntoView {
    let phrases = use_phrases();
    let title = move || {
        phrases.with(|phrases| match end {
            EndReason::ClosedByServer(CloseReason::OtherVersion) => phrases.ended_version(),
            EndReason::ClosedByServer(CloseReason::Revoked) => phrases.ended_revoked(),
            EndReason::ClosedByServer(_) => phrases.ended_closed(),
            EndReason::Refused(ApiError::Forbidden) => phrases.ended_private(),
            EndReason::Refused(ApiError::Gone) => phrases.ended_gone(),
            EndReason::Refused(_) => phrases.trouble_unreachable(),
            EndReason::NoWorker => phrases.ended_practice(),
        })
    };
    let more = move || {
        phrases.with(|phrases| match end {
            EndReason::ClosedByServer(CloseReason::OtherVersion) => phrases.ended_version_more(),
            EndReason::ClosedByServer(CloseReason::Revoked) => phrases.ended_revoked_more(),
            EndReason::ClosedByServer(_) => phrases.ended_closed_more(),
            EndReason::Refused(ApiError::Forbidden) => phrases.ended_private_more(),
            EndReason::Refused(ApiError::Gone) => phrases.ended_gone_more(),
            EndReason::Refused(_) => phrases.ended_try_more(),
            EndReason::NoWorker => phrases.ended_practice_more(),
        })
    };
    let again = matches!(
        end,
        EndReason::ClosedByServer(CloseReason::OtherVersion)
            | EndReason::NoWorker
            | EndReason::Refused(ApiError::Unreachable | ApiError::TooMany | ApiError::ServerFault)
    );
    view! { <ErrorPage title=Signal::derive(title) more=Signal::derive(more) again /> }
}

/// Why a page is not available, and what to do next.
#[component]
pub(crate) fn ErrorPage(
    title: Signal<String>,
    more: Signal<String>,
    /// Whether reloading may help.
    again: bool,
) -> impl IntoView {
    let phrases = use_phrases();
    let practice = use_context::<TableContext>().and_then(|table| table.practice);
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
                {t!(phrases, try_again)}
            </button>
            <button
                hidden=practice.is_none()
                on:click=move |_| {
                    if let Some(practice) = practice {
                        practice.start_usual();
                    }
                }
            >
                {t!(phrases, start_over)}
            </button>
            <a class="button" href="/">
                {t!(phrases, go_home)}
            </a>
        </main>
    }
}
