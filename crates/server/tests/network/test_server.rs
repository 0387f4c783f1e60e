//! A server in this process on a free port, with a temporary database.

use std::num::NonZeroUsize;
use std::sync::{Arc, OnceLock};

use game::Rules;
use game::fair::Secret;
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use reqwest::header::{HeaderMap, ORIGIN};
use room::{Entry, Key, LoggedEntry, Opening, Timings, log};
use serde_json::{Value, json};
use server::clock::Clocks;
use server::quotas::{MemoryQuotas, Quota};
use server::tables::TableRegistry;
use server::web::{App, Limits, PageFiles, WebSettings, serve};
use store::{
    Append, AppendOutcome, AppendStore, Database, LedgerId, LinkedWrite, LogKind, NewEvent, Store,
    TableId,
};
use test_support::folder::TempFolder;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use wire::table::Pace;

use super::test_client::TestClient;

/// The metrics of all servers of this process.
static METRICS: OnceLock<PrometheusHandle> = OnceLock::new();

pub(crate) struct TestServer {
    folder: TempFolder,
    pub(crate) address: String,
    http: reqwest::Client,
    stop: oneshot::Sender<()>,
    server_task: JoinHandle<()>,
    database: Arc<Database>,
    pub(crate) tables: Arc<TableRegistry>,
    timings: Timings,
    limits: Limits,
}

/// The token of a new session, from its cookie.
pub(crate) fn new_token(answer: &reqwest::Response) -> String {
    let cookie = answer.headers()["set-cookie"].to_str().expect("a cookie");
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
    cookie.split(['=', ';']).nth(1).expect("a token").to_owned()
}

/// Fast timings, so that a match takes seconds.
fn fast_timings() -> Timings {
    Timings { bot_delay: 1, score_time: Some(50), ..Timings::default() }
}

/// Limits that fast tests do not reach.
pub(crate) fn loose_limits() -> Limits {
    Limits { costly_a_minute: 10_000, messages_a_second: 5_000, ..Limits::default() }
}

/// The metrics of all servers of this process.
pub(crate) fn metrics() -> &'static PrometheusHandle {
    METRICS.get_or_init(|| PrometheusBuilder::new().install_recorder().expect("once"))
}

impl TestServer {
    pub(crate) async fn open() -> TestServer {
        TestServer::with(fast_timings(), loose_limits()).await
    }

    pub(crate) async fn with(timings: Timings, limits: Limits) -> TestServer {
        TestServer::at(TempFolder::create(), timings, limits).await
    }

    async fn at(folder: TempFolder, timings: Timings, limits: Limits) -> TestServer {
        let path = folder.file("ghinda.db").display().to_string();
        let database = Arc::new(Database::open(&path).await.expect("a database"));
        let clocks = Clocks::start(&database).await.expect("clocks");
        let tables = TableRegistry::new(
            database.clone(),
            clocks,
            NonZeroUsize::MIN,
            timings,
            MemoryQuotas::default(),
        );
        let tables = Arc::new(tables.expect("a registry"));
        let metrics = metrics().clone();
        let settings = WebSettings { limits, ..WebSettings::default() };
        let app =
            App::new(tables.clone(), database.clone(), settings, metrics, PageFiles::default())
                .expect("threads");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        let (stop, stopped) = oneshot::channel();
        let server_task = tokio::spawn(async move {
            let stopped = async move {
                let _ = stopped.await;
            };
            serve(app, listener, stopped).await;
        });
        let http = reqwest::Client::new();
        TestServer { folder, address, http, stop, server_task, database, tables, timings, limits }
    }

