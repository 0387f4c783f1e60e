//! Contests and score sheets over real sockets: all clients fold the same state, keys grant roles, no
//! command is done twice, and a restart loses nothing.

use std::time::Duration;

use contest::{
    Contest, ContestChange, ContestEntry, ContestSettings, ContestStage, ContestTableId, Party,
    Role, TableStatus, Venue, urn,
};
use futures_util::{SinkExt, StreamExt};
use game::Rules;
use game::fair::Secret;
use game::record::Record;
use ids::Key;
use serde_json::{Value, json};
use store::{LedgerId, LogKind, Store};
use test_support::document::Document;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};
use wire::contest::{
    ContestChangeText, ContestLog, PartyText, RefusalText, header_line, role_text, table_text,
};
use wire::ledger::{
    CloseReason, Ledger, LedgerClientMessage, LedgerCommand, LedgerRefusal, LedgerServerMessage,
    VERSION, role_key,
};
use wire::sheet::{LineText, SheetChangeText};
use wire::table::{RefusalReason, TableCommand};

use crate::test_client::TestClient;
use crate::test_server::TestServer;

/// A client with an open ledger.
pub(crate) struct LedgerClient {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    granted: String,
    /// The state that the lines have led to.
    ledger: Option<Ledger>,
    lines: usize,
    commands_sent: usize,
    name: &'static str,
}

impl LedgerClient {
    pub(crate) async fn connect(
        server: &TestServer,
        ledger: &str,
        name: &'static str,
        asks: Option<(Role, Key)>,
    ) -> LedgerClient {
        let address = format!("ws://{}/api/ledgers/{ledger}/socket", server.address);
        let (socket, _) = tokio_tungstenite::connect_async(address).await.expect("a socket");
        let (granted, ledger) = (String::new(), None);
        let mut client = LedgerClient { socket, granted, ledger, lines: 0, commands_sent: 0, name };
        client
            .send(LedgerClientMessage::Hello {
                ghinda: VERSION,
                since: 0,
                role: asks.map(|(role, _)| role_text(role)),
                key: asks.map(|(_, key)| key.to_string()),
            })
            .await;
        while client.ledger.is_none() {
            client.receive().await;
        }
        client
    }

    async fn send(&mut self, message: LedgerClientMessage) {
        self.send_text(&message.text()).await;
    }

    pub(crate) async fn send_text(&mut self, text: &str) {
        self.socket.send(text.to_owned().into()).await.expect("sent");
    }

    /// The code with which the server ends the connection.
    pub(crate) async fn close_code(&mut self) -> Option<u16> {
        loop {
            let next = timeout(Duration::from_secs(20), self.socket.next()).await;
            match next.expect("in time") {
                Some(Ok(Message::Close(frame))) => return frame.map(|frame| frame.code.into()),
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return None,
            }
        }
    }

    pub(crate) async fn receive(&mut self) -> LedgerServerMessage {
        let next = timeout(Duration::from_secs(20), self.socket.next()).await;
        let frame = next.expect("in time").expect("a frame").expect("a message");
        let message = LedgerServerMessage::read(frame.to_text().expect("text"))
            .expect("a message of the protocol");
        match &message {
            LedgerServerMessage::Hello { role, .. } => self.granted = role.clone(),
            LedgerServerMessage::Lines { from, lines } => {
                assert_eq!(*from, self.lines, "every line arrives once and in order");
                for line in lines {
                    match &mut self.ledger {
                        None => self.ledger = Some(Ledger::from_header(line).expect("a header")),
                        Some(ledger) => ledger.add(0, line).expect("a line that fits"),
                    }
                }
                self.lines += lines.len();
            }
            _ => {}
        }
        message
    }

    /// Sends a command and waits for the answer.
    pub(crate) async fn command(&mut self, what: LedgerCommand) -> Result<(), LedgerRefusal> {
        self.commands_sent += 1;
        let id = format!("{}-{}", self.name, self.commands_sent);
        self.command_with_id(&id, what).await
    }

