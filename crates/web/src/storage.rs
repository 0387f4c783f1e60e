//! What the browser keeps for us. Where it keeps nothing, everything works until the page is left.

use leptos::prelude::window;

const PREFIX: &str = "ghinda.";

fn storage() -> Option<web_sys::Storage> {
    // A browser that forbids storage answers with an exception.
    window().local_storage().ok().flatten()
}

/// What was kept under a name.
pub(crate) fn read(name: &str) -> Option<String> {
    storage()?.get_item(&format!("{PREFIX}{name}")).ok().flatten()
}

/// Keeps a text under a name. Whether it is kept.
pub(crate) fn keep(name: &str, text: &str) -> bool {
    storage().is_some_and(|storage| storage.set_item(&format!("{PREFIX}{name}"), text).is_ok())
}

/// Keeps nothing under a name any more.
pub(crate) fn forget(name: &str) {
    if let Some(storage) = storage() {
        let _ = storage.remove_item(&format!("{PREFIX}{name}"));
    }
}

/// Whether anything can be kept at all.
pub(crate) fn works() -> bool {
    let kept = keep("probe", "1");
    forget("probe");
    kept
}
