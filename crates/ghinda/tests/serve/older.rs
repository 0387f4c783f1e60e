//! A database and a record that version 0.1 wrote: they open, go on and verify.
//!
//! The files of `version_0_1` were made by that version's server: a match that is over, one in the
//! middle of a deal, an account, a score sheet and a contest with a draw. They are never made anew.

use std::fs;
use std::process::Command;
use std::time::Duration;

use contest::ContestStage;
use game::deal::{RandomStream, Seed};
use replica::RoleKey;
use room::Key;
use serde_json::{Value, json};
use store::PlayerId;
use test_support::folder::TempFolder;
use wire::contest::ContestChangeText;
use wire::ledger::LedgerCommand;
use wire::sheet::SheetChangeText;
use wire::table::TableStage;

use crate::ledger_client::LedgerClient;
use crate::test_client::TestClient;
use crate::test_server::TestServer;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/serve/version_0_1");

fn keys() -> Value {
    let text = fs::read_to_string(format!("{FOLDER}/keys.json")).expect("the keys");
    serde_json::from_str(&text).expect("JSON")
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_else(|| panic!("{name} in {value}"))
}

/// A server on a copy of the old database.
async fn server() -> (TestServer, TempFolder) {
    let folder = TempFolder::create();
    let database = folder.file("old.db");
    fs::copy(format!("{FOLDER}/ghinda.db"), &database).expect("a copy");
    (TestServer::on(database.display().to_string()).await, folder)
}

