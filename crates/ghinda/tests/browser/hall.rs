//! A whole contest of sixteen through its pages: the organiser, a referee, four players and the
//! projector at the same time, with the problems of a real hall.

use std::process::Command;

use serde_json::{Value, json};

use crate::browser::{Browser, DESKTOP, Kind, PHONE};
use crate::page::ESCAPE;
use crate::player::By;
use crate::process_guard::ProcessGuard;
use crate::test_permit;
use crate::test_server::TestServer;

/// A projector.
const WALL: Kind = Kind { size: (1280, 720), touch: false, language: "ro-RO", dark: false };

const PLAYERS: [&str; 16] = [
    "Ana", "Bogdan", "Călin", "Dana", "Elena", "Florin", "Gheorghe", "Horia", "Ion Pop", "Ion Pop",
    "Lia", "Mihai", "Nicu", "Oana", "Petru", "Radu",
];

impl Browser {
    /// The texts of all matching elements, in order.
    async fn texts(&self, found: &str) -> Vec<String> {
        let script = "return [...document.querySelectorAll(arguments[0])].map((e) => \
                      (e.firstChild?.textContent ?? '').trim());";
        let texts = self.run(script, json!([found])).await;
        serde_json::from_value(texts).expect("texts")
    }

    /// Puts a text into a field at once, as a paste does.
    async fn paste(&self, found: &str, text: &str) {
        let script = "const field = document.querySelector(arguments[0]); field.value = arguments[1]; \
                      field.dispatchEvent(new Event('input', { bubbles: true }));";
        self.run(script, json!([found, text])).await;
    }

    /// Waits until there are `count` matching elements.
    #[track_caller]
    fn wait_for_count(&self, found: &str, count: usize) -> impl Future<Output = ()> {
        let script = format!("document.querySelectorAll({found:?}).length === {count}");
        let what = format!("there are not {count} of {found}");
        let at = std::panic::Location::caller();
        async move { self.wait_until(&format!("{what}, {at}"), &script).await }
    }

    /// Fills in scores and sends them.
    async fn send_scores(&self, form: &str, scores: &[i32]) {
        for (at, score) in scores.iter().enumerate() {
            self.write(&format!("#{form}-{}", at + 1), &score.to_string()).await;
        }
        self.tap(&format!("#{form}-send")).await;
    }

    /// The organiser opens a table, enters its scores, and closes it.
    async fn enter_scores(&self, table: &str, scores: &[i32], status: &str) {
        self.tap(&format!(".hall-table[data-table='{table}'] .decide")).await;
        self.send_scores("score", scores).await;
        self.wait_for(&format!(".decisions .stands[data-status='{status}']")).await;
        if status != "tied" {
            self.press(&[], ESCAPE).await;
        }
    }

    /// The organiser prepares and makes a draw.
    pub(crate) async fn make_draw(&self, words: &str) {
        self.tap("#part-urn").await;
        self.tap("#prepare:not([disabled])").await;
        self.wait_for("#commitment").await;
        self.write("#words", words).await;
        self.tap("#draw:not([disabled])").await;
        self.tap("#sure").await;
        self.wait_for("#part-tables[aria-selected='true']").await;
        self.wait_for(".hall-table").await;
    }

    /// The links of a list with their names.
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