    /// Stores a table as if it had been opened, with a fixed secret: the same cards every time.
    pub(crate) async fn store_table(&self, host: &TestClient, name: &str, rules: &str) {
        let table: TableId = name.parse().expect("a name");
        let rules = Rules::from_code(rules).expect("rules");
        let opening = Opening {
            rules,
            pace: Pace::Off,
            listed: true,
            host: self.player(host).await.parse().expect("a player"),
            key: Key::new([7; 16]),
            secret: Secret::from_phrase(name),
            siblings: Vec::new(),
            contest: None,
        };
        let logged = LoggedEntry { at: 1, command: None, entry: Entry::Opened(Box::new(opening)) };
        let append = Append {
            log: table.into(),
            epoch: self
                .database
                .create(LogKind::Table, table.into(), None, 1)
                .await
                .expect("a table"),
            first: 1,
            events: vec![NewEvent { at_ms: 1, body: log::encode(&logged) }],
            linked_writes: vec![LinkedWrite::Checkpoint(1)],
        };
        let appended = self.database.append(&[append]).await.expect("stored");
        assert_eq!(appended, [AppendOutcome::Done]);
    }

    /// The file of the database.
    pub(crate) fn path(&self) -> std::path::PathBuf {
        self.folder.file("ghinda.db")
    }

    pub(crate) fn database(&self) -> &Database {
        &self.database
    }

    /// Appends events to the log of a table behind the back of the server.
    pub(crate) async fn append(&self, table: &str, bodies: Vec<String>) {
        self.append_at(table, 1, bodies).await;
    }

    /// The same, with a time.
    pub(crate) async fn append_at(&self, table: &str, at: u64, bodies: Vec<String>) {
        let table: TableId = table.parse().expect("a name");
        let acquired =
            self.database.acquire(LogKind::Table, table.into()).await.expect("a database");
        let acquired = acquired.expect("a table");
        let event = |body| NewEvent { at_ms: at as i64, body };
        let events = bodies.into_iter().map(event).collect();
        let append = Append {
            log: table.into(),
            epoch: acquired.epoch,
            first: acquired.last + 1,
            events,
            linked_writes: Vec::new(),
        };
        let appended = self.database.append(&[append]).await.expect("stored");
        assert_eq!(appended, [AppendOutcome::Done]);
    }

    /// Stores a ledger with these lines as if they had been written, and returns its name.
    pub(crate) async fn store_ledger(&self, lines: &[String]) -> String {
        let ledger: LedgerId = "7rk2m0q9xw".parse().expect("a name");
        let key = Key::new([7; 16]);
        let bodies = lines.iter().enumerate().map(|(at, line)| match at {
            0 => format!("opened {key} {line}"),
            _ => format!("did - {line}"),
        });
        let append = Append {
            log: ledger.into(),
            epoch: self
                .database
                .create(LogKind::Ledger, ledger.into(), None, 1)
                .await
                .expect("a ledger"),
            first: 1,
            events: bodies.map(|body| NewEvent { at_ms: 1, body }).collect(),
            linked_writes: Vec::new(),
        };
        let appended = self.database.append(&[append]).await.expect("stored");
        assert_eq!(appended, [AppendOutcome::Done]);
        ledger.to_string()
    }

    pub(crate) async fn status_as(&self, connection: &TestClient, path: &str) -> u16 {
        let get = self.http.get(self.url(path)).bearer_auth(connection.token());
        get.send().await.expect("sent").status().as_u16()
    }

    async fn stop_server(self) -> TempFolder {
        let _ = self.stop.send(());
        self.server_task.await.expect("stopped");
        self.database.close().await;
        self.folder
    }

    /// Stops the server and starts another one on the same database.
    pub(crate) async fn restart(self) -> TestServer {
        let (timings, limits) = (self.timings, self.limits);
        TestServer::at(self.stop_server().await, timings, limits).await
    }

