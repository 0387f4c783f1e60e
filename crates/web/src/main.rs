//! The client in the browser.
//!
//! It draws what `client` says and sends what people wish; it knows no rules and has no sentence
//! of its own. `app` is the frame, `pages` are its places, `table` is where the game is played;
//! `pieces` says which of them are files of their own, loaded when they are wanted. `line` is the
//! connection to a table, on a server or in a worker of this browser, `ledger` the one to a contest, `api` asks the server for
//! everything else. The worker is another program: see `bin/worker`.

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
