//! The page in a real browser, against the real server: whole matches by pointer, by touch and by
//! keyboard, several players at one table, some of them in a terminal, lost networks, both
//! languages, and the checks of axe-core.
//!
//! `browser` drives Chromium, `page` reads and operates the page, `player` plays. At most two tests
//! run at once, since each has a server, browsers and time limits.
#![allow(missing_docs, reason = "tests name themselves")]

mod accessibility;
mod browser;
mod contests;
mod errors;
mod hall;
mod languages;
mod lessons;
mod matches;
mod measures;
mod offline;
mod own_matches;
mod page;
mod player;
mod process_guard;
#[path = "../terminal/pty.rs"]
#[allow(dead_code, reason = "the tests of the terminal use all of it")]
mod pty;
mod reconnect;
mod rights;
mod screens;
mod shared_tables;
mod sheets;
mod test_server;

use tokio::sync::{Semaphore, SemaphorePermit};

/// Permits two tests to run at once.
pub(crate) async fn test_permit() -> SemaphorePermit<'static> {
    static PERMITS: Semaphore = Semaphore::const_new(2);
    PERMITS.acquire().await.expect("never closed")
}
