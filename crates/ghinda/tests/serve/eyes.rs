//! Nobody is sent a card that he may not know: whole matches of all kinds are played, and
//! every byte that was sent to a seat or to somebody who watches is searched for cards and
//! secrets.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use game::deal::Lots;
use replica::table::Prompt;
use serde_json::{Value, json};
use store::{Database, Store};
use tokio::task::JoinSet;
use wire::table::{TableCommand, TableStage};

use crate::checker::Log;
use crate::evening::{lots, seed};
use crate::sight::Witness;
use crate::test_client::TestClient;
use crate::test_server::TestServer;

/// Every kind of table. The seats that no person takes are bots'.
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

/// Asks the server for everything that can be had by HTTP, as one guest.
struct Curious {
    http: reqwest::Client,
    address: String,
    paths: Vec<String>,
    /// What was said before any card was dealt and never changes.
    fixed: Vec<String>,
}

impl Curious {
    async fn new(server: &TestServer, table: &str, rules: &str) -> Curious {
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
        Curious { http, address, paths: paths.into(), fixed }
    }

    /// What is had now counts as sent to the guest in the version that is known.
    async fn ask(&self, token: &str, version: u64) -> Vec<(u64, String)> {
        let mut texts = Vec::new();
        for path in &self.paths {
            let get = self.http.get(format!("http://{}{path}", self.address)).bearer_auth(token);
            let answer = get.send().await.expect("an answer");
            let headers = format!("{:?}", answer.headers());
            let body = answer.text().await.expect("a text");
            if !self.fixed.contains(&body) {
                texts.push((version, headers));
                texts.push((version, body));
            }
        }
        texts
    }
}

/// Plays a match to its end; now and then loses the connection, talks or is curious, also
/// for somebody who watches.
async fn play(
    mut client: TestClient,
    mut lots: Lots,
    curious: Arc<Curious>,
    watcher: String,
) -> Seen {
    let mut watched = Vec::new();
    while client.stage() != Some(TableStage::Over) {
        let may_move = client.replica.asked() == Some(Prompt::Act);
        if may_move && lots.below(60) == 0 {
            // Nothing happens to the cards while it is our turn.
            let version = client.version();
            client.notes.texts.extend(curious.ask(&client.token.clone(), version).await);
            watched.extend(curious.ask(&watcher, version).await);
        }
        match lots.below(150) {
            0 => come_anew(&mut client, &mut lots).await,
            1 => {
                client
                    .wish_patiently(TableCommand::Say(format!("number {}", lots.below(90))))
                    .await;
            }
            2..5 => {
                // Out of turn, against the duties or not in the hand: refused with reasons.
                let card = ["Ab", "9h", "Ah", "2", "X4bAs"][lots.below(5)];
                if !may_move {
                    let _ = client.try_wish(TableCommand::Act(card.into())).await;
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
    /// What the curious got for somebody who watches.
    watched: Vec<(u64, String)>,
}

/// Comes back with what is known, or as if nothing was.
async fn come_anew(client: &mut TestClient, lots: &mut Lots) {
    client.hang_up();
    match lots.below(3) {
        0 => client.knock().await.expect("let in"),
        1 => {
            client.replica.forget();
            client.knock().await.expect("let in");
        }
        _ => {
            client.replica.forget();
            client.connect().await.expect("let in");
            client.send_text(r#"{"type":"hello","ghinda":1,"since":0}"#).await;
        }
    }
    client.arrive().await;
}

async fn watch(mut client: TestClient) -> Seen {
    while client.stage() != Some(TableStage::Over) {
        client.next().await.expect("the connection holds");
    }
    Seen { client, watched: Vec::new() }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_is_sent_a_card_or_a_secret_before_its_time() {
    let seed = seed();
    let mut server = TestServer::open().await;
    let mut playing = JoinSet::new();
    let mut tables = Vec::new();
    for (number, (rules, persons)) in TABLES.into_iter().enumerate() {
        let mut host = server.person().await;
        let table = server.table(&mut host, rules).await;
        tables.push((table.clone(), host, rules, persons, number));
    }
    // Two tables that play the same deals.
    let host = server.person().await;
    let plan = json!({ "table": { "rules": "cruce2-2", "listed": true }, "tables": 2 });
    let opened: Value =
        server.post(&host, "/api/duplicates", plan).await.json().await.expect("JSON");
    for (number, one) in opened.as_array().expect("two tables").iter().enumerate() {
        let table = one["table"].as_str().expect("a table").to_owned();
        tables.push((table, host.again(), "cruce2-2", 2, TABLES.len() + number));
    }
    let names: Vec<String> = tables.iter().map(|(table, ..)| table.clone()).collect();
    for (table, host, rules, persons, number) in tables {
        let mut clients = server.seated_at(&table, host, persons).await;
        clients[0].start_with_bots(persons).await;
        let curious = Arc::new(Curious::new(&server, &table, rules).await);
        let mut watcher = server.person().await;
        watcher.come(&table).await;
        for (seat, client) in clients.into_iter().enumerate() {
            let lots = lots(seed, (number * 8 + seat) as u64);
            playing.spawn(play(client, lots, curious.clone(), watcher.token.clone()));
        }
        playing.spawn(watch(watcher));
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
    let mut witnesses = Vec::new();
    for table in tables {
        let log = Log::read(&database, table).await;
        witnesses.push((table, Witness::new(&log), log));
    }
    database.close().await;
    // The lobby names all tables, and whoever sits there.
    let mut harmless: BTreeSet<String> =
        witnesses.iter().flat_map(|(_, witness, _)| witness.harmless.iter().cloned()).collect();
    for one in &seen {
        harmless.insert(one.client.player.to_string());
        harmless.extend(one.client.notes.sent.keys().cloned());
    }
    let (mut named, mut texts) = (0, 0);
    let logged = server.log();
    for (table, witness, log) in &witnesses {
        for secret in witness.secrets() {
            assert!(!logged.contains(secret), "a secret stands in the server's log");
        }
        let (mut clients, mut watched) = (Vec::new(), Vec::new());
        for one in seen.iter_mut().filter(|one| one.client.table == **table) {
            watched.append(&mut one.watched);
            clients.push(&mut one.client);
        }
        let watcher = clients.iter_mut().find(|client| client.replica.seat().is_none());
        watcher.expect("a watcher").notes.texts.append(&mut watched);
        for client in clients {
            log.check(client);
            named += witness.check(client, &harmless);
            texts += client.notes.texts.len();
            let duplicate = client.replica.state().is_some_and(|state| state.duplicate.is_some());
            assert_eq!(witness.was_told_the_secret(client), !duplicate, "{table}");
        }
    }
    println!("{texts} texts were searched, and {named} cards found in them");
    assert!(named > 10_000, "only {named} cards in {texts} texts");
}

#[test]
fn cards_are_found_wherever_they_stand() {
    use cards::Pack;
    use game::notation::parse_set;
    let found = |text: &str| crate::sight::cards_in(Pack::Hungarian, text);
    let set = |text: &str| parse_set(Pack::Hungarian, text).expect("a set");
    assert_eq!(found(r#"{"hand":"AX4b9l"}"#), set("AX4b9l"));
    assert_eq!(found("play=4l!.Al.9l hand=- deal=2"), set("4A9l"));
    assert_eq!(found(r#"{"seat":4,"bid":2,"at":1234}"#), set("-"));
}
