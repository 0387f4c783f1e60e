//! The page in a real browser, against the real server: whole matches by pointer, by touch and by
//! keyboard, people at one table, some of them in a terminal, lost networks, both languages, and what axe-core says of it all.
//!
//! `browser` drives Chromium, `page` reads what is shown and touches it, `player` plays. At most
//! two tests run at once: each has a server, browsers, and the deadline of a person's patience.
#![allow(missing_docs, reason = "tests name themselves")]

mod alone;
mod browser;
mod company;
mod contests;
mod errors;
mod eyes;
mod hall;
mod keeper;
mod line;
mod matches;
mod measures;
mod mine;
mod page;
mod paper;
mod player;
#[path = "../terminal/pty.rs"]
#[allow(dead_code, reason = "the tests of the terminal use all of it")]
mod pty;
mod rights;
mod screens;
mod study;
mod test_server;
mod words;

use tokio::sync::{Semaphore, SemaphorePermit};

/// A place among the tests that run.
pub(crate) async fn turn() -> SemaphorePermit<'static> {
    static PLACES: Semaphore = Semaphore::const_new(2);
    PLACES.acquire().await.expect("never closed")
}
