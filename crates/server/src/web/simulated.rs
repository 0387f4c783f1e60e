//! The application for worlds in virtual time: without sockets, and with the parts of the world.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use axum::Router;
use metrics_exporter_prometheus::PrometheusBuilder;
use store::Database;

use super::connection_limits::{ConnectionLimits, Limits};
use super::{App, PageFiles, WebSettings, router, session_connections};
use crate::accounts::Accounts;
use crate::byte_pool::BytePool;
use crate::ledger::LedgerRegistry;
use crate::tables::TableRegistry;

/// The parts of a server that a world has made.
pub(crate) struct ServerParts {
    pub(crate) tables: Arc<TableRegistry>,
    pub(crate) ledgers: Arc<LedgerRegistry>,
    pub(crate) accounts: Arc<Accounts>,
    pub(crate) store: Arc<Database>,
    pub(crate) answers: Arc<BytePool>,
}

/// The permission for a WebSocket, until it is dropped.
pub(crate) type SocketPlace = Box<dyn Send + Sync>;

/// The web of a server without a network.
pub(crate) struct SimulatedWeb {
    app: Arc<App>,
    routes: Router,
}

impl SimulatedWeb {
    pub(crate) fn new(parts: ServerParts, limits: Limits) -> SimulatedWeb {
        let ServerParts { tables, ledgers, accounts, store, answers } = parts;
        let app = Arc::new(App {
            tables,
            ledgers,
            answers,
            store_check: tokio::sync::Mutex::default(),
            accounts,
            store,
            settings: WebSettings { limits, ..WebSettings::default() },
            connection_limits: ConnectionLimits::new(limits),
            session_connections: session_connections::SessionConnections::default(),
            metrics: PrometheusBuilder::new().build_recorder().handle(),
            pages: PageFiles::default(),
            connections: AtomicU64::new(1),
        });
        SimulatedWeb { routes: router(app.clone()), app }
    }

    /// All routes, as the server serves them.
    pub(crate) fn routes(&self) -> Router {
        self.routes.clone()
    }

    /// A place for a WebSocket. Returns None if there are too many.
    pub(crate) fn permit_socket(&self, address: IpAddr) -> Option<SocketPlace> {
        let permit = self.app.connection_limits.permit_socket(address)?;
        Some(Box::new(permit))
    }

    /// The permissions that are given, and the bytes of answers that are being sent.
    pub(crate) fn in_use(&self) -> usize {
        self.app.connection_limits.in_use() + self.app.answers.used()
    }
}
