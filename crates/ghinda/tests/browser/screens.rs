//! Every screen of the page, reached through the page: checked by `accessibility`, and drawn into
//! files by `cargo xtask screens`.

use std::path::Path;

use crate::browser::{Browser, DESKTOP, Kind, PHONE};
use crate::contests::Contests;
use crate::page::{END, PageState, save};
use crate::player::{By, Progress};
use crate::test_server::TestServer;

/// A sheet with calls, a penalty, a changed line and a begun one.
const PAPER_OF_CRUCE: &str = r#"{"ghinda_sheet":1,"rules":"cruce4t-21","names":["Ana","Bogdan","Călin","Dana"],"dealer":4}
{"at":"2026-11-16T20:05:11.000Z","did":"write","line":{"cruce":{"declarer":1,"bid":2,"cards":[64,56],"calls":[20,0]}}}
{"at":"2026-11-16T20:09:30.000Z","did":"write","line":{"cruce":{"declarer":2,"bid":3,"cards":[30,90],"calls":[0,0]}}}
{"at":"2026-11-16T20:11:02.000Z","did":"write","line":"misdeal"}
{"at":"2026-11-16T20:12:00.000Z","did":"edit","number":1,"line":{"cruce":{"declarer":1,"bid":2,"cards":[64,56],"calls":[0,0]}}}
{"at":"2026-11-16T20:13:00.000Z","did":"declare","seat":4,"bid":2}
"#;
/// A sheet with made and missed bids, where one bid is forbidden next.
const PAPER_OF_WHIST: &str = r#"{"ghinda_sheet":1,"rules":"whist4","names":["Ana","Bogdan","Călin","Dana"],"dealer":4}
{"at":"2026-11-16T20:05:11.000Z","did":"write","line":{"whist":{"bids":[1,0,0,1],"tricks":[1,0,0,0]}}}
{"at":"2026-11-16T20:06:11.000Z","did":"bid","bid":0}
{"at":"2026-11-16T20:06:12.000Z","did":"bid","bid":1}
{"at":"2026-11-16T20:06:13.000Z","did":"bid","bid":0}
"#;

/// A screen of the page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Screen {
    Home,
    Friends,
    Lobby,
    RulesCruce,
    RulesWhist,
    Settings,
    NotFound,
    WrongLink,
    NoTable,
    Waiting,
    Bidding,
    Playing,
    WhyNot,
    LastTrick,
    ScoreSheet,
    Talk,
    Participants,
    Keys,
    DealOver,
    MatchOver,
    Replay,
    Mine,
    LearnCruce,
    LearnWhist,
    Practice,
    WhistBidding,
    WhistPlaying,
    WhistSheet,
    Sheets,
    PaperOfCruce,
    PaperOfWhist,
    LineOfPaper,
    WallNames,
    WallDraw,
    WallTables,
    WallPodium,
    ContestOfAll,
    ContestPlayer,
    ContestReferee,
    Entrants,
    Urn,
    Tables,
    TableDecision,
    Standings,
    Links,
    Log,
    Tickets,
    TableSheets,
    Bracket,
    FinalList,
    Contests,
}

