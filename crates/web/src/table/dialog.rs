//! A modal dialog, and the confirmation before an action that cannot be undone.

use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use super::ends;
use crate::icon::{Icon, IconImage};
use crate::text::{t, use_phrases};

#[component]
pub(crate) fn Dialog(
    open: RwSignal<bool>,
    #[prop(into)] title: Signal<String>,
    children: ChildrenFn,
) -> impl IntoView {
    let phrases = use_phrases();
    let dialog = NodeRef::<html::Dialog>::new();
    Effect::new(move |_| {
        let Some(dialog) = dialog.get() else { return };
        match (open.get(), dialog.open()) {
            (true, false) => {
                let _ = dialog.show_modal();
            }
            (false, true) => dialog.close(),
            _ => {}
        }
    });
    let children = StoredValue::new(children);
    view! {
        <dialog
            node_ref=dialog
            aria-label=move || title.get()
            on:close=move |_| {
                // The event is late: the dialog may have been opened again.
                if dialog.get_untracked().is_some_and(|dialog| !dialog.open()) {
                    open.set(false);
                }
            }
            on:click=move |event| {
                // A click outside closes the dialog.
                let own = dialog.get_untracked();
                let target = event.target();
                if own.zip(target).is_some_and(|(own, target)| own.is_same_node(target.dyn_ref())) {
                    open.set(false);
                }
            }
        >
            <div class="window">
                <header>
                    <h2>{move || title.get()}</h2>
                    <button
                        class="quiet round"
                        aria-label=t!(phrases, close)
                        on:click=move |_| open.set(false)
                    >
                        <IconImage icon=Icon::Close />
                    </button>
                </header>
                <Show when=move || open.get()>{children.with_value(|children| children())}</Show>
            </div>
        </dialog>
    }
}

/// Asks for confirmation.
#[component]
pub(crate) fn ConfirmQuestion(
    #[prop(into)] question: Signal<String>,
    /// The text of the button that confirms.
    yes: Signal<String>,
    id: &'static str,
    done: Callback<()>,
    cancel: Callback<()>,
) -> impl IntoView {
    let phrases = use_phrases();
    view! {
        <div class="alert" role="alert">
            <p>{question}</p>
            <p class="row">
                <button
                    class="primary"
                    id=id
                    node_ref=ends::focused_button()
                    on:click=move |_| done.run(())
                >
                    {yes}
                </button>
                <button on:click=move |_| cancel.run(())>{t!(phrases, no)}</button>
            </p>
        </div>
    }
}
