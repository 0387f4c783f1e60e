//! Every phase of a table on small and large screens, in both languages; and what keys do.

use std::sync::{Arc, Mutex};

use phrases::{Language, Phrases};
use ratatui::crossterm::event::{KeyCode, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::style::Color;
use test_support::table::commitment;
use wire::table::{
    ChatMessage, ClientMessage, Occupant, PlayedDealText, SeatState, ServerMessage, Snapshot,
    StandInReason, TableCommand, TableEvent, TableStage, Update, VERSION, ViewerPlace,
};

use super::*;
use crate::appearance::Colours;
use crate::snapshots;
use crate::table_connection::{ConnectionEnd, TransportRequest};

const BIDS: &str = "cruce4t-21 seat=1 first=3 hand=AX4329b bids=0.2";
const LEADS: &str = "cruce4t-21 seat=1 first=1 hand=A43bXl9h2a bids=2.0.0.0";
const FOLLOWS: &str = "cruce4t-21 seat=2 hand=X43bA9l9h bids=1.0.0.0 play=Ab";
const TAKEN: &str = "cruce4t-21 seat=1 hand=4Xl3a9h2a bids=1.0.0.0 play=Ab.9b.2b.3b";
const DEAL_OVER: &str = "cruce4t-21 seat=1 deal=3 first=3 score=3/1 phase=dealing";
const MATCH_OVER: &str = "cruce4t-21 seat=1 deal=3 score=21/3 phase=over";
const HONOUR: &str = "cruce4t-honour seat=2 hand=X4b3l9a2h bids=1.0.0.0 play=Ab.9b.2b.3b";
const TWO: &str = "cruce2-21 seat=1 hand=AX4329bAl bids=2.0 play=4l";
const THREE: &str = "cruce3-21 seat=3 hand=AX4329bAXl bids=0.1";
const WATCHES: &str = "cruce4t-21 seat=- bids=1.0.0.0 play=Ab.9b";
const WHIST_BIDS: &str = "whist4 seat=4 deal=10 first=1 hand=A9cKsQJ8h9d turned=7h bids=3.2.1";
const WHIST_SIX: &str = "whist6 seat=4 deal=12 first=1 hand=A4cJ8s9dKQh turned=6h \
                         bids=0.2.1.0.3.0 play=Kc.5c.Jc";

fn deals(code: &str) -> Vec<PlayedDealText> {
    let played = PlayedDealText {
        first: 1,
        bids: vec![Some(2), Some(0), Some(0), Some(0)],
        declarer: Some(1),
        points: vec![80, 60],
        change: vec![2, 1],
        prize: Vec::new(),
        revoke: None,
    };
    let failed = PlayedDealText {
        first: 2,
        bids: vec![Some(0), Some(3), Some(0), Some(0)],
        declarer: Some(2),
        points: vec![45, 75],
        change: vec![1, -3],
        ..played.clone()
    };
    if code.starts_with("cruce4") { vec![played, failed] } else { Vec::new() }
}

/// A screen of a table, and the texts that it sent.
struct ScreenFixture {
    screen: TableScreen,
    sent: Arc<Mutex<Vec<String>>>,
}

fn snapshot(view: &str) -> Snapshot {
    let word = |at: usize| view.split([' ', '=']).nth(at).unwrap_or_default();
    let rules = word(0);
    let players = game::Rules::from_code(rules).expect("rules").players();
    let person = SeatState {
        who: Some(Occupant::Person("Ana".into())),
        present: true,
        ..SeatState::default()
    };
    let bot = SeatState {
        who: Some(Occupant::Bot("hard".into())),
        present: true,
        ..SeatState::default()
    };
    let own: Option<usize> = word(2).parse().ok();
    let seat = |at: usize| if Some(at) == own { person.clone() } else { bot.clone() };
    let over = view.contains("phase=over");
    Snapshot {
        you: ViewerPlace { seat: own, host: own == Some(1) },
        host: Some(1),
        seats: (1..=players).map(seat).collect(),
        stage: if over { TableStage::Over } else { TableStage::Playing },
        next: over.then(|| commitment(2)),
        view: Some(view.into()),
        deals: if view.contains("phase=") { deals(rules) } else { Vec::new() },
        ..test_support::table::snapshot(rules, players)
    }
}

fn event(message: &ServerMessage) -> TransportEvent {
    TransportEvent::Text(message.text())
}

fn fixture(
    state: Snapshot,
    access: TableAccess,
    language: Language,
    appearance: Appearance,
) -> ScreenFixture {
    let sent = Arc::new(Mutex::new(Vec::new()));
    let texts = sent.clone();
    let connection = TerminalConnection::new(Box::new(move |order| {
        if let TransportRequest::Send(text) = order {
            texts.lock().expect("texts").push(text);
        }
    }));
    let phrases = Phrases::new(language);
    let phrases = if appearance.french { phrases.with_french_cards() } else { phrases };
    let mut screen = TableScreen::new(connection, access, appearance, phrases);
    let seats = vec![true; state.seats.len()];
    screen.receive(TransportEvent::Up);
    screen.receive(event(&ServerMessage::Hello { ghinda: VERSION, server: "t".into(), time: 0 }));
    screen.receive(event(&ServerMessage::Snapshot(Box::new(state))));
    screen.receive(event(&ServerMessage::Present { seats, watching: 0, clock: None }));
    assert_eq!(screen.connection.state(), TerminalConnectionState::Live, "the view is invalid");
    // The prompt has been visible for a while.
    screen.asked_at = 0;
    ScreenFixture { screen, sent }
}

fn at(view: &str) -> ScreenFixture {
    fixture(snapshot(view), TableAccess::Practice, Language::English, Appearance::default())
}

fn link(watches: bool) -> TableAccess {
    let link = "http://127.0.0.1:8080/t/0000000001#5f0c".into();
    TableAccess::Link { name: "Zoe".into(), seat: None, watches, link }
}

impl ScreenFixture {
    fn press(&mut self, keys: &str) -> &mut ScreenFixture {
        for key in keys.split_whitespace() {
            let code = match key {
                "enter" => KeyCode::Enter,
                "esc" => KeyCode::Esc,
                "left" => KeyCode::Left,
                "right" => KeyCode::Right,
                "up" => KeyCode::Up,
                "down" => KeyCode::Down,
                "space" => KeyCode::Char(' '),
                letter => KeyCode::Char(letter.chars().next().expect("a letter")),
            };
            self.screen.key(code.into());
        }
        self
    }

    fn update(&mut self, version: u64, events: Vec<TableEvent>) -> &mut ScreenFixture {
        let update = Update { version, at: 0, events, clock: None, done: None };
        self.screen.receive(event(&ServerMessage::Update(update)));
        self
    }

    fn screen(&mut self, size: (u16, u16)) -> String {
        snapshots::screen(&mut self.screen, size)
    }

    /// The commands that were sent.
    fn commands(&self) -> Vec<TableCommand> {
        let sent = self.sent.lock().expect("texts");
        let read = sent.iter().filter_map(|text| ClientMessage::read(text).ok());
        let command = |message| match message {
            ClientMessage::Do { what, .. } => Some(what),
            _ => None,
        };
        read.filter_map(command).collect()
    }

    /// Clicks the place where a text is drawn.
    fn click(&mut self, what: &str) -> &mut ScreenFixture {
        let screen = self.screen((80, 24));
        let found = screen.lines().enumerate().find_map(|(y, line)| {
            line.find(what).map(|at| (line[..at].chars().count() as u16, y as u16))
        });
        let (column, row) = found.unwrap_or_else(|| panic!("no {what:?} in\n{screen}"));
        let kind = MouseEventKind::Down(MouseButton::Left);
        self.screen.mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE });
        self
    }
}

