//! Several people at one table, each in a browser of his own, or in a terminal.

use std::cell::Cell;
use std::time::Duration;

use serde_json::json;
use test_support::folder::Folder;

use crate::browser::{Browser, DESK, PHONE};
use crate::player::{By, Met};
use crate::pty::Pty;
use crate::test_server::TestServer;
use crate::turn;

/// Opens a table on the page for friends, and says the link that it shows.
pub(crate) async fn invite(host: &Browser, game: &str) -> String {
    host.go("/friends").await;
    host.write("input[autocomplete=nickname]", "Ana").await;
    host.tap(game).await;
    host.tap("button[type=submit]").await;
    host.until("no link", "document.querySelector('#link')?.value.includes('#')").await;
    host.until("nobody sits", "document.querySelector('.chair.mine')").await;
    let link = host.run("return document.querySelector('#link').value;", json!([])).await;
    let link = link.as_str().expect("a link").to_owned();
    link.strip_prefix(&host.home).expect("a link to this server").to_owned()
}

/// Comes by a link and sits down on the first free seat.
pub(crate) async fn join(server: &TestServer, link: &str, name: &str) -> Browser {
    let kind = if name == "Dana" { PHONE } else { DESK };
    let client = Browser::open(&server.url, kind).await;
    client.keep(&[("name", name)]).await;
    client.go(link).await;
    client.tap(".chair.free .primary").await;
    client.until("nobody sits", "document.querySelector('.chair.mine')").await;
    client
}

/// The record of the match, after everybody has played his cards.
async fn play_together(browsers: &[Browser]) -> String {
    let everybody = browsers.iter().map(|browser| browser.play_match(By::Pointer));
    let played = futures_util::future::join_all(everybody).await;
    let records: Vec<&String> = played.iter().map(|(_, record)| record).collect();
    assert!(records.windows(2).all(|pair| pair[0] == pair[1]), "{records:?}");
    records[0].clone()
}

/// Sits down at a new table with these rules, and says its link.
async fn short_table(server: &TestServer, host: &Browser, rules: &str) -> String {
    host.go("/").await;
    host.shows("#play-now").await;
    let table = host.open_table(rules, false).await;
    host.go(&format!("/t/{table}")).await;
    host.tap(".chair.free .primary").await;
    host.until("no link", "document.querySelector('#link')?.value.includes('#')").await;
    let link = host.run("return document.querySelector('#link').value;", json!([])).await;
    link.as_str().expect("a link").replace(&server.url, "")
}

#[tokio::test]
async fn two_friends_play_by_link() {
    let _turn = turn().await;
    let server = TestServer::open();
    let host = Browser::open(&server.url, DESK).await;
    let link = short_table(&server, &host, "cruce2-1-m1").await;
    let client = join(&server, &link, "Bogdan").await;
    // The key is used once and then hidden.
    client.until("the key is in the address", "location.hash === ''").await;
    host.until("the guest is not seen", "document.body.innerText.includes('Bogdan')").await;
    host.tap("#start").await;
    let browsers = [host, client];
    let record = play_together(&browsers).await;
    TestServer::verify(&browsers[1].fetch(&record).await);
    for browser in browsers {
        browser.close().await;
    }
}

#[tokio::test]
async fn a_terminal_and_a_browser_finish_a_match() {
    let _turn = turn().await;
    let server = TestServer::open();
    let host = Browser::open(&server.url, DESK).await;
    host.keep(&[("name", "Ana")]).await;
    let link = short_table(&server, &host, "cruce2-1-m1").await;
    let link = format!("{}{link}", server.url);
    let (folder, watches) = (Folder::fresh(), Folder::fresh());
    let args = ["join", &link, "--name", "Zoe", "--lang", "ro"];
    let mut zoe = Pty::ghinda((80, 24), folder.path(), &args);
    let eyes = Pty::ghinda((100, 30), watches.path(), &["watch", &link, "--lang", "en"]);
    host.until("the terminal is not seen", "document.body.innerText.includes('Zoe')").await;
    eyes.wait_for("Zoe");
    host.tap("#start").await;
    let plays = tokio::task::spawn_blocking(move || {
        zoe.play_until("Încă un joc");
        zoe
    });
    let (_, record) = host.play_match(By::Pointer).await;
    let mut zoe = plays.await.expect("a thread");
    let record = host.fetch(&record).await;
    TestServer::verify(&record);
    // Whom the record calls the winner, both terminals do.
    let winner = match record.lines().last() {
        Some("won 1") => "Ana",
        Some("won 2") => "Zoe",
        other => panic!("{other:?}"),
    };
    zoe.wait_for(&format!("{winner} a câștigat jocul."));
    eyes.wait_for(&format!("{winner} has won the match."));
    zoe.press("q\r");
    assert!(zoe.ended().success());
    host.close().await;
}

#[tokio::test]
async fn four_friends_play_by_link_and_talk() {
    let _turn = turn().await;
    let server = TestServer::open();
    let host = Browser::open(&server.url, DESK).await;
    let link = invite(&host, "fieldset:nth-of-type(1) button:nth-of-type(3)").await;
    let mut browsers = vec![host];
    for name in ["Bogdan", "Călin", "Dana"] {
        browsers.push(join(&server, &link, name).await);
    }
    browsers[0].until("not everybody sits", "!document.querySelector('.chair.free')").await;
    browsers[0].tap("#start").await;
    // A few cards of everybody, each when it is his turn.
    let mut met: Vec<Met> = Vec::new();
    met.resize_with(4, Met::default);
    let playing = browsers.iter().zip(&mut met).map(|(browser, met)| async move {
        while met.cards < 6 {
            browser.play_one(By::Pointer, met).await;
        }
    });
    futures_util::future::join_all(playing).await;
    let [ana, bogdan, ..] = &browsers[..] else { unreachable!() };
    ana.shows("#continue").await;
    ana.tap(".tools button:nth-child(3)").await;
    ana.tap("dialog[open] .quick button").await;
    bogdan.tap(".tools button:nth-child(3)").await;
    bogdan.until("it is not heard", "document.querySelector('dialog[open] .said li')").await;
    for browser in browsers {
        browser.close().await;
    }
}

