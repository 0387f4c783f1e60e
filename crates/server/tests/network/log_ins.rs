//! Log-ins: each begins a new session, they wait for each other, and guessing is slow.

use futures_util::future::join_all;
use serde_json::{Value, json};
use server::accounts::WRONG_AT_ONCE;
use server::quotas::Quota;
use wire::http::{ProblemCode, TOO_MANY_TRIES};
use wire::table::CloseReason;

use super::own_process::{is_alone, resident_mib};
use super::test_client::TestClient;
use super::test_server::{TestServer, new_token};

const PASSPHRASE: &str = "a long passphrase";
const WRONG: &str = "a wrong passphrase";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_log_in_begins_a_new_session_and_ends_the_old_one() {
    let server = TestServer::open().await;
    let owner = server.new_player().await;
    assert_eq!(server.register(&owner, "Ana", PASSPHRASE).await, 201);
    // Another client knows the token of the session in which Ana will log in.
    let mut planted = server.new_player().await;
    let mut ana = planted.same_player();
    let table = planted.open("cruce2", true).await;
    planted.join(&table).await;
    let guest = server.player(&planted).await;
    let answer = server.try_log_in(&ana, "Ana", PASSPHRASE).await;
    assert_eq!(answer.status().as_u16(), 200);
    let token = new_token(&answer);
    assert_ne!(token, ana.token());
    ana.set_token(token);
    let me: Value = answer.json().await.expect("JSON");
    assert_eq!(me["account"], "Ana");
    assert_eq!(server.player(&ana).await, server.player(&owner).await);
    assert_ne!(server.player(&ana).await, guest);
    // The planted token is worth nothing, and its connections have ended.
    assert_eq!(planted.close_reason().await, Some(CloseReason::Revoked));
    assert_eq!(server.status_as(&planted, "/api/me").await, 401);
    assert_eq!(planted.socket(&table).await.err(), Some(401));
    assert!(ana.socket(&table).await.is_ok());
    // A wrong passphrase changes nothing.
    let before = ana.token().to_owned();
    assert_eq!(server.log_in(&mut ana, "Ana", WRONG).await, 403);
    assert_eq!((ana.token(), server.status_as(&ana, "/api/me").await), (before.as_str(), 200));
    server.close().await;
}

/// So many clients with sessions of their own.
async fn players(server: &TestServer, count: usize) -> Vec<TestClient> {
    let mut players = Vec::new();
    for _ in 0..count {
        players.push(server.new_player().await);
    }
    players
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn log_ins_wait_for_each_other_and_right_ones_are_not_counted() {
    let server = TestServer::open().await;
    let owner = server.new_player().await;
    assert_eq!(server.register(&owner, "Ana", PASSPHRASE).await, 201);
    // More than wrong ones are taken at once.
    let players = players(&server, WRONG_AT_ONCE as usize + 2).await;
    let all = players.iter().map(|player| server.try_log_in(player, "ana", PASSPHRASE));
    for answer in join_all(all).await {
        assert_eq!(answer.status().as_u16(), 200);
    }
    server.close().await;
}

/// The code of the problem of an answer, with its status.
async fn problem(answer: reqwest::Response) -> (u16, String) {
    let status = answer.status().as_u16();
    let problem: ProblemCode = answer.json().await.expect("JSON");
    (status, problem.error)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
pub(crate) async fn too_many_wrong_passphrases_delay_a_name_and_no_other() {
    let server = TestServer::open().await;
    let (ana, ion) = (server.new_player().await, server.new_player().await);
    assert_eq!(server.register(&ana, "Ana", PASSPHRASE).await, 201);
    assert_eq!(server.register(&ion, "Ion", PASSPHRASE).await, 201);
    // The same for a name without an account.
    for name in ["ANA", "nobody"] {
        // All at once, and from many clients.
        let players = players(&server, WRONG_AT_ONCE as usize + 4).await;
        let tried = join_all(players.iter().map(|one| server.try_log_in(one, name, WRONG))).await;
        let (mut wrong, mut refused) = (0, 0);
        for answer in tried {
            match problem(answer).await {
                (403, code) if code == "wrong_passphrase" => wrong += 1,
                (429, code) if code == TOO_MANY_TRIES => refused += 1,
                other => panic!("{other:?}"),
            }
        }
        // Two threads may look at the same time.
        assert!(wrong == WRONG_AT_ONCE || wrong == WRONG_AT_ONCE + 1, "{name}: {wrong}");
        assert!(refused > 0);
    }
    let mut elsewhere = server.new_player().await;
    let counted = server.refusals(Quota::WrongPassphrases).await;
    let answer = server.try_log_in(&elsewhere, "Ana", PASSPHRASE).await;
    assert_eq!(problem(answer).await, (429, TOO_MANY_TRIES.into()));
    assert!(server.refusals(Quota::WrongPassphrases).await > counted);
    let change = json!({ "old": PASSPHRASE, "new": "another passphrase" });
    let answer = server.post(&ana, "/api/me/passphrase", change.clone()).await;
    assert_eq!(problem(answer).await, (429, TOO_MANY_TRIES.into()));
    // Sessions go on, and other names are not affected.
    assert_eq!(server.status_as(&ana, "/api/me").await, 200);
    assert_eq!(server.log_in(&mut elsewhere, "Ion", PASSPHRASE).await, 200);
    assert_eq!(server.post(&ion, "/api/me/passphrase", change).await.status().as_u16(), 200);
    server.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_old_passphrase_cannot_be_guessed_from_a_session() {
    let server = TestServer::open().await;
    let ana = server.new_player().await;
    assert_eq!(server.register(&ana, "Ana", PASSPHRASE).await, 201);
    let guess = json!({ "old": WRONG, "new": "another passphrase" });
    for _ in 0..WRONG_AT_ONCE {
        let answer = server.post(&ana, "/api/me/passphrase", guess.clone()).await;
        assert_eq!(answer.status().as_u16(), 403);
    }
    let answer = server.post(&ana, "/api/me/passphrase", guess).await;
    assert_eq!(problem(answer).await, (429, TOO_MANY_TRIES.into()));
    server.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_log_ins_take_no_more_memory_than_two() {
    if !is_alone("log_ins::many_log_ins_take_no_more_memory_than_two") {
        return;
    }
    let server = TestServer::open().await;
    let players = players(&server, 58).await;
    let before = resident_mib();
    let names: Vec<String> = (0..players.len()).map(|at| format!("name-{at}")).collect();
    let tried = players.iter().zip(&names);
    let tried = tried.map(|(player, name)| server.try_log_in(player, name, WRONG));
    for answer in join_all(tried).await {
        assert_eq!(answer.status().as_u16(), 403, "all wait for their turn");
    }
    // Two of 19 MiB, and what else such requests need.
    let more = resident_mib().saturating_sub(before);
    assert!(more < 38 + 20, "{more} MiB more");
    server.close().await;
}
