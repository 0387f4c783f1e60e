//! Somebody's own matches, and an account that finds them again on another device.

use crate::browser::{Browser, DESK, PHONE};
use crate::player::By;
use crate::test_server::TestServer;
use crate::turn;

const NAME: &str = "#account-name";
const PASSPHRASE: &str = "#passphrase";

async fn fill_in(browser: &Browser, name: &str, passphrase: &str) {
    browser.write(NAME, name).await;
    browser.write(PASSPHRASE, passphrase).await;
}

async fn is_told(browser: &Browser, words: &str) {
    let told = format!(
        "document.querySelector('main .alert:not([hidden])')?.textContent.includes({words:?})"
    );
    browser.until(&format!("nobody says {words:?}"), &told).await;
}

#[tokio::test]
async fn an_account_finds_its_matches_again() {
    let _turn = turn().await;
    let server = TestServer::open();
    let browser = Browser::open(&server.url, DESK).await;
    browser.sit_among_bots("cruce2-1-m1").await;
    browser.play_match(By::Pointer).await;
    browser.go("/mine").await;
    browser.shows(".past").await;
    fill_in(&browser, "ghindar", "stejar bătrân").await;
    browser.tap("#register").await;
    browser
        .until("no account", "!document.querySelector('main form').getClientRects().length")
        .await;
    browser.close().await;

    let mut other = Browser::open(&server.url, PHONE).await;
    // The server refuses, as it should, and the browser notes it.
    other.excuse("/api/login");
    other.excuse("/api/accounts");
    other.go("/mine").await;
    fill_in(&other, "ghindar", "stejar tânăr").await;
    other.tap("main form .primary").await;
    is_told(&other, "nu se potrivesc").await;
    other.tap("#register").await;
    is_told(&other, "altcineva").await;
    other.write(PASSPHRASE, "stejar bătrân").await;
    other.tap("main form .primary").await;
    other.shows(".past").await;
    other.tap(".past").await;
    other.shows("main.replay .strides").await;
    other.close().await;
}
