//! Roving focus in rows of buttons (tabs, or values of a setting): the tab key stops once, and
//! arrow keys move from button to button.

use leptos::ev::KeyboardEvent;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

/// The `tabindex` of a button: 0 for the one at which the tab key stops.
pub(crate) fn tab_stop(stops: bool) -> &'static str {
    if stops { "0" } else { "-1" }
}

/// Moves the focus within a row by a key. Returns the position of the button that received it.
pub(crate) fn move_focus(event: &KeyboardEvent) -> Option<usize> {
    // Keys with modifiers belong to the browser.
    if event.ctrl_key() || event.alt_key() || event.meta_key() {
        return None;
    }
    let target = event.target()?.dyn_into::<Element>().ok()?;
    let row = target.closest("[role=tablist],[role=radiogroup]").ok()??;
    let buttons = row.children();
    let count = buttons.length();
    let at = (0..count).find(|at| buttons.item(*at).as_ref() == Some(&target))?;
    // Tabs are side by side, and the vertical arrow keys scroll the page.
    let values = row.get_attribute("role").as_deref() == Some("radiogroup");
    let next = match event.key().as_str() {
        "ArrowRight" => (at + 1) % count,
        "ArrowLeft" => (at + count - 1) % count,
        "ArrowDown" if values => (at + 1) % count,
        "ArrowUp" if values => (at + count - 1) % count,
        "Home" => 0,
        "End" => count - 1,
        _ => return None,
    };
    // The keys of a table would select cards of the hand.
    event.prevent_default();
    event.stop_propagation();
    let button = buttons.item(next)?.dyn_into::<HtmlElement>().ok()?;
    let _ = button.focus();
    Some(next as usize)
}
