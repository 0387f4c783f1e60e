//! The local storage of the browser. If it is not available, values live as long as the page.

use std::cell::RefCell;

use leptos::prelude::window;

const PREFIX: &str = "ghinda.";

thread_local! {
    /// Values that the browser did not store.
    static FALLBACK: RefCell<Vec<(String, String)>> = const { RefCell::new(Vec::new()) };
}

fn storage() -> Option<web_sys::Storage> {
    // A browser that forbids storage throws an exception.
    window().local_storage().ok().flatten()
}

/// The value of a name.
pub(crate) fn read(name: &str) -> Option<String> {
    let fallback = FALLBACK.with_borrow(|fallback| {
        fallback.iter().find(|(other, _)| other == name).map(|(_, text)| text.clone())
    });
    fallback.or_else(|| storage()?.get_item(&format!("{PREFIX}{name}")).ok().flatten())
}

/// Stores a value. Returns whether it is permanent.
pub(crate) fn store(name: &str, text: &str) -> bool {
    let stored =
        storage().is_some_and(|storage| storage.set_item(&format!("{PREFIX}{name}"), text).is_ok());
    FALLBACK.with_borrow_mut(|fallback| {
        fallback.retain(|(other, _)| other != name);
        fallback.extend((!stored).then(|| (name.into(), text.into())));
    });
    stored
}

/// Deletes a value.
pub(crate) fn forget(name: &str) {
    FALLBACK.with_borrow_mut(|fallback| fallback.retain(|(other, _)| other != name));
    if let Some(storage) = storage() {
        let _ = storage.remove_item(&format!("{PREFIX}{name}"));
    }
}

/// Whether values can be stored permanently.
pub(crate) fn is_available() -> bool {
    let kept = store("probe", "1");
    forget("probe");
    kept
}
