//! The real server as a process: started, killed, stopped and started again, with its database and
//! its log.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use store::PlayerId;
use test_support::folder::TempFolder;

use crate::test_client::TestClient;

/// How long a server may take to start or to stop on a busy machine.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// A running server.
pub(crate) struct TestServer {
    child: Option<Child>,
    /// The address; it stays the same after a restart.
    pub(crate) address: String,
    database: String,
    flags: Vec<String>,
    http: reqwest::Client,
    folder: TempFolder,
}

/// Flags that admit many clients from one machine and make bots fast.
const GENEROUS_LIMITS: [&str; 8] = [
    "--sockets-from-one",
    "100000",
    "--costly-a-minute",
    "1000000",
    "--bot-ms",
    "1",
    "--thinkers",
    "1",
];

impl TestServer {
    /// A server on a new SQLite file.
    pub(crate) async fn open() -> TestServer {
        TestServer::on_file(&GENEROUS_LIMITS).await
    }

    /// The same with further flags.
    pub(crate) async fn open_with(flags: &[&str]) -> TestServer {
        TestServer::on_file(&[&GENEROUS_LIMITS[..], flags].concat()).await
    }

    /// A server on a new SQLite file, with these flags.
    pub(crate) async fn on_file(flags: &[&str]) -> TestServer {
        let folder = TempFolder::create();
        let database = folder.file("ghinda.db").display().to_string();
        TestServer::start(folder, database, flags).await
    }

    /// A server on a database.
    pub(crate) async fn on(database: String) -> TestServer {
        TestServer::start(TempFolder::create(), database, &GENEROUS_LIMITS).await
    }

    async fn start(folder: TempFolder, database: String, flags: &[&str]) -> TestServer {
        let http = reqwest::Client::builder().pool_max_idle_per_host(0).timeout(TIME_LIMIT);
        let mut server = TestServer {
            child: None,
            address: "127.0.0.1:0".into(),
            database,
            flags: flags.iter().map(|flag| flag.to_string()).collect(),
            http: http.build().expect("a client"),
            folder,
        };
        server.start_again().await;
        server
    }

    /// Starts the server after it has ended, at the same address.
    pub(crate) async fn start_again(&mut self) {
        assert!(self.child.is_none(), "the server runs already");
        let log = File::options().create(true).append(true).open(self.folder.file("log"));
        // As many open files as the machine allows.
        let script = "ulimit -n \"$(ulimit -Hn)\"; exec \"$@\"";
        let mut command = Command::new("sh");
        command.args(["-c", script, "sh", env!("CARGO_BIN_EXE_ghinda"), "serve"]);
        command.args(["--listen", &self.address, "--database", &self.database]);
        command.args(&self.flags).env_remove("RUST_LOG").env_remove("NO_COLOR");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(log.expect("a log"));
        let mut child = command.spawn().expect("ghinda runs");
        let lines = child.stdout.take().expect("its output");
        self.child = Some(child);
        let first_line = tokio::task::spawn_blocking(move || {
            let mut line = String::new();
            BufReader::new(lines).read_line(&mut line).map(|_| line)
        });
        let first_line =
            tokio::time::timeout(TIME_LIMIT, first_line).await.expect("the server starts in time");
        let line = first_line.expect("a thread").expect("a line");
        let address = line.trim().strip_prefix("http://");
        self.address =
            address.unwrap_or_else(|| panic!("the server does not start: {line:?}")).into();
    }

    /// Ends the process as `kill -9` does.
    pub(crate) fn kill(&mut self) {
        let mut child = self.child.take().expect("the server runs");
        child.kill().expect("killed");
        child.wait().expect("ended");
    }

    /// Sends SIGTERM, as an operator does.
    pub(crate) fn terminate(&self) {
        let id = self.process();
        let sent = Command::new("sh").args(["-c", &format!("kill -TERM {id}")]).status();
        assert!(sent.expect("a shell").success());
    }

