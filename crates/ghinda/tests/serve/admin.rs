//! `ghinda admin` on the database of a server that runs, and of one that has stopped.

use std::process::{Command, Output, Stdio};
use std::time::Duration;

use game::record::Record;
use replica::Replica;
use serde_json::{Value, json};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection, SqliteConnection};
use store::{Database, LogId, Store};
use test_support::folder::TempFolder;
use test_support::postgres::Server;
use wire::table::{CloseReason, TableCommand, TableStage};

use crate::load_run::lots;
use crate::test_client::{ConnectError, TestClient};
use crate::test_server::TestServer;

/// The name, the account and the chat of the player who is erased.
const NAME: &str = "Ana-Gheorghița";
const OTHER_NAME: &str = "Anița Întâia";
const ACCOUNT: &str = "gheorghitza.a";
const CHAT: &str = "sunt din Vaslui, strada Ghindei 7";
/// What the other player says stays.
const OTHER_CHAT: &str = "salut din Cluj";

fn admin(server: &TestServer, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ghinda"));
    command.arg("admin").args(args).args(["--database", server.database()]);
    command.env("LC_ALL", "C").stdin(Stdio::null()).output().expect("ghinda runs")
}

#[track_caller]
fn done(server: &TestServer, args: &[&str]) -> String {
    let output = admin(server, args);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{args:?}: {error}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[track_caller]
fn refused(server: &TestServer, args: &[&str], sentence: &str) {
    let output = admin(server, args);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{args:?}: {error}");
    assert!(error.contains(sentence), "{args:?}: {error}");
    assert!(output.stdout.is_empty(), "{args:?}");
}

/// The ids of a list.
fn ids(server: &TestServer, args: &[&str]) -> Vec<String> {
    let listed: Value = serde_json::from_str(&done(server, args)).expect("JSON");
    let id = |log: &Value| log["id"].as_str().expect("an id").to_owned();
    listed.as_array().expect("a list").iter().map(id).collect()
}

/// Plays until the match is over for all, or for this many rounds.
async fn play(clients: &mut [TestClient], rounds: usize) {
    let mut lots = lots(7, 1);
    for _ in 0..rounds {
        for client in clients.iter_mut() {
            client.act(&mut lots).await;
            client.listen(Duration::from_millis(2)).await;
        }
        if clients.iter().all(|client| client.stage() == Some(TableStage::Over)) {
            return;
        }
    }
}

/// A new table at which the two clients sit and have said something.
async fn seated(
    server: &TestServer,
    host: &mut TestClient,
    ana: &mut TestClient,
    ion: &mut TestClient,
) -> String {
    let table = server.table(host, "cruce2-1").await;
    for client in [&mut *ana, &mut *ion] {
        client.disconnect();
        client.replica.forget();
        client.join(&table).await;
    }
    let sit = |seat, name: &str| TableCommand::Sit { seat, name: name.into() };
    ana.command_with_retry(sit(1, NAME)).await;
    ion.command_with_retry(sit(2, "Ion")).await;
    ana.command_with_retry(TableCommand::Say(CHAT.into())).await;
    ion.command_with_retry(TableCommand::Say(OTHER_CHAT.into())).await;
    ana.command_with_retry(TableCommand::Rename { name: OTHER_NAME.into() }).await;
    table
}

/// A table of Ana at which the match has begun.
async fn begun(server: &TestServer, ana: &mut TestClient, ion: &mut TestClient) -> String {
    let table = seated(server, &mut ana.second_client(), ana, ion).await;
    ana.command_with_retry(TableCommand::Start).await;
    table
}

/// Two tables of Ana at which a match is over, and one of Ion in the middle of a match.
async fn three_tables(
    server: &TestServer,
    mut ana: TestClient,
    mut ion: TestClient,
) -> (Vec<String>, [TestClient; 2]) {
    let mut tables = Vec::new();
    for _ in 0..2 {
        tables.push(begun(server, &mut ana, &mut ion).await);
        let mut clients = [ana, ion];
        play(&mut clients, 20_000).await;
        [ana, ion] = clients;
    }
    tables.push(seated(server, &mut ion.second_client(), &mut ana, &mut ion).await);
    ion.command_with_retry(TableCommand::Start).await;
    let mut clients = [ana, ion];
    play(&mut clients, 3).await;
    (tables, clients)
}

async fn get(server: &TestServer, client: &TestClient, path: &str) -> Value {
    let request = server.http().get(server.url(path)).bearer_auth(&client.token);
    request.send().await.expect("an answer").json().await.expect("JSON")
}

/// The bodies of all events of a table.
async fn events(database: &Database, table: &str) -> Vec<String> {
    let table: LogId = table.parse().expect("a name");
    let events = database.events(table, 1, u32::MAX).await.expect("events");
    events.into_iter().map(|event| event.body).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_erased_player_leaves_no_trace_and_the_matches_stay_true() {
    let mut server = TestServer::open().await;
    let (ana, ion) = (server.new_client().await, server.new_client().await);
    let account = json!({ "name": ACCOUNT, "passphrase": "a long passphrase" });
    assert!(server.post(&ana, "/api/accounts", account).await.status().is_success());
    let (tables, [mut ana, mut ion]) = three_tables(&server, ana, ion).await;
    let database = Database::open(server.database()).await.expect("the database");
    done(&server, &["close", &tables[0]]);
    assert_eq!(database.archive(tables[0].parse().expect("a name")).await, Ok(true));
    let record = |table: &str| format!("/api/tables/{table}/matches/1");
    let before = server.text(&record(&tables[0])).await;
    assert!(before.contains(OTHER_NAME), "{before}");
    let history = get(&server, &ion, "/api/me/matches").await.to_string();
    assert!(history.contains(OTHER_NAME), "{history}");

    refused(&server, &["erase", "--account", ACCOUNT], "add --yes");
    refused(&server, &["erase", "--account", "no-such-name", "--yes"], "there is no account");
    refused(&server, &["erase", "--player", "0000000000001", "--yes"], "nothing is stored about");
    assert!(done(&server, &["erase", "--account", ACCOUNT, "--yes"]).contains("3 tables"));
    refused(&server, &["erase", "--account", ACCOUNT, "--yes"], "there is no account");
    let id = ana.player.to_string();
    refused(&server, &["erase", "--player", &id, "--yes"], "nothing is stored about");

    // The table in play goes on without them.
    ana.disconnect();
    assert_eq!(ana.connect().await, Err(ConnectError::Refused(401)));
    play_on_alone(&mut ion).await;
    for table in &tables {
        let text = server.text(&record(table)).await;
        let record: Record = text.parse().expect("a record");
        record.verify().expect("a true record");
        let names = record.names.iter().flatten().map(ToString::to_string);
        assert_eq!(names.collect::<Vec<String>>(), ["—", "Ion"]);
    }
    assert_eq!(server.text(&record(&tables[0])).await, before.replace(OTHER_NAME, "—"));
    let left = get(&server, &ion, "/api/me/matches").await;
    assert_eq!(left["matches"].as_array().map(Vec::len), Some(3), "{left}");
    for table in &left["matches"].as_array().expect("matches")[1..] {
        assert!(history.replace(OTHER_NAME, "—").contains(&table.to_string()), "{table}");
    }
    server.stop().await;

    // Neither the rows nor the pages of the file hold anything.
    let number = ana.player.get().to_string();
    for table in &tables {
        let events = events(&database, table).await.concat();
        for trace in [NAME, OTHER_NAME, CHAT, &number] {
            assert!(!events.contains(trace), "{trace} in {events}");
        }
        assert!(events.contains(OTHER_CHAT) && events.contains("Ion"), "{events}");
    }
    let traces = database.player_traces(ana.player).await.expect("answered");
    assert_eq!((traces.account, traces.sessions, traces.finished), (None, 0, 0));
    assert_eq!((traces.seated, traces.opened), (0, 0));
    database.close().await;
    let file = std::fs::read(server.database()).expect("the file");
    let has = |text: &str| file.windows(text.len()).any(|bytes| bytes == text.as_bytes());
    assert!(has(OTHER_CHAT));
    for trace in [NAME, OTHER_NAME, CHAT, ACCOUNT, &number] {
        assert!(!has(trace), "{trace} is in a page of the file");
    }
}

/// Kicks the player who is no more and plays the match to its end against a bot.
async fn play_on_alone(client: &mut TestClient) {
    let kicked = client.try_command(TableCommand::Kick { seat: 1 }).await;
    assert_eq!(kicked, Err(None), "the table has been rewritten");
    client.wait_for_close().await;
    client.replica.forget();
    client.connect_with_hello().await.expect("the table is open");
    client.wait_until_synced().await;
    let chat: Vec<_> = client.replica.state().expect("a table").chat.clone();
    assert!(chat.iter().all(|line| line.text.as_deref() != Some(CHAT)), "{chat:?}");
    // The command is sent again by itself.
    play(std::slice::from_mut(client), 20_000).await;
    assert_eq!(client.stage(), Some(TableStage::Over));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_that_the_operator_closes_lets_its_clients_go() {
    let mut server = TestServer::open().await;
    let (mut ana, mut ion) = (server.new_client().await, server.new_client().await);
    let table = begun(&server, &mut ana, &mut ion).await;
    assert_eq!(done(&server, &["close", &table]), format!("{table} is closed\n"));
    assert!(done(&server, &["close", &table]).contains("was closed before"));
    refused(&server, &["close", "0000000000"], "there is no table 0000000000");
    // The server notices when a client does something.
    let answer = ana.try_command(TableCommand::Say(CHAT.into())).await;
    assert_eq!(answer, Err(None));
    for client in [&mut ana, &mut ion] {
        client.wait_for_close().await;
        client.connect_with_hello().await.expect("an answer");
        assert_eq!(client.wait_for_close().await, Some(CloseReason::Closed));
        assert_eq!(get(&server, client, "/api/me").await["tables"], json!([]));
    }
    let log = server.log();
    assert!(log.contains("belongs to another server now"), "{log}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_operator_sees_what_takes_room_and_removes_it() {
    see_and_remove(TestServer::open().await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_operator_of_a_postgres_sees_the_same() {
    let postgres = tokio::task::spawn_blocking(|| Server::shared().database());
    see_and_remove(TestServer::on(postgres.await.expect("a database")).await).await;
}

async fn see_and_remove(mut server: TestServer) {
    let (mut ana, mut ion) = (server.new_client().await, server.new_client().await);
    let played = begun(&server, &mut ana, &mut ion).await;
    let mut clients = [ana, ion];
    play(&mut clients, 20_000).await;
    let [mut ana, _ion] = clients;
    let empty = server.table(&mut ana, "whist4").await;
    let header = r#"{"ghinda_contest":1,"title":"Cupa satului","word":"cupa","rules":"contest","venue":"hall"}"#;
    let ledger = server.post(&ana, "/api/ledgers", json!({ "lines": header })).await;
    let ledger: Value = ledger.json().await.expect("JSON");
    let ledger = ledger["ledger"].as_str().expect("a name");

    let usage: Value = serde_json::from_str(&done(&server, &["usage", "--json"])).expect("JSON");
    assert!(usage["bytes"].as_u64().is_some_and(|bytes| bytes > 10_000), "{usage}");
    assert_eq!((&usage["matches"], &usage["sessions"]), (&json!(1), &json!(2)), "{usage}");
    let counts: Vec<u64> = usage["logs"]
        .as_array()
        .expect("groups")
        .iter()
        .map(|group| group["count"].as_u64().expect("a number"))
        .collect();
    assert_eq!(counts, [2, 0, 0, 1, 0]);
    assert_eq!(usage["largest"][0]["id"], json!(played));
    assert_eq!(usage["largest"][0]["label"], "cruce2-1");
    let text = done(&server, &["usage"]);
    assert!(text.contains("finished matches") && text.contains("Cupa satului"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");

    assert_eq!(ids(&server, &["list", "tables", "--json"]), [played.as_str(), &empty]);
    assert_eq!(ids(&server, &["list", "ledgers", "--json"]), [ledger]);
    assert_eq!(
        ids(&server, &["list", "--sort", "age", "--json"]),
        [played.as_str(), &empty, ledger]
    );
    assert_eq!(ids(&server, &["list", "--limit", "1", "--json"]), [played.as_str()]);
    assert_eq!(done(&server, &["list"]).lines().count(), 4);

    refused(&server, &["remove", &played], "add --yes");
    refused(&server, &["remove", &played, "0000000000", "--yes"], "nothing was removed");
    let record = format!("/api/tables/{played}/matches/1");
    assert_eq!(server.status(&record).await, 200);
    let removed = done(&server, &["remove", &played, ledger, "--yes"]);
    assert_eq!(removed, format!("{played} is removed\n{ledger} is removed\n"));
    // The server finds nothing any more.
    assert_eq!(server.status(&record).await, 404);
    assert_eq!(get(&server, &ana, "/api/me/matches").await["matches"], json!([]));
    server.stop().await;
    server.start_again().await;
    assert_eq!(server.status(&format!("/api/ledgers/{ledger}")).await, 404);
    assert_eq!(ids(&server, &["list", "--json"]), [empty]);
    server.stop().await;
}

/// Damages the archive of a log.
async fn damage(server: &TestServer, log: &str) {
    let log: LogId = log.parse().expect("a name");
    let options = SqliteConnectOptions::new().filename(server.database());
    let mut database = SqliteConnection::connect_with(&options).await.expect("the file");
    let damage = sqlx::query("UPDATE archives SET body = x'ff00ff' WHERE table_id = $1");
    let damage = damage.bind(log.get() as i64).execute(&mut database).await.expect("written");
    assert_eq!(damage.rows_affected(), 1);
    database.close().await.expect("closed");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_damaged_archive_stops_no_command() {
    let mut server = TestServer::open().await;
    let (mut ana, mut ion) = (server.new_client().await, server.new_client().await);
    let damaged = begun(&server, &mut ana, &mut ion).await;
    let whole = begun(&server, &mut ana, &mut ion).await;
    let database = Database::open(server.database()).await.expect("the database");
    for table in [&damaged, &whole] {
        done(&server, &["close", table]);
        assert_eq!(database.archive(table.parse().expect("a name")).await, Ok(true));
    }
    damage(&server, &damaged).await;

    let label = |listed: &Value| listed["label"].clone();
    let usage: Value = serde_json::from_str(&done(&server, &["usage", "--json"])).expect("JSON");
    let mut labels: Vec<Value> =
        usage["largest"].as_array().expect("logs").iter().map(label).collect();
    labels.sort_by_key(Value::to_string);
    assert_eq!(labels, [json!("cruce2-1"), Value::Null]);
    assert_eq!(ids(&server, &["list", "--json"]).len(), 2);

    let id = ana.player.to_string();
    let output = admin(&server, &["erase", "--player", &id, "--yes"]);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{error}");
    assert!(error.contains(&format!("{damaged}: the database is damaged")), "{error}");
    assert!(error.contains("1 log may still name"), "{error}");
    assert!(error.contains("their traces at 1 table\n"), "{error}");
    let text = events(&database, &whole).await.concat();
    assert!(text.contains(OTHER_CHAT) && !text.contains(CHAT), "{text}");
    let traces = database.player_traces(ana.player).await.expect("answered");
    assert_eq!((traces.sessions, traces.opened), (0, 0));
    // What is damaged can be removed.
    done(&server, &["remove", &damaged, "--yes"]);
    refused(&server, &["erase", "--player", &id, "--yes"], "nothing is stored about");
    database.close().await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_missing_database_is_not_created() {
    let folder = TempFolder::create();
    let path = folder.file("none.db");
    let copy = folder.file("copy.db");
    let copy = copy.to_str().expect("UTF-8");
    for command in [&["admin", "usage"][..], &["backup", copy], &["export", "7rk2m0q9xw"]] {
        let output = Command::new(env!("CARGO_BIN_EXE_ghinda"))
            .args(command)
            .arg("--database")
            .arg(&path)
            .stdin(Stdio::null())
            .output()
            .expect("ghinda runs");
        assert_eq!(output.status.code(), Some(2), "{command:?}");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(error.contains("there is no database"), "{command:?}: {error}");
    }
    assert_eq!(folder.path().read_dir().expect("a folder").count(), 0, "nothing was created");
}
