//! What becomes of tables, contests and score sheets that are quiet for long: they are archived and read
//! as before, and removed for good.

use std::process::Command;
use std::time::Duration;

use contest::Role;
use game::record::Record;
use serde_json::json;
use server::retention::{self, RetentionAges, SweepCounts};
use store::{LogId, LogKind, Store};
use wire::ledger::LedgerCommand;
use wire::sheet::SheetChangeText;
use wire::table::TableCommand;

use super::ledgers::{self, LedgerClient};
use super::play_to_the_end;
use super::sleeping_tables::close;
use super::test_client::TestClient;
use super::test_server::TestServer;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Archives after 30 days and removes after a year.
fn ages() -> RetentionAges {
    RetentionAges { archive: Some(DAY * 30), remove: Some(DAY * 365) }
}

/// What a sweep does this many days from now.
async fn sweep(server: &TestServer, days: u32, ages: RetentionAges) -> SweepCounts {
    let later = server.tables.clock().now() + (DAY * days).as_millis() as u64;
    retention::sweep(server.database(), later, ages).await.expect("swept")
}

async fn archived(server: &TestServer, log: &str) -> u64 {
    let log: LogId = log.parse().expect("a name");
    server.database().find_log(log).await.expect("a database").expect("a log").archived
}

/// Two tables that play the same deals, played to their ends by one player against a bot, and closed.
async fn closed_duplicates(server: &TestServer) -> (TestClient, [String; 2]) {
    let mut host = server.new_player().await;
    let duplicates = json!({ "table": { "rules": "cruce2-1", "listed": true }, "tables": 2 });
    let opened = server.post(&host, "/api/duplicates", duplicates).await;
    let opened: serde_json::Value = opened.json().await.expect("JSON");
    let tables = [0, 1].map(|at| opened[at]["table"].as_str().expect("a name").to_owned());
    for table in &tables {
        host.join(table).await;
        host.command(TableCommand::Sit { seat: 1, name: "Ana".into() }).await;
        host.command(TableCommand::Start).await;
        let mut players = [host];
        play_to_the_end(&mut players).await;
        [host] = players;
        host.disconnect();
        let again = host.same_player();
        host = again;
    }
    for table in &tables {
        close(server, &host, table).await;
    }
    (host, tables)
}

#[tokio::test]
async fn an_archived_table_is_read_as_before_and_a_removed_one_is_gone() {
    let server = TestServer::open().await;
    let (mut host, [first, second]) = closed_duplicates(&server).await;
    let open = host.open("cruce2", true).await;
    let record = |table: &str| format!("/api/tables/{table}/matches/1");
    let comparison = format!("/api/duplicates/{second}");
    let before = server.text(&record(&first)).await;
    let history = server.get_json(&host, "/api/me/matches").await;
    let compared = server.get_json(&host, &comparison).await;
    assert_eq!(compared["tables"], json!([first, second]));

    assert_eq!(sweep(&server, 29, ages()).await, SweepCounts::default());
    let never = RetentionAges::default();
    assert_eq!(sweep(&server, 1_000, never).await, SweepCounts::default(), "0 days are never");
    assert_eq!(sweep(&server, 31, ages()).await, SweepCounts { archived: 2, removed: 0 });
    assert_eq!(
        sweep(&server, 31, ages()).await,
        SweepCounts::default(),
        "they are archived already"
    );
    assert!(archived(&server, &first).await > 0);
    assert_eq!(archived(&server, &open).await, 0, "a table in use");
    assert_eq!(server.text(&record(&first)).await, before);
    before.parse::<Record>().expect("a record").verify().expect("a true record");
    assert_eq!(server.get_json(&host, "/api/me/matches").await, history);
    assert_eq!(server.get_json(&host, &comparison).await, compared);

    // One of them is removed by hand, as its time comes later.
    let removed = server.database().remove(first.parse().expect("a name"), None).await;
    assert_eq!(removed, Ok(true));
    assert_eq!(server.status(&record(&first)).await, 404);
    assert_eq!(server.status_as(&host, &format!("/api/tables/{first}")).await, 404);
    assert_eq!(server.status(&format!("/api/duplicates/{first}")).await, 404);
    assert_eq!(server.get_json(&host, &comparison).await["tables"], json!([second]));
    let left = server.get_json(&host, "/api/me/matches").await;
    assert_eq!(left["matches"].as_array().map(Vec::len), Some(1), "{left}");
    assert_eq!(left["matches"][0]["table"], json!(second));

    assert_eq!(sweep(&server, 366, ages()).await, SweepCounts { archived: 0, removed: 1 });
    for path in [record(&second), comparison] {
        assert_eq!(server.status(&path).await, 404, "{path}");
    }
    assert_eq!(server.get_json(&host, "/api/me/matches").await["matches"], json!([]));
    let path = format!("/api/tables/{open}");
    assert_eq!(server.status_as(&host, &path).await, 200, "an open table stays");
    server.close().await;
}

