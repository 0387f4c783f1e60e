//! What the page weighs and how fast it is, as a small table: `cargo xtask bench-page`.
//!
//! The server is the one of the tests, on the same machine; the page is the one that is shipped.

use serde_json::{Value, json};

use crate::browser::{Browser, DESK, PHONE};
use crate::house::House;
use crate::player::{By, Met};

/// Set into every page before its own code: when the first button can be pressed, what moves by
/// itself, and how long a card takes from the finger to the table.
const WATCH: &str = r"
window.watched = { ready: null, shift: 0, cards: [] };
new PerformanceObserver((list) => {
  for (const entry of list.getEntries())
    if (!entry.hadRecentInput) window.watched.shift += entry.value;
}).observe({ type: 'layout-shift', buffered: true });
let pressed = null;
addEventListener('pointerdown', (event) => {
  pressed = event.target.closest?.('.hand .card') ? event.timeStamp : null;
}, true);
new MutationObserver((changes) => {
  if (window.watched.ready === null && document.querySelector('#play-now:not([disabled])'))
    window.watched.ready = performance.now();
  const laid = (node) => node.matches?.('.trick .laid[data-place=\'0\']');
  if (pressed !== null && changes.some((change) => [...change.addedNodes].some(laid))) {
    window.watched.cards.push(performance.now() - pressed);
    pressed = null;
  }
}).observe(document, { childList: true, subtree: true });
";

/// 1.6 Mbit/s down, 750 kbit/s up, 150 ms there and back: what Lighthouse calls slow 4G.
const SLOW: (f64, f64, f64) = (1.6e6 / 8.0, 750e3 / 8.0, 150.0);

async fn watched(browser: &Browser) -> Value {
    browser.run("return window.watched;", json!([])).await
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_default()
}

/// What JavaScript holds after the garbage is gone, and the nodes of the page with its sprites.
async fn memory(browser: &Browser) -> (f64, f64) {
    browser.devtools("HeapProfiler.collectGarbage", json!({})).await;
    let heap = browser.devtools("Runtime.getHeapUsage", json!({})).await;
    let nodes = browser.devtools("Memory.getDOMCounters", json!({})).await;
    (number(&heap["usedSize"]) / f64::from(1 << 20), number(&nodes["nodes"]))
}

async fn first_load(house: &House, slow: bool) -> (f64, f64, f64) {
    let browser = Browser::open(&house.url, PHONE).await;
    let script = json!({ "source": WATCH });
    browser.devtools("Page.addScriptToEvaluateOnNewDocument", script).await;
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
    browser.until("never ready", "window.watched.ready").await;
    browser.until("no cards", "document.querySelector('.sprites')").await;
    const BYTES: &str = "return ['navigation', 'resource'].flatMap((kind) => \
        performance.getEntriesByType(kind)).reduce((sum, entry) => sum + entry.transferSize, 0);";
    let bytes = number(&browser.run(BYTES, json!([])).await);
    let seen = watched(&browser).await;
    (bytes / 1024.0, number(&seen["ready"]), number(&seen["shift"]))
}

/// `cargo xtask bench-page` asks for it; otherwise it does nothing.
#[tokio::test]
async fn print_all() {
    if std::env::var_os("MEASURE_PAGE").is_none() {
        return;
    }
    let house = House::open();
    let (kib, ready, shift) = first_load(&house, false).await;
    let (_, slow_ready, slow_shift) = first_load(&house, true).await;
    let browser = Browser::open(&house.url, DESK).await;
    let script = json!({ "source": WATCH });
    browser.devtools("Page.addScriptToEvaluateOnNewDocument", script).await;
    browser.keep(&[("cards", "once")]).await;
    browser.sit_among_bots("whist3").await;
    let mut met = Met { refusals: 1, ..Met::default() };
    while met.deals == 0 {
        browser.play_one(By::Pointer, &mut met).await;
    }
    let before = memory(&browser).await;
    while browser.play_one(By::Pointer, &mut met).await.is_none() {}
    let after = memory(&browser).await;
    let seen = watched(&browser).await;
    let mut cards: Vec<f64> = seen["cards"].as_array().into_iter().flatten().map(number).collect();
    cards.sort_by(f64::total_cmp);
    let part = |part: f64| cards[((cards.len() - 1) as f64 * part) as usize];
    println!("| figure | value |\n|---|---|");
    println!("| first load, as it travels | {kib:.0} KiB |");
    println!("| until the first button works, this machine | {ready:.0} ms |");
    println!("| the same on slow 4G with a processor four times slower | {slow_ready:.0} ms |");
    println!("| layout shift of the first page, fast and slow | {shift:.3}, {slow_shift:.3} |");
    println!("| layout shift over a match of whist | {:.3} |", number(&seen["shift"]));
    println!(
        "| finger to table, {} cards | median {:.0} ms, 95 % {:.0} ms |",
        cards.len(),
        part(0.5),
        part(0.95)
    );
    println!(
        "| JavaScript heap after one deal and after {} | {:.1}, {:.1} MiB |",
        met.deals + 1,
        before.0,
        after.0
    );
    println!("| nodes of the page at both times | {:.0}, {:.0} |", before.1, after.1);
}
