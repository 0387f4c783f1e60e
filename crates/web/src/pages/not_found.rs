//! The page for an address that does not exist.

use leptos::prelude::*;

use crate::text::{t, use_phrases};

#[component]
pub(crate) fn NotFoundPage() -> impl IntoView {
    let words = use_phrases();
    view! {
        <main class="page narrow">
            <h1>{t!(words, nowhere_title)}</h1>
            <p>{t!(words, nowhere_more)}</p>
            <a class="button primary" href="/">
                {t!(words, go_home)}
            </a>
        </main>
    }
}
