//! Both languages, wherever one looks: nothing of the other one, and no phrase that is missing.

use serde_json::json;

use crate::browser::{Browser, DESK};
use crate::player::{By, Met};
use crate::test_server::TestServer;
use crate::turn;

/// Words that stand in one language alone.
const ENGLISH: [&str; 12] = [
    "the", "table", "with", "your", "deal", "settings", "rules", "play", "trump", "cards", "of",
    "and",
];
const ROMANIAN: [&str; 12] = [
    "și", "masa", "cu", "tău", "reguli", "setări", "joacă", "atu", "cărți", "fără", "în", "pentru",
];

/// Everything that is read or heard, but not the name of the other language on its button.
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

async fn speaks(browser: &Browser, foreign: &[&str], place: &str) {
    let text = browser.run(WORDS, json!([])).await;
    let text = text.as_str().expect("a text");
    let words: Vec<String> =
        text.split(|letter: char| !letter.is_alphabetic()).map(str::to_lowercase).collect();
    assert!(words.len() > 3, "{place} says nothing");
    let strange: Vec<&&str> =
        foreign.iter().filter(|word| words.iter().any(|other| other == *word)).collect();
    assert!(strange.is_empty(), "{place} ({}): {strange:?} in {text}", browser.kind.language);
    // A phrase that is missing shows its name, which has a line in it; a variable shows braces.
    let missing = text.split_whitespace().find(|word| {
        let name = word.trim_matches(|letter: char| !letter.is_ascii_alphanumeric());
        name.contains('_') || word.contains("{$") || word.contains("undefined")
    });
    assert!(missing.is_none(), "{place}: {missing:?} in {text}");
}

async fn everywhere(language: &'static str, foreign: &[&str]) {
    let server = TestServer::open();
    let browser = Browser::open(&server.url, crate::browser::Kind { language, ..DESK }).await;
    // The documents of the rules tell the words of both languages; they are looked at elsewhere.
    for place in ["/", "/friends", "/lobby", "/settings"] {
        browser.go(place).await;
        browser.shows(if place == "/" { "#home h1" } else { "main h1" }).await;
        speaks(&browser, foreign, place).await;
    }
    let root = browser.run("return document.documentElement.lang;", json!([])).await;
    assert!(language.starts_with(root.as_str().expect("a language")), "{root}");
    browser.go("/").await;
    browser.shows("#play-now").await;
    let table = browser.open_table("cruce4t-21", false).await;
    browser.go(&format!("/t/{table}")).await;
    browser.shows(".chair").await;
    speaks(&browser, foreign, "the table that waits").await;
    browser.tap(".chair.free .primary").await;
    browser.tap("#start:not([disabled])").await;
    browser.shows("main.table").await;
    let mut met = Met::default();
    while met.cards < 6 {
        browser.play_one(By::Pointer, &mut met).await;
        speaks(&browser, foreign, "the table").await;
    }
    browser.shows("#continue").await;
    speaks(&browser, foreign, "the end of a deal").await;
    let windows =
        [(1, "the last trick"), (2, "the score sheet"), (3, "the talk"), (4, "the seats")];
    for (number, window) in windows {
        browser.tap(&format!(".tools button:nth-child({number})")).await;
        browser.shows("dialog[open] .window").await;
        speaks(&browser, foreign, window).await;
        browser.tap("dialog[open] header button").await;
        browser.until("the window stays", "!document.querySelector('dialog[open]')").await;
    }
    browser.close().await;
}

#[tokio::test]
async fn romanian_everywhere() {
    let _turn = turn().await;
    everywhere("ro-RO", &ENGLISH).await;
}

#[tokio::test]
async fn english_everywhere() {
    let _turn = turn().await;
    everywhere("en-GB", &ROMANIAN).await;
}

/// The language is changed with one tap, at once and for the next visit.
#[tokio::test]
async fn the_language_is_changed_with_one_tap() {
    let _turn = turn().await;
    let server = TestServer::open();
    let browser = Browser::open(&server.url, DESK).await;
    browser.go("/").await;
    browser.tap(".head button[lang=ro]").await;
    browser.until("still English", "document.documentElement.lang === 'ro'").await;
    browser.reload().await;
    browser.shows("#play-now").await;
    browser.until("English again", "document.documentElement.lang === 'ro'").await;
    browser.close().await;
}
