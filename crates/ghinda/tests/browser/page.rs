//! Reads the page from its elements, and operates it with a mouse, a finger or keys, never by
//! calling its code.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::browser::{Browser, TIME_LIMIT, artifact_path};

/// How often a page is read while the test waits.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// A card of the hand.
#[derive(Deserialize, Clone, PartialEq, Debug)]
pub(crate) struct HandCard {
    pub(crate) card: u32,
    pub(crate) forbidden: bool,
    pub(crate) raised: bool,
}

/// A bid that can be tapped.
#[derive(Deserialize, Clone, PartialEq, Debug)]
pub(crate) struct Bid {
    pub(crate) bid: u32,
    pub(crate) forbidden: bool,
}

/// What the page shows to a player.
#[derive(Deserialize, Clone, PartialEq, Debug)]
pub(crate) struct PageState {
    /// The classes of `main`: `table`, `page home`.
    pub(crate) place: String,
    pub(crate) status: String,
    /// Whether it is the player's turn to play a card.
    pub(crate) card_asked: bool,
    pub(crate) hand: Vec<HandCard>,
    pub(crate) bids: Vec<Bid>,
    /// The number of cards on the table.
    pub(crate) trick: usize,
    /// Whether the next deal waits for a button.
    pub(crate) next_deal: bool,
    /// The address of the record, if the match is over.
    pub(crate) record: Option<String>,
    /// The text of the banner, while it is shown.
    pub(crate) banner: Option<String>,
    /// Why the last tap did nothing, with the address of the clause.
    pub(crate) why: Option<(String, Option<String>)>,
}

const PAGE_STATE: &str = r"
const one = (found) => document.querySelector(found);
const all = (found) => [...document.querySelectorAll(found)];
const seen = (element) => element && element.getClientRects().length > 0;
const why = one('.asks .why[role=alert]');
const bids = all('.bids .bid').map((bid) =>
  ({ bid: +bid.dataset.bid, forbidden: bid.classList.contains('forbidden') }));
const hand = all('.hand .card').map((card) => ({
  card: +card.dataset.card,
  forbidden: card.classList.contains('forbidden'),
  raised: card.classList.contains('raised'),
}));
const over = one('.over a[download]');
return {
  place: one('main')?.className ?? '',
  status: one('.asks .status')?.textContent ?? '',
  card_asked: !!one('main.my-turn') && bids.length === 0 && hand.length > 0,
  hand,
  bids,
  trick: all('.trick .laid').length,
  next_deal: seen(one('#continue')) ?? false,
  record: over ? over.getAttribute('href') : null,
  banner: seen(one('.banner')) ? one('.banner').textContent : null,
  why: why ? [why.textContent, why.querySelector('a')?.getAttribute('href') ?? null] : null,
};";

/// A point of an element that nothing else covers and that has not moved for two frames. There is
/// none while the cards of the hand move.
const POINT: &str = r"
const element = document.querySelector(arguments[0]);
if (!element) return null;
const flies = (motion) => motion.playState === 'running'
  && motion.effect.getComputedTiming().iterations !== Infinity;
if (document.querySelector('.hand')?.getAnimations({ subtree: true }).some(flies)) return null;
element.scrollIntoView({ block: 'nearest', behavior: 'instant' });
const box = element.getBoundingClientRect();
const free = () => {
  for (const down of [0.5, 0.3, 0.7, 0.15, 0.85, 0.05])
    for (const along of [0.5, 0.25, 0.1, 0.05, 0.75, 0.9]) {
      const [x, y] = [box.left + box.width * along, box.top + box.height * down];
      const hit = document.elementFromPoint(x, y);
      if (hit && (element.contains(hit) || hit.closest('label') === element.closest('label')
          && element.closest('label'))) return [Math.round(x), Math.round(y)];
    }
};
const point = free();
const [aimed, place] = [window.aimed, `${arguments[0]} ${point}`];
if (point && aimed?.place === place && aimed.frames === 0) {
  window.aimed = null;
  return point;
}
if (aimed?.place !== place) {
  const aim = window.aimed = { place, frames: 2 };
  const drawn = () => --aim.frames && requestAnimationFrame(drawn);
  requestAnimationFrame(drawn);
}
return null;";