impl Screen {
    /// In the order in which they are easiest to reach.
    pub(crate) const ALL: [Screen; 51] = [
        Screen::Home,
        Screen::Friends,
        Screen::Lobby,
        Screen::RulesCruce,
        Screen::RulesWhist,
        Screen::Settings,
        Screen::NotFound,
        Screen::WrongLink,
        Screen::NoTable,
        Screen::Waiting,
        Screen::Bidding,
        Screen::Playing,
        Screen::WhyNot,
        Screen::LastTrick,
        Screen::ScoreSheet,
        Screen::Talk,
        Screen::Participants,
        Screen::Keys,
        Screen::DealOver,
        Screen::MatchOver,
        Screen::Replay,
        Screen::Mine,
        Screen::LearnCruce,
        Screen::LearnWhist,
        Screen::Practice,
        Screen::WhistBidding,
        Screen::WhistPlaying,
        Screen::WhistSheet,
        Screen::Sheets,
        Screen::PaperOfCruce,
        Screen::LineOfPaper,
        Screen::PaperOfWhist,
        Screen::WallNames,
        Screen::WallDraw,
        Screen::WallTables,
        Screen::WallPodium,
        Screen::ContestOfAll,
        Screen::ContestPlayer,
        Screen::ContestReferee,
        Screen::Entrants,
        Screen::Urn,
        Screen::Tables,
        Screen::TableDecision,
        Screen::Standings,
        Screen::Links,
        Screen::Log,
        Screen::Tickets,
        Screen::TableSheets,
        Screen::Bracket,
        Screen::FinalList,
        Screen::Contests,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Screen::Home => "home",
            Screen::Friends => "friends",
            Screen::Lobby => "lobby",
            Screen::RulesCruce => "rules-cruce",
            Screen::RulesWhist => "rules-whist",
            Screen::Settings => "settings",
            Screen::NotFound => "not-found",
            Screen::WrongLink => "wrong-link",
            Screen::NoTable => "no-table",
            Screen::Waiting => "waiting",
            Screen::Bidding => "bidding",
            Screen::Playing => "playing",
            Screen::WhyNot => "why-not",
            Screen::LastTrick => "last-trick",
            Screen::ScoreSheet => "score-sheet",
            Screen::Talk => "talk",
            Screen::Participants => "participants",
            Screen::Keys => "keys",
            Screen::DealOver => "deal-over",
            Screen::MatchOver => "match-over",
            Screen::Replay => "replay",
            Screen::Mine => "mine",
            Screen::LearnCruce => "learn-cruce",
            Screen::LearnWhist => "learn-whist",
            Screen::Practice => "practice",
            Screen::WhistBidding => "whist-bidding",
            Screen::WhistPlaying => "whist-playing",
            Screen::WhistSheet => "whist-sheet",
            Screen::Sheets => "sheets",
            Screen::PaperOfCruce => "paper-of-cruce",
            Screen::PaperOfWhist => "paper-of-whist",
            Screen::LineOfPaper => "line-of-paper",
            Screen::WallNames => "wall-names",
            Screen::WallDraw => "wall-draw",
            Screen::WallTables => "wall-tables",
            Screen::WallPodium => "wall-podium",
            Screen::ContestOfAll => "contest-of-all",
            Screen::ContestPlayer => "contest-player",
            Screen::ContestReferee => "contest-referee",
            Screen::Entrants => "contest-entrants",
            Screen::Urn => "contest-urn",
            Screen::Tables => "contest-tables",
            Screen::TableDecision => "contest-decision",
            Screen::Standings => "contest-standings",
            Screen::Links => "contest-links",
            Screen::Log => "contest-log",
            Screen::Tickets => "paper-tickets",
            Screen::TableSheets => "paper-sheets",
            Screen::Bracket => "paper-bracket",
            Screen::FinalList => "paper-final",
            Screen::Contests => "contests",
        }
    }
}

/// A browser that goes from screen to screen.
pub(crate) struct Scenes {
    pub(crate) browser: Browser,
    /// A private table of another player, without its key.
    private: String,
    /// Another player, who has opened a public table.
    other: Browser,
    contests: Contests,
}

impl Scenes {
    pub(crate) async fn open(server: &TestServer, kind: Kind) -> Scenes {
        let other = Browser::open(&server.url, DESKTOP).await;
        other.go("/").await;
        other.wait_for("#play-now").await;
        let private = other.open_table("whist4", false).await;
        let listed = other.open_table("cruce4t-21", true).await;
        other.go(&format!("/t/{listed}")).await;
        other.tap(".seat-item.free .primary").await;
        other.wait_for(".seat-item.mine").await;
        let browser = Browser::open(&server.url, kind).await;
        let contests = Contests::open(&other).await;
        Scenes { browser, private, other, contests }
    }

    /// Goes to a screen; those of a match must be requested one after the other.
    pub(crate) async fn show(&self, screen: Screen) {
        match screen {
            Screen::Home => self.page("/", "#play-now").await,
            Screen::Friends => self.page("/friends", "form").await,
            Screen::Lobby => self.page("/lobby", ".listed").await,
            Screen::RulesCruce => self.rules("/rules/cruce").await,
            Screen::RulesWhist => self.rules("/rules/whist").await,
            Screen::Settings => self.page("/settings", ".sample use").await,
            Screen::NotFound => self.page("/weather", "main a.button").await,
            Screen::WrongLink => {
                self.page(&format!("/t/{}#0123", self.private), "main a.button").await;
            }
            Screen::NoTable => self.page("/t/0000000000", "main a.button").await,
            Screen::Mine => self.page("/mine", ".past").await,
            Screen::LearnCruce => self.page("/learn/cruce", "#on").await,
            Screen::LearnWhist => self.page("/learn/whist", "#on").await,
            Screen::Practice => {
                self.page("/practice#cruce3-21,easy", "main.table .hand .card").await;
            }
            _ => self.show_match(screen).await,
        }
        let drawn = "document.fonts.status === 'loaded'";
        self.browser.wait_until("the fonts are not loaded", drawn).await;
    }