#[track_caller]
fn check(name: &str, make: impl Fn(Language) -> ScreenFixture) {
    snapshots::check(name, |language, size| make(language).screen(size));
}

#[track_caller]
fn check_practice(name: &str, view: &str, keys: &str) {
    check(name, |language| {
        let mut shown =
            fixture(snapshot(view), TableAccess::Practice, language, Appearance::default());
        shown.press(keys);
        shown
    });
}

#[track_caller]
fn check_online(
    name: &str,
    view: &str,
    access: &TableAccess,
    change: impl Fn(&mut Snapshot),
    keys: &str,
) {
    check(name, |language| {
        let mut state = snapshot(view);
        change(&mut state);
        let mut shown = fixture(state, access.clone(), language, Appearance::default());
        shown.press(keys);
        shown
    });
}

#[test]
fn bids_are_drawn() {
    check_practice("cruce-bid", BIDS, "");
    check_practice("cruce-bid-refused", BIDS, "1 enter");
    check_practice("whist-bid", WHIST_BIDS, "1 enter");
    check_practice("cruce-three", THREE, "");
}

#[test]
fn tricks_are_drawn() {
    check_practice("cruce-lead", LEADS, "right");
    check_practice("cruce-call", LEADS, "right right enter");
    check_practice("cruce-follow", FOLLOWS, "");
    check_practice("cruce-refused", FOLLOWS, "l enter");
    check_practice("cruce-taken", TAKEN, "");
    check_practice("cruce-two", TWO, "");
    check_practice("whist-six", WHIST_SIX, "");
    check_practice("honour", HONOUR, "");
    check_practice("honour-challenge", HONOUR, "c");
    check_practice("honour-ask", HONOUR, "c enter");
}

