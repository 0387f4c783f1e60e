//! A server of our own on a port of its own, with a database that is thrown away.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use metrics_exporter_prometheus::PrometheusBuilder;
use reqwest::header::{HeaderMap, ORIGIN};
use serde_json::{Value, json};
use server::hall::Hall;
use server::room::Tempo;
use server::web::{App, Limits, Pages, Settings, serve};
use store::{Database, Store};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::guest::Guest;

static HOUSES: AtomicU64 = AtomicU64::new(0);

pub(crate) struct House {
    file: PathBuf,
    pub(crate) address: String,
    http: reqwest::Client,
    stop: oneshot::Sender<()>,
    served: JoinHandle<()>,
    database: Arc<Database>,
    pub(crate) hall: Arc<Hall>,
}

impl House {
    pub(crate) async fn open() -> House {
        let number = HOUSES.fetch_add(1, Ordering::Relaxed);
        let name = format!("ghinda-network-{}-{number}.db", std::process::id());
        House::at(std::env::temp_dir().join(name)).await
    }

    async fn at(file: PathBuf) -> House {
        let path = file.to_string_lossy().into_owned();
        let database = Arc::new(Database::open(&path).await.expect("a database"));
        // Bots hurry, so that a match takes seconds.
        let tempo = Tempo { bot_takes: 1, score_stands: 50, ..Tempo::default() };
        let hall = Arc::new(Hall::new(database.clone(), NonZeroUsize::MIN, tempo).expect("a hall"));
        hall.wake_all().await.expect("all tables");
        let metrics = PrometheusBuilder::new().build_recorder().handle();
        let limits =
            Limits { costly_a_minute: 10_000, messages_a_second: 5_000, ..Limits::default() };
        let settings = Settings { limits, ..Settings::default() };
        let app = App::new(hall.clone(), database.clone(), settings, metrics, Pages::default());
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        let (stop, stopped) = oneshot::channel();
        let served = tokio::spawn(async move {
            let stopped = async move {
                let _ = stopped.await;
            };
            serve(app, listener, stopped).await.expect("served");
        });
        House { file, address, http: reqwest::Client::new(), stop, served, database, hall }
    }

    async fn shut(self) -> PathBuf {
        let _ = self.stop.send(());
        self.served.await.expect("stopped");
        self.database.close().await;
        self.file
    }

    /// Stops the server and starts another one on the same database.
    pub(crate) async fn restart(self) -> House {
        House::at(self.shut().await).await
    }

    pub(crate) async fn close(self) {
        let file = self.shut().await;
        for end in ["", "-wal", "-shm"] {
            let _ = std::fs::remove_file(format!("{}{end}", file.display()));
        }
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Somebody new.
    pub(crate) async fn person(&self) -> Guest {
        let answer = self.http.post(self.url("/api/session")).json(&json!({})).send().await;
        let answer = answer.expect("an answer");
        let cookie = answer.headers()["set-cookie"].to_str().expect("a cookie").to_owned();
        assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
        let token = cookie.split(['=', ';']).nth(1).expect("a token").to_owned();
        Guest::new(self.address.clone(), token)
    }

    pub(crate) async fn text(&self, path: &str) -> String {
        self.http.get(self.url(path)).send().await.expect("sent").text().await.expect("a text")
    }

    pub(crate) async fn status(&self, path: &str) -> u16 {
        self.http.get(self.url(path)).send().await.expect("sent").status().as_u16()
    }

    pub(crate) async fn headers(&self, path: &str) -> HeaderMap {
        self.http.get(self.url(path)).send().await.expect("sent").headers().clone()
    }

    pub(crate) async fn status_of_foreign_post(&self, origin: &str) -> u16 {
        let post = self.http.post(self.url("/api/session")).header(ORIGIN, origin).json(&json!({}));
        post.send().await.expect("sent").status().as_u16()
    }

    pub(crate) async fn get_json(&self, guest: &Guest, path: &str) -> Value {
        let get = self.http.get(self.url(path)).bearer_auth(guest.token());
        get.send().await.expect("sent").json().await.expect("JSON")
    }

    async fn post(&self, guest: &Guest, path: &str, body: Value) -> reqwest::Response {
        let post = self.http.post(self.url(path)).bearer_auth(guest.token()).json(&body);
        post.send().await.expect("sent")
    }

    pub(crate) async fn player(&self, guest: &Guest) -> String {
        self.get_json(guest, "/api/me").await["player"].as_str().expect("a player").to_owned()
    }

    pub(crate) async fn register(&self, guest: &Guest, name: &str, passphrase: &str) -> u16 {
        let body = json!({ "name": name, "passphrase": passphrase });
        self.post(guest, "/api/accounts", body).await.status().as_u16()
    }

    pub(crate) async fn log_in(&self, guest: &Guest, name: &str, passphrase: &str) -> u16 {
        let body = json!({ "name": name, "passphrase": passphrase });
        self.post(guest, "/api/login", body).await.status().as_u16()
    }

    pub(crate) async fn transfer(&self, guest: &Guest) -> String {
        let answer: Value =
            self.post(guest, "/api/me/transfer", json!({})).await.json().await.expect("JSON");
        answer["token"].as_str().expect("a code").to_owned()
    }

    /// The player that a link from another device makes of a new one.
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
