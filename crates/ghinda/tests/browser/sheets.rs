//! Score sheets of real tables: whole matches written on one phone without a server and on several
//! phones with one.

use serde_json::json;

use crate::browser::{Browser, DESKTOP, PHONE};
use crate::page::TAB;
use crate::reconnect::{CUT, SOCKETS, set_offline};
use crate::test_permit;
use crate::test_server::TestServer;

const NAMES: [&str; 4] = ["Ana", "Bogdan", "Călin", "Dana"];

/// The totals at the foot of the sheet.
async fn totals(browser: &Browser) -> Vec<String> {
    let script =
        "return [...document.querySelectorAll('.ruled .totals td')].map((td) => td.textContent);";
    let found = browser.run(script, json!([])).await;
    serde_json::from_value(found).expect("texts")
}

async fn check_totals(browser: &Browser, wanted: &[&str]) {
    let script = format!(
        "[...document.querySelectorAll('.ruled .totals td')].map((td) => td.textContent).join() === {:?}",
        wanted.join(",")
    );
    browser.wait_until(&format!("the scores are not {wanted:?}"), &script).await;
}

async fn check_text(browser: &Browser, found: &str, words: &str) {
    let script = format!(
        "[...document.querySelectorAll({found:?})].some((one) => one.getClientRects().length \
         && one.textContent.includes({words:?}))"
    );
    browser.wait_until(&format!("{found} does not show {words:?}"), &script).await;
}

/// Begins a sheet with a rules code; the last player deals first.
async fn begin(browser: &Browser, code: &str, players: usize) {
    browser.go("/").await;
    browser.tap("#sheets").await;
    browser.tap("#new-sheet summary").await;
    browser.write("#code", code).await;
    browser.press(&[], TAB).await;
    browser.tap("#new-sheet summary").await;
    for (at, name) in NAMES[..players].iter().enumerate() {
        browser.write(&format!("#player-{}", at + 1), name).await;
    }
    browser.tap("#new-sheet fieldset:last-of-type button:last-child").await;
    browser.tap("#begin").await;
    browser.wait_for(".entry h2").await;
}

async fn declare(browser: &Browser, player: usize, bid: usize) {
    let button = |group: usize, at: usize| {
        format!(".entry .declare fieldset:nth-of-type({group}) button:nth-child({at})")
    };
    browser.tap(&button(1, player)).await;
    browser.tap(&button(2, bid)).await;
    browser.wait_for(".entry .points").await;
}

#[tokio::test]
async fn a_match_of_cruce_is_kept_on_one_phone_without_a_server() {
    let _permit = test_permit().await;
    let mut server = TestServer::open();
    let mut browser = Browser::open(&server.url, PHONE).await;
    browser.ignore_errors("ERR_CONNECTION_REFUSED");
    browser.ignore_errors("ERR_INTERNET_DISCONNECTED");
    begin(&browser, "cruce4t-3-m1", 4).await;
    check_text(&browser, ".entry .hint", "împarte Dana, începe Ana").await;

    // 64 points and a call; the points of the other side follow, unless they are typed.
    declare(&browser, 1, 2).await;
    browser.write(".entry [data-points='1']", "64").await;
    browser
        .wait_until(
            "56 follow",
            "document.querySelector('.entry [data-points=\"2\"]').value === '56'",
        )
        .await;
    browser.write(".entry [data-points='2']", "57").await;
    check_text(&browser, ".entry .alert", "fac împreună 120 de puncte, nu 121").await;
    browser.tap("#write-line").await;
    browser.write(".entry [data-points='2']", "56").await;
    browser.tap(".entry [data-stepper='calls-1'] button:last-child").await;
    check_text(&browser, ".entry .brings", "Ana & Călin +2 · Bogdan & Dana +1").await;
    browser.tap("#write-line").await;
    check_totals(&browser, &["2", "1"]).await;

    // A penalty that is undone, and one that stays.
    browser.tap(".penalties summary").await;
    browser.tap(".penalties [data-seat='2']").await;
    check_totals(&browser, &["2", "−2"]).await;
    browser.tap("#undo").await;
    check_totals(&browser, &["2", "1"]).await;
    check_text(&browser, ".entry .hint", "împarte Ana, începe Bogdan").await;
    browser.wait_for("#misdeal").await;
    browser.tap("#misdeal").await;
    check_totals(&browser, &["1", "1"]).await;

    // The call is removed: everything after it is scored again, and the old line stays visible.
    browser.tap("tr[data-line='1'] .line").await;
    browser.tap("dialog[open] [data-stepper='calls-1'] button:first-child").await;
    check_text(&browser, "dialog[open] .brings", "Ana & Călin −2").await;
    browser.tap("#save-line").await;
    check_totals(&browser, &["−3", "1"]).await;
    check_text(&browser, ".ruled .before", "64+20").await;
    browser.reload().await;
    check_totals(&browser, &["−3", "1"]).await;

    // Without the server everything still works.
    browser.run_waiting("await navigator.serviceWorker.ready; return null;", json!([])).await;
    server.stop();
    browser.reload().await;
    check_totals(&browser, &["−3", "1"]).await;
    declare(&browser, 2, 2).await;
    browser.write(".entry [data-points='1']", "20").await;
    browser.tap("#write-line").await;
    check_totals(&browser, &["−3", "4"]).await;
    check_text(&browser, ".entry .winner", "Bogdan & Dana").await;

    another_sheet(&browser).await;
    browser.close().await;
}

