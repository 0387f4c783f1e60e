//! Links and addresses that lead nowhere say so, each in its own words and with a way on.

use crate::browser::{Browser, DESK};
use crate::house::House;
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
    let house = House::open();
    let host = Browser::open(&house.url, DESK).await;
    host.go("/").await;
    host.shows("#play-now").await;
    let table = host.open_table("whist3", false).await;
    let mut browser = Browser::open(&house.url, DESK).await;
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
    let house = House::open();
    let mut browser = Browser::open(&house.url, DESK).await;
    browser.excuse("/weather");
    browser.go("/weather").await;
    browser.tap("main a.button").await;
    browser.shows("#play-now").await;
    browser.close().await;
}
