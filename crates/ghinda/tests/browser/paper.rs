//! Score sheets of real tables: whole matches written by a thumb, on one telephone without a server and
//! on several with one.

use serde_json::json;

use crate::browser::{Browser, DESK, PHONE};
use crate::line::{CUT, SOCKETS, network};
use crate::page::TAB;
use crate::test_server::TestServer;
use crate::turn;

const NAMES: [&str; 4] = ["Ana", "Bogdan", "Călin", "Dana"];

/// The scores at the foot of the paper.
async fn totals(browser: &Browser) -> Vec<String> {
    let script =
        "return [...document.querySelectorAll('.ruled .totals td')].map((td) => td.textContent);";
    let found = browser.run(script, json!([])).await;
    serde_json::from_value(found).expect("texts")
}

async fn stands(browser: &Browser, wanted: &[&str]) {
    let script = format!(
        "[...document.querySelectorAll('.ruled .totals td')].map((td) => td.textContent).join() === {:?}",
        wanted.join(",")
    );
    browser.until(&format!("the scores are not {wanted:?}"), &script).await;
}

async fn says(browser: &Browser, found: &str, words: &str) {
    let script = format!(
        "[...document.querySelectorAll({found:?})].some((one) => one.getClientRects().length \
         && one.textContent.includes({words:?}))"
    );
    browser.until(&format!("{found} does not say {words:?}"), &script).await;
}

/// Begins a sheet by a code of rules; the last player deals first.
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
    browser.shows(".entry h2").await;
}

async fn declare(browser: &Browser, player: usize, bid: usize) {
    let button = |group: usize, at: usize| {
        format!(".entry .declare fieldset:nth-of-type({group}) button:nth-child({at})")
    };
    browser.tap(&button(1, player)).await;
    browser.tap(&button(2, bid)).await;
    browser.shows(".entry .points").await;
}

#[tokio::test]
async fn a_match_of_cruce_is_kept_on_one_telephone_without_a_server() {
    let _turn = turn().await;
    let mut server = TestServer::open();
    let mut browser = Browser::open(&server.url, PHONE).await;
    browser.excuse("ERR_CONNECTION_REFUSED");
    browser.excuse("ERR_INTERNET_DISCONNECTED");
    begin(&browser, "cruce4t-3-m1", 4).await;
    says(&browser, ".entry .hint", "împarte Dana, începe Ana").await;

    // Sixty-four of them and a call; the others follow, unless somebody counted otherwise.
    declare(&browser, 1, 2).await;
    browser.write(".entry [data-points='1']", "64").await;
    browser
        .until("56 follow", "document.querySelector('.entry [data-points=\"2\"]').value === '56'")
        .await;
    browser.write(".entry [data-points='2']", "57").await;
    says(&browser, ".entry .alert", "fac împreună 120 de puncte, nu 121").await;
    browser.tap("#write-line").await;
    browser.write(".entry [data-points='2']", "56").await;
    browser.tap(".entry [data-stepper='calls-1'] button:last-child").await;
    says(&browser, ".entry .brings", "Ana & Călin +2 · Bogdan & Dana +1").await;
    browser.tap("#write-line").await;
    stands(&browser, &["2", "1"]).await;

    // A penalty that was none, and one that was.
    browser.tap(".penalties summary").await;
    browser.tap(".penalties [data-seat='2']").await;
    stands(&browser, &["2", "−2"]).await;
    browser.tap("#undo").await;
    stands(&browser, &["2", "1"]).await;
    says(&browser, ".entry .hint", "împarte Ana, începe Bogdan").await;
    browser.shows("#misdeal").await;
    browser.tap("#misdeal").await;
    stands(&browser, &["1", "1"]).await;

    // There was no call: everything after it is reckoned anew, and what stood there is still read.
    browser.tap("tr[data-line='1'] .line").await;
    browser.tap("dialog[open] [data-stepper='calls-1'] button:first-child").await;
    says(&browser, "dialog[open] .brings", "Ana & Călin −2").await;
    browser.tap("#save-line").await;
    stands(&browser, &["−3", "1"]).await;
    says(&browser, ".ruled .before", "64+20").await;
    browser.reload().await;
    stands(&browser, &["−3", "1"]).await;

    // The server goes, and nobody notices.
    browser.run_waiting("await navigator.serviceWorker.ready; return null;", json!([])).await;
    server.stop();
    browser.reload().await;
    stands(&browser, &["−3", "1"]).await;
    declare(&browser, 2, 2).await;
    browser.write(".entry [data-points='1']", "20").await;
    browser.tap("#write-line").await;
    stands(&browser, &["−3", "4"]).await;
    says(&browser, ".entry .winner", "Bogdan & Dana").await;

    // Another one with the same people, and the old one is still there.
    browser.tap("#again").await;
    stands(&browser, &["0", "0"]).await;
    says(&browser, ".ruled thead", "Ana & Călin").await;
    browser.tap(".sheet-links a").await;
    browser
        .until("two sheets", "document.querySelectorAll('.kept-sheets .listed').length === 2")
        .await;
    browser.tap(".kept-sheets li:first-child .forget").await;
    browser.tap("#forget").await;
    browser
        .until("one sheet", "document.querySelectorAll('.kept-sheets .listed').length === 1")
        .await;
    browser.close().await;
}

