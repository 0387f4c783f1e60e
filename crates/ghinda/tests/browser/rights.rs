//! Pauses, removals, free seats and challenges at a table.

use serde_json::json;

use crate::accessibility::{axe, find_faults};
use crate::browser::{Browser, DESKTOP};
use crate::page::{ENTER, ESCAPE};
use crate::player::{By, Progress};
use crate::shared_tables::{invite, join};
use crate::test_permit;
use crate::test_server::TestServer;

/// The button of the window with the seats.
const TABLE: &str = ".tools button:nth-child(4)";

async fn check_accessible(browser: &Browser, place: &str) {
    let mut faults = Vec::new();
    find_faults(browser, &axe(), place, &mut faults).await;
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

async fn check_announced(browser: &Browser, what: &str) {
    let announced = format!(
        "document.querySelector('[role=status][aria-live]').textContent.includes({what:?})"
    );
    browser.wait_until(&format!("{what:?} is not announced"), &announced).await;
}

#[tokio::test]
async fn a_pause_is_requested_and_accepted() {
    let _permit = test_permit().await;
    let server = TestServer::open();
    let host = Browser::open(&server.url, DESKTOP).await;
    let link = invite(&host, "fieldset:nth-of-type(1) button:nth-of-type(1)").await;
    let client = join(&server, &link, "Bogdan").await;
    host.tap("#start").await;
    client.wait_for("main.table").await;
    host.tap(TABLE).await;
    host.tap("dialog[open] .pause").await;
    host.wait_until(
        "the page waits for no player",
        "document.querySelector('#pause')?.innerText.includes('Bogdan')",
    )
    .await;
    client.wait_for("#pause .primary").await;
    check_announced(&client, "Ana would like a pause").await;
    check_accessible(&client, "a pause is requested").await;
    // A player who declines goes on playing, and may still accept.
    client.tap("#pause .row button:nth-child(2)").await;
    client
        .wait_until(
            "the request stays",
            "!document.querySelector('#pause')?.getClientRects().length",
        )
        .await;
    client.press(&[], 'm').await;
    client.tap("dialog[open] .pause").await;
    for browser in [&host, &client] {
        browser
            .wait_until(
                "no pause",
                "document.querySelector('.status').innerText.includes('paused')",
            )
            .await;
        check_announced(browser, "The clocks stand still").await;
        browser.wait_until("a player can act", "!document.querySelector('.my-turn, .bids')").await;
    }
    check_accessible(&host, "the table is paused").await;
    host.tap(".asks .why .primary").await;
    let resumed = "!document.querySelector('.status').innerText.includes('paused')";
    client.wait_until("the pause does not end", resumed).await;
    let mut progress = Progress::default();
    let browsers = [host, client];
    let first = browsers[0].run("return !!document.querySelector('.bids');", json!([])).await;
    browsers[usize::from(first != json!(true))].play_step(By::Pointer, &mut progress).await;
    for browser in browsers {
        browser.close().await;
    }
}

#[tokio::test]
async fn the_host_removes_a_player_during_a_match() {
    let _permit = test_permit().await;
    let server = TestServer::open();
    let host = Browser::open(&server.url, DESKTOP).await;
    let link = invite(&host, "fieldset:nth-of-type(1) button:nth-of-type(3)").await;
    let client = join(&server, &link, "Bogdan").await;
    host.tap("#start").await;
    client.wait_for("main.table").await;
    client.tap(TABLE).await;
    client.wait_for("dialog[open] .seat-item").await;
    let rights = "!document.querySelector('.kick')?.getClientRects().length";
    client.wait_until("a player who is not the host may remove others", rights).await;
    host.tap(TABLE).await;
    // The host must confirm, also by keyboard.
    host.tap("dialog[open] .seat-item:nth-child(2) .kick").await;
    host.wait_until("no focus", "document.activeElement?.id === 'kick'").await;
    check_accessible(&host, "the host is about to remove a player").await;
    host.press(&[], ENTER).await;
    client
        .wait_until(
            "the removal is not shown",
            "document.body.innerText.includes('not at this table')",
        )
        .await;
    check_accessible(&client, "a player was removed").await;
    let bot = "document.querySelector('.seat-item:nth-child(2) select')?.getClientRects().length";
    host.wait_until("no bot has the seat", bot).await;
    host.press(&[], ESCAPE).await;
    host.wait_until(
        "the bot is not shown",
        "document.querySelectorAll('.seat .name .icon').length === 3",
    )
    .await;
    client.close().await;
    host.close().await;
}

#[tokio::test]
async fn a_spectator_is_marked_and_takes_the_seat_of_a_bot() {
    let _permit = test_permit().await;
    let server = TestServer::open();
    let host = Browser::open(&server.url, DESKTOP).await;
    host.go("/").await;
    host.wait_for("#play-now").await;
    let table = host.open_table("cruce2-21", true).await;
    host.go(&format!("/t/{table}")).await;
    host.tap(".seat-item.free .primary").await;
    host.tap("#start:not([disabled])").await;
    let spectator = Browser::open(&server.url, DESKTOP).await;
    spectator.store_settings(&[("name", "Bogdan")]).await;
    spectator.go("/lobby").await;
    spectator.tap(".listed").await;
    spectator.wait_for("#watching .primary").await;
    check_accessible(&spectator, "a spectator watches").await;
    spectator.tap("#watching .primary").await;
    spectator.tap("dialog[open] .seat-item:nth-child(2) .primary").await;
    spectator.wait_for(".hand .card").await;
    spectator
        .wait_until("the page still shows a spectator", "!document.querySelector('#watching')")
        .await;
    spectator.press(&[], ESCAPE).await;
    host.wait_until(
        "the new player is not shown",
        "document.querySelector('.felt').innerText.includes('Bogdan')",
    )
    .await;
    // Another spectator finds no free seat.
    let late = Browser::open(&server.url, DESKTOP).await;
    late.go(&format!("/t/{table}")).await;
    late.wait_for("#watching a.button").await;
    let full = "!document.querySelector('#watching .primary').getClientRects().length";
    late.wait_until("a seat is offered", full).await;
    for browser in [late, spectator, host] {
        browser.close().await;
    }
}

/// By keyboard alone. The bots break no duty, so the challenge fails, and all pages show it.
#[tokio::test]
async fn a_card_is_challenged_at_an_honour_table() {
    let _permit = test_permit().await;
    let server = TestServer::open();
    let browser = Browser::open(&server.url, DESKTOP).await;
    browser.sit_among_bots("cruce2-21-honour").await;
    let mut progress = Progress::default();
    let trick = "document.querySelector('.doubt')?.getClientRects().length > 0";
    while browser.run(&format!("return {trick};"), json!([])).await != json!(true) {
        browser.play_step(By::Keys, &mut progress).await;
    }
    browser.press(&[], 'c').await;
    browser.wait_for("dialog[open] .doubted").await;
    browser.tab_to(".doubted:not(.barred)").await;
    browser.press(&[], ENTER).await;
    browser
        .wait_until("no confirmation is requested", "document.activeElement?.id === 'challenge'")
        .await;
    check_accessible(&browser, "a card is challenged").await;
    browser.press(&[], ENTER).await;
    browser.wait_for("#judged").await;
    check_announced(&browser, "Wrongly").await;
    // A reload still shows the result of the challenge.
    browser.reload().await;
    browser.wait_for("main.table").await;
    browser.tap(".doubt").await;
    browser.wait_for("dialog[open] .doubted small").await;
    browser.press(&[], ESCAPE).await;
    browser.wait_until("the window stays", "!document.querySelector('dialog[open]')").await;
    // The deal is played to its end and accepted, unless a bot challenges.
    let ended = "document.querySelector('#continue, .accept')";
    while browser.run(&format!("return !!{ended};"), json!([])).await != json!(true) {
        if browser.state().await.card_asked {
            browser.play_step(By::Pointer, &mut progress).await;
        }
    }
    if browser.run("return !!document.querySelector('.accept');", json!([])).await == json!(true) {
        browser.tap(".accept").await;
    }
    browser.wait_for("#continue").await;
    browser.close().await;
}
