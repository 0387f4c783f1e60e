//! Every screen of the page, brought about through the page: judged by `eyes`, and drawn into
//! files by `cargo xtask screens` for people to look at.

use std::path::Path;

use crate::browser::{Browser, DESK, Kind, PHONE};
use crate::contests::Contests;
use crate::page::{END, Sight, save};
use crate::player::{By, Met};
use crate::test_server::TestServer;

/// A sheet with everything: calls, a penalty, a line that was changed, one that is begun.
const PAPER_OF_CRUCE: &str = r#"{"ghinda_sheet":1,"rules":"cruce4t-21","names":["Ana","Bogdan","Călin","Dana"],"dealer":4}
{"at":"2026-11-16T20:05:11.000Z","did":"write","line":{"cruce":{"declarer":1,"bid":2,"cards":[64,56],"calls":[20,0]}}}
{"at":"2026-11-16T20:09:30.000Z","did":"write","line":{"cruce":{"declarer":2,"bid":3,"cards":[30,90],"calls":[0,0]}}}
{"at":"2026-11-16T20:11:02.000Z","did":"write","line":"misdeal"}
{"at":"2026-11-16T20:12:00.000Z","did":"edit","number":1,"line":{"cruce":{"declarer":1,"bid":2,"cards":[64,56],"calls":[0,0]}}}
{"at":"2026-11-16T20:13:00.000Z","did":"declare","seat":4,"bid":2}
"#;
/// A sheet with made and missed bids, and one bid that is forbidden next.
const PAPER_OF_WHIST: &str = r#"{"ghinda_sheet":1,"rules":"whist4","names":["Ana","Bogdan","Călin","Dana"],"dealer":4}
{"at":"2026-11-16T20:05:11.000Z","did":"write","line":{"whist":{"bids":[1,0,0,1],"tricks":[1,0,0,0]}}}
{"at":"2026-11-16T20:06:11.000Z","did":"bid","bid":0}
{"at":"2026-11-16T20:06:12.000Z","did":"bid","bid":1}
{"at":"2026-11-16T20:06:13.000Z","did":"bid","bid":0}
"#;