/// Keys without a character.
pub(crate) const TAB: char = '\u{e004}';
pub(crate) const ENTER: char = '\u{e007}';
pub(crate) const SHIFT: char = '\u{e008}';
pub(crate) const ESCAPE: char = '\u{e00c}';
pub(crate) const END: char = '\u{e010}';
pub(crate) const RIGHT: char = '\u{e014}';

impl Browser {
    /// The current state of the page.
    pub(crate) async fn state(&self) -> PageState {
        let state = self.run(PAGE_STATE, json!([])).await;
        serde_json::from_value(state.clone()).unwrap_or_else(|error| panic!("{error}: {state}"))
    }

    /// Waits until a script returns a true value.
    #[track_caller]
    pub(crate) fn wait_until(&self, what: &str, script: &str) -> impl Future<Output = ()> {
        let at = std::panic::Location::caller();
        async move {
            let waiting = async {
                while self.run(&format!("return !!({script});"), json!([])).await != json!(true) {
                    tokio::time::sleep(POLL_INTERVAL).await;
                }
            };
            if tokio::time::timeout(TIME_LIMIT, waiting).await.is_err() {
                self.fail(&format!("{at}: {what}")).await;
            }
        }
    }

    /// Waits until an element is visible.
    #[track_caller]
    pub(crate) fn wait_for(&self, found: &str) -> impl Future<Output = ()> {
        let script = format!("document.querySelector({found:?})?.getClientRects().length");
        let what = format!("{found} is not shown");
        let at = std::panic::Location::caller();
        async move { self.wait_until(&format!("{what}, {at}"), &script).await }
    }

    /// Waits until the state fulfils a condition.
    #[track_caller]
    pub(crate) fn wait_for_state(
        &self,
        what: &str,
        wanted: impl Fn(&PageState) -> bool,
    ) -> impl Future<Output = PageState> {
        let at = std::panic::Location::caller();
        async move {
            let waiting = async {
                loop {
                    let state = self.state().await;
                    if wanted(&state) {
                        return state;
                    }
                    tokio::time::sleep(POLL_INTERVAL).await;
                }
            };
            match tokio::time::timeout(TIME_LIMIT, waiting).await {
                Ok(state) => state,
                Err(_) => self.fail(&format!("{at}: {what}")).await,
            }
        }
    }

    /// Fails with a screenshot and the content of the page.
    pub(crate) async fn fail(&self, what: &str) -> ! {
        let test = std::thread::current().name().unwrap_or("test").replace("::", "-");
        let place = artifact_path(&format!("{test}.png"));
        save(&self.picture().await, &place);
        let text = self.text().await;
        let console_errors = self.console_errors().await;
        let touched = self.run("return window.touched;", json!([])).await;
        panic!(
            "{what}; the page shows ({}):\n{text}\ntouched: {touched:#}\nconsole: {console_errors:#?}",
            place.display()
        );
    }

    /// The visible text of the page.
    pub(crate) async fn text(&self) -> String {
        let text = self.run("return document.body.innerText;", json!([])).await;
        text.as_str().unwrap_or_default().to_owned()
    }

    /// Taps an element where nothing covers it, with the pointer of this browser.
    #[track_caller]
    pub(crate) fn tap(&self, found: &str) -> impl Future<Output = ()> {
        let (found, at) = (found.to_owned(), std::panic::Location::caller());
        async move {
            let waiting = async {
                loop {
                    let point = self.run(POINT, json!([found])).await;
                    if let Some([x, y]) = point.as_array().map(Vec::as_slice) {
                        return (x.clone(), y.clone());
                    }
                    tokio::time::sleep(POLL_INTERVAL).await;
                }
            };
            match tokio::time::timeout(TIME_LIMIT, waiting).await {
                Ok((x, y)) => self.tap_at(x, y).await,
                Err(_) => self.fail(&format!("{at}: {found} cannot be tapped")).await,
            }
        }
    }

