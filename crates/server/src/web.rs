//! The network: an HTTP API, a WebSocket for each table and ledger, and pages.
//!
//! Requests are checked here before they reach anything else: their host and origin, their size and rate, and
//! their session. Internal errors are logged and never sent.

mod answers;
mod api;
mod connection_limits;
mod extract;
mod headers;
mod hosts;
mod ledgers;
mod listen;
mod pages;
mod problem;
mod session;
mod session_connections;
mod socket;
mod timed_stream;

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use axum::Router;
use axum::routing::{any, get};
use metrics_exporter_prometheus::PrometheusHandle;
use store::Database;
use tokio::net::TcpListener;
use tokio::time::Instant;

use crate::accounts::Accounts;
use crate::byte_pool::BytePool;
use crate::ledger::LedgerRegistry;
use crate::tables::TableRegistry;

pub use api::document;
pub use connection_limits::Limits;
pub use hosts::{AllowedHosts, without_port};
pub use pages::{PageFile, PageFiles};

/// The settings of the network side.
#[derive(Clone, Debug, Default)]
pub struct WebSettings {
    /// Origins of other pages that may use the server, such as `https://ghinda.example`.
    pub origins: Vec<String>,
    /// The hosts of requests that are served.
    pub hosts: AllowedHosts,
    /// Whether cookies are only sent over encrypted connections.
    pub secure: bool,
    /// Whether a proxy in front sets the address of the client in `X-Forwarded-For`.
    pub behind_proxy: bool,
    /// The limits of connections and requests.
    pub limits: Limits,
}

/// What all handlers share.
pub struct App {
    tables: Arc<TableRegistry>,
    ledgers: LedgerRegistry,
    /// The bytes of large answers that are being sent.
    answers: Arc<BytePool>,
    /// Checks the store for one request at a time.
    store_check: tokio::sync::Mutex<Option<StoreCheck>>,
    accounts: Accounts,
    store: Arc<Database>,
    settings: WebSettings,
    connection_limits: connection_limits::ConnectionLimits,
    session_connections: session_connections::SessionConnections,
    metrics: PrometheusHandle,
    pages: PageFiles,
    /// The id of the next connection.
    connections: AtomicU64,
}

impl App {
    /// The application of the tables in a store. Fails if a thread cannot be started.
    pub fn new(
        tables: Arc<TableRegistry>,
        store: Arc<Database>,
        settings: WebSettings,
        metrics: PrometheusHandle,
        pages: PageFiles,
    ) -> std::io::Result<Arc<App>> {
        let accounts = Accounts::new(store.clone(), tables.trusted_clock())?;
        let answers = BytePool::new(tables.memory_quotas().answer_bytes);
        let ledgers = LedgerRegistry::new(store.clone(), tables.clone(), answers.clone());
        let connection_limits = connection_limits::ConnectionLimits::new(settings.limits);
        let connections = AtomicU64::new(1);
        let session_connections = session_connections::SessionConnections::default();
        Ok(Arc::new(App {
            tables,
            ledgers,
            answers,
            store_check: tokio::sync::Mutex::default(),
            accounts,
            store,
            settings,
            connection_limits,
            session_connections,
            metrics,
            pages,
            connections,
        }))
    }
}

/// All routes.
pub fn router(app: Arc<App>) -> Router {
    Router::new()
        .nest("/api", api::routes())
        .route("/api/tables/{table}/socket", any(socket::table::connect))
        .route("/api/ledgers/{ledger}/socket", any(socket::ledger::connect))
        .route("/health", get(|| async { "ok\n" }))
        .route("/ready", get(ready))
        .route("/metrics", get(render_metrics))
        .fallback(pages::page)
        .layer(axum::middleware::from_fn_with_state(app.clone(), headers::guard))
        .with_state(app)
}

/// Whether the store has worked, and when it was asked.
struct StoreCheck {
    works: bool,
    at: Instant,
}

/// For how long a check of the store holds: requests must not add to the load of a store that fails.
const STORE_CHECK_HOLDS: Duration = Duration::from_secs(1);

/// Answers whether the database can store.
async fn ready(
    axum::extract::State(app): axum::extract::State<Arc<App>>,
) -> problem::ApiResult<&'static str> {
    let mut last = app.store_check.lock().await;
    let is_new = |check: &StoreCheck| check.at.elapsed() < STORE_CHECK_HOLDS;
    let works = match last.as_ref().filter(|check| is_new(check)) {
        Some(check) => check.works,
        None => {
            let checked = app.tables.check_store().await;
            if let Err(error) = &checked {
                tracing::warn!(%error, "the store does not work");
            }
            *last = Some(StoreCheck { works: checked.is_ok(), at: Instant::now() });
            checked.is_ok()
        }
    };
    if works { Ok("ready\n") } else { Err(problem::Problem::unavailable()) }
}

async fn render_metrics(axum::extract::State(app): axum::extract::State<Arc<App>>) -> String {
    app.metrics.render()
}

/// Serves until `stop` is ready, then lets all connections finish.
pub async fn serve(
    app: Arc<App>,
    listener: TcpListener,
    stop: impl Future<Output = ()> + Send + 'static,
) {
    let stopping = app.clone();
    let stopped = async move {
        stop.await;
        // Ledgers first: the tables close the writer that both use.
        stopping.ledgers.stop().await;
        stopping.tables.stop().await;
    };
    listen::accept(app.clone(), listener, router(app), stopped).await;
}
