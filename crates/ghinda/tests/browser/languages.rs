//! Both languages on all pages: no words of the other one, and no missing phrases.

use serde_json::json;

use crate::browser::{Browser, DESKTOP};
use crate::player::{By, Progress};
use crate::test_permit;
use crate::test_server::TestServer;

/// Words that exist in one language only.
const ENGLISH: [&str; 12] = [
    "the", "table", "with", "your", "deal", "settings", "rules", "play", "trump", "cards", "of",
    "and",
];
const ROMANIAN: [&str; 12] = [
    "și", "masa", "cu", "tău", "reguli", "setări", "joacă", "atu", "cărți", "fără", "în", "pentru",
];

/// Everything that is read or announced, without the name of the other language on its button.
const WORDS: &str = r"
document.querySelectorAll('[data-unseen]').forEach((part) => part.removeAttribute('data-unseen'));
document.querySelectorAll('body [lang], #home, #head').forEach((part) =>
  part.toggleAttribute('data-unseen', part.matches('.tongue') || !part.getClientRects().length));
const copy = document.body.cloneNode(true);
const unread = '[data-unseen], [hidden], script, noscript, .sprites, #link';
copy.querySelectorAll(unread).forEach((part) => part.remove());
const said = [...copy.querySelectorAll('[aria-label], [placeholder], [title]')].flatMap((part) =>
  ['aria-label', 'placeholder', 'title'].map((name) => part.getAttribute(name) ?? ''));
copy.querySelectorAll('*').forEach((part) => part.append(' '));
return copy.textContent + ' ' + said.join(' ');";

async fn check_language(browser: &Browser, foreign: &[&str], place: &str) {
    let text = browser.run(WORDS, json!([])).await;
    let text = text.as_str().expect("a text");
    let words: Vec<String> =
        text.split(|letter: char| !letter.is_alphabetic()).map(str::to_lowercase).collect();
    assert!(words.len() > 3, "{place} has no text");
    let strange: Vec<&&str> =
        foreign.iter().filter(|word| words.iter().any(|other| other == *word)).collect();
    assert!(strange.is_empty(), "{place} ({}): {strange:?} in {text}", browser.kind.language);
    // A missing phrase shows its key, which has an underscore; a missing variable shows braces.
    let missing = text.split_whitespace().find(|word| {
        let name = word.trim_matches(|letter: char| !letter.is_ascii_alphanumeric());
        name.contains('_') || word.contains("{$") || word.contains("undefined")
    });
    assert!(missing.is_none(), "{place}: {missing:?} in {text}");
}

async fn check_all_pages(language: &'static str, foreign: &[&str]) {
    let server = TestServer::open();
    let browser = Browser::open(&server.url, crate::browser::Kind { language, ..DESKTOP }).await;
    // The rules documents explain words of both languages, so they are not checked here.
    for place in ["/", "/friends", "/lobby", "/settings"] {
        browser.go(place).await;
        browser.wait_for(if place == "/" { "#home h1" } else { "main h1" }).await;
        check_language(&browser, foreign, place).await;
    }
    let root = browser.run("return document.documentElement.lang;", json!([])).await;
    assert!(language.starts_with(root.as_str().expect("a language")), "{root}");
    browser.go("/").await;
    browser.wait_for("#play-now").await;
    let table = browser.open_table("cruce4t-21", false).await;
    browser.go(&format!("/t/{table}")).await;
    browser.wait_for(".seat-item").await;
    check_language(&browser, foreign, "the table that waits").await;
    browser.tap(".seat-item.free .primary").await;
    browser.tap("#start:not([disabled])").await;
    browser.wait_for("main.table").await;
    let mut progress = Progress::default();
    while progress.cards < 6 {
        browser.play_step(By::Pointer, &mut progress).await;
        check_language(&browser, foreign, "the table").await;
    }
    browser.wait_for("#continue").await;
    check_language(&browser, foreign, "the end of a deal").await;
    let windows =
        [(1, "the last trick"), (2, "the score sheet"), (3, "the talk"), (4, "the seats")];
    for (number, window) in windows {
        browser.tap(&format!(".tools button:nth-child({number})")).await;
        browser.wait_for("dialog[open] .window").await;
        check_language(&browser, foreign, window).await;
        browser.tap("dialog[open] header button").await;
        browser.wait_until("the window stays", "!document.querySelector('dialog[open]')").await;
    }
    browser.close().await;
}

#[tokio::test]
async fn all_pages_are_in_romanian() {
    let _permit = test_permit().await;
    check_all_pages("ro-RO", &ENGLISH).await;
}

#[tokio::test]
async fn all_pages_are_in_english() {
    let _permit = test_permit().await;
    check_all_pages("en-GB", &ROMANIAN).await;
}

/// The language changes with one tap, at once and for the next visit.
#[tokio::test]
async fn the_language_changes_with_one_tap() {
    let _permit = test_permit().await;
    let server = TestServer::open();
    let browser = Browser::open(&server.url, DESKTOP).await;
    browser.go("/").await;
    browser.tap(".head button[lang=ro]").await;
    browser.wait_until("still English", "document.documentElement.lang === 'ro'").await;
    browser.reload().await;
    browser.wait_for("#play-now").await;
    browser.wait_until("English again", "document.documentElement.lang === 'ro'").await;
    browser.close().await;
}
