//! Whole matches, played through the page and rechecked from their records.

use crate::browser::{Browser, DESK, PHONE};
use crate::page::{END, ENTER, ESCAPE, RIGHT, SHIFT};
use crate::player::By;
use crate::test_server::TestServer;
use crate::turn;

#[tokio::test]
async fn a_match_of_cruce_by_pointer() {
    let _turn = turn().await;
    let server = TestServer::open();
    let browser = Browser::open(&server.url, DESK).await;
    browser.sit_among_bots("cruce4t-5").await;
    let met = browser.play_until_refused(By::Pointer).await;
    assert!(met.cards >= 6 && met.bids > 0, "{met:?}");
    browser.close().await;
}

#[tokio::test]
async fn a_match_from_the_first_page_with_one_tap() {
    let _turn = turn().await;
    let server = TestServer::open();
    let browser = Browser::open(&server.url, DESK).await;
    browser.go("/").await;
    browser.tap("#play-now").await;
    browser.shows("main.table").await;
    let mut met = Default::default();
    for _ in 0..8 {
        browser.play_one(By::Pointer, &mut met).await;
    }
    assert!(met.cards >= 6, "{met:?}");
    browser.close().await;
}

#[tokio::test]
async fn a_match_of_whist_with_cards_played_by_one_tap() {
    let _turn = turn().await;
    let server = TestServer::open();
    let browser = Browser::open(&server.url, DESK).await;
    browser.keep(&[("cards", "once")]).await;
    browser.sit_among_bots("whist3").await;
    let met = browser.play_and_verify(By::Pointer).await;
    assert_eq!((met.deals, met.bids), (20, 21), "{met:?}");
    assert!(met.refusals == 1, "{met:?}");
    browser.close().await;
}

#[tokio::test]
async fn a_match_on_a_telephone() {
    let _turn = turn().await;
    let server = TestServer::open();
    let browser = Browser::open(&server.url, PHONE).await;
    browser.sit_among_bots("cruce2-1-m1").await;
    let met = browser.play_until_refused(By::Pointer).await;
    assert!(met.cards >= 8, "{met:?}");
    // Nothing is wider than the screen.
    let wide = "document.documentElement.scrollWidth <= innerWidth";
    browser.until("the page scrolls sideways", wide).await;
    browser.rematch(By::Pointer).await;
    browser.close().await;
}

/// Everything that is seen is also said, and everything can be done without a pointer.
#[tokio::test]
async fn a_match_by_keyboard_alone() {
    let _turn = turn().await;
    let server = TestServer::open();
    let browser = Browser::open(&server.url, DESK).await;
    browser.go("/").await;
    browser.shows("#play-now").await;
    let table = browser.open_table("cruce3-1-m1", false).await;
    browser.go(&format!("/t/{table}")).await;
    for button in [".chair.free .primary", "#start:not([disabled])"] {
        browser.shows(button).await;
        browser.tab_to(button).await;
        browser.press(&[], ENTER).await;
    }
    browser.shows("main.table").await;
    let mut met = Default::default();
    let mut record = None;
    while record.is_none() {
        let before = browser.sight().await;
        if before.card_asked && met_card(&met) {
            says_all(&browser).await;
        }
        record = browser.play_one(By::Keys, &mut met).await;
    }
    TestServer::verify(&browser.fetch(&record.expect("a record")).await);
    browser.rematch(By::Keys).await;
    if met.refusals == 0 {
        browser.play_until_refused(By::Keys).await;
    }
    browser.close().await;
}

/// A row of values is one stop of the tab key; the arrows choose.
#[tokio::test]
async fn settings_by_keyboard_alone() {
    let _turn = turn().await;
    let server = TestServer::open();
    let browser = Browser::open(&server.url, DESK).await;
    browser.go("/settings").await;
    browser.shows(".form [role=radio]").await;
    let stops = "[...document.querySelectorAll('.form [role=radiogroup]')].every((row) => \
                 row.querySelectorAll('[tabindex=\"0\"]').length === 1)";
    browser.until("a row has no stop, or several", stops).await;
    browser.tab_to("[role=radio]:first-child[aria-checked=true]").await;
    for (key, place) in [(RIGHT, "nth-child(2)"), (END, "last-child"), (RIGHT, "first-child")] {
        browser.press(&[], key).await;
        let chosen = format!(
            "document.activeElement.matches('[role=radio][aria-checked=true][tabindex=\"0\"]:{place}')"
        );
        browser.until("the arrow has chosen nothing", &chosen).await;
    }
    browser.close().await;
}

/// The third card is a good moment to ask.
fn met_card(met: &crate::player::Met) -> bool {
    met.cards == 2
}

/// Every key that tells something tells it, straight after a card was played.
async fn says_all(browser: &Browser) {
    let sight = browser.sight().await;
    for (held, key) in [(&[][..], 't'), (&[], 'r'), (&[SHIFT], 'R'), (&[], 'v'), (&[], 'p')] {
        let before = browser.heard().await;
        browser.press(held, key).await;
        let told = format!(
            "document.querySelector('[role=status][aria-live]').textContent !== {before:?}"
        );
        browser.until(&format!("the key {key} says nothing"), &told).await;
        if key == 't' {
            assert_eq!(browser.heard().await.trim(), sight.status.trim());
        }
    }
    browser.press(&[SHIFT], '?').await;
    browser.shows("dialog[open] .keys").await;
    browser.press(&[], ESCAPE).await;
    browser.until("the window stays", "!document.querySelector('dialog[open]')").await;
    browser.press(&[], 's').await;
    browser.shows("dialog[open]").await;
    browser.press(&[], ESCAPE).await;
    browser.until("the sheet stays", "!document.querySelector('dialog[open]')").await;
}
