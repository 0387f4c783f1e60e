//! A whole contest of sixteen by its pages: the organiser, a referee, four players and the wall, all at
//! once, with everything that goes wrong in a hall.

use std::process::Command;

use serde_json::{Value, json};

use crate::browser::{Browser, DESK, Kind, PHONE};
use crate::keeper::Keeper;
use crate::page::ESCAPE;
use crate::player::By;
use crate::test_server::TestServer;
use crate::turn;

/// A projector.
const WALL: Kind = Kind { size: (1280, 720), touch: false, language: "ro-RO", dark: false };

const PLAYERS: [&str; 16] = [
    "Ana", "Bogdan", "Călin", "Dana", "Elena", "Florin", "Gheorghe", "Horia", "Ion Pop", "Ion Pop",
    "Lia", "Mihai", "Nicu", "Oana", "Petru", "Radu",
];

impl Browser {
    /// Texts of all elements, in order.
    async fn texts(&self, found: &str) -> Vec<String> {
        let script = "return [...document.querySelectorAll(arguments[0])].map((e) => \
                      (e.firstChild?.textContent ?? '').trim());";
        let texts = self.run(script, json!([found])).await;
        serde_json::from_value(texts).expect("texts")
    }

    /// Puts a text into a field at once, as one who pastes it.
    async fn paste(&self, found: &str, text: &str) {
        let script = "const field = document.querySelector(arguments[0]); field.value = arguments[1]; \
                      field.dispatchEvent(new Event('input', { bubbles: true }));";
        self.run(script, json!([found, text])).await;
    }

    /// Waits until there are so many elements.
    #[track_caller]
    fn counts(&self, found: &str, count: usize) -> impl Future<Output = ()> {
        let script = format!("document.querySelectorAll({found:?}).length === {count}");
        let what = format!("there are not {count} of {found}");
        let at = std::panic::Location::caller();
        async move { self.until(&format!("{what}, {at}"), &script).await }
    }

    /// Fills in scores and sends them.
    async fn scores(&self, form: &str, scores: &[i32]) {
        for (at, score) in scores.iter().enumerate() {
            self.write(&format!("#{form}-{}", at + 1), &score.to_string()).await;
        }
        self.tap(&format!("#{form}-send")).await;
    }

    /// The organiser opens the desk of a table, enters its scores, and leaves it as it stands.
    async fn enters(&self, table: &str, scores: &[i32], status: &str) {
        self.tap(&format!(".hall-table[data-table='{table}'] .decide")).await;
        self.scores("score", scores).await;
        self.shows(&format!(".desk .stands[data-status='{status}']")).await;
        if status != "tied" {
            self.press(&[], ESCAPE).await;
        }
    }

    /// The organiser prepares and makes a draw.
    pub(crate) async fn draws(&self, words: &str) {
        self.tap("#part-urn").await;
        self.tap("#prepare:not([disabled])").await;
        self.shows("#commitment").await;
        self.write("#words", words).await;
        self.tap("#draw:not([disabled])").await;
        self.tap("#sure").await;
        self.shows("#part-tables[aria-selected='true']").await;
        self.shows(".hall-table").await;
    }

    /// The links of a list by their names.
    async fn links(&self, list: &str) -> Vec<(String, String)> {
        let script = "return [...document.querySelectorAll(arguments[0] + ' a')]\
                      .map((a) => [a.textContent, a.getAttribute('href')]);";
        let links = self.run(script, json!([list])).await;
        serde_json::from_value(links).expect("names and links")
    }

    async fn follow(&self, link: &str) {
        let path = link.strip_prefix(&self.home).expect("a link of this server");
        self.go(path).await;
    }

