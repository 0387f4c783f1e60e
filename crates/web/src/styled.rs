//! Styles that the first page does not need: files of their own, which come with whatever needs them.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::Element;

use crate::app::asset;

/// Says of a link that its style has come.
const HERE: &str = "data-here";

/// Draws what is in it once a style has come. The style stays: another page may need it before this one
/// is gone.
#[component]
pub(crate) fn Styled(
    /// Its name among the files of the page.
    style: &'static str,
    children: ChildrenFn,
) -> impl IntoView {
    let ready = RwSignal::new(false);
    match link(style) {
        Some(link) if !link.has_attribute(HERE) => {
            let here = link.clone();
            listen(&link, "load", move || {
                let _ = here.set_attribute(HERE, "");
                ready.try_set(true);
            });
            let gone = link.clone();
            listen(&link, "error", move || {
                // A plain page is better than none, and the next one asks again.
                gone.remove();
                ready.try_set(true);
            });
        }
        _ => ready.set(true),
    }
    view! { <Show when=move || ready.get()>{children()}</Show> }
}

/// The link to a style, made where there is none yet.
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

fn listen(link: &Element, event: &str, heard: impl FnOnce() + 'static) {
    let heard = Closure::once_into_js(heard);
    let _ = link.add_event_listener_with_callback(event, heard.unchecked_ref());
}
