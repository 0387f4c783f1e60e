//! Checks every screen with axe-core, light and dark: its rules for WCAG 2.2 A and AA must hold.
//!
//! axe-core is not part of the repository; `cargo xtask test` installs it under target.

use std::path::Path;

use serde_json::{Value, json};

use crate::browser::{Browser, DESKTOP, Kind, PHONE};
use crate::screens::{Scenes, Screen};
use crate::test_permit;
use crate::test_server::TestServer;

const INSTALL_HINT: &str = "axe-core is missing: `cargo xtask test` installs it, or \
                    `npm install --prefix target/browser axe-core@4`";

pub(crate) fn axe() -> String {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .with_file_name("browser")
        .join("node_modules/axe-core/axe.min.js");
    std::fs::read_to_string(&place)
        .unwrap_or_else(|error| panic!("{}: {error}. {INSTALL_HINT}", place.display()))
}

/// The faults of the current page, one line per element.
const JUDGE: &str = r"
if (!window.axe) { (0, eval)(given[0]); }
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const judged = await window.axe.run(document, { runOnly: tags, resultTypes: ['violations'] });
return judged.violations.flatMap((violation) => violation.nodes.map((node) =>
  `${violation.id} ${node.target.join(' ')}: ${(node.any[0] ?? node.all[0] ?? node.none[0])?.message}`));";

pub(crate) async fn find_faults(
    browser: &Browser,
    axe: &str,
    place: &str,
    faults: &mut Vec<String>,
) {
    for dark in [false, true] {
        browser.set_dark(dark).await;
        // Fading colours are checked when they are final.
        let still = "document.getAnimations().every((a) => a.playState !== 'running' \
                     || a.effect.getComputedTiming().iterations === Infinity)";
        browser.wait_until("the animations never end", still).await;
        let found = browser.run_waiting(JUDGE, json!([axe])).await;
        let kind = if dark { "dark" } else { "light" };
        let found = found.as_array().into_iter().flatten().filter_map(Value::as_str);
        faults.extend(found.map(|fault| format!("{place} ({kind}): {fault}")));
    }
}

async fn check_all_screens(kind: Kind) {
    let axe = axe();
    let server = TestServer::with_bots_of(20);
    let scenes = Scenes::open(&server, kind).await;
    let mut faults = Vec::new();
    for screen in Screen::ALL {
        scenes.show(screen).await;
        find_faults(&scenes.browser, &axe, screen.name(), &mut faults).await;
    }
    faults.sort();
    faults.dedup();
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[tokio::test]
async fn all_screens_are_accessible_on_a_desktop() {
    let _permit = test_permit().await;
    check_all_screens(DESKTOP).await;
}

#[tokio::test]
async fn all_screens_are_accessible_on_a_phone() {
    let _permit = test_permit().await;
    check_all_screens(PHONE).await;
}
