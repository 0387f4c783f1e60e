//! `ghinda load --mixed`: a bounded time of everything that clients do, good ones and bad ones. They
//! survive restarts of the server, and remember every action that it has acknowledged; at the end
//! all of them are compared with the stored logs.
//!
//! What clients do is drawn from a seed. Tables and ledgers are opened, used and left, over and over,
//! so that a server that forgets to free something grows.

mod abuse;
mod accounts;
mod check;
mod ledgers;
mod mixed_client;
mod slow_readers;
mod tables;
mod tally;

use std::collections::VecDeque;
use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use game::deal::RandomStream;
use reqwest::{RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};
use store::Store;
use tokio::task::{JoinError, JoinSet};
use tokio::time::{Instant, MissedTickBehavior, interval, sleep, timeout_at};
use wire::http::{NewLedger, OpenedLedger, OpenedTable};

use super::client::Guest;
use super::{LoadArgs, TIME_LIMIT, lots};
use crate::database_arg::open_existing;
use check::Acknowledged;
use tally::Tally;

/// How often a line is printed.
const LINE_INTERVAL: Duration = Duration::from_secs(10);
/// How long clients may take to get their last answers.
const SETTLE_LIMIT: Duration = Duration::from_secs(120);
/// How long a client waits after a request that failed.
const PAUSE: Duration = Duration::from_millis(500);
/// Within how many milliseconds the tasks of a kind begin.
const STAGGER_MS: usize = 3_000;
/// One of this many tasks opens ledgers, for each that opens tables.
const TABLES_FOR_A_LEDGER: usize = 10;
/// How many tables, ledgers and matches are remembered for other clients to look at. What they look at
/// is loaded again, so that more would make the memory of the server grow for longer.
const REMEMBERED: usize = 16;

/// What all clients share.
struct MixedLoad {
    host: String,
    http: reqwest::Client,
    seed: u64,
    started: Instant,
    /// Nothing new begins after this moment.
    ends: Instant,
    /// The mean time that a seat in turn thinks.
    think: Duration,
    tally: Mutex<Tally>,
    acknowledged: Mutex<Acknowledged>,
    created: Mutex<CreatedResources>,
}

/// What clients have made, for others to look at: the newest of each.
#[derive(Default)]
struct CreatedResources {
    tables: VecDeque<String>,
    ledgers: VecDeque<String>,
    /// The ledger for clients that read slowly.
    large_ledger: Option<String>,
    /// Finished matches: the table and the number.
    matches: VecDeque<(String, u32)>,
    /// The names of all accounts, and their players.
    accounts: Vec<(String, String)>,
}

impl CreatedResources {
    fn remember<T>(list: &mut VecDeque<T>, thing: T) {
        if list.len() == REMEMBERED {
            list.pop_front();
        }
        list.push_back(thing);
    }
}

/// One of some things, if there are any.
fn pick<'a, T>(things: impl ExactSizeIterator<Item = &'a T>, lots: &mut RandomStream) -> Option<T>
where
    T: Clone + 'a,
{
    let (count, mut things) = (things.len(), things);
    if count == 0 { None } else { things.nth(lots.below(count)).cloned() }
}

/// The lock of a value that no panic leaves half changed.
fn lock<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

impl MixedLoad {
    /// A load on a server, for tests.
    #[cfg(test)]
    fn test(host: String) -> MixedLoad {
        let (http, started) = (reqwest::Client::new(), Instant::now());
        let (ends, think) = (started + Duration::from_secs(60), Duration::from_secs(1));
        let (tally, acknowledged, created) = Default::default();
        MixedLoad { host, http, seed: 7, started, ends, think, tally, acknowledged, created }
    }

    fn is_over(&self) -> bool {
        Instant::now() >= self.ends
    }

