//! What the browser keeps for us. Where it keeps nothing, everything works until the page is left.

use std::cell::RefCell;

use leptos::prelude::window;

const PREFIX: &str = "ghinda.";

thread_local! {
    /// What the browser did not take.
    static UNTAKEN: RefCell<Vec<(String, String)>> = const { RefCell::new(Vec::new()) };
}

fn storage() -> Option<web_sys::Storage> {
    // A browser that forbids storage answers with an exception.
    window().local_storage().ok().flatten()
}

/// What was kept under a name.
pub(crate) fn read(name: &str) -> Option<String> {
    let untaken = UNTAKEN.with_borrow(|untaken| {
        untaken.iter().find(|(other, _)| other == name).map(|(_, text)| text.clone())
    });
    untaken.or_else(|| storage()?.get_item(&format!("{PREFIX}{name}")).ok().flatten())
}

/// Keeps a text under a name. Whether it outlives the page.
pub(crate) fn keep(name: &str, text: &str) -> bool {
    let taken =
        storage().is_some_and(|storage| storage.set_item(&format!("{PREFIX}{name}"), text).is_ok());
    UNTAKEN.with_borrow_mut(|untaken| {
        untaken.retain(|(other, _)| other != name);
        untaken.extend((!taken).then(|| (name.into(), text.into())));
    });
    taken
}

/// Keeps nothing under a name any more.
pub(crate) fn forget(name: &str) {
    UNTAKEN.with_borrow_mut(|untaken| untaken.retain(|(other, _)| other != name));
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
