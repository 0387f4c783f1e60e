//! Every screen as axe-core judges it, light and dark: what it knows of WCAG 2.2 A and AA must hold.
//!
//! axe-core is no part of the repository; `cargo xtask test` puts it under target.

use std::path::Path;

use serde_json::{Value, json};

use crate::browser::{Browser, DESK, Kind, PHONE};
use crate::screens::{Scenes, Screen};
use crate::test_server::TestServer;
use crate::turn;

const MEND: &str = "axe-core is missing: `cargo xtask test` installs it, or \
                    `npm install --prefix target/browser axe-core@4`";

pub(crate) fn axe() -> String {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .with_file_name("browser")
        .join("node_modules/axe-core/axe.min.js");
    std::fs::read_to_string(&place)
        .unwrap_or_else(|error| panic!("{}: {error}. {MEND}", place.display()))
}

/// What is wrong with what is shown, a line for each element.
const JUDGE: &str = r"
if (!window.axe) { (0, eval)(given[0]); }
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const judged = await window.axe.run(document, { runOnly: tags, resultTypes: ['violations'] });
return judged.violations.flatMap((violation) => violation.nodes.map((node) =>
  `${violation.id} ${node.target.join(' ')}: ${(node.any[0] ?? node.all[0] ?? node.none[0])?.message}`));";

pub(crate) async fn judge(browser: &Browser, axe: &str, place: &str, faults: &mut Vec<String>) {
    for dark in [false, true] {
        browser.dark(dark).await;
        // Colours that fade are judged when they have.
        let still = "document.getAnimations().every((a) => a.playState !== 'running' \
                     || a.effect.getComputedTiming().iterations === Infinity)";
        browser.until("the page never rests", still).await;
        let said = browser.run_waiting(JUDGE, json!([axe])).await;
        let kind = if dark { "dark" } else { "light" };
        let said = said.as_array().into_iter().flatten().filter_map(Value::as_str);
        faults.extend(said.map(|fault| format!("{place} ({kind}): {fault}")));
    }
}

async fn all_screens(kind: Kind) {
    let axe = axe();
    let server = TestServer::with_bots_of(20);
    let scenes = Scenes::open(&server, kind).await;
    let mut faults = Vec::new();
    for screen in Screen::ALL {
        scenes.show(screen).await;
        judge(&scenes.browser, &axe, screen.name(), &mut faults).await;
    }
    faults.sort();
    faults.dedup();
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[tokio::test]
async fn everybody_can_use_the_page_at_a_desk() {
    let _turn = turn().await;
    all_screens(DESK).await;
}

#[tokio::test]
async fn everybody_can_use_the_page_on_a_telephone() {
    let _turn = turn().await;
    all_screens(PHONE).await;
}