    /// Waits for the end of the process.
    pub(crate) async fn wait_for_end(&mut self) -> ExitStatus {
        let mut child = self.child.take().expect("the server runs");
        let ended = tokio::task::spawn_blocking(move || child.wait());
        let ended = tokio::time::timeout(TIME_LIMIT, ended).await.expect("the server ends in time");
        ended.expect("a thread").expect("a status")
    }

    /// Stops the server and waits for its end.
    pub(crate) async fn stop(&mut self) {
        self.terminate();
        let status = self.wait_for_end().await;
        assert!(status.success(), "{status}");
    }

    /// The id of the process.
    pub(crate) fn process(&self) -> u32 {
        self.child.as_ref().expect("the server runs").id()
    }

    pub(crate) fn database(&self) -> &str {
        &self.database
    }

    /// The log so far.
    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.folder.file("log")).unwrap_or_default()
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub(crate) fn http(&self) -> &reqwest::Client {
        &self.http
    }

    /// A client of a new player.
    pub(crate) async fn new_client(&self) -> TestClient {
        let answer = self.http.post(self.url("/api/session")).json(&json!({})).send().await;
        let answer = answer.expect("an answer");
        let cookie = answer.headers()["set-cookie"].to_str().expect("a cookie").to_owned();
        let token = cookie.split(['=', ';']).nth(1).expect("a token").to_owned();
        let me: Value = answer.json().await.expect("JSON");
        let player: PlayerId = me["player"].as_str().expect("a player").parse().expect("an id");
        TestClient::new(self.address.clone(), token, player)
    }

    pub(crate) async fn status(&self, path: &str) -> u16 {
        self.http.get(self.url(path)).send().await.expect("sent").status().as_u16()
    }

    pub(crate) async fn text(&self, path: &str) -> String {
        self.http.get(self.url(path)).send().await.expect("sent").text().await.expect("a text")
    }

    /// The value of a metric: the sum of all its lines that contain a text.
    pub(crate) async fn metric(&self, name: &str, holding: &str) -> f64 {
        let text = self.text("/metrics").await;
        let lines = text.lines().filter(|line| line.starts_with(name) && line.contains(holding));
        lines.filter_map(|line| line.rsplit(' ').next()?.parse::<f64>().ok()).sum()
    }

    /// Opens a table, and returns its name.
    pub(crate) async fn table(&self, host: &mut TestClient, rules: &str) -> String {
        self.table_with(host, json!({ "rules": rules, "listed": true })).await
    }

    pub(crate) async fn table_with(&self, host: &mut TestClient, plan: Value) -> String {
        let answer = self.post(host, "/api/tables", plan).await;
        let opened: Value = answer.json().await.expect("JSON");
        let table = opened["table"].as_str().unwrap_or_else(|| panic!("{opened}"));
        table.to_owned()
    }

    pub(crate) async fn post(
        &self,
        client: &TestClient,
        path: &str,
        body: Value,
    ) -> reqwest::Response {
        let post = self.http.post(self.url(path)).bearer_auth(&client.token).json(&body);
        post.send().await.expect("sent")
    }

    /// The clients at a new table with these rules. The match has not started.
    pub(crate) async fn seated(&self, rules: &str, count: usize) -> Vec<TestClient> {
        let mut host = self.new_client().await;
        let table = self.table(&mut host, rules).await;
        self.seated_at(&table, host, count).await
    }

    /// The host of a table and other clients on its first seats.
    pub(crate) async fn seated_at(
        &self,
        table: &str,
        host: TestClient,
        count: usize,
    ) -> Vec<TestClient> {
        let mut clients = vec![host];
        for _ in 1..count {
            clients.push(self.new_client().await);
        }
        for (seat, client) in (1..).zip(&mut clients) {
            client.join(table).await;
            client.sit(seat).await;
        }
        clients
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
        if std::thread::panicking() {
            let log = self.log();
            let tail: Vec<&str> = log.lines().rev().take(30).collect();
            eprintln!("the server logged last, newest first:\n{}", tail.join("\n"));
        }
    }
}
