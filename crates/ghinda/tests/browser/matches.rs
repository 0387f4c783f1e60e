//! Whole matches, played through the page and rechecked from their records.

use crate::browser::{Browser, DESKTOP, PHONE};
use crate::page::{END, ENTER, ESCAPE, RIGHT, SHIFT};
use crate::player::By;
use crate::test_permit;
use crate::test_server::TestServer;

#[tokio::test]
async fn a_match_of_cruce_by_pointer() {
    let _permit = test_permit().await;
    let server = TestServer::open();
    let browser = Browser::open(&server.url, DESKTOP).await;
    browser.sit_among_bots("cruce4t-5").await;
    let progress = browser.play_until_refused(By::Pointer).await;
    assert!(progress.cards >= 6 && progress.bids > 0, "{progress:?}");
    browser.close().await;
}

#[tokio::test]
async fn a_match_from_the_first_page_with_one_tap() {
    let _permit = test_permit().await;
    let server = TestServer::open();
    let browser = Browser::open(&server.url, DESKTOP).await;
    browser.go("/").await;
    browser.tap("#play-now").await;
    browser.wait_for("main.table").await;
    let mut progress = Default::default();
    for _ in 0..8 {
        browser.play_step(By::Pointer, &mut progress).await;
    }
    assert!(progress.cards >= 6, "{progress:?}");
    browser.close().await;
}

#[tokio::test]
async fn a_match_of_whist_with_cards_played_by_one_tap() {
    let _permit = test_permit().await;
    let server = TestServer::open();
    let browser = Browser::open(&server.url, DESKTOP).await;
    browser.store_settings(&[("cards", "once")]).await;
    browser.sit_among_bots("whist3").await;
    let progress = browser.play_and_verify(By::Pointer).await;
    assert_eq!((progress.deals, progress.bids), (20, 21), "{progress:?}");
    assert!(progress.refusals == 1, "{progress:?}");
    browser.close().await;
}

#[tokio::test]
async fn a_match_on_a_phone() {
    let _permit = test_permit().await;
    let server = TestServer::open();
    let browser = Browser::open(&server.url, PHONE).await;
    browser.sit_among_bots("cruce2-1-m1").await;
    let progress = browser.play_until_refused(By::Pointer).await;
    assert!(progress.cards >= 8, "{progress:?}");
    // Nothing is wider than the screen.
    let fits = "document.documentElement.scrollWidth <= innerWidth";
    browser.wait_until("the page scrolls sideways", fits).await;
    browser.rematch(By::Pointer).await;
    browser.close().await;
}

/// Everything that is shown is also announced, and everything can be done without a pointer.
#[tokio::test]
async fn a_match_by_keyboard_alone() {
    let _permit = test_permit().await;
    let server = TestServer::open();
    let browser = Browser::open(&server.url, DESKTOP).await;
    browser.go("/").await;
    browser.wait_for("#play-now").await;
    let table = browser.open_table("cruce3-1-m1", false).await;
    browser.go(&format!("/t/{table}")).await;
    for button in [".seat-item.free .primary", "#start:not([disabled])"] {
        browser.wait_for(button).await;
        browser.tab_to(button).await;
        browser.press(&[], ENTER).await;
    }
    browser.wait_for("main.table").await;
    let mut progress = Default::default();
    let mut record = None;
    while record.is_none() {
        let before = browser.state().await;
        if before.card_asked && is_third_card(&progress) {
            check_announcements(&browser).await;
        }
        record = browser.play_step(By::Keys, &mut progress).await;
    }
    TestServer::verify(&browser.fetch(&record.expect("a record")).await);
    browser.rematch(By::Keys).await;
    if progress.refusals == 0 {
        browser.play_until_refused(By::Keys).await;
    }
    browser.close().await;
}

/// A row of values is one tab stop; the arrows choose.
#[tokio::test]
async fn settings_by_keyboard_alone() {
    let _permit = test_permit().await;
    let server = TestServer::open();
    let browser = Browser::open(&server.url, DESKTOP).await;
    browser.go("/settings").await;
    browser.wait_for(".form [role=radio]").await;
    let stops = "[...document.querySelectorAll('.form [role=radiogroup]')].every((row) => \
                 row.querySelectorAll('[tabindex=\"0\"]').length === 1)";
    browser.wait_until("a row has no tab stop, or several", stops).await;
    browser.tab_to("[role=radio]:first-child[aria-checked=true]").await;
    for (key, place) in [(RIGHT, "nth-child(2)"), (END, "last-child"), (RIGHT, "first-child")] {
        browser.press(&[], key).await;
        let chosen = format!(
            "document.activeElement.matches('[role=radio][aria-checked=true][tabindex=\"0\"]:{place}')"
        );
        browser.wait_until("the arrow does not choose", &chosen).await;
    }
    browser.close().await;
}

/// Whether two cards were played: a good moment to check the announcements.
fn is_third_card(progress: &crate::player::Progress) -> bool {
    progress.cards == 2
}

/// Checks that every announcement key works, straight after a card was played.
async fn check_announcements(browser: &Browser) {
    let state = browser.state().await;
    for (held, key) in [(&[][..], 't'), (&[], 'r'), (&[SHIFT], 'R'), (&[], 'v'), (&[], 'p')] {
        let before = browser.announced().await;
        browser.press(held, key).await;
        let changed = format!(
            "document.querySelector('[role=status][aria-live]').textContent !== {before:?}"
        );
        browser.wait_until(&format!("the key {key} announces nothing"), &changed).await;
        if key == 't' {
            assert_eq!(browser.announced().await.trim(), state.status.trim());
        }
    }
    browser.press(&[SHIFT], '?').await;
    browser.wait_for("dialog[open] .keys").await;
    browser.press(&[], ESCAPE).await;
    browser.wait_until("the window stays", "!document.querySelector('dialog[open]')").await;
    browser.press(&[], 's').await;
    browser.wait_for("dialog[open]").await;
    browser.press(&[], ESCAPE).await;
    browser.wait_until("the sheet stays", "!document.querySelector('dialog[open]')").await;
}
