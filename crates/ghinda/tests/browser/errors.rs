//! Links and addresses that lead nowhere say so, each in its own words and with a way on.

use serde_json::json;

use crate::browser::{Browser, DESK};
use crate::test_server::TestServer;
use crate::turn;

async fn says(browser: &Browser, path: &str, words: &str) {
    browser.go(path).await;
    let said = format!("document.querySelector('main h1')?.textContent.includes({words:?})");
    browser.until(&format!("{path} does not say {words:?}"), &said).await;
    browser.tap("main a.button").await;
    browser.shows("#play-now").await;
}

#[tokio::test]
async fn what_leads_nowhere_says_so_and_shows_a_way_on() {
    let _turn = turn().await;
    let server = TestServer::open();
    let host = Browser::open(&server.url, DESK).await;
    host.go("/").await;
    host.shows("#play-now").await;
    let table = host.open_table("whist3", false).await;
    let mut browser = Browser::open(&server.url, DESK).await;
    // The server refuses, as it should, and the browser notes it.
    browser.excuse("/api/tables/");
    says(&browser, &format!("/t/{table}#0123456789abcdef"), "does not open the table").await;
    says(&browser, &format!("/t/{table}#nonsense"), "does not open the table").await;
    says(&browser, &format!("/t/{table}"), "does not open the table").await;
    says(&browser, "/t/0000000000", "no such table").await;
    says(&browser, "/t/nonsense", "no such table").await;
    browser.close().await;
    host.close().await;
}

#[tokio::test]
async fn an_address_that_does_not_exist_is_a_page_of_ours() {
    let _turn = turn().await;
    let server = TestServer::open();
    let mut browser = Browser::open(&server.url, DESK).await;
    browser.excuse("/weather");
    browser.go("/weather").await;
    browser.tap("main a.button").await;
    browser.shows("#play-now").await;
    browser.close().await;
}

/// Sets a script before the page's own.
async fn first_of_all(browser: &Browser, source: &str) {
    let script = json!({ "source": source });
    browser.devtools("Page.addScriptToEvaluateOnNewDocument", script).await;
}

#[tokio::test]
async fn a_browser_that_is_too_old_is_told_so() {
    let _turn = turn().await;
    let server = TestServer::open();
    let browser = Browser::open(&server.url, DESK).await;
    first_of_all(&browser, "delete window.WebAssembly;").await;
    for place in ["/", "/lobby"] {
        browser.go(place).await;
        browser.shows("#too-old").await;
        let text = browser.text().await;
        assert!(text.contains("This browser is too old") && !text.contains("loading"), "{text}");
    }
    browser.close().await;
}

/// A browser may keep nothing: then everything holds until the page is left, and it says so.
#[tokio::test]
async fn a_browser_that_keeps_nothing_plays_all_the_same() {
    let _turn = turn().await;
    let server = TestServer::open();
    let browser = Browser::open(&server.url, DESK).await;
    let denied = "Object.defineProperty(window, 'localStorage', \
                  { get() { throw new DOMException('denied', 'SecurityError'); } });";
    first_of_all(&browser, denied).await;
    browser.go("/settings").await;
    browser.shows("main .alert").await;
    browser.tap(".head .brand").await;
    browser.tap("#levels label:last-child").await;
    browser.tap("#play-now").await;
    browser.shows("main.table .hand .card").await;
    browser.close().await;
}

/// The program does not come: whoever looks is told, and can still read the first page.
#[tokio::test]
async fn a_page_whose_program_does_not_come_says_so() {
    let _turn = turn().await;
    let server = TestServer::open();
    let mut browser = Browser::open(&server.url, DESK).await;
    browser.excuse(".wasm");
    browser.excuse("TypeError");
    browser.devtools("Network.enable", json!({})).await;
    browser.devtools("Network.setBlockedURLs", json!({ "urls": ["*.wasm"] })).await;
    browser.go("/").await;
    browser.shows("#unloaded").await;
    browser.shows("#play-now").await;
    browser.close().await;
}
