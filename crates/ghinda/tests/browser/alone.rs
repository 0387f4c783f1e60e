//! Without a server: the page was visited once, and everything that needs nobody else goes on.

use serde_json::json;

use crate::browser::{Browser, DESK};
use crate::page::Sight;
use crate::player::{By, Met};
use crate::test_server::TestServer;
use crate::turn;

/// The record of a match that no server has is its own address.
async fn record_in(browser: &Browser, address: &str) -> String {
    let script = "return decodeURIComponent(arguments[0].slice(arguments[0].indexOf(',') + 1));";
    browser.run(script, json!([address])).await.as_str().expect("a text").to_owned()
}

#[tokio::test]
async fn practice_goes_on_when_the_server_is_gone() {
    let _turn = turn().await;
    let mut server = TestServer::open();
    let mut browser = Browser::open(&server.url, DESK).await;
    browser.excuse("ERR_CONNECTION_REFUSED");
    browser.go("/").await;
    browser.shows("#play-now").await;
    browser.run_waiting("await navigator.serviceWorker.ready; return null;", json!([])).await;
    server.stop();

    // Whoever wants to play now plays here, and is told why.
    browser.go("/").await;
    browser.tap("#play-now").await;
    browser.shows("#unanswered").await;
    browser.shows("main.table .hand .card").await;

    // A short match, with the page loaded again in the middle of it.
    browser.go("/practice#cruce2-1-m1,easy").await;
    let mut met = Met::default();
    while met.cards < 2 {
        browser.play_one(By::Pointer, &mut met).await;
    }
    let asked = |sight: &Sight| sight.card_asked;
    let before = browser.sees("no card is asked for", asked).await;
    browser.reload().await;
    let after = browser.sees("no card is asked for any more", asked).await;
    assert_eq!(after.hand, before.hand);
    let record = loop {
        if let Some(record) = browser.play_one(By::Pointer, &mut met).await {
            break record;
        }
    };
    TestServer::verify(&record_in(&browser, &record).await);

    // And looked at again.
    browser.tap("#replay").await;
    browser.shows("main.replay .strides").await;
    let file = "return document.querySelector('.panel a[download]').getAttribute('href');";
    let file = browser.run(file, json!([])).await;
    TestServer::verify(&record_in(&browser, file.as_str().expect("an address")).await);
    browser.close().await;
}
