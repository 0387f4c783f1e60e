//! Links and addresses that do not exist: each shows its own message and a link to the home page.

use serde_json::json;

use crate::browser::{Browser, DESKTOP};
use crate::test_permit;
use crate::test_server::TestServer;

async fn check_message(browser: &Browser, path: &str, words: &str) {
    browser.go(path).await;
    let shown = format!("document.querySelector('main h1')?.textContent.includes({words:?})");
    browser.wait_until(&format!("{path} does not show {words:?}"), &shown).await;
    browser.tap("main a.button").await;
    browser.wait_for("#play-now").await;
}

#[tokio::test]
async fn wrong_links_show_a_message_and_a_way_home() {
    let _permit = test_permit().await;
    let server = TestServer::open();
    let host = Browser::open(&server.url, DESKTOP).await;
    host.go("/").await;
    host.wait_for("#play-now").await;
    let table = host.open_table("whist3", false).await;
    let mut browser = Browser::open(&server.url, DESKTOP).await;
    // The server refuses, as it should, and the console shows it.
    browser.ignore_errors("/api/tables/");
    check_message(&browser, &format!("/t/{table}#0123456789abcdef"), "does not open the table")
        .await;
    check_message(&browser, &format!("/t/{table}#nonsense"), "does not open the table").await;
    check_message(&browser, &format!("/t/{table}"), "does not open the table").await;
    check_message(&browser, "/t/0000000000", "no such table").await;
    check_message(&browser, "/t/nonsense", "no such table").await;
    browser.close().await;
    host.close().await;
}

#[tokio::test]
async fn an_unknown_address_shows_a_page_of_the_app() {
    let _permit = test_permit().await;
    let server = TestServer::open();
    let mut browser = Browser::open(&server.url, DESKTOP).await;
    browser.ignore_errors("/weather");
    browser.go("/weather").await;
    browser.tap("main a.button").await;
    browser.wait_for("#play-now").await;
    browser.close().await;
}

/// Adds a script that runs before those of the page.
async fn run_before_page(browser: &Browser, source: &str) {
    let script = json!({ "source": source });
    browser.devtools("Page.addScriptToEvaluateOnNewDocument", script).await;
}

#[tokio::test]
async fn an_old_browser_shows_a_message() {
    let _permit = test_permit().await;
    let server = TestServer::open();
    let browser = Browser::open(&server.url, DESKTOP).await;
    run_before_page(&browser, "delete window.WebAssembly;").await;
    for place in ["/", "/lobby"] {
        browser.go(place).await;
        browser.wait_for("#too-old").await;
        let text = browser.text().await;
        assert!(text.contains("This browser is too old") && !text.contains("loading"), "{text}");
    }
    browser.close().await;
}

/// Without local storage, settings last until the page is left, and the page shows that.
#[tokio::test]
async fn a_browser_without_storage_can_play() {
    let _permit = test_permit().await;
    let server = TestServer::open();
    let browser = Browser::open(&server.url, DESKTOP).await;
    let denied = "Object.defineProperty(window, 'localStorage', \
                  { get() { throw new DOMException('denied', 'SecurityError'); } });";
    run_before_page(&browser, denied).await;
    browser.go("/settings").await;
    browser.wait_for("main .alert").await;
    browser.tap(".head .brand").await;
    browser.tap("#levels label:last-child").await;
    browser.tap("#play-now").await;
    browser.wait_for("main.table .hand .card").await;
    browser.close().await;
}

/// If the WebAssembly file cannot be loaded, a message is shown, and the home page stays readable.
#[tokio::test]
async fn a_page_without_its_program_shows_a_message() {
    let _permit = test_permit().await;
    let server = TestServer::open();
    let mut browser = Browser::open(&server.url, DESKTOP).await;
    browser.ignore_errors(".wasm");
    browser.ignore_errors("TypeError");
    browser.devtools("Network.enable", json!({})).await;
    browser.devtools("Network.setBlockedURLs", json!({ "urls": ["*.wasm"] })).await;
    browser.go("/").await;
    browser.wait_for("#unloaded").await;
    browser.wait_for("#play-now").await;
    browser.close().await;
}
