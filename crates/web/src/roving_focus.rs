//! Rows of buttons of which one is chosen, parts of a page or values of a setting: the tab key stops
//! once, and the arrows lead from one to the next.

use leptos::ev::KeyboardEvent;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

/// The place in the tab order of a button, by whether it is the one where the tab key stops.
pub(crate) fn tab_stop(stops: bool) -> &'static str {
    if stops { "0" } else { "-1" }
}

/// To which button of its row a key leads from the one that has the focus; it has it then.
pub(crate) fn rove(event: &KeyboardEvent) -> Option<usize> {
    // With others held down, keys belong to the browser.
    if event.ctrl_key() || event.alt_key() || event.meta_key() {
        return None;
    }
    let target = event.target()?.dyn_into::<Element>().ok()?;
    let row = target.closest("[role=tablist],[role=radiogroup]").ok()??;
    let buttons = row.children();
    let count = buttons.length();
    let at = (0..count).find(|at| buttons.item(*at).as_ref() == Some(&target))?;
    // Parts stand beside each other, and up and down move the page.
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
    // A table behind it would walk through the hand.
    event.prevent_default();
    event.stop_propagation();
    let button = buttons.item(next)?.dyn_into::<HtmlElement>().ok()?;
    let _ = button.focus();
    Some(next as usize)
}