    /// The screens of a match of Cruce.
    async fn show_match(&self, screen: Screen) {
        let browser = &self.browser;
        match screen {
            Screen::Waiting => {
                self.page("/", "#play-now").await;
                let table = browser.open_table("cruce4t-1-m1", false).await;
                self.page(&format!("/t/{table}"), ".qr svg").await;
                browser.tap(".seat-item.free .primary").await;
                browser.wait_for(".seat-item.mine").await;
            }
            Screen::Bidding => {
                browser.tap("#start:not([disabled])").await;
                self.play_until(|state| !state.bids.is_empty()).await;
            }
            Screen::Playing => {
                self.play_until(|state| state.card_asked && state.trick > 1).await;
            }
            Screen::WhyNot => {
                self.play_until(|state| {
                    state.card_asked && state.hand.iter().any(|held| held.forbidden)
                })
                .await;
                let state = browser.state().await;
                let card = state.hand.iter().find(|held| held.forbidden).expect("a card").card;
                browser.check_refusal(By::Pointer, card).await;
            }
            Screen::LastTrick => {
                self.play_until(|state| state.card_asked && state.hand.len() < 5).await;
                self.tool(1).await;
            }
            Screen::ScoreSheet => self.tool(2).await,
            Screen::Talk => self.tool(3).await,
            Screen::Participants => self.tool(4).await,
            Screen::Keys => {
                self.close_window().await;
                browser.press(&[crate::page::SHIFT], '?').await;
                browser.wait_for("dialog[open] .keys").await;
            }
            Screen::DealOver => {
                self.close_window().await;
                // The first deal may end a short match, which then has no screen for the end of a deal.
                self.page("/", "#play-now").await;
                browser.tap("#play-now").await;
                self.play_until(|state| state.next_deal).await;
            }
            Screen::MatchOver => {
                self.page("/", "#play-now").await;
                browser.sit_among_bots("cruce2-1-m1").await;
                self.play_until(|state| state.record.is_some()).await;
            }
            Screen::Replay => {
                browser.tap("#replay").await;
                browser.wait_for("main.replay .strides").await;
                browser.press(&[], END).await;
                browser.wait_for(".brought").await;
            }
            _ => self.show_whist_or_sheet(screen).await,
        }
    }

    /// The screens of a match of whist and of score sheets.
    async fn show_whist_or_sheet(&self, screen: Screen) {
        let browser = &self.browser;
        match screen {
            Screen::WhistBidding => {
                browser.sit_among_bots("whist6-818").await;
                self.play_until(|state| !state.bids.is_empty()).await;
            }
            Screen::WhistPlaying => {
                self.play_until(|state| state.card_asked && state.trick > 2).await;
            }
            Screen::WhistSheet => {
                self.play_until(|state| state.next_deal).await;
                self.tool(2).await;
            }
            Screen::Sheets => {
                for (name, lines) in [("cruce", PAPER_OF_CRUCE), ("whist", PAPER_OF_WHIST)] {
                    let script =
                        "localStorage.setItem('ghinda.sheets.' + arguments[0], arguments[1]);";
                    browser.run(script, serde_json::json!([name, lines])).await;
                }
                let list = "localStorage.setItem('ghinda.sheets', 'cruce whist');";
                browser.run(list, serde_json::json!([])).await;
                self.page("/sheet", "#new-sheet").await;
            }
            Screen::PaperOfCruce => self.page("/sheet/cruce", ".course .track").await,
            Screen::LineOfPaper => {
                browser.tap("tr[data-line='1'] .line").await;
                browser.wait_for("dialog[open] .declare").await;
            }
            Screen::PaperOfWhist => self.page("/sheet/whist", ".entry .numbers").await,
            _ => self.show_contest(screen).await,
        }
    }

