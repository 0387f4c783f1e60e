//! No client receives a card that it may not know: whole matches of all kinds are played, and every
//! byte that was sent to a seat or a spectator is searched for cards and secrets.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use game::deal::RandomStream;
use replica::Replica;
use replica::table::Prompt;
use serde_json::{Value, json};
use store::{Database, Store};
use tokio::task::JoinSet;
use wire::table::{TableCommand, TableStage};

use crate::checker::Log;
use crate::knowledge::Knowledge;
use crate::load_run::{lots, seed};
use crate::test_client::TestClient;
use crate::test_server::TestServer;

/// Every kind of table, with its number of people. Bots take the other seats.
const TABLES: [(&str, usize); 10] = [
    ("cruce2-5", 2),
    ("cruce3-8", 3),
    ("cruce4t-8", 4),
    ("cruce4s-6-honour", 4),
    ("contest-8", 4),
    ("cruce4t-5-auto", 2),
    ("whist3", 3),
    ("whist4-818", 3),
    ("whist5", 5),
    ("whist6-plain1", 6),
];
const WHOLE_MATCH: Duration = Duration::from_secs(120);

/// Reads everything that the server offers over HTTP, as one client.
struct HttpReader {
    http: reqwest::Client,
    address: String,
    paths: Vec<String>,
    /// Answers from before the first deal that never change.
    fixed: Vec<String>,
}

impl HttpReader {
    async fn new(server: &TestServer, table: &str, rules: &str) -> HttpReader {
        let mut fixed = Vec::new();
        for path in ["/api/openapi.json", "/health", "/ready", "/"] {
            fixed.push(server.text(path).await);
        }
        let paths = [
            "/api/openapi.json".into(),
            "/health".into(),
            "/ready".into(),
            "/".into(),
            "/metrics".into(),
            "/api/tables".into(),
            "/api/me".into(),
            "/api/me/matches".into(),
            format!("/api/rules/{rules}"),
            format!("/api/tables/{table}"),
            format!("/api/tables/{table}/matches/1"),
            format!("/api/tables/{table}/matches/2"),
            format!("/api/duplicates/{table}"),
        ];
        let (http, address) = (server.http().clone(), server.address.clone());
        HttpReader { http, address, paths: paths.into(), fixed }
    }

    /// Reads all paths. The answers count as sent to the client at the given version.
    async fn ask(&self, token: &str, version: u64) -> Vec<(u64, String)> {
        let mut texts = Vec::new();
        for path in &self.paths {
            let get = self.http.get(format!("http://{}{path}", self.address)).bearer_auth(token);
            let answer = get.send().await.expect("an answer");
            let mut headers = answer.headers().clone();
            // On Thursdays the date of the answer looks like the ten of hearts.
            let date = headers.remove("date").expect("a date");
            assert_eq!(date.len(), "Thu, 19 Nov 2026 15:10:23 GMT".len(), "{date:?}");
            let headers = format!("{headers:?}");
            let body = answer.text().await.expect("a text");
            if !self.fixed.contains(&body) {
                texts.push((version, headers));
                texts.push((version, body));
            }
        }
        texts
    }
}

/// Plays a match to its end. Now and then the client reconnects, chats or reads all HTTP paths,
/// also as a spectator.
async fn play(
    mut client: TestClient,
    mut lots: RandomStream,
    reader: Arc<HttpReader>,
    spectator: String,
) -> Seen {
    let mut watched = Vec::new();
    while client.stage() != Some(TableStage::Over) {
        let may_move = client.replica.prompt() == Some(Prompt::Act);
        if may_move && lots.below(60) == 0 {
            // The cards do not change while it is this client's turn.
            let version = client.version();
            client.notes.texts.extend(reader.ask(&client.token.clone(), version).await);
            watched.extend(reader.ask(&spectator, version).await);
        }
        match lots.below(150) {
            0 => reconnect(&mut client, &mut lots).await,
            1 => {
                client
                    .command_with_retry(TableCommand::Say(format!("number {}", lots.below(90))))
                    .await;
            }
            2..5 => {
                // Out of turn, against the duties or not in the hand: refused with reasons.
                let card = ["Ab", "9h", "Ah", "2", "X4bAs"][lots.below(5)];
                if !may_move {
                    let _ = client.try_command(TableCommand::Act(card.into())).await;
                }
            }
            _ => {}
        }
        client.act(&mut lots).await;
        client.listen(Duration::from_millis(25)).await;
    }
    Seen { client, watched }
}

struct Seen {
    client: TestClient,
    /// The HTTP answers that a spectator received.
    watched: Vec<(u64, String)>,
}

