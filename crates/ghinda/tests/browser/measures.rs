//! Measures the size and the speed of the page and prints a table: `cargo xtask bench-page`.
//!
//! The server runs on the same machine; the page is the release build.

use serde_json::{Value, json};

use crate::browser::{Browser, DESKTOP, PHONE};
use crate::player::{By, Progress};
use crate::test_server::TestServer;

/// Runs in every page before its own code. It measures when the first button works, layout shifts,
/// and the time from a tap to the card on the table. When the content is loaded, the scripts of the
/// page have run and a tap is not lost.
const WATCH: &str = r"
window.watched = { ready: null, shift: 0, cards: [], dealt: null };
addEventListener('DOMContentLoaded', () => {
  const button = document.querySelector('#play-now');
  if (button?.getClientRects().length) window.watched.ready = performance.now();
});
new PerformanceObserver((list) => {
  for (const entry of list.getEntries())
    if (!entry.hadRecentInput) window.watched.shift += entry.value;
}).observe({ type: 'layout-shift', buffered: true });
let pressed = null;
addEventListener('pointerdown', (event) => {
  pressed = event.target.closest?.('.hand .card') ? event.timeStamp : null;
}, true);
new MutationObserver((changes) => {
  if (window.watched.dealt === null && document.querySelector('.hand .card'))
    window.watched.dealt = performance.now();
  const laid = (node) => node.matches?.('.trick .laid[data-place=\'0\']');
  if (pressed !== null && changes.some((change) => [...change.addedNodes].some(laid))) {
    window.watched.cards.push(performance.now() - pressed);
    pressed = null;
  }
}).observe(document, { childList: true, subtree: true });
";

/// The number of deals after which the memory is measured again.
const DEALS: usize = 100;

/// 1.6 Mbit/s down, 750 kbit/s up, 150 ms round trip: what Lighthouse calls slow 4G.
const SLOW: (f64, f64, f64) = (1.6e6 / 8.0, 750e3 / 8.0, 150.0);

async fn watched(browser: &Browser) -> Value {
    browser.run("return window.watched;", json!([])).await
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_default()
}

/// The JavaScript heap in MiB after a garbage collection, and the number of DOM nodes.
async fn memory(browser: &Browser) -> (f64, f64) {
    browser.devtools("HeapProfiler.collectGarbage", json!({})).await;
    let heap = browser.devtools("Runtime.getHeapUsage", json!({})).await;
    let nodes = browser.devtools("Memory.getDOMCounters", json!({})).await;
    (number(&heap["usedSize"]) / f64::from(1 << 20), number(&nodes["nodes"]))
}

/// The measurements of a first visit.
struct Visit {
    /// Kilobytes transferred: the programs, styles and scripts of the first page, and everything
    /// with pictures and texts.
    first: f64,
    all: f64,
    /// Milliseconds until the first button works.
    ready: f64,
    /// Milliseconds until cards are dealt; 0 if the button is not pressed.
    dealt: f64,
    shift: f64,
}