#[test]
fn french_cards_are_drawn() {
    check("cruce-french", |language| {
        let appearance = Appearance { french: true, ..Appearance::default() };
        fixture(snapshot(FOLLOWS), TableAccess::Practice, language, appearance)
    });
}

#[test]
fn the_ends_of_a_deal_and_a_match_are_drawn() {
    check_practice("deal-over", DEAL_OVER, "");
    check_practice("match-over", MATCH_OVER, "");
}

#[test]
fn windows_are_drawn() {
    check_practice("help", FOLLOWS, "?");
    check_practice("last-trick", TAKEN, "R");
    check_practice("no-last-trick", BIDS, "R");
    check_practice("score-sheet", DEAL_OVER, "s");
    check_practice("leave", FOLLOWS, "q");
    check_practice("spoken-points", TAKEN, "p");
    check_practice("spoken-bids", TAKEN, "v");
    check("log", |language| {
        let mut shown = fixture(snapshot(WATCHES), link(true), language, Appearance::default());
        let played = |seat, card: &str| TableEvent::Played { seat, card: card.into(), call: None };
        shown.update(10, vec![played(3, "2b")]);
        shown
            .update(11, vec![played(4, "3b"), TableEvent::Took { seat: 1, points: 16 }])
            .press("e");
        shown
    });
}

#[test]
fn tables_of_a_server_are_drawn() {
    let waits = |state: &mut Snapshot| {
        (state.stage, state.view) = (TableStage::Waiting, None);
        state.seats[2] = SeatState::default();
        state.seats[3].who = Some(Occupant::Person("Dan".into()));
    };
    check_online(
        "waiting-host",
        FOLLOWS,
        &link(false),
        |state| {
            waits(state);
            state.you = ViewerPlace { seat: Some(2), host: true };
            state.host = Some(2);
        },
        "down",
    );
    check_online("waiting-guest", WATCHES, &link(true), waits, "");
    check_online("watching", WATCHES, &link(true), |_| {}, "");
    check_online("participants", WATCHES, &link(true), |_| {}, "m");
    check_online(
        "kick",
        FOLLOWS,
        &link(false),
        |state| {
            state.you.host = true;
            state.seats[2].who = Some(Occupant::Person("Dan".into()));
        },
        "m down enter",
    );
    check_online(
        "talk",
        FOLLOWS,
        &link(false),
        |state| {
            let text = Some("Bună seara!".into());
            state.chat.push(ChatMessage { seat: 1, name: "Dan".into(), text, phrase: None, at: 0 });
        },
        "y h e",
    );
    check_online(
        "stand-in",
        FOLLOWS,
        &link(false),
        |state| {
            state.seats[1].stand_in = Some(StandInReason::Time);
        },
        "",
    );
    check_online("paused", FOLLOWS, &link(false), |state| state.paused = true, "");
    check_online("help-among-people", FOLLOWS, &link(false), |_| {}, "?");
}