    async fn wait_for_report(&self, state: &str) {
        self.wait_for(&format!(".own-report[data-report='{state}']")).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_contest_of_sixteen_is_played_through_its_pages() {
    let _permit = test_permit().await;
    let server = TestServer::open();
    let organiser = enter_sixteen(&server).await;
    let contest = organiser.run("return location.pathname;", json!([])).await;
    let contest = contest.as_str().expect("a path").to_owned();
    let wall = draw_on_wall(&server, &organiser, &contest).await;
    let (phones, referee) = open_phones(&server, &organiser).await;
    settle_dispute(&phones, &referee, &wall).await;
    organiser.tap("#part-tables").await;
    settle_tie_and_draw(&organiser, &wall).await;
    phones[0]
        .wait_until(
            "the player has no seat",
            "/2/.test(document.querySelector('.me .hint').textContent)",
        )
        .await;
    correct_after_draw(&organiser, &wall, &phones[0]).await;
    play_final(&organiser, &wall).await;
    verify_log(&organiser, &contest).await;
    for browser in phones.into_iter().chain([organiser, referee, wall]) {
        browser.close().await;
    }
}

/// Begins a contest: one entrant is typed, a list with a fault shows its line, and a correct list
/// adds the others.
async fn enter_sixteen(server: &TestServer) -> Browser {
    let organiser = Browser::open(&server.url, DESKTOP).await;
    organiser.go("/").await;
    organiser.tap("#contests").await;
    organiser.write("#contest-title", "Cupa satului").await;
    organiser.tap("#found").await;
    organiser.write("#entrant", PLAYERS[0]).await;
    organiser.tap(".add .primary").await;
    organiser.wait_for_count(".entrants li", 1).await;
    organiser.tap(".many summary").await;
    organiser.paste("#list", "Bogdan\n\"Călin\n").await;
    organiser
        .wait_until(
            "the fault has no line",
            "/2/.test(document.querySelector('.faults li')?.textContent)",
        )
        .await;
    organiser.paste("#list", &PLAYERS[1..].join("\n")).await;
    organiser.tap("#admit:not([disabled])").await;
    organiser.wait_for_count(".entrants li", 16).await;
    assert!(organiser.text().await.contains("Ion Pop (2)"), "equal names are not distinguished");
    organiser
}

/// The wall shows the entrants, the commitment, and the draw while it happens.
async fn draw_on_wall(server: &TestServer, organiser: &Browser, contest: &str) -> Browser {
    let wall = Browser::open(&server.url, WALL).await;
    wall.go(&format!("{contest}/hall")).await;
    wall.wait_for_count(".wall .names li", 16).await;
    organiser.make_draw("mere pere").await;
    wall.wait_for(".drawing .lot.out").await;
    // A page that is opened later shows the result at once.
    wall.reload().await;
    wall.wait_for_count(".wall-tables article", 4).await;
    assert_eq!(wall.texts(".wall-tables li span").await.len(), 16);
    reduce_motion(&wall).await;
    wall
}

/// The phones of the players at table 1A, and that of its referee.
async fn open_phones(server: &TestServer, organiser: &Browser) -> (Vec<Browser>, Browser) {
    let seated = organiser.texts("[data-table='1A'] .places th").await;
    organiser.tap("#part-links").await;
    organiser.wait_for_count("#players li", 16).await;
    let players = organiser.links("#players").await;
    let referees = organiser.links("#referees").await;
    assert_eq!(referees.len(), 4);
    let mut phones = Vec::new();
    for name in &seated {
        let (_, link) = players.iter().find(|(of, _)| of == name).expect("the player's link");
        let phone = Browser::open(&server.url, PHONE).await;
        phone.follow(link).await;
        phone.wait_for(".me .ticket").await;
        let hash = phone.run("return location.hash;", json!([])).await;
        assert_eq!(hash, json!(""), "the key stays in the address");
        phones.push(phone);
    }
    let referee = Browser::open(&server.url, PHONE).await;
    referee.follow(&referees[0].1).await;
    referee.wait_for(".decisions").await;
    (phones, referee)
}

/// Two players report different results: all pages show it, and the referee decides.
async fn settle_dispute(phones: &[Browser], referee: &Browser, wall: &Browser) {
    phones[0].send_scores("report", &[21, 5, 7, -2]).await;
    phones[0].wait_for_report("mine").await;
    phones[1].wait_for("#agree").await;
    phones[1].send_scores("report", &[5, 21, 7, -2]).await;
    for phone in phones {
        phone.wait_for_report("conflict").await;
    }
    wall.wait_for(".wall-tables [data-table='1A'][data-status='disputed']").await;
    referee.tap(".adopt").await;
    phones[1].wait_for_report("ruled").await;
    // A revoke costs three points: 7 − 3 is less than 5.
    referee.tap(".penalties:not(.imposed) li:nth-child(3) [data-penalty='revoke']").await;
    referee.wait_for(".penalties.imposed li").await;
    phones[2].wait_for(".me[data-state='out']").await;
    phones[1].wait_for(".me[data-state='goes_on']").await;
    // An impossible score is refused with its clause, and nothing changes.
    referee.send_scores("score", &[20, 5, 7, -2]).await;
    referee
        .wait_until(
            "it is not refused",
            "/C12/.test(document.querySelector('.refusal')?.innerText)",
        )
        .await;
}

/// A tie for the second place is played off, and the second phase is drawn.
async fn settle_tie_and_draw(organiser: &Browser, wall: &Browser) {
    organiser.enter_scores("1B", &[21, 5, 5, 1], "tied").await;
    wall.wait_for(".wall-tables [data-table='1B'][data-status='tied']").await;
    organiser.send_scores("play-off", &[-1, 3]).await;
    organiser.wait_for(".decisions .stands[data-status='settled']").await;
    organiser.press(&[], ESCAPE).await;
    for table in ["1C", "1D"] {
        organiser.enter_scores(table, &[21, 5, 3, 1], "settled").await;
    }
    organiser.make_draw("").await;
    organiser.wait_for_count(".hall-table", 2).await;
}

/// A correction after the draw: all pages show the reopened phase, and the later phase is void.
async fn correct_after_draw(organiser: &Browser, wall: &Browser, phone: &Browser) {
    organiser.tap(".choosing [role='radio']:first-child").await;
    organiser.tap("#reopen").await;
    organiser.tap("#sure").await;
    organiser.wait_for(".about.reopened").await;
    wall.wait_for(".wall .warning").await;
    organiser.enter_scores("1D", &[1, 3, 21, 5], "settled").await;
    organiser.tap("#close-phase").await;
    organiser.tap("#sure").await;
    organiser.wait_for(".summary .notice").await;
    phone.wait_for(".me[data-state='goes_on']").await;
}

/// The second phase and the final, up to the podium on the wall.
async fn play_final(organiser: &Browser, wall: &Browser) {
    organiser.make_draw("struguri").await;
    organiser.wait_for_count(".hall-table", 2).await;
    for table in ["2A", "2B"] {
        organiser.enter_scores(table, &[21, 5, 3, 1], "settled").await;
    }
    organiser.make_draw("nuci").await;
    organiser.wait_for_count(".hall-table", 1).await;
    let finalists = organiser.texts("[data-table='3A'] .places th").await;
    organiser.enter_scores("3A", &[4, 21, 9, -3], "settled").await;
    wall.wait_for(".podium [data-place='1']").await;
    let podium = wall.texts(".podium li span").await;
    let order = [1, 2, 0, 3].map(|at| finalists[at].clone());
    assert_eq!(podium, order);
}

/// The log holds the whole contest, and `ghinda contest verify` rechecks it.
async fn verify_log(organiser: &Browser, contest: &str) {
    let name = contest.rsplit('/').next().expect("a name");
    let log = organiser.fetch(&format!("/api/ledgers/{name}")).await;
    let file = ProcessGuard::shared().folder().join(format!("{name}.contest"));
    std::fs::write(&file, &log).expect("a file");
    let mut verify = Command::new(env!("CARGO_BIN_EXE_ghinda"));
    let verified = verify.args(["contest", "verify"]).arg(&file).output().expect("ghinda runs");
    let output = String::from_utf8_lossy(&verified.stdout);
    assert!(verified.status.success(), "{output}{}", String::from_utf8_lossy(&verified.stderr));
}

/// Turns animations off.
async fn reduce_motion(browser: &Browser) {
    let features = json!([{ "name": "prefers-reduced-motion", "value": "reduce" }]);
    browser.devtools("Emulation.setEmulatedMedia", json!({ "features": features })).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_links_are_distinguished() {
    let _permit = test_permit().await;
    let server = TestServer::open();
    let mut browser = Browser::open(&server.url, PHONE).await;
    browser.ignore_errors("/api/ledgers/");
    browser.go("/c/0000000000").await;
    browser
        .wait_until(
            "no message is shown",
            "/nu există/.test(document.querySelector('main h1')?.textContent)",
        )
        .await;
    const BEGIN: &str = r#"
        const lines = JSON.stringify({ ghinda_contest: 1, title: 'Cupa', word: 'cupa',
          rules: 'contest', venue: 'hall' });
        await fetch('/api/session', { method: 'POST',
          headers: { 'content-type': 'application/json' }, body: '{}' });
        const opened = await fetch('/api/ledgers', { method: 'POST',
          headers: { 'content-type': 'application/json' }, body: JSON.stringify({ lines }) });
        return (await opened.json()).ledger;"#;
    let contest: Value = browser.run_waiting(BEGIN, json!([])).await;
    let contest = contest.as_str().expect("a contest");
    let key = "0".repeat(32);
    for (fragment, message) in [
        (format!("organiser.{key}"), "Cheia din link nu e bună"),
        (format!("player-1.{key}"), "Cheia din link nu e bună"),
        ("organiser.12".to_owned(), "Linkul e incomplet"),
    ] {
        browser.go("/settings").await;
        browser.wait_for("main").await;
        browser.go(&format!("/c/{contest}#{fragment}")).await;
        let script = format!(
            "[...document.querySelectorAll('.contest > .alert:not([hidden])')]\
             .some((alert) => alert.textContent.includes({message:?}))"
        );
        browser.wait_until(message, &script).await;
        browser.wait_for(".contest[data-role='public']").await;
    }
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_online_contest_links_to_its_tables_and_back() {
    let _permit = test_permit().await;
    let server = TestServer::open();
    let organiser = Browser::open(&server.url, DESKTOP).await;
    organiser.go("/").await;
    const BEGIN: &str = r#"
        const lines = JSON.stringify({ ghinda_contest: 1, title: 'Cupa', word: 'cupa',
          rules: 'cruce4s-2', venue: 'online' });
        await fetch('/api/session', { method: 'POST',
          headers: { 'content-type': 'application/json' }, body: '{}' });
        const opened = await fetch('/api/ledgers', { method: 'POST',
          headers: { 'content-type': 'application/json' }, body: JSON.stringify({ lines }) });
        return await opened.json();"#;
    let opened = organiser.run_waiting(BEGIN, json!([])).await;
    let part = |name: &str| opened[name].as_str().expect("a text").to_owned();
    let (ledger, key) = (part("ledger"), part("key"));
    organiser.go(&format!("/c/{ledger}#organiser.{key}")).await;
    organiser.tap(".many summary").await;
    organiser.paste("#list", &PLAYERS[..4].join("\n")).await;
    organiser.tap("#admit:not([disabled])").await;
    organiser.wait_for_count(".entrants li", 4).await;
    organiser.make_draw("").await;
    let seated = organiser.texts("[data-table='1A'] .places th").await;
    organiser.tap("#part-links").await;
    let (players, referees) =
        (organiser.links("#players").await, organiser.links("#referees").await);

    // A player opens the link: the seat is theirs, and the settings of the contest cannot be
    // changed.
    let phone = Browser::open(&server.url, PHONE).await;
    let (_, link) = players.iter().find(|(of, _)| *of == seated[2]).expect("the player's link");
    phone.follow(link).await;
    phone.tap("#to-table").await;
    phone.wait_for(".waiting .seat-item.mine").await;
    phone.wait_for(".waiting #to-contest").await;
    assert_eq!(phone.texts(".seat-item.mine strong").await, [seated[2].clone()]);
    let changes =
        ".waiting .seat-item button:not([hidden]), .waiting :is(#link, #start, button.quiet)";
    let count = "return document.querySelectorAll(arguments[0]).length;";
    let buttons = phone.run(count, json!([changes]));
    assert_eq!(buttons.await, json!(0), "the player can change a setting");

    // The other players do not come, and the referee starts the match.
    let referee = Browser::open(&server.url, PHONE).await;
    referee.follow(&referees[0].1).await;
    referee.tap("#begin").await;
    referee.tap("#sure").await;
    let (progress, record) = phone.play_match(By::Pointer).await;
    assert!(progress.cards > 0);
    TestServer::verify(&phone.fetch(&record).await);
    assert_eq!(phone.texts("#rematch").await, Vec::<String>::new(), "a contest has no rematch");
    phone.tap(".over #to-contest").await;
    phone.wait_for(".places td.number b:not(:empty)").await;
    phone.wait_for(".own-report[data-report='server']").await;
    assert_eq!(phone.texts("#to-table, #agree, #report-send").await, Vec::<String>::new());
    organiser.tap("#part-tables").await;
    organiser.wait_for(".hall-table[data-status='settled'], .hall-table[data-status='tied']").await;
    for browser in [organiser, phone, referee] {
        browser.close().await;
    }
}