/// Opens the first page and waits, or presses its button at once.
async fn first_visit(server: &TestServer, slow: bool, presses: bool) -> Visit {
    let browser = Browser::open(&server.url, PHONE).await;
    let script = json!({ "source": WATCH });
    browser.devtools("Page.addScriptToEvaluateOnNewDocument", script).await;
    if presses {
        let at_once = "addEventListener('DOMContentLoaded', () => \
                       setTimeout(() => document.querySelector('#play-now').click()));";
        let script = json!({ "source": at_once });
        browser.devtools("Page.addScriptToEvaluateOnNewDocument", script).await;
    }
    if slow {
        let (down, up, latency) = SLOW;
        browser.devtools("Network.enable", json!({})).await;
        let conditions = json!({
            "offline": false, "latency": latency, "downloadThroughput": down, "uploadThroughput": up,
        });
        browser.devtools("Network.emulateNetworkConditions", conditions).await;
        browser.devtools("Emulation.setCPUThrottlingRate", json!({ "rate": 4 })).await;
    }
    browser.go("/").await;
    let wanted = if presses {
        "window.watched.dealt"
    } else {
        "performance.getEntriesByType('resource').some((entry) => \
         entry.name.includes('/split_table') && entry.responseEnd) && document.querySelector('.sprites')"
    };
    browser.wait_until("the page does not load", wanted).await;
    const BYTES: &str = r"
        const entries = ['navigation', 'resource'].flatMap((kind) => performance.getEntriesByType(kind));
        const sum = (some) => some.reduce((sum, entry) => sum + entry.transferSize, 0) / 1000;
        const first = /\/(page|pieces|boot|look|style)\.[0-9a-f]+\.(wasm|js|css)$/;
        return [sum(entries.filter((entry) => first.test(entry.name))), sum(entries)];";
    let bytes = browser.run(BYTES, json!([])).await;
    let seen = watched(&browser).await;
    Visit {
        first: number(&bytes[0]),
        all: number(&bytes[1]),
        ready: number(&seen["ready"]),
        dealt: number(&seen["dealt"]),
        shift: number(&seen["shift"]),
    }
}

/// Runs only for `cargo xtask bench-page`.
#[tokio::test]
async fn print_all() {
    if std::env::var_os("MEASURE_PAGE").is_none() {
        return;
    }
    let server = TestServer::open();
    let here = first_visit(&server, false, false).await;
    let slow = first_visit(&server, true, false).await;
    let dealt_here = first_visit(&server, false, true).await.dealt;
    let dealt_slow = first_visit(&server, true, true).await.dealt;
    let browser = Browser::open(&server.url, DESKTOP).await;
    let script = json!({ "source": WATCH });
    browser.devtools("Page.addScriptToEvaluateOnNewDocument", script).await;
    browser.store_settings(&[("cards", "once")]).await;
    browser.sit_among_bots("whist3").await;
    let mut progress = Progress { refusals: 1, ..Progress::default() };
    while progress.deals == 0 {
        browser.play_step(By::Pointer, &mut progress).await;
    }
    let before = memory(&browser).await;
    // Several matches at one table, without a reload.
    while progress.deals < DEALS {
        if browser.play_step(By::Pointer, &mut progress).await.is_some() {
            browser.rematch(By::Pointer).await;
        }
    }
    let after = memory(&browser).await;
    let seen = watched(&browser).await;
    let mut cards: Vec<f64> = seen["cards"].as_array().into_iter().flatten().map(number).collect();
    cards.sort_by(f64::total_cmp);
    let part = |part: f64| cards[((cards.len() - 1) as f64 * part) as usize];
    println!("| figure | value |\n|---|---|");
    println!("| first load: programs, styles and scripts, as they travel | {:.0} KB |", slow.first);
    println!(
        "| all that comes to the first page, with the table, its words and a deck | {:.0} KB |",
        slow.all
    );
    println!("| until the first button works, this machine | {:.0} ms |", here.ready);
    println!("| the same on slow 4G with a processor four times slower | {:.0} ms |", slow.ready);
    println!("| until cards are dealt, if the button is pressed at once | {dealt_here:.0} ms |");
    println!("| the same, slow | {dealt_slow:.0} ms |");
    println!("| layout shift, fast and slow | {:.3}, {:.3} |", here.shift, slow.shift);
    println!("| layout shift over all these deals | {:.3} |", number(&seen["shift"]));
    println!(
        "| finger to table, {} cards | median {:.0} ms, 95 % {:.0} ms |",
        cards.len(),
        part(0.5),
        part(0.95)
    );
    println!(
        "| JavaScript heap after one deal and after {} | {:.1}, {:.1} MiB |",
        progress.deals, before.0, after.0
    );
    println!("| nodes of the page at both times | {:.0}, {:.0} |", before.1, after.1);
}
