//! The way: where in the page we are, and how to go elsewhere.

use leptos::ev;
use leptos::prelude::*;
use replica::Route;
use wasm_bindgen::JsCast;

/// Where we are, and how to go elsewhere.
#[derive(Clone, Copy)]
pub(crate) struct Navigator(RwSignal<Route>);

impl Navigator {
    /// Where we are.
    pub(crate) fn here(self) -> Route {
        self.0.get()
    }

    /// Goes to a place.
    pub(crate) fn go(self, route: Route) {
        if let Ok(history) = window().history() {
            let address = route.address();
            let none = wasm_bindgen::JsValue::NULL;
            let _ = history.push_state_with_url(&none, "", Some(&address));
        }
        window().scroll_to_with_x_and_y(0.0, 0.0);
        self.0.set(route);
    }

    /// Shows another address for the place where we are: a key is used once and then hidden.
    pub(crate) fn rename(self, route: Route) {
        if let Ok(history) = window().history() {
            let none = wasm_bindgen::JsValue::NULL;
            let _ = history.replace_state_with_url(&none, "", Some(&route.address()));
        }
        self.0.set(route);
    }
}

fn current() -> Route {
    let location = window().location();
    let path = location.pathname().unwrap_or_default();
    let fragment = location.hash().unwrap_or_default();
    Route::of(&path, fragment.trim_start_matches('#'))
}

/// Follows the address, and takes over the links of the page that lead to places of ours.
pub(crate) fn provide() -> Navigator {
    let navigator = Navigator(RwSignal::new(current()));
    provide_context(navigator);
    window_event_listener(ev::popstate, move |_| navigator.0.set(current()));
    window_event_listener(ev::click, move |event| {
        let plain = event.button() == 0
            && !(event.meta_key() || event.ctrl_key() || event.shift_key() || event.alt_key());
        let clicked = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
        let link = clicked.and_then(|element| element.closest("a[href^='/']").ok().flatten());
        let Some(link) = link.filter(|link| plain && !link.has_attribute("target")) else { return };
        let address = link.get_attribute("href").unwrap_or_default();
        let (path, fragment) = address.split_once('#').unwrap_or((&address, ""));
        let route = Route::of(path, fragment);
        // Files and the API are the server's.
        if route != Route::Nowhere {
            event.prevent_default();
            navigator.go(route);
        }
    });
    navigator
}

/// The way in a component.
pub(crate) fn use_navigator() -> Navigator {
    expect_context()
}

/// Copies a text for other programs. Whether that was done: a browser allows it only where nobody
/// can read along, and may ask.
pub(crate) async fn copy(text: String) -> bool {
    if !window().is_secure_context() {
        return false;
    }
    let copied = window().navigator().clipboard().write_text(&text);
    js_sys::futures::JsFuture::from(copied).await.is_ok()
}
