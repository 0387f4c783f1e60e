//! Rows of buttons of which one is chosen, parts of a page or values of a setting: the tab key stops
//! once, and the arrows lead from one to the next.

use leptos::ev::KeyboardEvent;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

/// The place in the tab order of a button, by whether it is the one where the tab key stops.
pub(crate) fn tab_stop(stops: bool) -> &'static str {
    if stops { "0" } else { "-1" }
}

/// Where a key leads from the button at a place of a row, which then has the focus.
pub(crate) fn rove(event: &KeyboardEvent, at: usize) -> Option<usize> {
    let target = event.target()?.dyn_into::<Element>().ok()?;
    let buttons = target.closest("[role=tablist],[role=radiogroup]").ok()??.children();
    let count = buttons.length() as usize;
    let next = match event.key().as_str() {
        "ArrowRight" | "ArrowDown" => (at + 1) % count,
        "ArrowLeft" | "ArrowUp" => (at + count - 1) % count,
        "Home" => 0,
        "End" => count - 1,
        _ => return None,
    };
    // A table behind it would walk through the hand.
    event.prevent_default();
    event.stop_propagation();
    let button = buttons.item(next as u32)?.dyn_into::<HtmlElement>().ok()?;
    let _ = button.focus();
    Some(next)
}
