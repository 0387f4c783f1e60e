//! Programs of other developers: a token lets them join and play like a player, and a revoked or invented
//! token does not.

use std::process::{Command as Program, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use wire::table::{Occupant, TableCommand};

use super::play_to_the_end;
use super::test_client::TestClient;
use super::test_server::TestServer;

async fn token(server: &TestServer, owner: &TestClient) -> String {
    let answer = server.post(owner, "/api/me/tokens", json!({ "label": "my bot" })).await;
    assert_eq!(answer.status().as_u16(), 201);
    let answer: Value = answer.json().await.expect("JSON");
    answer["token"].as_str().expect("a token").to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bot_with_a_token_sits_and_plays() {
    let server = TestServer::open().await;
    let owner = server.new_player().await;
    let mut bot = TestClient::new(server.address.clone(), token(&server, &owner).await);
    assert_eq!(server.player(&bot).await, server.player(&owner).await);
    let table = bot.open("cruce3-1", true).await;
    bot.join(&table).await;
    bot.command(TableCommand::Sit { seat: 2, name: "A bot".into() }).await;
    bot.command(TableCommand::Start).await;
    play_to_the_end(std::slice::from_mut(&mut bot)).await;
    let history = server.get_json(&owner, "/api/me/matches").await;
    assert_eq!(history["matches"][0]["table"], table, "it played for its owner");
    server.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_that_was_taken_back_or_made_up_opens_nothing() {
    let server = TestServer::open().await;
    let mut owner = server.new_player().await;
    let table = owner.open("cruce2", true).await;
    let bot = TestClient::new(server.address.clone(), token(&server, &owner).await);
    assert!(bot.socket(&table).await.is_ok());
    assert_eq!(server.end_session(&bot).await, 204);
    assert_eq!(bot.socket(&table).await.err(), Some(401), "revoked");
    assert_eq!(server.end_session(&bot).await, 401);
    for forged in ["0".repeat(64), "f".repeat(64), "x".repeat(64)] {
        let forger = TestClient::new(server.address.clone(), forged);
        assert_eq!(forger.socket(&table).await.err(), Some(401));
    }
    assert!(owner.socket(&table).await.is_ok(), "the owner's own session is untouched");
    server.close().await;
}

/// A transfer code is not a token, and a token is not a transfer code, whatever its label is.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tokens_and_transfer_codes_are_not_mistaken_for_each_other() {
    let server = TestServer::open().await;
    let owner = server.new_player().await;
    let code = server.transfer(&owner).await;
    let connection = TestClient::new(server.address.clone(), code);
    assert_eq!(server.end_session(&connection).await, 401);
    let answer = server.post(&owner, "/api/me/tokens", json!({ "label": "transfer" })).await;
    let answer: Value = answer.json().await.expect("JSON");
    let token = answer["token"].as_str().expect("a token");
    assert_eq!(server.exchange(token).await, None);
    let bot = TestClient::new(server.address.clone(), token.into());
    assert_eq!(server.player(&bot).await, server.player(&owner).await);
    server.close().await;
}

/// A change of the passphrase ends all other sessions, those of programs too.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_passphrase_takes_all_tokens_back() {
    let server = TestServer::open().await;
    let owner = server.new_player().await;
    let bot = TestClient::new(server.address.clone(), token(&server, &owner).await);
    assert_eq!(server.register(&owner, "Ana", "a long passphrase").await, 201);
    let change = json!({ "old": "a long passphrase", "new": "another passphrase" });
    assert_eq!(server.post(&owner, "/api/me/passphrase", change).await.status().as_u16(), 200);
    for gone in [&bot, &owner] {
        assert_eq!(server.end_session(gone).await, 401);
    }
    server.close().await;
}

/// The example of the documents, started as a user would.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_python_bot_plays_whole_matches() {
    let server = TestServer::open().await;
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/table_bot.py");
    for rules in ["cruce2-1", "cruce4t-1", "whist3"] {
        let mut host = server.new_player().await;
        let table = host.open(rules, true).await;
        let owner = server.new_player().await;
        let mut bot = Program::new("python3")
            .args([script, &format!("http://{}", server.address), &table])
            .env("GHINDA_TOKEN", token(&server, &owner).await)
            .stdin(Stdio::null())
            .spawn()
            .expect("python3 runs");
        host.join(&table).await;
        host.command(TableCommand::Sit { seat: 1, name: "Ana".into() }).await;
        let seated = |host: &TestClient| {
            let state = host.replica().state().expect("a table");
            state
                .seats
                .iter()
                .any(|seat_state| seat_state.who == Some(Occupant::Person("table_bot.py".into())))
        };
        for _ in 0..2_000 {
            host.receive_for(Duration::from_millis(5)).await;
            if seated(&host) {
                break;
            }
        }
        assert!(seated(&host), "{rules}: the bot has sat down");
        host.command(TableCommand::Start).await;
        play_to_the_end(std::slice::from_mut(&mut host)).await;
        assert!(bot.wait().expect("it ended").success(), "{rules}: it played to the end");
    }
    server.close().await;
}
