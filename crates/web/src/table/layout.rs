//! The layout of the table on this screen, and its boxes as styles.

use game::Rules;
use leptos::prelude::*;
use table_view::layout::{Parts, Rect, ScreenSize, TableKind, TableLayout};
use wasm_bindgen::JsCast;

/// The size of text in a browser without any setting.
const USUAL_TEXT: f32 = 16.0;

/// The layout of the table in a component.
pub(crate) fn use_layout() -> Memo<TableLayout> {
    expect_context()
}

/// Provides the layout of a table, which follows the size of the window and of the text. The text of the whole
/// page has the size of the layout for as long as the table is shown.
pub(crate) fn provide(
    rules: Rules,
    kind: impl Fn() -> TableKind + Send + Sync + 'static,
) -> Memo<TableLayout> {
    let screen = RwSignal::new(measure());
    let resized = window_event_listener(leptos::ev::resize, move |_| screen.set(measure()));
    let layout = Memo::new(move |_| TableLayout::new(screen.get(), &Parts::new(&rules, kind())));
    let text = Memo::new(move |_| layout.with(|layout| layout.text));
    Effect::new(move |_| set_text(Some(text.get())));
    on_cleanup(move || {
        resized.remove();
        set_text(None);
    });
    provide_context(layout);
    layout
}

/// The size of the window without the parts that a phone's notch or bar covers, and the size of text that the
/// reader wants.
fn measure() -> ScreenSize {
    set_text(None);
    let window = window();
    let length = |value: Result<wasm_bindgen::JsValue, _>| {
        value.ok().and_then(|value| value.as_f64()).unwrap_or_default() as f32
    };
    let (width, height) = (length(window.inner_width()), length(window.inner_height()));
    let root = document().document_element();
    let style = root.and_then(|root| window.get_computed_style(&root).ok().flatten());
    let pixels = |name: &str| {
        let value = style.as_ref()?.get_property_value(name).ok()?;
        value.trim().strip_suffix("px")?.parse::<f32>().ok()
    };
    let covered = pixels("--safe-bottom").unwrap_or_default();
    // On a large screen all pages have larger text, and so has the layout.
    let usual = (width * 0.0095).min(height * 0.017).max(USUAL_TEXT);
    let text = pixels("font-size").unwrap_or(usual) * USUAL_TEXT / usual;
    ScreenSize { width, height: height - covered, text }
}

/// Sets the size of the text of the page, or leaves it to the reader again.
fn set_text(pixels: Option<f32>) {
    let root = document().document_element();
    let Some(root) = root.and_then(|root| root.dyn_into::<web_sys::HtmlElement>().ok()) else {
        return;
    };
    let _ = match pixels {
        Some(pixels) => root.style().set_property("font-size", &format!("{pixels}px")),
        None => root.style().remove_property("font-size").map(drop),
    };
}

/// A box as a style.
pub(crate) fn css(area: Rect) -> String {
    let Rect { x, y, width, height } = area;
    format!("left:{x:.1}px;top:{y:.1}px;width:{width:.1}px;height:{height:.1}px")
}

/// How to get from the middle of one box to the middle of another, as the values of two variables.
pub(crate) fn way(from: Rect, to: Rect, name: &str) -> String {
    let ((x, y), (to_x, to_y)) = (from.center(), to.center());
    format!("--{name}-x:{:.1}px;--{name}-y:{:.1}px", to_x - x, to_y - y)
}
