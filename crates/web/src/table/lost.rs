//! What is shown while the table is not there: it is being opened, or it has ended.

use leptos::prelude::*;
use wire::table::Farewell;

use super::Game;
use crate::api::Trouble;
use crate::keeper::End;
use crate::text::{t, words};

#[component]
pub(super) fn Opening() -> impl IntoView {
    let words = words();
    view! {
        <main class="page narrow">
            <p class="lead" role="status">
                {t!(words, table_opening)}
            </p>
        </main>
    }
}

#[component]
pub(super) fn Ended(end: End) -> impl IntoView {
    let words = words();
    let title = move || {
        words.with(|phrases| match end {
            End::Farewell(Farewell::OtherVersion) => phrases.ended_version(),
            End::Farewell(Farewell::Revoked) => phrases.ended_revoked(),
            End::Farewell(_) => phrases.ended_closed(),
            End::Refused(Trouble::Forbidden) => phrases.ended_private(),
            End::Refused(Trouble::Gone) => phrases.ended_gone(),
            End::Refused(_) => phrases.trouble_unreachable(),
            End::NoWorker => phrases.ended_practice(),
        })
    };
    let more = move || {
        words.with(|phrases| match end {
            End::Farewell(Farewell::OtherVersion) => phrases.ended_version_more(),
            End::Farewell(Farewell::Revoked) => phrases.ended_revoked_more(),
            End::Farewell(_) => phrases.ended_closed_more(),
            End::Refused(Trouble::Forbidden) => phrases.ended_private_more(),
            End::Refused(Trouble::Gone) => phrases.ended_gone_more(),
            End::Refused(_) => phrases.ended_try_more(),
            End::NoWorker => phrases.ended_practice_more(),
        })
    };
    let again = matches!(
        end,
        End::Farewell(Farewell::OtherVersion)
            | End::NoWorker
            | End::Refused(Trouble::Unreachable | Trouble::TooMany | Trouble::Unwell)
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
    let words = words();
    let alone = use_context::<Game>().and_then(|game| game.alone);
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
