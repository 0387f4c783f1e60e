//! Without a server: after one visit, everything that needs no other player still works.

use serde_json::json;

use crate::browser::{Browser, DESKTOP};
use crate::page::PageState;
use crate::player::{By, Progress};
use crate::test_permit;
use crate::test_server::TestServer;

/// The record of a local match is its own address (a data URL).
async fn record_in(browser: &Browser, address: &str) -> String {
    let script = "return decodeURIComponent(arguments[0].slice(arguments[0].indexOf(',') + 1));";
    browser.run(script, json!([address])).await.as_str().expect("a text").to_owned()
}

#[tokio::test]
async fn practice_works_when_the_server_is_gone() {
    let _permit = test_permit().await;
    let mut server = TestServer::open();
    let mut browser = Browser::open(&server.url, DESKTOP).await;
    browser.ignore_errors("ERR_CONNECTION_REFUSED");
    browser.go("/").await;
    browser.wait_for("#play-now").await;
    browser.run_waiting("await navigator.serviceWorker.ready; return null;", json!([])).await;
    server.stop();

    // "Play now" starts a local match, and the page explains why.
    browser.go("/").await;
    browser.tap("#play-now").await;
    browser.wait_for("#unanswered").await;
    browser.wait_for("main.table .hand .card").await;

    // A short match, with a reload in the middle of it.
    browser.go("/practice#cruce2-1-m1,easy").await;
    let mut progress = Progress::default();
    while progress.cards < 2 {
        browser.play_step(By::Pointer, &mut progress).await;
    }
    let can_act = |state: &PageState| state.card_asked;
    let before = browser.wait_for_state("no card can be played", can_act).await;
    browser.reload().await;
    let after = browser.wait_for_state("no card is can_act for any more", can_act).await;
    assert_eq!(after.hand, before.hand);
    let record = loop {
        if let Some(record) = browser.play_step(By::Pointer, &mut progress).await {
            break record;
        }
    };
    TestServer::verify(&record_in(&browser, &record).await);

    // The replay of the match.
    browser.tap("#replay").await;
    browser.wait_for("main.replay .strides").await;
    let file = "return document.querySelector('.panel a[download]').getAttribute('href');";
    let file = browser.run(file, json!([])).await;
    TestServer::verify(&record_in(&browser, file.as_str().expect("an address")).await);
    browser.close().await;
}