/// What is to be seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Screen {
    Home,
    Friends,
    Lobby,
    RulesCruce,
    RulesWhist,
    Settings,
    Nowhere,
    WrongLink,
    NoTable,
    Waiting,
    Bidding,
    Playing,
    WhyNot,
    LastTrick,
    ScoreSheet,
    Talk,
    Company,
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
    Desk,
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
    /// In the order in which they come about most easily.
    pub(crate) const ALL: [Screen; 51] = [
        Screen::Home,
        Screen::Friends,
        Screen::Lobby,
        Screen::RulesCruce,
        Screen::RulesWhist,
        Screen::Settings,
        Screen::Nowhere,
        Screen::WrongLink,
        Screen::NoTable,
        Screen::Waiting,
        Screen::Bidding,
        Screen::Playing,
        Screen::WhyNot,
        Screen::LastTrick,
        Screen::ScoreSheet,
        Screen::Talk,
        Screen::Company,
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
        Screen::Desk,
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
            Screen::Nowhere => "nowhere",
            Screen::WrongLink => "wrong-link",
            Screen::NoTable => "no-table",
            Screen::Waiting => "waiting",
            Screen::Bidding => "bidding",
            Screen::Playing => "playing",
            Screen::WhyNot => "why-not",
            Screen::LastTrick => "last-trick",
            Screen::ScoreSheet => "score-sheet",
            Screen::Talk => "talk",
            Screen::Company => "company",
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
            Screen::Desk => "contest-desk",
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

/// A browser that is led from screen to screen.
pub(crate) struct Scenes {
    pub(crate) browser: Browser,
    /// A table of somebody else, without its key.
    private: String,
    /// Somebody else, who has opened a table for all.
    other: Browser,
    contests: Contests,
}

impl Scenes {
    pub(crate) async fn open(server: &TestServer, kind: Kind) -> Scenes {
        let other = Browser::open(&server.url, DESK).await;
        other.go("/").await;
        other.shows("#play-now").await;
        let private = other.open_table("whist4", false).await;
        let listed = other.open_table("cruce4t-21", true).await;
        other.go(&format!("/t/{listed}")).await;
        other.tap(".chair.free .primary").await;
        other.shows(".chair.mine").await;
        let browser = Browser::open(&server.url, kind).await;
        let contests = Contests::open(&other).await;
        Scenes { browser, private, other, contests }
    }

    /// Leads the browser to a screen; those of a match come one after the other.
    pub(crate) async fn show(&self, screen: Screen) {
        let browser = &self.browser;
        match screen {
            Screen::Home => self.page("/", "#play-now").await,
            Screen::Friends => self.page("/friends", "form").await,
            Screen::Lobby => self.page("/lobby", ".listed").await,
            Screen::RulesCruce => self.rules("/rules/cruce").await,
            Screen::RulesWhist => self.rules("/rules/whist").await,
            Screen::Settings => self.page("/settings", ".sample use").await,
            Screen::Nowhere => self.page("/weather", "main a.button").await,
            Screen::WrongLink => {
                self.page(&format!("/t/{}#0123", self.private), "main a.button").await;
            }
            Screen::NoTable => self.page("/t/0000000000", "main a.button").await,
            Screen::Waiting => {
                self.page("/", "#play-now").await;
                let table = browser.open_table("cruce4t-1-m1", false).await;
                self.page(&format!("/t/{table}"), ".qr svg").await;
                browser.tap(".chair.free .primary").await;
                browser.shows(".chair.mine").await;
            }
            Screen::Bidding => {
                browser.tap("#start:not([disabled])").await;
                self.play_until(|sight| !sight.bids.is_empty()).await;
            }
            Screen::Playing => {
                self.play_until(|sight| sight.card_asked && sight.trick > 1).await;
            }
            Screen::WhyNot => {
                self.play_until(|sight| {
                    sight.card_asked && sight.hand.iter().any(|held| held.forbidden)
                })
                .await;
                let sight = browser.sight().await;
                let card = sight.hand.iter().find(|held| held.forbidden).expect("a card").card;
                browser.is_told_why(By::Pointer, card).await;
            }
            Screen::LastTrick => {
                self.play_until(|sight| sight.card_asked && sight.hand.len() < 5).await;
                self.tool(1).await;
            }
            Screen::ScoreSheet => self.tool(2).await,
            Screen::Talk => self.tool(3).await,
            Screen::Company => self.tool(4).await,
            Screen::Keys => {
                self.close_window().await;
                browser.press(&[crate::page::SHIFT], '?').await;
                browser.shows("dialog[open] .keys").await;
            }
            Screen::DealOver => {
                self.close_window().await;
                // The first deal may end a short match, and another has no end of the deal then.
                self.page("/", "#play-now").await;
                browser.tap("#play-now").await;
                self.play_until(|sight| sight.next_deal).await;
            }
            Screen::MatchOver => {
                self.page("/", "#play-now").await;
                browser.sit_among_bots("cruce2-1-m1").await;
                self.play_until(|sight| sight.record.is_some()).await;
            }
            Screen::Replay => {
                browser.tap("#replay").await;
                browser.shows("main.replay .strides").await;
                browser.press(&[], END).await;
                browser.shows(".brought").await;
            }
            Screen::Mine => self.page("/mine", ".past").await,
            Screen::LearnCruce => self.page("/learn/cruce", "#on").await,
            Screen::LearnWhist => self.page("/learn/whist", "#on").await,
            Screen::Practice => {
                self.page("/practice#cruce3-21,easy", "main.table .hand .card").await;
            }
            Screen::WhistBidding => {
                browser.sit_among_bots("whist6-818").await;
                self.play_until(|sight| !sight.bids.is_empty()).await;
            }
            Screen::WhistPlaying => {
                self.play_until(|sight| sight.card_asked && sight.trick > 2).await;
            }
            Screen::WhistSheet => {
                self.play_until(|sight| sight.next_deal).await;
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
                browser.shows("dialog[open] .declare").await;
            }
            Screen::PaperOfWhist => self.page("/sheet/whist", ".entry .numbers").await,
            _ => self.contest(screen).await,
        }
        let drawn = "document.fonts.status === 'loaded'";
        browser.until("the letters are on their way", drawn).await;
    }

    /// Those of contests. Whoever has no pass yet comes first: passes are kept.
    async fn contest(&self, screen: Screen) {
        let (browser, contests) = (&self.browser, &self.contests);
        let playing = &contests.playing;
        let wall = |path: &str| format!("{path}/hall");
        let paper = |what: &str| format!("{}/print/{what}", playing.path);
        match screen {
            Screen::WallNames => self.page(&wall(&contests.entering.path), ".names li").await,
            Screen::WallDraw => {
                self.page(&wall(&contests.drawn.path), ".names li").await;
                self.other.go(&contests.drawn.organiser()).await;
                self.other.draws("mere").await;
                // The lots fly to their places one after the other.
                browser.shows(".drawing .lot.out").await;
                let all = "!document.querySelector('.drawing .lot:not(.out)')";
                browser.until("the draw has no end", all).await;
            }
            Screen::WallTables => self.page(&wall(&playing.path), ".wall-tables article").await,
            Screen::WallPodium => self.page(&wall(&contests.over.path), ".podium li").await,
            Screen::ContestOfAll => self.page(&playing.path, "[data-role='public'] .parts").await,
            Screen::ContestPlayer => {
                let path = playing.for_role(browser, "player 1").await;
                self.page(&path, ".telling").await;
            }
            Screen::ContestReferee => {
                let path = playing.for_role(browser, "referee 1C").await;
                self.page(&path, ".desk .pad .entry").await;
            }
            Screen::Entrants => {
                self.page(&contests.entering.organiser(), ".entrants li").await;
                browser.tap(".many summary").await;
                browser.shows("#list").await;
            }
            Screen::Urn => {
                browser.tap("#part-urn").await;
                browser.tap("#prepare:not([disabled])").await;
                browser.shows("#commitment").await;
                browser.write("#words", "mere").await;
            }
            Screen::Tables => {
                self.page(&playing.organiser(), "#part-tables").await;
                browser.tap("#part-tables").await;
                browser.shows(".hall-table[data-status='disputed']").await;
            }
            Screen::Desk => {
                browser.tap(".hall-table[data-table='1A'] .decide").await;
                browser.shows("dialog[open] .adopt").await;
            }
            Screen::Standings => {
                self.close_window().await;
                browser.tap("#part-standings").await;
                browser.shows("table.standings").await;
            }
            Screen::Links => {
                browser.tap("#part-links").await;
                browser.shows("#players li").await;
            }
            Screen::Log => {
                browser.tap("#part-log").await;
                browser.tap(".draws summary").await;
                browser.shows(".draws pre").await;
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
        self.browser.shows(found).await;
    }

    async fn rules(&self, path: &str) {
        self.page(path, "main nav.tabs").await;
        self.browser.shows("article.rules h1, article.rules h2").await;
    }

    async fn close_window(&self) {
        let open = "return !!document.querySelector('dialog[open]');";
        if self.browser.run(open, serde_json::json!([])).await == serde_json::json!(true) {
            self.browser.tap("dialog[open] header button").await;
            self.browser.until("it stays", "!document.querySelector('dialog[open]')").await;
        }
    }

    /// Opens a window from the bar.
    async fn tool(&self, number: usize) {
        self.close_window().await;
        self.browser.tap(&format!(".tools button:nth-child({number})")).await;
        self.browser.shows("dialog[open] .window").await;
    }

    /// Plays until something is seen; a match that ends too soon is followed by another.
    async fn play_until(&self, wanted: impl Fn(&Sight) -> bool) {
        let mut met = Met { refusals: 1, ..Met::default() };
        self.browser.shows("main.table").await;
        for _ in 0..400 {
            let asked = |sight: &Sight| {
                sight.card_asked
                    || !sight.bids.is_empty()
                    || sight.next_deal
                    || sight.record.is_some()
            };
            let sight = self.browser.sees("nothing can be done", asked).await;
            if wanted(&sight) {
                return;
            }
            if sight.record.is_some() {
                self.browser.tap("#rematch").await;
                self.browser.sees("no rematch", |sight| sight.record.is_none()).await;
                continue;
            }
            self.browser.play_one(By::Pointer, &mut met).await;
        }
        self.browser.give_up("it never comes about").await
    }
}

/// `cargo xtask screens` asks for it; otherwise it does nothing.
#[tokio::test]
async fn draw_all() {
    if std::env::var_os("DRAW_SCREENS").is_none() {
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("screens");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    let server = TestServer::with_bots_of(20);
    for (device, kind) in [("phone", PHONE), ("desktop", DESK)] {
        for (short, language) in [("ro", "ro-RO"), ("en", "en-GB")] {
            let scenes = Scenes::open(&server, Kind { language, ..kind }).await;
            for screen in Screen::ALL {
                scenes.show(screen).await;
                for (look, dark) in [("light", false), ("dark", true)] {
                    scenes.browser.dark(dark).await;
                    // What moves has arrived.
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
