//! Reloads and lost networks in the middle of a trick.

use serde_json::json;

use crate::browser::{Browser, DESKTOP, PHONE};
use crate::page::PageState;
use crate::player::{By, Progress};
use crate::test_permit;
use crate::test_server::TestServer;

/// Plays until a trick lies on the table and it is the player's turn to play a card.
async fn play_into_a_trick(browser: &Browser, progress: &mut Progress) -> PageState {
    loop {
        let can_act = |state: &PageState| {
            state.card_asked || !state.bids.is_empty() || state.next_deal || state.record.is_some()
        };
        let state = browser.wait_for_state("no action is possible", can_act).await;
        assert!(state.record.is_none(), "the match is over");
        if state.card_asked && state.trick > 0 {
            return state;
        }
        browser.play_step(By::Pointer, progress).await;
    }
}

fn cards(state: &PageState) -> Vec<(u32, bool)> {
    state.hand.iter().map(|held| (held.card, held.forbidden)).collect()
}

#[tokio::test]
async fn a_reload_shows_the_same_trick() {
    let _permit = test_permit().await;
    let server = TestServer::open();
    let browser = Browser::open(&server.url, PHONE).await;
    browser.sit_among_bots("cruce4t-21").await;
    let mut progress = Progress::default();
    let before = play_into_a_trick(&browser, &mut progress).await;
    browser.reload().await;
    let after =
        browser.wait_for_state("the trick is not shown", |state| state.trick == before.trick).await;
    assert_eq!(cards(&after), cards(&before));
    assert_eq!(after.status, before.status);
    let played = progress.cards;
    while progress.cards < played + 3 {
        browser.play_step(By::Pointer, &mut progress).await;
    }
    browser.close().await;
}

/// Chromium keeps open sockets when it goes offline, so the test closes them itself.
pub(crate) const SOCKETS: &str = r"
window.sockets = [];
window.WebSocket = class extends WebSocket {
  constructor(...given) { super(...given); window.sockets.push(this); }
};";
pub(crate) const CUT: &str = "window.sockets.forEach((socket) => socket.close());";

pub(crate) async fn set_offline(browser: &Browser, offline: bool) {
    browser.devtools("Network.enable", json!({})).await;
    let conditions = json!({
        "offline": offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1,
    });
    browser.devtools("Network.emulateNetworkConditions", conditions).await;
}

/// A card that is played offline is on the table when the network is back.
#[tokio::test]
async fn a_lost_network_loses_no_card() {
    let _permit = test_permit().await;
    let server = TestServer::open();
    let mut browser = Browser::open(&server.url, DESKTOP).await;
    browser.ignore_errors("ERR_INTERNET_DISCONNECTED");
    browser.ignore_errors("WebSocket connection to");
    browser.store_settings(&[("cards", "once")]).await;
    let script = json!({ "source": SOCKETS });
    browser.devtools("Page.addScriptToEvaluateOnNewDocument", script).await;
    let table = browser.sit_among_bots("cruce4t-21").await;
    let mut progress = Progress::default();
    let before = play_into_a_trick(&browser, &mut progress).await;
    set_offline(&browser, true).await;
    browser.run(CUT, json!([])).await;
    browser.wait_for_state("no banner", |state| state.banner.is_some()).await;
    let legal = before.hand.iter().find(|held| !held.forbidden).expect("a legal card");
    browser.tap(&format!(".hand [data-card='{}']", legal.card)).await;
    set_offline(&browser, false).await;
    browser.wait_for_state("the banner stays", |state| state.banner.is_none()).await;
    let gone = |state: &PageState| !state.hand.iter().any(|held| held.card == legal.card);
    browser.wait_for_state("the card was lost", gone).await;
    let played = progress.cards;
    while progress.cards < played + 3 {
        browser.play_step(By::Pointer, &mut progress).await;
    }
    assert!(
        browser.run("return location.pathname;", json!([])).await == json!(format!("/t/{table}"))
    );
    browser.close().await;
}