async fn get(server: &TestServer, path: &str, token: &str) -> String {
    let request = server.http().get(server.url(path)).bearer_auth(token);
    let answer = request.send().await.expect("an answer");
    assert!(answer.status().is_success(), "{path}: {}", answer.status());
    answer.text().await.expect("a text")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_of_version_0_1_is_played_to_its_end() {
    let (keys, (server, _folder)) = (keys(), server().await);
    let (table, token) = (text(&keys, "running"), text(&keys, "token"));
    let player = PlayerId::new(1).expect("an id");
    let mut client = TestClient::new(server.address.clone(), token.into(), player);
    client.join(table).await;
    client.wait_until_synced().await;
    assert!(client.version() >= keys["version"].as_u64().expect("a number"));
    assert_eq!(client.stage(), Some(TableStage::Playing));
    let mut lots = RandomStream::new(Seed([1; 32]), 0);
    while client.stage() != Some(TableStage::Over) {
        client.listen(Duration::from_millis(5)).await;
        client.act(&mut lots).await;
    }
    let record = get(&server, &format!("/api/tables/{table}/matches/1"), token).await;
    verify(&record);
}

#[tokio::test(flavor = "multi_thread")]
async fn records_histories_and_accounts_of_version_0_1_are_there() {
    let (keys, (server, _folder)) = (keys(), server().await);
    let (table, token) = (text(&keys, "over"), text(&keys, "token"));
    let old = fs::read_to_string(format!("{FOLDER}/match.record")).expect("a record");
    assert_eq!(get(&server, &format!("/api/tables/{table}/matches/1"), token).await, old);
    verify(&old);
    let history: Value =
        serde_json::from_str(&get(&server, "/api/me/matches", token).await).expect("JSON");
    assert_eq!(history["matches"][0]["table"], table, "{history}");
    let body = json!({ "name": text(&keys, "account"), "passphrase": text(&keys, "passphrase") });
    let login =
        server.http().post(server.url("/api/login")).bearer_auth(token).json(&body).send().await;
    assert!(login.expect("an answer").status().is_success());
}

#[tokio::test(flavor = "multi_thread")]
async fn ledgers_of_version_0_1_are_read() {
    let (keys, (server, _folder)) = (keys(), server().await);
    let token = text(&keys, "token");
    for (name, lines) in [("sheet", 3), ("contest", 4)] {
        let path = format!("/api/ledgers/{}", text(&keys[name], "ledger"));
        let ledger = get(&server, &path, token).await;
        assert_eq!(ledger.lines().count(), lines, "{ledger}");
        wire::ledger::Ledger::from_lines(&ledger).expect("a ledger");
    }
}

/// An old ledger with the client of its organiser. The ids of its commands are those with which the old
/// lines were written.
async fn open_ledger(server: &TestServer, name: &str) -> (String, String, LedgerClient) {
    let keys = keys();
    let ledger = text(&keys[name], "ledger").to_owned();
    let key: Key = text(&keys[name], "key").parse().expect("a key");
    let organiser = Some(RoleKey::organiser(key));
    let client = LedgerClient::connect(&server.address, &ledger, "old-", organiser).await;
    let lines = server.text(&format!("/api/ledgers/{ledger}")).await;
    (ledger, lines, client)
}

/// The lines of a ledger as a new start of the server reads them. They continue the old lines.
async fn lines_after_restart(server: &mut TestServer, ledger: &str, old: &str) -> String {
    server.kill();
    server.start_again().await;
    let lines = server.text(&format!("/api/ledgers/{ledger}")).await;
    assert!(lines.starts_with(old), "the old lines are as they were: {lines}");
    lines
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sheet_of_version_0_1_is_continued() {
    let (mut server, _folder) = server().await;
    let (ledger, old, mut writer) = open_ledger(&server, "sheet").await;
    let bid = |bid| LedgerCommand::Sheet(SheetChangeText::Bid { bid });
    // Two commands with the ids of the old lines: they were done, and are not done again.
    for known in [1, 0] {
        assert_eq!(writer.command(bid(known)).await, Ok(()));
    }
    assert_eq!(writer.ledger().len(), 3);
    assert!(writer.command(bid(9)).await.is_err(), "the sheet knows the cards of the deal");
    assert_eq!(writer.command(bid(1)).await, Ok(()));
    assert_eq!(writer.ledger().len(), 4);
    let lines = lines_after_restart(&mut server, &ledger, &old).await;
    assert_eq!(lines, writer.ledger().to_lines());
    let last: Value = serde_json::from_str(lines.lines().last().expect("a line")).expect("JSON");
    assert_eq!((&last["did"], &last["bid"]), (&json!("bid"), &json!(1)));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_contest_of_version_0_1_is_played_to_its_end() {
    let (mut server, _folder) = server().await;
    let (ledger, old, mut organiser) = open_ledger(&server, "contest").await;
    let report = |table: &str| {
        let scores = vec![21, 5, 7, -2];
        let table = table.to_owned();
        LedgerCommand::Contest(ContestChangeText::Report { table, scores, broken_off: false })
    };
    for _ in 1..=3 {
        assert_eq!(organiser.command(LedgerCommand::Prepare).await, Ok(()), "known by its id");
    }
    assert_eq!(organiser.ledger().len(), 4);
    let draw = LedgerCommand::Draw { words: vec!["nou".into()] };
    let rest = [report("1A"), report("1B"), LedgerCommand::Prepare, draw, report("2A")];
    for command in rest {
        assert_eq!(organiser.command(command).await, Ok(()));
    }
    let contest = organiser.ledger().contest().expect("a contest");
    assert_eq!(contest.stage(), ContestStage::Over);
    let lines = lines_after_restart(&mut server, &ledger, &old).await;
    assert_eq!(lines, organiser.ledger().to_lines());
    assert_eq!(lines.lines().count(), 9, "{lines}");
    // Both draws follow from their secrets and words, the old one too.
    check(&["contest", "verify"], "old.contest", &lines);
    server.stop().await;
}

/// Rechecks a record with the command that users have.
fn verify(record: &str) {
    check(&["verify"], "match.record", record);
}

/// Runs a command on a file with a text. It must succeed.
fn check(command: &[&str], name: &str, text: &str) {
    let folder = TempFolder::create();
    let file = folder.file(name);
    fs::write(&file, text).expect("written");
    let checked = Command::new(env!("CARGO_BIN_EXE_ghinda")).args(command).arg(&file).output();
    let checked = checked.expect("ghinda runs");
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
}