    /// The screens of contests. Pages without a role come first: role keys are stored.
    async fn show_contest(&self, screen: Screen) {
        let (browser, contests) = (&self.browser, &self.contests);
        let playing = &contests.playing;
        let wall = |path: &str| format!("{path}/hall");
        let paper = |what: &str| format!("{}/print/{what}", playing.path);
        match screen {
            Screen::WallNames => self.page(&wall(&contests.entering.path), ".names li").await,
            Screen::WallDraw => {
                self.page(&wall(&contests.drawn.path), ".names li").await;
                self.other.go(&contests.drawn.organiser()).await;
                self.other.make_draw("mere").await;
                // The lots move to their places one after the other.
                browser.wait_for(".drawing .lot.out").await;
                let all = "!document.querySelector('.drawing .lot:not(.out)')";
                browser.wait_until("the draw does not end", all).await;
            }
            Screen::WallTables => self.page(&wall(&playing.path), ".wall-tables article").await,
            Screen::WallPodium => self.page(&wall(&contests.over.path), ".podium li").await,
            Screen::ContestOfAll => self.page(&playing.path, "[data-role='public'] .parts").await,
            Screen::ContestPlayer => {
                let path = playing.for_role(browser, "player 1").await;
                self.page(&path, ".own-report").await;
            }
            Screen::ContestReferee => {
                let path = playing.for_role(browser, "referee 1C").await;
                self.page(&path, ".decisions .sheet-editor .entry").await;
            }
            Screen::Entrants => {
                self.page(&contests.entering.organiser(), ".entrants li").await;
                browser.tap(".many summary").await;
                browser.wait_for("#list").await;
            }
            Screen::Urn => {
                browser.tap("#part-urn").await;
                browser.tap("#prepare:not([disabled])").await;
                browser.wait_for("#commitment").await;
                browser.write("#words", "mere").await;
            }
            Screen::Tables => {
                self.page(&playing.organiser(), "#part-tables").await;
                browser.tap("#part-tables").await;
                browser.wait_for(".hall-table[data-status='disputed']").await;
            }
            Screen::TableDecision => {
                browser.tap(".hall-table[data-table='1A'] .decide").await;
                browser.wait_for("dialog[open] .adopt").await;
            }
            Screen::Standings => {
                self.close_window().await;
                browser.tap("#part-standings").await;
                browser.wait_for("table.standings").await;
            }
            Screen::Links => {
                browser.tap("#part-links").await;
                browser.wait_for("#players li").await;
            }
            Screen::Log => {
                browser.tap("#part-log").await;
                browser.tap(".draws summary").await;
                browser.wait_for(".draws pre").await;
            }
            Screen::Tickets => self.page(&paper("tickets"), ".cut svg").await,
            Screen::TableSheets => self.page(&paper("sheets"), ".blank svg").await,
            Screen::Bracket => self.page(&paper("bracket"), ".stages li").await,
            Screen::FinalList => self.page(&paper("final"), ".final-list td").await,
            _ => self.page("/contests", "#found").await,
        }
    }

    async fn page(&self, path: &str, found: &str) {
        self.browser.go(path).await;
        self.browser.wait_for(found).await;
    }

    async fn rules(&self, path: &str) {
        self.page(path, "main nav.tabs").await;
        self.browser.wait_for("article.rules h1, article.rules h2").await;
    }

    async fn close_window(&self) {
        let open = "return !!document.querySelector('dialog[open]');";
        if self.browser.run(open, serde_json::json!([])).await == serde_json::json!(true) {
            self.browser.tap("dialog[open] header button").await;
            self.browser
                .wait_until("the dialog stays", "!document.querySelector('dialog[open]')")
                .await;
        }
    }

    /// Opens a dialog from the tool bar.
    async fn tool(&self, number: usize) {
        self.close_window().await;
        self.browser.tap(&format!(".tools button:nth-child({number})")).await;
        self.browser.wait_for("dialog[open] .window").await;
    }

    /// Plays until the state fulfils a condition; a match that ends before is followed by another.
    async fn play_until(&self, wanted: impl Fn(&PageState) -> bool) {
        let mut progress = Progress { refusals: 1, ..Progress::default() };
        self.browser.wait_for("main.table").await;
        for _ in 0..400 {
            let can_act = |state: &PageState| {
                state.card_asked
                    || !state.bids.is_empty()
                    || state.next_deal
                    || state.record.is_some()
            };
            let state = self.browser.wait_for_state("no action is possible", can_act).await;
            if wanted(&state) {
                return;
            }
            if state.record.is_some() {
                self.browser.tap("#rematch").await;
                self.browser.wait_for_state("no rematch", |state| state.record.is_none()).await;
                continue;
            }
            self.browser.play_step(By::Pointer, &mut progress).await;
        }
        self.browser.fail("the wanted state is never reached").await
    }
}

/// Runs only for `cargo xtask screens`.
#[tokio::test]
async fn draw_all() {
    if std::env::var_os("DRAW_SCREENS").is_none() {
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("screens");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    let server = TestServer::with_bots_of(20);
    for (device, kind) in [("phone", PHONE), ("desktop", DESKTOP)] {
        for (short, language) in [("ro", "ro-RO"), ("en", "en-GB")] {
            let scenes = Scenes::open(&server, Kind { language, ..kind }).await;
            for screen in Screen::ALL {
                scenes.show(screen).await;
                for (look, dark) in [("light", false), ("dark", true)] {
                    scenes.browser.set_dark(dark).await;
                    // Waits for the end of animations.
                    tokio::time::sleep(std::time::Duration::from_millis(250)).await;
                    let place =
                        folder.join(format!("{device}-{short}-{look}-{}.png", screen.name()));
                    save(&scenes.browser.picture().await, &place);
                }
            }
        }
    }
    println!("{} pictures in {}", count(&folder), folder.display());
}

fn count(folder: &Path) -> usize {
    std::fs::read_dir(folder).into_iter().flatten().count()
}