    async fn command_with_id(
        &mut self,
        id: &str,
        what: LedgerCommand,
    ) -> Result<(), LedgerRefusal> {
        self.send(LedgerClientMessage::Do { id: id.into(), what }).await;
        loop {
            match self.receive().await {
                LedgerServerMessage::Done { id: done } if done == id => return Ok(()),
                LedgerServerMessage::Refused { id: refused, refusal } if refused == id => {
                    return Err(refusal);
                }
                LedgerServerMessage::Bye { why } => panic!("it ended: {why:?}"),
                _ => {}
            }
        }
    }

    pub(crate) async fn change(&mut self, change: ContestChangeText) -> Result<(), LedgerRefusal> {
        self.command(LedgerCommand::Contest(change)).await
    }

    async fn receive_lines(&mut self, lines: usize) {
        while self.lines < lines {
            self.receive().await;
        }
    }

    pub(crate) fn contest(&self) -> &Contest {
        self.ledger.as_ref().and_then(Ledger::contest).expect("a contest")
    }
}

fn name_of(refusal: Result<(), LedgerRefusal>) -> String {
    match refusal {
        Err(LedgerRefusal::Because(RefusalText { name, .. })) => name,
        other => panic!("{other:?}"),
    }
}

pub(crate) async fn open(server: &TestServer, lines: &str) -> (String, Key) {
    let player = server.new_player().await;
    let answer = server.post(&player, "/api/ledgers", json!({ "lines": lines })).await;
    assert_eq!(answer.status().as_u16(), 201);
    let opened: Value = answer.json().await.expect("JSON");
    let text = |field: &str| opened[field].as_str().expect("a text").to_owned();
    (text("ledger"), text("key").parse().expect("a key"))
}

pub(crate) fn cup(entrants: usize) -> (String, ContestChangeText) {
    contest(entrants, "contest", Venue::Hall)
}

fn contest(entrants: usize, rules: &str, venue: Venue) -> (String, ContestChangeText) {
    let rules = Rules::from_code(rules).expect("rules");
    let (title, word) = ("Cupa".parse().expect("a name"), "cupa".parse().expect("a word"));
    let settings = ContestSettings::new(title, word, rules, venue).expect("settings");
    let entrants = (1..=entrants).map(|number| PartyText::Alone(format!("Player {number}")));
    (header_line(&settings), ContestChangeText::Enter { entrants: entrants.collect() })
}

fn table(phase: usize, table: usize) -> ContestTableId {
    ContestTableId { phase, table }
}

