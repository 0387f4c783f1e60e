//! Several people at one table, each in their own browser or in a terminal.

use std::cell::Cell;
use std::time::Duration;

use serde_json::json;
use test_support::folder::TempFolder;

use crate::browser::{Browser, DESKTOP, PHONE};
use crate::player::{By, Progress};
use crate::pty::Pty;
use crate::test_permit;
use crate::test_server::TestServer;

/// Opens a table on the page for friends, and returns its link.
pub(crate) async fn invite(host: &Browser, game: &str) -> String {
    host.go("/friends").await;
    host.write("input[autocomplete=nickname]", "Ana").await;
    host.tap(game).await;
    host.tap("button[type=submit]").await;
    host.wait_until("no link", "document.querySelector('#link')?.value.includes('#')").await;
    host.wait_until("the host has no seat", "document.querySelector('.seat-item.mine')").await;
    let link = host.run("return document.querySelector('#link').value;", json!([])).await;
    let link = link.as_str().expect("a link").to_owned();
    link.strip_prefix(&host.home).expect("a link to this server").to_owned()
}

/// Opens a link and takes the first free seat.
pub(crate) async fn join(server: &TestServer, link: &str, name: &str) -> Browser {
    let kind = if name == "Dana" { PHONE } else { DESKTOP };
    let client = Browser::open(&server.url, kind).await;
    client.store_settings(&[("name", name)]).await;
    client.go(link).await;
    client.tap(".seat-item.free .primary").await;
    client.wait_until("the player has no seat", "document.querySelector('.seat-item.mine')").await;
    client
}

/// Plays a match in all browsers, and returns the address of its record.
async fn play_together(browsers: &[Browser]) -> String {
    let matches = browsers.iter().map(|browser| browser.play_match(By::Pointer));
    let played = futures_util::future::join_all(matches).await;
    let records: Vec<&String> = played.iter().map(|(_, record)| record).collect();
    assert!(records.windows(2).all(|pair| pair[0] == pair[1]), "{records:?}");
    records[0].clone()
}

/// Takes a seat at a new table with these rules, and returns its link.
async fn short_table(server: &TestServer, host: &Browser, rules: &str) -> String {
    host.go("/").await;
    host.wait_for("#play-now").await;
    let table = host.open_table(rules, false).await;
    host.go(&format!("/t/{table}")).await;
    host.tap(".seat-item.free .primary").await;
    host.wait_until("no link", "document.querySelector('#link')?.value.includes('#')").await;
    let link = host.run("return document.querySelector('#link').value;", json!([])).await;
    link.as_str().expect("a link").replace(&server.url, "")
}

#[tokio::test]
async fn two_friends_play_by_link() {
    let _permit = test_permit().await;
    let server = TestServer::open();
    let host = Browser::open(&server.url, DESKTOP).await;
    let link = short_table(&server, &host, "cruce2-1-m1").await;
    let client = join(&server, &link, "Bogdan").await;
    // The key is removed from the address after its use.
    client.wait_until("the key is in the address", "location.hash === ''").await;
    host.wait_until("the new player is not shown", "document.body.innerText.includes('Bogdan')")
        .await;
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
    let _permit = test_permit().await;
    let server = TestServer::open();
    let host = Browser::open(&server.url, DESKTOP).await;
    host.store_settings(&[("name", "Ana")]).await;
    let link = short_table(&server, &host, "cruce2-1-m1").await;
    let link = format!("{}{link}", server.url);
    let (folder, spectator_folder) = (TempFolder::create(), TempFolder::create());
    let args = ["join", &link, "--name", "Zoe", "--lang", "ro"];
    let mut zoe = Pty::ghinda((80, 24), folder.path(), &args);
    let spectator =
        Pty::ghinda((100, 30), spectator_folder.path(), &["watch", &link, "--lang", "en"]);
    host.wait_until("the terminal player is not shown", "document.body.innerText.includes('Zoe')")
        .await;
    spectator.wait_for("Zoe");
    host.tap("#start").await;
    let plays = tokio::task::spawn_blocking(move || {
        zoe.play_until("Încă un joc");
        zoe
    });
    let (_, record) = host.play_match(By::Pointer).await;
    let mut zoe = plays.await.expect("a thread");
    let record = host.fetch(&record).await;
    TestServer::verify(&record);
    // Both terminals show the winner of the record.
    let winner = match record.lines().last() {
        Some("won 1") => "Ana",
        Some("won 2") => "Zoe",
        other => panic!("{other:?}"),
    };
    zoe.wait_for(&format!("{winner} a câștigat jocul."));
    spectator.wait_for(&format!("{winner} has won the match."));
    zoe.press("q\r");
    assert!(zoe.wait_for_end().success());
    host.close().await;
}

#[tokio::test]
async fn four_friends_play_by_link_and_chat() {
    let _permit = test_permit().await;
    let server = TestServer::open();
    let host = Browser::open(&server.url, DESKTOP).await;
    let link = invite(&host, "fieldset:nth-of-type(1) button:nth-of-type(3)").await;
    let mut browsers = vec![host];
    for name in ["Bogdan", "Călin", "Dana"] {
        browsers.push(join(&server, &link, name).await);
    }
    browsers[0]
        .wait_until("a seat is still free", "!document.querySelector('.seat-item.free')")
        .await;
    browsers[0].tap("#start").await;
    // Every player plays a few cards.
    let mut progress: Vec<Progress> = Vec::new();
    progress.resize_with(4, Progress::default);
    let playing = browsers.iter().zip(&mut progress).map(|(browser, progress)| async move {
        while progress.cards < 6 {
            browser.play_step(By::Pointer, progress).await;
        }
    });
    futures_util::future::join_all(playing).await;
    let [ana, bogdan, ..] = &browsers[..] else { unreachable!() };
    ana.wait_for("#continue").await;
    ana.tap(".tools button:nth-child(3)").await;
    ana.tap("dialog[open] .quick button").await;
    bogdan.tap(".tools button:nth-child(3)").await;
    bogdan
        .wait_until("the message is not shown", "document.querySelector('dialog[open] .said li')")
        .await;
    for browser in browsers {
        browser.close().await;
    }
}