    /// Random numbers of one of the tasks.
    fn lots(&self, task: Task, number: usize) -> RandomStream {
        lots(self.seed, task as u64 * 1_000_000 + number as u64)
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.host)
    }

    fn socket_url(&self, path: &str) -> String {
        format!("ws://{}{path}", self.host)
    }

    fn count(&self, what: &'static str) {
        lock(&self.tally).count(what);
    }

    /// Counts what should not happen while the server runs.
    fn error(&self, kind: impl Into<String>) {
        lock(&self.tally).error(kind.into());
    }

    /// Counts a fault and prints what is known of it.
    fn fault(&self, kind: &str, detail: &str) {
        eprintln!("{kind}: {detail}");
        self.error(kind);
    }

    /// Sends a request. The answer must have one of these statuses, or the server be away.
    async fn request(&self, request: RequestBuilder, expected: &[u16]) -> Option<Response> {
        match self.answer(request, expected).await? {
            Ok(answer) => Some(answer),
            Err(unexpected) => {
                self.unexpected_answer(&unexpected);
                None
            }
        }
    }

    /// The same for a request that a quota may refuse, which is counted: the client tries again later.
    async fn rationed_request(
        &self,
        request: RequestBuilder,
        expected: &[u16],
    ) -> Option<Response> {
        match self.answer(request, expected).await? {
            Ok(answer) => Some(answer),
            Err(unexpected) => {
                match unexpected.quota_refusal() {
                    Some(refused) => self.count(refused),
                    None => self.unexpected_answer(&unexpected),
                }
                None
            }
        }
    }

    /// The answer to a request. Returns None, and counts an error, if there is none.
    async fn answer(
        &self,
        request: RequestBuilder,
        expected: &[u16],
    ) -> Option<Result<Response, UnexpectedAnswer>> {
        let answer = match request.send().await {
            Ok(answer) => answer,
            Err(error) => {
                let kind =
                    if error.is_timeout() { "no answer to a request" } else { "a request failed" };
                self.error(kind);
                return None;
            }
        };
        if expected.contains(&answer.status().as_u16()) {
            return Some(Ok(answer));
        }
        Some(Err(UnexpectedAnswer::read(answer).await))
    }

    fn unexpected_answer(&self, UnexpectedAnswer { status, path, body }: &UnexpectedAnswer) {
        self.fault(&format!("a request was answered with {status}"), &format!("{path}: {body}"));
    }

    /// Begins a session of a new player. Too many at once are refused.
    async fn guest(&self) -> Option<Guest> {
        let request = self.http.post(self.url("/api/session")).json(&json!({}));
        let answer = self.rationed_request(request, &[200]).await?;
        self.count("sessions");
        Guest::read(answer).await.ok()
    }

    /// Opens a table.
    async fn open_table(&self, host: &Guest, rules: &str) -> Option<String> {
        let body = json!({ "rules": rules, "listed": true });
        let request = self.http.post(self.url("/api/tables")).bearer_auth(&host.token).json(&body);
        let answer = self.rationed_request(request, &[201]).await?;
        let opened: OpenedTable = answer.json().await.ok()?;
        self.count("tables");
        CreatedResources::remember(&mut lock(&self.created).tables, opened.table.clone());
        Some(opened.table)
    }

    /// Gives a ledger to the server, as a new guest.
    async fn open_ledger(&self, lines: String) -> Option<OpenedLedger> {
        let guest = self.guest().await?;
        let request = self.http.post(self.url("/api/ledgers")).bearer_auth(&guest.token);
        let answer = self.rationed_request(request.json(&NewLedger { lines }), &[201]).await?;
        let opened = answer.json().await.ok()?;
        self.count("ledgers");
        Some(opened)
    }
}

/// An answer whose status the client does not expect.
struct UnexpectedAnswer {
    status: StatusCode,
    path: String,
    body: String,
}

impl UnexpectedAnswer {
    async fn read(answer: Response) -> UnexpectedAnswer {
        let (status, path) = (answer.status(), answer.url().path().to_owned());
        UnexpectedAnswer { status, path, body: answer.text().await.unwrap_or_default() }
    }

    /// What is counted if a quota has refused the request. Other reasons why the server cannot do
    /// something now are errors.
    fn quota_refusal(&self) -> Option<&'static str> {
        let problem = || serde_json::from_str::<Value>(&self.body).unwrap_or_default();
        match self.status {
            StatusCode::TOO_MANY_REQUESTS => Some("refused as too many"),
            StatusCode::SERVICE_UNAVAILABLE if problem()["error"] == "busy" => {
                Some("refused as busy")
            }
            _ => None,
        }
    }
}

/// Waits for a moment, so that not all tasks begin at the same one.
async fn stagger(lots: &mut RandomStream) {
    sleep(Duration::from_millis(lots.below(STAGGER_MS) as u64)).await;
}

/// The kinds of tasks. Each has random numbers of its own.
#[derive(Clone, Copy)]
enum Task {
    Tables = 1,
    Ledgers,
    Accounts,
    Abuse,
}

