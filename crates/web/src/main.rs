//! The client in the browser.
//!
//! It draws what `table_view`, `sheet_view` and `contest_view` describe and sends commands; it
//! knows no rules, and its texts come from `phrases`. `app` is the root, `pages` are its pages,
//! `table` is the page of a game; `pieces` defines which of them are separate files, loaded on
//! demand. `table_connection` connects to a table, on a server or in a worker of this browser,
//! `ledger_connection` to a contest or a score sheet; `api` makes all other requests. The worker is
//! another program: see `bin/worker`.

#![allow(unreachable_pub, reason = "Leptos makes every component public")]

mod api;
mod app;
mod card;
mod connection_loop;
mod contest;
mod icon;
mod journals;
mod ledger_connection;
mod navigator;
mod pages;
mod pieces;
mod roving_focus;
mod settings;
mod sheet;
mod sheets;
mod sound;
mod storage;
mod styled;
mod table;
mod table_connection;
mod text;
mod transport;

fn main() {
    leptos::mount::mount_to_body(app::App);
}
