//! A player's own matches, and an account that shows them on another device.

use crate::browser::{Browser, DESKTOP, PHONE};
use crate::player::By;
use crate::test_permit;
use crate::test_server::TestServer;

const NAME: &str = "#account-name";
const PASSPHRASE: &str = "#passphrase";

async fn fill_in(browser: &Browser, name: &str, passphrase: &str) {
    browser.write(NAME, name).await;
    browser.write(PASSPHRASE, passphrase).await;
}

async fn check_alert(browser: &Browser, words: &str) {
    let shown = format!(
        "document.querySelector('main .alert:not([hidden])')?.textContent.includes({words:?})"
    );
    browser.wait_until(&format!("no alert with {words:?}"), &shown).await;
}

#[tokio::test]
async fn an_account_shows_its_matches_on_another_device() {
    let _permit = test_permit().await;
    let server = TestServer::open();
    let browser = Browser::open(&server.url, DESKTOP).await;
    browser.sit_among_bots("cruce2-1-m1").await;
    browser.play_match(By::Pointer).await;
    browser.go("/mine").await;
    browser.wait_for(".past").await;
    fill_in(&browser, "ghindar", "stejar bătrân").await;
    browser.tap("#register").await;
    browser
        .wait_until("no account", "!document.querySelector('main form').getClientRects().length")
        .await;
    browser.close().await;

    let mut other = Browser::open(&server.url, PHONE).await;
    // The server refuses, as it should, and the console shows it.
    other.ignore_errors("/api/login");
    other.ignore_errors("/api/accounts");
    other.go("/mine").await;
    fill_in(&other, "ghindar", "stejar tânăr").await;
    other.tap("main form .primary").await;
    check_alert(&other, "nu se potrivesc").await;
    other.tap("#register").await;
    check_alert(&other, "altcineva").await;
    other.write(PASSPHRASE, "stejar bătrân").await;
    other.tap("main form .primary").await;
    other.wait_for(".past").await;
    other.tap(".past").await;
    other.wait_for("main.replay .strides").await;
    other.close().await;
}
