//! Lessons that are taken to their end, and matches that are replayed.

use serde_json::{Value, json};

use crate::browser::{Browser, DESKTOP, PHONE};
use crate::page::{END, RIGHT};
use crate::player::By;
use crate::test_permit;
use crate::test_server::TestServer;

/// The step of a lesson, as text, and whether it is done.
async fn step(browser: &Browser) -> Value {
    let script = "return [document.querySelector('.progress')?.ariaLabel, \
                  !!document.querySelector('#on.primary')];";
    browser.run(script, json!([])).await
}

/// Takes one step of a lesson.
async fn take_step(browser: &Browser) {
    let before = step(browser).await;
    if before[1] == json!(true) {
        browser.tap("#on").await;
        return;
    }
    let state = browser.state().await;
    let wanted = "return document.querySelector('.hand .wanted')?.dataset.card;";
    if let Some(card) = browser.run(wanted, json!([])).await.as_str() {
        let card = format!(".hand [data-card='{card}']");
        browser.tap(&card).await;
        if step(browser).await == before {
            browser.tap(&card).await;
        }
    } else {
        // A lesson about a forbidden bid waits for that bid.
        let mut bids = state.bids.clone();
        bids.sort_by_key(|bid| !bid.forbidden);
        for bid in bids {
            if step(browser).await != before {
                return;
            }
            browser.tap(&format!(".bid[data-bid='{}']", bid.bid)).await;
        }
    }
    if step(browser).await == before {
        browser.fail("the lesson does not continue").await;
    }
}

async fn take_lesson(browser: &Browser, game: &str) {
    browser.go(&format!("/learn/{game}")).await;
    browser.wait_for("#on").await;
    let last = "return !!document.querySelector('#play-this');";
    for _ in 0..60 {
        if browser.run(last, json!([])).await == json!(true) {
            return;
        }
        take_step(browser).await;
    }
    browser.fail("the lesson never ends").await;
}

#[tokio::test]
async fn both_lessons_lead_to_a_table() {
    let _permit = test_permit().await;
    let server = TestServer::open();
    let browser = Browser::open(&server.url, PHONE).await;
    take_lesson(&browser, "whist").await;
    take_lesson(&browser, "cruce").await;
    browser.tap("#play-this").await;
    browser.wait_for("main.table .hand .card").await;
    browser.close().await;
}

async fn sentence(browser: &Browser) -> String {
    let script = "return document.querySelector('.panel .told').innerText;";
    browser.run(script, json!([])).await.as_str().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn a_match_is_replayed() {
    let _permit = test_permit().await;
    let server = TestServer::open();
    let browser = Browser::open(&server.url, DESKTOP).await;
    browser.sit_among_bots("cruce2-1-m1").await;
    browser.play_match(By::Pointer).await;
    browser.tap("#replay").await;
    browser.wait_for("main.replay .strides").await;
    let first = sentence(&browser).await;
    for _ in 0..6 {
        browser.press(&[], RIGHT).await;
    }
    let sixth = sentence(&browser).await;
    assert!(first != sixth && !sixth.is_empty(), "{first:?} {sixth:?}");

    // The view of one seat shows only its own cards.
    const FACES: &str = "return [...document.querySelectorAll('.seat use')].filter((use) => \
                         !use.getAttribute('href').endsWith('-back')).length;";
    let open = browser.run(FACES, json!([])).await.as_u64();
    browser.tap(".eyes button:nth-child(2)").await;
    let seen = browser.run(FACES, json!([])).await.as_u64();
    assert!(seen < open && seen > Some(0), "{seen:?} of {open:?}");

    // The address contains the step of the replay.
    // It follows when the step has not changed for a moment.
    let rests = "location.hash.length > 2 && (window.hash === location.hash \
                 ? performance.now() - window.since > 1500 \
                 : (window.hash = location.hash, window.since = performance.now(), false))";
    browser.wait_until("the address has no step", rests).await;
    browser.reload().await;
    browser.wait_for("main.replay .strides").await;
    assert_eq!(sentence(&browser).await, sixth);

    browser.press(&[], END).await;
    browser.tap(".panel .row button:nth-child(2)").await;
    let verdict = sentence(&browser).await;
    assert!(verdict.starts_with("Everything is right"), "{verdict}");
    let file = "return document.querySelector('.panel a[download]').getAttribute('href');";
    let file = browser.run(file, json!([])).await;
    TestServer::verify(&browser.fetch(file.as_str().expect("an address")).await);
    browser.close().await;
}
