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
#[cfg(test)]
pub(crate) mod simulated;
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
use tokio::time::{Instant, timeout};

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

/// The parts of a server behind its handlers.
pub(crate) struct ServerParts {
    pub(crate) tables: Arc<TableRegistry>,
    pub(crate) ledgers: Arc<LedgerRegistry>,
    pub(crate) accounts: Arc<Accounts>,
    pub(crate) store: Arc<Database>,
    /// The bytes of large answers that are being sent.
    pub(crate) answers: Arc<BytePool>,
}

/// What all handlers share.
pub struct App {
    tables: Arc<TableRegistry>,
    ledgers: Arc<LedgerRegistry>,
    /// The bytes of large answers that are being sent.
    answers: Arc<BytePool>,
    /// Checks the store for one request at a time.
    store_check: tokio::sync::Mutex<Option<StoreCheck>>,
    accounts: Arc<Accounts>,
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
        let accounts = Arc::new(Accounts::new(store.clone(), tables.trusted_clock())?);
        let answers = BytePool::new(tables.memory_quotas().answer_bytes);
        let ledgers = LedgerRegistry::new(store.clone(), tables.clone(), answers.clone());
        let parts = ServerParts { tables, ledgers: Arc::new(ledgers), accounts, store, answers };
        Ok(App::of_parts(parts, settings, metrics, pages))
    }

    fn of_parts(
        parts: ServerParts,
        settings: WebSettings,
        metrics: PrometheusHandle,
        pages: PageFiles,
    ) -> Arc<App> {
        let ServerParts { tables, ledgers, accounts, store, answers } = parts;
        Arc::new(App {
            tables,
            ledgers,
            answers,
            store_check: tokio::sync::Mutex::default(),
            accounts,
            store,
            connection_limits: connection_limits::ConnectionLimits::new(settings.limits),
            settings,
            session_connections: session_connections::SessionConnections::default(),
            metrics,
            pages,
            connections: AtomicU64::new(1),
        })
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
/// How long a check of the store may take. A store that answers later is of no use to those who play.
const STORE_CHECK_LIMIT: Duration = Duration::from_secs(4);

/// Answers whether the database can store, within twice the limit of a check.
async fn ready(
    axum::extract::State(app): axum::extract::State<Arc<App>>,
) -> problem::ApiResult<&'static str> {
    // A request that waits for the check of another one gets its outcome, unless that took too long as well.
    let Ok(mut last) = timeout(STORE_CHECK_LIMIT, app.store_check.lock()).await else {
        return Err(problem::Problem::unavailable());
    };
    let is_new = |check: &StoreCheck| check.at.elapsed() < STORE_CHECK_HOLDS;
    let works = match last.as_ref().filter(|check| is_new(check)) {
        Some(check) => check.works,
        None => {
            let works = match timeout(STORE_CHECK_LIMIT, app.tables.check_store()).await {
                Ok(Ok(())) => true,
                Ok(Err(error)) => {
                    tracing::warn!(%error, "the store does not work");
                    false
                }
                Err(_) => {
                    tracing::warn!("the store does not answer");
                    false
                }
            };
            *last = Some(StoreCheck { works, at: Instant::now() });
            works
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

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;
    use std::sync::atomic::{AtomicBool, Ordering};

    use axum::extract::State;
    use metrics_exporter_prometheus::PrometheusBuilder;
    use room::Timings;
    use store::{FaultPlan, MemoryDatabase, NoFaults, Operation, OperationFate};

    use super::*;
    use crate::clock::Clocks;
    use crate::quotas::MemoryQuotas;

    /// A database that does not answer for hours, while it is frozen.
    #[derive(Default)]
    struct Frozen(AtomicBool);

    impl FaultPlan for Frozen {
        fn fate(&self, operation: &Operation<'_>) -> OperationFate {
            let frozen = operation.name == "ping" && self.0.load(Ordering::Relaxed);
            let before = Duration::from_secs(if frozen { 24 * 60 * 60 } else { 0 });
            OperationFate { before, ..OperationFate::default() }
        }
    }

    async fn app(memory: MemoryDatabase) -> Arc<App> {
        let database = Arc::new(Database::Memory(memory));
        let clocks = Clocks::start(&database).await.expect("clocks");
        let tables = TableRegistry::new(
            database.clone(),
            clocks,
            NonZeroUsize::MIN,
            Timings::default(),
            MemoryQuotas::default(),
        );
        let tables = Arc::new(tables.expect("a registry"));
        let metrics = PrometheusBuilder::new().build_recorder().handle();
        let settings = WebSettings::default();
        App::new(tables, database, settings, metrics, PageFiles::default()).expect("threads")
    }

    #[tokio::test(start_paused = true)]
    async fn whether_the_server_is_ready_is_answered_though_the_database_is_not() {
        let memory = MemoryDatabase::default().open_again(Arc::new(NoFaults));
        let frozen = Arc::new(Frozen::default());
        let app = app(memory.open_again(frozen.clone())).await;
        assert!(ready(State(app.clone())).await.is_ok());
        frozen.0.store(true, Ordering::Relaxed);
        tokio::time::advance(2 * STORE_CHECK_HOLDS).await;
        // Several monitors ask, and one that comes while the others wait.
        let asked = Instant::now();
        let ask = async |after| {
            tokio::time::sleep(after).await;
            assert!(ready(State(app.clone())).await.is_err());
            let waited = asked.elapsed() - after;
            assert!(waited <= 2 * STORE_CHECK_LIMIT, "{waited:?}");
        };
        let (first, second) = (Duration::ZERO, STORE_CHECK_LIMIT / 2);
        tokio::join!(ask(first), ask(first), ask(second), ask(2 * STORE_CHECK_LIMIT));
        frozen.0.store(false, Ordering::Relaxed);
        tokio::time::advance(2 * STORE_CHECK_HOLDS).await;
        assert!(ready(State(app.clone())).await.is_ok(), "the database is back");
    }
}
