//! The current route, and navigation to others.

use leptos::ev;
use leptos::prelude::*;
use replica::Route;
use wasm_bindgen::JsCast;

/// The current route, and navigation to others.
#[derive(Clone, Copy)]
pub(crate) struct Navigator(RwSignal<Route>);

impl Navigator {
    /// The current route.
    pub(crate) fn here(self) -> Route {
        self.0.get()
    }

    /// Navigates to a route.
    pub(crate) fn go(self, route: Route) {
        if let Ok(history) = window().history() {
            let address = route.address();
            let none = wasm_bindgen::JsValue::NULL;
            let _ = history.push_state_with_url(&none, "", Some(&address));
        }
        window().scroll_to_with_x_and_y(0.0, 0.0);
        self.0.set(route);
    }

    /// Replaces the current address, for example to hide a key after its use.
    pub(crate) fn replace(self, route: Route) {
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

/// Follows the address, and handles clicks on links to routes of the client.
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
        // All other addresses are files or the API.
        if route != Route::NotFound {
            event.prevent_default();
            navigator.go(route);
        }
    });
    navigator
}

/// The navigator in a component.
pub(crate) fn use_navigator() -> Navigator {
    expect_context()
}

/// Copies a text to the clipboard. Returns whether it succeeded: a browser allows it only in a
/// secure context, and may ask the user.
pub(crate) async fn copy(text: String) -> bool {
    if !window().is_secure_context() {
        return false;
    }
    let copied = window().navigator().clipboard().write_text(&text);
    js_sys::futures::JsFuture::from(copied).await.is_ok()
}
