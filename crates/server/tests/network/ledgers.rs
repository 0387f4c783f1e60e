//! Contests and score sheets over real sockets: what everybody folds is the same, roles are by keys,
//! nothing is done twice, and a restart loses nothing.

use std::time::Duration;

use contest::{Contest, ContestSettings, ContestStage, ContestTableId, Role, Status, Venue};
use futures_util::{SinkExt, StreamExt};
use game::Rules;
use game::record::Record;
use ids::Key;
use serde_json::{Value, json};
use test_support::document::Document;
use tokio::net::TcpStream;
use tokio::time::timeout;
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

/// Somebody with a ledger open.
struct Clerk {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    granted: String,
    /// What the lines have led to.
    ledger: Option<Ledger>,
    lines: usize,
    wished: usize,
    name: &'static str,
}

impl Clerk {
    async fn come(
        server: &TestServer,
        ledger: &str,
        name: &'static str,
        asks: Option<(Role, Key)>,
    ) -> Clerk {
        let address = format!("ws://{}/api/ledgers/{ledger}/socket", server.address);
        let (socket, _) = tokio_tungstenite::connect_async(address).await.expect("a socket");
        let (granted, ledger) = (String::new(), None);
        let mut clerk = Clerk { socket, granted, ledger, lines: 0, wished: 0, name };
        clerk
            .say(LedgerClientMessage::Hello {
                ghinda: VERSION,
                since: 0,
                role: asks.map(|(role, _)| role_text(role)),
                key: asks.map(|(_, key)| key.to_string()),
            })
            .await;
        while clerk.ledger.is_none() {
            clerk.hear().await;
        }
        clerk
    }

    async fn say(&mut self, message: LedgerClientMessage) {
        self.socket.send(message.text().into()).await.expect("sent");
    }

    async fn hear(&mut self) -> LedgerServerMessage {
        let next = timeout(Duration::from_secs(20), self.socket.next()).await;
        let frame = next.expect("in time").expect("a frame").expect("a message");
        let message = LedgerServerMessage::read(frame.to_text().expect("text")).expect("ours");
        match &message {
            LedgerServerMessage::Hello { role, .. } => self.granted = role.clone(),
            LedgerServerMessage::Lines { from, lines } => {
                assert_eq!(*from, self.lines, "no line is left out or told twice");
                for line in lines {
                    let line = line.to_string();
                    match &mut self.ledger {
                        None => self.ledger = Some(Ledger::from_header(&line).expect("a header")),
                        Some(ledger) => ledger.add(0, &line).expect("a line that fits"),
                    }
                }
                self.lines += lines.len();
            }
            _ => {}
        }
        message
    }

    /// Wishes something and waits for the answer.
    async fn command(&mut self, what: LedgerCommand) -> Result<(), LedgerRefusal> {
        self.wished += 1;
        let id = format!("{}-{}", self.name, self.wished);
        self.wish_as(&id, what).await
    }

    async fn wish_as(&mut self, id: &str, what: LedgerCommand) -> Result<(), LedgerRefusal> {
        self.say(LedgerClientMessage::Do { id: id.into(), what }).await;
        loop {
            match self.hear().await {
                LedgerServerMessage::Done { id: done } if done == id => return Ok(()),
                LedgerServerMessage::Refused { id: refused, refusal } if refused == id => {
                    return Err(refusal);
                }
                LedgerServerMessage::Bye { why } => panic!("it ended: {why:?}"),
                _ => {}
            }
        }
    }

    async fn does(&mut self, change: ContestChangeText) -> Result<(), LedgerRefusal> {
        self.command(LedgerCommand::Contest(change)).await
    }

    async fn reads_up_to(&mut self, lines: usize) {
        while self.lines < lines {
            self.hear().await;
        }
    }

    fn contest(&self) -> &Contest {
        self.ledger.as_ref().and_then(Ledger::contest).expect("a contest")
    }
}

fn name_of(refusal: Result<(), LedgerRefusal>) -> String {
    match refusal {
        Err(LedgerRefusal::Because(RefusalText { name, .. })) => name,
        other => panic!("{other:?}"),
    }
}

async fn open(server: &TestServer, lines: &str) -> (String, Key) {
    let somebody = server.person().await;
    let answer = server.post(&somebody, "/api/ledgers", json!({ "lines": lines })).await;
    assert_eq!(answer.status().as_u16(), 201);
    let opened: Value = answer.json().await.expect("JSON");
    let text = |field: &str| opened[field].as_str().expect("a text").to_owned();
    (text("ledger"), text("key").parse().expect("a key"))
}

