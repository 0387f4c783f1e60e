//! Style sheets that the first page does not need: separate files, loaded with the pages that need
//! them.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::Element;

use crate::app::asset;

/// The attribute of a link whose style is loaded.
const LOADED: &str = "data-here";

/// Draws its children once a style is loaded. The style stays, because another page may already
/// need it when this one is removed.
#[component]
pub(crate) fn Styled(
    /// The name of the asset.
    style: &'static str,
    children: ChildrenFn,
) -> impl IntoView {
    let ready = RwSignal::new(false);
    match link(style) {
        Some(link) if !link.has_attribute(LOADED) => {
            let loaded = link.clone();
            listen(&link, "load", move || {
                let _ = loaded.set_attribute(LOADED, "");
                ready.try_set(true);
            });
            let failed = link.clone();
            listen(&link, "error", move || {
                // A page without style is better than none, and the next one tries again.
                failed.remove();
                ready.try_set(true);
            });
        }
        _ => ready.set(true),
    }
    view! { <Show when=move || ready.get()>{children()}</Show> }
}

/// The `link` element of a style; created if it does not exist.
fn link(style: &str) -> Option<Element> {
    let id = format!("{style}-style");
    if let Some(link) = document().get_element_by_id(&id) {
        return Some(link);
    }
    let link = document().create_element("link").ok()?;
    let address = asset(style)?;
    for (name, value) in [("id", &*id), ("rel", "stylesheet"), ("href", &*address)] {
        link.set_attribute(name, value).ok()?;
    }
    document().query_selector("head").ok()??.append_child(&link).ok()?;
    Some(link)
}

fn listen(link: &Element, event: &str, handler: impl FnOnce() + 'static) {
    let handler = Closure::once_into_js(handler);
    let _ = link.add_event_listener_with_callback(event, handler.unchecked_ref());
}