/// Begins another sheet with the same players, and deletes one of the two.
async fn another_sheet(browser: &Browser) {
    browser.tap("#again").await;
    check_totals(browser, &["0", "0"]).await;
    check_text(browser, ".ruled thead", "Ana & Călin").await;
    browser.tap(".sheet-links a").await;
    browser
        .wait_until("two sheets", "document.querySelectorAll('.kept-sheets .listed').length === 2")
        .await;
    browser.tap(".kept-sheets li:first-child .forget").await;
    browser.tap("#forget").await;
    browser
        .wait_until("one sheet", "document.querySelectorAll('.kept-sheets .listed').length === 1")
        .await;
}

#[tokio::test]
async fn a_match_of_whist_is_kept_to_its_last_deal() {
    let _permit = test_permit().await;
    let server = TestServer::open();
    let browser = Browser::open(&server.url, PHONE).await;
    begin(&browser, "whist3", 3).await;
    let cards = [1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8, 7, 6, 5, 4, 3, 2, 1, 1, 1];
    for (deal, count) in cards.into_iter().enumerate() {
        // All players bid 0, and Ana takes all tricks.
        for count in 1..=2 {
            browser.tap(".numbers [data-bid='0']").await;
            let written = "document.querySelectorAll('.begun .promised').length";
            browser.wait_until("a bid", &format!("{written} === {count}")).await;
        }
        if deal == 0 {
            browser.wait_for(".numbers .forbidden[data-bid='1'][disabled]").await;
            check_text(&browser, ".said-so-far", "pariurile ar face exact câte mâini sunt").await;
        }
        browser.tap(".numbers [data-bid='0']").await;
        browser.wait_for(".entry .tricks").await;
        if deal == 0 {
            browser.tap("#write-line").await;
            check_text(&browser, ".entry .alert", "e o singură mână, nu 0").await;
        }
        for _ in 0..count {
            browser.tap(".entry [data-stepper='took-1'] button:last-child").await;
        }
        browser.tap("#write-line").await;
        browser.wait_for(&format!("tr.written[data-line='{}']", deal + 1)).await;
        if deal == 9 {
            move_a_trick(&browser).await;
        }
    }
    check_text(&browser, ".entry .winner", "Bogdan și Călin").await;
    browser.wait_for(".course .track").await;
    let (file, csv) = (
        "return decodeURIComponent(document.querySelector('#lines').href);",
        "return decodeURIComponent(document.querySelector('#csv').href);",
    );
    let file = browser.run(file, json!([])).await;
    assert_eq!(file.as_str().expect("an address").matches(r#""did":"write""#).count(), 21);
    let csv = browser.run(csv, json!([])).await;
    assert!(csv.as_str().is_some_and(|csv| csv.contains("Bogdan total")), "{csv}");
    browser.close().await;
}

/// One trick is moved from Ana to Bogdan, which ends a row of five made bids.
async fn move_a_trick(browser: &Browser) {
    let before = totals(browser).await;
    browser.wait_for(".ruled .prize").await;
    browser.tap("tr[data-line='6'] .line").await;
    browser.tap("dialog[open] [data-stepper='took-1'] button:first-child").await;
    browser.tap("dialog[open] [data-stepper='took-2'] button:last-child").await;
    browser.tap("#save-line").await;
    browser.wait_for(".ruled .before").await;
    let after = totals(browser).await;
    assert_eq!(before[2], after[2]);
    // Six points for the deal, and ten for the prize.
    let score = |text: &String| text.replace('−', "-").parse::<i32>().expect("a score");
    assert_eq!(score(&before[1]) - score(&after[1]), 16, "{before:?} {after:?}");
    browser.reload().await;
    let wanted: Vec<&str> = after.iter().map(String::as_str).collect();
    check_totals(browser, &wanted).await;
    browser.tap("#undo").await;
    let wanted: Vec<&str> = before.iter().map(String::as_str).collect();
    check_totals(browser, &wanted).await;
}

/// The link of the dialog: 1 for writing, 2 for viewing.
async fn link(browser: &Browser, which: usize) -> String {
    browser.tap(&format!("dialog[open] .segments button:nth-child({which})")).await;
    let script = "return document.querySelector('dialog[open] #link').value;";
    let whole = browser.run(script, json!([])).await;
    let whole = whole.as_str().expect("a link").to_owned();
    whole.strip_prefix(&browser.home).expect("an address of this server").to_owned()
}

#[tokio::test]
async fn a_sheet_is_shared_by_a_link() {
    let _permit = test_permit().await;
    let server = TestServer::open();
    let browser = Browser::open(&server.url, PHONE).await;
    begin(&browser, "cruce4t-21", 4).await;
    declare(&browser, 1, 1).await;
    browser.write(".entry [data-points='1']", "60").await;
    browser.tap("#write-line").await;
    check_totals(&browser, &["1", "1"]).await;
    browser.tap("#share").await;
    browser.wait_for("dialog[open] .qr svg").await;
    let writes = link(&browser, 1).await;
    let looks = link(&browser, 2).await;
    assert!(writes.contains('#') && !looks.contains('#'), "{writes} {looks}");
    browser.tap("dialog[open] header button").await;

    let public = Browser::open(&server.url, DESKTOP).await;
    public.go(&looks).await;
    check_totals(&public, &["1", "1"]).await;
    check_text(&public, "main .hint", "You are looking").await;
    public.wait_until("a viewer can write", "!document.querySelector('.declare, .line')").await;

    let mut other = Browser::open(&server.url, PHONE).await;
    other.ignore_errors("ERR_INTERNET_DISCONNECTED");
    other.ignore_errors("WebSocket");
    let script = json!({ "source": SOCKETS });
    other.devtools("Page.addScriptToEvaluateOnNewDocument", script).await;
    other.go(&writes).await;
    declare(&other, 2, 1).await;
    // All pages show the declarer before the deal is over.
    browser.wait_for(".entry .points").await;
    check_text(&public, ".ruled .begun", "Bogdan").await;

    // The connection is cut while a line is written: the line waits, and is written once.
    set_offline(&other, true).await;
    other.run(CUT, json!([])).await;
    other.wait_for(".banner").await;
    other.write(".entry [data-points='2']", "70").await;
    other.tap("#write-line").await;
    check_text(&other, ".waits", "Fără legătură").await;
    check_totals(&browser, &["1", "1"]).await;
    set_offline(&other, false).await;
    for one in [&other, &browser, &public] {
        check_totals(one, &["2", "3"]).await;
    }
    // After a reload without the key, the phone may still write.
    other.reload().await;
    other.wait_for(".declare").await;
    browser.tap("#undo").await;
    check_totals(&public, &["1", "1"]).await;
    for one in [browser, other, public] {
        one.close().await;
    }
}