    pub(crate) async fn close(self) {
        self.stop_server().await;
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// A client with a new session.
    pub(crate) async fn new_player(&self) -> TestClient {
        let answer = self.http.post(self.url("/api/session")).json(&json!({})).send().await;
        let answer = answer.expect("an answer");
        TestClient::new(self.address.clone(), new_token(&answer))
    }

    pub(crate) async fn text(&self, path: &str) -> String {
        self.http.get(self.url(path)).send().await.expect("sent").text().await.expect("a text")
    }

    pub(crate) async fn status(&self, path: &str) -> u16 {
        self.http.get(self.url(path)).send().await.expect("sent").status().as_u16()
    }

    /// How many refusals because of a quota are counted, those of other tests too.
    pub(crate) async fn refusals(&self, quota: Quota) -> u64 {
        let metrics = self.text("/metrics").await;
        let start = format!("ghinda_quota_refusals_total{{quota=\"{}\"}} ", quota.name());
        let counts = metrics.lines().filter_map(|line| line.strip_prefix(&start));
        counts.map(|count| count.parse::<u64>().expect("a number")).sum()
    }

    pub(crate) async fn headers(&self, path: &str) -> HeaderMap {
        self.http.get(self.url(path)).send().await.expect("sent").headers().clone()
    }

    pub(crate) async fn status_of_foreign_post(&self, origin: &str) -> u16 {
        let post = self.http.post(self.url("/api/session")).header(ORIGIN, origin).json(&json!({}));
        post.send().await.expect("sent").status().as_u16()
    }

    pub(crate) async fn get_json(&self, connection: &TestClient, path: &str) -> Value {
        let get = self.http.get(self.url(path)).bearer_auth(connection.token());
        get.send().await.expect("sent").json().await.expect("JSON")
    }

    pub(crate) async fn post(
        &self,
        connection: &TestClient,
        path: &str,
        body: Value,
    ) -> reqwest::Response {
        let post = self.http.post(self.url(path)).bearer_auth(connection.token()).json(&body);
        post.send().await.expect("sent")
    }

    pub(crate) async fn end_session(&self, connection: &TestClient) -> u16 {
        let delete = self.http.delete(self.url("/api/session")).bearer_auth(connection.token());
        delete.send().await.expect("sent").status().as_u16()
    }

    pub(crate) async fn player(&self, connection: &TestClient) -> String {
        self.get_json(connection, "/api/me").await["player"].as_str().expect("a player").to_owned()
    }

    pub(crate) async fn register(
        &self,
        connection: &TestClient,
        name: &str,
        passphrase: &str,
    ) -> u16 {
        let body = json!({ "name": name, "passphrase": passphrase });
        self.post(connection, "/api/accounts", body).await.status().as_u16()
    }

    /// Logs in. The client has a new session then.
    pub(crate) async fn log_in(
        &self,
        connection: &mut TestClient,
        name: &str,
        passphrase: &str,
    ) -> u16 {
        let answer = self.try_log_in(connection, name, passphrase).await;
        if answer.status().is_success() {
            connection.set_token(new_token(&answer));
        }
        answer.status().as_u16()
    }

    /// The answer to a log-in, whose session the client does not take.
    pub(crate) async fn try_log_in(
        &self,
        connection: &TestClient,
        name: &str,
        passphrase: &str,
    ) -> reqwest::Response {
        let body = json!({ "name": name, "passphrase": passphrase });
        self.post(connection, "/api/login", body).await
    }

    pub(crate) async fn transfer(&self, connection: &TestClient) -> String {
        let answer: Value =
            self.post(connection, "/api/me/transfer", json!({})).await.json().await.expect("JSON");
        answer["token"].as_str().expect("a code").to_owned()
    }

    /// The player of a new session that is opened with a transfer code.
    pub(crate) async fn exchange(&self, code: &str) -> Option<String> {
        let post = self.http.post(self.url("/api/session")).json(&json!({ "transfer": code }));
        let answer = post.send().await.expect("sent");
        if !answer.status().is_success() {
            return None;
        }
        let me: Value = answer.json().await.expect("JSON");
        me["player"].as_str().map(ToOwned::to_owned)
    }
}
