//! What is shown while the table is not there: it is being opened, or it has ended.

use leptos::prelude::*;
use wire::table::Farewell;

use crate::api::Trouble;
use crate::line::End;
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
        })
    };
    let again = matches!(
        end,
        End::Farewell(Farewell::OtherVersion)
            | End::Refused(Trouble::Unreachable | Trouble::TooMany | Trouble::Unwell)
    );
    view! {
        <main class="page narrow">
            <h1>{title}</h1>
            <p class="lead">{more}</p>
            <Show when=move || again>
                <button
                    class="primary"
                    on:click=move |_| {
                        let _ = window().location().reload();
                    }
                >
                    {t!(words, try_again)}
                </button>
            </Show>
            <a class="button" href="/">
                {t!(words, go_home)}
            </a>
        </main>
    }
}