/// A bot stands in for somebody who is gone, and he takes his seat back.
#[tokio::test]
async fn a_bot_stands_in_for_a_closed_browser() {
    let _turn = turn().await;
    let server = TestServer::open();
    let host = Browser::open(&server.url, DESK).await;
    let link = invite(&host, "fieldset:nth-of-type(1) button:nth-of-type(3)").await;
    let table = link.split_once('#').expect("a key").0.to_owned();
    let client = join(&server, &link, "Bogdan").await;
    host.tap("#start").await;
    client.shows("main.table").await;
    host.shows("main.table").await;
    let cookies = host.devtools("Network.getAllCookies", json!({})).await["cookies"].clone();
    host.close().await;
    let mut met = Met::default();
    // Half a minute is his to come back in; the others may have to wait for him.
    const NEARLY: Duration = Duration::from_secs(28);
    let playing = async {
        while met.deals == 0 {
            client.play_one(By::Pointer, &mut met).await;
        }
    };
    let _ = tokio::join!(tokio::time::sleep(NEARLY), tokio::time::timeout(NEARLY, playing));
    client.shows(".stand-in").await;
    let again = Browser::open(&server.url, DESK).await;
    for cookie in cookies.as_array().expect("cookies") {
        let cookie = json!({
            "name": cookie["name"], "value": cookie["value"], "url": server.url, "httpOnly": true,
        });
        again.devtools("Network.setCookie", cookie).await;
    }
    again.go(&table).await;
    again.shows("main.table").await;
    // Either he has it back already, or a button says that it is his.
    let mine = "document.querySelector('.asks .why .primary')";
    if again.run(&format!("return !!{mine};"), json!([])).await == json!(true) {
        again.tap(".asks .why .primary").await;
    }
    again.until("the bot stays", &format!("!{mine}")).await;
    client.until("the bot stays", "!document.querySelector('.stand-in')").await;
    let browsers = [again, client];
    // Both go on until both have played: one alone would wait for the other.
    let done = [Cell::new(0), Cell::new(0)];
    let playing = browsers.iter().zip(&done).map(|(browser, done)| async move {
        let mut met = Met::default();
        while met.deals < 9 {
            browser.play_one(By::Pointer, &mut met).await;
            done.set(met.cards + met.deals);
        }
    });
    let both = async {
        while done.iter().any(|done| done.get() < 3) {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::select! {
        () = both => {}
        _ = futures_util::future::join_all(playing) => {}
    }
    for browser in browsers {
        browser.close().await;
    }
}

/// Somebody who watches sees what lies on the table, and no hand.
#[tokio::test]
async fn a_spectator_sees_no_hidden_card() {
    let _turn = turn().await;
    let server = TestServer::with_bots_of(150);
    let host = Browser::open(&server.url, DESK).await;
    host.go("/").await;
    host.shows("#play-now").await;
    let table = host.open_table("cruce4t-21", true).await;
    host.go(&format!("/t/{table}")).await;
    host.tap(".chair.free .primary").await;
    host.tap("#start:not([disabled])").await;
    host.shows("main.table").await;
    let watcher = Browser::open(&server.url, DESK).await;
    watcher.go("/lobby").await;
    watcher.tap(".listed").await;
    watcher.shows("main.table").await;
    let mut met = Met::default();
    let mut lay = 0;
    while met.cards < 6 {
        // Every picture of a card in the watcher's page lies open on the table.
        const FACES: &str = r"
            const name = (use) => use.getAttribute('href');
            const faces = [...document.querySelectorAll('main use')].map(name);
            const open = [...document.querySelectorAll('.trick use, .taken use, .shown use, .turned use')];
            const isCard = (name) => /^#(de|fr)-(small-)?[^-]{2}$/.test(name);
            return [faces.filter(isCard).length, open.map(name).filter(isCard).length,
              document.querySelectorAll('.hand .card').length];";
        let seen = watcher.run(FACES, json!([])).await;
        assert_eq!(seen[0], seen[1], "a card that does not lie open");
        assert_eq!(seen[2], json!(0), "a hand");
        lay = lay.max(seen[1].as_u64().expect("a number"));
        host.play_one(By::Pointer, &mut met).await;
    }
    assert!(lay > 0, "no card was ever seen");
    assert!(
        watcher.run("return !document.querySelector('.bids');", json!([])).await == json!(true)
    );
    watcher.close().await;
    host.close().await;
}

/// Somebody whom the host sends away sees that, and a way on.
#[tokio::test]
async fn a_seat_can_be_taken_back() {
    let _turn = turn().await;
    let server = TestServer::open();
    let host = Browser::open(&server.url, DESK).await;
    let link = invite(&host, "fieldset:nth-of-type(2) button:nth-of-type(1)").await;
    let mut client = join(&server, &link, "Bogdan").await;
    host.tap(".chair:nth-child(2) .send-away").await;
    host.tap("#send-away").await;
    client.until("nothing is said", "document.body.innerText.includes('not at this table')").await;
    client.tap("main a.button").await;
    client.shows("#play-now").await;
    // The link does not lead back.
    client.excuse("/enter");
    client.go(&link).await;
    client.until("the link works", "document.querySelector('main h1')").await;
    client.shows("main a.button").await;
    client.close().await;
    host.close().await;
}