/// The name of a server on this machine: others are not to be abused.
fn is_loopback(host: &str) -> bool {
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    let address = name.trim_matches(['[', ']']).parse::<std::net::IpAddr>();
    name == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

/// Runs the load and prints a line of JSON every ten seconds, and one about everything at the end.
pub(super) async fn play(args: &LoadArgs, host: &str, out: &mut impl Write) -> Result<()> {
    if !is_loopback(host) {
        bail!("a mixed load abuses the server: it must be on this machine, as 127.0.0.1");
    }
    let address = args.database.as_deref().context("--mixed needs the --database of the server")?;
    let seed = match args.seed {
        Some(seed) => seed,
        None => getrandom::u64().context("no random bits")? >> 16,
    };
    let http = reqwest::Client::builder().pool_max_idle_per_host(0).timeout(TIME_LIMIT).build()?;
    let (started, began_ms) = (Instant::now(), crate::clock::millis());
    let load = Arc::new(MixedLoad {
        host: host.to_owned(),
        http,
        seed,
        started,
        ends: started + Duration::from_secs(args.seconds),
        think: Duration::from_secs_f64(args.tables as f64 / args.rate),
        tally: Mutex::default(),
        acknowledged: Mutex::default(),
        created: Mutex::default(),
    });
    writeln!(out, "{}", json!({ "seed": seed }))?;
    out.flush()?;
    let mut tasks = start_tasks(&load, args.tables);
    print_lines(&load, &mut tasks, out).await?;
    let took = started.elapsed().as_secs_f64();
    let database = open_existing(address).await?;
    let acknowledged = std::mem::take(&mut *lock(&load.acknowledged));
    let checked = acknowledged.compare(&database, began_ms, LINE_INTERVAL).await;
    database.close().await;
    let mut end = lock(&load.tally).totals();
    end["seconds"] = took.into();
    end["check"] = checked?.json();
    writeln!(out, "{}", json!({ "end": end }))?;
    Ok(())
}

fn start_tasks(load: &Arc<MixedLoad>, tables: usize) -> JoinSet<()> {
    let mut tasks = JoinSet::new();
    for number in 0..tables {
        tasks.spawn(tables::keep_opening(load.clone(), number));
    }
    for number in 0..tables.div_ceil(TABLES_FOR_A_LEDGER) {
        tasks.spawn(ledgers::keep_opening(load.clone(), number));
    }
    tasks.spawn(slow_readers::open_large_ledger(load.clone()));
    for number in 0..2 {
        tasks.spawn(accounts::use_accounts(load.clone(), number));
        tasks.spawn(abuse::keep_abusing(load.clone(), number));
    }
    tasks
}

/// Prints lines until all tasks have ended.
async fn print_lines(
    load: &MixedLoad,
    tasks: &mut JoinSet<()>,
    out: &mut impl Write,
) -> Result<()> {
    let mut lines = interval(LINE_INTERVAL);
    lines.set_missed_tick_behavior(MissedTickBehavior::Skip);
    lines.tick().await;
    let mut print = |load: &MixedLoad| -> Result<()> {
        let mut line: Value = lock(&load.tally).take_line();
        line["at"] = load.started.elapsed().as_secs_f64().into();
        writeln!(out, "{line}")?;
        Ok(out.flush()?)
    };
    loop {
        tokio::select! {
            _ = lines.tick() => print(load)?,
            ended = timeout_at(load.ends + SETTLE_LIMIT, tasks.join_next()) => match ended {
                Ok(Some(ended)) => ended.map_err(panicked)?,
                Ok(None) => return print(load),
                Err(_) => {
                    load.fault("clients do not end", &format!("{} tasks", tasks.len()));
                    tasks.abort_all();
                    return print(load);
                }
            },
        }
    }
}

fn panicked(error: JoinError) -> anyhow::Error {
    anyhow::Error::from(error).context("a client has panicked")
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;

    #[test]
    fn only_servers_on_this_machine_are_abused() {
        for host in ["127.0.0.1:8080", "localhost:80", "[::1]:8080", "127.9.9.9"] {
            assert!(is_loopback(host), "{host}");
        }
        for host in ["192.0.2.1:8080", "ghinda.example", "127.0.0.1.example:80", "[2001:db8::1]:80"]
        {
            assert!(!is_loopback(host), "{host}");
        }
    }

    /// What a load counts, as refusals and as errors, when a request is answered like this.
    async fn counted(status: &str, body: &str) -> (Value, Value) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let host = listener.local_addr().expect("an address").to_string();
        let length = body.len();
        let answer = format!("HTTP/1.1 {status}\r\ncontent-length: {length}\r\n\r\n{body}");
        let answering = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.expect("a request");
            let mut head = [0; 1 << 10];
            assert!(stream.read(&mut head).await.expect("a head") > 0);
            stream.write_all(answer.as_bytes()).await.expect("answered");
        });
        let load = MixedLoad::test(host);
        let request = load.http.get(load.url("/"));
        assert_eq!(load.rationed_request(request, &[201]).await.is_some(), status == "201 Created");
        answering.await.expect("answered");
        let mut counted = lock(&load.tally).totals();
        (counted["counts"].take(), counted["errors"].take())
    }

    #[tokio::test]
    async fn what_a_quota_refuses_is_no_error_and_what_is_unavailable_is_one() {
        let busy = r#"{"error":"busy","message":"later"}"#;
        let unavailable = r#"{"error":"unavailable","message":"later"}"#;
        let (nothing, error) =
            (json!({}), json!({ "a request was answered with 503 Service Unavailable": 1 }));
        let is_refused = json!({ "refused as busy": 1 });
        assert_eq!(counted("201 Created", "{}").await, (nothing.clone(), nothing.clone()));
        assert_eq!(counted("503 Service Unavailable", busy).await, (is_refused, nothing.clone()));
        let too_many = json!({ "refused as too many": 1 });
        assert_eq!(counted("429 Too Many Requests", "").await, (too_many, nothing.clone()));
        for body in [unavailable, "", "<html>"] {
            let counted = counted("503 Service Unavailable", body).await;
            assert_eq!(counted, (nothing.clone(), error.clone()), "{body}");
        }
    }
}
