//! The server over real sockets: whole matches, lost connections, restarts, and everything that must be
//! refused.

mod documented;
mod large_messages;
mod ledgers;
mod limits;
mod lobby;
mod log_ins;
mod long_logs;
mod own_process;
mod programs;
mod quotas;
mod refusal_counts;
mod retention;
mod sleeping_tables;
mod test_client;
mod test_server;
mod transcript;
mod unread;

use std::time::Duration;

use game::record::Record;
use serde_json::json;
use test_client::TestClient;
use test_server::TestServer;
use wire::table::{
    CloseReason, Occupant, Pace, RefusalReason, ServerMessage, TableCommand, TableStage,
};

/// Plays a match of these clients to its end.
async fn play_to_the_end(connections: &mut [TestClient]) {
    for _ in 0..20_000 {
        let mut over = true;
        for connection in connections.iter_mut() {
            connection.receive_for(Duration::from_millis(1)).await;
            connection.act().await;
            over &= connection.stage() == Some(TableStage::Over);
        }
        if over {
            return;
        }
    }
    panic!("the match does not end: {:?}", connections[0].replica().state());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn four_people_play_a_match_and_anybody_can_recheck_it() {
    let server = TestServer::open().await;
    let mut host = server.new_player().await;
    let table = host.open("cruce4t-4", true).await;
    let mut connections = Vec::new();
    for seat in 1..=4 {
        let mut connection = if seat == 1 { host.same_player() } else { server.new_player().await };
        connection.join(&table).await;
        connection.command(TableCommand::Sit { seat, name: format!("Guest {seat}") }).await;
        connection.command(TableCommand::Word(format!("word-{seat}"))).await;
        connections.push(connection);
    }
    connections[0].command(TableCommand::Start).await;
    play_to_the_end(&mut connections).await;
    let record = server.text(&format!("/api/tables/{table}/matches/1")).await;
    let record: Record = record.parse().expect("a record");
    record.verify().expect("a true record");
    assert_eq!(record.names[2].as_ref().map(ToString::to_string).as_deref(), Some("Guest 3"));
    assert!(record.words.iter().all(Option::is_some), "every player added a word to the seed");
    let history = server.get_json(&connections[2], "/api/me/matches").await;
    assert_eq!(history["matches"][0]["table"], table);
    server.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bots_fill_the_seats_and_a_restart_resumes_the_match() {
    let mut server = TestServer::open().await;
    let mut connection = server.new_player().await;
    let table = connection.open("cruce4t-3", false).await;
    connection.join(&table).await;
    connection.command(TableCommand::Sit { seat: 2, name: "Ana".into() }).await;
    connection.command(TableCommand::Start).await;
    for _ in 0..40 {
        connection.receive_for(Duration::from_millis(5)).await;
        connection.act().await;
    }
    let before = connection.replica().version().expect("a version");
    server = server.restart().await;
    connection.rejoin(&server).await;
    assert!(connection.replica().version() >= Some(before), "nothing is lost");
    let state = connection.replica().state().expect("a table");
    assert_eq!(state.seats[1].who, Some(Occupant::Person("Ana".into())));
    play_to_the_end(std::slice::from_mut(&mut connection)).await;
    server.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_command_sent_twice_is_done_once() {
    let server = TestServer::open().await;
    let mut connection = server.new_player().await;
    let table = connection.open("whist3", true).await;
    connection.join(&table).await;
    connection.command(TableCommand::Sit { seat: 1, name: "Ion".into() }).await;
    let (first, text) = connection.send_command(TableCommand::Say("salut".into())).await;
    let version = connection.answer(&first).await.expect("it is done");
    connection.send_text(&text).await;
    assert_eq!(connection.answer(&first).await, Ok(version), "the same answer again");
    assert_eq!(connection.replica().state().expect("a table").chat.len(), 1);
    server.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_private_table_opens_by_its_link_alone() {
    let server = TestServer::open().await;
    let mut host = server.new_player().await;
    let table = host.open("cruce2", false).await;
    let mut stranger = server.new_player().await;
    assert_eq!(stranger.try_join(&table).await, Err(Some(CloseReason::Revoked)));
    assert_eq!(stranger.admit(&table, &"0".repeat(32)).await, 403);
    assert_eq!(stranger.admit(&table, "nonsense").await, 400);
    let key = host.key().to_owned();
    assert_eq!(stranger.admit(&table, &key).await, 204);
    stranger.join(&table).await;
    stranger.command(TableCommand::Sit { seat: 2, name: "Maria".into() }).await;
    // A kicked player is disconnected and not admitted again.
    host.join(&table).await;
    host.command(TableCommand::Kick { seat: 2 }).await;
    assert_eq!(stranger.close_reason().await, Some(CloseReason::Revoked));
    assert_eq!(stranger.admit(&table, &key).await, 403);
    // Neither is another one, when the host has revoked the link.
    let other = server.new_player().await;
    host.command(TableCommand::Relink).await;
    assert_eq!(other.admit(&table, &key).await, 403);
    let link = server.get_json(&host, &format!("/api/tables/{table}/link")).await;
    let key = link["key"].as_str().expect("a key");
    assert_eq!(other.admit(&table, key).await, 204);
    server.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_not_allowed_is_refused_with_a_reason() {
    let server = TestServer::open().await;
    let mut host = server.new_player().await;
    let table = host.open("cruce2", true).await;
    host.join(&table).await;
    let refused = |reason| Err(Some(reason));
    assert_eq!(host.try_command(TableCommand::Start).await, refused(RefusalReason::NobodyPlays));
    assert_eq!(
        host.try_command(TableCommand::Act("2".into())).await,
        refused(RefusalReason::NotSeated)
    );
    host.command(TableCommand::Sit { seat: 1, name: "Ana".into() }).await;
    assert_eq!(
        host.try_command(TableCommand::Act("2".into())).await,
        refused(RefusalReason::NoMatch)
    );
    let taken = TableCommand::Sit { seat: 3, name: "Ana".into() };
    assert_eq!(host.try_command(taken).await, refused(RefusalReason::NoSuchSeat));
    for name in [" ", "Ana\u{ad}", "\u{3164}", "Ana\u{e0041}", "A\u{300}\u{301}\u{302}\u{303}na"] {
        let nameless = TableCommand::Rename { name: name.into() };
        assert_eq!(host.try_command(nameless).await, refused(RefusalReason::BadName), "{name:?}");
    }
    assert_eq!(
        host.try_command(TableCommand::Rules("cruce9".into())).await,
        refused(RefusalReason::BadRules)
    );
    host.command(TableCommand::Pace(Pace::Fast)).await;
    let mut other = server.new_player().await;
    other.join(&table).await;
    assert_eq!(other.try_command(TableCommand::Start).await, refused(RefusalReason::NotHost));
    assert_eq!(
        other.try_command(TableCommand::Kick { seat: 1 }).await,
        refused(RefusalReason::NotHost)
    );
    server.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nonsense_is_answered_or_disconnected() {
    let server = TestServer::open().await;
    let mut connection = server.new_player().await;
    let table = connection.open("cruce2", true).await;
    connection.join(&table).await;
    connection.send_text("{").await;
    assert!(matches!(connection.next_answer().await, Some(ServerMessage::Error { .. })));
    connection.send_text(r#"{"type":"sing"}"#).await;
    assert!(matches!(connection.next_answer().await, Some(ServerMessage::Error { .. })));
    connection
        .send_text(&format!(r#"{{"type":"do","id":"{}","what":"claim"}}"#, "x".repeat(40)))
        .await;
    assert!(matches!(connection.next_answer().await, Some(ServerMessage::Refused { .. })));
    // A second hello, another version, a message that is too long, and a text that is no message.
    connection.send_text(r#"{"type":"hello","ghinda":1}"#).await;
    assert_eq!(connection.close_reason().await, Some(CloseReason::Garbled));
    assert_eq!(
        connection.try_hello(&table, r#"{"type":"hello","ghinda":2}"#).await,
        Some(CloseReason::OtherVersion)
    );
    assert_eq!(connection.try_hello(&table, "what?").await, Some(CloseReason::Garbled));
    connection.join(&table).await;
    connection.send_text(&"x".repeat(8 << 10)).await;
    assert_eq!(connection.close_reason().await, Some(CloseReason::TooMuch));
    server.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_of_other_sites_and_without_a_session_are_refused() {
    let server = TestServer::open().await;
    assert_eq!(server.status_of_foreign_post("https://evil.example").await, 403);
    assert_eq!(server.status("/api/me").await, 401);
    assert_eq!(server.status("/api/tables/zzzzzzzzzz/matches/1").await, 404);
    assert_eq!(server.status("/nothing/here.html").await, 404);
    assert_eq!(server.status("/health").await, 200);
    assert_eq!(server.status("/ready").await, 200);
    let headers = server.headers("/health").await;
    for (name, value) in [
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        assert_eq!(headers[name], value, "{name}");
    }
    assert!(!headers.contains_key("access-control-allow-origin"));
    let policy = headers["content-security-policy"].to_str().expect("a text");
    for part in ["default-src 'self'", "object-src 'none'", "frame-ancestors 'none'"] {
        assert!(policy.contains(part), "{policy}");
    }
    let own = format!("connect-src 'self' ws://{0} wss://{0}", server.address);
    assert!(policy.ends_with(&own), "no other host: {policy}");
    server.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_account_is_the_same_player_elsewhere() {
    let server = TestServer::open().await;
    let here = server.new_player().await;
    assert_eq!(server.register(&here, "Ana", "short").await, 400);
    // Letters that are blank.
    assert_eq!(server.register(&here, "Ana\u{3164}", "a long passphrase").await, 400);
    assert_eq!(server.register(&here, "Ana", "a long passphrase").await, 201);
    let mut there = server.new_player().await;
    assert_ne!(server.player(&here).await, server.player(&there).await);
    assert_eq!(server.log_in(&mut there, "ana", "a wrong passphrase").await, 403);
    assert_eq!(server.log_in(&mut there, "nobody", "a long passphrase").await, 403);
    assert_eq!(server.log_in(&mut there, "ana", "a long passphrase").await, 200);
    assert_eq!(server.player(&here).await, server.player(&there).await);
    assert_eq!(server.register(&server.new_player().await, "ANA", "another passphrase").await, 409);
    // A transfer code works once.
    let code = server.transfer(&here).await;
    assert_eq!(server.exchange(&code).await.as_deref(), Some(server.player(&here).await.as_str()));
    assert_eq!(server.exchange(&code).await, None);
    server.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_end_with_their_session() {
    let server = TestServer::open().await;
    let mut here = server.new_player().await;
    let table = here.open("cruce2", true).await;
    assert_eq!(server.register(&here, "Ana", "a long passphrase").await, 201);
    let mut there = server.new_player().await;
    there.join(&table).await;
    // A client that logs in is another player from then on.
    assert_eq!(server.log_in(&mut there, "ana", "a long passphrase").await, 200);
    assert_eq!(there.close_reason().await, Some(CloseReason::Revoked));
    there.join(&table).await;
    here.join(&table).await;
    assert_eq!(server.end_session(&there).await, 204);
    assert_eq!(there.close_reason().await, Some(CloseReason::Revoked));
    assert_eq!(there.socket(&table).await.err(), Some(401));
    here.command(TableCommand::Sit { seat: 1, name: "Ana".into() }).await;
    let change = json!({ "old": "a long passphrase", "new": "another long passphrase" });
    assert_eq!(server.post(&here, "/api/me/passphrase", change).await.status().as_u16(), 200);
    assert_eq!(here.close_reason().await, Some(CloseReason::Revoked));
    server.close().await;
}
