//! Contests at certain stages, uploaded to the server as files: reaching them through the page
//! would take hours.

use serde_json::json;

use crate::browser::Browser;

/// No draw yet.
const ENTERING: &str = r#"{"ghinda_contest":1,"title":"Cupa perechilor","word":"cupa-perechilor","rules":"contest4t","venue":"hall"}
{"at":"2026-11-16T06:17:52.254Z","by":"organiser","did":"admit","entrants":[["Ana","Dan"],["Ion Pop","Ștefania-Magdalena Ionescu"],["Mihai","Nicu"],["Elena","Radu"],["Lia","Horia"]]}
{"at":"2026-11-16T06:18:20.000Z","by":"organiser","did":"withdraw","entrant":5}
"#;
/// Three tables: one is disputed, one is tied, and one keeps a sheet.
const PLAYING: &str = r#"{"ghinda_contest":1,"title":"Cupa satului","word":"cupa-satului","rules":"cruce4s-21-m1-b4-on3-nobeat-noothers","venue":"hall"}
{"at":"2026-11-16T06:17:52.254Z","by":"organiser","did":"admit","entrants":["Ana","Bogdan","Ion Pop","Ion Pop","Elena","Ștefania-Magdalena Ionescu","Mihai","Radu","Nicu"]}
{"at":"2026-11-16T06:17:52.282Z","by":"organiser","did":"commit","commitment":"de9c643b62806443b6e7914b9fd254e7836866283d062d304b6211ef7d81ba46"}
{"at":"2026-11-16T06:17:52.359Z","by":"organiser","did":"draw","secret":"7702c3cd75c830e648ca0f2d35cb1e4f4c9d3e7d89646e6c505cc105230dd850","words":["mere"]}
{"at":"2026-11-16T06:40:00.000Z","by":"player 6","did":"report","table":"1A","scores":[21,5,7]}
{"at":"2026-11-16T06:41:00.000Z","by":"player 1","did":"report","table":"1A","scores":[5,21,7]}
{"at":"2026-11-16T06:42:00.000Z","by":"organiser","did":"report","table":"1B","scores":[21,5,5]}
{"at":"2026-11-16T06:43:00.000Z","by":"referee 1C","did":"penalise","table":"1C","place":3,"penalty":"revoke"}
{"at":"2026-11-16T06:44:00.000Z","by":"referee 1C","did":"keep","table":"1C","sheet":{"did":"declare","seat":1,"bid":2}}
"#;
/// The final is finished.
const OVER: &str = r#"{"ghinda_contest":1,"title":"Finala mică","word":"finala-mica","rules":"cruce4s-21-m1-b4-on3-nobeat-noothers","venue":"hall"}
{"at":"2026-11-16T06:17:52.515Z","by":"organiser","did":"admit","entrants":["Ana","Bogdan","Călin","Dana"]}
{"at":"2026-11-16T06:17:52.533Z","by":"organiser","did":"commit","commitment":"b7029eb06a3863c2c84a8db99d14ca38f5a0b83efd62b07656f0fe55b928abab"}
{"at":"2026-11-16T06:17:52.590Z","by":"organiser","did":"draw","secret":"90e3bf20671c31876ff3d995c07e0ffbafd9d4170d433cdb6633c2a87379b0ee","words":["mere"]}
{"at":"2026-11-16T06:17:52.632Z","by":"organiser","did":"report","table":"1A","scores":[4,21,9,-3]}
"#;

/// Uploads lines to the server, and returns the address and the key.
const UPLOAD: &str = r#"
await fetch('/api/session', { method: 'POST',
  headers: { 'content-type': 'application/json' }, body: '{}' });
const opened = await fetch('/api/ledgers', { method: 'POST',
  headers: { 'content-type': 'application/json' }, body: JSON.stringify({ lines: given[0] }) });
const { ledger, key } = await opened.json();
return [`/c/${ledger}`, key];"#;

/// Computes the key of a role, as the organiser's page does.
const KEY: &str = r"
const organiser = given[0].match(/../g).map((digits) => parseInt(digits, 16));
const text = new Uint8Array([...organiser, ...new TextEncoder().encode(given[1])]);
const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', text));
return [...hash.slice(0, 16)].map((byte) => byte.toString(16).padStart(2, '0')).join('');";

/// A contest on the server.
pub(crate) struct StoredContest {
    /// Its address.
    pub(crate) path: String,
    /// The key of the organiser.
    key: String,
}

impl StoredContest {
    async fn new(browser: &Browser, lines: &str) -> StoredContest {
        let stored = browser.run_waiting(UPLOAD, json!([lines])).await;
        let (path, key) = serde_json::from_value(stored).expect("an address and a key");
        StoredContest { path, key }
    }

    /// The address for the organiser.
    pub(crate) fn organiser(&self) -> String {
        format!("{}#organiser.{}", self.path, self.key)
    }

    /// The address for another role, such as `referee 1A`.
    pub(crate) async fn for_role(&self, browser: &Browser, role: &str) -> String {
        let key = browser.run_waiting(KEY, json!([self.key, role])).await;
        format!("{}#{}.{}", self.path, role.replace(' ', "-"), key.as_str().expect("a key"))
    }
}

/// Contests at the stages that are shown.
pub(crate) struct Contests {
    pub(crate) entering: StoredContest,
    /// The same, to be drawn during the test.
    pub(crate) drawn: StoredContest,
    pub(crate) playing: StoredContest,
    pub(crate) over: StoredContest,
}

impl Contests {
    pub(crate) async fn open(browser: &Browser) -> Contests {
        Contests {
            entering: StoredContest::new(browser, ENTERING).await,
            drawn: StoredContest::new(browser, ENTERING).await,
            playing: StoredContest::new(browser, PLAYING).await,
            over: StoredContest::new(browser, OVER).await,
        }
    }
}