    async fn tap_at(&self, x: Value, y: Value) {
        let kind = if self.kind.touch { "touch" } else { "mouse" };
        self.perform(json!([{
            "type": "pointer", "id": "finger", "parameters": { "pointerType": kind },
            "actions": [
                { "type": "pointerMove", "duration": 0, "x": x, "y": y },
                { "type": "pointerDown", "button": 0 },
                { "type": "pointerUp", "button": 0 },
            ],
        }]))
        .await;
    }

    /// Presses a key, with others held down.
    pub(crate) async fn press(&self, held: &[char], key: char) {
        let down = |key: &char| json!({ "type": "keyDown", "value": key });
        let up = |key: &char| json!({ "type": "keyUp", "value": key });
        let mut actions: Vec<Value> = held.iter().map(down).collect();
        actions.extend([down(&key), up(&key)]);
        actions.extend(held.iter().rev().map(up));
        self.perform(json!([{ "type": "key", "id": "keys", "actions": actions }])).await;
    }

    /// Presses Tab until an element has the focus.
    #[track_caller]
    pub(crate) fn tab_to(&self, found: &str) -> impl Future<Output = ()> {
        let (found, at) = (found.to_owned(), std::panic::Location::caller());
        async move {
            let script = format!("return !!document.activeElement?.matches({found:?});");
            for _ in 0..60 {
                if self.run(&script, json!([])).await == json!(true) {
                    return;
                }
                self.press(&[], TAB).await;
            }
            self.fail(&format!("{at}: Tab does not reach {found}")).await
        }
    }

    /// The last announcement for screen readers.
    pub(crate) async fn announced(&self) -> String {
        let script = "return document.querySelector('[role=status][aria-live]').textContent;";
        self.run(script, json!([])).await.as_str().unwrap_or_default().to_owned()
    }

    /// Types into a field.
    pub(crate) async fn write(&self, found: &str, text: &str) {
        self.tap(found).await;
        self.run("document.querySelector(arguments[0]).select();", json!([found])).await;
        for letter in text.chars() {
            self.press(&[], letter).await;
        }
    }

    /// Opens a table with a rules code, for which the page has no field.
    pub(crate) async fn open_table(&self, rules: &str, listed: bool) -> String {
        const OPEN: &str = r"
            const me = await fetch('/api/me');
            const send = (address, body) => fetch(address, { method: 'POST',
              headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
            if (!me.ok) await send('/api/session', {});
            const opened = await send('/api/tables', { rules: given[0], listed: given[1] });
            return (await opened.json()).table;";
        let table = self.run_waiting(OPEN, json!([rules, listed])).await;
        table.as_str().unwrap_or_else(|| panic!("{table}")).to_owned()
    }

    /// Fetches an address from within the page.
    pub(crate) async fn fetch(&self, address: &str) -> String {
        let script = "return await (await fetch(given[0])).text();";
        self.run_waiting(script, json!([address])).await.as_str().unwrap_or_default().to_owned()
    }

    /// Takes a seat at a new table with bots on the other seats, and starts the match.
    pub(crate) async fn sit_among_bots(&self, rules: &str) -> String {
        self.go("/").await;
        self.wait_for("#play-now").await;
        let table = self.open_table(rules, false).await;
        self.go(&format!("/t/{table}")).await;
        self.tap(".seat-item.free .primary").await;
        self.tap("#start:not([disabled])").await;
        self.wait_for("main.table").await;
        table
    }
}

/// Writes a picture into a file.
pub(crate) fn save(picture: &str, place: &Path) {
    use std::io::Write;
    let file = std::fs::File::create(place).expect("a file");
    let decoder = Command::new("base64").arg("-d").stdin(Stdio::piped()).stdout(file).spawn();
    let mut decoder = decoder.expect("the program base64");
    decoder.stdin.take().expect("its input").write_all(picture.as_bytes()).expect("base64 reads");
    assert!(decoder.wait().expect("base64 ends").success());
}