/// A bot stands in for a player who is gone, and the player takes the seat back.
#[tokio::test]
async fn a_bot_stands_in_for_a_closed_browser() {
    let _permit = test_permit().await;
    let server = TestServer::open();
    let host = Browser::open(&server.url, DESKTOP).await;
    let link = invite(&host, "fieldset:nth-of-type(1) button:nth-of-type(3)").await;
    let table = link.split_once('#').expect("a key").0.to_owned();
    let client = join(&server, &link, "Bogdan").await;
    host.tap("#start").await;
    client.wait_for("main.table").await;
    host.wait_for("main.table").await;
    let cookies = host.devtools("Network.getAllCookies", json!({})).await["cookies"].clone();
    host.close().await;
    let mut progress = Progress::default();
    // The player has half a minute to come back; the others may have to wait.
    const STAND_IN_WAIT: Duration = Duration::from_secs(28);
    let playing = async {
        while progress.deals == 0 {
            client.play_step(By::Pointer, &mut progress).await;
        }
    };
    let _ = tokio::join!(
        tokio::time::sleep(STAND_IN_WAIT),
        tokio::time::timeout(STAND_IN_WAIT, playing)
    );
    client.wait_for(".stand-in").await;
    let again = Browser::open(&server.url, DESKTOP).await;
    for cookie in cookies.as_array().expect("cookies") {
        let cookie = json!({
            "name": cookie["name"], "value": cookie["value"], "url": server.url, "httpOnly": true,
        });
        again.devtools("Network.setCookie", cookie).await;
    }
    again.go(&table).await;
    again.wait_for("main.table").await;
    // The seat is taken back at once or with a button.
    let mine = "document.querySelector('.asks .why .primary')";
    if again.run(&format!("return !!{mine};"), json!([])).await == json!(true) {
        again.tap(".asks .why .primary").await;
    }
    again.wait_until("the bot stays", &format!("!{mine}")).await;
    client.wait_until("the bot stays", "!document.querySelector('.stand-in')").await;
    let browsers = [again, client];
    // Both browsers play until both have played: one alone would wait for the other.
    let done = [Cell::new(0), Cell::new(0)];
    let playing = browsers.iter().zip(&done).map(|(browser, done)| async move {
        let mut progress = Progress::default();
        while progress.deals < 9 {
            browser.play_step(By::Pointer, &mut progress).await;
            done.set(progress.cards + progress.deals);
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

/// A spectator sees the cards on the table, and no hand.
#[tokio::test]
async fn a_spectator_sees_no_hidden_card() {
    let _permit = test_permit().await;
    let server = TestServer::with_bots_of(150);
    let host = Browser::open(&server.url, DESKTOP).await;
    host.go("/").await;
    host.wait_for("#play-now").await;
    let table = host.open_table("cruce4t-21", true).await;
    host.go(&format!("/t/{table}")).await;
    host.tap(".seat-item.free .primary").await;
    host.tap("#start:not([disabled])").await;
    host.wait_for("main.table").await;
    let spectator = Browser::open(&server.url, DESKTOP).await;
    spectator.go("/lobby").await;
    spectator.tap(".listed").await;
    spectator.wait_for("main.table").await;
    let mut progress = Progress::default();
    let mut open_cards = 0;
    while progress.cards < 6 {
        // Every card face in the spectator's page lies open on the table.
        const FACES: &str = r"
            const name = (use) => use.getAttribute('href');
            const faces = [...document.querySelectorAll('main use')].map(name);
            const open = [...document.querySelectorAll('.trick use, .taken use, .shown use, .turned use')];
            const isCard = (name) => /^#(de|fr)-(small-)?[^-]{2}$/.test(name);
            return [faces.filter(isCard).length, open.map(name).filter(isCard).length,
              document.querySelectorAll('.hand .card').length];";
        let seen = spectator.run(FACES, json!([])).await;
        assert_eq!(seen[0], seen[1], "a hidden card is shown");
        assert_eq!(seen[2], json!(0), "a hand is shown");
        open_cards = open_cards.max(seen[1].as_u64().expect("a number"));
        host.play_step(By::Pointer, &mut progress).await;
    }
    assert!(open_cards > 0, "no card was ever shown");
    assert!(
        spectator.run("return !document.querySelector('.bids');", json!([])).await == json!(true)
    );
    spectator.close().await;
    host.close().await;
}

/// A player whom the host removes sees that, and a link to the home page.
#[tokio::test]
async fn a_removed_player_cannot_return_by_the_link() {
    let _permit = test_permit().await;
    let server = TestServer::open();
    let host = Browser::open(&server.url, DESKTOP).await;
    let link = invite(&host, "fieldset:nth-of-type(2) button:nth-of-type(1)").await;
    let mut client = join(&server, &link, "Bogdan").await;
    host.tap(".seat-item:nth-child(2) .kick").await;
    host.tap("#kick").await;
    client
        .wait_until(
            "the removal is not shown",
            "document.body.innerText.includes('not at this table')",
        )
        .await;
    client.tap("main a.button").await;
    client.wait_for("#play-now").await;
    // The link does not work any more.
    client.ignore_errors("/enter");
    client.go(&link).await;
    client.wait_until("the link works", "document.querySelector('main h1')").await;
    client.wait_for("main a.button").await;
    client.close().await;
    host.close().await;
}
