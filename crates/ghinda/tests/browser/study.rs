//! Lessons that are taken to their end, and matches that are looked at again.

use serde_json::{Value, json};

use crate::browser::{Browser, DESK, PHONE};
use crate::page::{END, RIGHT};
use crate::player::By;
use crate::test_server::TestServer;
use crate::turn;

/// The step of a lesson, in words, and whether it is done.
async fn step(browser: &Browser) -> Value {
    let script = "return [document.querySelector('.progress')?.ariaLabel, \
                  !!document.querySelector('#on.primary')];";
    browser.run(script, json!([])).await
}

/// Does what a lesson asks for, as somebody who does not know it yet.
async fn take_a_step(browser: &Browser) {
    let before = step(browser).await;
    if before[1] == json!(true) {
        browser.tap("#on").await;
        return;
    }
    let sight = browser.sight().await;
    let wanted = "return document.querySelector('.hand .wanted')?.dataset.card;";
    if let Some(card) = browser.run(wanted, json!([])).await.as_str() {
        let card = format!(".hand [data-card='{card}']");
        browser.tap(&card).await;
        if step(browser).await == before {
            browser.tap(&card).await;
        }
    } else {
        // A lesson about a forbidden bid waits for that one.
        let mut bids = sight.bids.clone();
        bids.sort_by_key(|bid| !bid.forbidden);
        for bid in bids {
            if step(browser).await != before {
                return;
            }
            browser.tap(&format!(".bid[data-bid='{}']", bid.bid)).await;
        }
    }
    if step(browser).await == before {
        browser.give_up("the lesson waits for something else").await;
    }
}

async fn take(browser: &Browser, game: &str) {
    browser.go(&format!("/learn/{game}")).await;
    browser.shows("#on").await;
    let last = "return !!document.querySelector('#play-this');";
    for _ in 0..60 {
        if browser.run(last, json!([])).await == json!(true) {
            return;
        }
        take_a_step(browser).await;
    }
    browser.give_up("the lesson never ends").await;
}

#[tokio::test]
async fn both_lessons_lead_to_a_table() {
    let _turn = turn().await;
    let server = TestServer::open();
    let browser = Browser::open(&server.url, PHONE).await;
    take(&browser, "whist").await;
    take(&browser, "cruce").await;
    browser.tap("#play-this").await;
    browser.shows("main.table .hand .card").await;
    browser.close().await;
}

async fn told(browser: &Browser) -> String {
    let script = "return document.querySelector('.panel .told').innerText;";
    browser.run(script, json!([])).await.as_str().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn a_match_is_looked_at_again() {
    let _turn = turn().await;
    let server = TestServer::open();
    let browser = Browser::open(&server.url, DESK).await;
    browser.sit_among_bots("cruce2-1-m1").await;
    browser.play_match(By::Pointer).await;
    browser.tap("#replay").await;
    browser.shows("main.replay .strides").await;
    let first = told(&browser).await;
    for _ in 0..6 {
        browser.press(&[], RIGHT).await;
    }
    let sixth = told(&browser).await;
    assert!(first != sixth && !sixth.is_empty(), "{first:?} {sixth:?}");

    // One seat sees its own cards alone.
    const FACES: &str = "return [...document.querySelectorAll('.seat use')].filter((use) => \
                         !use.getAttribute('href').endsWith('-back')).length;";
    let open = browser.run(FACES, json!([])).await.as_u64();
    browser.tap(".eyes button:nth-child(2)").await;
    let seen = browser.run(FACES, json!([])).await.as_u64();
    assert!(seen < open && seen > Some(0), "{seen:?} of {open:?}");

    // The address is the moment's, for whoever gets it.
    browser.until("the address stays behind", "location.hash.length > 2").await;
    browser.reload().await;
    browser.shows("main.replay .strides").await;
    assert_eq!(told(&browser).await, sixth);

    browser.press(&[], END).await;
    browser.tap(".panel .row button:nth-child(2)").await;
    let verdict = told(&browser).await;
    assert!(verdict.starts_with("Everything is right"), "{verdict}");
    let file = "return document.querySelector('.panel a[download]').getAttribute('href');";
    let file = browser.run(file, json!([])).await;
    TestServer::verify(&browser.fetch(file.as_str().expect("an address")).await);
    browser.close().await;
}