#[test]
fn missing_connections_are_drawn() {
    check("opening", |language| {
        let connection = TerminalConnection::new(Box::new(|_| {}));
        let screen = TableScreen::new(
            connection,
            link(false),
            Appearance::default(),
            Phrases::new(language),
        );
        ScreenFixture { screen, sent: Arc::default() }
    });
    check("lost", |language| {
        let mut shown = fixture(snapshot(FOLLOWS), link(false), language, Appearance::default());
        shown.screen.receive(TransportEvent::Lost);
        shown
    });
    for (name, ended) in
        [("ended-private", ConnectionEnd::Private), ("ended-gone", ConnectionEnd::Gone)]
    {
        check(name, |language| {
            let mut shown =
                fixture(snapshot(FOLLOWS), link(false), language, Appearance::default());
            shown.screen.receive(TransportEvent::Ended(ended));
            shown
        });
    }
}

#[test]
fn a_screen_that_is_too_small_shows_a_message() {
    for size in [(79, 24), (80, 23), (40, 10), (10, 3), (1, 1)] {
        let screen = at(FOLLOWS).screen(size);
        assert!(!screen.contains('│'), "{screen}");
        if size.0 >= 40 {
            assert!(screen.contains("too small") && screen.contains("80×24"), "{screen}");
        }
    }
}

#[test]
fn every_size_from_the_minimum_on_can_be_drawn() {
    for wide in (80..=260).step_by(20) {
        for high in (24..=90).step_by(11) {
            for view in [BIDS, WHIST_BIDS, WHIST_SIX, TAKEN, DEAL_OVER, TWO, WATCHES] {
                let screen = at(view).screen((wide, high));
                assert_eq!(screen.lines().count(), usize::from(high));
            }
        }
    }
}

#[test]
fn colours_are_those_of_the_terminal() {
    let used = |colours: Colours| {
        let appearance = Appearance { colours, ..Appearance::default() };
        let mut shown =
            fixture(snapshot(FOLLOWS), TableAccess::Practice, Language::English, appearance);
        let buffer = snapshots::buffer(&mut shown.screen, (80, 24));
        let colours = buffer.content.iter().flat_map(|cell| [cell.fg, cell.bg]);
        let mut used: Vec<Color> = colours.filter(|colour| *colour != Color::Reset).collect();
        used.dedup();
        used
    };
    assert_eq!(used(Colours::None), []);
    let indexed = |colour: &Color| matches!(colour, Color::Indexed(_) | Color::Rgb(..));
    let sixteen = used(Colours::Sixteen);
    assert!(!sixteen.is_empty() && !sixteen.iter().any(indexed), "{sixteen:?}");
    let many = used(Colours::Many);
    assert!(many.iter().all(|colour| matches!(colour, Color::Indexed(_))), "{many:?}");
}

#[test]
fn a_legal_bid_is_sent_and_a_refused_bid_shows_why() {
    let mut shown = at(BIDS);
    shown.press("1 enter");
    assert_eq!(shown.commands(), []);
    assert!(shown.screen((80, 24)).contains("The bid stands at two"));
    shown.press("3 enter");
    assert_eq!(shown.commands(), [TableCommand::Act("3".into())]);
    // The first Enter chooses, the second makes the bid.
    assert_eq!(at(BIDS).press("enter").commands(), []);
    assert_eq!(at(BIDS).press("enter enter").commands(), [TableCommand::Act("0".into())]);
}

