//! The rules of a game, as rendered from the documents.

use leptos::prelude::*;
use leptos::task::spawn_local;
use replica::Route;

use crate::api::{self, ApiError};
use crate::app::asset;
use crate::navigator;
use crate::pages::Alert;
use crate::text::{t, use_phrases};

#[component]
pub(crate) fn RulesPage(game: &'static str) -> impl IntoView {
    let (phrases, navigator) = (use_phrases(), navigator::use_navigator());
    let document_text = RwSignal::new(String::new());
    let trouble = RwSignal::new(None::<ApiError>);
    Effect::new(move |_| {
        let name = phrases.with(|phrases| format!("{game}.{}", phrases.language()));
        spawn_local(async move {
            let found = match asset(&name) {
                Some(address) => api::text(&address).await,
                None => Err(ApiError::Gone),
            };
            match found {
                Ok(found) => {
                    trouble.try_set(None);
                    document_text.try_set(found);
                }
                Err(error) => {
                    trouble.try_set(Some(error));
                }
            }
        });
    });
    // Scrolls to the clause once the document is loaded.
    Effect::new(move |_| {
        let Route::Rules { clause: Some(clause), .. } = navigator.here() else { return };
        if document_text.with(String::is_empty) {
            return;
        }
        request_animation_frame(move || {
            if let Ok(Some(before)) = document().query_selector(".rules [data-here]") {
                let _ = before.remove_attribute("data-here");
            }
            if let Some(element) = document().get_element_by_id(&clause) {
                element.scroll_into_view();
                let _ = element.set_attribute("data-here", "");
            }
        });
    });
    let tab = move |name: &'static str| (name == game).then_some("page");
    view! {
        <main class="page narrow">
            <nav class="tabs">
                <a href="/rules/cruce" aria-current=move || tab("cruce")>
                    {t!(phrases, cruce)}
                </a>
                <a href="/rules/whist" aria-current=move || tab("whist")>
                    {t!(phrases, whist)}
                </a>
            </nav>
            <Alert trouble_now=trouble />
            <article class="rules" inner_html=move || document_text.get()></article>
        </main>
    }
}
