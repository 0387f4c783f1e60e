//! People of the mixed load who are at no table: they register, log in and out, read the lobby,
//! records and ledgers.

use std::sync::Arc;
use std::time::Duration;

use game::deal::RandomStream;
use reqwest::StatusCode;
use serde_json::json;
use tokio::time::sleep;
use wire::http::CreatedToken;

use super::super::around;
use super::super::client::Guest;
use super::{MixedLoad, PAUSE, Task, lock, pick};

/// The mean time between the visits of one of the tasks.
const VISIT_INTERVAL: Duration = Duration::from_millis(500);

/// The passphrase of every account.
const PASSPHRASE: &str = "correct horse battery staple";

/// Visits the server again and again.
pub(super) async fn use_accounts(load: Arc<MixedLoad>, number: usize) {
    let mut lots = load.lots(Task::Accounts, number);
    let mut visits = 0;
    while !load.is_over() {
        visits += 1;
        let done = match lots.below(10) {
            0 => register(&load, format!("soak-{number}-{visits}")).await,
            1 | 2 => log_in(&load, &mut lots).await,
            3 => mistake_the_passphrase(&load, &mut lots).await,
            4 => use_tokens(&load).await,
            5 => read_lobby(&load).await,
            6 | 7 => read_record(&load, &mut lots).await,
            _ => read_ledger(&load, &mut lots).await,
        };
        let pause = if done.is_some() { VISIT_INTERVAL } else { PAUSE };
        sleep(around(pause, &mut lots)).await;
    }
}

/// Gives a new player an account.
async fn register(load: &MixedLoad, name: String) -> Option<()> {
    let guest = load.guest().await?;
    let body = json!({ "name": name, "passphrase": PASSPHRASE });
    let request = load.http.post(load.url("/api/accounts")).bearer_auth(&guest.token).json(&body);
    let answer = load.request(request, &[201, 429]).await?;
    if answer.status() == StatusCode::CREATED {
        load.count("registrations");
        lock(&load.created).accounts.push((name, guest.player.clone()));
    }
    log_out(load, &guest).await
}

async fn log_out(load: &MixedLoad, guest: &Guest) -> Option<()> {
    let request = load.http.delete(load.url("/api/session")).bearer_auth(&guest.token);
    load.request(request, &[204]).await?;
    load.count("log-outs");
    let me = load.http.get(load.url("/api/me")).bearer_auth(&guest.token);
    load.request(me, &[401]).await.map(|_| ())
}

/// Logs in with an account, of which the registration was acknowledged: it must be there.
async fn log_in(load: &MixedLoad, lots: &mut RandomStream) -> Option<()> {
    let (name, player) = pick(lock(&load.created).accounts.iter(), lots)?;
    let guest = load.guest().await?;
    let body = json!({ "name": name, "passphrase": PASSPHRASE });
    let request = load.http.post(load.url("/api/login")).bearer_auth(&guest.token).json(&body);
    let answer = load.request(request, &[200, 429]).await?;
    if answer.status() != StatusCode::OK {
        return log_out(load, &guest).await;
    }
    // The account has a session of its own, and that of the guest is over.
    let account = Guest::read(answer).await.ok()?;
    load.count("log-ins");
    if account.player != player {
        load.fault("an account is another player", &name);
    }
    let me = load.http.get(load.url("/api/me")).bearer_auth(&guest.token);
    load.request(me, &[401]).await?;
    let history = load.http.get(load.url("/api/me/matches")).bearer_auth(&account.token);
    load.request(history, &[200]).await?;
    log_out(load, &account).await
}

async fn mistake_the_passphrase(load: &MixedLoad, lots: &mut RandomStream) -> Option<()> {
    let (name, _) = pick(lock(&load.created).accounts.iter(), lots)?;
    let guest = load.guest().await?;
    let body = json!({ "name": name, "passphrase": "correct horse battery stable" });
    let request = load.http.post(load.url("/api/login")).bearer_auth(&guest.token).json(&body);
    load.request(request, &[403, 429]).await?;
    load.count("wrong passphrases");
    log_out(load, &guest).await
}

/// Makes a token for a bot and revokes it.
async fn use_tokens(load: &MixedLoad) -> Option<()> {
    let guest = load.guest().await?;
    let body = json!({ "label": "soak" });
    let request = load.http.post(load.url("/api/me/tokens")).bearer_auth(&guest.token).json(&body);
    let answer = load.request(request, &[201, 429]).await?;
    if answer.status() == StatusCode::CREATED {
        let token = answer.json::<CreatedToken>().await.ok()?.token;
        load.count("tokens");
        log_out(load, &Guest { token, player: guest.player.clone() }).await?;
    }
    log_out(load, &guest).await
}

async fn read_lobby(load: &MixedLoad) -> Option<()> {
    load.request(load.http.get(load.url("/api/tables")), &[200]).await?.text().await.ok()?;
    load.count("lobbies read");
    Some(())
}

/// Reads the record of a match whose end a client has seen, and rechecks it.
async fn read_record(load: &MixedLoad, lots: &mut RandomStream) -> Option<()> {
    let (table, number) = pick(lock(&load.created).matches.iter(), lots)?;
    let request = load.http.get(load.url(&format!("/api/tables/{table}/matches/{number}")));
    let as_lines = lots.below(2) == 0;
    let request = if as_lines { request.header("accept", "application/jsonl") } else { request };
    let text = load.request(request, &[200]).await?.text().await.ok()?;
    load.count("records read");
    let records = match as_lines {
        true => wire::record::from_lines(&text).map_err(|fault| fault.to_string()),
        false => game::record::parse_all(&text).map_err(|fault| fault.to_string()),
    };
    let verified = records.and_then(|records| match records.as_slice() {
        [record] => record.verify().map(|_| ()).map_err(|wrong| wrong.to_string()),
        _ => Err(format!("{} records", records.len())),
    });
    if let Err(wrong) = verified {
        load.fault("a record is wrong", &format!("{table}, match {number}: {wrong}"));
    }
    Some(())
}

async fn read_ledger(load: &MixedLoad, lots: &mut RandomStream) -> Option<()> {
    let ledger = pick(lock(&load.created).ledgers.iter(), lots)?;
    let request = load.http.get(load.url(&format!("/api/ledgers/{ledger}")));
    let text = load.rationed_request(request, &[200]).await?.text().await.ok()?;
    load.count("ledgers read");
    if let Err(fault) = wire::ledger::Ledger::from_lines(&text) {
        load.fault("a ledger is wrong", &format!("{ledger}: {fault}"));
    }
    Some(())
}