/// Reconnects with the last version, or as a new client.
async fn reconnect(client: &mut TestClient, lots: &mut RandomStream) {
    client.disconnect();
    match lots.below(3) {
        0 => client.connect_with_hello().await.expect("connected"),
        1 => {
            client.replica.forget();
            client.connect_with_hello().await.expect("connected");
        }
        _ => {
            client.replica.forget();
            client.connect().await.expect("connected");
            client.send_text(r#"{"type":"hello","ghinda":1,"since":0}"#).await;
        }
    }
    client.wait_until_synced().await;
}

async fn watch(mut client: TestClient) -> Seen {
    while client.stage() != Some(TableStage::Over) {
        client.next().await.expect("the connection holds");
    }
    Seen { client, watched: Vec::new() }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_client_receives_a_card_or_a_secret_too_early() {
    let seed = seed();
    let mut server = TestServer::open().await;
    let mut playing = JoinSet::new();
    let mut tables = Vec::new();
    for (number, (rules, persons)) in TABLES.into_iter().enumerate() {
        let mut host = server.new_client().await;
        let table = server.table(&mut host, rules).await;
        tables.push((table.clone(), host, rules, persons, number));
    }
    // Two tables with the same deals.
    let host = server.new_client().await;
    let plan = json!({ "table": { "rules": "cruce2-2", "listed": true }, "tables": 2 });
    let opened: Value =
        server.post(&host, "/api/duplicates", plan).await.json().await.expect("JSON");
    for (number, one) in opened.as_array().expect("two tables").iter().enumerate() {
        let table = one["table"].as_str().expect("a table").to_owned();
        tables.push((table, host.second_client(), "cruce2-2", 2, TABLES.len() + number));
    }
    let names: Vec<String> = tables.iter().map(|(table, ..)| table.clone()).collect();
    for (table, host, rules, persons, number) in tables {
        let mut clients = server.seated_at(&table, host, persons).await;
        clients[0].start_with_bots(persons).await;
        let reader = Arc::new(HttpReader::new(&server, &table, rules).await);
        let mut spectator = server.new_client().await;
        spectator.join(&table).await;
        for (seat, client) in clients.into_iter().enumerate() {
            let lots = lots(seed, (number * 8 + seat) as u64);
            playing.spawn(play(client, lots, reader.clone(), spectator.token.clone()));
        }
        playing.spawn(watch(spectator));
    }
    let mut seen = Vec::new();
    while let Some(one) =
        tokio::time::timeout(WHOLE_MATCH, playing.join_next()).await.expect("in time")
    {
        seen.push(one.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic())));
    }
    server.stop().await;
    check(&server, &names, seen).await;
}

async fn check(server: &TestServer, tables: &[String], mut seen: Vec<Seen>) {
    let database = Database::open(server.database()).await.expect("the database");
    let mut all_knowledge = Vec::new();
    for table in tables {
        let log = Log::read(&database, table).await;
        all_knowledge.push((table, Knowledge::new(&log), log));
    }
    database.close().await;
    // The lobby lists all tables and their players.
    let mut harmless: BTreeSet<String> = all_knowledge
        .iter()
        .flat_map(|(_, knowledge, _)| knowledge.harmless.iter().cloned())
        .collect();
    for one in &seen {
        harmless.insert(one.client.player.to_string());
        harmless.extend(one.client.notes.sent.keys().cloned());
    }
    let (mut named, mut texts) = (0, 0);
    let logged = server.log();
    for (table, knowledge, log) in &all_knowledge {
        for secret in knowledge.secrets() {
            assert!(!logged.contains(secret), "a secret is in the server's log");
        }
        let (mut clients, mut watched) = (Vec::new(), Vec::new());
        for one in seen.iter_mut().filter(|one| one.client.table == **table) {
            watched.append(&mut one.watched);
            clients.push(&mut one.client);
        }
        let spectator = clients.iter_mut().find(|client| client.replica.seat().is_none());
        spectator.expect("a spectator").notes.texts.append(&mut watched);
        for client in clients {
            assert!(!logged.contains(&client.token), "a token is in the server's log");
            log.check(client);
            named += knowledge.check(client, &harmless);
            texts += client.notes.texts.len();
            let duplicate = client.replica.state().is_some_and(|state| state.duplicate.is_some());
            assert_eq!(knowledge.received_the_secret(client), !duplicate, "{table}");
        }
    }
    println!("{texts} texts were searched, {named} cards were found");
    assert!(named > 10_000, "only {named} cards in {texts} texts");
}

#[test]
fn cards_are_found_in_any_text() {
    use cards::Pack;
    use game::notation::parse_set;
    let found = |text: &str| crate::knowledge::cards_in(Pack::Hungarian, text);
    let set = |text: &str| parse_set(Pack::Hungarian, text).expect("a set");
    assert_eq!(found(r#"{"hand":"AX4b9l"}"#), set("AX4b9l"));
    assert_eq!(found("play=4l!.Al.9l hand=- deal=2"), set("4A9l"));
    assert_eq!(found(r#"{"seat":4,"bid":2,"at":1234}"#), set("-"));
}