fn report(id: ContestTableId, scores: [i32; 4]) -> ContestChangeText {
    ContestChangeText::Report { table: table_text(id), scores: scores.to_vec(), broken_off: false }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_contest_is_drawn_reported_and_stored() {
    let mut server = TestServer::open().await;
    let (header, admit) = cup(16);
    let (ledger, key) = open(&server, &header).await;
    commit_to_a_draw(&server, &ledger, key, admit).await;
    // The commitment of the server survives a restart.
    server = server.restart().await;
    let organiser_role = Some((Role::Organiser, key));
    let mut organiser =
        LedgerClient::connect(&server, &ledger, "organiser-again", organiser_role).await;
    let mut public = LedgerClient::connect(&server, &ledger, "public-again", None).await;
    let committed = *organiser.contest().commitment().expect("a commitment");
    organiser.command(LedgerCommand::Draw { words: vec!["mere".into()] }).await.expect("a draw");
    let drawn = &organiser.contest().phases()[0];
    assert_eq!(*drawn.commitment(), committed);
    assert_eq!(drawn.tables().len(), 4);

    let second = table(0, 1);
    let seated = organiser.contest().table(second).expect("B").entrants().to_vec();
    dispute_and_rule(&server, &ledger, key, second, [seated[0], seated[1]].map(Role::Player)).await;
    for (phase, tables) in [(0, 4), (1, 2), (2, 1)] {
        for at in 0..tables {
            if (phase, at) != (0, 1) {
                let result = report(table(phase, at), [4, 22, 3, 20]);
                organiser.change(result).await.expect("reported");
            }
        }
        if phase < 2 {
            organiser.command(LedgerCommand::Prepare).await.expect("a commitment");
            organiser.command(LedgerCommand::Draw { words: vec![] }).await.expect("a draw");
        }
    }
    assert_eq!(organiser.contest().stage(), ContestStage::Over);

    // Every client has the same contest, and so has a reader of the file.
    public.receive_lines(organiser.lines).await;
    assert_eq!(public.ledger, organiser.ledger);
    let text = server.text(&format!("/api/ledgers/{ledger}")).await;
    assert_eq!(ContestLog::from_lines(&text).expect("a contest").contest, *organiser.contest());
    let secrets = text.matches("secret").count();
    assert_eq!(secrets, 3, "only the secrets of draws that were made");
    assert!(!text.contains(&key.to_string()));
    server = server.restart().await;
    let late = LedgerClient::connect(&server, &ledger, "late", None).await;
    assert_eq!(late.contest(), organiser.contest());
    server.close().await;
}

/// A contest in a file, whose lots its author has chosen: as if a server had drawn them, opened the table
/// and reported the result, with a line that a server would have written of an earlier file.
fn forged(venue: Venue) -> ContestLog {
    let (header, _) = contest(4, "cruce4s-3", venue);
    let mut log = ContestLog::from_lines(&header).expect("a header");
    let settings = log.contest.settings().clone();
    let entrants = ["Ana", "Dan", "Ion", "Zoe"].map(|name| Party::Alone(name.parse().expect(name)));
    let secret = Secret::from_phrase("chosen");
    let commitment = urn::commitment(&settings, 0, &secret);
    let mut add = |by, change| log.add(ContestEntry { at: 1, by, change }).expect("it fits");
    add(Role::Server, ContestChange::Import);
    add(Role::Organiser, ContestChange::Enter(entrants.to_vec()));
    add(Role::Organiser, ContestChange::Commit(commitment));
    add(Role::Organiser, ContestChange::Draw { secret, words: Vec::new() });
    log
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_forged_draw_from_a_file_is_not_the_servers() {
    let server = TestServer::open().await;
    let file = forged(Venue::Hall).to_lines();
    let (ledger, key) = open(&server, &file).await;
    let lines = server.text(&format!("/api/ledgers/{ledger}")).await;
    let mark = lines.strip_prefix(&file).expect("all lines of the file").trim_end();
    let mark: Value = serde_json::from_str(mark).expect("one line more");
    assert_eq!((&mark["by"], &mark["did"]), (&json!("house"), &json!("import")));
    assert!(mark["at"].as_str().expect("a time") > "2026-", "the time of the server");

    let mut organiser =
        LedgerClient::connect(&server, &ledger, "organiser", Some((Role::Organiser, key))).await;
    assert_eq!(organiser.contest().imported(), Some(4));
    assert!(organiser.contest().phases()[0].is_imported());
    let referee = Role::Referee(table(0, 0));
    let player = Role::Player(organiser.contest().table(table(0, 0)).expect("A").entrants()[0]);
    for (name, role) in [("o", Role::Organiser), ("r", referee), ("p", player)] {
        let asks = Some((role, role_key(key, role)));
        let mut client = LedgerClient::connect(&server, &ledger, name, asks).await;
        assert_eq!(client.granted, role_text(role));
        assert_eq!(name_of(client.change(ContestChangeText::Import {}).await), "NotYours");
    }
    // No key grants the role of the server.
    let asks = Some((Role::Server, role_key(key, Role::Server)));
    let mut server_role = LedgerClient::connect(&server, &ledger, "s", asks).await;
    assert_eq!(server_role.granted, "public");
    assert_eq!(name_of(server_role.change(ContestChangeText::Import {}).await), "NotYours");

    // A download that is brought again gets a line more; a contest without lines gets none.
    let (again, _) = open(&server, &lines).await;
    let again = server.text(&format!("/api/ledgers/{again}")).await;
    assert_eq!(again.matches("\"import\"").count(), 3);
    let (fresh, _) = open(&server, &cup(4).0).await;
    assert_eq!(server.text(&format!("/api/ledgers/{fresh}")).await.lines().count(), 1);
    // The contest goes on, and is the same after a restart.
    organiser.change(report(table(0, 0), [5, 2, 3, 0])).await.expect("reported");
    let server = server.restart().await;
    let late = LedgerClient::connect(&server, &ledger, "late", None).await;
    assert_eq!(late.ledger, organiser.ledger);
    server.close().await;
}

/// The secret of a commitment in a file is not in the file.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_draw_that_was_prepared_in_a_file_is_prepared_again() {
    let server = TestServer::open().await;
    let (header, _) = cup(4);
    let mut log = ContestLog::from_lines(&header).expect("a header");
    let secret = Secret::from_phrase("at home");
    let commitment = urn::commitment(log.contest.settings(), 0, &secret);
    let entrants = ["Ana", "Dan", "Ion", "Zoe"].map(|name| Party::Alone(name.parse().expect(name)));
    for change in [ContestChange::Enter(entrants.to_vec()), ContestChange::Commit(commitment)] {
        log.add(ContestEntry { at: 1, by: Role::Organiser, change }).expect("it fits");
    }
    let (ledger, key) = open(&server, &log.to_lines()).await;
    let mut organiser =
        LedgerClient::connect(&server, &ledger, "organiser", Some((Role::Organiser, key))).await;
    assert_eq!(organiser.contest().commitment(), None, "the server cannot keep that promise");
    let draw = || LedgerCommand::Draw { words: vec!["mere".into()] };
    assert_eq!(name_of(organiser.command(draw()).await), "NoCommitment");
    organiser.command(LedgerCommand::Prepare).await.expect("a commitment");
    assert_ne!(organiser.contest().commitment(), Some(&commitment));
    organiser.command(draw()).await.expect("a draw");
    assert!(!organiser.contest().phases()[0].is_imported());
    server.close().await;
}

/// The file says that another table of this server is the one of the final. The server opens its own.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_that_a_file_names_is_not_a_table_of_the_contest() {
    let server = TestServer::open().await;
    let mut host = server.new_player().await;
    let other = host.open("cruce4s-3", true).await;
    let mut log = forged(Venue::Online);
    let open_table =
        ContestChange::Open { table: table(0, 0), server_table: other.parse().expect("a word") };
    log.add(ContestEntry { at: 1, by: Role::Server, change: open_table }).expect("it fits");
    let (ledger, key) = open(&server, &log.to_lines()).await;
    let mut organiser =
        LedgerClient::connect(&server, &ledger, "organiser", Some((Role::Organiser, key))).await;
    let opened = |client: &LedgerClient| {
        client.contest().table(table(0, 0)).and_then(|table| table.server_table().copied())
    };
    while opened(&organiser).is_none() {
        organiser.receive().await;
    }
    assert_ne!(opened(&organiser).expect("a table").to_string(), other);
    server.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_so_already_is_refused_and_not_written() {
    let server = TestServer::open().await;
    let (header, admit) = cup(4);
    let (ledger, key) = open(&server, &header).await;
    commit_to_a_draw(&server, &ledger, key, admit).await;
    let mut organiser =
        LedgerClient::connect(&server, &ledger, "again", Some((Role::Organiser, key))).await;
    organiser.command(LedgerCommand::Draw { words: vec![] }).await.expect("a draw");
    let result = || report(table(0, 0), [21, 3, 4, 5]);
    let rename = || ContestChangeText::Rename { entrant: 1, name: PartyText::Alone("Zoe".into()) };
    for change in [result(), rename()] {
        organiser.change(change.clone()).await.expect("done");
        let lines = organiser.lines;
        let again = organiser.change(change).await;
        assert!(again.as_ref().is_err_and(LedgerRefusal::is_unchanged), "{again:?}");
        assert_eq!(organiser.lines, lines);
    }
    // The same twice at once: the second is answered when the first one is stored.
    let lines = organiser.lines;
    for id in ["one", "two"] {
        let what = LedgerCommand::Contest(report(table(0, 0), [21, 3, 4, 6]));
        organiser.send(LedgerClientMessage::Do { id: id.into(), what }).await;
    }
    let mut answers = Vec::new();
    while answers.len() < 2 {
        match organiser.receive().await {
            LedgerServerMessage::Done { id } => answers.push((id, organiser.lines)),
            LedgerServerMessage::Refused { id, refusal } => {
                assert!(refusal.is_unchanged(), "{refusal:?}");
                answers.push((id, organiser.lines));
            }
            _ => {}
        }
    }
    assert_eq!(answers, [("one".to_owned(), lines + 1), ("two".to_owned(), lines + 1)]);
    server.close().await;
}

/// The organiser admits the entrants and has the server commit to a draw. No other client may, and no
/// client may choose the lots.
async fn commit_to_a_draw(server: &TestServer, ledger: &str, key: Key, admit: ContestChangeText) {
    let organiser_role = Some((Role::Organiser, key));
    let mut organiser = LedgerClient::connect(server, ledger, "organiser", organiser_role).await;
    let mut public = LedgerClient::connect(server, ledger, "public", None).await;
    assert_eq!((organiser.granted.as_str(), public.granted.as_str()), ("organiser", "public"));

    let draw = || LedgerCommand::Draw { words: vec![] };
    assert_eq!(name_of(public.change(admit.clone()).await), "NotYours");
    organiser.change(admit).await.expect("entrants");
    assert_eq!(name_of(organiser.command(draw()).await), "NoCommitment");
    organiser.command(LedgerCommand::Prepare).await.expect("a commitment");
    assert_eq!(name_of(public.command(draw()).await), "NotYours");
    let forged = ContestChangeText::Commit { commitment: "0".repeat(64) };
    assert_eq!(name_of(organiser.change(forged).await), "NotYours");
}

/// Two players at a table report different results. Its referee decides; the referee of another table
/// may not.
async fn dispute_and_rule(
    server: &TestServer,
    ledger: &str,
    key: Key,
    disputed: ContestTableId,
    players: [Role; 2],
) {
    let with = |role: Role| Some((role, role_key(key, role)));
    let mut ana = LedgerClient::connect(server, ledger, "ana", with(players[0])).await;
    let mut ion = LedgerClient::connect(server, ledger, "ion", with(players[1])).await;
    let mut referee_of_a =
        LedgerClient::connect(server, ledger, "a", with(Role::Referee(table(0, 0)))).await;
    let mut referee =
        LedgerClient::connect(server, ledger, "b", with(Role::Referee(disputed))).await;
    let stolen = Some((players[0], Key::new([1; 16])));
    let mut thief = LedgerClient::connect(server, ledger, "thief", stolen).await;
    assert_eq!(referee.granted, "referee 1B");
    assert_eq!(thief.granted, "public", "an invalid key grants nothing");
    ana.change(report(disputed, [21, 3, 4, 5])).await.expect("reported");
    ion.change(report(disputed, [3, 21, 4, 5])).await.expect("reported");
    assert_eq!(ion.contest().table(disputed).expect("B").status(), TableStatus::Disputed);
    assert_eq!(name_of(thief.change(report(disputed, [21, 3, 4, 5])).await), "NotYours");
    assert_eq!(name_of(ana.change(report(table(0, 0), [21, 3, 4, 5])).await), "NotYours");
    assert_eq!(name_of(ana.change(report(disputed, [20, 3, 4, 5])).await), "NobodyWon");
    let rule = |scores: [i32; 4]| ContestChangeText::Rule {
        table: table_text(disputed),
        scores: scores.to_vec(),
        broken_off: false,
    };
    assert_eq!(name_of(referee_of_a.change(rule([21, 3, 4, 5])).await), "ForReferee");
    referee.change(rule([21, 3, 4, 5])).await.expect("decided");
    assert_eq!(referee.contest().table(disputed).expect("B").status(), TableStatus::Settled);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_command_that_is_sent_again_is_not_done_again() {
    let mut server = TestServer::open().await;
    let header =
        r#"{"ghinda_sheet":1,"rules":"cruce4t-21","names":["Ana","Ion","Eva","Dan"],"dealer":1}"#;
    let (ledger, key) = open(&server, header).await;
    let writer = Some((Role::Organiser, key));
    let deal = || {
        LedgerCommand::Sheet(SheetChangeText::Write {
            line: LineText::Cruce { declarer: 2, bid: 2, cards: vec![50, 70], calls: vec![0, 20] },
        })
    };
    let undo = || LedgerCommand::Sheet(SheetChangeText::Undo {});
    let mut ana = LedgerClient::connect(&server, &ledger, "ana", writer).await;
    let mut dan = LedgerClient::connect(&server, &ledger, "dan", None).await;
    ana.command_with_id("first", deal()).await.expect("written");
    ana.command_with_id("first", deal()).await.expect("known");
    let other = ana.command_with_id("first", undo()).await;
    assert_eq!(other, Err(LedgerRefusal::BadId), "another command is not done by its id");
    assert_eq!(ana.lines, 2);
    // The same after a restart, and from another client.
    server = server.restart().await;
    let mut eva = LedgerClient::connect(&server, &ledger, "eva", writer).await;
    eva.command_with_id("first", deal()).await.expect("known");
    assert_eq!(eva.command_with_id("first", undo()).await, Err(LedgerRefusal::BadId));
    assert_eq!(eva.lines, 2);
    // While the command is being stored.
    for _ in 0..3 {
        eva.send(LedgerClientMessage::Do { id: "second".into(), what: deal() }).await;
    }
    let mut done = 0;
    while done < 3 {
        done += usize::from(matches!(eva.receive().await, LedgerServerMessage::Done { .. }));
    }
    assert_eq!(eva.lines, 3);
    let mut dan_again = LedgerClient::connect(&server, &ledger, "dan", None).await;
    assert_eq!(name_of(dan_again.command(deal()).await), "NotYours");
    let wrong = LedgerCommand::Sheet(SheetChangeText::Write {
        line: LineText::Cruce { declarer: 2, bid: 2, cards: vec![50, 71], calls: vec![0, 0] },
    });
    assert_eq!(name_of(eva.command(wrong).await), "CardsDoNotAddUp");
    assert!(matches!(eva.command(LedgerCommand::Prepare).await, Err(LedgerRefusal::OtherLedger)));
    assert_eq!(eva.command_with_id("", deal()).await, Err(LedgerRefusal::BadId));
    assert_eq!(eva.lines, 3, "a refusal changes nothing");
    // Clients that were connected before the restart received the reason.
    loop {
        match dan.receive().await {
            LedgerServerMessage::Bye { why } => break assert_eq!(why, CloseReason::Stopping),
            LedgerServerMessage::Lines { .. } => {}
            other => panic!("{other:?}"),
        }
    }
    server.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn names_that_readers_cannot_see_are_refused() {
    let server = TestServer::open().await;
    let is_refused = |answer: Result<(), LedgerRefusal>| {
        assert!(matches!(&answer, Err(LedgerRefusal::Unreadable(_))), "{answer:?}");
    };
    let (header, _) = cup(4);
    let (ledger, key) = open(&server, &header).await;
    let mut organiser =
        LedgerClient::connect(&server, &ledger, "organiser", Some((Role::Organiser, key))).await;
    let entrants = vec![PartyText::Alone("Ana\u{ad}".into())];
    is_refused(organiser.change(ContestChangeText::Enter { entrants }).await);
    assert_eq!(organiser.lines, 1);

    let header = |name: &str| {
        let names = json!([name, "Ion", "Eva", "Dan"]);
        json!({ "ghinda_sheet": 1, "rules": "cruce4t-21", "names": names, "dealer": 1 }).to_string()
    };
    let (ledger, key) = open(&server, &header("Ana")).await;
    let mut writer =
        LedgerClient::connect(&server, &ledger, "writer", Some((Role::Organiser, key))).await;
    let rename = SheetChangeText::Rename { seat: 2, name: "\u{3164}".into() };
    is_refused(writer.command(LedgerCommand::Sheet(rename)).await);
    assert_eq!(writer.lines, 1);
    let player = server.new_player().await;
    let upload = json!({ "lines": header("Ana\u{e0041}") });
    assert_eq!(server.post(&player, "/api/ledgers", upload).await.status().as_u16(), 400);
    server.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_invalid_ledger_is_refused() {
    let server = TestServer::open().await;
    let player = server.new_player().await;
    for lines in
        ["", "Dear Ana,", "{}", r#"{"ghinda_sheet":2,"rules":"cruce4t-21","names":[],"dealer":1}"#]
    {
        let answer = server.post(&player, "/api/ledgers", json!({ "lines": lines })).await;
        assert_eq!(answer.status().as_u16(), 400, "{lines}");
        let problem: Value = answer.json().await.expect("JSON");
        assert_eq!(problem["error"], "bad_ledger", "{lines}");
    }
    assert_eq!(server.status("/api/ledgers/0000000000").await, 404);
    assert_eq!(server.status("/api/ledgers/where").await, 404);
    // A table is not a ledger.
    let mut host = server.new_player().await;
    let table = host.open("cruce4t-4", true).await;
    assert_eq!(server.status(&format!("/api/ledgers/{table}")).await, 404);
    server.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_online_contest_opens_its_tables_and_receives_their_results() {
    let mut server = TestServer::open().await;
    let (header, admit) = contest(4, "cruce4s-3", Venue::Online);
    let (ledger, key) = open(&server, &header).await;
    let mut organiser =
        LedgerClient::connect(&server, &ledger, "organiser", Some((Role::Organiser, key))).await;
    organiser.change(admit).await.expect("entrants");
    organiser.command(LedgerCommand::Prepare).await.expect("a commitment");
    organiser.command(LedgerCommand::Draw { words: vec![] }).await.expect("a draw");
    let the_final = table(0, 0);
    while organiser.contest().table(the_final).and_then(|table| table.server_table()).is_none() {
        organiser.receive().await;
    }
    let opened =
        organiser.contest().table(the_final).and_then(|table| table.server_table().copied());
    let room = opened.expect("opened").to_string();
    let entrants = organiser.contest().table(the_final).expect("the final").entrants().to_vec();

    // A client without a player's role, or with the wrong key, gets no seat.
    let mut stranger = server.new_player().await;
    let (first, second) = (Role::Player(entrants[0]), Role::Player(entrants[1]));
    assert_eq!(sit(&server, &stranger, &ledger, Role::Organiser, key).await, Err(403));
    assert_eq!(sit(&server, &stranger, &ledger, first, role_key(key, second)).await, Err(403));
    assert_eq!(stranger.try_join(&room).await, Err(Some(CloseReason::Revoked)));

    let mut players = Vec::new();
    for (at, entrant) in entrants.iter().enumerate() {
        let mut connection = server.new_player().await;
        let role = Role::Player(*entrant);
        let key = role_key(key, role);
        // The player may have joined with another phone before.
        let before = server.new_player().await;
        for device in [&before, &connection, &connection] {
            assert_eq!(sit(&server, device, &ledger, role, key).await, Ok(room.clone()));
        }
        connection.join(&room).await;
        let seat = connection.replica().state().expect("a table").you.seat;
        assert_eq!(seat, Some(at + 1), "each player has the seat of their ticket");
        players.push(connection);
    }
    // Players stay on the seats that were drawn.
    assert_eq!(
        players[0].try_command(TableCommand::Leave).await,
        Err(Some(RefusalReason::Contest))
    );
    super::play_to_the_end(&mut players).await;
    let record = server.text(&format!("/api/tables/{room}/matches/1")).await;
    let record: Record = record.parse().expect("a record");
    let rules = *organiser.contest().settings().rules();
    let outcome = contest::MatchOutcome::of_record(&record, &rules).expect("an outcome");
    while organiser.contest().table(the_final).and_then(|table| table.outcome()).is_none() {
        organiser.receive().await;
    }
    let reported = organiser.contest().table(the_final).expect("the final");
    assert_eq!(reported.outcome(), Some(outcome));
    assert_eq!(reported.reports()[0].by, Role::Server);
    // After a restart the result is not reported again.
    let lines = organiser.lines;
    server = server.restart().await;
    let mut late = LedgerClient::connect(&server, &ledger, "late", None).await;
    late.send(LedgerClientMessage::Beat).await;
    while !matches!(late.receive().await, LedgerServerMessage::Beat { .. }) {}
    assert_eq!(late.lines, lines);
    server.close().await;
}

/// Takes a seat. Returns the table, or the status of the refusal.
async fn sit(
    server: &TestServer,
    connection: &TestClient,
    ledger: &str,
    role: Role,
    key: Key,
) -> Result<String, u16> {
    let asks = json!({ "role": role_text(role), "key": key.to_string() });
    let answer = server.post(connection, &format!("/api/ledgers/{ledger}/seat"), asks).await;
    if !answer.status().is_success() {
        return Err(answer.status().as_u16());
    }
    let taken: Value = answer.json().await.expect("JSON");
    Ok(taken["table"].as_str().expect("a table").to_owned())
}

/// The text with placeholders for the time of every line and of the server.
fn without_times(text: &str) -> String {
    let mut text = text.to_owned();
    for (key, end, placeholder) in
        [("\"at\":\"", '"', "2026-11-16T09:30:00.250Z"), ("\"time\":", ',', "1800000000000")]
    {
        let mut from = 0;
        while let Some(at) = text[from..].find(key) {
            from += at + key.len();
            let length = text[from..].find(end).expect("an end");
            text.replace_range(from..from + length, placeholder);
        }
    }
    text
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_document_shows_the_messages_of_a_ledger() {
    let server = TestServer::open().await;
    let header =
        r#"{"ghinda_sheet":1,"rules":"cruce4t-21","names":["Ana","Ion","Eva","Dan"],"dealer":1}"#;
    let (ledger, key) = open(&server, header).await;
    let address = format!("ws://{}/api/ledgers/{ledger}/socket", server.address);
    let (mut socket, _) = tokio_tungstenite::connect_async(address).await.expect("a socket");
    let mut lines = Vec::new();
    let hello =
        format!(r#"{{"type":"hello","ghinda":1,"since":0,"role":"organiser","key":"{key}"}}"#);
    let deal = |cards: &str| {
        format!(
            r#"{{"sheet":{{"did":"write","line":{{"cruce":{{"declarer":2,"bid":2,"cards":{cards},"calls":[0,20]}}}}}}}}"#
        )
    };
    let command = |id: &str, what: &str| format!(r#"{{"type":"do","id":"{id}","what":{what}}}"#);
    let exchange = [
        (hello, 2),
        (command("a1", &deal("[50,70]")), 2),
        (command("a1", &deal("[50,70]")), 1),
        (command("a2", &deal("[50,71]")), 1),
        (command("a3", r#"{"sheet":{"did":"undo"}}"#), 2),
    ];
    for (message, answers) in exchange {
        lines.push(format!("client: {message}"));
        socket.send(message.into()).await.expect("sent");
        for _ in 0..answers {
            let next = timeout(Duration::from_secs(20), socket.next()).await.expect("in time");
            let frame = next.expect("a frame").expect("a message");
            lines.push(format!("server: {}", without_times(frame.to_text().expect("text"))));
        }
    }
    let text = lines.join("\n").replace(&key.to_string(), "2f6c0a…");
    let mut document = Document::read("docs/protocol.md");
    document.put("ledger", &format!("```text\n{text}\n```\n"));
    document.check();
    server.close().await;
}

#[tokio::test]
async fn to_read_a_ledger_that_is_not_in_memory_claims_nothing() {
    let server = TestServer::open().await;
    let header =
        r#"{"ghinda_sheet":1,"rules":"cruce4t-21","names":["Ana","Ion","Eva","Dan"],"dealer":1}"#;
    let name = server.store_ledger(&[header.to_owned()]).await;
    let path = format!("/api/ledgers/{name}");
    assert_eq!(server.text(&path).await, format!("{header}\n"));
    let ledger: LedgerId = name.parse().expect("a name");
    let acquired =
        server.database().acquire(LogKind::Ledger, ledger.into()).await.expect("a database");
    assert_eq!(acquired.expect("a ledger").epoch.get(), 2, "only this test has acquired it");
    assert_eq!(server.status("/api/ledgers/0000000009").await, 404);
    server.close().await;
}
