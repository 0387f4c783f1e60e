//! The page for an address that does not exist.

use leptos::prelude::*;

use crate::text::{t, use_phrases};

#[component]
pub(crate) fn NotFoundPage() -> impl IntoView {
    let phrases = use_phrases();
    view! {
        <main class="page narrow">
            <h1>{t!(phrases, nowhere_title)}</h1>
            <p>{t!(phrases, nowhere_more)}</p>
            <a class="button primary" href="/">
                {t!(phrases, go_home)}
            </a>
        </main>
    }
}
