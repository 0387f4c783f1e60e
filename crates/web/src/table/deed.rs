//! A button that is there while it is of use. One piece of code for all of them keeps the page small.

use leptos::prelude::*;

/// A button with these words, shown while it is of use, that does something.
pub(super) fn deed(
    class: &'static str,
    words: Signal<String>,
    shown: impl Fn() -> bool + Send + Sync + 'static,
    act: impl Fn() + Send + Sync + 'static,
) -> AnyView {
    button(class, words, Signal::derive(shown), Callback::new(move |()| act()))
}

fn button(
    class: &'static str,
    words: Signal<String>,
    shown: Signal<bool>,
    act: Callback<()>,
) -> AnyView {
    view! {
        <button type="button" class=class hidden=move || !shown.get() on:click=move |_| act.run(())>
            {words}
        </button>
    }
    .into_any()
}
