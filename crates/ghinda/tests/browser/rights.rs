//! What people may ask of each other at a table: a pause, a seat, an answer to a doubt.

use serde_json::json;

use crate::browser::{Browser, DESK};
use crate::company::{invite, join};
use crate::eyes::{axe, judge};
use crate::page::{ENTER, ESCAPE};
use crate::player::{By, Met};
use crate::test_server::TestServer;
use crate::turn;

/// The button of the window with the seats.
const TABLE: &str = ".tools button:nth-child(4)";

async fn is_for_everybody(browser: &Browser, place: &str) {
    let mut faults = Vec::new();
    judge(browser, &axe(), place, &mut faults).await;
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

async fn hears(browser: &Browser, what: &str) {
    let heard = format!(
        "document.querySelector('[role=status][aria-live]').textContent.includes({what:?})"
    );
    browser.until(&format!("{what:?} is not said"), &heard).await;
}

#[tokio::test]
async fn a_pause_is_asked_for_and_agreed_to() {
    let _turn = turn().await;
    let server = TestServer::open();
    let host = Browser::open(&server.url, DESK).await;
    let link = invite(&host, "fieldset:nth-of-type(1) button:nth-of-type(1)").await;
    let client = join(&server, &link, "Bogdan").await;
    host.tap("#start").await;
    client.shows("main.table").await;
    host.tap(TABLE).await;
    host.tap("dialog[open] .pause").await;
    host.until(
        "nobody is awaited",
        "document.querySelector('#pause')?.innerText.includes('Bogdan')",
    )
    .await;
    client.shows("#pause .primary").await;
    hears(&client, "Ana would like a pause").await;
    is_for_everybody(&client, "somebody asks for a pause").await;
    // Whoever does not want it goes on playing, and may still agree.
    client.tap("#pause .row button:nth-child(2)").await;
    client.until("it stays", "!document.querySelector('#pause')?.getClientRects().length").await;
    client.press(&[], 'm').await;
    client.tap("dialog[open] .pause").await;
    for browser in [&host, &client] {
        browser
            .until("no pause", "document.querySelector('.status').innerText.includes('paused')")
            .await;
        hears(browser, "The clocks stand still").await;
        browser.until("somebody is asked", "!document.querySelector('.my-turn, .bids')").await;
    }
    is_for_everybody(&host, "the table is paused").await;
    host.tap(".asks .why .primary").await;
    let goes_on = "!document.querySelector('.status').innerText.includes('paused')";
    client.until("the pause has no end", goes_on).await;
    let mut met = Met::default();
    let browsers = [host, client];
    let first = browsers[0].run("return !!document.querySelector('.bids');", json!([])).await;
    browsers[usize::from(first != json!(true))].play_one(By::Pointer, &mut met).await;
    for browser in browsers {
        browser.close().await;
    }
}

#[tokio::test]
async fn the_host_sends_somebody_away_in_mid_match() {
    let _turn = turn().await;
    let server = TestServer::open();
    let host = Browser::open(&server.url, DESK).await;
    let link = invite(&host, "fieldset:nth-of-type(1) button:nth-of-type(3)").await;
    let client = join(&server, &link, "Bogdan").await;
    host.tap("#start").await;
    client.shows("main.table").await;
    client.tap(TABLE).await;
    client.shows("dialog[open] .chair").await;
    let rights = "!document.querySelector('.send-away')?.getClientRects().length";
    client.until("a guest may send away", rights).await;
    host.tap(TABLE).await;
    // The host is asked whether he means it, by keyboard as well.
    host.tap("dialog[open] .chair:nth-child(2) .send-away").await;
    host.until("no focus", "document.activeElement?.id === 'send-away'").await;
    is_for_everybody(&host, "the host is about to send somebody away").await;
    host.press(&[], ENTER).await;
    client.until("nothing is said", "document.body.innerText.includes('not at this table')").await;
    is_for_everybody(&client, "somebody was sent away").await;
    let bot = "document.querySelector('.chair:nth-child(2) select')?.getClientRects().length";
    host.until("no bot has the seat", bot).await;
    host.press(&[], ESCAPE).await;
    host.until(
        "the bot is not seen",
        "document.querySelectorAll('.seat .name .icon').length === 3",
    )
    .await;
    client.close().await;
    host.close().await;
}

#[tokio::test]
async fn a_watcher_is_told_so_and_takes_the_seat_of_a_bot() {
    let _turn = turn().await;
    let server = TestServer::open();
    let host = Browser::open(&server.url, DESK).await;
    host.go("/").await;
    host.shows("#play-now").await;
    let table = host.open_table("cruce2-21", true).await;
    host.go(&format!("/t/{table}")).await;
    host.tap(".chair.free .primary").await;
    host.tap("#start:not([disabled])").await;
    let watcher = Browser::open(&server.url, DESK).await;
    watcher.keep(&[("name", "Bogdan")]).await;
    watcher.go("/lobby").await;
    watcher.tap(".listed").await;
    watcher.shows("#watching .primary").await;
    is_for_everybody(&watcher, "somebody watches").await;
    watcher.tap("#watching .primary").await;
    watcher.tap("dialog[open] .chair:nth-child(2) .primary").await;
    watcher.shows(".hand .card").await;
    watcher.until("he still watches", "!document.querySelector('#watching')").await;
    watcher.press(&[], ESCAPE).await;
    host.until("he is not seen", "document.querySelector('.felt').innerText.includes('Bogdan')")
        .await;
    // Another one finds no seat, and can only look on.
    let late = Browser::open(&server.url, DESK).await;
    late.go(&format!("/t/{table}")).await;
    late.shows("#watching a.button").await;
    let full = "!document.querySelector('#watching .primary').getClientRects().length";
    late.until("there is no seat", full).await;
    for browser in [late, watcher, host] {
        browser.close().await;
    }
}

/// By keyboard alone; our bots break no duty, so the challenge is wrong, and all are told.
#[tokio::test]
async fn a_card_is_challenged_at_an_honour_table() {
    let _turn = turn().await;
    let server = TestServer::open();
    let browser = Browser::open(&server.url, DESK).await;
    browser.sit_among_bots("cruce2-21-honour").await;
    let mut met = Met::default();
    let trick = "document.querySelector('.doubt')?.getClientRects().length > 0";
    while browser.run(&format!("return {trick};"), json!([])).await != json!(true) {
        browser.play_one(By::Keys, &mut met).await;
    }
    browser.press(&[], 'c').await;
    browser.shows("dialog[open] .doubted").await;
    browser.tab_to(".doubted:not(.barred)").await;
    browser.press(&[], ENTER).await;
    browser.until("nothing is asked", "document.activeElement?.id === 'challenge'").await;
    is_for_everybody(&browser, "a card is challenged").await;
    browser.press(&[], ENTER).await;
    browser.shows("#judged").await;
    hears(&browser, "Wrongly").await;
    // What was judged is known to whoever comes back.
    browser.reload().await;
    browser.shows("main.table").await;
    browser.tap(".doubt").await;
    browser.shows("dialog[open] .doubted small").await;
    browser.press(&[], ESCAPE).await;
    browser.until("the window stays", "!document.querySelector('dialog[open]')").await;
    // The deal is played to its end: it is accepted, unless a bot has a reason to challenge.
    let ended = "document.querySelector('#continue, .accept')";
    while browser.run(&format!("return !!{ended};"), json!([])).await != json!(true) {
        if browser.sight().await.card_asked {
            browser.play_one(By::Pointer, &mut met).await;
        }
    }
    if browser.run("return !!document.querySelector('.accept');", json!([])).await == json!(true) {
        browser.tap(".accept").await;
    }
    browser.shows("#continue").await;
    browser.close().await;
}