#[test]
fn a_card_is_played_by_arrows_letters_and_enter() {
    assert_eq!(at(FOLLOWS).press("enter").commands(), []);
    assert_eq!(at(FOLLOWS).press("enter enter").commands(), [TableCommand::Act("Xb".into())]);
    assert_eq!(at(FOLLOWS).press("right right enter").commands(), [TableCommand::Act("4b".into())]);
    assert_eq!(at(FOLLOWS).press("b b b enter").commands(), [TableCommand::Act("3b".into())]);
    assert_eq!(at(FOLLOWS).press("1 space").commands(), [TableCommand::Act("Xb".into())]);
    assert_eq!(at(FOLLOWS).press("4 enter h enter l enter").commands(), []);
    // No second command is sent before the answer to the first.
    assert_eq!(at(FOLLOWS).press("b enter enter right enter").commands().len(), 1);
}

#[test]
fn a_pair_is_played_with_or_without_a_call() {
    assert_eq!(
        at(LEADS).press("right right enter enter").commands(),
        [TableCommand::Act("4b!".into())]
    );
    assert_eq!(
        at(LEADS).press("right right enter space").commands(),
        [TableCommand::Act("4b".into())]
    );
    assert_eq!(at(LEADS).press("right right enter esc").commands(), []);
    assert_eq!(at(LEADS).press("1 enter").commands(), [TableCommand::Act("Ab".into())]);
}

#[test]
fn the_first_click_chooses_a_card_and_the_second_plays_it() {
    let mut shown = at(FOLLOWS);
    shown.click("│III");
    assert_eq!(shown.commands(), []);
    assert!(shown.screen((80, 24)).contains("Your turn"));
    assert_eq!(shown.click("┃III").commands(), [TableCommand::Act("3b".into())]);
    // The card lies on the table before the server answers.
    assert!(!shown.screen((80, 24)).contains("Your turn"));
    let mut bids = at(BIDS);
    assert_eq!(
        bids.click("three 99").click("three 99").commands(),
        [TableCommand::Act("3".into())]
    );
}

#[test]
fn enter_continues_after_a_deal_and_after_a_match() {
    assert_eq!(at(DEAL_OVER).press("s esc enter").commands(), [TableCommand::Ready]);
    assert_eq!(at(MATCH_OVER).press("enter").commands(), [TableCommand::AskForRematch]);
    assert_eq!(at(DEAL_OVER).click("Next deal").commands(), [TableCommand::Ready]);
    // A second quick press was meant for the last card.
    for view in [DEAL_OVER, MATCH_OVER] {
        let mut shown = at(view);
        shown.screen.asked_at = clock::millis();
        assert_eq!(shown.press("enter").commands(), []);
    }
}

#[test]
fn leaving_needs_confirmation() {
    let mut shown = at(FOLLOWS);
    assert!(!shown.press("q esc").screen.has_left());
    assert!(!shown.press("q x").screen.has_left());
    assert!(shown.press("q enter").screen.has_left());
}

#[test]
fn a_challenge_needs_confirmation() {
    assert_eq!(at(HONOUR).press("c enter").commands(), []);
    let challenge = [TableCommand::Act("?2:1:1".into())];
    assert_eq!(at(HONOUR).press("c enter enter").commands(), challenge);
    assert_eq!(at(HONOUR).press("c enter esc esc").commands(), []);
}

#[test]
fn a_player_who_comes_by_a_link_requests_a_seat_once() {
    let mut state = snapshot(WATCHES);
    (state.stage, state.view, state.seats[2]) = (TableStage::Waiting, None, SeatState::default());
    let sits = fixture(state.clone(), link(false), Language::English, Appearance::default());
    assert_eq!(sits.commands(), [TableCommand::Sit { seat: 3, name: "Zoe".into() }]);
    let watches = fixture(state, link(true), Language::English, Appearance::default());
    assert_eq!(watches.commands(), []);
}

#[test]
fn the_host_starts_the_match_and_a_player_chats() {
    let mut state = snapshot(FOLLOWS);
    (state.stage, state.view, state.you.host) = (TableStage::Waiting, None, true);
    let mut host = fixture(state, link(false), Language::English, Appearance::default());
    assert_eq!(host.press("enter").commands(), [TableCommand::Start]);
    let mut guest =
        fixture(snapshot(FOLLOWS), link(false), Language::English, Appearance::default());
    guest.press("y O k enter");
    assert_eq!(guest.commands(), [TableCommand::Say("Ok".into())]);
}
