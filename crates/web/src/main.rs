//! The client in the browser.
//!
//! It draws what `client` says and sends what people wish; it knows no rules and has no sentence
//! of its own. `app` is the frame, `pages` are its places, `table` is where the game is played,
//! `line` is the connection to a table, `api` asks the server for everything else.

#![allow(unreachable_pub, reason = "Leptos makes every component public")]

mod api;
mod app;
mod card;
mod icon;
mod line;
mod pages;
mod settings;
mod sound;
mod storage;
mod table;
mod text;
mod way;

fn main() {
    leptos::mount::mount_to_body(app::App);
    // The page that said that we are coming has done its work.
    if let Some(waiting) = leptos::prelude::document().get_element_by_id("waiting") {
        waiting.remove();
    }
}