#[tokio::test]
async fn a_match_of_whist_is_kept_to_its_last_deal() {
    let _turn = turn().await;
    let server = TestServer::open();
    let browser = Browser::open(&server.url, PHONE).await;
    begin(&browser, "whist3", 3).await;
    let cards = [1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8, 7, 6, 5, 4, 3, 2, 1, 1, 1];
    for (deal, count) in cards.into_iter().enumerate() {
        // Nobody wants anything, and Ana gets it all.
        for said in 1..=2 {
            browser.tap(".numbers [data-bid='0']").await;
            let written = "document.querySelectorAll('.begun .promised').length";
            browser.until("a bid", &format!("{written} === {said}")).await;
        }
        if deal == 0 {
            browser.shows(".numbers .forbidden[data-bid='1'][disabled]").await;
            says(&browser, ".said-so-far", "pariurile ar face exact câte mâini sunt").await;
        }
        browser.tap(".numbers [data-bid='0']").await;
        browser.shows(".entry .tricks").await;
        if deal == 0 {
            browser.tap("#write-line").await;
            says(&browser, ".entry .alert", "e o singură mână, nu 0").await;
        }
        for _ in 0..count {
            browser.tap(".entry [data-stepper='took-1'] button:last-child").await;
        }
        browser.tap("#write-line").await;
        browser.shows(&format!("tr.written[data-line='{}']", deal + 1)).await;
        if deal == 9 {
            another_trick(&browser).await;
        }
    }
    says(&browser, ".entry .winner", "Bogdan și Călin").await;
    browser.shows(".course .track").await;
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

/// One of the tricks was not Ana's: five right bids in a row are five no more.
async fn another_trick(browser: &Browser) {
    let before = totals(browser).await;
    browser.shows(".ruled .prize").await;
    browser.tap("tr[data-line='6'] .line").await;
    browser.tap("dialog[open] [data-stepper='took-1'] button:first-child").await;
    browser.tap("dialog[open] [data-stepper='took-2'] button:last-child").await;
    browser.tap("#save-line").await;
    browser.shows(".ruled .before").await;
    let after = totals(browser).await;
    assert_eq!(before[2], after[2]);
    // Six lost in the deal, and ten of the prize.
    let score = |text: &String| text.replace('−', "-").parse::<i32>().expect("a score");
    assert_eq!(score(&before[1]) - score(&after[1]), 16, "{before:?} {after:?}");
    browser.reload().await;
    let wanted: Vec<&str> = after.iter().map(String::as_str).collect();
    stands(browser, &wanted).await;
    browser.tap("#undo").await;
    let wanted: Vec<&str> = before.iter().map(String::as_str).collect();
    stands(browser, &wanted).await;
}

/// The link that is shown; the other one when it is asked for.
async fn link(browser: &Browser, which: usize) -> String {
    browser.tap(&format!("dialog[open] .segments button:nth-child({which})")).await;
    let script = "return document.querySelector('dialog[open] #link').value;";
    let whole = browser.run(script, json!([])).await;
    let whole = whole.as_str().expect("a link").to_owned();
    whole.strip_prefix(&browser.home).expect("an address of ours").to_owned()
}

#[tokio::test]
async fn a_sheet_is_shared_by_a_link() {
    let _turn = turn().await;
    let server = TestServer::open();
    let browser = Browser::open(&server.url, PHONE).await;
    begin(&browser, "cruce4t-21", 4).await;
    declare(&browser, 1, 1).await;
    browser.write(".entry [data-points='1']", "60").await;
    browser.tap("#write-line").await;
    stands(&browser, &["1", "1"]).await;
    browser.tap("#share").await;
    browser.shows("dialog[open] .qr svg").await;
    let writes = link(&browser, 1).await;
    let looks = link(&browser, 2).await;
    assert!(writes.contains('#') && !looks.contains('#'), "{writes} {looks}");
    browser.tap("dialog[open] header button").await;

    let public = Browser::open(&server.url, DESK).await;
    public.go(&looks).await;
    stands(&public, &["1", "1"]).await;
    says(&public, "main .hint", "You are looking").await;
    public.until("nobody writes here", "!document.querySelector('.declare, .line')").await;

    let mut other = Browser::open(&server.url, PHONE).await;
    other.excuse("ERR_INTERNET_DISCONNECTED");
    other.excuse("WebSocket");
    let script = json!({ "source": SOCKETS });
    other.devtools("Page.addScriptToEvaluateOnNewDocument", script).await;
    other.go(&writes).await;
    declare(&other, 2, 1).await;
    // Everybody sees who plays, before it is over.
    browser.shows(".entry .points").await;
    says(&public, ".ruled .begun", "Bogdan").await;

    // The line of one is cut while he writes: it waits, and is written once.
    network(&other, true).await;
    other.run(CUT, json!([])).await;
    other.shows(".banner").await;
    other.write(".entry [data-points='2']", "70").await;
    other.tap("#write-line").await;
    says(&other, ".waits", "Fără legătură").await;
    stands(&browser, &["1", "1"]).await;
    network(&other, false).await;
    for one in [&other, &browser, &public] {
        stands(one, &["2", "3"]).await;
    }
    // Whoever comes back by the plain address still writes.
    other.reload().await;
    other.shows(".declare").await;
    browser.tap("#undo").await;
    stands(&public, &["1", "1"]).await;
    for one in [browser, other, public] {
        one.close().await;
    }
}
