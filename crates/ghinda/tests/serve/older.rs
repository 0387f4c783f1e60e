//! A database and a record that version 0.1 wrote: they open, play on and verify.
//!
//! The files of `version_0_1` were made by that version's server: a match that is over, one in the
//! middle of a deal, an account, a score sheet and a contest with a draw. They are never made anew.

use std::fs;
use std::process::Command;
use std::time::Duration;

use game::deal::{RandomStream, Seed};
use serde_json::{Value, json};
use store::PlayerId;
use test_support::folder::TempFolder;
use wire::table::TableStage;

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

/// Rechecks a record with the command that users have.
fn verify(record: &str) {
    let folder = TempFolder::create();
    let file = folder.file("match.record");
    fs::write(&file, record).expect("written");
    let verified = Command::new(env!("CARGO_BIN_EXE_ghinda")).arg("verify").arg(&file).output();
    let verified = verified.expect("ghinda runs");
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stderr));
}