    async fn state_of_telling(&self, state: &str) {
        self.shows(&format!(".telling[data-telling='{state}']")).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_contest_of_sixteen() {
    let _turn = turn().await;
    let server = TestServer::open();
    let organiser = Browser::open(&server.url, DESK).await;
    organiser.go("/").await;
    organiser.tap("#contests").await;
    organiser.write("#contest-title", "Cupa satului").await;
    organiser.tap("#found").await;
    // One is typed; of a list with a fault the line is named; then the list is right.
    organiser.write("#entrant", PLAYERS[0]).await;
    organiser.tap(".add .primary").await;
    organiser.counts(".entrants li", 1).await;
    organiser.tap(".many summary").await;
    organiser.paste("#list", "Bogdan\n\"Călin\n").await;
    organiser
        .until(
            "the fault has no line",
            "/2/.test(document.querySelector('.faults li')?.textContent)",
        )
        .await;
    organiser.paste("#list", &PLAYERS[1..].join("\n")).await;
    organiser.tap("#admit:not([disabled])").await;
    organiser.counts(".entrants li", 16).await;
    assert!(organiser.text().await.contains("Ion Pop (2)"), "namesakes are not told apart");
    let contest = organiser.run("return location.pathname;", json!([])).await;
    let contest = contest.as_str().expect("a path").to_owned();

    // The wall shows them, the commitment, and the draw as it happens.
    let wall = Browser::open(&server.url, WALL).await;
    wall.go(&format!("{contest}/hall")).await;
    wall.counts(".wall .names li", 16).await;
    organiser.draws("mere pere").await;
    wall.shows(".drawing .lot.out").await;
    // Whoever comes later sees at once what was drawn.
    wall.reload().await;
    wall.counts(".wall-tables article", 4).await;
    assert_eq!(wall.texts(".wall-tables li span").await.len(), 16);
    still(&wall).await;

    let seated = organiser.texts("[data-table='1A'] .places th").await;
    organiser.tap("#part-links").await;
    organiser.counts("#players li", 16).await;
    let players = organiser.links("#players").await;
    let referees = organiser.links("#referees").await;
    assert_eq!(referees.len(), 4);
    let mut phones = Vec::new();
    for name in &seated {
        let (_, link) = players.iter().find(|(of, _)| of == name).expect("his link");
        let phone = Browser::open(&server.url, PHONE).await;
        phone.follow(link).await;
        phone.shows(".me .ticket").await;
        let hash = phone.run("return location.hash;", json!([])).await;
        assert_eq!(hash, json!(""), "the key can be read over a shoulder");
        phones.push(phone);
    }
    let referee = Browser::open(&server.url, PHONE).await;
    referee.follow(&referees[0].1).await;
    referee.shows(".desk").await;

    // Two players tell different results: everybody is told so, and the referee decides.
    phones[0].scores("told", &[21, 5, 7, -2]).await;
    phones[0].state_of_telling("mine").await;
    phones[1].shows("#agree").await;
    phones[1].scores("told", &[5, 21, 7, -2]).await;
    for phone in &phones {
        phone.state_of_telling("conflict").await;
    }
    wall.shows(".wall-tables [data-table='1A'][data-status='disputed']").await;
    referee.tap(".adopt").await;
    phones[1].state_of_telling("ruled").await;
    // A revoke costs three points: 7 − 3 is less than 5.
    referee.tap(".penalties:not(.imposed) li:nth-child(3) [data-penalty='revoke']").await;
    referee.shows(".penalties.imposed li").await;
    phones[2].shows(".me[data-state='out']").await;
    phones[1].shows(".me[data-state='goes_on']").await;
    // A score that cannot be is refused with its clause, and nothing changes.
    referee.scores("score", &[20, 5, 7, -2]).await;
    referee
        .until("it is not refused", "/C12/.test(document.querySelector('.refusal')?.innerText)")
        .await;

    // A tie for the second place is played off.
    organiser.tap("#part-tables").await;
    organiser.enters("1B", &[21, 5, 5, 1], "tied").await;
    wall.shows(".wall-tables [data-table='1B'][data-status='tied']").await;
    organiser.scores("play-off", &[-1, 3]).await;
    organiser.shows(".desk .stands[data-status='settled']").await;
    organiser.press(&[], ESCAPE).await;
    for table in ["1C", "1D"] {
        organiser.enters(table, &[21, 5, 3, 1], "settled").await;
    }
    organiser.draws("").await;
    organiser.counts(".hall-table", 2).await;
    phones[0]
        .until("he sits nowhere", "/2/.test(document.querySelector('.me .hint').textContent)")
        .await;

    // A correction after the draw: the phase is open for all to see, and what followed is void.
    organiser.tap(".choosing [role='radio']:first-child").await;
    organiser.tap("#reopen").await;
    organiser.tap("#sure").await;
    organiser.shows(".about.reopened").await;
    wall.shows(".wall .warning").await;
    organiser.enters("1D", &[1, 3, 21, 5], "settled").await;
    organiser.tap("#close-phase").await;
    organiser.tap("#sure").await;
    organiser.shows(".summary .notice").await;
    phones[0].shows(".me[data-state='goes_on']").await;
    organiser.draws("struguri").await;
    organiser.counts(".hall-table", 2).await;
    for table in ["2A", "2B"] {
        organiser.enters(table, &[21, 5, 3, 1], "settled").await;
    }
    organiser.draws("nuci").await;
    organiser.counts(".hall-table", 1).await;
    let finalists = organiser.texts("[data-table='3A'] .places th").await;
    organiser.enters("3A", &[4, 21, 9, -3], "settled").await;

    wall.shows(".podium [data-place='1']").await;
    let podium = wall.texts(".podium li span").await;
    let order = [1, 2, 0, 3].map(|at| finalists[at].clone());
    assert_eq!(podium, order);

    // The log is the whole contest, and everybody can check it.
    let name = contest.rsplit('/').next().expect("a name");
    let log = organiser.fetch(&format!("/api/ledgers/{name}")).await;
    let file = Keeper::shared().folder().join(format!("{name}.contest"));
    std::fs::write(&file, &log).expect("a file");
    let mut verify = Command::new(env!("CARGO_BIN_EXE_ghinda"));
    let verified = verify.args(["contest", "verify"]).arg(&file).output().expect("ghinda runs");
    let said = String::from_utf8_lossy(&verified.stdout);
    assert!(verified.status.success(), "{said}{}", String::from_utf8_lossy(&verified.stderr));

    for browser in phones.into_iter().chain([organiser, referee, wall]) {
        browser.close().await;
    }
}

/// Nothing moves any more.
async fn still(browser: &Browser) {
    let features = json!([{ "name": "prefers-reduced-motion", "value": "reduce" }]);
    browser.devtools("Emulation.setEmulatedMedia", json!({ "features": features })).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_links_are_told_apart() {
    let _turn = turn().await;
    let server = TestServer::open();
    let mut browser = Browser::open(&server.url, PHONE).await;
    browser.excuse("/api/ledgers/");
    browser.go("/c/0000000000").await;
    browser
        .until(
            "nothing is said",
            "/nu există/.test(document.querySelector('main h1')?.textContent)",
        )
        .await;
    const FOUND: &str = r#"
        const lines = JSON.stringify({ ghinda_contest: 1, title: 'Cupa', word: 'cupa',
          rules: 'contest', venue: 'hall' });
        const opened = await fetch('/api/ledgers', { method: 'POST',
          headers: { 'content-type': 'application/json' }, body: JSON.stringify({ lines }) });
        return (await opened.json()).ledger;"#;
    let contest: Value = browser.run_waiting(FOUND, json!([])).await;
    let contest = contest.as_str().expect("a contest");
    let key = "0".repeat(32);
    for (fragment, said) in [
        (format!("organiser.{key}"), "Cheia din link nu e bună"),
        (format!("player-1.{key}"), "Cheia din link nu e bună"),
        ("organiser.12".to_owned(), "Linkul e incomplet"),
    ] {
        browser.go("/settings").await;
        browser.shows("main").await;
        browser.go(&format!("/c/{contest}#{fragment}")).await;
        let script = format!(
            "[...document.querySelectorAll('.contest > .alert:not([hidden])')]\
             .some((alert) => alert.textContent.includes({said:?}))"
        );
        browser.until(said, &script).await;
        browser.shows(".contest[data-role='public']").await;
    }
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_online_contest_leads_to_its_tables_and_back() {
    let _turn = turn().await;
    let server = TestServer::open();
    let organiser = Browser::open(&server.url, DESK).await;
    organiser.go("/").await;
    const FOUND: &str = r#"
        const lines = JSON.stringify({ ghinda_contest: 1, title: 'Cupa', word: 'cupa',
          rules: 'cruce4s-2', venue: 'online' });
        const opened = await fetch('/api/ledgers', { method: 'POST',
          headers: { 'content-type': 'application/json' }, body: JSON.stringify({ lines }) });
        return await opened.json();"#;
    let opened = organiser.run_waiting(FOUND, json!([])).await;
    let part = |name: &str| opened[name].as_str().expect("a text").to_owned();
    let (ledger, key) = (part("ledger"), part("key"));
    organiser.go(&format!("/c/{ledger}#organiser.{key}")).await;
    organiser.tap(".many summary").await;
    organiser.paste("#list", &PLAYERS[..4].join("\n")).await;
    organiser.tap("#admit:not([disabled])").await;
    organiser.counts(".entrants li", 4).await;
    organiser.draws("").await;
    let seated = organiser.texts("[data-table='1A'] .places th").await;
    organiser.tap("#part-links").await;
    let (players, referees) =
        (organiser.links("#players").await, organiser.links("#referees").await);

    // One comes; the seat is his, and what the contest decides cannot be changed at the table.
    let phone = Browser::open(&server.url, PHONE).await;
    let (_, link) = players.iter().find(|(of, _)| *of == seated[2]).expect("his link");
    phone.follow(link).await;
    phone.tap("#to-table").await;
    phone.shows(".waiting .chair.mine").await;
    phone.shows(".waiting #to-contest").await;
    assert_eq!(phone.texts(".chair.mine strong").await, [seated[2].clone()]);
    let changes = ".waiting .chair button:not([hidden]), .waiting :is(#link, #start, button.quiet)";
    let count = "return document.querySelectorAll(arguments[0]).length;";
    let buttons = phone.run(count, json!([changes]));
    assert_eq!(buttons.await, json!(0), "he could change something");

    // The others do not, and the referee lets it begin.
    let referee = Browser::open(&server.url, PHONE).await;
    referee.follow(&referees[0].1).await;
    referee.tap("#begin").await;
    referee.tap("#sure").await;
    let (met, record) = phone.play_match(By::Pointer).await;
    assert!(met.cards > 0);
    TestServer::verify(&phone.fetch(&record).await);
    assert_eq!(phone.texts("#rematch").await, Vec::<String>::new(), "a contest is played once");
    phone.tap(".over #to-contest").await;
    phone.shows(".places td.number b:not(:empty)").await;
    phone.shows(".telling[data-telling='server']").await;
    assert_eq!(phone.texts("#to-table, #agree, #told-send").await, Vec::<String>::new());
    organiser.tap("#part-tables").await;
    organiser.shows(".hall-table[data-status='settled'], .hall-table[data-status='tied']").await;
    for browser in [organiser, phone, referee] {
        browser.close().await;
    }
}