fn cup(entrants: usize) -> (String, ContestChangeText) {
    contest(entrants, "contest", Venue::Hall)
}

fn contest(entrants: usize, rules: &str, venue: Venue) -> (String, ContestChangeText) {
    let rules = Rules::from_code(rules).expect("rules");
    let (title, word) = ("Cupa".parse().expect("a name"), "cupa".parse().expect("a word"));
    let settings = ContestSettings::new(title, word, rules, venue).expect("settings");
    let entrants = (1..=entrants).map(|number| PartyText::Alone(format!("Player {number}")));
    (header_line(&settings), ContestChangeText::Admit { entrants: entrants.collect() })
}

fn table(phase: usize, table: usize) -> ContestTableId {
    ContestTableId { phase, table }
}

fn report(id: ContestTableId, scores: [i32; 4]) -> ContestChangeText {
    ContestChangeText::Report { table: table_text(id), scores: scores.to_vec(), broken_off: false }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_contest_is_drawn_told_and_kept() {
    let mut server = TestServer::open().await;
    let (header, admit) = cup(16);
    let (ledger, key) = open(&server, &header).await;
    let organiser = Some((Role::Organiser, key));
    let mut chief = Clerk::come(&server, &ledger, "chief", organiser).await;
    let mut public = Clerk::come(&server, &ledger, "public", None).await;
    assert_eq!((chief.granted.as_str(), public.granted.as_str()), ("organiser", "public"));

    assert_eq!(name_of(public.does(admit.clone()).await), "NotYours");
    chief.does(admit).await.expect("entrants");
    assert_eq!(name_of(chief.command(LedgerCommand::Draw { words: vec![] }).await), "NoCommitment");
    chief.command(LedgerCommand::Prepare).await.expect("a commitment");
    assert_eq!(name_of(public.command(LedgerCommand::Draw { words: vec![] }).await), "NotYours");
    // Nobody may say that the lots fell as he likes.
    let forged = ContestChangeText::Commit { commitment: "0".repeat(64) };
    assert_eq!(name_of(chief.does(forged).await), "NotYours");
    // What the server committed itself to outlives it.
    server = server.restart().await;
    let mut chief = Clerk::come(&server, &ledger, "chief-again", organiser).await;
    let mut public = Clerk::come(&server, &ledger, "public-again", None).await;
    let committed = *chief.contest().commitment().expect("a commitment");
    chief.command(LedgerCommand::Draw { words: vec!["mere".into()] }).await.expect("a draw");
    let drawn = &chief.contest().phases()[0];
    assert_eq!(*drawn.commitment(), committed);
    assert_eq!(drawn.tables().len(), 4);

    // Two at table B tell different things, and its referee decides; that of A may not.
    let second = table(0, 1);
    let seated = chief.contest().table(second).expect("B").entrants().to_vec();
    let player = |at: usize| Role::Player(seated[at]);
    let with = |role: Role| Some((role, role_key(key, role)));
    let mut ana = Clerk::come(&server, &ledger, "ana", with(player(0))).await;
    let mut ion = Clerk::come(&server, &ledger, "ion", with(player(1))).await;
    let mut referee_of_a =
        Clerk::come(&server, &ledger, "a", with(Role::Referee(table(0, 0)))).await;
    let mut referee = Clerk::come(&server, &ledger, "b", with(Role::Referee(second))).await;
    let mut thief =
        Clerk::come(&server, &ledger, "thief", Some((player(0), Key::new([1; 16])))).await;
    assert_eq!(referee.granted, "referee 1B");
    assert_eq!(thief.granted, "public", "a key that is none opens nothing");
    ana.does(report(second, [21, 3, 4, 5])).await.expect("told");
    ion.does(report(second, [3, 21, 4, 5])).await.expect("told");
    assert_eq!(ion.contest().table(second).expect("B").status(), Status::Disputed);
    assert_eq!(name_of(thief.does(report(second, [21, 3, 4, 5])).await), "NotYours");
    assert_eq!(name_of(ana.does(report(table(0, 0), [21, 3, 4, 5])).await), "NotYours");
    assert_eq!(name_of(ana.does(report(second, [20, 3, 4, 5])).await), "NobodyWon");
    let rule = |scores: [i32; 4]| ContestChangeText::Rule {
        table: table_text(second),
        scores: scores.to_vec(),
        broken_off: false,
    };
    assert_eq!(name_of(referee_of_a.does(rule([21, 3, 4, 5])).await), "ForReferee");
    referee.does(rule([21, 3, 4, 5])).await.expect("decided");
    assert_eq!(referee.contest().table(second).expect("B").status(), Status::Settled);

    for (phase, tables) in [(0, 4), (1, 2), (2, 1)] {
        for at in 0..tables {
            if (phase, at) != (0, 1) {
                chief.does(report(table(phase, at), [4, 22, 3, 20])).await.expect("told");
            }
        }
        if phase < 2 {
            chief.command(LedgerCommand::Prepare).await.expect("a commitment");
            chief.command(LedgerCommand::Draw { words: vec![] }).await.expect("a draw");
        }
    }
    assert_eq!(chief.contest().stage(), ContestStage::Over);

    // Everybody has the same contest, and so has whoever reads it as a file.
    public.reads_up_to(chief.lines).await;
    assert_eq!(public.ledger, chief.ledger);
    let text = server.text(&format!("/api/ledgers/{ledger}")).await;
    assert_eq!(ContestLog::from_lines(&text).expect("a contest").contest, *chief.contest());
    let secrets = text.matches("secret").count();
    assert_eq!(secrets, 3, "only the secrets of draws that were made");
    assert!(!text.contains(&key.to_string()));
    server = server.restart().await;
    let late = Clerk::come(&server, &ledger, "late", None).await;
    assert_eq!(late.contest(), chief.contest());
    server.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wish_that_is_sent_again_is_not_done_again() {
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
    let mut ana = Clerk::come(&server, &ledger, "ana", writer).await;
    let mut dan = Clerk::come(&server, &ledger, "dan", None).await;
    ana.wish_as("first", deal()).await.expect("written");
    ana.wish_as("first", deal()).await.expect("known");
    assert_eq!(ana.lines, 2);
    // The same after a restart, and from another phone.
    server = server.restart().await;
    let mut eva = Clerk::come(&server, &ledger, "eva", writer).await;
    eva.wish_as("first", deal()).await.expect("known");
    assert_eq!(eva.lines, 2);
    // While it is being stored.
    for _ in 0..3 {
        eva.say(LedgerClientMessage::Do { id: "second".into(), what: deal() }).await;
    }
    let mut done = 0;
    while done < 3 {
        done += usize::from(matches!(eva.hear().await, LedgerServerMessage::Done { .. }));
    }
    assert_eq!(eva.lines, 3);
    let mut dan_again = Clerk::come(&server, &ledger, "dan", None).await;
    assert_eq!(name_of(dan_again.command(deal()).await), "NotYours");
    let wrong = LedgerCommand::Sheet(SheetChangeText::Write {
        line: LineText::Cruce { declarer: 2, bid: 2, cards: vec![50, 71], calls: vec![0, 0] },
    });
    assert_eq!(name_of(eva.command(wrong).await), "CardsDoNotAddUp");
    assert!(matches!(eva.command(LedgerCommand::Prepare).await, Err(LedgerRefusal::OtherLedger)));
    assert_eq!(eva.wish_as("", deal()).await, Err(LedgerRefusal::BadId));
    assert_eq!(eva.lines, 3, "a refusal changes nothing");
    // Those who were connected before the restart were told so.
    loop {
        match dan.hear().await {
            LedgerServerMessage::Bye { why } => break assert_eq!(why, CloseReason::Stopping),
            LedgerServerMessage::Lines { .. } => {}
            other => panic!("{other:?}"),
        }
    }
    server.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_no_ledger_is_not_kept() {
    let server = TestServer::open().await;
    let somebody = server.person().await;
    for lines in
        ["", "Dear Ana,", "{}", r#"{"ghinda_sheet":2,"rules":"cruce4t-21","names":[],"dealer":1}"#]
    {
        let answer = server.post(&somebody, "/api/ledgers", json!({ "lines": lines })).await;
        assert_eq!(answer.status().as_u16(), 400, "{lines}");
        let problem: Value = answer.json().await.expect("JSON");
        assert_eq!(problem["error"], "bad_ledger", "{lines}");
    }
    assert_eq!(server.status("/api/ledgers/0000000000").await, 404);
    assert_eq!(server.status("/api/ledgers/where").await, 404);
    // A table is no ledger.
    let mut host = server.person().await;
    let table = host.open("cruce4t-4", true).await;
    assert_eq!(server.status(&format!("/api/ledgers/{table}")).await, 404);
    server.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_online_contest_opens_its_tables_and_knows_their_results() {
    let mut server = TestServer::open().await;
    let (header, admit) = contest(4, "cruce4s-3", Venue::Online);
    let (ledger, key) = open(&server, &header).await;
    let mut chief = Clerk::come(&server, &ledger, "chief", Some((Role::Organiser, key))).await;
    chief.does(admit).await.expect("entrants");
    chief.command(LedgerCommand::Prepare).await.expect("a commitment");
    chief.command(LedgerCommand::Draw { words: vec![] }).await.expect("a draw");
    let the_final = table(0, 0);
    while chief.contest().table(the_final).and_then(|table| table.opened()).is_none() {
        chief.hear().await;
    }
    let opened = chief.contest().table(the_final).and_then(|table| table.opened().copied());
    let room = opened.expect("opened").to_string();
    let entrants = chief.contest().table(the_final).expect("the final").entrants().to_vec();

    // Nobody who does not play, and nobody with the wrong link sits down.
    let mut stranger = server.person().await;
    let (first, second) = (Role::Player(entrants[0]), Role::Player(entrants[1]));
    assert_eq!(sit(&server, &stranger, &ledger, Role::Organiser, key).await, Err(403));
    assert_eq!(sit(&server, &stranger, &ledger, first, role_key(key, second)).await, Err(403));
    assert_eq!(stranger.try_to_come(&room).await, Err(Some(CloseReason::Revoked)));

    let mut players = Vec::new();
    for (at, entrant) in entrants.iter().enumerate() {
        let mut connection = server.person().await;
        let role = Role::Player(*entrant);
        let key = role_key(key, role);
        // He may have come with another telephone before.
        let before = server.person().await;
        for device in [&before, &connection, &connection] {
            assert_eq!(sit(&server, device, &ledger, role, key).await, Ok(room.clone()));
        }
        connection.come(&room).await;
        let seat = connection.replica().state().expect("a table").you.seat;
        assert_eq!(seat, Some(at + 1), "each has the seat of his ticket");
        players.push(connection);
    }
    // They stay where the lots have put them.
    assert_eq!(players[0].try_wish(TableCommand::Leave).await, Err(Some(RefusalReason::Contest)));
    super::play_to_the_end(&mut players).await;
    let record = server.text(&format!("/api/tables/{room}/matches/1")).await;
    let record: Record = record.parse().expect("a record");
    let rules = *chief.contest().settings().rules();
    let outcome = contest::MatchOutcome::of_record(&record, &rules).expect("an outcome");
    while chief.contest().table(the_final).and_then(|table| table.outcome()).is_none() {
        chief.hear().await;
    }
    let told = chief.contest().table(the_final).expect("the final");
    assert_eq!(told.outcome(), Some(outcome));
    assert_eq!(told.reports()[0].by, Role::House);
    // After a restart it is not told twice.
    let lines = chief.lines;
    server = server.restart().await;
    let mut late = Clerk::come(&server, &ledger, "late", None).await;
    late.say(LedgerClientMessage::Beat).await;
    while !matches!(late.hear().await, LedgerServerMessage::Beat { .. }) {}
    assert_eq!(late.lines, lines);
    server.close().await;
}

/// Takes a seat, and tells at which table or with which status it was refused.
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

/// The text with a stand-in for the moment of every line and the time of the server.
fn without_times(text: &str) -> String {
    let mut text = text.to_owned();
    for (key, end, stand_in) in
        [("\"at\":\"", '"', "2026-11-16T09:30:00.250Z"), ("\"time\":", ',', "1800000000000")]
    {
        let mut from = 0;
        while let Some(at) = text[from..].find(key) {
            from += at + key.len();
            let length = text[from..].find(end).expect("an end");
            text.replace_range(from..from + length, stand_in);
        }
    }
    text
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_document_shows_what_is_said() {
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
    let talk = [
        (hello, 2),
        (command("a1", &deal("[50,70]")), 2),
        (command("a1", &deal("[50,70]")), 1),
        (command("a2", &deal("[50,71]")), 1),
        (command("a3", r#"{"sheet":{"did":"undo"}}"#), 2),
    ];
    for (said, answers) in talk {
        lines.push(format!("client: {said}"));
        socket.send(said.into()).await.expect("sent");
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