#[tokio::test]
async fn an_archived_contest_and_an_archived_sheet_go_on_and_removed_ones_are_gone() {
    let mut server = TestServer::open().await;
    let (header, admit) = ledgers::cup(16);
    let (contest, key) = ledgers::open(&server, &header).await;
    let names =
        r#"{"ghinda_sheet":1,"rules":"cruce4t-21","names":["Ana","Ion","Eva","Dan"],"dealer":1}"#;
    let (sheet, sheet_key) = ledgers::open(&server, names).await;
    let organiser = Some((Role::Organiser, key));
    let mut client = LedgerClient::connect(&server, &contest, "one", organiser).await;
    client.change(admit).await.expect("entrants");
    let paths = [&contest, &sheet].map(|ledger| format!("/api/ledgers/{ledger}"));
    let before = [server.text(&paths[0]).await, server.text(&paths[1]).await];

    // They are in memory meanwhile, and written to afterwards.
    assert_eq!(sweep(&server, 31, ages()).await, SweepCounts { archived: 2, removed: 0 });
    client.command(LedgerCommand::Prepare).await.expect("a commitment");
    server = server.restart().await;
    assert_eq!(archived(&server, &contest).await, 2);
    let text = server.text(&paths[0]).await;
    assert!(text.starts_with(&before[0]) && text.len() > before[0].len(), "{text}");
    assert_eq!(server.text(&paths[1]).await, before[1]);
    let mut client = LedgerClient::connect(&server, &contest, "two", organiser).await;
    client.command(LedgerCommand::Draw { words: vec!["mere".into()] }).await.expect("a draw");
    assert_eq!(client.contest().phases()[0].tables().len(), 4);
    let writer = Some((Role::Organiser, sheet_key));
    let mut writer = LedgerClient::connect(&server, &sheet, "three", writer).await;
    let rename = SheetChangeText::Rename { seat: 2, name: "Ioana".into() };
    writer.command(LedgerCommand::Sheet(rename)).await.expect("renamed");
    assert!(server.text(&paths[1]).await.contains("Ioana"));
    server = server.restart().await;
    assert!(server.text(&paths[1]).await.contains("Ioana"));

    assert_eq!(sweep(&server, 366, ages()).await, SweepCounts { archived: 0, removed: 2 });
    server = server.restart().await;
    for path in &paths {
        assert_eq!(server.status(path).await, 404, "{path}");
    }
    server.close().await;
}

#[tokio::test]
async fn what_was_never_begun_is_removed_after_a_day() {
    let server = TestServer::open().await;
    let mut host = server.new_player().await;
    let table = host.open("cruce2", true).await;
    let (begun, failed) = (table.parse().expect("a name"), LogId::new(7).expect("an id"));
    let now = server.tables.clock().now_ms();
    server.database().create(LogKind::Table, failed, None, now).await.expect("created");
    let never = RetentionAges::default();
    assert_eq!(sweep(&server, 0, never).await, SweepCounts::default());
    assert!(server.database().find_log(failed).await.expect("a database").is_some());
    assert_eq!(sweep(&server, 2, never).await, SweepCounts { archived: 0, removed: 1 });
    assert_eq!(server.database().find_log(failed).await, Ok(None));
    assert!(server.database().find_log(begun).await.expect("a database").is_some());
    server.close().await;
}

#[tokio::test]
async fn a_log_that_cannot_be_read_costs_only_itself() {
    let server = TestServer::open().await;
    let names =
        r#"{"ghinda_sheet":1,"rules":"cruce4t-21","names":["Ana","Ion","Eva","Dan"],"dealer":1}"#;
    let mut sheets = Vec::new();
    for _ in 0..3 {
        sheets.push(ledgers::open(&server, names).await.0);
    }
    // The log of one of them loses its event.
    let broken: LogId = sheets[0].parse().expect("a name");
    let script = "import sqlite3, sys
database = sqlite3.connect(sys.argv[1], timeout=30)
database.execute('DELETE FROM events WHERE table_id = ?', [int(sys.argv[2])])
database.commit()";
    let mut python = Command::new("python3");
    python.args(["-c", script]).arg(server.path()).arg(broken.get().to_string());
    assert!(python.status().expect("python3").success());
    assert_eq!(sweep(&server, 31, ages()).await, SweepCounts { archived: 2, removed: 0 });
    assert_eq!(archived(&server, &sheets[0]).await, 0);
    server.close().await;
}
