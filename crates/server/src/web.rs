//! The network: an HTTP API, a WebSocket for each table and ledger, and pages.
//!
//! What comes from outside is checked here before it reaches anything else: where it
//! comes from, how much of it, and who sends it. What goes out is made from what the
//! hall gives; an internal error is logged and never sent.

mod api;
mod connection_limits;
mod extract;
mod headers;
mod ledgers;
mod listen;
mod pages;
mod problem;
mod session;
mod session_connections;
mod socket;

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use axum::Router;
use axum::routing::{any, get};
use metrics_exporter_prometheus::PrometheusHandle;
use store::Database;
use tokio::net::TcpListener;

use crate::accounts::Accounts;
use crate::ledger::LedgerRegistry;
use crate::tables::TableRegistry;

pub use api::document;
pub use connection_limits::Limits;
pub use pages::{PageFile, PageFiles};

/// How the server presents itself.
#[derive(Clone, Debug, Default)]
pub struct WebSettings {
    /// Origins of pages that may speak to it besides its own, such as
    /// `https://ghinda.example`.
    pub origins: Vec<String>,
    /// Whether cookies are for encrypted connections alone.
    pub secure: bool,
    /// Whether a proxy in front tells the address of the client in `X-Forwarded-For`.
    pub behind_proxy: bool,
    /// How much is let in.
    pub limits: Limits,
}

/// What all handlers share.
pub struct App {
    hall: Arc<TableRegistry>,
    shelf: LedgerRegistry,
    people: Accounts,
    store: Arc<Database>,
    settings: WebSettings,
    door: connection_limits::ConnectionLimits,
    callers: session_connections::SessionConnections,
    metrics: PrometheusHandle,
    pages: PageFiles,
    /// How many connections there have been; each has a number of its own.
    connections: AtomicU64,
}

impl App {
    /// An application around a hall.
    pub fn new(
        hall: Arc<TableRegistry>,
        store: Arc<Database>,
        settings: WebSettings,
        metrics: PrometheusHandle,
        pages: PageFiles,
    ) -> Arc<App> {
        let people = Accounts::new(store.clone(), hall.clock());
        let shelf = LedgerRegistry::new(store.clone(), hall.clone());
        let door = connection_limits::ConnectionLimits::new(settings.limits);
        let connections = AtomicU64::new(1);
        let callers = session_connections::SessionConnections::default();
        Arc::new(App {
            hall,
            shelf,
            people,
            store,
            settings,
            door,
            callers,
            metrics,
            pages,
            connections,
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
        .route("/metrics", get(measured))
        .fallback(pages::page)
        .layer(axum::middleware::from_fn_with_state(app.clone(), headers::guard))
        .with_state(app)
}

/// Whether the database keeps what it is given.
async fn ready(
    axum::extract::State(app): axum::extract::State<Arc<App>>,
) -> problem::ApiResult<&'static str> {
    app.hall.ready().await?;
    Ok("ready\n")
}

async fn measured(axum::extract::State(app): axum::extract::State<Arc<App>>) -> String {
    app.metrics.render()
}

/// Serves until `stop` comes, then lets everybody finish.
pub async fn serve(
    app: Arc<App>,
    listener: TcpListener,
    stop: impl Future<Output = ()> + Send + 'static,
) {
    let stopping = app.clone();
    let stopped = async move {
        stop.await;
        // The hall closes what both write to.
        stopping.shelf.stop().await;
        stopping.hall.stop().await;
    };
    listen::accept(app.clone(), listener, router(app), stopped).await;
}
