//! Programs of other people: a token lets them sit and play as anybody, and a token that
//! was taken back or made up does not.

use std::process::{Command as Program, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use wire::table::{Occupant, TableCommand};

use super::connection::Guest;
use super::house::House;
use super::play_to_the_end;

async fn token(house: &House, owner: &Guest) -> String {
    let answer = house.post(owner, "/api/me/tokens", json!({ "label": "my bot" })).await;
    assert_eq!(answer.status().as_u16(), 201);
    let answer: Value = answer.json().await.expect("JSON");
    answer["token"].as_str().expect("a token").to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bot_with_a_token_sits_and_plays() {
    let house = House::open().await;
    let owner = house.person().await;
    let mut bot = Guest::new(house.address.clone(), token(&house, &owner).await);
    assert_eq!(house.player(&bot).await, house.player(&owner).await);
    let table = bot.open("cruce3-1", true).await;
    bot.come(&table).await;
    bot.command(TableCommand::Sit { seat: 2, name: "A bot".into() }).await;
    bot.command(TableCommand::Start).await;
    play_to_the_end(std::slice::from_mut(&mut bot)).await;
    let history = house.get_json(&owner, "/api/me/matches").await;
    assert_eq!(history["matches"][0]["table"], table, "it played for its owner");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_that_was_taken_back_or_made_up_opens_nothing() {
    let house = House::open().await;
    let mut owner = house.person().await;
    let table = owner.open("cruce2", true).await;
    let bot = Guest::new(house.address.clone(), token(&house, &owner).await);
    assert!(bot.socket(&table).await.is_ok());
    assert_eq!(house.end_session(&bot).await, 204);
    assert_eq!(bot.socket(&table).await.err(), Some(401), "taken back");
    assert_eq!(house.end_session(&bot).await, 401);
    for forged in ["0".repeat(64), "f".repeat(64), "x".repeat(64)] {
        let forger = Guest::new(house.address.clone(), forged);
        assert_eq!(forger.socket(&table).await.err(), Some(401));
    }
    assert!(owner.socket(&table).await.is_ok(), "the owner's own session is untouched");
    house.close().await;
}

/// A code for another device is no token, and a token is no such code, whatever it is called.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tokens_and_transfer_codes_are_not_mistaken_for_each_other() {
    let house = House::open().await;
    let owner = house.person().await;
    let code = house.transfer(&owner).await;
    let connection = Guest::new(house.address.clone(), code);
    assert_eq!(house.end_session(&connection).await, 401);
    let answer = house.post(&owner, "/api/me/tokens", json!({ "label": "transfer" })).await;
    let answer: Value = answer.json().await.expect("JSON");
    let token = answer["token"].as_str().expect("a token");
    assert_eq!(house.exchange(token).await, None);
    let bot = Guest::new(house.address.clone(), token.into());
    assert_eq!(house.player(&bot).await, house.player(&owner).await);
    house.close().await;
}

/// A passphrase that is changed ends whatever else was open, programs among them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_passphrase_takes_all_tokens_back() {
    let house = House::open().await;
    let owner = house.person().await;
    let bot = Guest::new(house.address.clone(), token(&house, &owner).await);
    assert_eq!(house.register(&owner, "Ana", "a long passphrase").await, 201);
    let change = json!({ "old": "a long passphrase", "new": "another passphrase" });
    assert_eq!(house.post(&owner, "/api/me/passphrase", change).await.status().as_u16(), 200);
    for gone in [&bot, &owner] {
        assert_eq!(house.end_session(gone).await, 401);
    }
    house.close().await;
}

/// The example of the documents, as somebody would start it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_python_bot_plays_whole_matches() {
    let house = House::open().await;
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/table_bot.py");
    for rules in ["cruce2-1", "cruce4t-1", "whist3"] {
        let mut host = house.person().await;
        let table = host.open(rules, true).await;
        let owner = house.person().await;
        let mut bot = Program::new("python3")
            .args([script, &format!("http://{}", house.address), &table])
            .env("GHINDA_TOKEN", token(&house, &owner).await)
            .stdin(Stdio::null())
            .spawn()
            .expect("python3 runs");
        host.come(&table).await;
        host.command(TableCommand::Sit { seat: 1, name: "Ana".into() }).await;
        let seated = |host: &Guest| {
            let state = host.mirror().state().expect("a table");
            state
                .seats
                .iter()
                .any(|chair| chair.who == Some(Occupant::Person("table_bot.py".into())))
        };
        for _ in 0..2_000 {
            host.listen(Duration::from_millis(5)).await;
            if seated(&host) {
                break;
            }
        }
        assert!(seated(&host), "{rules}: the bot has sat down");
        host.command(TableCommand::Start).await;
        play_to_the_end(std::slice::from_mut(&mut host)).await;
        assert!(bot.wait().expect("it ended").success(), "{rules}: it played to the end");
    }
    house.close().await;
}
