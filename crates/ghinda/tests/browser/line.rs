//! The page that is loaded again, and the network that is lost, both in the middle of a trick.

use serde_json::json;

use crate::browser::{Browser, DESK, PHONE};
use crate::page::Sight;
use crate::player::{By, Met};
use crate::test_server::TestServer;
use crate::turn;

/// Plays until a trick lies on the table and a card is asked for.
async fn to_the_middle_of_a_trick(browser: &Browser, met: &mut Met) -> Sight {
    loop {
        let asked = |sight: &Sight| {
            sight.card_asked || !sight.bids.is_empty() || sight.next_deal || sight.record.is_some()
        };
        let sight = browser.sees("nothing can be done", asked).await;
        assert!(sight.record.is_none(), "the match is over");
        if sight.card_asked && sight.trick > 0 {
            return sight;
        }
        browser.play_one(By::Pointer, met).await;
    }
}

fn cards(sight: &Sight) -> Vec<(u32, bool)> {
    sight.hand.iter().map(|held| (held.card, held.forbidden)).collect()
}

#[tokio::test]
async fn a_page_loaded_again_shows_the_same_trick() {
    let _turn = turn().await;
    let server = TestServer::open();
    let browser = Browser::open(&server.url, PHONE).await;
    browser.sit_among_bots("cruce4t-21").await;
    let mut met = Met::default();
    let before = to_the_middle_of_a_trick(&browser, &mut met).await;
    browser.reload().await;
    let after = browser.sees("the trick is gone", |sight| sight.trick == before.trick).await;
    assert_eq!(cards(&after), cards(&before));
    assert_eq!(after.status, before.status);
    let played = met.cards;
    while met.cards < played + 3 {
        browser.play_one(By::Pointer, &mut met).await;
    }
    browser.close().await;
}

/// Chromium lets a socket live that was open before the network went; so we cut it as a network does.
pub(crate) const SOCKETS: &str = r"
window.sockets = [];
window.WebSocket = class extends WebSocket {
  constructor(...given) { super(...given); window.sockets.push(this); }
};";
pub(crate) const CUT: &str = "window.sockets.forEach((socket) => socket.close());";

pub(crate) async fn network(browser: &Browser, offline: bool) {
    browser.devtools("Network.enable", json!({})).await;
    let conditions = json!({
        "offline": offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1,
    });
    browser.devtools("Network.emulateNetworkConditions", conditions).await;
}

/// The card that is played while nobody answers is on the table when the network is back.
#[tokio::test]
async fn a_network_that_is_lost_costs_nothing() {
    let _turn = turn().await;
    let server = TestServer::open();
    let mut browser = Browser::open(&server.url, DESK).await;
    browser.excuse("ERR_INTERNET_DISCONNECTED");
    browser.excuse("WebSocket connection to");
    browser.keep(&[("cards", "once")]).await;
    let script = json!({ "source": SOCKETS });
    browser.devtools("Page.addScriptToEvaluateOnNewDocument", script).await;
    let table = browser.sit_among_bots("cruce4t-21").await;
    let mut met = Met::default();
    let before = to_the_middle_of_a_trick(&browser, &mut met).await;
    network(&browser, true).await;
    browser.run(CUT, json!([])).await;
    browser.sees("no banner", |sight| sight.banner.is_some()).await;
    let legal = before.hand.iter().find(|held| !held.forbidden).expect("a legal card");
    browser.tap(&format!(".hand [data-card='{}']", legal.card)).await;
    network(&browser, false).await;
    browser.sees("the banner stays", |sight| sight.banner.is_none()).await;
    let gone = |sight: &Sight| !sight.hand.iter().any(|held| held.card == legal.card);
    browser.sees("the card was lost", gone).await;
    let played = met.cards;
    while met.cards < played + 3 {
        browser.play_one(By::Pointer, &mut met).await;
    }
    assert!(
        browser.run("return location.pathname;", json!([])).await == json!(format!("/t/{table}"))
    );
    browser.close().await;
}
